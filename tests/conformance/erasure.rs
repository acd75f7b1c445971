//! Erasing a user's words: rows go, hashes stay, and the user goes on.

use candor::audit::{EventKind, LogCheck};
use candor::domain::{Action, QuestionId};
use candor::store::{
    AuditFilter, CommitRecord, ErasureReport, KeyedAnswer, PendingQuestion, QuestionWrite,
    RollbackCause, StoreError,
};

use super::scene::{Ground, Scene, committed, now, refused};

/// A word that stands in everything a user said.
const WORD: &str = "Zanzibar";

/// A user who said the word in every place there is.
async fn talkative(scene: &Scene) {
    let kept = scene.add(&format!("Fly to {WORD}")).await;
    let gone = scene.add(&format!("Back from {WORD}")).await;
    scene
        .turn(|unit| {
            let _ = unit.delete(gone);
        })
        .await;
    scene
        .turn(|unit| {
            let _ = unit.change(Action::CompleteTask, kept, &super::scene::done());
        })
        .await;
    let snapshot = scene.load().await;
    let question = PendingQuestion {
        id: QuestionId::new(scene.ids.next()),
        body: format!("{{\"ask\":\"{WORD}?\"}}"),
        expires_at: now(),
    };
    let record = CommitRecord {
        frame: Some(format!("{{\"said\":\"{WORD}\"}}")),
        question: QuestionWrite::Ask(question),
        keyed: Some(KeyedAnswer {
            key: "key".to_owned(),
            fingerprint: String::new(),
            status: 200,
            body: format!("{{\"reply\":\"{WORD}\"}}"),
        }),
        messages: vec![scene.line(candor::store::MessageRole::User, WORD)],
        ..scene.record(&snapshot)
    };
    let unit = scene.unit(&snapshot);
    committed(scene.store.commit(unit, record).await);
}

async fn erase(scene: &Scene) -> Result<ErasureReport, StoreError> {
    scene.store.erase(&scene.user, now(), &scene.ids).await
}

/// Everything of the user that can be read, as one text.
async fn readable(scene: &Scene) -> String {
    let filter = AuditFilter {
        user: Some(scene.user.clone()),
        ..AuditFilter::default()
    };
    let events = scene.store.audit_events(&filter).await.unwrap();
    let key = scene.store.load(&scene.user, None, Some("key")).await;
    format!("{} {:?} {:?}", scene.picture().await, events, key.unwrap())
}

async fn kinds(scene: &Scene) -> Vec<EventKind> {
    let filter = AuditFilter {
        user: Some(scene.user.clone()),
        ..AuditFilter::default()
    };
    let events = scene.store.audit_events(&filter).await.unwrap();
    events.iter().map(|event| event.kind).collect()
}

pub async fn erasing_leaves_no_word_and_an_unbroken_log(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    let bob = Scene::of(ann.store.clone(), "bob");
    talkative(&ann).await;
    talkative(&bob).await;
    let history = ann.store.history(&ann.user, None, 100).await.unwrap();
    let receipts: Vec<_> = history.iter().map(|e| e.receipt.facts().id).collect();
    assert_eq!(receipts.len(), 4);
    let checkpoint = ann.store.audit_tree().await.unwrap();
    let other = bob.picture().await;

    let found = ann.store.erasable(&ann.user).await.unwrap();
    let erased = erase(&ann).await.unwrap();
    assert_eq!(erased, found);
    assert_eq!((erased.tasks, erased.conversations), (2, 1));
    assert_eq!((erased.questions, erased.keys, erased.receipts), (1, 1, 4));
    assert_eq!(erased.messages, 9);
    // Five turns of three told events, and a receipt in four of them.
    assert_eq!(erased.events, 19);

    let left = readable(&ann).await;
    assert!(!left.contains(WORD) && !left.contains("salt"), "{left}");
    assert!(ann.tasks().await.is_empty());
    assert!(ann.store.conversations(&ann.user).await.unwrap().is_empty());
    assert!(
        ann.store
            .history(&ann.user, None, 100)
            .await
            .unwrap()
            .is_empty()
    );
    assert!(
        ann.store
            .receipt(&ann.user, receipts[0])
            .await
            .unwrap()
            .is_none()
    );
    assert_eq!(kinds(&ann).await.last(), Some(&EventKind::Erasure));
    assert_eq!(bob.picture().await, other);

    // What was proven stays proven, and nothing that a checkpoint covers is another.
    ann.verify().await;
    let head = ann.store.audit_tree().await.unwrap();
    for receipt in receipts {
        let proven = ann.store.audit_proof(&ann.user, receipt).await.unwrap();
        let proven = proven.unwrap();
        assert!(proven.event.payload.contains(&receipt.to_string()));
        assert_eq!(proven.inclusion.check(&proven.event, &head), Ok(()));
    }
    let mut check = LogCheck::new(Some(checkpoint));
    for placed in ann.store.audit_log(0, 1_000).await.unwrap() {
        check.push(placed.leaf_index, &placed.event).unwrap();
    }
    assert_eq!(check.finish().unwrap().tree, head);

    // The user goes on, and may change his mind again.
    assert_eq!(erase(&ann).await.unwrap(), ErasureReport::default());
    assert_eq!(kinds(&ann).await.len(), 20);
    let next = ann.elsewhere();
    next.add("Buy milk").await;
    assert_eq!(next.titles().await, ["Buy milk"]);
    let again = erase(&next).await.unwrap();
    assert_eq!((again.tasks, again.receipts, again.events), (1, 1, 4));
    assert!(!readable(&next).await.contains("milk"));
    next.verify().await;
}

pub async fn who_has_said_nothing_leaves_no_trace(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    assert_eq!(erase(&ann).await.unwrap(), ErasureReport::default());
    assert!(ann.store.audit_users().await.unwrap().is_empty());
    assert_eq!(ann.store.finish_erasures().await.unwrap(), 0);
}

pub async fn an_erasure_that_was_cut_off_is_finished(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    talkative(&ann).await;
    // Events refuse to change: the erasure is told of, and gets no further.
    let (cuts, mend): (&[&'static str], _) = if ground.url().starts_with("postgres") {
        let refusing = "CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS
            $$ BEGIN RAISE EXCEPTION 'cut off'; END $$";
        let trigger = "CREATE TRIGGER cut BEFORE UPDATE ON audit_events
            FOR EACH ROW EXECUTE FUNCTION cut()";
        (&[refusing, trigger], "DROP TRIGGER cut ON audit_events")
    } else {
        let trigger = "CREATE TRIGGER cut BEFORE UPDATE ON audit_events
            BEGIN SELECT RAISE(ABORT, 'cut off'); END";
        (&[trigger], "DROP TRIGGER cut")
    };
    for cut in cuts {
        ground.honest(cut).await.unwrap();
    }
    let told = ann.store.erasable(&ann.user).await.unwrap();
    erase(&ann).await.unwrap_err();
    // Half way, the log is whole, the list is empty, and what is left is known.
    ann.verify().await;
    assert!(ann.tasks().await.is_empty());
    assert!(readable(&ann).await.contains(WORD));
    let left = ann.store.erasable(&ann.user).await.unwrap();
    assert_eq!((left.tasks, left.events), (0, told.events));
    ground.honest(mend).await.unwrap();
    assert_eq!(ann.store.finish_erasures().await.unwrap(), 1);
    assert!(!readable(&ann).await.contains(WORD));
    assert_eq!(ann.store.finish_erasures().await.unwrap(), 0);
    ann.verify().await;
}

pub async fn a_turn_that_began_before_brings_nothing_back(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    let id = ann.add(&format!("Fly to {WORD}")).await;
    ann.turn(|unit| {
        let _ = unit.delete(id);
    })
    .await;
    let before = ann.load().await;
    let history = ann.store.history(&ann.user, None, 1).await.unwrap();
    erase(&ann).await.unwrap();
    let mut undo = ann.unit(&before);
    undo.undo(&history[0].receipt).unwrap();
    let end = ann.store.commit(undo, CommitRecord::default()).await;
    assert_eq!(refused(end), RollbackCause::TaskMoved(id));
    let said = ann.unit(&before);
    let end = ann.store.commit(said, ann.record(&before)).await;
    assert_eq!(refused(end), RollbackCause::ConversationMoved);
    assert!(!readable(&ann).await.contains(WORD));
    ann.verify().await;
}

pub async fn only_an_erasure_takes_words_out(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    ann.add(WORD).await;
    let before = readable(&ann).await;
    for statement in [
        "UPDATE audit_events SET payload = '{}'",
        "UPDATE receipts SET after = '{}', erased = 1",
        // One that was told of, and covers none of these.
        "INSERT INTO erasures VALUES ('ann', 1, 0);
         UPDATE audit_events SET payload = '{}'",
        "INSERT INTO erasures VALUES ('bob', 9, 0);
         UPDATE receipts SET after = '{}', erased = 1",
        // One that does, and more than words.
        "INSERT INTO erasures VALUES ('ann', 9, 0);
         UPDATE audit_events SET payload = '{}', hash = prev_hash",
        "INSERT INTO erasures VALUES ('ann', 9, 0);
         UPDATE audit_events SET payload = payload || ' '",
        "INSERT INTO erasures VALUES ('ann', 9, 0);
         UPDATE receipts SET after = '{\"x\":1}', erased = 1",
        "INSERT INTO erasures VALUES ('ann', 9, 0); DELETE FROM audit_events",
    ] {
        let whole: &'static str = Box::leak(format!("BEGIN; {statement}; COMMIT").into());
        let refused = ground.honest(whole).await.unwrap_err();
        assert!(refused.contains("append-only"), "{statement}: {refused}");
    }
    assert_eq!(readable(&ann).await, before);
}
