//! Rows that could never have been written are named, not believed.

use candor::store::{StoreError, TaskQuery};

use super::scene::{Ground, Scene};

pub async fn an_impossible_task_is_named(ground: &impl Ground) {
    for (statement, hint) in [
        ("UPDATE tasks SET due_date = '2026-02-30'", "2026-02-30"),
        (
            "UPDATE tasks SET due_date = '2026-02-09', due_time = '25:00', due_zone = 'UTC'",
            "25:00",
        ),
        (
            "UPDATE tasks SET due_date = '2026-02-09', due_time = '17:00', due_zone = 'Mars'",
            "Mars",
        ),
        (
            "UPDATE tasks SET due_time = '17:00', due_zone = 'UTC'",
            "17:00",
        ),
        ("UPDATE tasks SET status = 'completed'", "completed"),
        ("UPDATE tasks SET completed_at = created_at", "pending"),
        ("UPDATE tasks SET priority = 'urgent'", "urgent"),
        ("UPDATE tasks SET title = '  '", "empty"),
        ("UPDATE tasks SET title = ' Milk'", "white space"),
        ("UPDATE tasks SET created_at = 'yesterday'", "yesterday"),
        ("UPDATE tasks SET version = 0", "version"),
    ] {
        let scene = Scene::new(ground).await;
        let id = scene.add("Milk").await;
        ground.tamper(statement).await;
        let error = scene.store.load(&scene.user, None, None).await.unwrap_err();
        check(&error, "tasks", &id.to_string(), hint);
        let all = TaskQuery::default();
        let error = scene.store.tasks(&scene.user, &all).await.unwrap_err();
        check(&error, "tasks", &id.to_string(), hint);
        ground.tamper("DELETE FROM tasks").await;
    }
}

pub async fn an_impossible_receipt_is_named(ground: &impl Ground) {
    for (statement, hint) in [
        ("UPDATE receipts SET action = 'delete_task'", "delete_task"),
        ("UPDATE receipts SET action = 'list_tasks'", "list_tasks"),
        ("UPDATE receipts SET action = 'steal'", "steal"),
        // A file of SQLite has the images in the event alone, PostgreSQL beside the receipt.
        (
            "UPDATE receipts SET after = NULL;
             UPDATE audit_events SET payload = replace(payload, '\"after\"', '\"later\"')",
            "images",
        ),
        (
            "UPDATE receipts SET after = NULL; UPDATE audit_events SET payload = '{'",
            "images",
        ),
        (
            "UPDATE receipts SET after = '{}';
             UPDATE audit_events SET payload =
                 replace(payload, '\"after\":{', '\"after\":{},\"later\":{')",
            "after",
        ),
        (
            "UPDATE receipts SET after = replace(after, '\"ann\"', '\"bob\"');
             UPDATE audit_events SET payload =
                 replace(payload, '\"after\":{', '\"after\":{\"user_id\":\"bob\",')",
            "another task",
        ),
        ("UPDATE receipts SET task_id = id", "another task"),
        ("UPDATE receipts SET undoes = id", "undoes"),
        ("UPDATE receipts SET turn_id = 'x'", "not an id"),
    ] {
        let scene = Scene::new(ground).await;
        scene.add("Milk").await;
        ground.tamper(statement).await;
        let error = scene
            .store
            .history(&scene.user, None, 10)
            .await
            .unwrap_err();
        check(&error, "receipts", "", hint);
        ground
            .tamper("DELETE FROM receipts; DELETE FROM audit_events; DELETE FROM commits")
            .await;
    }
}

#[track_caller]
fn check(error: &StoreError, expect: &str, row: &str, hint: &str) {
    match error {
        StoreError::Corrupt { table, id, reason } => {
            assert_eq!(*table, expect);
            assert!(id.contains(row), "{id}");
            assert!(reason.contains(hint), "{reason:?} does not tell {hint:?}");
        }
        other => panic!("{other:?}"),
    }
}
