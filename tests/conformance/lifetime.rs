//! Opening, migrating, closing, and what is kept how long.

use candor::domain::TurnId;
use candor::store::{
    CommitRecord, CommitResult, KeyedAnswer, OpenError, RollbackCause, Store, StoreError, Unit,
};
use chrono::{DateTime, TimeDelta, Utc};
use tokio::task::JoinSet;

use super::scene::{Ground, Scene, committed, new_task, now, open, refused};

pub async fn what_was_committed_survives_closing(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    scene.add("Milk").await;
    let before = scene.picture().await;
    scene.store.close().await;
    let error = scene.store.load(&scene.user, None, None).await.unwrap_err();
    assert!(matches!(error, StoreError::Closed), "{error:?}");
    let again = Scene {
        store: open(ground).await,
        ..scene
    };
    assert_eq!(again.picture().await, before);
    again.add("Eggs").await;
    again.verify().await;
}

pub async fn a_store_that_was_dropped_opens_again(ground: &impl Ground) {
    for number in 0..5 {
        let scene = Scene::new(ground).await;
        scene.add(&format!("Task {number}")).await;
        assert_eq!(scene.tasks().await.len(), number + 1);
        scene.verify().await;
    }
}

pub async fn closing_writes_what_is_queued_and_refuses_the_rest(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let mut writers = JoinSet::new();
    for number in 0..32 {
        let scene = scene.elsewhere();
        writers.spawn(async move {
            let snapshot = Unit::new(
                scene.user.clone(),
                None,
                TurnId::new(scene.ids.next()),
                now(),
                scene.ids.clone(),
                candor::resolver::TaskList::default(),
            );
            let mut unit = snapshot;
            unit.add(new_task(&format!("Task {number}")));
            scene.store.commit(unit, CommitRecord::default()).await
        });
    }
    tokio::task::yield_now().await;
    scene.store.close().await;
    let mut written = 0;
    while let Some(end) = writers.join_next().await {
        match end.unwrap() {
            CommitResult::Committed(_) => written += 1,
            CommitResult::RolledBack(RollbackCause::Storage(_)) => {}
            other => panic!("{other:?}"),
        }
    }
    scene.store.close().await;
    let again = Scene {
        store: open(ground).await,
        ..scene
    };
    assert_eq!(again.tasks().await.len(), written);
}

pub async fn migrations_are_counted_and_run_once(ground: &impl Ground) {
    let store = Store::open(&ground.url()).await.unwrap();
    let health = store.health().await.unwrap();
    assert!(!health.is_ready() && health.pending_migrations > 0);
    store.migrate().await.unwrap();
    store.migrate().await.unwrap();
    assert!(store.health().await.unwrap().is_ready());
    let error = Store::open("mysql://me:secret@localhost/db")
        .await
        .unwrap_err();
    assert!(matches!(error, OpenError::Url(_)));
    assert!(!error.to_string().contains("secret"), "{error}");
}

pub async fn a_purge_removes_only_what_is_old(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let ages = [
        TimeDelta::days(31),
        TimeDelta::days(29),
        TimeDelta::hours(25),
        TimeDelta::hours(23),
    ];
    for age in ages {
        let (at, key) = (now() - age, format!("{} h", age.num_hours()));
        let mut unit = unit_at(&scene, at).await;
        let id = unit.add(new_task(&key)).facts().task_id.unwrap();
        let keyed = Some(KeyedAnswer {
            key,
            fingerprint: String::new(),
            status: 200,
            body: String::new(),
        });
        let record = CommitRecord {
            keyed,
            ..CommitRecord::default()
        };
        committed(scene.store.commit(unit, record).await);
        let mut unit = unit_at(&scene, at).await;
        let _ = unit.delete(id);
        committed(scene.store.commit(unit, CommitRecord::default()).await);
    }
    scene.add("Kept").await;
    let purged = scene.store.purge(now()).await.unwrap();
    assert_eq!((purged.tasks, purged.keys), (1, 3));
    for (key, kept) in [("25 h", false), ("23 h", true)] {
        let found = scene
            .store
            .load(&scene.user, None, Some(key))
            .await
            .unwrap()
            .keyed;
        assert_eq!(found.is_some(), kept, "{key}");
    }
    assert_eq!(scene.titles().await, ["Kept"]);
    // The young one can still be brought back, the old one can't.
    for entry in scene.store.history(&scene.user, None, 100).await.unwrap() {
        let facts = entry.receipt.facts();
        if facts.after.is_some() {
            continue;
        }
        let mut unit = unit_at(&scene, now()).await;
        assert!(unit.undo(&entry.receipt).is_ok());
        let end = scene.store.commit(unit, CommitRecord::default()).await;
        if facts.title() == Some("744 h") {
            assert_eq!(
                refused(end),
                RollbackCause::TaskMoved(facts.task_id.unwrap())
            );
        } else {
            committed(end);
        }
    }
    assert_eq!(scene.tasks().await.len(), 4);
    assert_eq!(scene.store.purge(now()).await.unwrap().tasks, 0);
    scene.verify().await;
}

pub async fn a_long_purge_goes_in_steps(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let at = now() - TimeDelta::days(31);
    let mut unit = unit_at(&scene, at).await;
    for number in 0..1_100 {
        unit.add(new_task(&format!("Task {number}")));
    }
    committed(scene.store.commit(unit, CommitRecord::default()).await);
    let mut unit = unit_at(&scene, at).await;
    for task in scene.tasks().await {
        let _ = unit.delete(task.id);
    }
    committed(scene.store.commit(unit, CommitRecord::default()).await);
    assert_eq!(scene.store.purge(now()).await.unwrap().tasks, 1_100);
    assert_eq!(scene.store.purge(now()).await.unwrap().tasks, 0);
    scene.verify().await;
}

pub async fn two_stores_share_one_database(ground: &impl Ground) {
    let here = Scene::new(ground).await;
    let there = Scene {
        store: open(ground).await,
        ..here.elsewhere()
    };
    let mut writers = JoinSet::new();
    for scene in [here.clone(), there.clone()] {
        writers.spawn(async move {
            for number in 0..20 {
                scene.add(&format!("Task {number}")).await;
            }
        });
    }
    while let Some(done) = writers.join_next().await {
        done.unwrap();
    }
    assert_eq!(here.tasks().await.len(), 40);
    assert_eq!(
        here.picture().await,
        Scene {
            conversation: here.conversation,
            ..there
        }
        .picture()
        .await
    );
    here.verify().await;
}

async fn unit_at(scene: &Scene, at: DateTime<Utc>) -> Unit {
    let tasks = scene.load().await.tasks;
    let turn = TurnId::new(scene.ids.next());
    Unit::new(scene.user.clone(), None, turn, at, scene.ids.clone(), tasks)
}
