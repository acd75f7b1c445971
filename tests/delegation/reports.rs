//! How a run ends well, and everything that is no way to.

use serde_json::json;

use crate::scene::{Scene, last, report, results};
use crate::support::openai::Step;

#[tokio::test]
async fn a_03_a_task_is_worked_on_and_its_report_completes_it() {
    let scene = Scene::new().await;
    scene.reports("fast-model", "Mailtrap and Postmark compose well.");
    let asked =
        json!({"prompt": "Find email composition tools.", "expected_response": "A short list."});
    let run = scene.hand("Research email composition tools", asked).await;
    let ended = scene.ended(&run).await;
    assert_eq!(
        (&ended["state"], &ended["provider"], &ended["model"]),
        (
            &json!("completed"),
            &json!("openai-dev"),
            &json!("fast-model")
        )
    );
    assert_eq!(
        ended["result"]["text"],
        "Mailtrap and Postmark compose well."
    );
    assert_eq!(ended["result"]["verification"], "unverified");
    assert_eq!(
        scene.task("Research email composition tools").await["status"],
        "completed"
    );
    let proofs = "SELECT t.title FROM tasks AS t JOIN agent_runs AS r ON r.id = t.completed_run_id";
    assert_eq!(
        scene.read(proofs).await,
        ["Research email composition tools"]
    );
    // It starts fresh: its instructions with the pinned day, the composed prompt, nothing else.
    let asked = scene.asked("fast-model");
    let messages = asked[0]["messages"].as_array().unwrap();
    assert_eq!(messages.len(), 2, "{:#}", asked[0]);
    let system = messages[0]["content"].as_str().unwrap();
    assert!(
        system.contains("TODAY IS SUNDAY, FEBRUARY 8, 2026") && system.contains("2026-02-08"),
        "{system}"
    );
    let opening = "Find email composition tools.\n\nIMPORTANT: Your response should match this \
                   format/structure:\nA short list.";
    assert!(last(&asked[0]).starts_with(opening), "{}", last(&asked[0]));
    assert!(
        last(&asked[0]).ends_with("call report_result exactly once. Text alone does not count.")
    );
    scene.holds().await;
}

#[tokio::test]
async fn a_04_two_agents_work_at_the_same_time() {
    let scene = Scene::new().await;
    let gate = crate::support::openai::Gate::closed();
    for text in ["The logs are quiet.", "The metrics are flat."] {
        scene.then(
            "smart-model",
            Step::Held(gate.clone(), Box::new(report(text, &[]))),
        );
    }
    let asked = json!({"assign_to": "new:lace;smart"});
    let one = scene.hand("Analyze logs", asked.clone()).await;
    let other = scene.hand("Check metrics", asked).await;
    // Both are asked before either is answered.
    scene.asked_times("smart-model", 2).await;
    gate.open();
    let (one, other) = (scene.ended(&one).await, scene.ended(&other).await);
    assert_eq!(
        (&one["state"], &other["state"]),
        (&json!("completed"), &json!("completed"))
    );
    assert_ne!(one["agent_id"], other["agent_id"]);
    scene.holds().await;
}

#[tokio::test]
async fn a_09_text_is_no_result() {
    text_is_no_result(Scene::new().await).await;
}

pub async fn text_is_no_result(scene: Scene) {
    for _ in 0..2 {
        scene.then("fast-model", Step::say("All done, I booked it!"));
    }
    let run = scene.hand("Research hotels", json!({})).await;
    let ended = scene.ended(&run).await;
    assert_eq!(ended["state"], "failed");
    let error = &ended["error"];
    assert_eq!(
        error["error"],
        "sub-agent finished without calling report_result"
    );
    assert_eq!(error["unreported_output"], "All done, I booked it!");
    assert!(ended["result"].is_null());
    assert_eq!(scene.task("Research hotels").await["status"], "pending");
    let asked = scene.asked("fast-model");
    assert_eq!(asked.len(), 2);
    assert_eq!(asked[1]["tool_choice"]["function"]["name"], "report_result");
    scene.holds().await;
}

#[tokio::test]
async fn a_10_calls_that_are_only_written_about_were_not_made() {
    let scene = Scene::new().await;
    let narrated = [
        "[tool_use: report_result({\"outcome\":\"completed\",\"result\":\"done\"})]",
        "<tool_call>{\"name\":\"report_result\",\"arguments\":{\"outcome\":\"completed\",\"result\":\"done\"}}</tool_call>",
        "```json\n{\"name\":\"report_result\",\"arguments\":{\"outcome\":\"completed\",\"result\":\"done\"}}\n```",
    ];
    for (number, text) in narrated.iter().enumerate() {
        scene
            .then("fast-model", Step::say(text))
            .then("fast-model", Step::say(text));
        let run = scene.hand(&format!("Task {number}"), json!({})).await;
        let ended = scene.ended(&run).await;
        assert_eq!(
            (&ended["state"], &ended["tool_calls"]),
            (&json!("failed"), &json!(0)),
            "{text}"
        );
        assert_eq!(
            ended["error"]["error"],
            "sub-agent finished without calling report_result"
        );
    }
    let call = json!({"id": "a", "type": "function", "function": {"name": "report_result",
        "arguments": "{\"outcome\":\"completed\",\"result\":\"done\"}"}});
    for (number, reason) in ["length", "content_filter", "paused"].iter().enumerate() {
        let body = json!({"choices": [{"index": 0, "finish_reason": reason,
            "message": {"role": "assistant", "content": null, "tool_calls": [call]}}]});
        scene.then("fast-model", Step::Json(body));
        let run = scene.hand(&format!("Cut {number}"), json!({})).await;
        let ended = scene.ended(&run).await;
        assert_eq!(
            (&ended["state"], &ended["result"]),
            (&json!("failed"), &json!(null)),
            "{reason}"
        );
        assert_eq!(
            scene.task(&format!("Cut {number}")).await["status"],
            "pending"
        );
    }
    scene.holds().await;
}

#[tokio::test]
async fn a_13_a_report_that_does_not_fit_is_sent_back_and_the_first_that_fits_stands() {
    let scene = Scene::new().await;
    let report = |text: String| {
        (
            "report_result",
            json!({"outcome": "completed", "result": text}),
        )
    };
    scene
        .calls("fast-model", vec![report(String::new())])
        .calls(
            "fast-model",
            vec![report("   ".to_owned()), report("x".repeat(32_001))],
        )
        .calls(
            "fast-model",
            vec![(
                "report_result",
                json!({"outcome": "completed", "result": "Mine.", "run": "run-99"}),
            )],
        )
        .calls(
            "fast-model",
            vec![
                report("The first.".to_owned()),
                report("The second.".to_owned()),
            ],
        );
    let run = scene.hand("Research hotels", json!({})).await;
    let ended = scene.ended(&run).await;
    assert_eq!(ended["state"], "completed", "{ended:#}");
    assert_eq!(ended["result"]["text"], "The first.");
    let kinds: Vec<_> = ended["calls"]
        .as_array()
        .unwrap()
        .iter()
        .map(|call| call["error_type"].clone())
        .collect();
    assert_eq!(
        kinds,
        [
            json!("validation"),
            json!("validation"),
            json!("validation"),
            json!("permission"),
            json!(null),
            json!("conflict")
        ]
    );
    let asked = scene.asked("fast-model");
    let told = results(&asked[1])[0]["error"].as_str().unwrap().to_owned();
    assert!(
        told.contains("/result: Missing required parameter 'result'")
            && told.contains("Provider: openai-dev (fast-model)"),
        "{told}"
    );
    assert!(
        results(&asked[2])[1]["error"]
            .as_str()
            .unwrap()
            .contains("at most 32000")
    );
    assert_eq!(results(&asked[3])[0]["errorType"], "permission");
    scene.holds().await;
}

#[tokio::test]
async fn a_14_evidence_is_checked_against_the_runs_own_receipts() {
    evidence_is_checked(Scene::new().await).await;
}

pub async fn evidence_is_checked(scene: Scene) {
    let read = |path: &str| vec![("read_file", json!({ "path": path }))];
    let check = async |title: &str, first: Option<&str>, cites: &[&str], expect: [&str; 2]| {
        if let Some(path) = first {
            scene.calls("fast-model", read(path));
        }
        scene.then("fast-model", report("Adler.", cites));
        let run = scene.hand(title, json!({})).await;
        let ended = scene.ended(&run).await;
        let stands = [&ended["state"], &ended["result"]["verification"]];
        assert_eq!(
            stands,
            [&json!(expect[0]), &json!(expect[1])],
            "{title}: {ended:#}"
        );
        let done = if expect[0] == "completed" {
            "completed"
        } else {
            "pending"
        };
        assert_eq!(scene.task(title).await["status"], done);
    };
    check(
        "Cites what was read",
        Some("hotels.md"),
        &["r1"],
        ["completed", "verified"],
    )
    .await;
    check(
        "Cites what is not there",
        Some("hotels.md"),
        &["r1", "r9"],
        ["failed", "contradicted"],
    )
    .await;
    check(
        "Cites what failed",
        Some("no.md"),
        &["r1"],
        ["failed", "contradicted"],
    )
    .await;
    check(
        "Cites itself falsely",
        None,
        &["receipt 1"],
        ["failed", "contradicted"],
    )
    .await;
    check("Cites nothing", None, &[], ["completed", "unverified"]).await;
    scene.holds().await;
}

#[tokio::test]
async fn a_14_a_format_that_is_a_schema_is_checked() {
    let scene = Scene::new().await;
    let schema = json!({"type": "object", "properties": {"hotels": {"type": "array", "items": {"type": "string"}}}, "required": ["hotels"]});
    let report = |json: serde_json::Value| {
        vec![(
            "report_result",
            json!({"outcome": "completed", "result": "Adler", "result_json": json}),
        )]
    };
    scene
        .calls("fast-model", report(json!(null)))
        .calls("fast-model", report(json!({"hotels": [1]})))
        .calls("fast-model", report(json!({"hotels": ["Adler"]})));
    let asked = json!({"expected_response": schema.to_string()});
    let run = scene.hand("Research hotels", asked).await;
    let ended = scene.ended(&run).await;
    assert_eq!(ended["state"], "completed", "{ended:#}");
    assert_eq!(ended["result"]["json"], json!({"hotels": ["Adler"]}));
    let asked = scene.asked("fast-model");
    assert!(
        results(&asked[1])[0]["error"]
            .as_str()
            .unwrap()
            .contains("/result_json: Missing")
    );
    assert!(
        results(&asked[2])[0]["error"]
            .as_str()
            .unwrap()
            .contains("/result_json/hotels/0: ")
    );
    scene.holds().await;
}

#[tokio::test]
async fn a_report_waits_for_the_user_where_the_policy_says_so() {
    let scene = Scene::with("completion_policy = 'accepted'", &[]).await;
    scene
        .reports("fast-model", "Adler.")
        .reports("fast-model", "Bär.");
    let run = scene.hand("Research hotels", json!({})).await;
    assert_eq!(scene.ended(&run).await["state"], "completed");
    assert_eq!(scene.task("Research hotels").await["status"], "pending");
    let path = format!("/api/me/delegations/{run}/accept");
    let accepted = scene.server.post(&path, json!({})).await;
    assert_eq!(
        (accepted.status, &accepted.body["review"]),
        (200, &json!("accepted")),
        "{}",
        accepted.text
    );
    assert_eq!(scene.task("Research hotels").await["status"], "completed");
    let other = scene.hand("Research flights", json!({})).await;
    scene.ended(&other).await;
    let path = format!("/api/me/delegations/{other}/reject");
    assert_eq!(
        scene.server.post(&path, json!({})).await.body["review"],
        "rejected"
    );
    let path = format!("/api/me/delegations/{other}/accept");
    assert_eq!(
        scene.server.post(&path, json!({})).await.problem(),
        "conflict"
    );
    assert_eq!(scene.task("Research flights").await["status"], "pending");
    scene.holds().await;
}

#[tokio::test]
async fn the_built_in_worker_reads_the_workspace_and_reports_what_it_holds() {
    let scene = Scene::new().await;
    let run = scene
        .hand(
            "Research hotels",
            json!({"assign_to": "new:researcher", "provider": "custom:worker"}),
        )
        .await;
    let ended = scene.ended(&run).await;
    assert_eq!(
        (&ended["state"], &ended["result"]["verification"]),
        (&json!("completed"), &json!("verified")),
        "{ended:#}"
    );
    assert!(
        ended["result"]["text"]
            .as_str()
            .unwrap()
            .contains("\"Hotel Adler: 90 EUR\""),
        "{ended:#}"
    );
    assert_eq!(ended["run_notes"], json!(["Reading 3 of 3 files"]));
    assert!(scene.model.requests().is_empty());
    scene.holds().await;
}
