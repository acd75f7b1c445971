//! Two servers over one database: whichever is asked, there is one truth.
//!
//! `CANDOR_TEST_KEYS=10000` asks more than the usual number of keys.

use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};
use tokio::task::JoinSet;

use crate::support::openai::{ScriptedModel, Step};
use crate::support::server::postgres::Database;
use crate::support::server::{Reply, Server};

const CHAT: &str = "/api/me/chat";
const TASKS: &str = "/api/me/tasks";

/// Keys that are hammered.
fn keys() -> usize {
    let said = std::env::var("CANDOR_TEST_KEYS");
    said.map_or(200, |number| number.parse().unwrap())
}

struct Two {
    servers: [Arc<Server>; 2],
    /// Goes after the servers, which hold connections to it.
    _database: Database,
}

impl Two {
    async fn start(more: &[(&str, &str)]) -> Self {
        let database = Database::new();
        let url = database.url();
        let mut variables = vec![("CANDOR_TODAY", "2026-02-08"), ("DATABASE_URL", &*url)];
        variables.extend(more);
        let start = || Server::start_with(&variables);
        let (one, other) = tokio::join!(start(), start());
        Self {
            servers: [Arc::new(one), Arc::new(other)],
            _database: database,
        }
    }

    /// Sends the same request to both, `times` each, all at once.
    async fn hammer(
        &self,
        path: &'static str,
        key: &str,
        body: &Value,
        times: usize,
    ) -> Vec<Reply> {
        let mut asked = JoinSet::new();
        for server in self.servers.iter().cycle().take(2 * times) {
            let (server, key, body) = (Arc::clone(server), key.to_owned(), body.clone());
            asked.spawn(async move { server.post_keyed(path, &key, body).await });
        }
        asked.join_all().await
    }

    /// The log is whole, and both servers show the same tasks.
    async fn agree(&self) -> Vec<String> {
        let [one, other] = &self.servers;
        let titles = one.titles("me").await;
        assert_eq!(other.titles("me").await, titles);
        let url = self._database.url();
        let variables = [("DATABASE_URL", url.as_str())];
        let ran = crate::support::server::run(None, &variables, &["audit", "verify"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        titles
    }
}

#[track_caller]
fn one_answer(replies: &[Reply], status: u16) -> String {
    let done: Vec<_> = replies
        .iter()
        .filter(|reply| reply.status == status)
        .collect();
    let first = done.first().expect("somebody was answered");
    for reply in replies {
        if reply.status == status {
            assert_eq!(reply.text, first.text, "two answers under one key");
        } else {
            assert_eq!((reply.status, reply.problem()), (409, "still_running"));
        }
    }
    first.text.clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_write_under_one_key_happens_once_and_is_answered_alike() {
    let two = Two::start(&[]).await;
    for number in 0..keys() {
        let body = json!({"title": format!("Task {number}")});
        let replies = two.hammer(TASKS, &format!("key-{number}"), &body, 2).await;
        assert!(replies.iter().all(|reply| reply.status == 201));
        one_answer(&replies, 201);
    }
    assert_eq!(two.agree().await.len(), keys());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_turn_under_one_key_happens_once_and_is_answered_alike() {
    let two = Two::start(&[]).await;
    for number in 0..keys() / 2 {
        let body = json!({"message": format!("add \"Task {number}\"")});
        let key = format!("key-{number}");
        let answer = one_answer(&two.hammer(CHAT, &key, &body, 2).await, 200);
        for server in &two.servers {
            let again = server.post_keyed(CHAT, &key, body.clone()).await;
            assert_eq!((again.status, &again.text), (200, &answer));
        }
    }
    assert_eq!(two.agree().await.len(), keys() / 2);
}

/// The first round is committed while the model is still to be asked again: that is when
/// another process could do the same once more.
#[tokio::test(flavor = "multi_thread")]
async fn a_turn_of_two_rounds_under_one_key_changes_things_once() {
    let model = ScriptedModel::start().await;
    model.otherwise_with(|request| {
        let messages = request["messages"].as_array().unwrap();
        let answered = messages.iter().any(|line| line["role"] == "tool");
        if answered {
            let right = ("delete_task", json!({"task": "Read book"}));
            let pause = Duration::from_millis(150);
            return Step::After(pause, Box::new(Step::calls(vec![right])));
        }
        // Half of it works; the other half is to be mended.
        Step::calls(vec![
            ("add_task", json!({"title": "milk"})),
            ("delete_task", json!({"task": "Read booklet"})),
        ])
    });
    let base_url = model.base_url();
    let two = Two::start(&[("OPENAI_BASE_URL", &base_url), ("OPENAI_MODEL", "gpt-4")]).await;
    let body = json!({"message": "add milk and delete Read book"});
    for number in 0..5 {
        two.servers[0]
            .add("me", json!({"title": "Read book"}))
            .await;
        let key = format!("key-{number}");
        let answer = one_answer(&two.hammer(CHAT, &key, &body, 2).await, 200);
        for line in ["Added: milk", "Deleted: Read book"] {
            assert!(answer.contains(line), "{answer}");
        }
        for server in &two.servers {
            let again = server.post_keyed(CHAT, &key, body.clone()).await;
            assert_eq!((again.status, &again.text), (200, &answer));
        }
        assert_eq!(two.agree().await, ["milk"]);
        for task in two.servers[0].tasks("me").await {
            let path = format!("{TASKS}/{}", task["id"].as_str().unwrap());
            assert_eq!(two.servers[1].delete(&path).await.status, 204);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_question_of_one_is_answered_at_the_other_and_once() {
    let two = Two::start(&[]).await;
    for _ in 0..10 {
        for title in ["milk", "bread"] {
            two.servers[0].add("me", json!({"title": title})).await;
        }
        let asked = two.servers[0].chat("me", "delete everything").await;
        assert_eq!(asked["kind"], "question", "{asked:#}");
        let body = json!({"message": "yes", "conversation_id": asked["conversation_id"]});
        let (one, other) = tokio::join!(
            two.servers[0].post(CHAT, body.clone()),
            two.servers[1].post(CHAT, body.clone())
        );
        let did = |reply: &Reply| {
            assert_eq!(reply.status, 200, "{}", reply.text);
            reply.body["actions"].as_array().unwrap().len()
        };
        let mut counts = [did(&one), did(&other)];
        counts.sort_unstable();
        assert_eq!(counts, [0, 2], "{}\n{}", one.text, other.text);
        assert!(two.agree().await.is_empty());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn turns_of_one_conversation_at_two_servers_follow_each_other() {
    let two = Two::start(&[]).await;
    let first = two.servers[0].chat("me", "add \"Task 0\"").await;
    let mut asked = JoinSet::new();
    for (number, server) in (1..=12).zip(two.servers.iter().cycle()) {
        let (server, conversation) = (Arc::clone(server), first["conversation_id"].clone());
        asked.spawn(async move {
            let message = format!("add \"Task {number}\"");
            let body = json!({"message": message, "conversation_id": conversation});
            // Who was overtaken too often says so, and changed nothing.
            loop {
                let reply = server.post(CHAT, body.clone()).await;
                if reply.status != 409 {
                    return reply;
                }
                assert_eq!(reply.problem(), "conflict");
            }
        });
    }
    for reply in asked.join_all().await {
        assert_eq!(reply.status, 200, "{}", reply.text);
    }
    assert_eq!(two.agree().await.len(), 13);
    // Every line that was said stands beside its answer.
    let conversation = first["conversation_id"].as_str().unwrap();
    let path = format!("/api/me/chat/messages?conversation_id={conversation}&limit=100");
    let lines = two.servers[1].get(&path).await.body["messages"].clone();
    let lines = lines.as_array().unwrap();
    assert_eq!(lines.len(), 26);
    for pair in lines.chunks(2) {
        let said = pair[0]["content"].as_str().unwrap();
        let title = said.trim_start_matches("add ").trim_matches('"');
        assert_eq!(pair[1]["content"], format!("Added: {title}"));
    }
}
