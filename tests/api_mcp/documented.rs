//! The configuration that docs/CLIENTS.md shows, taken at its word.

use serde_json::{Value, json};

use crate::piped::Piped;
use crate::support::server::Server;
use crate::wire::{Session, asks, done};

/// The one server of each configuration in that section, in order.
fn shown() -> Vec<Value> {
    let document = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/CLIENTS.md");
    let document = std::fs::read_to_string(document).unwrap();
    let (_, section) = document.split_once("\n## MCP\n").unwrap();
    let section = section.split("\n## ").next().unwrap();
    let blocks = section.split("```json\n").skip(1);
    blocks
        .map(|block| {
            let block = block.split("\n```").next().unwrap();
            let config: Value = serde_json::from_str(block).unwrap();
            let servers = config["mcpServers"].as_object().unwrap();
            assert_eq!(servers.len(), 1);
            servers.values().next().unwrap().clone()
        })
        .collect()
}

/// The value with the database in another folder.
fn at(value: &Value, folder: &str) -> String {
    let place = value.as_str().unwrap().strip_prefix("sqlite:///").unwrap();
    let (_, file) = place.rsplit_once('/').unwrap();
    format!("sqlite://{folder}/{file}")
}

#[tokio::test]
async fn the_command_of_the_document_starts() {
    let server = Server::start_with(&[("DATABASE_URL", "sqlite://candor.db")]).await;
    server.add("me", json!({"title": "Read book"})).await;
    let config = &shown()[0];
    assert_eq!(config["command"], "candor");
    let arguments: Vec<_> = config["args"]
        .as_array()
        .unwrap()
        .iter()
        .map(|a| a.as_str().unwrap())
        .collect();
    // Home is where the server's file is.
    let home = server.directory().to_str().unwrap();
    let variables: Vec<_> = config["env"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, value)| (name.as_str(), at(value, home)))
        .collect();
    let variables: Vec<_> = variables
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    let elsewhere = std::env::temp_dir();
    let mut piped = Piped::start(
        &elsewhere,
        env!("CARGO_BIN_EXE_candor"),
        &arguments,
        &variables,
    );
    piped.initialize(asks());
    let listed = piped.call("list_tasks", json!({}));
    assert_eq!(
        done(&listed["result"]),
        "You have 1 task:\n1. Read book (pending, medium)"
    );
    piped.close();
}

#[tokio::test]
async fn the_address_of_the_document_answers() {
    let keys = [("CANDOR_TODAY", "2026-02-08"), ("CANDOR_AUTH", "keys")];
    let server = Server::start_with(&keys).await;
    let made = server.run_beside(&[], &["token", "create", "--user", "me"]);
    let key = made.out.trim();
    let config = &shown()[1];
    assert_eq!(config["type"], "http");
    let path = config["url"]
        .as_str()
        .unwrap()
        .strip_prefix("http://127.0.0.1:8080")
        .unwrap();
    let header = config["headers"]["Authorization"].as_str().unwrap();
    let shown = header.strip_prefix("Bearer ").unwrap();
    // It looks like a key, and is none.
    assert!(shown.starts_with("candor_") && shown.split('_').count() == key.split('_').count());
    let session = Session::open_as(&server, path, Some(key), asks()).await;
    let added = session
        .call("add_task", json!({"title": "Read book"}))
        .await;
    assert_eq!(done(&added), "Added: Read book");
}
