//! Calls about agents in every name and shape, sound and broken.

use serde_json::{Value, json};

use crate::chat::{HAND, delegate, runs, said, task, told};
use crate::scene::{Scene, last, results};
use crate::support::openai::Step;

#[tokio::test]
async fn a_06_old_names_and_shapes_work_and_are_counted() {
    let scene = Scene::new().await;
    let legacy = json!({
        "title": "Research hotels", "prompt": "Compare.", "expected_response": "A list", "model": "smart",
    });
    scene
        .then(
            "parent-model",
            Step::calls(vec![("delegate", legacy), ("nonsense", json!({}))]),
        )
        .then("parent-model", Step::say("Done."))
        .reports("smart-model", "Adler.");
    let reply = scene
        .server
        .chat("me", "delegate Research hotels to lace")
        .await;
    assert!(
        said(&reply).contains("Agent finished: Research hotels"),
        "{reply:#}"
    );
    assert_eq!(
        reply["action_metadata"]["delegation"]["model"],
        "smart-model"
    );
    assert!(
        told(&scene)[0]["data"]["deprecation"].is_string(),
        "{:#?}",
        told(&scene)
    );
    let old = json!({"title": "Call mom"});
    scene.then("parent-model", Step::calls(vec![("task_add", old)]));
    let reply = scene.server.chat("me", "add call mom").await;
    assert_eq!(said(&reply), "Added: Call mom", "{reply:#}");
    assert_eq!(reply["tool_calls"][0]["name"], "add_task");
    scene.then(
        "parent-model",
        Step::calls(vec![("task_list", json!({"status": "all"}))]),
    );
    let reply = scene.server.chat("me", "show my tasks").await;
    assert!(said(&reply).starts_with("You have 2 tasks:"), "{reply:#}");
    let camel = json!({"tasks": [task("Compare flights")], "assignTo": "new:researcher;fast"});
    scene
        .then("parent-model", Step::calls(vec![("delegate", camel)]))
        .reports("fast-model", "By train.");
    let reply = scene
        .server
        .chat("me", "delegate Compare flights to the researcher")
        .await;
    assert!(
        said(&reply).contains("Agent finished: Compare flights"),
        "{reply:#}"
    );
    let counts = scene.server.get("/api/me/metrics/tools").await;
    let text = counts.text;
    assert!(
        text.contains("task_add") && text.contains("task_list") && text.contains("four fields"),
        "{text}"
    );
    scene.holds().await;
}

#[tokio::test]
async fn a_21_a_dispatched_run_and_a_preview_in_their_own_shape() {
    for name in ["delegate_run", "delegate.run"] {
        let scene = Scene::new().await;
        let arguments = json!({"user_prompt": "Research hotels", "provider": "custom:worker"});
        scene
            .then(
                "parent-model",
                Step::calls(vec![(name, arguments), ("nonsense", json!({}))]),
            )
            .then("parent-model", Step::say("Done."));
        let reply = scene
            .server
            .chat("me", "delegate Research hotels to an agent")
            .await;
        assert!(
            said(&reply).contains("Delegated: Research hotels"),
            "{reply:#}"
        );
        let told = told(&scene).remove(0);
        assert_eq!(
            (&told["ok"], &told["dispatched"]),
            (&json!(true), &json!(true)),
            "{told:#}"
        );
        assert_eq!(
            (&told["provider"], &told["tool_call_id"]),
            (&json!("worker"), &json!("call_1"))
        );
        assert!(
            told["session_id"].as_str().unwrap().starts_with("agent-"),
            "{told:#}"
        );
        assert!(
            told["notes"]
                .as_str()
                .unwrap()
                .starts_with("delegate.run dispatched"),
            "{told:#}"
        );
        let run = reply["action_metadata"]["delegation"]["run"]
            .as_str()
            .unwrap()
            .to_owned();
        scene.ended(&run).await;
        scene.holds().await;
    }
    let scene = Scene::new().await;
    let arguments = json!({
        "tasks": [task("Research hotels")], "assign_to": "new:researcher;fast", "dry_run": true,
    });
    scene.then("parent-model", Step::calls(vec![("delegate", arguments)]));
    let reply = scene.server.chat("me", HAND).await;
    assert_eq!(
        said(&reply),
        "Preview, nothing was started: Research hotels → researcher on openai-dev (fast-model)"
    );
    assert_eq!(reply["action_metadata"], Value::Null);
    assert_eq!(runs(&scene).await, [""; 0]);
    assert!(scene.server.tasks("me").await.is_empty());
    assert!(scene.asked("fast-model").is_empty());
    assert_eq!(scene.server.events("me", "tool_call").await.len(), 1);
    scene.holds().await;
}

#[tokio::test]
async fn a_24_the_model_is_offered_canonical_names_and_rendered_descriptions() {
    let scene = Scene::new().await;
    scene.then("parent-model", Step::say("Hi!"));
    scene
        .server
        .chat("me", "hello there, how was your day?")
        .await;
    let asked = scene.asked("parent-model");
    let request = asked.first().expect("the model is asked");
    let tools = request["tools"].as_array().unwrap();
    let names: Vec<_> = tools
        .iter()
        .map(|tool| tool["function"]["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        names,
        [
            "add_task",
            "list_tasks",
            "update_task",
            "complete_task",
            "delete_task",
            "undo",
            "ask_user",
            "delegate",
            "task_output",
            "cancel_delegation",
            "list_delegations",
        ]
    );
    let description = tools[7]["function"]["description"].as_str().unwrap();
    for part in [
        "- researcher: ",
        "(Tools: list_files, read_file)",
        "<example>",
        "When NOT to use",
        "USE WHEN",
        "WORKFLOW",
        "- code-reviewer: ",
    ] {
        assert!(description.contains(part), "{part}");
    }
    assert!(!last(request).contains("agent-"));
    scene.holds().await;
}

#[tokio::test]
async fn a_25_broken_calls_are_answered_and_the_turn_goes_on() {
    let scene = Scene::new().await;
    let raw = |name: &str, arguments: &str| {
        Step::Json(json!({
            "id": "x", "object": "chat.completion", "created": 1, "model": "parent-model",
            "choices": [{"index": 0, "finish_reason": "tool_calls", "message": {
                "role": "assistant", "content": null,
                "tool_calls": [{"id": "call_1", "type": "function",
                    "function": {"name": name, "arguments": arguments}}],
            }}],
        }))
    };
    scene
        .then("parent-model", raw("delegate", "{\"tasks\": ["))
        .then("parent-model", raw("delegat", "{}"))
        .then("parent-model", delegate("Research hotels"))
        .reports("fast-model", "Adler.");
    let reply = scene.server.chat("me", HAND).await;
    assert!(
        said(&reply).contains("Agent finished: Research hotels"),
        "{reply:#}"
    );
    let asked = scene.asked("parent-model");
    let first = &results(&asked[1])[0];
    assert!(
        first["error"]
            .as_str()
            .unwrap()
            .contains("arguments are not valid JSON"),
        "{first}"
    );
    let second = &results(&asked[2])[0];
    assert_eq!(second["errorType"], "not_found");
    assert_eq!(second["details"]["suggestions"][0], "delegate", "{second}");
    let wrapped = json!({"name": "delegate", "arguments": {
        "tasks": [task("Compare flights")], "assign_to": "new:researcher;fast",
    }});
    for _ in 0..3 {
        scene.then("parent-model", raw("delegate", &wrapped.to_string()));
    }
    // The third failure of a turn is the user's to know.
    let reply = scene
        .server
        .chat("me", "delegate Compare flights to the researcher")
        .await;
    assert_eq!(
        (&reply["kind"], &reply["error"]["code"]),
        (&json!("failure"), &json!("validation"))
    );
    assert!(said(&reply).starts_with("Could not delegate"), "{reply:#}");
    assert_eq!(scene.server.titles("me").await, ["Research hotels"]);
    scene.holds().await;
}
