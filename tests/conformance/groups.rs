//! Many writers at once: committed together, judged apart.

use std::collections::HashSet;

use candor::store::{CommitResult, NewTask, RollbackCause};
use tokio::task::JoinSet;

use super::scene::{Ground, Scene, new_task};

pub async fn one_refused_row_takes_no_other_unit_with_it(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let mut writers = JoinSet::new();
    for number in 0..48 {
        let scene = scene.elsewhere();
        writers.spawn(async move {
            let snapshot = scene.load().await;
            let mut unit = scene.unit(&snapshot);
            let bad = number % 8 == 3;
            unit.add(NewTask {
                description: bad.then(|| "x".repeat(10_001)),
                ..new_task(&format!("Task {number}"))
            });
            let end = scene.store.commit(unit, scene.record(&snapshot)).await;
            (bad, end)
        });
    }
    let mut good = 0;
    while let Some(written) = writers.join_next().await {
        match written.unwrap() {
            (false, CommitResult::Committed(committed)) => {
                assert_eq!(committed.receipts().len(), 1);
                good += 1;
            }
            (true, CommitResult::RolledBack(RollbackCause::Storage(_))) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(good, 42);
    assert_eq!(scene.tasks().await.len(), 42);
    assert_eq!(
        scene.store.conversations(&scene.user).await.unwrap().len(),
        42
    );
    let head = scene.store.audit_head(&scene.user).await.unwrap().unwrap();
    assert_eq!(head.seq, 42 * 4);
    scene.verify().await;
}

pub async fn sixty_four_writers_leave_one_unbroken_log(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let mut writers = JoinSet::new();
    for writer in 0..64 {
        // Half of them share a user, half have one each.
        let name = if writer % 2 == 0 {
            "ann".to_owned()
        } else {
            format!("user{writer}")
        };
        let own = Scene::of(scene.store.clone(), &name);
        writers.spawn(async move {
            for number in 0..5 {
                own.add(&format!("Task {writer}.{number}")).await;
            }
            own
        });
    }
    while let Some(own) = writers.join_next().await {
        let own = own.unwrap();
        own.verify().await;
        let lines = own
            .store
            .messages(&own.user, own.conversation, None, 100)
            .await;
        assert_eq!(lines.unwrap().unwrap().len(), 10);
    }
    assert_eq!(scene.tasks().await.len(), 160);
    let titles: HashSet<_> = scene.titles().await.into_iter().collect();
    assert_eq!(titles.len(), 160);
    assert_eq!(scene.store.audit_users().await.unwrap().len(), 33);
    let head = scene.store.audit_head(&scene.user).await.unwrap().unwrap();
    assert_eq!(head.seq, 160 * 4);
}

pub async fn writers_of_one_conversation_take_turns(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let snapshot = scene.load().await;
    let mut writers = JoinSet::new();
    for number in 0..16 {
        let scene = scene.clone();
        let snapshot = snapshot.clone();
        writers.spawn(async move {
            let mut unit = scene.unit(&snapshot);
            unit.add(new_task(&format!("Task {number}")));
            scene.store.commit(unit, scene.record(&snapshot)).await
        });
    }
    let mut ends = Vec::new();
    while let Some(end) = writers.join_next().await {
        ends.push(end.unwrap());
    }
    let won = ends
        .iter()
        .filter(|end| matches!(end, CommitResult::Committed(_)))
        .count();
    let lost = |end: &&CommitResult| {
        matches!(
            end,
            CommitResult::RolledBack(RollbackCause::ConversationMoved)
        )
    };
    assert_eq!((won, ends.iter().filter(lost).count()), (1, 15));
    assert_eq!(scene.tasks().await.len(), 1);
    scene.verify().await;
}
