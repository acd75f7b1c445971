//! Tests that what is another user's is as if it did not exist.

use candor::store::{AuditFilter, CommitRecord, KeyedAnswer, RollbackCause, UndoFault, Unit};

use super::scene::{Ground, Scene, committed, new_task, now, refused};

pub async fn another_user_sees_nothing(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    let snapshot = ann.load().await;
    let mut unit = ann.unit(&snapshot);
    unit.add(new_task("Milk"));
    let attempt = unit.attempt();
    let mut record = ann.record(&snapshot);
    record.keyed = Some(KeyedAnswer {
        key: "k".to_owned(),
        fingerprint: "f".to_owned(),
        status: 200,
        body: "{}".to_owned(),
    });
    let turn = committed(ann.store.commit(unit, record).await);
    let facts = turn.receipts()[0].facts();

    let (store, bob) = (&ann.store, candor::domain::UserId::parse("bob").unwrap());
    let seen = store
        .load(&bob, Some(ann.conversation), Some("k"))
        .await
        .unwrap();
    assert!(seen.tasks.is_empty() && seen.conversation.is_none() && seen.keyed.is_none());
    assert_eq!(
        store.task(&bob, facts.task_id.unwrap()).await.unwrap(),
        None
    );
    let all = candor::store::TaskQuery::default();
    assert!(store.tasks(&bob, &all).await.unwrap().tasks.is_empty());
    assert_eq!(store.receipt(&bob, facts.id).await.unwrap(), None);
    assert!(
        store
            .turn_receipts(&bob, facts.turn_id)
            .await
            .unwrap()
            .is_empty()
    );
    assert!(store.history(&bob, None, 10).await.unwrap().is_empty());
    assert!(
        store
            .history(&bob, Some(ann.conversation), 10)
            .await
            .unwrap()
            .is_empty()
    );
    assert!(
        store
            .latest_undoable(&bob, ann.conversation)
            .await
            .unwrap()
            .is_empty()
    );
    assert_eq!(
        store
            .messages(&bob, ann.conversation, None, 10)
            .await
            .unwrap(),
        None
    );
    assert!(store.conversations(&bob).await.unwrap().is_empty());
    assert!(store.attempt(&bob, attempt).await.unwrap().is_none());
    assert_eq!(store.audit_head(&bob).await.unwrap(), None);
    for (turn, conversation) in [
        (None, None),
        (Some(facts.turn_id), None),
        (None, Some(ann.conversation)),
    ] {
        let user = Some(bob.clone());
        let filter = AuditFilter {
            user,
            turn,
            conversation,
            ..AuditFilter::default()
        };
        assert!(store.audit_events(&filter).await.unwrap().is_empty());
    }
}

pub async fn another_users_receipt_can_not_be_undone(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    let id = ann.add("Milk").await;
    ann.turn(|unit| {
        let _ = unit.delete(id);
    })
    .await;
    let bob = Scene::of(ann.store.clone(), "bob");
    let before = ann.picture().await;
    for entry in ann.store.history(&ann.user, None, 10).await.unwrap() {
        let mut unit = bob.unit(&bob.load().await);
        assert_eq!(unit.undo(&entry.receipt), Err(UndoFault::NotAChange));
        assert!(!unit.has_effect());
    }
    assert_eq!(ann.picture().await, before);
}

pub async fn the_same_ids_live_side_by_side(ground: &impl Ground) {
    let ann = Scene::new(ground).await;
    let id = ann.add("Milk").await;
    let stolen = ann.load().await;
    let before = ann.picture().await;
    // Bob claims Ann's rows for his own: her tasks as a base, her conversation and version.
    let bob = Scene {
        conversation: ann.conversation,
        ..Scene::of(ann.store.clone(), "bob")
    };
    let mut unit = Unit::new(
        bob.user.clone(),
        Some(ann.conversation),
        candor::domain::TurnId::new(bob.ids.next()),
        now(),
        bob.ids.clone(),
        stolen.tasks.clone(),
    );
    let _ = unit.delete(id);
    let cause = refused(bob.store.commit(unit, CommitRecord::default()).await);
    assert!(matches!(cause, RollbackCause::Storage(_)), "{cause:?}");
    let claimed = bob.record(&stolen);
    let cause = refused(bob.store.commit(bob.unit(&bob.load().await), claimed).await);
    assert_eq!(cause, RollbackCause::ConversationMoved);
    // A conversation of his own under the same id touches nothing of hers.
    bob.add("Bread").await;
    assert_eq!(bob.titles().await, ["Bread"]);
    assert_eq!(ann.picture().await, before);
    ann.verify().await;
    bob.verify().await;
}
