//! The Merkle tree over all users' events: it grows beside the log and proves receipts.

use candor::audit::PlacedEvent;
use candor::audit::{LogCheck, LogFault, TreeHead, check_consistency};
use candor::domain::Action;

use super::scene::{Ground, Scene, done};

/// Two users who talk in turns.
async fn two_users(ground: &impl Ground) -> [Scene; 2] {
    let ann = Scene::new(ground).await;
    let bob = Scene::of(ann.store.clone(), "bob");
    for word in ["milk", "bread"] {
        ann.add(word).await;
        bob.add(word).await;
    }
    [ann, bob]
}

async fn log(scene: &Scene) -> Vec<PlacedEvent> {
    scene.store.audit_log(0, 1_000).await.unwrap()
}

fn check(log: &[PlacedEvent], checkpoint: Option<TreeHead>) -> Result<TreeHead, LogFault> {
    let mut check = LogCheck::new(checkpoint);
    for placed in log {
        check.push(placed.leaf_index, &placed.event)?;
    }
    Ok(check.finish()?.tree)
}

pub async fn every_event_enters_the_tree_once(ground: &impl Ground) {
    let [ann, bob] = two_users(ground).await;
    assert!(log(&ann).await.is_empty(), "nobody asked for the tree yet");
    let first = ann.store.audit_tree().await.unwrap();
    let events = log(&ann).await;
    assert_eq!(first.size, events.len() as u64);
    // Four turns of three told events and a receipt.
    assert_eq!(first.size, 16);
    assert_eq!(check(&events, None), Ok(first));
    assert_eq!(ann.store.audit_tree().await.unwrap(), first);

    bob.add("eggs").await;
    let second = bob.store.audit_tree().await.unwrap();
    assert_eq!(second.size, 20);
    let later = log(&ann).await;
    assert_eq!(later[..16], events[..]);
    assert_eq!(check(&later, Some(first)), Ok(second));
    assert_eq!(ann.store.tree_of(16).await.unwrap(), first);
    assert_eq!(ann.store.audit_log(18, 1).await.unwrap(), later[18..19]);
}

pub async fn every_receipt_is_proven_to_its_owner(ground: &impl Ground) {
    let [ann, bob] = two_users(ground).await;
    for scene in [&ann, &bob] {
        let history = scene.store.history(&scene.user, None, 100).await.unwrap();
        assert_eq!(history.len(), 2);
        for entry in &history {
            let id = entry.receipt.facts().id;
            let proven = scene.store.audit_proof(&scene.user, id).await.unwrap();
            let proven = proven.unwrap();
            assert!(proven.event.payload.contains(&id.to_string()));
            assert_eq!(proven.inclusion.check(&proven.event, &proven.head), Ok(()));
            let bytes: usize = proven.inclusion.hashes.len() * 32;
            assert!(bytes < 1_000);
            // A foreign receipt is as if it did not exist.
            let other = if scene.user == ann.user { &bob } else { &ann };
            let foreign = scene.store.audit_proof(&other.user, id).await.unwrap();
            assert_eq!(foreign, None);
        }
    }
}

pub async fn a_turns_stretch_of_the_log_is_proven_whole(ground: &impl Ground) {
    let [ann, bob] = two_users(ground).await;
    let history = ann.store.history(&ann.user, None, 100).await.unwrap();
    let turns = [&history[1], &history[0]].map(|entry| entry.receipt.facts().turn_id);
    // Turns of three told events and a receipt; the last one ends the log.
    for (turn, shown, ended) in [(turns[0], (1, 5), false), (turns[1], (4, 8), true)] {
        let found = ann.store.audit_stretch(&ann.user, turn).await.unwrap();
        let (stretch, head) = found.unwrap();
        let told = stretch.check(&head).unwrap();
        assert_eq!((told.first_seq, told.last_seq), shown);
        assert_eq!((told.log_ended, told.receipts.len()), (ended, 1));
        assert!(told.receipts.iter().all(|receipt| !receipt.removed));
        let text = format!("{:?}", stretch.events);
        assert!(!text.contains("milk") && !text.contains("bread"));
        // A foreign turn is as if it did not exist.
        let foreign = bob.store.audit_stretch(&bob.user, turn).await.unwrap();
        assert_eq!(foreign, None);
    }
}

pub async fn a_tree_is_proven_to_begin_with_an_earlier_one(ground: &impl Ground) {
    let [ann, _] = two_users(ground).await;
    let old = ann.store.audit_tree().await.unwrap();
    let milk = ann.add("tea").await;
    ann.turn(|unit| {
        let _ = unit.change(Action::CompleteTask, milk, &done());
    })
    .await;
    let new = ann.store.audit_tree().await.unwrap();
    assert!(new.size > old.size);
    let proof = ann.store.audit_consistency(old.size, new.size).await;
    let proof = proof.unwrap();
    assert_eq!(check_consistency(&old, &new, &proof), Ok(()));
    let mut forged = old;
    forged.root[0] ^= 1;
    assert!(check_consistency(&forged, &new, &proof).is_err());
    assert!(
        ann.store
            .audit_consistency(new.size + 1, new.size)
            .await
            .is_err()
    );
    assert!(ann.store.tree_of(new.size + 1).await.is_err());
}

pub async fn a_tree_that_grows_while_users_write_misses_nothing(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    let mut writers = Vec::new();
    for name in ["u1", "u2", "u3", "u4"] {
        let scene = Scene::of(ann.store.clone(), name);
        writers.push(tokio::spawn(async move {
            for word in ["a", "b", "c", "d", "e"] {
                scene.add(word).await;
            }
        }));
    }
    while !writers.iter().all(tokio::task::JoinHandle::is_finished) {
        ann.store.audit_tree().await.unwrap();
    }
    for writer in writers {
        writer.await.unwrap();
    }
    let head = ann.store.audit_tree().await.unwrap();
    assert_eq!(head.size, 4 * 5 * 4);
    assert_eq!(check(&log(&ann).await, Some(head)), Ok(head));
}

pub async fn a_rewritten_log_does_not_have_the_root(ground: &impl Ground) {
    let [ann, _] = two_users(ground).await;
    let head = ann.store.audit_tree().await.unwrap();
    ann.store.close().await;
    // The tree's own rows are as they were: it is the events that are hashed again.
    ground
        .tamper("UPDATE audit_events SET hash = prev_hash WHERE user_id = 'bob' AND seq = 5")
        .await;
    let again = Scene::of(super::scene::open(ground).await, "ann");
    assert!(check(&log(&again).await, Some(head)).is_err());
    // Whole chains, another order.
    ground
        .tamper("DELETE FROM audit_leaves WHERE leaf_index >= 8")
        .await;
    let cut = check(&log(&again).await, Some(head)).unwrap_err();
    assert_eq!(
        cut,
        LogFault::Truncated {
            covered: 16,
            found: 8
        }
    );
}
