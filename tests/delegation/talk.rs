//! Talking about work that was handed over: how it stands, stopping it, going on with it; with a
//! scripted model, and with no model's server at all.

use serde_json::{Value, json};

use crate::chat::said;
use crate::scene::{Scene, report, results};
use crate::support::openai::{Gate, Step};
use crate::support::server::Server;

fn run_of(reply: &Value) -> String {
    reply["action_metadata"]["delegation"]["run"]
        .as_str()
        .unwrap()
        .to_owned()
}

fn hand(titles: &[&str], more: &Value) -> Step {
    let tasks: Vec<Value> = titles
        .iter()
        .map(|title| json!({"title": title, "prompt": format!("Do it: {title}.")}))
        .collect();
    let mut arguments = json!({"tasks": tasks, "assign_to": "new:researcher;fast"});
    for (name, value) in more.as_object().unwrap() {
        arguments[name] = value.clone();
    }
    Step::calls(vec![("delegate", arguments)])
}

#[tokio::test]
async fn a_07_a_08_how_it_stands_is_read_from_its_row() {
    let scene = Scene::with("foreground_wait_ms = 300", &[]).await;
    let gate = Gate::closed();
    scene
        .then("parent-model", hand(&["Research hotels"], &json!({})))
        .then(
            "fast-model",
            Step::Held(gate.clone(), Box::new(report("Adler.", &[]))),
        );
    // The wait of the foreground runs out: it goes on behind.
    let first = scene
        .server
        .chat("me", "delegate Research hotels to the researcher")
        .await;
    assert!(
        said(&first).starts_with("Still working: Research hotels (researcher, agent-"),
        "{first:#}"
    );
    assert_eq!(first["error"], Value::Null);
    let run = run_of(&first);
    let ask = json!({"task": "Research hotels", "blocking": true, "timeout_ms": 300});
    scene
        .then(
            "parent-model",
            Step::calls(vec![
                ("TaskOutput", json!({"agent_id": "x"})),
                ("nonsense", json!({})),
            ]),
        )
        .then(
            "parent-model",
            Step::calls(vec![("task_output", ask), ("nonsense", json!({}))]),
        )
        .then("parent-model", Step::say("Fine."));
    let question = "is the agent done with Research hotels?";
    let reply = scene.server.go_on("me", &first, question).await;
    assert!(
        said(&reply).starts_with("Still working: Research hotels"),
        "{reply:#}"
    );
    let asked = scene.asked("parent-model");
    let theirs = &results(&asked[2])[0];
    assert_eq!(
        (
            &theirs["status"],
            &theirs["result"],
            &theirs["metadata"]["state"]
        ),
        (
            &json!("success"),
            &json!("Agent is still running..."),
            &json!("running")
        ),
        "{theirs:#}"
    );
    let own = &results(&asked[3])[0];
    assert_eq!(own["data"]["timed_out"], true, "{own:#}");
    assert!(own["data"].get("result").is_none(), "{own:#}");
    gate.open();
    scene.ended(&run).await;
    for _ in 0..2 {
        scene.then(
            "parent-model",
            Step::calls(vec![("task_output", json!({"task": "Research hotels"}))]),
        );
        let reply = scene.server.go_on("me", &first, question).await;
        assert!(
            said(&reply).starts_with("Agent finished: Research hotels"),
            "{reply:#}"
        );
        assert!(
            said(&reply).contains("researcher reported (unverified"),
            "{reply:#}"
        );
        assert_eq!(
            said(&reply).matches("Agent finished").count(),
            1,
            "{reply:#}"
        );
        assert_eq!(
            reply["action_metadata"]["delegation"]["verification"],
            "unverified"
        );
    }
    assert_eq!(scene.task("Research hotels").await["status"], "completed");
    scene.holds().await;
}

#[tokio::test]
async fn a_04_what_came_off_and_what_did_not_are_both_named() {
    let scene = Scene::new().await;
    scene
        .then(
            "parent-model",
            hand(
                &["Analyze logs", "Check metrics"],
                &json!({"share_session": true}),
            ),
        )
        .reports("fast-model", "All quiet.")
        .then("fast-model", Step::say("I am done!"))
        .then("fast-model", Step::say("Really done!"));
    let message = "delegate Analyze logs and Check metrics to the researcher";
    let reply = scene.server.chat("me", message).await;
    assert!(
        said(&reply).contains("Agent finished: Analyze logs"),
        "{reply:#}"
    );
    assert!(
        said(&reply).contains("Agent could not finish: Check metrics – "),
        "{reply:#}"
    );
    assert_eq!(
        (&reply["kind"], &reply["error"]["code"]),
        (&json!("failure"), &json!("execution"))
    );
    assert_eq!(reply["tool_calls"][0]["success"], false, "{reply:#}");
    assert_eq!(scene.task("Analyze logs").await["status"], "completed");
    assert_eq!(scene.task("Check metrics").await["status"], "pending");
    scene.holds().await;
}

#[tokio::test]
async fn a_19_an_agent_is_stopped_in_the_chat() {
    let scene = Scene::new().await;
    let gate = Gate::closed();
    scene
        .then(
            "parent-model",
            hand(&["Research hotels"], &json!({"run_in_background": true})),
        )
        .then(
            "fast-model",
            Step::Held(gate.clone(), Box::new(report("Adler.", &[]))),
        );
    let first = scene
        .server
        .chat("me", "delegate Research hotels to the researcher")
        .await;
    let run = run_of(&first);
    scene.until(&run, "running").await;
    let stop = || {
        Step::calls(vec![(
            "cancel_delegation",
            json!({"task": "Research hotels"}),
        )])
    };
    // Nobody asked for it: the agent goes on.
    scene
        .then("parent-model", stop())
        .then("parent-model", Step::say("Stopped!"));
    let reply = scene.server.go_on("me", &first, "nice weather today").await;
    assert!(
        !said(&reply).contains("ancel") && !said(&reply).contains("topped"),
        "{reply:#}"
    );
    assert_eq!(scene.run(&run).await["state"], "running");
    scene.then("parent-model", stop());
    let reply = scene
        .server
        .go_on("me", &first, "stop the agent on Research hotels")
        .await;
    assert!(
        said(&reply).starts_with("Cancelled: Research hotels (researcher, agent-"),
        "{reply:#}"
    );
    assert_eq!(scene.run(&run).await["state"], "cancelled");
    scene
        .then("parent-model", stop())
        .then("parent-model", Step::say("Stopped!"));
    let reply = scene
        .server
        .go_on("me", &reply, "stop the agent on Research hotels")
        .await;
    assert!(said(&reply).contains("Nothing to stop"), "{reply:#}");
    gate.open();
    scene.holds().await;
}

#[tokio::test]
async fn a_16_an_agent_goes_on_in_the_chat() {
    let scene = Scene::new().await;
    scene
        .then("parent-model", hand(&["Research hotels"], &json!({})))
        .reports("fast-model", "Adler.");
    let first = scene
        .server
        .chat("me", "delegate Research hotels to the researcher")
        .await;
    let agent = first["action_metadata"]["delegation"]["agent_id"].clone();
    let message = "continue with the researcher on Research hotels: also check prices";
    // Its todo is done by the report; it is reopened to go on.
    scene.then(
        "parent-model",
        Step::calls(vec![(
            "update_task",
            json!({"task": "Research hotels", "status": "pending"}),
        )]),
    );
    scene
        .server
        .go_on("me", &first, "reopen Research hotels")
        .await;
    let more = json!({
        "tasks": [{"title": "Research hotels", "prompt": "Also check prices."}], "resume": agent,
    });
    scene
        .then("parent-model", Step::calls(vec![("delegate", more)]))
        .reports("fast-model", "90 EUR.");
    let reply = scene.server.go_on("me", &first, message).await;
    assert!(
        said(&reply).contains("Agent finished: Research hotels"),
        "{reply:#}"
    );
    assert_eq!(reply["action_metadata"]["delegation"]["agent_id"], agent);
    let asked = scene.asked("fast-model");
    let text = asked.last().unwrap()["messages"].to_string();
    assert!(
        text.contains("Do it: Research hotels.") && text.contains("Also check prices."),
        "{text}"
    );
    scene.holds().await;
}

#[tokio::test]
async fn a_whole_run_needs_no_models_server() {
    let place = std::env::temp_dir().join(format!("candor-worker-{}", std::process::id()));
    std::fs::create_dir_all(place.join("in")).unwrap();
    let place = place.canonicalize().unwrap();
    std::fs::write(place.join("in/hotels.md"), "Hotel Adler: 90 EUR").unwrap();
    let file = place.join("candor.toml");
    let text = format!(
        "[[providers]]\nid = 'worker'\nkind = 'built_in'\n\n[delegation]\nworkspace_roots = ['{}']\n",
        place.join("in").display()
    );
    std::fs::write(&file, text).unwrap();
    let variables = [
        ("CANDOR_TODAY", "2026-02-08"),
        ("CANDOR_CONFIG", file.to_str().unwrap()),
        ("DATABASE_URL", "sqlite://candor.db"),
    ];
    let server = Server::start_with(&variables).await;
    let reply = server
        .chat("me", "delegate Research hotels to the researcher")
        .await;
    assert!(
        said(&reply).starts_with("Agent finished: Research hotels"),
        "{reply:#}"
    );
    assert_eq!(
        reply["action_metadata"]["delegation"]["state"], "completed",
        "{reply:#}"
    );
    let reply = server
        .go_on("me", &reply, "what did the researcher find?")
        .await;
    assert!(
        said(&reply).starts_with("Agent finished: Research hotels"),
        "{reply:#}"
    );
    let reply = server.go_on("me", &reply, "what have i delegated?").await;
    let listed = "You have 1 delegation:\n1. Research hotels (completed, researcher, agent-";
    assert!(said(&reply).starts_with(listed), "{reply:#}");
    std::fs::remove_dir_all(&place).unwrap();
}

#[tokio::test]
async fn everyday_words_speak_of_agents_only_where_they_name_what_one_has() {
    let scene = Scene::with("foreground_wait_ms = 300", &[]).await;
    scene
        .server
        .add("me", json!({"title": "Research hotels"}))
        .await;
    // A model that jumps at the word has nothing to go by.
    let keys = hand(&["the keys"], &json!({}));
    scene
        .then("parent-model", keys)
        .then("parent-model", Step::say("Which keys do you mean?"));
    let reply = scene.server.chat("me", "give the keys to the agent").await;
    assert!(
        scene.read("SELECT id FROM agent_runs").await.is_empty(),
        "{reply:#}"
    );
    assert_eq!(scene.server.titles("me").await, ["Research hotels"]);
    // No agent has it: nothing of agents is asked, and nothing is missed.
    scene.then("parent-model", Step::say("It is on your list."));
    let reply = scene
        .server
        .chat("me", "how is Research hotels going?")
        .await;
    assert_eq!(reply["error"], Value::Null, "{reply:#}");
    scene
        .then("parent-model", hand(&["Research hotels"], &json!({})))
        .then("fast-model", Step::Silence);
    let reply = scene
        .server
        .chat("me", "give Research hotels to the agent")
        .await;
    assert!(
        said(&reply).starts_with("Still working: Research hotels"),
        "{reply:#}"
    );
    // Now one has it.
    scene.then("parent-model", Step::say("It is done."));
    let asked = scene
        .server
        .chat("me", "how is Research hotels going?")
        .await;
    assert_eq!(
        asked["error"]["expected_tools"],
        json!(["task_output"]),
        "{asked:#}"
    );
    scene.then("parent-model", Step::say("She is fine."));
    let reply = scene.server.chat("me", "how is Anna doing?").await;
    assert_eq!(reply["error"], Value::Null, "{reply:#}");
    let path = format!("/api/me/delegations/{}/cancel", "run-1");
    scene.server.post(&path, json!({})).await;
    scene.holds().await;
}
