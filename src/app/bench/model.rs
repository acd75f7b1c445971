//! A model that answers at once: reads the last words and calls what they ask for.
//!
//! It speaks as much of HTTP and of the chat API as candor does to it, so that what is measured
//! is candor. `GET /figures` says how often it was asked, and how many bytes came in.

use std::borrow::Cow;
use std::io::{self, Write};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::Result;
use serde::Deserialize;
use serde_json::json;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

use super::client;

#[derive(Default)]
struct Figures {
    calls: AtomicU64,
    bytes: AtomicU64,
}

/// Serves until it is killed, and says where.
///
/// # Errors
/// When no port can be had.
pub async fn serve(out: &mut impl Write) -> Result<ExitCode> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    writeln!(out, "model listening on http://{}", listener.local_addr()?)?;
    out.flush()?;
    let figures = Arc::<Figures>::default();
    loop {
        let (stream, _) = listener.accept().await?;
        let figures = Arc::clone(&figures);
        tokio::spawn(async move {
            // A server that goes away has been stopped.
            let _ = talk(stream, &figures).await;
        });
    }
}

async fn talk(mut stream: TcpStream, figures: &Figures) -> Result<()> {
    stream.set_nodelay(true)?;
    let mut buffer = Vec::new();
    while let Some(request) = client::message(&mut stream, &mut buffer).await? {
        let body = if request.head.starts_with("GET ") {
            json!({
                "calls": figures.calls.load(Ordering::Relaxed),
                "bytes": figures.bytes.load(Ordering::Relaxed),
            })
        } else {
            figures.calls.fetch_add(1, Ordering::Relaxed);
            let bytes = request.head.len() + request.body.len();
            figures.bytes.fetch_add(bytes as u64, Ordering::Relaxed);
            answer(&request.body)
        };
        respond(&mut stream, &body).await?;
    }
    Ok(())
}

/// Sends an answer.
pub async fn respond(stream: &mut TcpStream, body: &serde_json::Value) -> io::Result<()> {
    let body = body.to_string();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    let message = [head.as_bytes(), body.as_bytes()].concat();
    stream.write_all(&message).await
}

#[derive(Deserialize)]
struct BenchQuestion<'a> {
    #[serde(borrow)]
    messages: Vec<Line<'a>>,
}

#[derive(Deserialize)]
struct Line<'a> {
    #[serde(borrow)]
    role: Cow<'a, str>,
    #[serde(borrow, default)]
    content: Option<Cow<'a, str>>,
}

/// The answer to a question: a call for a command, and words for the rest.
pub fn answer(body: &[u8]) -> serde_json::Value {
    let asked: Option<BenchQuestion<'_>> = serde_json::from_slice(body).ok();
    let last = asked.as_ref().and_then(|asked| asked.messages.last());
    let said = match last {
        Some(line) if line.role == "user" => line.content.as_deref().unwrap_or_default(),
        _ => "",
    };
    let call = call_for(said);
    let (reason, message) = match call {
        Some((tool, arguments)) => (
            "tool_calls",
            json!({"role": "assistant", "content": null, "tool_calls": [{
                "id": "call_1", "type": "function",
                "function": {"name": tool, "arguments": arguments.to_string()},
            }]}),
        ),
        None => ("stop", json!({"role": "assistant", "content": "Hello!"})),
    };
    json!({
        "id": "chatcmpl-bench", "object": "chat.completion", "created": 0, "model": "instant",
        "choices": [{"index": 0, "message": message, "finish_reason": reason}],
        "usage": {"prompt_tokens": body.len() / 4, "completion_tokens": 20, "total_tokens": 0},
    })
}

/// Tool call that the words ask for. Thanks are answered with a deletion, which nobody asked for.
fn call_for(said: &str) -> Option<(&'static str, serde_json::Value)> {
    if let Some(title) = said.strip_prefix("add ") {
        return Some(("add_task", json!({"title": title})));
    }
    if said.starts_with("what") {
        return Some(("list_tasks", json!({})));
    }
    if let Some(title) = said.strip_prefix("mark ") {
        let title = title.strip_suffix(" as done").unwrap_or(title);
        return Some(("complete_task", json!({"task": title})));
    }
    if let Some(title) = said.strip_prefix("delete ") {
        return Some(("delete_task", json!({"task": title})));
    }
    said.starts_with("thank")
        .then(|| ("delete_task", json!({"task": "1"})))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_words_are_answered_with_their_call() {
        let check = |messages: serde_json::Value, expect: Option<&str>| {
            let body = json!({"model": "x", "messages": messages, "tools": [{}]}).to_string();
            let answer = answer(body.as_bytes());
            let call = &answer["choices"][0]["message"]["tool_calls"][0]["function"]["name"];
            assert_eq!(call.as_str(), expect, "{body}");
        };
        let user = |words: &str| json!([{"role": "user", "content": words}]);
        check(user("add Milk 1"), Some("add_task"));
        check(user("what's on my list?"), Some("list_tasks"));
        check(user("mark Milk 1 as done"), Some("complete_task"));
        check(user("thank you"), Some("delete_task"));
        check(user("hello"), None);
        let told = json!([
            {"role": "user", "content": "add \"Milk\""},
            {"role": "assistant", "content": null, "tool_calls": []},
            {"role": "tool", "tool_call_id": "call_1", "content": "{}"},
        ]);
        check(told, None);
    }
}
