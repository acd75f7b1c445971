//! Tests that what a store remembers is what its database says, and that what was decided on it is
//! written only while that is so.

use candor::domain::Action;
use candor::domain::QuestionId;
use candor::store::{
    CommitRecord, CommitResult, NewTask, PendingQuestion, QuestionWrite, RollbackCause,
    UserSnapshot,
};
use tokio::task::JoinSet;

use super::scene::{Ground, Scene, committed, done, new_task, now, open, refused, renamed};

/// Returns what is remembered, as it says itself.
fn recalled(scene: &Scene) -> UserSnapshot {
    let conversation = Some(scene.conversation);
    scene.store.recall(&scene.user, conversation).unwrap()
}

/// A turn that is decided on memory.
async fn remembering(scene: &Scene, act: impl FnOnce(&mut candor::store::Unit)) -> CommitRecord {
    let snapshot = recalled(scene);
    let mut unit = scene.unit(&snapshot);
    act(&mut unit);
    let record = CommitRecord {
        recalled: snapshot.recalled,
        frame: Some("{\"focus\":[]}".to_owned()),
        ..scene.record(&snapshot)
    };
    committed(scene.store.commit(unit, record.clone()).await);
    record
}

/// Checks that memory and database say the same.
async fn agrees(scene: &Scene) {
    let remembered = UserSnapshot {
        recalled: None,
        ..recalled(scene)
    };
    // Read by somebody who remembers nothing.
    let read = scene.load().await;
    assert_eq!(format!("{remembered:?}"), format!("{read:?}"));
}

pub async fn memory_says_what_the_database_says(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    assert!(scene.store.recall(&scene.user, None).is_none());
    let milk = scene.add("Milk").await;
    scene.load().await;
    agrees(&scene).await;
    remembering(&scene, |unit| {
        unit.add(new_task("Eggs"));
        let _ = unit.change(Action::UpdateTask, milk, &renamed("Oat milk"));
    })
    .await;
    agrees(&scene).await;
    remembering(&scene, |unit| {
        let _ = unit.change(Action::CompleteTask, milk, &done());
    })
    .await;
    remembering(&scene, |unit| {
        let _ = unit.delete(milk);
    })
    .await;
    agrees(&scene).await;
    // What was deleted comes back in its old place.
    scene.undo().await;
    agrees(&scene).await;
    for _ in 0..12 {
        remembering(&scene, |_| {}).await;
    }
    assert_eq!(recalled(&scene).conversation.unwrap().messages.len(), 20);
    agrees(&scene).await;
    let question = PendingQuestion {
        id: QuestionId::new(scene.ids.next()),
        body: "{}".to_owned(),
        expires_at: now(),
    };
    for write in [QuestionWrite::Ask(question), QuestionWrite::Close] {
        let snapshot = recalled(&scene);
        let record = CommitRecord {
            recalled: snapshot.recalled,
            question: write,
            ..scene.record(&snapshot)
        };
        committed(scene.store.commit(scene.unit(&snapshot), record).await);
        agrees(&scene).await;
    }
    scene.verify().await;
}

pub async fn what_was_decided_on_an_old_memory_is_not_written(ground: &impl Ground) {
    let here = Scene::new(ground).await;
    here.add("Milk").await;
    here.load().await;
    let there = Scene {
        store: open(ground).await,
        ..here.elsewhere()
    };
    // Neither the task nor the conversation is the same: only what was believed of the list.
    there.add("Eggs").await;
    let old = recalled(&here);
    assert_eq!(old.tasks.len(), 1);
    let mut unit = here.unit(&old);
    unit.add(new_task("Bread"));
    let record = CommitRecord {
        recalled: old.recalled,
        ..here.record(&old)
    };
    let before = there.picture().await;
    assert_eq!(
        refused(here.store.commit(unit, record).await),
        RollbackCause::OutOfDate
    );
    assert_eq!(there.picture().await, before);
    // It is not believed again.
    assert!(here.store.recall(&here.user, None).is_none());
    here.load().await;
    agrees(&here).await;
    remembering(&here, |unit| {
        unit.add(new_task("Bread"));
    })
    .await;
    assert_eq!(here.titles().await.len(), 3);
    here.verify().await;
}

pub async fn two_turns_of_one_memory_are_both_written(ground: &impl Ground) {
    let here = Scene::new(ground).await;
    here.add("Milk").await;
    here.load().await;
    let other = here.elsewhere();
    other.add("Eggs").await;
    other.load().await;
    here.load().await;
    // Both begin on what is so; the first one's change is this process' own.
    let (first, second) = (recalled(&here), recalled(&other));
    for (scene, snapshot, title) in [(&here, first, "Bread"), (&other, second, "Salt")] {
        let mut unit = scene.unit(&snapshot);
        unit.add(new_task(title));
        let record = CommitRecord {
            recalled: snapshot.recalled,
            ..scene.record(&snapshot)
        };
        committed(scene.store.commit(unit, record).await);
    }
    assert_eq!(recalled(&here).tasks.len(), 4);
    agrees(&here).await;
    here.verify().await;
}

/// Fate of somebody's unit while it waits with others.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fate {
    Written,
    /// Another process wrote for the user since.
    Overtaken,
    /// The database refuses a row of it.
    Refused,
}

pub async fn units_that_are_written_together_fall_alone(ground: &impl Ground) {
    let here = Scene::new(ground).await;
    let there = open(ground).await;
    for round in [Fate::Overtaken, Fate::Refused] {
        let mut waiting = Vec::new();
        for number in 0..24 {
            let fate = if number % 3 == 1 {
                round
            } else {
                Fate::Written
            };
            let user = format!("{round:?}{number}");
            let scene = Scene::of(here.store.clone(), &user);
            scene.add("Milk").await;
            scene.load().await;
            let snapshot = recalled(&scene);
            let mut unit = scene.unit(&snapshot);
            unit.add(NewTask {
                description: (fate == Fate::Refused).then(|| "x".repeat(10_001)),
                ..new_task("Bread")
            });
            let record = CommitRecord {
                recalled: snapshot.recalled,
                ..scene.record(&snapshot)
            };
            if fate == Fate::Overtaken {
                Scene::of(there.clone(), &user).add("Eggs").await;
            }
            waiting.push((fate, scene, unit, record));
        }
        let mut writers = JoinSet::new();
        for (fate, scene, unit, record) in waiting {
            writers.spawn(async move {
                let end = scene.store.commit(unit, record).await;
                (fate, scene, end)
            });
        }
        while let Some(written) = writers.join_next().await {
            let (fate, scene, end) = written.unwrap();
            let tasks = match (fate, end) {
                (Fate::Written, CommitResult::Committed(_)) => 2,
                (Fate::Overtaken, CommitResult::RolledBack(RollbackCause::OutOfDate)) => 2,
                (Fate::Refused, CommitResult::RolledBack(RollbackCause::Storage(_))) => 1,
                other => panic!("{other:?}"),
            };
            scene.load().await;
            agrees(&scene).await;
            assert_eq!(scene.titles().await.len(), tasks, "{fate:?}");
            scene.verify().await;
        }
    }
}
