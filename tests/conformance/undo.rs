//! Taking back: whole turns, once, and never over another hand's change.

use candor::domain::{Action, Status};
use candor::store::{AppliedChange, CommitRecord, RollbackCause, UndoFault};

use super::scene::{Ground, Scene, committed, done, new_task, refused, renamed};

pub async fn every_kind_of_change_is_taken_back(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let id = scene.add("Milk").await;
    let original = scene.task(id).await.unwrap();

    scene
        .turn(|unit| {
            let _ = unit.change(Action::CompleteTask, id, &done());
        })
        .await;
    let undo = scene.undo().await;
    let facts = undo.receipts()[0].facts();
    assert_eq!(facts.action, Action::Undo);
    let row = scene.task(id).await.unwrap();
    assert_eq!((row.status, row.version), (Status::Pending, 3));
    let undone = scene
        .store
        .receipt(&scene.user, facts.undoes.unwrap())
        .await;
    assert_eq!(undone.unwrap().unwrap().undone_by, Some(facts.id));

    scene
        .turn(|unit| {
            let _ = unit.delete(id);
        })
        .await;
    assert_eq!(scene.task(id).await, None);
    scene.undo().await;
    let row = scene.task(id).await.unwrap();
    assert_eq!((row.title, row.version), (original.title, 5));
    assert_eq!(row.created_at, original.created_at);

    let other = scene.add("Eggs").await;
    scene.undo().await;
    assert_eq!(scene.task(other).await, None);
    assert_eq!(scene.titles().await, ["Milk"]);
    scene.verify().await;
}

pub async fn undo_goes_further_back_and_never_redoes(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    scene.add("One").await;
    scene.add("Two").await;
    scene.add("Three").await;
    for left in [vec!["Two", "One"], vec!["One"], vec![]] {
        scene.undo().await;
        assert_eq!(scene.titles().await, left);
    }
    let nothing = scene
        .store
        .latest_undoable(&scene.user, scene.conversation)
        .await;
    assert!(nothing.unwrap().is_empty());
}

pub async fn a_turn_is_taken_back_whole(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let milk = scene.add("Milk").await;
    let turn = scene
        .turn(|unit| {
            unit.add(new_task("Eggs"));
            let _ = unit.change(Action::UpdateTask, milk, &renamed("Oat milk"));
            let _ = unit.change(Action::CompleteTask, milk, &done());
        })
        .await;
    let receipts = scene
        .store
        .latest_undoable(&scene.user, scene.conversation)
        .await
        .unwrap();
    let expect: Vec<_> = turn.receipts().iter().rev().collect();
    assert_eq!(receipts.iter().collect::<Vec<_>>(), expect);
    scene.undo().await;
    let tasks = scene.tasks().await;
    assert_eq!(tasks.len(), 1);
    assert_eq!(tasks[0].title.as_str(), "Milk");
    assert_eq!(tasks[0].status, Status::Pending);
    // What is left of the first turn comes next.
    let receipts = scene
        .store
        .latest_undoable(&scene.user, scene.conversation)
        .await
        .unwrap();
    assert_eq!(receipts.len(), 1);
    assert_eq!(receipts[0].facts().task_id, Some(milk));
}

pub async fn a_change_by_another_hand_stands_in_the_way(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let id = scene.add("Milk").await;
    let receipts = scene
        .store
        .latest_undoable(&scene.user, scene.conversation)
        .await
        .unwrap();
    let stale = scene.load().await;
    scene
        .elsewhere()
        .turn(|unit| {
            let _ = unit.change(Action::UpdateTask, id, &renamed("Oat milk"));
        })
        .await;
    // Seen in the snapshot: the unit refuses.
    let mut unit = scene.unit(&scene.load().await);
    assert!(matches!(
        unit.undo(&receipts[0]),
        Err(UndoFault::Changed { .. })
    ));
    // Not seen: the commit does.
    let mut unit = scene.unit(&stale);
    assert!(unit.undo(&receipts[0]).is_ok());
    let cause = refused(scene.store.commit(unit, CommitRecord::default()).await);
    assert_eq!(cause, RollbackCause::TaskMoved(id));
    assert_eq!(scene.titles().await, ["Oat milk"]);
}

pub async fn a_receipt_is_taken_back_once(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let id = scene.add("Milk").await;
    scene
        .turn(|unit| {
            let _ = unit.delete(id);
        })
        .await;
    let receipts = scene
        .store
        .latest_undoable(&scene.user, scene.conversation)
        .await
        .unwrap();
    let snapshot = scene.load().await;
    let mut first = scene.unit(&snapshot);
    let mut second = scene.unit(&snapshot);
    assert!(first.undo(&receipts[0]).is_ok());
    assert!(second.undo(&receipts[0]).is_ok());
    committed(scene.store.commit(first, CommitRecord::default()).await);
    let cause = refused(scene.store.commit(second, CommitRecord::default()).await);
    assert_eq!(cause, RollbackCause::AlreadyUndone);
    // Nor later, when the task is gone again and its version alone would not tell.
    let mut gone = scene.unit(&scene.load().await);
    assert!(matches!(gone.delete(id), AppliedChange::Changed(_)));
    committed(scene.store.commit(gone, CommitRecord::default()).await);
    let mut third = scene.unit(&scene.load().await);
    assert!(third.undo(&receipts[0]).is_ok());
    let cause = refused(scene.store.commit(third, CommitRecord::default()).await);
    assert_eq!(cause, RollbackCause::AlreadyUndone);
}

pub async fn reads_and_other_conversations_are_not_undone(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    scene.add("Milk").await;
    scene
        .turn(|unit| {
            let reading = candor::store::ReadResult::History {
                question: serde_json::Value::Null,
                receipts: Vec::new(),
                lines: Vec::new(),
            };
            unit.read(Action::History, reading);
        })
        .await;
    let elsewhere = scene.elsewhere();
    let nothing = elsewhere
        .store
        .latest_undoable(&elsewhere.user, elsewhere.conversation)
        .await;
    assert!(nothing.unwrap().is_empty());
    elsewhere.add("Eggs").await;
    let here = scene
        .store
        .latest_undoable(&scene.user, scene.conversation)
        .await
        .unwrap();
    assert_eq!(here.len(), 1);
    assert_eq!(here[0].facts().title(), Some("Milk"));
    // The history of one conversation is not the other's.
    let history = |conversation| scene.store.history(&scene.user, conversation, 10);
    assert_eq!(history(Some(scene.conversation)).await.unwrap().len(), 2);
    assert_eq!(
        history(Some(elsewhere.conversation)).await.unwrap().len(),
        1
    );
    assert_eq!(history(None).await.unwrap().len(), 3);
    assert_eq!(
        scene
            .store
            .history(&scene.user, None, 1)
            .await
            .unwrap()
            .len(),
        1
    );
}
