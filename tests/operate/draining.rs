//! Readiness: with the database, and until a shutdown begins; what is in flight then ends.

use std::io::{BufRead, BufReader};
use std::time::Duration;

use serde_json::json;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::page::Page;
use crate::support::openai::{Gate, ScriptedModel, Step};
use crate::support::server::Server;

/// One request on a connection that stays open; what came back, and whether it was then closed.
async fn ask(stream: &mut TcpStream, path: &str) -> (String, bool) {
    let request = format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n");
    stream.write_all(request.as_bytes()).await.unwrap();
    let mut answer = Vec::new();
    let mut chunk = [0; 4096];
    loop {
        let read = tokio::time::timeout(Duration::from_secs(5), stream.read(&mut chunk)).await;
        let read = read.expect("an answer").unwrap();
        if read == 0 {
            return (String::from_utf8(answer).unwrap(), true);
        }
        answer.extend_from_slice(&chunk[..read]);
        let text = String::from_utf8_lossy(&answer);
        let Some((head, body)) = text.split_once("\r\n\r\n") else {
            continue;
        };
        let head = head.to_ascii_lowercase();
        let length = head
            .lines()
            .find_map(|line| line.strip_prefix("content-length: "));
        let whole = length.is_some_and(|length| length.parse() == Ok(body.len()));
        if whole && !head.contains("connection: close") {
            return (text.into_owned(), false);
        }
    }
}

#[tokio::test]
async fn a_server_that_is_told_to_end_says_so_at_once_and_ends_what_it_began() {
    let model = ScriptedModel::start().await;
    let gate = Gate::closed();
    let call = Step::calls(vec![("add_task", json!({"title": "milk"}))]);
    model.then(Step::Held(gate.clone(), Box::new(call)));
    let base_url = model.base_url();
    let mut server = Server::start_with(&[
        ("CANDOR_TODAY", "2026-02-08"),
        ("OPENAI_BASE_URL", &base_url),
        ("OPENAI_MODEL", "held"),
    ])
    .await;
    let address = server.url("").trim_start_matches("http://").to_owned();
    let mut kept = TcpStream::connect(&address).await.unwrap();
    let (ready, closed) = ask(&mut kept, "/readyz").await;
    assert!(ready.starts_with("HTTP/1.1 200 ") && !closed, "{ready}");

    let turn = server.post("/api/me/chat", json!({"message": "add milk"}));
    let meanwhile = async {
        while model.requests().is_empty() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        server.terminate();
        // The connection that was there before gets the news, and is closed with it.
        let mut news = ask(&mut kept, "/readyz").await;
        let mut asked = 1;
        while news.0.starts_with("HTTP/1.1 200 ") {
            assert!(asked < 1000, "it goes on to say that it is ready");
            if news.1 {
                // It was ready when it was asked and not any more when it answered.
                kept = TcpStream::connect(&address).await.unwrap();
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
            news = ask(&mut kept, "/readyz").await;
            asked += 1;
        }
        let (said, closed) = news;
        assert!(said.starts_with("HTTP/1.1 503 "), "{said}");
        assert!(said.contains("shutting_down") && closed, "{said}");
        assert_eq!(server.get("/healthz").await.status, 200);
        let page = Page::of(&server).await;
        assert!(page.value("candor_ready", &[]).abs() < 1e-9);
        assert!((page.value("candor_turns_running", &[]) - 1.0).abs() < 1e-9);
        gate.open();
    };
    let (turn, ()) = tokio::join!(turn, meanwhile);
    assert_eq!(turn.status, 200, "{}", turn.text);
    assert_eq!(turn.body["assistant_message"], "Added: milk");
    assert!(server.ended().await.success(), "{}", server.log());
}

#[tokio::test]
async fn a_database_without_its_migrations_is_not_ready_and_the_process_lives() {
    let directory = std::env::temp_dir().join(format!("candor-unready-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let mut program = std::process::Command::new(env!("CARGO_BIN_EXE_candor"))
        .current_dir(&directory)
        .env_clear()
        .envs([("CANDOR_BIND", "127.0.0.1:0"), ("CANDOR_MIGRATE", "off")])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::null())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let out = program.stdout.take().unwrap();
    BufReader::new(out).read_line(&mut line).unwrap();
    let address = line.trim().rsplit('/').next().unwrap();
    let mut stream = TcpStream::connect(address).await.unwrap();
    let (ready, _) = ask(&mut stream, "/readyz").await;
    assert!(ready.starts_with("HTTP/1.1 503 "), "{ready}");
    assert!(ready.contains("candor migrate"), "{ready}");
    let (alive, _) = ask(&mut stream, "/healthz").await;
    assert!(alive.starts_with("HTTP/1.1 200 "), "{alive}");
    let (page, _) = ask(&mut stream, "/metrics").await;
    assert!(page.contains("\ncandor_ready 0\n"), "{page}");
    program.kill().unwrap();
    program.wait().unwrap();
    std::fs::remove_dir_all(&directory).unwrap();
}
