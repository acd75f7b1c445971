//! Turns that are cut off between two rounds: what they committed is told once, and nothing else
//! is done.
//!
//! The program is killed while its model is asked a second time, and started again on the same
//! database.

#![cfg(test)]

#[path = "support/openai.rs"]
mod openai;
#[path = "support/server.rs"]
mod server;

use std::time::Duration;

use serde_json::{Value, json};

use openai::{ScriptedModel, Step};
use server::{Reply, Server};

const CHAT: &str = "/api/me/chat";

const REST: &str =
    "Could not do the rest: the server stopped in between. Say again what is missing.";

/// Adds milk in the first round and falls silent in the second.
async fn stalling() -> (ScriptedModel, Server) {
    let model = ScriptedModel::start().await;
    let server = Server::start_with(&[
        ("CANDOR_TODAY", "2026-02-08"),
        ("OPENAI_BASE_URL", &model.base_url()),
        ("OPENAI_MODEL", "gpt-4"),
    ])
    .await;
    server.add("me", json!({"title": "Read book"})).await;
    (model, server)
}

fn half_done(model: &ScriptedModel) {
    model
        .calls(vec![
            ("add_task", json!({"title": "milk"})),
            ("delete_task", json!({"task": "Read booklet"})),
        ])
        .then(Step::Silence);
}

fn message() -> Value {
    json!({"message": "add milk and delete Read book"})
}

/// Sends a message whose turn hangs in its second round, and waits until it does.
async fn hang(model: &ScriptedModel, server: &Server, key: Option<&str>, body: Value) {
    let asked = model.requests().len();
    let sent = async {
        match key {
            Some(key) => server.post_keyed(CHAT, key, body).await,
            None => server.post(CHAT, body).await,
        }
    };
    let hanging = async {
        while model.requests().len() < asked + 2 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::select! {
        reply = sent => panic!("it did not hang: {}", reply.text),
        () = hanging => {}
    }
}

async fn receipts(server: &Server) -> Vec<String> {
    let events = server.events("me", "receipt").await;
    let action = |event: &Value| event["payload"]["action"].as_str().unwrap().to_owned();
    events.iter().map(action).collect()
}

async fn history(server: &Server, conversation: &Value) -> Vec<String> {
    let conversation = conversation.as_str().unwrap();
    let path = format!("{CHAT}/messages?conversation_id={conversation}");
    let lines = server.get(&path).await.body["messages"].clone();
    let lines = lines.as_array().unwrap().iter();
    lines
        .map(|line| line["content"].as_str().unwrap().to_owned())
        .collect()
}

fn whole_log(server: &Server) {
    let ran = server.run_beside(&[], &["audit", "verify"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[tokio::test]
async fn a_cut_turn_is_told_from_its_receipts_when_its_key_is_seen_again() {
    let (model, mut server) = stalling().await;
    half_done(&model);
    hang(&model, &server, Some("k-1"), message()).await;
    server.crash_and_restart().await;

    let asked = model.requests().len();
    let told = server.post_keyed(CHAT, "k-1", message()).await;
    assert_eq!(told.status, 200, "{}", told.text);
    assert_eq!(
        told.body["assistant_message"],
        format!("Added: milk\n{REST}")
    );
    assert_eq!(told.body["kind"], "failure");
    assert_eq!(told.body["error"]["code"], "interrupted");
    assert_eq!(told.body["action_metadata"]["action"], "add_task");
    assert_eq!(told.body["action_metadata"]["task_title"], "milk");
    let calls = told.body["tool_calls"].as_array().unwrap();
    let calls: Vec<_> = calls
        .iter()
        .map(|call| (call["name"].as_str().unwrap(), call["success"].clone()))
        .collect();
    assert_eq!(calls, [("add_task", json!(true))]);
    assert_eq!(told.body["execution_metadata"]["tool_calls_rejected"], 1);
    // The model is not asked again, and nothing more is done.
    assert_eq!(model.requests().len(), asked);
    assert_eq!(server.titles("me").await, ["milk", "Read book"]);
    assert_eq!(receipts(&server).await, ["add_task", "add_task"]);

    for quoted in ["k-1", "\"k-1\""] {
        let again = server.post_keyed(CHAT, quoted, message()).await;
        assert_eq!((again.status, &again.text), (200, &told.text));
        assert_eq!(again.headers["idempotency-replayed"], "true");
    }
    let other = json!({"message": "add eggs"});
    let other = server.post_keyed(CHAT, "k-1", other).await;
    assert_eq!((other.status, other.problem()), (422, "key_reused"));

    let lines = history(&server, &told.body["conversation_id"]).await;
    let reply = told.body["assistant_message"].as_str().unwrap();
    assert_eq!(lines, ["add milk and delete Read book", reply]);
    let turns = server.events("me", "turn").await;
    let turn = &turns.last().unwrap()["payload"];
    assert_eq!(turn["message"], "add milk and delete Read book");
    whole_log(&server);
}

#[tokio::test]
async fn a_cut_turn_is_told_when_its_conversation_goes_on() {
    let (model, mut server) = stalling().await;
    model.call("add_task", json!({"title": "bread"}));
    let first = server.chat("me", "add bread").await;
    half_done(&model);
    let mut cut = message();
    cut["conversation_id"] = first["conversation_id"].clone();
    hang(&model, &server, None, cut).await;
    server.crash_and_restart().await;

    model.call("add_task", json!({"title": "eggs"}));
    let next = server.go_on("me", &first, "add eggs").await;
    assert_eq!(
        next["assistant_message"],
        "Your message before this one was cut off after:\nAdded: milk\nAdded: eggs"
    );
    assert_eq!(next["kind"], "receipt");
    assert_eq!(
        history(&server, &first["conversation_id"]).await,
        [
            "add bread",
            "Added: bread",
            "add milk and delete Read book",
            &format!("Added: milk\n{REST}"),
            "add eggs",
            next["assistant_message"].as_str().unwrap(),
        ]
    );
    // It is told once.
    model.call("add_task", json!({"title": "tea"}));
    let after = server.go_on("me", &first, "add tea").await;
    assert_eq!(after["assistant_message"], "Added: tea");
    assert_eq!(
        server.titles("me").await,
        ["tea", "eggs", "milk", "bread", "Read book"]
    );
    whole_log(&server);
}

/// Checks that what a cut turn did can be asked about and taken back like anything else.
#[tokio::test]
async fn what_a_cut_turn_did_can_be_undone() {
    let (model, mut server) = stalling().await;
    half_done(&model);
    hang(&model, &server, Some("k"), message()).await;
    server.crash_and_restart().await;
    let told = server.post_keyed(CHAT, "k", message()).await.body;
    model.call("undo", json!({}));
    let undone = server.go_on("me", &told, "undo").await;
    let text = undone["assistant_message"].as_str().unwrap();
    assert!(text.contains("Undone: "), "{text}");
    assert_eq!(server.titles("me").await, ["Read book"]);
    whole_log(&server);
}

/// Nobody asks; the conversation's history misses nothing all the same.
#[tokio::test]
async fn a_cut_turn_is_told_though_nobody_asks() {
    let (model, mut server) = stalling().await;
    half_done(&model);
    hang(&model, &server, None, message()).await;
    server.crash_and_restart().await;
    let conversations = async || {
        let heads = server.get(&format!("{CHAT}/conversations")).await.body;
        heads["conversations"][0]["id"].clone()
    };
    let conversation = conversations().await;
    let began = std::time::Instant::now();
    while history(&server, &conversation).await.is_empty() {
        assert!(began.elapsed() < Duration::from_secs(20), "never told");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(
        history(&server, &conversation).await,
        [
            "add milk and delete Read book",
            &format!("Added: milk\n{REST}")
        ]
    );
}

/// A turn that had changed nothing leaves nothing behind: its key runs it.
#[tokio::test]
async fn a_turn_cut_off_before_it_changed_anything_runs_anew() {
    let (model, mut server) = stalling().await;
    model.then(Step::Silence);
    let body = json!({"message": "delete Read book"});
    let sent = server.post_keyed(CHAT, "k", body.clone());
    let hanging = async {
        while model.requests().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::select! {
        reply = sent => panic!("it did not hang: {}", reply.text),
        () = hanging => {}
    }
    server.crash_and_restart().await;
    model.call("delete_task", json!({"task": "Read book"}));
    let reply: Reply = server.post_keyed(CHAT, "k", body).await;
    assert_eq!(reply.body["assistant_message"], "Deleted: Read book");
    assert!(server.titles("me").await.is_empty());
}

/// A second answer of the model that changes nothing is in no commit; that it is in the log shows
/// that it was kept before its tools ran.
#[tokio::test]
async fn an_answer_of_a_later_round_is_kept_before_its_tools_run() {
    let (model, mut server) = stalling().await;
    model
        .calls(vec![
            ("add_task", json!({"title": "milk"})),
            ("delete_task", json!({"task": "Read booklet"})),
        ])
        .call("delete_task", json!({"task": "Read bookends"}))
        .then(Step::Silence);
    let sent = server.post_keyed(CHAT, "k", message());
    let third = async {
        while model.requests().len() < 3 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::select! {
        reply = sent => panic!("it did not hang: {}", reply.text),
        () = third => {}
    }
    server.crash_and_restart().await;
    let told = server.post_keyed(CHAT, "k", message()).await;
    assert_eq!(told.body["error"]["code"], "interrupted", "{}", told.text);
    assert_eq!(told.body["execution_metadata"]["model_calls"], 2);
    let turns = server.events("me", "turn").await;
    let answers = turns.last().unwrap()["payload"]["answers"].clone();
    let answers = answers.as_array().unwrap();
    assert_eq!(answers.len(), 2, "{answers:#?}");
    assert!(answers[1].to_string().contains("Read bookends"));
    assert_eq!(server.titles("me").await, ["milk", "Read book"]);
}

/// Quoted or bare, a key makes every route that changes something safe to ask again.
#[tokio::test]
async fn every_route_that_changes_something_takes_a_key() {
    let server = Server::start().await;
    let send = async |method: &str, path: &str, key: &str, body: Option<Value>| {
        let headers = [
            ("content-type", "application/json"),
            ("idempotency-key", key),
        ];
        let body = body.map(|body| body.to_string());
        server.send(method, path, &headers, body).await
    };
    let book = server.add("me", json!({"title": "Read book"})).await;
    let book = format!("/api/me/tasks/{}", book["id"].as_str().unwrap());
    let added = server.chat("me", "add tea").await;
    let receipt = added["action_metadata"]["receipt_id"].as_str().unwrap();
    let undo = format!("/api/me/receipts/{receipt}/undo");
    let routes = [
        ("POST", CHAT, Some(json!({"message": "add milk"}))),
        ("POST", "/api/me/tasks", Some(json!({"title": "eggs"}))),
        ("PATCH", &book, Some(json!({"priority": "high"}))),
        ("DELETE", &book, None),
        ("POST", &undo, None),
    ];
    for (number, (method, path, body)) in routes.into_iter().enumerate() {
        let (bare, quoted) = (format!("k-{number}"), format!("\"k-{number}\""));
        let first = send(method, path, &bare, body.clone()).await;
        assert!(first.status < 300, "{method} {path}: {}", first.text);
        let count = receipts(&server).await.len();
        for key in [&bare, &quoted] {
            let again = send(method, path, key, body.clone()).await;
            assert_eq!(
                (again.status, &again.text),
                (first.status, &first.text),
                "{method} {path}"
            );
            assert_eq!(again.headers["idempotency-replayed"], "true");
        }
        assert_eq!(receipts(&server).await.len(), count, "{method} {path}");
        let bad = send(method, path, "two words", body).await;
        assert_eq!((bad.status, bad.problem()), (400, "bad_header"));
    }
    assert_eq!(server.titles("me").await, ["eggs", "milk"]);
}
