//! User story 4: a task is added when its row is there.

use serde_json::{Value, json};

use super::lies::ADDED;
use crate::said::UUID;
use crate::world::World;

both! {
    us4_1_add_calls_the_tool_with_what_was_said
    us4_2_the_reply_confirms_with_metadata
}

async fn us4_1_add_calls_the_tool_with_what_was_said(mut it: World) {
    let turns: [(&str, Value, &str); 5] = [
        ("add buy milk", json!({"title": "buy milk"}), "buy milk"),
        (
            "add a task to buy eggs",
            json!({"title": "buy eggs"}),
            "buy eggs",
        ),
        (
            "create a reminder to call mom",
            json!({"title": "call mom"}),
            "call mom",
        ),
        (
            "add pay rent tomorrow with high priority",
            json!({"title": "pay rent", "due_date": "2026-02-09", "priority": "high"}),
            "pay rent (high, due 2026-02-09)",
        ),
        (
            "add water the plants due 2026-02-10",
            json!({"title": "water the plants", "due_date": "2026-02-10"}),
            "water the plants (due 2026-02-10)",
        ),
    ];
    let mut rows = Vec::new();
    for (words, arguments, row) in turns {
        it.begin_anew();
        it.model.call("add_task", arguments.clone());
        let reply = it.say(words).await;
        reply.is("receipt").called(&[("add_task", true)]);
        if !it.engine {
            reply.with(&[arguments]);
        }
        rows.push(row);
        it.rows(&rows).await;
    }
    it.holds().await;
}

async fn us4_2_the_reply_confirms_with_metadata(mut it: World) {
    it.model.call("add_task", json!({"title": "buy milk"}));
    let reply = it.say("add buy milk").await;
    reply
        .shows("Added: buy milk")
        .did(&[("add_task", "buy milk")]);
    let id = reply.metadata()["task_id"].as_str().unwrap();
    assert!(UUID.is_match(id));
    let row = it.server.get(&format!("/api/me/tasks/{id}")).await;
    assert_eq!(row.status, 200);
    assert_eq!(reply.metadata()["task"], row.body, "the row after");

    it.model.call(
        "add_task",
        json!({"title": "pay rent", "due_date": "tomorrow", "priority": "high"}),
    );
    it.say("add pay rent tomorrow, high priority")
        .await
        .shows("Added: pay rent (due Mon 2026-02-09, priority high)");
    it.rows(&["buy milk", "pay rent (high, due 2026-02-09)"])
        .await;
    it.holds().await;
}

/// The model insists on a title that can't be one.
#[tokio::test]
async fn us4_3_an_addition_that_fails_says_why() {
    let mut it = World::new().await;
    let long = "milk ".repeat(60);
    for (title, expect) in [
        ("", "Could not add the task: Title cannot be empty."),
        ("  ", "Could not add the task: Title cannot be empty."),
        ("buy\u{0}milk", "one line without control characters"),
        (long.as_str(), "too long"),
    ] {
        it.begin_anew();
        for _ in 0..3 {
            it.model.call("add_task", json!({"title": title}));
        }
        it.say("add buy milk")
            .await
            .is("failure")
            .failed("validation", &[])
            .mentions(&["Could not add", expect])
            .hides(&["Added"])
            .called(&[("add_task", false); 3])
            .did_nothing();
    }
    it.rows(&[]).await;
    it.holds().await;
}

#[tokio::test]
async fn us4_no_addition_is_claimed_unless_the_tool_ran() {
    let mut it = World::new().await;
    for lie in ADDED {
        it.begin_anew();
        it.model.say(lie);
        it.say("add buy milk").await.not_triggered("add_task");
    }
    it.rows(&[]).await;
    it.holds().await;
}
