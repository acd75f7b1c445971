//! A commit whose fate was not told can be asked about, and what is said then stays true.

use candor::store::{CommitRecord, RollbackCause};

use super::scene::{Ground, Scene, committed, new_task, refused};

pub async fn a_commit_is_found_by_its_attempt(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let snapshot = scene.load().await;
    let mut unit = scene.unit(&snapshot);
    unit.add(new_task("Milk"));
    unit.add(new_task("Eggs"));
    let attempt = unit.attempt();
    let minted = committed(scene.store.commit(unit, scene.record(&snapshot)).await);
    scene.add("Bread").await;
    let found = scene
        .store
        .attempt(&scene.user, attempt)
        .await
        .unwrap()
        .unwrap();
    assert_eq!(found.receipts(), minted.receipts());
    // A commit without receipts is a commit.
    let unit = scene.unit(&snapshot);
    let attempt = unit.attempt();
    committed(scene.store.commit(unit, CommitRecord::default()).await);
    let found = scene
        .store
        .attempt(&scene.user, attempt)
        .await
        .unwrap()
        .unwrap();
    assert!(found.receipts().is_empty());
    scene.verify().await;
}

pub async fn an_attempt_that_was_said_not_to_have_landed_never_lands(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let snapshot = scene.load().await;
    let mut late = scene.unit(&snapshot);
    late.add(new_task("Milk"));
    let attempt = late.attempt();
    for _ in 0..2 {
        let found = scene.store.attempt(&scene.user, attempt).await.unwrap();
        assert!(found.is_none());
    }
    let before = scene.picture().await;
    let cause = refused(scene.store.commit(late, scene.record(&snapshot)).await);
    assert!(matches!(cause, RollbackCause::Storage(_)), "{cause:?}");
    assert_eq!(scene.picture().await, before);
    // What is tried anew has an attempt of its own.
    scene.add("Milk").await;
    scene.verify().await;
}

pub async fn settling_is_per_user(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let bob = Scene::of(scene.store.clone(), "bob");
    let snapshot = scene.load().await;
    let mut unit = scene.unit(&snapshot);
    unit.add(new_task("Milk"));
    let attempt = unit.attempt();
    assert!(
        bob.store
            .attempt(&bob.user, attempt)
            .await
            .unwrap()
            .is_none()
    );
    committed(scene.store.commit(unit, scene.record(&snapshot)).await);
    assert!(
        bob.store
            .attempt(&bob.user, attempt)
            .await
            .unwrap()
            .is_none()
    );
    assert!(
        scene
            .store
            .attempt(&scene.user, attempt)
            .await
            .unwrap()
            .is_some()
    );
}
