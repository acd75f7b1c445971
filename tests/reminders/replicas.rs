//! Two servers over one PostgreSQL share the work, and know whose streams are open at the other.

use std::collections::HashSet;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use candor::domain::{IdSource, UserId};
use candor::store::{HeldStreams, Store};
use serde_json::json;
use sqlx::{Connection, PgConnection};

use crate::scene::{NOBODY, PATIENCE, SECRET, taken};
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
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
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
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
    drop((one, other));
}

/// Two servers over one database, and a connection of the test's own.
async fn pair() -> (Database, Server, Server, PgConnection) {
    let database = Database::new();
    let url = database.url();
    let variables = [("DATABASE_URL", url.as_str())];
    let (one, other) = tokio::join!(
        Server::start_with(&variables),
        Server::start_with(&variables)
    );
    let rows = PgConnection::connect(&url).await.unwrap();
    (database, one, other, rows)
}

/// Sets a reminder in a turn, and tells whether the reply says that nobody listens.
async fn finds_nobody(server: &Server, user: &str) -> bool {
    // Of one that is there already it would be asked.
    static TASKS: AtomicU32 = AtomicU32::new(0);
    let title = format!("task{}", TASKS.fetch_add(1, Ordering::Relaxed));
    let words = format!("remind me in 2 hours to {title}");
    let reply = server.chat(user, &words).await;
    let told = reply["assistant_message"].as_str().unwrap();
    let added = format!("Added: {title} (reminder ");
    assert!(told.starts_with(&added), "{told}");
    told.ends_with(NOBODY)
}

/// Longest time until a server has told of its streams: a reader who went without a word is missed when the
/// line is silent for 15 s.
const TOLD: Duration = Duration::from_secs(60);

/// Waits until a server has told of so many open streams.
async fn until_told(database: &mut PgConnection, number: i64) {
    let began = Instant::now();
    let count = "SELECT count(*) FROM open_streams";
    loop {
        let told: i64 = sqlx::query_scalar(count)
            .fetch_one(&mut *database)
            .await
            .unwrap();
        if told == number {
            return;
        }
        assert!(began.elapsed() < TOLD, "{told}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

#[tokio::test]
async fn nobody_listens_is_said_only_where_no_server_has_a_stream() {
    let (_database, one, mut other, mut rows) = pair().await;
    assert!(finds_nobody(&one, "me").await);
    let open = async || reqwest::get(other.url("/api/me/events")).await.unwrap();
    let (first, second) = (open().await, open().await);
    until_told(&mut rows, 1).await;
    assert!(!finds_nobody(&one, "me").await);
    assert!(finds_nobody(&one, "you").await);
    // What was swept away because it was not said again in time is said again.
    let sweep = "DELETE FROM stream_servers";
    sqlx::raw_sql(sweep).execute(&mut rows).await.unwrap();
    until_told(&mut rows, 1).await;
    assert!(!finds_nobody(&one, "me").await);
    drop(first);
    drop(second);
    until_told(&mut rows, 0).await;
    assert!(finds_nobody(&one, "me").await);
    // One that ends takes it back.
    let third = open().await;
    until_told(&mut rows, 1).await;
    other.terminate();
    other.ended().await;
    assert!(finds_nobody(&one, "me").await);
    drop(third);
}

#[tokio::test]
async fn a_server_that_is_killed_is_not_heard_of_for_long() {
    let (_database, one, mut other, mut rows) = pair().await;
    let stream = reqwest::get(other.url("/api/me/events")).await.unwrap();
    until_told(&mut rows, 1).await;
    other.crash();
    drop(stream);
    let until = "UPDATE stream_servers SET until = until + 3600000";
    sqlx::raw_sql(until).execute(&mut rows).await.unwrap();
    assert!(!finds_nobody(&one, "me").await);
    let over = "UPDATE stream_servers SET until = until - 3600000";
    sqlx::raw_sql(over).execute(&mut rows).await.unwrap();
    let began = Instant::now();
    while !finds_nobody(&one, "me").await {
        assert!(began.elapsed() < TOLD);
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
}

#[tokio::test]
async fn what_a_server_said_of_its_streams_holds_for_a_while() {
    let database = Database::new();
    let (url, ids) = (database.url(), IdSource::random());
    let (one, other) = tokio::join!(Store::open(&url), Store::open(&url));
    let (one, other) = (one.unwrap(), other.unwrap());
    one.migrate().await.unwrap();
    let [ann, bob] = ["ann", "bob"].map(|name| UserId::parse(name).unwrap());
    let mut held = HeldStreams {
        server: ids.next(),
        period: Duration::from_secs(3600),
        opened: vec![ann.clone()],
        closed: vec![],
    };
    assert!(one.hold_streams(&held).await.unwrap());
    assert!(!one.hold_streams(&held).await.unwrap());
    assert!(other.streams_elsewhere(&ann).await.unwrap());
    assert!(!other.streams_elsewhere(&bob).await.unwrap());
    (held.opened, held.closed) = (vec![bob.clone()], vec![ann.clone()]);
    held.period = Duration::from_millis(50);
    assert!(!one.hold_streams(&held).await.unwrap());
    assert!(!other.streams_elsewhere(&ann).await.unwrap());
    let began = Instant::now();
    while other.streams_elsewhere(&bob).await.unwrap() {
        assert!(began.elapsed() < PATIENCE);
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    // What holds no more goes with whoever says something next.
    let others = HeldStreams {
        server: ids.next(),
        ..held.clone()
    };
    assert!(other.hold_streams(&others).await.unwrap());
    assert!(one.hold_streams(&held).await.unwrap());
    one.close().await;
    other.close().await;
}
