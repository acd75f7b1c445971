//! Budgets, retries, places, turns.

use std::time::Duration;

use serde_json::json;

use crate::scene::{Scene, eventually, last, report};
use crate::support::openai::{Gate, Step};

#[tokio::test]
async fn a_15_a_budget_is_said_and_then_ends_the_run() {
    let scene = Scene::new().await;
    let note = Step::calls(vec![("add_note", json!({"note": "half way"}))]);
    scene
        .then(
            "fast-model",
            Step::After(Duration::from_millis(900), Box::new(note)),
        )
        .then("fast-model", Step::Silence);
    let run = scene
        .hand("Research hotels", json!({"time_budget_ms": 800}))
        .await;
    let ended = scene.ended(&run).await;
    assert_eq!(
        (&ended["state"], &ended["error"]["errorType"]),
        (&json!("failed"), &json!("timeout"))
    );
    assert_eq!(ended["error"]["error"], "not finished within 1200 ms");
    assert!(last(&scene.asked("fast-model")[1]).starts_with("Your time budget is used up."));
    eventually("the call in flight is closed", async || {
        (scene.model.left() == 1).then_some(())
    })
    .await;
    assert_eq!(scene.task("Research hotels").await["status"], "pending");
    scene.holds().await;
}

#[tokio::test]
async fn a_15_passing_faults_are_repeated_and_lasting_ones_named() {
    let scene = Scene::new().await;
    scene
        .then("fast-model", Step::Status(429, Vec::new()))
        .reports("fast-model", "Adler.");
    let run = scene.hand("Research hotels", json!({})).await;
    assert_eq!(scene.ended(&run).await["state"], "completed");
    for _ in 0..4 {
        scene.then("fast-model", Step::Status(500, Vec::new()));
    }
    let run = scene.hand("Research flights", json!({})).await;
    let ended = scene.ended(&run).await;
    assert_eq!(
        (&ended["state"], &ended["error"]["errorType"]),
        (&json!("failed"), &json!("unavailable"))
    );
    let error = ended["error"]["error"].as_str().unwrap();
    assert!(
        error.ends_with("Provider: openai-dev (fast-model)"),
        "{error}"
    );
    assert_eq!(scene.asked("fast-model").len(), 6);
    scene.holds().await;
}

#[tokio::test]
async fn a_20_what_is_named_is_used_or_refused_and_auto_says_why() {
    let scene = Scene::new().await;
    let task = scene
        .server
        .add("me", json!({"title": "Research hotels"}))
        .await;
    let refused = async |asked: serde_json::Value, code: &str, expect: &str| {
        let reply = scene.try_hand(&task, asked).await;
        assert_eq!(reply.problem(), code, "{}", reply.text);
        let detail = reply.body["detail"].as_str().unwrap();
        assert!(detail.contains(expect), "{detail}");
    };
    let not = "Provider 'gptoss' is not available: not configured.";
    refused(
        json!({"assign_to": "new:lace", "provider": "gptoss"}),
        "provider_unavailable",
        not,
    )
    .await;
    refused(
        json!({"assign_to": "new:lace", "provider": "custom:off"}),
        "provider_unavailable",
        "disabled",
    )
    .await;
    refused(
        json!({"assign_to": "new:lace;openai-dev:gpt-4", "provider": "codex"}),
        "invalid_delegation",
        "",
    )
    .await;
    refused(
        json!({"assign_to": "new:nobody"}),
        "unknown_delegation",
        "not found in registry",
    )
    .await;
    refused(
        json!({"assign_to": "lace"}),
        "invalid_delegation",
        "Invalid agent specification: lace.",
    )
    .await;
    assert!(scene.model.requests().is_empty());
    assert!(
        scene
            .read("SELECT id FROM agent_runs UNION ALL SELECT id FROM agent_sessions")
            .await
            .is_empty()
    );
    // One that failed is passed over, and the run says so.
    let run = scene
        .try_hand(
            &task,
            json!({"assign_to": "new:lace", "provider": "custom:dead"}),
        )
        .await;
    let ended = scene.ended(run.body["run"].as_str().unwrap()).await;
    assert_eq!(ended["error"]["errorType"], "unavailable", "{ended:#}");
    refused(
        json!({"assign_to": "new:lace", "provider": "custom:dead"}),
        "provider_unavailable",
        "unhealthy",
    )
    .await;
    scene.reports("parent-model", "Adler.");
    let run = scene
        .try_hand(&task, json!({"assign_to": "new:lace"}))
        .await;
    let ended = scene.ended(run.body["run"].as_str().unwrap()).await;
    assert_eq!(
        (&ended["provider"], &ended["state"]),
        (&json!("openai-dev"), &json!("completed")),
        "{ended:#}"
    );
    assert!(
        ended["notes"]
            .as_str()
            .unwrap()
            .starts_with("auto -> openai-dev"),
        "{ended:#}"
    );
    scene.holds().await;
}

#[tokio::test]
async fn a_28_the_eleventh_run_waits_and_high_goes_before_low() {
    let scene = Scene::with("max_runs_per_user = 2", &[]).await;
    let gate = Gate::closed();
    for _ in 0..2 {
        scene.then(
            "fast-model",
            Step::Held(gate.clone(), Box::new(report("Done.", &[]))),
        );
    }
    for number in 0..2 {
        let run = scene.hand(&format!("First {number}"), json!({})).await;
        scene.until(&run, "running").await;
    }
    scene.asked_times("fast-model", 2).await;
    scene
        .reports("fast-model", "High.")
        .reports("fast-model", "Low.");
    let mut waiting = Vec::new();
    for (title, priority) in [("Low", "low"), ("High", "high")] {
        let task = scene
            .server
            .add("me", json!({"title": title, "priority": priority}))
            .await;
        let reply = scene
            .try_hand(&task, json!({"assign_to": "new:researcher;fast"}))
            .await;
        waiting.push(reply.body["run"].as_str().unwrap().to_owned());
    }
    tokio::time::sleep(Duration::from_millis(1200)).await;
    assert_eq!(scene.asked("fast-model").len(), 2, "no more than allowed");
    for run in &waiting {
        assert_eq!(scene.run(run).await["state"], "pending");
    }
    gate.open();
    let (low, high) = (
        scene.ended(&waiting[0]).await,
        scene.ended(&waiting[1]).await,
    );
    let started = |run: &serde_json::Value| run["started_at"].as_str().unwrap().to_owned();
    assert!(started(&high) <= started(&low), "{high:#} {low:#}");
    assert_eq!(high["state"], "completed");
    scene.holds().await;
}

#[tokio::test]
async fn a_28_an_agent_delegates_nothing_and_has_twenty_five_turns() {
    let scene = Scene::new().await;
    scene.calls(
        "fast-model",
        vec![
            ("delegate", json!({"tasks": []})),
            ("delete_task", json!({"task": "Research hotels"})),
        ],
    );
    for _ in 0..24 {
        scene.calls(
            "fast-model",
            vec![("add_note", json!({"note": "still here"}))],
        );
    }
    let run = scene.hand("Research hotels", json!({})).await;
    let ended = scene.ended(&run).await;
    assert_eq!(
        (&ended["state"], &ended["error"]["errorType"]),
        (&json!("failed"), &json!("limit")),
        "{ended:#}"
    );
    let asked = scene.asked("fast-model");
    assert_eq!(asked.len(), 25);
    let tools = asked[0]["tools"].as_array().unwrap().iter();
    let tools: Vec<_> = tools
        .map(|tool| tool["function"]["name"].as_str().unwrap())
        .collect();
    assert_eq!(
        tools,
        ["report_result", "add_note", "read_file", "list_files"]
    );
    for result in crate::scene::results(&asked[1]) {
        assert_eq!(result["errorType"], "unsupported", "{result}");
    }
    assert_eq!(scene.task("Research hotels").await["status"], "pending");
    scene.holds().await;
}
