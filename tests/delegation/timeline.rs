//! The timeline, and what the database itself refuses.

use std::time::Duration;

use serde_json::{Value, json};

use crate::scene::Scene;

/// Events of a stream's text: id, name, data.
fn parse(text: &str) -> Vec<(i64, String, Value)> {
    let blocks = text.split("\n\n").filter(|block| block.starts_with("id: "));
    blocks
        .map(|block| {
            let part = |name: &str| {
                let line = block.lines().find_map(|line| line.strip_prefix(name));
                line.unwrap_or_default().to_owned()
            };
            let data = serde_json::from_str(&part("data: ")).unwrap();
            (part("id: ").parse().unwrap(), part("event: "), data)
        })
        .collect()
}

#[tokio::test]
async fn a_30_the_timeline_is_told_in_order_without_gap_or_repeat() {
    let scene = Scene::new().await;
    scene
        .calls(
            "fast-model",
            vec![
                ("task_add_note", json!({"text": "Looking."})),
                ("read_file", json!({"path": "no.md"})),
            ],
        )
        .reports("fast-model", "Adler.");
    let run = scene.hand("Research hotels", json!({})).await;
    scene.ended(&run).await;
    let read = async |last: Option<i64>, query: &str| {
        let last = last.map(|id| id.to_string());
        let headers: Vec<_> = last
            .iter()
            .map(|id| ("last-event-id", id.as_str()))
            .collect();
        let path = format!("/api/me/events?follow=false{query}");
        let reply = scene.server.send("GET", &path, &headers, None).await;
        assert_eq!(
            (
                reply.status,
                reply.headers["content-type"].to_str().unwrap()
            ),
            (200, "text/event-stream")
        );
        parse(&reply.text)
    };
    let all = read(None, "").await;
    let own = |it: &&(i64, String, Value)| it.2["run"].is_string();
    let types: Vec<_> = all
        .iter()
        .filter(own)
        .map(|it| it.2["type"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(
        types,
        [
            "run_state",
            "run_state",
            "tool_call",
            "run_note",
            "tool_result",
            "tool_call",
            "tool_result",
            "tool_call",
            "tool_result",
            "run_result",
            "run_state",
        ]
    );
    assert!(all.windows(2).all(|two| two[0].0 < two[1].0));
    for at in 0..all.len() {
        assert_eq!(read(Some(all[at].0), "").await, all[at + 1..]);
    }
    // The same for an editor that speaks the Agent Client Protocol.
    let acp = read(None, "&view=acp").await;
    let updates: Vec<_> = acp
        .iter()
        .map(|it| it.2["params"]["update"]["sessionUpdate"].as_str().unwrap())
        .collect();
    assert_eq!(updates.iter().filter(|it| **it == "tool_call").count(), 3);
    for (_, _, data) in &acp {
        assert_eq!(
            (&data["jsonrpc"], &data["method"]),
            (&json!("2.0"), &json!("session/update"))
        );
        assert!(
            data["params"]["sessionId"]
                .as_str()
                .unwrap()
                .starts_with("agent-"),
            "{data}"
        );
        let update = &data["params"]["update"];
        match update["sessionUpdate"].as_str().unwrap() {
            "tool_call" => assert!(
                update["toolCallId"].is_string()
                    && update["title"].is_string()
                    && update["status"] == "pending"
            ),
            "tool_call_update" => assert!(matches!(
                update["status"].as_str(),
                Some("completed" | "failed")
            )),
            "agent_message_chunk" | "agent_thought_chunk" => {
                assert_eq!(update["content"]["type"], "text");
            }
            other => panic!("{other}"),
        }
    }
    let counts = scene.server.get("/api/me/metrics/tools").await.body;
    assert_eq!(
        counts["tools"]["read_file"]["by_error_type"],
        json!({"not_found": 1}),
        "{counts:#}"
    );
    assert_eq!(
        counts["tools"]["add_note"]["aliases"],
        json!({"task_add_note": 1})
    );
    scene.holds().await;
}

#[tokio::test]
async fn a_30_the_timeline_goes_on_while_somebody_listens() {
    let scene = Scene::new().await;
    let url = scene.server.url("/api/me/events");
    let mut response = reqwest::Client::builder()
        .no_proxy()
        .build()
        .unwrap()
        .get(url)
        .send()
        .await
        .unwrap();
    scene.reports("fast-model", "Adler.");
    let run = scene.hand("Research hotels", json!({})).await;
    let mut text = String::new();
    let listening = async {
        while !text.contains("\"to\":\"completed\"") {
            let chunk = response.chunk().await.unwrap().expect("it goes on");
            text.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    };
    tokio::time::timeout(Duration::from_secs(10), listening)
        .await
        .unwrap();
    assert!(text.contains(&format!("\"run\":\"{run}\"")), "{text}");
    scene.holds().await;
}

#[tokio::test]
async fn a_30_a_tool_that_was_taken_for_another_is_counted_as_a_pair() {
    let scene = Scene::new().await;
    let wrong = json!({"tasks": [{"title": "Research hotels", "prompt": "Compare.",
        "expected_response": "A list.", "model": "fast"}]});
    let right = json!({"tasks": [{"title": "Research hotels", "prompt": "Compare."}],
        "assign_to": "new:researcher;fast"});
    scene
        .calls("parent-model", vec![("add_task", wrong)])
        .calls("parent-model", vec![("delegate", right)])
        .reports("fast-model", "Adler.");
    let words = "create a task Research hotels and assign it to a new subagent";
    scene.server.chat("me", words).await;
    let counts = scene.server.get("/api/me/metrics/tools").await.body;
    let pair = &counts["tools"]["add_task"];
    assert_eq!(pair["suggested"], json!({"delegate": 1}), "{counts:#}");
    assert_eq!(
        pair["by_error_type"],
        json!({"validation": 1}),
        "{counts:#}"
    );
    assert_eq!(
        counts["tools"]["delegate"]["suggested"],
        json!({}),
        "{counts:#}"
    );
    scene.holds().await;
}

#[tokio::test]
async fn a_30_the_database_refuses_what_was_forged() {
    let scene = Scene::new().await;
    scene
        .reports("fast-model", "Adler.")
        .then("fast-model", crate::support::openai::Step::Silence);
    let run = scene.hand("Research hotels", json!({})).await;
    scene.ended(&run).await;
    let live = scene.hand("Research flights", json!({})).await;
    scene.asked_times("fast-model", 2).await;
    let mut file = scene.file().await;
    for forged in [
        "UPDATE agent_runs SET state = 'completed', ended_at = created_at WHERE number = 2",
        "UPDATE agent_runs SET state = 'running', ended_at = NULL WHERE number = 1",
        "UPDATE tasks SET status = 'completed', completed_run_id = (SELECT id FROM agent_runs WHERE number = 2) WHERE title = 'Research flights'",
        "UPDATE tasks SET status = 'completed', completed_run_id = (SELECT id FROM agent_runs WHERE number = 1) WHERE title = 'Research flights'",
        "UPDATE agent_results SET result_text = 'Better.'",
        "DELETE FROM agent_results",
    ] {
        let done = sqlx::query(forged).execute(&mut file).await;
        assert!(done.is_err(), "{forged}");
    }
    drop(file);
    let path = format!("/api/me/delegations/{live}/cancel");
    assert_eq!(scene.server.post(&path, json!({})).await.status, 200);
    scene.holds().await;
}
