//! Answers in pieces.

use std::time::Duration;

use serde_json::{Value, json};

use super::support::openai::{Gate, ScriptedModel, Step};
use super::{Reply, Server, asking, lines, scripted, send};

fn streaming(said: &[&str]) -> Value {
    let mut body = asking(lines(said));
    body["stream"] = json!(true);
    body
}

/// The events of a stream, without comments and without its end.
fn chunks(reply: &Reply) -> Vec<Value> {
    assert_eq!(reply.status, 200, "{}", reply.text);
    assert_eq!(reply.headers["content-type"], "text/event-stream");
    let events: Vec<&str> = reply.text.split_terminator("\n\n").collect();
    let data = events.iter().filter(|event| !event.starts_with(':'));
    let mut data: Vec<&str> = data
        .map(|event| event.strip_prefix("data: ").unwrap())
        .collect();
    if data.last() == Some(&"[DONE]") {
        data.pop();
    }
    data.iter()
        .map(|data| serde_json::from_str(data).unwrap())
        .collect()
}

fn said(chunks: &[Value]) -> String {
    let content = |chunk: &Value| {
        chunk["choices"][0]["delta"]["content"]
            .as_str()
            .map(str::to_owned)
    };
    chunks.iter().filter_map(content).collect()
}

#[tokio::test]
async fn the_pieces_are_the_reply() {
    let server = Server::start().await;
    for title in ["milk", "eggs", "bread"] {
        server.add("me", json!({"title": title})).await;
    }
    let mut body = streaming(&["what are my tasks?"]);
    body["stream_options"] = json!({"include_usage": true});
    let reply = send(&server, body, &[]).await;
    assert!(reply.text.ends_with("data: [DONE]\n\n"));
    let chunks = chunks(&reply);
    let first = &chunks[0]["choices"][0]["delta"];
    assert_eq!(first, &json!({"role": "assistant", "content": ""}));
    for chunk in &chunks {
        assert_eq!(chunk["object"], "chat.completion.chunk");
        for same in ["id", "created", "model"] {
            assert_eq!(chunk[same], chunks[0][same]);
        }
    }
    let (usage, ended) = (&chunks[chunks.len() - 1], &chunks[chunks.len() - 2]);
    assert_eq!(usage["choices"], json!([]));
    assert!(usage["usage"]["total_tokens"].as_u64().unwrap() > 0);
    assert_eq!(ended["choices"][0]["finish_reason"], "stop");
    assert_eq!(ended["candor"]["kind"], "receipt", "{ended}");
    let turn = ended["candor"]["turn_id"].as_str().unwrap();
    let account = server.get(&format!("/api/me/audit/turns/{turn}")).await;
    assert_eq!(account.body["said"], said(&chunks));
    assert!(
        said(&chunks).starts_with("You have 3 tasks:\n1. "),
        "{}",
        reply.text
    );
    // Without having been asked for, usage is not told.
    let plain = send(&server, streaming(&["hello"]), &[]).await;
    assert!(!plain.text.contains("usage"), "{}", plain.text);
}

#[tokio::test]
async fn a_slow_turn_keeps_its_client_waiting_with_signs_of_life() {
    let model = ScriptedModel::start().await;
    let server = scripted(&model).await;
    let call = Step::calls(vec![("add_task", json!({"title": "milk"}))]);
    model.then(Step::After(Duration::from_millis(7_500), Box::new(call)));
    let reply = send(&server, streaming(&["add milk"]), &[]).await;
    let pieces = chunks(&reply);
    assert_eq!(said(&pieces), "Added: milk");
    let first = reply.text.find("assistant").unwrap();
    let waits = reply.text.find("\n\n: ").expect("a comment");
    assert!(
        first < waits && waits < reply.text.find("Added").unwrap(),
        "{}",
        reply.text
    );
    // What goes wrong once the stream has begun is told in it.
    model.then(Step::After(
        Duration::from_millis(2_500),
        Box::new(Step::Status(500, Vec::new())),
    ));
    model.otherwise(Step::Status(500, Vec::new()));
    let reply = send(&server, streaming(&["hello"]), &[]).await;
    assert_eq!(reply.status, 200);
    assert!(reply.text.contains(r#"{"error":{"#), "{}", reply.text);
    assert!(!reply.text.contains("[DONE]"), "{}", reply.text);
}

#[tokio::test]
async fn what_goes_wrong_before_the_stream_has_its_status() {
    let model = ScriptedModel::start().await;
    let server = scripted(&model).await;
    let reply = send(&server, streaming(&["hello"]), &[]).await;
    assert_eq!(
        super::fault(&reply),
        (503, "server_error", "model_unavailable")
    );
}

#[tokio::test]
async fn a_client_that_goes_away_does_not_cut_the_turn() {
    let model = ScriptedModel::start().await;
    let server = scripted(&model).await;
    let gate = Gate::closed();
    let call = Step::calls(vec![("add_task", json!({"title": "milk"}))]);
    model.then(Step::Held(gate.clone(), Box::new(call)));
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let asked = client
        .post(server.url(super::PATH))
        .header("content-type", "application/json")
        .body(streaming(&["add milk"]).to_string());
    // The stream has begun, and then nobody listens.
    let stream = asked.send().await.unwrap();
    assert_eq!(stream.status(), 200);
    drop(stream);
    drop(client);
    gate.open();
    while server.tasks("me").await.is_empty() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    assert_eq!(server.titles("me").await, ["milk"]);
    assert_eq!(server.events("me", "reply").await.len(), 1);
}
