//! A server with a scripted model, and streams read from it, whole or bit by bit.

use std::time::Duration;

use reqwest::header::HeaderMap;
use serde_json::{Value, json};

use crate::support::openai::ScriptedModel;
use crate::support::server::Server;

/// How long anything may take before a test fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// Where turns are streamed.
pub const STREAM: &str = "/api/me/chat/stream";

/// A server and its model.
pub struct Scene {
    pub server: Server,
    pub model: ScriptedModel,
}

impl Scene {
    pub async fn new() -> Self {
        Self::with(&[]).await
    }

    pub async fn with(more: &[(&str, &str)]) -> Self {
        let model = ScriptedModel::start().await;
        let base_url = model.base_url();
        let mut variables = vec![
            ("CANDOR_TODAY", "2026-02-08"),
            ("OPENAI_BASE_URL", &base_url),
            ("OPENAI_MODEL", "gpt-4"),
        ];
        variables.extend(more);
        let server = Server::start_with(&variables).await;
        Self { server, model }
    }

    /// Says something in the chat `c`, as the message `id`.
    pub async fn say(&self, id: &str, text: &str) -> Stream {
        self.send(&said(id, text)).await
    }

    /// Asks for a stream; whatever the answer is.
    pub async fn send(&self, body: &Value) -> Stream {
        let request = client().post(self.server.url(STREAM));
        let request = request.header("content-type", "application/json");
        Stream::of(request.body(body.to_string())).await
    }

    /// Asks for the running turn of the chat `c`.
    pub async fn resume(&self) -> Stream {
        Stream::of(client().get(self.server.url("/api/me/chat/c/stream"))).await
    }

    /// Stops a turn of the chat `c`; tells whether there was one to stop.
    pub async fn stop(&self) -> bool {
        let reply = self.server.post("/api/me/chat/c/stop", json!({})).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        reply.body["stopping"].as_bool().unwrap()
    }

    /// The ids of all receipts, from the log.
    pub async fn receipts(&self) -> Vec<Value> {
        let events = self.server.events("me", "receipt").await;
        events
            .iter()
            .map(|it| it["payload"]["id"].clone())
            .collect()
    }
}

/// A chat of one message.
pub fn said(id: &str, text: &str) -> Value {
    json!({"id": "c", "trigger": "submit-message", "messages": [message(id, text)]})
}

/// The same, to be shown again.
pub fn again(id: &str, text: &str) -> Value {
    json!({"id": "c", "trigger": "regenerate-message", "messages": [message(id, text)]})
}

pub fn message(id: &str, text: &str) -> Value {
    json!({"id": id, "role": "user", "parts": [{"type": "text", "text": text}]})
}

/// Without a proxy, and without a limit to how long it reads.
pub fn client() -> reqwest::Client {
    reqwest::Client::builder().no_proxy().build().unwrap()
}

/// An answer, read as it comes.
pub struct Stream {
    pub status: u16,
    pub headers: HeaderMap,
    response: reqwest::Response,
    /// All that came so far.
    pub text: String,
    read: usize,
}

impl Stream {
    pub async fn of(request: reqwest::RequestBuilder) -> Self {
        let response = request.send().await.expect("the server answers");
        Self {
            status: response.status().as_u16(),
            headers: response.headers().clone(),
            response,
            text: String::new(),
            read: 0,
        }
    }

    /// The next event's lines; none at the end.
    pub async fn block(&mut self) -> Option<String> {
        loop {
            let rest = &self.text[self.read..];
            if let Some(end) = rest.find("\n\n") {
                let block = rest[..end].to_owned();
                self.read += end + 2;
                return Some(block);
            }
            let chunk = tokio::time::timeout(PATIENCE, self.response.chunk()).await;
            let chunk = chunk.expect("something comes").expect("the line holds");
            let Some(chunk) = chunk else {
                assert_eq!(rest, "", "half an event");
                return None;
            };
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    /// The next part of a UI message stream; none at its end.
    pub async fn part(&mut self) -> Option<Value> {
        let mut block = self.block().await.expect("[DONE] comes before the end");
        // A sign of life, when nothing happens for a while.
        while block.starts_with(':') {
            block = self.block().await.expect("[DONE] comes before the end");
        }
        let data = block.strip_prefix("data: ").expect("data alone");
        if data == "[DONE]" {
            assert_eq!(self.block().await, None, "nothing follows [DONE]");
            return None;
        }
        Some(serde_json::from_str(data).unwrap())
    }

    /// Everything up to the first part of that type, which comes last.
    pub async fn until(&mut self, kind: &str) -> Vec<Value> {
        let mut parts = Vec::new();
        while let Some(part) = self.part().await {
            let found = part["type"] == kind;
            parts.push(part);
            if found {
                return parts;
            }
        }
        panic!("no {kind}: {}", self.text)
    }

    /// All parts; it must be a stream.
    pub async fn parts(&mut self) -> Vec<Value> {
        if self.status != 200 {
            let text = self.rest().await;
            panic!("{}: {text}", self.status);
        }
        let mut parts = Vec::new();
        while let Some(part) = self.part().await {
            parts.push(part);
        }
        parts
    }

    /// Everything there is.
    pub async fn rest(&mut self) -> String {
        while let Some(chunk) = self.response.chunk().await.unwrap() {
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
        self.text.clone()
    }

    /// The code of a problem.
    pub async fn problem(&mut self) -> (u16, String) {
        let kind = self.headers["content-type"].to_str().unwrap().to_owned();
        assert_eq!(kind, "application/problem+json");
        let body: Value = serde_json::from_str(&self.rest().await).unwrap();
        (self.status, body["code"].as_str().unwrap().to_owned())
    }
}

/// The types of parts.
pub fn types(parts: &[Value]) -> Vec<&str> {
    parts
        .iter()
        .map(|part| part["type"].as_str().unwrap())
        .collect()
}

/// The text of the reply.
pub fn text(parts: &[Value]) -> String {
    let deltas = parts.iter().filter(|part| part["type"] == "text-delta");
    deltas.map(|part| part["delta"].as_str().unwrap()).collect()
}

/// The first part of a type.
pub fn part<'a>(parts: &'a [Value], kind: &str) -> &'a Value {
    let found = parts.iter().find(|part| part["type"] == kind);
    found.unwrap_or_else(|| panic!("no {kind} in {parts:#?}"))
}
