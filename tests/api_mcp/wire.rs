//! Messages by hand, in the stateless revision and in a session of the one before.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};

use reqwest::{Client, Response};
use serde_json::{Value, json};

use crate::support::server::{Reply, Server};

/// The newest revision, which has no sessions.
pub const NEWEST: &str = "2026-07-28";
/// The one before.
pub const BEFORE: &str = "2025-11-25";

/// Returns the capabilities of a client that shows forms.
pub fn asks() -> Value {
    json!({"elicitation": {"form": {}}})
}

/// A client of the newest revision.
pub struct Stateless<'a> {
    pub server: &'a Server,
    pub path: String,
    pub credential: Option<String>,
    pub can: Value,
}

impl<'a> Stateless<'a> {
    pub fn of(server: &'a Server) -> Self {
        Self {
            server,
            path: "/mcp".to_owned(),
            credential: None,
            can: asks(),
        }
    }

    pub fn able(mut self, can: Value) -> Self {
        self.can = can;
        self
    }

    pub fn with(mut self, credential: &str) -> Self {
        self.credential = Some(credential.to_owned());
        self
    }

    pub fn acting_for(mut self, user: &str) -> Self {
        self.path = format!("/mcp?user={user}");
        self
    }

    /// The message of a request.
    pub fn message(&self, method: &str, mut params: Value) -> Value {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": NEWEST,
            "io.modelcontextprotocol/clientCapabilities": self.can,
            "io.modelcontextprotocol/clientInfo": {"name": "tests", "version": "1"},
        });
        json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params})
    }

    /// Sends a message as it is.
    pub async fn send(&self, message: &Value, more: &[(&str, &str)]) -> Reply {
        let method = message["method"].as_str().unwrap_or_default();
        let bearer = self.credential.as_ref().map(|key| format!("Bearer {key}"));
        let mut headers = vec![
            ("content-type", "application/json"),
            ("accept", "application/json, text/event-stream"),
            ("mcp-protocol-version", NEWEST),
            ("mcp-method", method),
        ];
        if let Some(name) = message["params"]["name"].as_str() {
            headers.push(("mcp-name", name));
        }
        if let Some(bearer) = &bearer {
            headers.push(("authorization", bearer));
        }
        headers.retain(|(name, _)| !more.iter().any(|(other, _)| other == name));
        headers.extend(more);
        let body = Some(message.to_string());
        self.server.send("POST", &self.path, &headers, body).await
    }

    /// A request that must be answered with a result.
    pub async fn request(&self, method: &str, params: Value) -> Value {
        let reply = self.send(&self.message(method, params), &[]).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        assert!(reply.body["result"].is_object(), "{}", reply.text);
        reply.body["result"].clone()
    }

    /// A call that is to be answered with a result, whatever that says.
    pub async fn call(&self, tool: &str, arguments: Value) -> Value {
        let params = json!({"name": tool, "arguments": arguments});
        self.request("tools/call", params).await
    }

    /// The same with what came back of a question.
    pub async fn answer(&self, arguments: Value, state: &Value, answer: Value) -> Value {
        let params = json!({
            "name": "delete_task",
            "arguments": arguments,
            "requestState": state,
            "inputResponses": {"confirm": answer},
        });
        self.request("tools/call", params).await
    }
}

/// A client with a session.
pub struct Session<'a> {
    server: &'a Server,
    path: String,
    credential: Option<String>,
    client: Client,
    pub id: String,
    pub begun: Value,
}

static NEXT: AtomicU64 = AtomicU64::new(1);

impl<'a> Session<'a> {
    pub async fn open(server: &'a Server, can: Value) -> Self {
        Self::open_as(server, "/mcp", None, can).await
    }

    pub async fn open_as(
        server: &'a Server,
        path: &str,
        credential: Option<&str>,
        can: Value,
    ) -> Self {
        let mut session = Self {
            server,
            path: path.to_owned(),
            credential: credential.map(str::to_owned),
            client: Client::builder().no_proxy().build().unwrap(),
            id: String::new(),
            begun: Value::Null,
        };
        let hello = json!({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {
            "protocolVersion": BEFORE,
            "capabilities": can,
            "clientInfo": {"name": "tests", "version": "1"},
        }});
        let response = session.post(&hello).await;
        assert_eq!(response.status(), 200);
        let id = response.headers()["mcp-session-id"]
            .to_str()
            .unwrap()
            .to_owned();
        session.begun = Stream::of(response).next().await.unwrap()["result"].clone();
        session.id = id;
        let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
        assert_eq!(session.post(&ready).await.status(), 202);
        session
    }

    /// Posts a message, whatever comes of it.
    pub async fn post(&self, message: &Value) -> Response {
        let request = self
            .client
            .post(self.server.url(&self.path))
            .header("content-type", "application/json")
            .header("accept", "application/json, text/event-stream");
        let request = match self.id.as_str() {
            "" => request,
            id => request
                .header("mcp-session-id", id)
                .header("mcp-protocol-version", BEFORE),
        };
        let request = match &self.credential {
            None => request,
            Some(key) => request.header("authorization", format!("Bearer {key}")),
        };
        request.body(message.to_string()).send().await.unwrap()
    }

    /// Begins a call; its messages come one by one.
    pub async fn begin(&self, tool: &str, arguments: Value) -> Stream {
        let id = NEXT.fetch_add(1, Ordering::Relaxed);
        let params = json!({"name": tool, "arguments": arguments});
        let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params});
        let response = self.post(&call).await;
        assert_eq!(response.status(), 200);
        Stream::of(response)
    }

    /// A call that asks nothing.
    pub async fn call(&self, tool: &str, arguments: Value) -> Value {
        let answer = self.begin(tool, arguments).await.next().await.unwrap();
        assert!(answer["result"].is_object(), "{answer}");
        answer["result"].clone()
    }

    /// Answers a question of the server.
    pub async fn reply(&self, question: &Value, answer: &Value) -> u16 {
        let message = json!({"jsonrpc": "2.0", "id": question["id"], "result": answer});
        self.post(&message).await.status().as_u16()
    }
}

/// The messages of an answer: one as JSON, or several as server-sent events.
pub struct Stream {
    response: Response,
    events: bool,
    text: String,
    ready: VecDeque<Value>,
}

impl Stream {
    pub fn of(response: Response) -> Self {
        let media = response.headers()["content-type"].to_str().unwrap();
        Self {
            events: media.starts_with("text/event-stream"),
            response,
            text: String::new(),
            ready: VecDeque::new(),
        }
    }

    /// Whatever else comes until the line is cut.
    pub async fn rest(&mut self) -> String {
        let mut rest = String::new();
        while let Ok(Some(chunk)) = self.response.chunk().await {
            rest.push_str(&String::from_utf8_lossy(&chunk));
        }
        rest
    }

    /// The next message; none when there is no more.
    pub async fn next(&mut self) -> Option<Value> {
        loop {
            if let Some(message) = self.ready.pop_front() {
                return Some(message);
            }
            let chunk = self.response.chunk().await.unwrap();
            let Some(chunk) = chunk else {
                let rest = std::mem::take(&mut self.text);
                return serde_json::from_str(&rest).ok();
            };
            self.text.push_str(std::str::from_utf8(&chunk).unwrap());
            while self.events
                && let Some((event, rest)) = self.text.split_once("\n\n")
            {
                let data: String = event
                    .lines()
                    .filter_map(|line| line.strip_prefix("data:"))
                    .map(str::trim)
                    .collect();
                let rest = rest.to_owned();
                self.ready.extend(serde_json::from_str::<Value>(&data).ok());
                self.text = rest;
            }
        }
    }
}

/// The text of a result, which must be one block.
pub fn text(result: &Value) -> &str {
    let blocks = result["content"].as_array().expect("content");
    assert_eq!(blocks.len(), 1, "{result}");
    blocks[0]["text"].as_str().expect("text")
}

/// The kind of a failed call.
pub fn failed(result: &Value) -> &str {
    assert_eq!(result["isError"], true, "{result}");
    let data = &result["structuredContent"];
    assert_eq!(
        (&data["ok"], &data["success"]),
        (&json!(false), &json!(false)),
        "{result}"
    );
    assert_eq!(data["error"], text(result), "{result}");
    data["errorType"].as_str().expect("a kind")
}

/// That a call was done, and what its text says.
pub fn done(result: &Value) -> &str {
    assert_ne!(result["isError"], true, "{result}");
    let data = &result["structuredContent"];
    assert_eq!(
        (&data["ok"], &data["success"]),
        (&json!(true), &json!(true)),
        "{result}"
    );
    assert_eq!(data["message"], text(result), "{result}");
    text(result)
}
