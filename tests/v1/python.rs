//! The Python client of the OpenAI API: it reads our answers, and raises our errors as its own.

use std::process::Command;

use serde_json::{Value, json};

use super::Server;
use super::support::clients;
use super::support::openai::ScriptedModel;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/v1/client.py");

/// Returns what the script prints.
async fn ran(server: &Server, key: &str, what: &str) -> Value {
    let (base, key, what) = (server.url(""), key.to_owned(), what.to_owned());
    let run = move || {
        let mut command = Command::new(clients::python());
        command.env_clear().arg(SCRIPT).args([base, key, what]);
        command.output().unwrap()
    };
    let output = tokio::task::spawn_blocking(run).await.unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{said}");
    serde_json::from_slice(&output.stdout).unwrap()
}

#[tokio::test]
async fn it_reads_our_answers_and_raises_our_errors() {
    let server = Server::start().await;
    let found = ran(&server, "none", "all").await;
    let expect = json!({
        "models": ["candor", "candor-utility"],
        "model": "candor",
        "said": "Added: Read book",
        "finish": "stop",
        "candor": "Read book",
        "usage": true,
        "response": ["Added: milk", "milk"],
        "response_stream": ["Marked milk as done", "response.created", "response.completed"],
        "streamed": [
            "You have 2 tasks:\n1. Read book (pending, medium)\n2. milk (completed, medium)",
            "stop", true, "receipt",
        ],
        "helper": found["helper"],
        "faults": {
            "model": ["NotFoundError", 404, "model_not_found"],
            "n": ["BadRequestError", 400, "bad_request"],
            "empty": ["BadRequestError", 400, "invalid_message"],
            "image": ["BadRequestError", 400, "bad_request"],
            "large": ["APIStatusError", 413, "too_large"],
            "missing": ["NotFoundError", 404, "model_not_found"],
            "tools": ["BadRequestError", 400, "bad_request"],
            "parse": ["BadRequestError", 400, "bad_request"],
            "response_parse": ["BadRequestError", 400, "bad_request"],
            "address": ["NotFoundError", 404, "not_found"],
        },
    });
    assert_eq!(found, expect, "{found:#}");
    assert!(
        found["helper"]
            .as_str()
            .is_some_and(|said| !said.is_empty())
    );
}

#[tokio::test]
async fn who_may_not_or_not_any_more_is_told_in_its_own_words() {
    let variables = [("CANDOR_AUTH", "keys"), ("CANDOR_RATE_LIMIT", "2/h")];
    let server = Server::start_with(&variables).await;
    let make = |arguments: &[&str]| {
        let made = server.run_beside(&[], &[&["token", "create"], arguments].concat());
        made.out.trim().to_owned()
    };
    let (key, looker) = (
        make(&["--user", "ann"]),
        make(&["--user", "ann", "--scope", "read"]),
    );
    let admin = make(&["--scope", "admin", "--name", "operator"]);
    let mut faults = Vec::new();
    for credential in ["nonsense", &looker, &admin, &key, &key, &key] {
        faults.push(ran(&server, credential, "fault").await);
    }
    let expect = json!([
        ["AuthenticationError", 401, "invalid_api_key"],
        ["PermissionDeniedError", 403, "missing_scope"],
        ["BadRequestError", 400, "bad_user_id"],
        null,
        null,
        ["RateLimitError", 429, "rate_limit_exceeded"],
    ]);
    assert_eq!(json!(faults), expect);
    let model = ScriptedModel::start().await;
    let down = super::scripted(&model).await;
    let told = ran(&down, "none", "fault").await;
    assert_eq!(
        told,
        json!(["InternalServerError", 503, "model_unavailable"])
    );
}
