//! Two hands on one thing: the second is refused, wholly, and told why.

use candor::domain::{Action, TurnId};
use candor::store::{CommitRecord, CommitResult, KeyedAnswer, NewTask, RollbackCause, Unit};

use super::scene::{Ground, Scene, committed, done, new_task, refused, renamed};

pub async fn of_two_commits_on_one_snapshot_one_is_refused(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let id = scene.add("Milk").await;
    type Act = fn(&mut Unit, candor::domain::TaskId);
    let acts: [Act; 2] = [
        |unit, id| {
            let _ = unit.change(Action::UpdateTask, id, &renamed("Oat milk"));
        },
        |unit, id| {
            let _ = unit.delete(id);
        },
    ];
    for act in acts {
        let snapshot = scene.load().await;
        let mut first = scene.unit(&snapshot);
        let mut second = scene.unit(&snapshot);
        let _ = first.change(Action::CompleteTask, id, &done());
        if !first.has_effect() {
            let _ = first.change(Action::UpdateTask, id, &renamed("Soy milk"));
        }
        act(&mut second, id);
        // Neither names the conversation, so that only the task can be in the way.
        committed(scene.store.commit(first, CommitRecord::default()).await);
        let before = scene.picture().await;
        let cause = refused(scene.store.commit(second, CommitRecord::default()).await);
        assert_eq!(cause, RollbackCause::TaskMoved(id));
        assert_eq!(scene.picture().await, before);
    }
    scene.verify().await;
}

pub async fn a_refused_unit_writes_nothing_at_all(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let id = scene.add("Milk").await;
    let snapshot = scene.load().await;
    scene
        .turn(|unit| {
            let _ = unit.delete(id);
        })
        .await;
    let before = scene.picture().await;
    let mut late = scene.unit(&snapshot);
    late.add(new_task("Eggs"));
    let _ = late.delete(id);
    let record = CommitRecord {
        conversation: scene.load().await.conversation.map(|c| (c.id, c.version)),
        keyed: Some(keyed("k")),
        ..scene.record(&snapshot)
    };
    assert_eq!(
        refused(scene.store.commit(late, record).await),
        RollbackCause::TaskMoved(id)
    );
    // Nor does a row that the database refuses.
    let snapshot = scene.load().await;
    let mut long = scene.unit(&snapshot);
    long.add(new_task("Short"));
    long.add(NewTask {
        description: Some("x".repeat(10_001)),
        ..new_task("Long")
    });
    let cause = refused(scene.store.commit(long, scene.record(&snapshot)).await);
    assert!(matches!(cause, RollbackCause::Storage(_)), "{cause:?}");
    assert_eq!(scene.picture().await, before);
    let keyed = scene
        .store
        .load(&scene.user, None, Some("k"))
        .await
        .unwrap()
        .keyed;
    assert_eq!(keyed, None);
}

pub async fn a_conversation_moves_once_per_version(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let unborn = scene.load().await;
    assert_eq!(unborn.conversation, None);
    let twice = [scene.record(&unborn), scene.record(&unborn)];
    let [first, second] = twice;
    committed(scene.store.commit(scene.unit(&unborn), first).await);
    let cause = refused(scene.store.commit(scene.unit(&unborn), second).await);
    assert_eq!(cause, RollbackCause::ConversationMoved);
    let snapshot = scene.load().await;
    assert_eq!(snapshot.conversation.as_ref().map(|c| c.version), Some(1));
    committed(
        scene
            .store
            .commit(scene.unit(&snapshot), scene.record(&snapshot))
            .await,
    );
    assert_eq!(scene.load().await.conversation.map(|c| c.version), Some(2));
    // A version that was never reached is no better than an old one.
    let ahead = CommitRecord {
        conversation: Some((scene.conversation, 7)),
        ..CommitRecord::default()
    };
    let cause = refused(scene.store.commit(scene.unit(&snapshot), ahead).await);
    assert_eq!(cause, RollbackCause::ConversationMoved);
}

pub async fn an_idempotency_key_is_taken_once(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let snapshot = scene.load().await;
    let record = || CommitRecord {
        keyed: Some(keyed("order-1")),
        ..CommitRecord::default()
    };
    let commit = |title: &'static str| {
        let mut unit = scene.unit(&snapshot);
        unit.add(new_task(title));
        scene.store.commit(unit, record())
    };
    let (a, b) = tokio::join!(commit("Milk"), commit("Milk"));
    let ends = [&a, &b];
    let won = ends
        .iter()
        .filter(|end| matches!(end, CommitResult::Committed(_)));
    assert_eq!(won.count(), 1, "{ends:?}");
    let lost = ends
        .iter()
        .filter(|end| matches!(end, CommitResult::RolledBack(RollbackCause::KeyTaken)));
    assert_eq!(lost.count(), 1, "{ends:?}");
    assert_eq!(refused(commit("Eggs").await), RollbackCause::KeyTaken);
    assert_eq!(scene.titles().await, ["Milk"]);
    let stored = scene
        .store
        .load(&scene.user, None, Some("order-1"))
        .await
        .unwrap();
    assert_eq!(stored.keyed, Some(keyed("order-1")));
    let other = scene
        .store
        .load(&scene.user, None, Some("order-2"))
        .await
        .unwrap();
    assert_eq!(other.keyed, None);
}

pub async fn a_claimed_key_is_answered_by_its_own_turn(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let snapshot = scene.load().await;
    let commit = |title: &'static str, keyed: KeyedAnswer, claimed: bool| {
        let mut unit = scene.unit(&snapshot);
        unit.add(new_task(title));
        let record = CommitRecord {
            keyed: Some(keyed),
            claimed,
            ..CommitRecord::default()
        };
        scene.store.commit(unit, record)
    };
    let stored = async || {
        let loaded = scene.store.load(&scene.user, None, Some("order-1")).await;
        loaded.unwrap().keyed.unwrap()
    };
    let turn = TurnId::new(scene.ids.next());
    let claim = || KeyedAnswer::claim("order-1".to_owned(), "f".to_owned(), turn);
    // What was never claimed can't be answered as if it had been.
    let cause = refused(commit("Ghost", keyed("order-1"), true).await);
    assert_eq!(cause, RollbackCause::KeyTaken);
    committed(commit("Milk", claim(), false).await);
    assert!(stored().await.is_claim());
    for keyed in [claim(), keyed("order-1")] {
        let cause = refused(commit("Again", keyed, false).await);
        assert_eq!(cause, RollbackCause::KeyTaken);
    }
    committed(commit("Eggs", keyed("order-1"), true).await);
    let answer = stored().await;
    assert!(!answer.is_claim());
    assert_eq!(
        (answer.status, answer.body),
        (keyed("order-1").status, keyed("order-1").body)
    );
    assert_eq!(scene.titles().await, ["Eggs", "Milk"]);
    scene.verify().await;
}

pub async fn a_new_task_needs_a_new_id(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let snapshot = scene.load().await;
    let fixed = scene.ids.next();
    let ids = candor::domain::IdSource::from_fn(move || fixed);
    let unit = |ids: &candor::domain::IdSource| {
        let turn = candor::domain::TurnId::new(scene.ids.next());
        let now = super::scene::now();
        let mut unit = Unit::new(
            scene.user.clone(),
            None,
            turn,
            now,
            ids.clone(),
            snapshot.tasks.clone(),
        );
        unit.add(new_task("Milk"));
        unit
    };
    committed(
        scene
            .store
            .commit(unit(&ids), CommitRecord::default())
            .await,
    );
    let cause = refused(
        scene
            .store
            .commit(unit(&ids), CommitRecord::default())
            .await,
    );
    assert_eq!(
        cause,
        RollbackCause::TaskMoved(candor::domain::TaskId::new(fixed))
    );
}

fn keyed(key: &str) -> KeyedAnswer {
    KeyedAnswer {
        key: key.to_owned(),
        fingerprint: "f".repeat(64),
        status: 200,
        body: "{\"a\": \"é\\n\"}".to_owned(),
    }
}
