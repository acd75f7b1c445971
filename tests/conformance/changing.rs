//! Following what becomes of a user's data, by being woken.

use std::time::Duration;

use candor::store::ChangeWatch;

use super::scene::{Ground, Scene, open};

/// How long a wake may take before the test fails; far more than it does take.
const PATIENCE: Duration = Duration::from_secs(30);

/// The number of the last event of the user's log.
async fn seq(scene: &Scene) -> i64 {
    let head = scene.store.audit_head(&scene.user).await.unwrap();
    head.map_or(0, |head| head.seq)
}

async fn woken(watch: &mut ChangeWatch) {
    let woken = tokio::time::timeout(PATIENCE, watch.changed()).await;
    woken.expect("it was not woken");
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
            let now = seq(&ann).await;
            if now > seen {
                seen = now;
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
            seen = seq(&ann).await;
        }
    }
    assert_eq!(ann.tasks().await.len(), 3);
}
