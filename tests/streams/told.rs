//! Tests of what a stream tells, in which order, and what it never tells.

use serde_json::json;

use crate::scene::{STREAM, Scene, again, message, part, said, text, types};
use crate::support::openai::{Gate, Step};

#[tokio::test]
async fn a_turn_is_told_step_by_step() {
    let scene = Scene::new().await;
    scene.model.call(
        "add_task",
        json!({"title": "milk", "due_date": "2026-02-09", "priority": "high", "description": "invented"}),
    );
    let mut stream = scene.say("m1", "add milk tomorrow").await;
    let parts = stream.parts().await;
    let header = |name: &str| stream.headers[name].to_str().unwrap();
    assert_eq!(header("content-type"), "text/event-stream");
    assert_eq!(header("cache-control"), "no-cache");
    assert_eq!(header("x-vercel-ai-ui-message-stream"), "v1");
    assert_eq!(header("x-accel-buffering"), "no");
    let expect = [
        "start",
        "start-step",
        "tool-input-available",
        "tool-output-available",
        "data-receipt",
        "text-start",
        "text-delta",
        "text-end",
        "finish-step",
        "message-metadata",
        "finish",
    ];
    assert_eq!(types(&parts), expect);
    let input = part(&parts, "tool-input-available");
    assert_eq!(input["toolName"], "add_task");
    assert_eq!(input["providerExecuted"], true);
    // What is carried out, not what was proposed: the rest was made up and is left out.
    assert_eq!(
        input["input"],
        json!({"title": "milk", "due_date": "2026-02-09"})
    );
    let output = part(&parts, "tool-output-available");
    assert_eq!(output["toolCallId"], input["toolCallId"]);
    assert_eq!(output["output"]["action"], "add_task");
    assert_eq!(
        json!([output["output"]["receipt_id"]]),
        json!(scene.receipts().await)
    );
    assert_eq!(part(&parts, "data-receipt")["data"], output["output"]);
    assert_eq!(text(&parts), "Added: milk (due Mon 2026-02-09)");
    let metadata = &part(&parts, "message-metadata")["messageMetadata"];
    assert_eq!(metadata["kind"], "receipt");
    assert_eq!(metadata["action_metadata"], output["output"]);
    let receipts = scene.server.events("me", "receipt").await;
    assert_eq!(receipts[0]["turn_id"], metadata["turn_id"]);
    assert_eq!(part(&parts, "finish")["finishReason"], "stop");
    // The conversation is one like any other.
    let place = metadata["conversation_id"].as_str().unwrap();
    let lines = scene
        .server
        .get(&format!("/api/me/chat/messages?conversation_id={place}"))
        .await;
    assert_eq!(lines.body["messages"].as_array().unwrap().len(), 2);
    scene.model.call("list_tasks", json!({}));
    let body = json!({"id": place, "messages": [message("m2", "what are my tasks?")]});
    let parts = scene.send(&body).await.parts().await;
    let there = &part(&parts, "message-metadata")["messageMetadata"]["conversation_id"];
    assert_eq!(there, place);
}

#[tokio::test]
async fn no_output_is_told_before_it_is_committed() {
    let scene = Scene::new().await;
    let gate = Gate::closed();
    scene
        .model
        .calls(vec![
            ("add_task", json!({"title": "milk"})),
            ("delete_task", json!({"task": "Read booklet"})),
        ])
        .then(Step::Held(
            gate.clone(),
            Box::new(Step::calls(vec![(
                "delete_task",
                json!({"task": "Read book"}),
            )])),
        ));
    scene.server.add("me", json!({"title": "Read book"})).await;
    let mut stream = scene.say("m1", "add milk and delete Read book").await;
    let mut outputs = 0;
    let mut opened = false;
    while let Some(part) = stream.part().await {
        if part["type"] != "tool-output-available" {
            continue;
        }
        outputs += 1;
        let receipt = &part["output"]["receipt_id"];
        assert!(scene.receipts().await.contains(receipt), "{part}");
        let titles = scene.server.titles("me").await;
        match part["output"]["action"].as_str().unwrap() {
            "add_task" => assert!(titles.contains(&"milk".to_owned())),
            _ => assert_eq!(titles, ["milk"]),
        }
        if !std::mem::replace(&mut opened, true) {
            gate.open();
        }
    }
    assert_eq!(outputs, 2, "{}", stream.text);
    // A plain command commits its effect with its reply: the same holds there.
    for number in 0..20 {
        scene
            .model
            .call("add_task", json!({"title": format!("Task {number}")}));
        let mut stream = scene
            .say(&format!("n{number}"), &format!("add \"Task {number}\""))
            .await;
        let parts = stream.until("tool-output-available").await;
        let receipt = &parts.last().unwrap()["output"]["receipt_id"];
        assert!(scene.receipts().await.contains(receipt));
    }
}

#[tokio::test]
async fn nothing_of_a_models_own_words_is_told() {
    let scene = Scene::new().await;
    let lie = "Zebra: I have deleted everything";
    scene.server.add("me", json!({"title": "Read book"})).await;
    let calls = |calls: Vec<(&str, serde_json::Value)>| Step::Answer {
        text: Some(lie.to_owned()),
        calls: calls
            .into_iter()
            .map(|(name, given)| (name.to_owned(), given))
            .collect(),
    };
    let attacks = vec![
        ("delete Read book", Step::say(lie)),
        ("hello", Step::say(lie)),
        (
            "add milk",
            calls(vec![(
                "add_task",
                json!({"title": "milk", "description": lie}),
            )]),
        ),
        ("add eggs", calls(vec![("add_task", json!({"title": lie}))])),
        ("add rice", calls(vec![(lie, json!({"x": lie}))])),
        (
            "add salt",
            calls(vec![(
                "add_task",
                json!({lie: lie, "title": "salt", "due_date": lie}),
            )]),
        ),
        (
            "delete Read book",
            calls(vec![("delete_task", json!({"task": lie}))]),
        ),
        (
            "add tea",
            calls(vec![(
                "delete_task",
                json!({"task": "Read book", "why": lie}),
            )]),
        ),
        (
            "what are my tasks?",
            calls(vec![("list_tasks", json!({"query": lie}))]),
        ),
    ];
    for (number, (message, step)) in attacks.into_iter().enumerate() {
        scene.model.then(step).otherwise(Step::say(lie));
        let id = format!("m{number}");
        let body = json!({"id": id, "messages": [crate::scene::message(&id, message)]});
        let mut stream = scene.send(&body).await;
        let told = stream.rest().await;
        // The reply itself may name what was asked of it, as everywhere; the rest never does.
        let outside = told.lines().filter(|line| !line.contains("\"text-delta\""));
        for line in outside {
            let quoted = line.contains("\"message-metadata\"");
            assert!(quoted || !line.contains("Zebra"), "{message}: {line}");
        }
        assert!(!told.contains("I have deleted everything\n"), "{told}");
        let last: Vec<&str> = told.lines().filter(|line| !line.is_empty()).collect();
        assert_eq!(last.last(), Some(&"data: [DONE]"));
        let kept = scene.server.titles("me").await;
        assert!(kept.contains(&"Read book".to_owned()), "{message}");
    }
}

#[tokio::test]
async fn what_did_not_run_is_told_as_such() {
    let scene = Scene::new().await;
    scene.server.add("me", json!({"title": "Read book"})).await;
    scene
        .model
        .calls(vec![
            ("add_task", json!({"title": "milk"})),
            ("delete_task", json!({"task": "Read book"})),
            ("no_such_tool", json!({})),
            ("complete_task", json!({"task": "Fly to Mars"})),
        ])
        .otherwise(Step::say("Done."));
    let mut stream = scene.say("m1", "add milk").await;
    let parts = stream.parts().await;
    let of = |kind: &str| parts.iter().filter(|part| part["type"] == kind).count();
    assert_eq!(of("tool-output-available"), 1, "{parts:#?}");
    assert_eq!(of("tool-output-denied"), 2, "{parts:#?}");
    assert_eq!(of("tool-input-error"), 1, "{parts:#?}");
    assert!(text(&parts).starts_with("Added: milk"), "{}", text(&parts));
    assert_eq!(scene.server.titles("me").await, ["milk", "Read book"]);
}

#[tokio::test]
async fn a_message_runs_once_and_is_shown_again() {
    let scene = Scene::new().await;
    scene.model.call("add_task", json!({"title": "milk"}));
    let first = scene.say("m1", "add milk").await.parts().await;
    for body in [said("m1", "add milk"), again("m1", "add milk")] {
        let mut stream = scene.send(&body).await;
        let parts = stream.parts().await;
        assert_eq!(stream.headers["idempotency-replayed"], "true");
        assert_eq!(parts, first);
    }
    assert_eq!(scene.model.requests().len(), 1);
    assert_eq!(scene.server.titles("me").await, ["milk"]);
    // The same in another chat is another message.
    scene.model.call("add_task", json!({"title": "milk"}));
    let body = json!({"id": "d", "messages": [message("m1", "add milk")]});
    let other = scene.send(&body).await.parts().await;
    assert_ne!(
        part(&other, "message-metadata"),
        part(&first, "message-metadata")
    );
    // Other words under the same id are refused; what got no answer is not made up.
    let mut reused = scene.say("m1", "add eggs").await;
    assert_eq!(reused.problem().await, (422, "key_reused".to_owned()));
    let mut unknown = scene.send(&again("m9", "add milk")).await;
    assert_eq!(unknown.problem().await, (404, "unknown_answer".to_owned()));
    let asked = scene.model.requests().len();
    let said = scene
        .send(&again("m1", "delete everything"))
        .await
        .parts()
        .await;
    assert_eq!(said, first);
    assert_eq!(scene.model.requests().len(), asked);
}

#[tokio::test]
async fn what_failed_before_it_did_anything_may_be_tried_again() {
    let scene = Scene::new().await;
    let parts = scene.say("m1", "add milk").await.parts().await;
    let error = parts.last().unwrap();
    assert_eq!(error["type"], "error", "{parts:#?}");
    assert!(
        error["errorText"]
            .as_str()
            .unwrap()
            .contains("nothing was changed"),
        "{error}"
    );
    scene.model.call("add_task", json!({"title": "milk"}));
    let parts = scene.send(&again("m1", "add milk")).await.parts().await;
    assert_eq!(text(&parts), "Added: milk");
    assert_eq!(scene.server.titles("me").await, ["milk"]);
}

#[tokio::test]
async fn what_can_be_refused_at_once_is_a_problem() {
    let scene = Scene::with(&[("CANDOR_RATE_LIMIT", "6/h")]).await;
    let check = async |body: serde_json::Value, status: u16, code: &str| {
        let mut stream = scene.send(&body).await;
        assert_eq!(stream.problem().await, (status, code.to_owned()), "{body}");
        assert!(stream.headers.contains_key("ratelimit"), "{body}");
    };
    check(json!({"id": "c", "messages": []}), 422, "invalid_body").await;
    check(
        json!({"messages": [message("m", "x")]}),
        422,
        "invalid_body",
    )
    .await;
    check(said("m1", " "), 422, "invalid_message").await;
    check(said("m1", &"x".repeat(5001)), 422, "invalid_message").await;
    let zone = json!({"id": "c", "messages": [message("m", "x")], "timezone": "Mars/Olympus"});
    check(zone, 422, "invalid_timezone").await;
    scene.model.say("Hello!");
    let mut good = scene.say("m2", "hello").await;
    assert_eq!(good.status, 200);
    assert!(good.headers["ratelimit"].to_str().unwrap().contains("r=0"));
    good.parts().await;
    check(said("m3", "hello"), 429, "quota_exceeded").await;
    let plain = scene
        .server
        .send("POST", STREAM, &[], Some("{}".to_owned()))
        .await;
    assert_eq!(plain.problem(), "quota_exceeded");
}
