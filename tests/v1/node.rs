//! The JavaScript clients of the OpenAI API: npm `openai`, and the AI SDK with `@ai-sdk/openai`,
//! whose default is the Responses API.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use super::Server;
use super::support::clients;

const SCRIPT: &str = include_str!("client.mjs");

/// Output of the script for a server.
async fn ran(server: &Server) -> Value {
    let module = SCRIPT.replace("BASE_URL", &server.url("/v1"));
    let run = move || {
        let mut child = Command::new(clients::node())
            .args(["--input-type=module", "-"])
            .current_dir(clients::npm())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        input.write_all(module.as_bytes()).unwrap();
        drop(input);
        child.wait_with_output().unwrap()
    };
    let output = tokio::task::spawn_blocking(run).await.unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[tokio::test]
async fn they_read_our_responses_and_raise_our_errors() {
    let server = Server::start().await;
    let found = ran(&server).await;
    let expect = json!({
        "ai": {
            "generated": "Added: Read book",
            "finish": "stop",
            "referred": "Marked Read book as done",
            "streamed": "Undone: Read book (pending again)",
            "streamed_finish": "stop",
            "usage": true,
            "warnings": 0,
            "object": [400, "Structured output"],
            "tools": [400, "Tools of the client's"],
        },
        "openai": {
            "text": "Added: milk",
            "continued": "Marked milk as done",
            "streamed": "Undone: milk (pending again)",
            "events": "response.completed",
            "parse": ["text.format", 400],
            "completion_parse": ["response_format", 400],
            "tools": ["tools", 400],
            "previous": "previous_response_not_found",
        },
        "titles": vec!["Delete Read book"; 4],
    });
    assert_eq!(found, expect, "{found:#}");
    // Nobody who asked for a title deleted it.
    assert!(server.titles("me").await.contains(&"Read book".to_owned()));
}
