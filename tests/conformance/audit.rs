//! The log: complete, ordered, and broken by whatever is done to it by hand.

use candor::audit::{AuditRow, BrokenChain, ChainFault, EventKind};
use candor::store::{AuditFilter, RollbackCause};

use super::scene::{Ground, Scene, event, new_task, refused};

pub async fn an_honest_log_verifies(ground: &impl Ground) {
    let scene = filled(ground).await;
    scene.verify().await;
    let head = scene.store.audit_head(&scene.user).await.unwrap().unwrap();
    let found = scene
        .store
        .audit_verify(&scene.user, Some(&head))
        .await
        .unwrap();
    assert_eq!(found, Ok(head.clone()));
    assert_eq!(head.seq, 12);
    let users = scene.store.audit_users().await.unwrap();
    assert_eq!(users, std::slice::from_ref(&scene.user));
    scene.add("More").await;
    let found = scene
        .store
        .audit_verify(&scene.user, Some(&head))
        .await
        .unwrap();
    assert_eq!(found.unwrap().seq, 16);
}

pub async fn events_stand_in_the_order_they_happened(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let turn = scene
        .turn(|unit| {
            unit.add(new_task("Milk"));
            unit.add(new_task("Eggs"));
        })
        .await;
    let rows = log(&scene, AuditFilter::default()).await;
    let kinds: Vec<_> = rows.iter().map(|row| row.kind).collect();
    use EventKind::{Receipt, Reply, ToolCall, Turn};
    assert_eq!(kinds, [Turn, ToolCall, Receipt, Receipt, Reply]);
    let numbers: Vec<_> = rows.iter().map(|row| row.seq).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 5]);
    let first = turn.receipts()[0].facts();
    assert!(rows.iter().all(|row| row.turn_id == Some(first.turn_id)));
    // A receipt's event tells all its facts, in canonical form, but what stands in its own columns;
    // what somebody said is salted.
    let mut told = serde_json::to_value(first).unwrap();
    let facts = told.as_object_mut().unwrap();
    facts.retain(|_, value| !value.is_null());
    assert!(facts.remove("user_id").is_some() && facts.remove("turn_id").is_some());
    let image = facts["after"].as_object_mut().unwrap();
    assert!(image.remove("user_id").is_some());
    assert_eq!(unsalted(&rows[2].payload), candor::audit::canonical(&told));
    assert_eq!(unsalted(&rows[0].payload), r#"{"n":1.5,"text":"buy milk"}"#);
    assert_ne!(rows[2].payload, candor::audit::canonical(&told));
}

pub async fn filters_narrow_the_log(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let turn = scene
        .turn(|unit| {
            unit.add(new_task("Milk"));
        })
        .await
        .receipts()[0]
        .facts()
        .turn_id;
    scene.elsewhere().add("Eggs").await;
    let bob = Scene::of(scene.store.clone(), "bob");
    bob.add("Bread").await;
    let count = async |filter: AuditFilter| scene.store.audit_events(&filter).await.unwrap().len();
    let user = Some(scene.user.clone());
    let of_user = AuditFilter {
        user: user.clone(),
        ..AuditFilter::default()
    };
    let everyone = AuditFilter::default();
    for (filter, all, own) in [
        (everyone.clone(), 12, 8),
        (
            AuditFilter {
                turn: Some(turn),
                ..everyone.clone()
            },
            4,
            4,
        ),
        (
            AuditFilter {
                conversation: Some(scene.conversation),
                ..everyone.clone()
            },
            4,
            4,
        ),
        (
            AuditFilter {
                conversation: Some(bob.conversation),
                ..everyone.clone()
            },
            4,
            0,
        ),
        (
            AuditFilter {
                kind: Some(EventKind::Receipt),
                ..everyone.clone()
            },
            3,
            2,
        ),
        (
            AuditFilter {
                after: Some(3),
                ..everyone.clone()
            },
            6,
            5,
        ),
        (
            AuditFilter {
                after: Some(3),
                limit: Some(2),
                ..everyone.clone()
            },
            2,
            2,
        ),
        (
            AuditFilter {
                turn: Some(turn),
                conversation: Some(scene.conversation),
                kind: Some(EventKind::Reply),
                ..everyone.clone()
            },
            1,
            1,
        ),
    ] {
        let narrowed = AuditFilter {
            user: user.clone(),
            ..filter.clone()
        };
        assert_eq!(count(filter.clone()).await, all, "{filter:?}");
        assert_eq!(count(narrowed.clone()).await, own, "{narrowed:?}");
    }
    let rows = scene.store.audit_events(&of_user).await.unwrap();
    assert!(rows.is_sorted_by_key(|row| row.seq));
    let rows = scene.store.audit_events(&everyone).await.unwrap();
    assert!(rows.is_sorted_by_key(|row| (row.user_id.clone(), row.seq)));
}

pub async fn a_change_of_any_column_is_found(ground: &impl Ground) {
    let scene = filled(ground).await;
    for (statement, seq, fault) in [
        (
            "UPDATE audit_events SET payload = replace(payload, 'add_task', 'all_task') WHERE user_id = 'ann' AND seq = 2",
            2,
            ChainFault::Hash,
        ),
        (
            "UPDATE audit_events SET payload = payload || ' ' WHERE user_id = 'ann' AND seq = 5",
            5,
            ChainFault::Form("payload"),
        ),
        (
            "UPDATE audit_events SET kind = 'refusal' WHERE user_id = 'ann' AND seq = 4",
            4,
            ChainFault::Hash,
        ),
        (
            "UPDATE audit_events SET kind = 'replx' WHERE user_id = 'ann' AND seq = 4",
            4,
            ChainFault::Form("kind"),
        ),
        (
            "UPDATE audit_events SET turn_id = NULL WHERE user_id = 'ann' AND seq = 4",
            4,
            ChainFault::Hash,
        ),
        (
            "UPDATE audit_events SET turn_id = (SELECT e.turn_id FROM audit_events AS e WHERE e.user_id = 'ann' AND e.seq = 5) WHERE user_id = 'ann' AND seq = 4",
            4,
            ChainFault::Hash,
        ),
        (
            "UPDATE audit_events SET turn_id = replace(turn_id, '-7', '-g') WHERE user_id = 'ann' AND seq = 4",
            4,
            ChainFault::Form("turn_id"),
        ),
        (
            "UPDATE audit_events SET turn_id = replace(turn_id, '-', '') WHERE user_id = 'ann' AND seq = 4",
            4,
            ChainFault::Form("turn_id"),
        ),
        (
            "UPDATE audit_events SET created_at = replace(created_at, '10:00:00', '10:00:01') WHERE user_id = 'ann' AND seq = 6",
            6,
            ChainFault::Hash,
        ),
        (
            "UPDATE audit_events SET created_at = replace(created_at, '.123456Z', '.123457Z') WHERE user_id = 'ann' AND seq = 6",
            6,
            ChainFault::Hash,
        ),
        (
            "UPDATE audit_events SET created_at = replace(created_at, 'T', ' ') WHERE user_id = 'ann' AND seq = 6",
            6,
            ChainFault::Form("created_at"),
        ),
        (
            "UPDATE audit_events SET created_at = replace(created_at, 'Z', '+00:00') WHERE user_id = 'ann' AND seq = 6",
            6,
            ChainFault::Form("created_at"),
        ),
        (
            "UPDATE audit_events SET prev_hash = hash WHERE user_id = 'ann' AND seq = 7",
            7,
            ChainFault::PrevHash,
        ),
        (
            "UPDATE audit_events SET hash = prev_hash WHERE user_id = 'ann' AND seq = 7",
            7,
            ChainFault::Hash,
        ),
        (
            "UPDATE audit_events SET hash = upper(hash) WHERE user_id = 'ann' AND seq = 8",
            8,
            ChainFault::Hash,
        ),
        (
            "UPDATE audit_events SET hash = prev_hash WHERE user_id = 'ann' AND seq = 12",
            12,
            ChainFault::Hash,
        ),
        (
            "UPDATE audit_events SET user_id = 'ant' WHERE user_id = 'ann' AND seq = 9",
            9,
            ChainFault::Gap,
        ),
        (
            "UPDATE audit_events SET seq = 900 WHERE user_id = 'ann' AND seq = 10",
            10,
            ChainFault::Gap,
        ),
    ] {
        scene.verify().await;
        check(ground, &scene, statement, seq, fault).await;
    }
}

pub async fn missing_swapped_and_forged_events_are_found(ground: &impl Ground) {
    let scene = filled(ground).await;
    for (statement, seq, fault) in [
        (
            "DELETE FROM audit_events WHERE user_id = 'ann' AND seq = 1",
            1,
            ChainFault::Gap,
        ),
        (
            "DELETE FROM audit_events WHERE user_id = 'ann' AND seq = 6",
            6,
            ChainFault::Gap,
        ),
        (
            "DELETE FROM audit_events WHERE user_id = 'ann' AND seq = 12",
            12,
            ChainFault::Gap,
        ),
        (
            "DELETE FROM audit_events WHERE user_id = 'ann' AND seq > 4",
            5,
            ChainFault::Gap,
        ),
        (
            "DELETE FROM audit_events WHERE user_id = 'ann'",
            1,
            ChainFault::Gap,
        ),
        (
            "UPDATE audit_events SET seq = 900 WHERE user_id = 'ann' AND seq = 3;
             UPDATE audit_events SET seq = 3 WHERE user_id = 'ann' AND seq = 4;
             UPDATE audit_events SET seq = 4 WHERE user_id = 'ann' AND seq = 900",
            3,
            ChainFault::PrevHash,
        ),
        (
            "INSERT INTO audit_events SELECT user_id, 0, turn_id, kind, payload, prev_hash, hash, \
             created_at FROM audit_events WHERE user_id = 'ann' AND seq = 1",
            0,
            ChainFault::Order,
        ),
        (
            "DELETE FROM commits WHERE user_id = 'ann' AND last_seq = 12",
            9,
            ChainFault::Extra,
        ),
    ] {
        scene.verify().await;
        check(ground, &scene, statement, seq, fault).await;
    }
    // A log copied under another name is nobody's.
    ground
        .tamper(
            "INSERT INTO audit_events SELECT 'bob', seq, turn_id, kind, payload, prev_hash, hash, \
             created_at FROM audit_events WHERE user_id = 'ann'",
        )
        .await;
    let bob = candor::domain::UserId::parse("bob").unwrap();
    let found = scene.store.audit_verify(&bob, None).await.unwrap();
    assert_eq!(
        found,
        Err(BrokenChain {
            seq: 1,
            fault: ChainFault::Hash
        })
    );
    assert_eq!(scene.store.audit_users().await.unwrap(), [scene.user, bob]);
}

pub async fn a_cut_log_goes_on_with_a_gap(ground: &impl Ground) {
    let scene = filled(ground).await;
    ground
        .tamper("DELETE FROM audit_events WHERE user_id = 'ann' AND seq > 10")
        .await;
    scene.add("Later").await;
    let rows = log(&scene, AuditFilter::default()).await;
    let numbers: Vec<_> = rows.iter().map(|row| row.seq).skip(9).collect();
    assert_eq!(numbers, [10, 13, 14, 15, 16]);
    let found = scene.store.audit_verify(&scene.user, None).await.unwrap();
    assert_eq!(
        found,
        Err(BrokenChain {
            seq: 11,
            fault: ChainFault::Gap
        })
    );
}

pub async fn a_checkpoint_finds_what_was_cut_with_its_commits(ground: &impl Ground) {
    let scene = filled(ground).await;
    let checkpoint = scene.store.audit_head(&scene.user).await.unwrap().unwrap();
    ground
        .tamper(
            "DELETE FROM audit_events WHERE user_id = 'ann' AND seq > 8;
             DELETE FROM receipts WHERE user_id = 'ann' AND seq > 8;
             DELETE FROM commits WHERE user_id = 'ann' AND last_seq > 8",
        )
        .await;
    let alone = scene.store.audit_verify(&scene.user, None).await.unwrap();
    assert_eq!(alone.map(|head| head.seq), Ok(8));
    let found = scene
        .store
        .audit_verify(&scene.user, Some(&checkpoint))
        .await
        .unwrap();
    assert_eq!(
        found,
        Err(BrokenChain {
            seq: 9,
            fault: ChainFault::Gap
        })
    );
    // Filled up again, it is longer but not the same.
    scene.add("Other").await;
    let found = scene
        .store
        .audit_verify(&scene.user, Some(&checkpoint))
        .await
        .unwrap();
    assert_eq!(
        found,
        Err(BrokenChain {
            seq: 12,
            fault: ChainFault::Head
        })
    );
}

pub async fn rows_refuse_to_be_changed(ground: &impl Ground) {
    let scene = filled(ground).await;
    for statement in [
        "UPDATE audit_events SET payload = '{}'",
        "DELETE FROM audit_events",
        "UPDATE receipts SET after = NULL",
        "DELETE FROM receipts",
    ] {
        let refused = ground.honest(statement).await.unwrap_err();
        assert!(refused.contains("append-only"), "{statement}: {refused}");
    }
    scene.verify().await;
}

pub async fn a_receipt_event_can_not_be_handed_in(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let snapshot = scene.load().await;
    let mut record = scene.record(&snapshot);
    record
        .events
        .push(event(EventKind::Receipt, "Deleted: everything"));
    let cause = refused(scene.store.commit(scene.unit(&snapshot), record).await);
    assert!(matches!(cause, RollbackCause::Storage(_)), "{cause:?}");
    assert!(log(&scene, AuditFilter::default()).await.is_empty());
}

/// Three turns of four events.
async fn filled(ground: &impl Ground) -> Scene {
    let scene = Scene::new(ground).await;
    for title in ["Milk", "Eggs", "Bread"] {
        scene.add(title).await;
    }
    scene
}

/// A payload without its salt, which must be there.
fn unsalted(payload: &str) -> String {
    let mut told: serde_json::Value = serde_json::from_str(payload).unwrap();
    let salt = told.as_object_mut().unwrap().remove("salt").unwrap();
    // 96 bits.
    assert_eq!(salt.as_str().unwrap().len(), 24);
    candor::audit::canonical(&told)
}

async fn log(scene: &Scene, filter: AuditFilter) -> Vec<AuditRow> {
    let user = Some(scene.user.clone());
    let filter = AuditFilter { user, ..filter };
    scene.store.audit_events(&filter).await.unwrap()
}

/// Tampers, expects the finding, and puts everything back.
async fn check(
    ground: &impl Ground,
    scene: &Scene,
    statement: &'static str,
    seq: i64,
    fault: ChainFault,
) {
    ground
        .tamper(
            "CREATE TABLE kept_events AS SELECT * FROM audit_events;
             CREATE TABLE kept_commits AS SELECT * FROM commits",
        )
        .await;
    ground.tamper(statement).await;
    let found = scene.store.audit_verify(&scene.user, None).await.unwrap();
    assert_eq!(found, Err(BrokenChain { seq, fault }), "{statement}");
    ground
        .tamper(
            "DELETE FROM audit_events;
             INSERT INTO audit_events SELECT * FROM kept_events;
             DROP TABLE kept_events;
             DELETE FROM commits;
             INSERT INTO commits SELECT * FROM kept_commits;
             DROP TABLE kept_commits",
        )
        .await;
}
