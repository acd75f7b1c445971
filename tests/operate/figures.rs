//! `/metrics` counts what happened, and tells nothing of anybody.

use std::time::Duration;

use candor::telemetry::names::{ALL, FigureKind};
use serde_json::json;

use super::page::Page;
use crate::support::openai::{ScriptedModel, Step};
use crate::support::server::Server;

/// A server with an everyday half hour behind it.
pub async fn used() -> (ScriptedModel, Server) {
    let model = ScriptedModel::start().await;
    let server = Server::start_with(&[
        ("CANDOR_TODAY", "2026-02-08"),
        ("CANDOR_RATE_LIMIT", "5/h"),
        ("OPENAI_BASE_URL", &model.base_url()),
        ("OPENAI_MODEL", "gpt-4"),
        ("OPENAI_API_KEY", "sk-canary-0123456789"),
    ])
    .await;
    model.call("add_task", json!({"title": "canary milk"}));
    server.chat("canary-user", "add canary milk").await;
    model.say("Done! I deleted canary milk.");
    server.chat("canary-user", "delete canary milk").await;
    model.call("delete_task", json!({"task": "canary milk"}));
    model.say("Deleted canary milk.");
    server.chat("canary-user", "what's on my list?").await;
    model.call("canary_tool", json!({}));
    model.say("All done.");
    server.chat("canary-user", "add canary bread").await;
    model.then(Step::Status(401, Vec::new()));
    let path = "/api/canary-user/chat";
    let down = server.post(path, json!({"message": "add eggs"})).await;
    assert_eq!(down.status, 503, "{}", down.text);
    let many = server.post(path, json!({"message": "add eggs"})).await;
    assert_eq!(many.status, 429, "{}", many.text);
    assert_eq!(server.get("/api/canary-user/nowhere").await.status, 404);
    server
        .send("BREW", "/api/canary-user/tasks", &[], None)
        .await;
    (model, server)
}

#[tokio::test]
async fn what_happened_is_counted() {
    let (_model, server) = used().await;
    let page = Page::of(&server).await;
    let check = |name: &str, labels: &[(&str, &str)], expect: f64| {
        let value = page.value(name, labels);
        assert!(
            (value - expect).abs() < 1e-9,
            "{name} {labels:?} is {value}:\n{}",
            page.text
        );
    };
    check("candor_turns_total", &[("kind", "receipt")], 1.0);
    assert!(page.sum("candor_turns_total", &[]) >= 4.0);
    check("candor_receipts_total", &[("action", "add_task")], 1.0);
    check("candor_receipts_total", &[("action", "delete_task")], 0.0);
    let done = [("tool", "add_task"), ("outcome", "done")];
    check("candor_tool_calls_total", &done, 1.0);
    check(
        "candor_tool_calls_total",
        &[("tool", "unknown"), ("outcome", "failed")],
        1.0,
    );
    let refused = [("tool", "delete_task"), ("outcome", "refused")];
    check("candor_tool_calls_total", &refused, 1.0);
    check(
        "candor_calls_refused_total",
        &[("reason", "unlicensed")],
        1.0,
    );
    assert!(
        page.value(
            "candor_ghost_attempts_stopped_total",
            &[("reason", "ghost")]
        ) >= 1.0
    );
    assert!(page.value("candor_verdicts_total", &[("verdict", "allow")]) >= 1.0);
    let asked = |outcome: &'static str| {
        [
            ("provider", "openai"),
            ("model", "gpt-4"),
            ("outcome", outcome),
        ]
    };
    check("candor_model_calls_total", &asked("unauthorized"), 1.0);
    let answered = page.value("candor_model_calls_total", &asked("answered"));
    assert!(answered >= 5.0, "{answered}");
    let read = [("provider", "openai"), ("direction", "input")];
    check("candor_model_tokens_total", &read, 20.0 * answered);
    check(
        "candor_problems_total",
        &[("code", "model_unavailable")],
        1.0,
    );
    check("candor_problems_total", &[("code", "quota_exceeded")], 1.0);
    check("candor_rate_limited_total", &[("policy", "user")], 1.0);
    let chats = [("method", "POST"), ("route", "/api/{user_id}/chat")];
    assert!((page.sum("candor_http_requests_total", &chats) - 6.0).abs() < 1e-9);
    let odd = [("method", "other"), ("status", "405")];
    check("candor_http_requests_total", &odd, 1.0);
    check("candor_http_requests_in_flight", &[], 1.0);
    check("candor_build_info", &[("database", "sqlite")], 1.0);
    check("candor_open_turns", &[], 0.0);
    assert!(page.value("process_resident_memory_bytes", &[]) > 1e6);
    assert!(page.value("candor_turn_duration_seconds_count", &[]) >= 4.0);
    let whole = page.value("candor_turn_duration_seconds_sum", &[]);
    let own = page.value("candor_turn_own_duration_seconds_sum", &[]);
    assert!(0.0 < own && own < whole, "{own} of {whole}");
    let commits = page.value("candor_commits_total", &[("outcome", "committed")]);
    assert!(commits >= 5.0);
    assert!(page.value("candor_statements_total", &[]) >= commits);
    check(
        "candor_commit_duration_seconds_count",
        &[],
        page.sum("candor_commits_total", &[]),
    );
}

#[tokio::test]
async fn a_page_tells_nothing_of_anybody_and_has_the_names_that_are_written_down() {
    let (_model, server) = used().await;
    let page = Page::of(&server).await;
    assert!(!page.text.contains("canary"), "{}", page.text);
    for label in page.labels() {
        assert!(
            uuid::Uuid::try_parse(label).is_err() && label.len() < 60,
            "{label}"
        );
    }
    let mut seen = page.names();
    for name in ALL {
        let suffixes: &[&str] = match name.kind {
            FigureKind::Histogram => &["_bucket", "_sum", "_count"],
            FigureKind::Counter | FigureKind::Gauge => &[""],
        };
        for suffix in suffixes {
            let sample = format!("{}{suffix}", name.name);
            let mut labels = seen.remove(sample.as_str()).expect(&sample);
            labels.remove("le");
            let expect: std::collections::BTreeSet<_> = name.labels.iter().copied().collect();
            assert_eq!(labels, expect, "{sample}");
        }
    }
    assert!(seen.is_empty(), "not in src/telemetry/names.rs: {seen:?}");
}

#[tokio::test]
async fn open_streams_are_counted_while_they_are_open() {
    let worker = "[[providers]]\nid = 'worker'\nkind = 'built_in'\n";
    let place = std::env::temp_dir().join(format!("candor-operate-{}", std::process::id()));
    std::fs::write(&place, worker).unwrap();
    let server = Server::start_with(&[("CANDOR_CONFIG", place.to_str().unwrap())]).await;
    std::fs::remove_file(&place).unwrap();
    let open = async || Page::of(&server).await.value("candor_event_streams", &[]);
    let until = async |expect: f64| {
        let patience = tokio::time::Instant::now() + Duration::from_secs(20);
        while (open().await - expect).abs() > 1e-9 {
            assert!(tokio::time::Instant::now() < patience, "not {expect}");
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    until(0.0).await;
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let stream = client
        .get(server.url("/api/me/events"))
        .send()
        .await
        .unwrap();
    assert_eq!(stream.status(), 200);
    until(1.0).await;
    // One that ends is counted out again, and the other stays.
    let ended = server.get("/api/me/events?follow=false").await;
    assert_eq!(ended.status, 200);
    until(1.0).await;
    drop(stream);
}

#[tokio::test]
async fn a_turn_tells_where_its_time_went() {
    let server = Server::start().await;
    let reply = server
        .post("/api/me/chat", json!({"message": "add milk"}))
        .await;
    let timing = reply.headers["server-timing"].to_str().unwrap();
    let parts: Vec<(&str, f64)> = timing
        .split(", ")
        .map(|part| {
            let (name, took) = part.split_once(";dur=").expect(timing);
            (name, took.parse().expect(timing))
        })
        .collect();
    let [
        ("total", total),
        ("model", model),
        ("commit", commit),
        ("own", own),
    ] = parts[..]
    else {
        panic!("{timing}")
    };
    assert!(0.0 < commit && commit <= own && own <= total, "{timing}");
    assert!((total - model - own).abs() < 0.002, "{timing}");
    let receipt = &reply.body["action_metadata"]["receipt_id"];
    let path = format!("/api/me/receipts/{}/undo", receipt.as_str().unwrap());
    let undone = server.send("POST", &path, &[], None).await;
    let timing = undone.headers["server-timing"].to_str().unwrap();
    assert!(timing.contains("model;dur=0.000, commit;dur="), "{timing}");
}
