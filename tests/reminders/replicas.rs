//! Two servers over one PostgreSQL share the work.

use std::collections::HashSet;
use std::time::Instant;

use serde_json::json;

use crate::scene::{PATIENCE, SECRET, taken};
use crate::support::openai::{ScriptedModel, Step};
use crate::support::server::Server;
use crate::support::server::postgres::Database;

/// Reminders that come due in one second.
const MANY: usize = 60;

#[tokio::test]
async fn two_servers_share_the_work_and_double_nothing() {
    let database = Database::new();
    let (model, receiver) = (ScriptedModel::start().await, ScriptedModel::start().await);
    let (url, base, hook) = (database.url(), model.base_url(), receiver.base_url());
    receiver.otherwise(taken());
    model.otherwise_with(|asked| {
        let messages = asked["messages"].as_array().unwrap();
        let said = messages
            .iter()
            .rev()
            .find(|one| one["role"] == "user")
            .unwrap();
        let title = said["content"]
            .as_str()
            .unwrap()
            .rsplit(' ')
            .next()
            .unwrap()
            .to_owned();
        match messages.last().unwrap()["role"] == "tool" {
            true => Step::say("ok"),
            false => Step::calls(vec![(
                "add_task",
                json!({"title": title, "remind": "in 8 seconds"}),
            )]),
        }
    });
    let variables = [
        ("DATABASE_URL", url.as_str()),
        ("OPENAI_BASE_URL", &base),
        ("OPENAI_MODEL", "gpt-4"),
        ("CANDOR_WEBHOOK_URL", &hook),
        ("CANDOR_WEBHOOK_SECRET", SECRET),
    ];
    let (one, other) = tokio::join!(
        Server::start_with(&variables),
        Server::start_with(&variables)
    );
    for number in 0..MANY {
        let server = if number % 2 == 0 { &one } else { &other };
        let user = format!("user{number}");
        let words = format!("remind me in 8 seconds to task{number}");
        let reply = server.chat(&user, &words).await;
        let told = reply["assistant_message"].as_str().unwrap();
        assert!(told.starts_with("Added: task"), "{told}");
    }
    let began = Instant::now();
    while receiver.received().len() < MANY {
        assert!(began.elapsed() < PATIENCE, "{}", receiver.received().len());
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    let received = receiver.received();
    let ids: HashSet<_> = received
        .iter()
        .map(|one| one.header("webhook-id"))
        .collect();
    assert_eq!((ids.len(), received.len()), (MANY, MANY));
    for number in 0..MANY {
        let tasks = one.tasks(&format!("user{number}")).await;
        assert_eq!(tasks[0]["reminders"][0]["state"], "delivered");
    }
    drop((one, other));
}

#[tokio::test]
async fn a_stream_at_one_server_is_given_what_another_set() {
    let database = Database::new();
    let url = database.url();
    let variables = [("DATABASE_URL", url.as_str())];
    let (one, other) = tokio::join!(
        Server::start_with(&variables),
        Server::start_with(&variables)
    );
    let mut streams = Vec::new();
    for number in 0..8 {
        let user = format!("user{number}");
        let response = reqwest::get(other.url(&format!("/api/{user}/events")));
        streams.push(response.await.unwrap());
        let task = json!({"title": "tea", "remind": "in 2 seconds"});
        one.add(&user, task).await;
    }
    for (number, stream) in streams.iter_mut().enumerate() {
        let mut read = String::new();
        while !read.contains("event: reminder") {
            let chunk = tokio::time::timeout(PATIENCE, stream.chunk()).await;
            let chunk = chunk.expect("a reminder comes").unwrap().unwrap();
            read.push_str(std::str::from_utf8(&chunk).unwrap());
        }
        let user = format!("user{number}");
        let began = Instant::now();
        loop {
            let events = one.events(&user, "reminder").await;
            if let [event] = events.as_slice() {
                let told = &event["payload"];
                assert_eq!(
                    (&told["outcome"], &told["by"]),
                    (&json!("delivered"), &json!("events"))
                );
                let late = told["late_ms"].as_i64().unwrap();
                assert!(late < 10_000, "{told}");
                break;
            }
            assert!(began.elapsed() < PATIENCE, "{events:?}");
            tokio::time::sleep(std::time::Duration::from_millis(50)).await;
        }
    }
    drop((one, other));
}
