//! Sessions: what was said is kept, and goes when it is told to go.

use serde_json::{Value, json};

use crate::scene::{Scene, report};
use crate::support::openai::{Gate, Step};

#[tokio::test]
async fn a_07_a_run_can_be_asked_about_while_it_works_and_as_often_as_one_likes() {
    let mut scene = Scene::new().await;
    let gate = Gate::closed();
    scene.then(
        "fast-model",
        Step::Held(gate.clone(), Box::new(report("Adler.", &[]))),
    );
    let began = std::time::Instant::now();
    let run = scene
        .hand("Research hotels", json!({"run_in_background": true}))
        .await;
    assert!(began.elapsed().as_millis() < 500, "{:?}", began.elapsed());
    let standing = scene.until(&run, "running").await;
    assert!(standing["result"].is_null(), "{standing:#}");
    gate.open();
    scene.ended(&run).await;
    let read = scene.run(&run).await;
    assert_eq!(
        (&read["state"], &read["metrics"]["tool_calls"]),
        (&json!("completed"), &json!(1))
    );
    assert_eq!(scene.run(&run).await, read);
    scene.server.crash_and_restart().await;
    assert_eq!(scene.run(&run).await, read);
    scene.holds().await;
}

#[tokio::test]
async fn a_08_waiting_too_long_is_neither_a_failure_nor_a_success() {
    let scene = Scene::new().await;
    let gate = Gate::closed();
    scene.then(
        "fast-model",
        Step::Held(gate.clone(), Box::new(report("Adler.", &[]))),
    );
    let run = scene.hand("Research hotels", json!({})).await;
    scene.asked_times("fast-model", 1).await;
    let began = std::time::Instant::now();
    let reply = scene
        .server
        .get(&format!("/api/me/delegations/{run}?wait_ms=300"))
        .await;
    let took = began.elapsed().as_millis();
    assert!((300..2000).contains(&took), "{took}");
    assert_eq!(
        (&reply.body["state"], &reply.body["timed_out"]),
        (&json!("running"), &json!(true))
    );
    gate.open();
    assert_eq!(scene.ended(&run).await["state"], "completed");
    scene.holds().await;
}

#[tokio::test]
async fn a_26_lists_transcripts_removal_and_cleaning_up() {
    let scene = Scene::new().await;
    scene
        .calls(
            "fast-model",
            vec![("add_note", json!({"note": "Looking."}))],
        )
        .reports("fast-model", "Adler.");
    scene.reports("smart-model", "Quiet.");
    let hotels = scene.hand("Research hotels", json!({})).await;
    let hotels = scene.ended(&hotels).await;
    let logs = scene
        .hand("Analyze logs", json!({"assign_to": "new:lace;smart"}))
        .await;
    scene.ended(&logs).await;
    let gate = Gate::closed();
    scene.then(
        "fast-model",
        Step::Held(gate.clone(), Box::new(report("Late.", &[]))),
    );
    let live = scene.hand("Research flights", json!({})).await;
    scene.asked_times("fast-model", 3).await;

    let list = async |query: &str| -> Value {
        let reply = scene
            .server
            .get(&format!("/api/me/delegations{query}"))
            .await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        reply.body
    };
    let runs = |body: &Value| -> Vec<String> {
        let runs = body["delegations"].as_array().unwrap().iter();
        runs.map(|run| run["run"].as_str().unwrap().to_owned())
            .collect()
    };
    assert_eq!(runs(&list("").await), ["run-3", "run-2", "run-1"]);
    assert_eq!(runs(&list("?state=completed").await), ["run-2", "run-1"]);
    assert_eq!(runs(&list("?persona=lace").await), ["run-2"]);
    let task = hotels["task_id"].as_str().unwrap();
    assert_eq!(runs(&list(&format!("?task={task}")).await), ["run-1"]);
    let page = list("?limit=2").await;
    assert_eq!(
        (&page["matched"], &page["withheld"], &page["next_cursor"]),
        (&json!(3), &json!(1), &json!("run-2"))
    );
    assert_eq!(runs(&list("?limit=2&cursor=run-2").await), ["run-1"]);

    let agent = hotels["agent_id"].as_str().unwrap().to_owned();
    let path = format!("/api/me/sessions/{agent}/transcript");
    let transcript = scene.server.get(&path).await.body;
    let sent = &scene.asked("fast-model")[1]["messages"];
    let kept = transcript["messages"].as_array().unwrap();
    for (kept, sent) in kept.iter().zip(sent.as_array().unwrap()) {
        assert_eq!(kept["role"], sent["role"]);
        assert_eq!(
            kept["content"],
            sent["content"].as_str().unwrap_or_default()
        );
    }
    assert_eq!(
        scene
            .server
            .get(&format!("/api/you/sessions/{agent}"))
            .await
            .problem(),
        "unknown_delegation"
    );
    let call = scene.server.get("/api/me/tool-calls/call_1").await.body;
    assert_eq!(
        (&call["name"], &call["ok"]),
        (&json!("report_result"), &json!(true)),
        "{call:#}"
    );

    let busy = scene.run(&live).await["agent_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let remove = async |query: &str| {
        scene
            .server
            .delete(&format!("/api/me/sessions/{busy}{query}"))
            .await
    };
    assert_eq!(remove("").await.problem(), "conflict");
    assert_eq!(remove("?force=true").await.status, 204);
    assert_eq!(remove("").await.status, 204, "to remove twice is no fault");

    let cleaned = scene
        .server
        .post("/api/me/admin/cleanup", json!({"max_age_ms": 0}))
        .await;
    assert_eq!(
        (cleaned.status, &cleaned.body["kept"]),
        (200, &json!(2)),
        "{}",
        cleaned.text
    );
    assert_eq!(scene.task("Research hotels").await["status"], "completed");
    let proofs = "SELECT r.result_text FROM agent_results AS r JOIN tasks AS t ON t.completed_run_id = r.run_id ORDER BY 1";
    assert_eq!(scene.read(proofs).await, ["Adler.", "Quiet."]);
    scene.holds().await;
}

#[tokio::test]
async fn without_a_provider_there_is_nothing_of_it() {
    let server = crate::support::server::Server::start().await;
    let task = server.add("me", json!({"title": "Research hotels"})).await;
    let id = task["id"].as_str().unwrap();
    for path in [
        "delegations",
        "delegations/run-1",
        "agents",
        "metrics/tools",
        "sessions/agent-abc123",
    ] {
        let reply = server.get(&format!("/api/me/{path}")).await;
        assert_eq!(reply.problem(), "not_found", "{path}: {}", reply.text);
    }
    let reply = server
        .post(&format!("/api/me/tasks/{id}/delegate"), json!({}))
        .await;
    assert_eq!(reply.problem(), "not_found", "{}", reply.text);
}
