//! The minute of docs/DELEGATION.md: no key, no server, one file; over HTTP and in the terminal.

use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::json;

use crate::scene::Place;
use crate::support::server::Server;

const HAND: &str = "delegate Research hotels to the researcher";

/// A server with the document's file, over a workspace that is known.
async fn fresh() -> (Server, Place) {
    let place = Place::new();
    let document = include_str!("../../docs/DELEGATION.md");
    let file = document.split("```toml\n").nth(1).unwrap();
    let file = file.split("```").next().unwrap();
    let path = place.0.join("candor.toml");
    let inside = format!("['{}']", place.0.join("in").display());
    std::fs::write(&path, file.replace("[\"notes\"]", &inside)).unwrap();
    let config = ("CANDOR_CONFIG", path.to_str().unwrap());
    (Server::start_with(&[config]).await, place)
}

#[tokio::test]
async fn a_task_is_delegated_on_a_fresh_machine() {
    let (server, _place) = fresh().await;
    let reply = server.chat("me", HAND).await;
    let text = reply["assistant_message"].as_str().unwrap();
    assert!(
        text.starts_with("Agent finished: Research hotels"),
        "{text}"
    );
    assert!(text.contains("researcher reported: "), "{text}");
    let run = server.get("/api/me/delegations/run-1").await.body;
    assert_eq!(run["state"], "completed", "{run:#}");
    assert_eq!(run["result"]["verification"], "verified", "{run:#}");
    assert_eq!(server.tasks("me").await[0]["status"], "completed");
}

#[tokio::test]
async fn the_terminal_shows_an_agent_at_work_with_its_notes() {
    let (server, _place) = fresh().await;
    let mut child = Command::new(env!("CARGO_BIN_EXE_candor"))
        .current_dir(server.directory())
        .env_clear()
        .args(["chat", "--url", &server.url("")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = format!("{HAND}\n/tasks\n");
    child
        .stdin
        .take()
        .unwrap()
        .write_all(lines.as_bytes())
        .unwrap();
    let said = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let place = |part: &str| said.find(part).unwrap_or_else(|| panic!("{part}: {said}"));
    let notes = place("  · run-1 notes: \"Reading 3 of 3 files\"");
    assert!(
        place("is running") < notes && notes < place("is completed"),
        "{said}"
    );
    assert!(notes < place("Agent finished: Research hotels"), "{said}");
    place("[x] Research hotels");
}

#[tokio::test]
async fn a_run_of_this_program_in_the_terminal_is_worked_on_there() {
    let (server, place) = fresh().await;
    let run = server.run_beside(&[("CANDOR_CONFIG", "/no/such.toml")], &["chat"]);
    assert_eq!(run.code, Some(2), "{run:?}");
    assert!(run.err.contains("CANDOR_CONFIG: "), "{run:?}");
    let other = Place::new();
    let file = place.0.join("candor.toml");
    let mut child = Command::new(env!("CARGO_BIN_EXE_candor"))
        .current_dir(&other.0)
        .env_clear()
        .env("CANDOR_CONFIG", &file)
        .args(["chat", "--json"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(HAND.as_bytes())
        .unwrap();
    let said = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    let reply: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(
        reply["action_metadata"]["delegation"]["state"],
        json!("completed"),
        "{reply:#}"
    );
}
