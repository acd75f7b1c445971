//! Going on in an agent's conversation, and never silently beginning anew.

use serde_json::{Value, json};

use crate::scene::{Scene, report};
use crate::support::openai::{Gate, Step};

#[tokio::test]
async fn a_16_a_resumed_agent_sees_the_whole_first_round() {
    let scene = Scene::new().await;
    scene
        .calls(
            "fast-model",
            vec![("read_file", json!({"path": "hotels.md"}))],
        )
        .reports("fast-model", "Adler.");
    let first = scene
        .hand("Research hotels", json!({"prompt": "Find one."}))
        .await;
    let first = scene.ended(&first).await;
    let agent = first["agent_id"].as_str().unwrap().to_owned();
    for (number, by) in [first["run"].as_str().unwrap(), &agent].iter().enumerate() {
        scene.reports("fast-model", "And the Bär.");
        let run = scene
            .hand(
                &format!("More {number}"),
                json!({"resume": by, "prompt": "Find another."}),
            )
            .await;
        let ended = scene.ended(&run).await;
        assert_eq!(
            (&ended["state"], &ended["agent_id"]),
            (&json!("completed"), &json!(agent)),
            "{ended:#}"
        );
        assert_eq!(
            (&ended["round"], &ended["model"]),
            (&json!(number + 2), &json!("fast-model"))
        );
        let asked = scene.asked("fast-model");
        let said: Vec<_> = asked.last().unwrap()["messages"]
            .as_array()
            .unwrap()
            .iter()
            .map(|it| it["role"].as_str().unwrap())
            .collect();
        assert_eq!(
            said[..6],
            ["system", "user", "assistant", "tool", "assistant", "tool"]
        );
        assert_eq!(said.last(), Some(&"user"));
        let text = asked.last().unwrap()["messages"].to_string();
        assert!(
            text.contains("Find one.")
                && text.contains("Hotel Adler: 90 EUR")
                && text.contains("Find another."),
            "{text}"
        );
    }
    assert_eq!(
        scene.run(first["run"].as_str().unwrap()).await,
        strip(first)
    );
    scene.holds().await;
}

/// A run as it is shown without having waited for it.
fn strip(mut run: Value) -> Value {
    run.as_object_mut().unwrap().remove("timed_out");
    run
}

#[tokio::test]
async fn a_16_a_session_keeps_its_provider_and_model_whatever_is_configured_later() {
    let mut scene = Scene::new().await;
    scene.reports("fast-model", "Adler.");
    let first = scene.hand("Research hotels", json!({})).await;
    let first = scene.ended(&first).await;
    let rows =
        "SELECT json_array(id, session_id, state, owner, attempt, calls, prompt, options, fault,
        metrics, created_at, started_at, ended_at, lease_until) FROM agent_runs WHERE number = 1";
    let before = scene.read(rows).await;
    // "fast" means another model now, of another provider.
    let file = scene.place.0.join("candor.toml");
    let text = std::fs::read_to_string(&file).unwrap();
    let changed = text.replace(
        "fast = 'openai-dev:fast-model'",
        "fast = 'codex:codex-model'",
    );
    assert_ne!(text, changed);
    std::fs::write(&file, &changed).unwrap();
    scene.server.crash_and_restart().await;
    scene.reports("fast-model", "And the Bär.");
    let more = json!({"resume": first["agent_id"], "prompt": "Find another."});
    let run = scene.hand("More hotels", more.clone()).await;
    let ended = scene.ended(&run).await;
    assert_eq!(
        (&ended["state"], &ended["provider"], &ended["model"]),
        (
            &json!("completed"),
            &json!("openai-dev"),
            &json!("fast-model")
        ),
        "{ended:#}"
    );
    assert!(scene.asked("codex-model").is_empty());
    assert_eq!(
        scene.read(rows).await,
        before,
        "the first round is as it was"
    );
    // What is offered no more is said to be gone, and nothing takes its place.
    let without = changed.replace("'http://127.0.0.1:9/v1'", "'http://127.0.0.1:9/v2'");
    let without = without.replacen("id = 'openai-dev'", "id = 'openai-new'", 1);
    std::fs::write(
        &file,
        without.replace("'openai-dev:smart-model'", "'openai-new:smart-model'"),
    )
    .unwrap();
    scene
        .server
        .restart_with(&[("OPENAI_PROVIDER_ID", "openai-new")])
        .await;
    let run = scene.hand("Even more hotels", more).await;
    let ended = scene.ended(&run).await;
    assert_eq!(ended["error"]["errorType"], "unavailable", "{ended:#}");
    let said = ended["error"]["error"].as_str().unwrap();
    assert!(
        said.contains("Provider 'openai-dev' is not available: not configured"),
        "{said}"
    );
    scene.holds().await;
}

#[tokio::test]
async fn a_16_what_failed_or_was_stopped_can_be_gone_on_with() {
    let scene = Scene::new().await;
    scene
        .then("fast-model", Step::say("Hm."))
        .then("fast-model", Step::say("Hm."));
    let run = scene.hand("Research hotels", json!({})).await;
    let failed = scene.ended(&run).await;
    assert_eq!(failed["state"], "failed");
    let task = scene.task("Research hotels").await;
    scene.then("fast-model", Step::Silence);
    let again = json!({"resume": failed["agent_id"], "prompt": "Again."});
    let run = scene.try_hand(&task, again.clone()).await.body["run"]
        .as_str()
        .unwrap()
        .to_owned();
    scene.asked_times("fast-model", 3).await;
    let path = format!("/api/me/delegations/{run}/cancel");
    assert_eq!(
        scene.server.post(&path, json!({})).await.body["state"],
        "cancelled"
    );
    scene.reports("fast-model", "Adler.");
    let run = scene.try_hand(&task, again).await.body["run"]
        .as_str()
        .unwrap()
        .to_owned();
    let ended = scene.ended(&run).await;
    assert_eq!(
        (&ended["state"], &ended["round"]),
        (&json!("completed"), &json!(3)),
        "{ended:#}"
    );
    assert_eq!(scene.task("Research hotels").await["status"], "completed");
    scene.holds().await;
}

#[tokio::test]
async fn a_17_nothing_begins_anew_by_itself() {
    let scene = Scene::new().await;
    let gate = Gate::closed();
    scene.then(
        "fast-model",
        Step::Held(gate.clone(), Box::new(report("Adler.", &[]))),
    );
    let run = scene.hand("Research hotels", json!({})).await;
    let agent = scene.run(&run).await["agent_id"]
        .as_str()
        .unwrap()
        .to_owned();
    let task = scene.server.add("me", json!({"title": "Another"})).await;
    let foreign = scene.server.add("you", json!({"title": "Theirs"})).await;
    let refused = async |asked: Value, code: &str| {
        let reply = scene.try_hand(&task, asked).await;
        assert_eq!(reply.problem(), code, "{}", reply.text);
        reply.body["detail"].as_str().unwrap().to_owned()
    };
    let unknown = refused(json!({"resume": "agent-abc123"}), "unknown_delegation").await;
    assert_eq!(unknown, "There is no agent or run 'agent-abc123'");
    refused(json!({"resume": "run-77"}), "unknown_delegation").await;
    refused(
        json!({"resume": agent, "assign_to": "new:lace"}),
        "conflict",
    )
    .await;
    refused(json!({"resume": agent}), "conflict").await;
    let path = format!(
        "/api/you/tasks/{}/delegate",
        foreign["id"].as_str().unwrap()
    );
    let theirs = scene.server.post(&path, json!({ "resume": agent })).await;
    let mine = unknown.replace("agent-abc123", &agent);
    assert_eq!(
        (theirs.problem(), theirs.body["detail"].as_str()),
        ("unknown_delegation", Some(mine.as_str()))
    );
    let busy = scene.task("Research hotels").await;
    assert_eq!(
        scene
            .try_hand(&busy, json!({"assign_to": "new:lace"}))
            .await
            .problem(),
        "conflict"
    );
    assert_eq!(scene.read("SELECT id FROM agent_runs").await.len(), 1);
    gate.open();
    scene.ended(&run).await;
    assert_eq!(
        scene
            .server
            .delete(&format!("/api/me/sessions/{agent}"))
            .await
            .status,
        204
    );
    scene.holds().await;
}
