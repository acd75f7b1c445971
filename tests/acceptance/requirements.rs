//! FR-001 … FR-015, each once and by its own words; the stories show most of them at length.

use serde_json::{Value, json};

use super::lies::{CHANGED, DELETED};
use crate::openai::Step;
use crate::said::{NOT_TRIGGERED, UUID};
use crate::world::World;

both! {
    fr_002_every_crud_operation_is_an_explicit_call
    fr_004_metadata_has_its_members
    fr_005_a_failed_tool_is_reported_in_its_own_words
    fr_012_every_call_is_tracked_with_arguments_and_result
    fr_014_tool_calls_stand_apart_from_the_metadata
}

/// One of each, in an order that makes each possible: words, tool, arguments, title, action.
fn crud() -> Vec<(&'static str, &'static str, Value, &'static str)> {
    vec![
        (
            "add buy milk",
            "add_task",
            json!({"title": "buy milk"}),
            "buy milk",
        ),
        (
            "list my tasks",
            "list_tasks",
            json!({"status_filter": "all"}),
            "",
        ),
        (
            "set buy milk priority to high",
            "update_task",
            json!({"task": "buy milk", "priority": "high"}),
            "buy milk",
        ),
        (
            "mark buy milk as done",
            "complete_task",
            json!({"task": "buy milk"}),
            "buy milk",
        ),
        (
            "delete buy milk",
            "delete_task",
            json!({"task": "buy milk"}),
            "buy milk",
        ),
    ]
}

#[tokio::test]
async fn fr_001_no_call_is_the_technical_error_and_no_synthesis() {
    let mut it = World::new().await;
    it.given_tasks(&["buy milk"]).await;
    it.model
        .otherwise(Step::say("All done, everything worked!"));
    for (words, tool, ..) in crud().split_off(1) {
        it.begin_anew();
        let before = it.model.requests().len();
        it.say(words).await.not_triggered(tool);
        assert_eq!(
            it.model.requests().len(),
            before + 1,
            "no second try: {words}"
        );
    }
    it.rows(&["buy milk"]).await;
    it.holds().await;
}

async fn fr_002_every_crud_operation_is_an_explicit_call(mut it: World) {
    for (words, tool, arguments, _) in crud() {
        it.model.call(tool, arguments);
        it.say(words).await.is("receipt").called(&[(tool, true)]);
    }
    it.rows(&[]).await;
    it.holds().await;
}

#[tokio::test]
async fn fr_003_no_success_without_the_tools_success() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book (completed)"]).await;
    for lie in DELETED.iter().chain(CHANGED) {
        it.begin_anew();
        it.model
            .call("delete_task", json!({"task": "Fly to Mars"}))
            .say(lie);
        it.say("delete Fly to Mars")
            .await
            .is("failure")
            .called(&[("delete_task", false)])
            .shows("Could not delete \"Fly to Mars\": no task with that title.")
            .did_nothing();
    }
    it.rows(&["Read book (completed)"]).await;
    it.holds().await;
}

async fn fr_004_metadata_has_its_members(mut it: World) {
    for (words, tool, arguments, title) in crud() {
        it.model.call(tool, arguments);
        let reply = it.say(words).await;
        let metadata = reply.metadata();
        assert_eq!(metadata["action"], tool);
        assert_eq!(metadata["success"], true);
        assert!(metadata["message"].is_string());
        if title.is_empty() {
            assert_eq!(
                (&metadata["task_id"], &metadata["task_title"]),
                (&Value::Null, &Value::Null)
            );
        } else {
            assert!(UUID.is_match(metadata["task_id"].as_str().unwrap()));
            assert_eq!(metadata["task_title"], title);
        }
    }
    it.holds().await;
}

async fn fr_005_a_failed_tool_is_reported_in_its_own_words(mut it: World) {
    it.given_tasks(&["Read book"]).await;
    let add = json!({"title": "buy milk", "due_date": "2025-12-31"});
    it.model.otherwise(Step::calls(vec![("add_task", add)]));
    let reply = it.say("add buy milk due 2025-12-31").await;
    reply.is("failure").mentions(&["2025-12-31 is in the past"]);
    assert_eq!(reply.body["error"]["message"], reply.text());
    let delete = json!({"task": "Fly to Mars"});
    it.model
        .otherwise(Step::calls(vec![("delete_task", delete)]));
    let reply = it.say("delete Fly to Mars").await;
    reply.is("failure").mentions(&["no task with that title"]);
    assert_eq!(reply.body["error"]["message"], reply.text());
    it.rows(&["Read book"]).await;
    it.holds().await;
}

#[tokio::test]
async fn fr_006_the_prompt_states_date_and_year_twice() {
    let mut it = World::new().await;
    it.model.say("Hello!");
    it.say("hello there").await;
    let prompt = it.prompt();
    assert!(prompt.matches("2026-02-08").count() >= 2, "{prompt}");
    assert!(prompt.matches("FEBRUARY 8, 2026").count() >= 2, "{prompt}");
    it.holds().await;
}

#[tokio::test]
async fn fr_007_the_prompt_forbids_2024_2025_and_what_follows_2026() {
    let mut it = World::new().await;
    it.model.say("Hello!");
    it.say("hello there").await;
    let prompt = it.prompt();
    let rule = prompt.lines().find(|line| line.contains("FORBIDDEN"));
    let rule = rule.expect("the forbidden-dates rule");
    for part in ["2024", "2025", "any year after 2026"] {
        assert!(rule.contains(part), "{part}: {rule}");
    }
    it.holds().await;
}

#[tokio::test]
async fn fr_008_the_task_list_has_its_format() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book"]).await;
    it.model.say("Hello!");
    it.say("hello there").await;
    let line = "1. [Read book] (Status: pending, Priority: medium)";
    assert!(it.prompt().lines().any(|it| it == line), "{}", it.prompt());
    it.holds().await;
}

#[tokio::test]
async fn fr_009_the_model_meets_titles_only() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book", "Call mom"]).await;
    it.model
        .call("list_tasks", json!({"status_filter": "all"}))
        .call("delete_task", json!({"task": "Read book"}))
        .say("Hello!");
    it.say("delete Read book").await.shows("Deleted: Read book");
    it.say("hello there").await;
    for request in it.model.received() {
        assert!(!UUID.is_match(&request.raw), "{}", request.raw);
    }
    it.holds().await;
}

#[tokio::test]
async fn fr_010_titles_become_ids_inside_the_server() {
    let mut it = World::new().await;
    let ids = it.given_tasks(&["Read book", "Call mom"]).await;
    it.model.call("delete_task", json!({"task": "Call mom"}));
    let reply = it.say("delete Call mom").await;
    let calls = it.told(&reply, "tool_call").await;
    assert_eq!(calls[0]["arguments"], json!({"task": "Call mom"}));
    assert_eq!(calls[0]["task_ids"], json!([ids[1]]));
    it.holds().await;
}

/// As `task`, and as the older `task_id`; a UUID that is nobody's is no task.
#[tokio::test]
async fn fr_011_tools_take_a_uuid_or_a_title() {
    let mut it = World::new().await;
    let ids = it
        .given_tasks(&["Read book", "Call mom", "Pay rent", "Buy milk"])
        .await;
    for (words, tool, arguments) in [
        ("delete Read book", "delete_task", json!({"task": ids[0]})),
        (
            "mark Call mom as done",
            "complete_task",
            json!({"task_id": ids[1]}),
        ),
        (
            "set Pay rent priority to high",
            "update_task",
            json!({"task_id": "Pay rent", "priority": "high"}),
        ),
        (
            "delete Buy milk",
            "delete_task",
            json!({"task_id": "Buy milk"}),
        ),
    ] {
        it.begin_anew();
        it.model.call(tool, arguments);
        it.say(words).await.is("receipt").called(&[(tool, true)]);
    }
    it.rows(&["Call mom (completed)", "Pay rent (high)"]).await;

    // Another user's id is as good as none, and right words are no licence for it.
    let foreign = it.server.add("you", json!({"title": "Read book"})).await;
    it.begin_anew();
    it.model.otherwise(Step::calls(vec![(
        "delete_task",
        json!({"task": foreign["id"]}),
    )]));
    it.say("delete Call mom").await.did_nothing();
    assert_eq!(it.server.titles("you").await, ["Read book"]);
    it.rows(&["Call mom (completed)", "Pay rent (high)"]).await;
    it.holds().await;
}

async fn fr_012_every_call_is_tracked_with_arguments_and_result(mut it: World) {
    for (words, tool, arguments, title) in crud() {
        it.model.call(tool, arguments.clone());
        let reply = it.say(words).await;
        let calls = it.told(&reply, "tool_call").await;
        assert_eq!(calls.len(), 1, "{words}");
        assert_eq!(calls[0]["name"], tool);
        assert_eq!(calls[0]["outcome"], "committed");
        assert_eq!(calls[0]["user_id"], "me");
        if !it.engine {
            assert_eq!(calls[0]["arguments"], arguments);
        }
        let ids = calls[0]["task_ids"].as_array().unwrap();
        assert_eq!(ids.is_empty(), title.is_empty(), "{words}: {ids:?}");
        let turn = it.told(&reply, "turn").await;
        assert_eq!(turn[0]["message"], words);
        assert!(turn[0]["answers"].to_string().contains(tool), "{words}");
    }
    it.holds().await;
}

/// Checks that what failed and what was refused is tracked as well, with the reason.
#[tokio::test]
async fn fr_012_failures_and_refusals_are_tracked() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book", "Call mom"]).await;
    it.model
        .calls(vec![
            ("delete_task", json!({"task": "Call mom"})),
            ("delete_task", json!({"task": "Read book"})),
            ("add_task", json!({"title": "Buy a yacht"})),
        ])
        .otherwise(Step::say("Done."));
    let reply = it.say("delete Read book").await;
    reply.did(&[("delete_task", "Read book")]);
    let refused = it.told(&reply, "refusal").await;
    let refused: Vec<_> = refused.iter().filter(|it| it["what"] == "call").collect();
    assert_eq!(refused.len(), 2, "{refused:#?}");
    for refusal in refused {
        assert_eq!(refusal["outcome"], "refused");
        assert!(refusal["reason"]["refusal"].is_string(), "{refusal:#}");
        assert!(refusal["arguments"].is_object(), "{refusal:#}");
    }
    it.rows(&["Call mom"]).await;
    it.holds().await;
}

#[tokio::test]
async fn fr_013_the_error_names_the_tool_that_was_expected() {
    let mut it = World::new().await;
    it.given_tasks(&["buy milk"]).await;
    it.model.otherwise(Step::say("Okay!"));
    for (words, tool, ..) in crud().split_off(1) {
        it.begin_anew();
        let reply = it.say(words).await;
        let error = &reply.body["error"];
        assert_eq!(error["code"], "tool_not_triggered");
        assert_eq!(error["expected_tools"], json!([tool]), "{words}");
        assert_eq!(error["message"], NOT_TRIGGERED);
        let told = it.told(&reply, "reply").await;
        assert_eq!(told[0]["expected_tools"], json!([tool]), "{words}");
    }
    it.holds().await;
}

async fn fr_014_tool_calls_stand_apart_from_the_metadata(mut it: World) {
    for (words, tool, arguments, _) in crud() {
        it.model.call(tool, arguments.clone());
        let reply = it.say(words).await;
        let calls = reply.calls();
        assert_eq!(calls.len(), 1, "{words}");
        assert_eq!(calls[0]["name"], tool);
        assert_eq!(calls[0]["success"], true);
        assert!(calls[0]["id"].is_string());
        assert!(calls[0]["arguments"].is_object());
        if !it.engine {
            assert_eq!(calls[0]["arguments"], arguments);
        }
        assert!(reply.metadata().get("tool_calls").is_none());
    }
    it.holds().await;
}

#[tokio::test]
async fn fr_015_failures_say_why() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book"]).await;
    for (words, tool, arguments, why) in [
        (
            "delete Fly to Mars",
            "delete_task",
            json!({"task": "Fly to Mars"}),
            "no task with that title",
        ),
        (
            "set Read book priority to high",
            "update_task",
            json!({"task": "Read book", "priority": "very high"}),
            "the priority is not one of low, medium, high",
        ),
        (
            "add buy milk",
            "add_task",
            json!({"title": ""}),
            "Title cannot be empty",
        ),
        (
            "add buy milk tomorrow",
            "add_task",
            json!({"title": "buy milk", "due_date": "the day after never"}),
            "the due date is not a day",
        ),
        (
            "delete Read book",
            "delete_task",
            json!({"name": "Read book"}),
            "no task was named",
        ),
    ] {
        it.begin_anew();
        it.model.otherwise(Step::calls(vec![(tool, arguments)]));
        it.say(words)
            .await
            .is("failure")
            .mentions(&["Could not", why])
            .hides(&["additionalProperties", "Technical error"])
            .did_nothing();
    }
    it.rows(&["Read book"]).await;
    it.holds().await;
}
