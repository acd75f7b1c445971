//! Changes as events: every one once, in order, whoever made it, and from where a reader was.

use std::time::Duration;

use serde_json::{Value, json};

use crate::scene::{Stream, client};
use crate::support::server::Server;
use crate::support::server::postgres::Database;

const EVENTS: &str = "/api/me/events";

/// One event.
#[derive(Debug, Clone, PartialEq)]
struct Event {
    id: i64,
    name: String,
    data: Value,
}

/// Follows from now on, or from after an event.
async fn follow(server: &Server, last: Option<i64>) -> Stream {
    let mut request = client().get(server.url(EVENTS));
    if let Some(last) = last {
        request = request.header("last-event-id", last.to_string());
    }
    let mut stream = Stream::of(request).await;
    assert_eq!(stream.status, 200);
    assert_eq!(stream.headers["content-type"], "text/event-stream");
    // Where it begins stands in its first lines, or with a reset.
    if last.is_none() {
        let first = stream.block().await.unwrap();
        assert!(
            first.contains("id: ") && !first.contains("data:"),
            "{first}"
        );
    }
    stream
}

async fn next(stream: &mut Stream) -> Event {
    loop {
        let block = stream.block().await.expect("it goes on");
        let line = |name: &str| block.lines().find_map(|line| line.strip_prefix(name));
        let (Some(id), Some(data)) = (line("id: "), line("data: ")) else {
            continue;
        };
        return Event {
            id: id.parse().unwrap(),
            name: line("event: ").unwrap().to_owned(),
            data: serde_json::from_str(data).unwrap(),
        };
    }
}

async fn several(stream: &mut Stream, number: usize) -> Vec<Event> {
    let mut events = Vec::new();
    for _ in 0..number {
        events.push(next(stream).await);
    }
    events
}

fn titles(events: &[Event]) -> Vec<&str> {
    events
        .iter()
        .map(|event| event.data["task_title"].as_str().unwrap())
        .collect()
}

#[tokio::test]
async fn a_change_is_told_as_it_was_committed() {
    let server = Server::start().await;
    server.add("me", json!({"title": "before"})).await;
    let mut stream = follow(&server, None).await;
    let reply = server.chat("me", "add milk tomorrow").await;
    let change = next(&mut stream).await;
    assert_eq!(change.name, "change");
    let mut expect = reply["action_metadata"].clone();
    expect["turn_id"] = reply["turn_id"].clone();
    expect["conversation_id"] = reply["conversation_id"].clone();
    expect["seq"] = change.id.into();
    assert_eq!(change.data, expect);
    let receipts = server.events("me", "receipt").await;
    let logged = receipts.last().unwrap();
    assert_eq!(logged["seq"], change.id);
    // A listing changes nothing and is no change; neither is somebody else's.
    server.chat("me", "what are my tasks?").await;
    server.chat("eve", "add eggs").await;
    let task = server.add("me", json!({"title": "by hand"})).await;
    let by_hand = next(&mut stream).await;
    assert_eq!(by_hand.data["task_id"], task["id"]);
    assert_eq!(by_hand.data["conversation_id"], Value::Null);
    assert_eq!(by_hand.data["task"], task);
    let path = format!("/api/me/tasks/{}", task["id"].as_str().unwrap());
    assert_eq!(server.delete(&path).await.status, 204);
    let gone = next(&mut stream).await;
    assert_eq!(
        (&gone.data["action"], &gone.data["task"]),
        (&json!("delete_task"), &Value::Null)
    );
}

#[tokio::test]
async fn a_reader_goes_on_exactly_where_it_was() {
    let server = Server::start().await;
    for number in 0..5 {
        server.chat("me", &format!("add \"Task {number}\"")).await;
    }
    let mut all = follow(&server, Some(0)).await;
    let all = several(&mut all, 5).await;
    assert_eq!(
        titles(&all),
        ["Task 0", "Task 1", "Task 2", "Task 3", "Task 4"]
    );
    for at in 0..4 {
        let mut rest = follow(&server, Some(all[at].id)).await;
        assert_eq!(several(&mut rest, 4 - at).await, all[at + 1..]);
    }
    let named = format!("{EVENTS}?follow=false&last_event_id={}", all[3].id);
    let rest = server.get(&named).await;
    assert_eq!(rest.text.matches("event: change").count(), 1);
    let ended = server.get(&format!("{EVENTS}?follow=false")).await;
    assert_eq!(ended.text.matches("event: change").count(), 5);
    // Where the log does not reach, everything is to be read anew.
    let mut beyond = follow(&server, Some(1_000_000)).await;
    let reset = next(&mut beyond).await;
    assert_eq!((reset.name.as_str(), &reset.data), ("reset", &json!({})));
    server.chat("me", "add eggs").await;
    assert_eq!(titles(&[next(&mut beyond).await]), ["eggs"]);
    for (header, status) in [("x", 400), ("1.5", 400), ("-1", 200)] {
        let path = format!("{EVENTS}?follow=false");
        let reply = server
            .send("GET", &path, &[("last-event-id", header)], None)
            .await;
        assert_eq!(reply.status, status, "{header}");
    }
    assert_eq!(server.get(&format!("{EVENTS}?view=acp")).await.status, 404);
    assert_eq!(server.get(&format!("{EVENTS}?view=xml")).await.status, 400);
}

#[tokio::test]
async fn what_was_erased_is_not_told_again() {
    let server = Server::start().await;
    server.chat("me", "add milk").await;
    let mut live = follow(&server, None).await;
    let ran = server.run_beside(&[], &["erase", "--user", "me", "--yes"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(next(&mut live).await.name, "reset");
    server.chat("me", "add eggs").await;
    assert_eq!(titles(&[next(&mut live).await]), ["eggs"]);
    let mut late = follow(&server, Some(0)).await;
    let events = several(&mut late, 2).await;
    assert_eq!(
        (events[0].name.as_str(), events[1].name.as_str()),
        ("reset", "change")
    );
    assert!(!late.text.contains("milk"), "{}", late.text);
}

#[tokio::test]
async fn the_documents_address_tells_what_was_changed() {
    let document = include_str!("../../docs/CLIENTS.md");
    let (_, rest) = document
        .split_once("curl -sN \"localhost:8080")
        .expect("the snippet");
    let (path, _) = rest.split_once('"').unwrap();
    let server = Server::start().await;
    server.chat("me", "add milk").await;
    let reply = server.get(path).await;
    assert_eq!(
        reply.text.matches("event: change\n").count(),
        1,
        "{}",
        reply.text
    );
}

/// Two processes write at once; each has a reader. Both hear all of it, in the order of the log.
async fn two_processes(url: &str) {
    let variables = [("CANDOR_TODAY", "2026-02-08"), ("DATABASE_URL", url)];
    let one = Server::start_with(&variables).await;
    let other = Server::start_with(&variables).await;
    let mut streams = [follow(&one, None).await, follow(&other, None).await];
    let writing = async {
        for number in 0..10 {
            let (one_title, other_title) = (format!("one {number}"), format!("other {number}"));
            tokio::join!(
                one.add("me", json!({"title": one_title})),
                other.add("me", json!({"title": other_title}))
            );
        }
    };
    let reading = async {
        let [first, second] = &mut streams;
        tokio::join!(several(first, 20), several(second, 20))
    };
    let limit = tokio::time::timeout(Duration::from_secs(60), async {
        let ((), read) = tokio::join!(writing, reading);
        read
    });
    let (first, second) = limit.await.expect("both hear everything");
    assert_eq!(first, second);
    assert!(first.windows(2).all(|two| two[0].id < two[1].id));
    let mut told = titles(&first);
    told.sort_unstable();
    told.dedup();
    assert_eq!(told.len(), 20);
    // A reader that loses one process goes on at the other.
    let mut moved = follow(&other, Some(first[7].id)).await;
    assert_eq!(several(&mut moved, 12).await, first[8..]);
}

#[tokio::test]
async fn two_processes_on_one_file_tell_the_same() {
    let name = format!("candor-streams-{}.db", std::process::id());
    let file = std::env::temp_dir().join(name);
    let url = format!("sqlite://{}", file.display());
    two_processes(&url).await;
    for end in ["", "-wal", "-shm", "-running"] {
        // What is left lies in the system's temporary directory and does no harm.
        let _ = std::fs::remove_file(format!("{}{end}", file.display()));
    }
}

#[tokio::test]
async fn two_processes_on_postgresql_tell_the_same() {
    let database = Database::new();
    two_processes(&database.url()).await;
}
