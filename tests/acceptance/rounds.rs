//! Several rounds with the model in one turn: reading first, mending a call, giving up, dying.

use std::time::Duration;

use serde_json::{Value, json};

use crate::openai::Step;
use crate::said::UUID;
use crate::world::World;

fn results_hold_no_id(it: &World) {
    for result in it.results() {
        assert!(!UUID.is_match(&result.to_string()), "{result:#}");
    }
}

#[tokio::test]
async fn a_model_may_read_first_and_delete_in_the_second_round() {
    let mut it = World::new().await;
    let ids = it.given_tasks(&["Read book", "Call mom"]).await;
    it.model
        .call("list_tasks", json!({"status_filter": "all"}))
        .call("delete_task", json!({"task": "Read book"}));
    let reply = it.say("delete Read book").await;
    reply
        .shows("Deleted: Read book")
        .is("receipt")
        .called(&[("list_tasks", true), ("delete_task", true)])
        .did(&[("list_tasks", ""), ("delete_task", "Read book")]);
    assert_eq!(reply.metadata()["task_id"], ids[0].as_str());
    assert_eq!(reply.model_calls(), 2);

    let results = it.results();
    assert_eq!(results.len(), 1);
    assert_eq!(results[0]["ok"], true, "{results:#?}");
    assert_eq!(results[0]["success"], true);
    let data = results[0]["data"].to_string();
    for title in ["Read book", "Call mom"] {
        assert!(data.contains(title), "{data}");
    }
    results_hold_no_id(&it);
    it.rows(&["Call mom"]).await;
    it.holds().await;
}

#[tokio::test]
async fn a_first_call_that_is_invalid_is_mended_in_the_second_round() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book"]).await;
    for (first, expect_type, parameter) in [
        (
            (
                "update_task",
                json!({"task": "Read book", "priority": "urgent"}),
            ),
            "validation",
            json!("priority"),
        ),
        (
            (
                "set_priority",
                json!({"task": "Read book", "level": "high"}),
            ),
            "not_found",
            Value::Null,
        ),
    ] {
        it.begin_anew();
        let reset = it.server.tasks("me").await[0]["id"].clone();
        let path = format!("/api/me/tasks/{}", reset.as_str().unwrap());
        it.server.patch(&path, json!({"priority": "medium"})).await;
        it.model.calls(vec![(first.0, first.1.clone())]).call(
            "update_task",
            json!({"task": "Read book", "priority": "high"}),
        );
        it.say("set Read book priority to high")
            .await
            .shows("Updated: Read book (priority: high)")
            .is("receipt")
            .called(&[(first.0, false), ("update_task", true)])
            .did(&[("update_task", "Read book")]);
        let error = &it.results()[0];
        assert_eq!(error["ok"], false, "{error:#}");
        assert_eq!(error["success"], false, "{error:#}");
        assert!(error["error"].is_string(), "{error:#}");
        assert_eq!(error["errorType"], expect_type, "{error:#}");
        assert!(error["details"].is_object(), "{error:#}");
        if !parameter.is_null() {
            assert_eq!(error["details"]["parameter"], parameter, "{error:#}");
            assert_eq!(error["details"]["value"], "urgent", "{error:#}");
            assert!(error["details"]["constraint"].is_string(), "{error:#}");
        }
        results_hold_no_id(&it);
    }
    it.rows(&["Read book (high)"]).await;
    it.holds().await;
}

/// The user said which task; a model that first names one that there is none of may mend it.
#[tokio::test]
async fn a_first_call_with_a_wrong_title_is_mended_in_the_second_round() {
    let mut it = World::new().await;
    for wrong in ["Read booklet", "Fly to Mars"] {
        it.given_tasks(&["Read book"]).await;
        it.begin_anew();
        it.model
            .call("delete_task", json!({"task": wrong}))
            .call("delete_task", json!({"task": "Read book"}))
            .otherwise(Step::say("Sorry."));
        it.say("delete Read book")
            .await
            .shows("Deleted: Read book")
            .did(&[("delete_task", "Read book")]);
        it.rows(&[]).await;
    }
    it.holds().await;
}

/// A title that the user never said is not what could not be deleted.
#[tokio::test]
async fn a_wrong_title_that_is_never_mended_is_not_the_users() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book"]).await;
    it.model
        .call("delete_task", json!({"task": "Fly to Mars"}))
        .otherwise(Step::say("Sorry."));
    it.say("delete Read book")
        .await
        .hides(&["Fly to Mars"])
        .did_nothing();
    it.rows(&["Read book"]).await;
    it.holds().await;
}

#[tokio::test]
async fn after_three_failures_the_user_gets_the_last_error() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book"]).await;
    it.model
        .call(
            "add_task",
            json!({"title": "buy milk", "priority": "urgent"}),
        )
        .call(
            "add_task",
            json!({"title": "buy milk", "due_date": "2024-01-01"}),
        )
        .call("add_task", json!({"title": ""}))
        .call("add_task", json!({"title": "buy milk"}));
    it.say("add buy milk")
        .await
        .shows("Could not add the task: Title cannot be empty.")
        .is("failure")
        .called(&[("add_task", false); 3])
        .did_nothing();
    assert_eq!(
        it.model.requests().len(),
        3,
        "and is not asked a fourth time"
    );
    it.rows(&["Read book"]).await;
    it.holds().await;
}

/// The tools' results of all rounds go back, each under the id of its call.
#[tokio::test]
async fn results_answer_their_calls_in_order() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book"]).await;
    it.model
        .calls(vec![
            ("add_task", json!({"title": "buy milk"})),
            ("delete_task", json!({"title": "Read book"})),
        ])
        .call("delete_task", json!({"task": "Read book"}));
    it.say("add buy milk and delete Read book")
        .await
        .shows("Added: buy milk\nDeleted: Read book")
        .did(&[("add_task", "buy milk"), ("delete_task", "Read book")]);
    let request = it.model.requests().remove(1);
    let messages = request["messages"].as_array().unwrap();
    let [.., assistant, first, second] = messages.as_slice() else {
        panic!("{request:#}");
    };
    let calls = assistant["tool_calls"].as_array().unwrap();
    assert_eq!(calls.len(), 2, "{assistant:#}");
    for (call, result) in calls.iter().zip([first, second]) {
        assert_eq!(result["role"], "tool");
        assert_eq!(result["tool_call_id"], call["id"]);
    }
    let [done, failed] = &it.results()[..] else {
        panic!("{request:#}");
    };
    assert_eq!((&done["ok"], &failed["ok"]), (&json!(true), &json!(false)));
    results_hold_no_id(&it);
    it.rows(&["buy milk"]).await;
    it.holds().await;
}

/// No ghost failure: what a round did is told, although the model's server died afterwards.
#[tokio::test]
async fn an_effect_is_told_although_the_model_dies_in_the_second_round() {
    let mut it = World::with(&[("CANDOR_MODEL_TIMEOUT_MS", "400")]).await;
    for (name, fault) in [
        ("closed", Step::CloseAtOnce),
        ("silent", Step::Silence),
        ("500", Step::Status(500, Vec::new())),
        (
            "slow",
            Step::After(Duration::from_secs(3), Box::new(Step::say("Done."))),
        ),
    ] {
        it.begin_anew();
        it.given_tasks(&["Read book"]).await;
        it.model
            .calls(vec![
                ("add_task", json!({"title": "buy milk"})),
                ("delete_task", json!({"task": "Read booklet"})),
            ])
            .otherwise(fault);
        let reply = it.say("add buy milk and delete Read book").await;
        reply
            .mentions(&["Added: buy milk"])
            .hides(&["Deleted"])
            .did(&[("add_task", "buy milk")]);
        let lines: Vec<_> = reply.text().lines().collect();
        assert!(lines.len() > 1, "{name}: the other part is said: {lines:?}");
        it.rows(&["Read book", "buy milk"]).await;
        for task in it.server.tasks("me").await {
            let path = format!("/api/me/tasks/{}", task["id"].as_str().unwrap());
            it.server.delete(&path).await;
        }
    }
    it.holds().await;
}

/// A model that reads for ever is stopped, and nothing is made up in its place.
#[tokio::test]
async fn endless_reading_ends() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book"]).await;
    let read = json!({"status_filter": "all"});
    it.model.otherwise(Step::calls(vec![("list_tasks", read)]));
    it.say("delete Read book")
        .await
        .is("failure")
        .failed("tool_not_triggered", &["delete_task"])
        .mentions(&["Technical error: Tool not triggered."]);
    assert!(it.model.requests().len() <= 8);
    it.rows(&["Read book"]).await;
    it.holds().await;
}
