//! Following what becomes of a user's data: from a number on, and by being woken.

use std::time::Duration;

use candor::domain::Action;
use candor::store::{ChangeWatch, CommittedChange};

use super::scene::{Ground, Scene, done, now, open};

/// How long a wake may take before the test fails; far more than it does take.
const PATIENCE: Duration = Duration::from_secs(30);

async fn since(scene: &Scene, seq: i64) -> Vec<CommittedChange> {
    let changes = scene.store.changes_since(&scene.user, seq, 100).await;
    changes.unwrap()
}

async fn woken(watch: &mut ChangeWatch) {
    let woken = tokio::time::timeout(PATIENCE, watch.changed()).await;
    woken.expect("it was not woken");
}

pub async fn changes_come_in_order_from_a_number_on(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    let bob = Scene::of(ann.store.clone(), "bob");
    assert!(since(&ann, 0).await.is_empty());
    let milk = ann.add("milk").await;
    bob.add("bread").await;
    let completed = ann
        .turn(|unit| {
            let _ = unit.change(Action::CompleteTask, milk, &done());
        })
        .await;
    ann.turn(|_| {}).await;

    let all = since(&ann, 0).await;
    let seqs: Vec<i64> = all.iter().map(|change| change.seq).collect();
    assert_eq!(seqs, [4, 8, 11]);
    assert_eq!(all[0].tasks[0].action, Action::AddTask);
    assert_eq!(all[0].tasks[0].task_id, milk);
    assert_eq!(all[0].conversation_id, Some(ann.conversation));
    assert_eq!(all[0].at, now());
    let receipt = completed.receipts()[0].facts();
    assert_eq!(all[1].tasks[0].receipt_id, receipt.id);
    assert_eq!(all[1].turn_id, receipt.turn_id);
    assert!(all[2].tasks.is_empty());
    assert_eq!(since(&ann, 4).await, all[1..]);
    assert!(since(&ann, 11).await.is_empty());
    let page = ann.store.changes_since(&ann.user, 0, 2).await.unwrap();
    assert_eq!(page, all[..2]);

    let erased = ann.store.erase(&ann.user, now(), &ann.ids).await.unwrap();
    assert!(!erased.is_nothing());
    let told = since(&ann, 11).await;
    assert_eq!((told.len(), told[0].seq, told[0].erasure), (1, 12, true));
    assert!(all.iter().all(|change| !change.erasure));
    assert_eq!(since(&bob, 0).await.len(), 1);
}

pub async fn a_watch_wakes_whoever_commits(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    let mut watch = ann.store.watch(&ann.user);
    let mut seen = 0;
    for word in ["milk", "bread"] {
        ann.add(word).await;
        // Woken until there is something: a wake may be for nothing.
        loop {
            woken(&mut watch).await;
            let news = since(&ann, seen).await;
            if let Some(last) = news.last() {
                seen = last.seq;
                break;
            }
        }
    }
    assert_eq!(seen, 8);
}

pub async fn a_commit_elsewhere_wakes_too(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    let there = Scene {
        store: open(ground).await,
        ..ann.elsewhere()
    };
    let mut watch = ann.store.watch(&ann.user);
    let mut seen = 0;
    for number in 1..=3 {
        there.add(&format!("Task {number}")).await;
        while seen < number * 4 {
            woken(&mut watch).await;
            let news = since(&ann, seen).await;
            seen = news.last().map_or(seen, |change| change.seq);
        }
    }
    assert_eq!(ann.tasks().await.len(), 3);
}
