//! A turn that has changed something and has no reply yet: found, kept alive, ended once.

use candor::domain::TurnId;
use candor::store::{
    CommitRecord, CommitResult, KeyedAnswer, OpenJournal, OpenTurn, OpenWrite, RollbackCause, Unit,
};

use super::scene::{Ground, Scene, committed, new_task, refused};

fn journal(text: &str) -> OpenJournal {
    OpenJournal {
        owner: "one".to_owned(),
        key: Some("k".to_owned()),
        text: text.to_owned(),
    }
}

impl Scene {
    /// A commit of one turn in this conversation.
    async fn goes_on(&self, turn: TurnId, title: Option<&str>, open: OpenWrite) -> CommitResult {
        let snapshot = self.load().await;
        let version = snapshot.conversation.as_ref().map_or(0, |c| c.version);
        let mut unit = Unit::new(
            self.user.clone(),
            Some(self.conversation),
            turn,
            super::scene::now(),
            self.ids.clone(),
            snapshot.tasks.clone(),
        );
        if let Some(title) = title {
            unit.add(new_task(title));
        }
        let keyed = KeyedAnswer::claim("k".to_owned(), "f".to_owned(), turn);
        let record = CommitRecord {
            conversation: Some((self.conversation, version)),
            keyed: matches!(open, OpenWrite::Begin(_)).then_some(keyed),
            open,
            ..CommitRecord::default()
        };
        self.store.commit(unit, record).await
    }

    async fn open_turn(&self) -> Option<OpenTurn> {
        self.load().await.open
    }
}

pub async fn an_open_turn_is_found_and_ended_once(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let turn = TurnId::new(scene.ids.next());
    assert_eq!(scene.open_turn().await, None);
    let begun = OpenWrite::Begin(journal("{\"é\":1}"));
    committed(scene.goes_on(turn, Some("Milk"), begun).await);
    let found = scene.open_turn().await.unwrap();
    let expect = OpenTurn {
        turn,
        conversation: scene.conversation,
        key: Some("k".to_owned()),
        owner: "one".to_owned(),
        beats: 0,
        alive: true,
        journal: "{\"é\":1}".to_owned(),
    };
    assert_eq!(found, expect);
    // Its key finds it from anywhere; neither another user's nor another conversation does.
    let by_key = |user| scene.store.load(user, None, Some("k"));
    assert_eq!(by_key(&scene.user).await.unwrap().open, Some(expect));
    assert_eq!(scene.elsewhere().open_turn().await, None);
    let bob = Scene::of(scene.store.clone(), "bob");
    assert_eq!(by_key(&bob.user).await.unwrap().open, None);

    let kept = OpenWrite::Keep(journal("{}"));
    committed(scene.goes_on(turn, Some("Eggs"), kept).await);
    let found = scene.open_turn().await.unwrap();
    assert_eq!((found.beats, &*found.journal), (1, "{}"));

    // Who takes it over must have seen its last beat.
    let before = scene.picture().await;
    for seen in [0, 2] {
        let over = OpenWrite::End { beats: Some(seen) };
        assert_eq!(
            refused(scene.goes_on(turn, Some("Tea"), over).await),
            RollbackCause::TurnEnded
        );
    }
    assert_eq!(scene.picture().await, before);
    let over = OpenWrite::End { beats: Some(1) };
    committed(scene.goes_on(turn, None, over).await);
    assert_eq!(scene.open_turn().await, None);

    // Whoever comes later, its own process too, changes nothing.
    let before = scene.picture().await;
    for late in [
        OpenWrite::Keep(journal("{}")),
        OpenWrite::End { beats: None },
        OpenWrite::End { beats: Some(1) },
    ] {
        assert_eq!(
            refused(scene.goes_on(turn, Some("Tea"), late).await),
            RollbackCause::TurnEnded
        );
    }
    assert_eq!(scene.picture().await, before);
    assert_eq!(scene.titles().await, ["Eggs", "Milk"]);
    scene.verify().await;
}

pub async fn of_two_that_end_a_turn_one_does(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    for round in 0..5 {
        let turn = TurnId::new(scene.ids.next());
        let begun = OpenWrite::Begin(OpenJournal {
            key: None,
            ..journal("{}")
        });
        let snapshot = scene.load().await;
        let mut unit = scene.unit(&snapshot);
        unit.add(new_task("Milk"));
        let unit = Unit::new(
            scene.user.clone(),
            Some(scene.conversation),
            turn,
            unit.now(),
            scene.ids.clone(),
            snapshot.tasks.clone(),
        );
        let record = CommitRecord {
            open: begun,
            ..CommitRecord::default()
        };
        committed(scene.store.commit(unit, record).await);
        let end = |beats| {
            let mut unit = Unit::new(
                scene.user.clone(),
                Some(scene.conversation),
                turn,
                super::scene::now(),
                scene.ids.clone(),
                snapshot.tasks.clone(),
            );
            unit.add(new_task(&format!("Told {round}")));
            let record = CommitRecord {
                open: OpenWrite::End { beats },
                ..CommitRecord::default()
            };
            scene.store.commit(unit, record)
        };
        let ends = tokio::join!(end(None), end(Some(0)), end(Some(0)));
        let ends = [ends.0, ends.1, ends.2];
        let won = ends
            .iter()
            .filter(|end| matches!(end, CommitResult::Committed(_)));
        assert_eq!(won.count(), 1, "{ends:?}");
        let lost = ends
            .iter()
            .filter(|end| matches!(end, CommitResult::RolledBack(RollbackCause::TurnEnded)));
        assert_eq!(lost.count(), 2, "{ends:?}");
    }
    assert_eq!(scene.titles().await.len(), 5);
    scene.verify().await;
}

pub async fn a_beat_keeps_a_turn_alive(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let turn = TurnId::new(scene.ids.next());
    let beat = |owner: &'static str, journal: Option<&'static str>| {
        scene.store.beat(&scene.user, turn, owner, journal)
    };
    assert!(!beat("one", None).await.unwrap());
    let begun = OpenWrite::Begin(journal("{}"));
    committed(scene.goes_on(turn, Some("Milk"), begun).await);
    assert!(scene.store.cut_turns(10).await.unwrap().is_empty());
    // Its process has died; or the clock was turned back, which must not keep it alive for ever.
    for statement in [
        "UPDATE open_turns SET lease_until = 0",
        "UPDATE open_turns SET lease_until = lease_until + 86400000",
    ] {
        ground.honest(statement).await.unwrap();
        assert!(!scene.open_turn().await.unwrap().alive, "{statement}");
        let cut = scene.store.cut_turns(10).await.unwrap();
        assert_eq!(cut.len(), 1, "{statement}");
        assert_eq!(
            (&cut[0].user, cut[0].conversation),
            (&scene.user, scene.conversation)
        );
        assert!(beat("one", None).await.unwrap());
        assert!(scene.open_turn().await.unwrap().alive, "{statement}");
        assert!(scene.store.cut_turns(10).await.unwrap().is_empty());
    }
    // Another process can't speak for it, nor can another user.
    let before = scene.open_turn().await;
    assert!(!beat("two", Some("[]")).await.unwrap());
    let bob = Scene::of(scene.store.clone(), "bob");
    let foreign = scene.store.beat(&bob.user, turn, "one", None);
    assert!(!foreign.await.unwrap());
    assert_eq!(scene.open_turn().await, before);
    assert!(beat("one", Some("[1]")).await.unwrap());
    let found = scene.open_turn().await.unwrap();
    assert_eq!((found.beats, &*found.journal), (3, "[1]"));
    committed(
        scene
            .goes_on(turn, None, OpenWrite::End { beats: None })
            .await,
    );
    assert!(!beat("one", None).await.unwrap());
}
