//! Stopping: by request, by deletion, by a process that dies.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::scene::{Scene, eventually, report};
use crate::support::openai::{Gate, Step};

#[tokio::test]
async fn a_18_what_a_killed_process_left_is_interrupted_and_can_be_gone_on_with() {
    let mut scene = Scene::new().await;
    scene
        .calls(
            "fast-model",
            vec![("read_file", json!({"path": "hotels.md"}))],
        )
        .then("fast-model", Step::Silence);
    let run = scene.hand("Research hotels", json!({})).await;
    scene.asked_times("fast-model", 2).await;
    scene.server.crash_and_restart().await;
    let ended = scene.until(&run, "interrupted").await;
    assert!(
        ended["result"].is_null() && ended["ended_at"].is_string(),
        "{ended:#}"
    );
    assert_eq!(scene.task("Research hotels").await["status"], "pending");
    let told = scene.server.events("me", "run").await;
    let told = told
        .iter()
        .map(|event| &event["payload"])
        .rfind(|it| it["type"] == "run_state")
        .unwrap();
    assert_eq!(told["to"], "interrupted");
    assert!(
        told["reason"].as_str().unwrap().contains("outcome unknown"),
        "{told}"
    );
    scene.reports("fast-model", "Adler.");
    let task = scene.task("Research hotels").await;
    let again = scene
        .try_hand(
            &task,
            json!({"resume": ended["agent_id"], "prompt": "Go on."}),
        )
        .await;
    let ended = scene.ended(again.body["run"].as_str().unwrap()).await;
    assert_eq!(
        (&ended["state"], &ended["round"]),
        (&json!("completed"), &json!(2)),
        "{ended:#}"
    );
    // The file was read once, and its result is what the second round saw.
    let reads = scene.server.events("me", "run").await;
    let reads = reads
        .iter()
        .filter(|it| it["payload"]["type"] == "tool_call" && it["payload"]["name"] == "read_file");
    assert_eq!(reads.count(), 1);
    scene.holds().await;
}

#[tokio::test]
async fn a_18_after_the_restart_the_chat_says_that_the_outcome_is_unknown() {
    let mut scene = Scene::with("foreground_wait_ms = 300", &[]).await;
    let hand = json!({"tasks": [{"title": "Research hotels", "prompt": "Compare."}],
        "assign_to": "new:researcher;fast"});
    scene
        .calls("parent-model", vec![("delegate", hand)])
        .then("parent-model", Step::say("It is done!"))
        .then("fast-model", Step::Silence);
    let words = "delegate Research hotels to the researcher";
    let first = scene.server.chat("me", words).await;
    let run = first["action_metadata"]["delegation"]["run"]
        .as_str()
        .unwrap();
    scene.asked_times("fast-model", 1).await;
    scene.server.crash_and_restart().await;
    scene.until(run, "interrupted").await;
    let ask = json!({"task": "Research hotels"});
    scene
        .calls("parent-model", vec![("task_output", ask)])
        .then("parent-model", Step::say("The researcher has finished."));
    let reply = scene
        .server
        .go_on("me", &first, "how is Research hotels going?")
        .await;
    let said = reply["assistant_message"].as_str().unwrap();
    assert!(
        said.starts_with("Outcome unknown: Research hotels"),
        "{reply:#}"
    );
    assert!(!said.contains("finished"), "{said}");
    assert_eq!(
        said.matches("Outcome unknown").count(),
        1,
        "told once: {said}"
    );
    assert_eq!(scene.task("Research hotels").await["status"], "pending");
    scene.holds().await;
}

#[tokio::test]
async fn a_18_a_turn_that_was_cut_while_it_waited_is_told_from_its_receipts() {
    let mut scene = Scene::new().await;
    let hand = json!({"tasks": [{"title": "Research hotels", "prompt": "Compare."}],
        "assign_to": "new:researcher;fast"});
    scene
        .calls("parent-model", vec![("delegate", hand)])
        .then("fast-model", Step::Silence);
    let message = json!({"message": "delegate Research hotels to the researcher"});
    // The round is committed and the turn waits for its run; nothing was answered yet.
    let sent = scene
        .server
        .post_keyed("/api/me/chat", "key-1", message.clone());
    tokio::select! {
        reply = sent => panic!("it did not wait: {}", reply.text),
        _ = scene.asked_times("fast-model", 1) => {}
    }
    scene.server.crash_and_restart().await;
    let told = eventually("the turn is told", async || {
        let reply = scene
            .server
            .post_keyed("/api/me/chat", "key-1", message.clone())
            .await;
        (reply.status == 200).then_some(reply.body)
    })
    .await;
    let said = told["assistant_message"].as_str().unwrap();
    assert!(
        said.starts_with("Delegated: Research hotels (researcher, agent-"),
        "{told:#}"
    );
    assert!(said.contains("run-1"), "{said}");
    assert!(!said.contains("finished"), "{said}");
    // What was begun is not begun again, whoever asks under the same key.
    let again = scene
        .server
        .post_keyed("/api/me/chat", "key-1", message)
        .await;
    assert_eq!(again.body, told);
    assert_eq!(scene.asked("parent-model").len(), 1);
    assert_eq!(scene.read("SELECT id FROM agent_runs").await.len(), 1);
    assert_eq!(scene.server.titles("me").await, ["Research hotels"]);
    // How the run ended is told by the next turn.
    scene.until("run-1", "interrupted").await;
    scene.then("parent-model", Step::say("Hello!"));
    let next = scene.server.go_on("me", &told, "hello there").await;
    let said = next["assistant_message"].as_str().unwrap();
    assert_eq!(
        said.matches("Outcome unknown: Research hotels").count(),
        1,
        "{next:#}"
    );
    scene.holds().await;
}

#[tokio::test]
async fn a_19_a_request_to_stop_closes_the_call_in_flight() {
    a_request_to_stop_is_heard(Scene::new().await).await;
}

pub async fn a_request_to_stop_is_heard(scene: Scene) {
    scene
        .then("fast-model", Step::Silence)
        .then("fast-model", Step::Silence);
    let run = scene.hand("Research hotels", json!({})).await;
    scene.asked_times("fast-model", 1).await;
    let began = Instant::now();
    let path = format!("/api/me/delegations/{run}/cancel");
    let cancelled = scene
        .server
        .post(&path, json!({"reason": "changed my mind"}))
        .await;
    assert_eq!(
        (cancelled.status, &cancelled.body["state"]),
        (200, &json!("cancelled")),
        "{}",
        cancelled.text
    );
    assert!(
        began.elapsed() < Duration::from_secs(2),
        "{:?}",
        began.elapsed()
    );
    eventually("the call is closed", async || {
        (scene.model.left() == 1).then_some(())
    })
    .await;
    assert!(
        began.elapsed() < Duration::from_secs(2),
        "{:?}",
        began.elapsed()
    );
    let again = scene.server.post(&path, json!({})).await;
    assert_eq!(
        (again.status, &again.body["state"]),
        (200, &json!("cancelled"))
    );
    // By deleting the task.
    let run = scene.hand("Research flights", json!({})).await;
    scene.asked_times("fast-model", 2).await;
    let id = scene.task("Research flights").await["id"]
        .as_str()
        .unwrap()
        .to_owned();
    assert_eq!(
        scene
            .server
            .delete(&format!("/api/me/tasks/{id}"))
            .await
            .status,
        204
    );
    scene.until(&run, "cancelled").await;
    eventually("the call is closed", async || {
        (scene.model.left() == 2).then_some(())
    })
    .await;
    scene.holds().await;
}

#[tokio::test]
async fn a_19_what_does_not_stop_is_not_said_to_have() {
    let scene = Scene::with("", &[("CANDOR_PLANTED_IN_RUNNER", "deaf")]).await;
    let gate = Gate::closed();
    let late = report("Adler.", &[]);
    scene.then("fast-model", Step::Held(gate.clone(), Box::new(late)));
    let run = scene.hand("Research hotels", json!({})).await;
    scene.asked_times("fast-model", 1).await;
    let path = format!("/api/me/delegations/{run}/cancel");
    let reply = scene.server.post(&path, json!({})).await;
    assert_eq!(reply.problem(), "conflict", "{}", reply.text);
    assert_eq!(
        reply.body["detail"],
        "Cancel requested; work may still land."
    );
    let standing = scene.run(&run).await;
    assert_eq!(
        (&standing["state"], &standing["stopping"]),
        (&json!("running"), &json!(true))
    );
    gate.open();
    scene.ended(&run).await;
    scene.holds().await;
}

#[tokio::test]
async fn a_19_a_run_that_waits_is_stopped_at_once_and_one_that_ended_stays_as_it_is() {
    let scene = Scene::with("max_runs_per_user = 1", &[]).await;
    let gate = Gate::closed();
    scene.then(
        "fast-model",
        Step::Held(gate.clone(), Box::new(report("Adler.", &[]))),
    );
    let first = scene.hand("Research hotels", json!({})).await;
    scene.asked_times("fast-model", 1).await;
    let waiting = scene.hand("Research flights", json!({})).await;
    let cancel = async |run: &str| {
        scene
            .server
            .post(&format!("/api/me/delegations/{run}/cancel"), json!({}))
            .await
    };
    assert_eq!(cancel(&waiting).await.body["state"], "cancelled");
    gate.open();
    assert_eq!(scene.ended(&first).await["state"], "completed");
    let late = cancel(&first).await;
    assert_eq!(late.problem(), "conflict");
    assert!(
        late.body["detail"]
            .as_str()
            .unwrap()
            .contains("it is completed"),
        "{}",
        late.text
    );
    assert_eq!(scene.run(&first).await["state"], "completed");
    assert_eq!(cancel("run-99").await.problem(), "unknown_delegation");
    scene.holds().await;
}

#[tokio::test]
async fn a_server_that_shuts_down_says_that_the_outcome_is_unknown() {
    let mut scene = Scene::new().await;
    scene.then("fast-model", Step::Silence);
    let run = scene.hand("Research hotels", json!({})).await;
    scene.asked_times("fast-model", 1).await;
    scene.server.terminate();
    assert!(scene.server.ended().await.success());
    let states = scene.read("SELECT state FROM agent_runs").await;
    assert_eq!(states, ["interrupted"]);
    scene.server.crash_and_restart().await;
    assert_eq!(scene.run(&run).await["state"], "interrupted");
    scene.holds().await;
}
