//! A commit whose fate was not told can be asked about, and what is said then stays true.

use std::sync::{Arc, Mutex};

use candor::store::faults::{CommitEnd, FaultPlan};
use candor::store::{CommitRecord, RollbackCause, TransactError};

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

/// Commits that end one after another as the list says, and soundly after it.
#[derive(Debug)]
struct Script {
    ends: Mutex<Vec<CommitEnd>>,
    /// No end can be looked up.
    blind: bool,
}

impl FaultPlan for Script {
    fn commit(&self) -> CommitEnd {
        let mut ends = self.ends.lock().unwrap();
        match ends.is_empty() {
            true => CommitEnd::Sound,
            false => ends.remove(0),
        }
    }

    fn settle(&self) -> bool {
        self.blind
    }

    fn read(&self) -> bool {
        false
    }
}

/// The end of a transaction that adds a task, with its tries and the tasks that are there then.
async fn transacted(
    scene: &Scene,
    (ends, blind): (&[CommitEnd], bool),
) -> (Result<(), TransactError>, usize, usize) {
    let ends = Mutex::new(ends.to_vec());
    let store = scene.store.with_faults(Arc::new(Script { ends, blind }));
    let before = scene.load().await.tasks.iter().count();
    let mut transaction = store.transact("busy");
    let mut tries = 0;
    let end = loop {
        tries += 1;
        let snapshot = scene.load().await;
        let mut unit = scene.unit(&snapshot);
        unit.add(new_task("Milk"));
        match transaction.commit(unit, scene.record(&snapshot)).await {
            Ok(None) => {}
            Ok(Some(proof)) => {
                assert_eq!(proof.receipts().len(), 1);
                break Ok(());
            }
            Err(error) => break Err(error),
        }
    };
    let after = scene.load().await.tasks.iter().count();
    (end, tries, after - before)
}

pub async fn a_transaction_is_applied_once_however_its_commits_end(ground: &impl Ground) {
    use CommitEnd::{LostUnknown, Overtaken, Refused, WrittenUnknown};
    let scene = Scene::new(ground).await;
    // What was overtaken, or lost and is known not to have landed, is decided anew.
    let rough = [Overtaken, LostUnknown, Overtaken, WrittenUnknown];
    let (end, tries, added) = transacted(&scene, (&rough, false)).await;
    assert!(end.is_ok());
    assert_eq!((tries, added), (4, 1));
    let (end, tries, added) = transacted(&scene, (&[WrittenUnknown], false)).await;
    assert!(end.is_ok());
    assert_eq!((tries, added), (1, 1));
    // A refusal ends it.
    let (end, tries, added) = transacted(&scene, (&[Overtaken, Refused], false)).await;
    let is_refused = |error| matches!(error, TransactError::RolledBack(RollbackCause::Storage(_)));
    assert!(end.is_err_and(is_refused));
    assert_eq!((tries, added), (2, 0));
    // So does what can't be looked up, whether it was written or not: nothing is tried again.
    for (last, landed) in [(WrittenUnknown, 1), (LostUnknown, 0)] {
        let (end, tries, added) = transacted(&scene, (&[last], true)).await;
        assert!(matches!(end, Err(TransactError::Unconfirmed(_))), "{end:?}");
        assert_eq!((tries, added), (1, landed));
    }
    // And it does not go on for ever.
    let (end, _, added) = transacted(&scene, (&[Overtaken; 100], false)).await;
    assert!(matches!(end, Err(TransactError::Busy("busy"))), "{end:?}");
    assert_eq!(added, 0);
    scene.verify().await;
}
