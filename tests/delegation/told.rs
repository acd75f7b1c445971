//! Delegation from the user's words to the told end: in the foreground, in bulk, in the
//! background.

use serde_json::{Value, json};

use crate::chat::said;
use crate::scene::{Scene, report, results};
use crate::support::openai::{Gate, Step};

fn task(title: &str) -> Value {
    json!({"title": title, "prompt": format!("Do it: {title}.")})
}

fn delegate(arguments: Value) -> Step {
    Step::calls(vec![("delegate", arguments)])
}

/// Returns what the chat's model was last told of its calls.
fn told(scene: &Scene) -> Vec<Value> {
    results(scene.asked("parent-model").last().unwrap())
}

#[tokio::test]
async fn a_03_the_example_is_worked_on_and_its_end_told() {
    let scene = Scene::new().await;
    let title = "Research email composition tools";
    let call = json!({
        "tasks": [{"title": title, "prompt": "Find tools.", "expected_response": "A list."}],
        "assign_to": "new:lace;fast",
    });
    scene
        .then("parent-model", delegate(call))
        .then("parent-model", Step::say("All booked!"))
        .reports("fast-model", "Mailtrap and Postmark.");
    let message = "delegate Research email composition tools to lace";
    let reply = scene.server.chat("me", message).await;
    let text = said(&reply);
    assert!(
        text.starts_with(&format!("Agent finished: {title}")),
        "{text}"
    );
    assert!(
        text.contains("reported (unverified") && text.contains("\"Mailtrap and Postmark.\""),
        "{text}"
    );
    assert!(!text.contains("booked"), "{text}");
    let meta = &reply["action_metadata"];
    assert_eq!(
        (&meta["success"], &meta["delegation"]["state"]),
        (&json!(true), &json!("completed")),
        "{meta:#}"
    );
    assert_eq!(scene.task(title).await["status"], "completed");
    let sent = scene.asked("fast-model")[0]["messages"].to_string();
    assert!(!sent.contains(message), "it sees the task alone: {sent}");
    scene.holds().await;
}

#[tokio::test]
async fn a_04_two_tasks_of_one_call_go_on_at_the_same_time() {
    let scene = Scene::new().await;
    let gate = Gate::closed();
    let call = json!({"tasks": [task("Analyze logs"), task("Check metrics")], "assign_to": "new:lace;smart"});
    scene
        .then("parent-model", delegate(call))
        .then("parent-model", Step::say("Done."));
    for text in ["Quiet.", "Flat."] {
        let held = Step::Held(gate.clone(), Box::new(report(text, &[])));
        scene.then("smart-model", held);
    }
    let talk = scene
        .server
        .chat("me", "delegate Analyze logs and Check metrics to lace");
    let open = async {
        scene.asked_times("smart-model", 2).await;
        gate.open();
    };
    let (reply, ()) = tokio::join!(talk, open);
    let text = said(&reply);
    assert!(
        text.contains("Agent finished: Analyze logs")
            && text.contains("Agent finished: Check metrics"),
        "{text}"
    );
    assert_eq!(scene.read("SELECT id FROM agent_sessions").await.len(), 2);
    for title in ["Analyze logs", "Check metrics"] {
        assert_eq!(scene.task(title).await["status"], "completed");
    }
    scene.holds().await;
}

#[tokio::test]
async fn a_04_one_agent_does_its_tasks_one_after_another() {
    let scene = Scene::new().await;
    let call = json!({
        "tasks": [task("Analyze logs"), task("Check metrics")],
        "assign_to": "new:lace;smart", "share_session": true,
    });
    scene
        .then("parent-model", delegate(call))
        .then("parent-model", Step::say("Done."));
    scene
        .reports("smart-model", "Quiet.")
        .reports("smart-model", "Flat.");
    scene
        .server
        .chat("me", "delegate Analyze logs and Check metrics to lace")
        .await;
    for run in ["run-1", "run-2"] {
        assert_eq!(scene.ended(run).await["state"], "completed", "{run}");
    }
    let rounds = "SELECT CAST(round AS TEXT) FROM agent_runs ORDER BY number";
    assert_eq!(scene.read(rounds).await, ["1", "2"]);
    assert_eq!(scene.read("SELECT id FROM agent_sessions").await.len(), 1);
    let second = scene.asked("smart-model")[1]["messages"].to_string();
    assert!(
        second.contains("Do it: Analyze logs.") && second.contains("Do it: Check metrics."),
        "{second}"
    );
    scene.holds().await;
}

#[tokio::test]
async fn a_07_the_older_call_is_answered_in_its_own_shape() {
    let scene = Scene::new().await;
    let gate = Gate::closed();
    let call = json!({
        "agent": "researcher;fast", "task": "Compare hotels.", "description": "Research hotels", "run_in_background": true,
    });
    scene
        .then(
            "parent-model",
            Step::calls(vec![("assign_task", call), ("nonsense", json!({}))]),
        )
        .then("parent-model", Step::say("Done."))
        .then(
            "fast-model",
            Step::Held(gate.clone(), Box::new(report("Adler.", &[]))),
        );
    let message = "delegate Research hotels to the researcher in the background";
    let reply = scene.server.chat("me", message).await;
    assert!(
        said(&reply).contains("Delegated: Research hotels"),
        "{reply:#}"
    );
    let shape = &told(&scene)[0];
    assert_eq!(
        (&shape["status"], &shape["type"]),
        (&json!("success"), &json!("text")),
        "{shape:#}"
    );
    let agent = shape["metadata"]["agentId"].as_str().unwrap();
    assert_eq!(
        shape["result"],
        format!("Agent launched in background with ID: {agent}")
    );
    assert_eq!(shape["metadata"]["runningInBackground"], true);
    gate.open();
    assert_eq!(scene.ended(agent).await["state"], "completed");
    scene.holds().await;
}
