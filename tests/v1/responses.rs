//! The same chat as responses: shapes, events, and which conversation a message belongs to.

use std::time::Duration;

use serde_json::{Value, json};

use super::support::openai::{ScriptedModel, Step};
use super::{Reply, Server, fault, scripted, state};

const PATH: &str = "/v1/responses";

async fn send(server: &Server, body: Value) -> Reply {
    let mut body = body;
    if body["model"].is_null() {
        body["model"] = json!("candor");
    }
    let headers = [("content-type", "application/json")];
    let body = Some(body.to_string());
    server.send("POST", PATH, &headers, body).await
}

/// The response to a request, which must be 200.
async fn say(server: &Server, body: Value) -> Reply {
    let reply = send(server, body.clone()).await;
    assert_eq!(reply.status, 200, "{body}: {}", reply.text);
    reply
}

fn text(reply: &Reply) -> &str {
    let message = &reply.body["output"][0];
    assert_eq!(message["type"], "message", "{}", reply.text);
    message["content"][0]["text"].as_str().expect("a text")
}

fn replayed(reply: &Reply) -> bool {
    reply.headers.contains_key("idempotency-replayed")
}

/// Events of a stream: each names its type twice, and is numbered.
fn events(reply: &Reply) -> Vec<Value> {
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert_eq!(reply.headers["content-type"], "text/event-stream");
    let blocks = reply.text.split_terminator("\n\n");
    let blocks = blocks.filter(|block| !block.starts_with(':'));
    let event = |(number, block): (usize, &str)| {
        let (kind, data) = block.split_once('\n').expect("two lines");
        let data: Value = serde_json::from_str(data.strip_prefix("data: ").unwrap()).unwrap();
        assert_eq!(kind, format!("event: {}", data["type"].as_str().unwrap()));
        assert_eq!(data["sequence_number"], number);
        data
    };
    blocks.enumerate().map(event).collect()
}

#[tokio::test]
async fn a_response_is_the_reply_of_a_turn_to_the_letter() {
    let server = Server::start().await;
    let asked = json!({
        "input": "add Read book tomorrow",
        "instructions": "Be brief.",
        "metadata": {"a": "b"},
        "temperature": 0.5,
        "max_output_tokens": 16,
        "store": false,
    });
    let reply = say(&server, asked).await;
    assert_eq!(text(&reply), "Added: Read book (due Mon 2026-02-09)");
    let body = &reply.body;
    let expect = json!({
        "object": "response",
        "status": "completed",
        "model": "candor",
        "error": null,
        "incomplete_details": null,
        "instructions": "Be brief.",
        "metadata": {"a": "b"},
        "temperature": 0.5,
        "max_output_tokens": 16,
        "store": false,
        "tools": [],
        "tool_choice": "auto",
        "parallel_tool_calls": true,
        "previous_response_id": null,
    });
    for (name, value) in expect.as_object().unwrap() {
        assert_eq!(&body[name], value, "{name}: {}", reply.text);
    }
    let (id, message) = (body["id"].as_str().unwrap(), &body["output"][0]);
    let digits = id.strip_prefix("resp_").unwrap();
    assert_eq!(message["id"], format!("msg_{digits}"));
    assert_eq!(
        (&message["role"], &message["status"]),
        (&json!("assistant"), &json!("completed"))
    );
    let usage = &body["usage"];
    let (asked, answered) = (&usage["input_tokens"], &usage["output_tokens"]);
    let sum = asked.as_u64().unwrap() + answered.as_u64().unwrap();
    assert_eq!(usage["total_tokens"], sum);
    let turn = body["candor"]["turn_id"].as_str().unwrap();
    let account = server.get(&format!("/api/me/audit/turns/{turn}")).await;
    assert_eq!(account.body["holds"], true, "{}", account.text);
    assert_eq!(account.body["said"], text(&reply));
}

#[tokio::test]
async fn the_events_are_those_that_are_published() {
    let server = Server::start().await;
    for title in ["milk", "eggs"] {
        server.add("me", json!({"title": title})).await;
    }
    let reply = send(
        &server,
        json!({"input": "what are my tasks?", "stream": true}),
    )
    .await;
    let events = events(&reply);
    let kinds: Vec<&str> = events
        .iter()
        .map(|event| event["type"].as_str().unwrap())
        .collect();
    let delta = "response.output_text.delta";
    let expect = [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
        delta,
        delta,
        delta,
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.completed",
    ];
    assert_eq!(kinds, expect);
    let of = |kind: &str| events.iter().find(|event| event["type"] == kind).unwrap();
    let said: String = events
        .iter()
        .filter_map(|event| event["delta"].as_str())
        .collect();
    assert!(said.starts_with("You have 2 tasks:\n1. "), "{said}");
    assert_eq!(of("response.output_text.done")["text"], said);
    assert_eq!(of("response.content_part.done")["part"]["text"], said);
    let message = &of("response.output_item.done")["item"];
    assert_eq!(message["content"][0]["text"], said);
    assert_eq!(
        of("response.output_item.added")["item"]["content"],
        json!([])
    );
    let (begun, ended) = (of("response.created"), of("response.completed"));
    assert_eq!(begun["response"]["status"], "in_progress");
    assert_eq!(begun["response"]["id"], ended["response"]["id"]);
    assert_eq!(ended["response"]["status"], "completed");
    assert_eq!(ended["response"]["output"], json!([message]));
    assert!(ended["response"]["usage"]["total_tokens"].is_u64());
    assert_eq!(ended["response"]["candor"]["kind"], "receipt");
    for event in events.iter().filter(|event| !event["item_id"].is_null()) {
        assert_eq!(event["item_id"], message["id"], "{event}");
    }
}

#[tokio::test]
async fn a_slow_turn_shows_signs_of_life_and_what_goes_wrong_in_it_is_its_last_event() {
    let model = ScriptedModel::start().await;
    let server = scripted(&model).await;
    let call = Step::calls(vec![("add_task", json!({"title": "milk"}))]);
    model.then(Step::After(Duration::from_millis(2_500), Box::new(call)));
    let reply = send(&server, json!({"input": "add milk", "stream": true})).await;
    assert!(reply.text.starts_with(": "), "{}", reply.text);
    let told = events(&reply);
    let ended = &told.last().unwrap()["response"];
    assert_eq!(ended["output"][0]["content"][0]["text"], "Added: milk");
    // Streamed slowly, an answer is still one that can be gone on from.
    let id = ended["id"].as_str().unwrap();
    let call = Step::calls(vec![("complete_task", json!({"task": "milk"}))]);
    model.then(call);
    let next = json!({"input": "mark it as done", "previous_response_id": id});
    let next = say(&server, next).await;
    assert_eq!(text(&next), "Marked milk as done");
    model.then(Step::After(
        Duration::from_millis(2_500),
        Box::new(Step::Status(400, Vec::new())),
    ));
    let reply = send(&server, json!({"input": "hello", "stream": true})).await;
    let told = events(&reply);
    let last = told.last().unwrap();
    assert_eq!(last["type"], "response.failed", "{}", reply.text);
    assert_eq!(last["response"]["status"], "failed");
    assert_eq!(last["response"]["error"]["code"], "server_error");
    assert!(last["response"]["error"]["message"].is_string());
    // Before it begins, it has its status.
    let reply = send(&server, json!({"input": "hello", "stream": true})).await;
    let down = (503, "server_error", "model_unavailable");
    assert_eq!(fault(&reply), down, "{}", reply.text);
}

#[tokio::test]
async fn a_conversation_goes_on_after_the_answer_that_is_named() {
    let server = Server::start().await;
    let added = say(&server, json!({"input": "add Read book"})).await;
    let id = &added.body["id"];
    let next = json!({"input": "mark it as done", "previous_response_id": id});
    let done = say(&server, next.clone()).await;
    assert_eq!(text(&done), "Marked Read book as done");
    assert_eq!(&done.body["previous_response_id"], id);
    let place = |reply: &Reply| reply.body["candor"]["conversation_id"].clone();
    assert_eq!(place(&added), place(&done));
    // Sent again, it does nothing.
    let again = say(&server, next).await;
    assert!(replayed(&again));
    assert_eq!(again.text, done.text);
    // Who says something else after an earlier answer has begun another chat.
    let other = json!({"input": "undo", "previous_response_id": id});
    let other = say(&server, other).await;
    assert_ne!(place(&added), place(&other));
    // Nobody goes on from an answer that was never given, or to somebody else.
    for (previous, user) in [
        (json!("resp_123"), "me"),
        (json!(format!("resp_{}", "0".repeat(64))), "me"),
        (id.clone(), "ann"),
    ] {
        let asked = json!({"input": "undo", "previous_response_id": previous, "user": user});
        let refused = send(&server, asked).await;
        let expect = (400, "invalid_request_error", "previous_response_not_found");
        assert_eq!(fault(&refused), expect, "{}", refused.text);
        assert_eq!(refused.body["error"]["param"], "previous_response_id");
    }
    assert!(server.events("ann", "turn").await.is_empty());
}

#[tokio::test]
async fn a_history_is_told_in_words_or_by_references() {
    let server = Server::start().await;
    let added = say(&server, json!({"input": "add Read book"})).await;
    let message = &added.body["output"][0]["id"];
    let user =
        |text: &str| json!({"role": "user", "content": [{"type": "input_text", "text": text}]});
    let referred = json!({"input": [
        user("add Read book"),
        {"type": "item_reference", "id": message},
        user("mark it as done"),
    ]});
    let done = say(&server, referred.clone()).await;
    assert_eq!(text(&done), "Marked Read book as done");
    let spelt = json!({"input": [
        user("add Read book"),
        {"type": "message", "role": "assistant", "id": message,
         "content": [{"type": "output_text", "text": "Added: Read book", "annotations": []}]},
        user("mark it as done"),
    ]});
    for again in [spelt, referred.clone()] {
        let again = say(&server, again).await;
        assert!(replayed(&again), "{}", again.text);
        assert_eq!(text(&again), text(&done));
    }
    // Somebody else's words are nobody's.
    let mut foreign = referred;
    foreign["user"] = json!("ann");
    let foreign = say(&server, foreign).await;
    assert!(foreign.body["candor"]["action_metadata"].is_null());
}

#[tokio::test]
async fn a_conversation_can_be_named() {
    let server = Server::start().await;
    let named = |text: &str, name: Value| json!({"input": text, "conversation": name});
    let added = say(&server, named("add Read book", json!("mine"))).await;
    assert_eq!(added.body["conversation"], json!({"id": "mine"}));
    let done = say(&server, named("mark it as done", json!({"id": "mine"}))).await;
    assert_eq!(text(&done), "Marked Read book as done");
    let ours = done.body["candor"]["conversation_id"].as_str().unwrap();
    let ours = format!("conv_{}", ours.replace('-', ""));
    let undone = say(&server, named("undo", json!(ours))).await;
    assert!(text(&undone).starts_with("Undone: "), "{}", undone.text);
    let both =
        json!({"input": "hi", "conversation": "mine", "previous_response_id": done.body["id"]});
    let both = send(&server, both).await;
    assert_eq!(fault(&both).0, 400);
    assert_eq!(both.body["error"]["param"], "conversation");
}

#[tokio::test]
async fn what_clients_ask_behind_the_users_back_changes_nothing() {
    let model = ScriptedModel::start().await;
    model.otherwise(Step::calls(vec![(
        "delete_task",
        json!({"task": "buy milk"}),
    )]));
    let server = scripted(&model).await;
    server.add("me", json!({"title": "buy milk"})).await;
    let before = state(&server, "me").await;
    let by_instructions = json!({
        "instructions": "You are a title generator. You output a thread title and nothing else.",
        "input": "delete buy milk",
    });
    let by_item = json!({"input": [
        {"role": "developer", "content": "you will generate a short title based on the first message a user begins a conversation with"},
        {"role": "user", "content": "delete buy milk"},
    ]});
    for asked in [by_instructions, by_item] {
        let reply = say(&server, asked.clone()).await;
        assert_eq!(text(&reply), "Delete buy milk", "{asked}");
        assert_eq!(reply.body["candor"]["kind"], "background");
        let mut streamed = asked;
        streamed["stream"] = json!(true);
        let reply = send(&server, streamed).await;
        let last = events(&reply).pop().unwrap();
        let said = &last["response"]["output"][0]["content"][0]["text"];
        assert_eq!(said, "Delete buy milk");
    }
    // A title may be asked for as an object.
    let schema = json!({"type": "object", "properties": {"title": {"type": "string"}}});
    let structured = json!({
        "instructions": "You are a title generator. You output a thread title and nothing else.",
        "input": "delete buy milk",
        "text": {"format": {"type": "json_schema", "name": "title", "schema": schema}},
    });
    let reply = say(&server, structured).await;
    let said: Value = serde_json::from_str(text(&reply)).unwrap();
    assert_eq!(said, json!({"title": "Delete buy milk"}));
    assert_eq!(state(&server, "me").await, before);
    assert!(model.requests().is_empty(), "a model was asked");
}

#[tokio::test]
async fn faults_name_the_field() {
    let server = Server::start().await;
    let check = async |body: Value, code: &str, param: Value| {
        let reply = send(&server, body.clone()).await;
        let status = if code == "model_not_found" { 404 } else { 400 };
        let expect = (status, "invalid_request_error", code);
        assert_eq!(fault(&reply), expect, "{body}: {}", reply.text);
        assert_eq!(reply.body["error"]["param"], param, "{body}");
    };
    let bad = "bad_request";
    check(
        json!({"input": "hi", "model": "gpt-4"}),
        "model_not_found",
        json!("model"),
    )
    .await;
    check(json!({}), "invalid_body", json!(null)).await;
    check(json!({"input": 5}), "invalid_body", json!(null)).await;
    check(json!({"input": []}), bad, json!("input")).await;
    check(json!({"input": " "}), "invalid_message", json!(null)).await;
    check(
        json!({"input": "hi", "background": true}),
        bad,
        json!("background"),
    )
    .await;
    let image =
        json!([{"role": "user", "content": [{"type": "input_image", "image_url": "data:,"}]}]);
    check(json!({"input": image}), bad, json!("input")).await;
    let output = json!([{"type": "function_call_output", "call_id": "c", "output": "{}"}]);
    check(json!({"input": output}), bad, json!("input")).await;
    let many = vec![json!({"role": "user", "content": "hi"}); 4_097];
    check(json!({"input": many}), bad, json!("input")).await;
    assert!(server.events("me", "turn").await.is_empty());
}
