//! The chat as a model of the OpenAI API: over real HTTP, with the clients of that API, and with
//! clients that lie, forge and flood.

#![cfg(test)]

#[path = "support"]
mod support {
    pub mod clients;
    pub mod openai;
    pub mod server;
}

#[path = "v1/background.rs"]
mod background;
#[path = "v1/clients.rs"]
mod clients;
#[path = "v1/forms.rs"]
mod forms;
#[path = "v1/hostile.rs"]
mod hostile;
#[path = "v1/node.rs"]
mod node;
#[path = "v1/offered.rs"]
mod offered;
#[path = "v1/places.rs"]
mod places;
#[path = "v1/python.rs"]
mod python;
#[path = "v1/responses.rs"]
mod responses;
#[path = "v1/streams.rs"]
mod streams;

use serde_json::{Value, json};
use support::openai::ScriptedModel;
use support::server::{Reply, Server};

const PATH: &str = "/v1/chat/completions";

/// A server whose model is scripted; on Sunday 2026-02-08.
async fn scripted(model: &ScriptedModel) -> Server {
    Server::start_with(&[
        ("CANDOR_TODAY", "2026-02-08"),
        ("OPENAI_BASE_URL", &model.base_url()),
        ("OPENAI_MODEL", "gpt-4"),
    ])
    .await
}

/// Lines of a history in turn: the user's first.
fn lines(said: &[&str]) -> Value {
    let line = |(at, text): (usize, &&str)| {
        let role = ["user", "assistant"][at % 2];
        json!({"role": role, "content": text})
    };
    said.iter().enumerate().map(line).collect()
}

/// A request for these lines.
fn asking(messages: impl Into<Value>) -> Value {
    let messages = messages.into();
    json!({"model": "candor", "messages": messages})
}

/// Returns what is answered to these lines; it must be 200.
async fn say(server: &Server, said: &[&str]) -> Reply {
    said_with(server, said, &[]).await
}

/// The same with headers of the client's.
async fn said_with(server: &Server, said: &[&str], headers: &[(&str, &str)]) -> Reply {
    let reply = send(server, asking(lines(said)), headers).await;
    assert_eq!(reply.status, 200, "{said:?}: {}", reply.text);
    reply
}

async fn send(server: &Server, body: Value, headers: &[(&str, &str)]) -> Reply {
    let headers = [&[("content-type", "application/json")], headers].concat();
    server
        .send("POST", PATH, &headers, Some(body.to_string()))
        .await
}

/// Returns what was said.
fn text(reply: &Reply) -> &str {
    let choice = &reply.body["choices"][0];
    assert_eq!(choice["finish_reason"], "stop", "{}", reply.text);
    choice["message"]["content"].as_str().expect("a text")
}

/// The error, in the form of that API: its type and its code.
fn fault(reply: &Reply) -> (u16, &str, &str) {
    let error = &reply.body["error"];
    assert_eq!(reply.headers["content-type"], "application/json");
    assert!(error["message"].is_string(), "{}", reply.text);
    assert!(error.get("param").is_some(), "{}", reply.text);
    let word = |name: &str| error[name].as_str().unwrap_or_default();
    (reply.status, word("type"), word("code"))
}

/// All that is known of a user.
async fn state(server: &Server, user: &str) -> Value {
    let read = async |path: String| server.get(&path).await.body;
    json!([
        read(format!("/api/{user}/tasks")).await,
        read(format!("/api/{user}/chat/conversations")).await,
        read(format!("/api/{user}/audit?limit=1000")).await,
    ])
}
