//! Traces by OpenTelemetry's conventions: names, parents, and nothing that anybody said.

use opentelemetry_proto::tonic::trace::v1::span::SpanKind;
use serde_json::json;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};

use super::collector::{Collector, Seen};
use crate::support::openai::{ScriptedModel, Step};
use crate::support::server::Server;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
const CALLER: &str = "00f067aa0ba902b7";
const JSON: (&str, &str) = ("content-type", "application/json");

fn one<'s>(spans: &'s [Seen], name: &str, trace: &str) -> &'s Seen {
    let mut found = spans
        .iter()
        .filter(|span| span.name == name && span.trace == trace);
    let first = found.next();
    first.unwrap_or_else(|| panic!("no span {name} of {trace} among {spans:#?}"))
}

async fn talk(server: &Server, message: &str, traceparent: Option<&str>) {
    let traced = traceparent.map(|value| ("traceparent", value));
    let headers: Vec<_> = [JSON].into_iter().chain(traced).collect();
    let body = json!({"message": message}).to_string();
    let reply = server
        .send("POST", "/api/canary-user/chat", &headers, Some(body))
        .await;
    assert_eq!(reply.status, 200, "{}", reply.text);
}

#[tokio::test]
async fn a_turn_is_one_trace_from_the_caller_to_the_model() {
    let (collector, model) = (Collector::start().await, ScriptedModel::start().await);
    let (endpoint, base_url) = (collector.endpoint.clone(), model.base_url());
    let mut server = Server::start_with(&[
        ("CANDOR_TODAY", "2026-02-08"),
        ("OPENAI_BASE_URL", &base_url),
        ("OPENAI_MODEL", "gpt-4"),
        ("OPENAI_API_KEY", "sk-canary-0123456789"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint),
        ("OTEL_EXPORTER_OTLP_HEADERS", "x-team=todo"),
        ("OTEL_SERVICE_NAME", "todo"),
    ])
    .await;
    model.call("add_task", json!({"title": "canary milk"}));
    let parent = format!("00-{TRACE}-{CALLER}-01");
    talk(&server, "add canary milk", Some(&parent)).await;
    model.call("canary_tool", json!({"canary": "canary"}));
    model.say("Done, canary milk is gone!");
    talk(&server, "delete canary milk", Some("00-nonsense-canary-01")).await;
    let bad = json!({"message": ""}).to_string();
    server
        .send("POST", "/api/canary-user/chat", &[JSON], Some(bad))
        .await;
    let sent: Vec<String> = model
        .received()
        .iter()
        .map(|request| {
            request
                .header("traceparent")
                .expect("a traceparent")
                .to_owned()
        })
        .collect();
    server.terminate();
    assert!(server.ended().await.success(), "{}", server.log());

    let spans = collector.spans();
    let request = one(&spans, "POST /api/{user_id}/chat", TRACE);
    let turn = one(&spans, "invoke_agent candor", TRACE);
    let chat = one(&spans, "chat gpt-4", TRACE);
    let tool = one(&spans, "execute_tool add_task", TRACE);
    let commit = one(&spans, "commit", TRACE);
    let kinds = [request.kind, turn.kind, chat.kind, tool.kind];
    let expect = [
        SpanKind::Server,
        SpanKind::Internal,
        SpanKind::Client,
        SpanKind::Internal,
    ];
    assert_eq!(kinds, expect);
    assert_eq!(request.parent, CALLER);
    assert_eq!(turn.parent, request.id);
    for inside in [chat, tool, commit] {
        assert_eq!(inside.parent, turn.id, "{inside:?}");
    }
    let has = |span: &Seen, name: &str, value: &str| {
        assert_eq!(
            span.attributes.get(name).map(String::as_str),
            Some(value),
            "{span:?}"
        );
    };
    has(request, "http.request.method", "POST");
    has(request, "http.route", "/api/{user_id}/chat");
    has(request, "http.response.status_code", "200");
    has(request, "url.path", "/api/REDACTED/chat");
    has(request, "url.scheme", "http");
    has(request, "server.address", "127.0.0.1");
    has(turn, "gen_ai.operation.name", "invoke_agent");
    has(turn, "gen_ai.agent.name", "candor");
    has(turn, "candor.turn.kind", "receipt");
    has(chat, "gen_ai.operation.name", "chat");
    has(chat, "gen_ai.provider.name", "openai");
    has(chat, "gen_ai.request.model", "gpt-4");
    has(chat, "gen_ai.response.model", "gpt-4");
    has(chat, "gen_ai.response.finish_reasons", "tool_calls");
    has(chat, "gen_ai.usage.input_tokens", "20");
    has(chat, "gen_ai.usage.output_tokens", "5");
    has(chat, "gen_ai.response.id", "chatcmpl-scripted");
    has(chat, "server.address", "127.0.0.1");
    let port = base_url.trim_end_matches("/v1").rsplit(':').next().unwrap();
    has(chat, "server.port", port);
    has(tool, "gen_ai.operation.name", "execute_tool");
    has(tool, "gen_ai.tool.name", "add_task");
    has(tool, "gen_ai.tool.call.id", "call_1");
    has(tool, "candor.outcome", "done");
    has(commit, "candor.outcome", "committed");
    assert_eq!(sent[0], format!("00-{TRACE}-{}-01", chat.id));

    // What is no traceparent begins a trace of its own.
    let others = spans.iter().filter(|span| span.trace != TRACE);
    let roots: Vec<&Seen> = others.filter(|span| span.parent.is_empty()).collect();
    assert_eq!(roots.len(), 2, "{roots:#?}");
    let unknown = one(&spans, "execute_tool unknown", &roots[0].trace);
    assert!(unknown.failed);
    has(roots[1], "http.response.status_code", "422");
    has(roots[1], "error.type", "invalid_message");
    let probes = spans.iter().filter(|span| span.name.contains("readyz"));
    assert_eq!(probes.count(), 0);

    assert_eq!(collector.resource()["service.name"], "todo");
    for span in &spans {
        assert_eq!(span.events, 0, "{span:?}");
    }
    for (head, body) in collector.raw() {
        assert!(head.starts_with("post /v1/traces http/1.1\r\n"), "{head}");
        assert!(head.contains("x-team: todo") && head.contains("application/x-protobuf"));
        let text = String::from_utf8_lossy(&body);
        assert!(!text.contains("canary"), "{text}");
    }
    assert!(!server.log().contains("did not reach"), "{}", server.log());
}

#[tokio::test]
async fn every_attempt_is_a_span_and_every_fault_says_its_kind() {
    let (collector, model) = (Collector::start().await, ScriptedModel::start().await);
    let (endpoint, base_url) = (collector.endpoint.clone(), model.base_url());
    let mut server = Server::start_with(&[
        ("CANDOR_TODAY", "2026-02-08"),
        ("OPENAI_BASE_URL", &base_url),
        ("OPENAI_MODEL", "gpt-4"),
        ("OPENAI_FALLBACK_MODELS", "spare"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint),
    ])
    .await;
    model
        .then(Step::Status(500, Vec::new()))
        .then(Step::Status(404, Vec::new()))
        .call("add_task", json!({"title": "milk"}));
    let parent = format!("00-{TRACE}-{CALLER}-01");
    talk(&server, "add milk", Some(&parent)).await;
    let traceparents: Vec<String> = model
        .received()
        .iter()
        .map(|request| request.header("traceparent").unwrap().to_owned())
        .collect();
    // A model that is down ends the turn with 503.
    model.otherwise(Step::Status(400, Vec::new()));
    let body = json!({"message": "add eggs"}).to_string();
    let down = server
        .send("POST", "/api/canary-user/chat", &[JSON], Some(body))
        .await;
    assert_eq!(down.status, 503, "{}", down.text);
    // A row that can't be read is a fault of our own.
    let options = SqliteConnectOptions::new().filename(server.database());
    let mut file = SqliteConnection::connect_with(&options).await.unwrap();
    let broken = sqlx::query("UPDATE tasks SET due_date = '2026-13-45'");
    let broken = broken.execute(&mut file).await.unwrap();
    assert_eq!(broken.rows_affected(), 1);
    drop(file);
    let broken = server.get("/api/canary-user/tasks").await;
    assert_eq!(broken.status, 500, "{}", broken.text);
    server.terminate();
    assert!(server.ended().await.success(), "{}", server.log());

    let spans = collector.spans();
    let turn = one(&spans, "invoke_agent candor", TRACE);
    let mut attempts: Vec<&Seen> = spans
        .iter()
        .filter(|span| span.trace == TRACE && span.name.starts_with("chat "))
        .collect();
    let at = |span: &Seen| traceparents.iter().position(|sent| sent.contains(&span.id));
    attempts.sort_by_key(|span| at(span));
    let told: Vec<_> = attempts
        .iter()
        .map(|span| {
            (
                at(span),
                span.name.as_str(),
                span.attributes.get("error.type").map(String::as_str),
            )
        })
        .collect();
    let expect = [
        (Some(0), "chat gpt-4", Some("status")),
        (Some(1), "chat gpt-4", Some("no_such_model")),
        (Some(2), "chat spare", None),
    ];
    assert_eq!(told, expect);
    for attempt in &attempts {
        assert_eq!(attempt.parent, turn.id);
        assert_eq!(
            attempt.failed,
            attempt.attributes.contains_key("error.type")
        );
    }
    for (status, kind) in [("503", "model_unavailable"), ("500", "internal")] {
        let answered = |span: &&Seen| {
            let found = span.attributes.get("http.response.status_code");
            found.is_some_and(|found| found == status)
        };
        let failed: Vec<&Seen> = spans.iter().filter(answered).collect();
        assert_eq!(failed.len(), 1, "{status}: {spans:#?}");
        assert_eq!(failed[0].attributes["error.type"], kind);
        assert!(failed[0].failed);
    }
}

#[tokio::test]
async fn a_run_of_an_agent_is_in_the_trace_of_the_turn_that_began_it() {
    let collector = Collector::start().await;
    let name = format!("candor-traced-{}", std::process::id());
    let config = std::env::temp_dir().join(name);
    std::fs::write(&config, "[[providers]]\nid = 'worker'\nkind = 'built_in'\n").unwrap();
    let endpoint = collector.endpoint.clone();
    let mut server = Server::start_with(&[
        ("CANDOR_CONFIG", config.to_str().unwrap()),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", &endpoint),
    ])
    .await;
    std::fs::remove_file(&config).unwrap();
    let parent = format!("00-{TRACE}-{CALLER}-01");
    let words = "delegate canary hotels to the researcher";
    talk(&server, words, Some(&parent)).await;
    let run = server
        .get("/api/canary-user/delegations/run-1?wait_ms=20000")
        .await;
    assert!(run.body["ended_at"].is_string(), "{}", run.text);
    server.terminate();
    assert!(server.ended().await.success(), "{}", server.log());
    let spans = collector.spans();
    let turn = one(&spans, "invoke_agent candor", TRACE);
    let run = one(&spans, "invoke_agent researcher", TRACE);
    let call = one(&spans, "execute_tool delegate", TRACE);
    assert_eq!((&run.parent, &call.parent), (&call.id, &turn.id));
    assert!(
        run.attributes["gen_ai.agent.id"].starts_with("agent-"),
        "{run:?}"
    );
    let asked = spans
        .iter()
        .filter(|span| span.parent == run.id && span.name.starts_with("chat "));
    assert!(asked.count() > 0, "{spans:#?}");
    for (_, body) in collector.raw() {
        assert!(!String::from_utf8_lossy(&body).contains("canary"));
    }
}

#[tokio::test]
async fn nothing_is_sent_and_nothing_passed_on_unless_it_is_asked_for() {
    let model = ScriptedModel::start().await;
    let base_url = model.base_url();
    let server = Server::start_with(&[
        ("CANDOR_TODAY", "2026-02-08"),
        ("OPENAI_BASE_URL", &base_url),
        ("OPENAI_MODEL", "gpt-4"),
        ("OTEL_SERVICE_NAME", "todo"),
    ])
    .await;
    model.call("add_task", json!({"title": "milk"}));
    talk(
        &server,
        "add milk",
        Some(&format!("00-{TRACE}-{CALLER}-01")),
    )
    .await;
    assert_eq!(model.received()[0].header("traceparent"), None);
}

#[tokio::test]
async fn a_collector_that_is_gone_holds_nobody_up() {
    let mut server = Server::start_with(&[
        ("CANDOR_TODAY", "2026-02-08"),
        ("OTEL_EXPORTER_OTLP_ENDPOINT", "http://127.0.0.1:9"),
        ("OTEL_BSP_SCHEDULE_DELAY", "50"),
    ])
    .await;
    talk(&server, "add milk", None).await;
    let patience = tokio::time::Instant::now() + std::time::Duration::from_secs(20);
    while !server.log().contains("takes no spans") {
        assert!(tokio::time::Instant::now() < patience, "{}", server.log());
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
    server.terminate();
    assert!(server.ended().await.success(), "{}", server.log());
}
