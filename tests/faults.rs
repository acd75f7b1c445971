//! A machine that fails under the program: a full disk, a file that can't be written, a database
//! that somebody else holds, a clock that jumps, clients that dawdle. Each time the answer is
//! honest, nothing is half done, and the service goes on without a restart once it can.

#![cfg(test)]

#[path = "support"]
mod support {
    pub mod server;
    pub mod shim;
}

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, SqliteConnection};
use support::server::{Reply, Server};
use support::shim::Shim;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

const TASKS: &str = "/api/me/tasks";
const CHAT: &str = "/api/me/chat";

/// A server on a machine that fails as it is told.
struct Ground {
    server: Server,
    faults: PathBuf,
    _shim: Shim,
}

impl Ground {
    async fn new() -> Self {
        let shim = Shim::build("tests/faults/shim.c");
        // Known before the server has a directory of its own.
        let faults = PathBuf::from(shim.path()).with_extension("faults");
        let server = Server::start_with(&[
            ("LD_PRELOAD", shim.path()),
            ("FAULTS_FILE", faults.to_str().unwrap()),
        ])
        .await;
        Self {
            server,
            faults,
            _shim: shim,
        }
    }

    /// From now on this is wrong.
    fn fails(&self, how: &str) {
        fs::write(&self.faults, how).unwrap();
    }

    /// From now on nothing is wrong.
    fn is_sound(&self) {
        self.fails("");
    }

    /// The log is whole, and the tasks are these, newest first.
    async fn holds(&self, titles: &[&str]) {
        assert_eq!(self.server.titles("me").await, titles);
        let ran = self.server.run_beside(&[], &["audit", "verify"]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
}

impl Drop for Ground {
    fn drop(&mut self) {
        // It may never have been written.
        let _ = fs::remove_file(&self.faults);
    }
}

/// A refusal of the store, in plain words.
fn refused(reply: &Reply) {
    assert_eq!(reply.status, 503, "{}", reply.text);
    assert_eq!(reply.problem(), "storage_unavailable");
    let detail = reply.body["detail"].as_str().unwrap();
    for jargon in [
        "sqlite",
        "SQLITE",
        "sqlx",
        "code:",
        "database is",
        "os error",
    ] {
        assert!(!detail.contains(jargon), "{jargon:?} in {detail}");
    }
}

async fn add(server: &Server, title: &str) -> Reply {
    server.post(TASKS, json!({"title": title})).await
}

async fn say(server: &Server, key: &str, message: &str) -> Reply {
    server
        .post_keyed(CHAT, key, json!({"message": message}))
        .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_full_disk_is_said_and_nothing_is_half_done() {
    let it = Ground::new().await;
    assert_eq!(add(&it.server, "first").await.status, 201);
    it.fails("full");
    for round in 0..3 {
        refused(&add(&it.server, "second").await);
        refused(&say(&it.server, "key", "add \"third\"").await);
        let many: Vec<_> = (0..8)
            .map(|number| {
                let body = json!({"title": format!("{round}.{number}")});
                it.server.post(TASKS, body)
            })
            .collect();
        for one in many {
            refused(&one.await);
        }
    }
    // What is there can still be read.
    assert_eq!(it.server.titles("me").await, ["first"]);
    it.is_sound();
    assert_eq!(add(&it.server, "second").await.status, 201);
    let told = say(&it.server, "key", "add \"third\"").await;
    assert_eq!(told.status, 200, "{}", told.text);
    assert_eq!(told.body["assistant_message"], "Added: third");
    it.holds(&["third", "second", "first"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_that_can_only_be_read_is_read_until_it_can_be_written() {
    let mut it = Ground::new().await;
    assert_eq!(add(&it.server, "first").await.status, 201);
    it.fails("readonly");
    // Who has it open already goes on.
    assert_eq!(add(&it.server, "second").await.status, 201);
    // A server that is to migrate says at its start that it can't.
    let variables = "CANDOR_MIGRATE=off\n";
    fs::write(it.server.directory().join(".env"), variables).unwrap();
    it.server.crash_and_restart().await;
    for _ in 0..3 {
        refused(&add(&it.server, "third").await);
        refused(&say(&it.server, "key", "add \"fourth\"").await);
        assert_eq!(it.server.titles("me").await, ["second", "first"]);
    }
    it.is_sound();
    let told = say(&it.server, "key", "add \"fourth\"").await;
    assert_eq!(told.status, 200, "{}", told.text);
    assert_eq!(add(&it.server, "third").await.status, 201);
    it.holds(&["third", "fourth", "second", "first"]).await;
}

async fn writer(server: &Server) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(server.database());
    options.connect().await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_locked_database_is_waited_for_and_then_said() {
    let it = Server::start().await;
    let mut other = writer(&it).await;
    // For a while: whoever writes waits, whoever reads does not.
    let transaction = other.begin_with("BEGIN IMMEDIATE").await.unwrap();
    let (written, ()) = tokio::join!(add(&it, "first"), async {
        assert!(it.titles("me").await.is_empty());
        tokio::time::sleep(Duration::from_millis(300)).await;
        transaction.rollback().await.unwrap();
    });
    assert_eq!(written.status, 201, "{}", written.text);
    // For longer than anybody waits.
    let transaction = other.begin_with("BEGIN IMMEDIATE").await.unwrap();
    let (task, turn) = tokio::join!(add(&it, "second"), say(&it, "key", "add \"third\""));
    refused(&task);
    refused(&turn);
    assert_eq!(it.titles("me").await, ["first"]);
    transaction.rollback().await.unwrap();
    let told = say(&it, "key", "add \"third\"").await;
    assert_eq!(told.body["assistant_message"], "Added: third", "{told:?}");
    assert_eq!(it.titles("me").await, ["third", "first"]);
    let ran = it.run_beside(&[], &["audit", "verify"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

/// Contents of a conversation's lines, oldest first.
async fn lines(server: &Server, turn: &Value) -> Vec<String> {
    let conversation = turn["conversation_id"].as_str().unwrap();
    let path = format!("{CHAT}/messages?conversation_id={conversation}");
    let reply = server.get(&path).await;
    let lines = reply.body["messages"].as_array().unwrap().clone();
    let content = |line: &Value| line["content"].as_str().unwrap().to_owned();
    lines.iter().map(content).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_clock_that_jumps_changes_no_order_and_loses_nothing() {
    let it = Ground::new().await;
    let first = it.server.chat("me", "add \"one\"").await;
    let mut said = vec!["add \"one\"".to_owned(), "Added: one".to_owned()];
    for (jump, title) in [(-7_200, "two"), (86_400 * 40, "three"), (-86_400, "four")] {
        it.fails(&format!("clock {jump}"));
        let turn = it
            .server
            .go_on("me", &first, &format!("add \"{title}\""))
            .await;
        assert_eq!(turn["assistant_message"], format!("Added: {title}"));
        said.push(format!("add \"{title}\""));
        said.push(format!("Added: {title}"));
        let made = |turn: &Value| turn["action_metadata"]["task"]["created_at"].to_string();
        let later = made(&turn) > made(&first);
        assert_eq!(later, jump > 0, "the clock did not jump");
        let shown = turn["messages"].as_array().unwrap();
        assert_eq!(shown.last().unwrap()["content"], format!("Added: {title}"));
    }
    // The latest turn is the latest, whatever the clock said.
    let undone = it.server.go_on("me", &first, "undo").await;
    let text = undone["assistant_message"].as_str().unwrap();
    assert!(
        text.starts_with("Undone: ") && text.contains("four"),
        "{text}"
    );
    let lines = lines(&it.server, &first).await;
    assert_eq!(lines[..said.len()], said);
    it.is_sound();
    let mut titles = it.server.titles("me").await;
    titles.sort();
    assert_eq!(titles, ["one", "three", "two"]);
    let ran = it.server.run_beside(&[], &["audit", "verify"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn clients_that_dawdle_keep_nobody_waiting() {
    let it = Server::start().await;
    let address = it.url("").trim_start_matches("http://").to_owned();
    let mut slow = Vec::new();
    for number in 0..60 {
        let mut line = TcpStream::connect(&address).await.unwrap();
        let half: &[u8] = match number % 3 {
            0 => b"POST /api/me/tasks HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-ty",
            1 => {
                b"POST /api/me/tasks HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n\
                   content-length: 40\r\n\r\n{\"title\""
            }
            _ => b"",
        };
        line.write_all(half).await.unwrap();
        slow.push(line);
    }
    let began = Instant::now();
    for number in 0..20 {
        assert_eq!(add(&it, &format!("Task {number}")).await.status, 201);
    }
    // Generous: a request that waited for one of them would wait for seconds.
    assert!(
        began.elapsed() < Duration::from_secs(4),
        "{:?}",
        began.elapsed()
    );
    // Whoever began a request hears that it took too long; nothing of it was done.
    for (number, mut line) in slow.into_iter().enumerate().filter(|(at, _)| at % 3 != 2) {
        let mut answer = Vec::new();
        let read = line.read_to_end(&mut answer);
        tokio::time::timeout(Duration::from_secs(30), read)
            .await
            .expect("it is given up")
            .unwrap();
        let answer = String::from_utf8(answer).unwrap();
        assert!(answer.starts_with("HTTP/1.1 408"), "{number}: {answer}");
    }
    assert_eq!(it.titles("me").await.len(), 20);
}
