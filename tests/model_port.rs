//! The model port against a server that misbehaves in every way we know of: what comes of
//! each fault, how often it is asked again, when it ends, and what never leaves the port.

#![cfg(test)]

mod support;

use std::io::Write;
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use candor::domain::Lang;
use candor::intent::Reading;
use candor::llm::{
    LanguageModel, ModelAnswer, ModelError, ModelRequest, OpenAi, OpenAiConfig, PromptMessage,
    RawCall, ToolChoice, ToolSpec,
};
use serde_json::{Value, json};
use support::openai::{ScriptedModel, Step};
use tokio::task::JoinSet;

const KEY: &str = "sk-canary-7f3a";
const SOON: Duration = Duration::from_millis(100);

fn model(server: &ScriptedModel, models: &[&str]) -> OpenAi {
    let config = OpenAiConfig::new("openai", &server.base_url(), Some(KEY), models);
    OpenAi::new(config.with_limits(Duration::from_secs(1), SOON)).unwrap()
}

fn request(within: Duration) -> ModelRequest {
    let reading = Reading {
        lang: Lang::En,
        clauses: Vec::new(),
    };
    ModelRequest {
        prompt: vec![
            PromptMessage::System("Keep the list.".to_owned()),
            PromptMessage::User("undo".to_owned()),
        ],
        tools: Arc::new(vec![ToolSpec {
            name: "undo",
            description: "Takes back the latest change.".to_owned(),
            parameters: json!({"type": "object", "properties": {}, "additionalProperties": false}),
        }]),
        choice: ToolChoice::Auto,
        reading: Arc::new(reading),
        within,
    }
}

async fn ask(server: &ScriptedModel) -> Result<ModelAnswer, ModelError> {
    let request = request(Duration::from_secs(5));
    model(server, &["gpt-4"]).ask(&request).await
}

/// A server whose every answer is the step must end in the error after so many requests.
async fn check(cases: Vec<(Step, ModelError, usize)>) {
    let mut running = JoinSet::new();
    for (step, expect, requests) in cases {
        running.spawn(async move {
            let server = ScriptedModel::start().await;
            server.otherwise(step.clone());
            assert_eq!(ask(&server).await, Err(expect), "{step:?}");
            assert_eq!(server.requests().len(), requests, "{step:?}");
        });
    }
    running.join_all().await;
}

fn models_asked(server: &ScriptedModel) -> Vec<String> {
    let name = |body: &Value| body["model"].as_str().unwrap().to_owned();
    server.requests().iter().map(name).collect()
}

#[tokio::test]
async fn text_and_calls_arrive_whole() {
    let server = ScriptedModel::start().await;
    server.say("Good morning!").calls(vec![
        ("delete_task", json!({"task": "milk"})),
        ("undo", json!({})),
    ]);
    let model = model(&server, &["gpt-4"]);
    let request = request(Duration::from_secs(5));

    let talk = model.ask(&request).await.unwrap();
    assert_eq!(talk.text.as_deref(), Some("Good morning!"));
    assert_eq!(talk.calls, []);
    assert_eq!(talk.model, "openai (gpt-4)");
    assert_eq!(talk.usage, Some((20, 5)));

    let calls = model.ask(&request).await.unwrap().calls;
    let call = |id: &str, name: &str, arguments: &str| RawCall {
        id: id.to_owned(),
        name: name.to_owned(),
        arguments: arguments.to_owned(),
    };
    let expect = [
        call("call_1", "delete_task", "{\"task\":\"milk\"}"),
        call("call_2", "undo", "{}"),
    ];
    assert_eq!(calls, expect);
    assert_eq!(model.name(), "openai (gpt-4)");
}

#[tokio::test]
async fn the_request_says_what_was_asked_and_nothing_else() {
    let server = ScriptedModel::start().await;
    server.say("Hi");
    ask(&server).await.unwrap();

    let received = server.received().remove(0);
    assert_eq!(received.method, "POST");
    assert_eq!(received.path, "/v1/chat/completions");
    assert_eq!(
        received.header("authorization"),
        Some("Bearer sk-canary-7f3a")
    );
    assert_eq!(received.header("content-type"), Some("application/json"));
    assert_eq!(received.header("openai-organization"), None);
    assert_eq!(received.header("openai-project"), None);
    let expect = json!({
        "model": "gpt-4",
        "stream": false,
        "tools": [{"type": "function", "function": {
            "name": "undo",
            "description": "Takes back the latest change.",
            "strict": true,
            "parameters": {"type": "object", "properties": {}, "additionalProperties": false},
        }}],
        "tool_choice": "auto",
        "messages": [
            {"role": "system", "content": "Keep the list."},
            {"role": "user", "content": "undo"},
        ],
    });
    assert_eq!(received.body, expect);
}

#[tokio::test]
async fn no_key_means_no_authorization_header() {
    let server = ScriptedModel::start().await;
    server.say("Hi");
    let config = OpenAiConfig::new("local", &server.base_url(), Some(""), ["tiny"]);
    let model = OpenAi::new(config).unwrap();
    model.ask(&request(Duration::from_secs(5))).await.unwrap();
    assert_eq!(server.received()[0].header("authorization"), None);
}

#[tokio::test]
async fn refusals_that_asking_again_cannot_cure_are_reported_at_once() {
    let status = |status| Step::Status(status, Vec::new());
    let missing = Step::refusal(400, "The model `gpt-4` does not exist", "");
    let spent = Step::refusal(429, "You exceeded your quota", "insufficient_quota");
    let mut cases = vec![
        (status(401), ModelError::Unauthorized, 1),
        (status(403), ModelError::Unauthorized, 1),
        (status(404), ModelError::NoSuchModel, 1),
        (missing, ModelError::NoSuchModel, 1),
        (spent, ModelError::Status(429), 1),
    ];
    let others = [204, 400, 402, 413, 422];
    cases.extend(others.map(|code| (status(code), ModelError::Status(code), 1)));
    check(cases).await;
}

#[tokio::test]
async fn passing_refusals_are_repeated_twice() {
    let case = |code| (Step::Status(code, Vec::new()), ModelError::Status(code), 3);
    let mut cases = [408, 500, 502, 503, 529].map(case).to_vec();
    let limited = ModelError::RateLimited { retry_after: None };
    cases.push((Step::Status(429, Vec::new()), limited, 3));
    check(cases).await;
}

#[tokio::test]
async fn broken_connections_are_unreachable() {
    let hi = || Box::new(Step::say("Hi"));
    let framed = |name, value: &str, body: &[u8]| Step::Raw {
        status: 200,
        headers: vec![
            ("content-type", "application/json".to_owned()),
            (name, value.to_owned()),
        ],
        body: body.to_vec(),
    };
    let chunked = framed("transfer-encoding", "chunked", b"10\r\n{\"choices\":[{\"me");
    let steps = [
        Step::CloseAtOnce,
        Step::Cut(0, hi()),
        Step::Cut(60, hi()),
        Step::Cut(usize::MAX, Box::new(chunked)),
        framed("content-length", "not a number", b""),
    ];
    check(
        steps
            .map(|step| (step, ModelError::Unreachable, 3))
            .to_vec(),
    )
    .await;
}

#[tokio::test]
async fn a_server_that_is_gone_is_unreachable() {
    let gone = ScriptedModel::start().await;
    let model = model(&gone, &["gpt-4"]);
    drop(gone);
    let outcome = model.ask(&request(Duration::from_secs(5))).await;
    assert_eq!(outcome, Err(ModelError::Unreachable));
}

#[tokio::test]
async fn a_200_that_is_no_whole_answer_is_malformed() {
    let whole = json!({"choices": [{"message": {"content": "Hi"}, "finish_reason": "stop"}]});
    let text = whole.to_string();
    let json = "application/json";
    let finished = |reason: Value| {
        let mut body = whole.clone();
        body["choices"][0]["finish_reason"] = reason;
        Step::Json(body)
    };
    let stream = "data: {\"choices\":[{\"delta\":{\"content\":\"Hi\"}}]}\n\ndata: [DONE]\n\n";
    let huge = format!("{text}{}", " ".repeat(4 << 20));
    let unframed = Step::Raw {
        status: 200,
        headers: vec![
            ("content-type", json.to_owned()),
            ("connection", "close".to_owned()),
        ],
        body: text.as_bytes().to_vec(),
    };
    let cases = [
        (Step::body(json, ""), "not JSON"),
        (Step::body(json, "Hi"), "not JSON"),
        (Step::body(json, &text[..40]), "not JSON"),
        (Step::body(json, stream), "not JSON"),
        (Step::Cut(40, Box::new(unframed)), "not JSON"),
        (
            Step::body("text/event-stream", stream),
            "another content type",
        ),
        (
            Step::body("text/event-stream", &text),
            "another content type",
        ),
        (
            Step::body("text/html; charset=utf-8", "<h1>Hi</h1>"),
            "another content type",
        ),
        (Step::body(json, &huge), "too long"),
        (Step::Json(json!({"choices": []})), "no choice"),
        (
            Step::Json(json!({"choices": [{"finish_reason": "stop"}]})),
            "no message",
        ),
        (
            Step::Json(json!({"error": {"code": 502}})),
            "an error in place of an answer",
        ),
        (finished(Value::Null), "no finish reason"),
        (finished(json!("length")), "cut before its end"),
        (finished(json!("content_filter")), "cut before its end"),
        (
            finished(json!("tool_calls")),
            "calls announced and not sent",
        ),
    ];
    let case = |(step, expect)| (step, ModelError::Malformed(expect), 3);
    check(cases.map(case).to_vec()).await;
    for kind in [
        "application/json; charset=utf-8",
        "Application/JSON",
        "application/x+json",
    ] {
        let server = ScriptedModel::start().await;
        server.then(Step::body(kind, &text));
        assert!(ask(&server).await.is_ok(), "{kind}");
    }
}

#[tokio::test]
async fn a_fault_that_passes_is_not_noticed() {
    let server = ScriptedModel::start().await;
    server
        .then(Step::Status(503, Vec::new()))
        .then(Step::Cut(30, Box::new(Step::say("Hi"))))
        .say("Hello");
    assert_eq!(ask(&server).await.unwrap().text.as_deref(), Some("Hello"));
    assert_eq!(server.unplayed(), 0);
}

#[tokio::test]
async fn a_server_that_asks_for_time_is_obeyed_or_left_alone() {
    let wait = |seconds: &str| Step::Status(429, vec![("retry-after", seconds.to_owned())]);
    let server = ScriptedModel::start().await;
    server.then(wait("1")).say("Hi");
    let started = Instant::now();
    assert!(ask(&server).await.is_ok());
    assert!(started.elapsed() >= Duration::from_secs(1));

    let limited = |wait| ModelError::RateLimited {
        retry_after: Some(wait),
    };
    let started = Instant::now();
    check(vec![
        (wait("30"), limited(30), 1),
        (wait("999999"), limited(3600), 1),
    ])
    .await;
    assert!(started.elapsed() < Duration::from_secs(1));
}

#[tokio::test]
async fn the_deadline_holds_whatever_the_server_does() {
    let within = Duration::from_millis(400);
    let hi = || Box::new(Step::say("Hi"));
    let tick = Duration::from_millis(20);
    let steps = [
        Step::Silence,
        Step::After(Duration::from_secs(9), hi()),
        Step::Drip(tick, hi()),
        Step::Hang(0, hi()),
        Step::Hang(50, hi()),
        Step::After(within / 3, Box::new(Step::Status(500, Vec::new()))),
        Step::Status(429, vec![("retry-after", "1".to_owned())]),
    ];
    let mut running = JoinSet::new();
    for step in steps {
        for models in [&["a"][..], &["a", "b", "c"]] {
            let step = step.clone();
            running.spawn(async move {
                let server = ScriptedModel::start().await;
                server.otherwise(step.clone());
                let model = model(&server, models);
                let started = Instant::now();
                assert!(model.ask(&request(within)).await.is_err(), "{step:?}");
                let late = started.elapsed().saturating_sub(within);
                assert!(late < Duration::from_millis(100), "{step:?} {late:?}");
            });
        }
    }
    running.join_all().await;
}

#[tokio::test]
async fn a_slow_answer_is_waited_for_and_a_stalled_one_is_not() {
    let server = ScriptedModel::start().await;
    server.then(Step::After(
        SOON * 4,
        Box::new(Step::say("Thought about it.")),
    ));
    assert!(
        ask(&server).await.is_ok(),
        "silence before an answer is thinking"
    );

    let server = ScriptedModel::start().await;
    server
        .then(Step::Hang(50, Box::new(Step::say("Hi"))))
        .say("Hello");
    let started = Instant::now();
    assert_eq!(ask(&server).await.unwrap().text.as_deref(), Some("Hello"));
    assert!(started.elapsed() < Duration::from_secs(1));
}

#[tokio::test]
async fn a_server_that_sends_its_headers_early_may_think() {
    let server = ScriptedModel::start().await;
    let late = Step::Late(SOON * 4, Box::new(Step::say("Thought about it.")));
    server.then(late);
    let answer = ask(&server).await.unwrap();
    assert_eq!(answer.text.as_deref(), Some("Thought about it."));
    assert_eq!(server.received().len(), 1);
    // The time of the whole answer still bounds it.
    let late = Step::Late(Duration::from_secs(60), Box::new(Step::say("Hi")));
    server.otherwise(late);
    let outcome = model(&server, &["gpt-4"]).ask(&request(SOON * 3)).await;
    assert_eq!(outcome, Err(ModelError::Timeout));
    assert_eq!(server.received().len(), 2);
}

#[tokio::test]
async fn strict_schemas_hold_what_strict_mode_allows_and_are_left_out_where_they_are_refused() {
    let said = format!("Invalid schema for function 'add_task': no strictness for {KEY}.");
    let refusal = Step::refusal(400, &said, "invalid_function_parameters");
    let server = ScriptedModel::start().await;
    server.otherwise_with(move |body| {
        let strict = body.pointer("/tools/0/function/strict").is_some();
        if strict {
            refusal.clone()
        } else {
            Step::say("Hi")
        }
    });
    let mut request = request(Duration::from_secs(5));
    request.tools = candor::tools::specs();
    let model = model(&server, &["gpt-4"]);

    let log = Log::default();
    let sink = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_writer(move || sink.clone())
        .finish();
    let logging = tracing::subscriber::set_default(subscriber);
    for _ in 0..2 {
        let answer = model.ask(&request).await.unwrap();
        assert_eq!(answer.text.as_deref(), Some("Hi"));
    }
    drop(logging);
    // Once refused, they are not sent again.
    let strict = |body: &Value| body["tools"][0]["function"]["strict"].clone();
    let sent: Vec<Value> = server.requests().iter().map(strict).collect();
    assert_eq!(sent, [json!(true), json!(null), json!(null)]);
    let first = server.requests()[0]["tools"].to_string();
    for keyword in [
        "minLength",
        "maxLength",
        "default",
        "pattern",
        "format",
        "minimum",
    ] {
        assert!(
            !first.contains(&format!("\"{keyword}\":")),
            "{keyword}: {first}"
        );
    }
    let log = log.text();
    assert!(
        log.contains("Invalid schema for function 'add_task'"),
        "{log}"
    );
    assert!(!log.contains(KEY), "{log}");

    // A refusal that stays is reported, and not asked about for ever.
    let server = ScriptedModel::start().await;
    server.otherwise(Step::refusal(400, "bad schema", ""));
    let outcome = ask(&server).await;
    assert_eq!(outcome, Err(ModelError::Status(400)));
    let sent: Vec<Value> = server.requests().iter().map(strict).collect();
    assert_eq!(sent, [json!(true), json!(null)]);
}

#[tokio::test]
async fn strict_schemas_are_sent_again_where_leaving_them_out_did_not_help() {
    let server = ScriptedModel::start().await;
    let refusal = Step::refusal(400, "Invalid schema.", "");
    server.then(refusal.clone()).then(refusal);
    server.otherwise(Step::say("Hi"));
    let model = model(&server, &["gpt-4"]);
    let request = request(Duration::from_secs(5));
    let outcome = model.ask(&request).await;
    assert_eq!(outcome, Err(ModelError::Status(400)));
    model.ask(&request).await.unwrap();
    let strict = |body: &Value| body["tools"][0]["function"]["strict"].clone();
    let sent: Vec<Value> = server.requests().iter().map(strict).collect();
    assert_eq!(sent, [json!(true), json!(null), json!(true)]);
    // Where there are no tools, there is nothing to leave out.
    let server = ScriptedModel::start().await;
    server.otherwise(Step::refusal(400, "Invalid schema.", ""));
    let mut bare = request;
    bare.tools = Arc::default();
    let outcome = self::model(&server, &["gpt-4"]).ask(&bare).await;
    assert_eq!(outcome, Err(ModelError::Status(400)));
    assert_eq!(server.received().len(), 1);
}

#[tokio::test]
async fn fallbacks_are_asked_in_order() {
    let within = Duration::from_secs(5);
    let server = ScriptedModel::start().await;
    server.otherwise_with(|body| match body["model"].as_str() {
        Some("gone") => Step::Status(404, Vec::new()),
        Some("renamed") => Step::refusal(400, "invalid model: renamed", ""),
        Some("down") => Step::Status(500, Vec::new()),
        _ => Step::say("Hi"),
    });
    let models = model(&server, &["gone", "renamed", "down", "up", "spare"]);
    let answer = models.ask(&request(within)).await.unwrap();
    assert_eq!(answer.model, "openai (up)");
    assert_eq!(models.name(), "openai (gone)");
    let asked = models_asked(&server);
    assert_eq!(asked, ["gone", "renamed", "down", "down", "down", "up"]);

    let server = ScriptedModel::start().await;
    server.otherwise_with(|body| match body["model"].as_str() {
        Some("down") => Step::Status(502, Vec::new()),
        _ => Step::Status(404, Vec::new()),
    });
    let outcome = model(&server, &["down", "gone"])
        .ask(&request(within))
        .await;
    assert_eq!(outcome, Err(ModelError::Status(502)));
}

#[tokio::test]
async fn a_silent_model_leaves_time_for_its_fallback() {
    let server = ScriptedModel::start().await;
    server.otherwise_with(|body| match body["model"].as_str() {
        Some("silent") => Step::Silence,
        _ => Step::say("Hi"),
    });
    let model = model(&server, &["silent", "up"]);
    let answer = model
        .ask(&request(Duration::from_millis(600)))
        .await
        .unwrap();
    assert_eq!(answer.model, "openai (up)");
    assert_eq!(models_asked(&server), ["silent", "up"]);
}

#[tokio::test]
async fn a_refused_credential_and_a_rate_limit_stop_at_the_first_model() {
    for (status, requests) in [(401, 1), (403, 1), (429, 3)] {
        let server = ScriptedModel::start().await;
        server.otherwise(Step::Status(status, Vec::new()));
        let outcome = model(&server, &["a", "b"])
            .ask(&request(Duration::from_secs(5)))
            .await;
        assert!(outcome.is_err());
        assert_eq!(models_asked(&server), vec!["a"; requests], "{status}");
    }
}

#[tokio::test]
async fn redirects_are_not_followed() {
    let thief = ScriptedModel::start().await;
    thief.otherwise(Step::say("Thanks for the key."));
    for status in [301, 302, 303, 307, 308] {
        let server = ScriptedModel::start().await;
        let there = format!("{}/chat/completions", thief.base_url());
        server.otherwise(Step::Status(status, vec![("location", there)]));
        assert_eq!(ask(&server).await, Err(ModelError::Status(status)));
    }
    assert_eq!(thief.received().len(), 0);
}

#[tokio::test]
async fn neither_key_nor_body_gets_into_logs_or_errors() {
    let server = ScriptedModel::start().await;
    let told = format!("canary-body {KEY}");
    server
        .then(Step::Status(500, vec![("x-note", told.clone())]))
        .then(Step::body(
            "application/json",
            &format!("{{\"leak\": \"{told}\""),
        ))
        .then(Step::refusal(400, &told, "bad"))
        .then(Step::refusal(401, &told, "bad"))
        .then(Step::refusal(429, &told, "insufficient_quota"))
        .then(Step::Json(json!({"error": told.clone()})))
        .otherwise(Step::Json(json!({"choices": told})));
    let model = model(&server, &["gpt-4"]);

    let log = Log::default();
    let sink = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || sink.clone())
        .finish();
    let logging = tracing::subscriber::set_default(subscriber);
    let mut said = format!("{model:?}");
    for _ in 0..5 {
        let error = model
            .ask(&request(Duration::from_secs(5)))
            .await
            .unwrap_err();
        said.push_str(&format!("{error} {error:?}"));
    }
    drop(logging);
    assert_eq!(server.unplayed(), 0);
    said.push_str(&log.text());
    assert!(said.contains("no answer"), "the log was captured: {said}");
    for canary in ["canary", KEY, &server.base_url(), "undo"] {
        assert!(!said.contains(canary), "{canary} in {said}");
    }
}

/// Variables of the environment must neither redirect a prompt nor add to it. They can't be
/// set inside a running process, so the test that cares runs again in one that has them.
#[test]
fn the_environment_changes_nothing() {
    let status = Command::new(std::env::current_exe().unwrap())
        .args([
            "--exact",
            "the_request_says_what_was_asked_and_nothing_else",
        ])
        .env("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
        .env("OPENAI_API_KEY", "sk-from-the-environment")
        .env("OPENAI_ADMIN_KEY", "sk-admin")
        .env("OPENAI_ORG_ID", "org-from-the-environment")
        .env("OPENAI_PROJECT_ID", "project-from-the-environment")
        .env("HTTP_PROXY", "http://127.0.0.1:9")
        .env("http_proxy", "http://127.0.0.1:9")
        .env("ALL_PROXY", "http://127.0.0.1:9")
        .env_remove("NO_PROXY")
        .env_remove("no_proxy")
        .status()
        .unwrap();
    assert!(status.success());
}

/// A log kept in memory.
#[derive(Debug, Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Log {
    fn text(&self) -> String {
        String::from_utf8_lossy(&self.0.lock().unwrap()).into_owned()
    }
}

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
