//! Turns that outlive their client or the order to stop, over real HTTP; and the terminal,
//! which holds the same conversation.

#![cfg(test)]

mod support {
    pub mod openai;
    pub mod server;
}

use std::io::Write;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use support::openai::{ScriptedModel, Step};
use support::server::Server;

const CHAT: &str = "/api/me/chat";
const SLOW: Duration = Duration::from_millis(700);

/// A server whose model takes its time to propose the deletion of "Read book".
async fn slow_deletion() -> (ScriptedModel, Server) {
    let model = ScriptedModel::start().await;
    let call = Step::calls(vec![("delete_task", json!({"task": "Read book"}))]);
    model.otherwise(Step::After(SLOW, Box::new(call)));
    let server = Server::start_with(&[
        ("CANDOR_TODAY", "2026-02-08"),
        ("OPENAI_BASE_URL", &model.base_url()),
        ("OPENAI_MODEL", "slow"),
    ])
    .await;
    server.add("me", json!({"title": "Read book"})).await;
    (model, server)
}

fn deletion() -> Value {
    json!({"message": "delete Read book"})
}

#[tokio::test]
async fn a_turn_whose_client_goes_away_runs_to_its_end() {
    let (_model, server) = slow_deletion().await;
    let gone = tokio::time::timeout(SLOW / 4, server.post(CHAT, deletion())).await;
    assert!(gone.is_err(), "the model was not slow");
    tokio::time::sleep(SLOW * 2).await;
    assert!(server.tasks("me").await.is_empty());
    let receipts = server.events("me", "receipt").await;
    let last = receipts.last().expect("a receipt");
    assert_eq!(last["payload"]["action"], "delete_task");
}

#[tokio::test]
async fn running_turns_end_before_the_program_does_and_nothing_new_begins() {
    let (_model, mut server) = slow_deletion().await;
    let turn = server.post(CHAT, deletion());
    let meanwhile = async {
        tokio::time::sleep(SLOW / 4).await;
        server.terminate();
        tokio::time::sleep(SLOW / 4).await;
        let late = server.post("/api/me/tasks", json!({"title": "late"})).await;
        assert_eq!((late.status, late.problem()), (503, "shutting_down"));
        assert_eq!(late.headers["connection"], "close");
        assert_eq!(server.get("/readyz").await.status, 503);
        assert_eq!(server.get("/healthz").await.status, 200);
    };
    let (turn, ()) = tokio::join!(turn, meanwhile);
    assert_eq!(turn.status, 200, "{}", turn.text);
    assert_eq!(turn.body["assistant_message"], "Deleted: Read book");
    assert!(server.ended().await.success());
    server.crash_and_restart().await;
    assert!(server.tasks("me").await.is_empty());
}

#[tokio::test]
async fn a_turn_tells_where_its_time_went() {
    let (_model, server) = slow_deletion().await;
    let turn = server.post(CHAT, deletion()).await;
    let timing = turn.headers["server-timing"].to_str().unwrap();
    assert!(
        timing.starts_with("total;dur=") && timing.contains(", model;dur="),
        "{timing}"
    );
}

#[tokio::test]
async fn a_piped_conversation_is_plain_text_here_and_there() {
    let server = Server::start().await;
    let url = server.url("");
    for arguments in [vec!["chat"], vec!["chat", "--url", &url, "--user", "you"]] {
        let talk = talk(
            &server,
            &arguments,
            "add milk\n/tasks\n/undo\n\n/nope\n/tasks\n/quit\nadd eggs\n",
        );
        let lines: Vec<_> = talk.lines().collect();
        let [added, listed, undone, unknown, empty] = lines[..] else {
            panic!("{talk}")
        };
        assert_eq!((added, listed), ("Added: milk", "[ ] milk"));
        assert!(undone.starts_with("Undone: "), "{undone}");
        assert!(unknown.starts_with("There is no /nope."), "{unknown}");
        assert_eq!(empty, "Your task list is empty.");
    }
    let replies = talk(
        &server,
        &["chat", "--json"],
        "add milk\nwhat's on my list?\n",
    );
    let replies: Vec<Value> = replies
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(replies[0]["assistant_message"], "Added: milk");
    assert_eq!(replies[1]["conversation_id"], replies[0]["conversation_id"]);
}

/// Runs `candor` beside the server, on the same database, with lines on its standard input.
fn talk(server: &Server, arguments: &[&str], lines: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_candor"))
        .current_dir(server.directory())
        .env_clear()
        .env("CANDOR_TODAY", "2026-02-08")
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child
        .stdin
        .take()
        .unwrap()
        .write_all(lines.as_bytes())
        .unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    String::from_utf8(output.stdout).unwrap()
}

#[tokio::test]
async fn the_log_says_values_plainly() {
    let server = Server::start_with(&[("CANDOR_TODAY", "2026-02-08")]).await;
    server.get("/api/me/tasks").await;
    let log = server.log();
    assert!(log.contains("today=2026-02-08"), "{log}");
    let ms = regex::Regex::new(r"ms=(\d+(?:\.\d+)?)").unwrap();
    let took = &ms.captures(&log).expect("an answered request")[1];
    let places = took.split_once('.').map_or("", |(_, places)| places);
    assert!(places.len() <= 3, "{log}");
    assert!(!log.contains("Some("), "{log}");
}

/// A client that keeps an id for too long learns how to go on.
#[tokio::test]
async fn a_conversation_that_is_gone_is_told_with_the_way_to_a_new_one() {
    let server = Server::start().await;
    let said = server.chat("me", "add milk").await;
    let erased = server.run_beside(&[], &["erase", "--user", "me", "--yes"]);
    assert_eq!(erased.code, Some(0), "{erased:?}");
    let gone = said["conversation_id"].as_str().unwrap();
    let go_on = json!({"message": "add bread", "conversation_id": gone});
    let messages = format!("{CHAT}/messages?conversation_id={gone}");
    for reply in [
        server.post(CHAT, go_on.clone()).await,
        server.get(&messages).await,
    ] {
        let told = (reply.status, reply.problem());
        assert_eq!(told, (404, "unknown_conversation"), "{}", reply.text);
        let detail = reply.body["detail"].as_str().unwrap();
        assert!(detail.contains("leave conversation_id out"), "{detail}");
    }
    let anew = server
        .turn("me", json!({"message": go_on["message"]}))
        .await;
    assert_ne!(anew["conversation_id"], gone);
    assert_eq!(server.titles("me").await, ["bread"]);
}

/// Replies to messages, each in the conversation of the one before.
async fn replies(server: &Server, turns: &[(&str, Option<&str>)]) -> Vec<String> {
    let (mut conversation, mut said) = (Value::Null, Vec::new());
    for (message, hint) in turns {
        let mut body = json!({"message": message, "language_hint": hint});
        if !conversation.is_null() {
            body["conversation_id"] = conversation.clone();
        }
        let reply = server.post(CHAT, body).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        conversation = reply.body["conversation_id"].clone();
        said.push(reply.body["assistant_message"].as_str().unwrap().to_owned());
        let path = format!(
            "/api/me/audit/turns/{}",
            reply.body["turn_id"].as_str().unwrap()
        );
        let account = server.get(&path).await.body;
        assert_eq!(account["holds"], true, "{account:#}");
    }
    said
}

#[tokio::test]
async fn a_reply_is_in_the_language_of_its_words_unless_one_is_asked_for_or_set() {
    let server = Server::start_with(&[("CANDOR_TODAY", "2026-02-08")]).await;
    let turns = [
        ("füge Milch hinzu", None),
        // One word alone changes no conversation's language.
        ("cancel", None),
        ("add eggs", Some("pt-BR")),
        ("lösche Milch", Some("xx")),
        ("delete eggs please", Some("")),
    ];
    let expected = [
        "Hinzugefügt: Milch",
        "Alles klar, nichts zu tun.",
        "Adicionada: eggs",
        "Gelöscht: Milch",
        "Deleted: eggs",
    ];
    assert_eq!(replies(&server, &turns).await, expected);
    let set = [
        ("CANDOR_TODAY", "2026-02-08"),
        ("CANDOR_REPLY_LANGUAGE", "it"),
    ];
    let server = Server::start_with(&set).await;
    let turns = [
        ("add milk", None),
        ("delete milk", Some("de")),
        ("add rice to my list", None),
    ];
    let expected = ["Aggiunta: milk", "Gelöscht: milk", "Aggiunta: rice"];
    assert_eq!(replies(&server, &turns).await, expected);
}
