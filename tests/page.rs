//! The page at `/`, in a real browser, on the real program: what is on it and what is in the
//! database are looked at together. The model is the built-in engine, or a scripted server.
//!
//! Pictures are kept under `target/tmp/page`; the one that README.md opens with is made by
//! `looks::the_picture_of_the_readme`, which says how.

#![cfg(test)]

#[path = "support"]
mod support {
    pub mod clients;
    pub mod openai;
    pub mod server;
}

#[path = "page/browser.rs"]
mod browser;
#[path = "page/details.rs"]
mod details;
#[path = "page/foreign.rs"]
mod foreign;
#[path = "page/keys.rs"]
mod keys;
#[path = "page/languages.rs"]
mod languages;
#[path = "page/limits.rs"]
mod limits;
#[path = "page/looks.rs"]
mod looks;
#[path = "page/plays.rs"]
mod plays;
#[path = "page/reminders.rs"]
mod reminders;
#[path = "page/views.rs"]
mod views;

use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, Row, SqliteConnection};
use support::openai::ScriptedModel;
use support::server::Server;

/// The day everything plays on, a Sunday.
const TODAY: (&str, &str) = ("CANDOR_TODAY", "2026-02-08");

/// A server whose model is scripted. The page's tests look into the file, so it is SQLite.
async fn with_model(model: &ScriptedModel) -> Server {
    let base_url = model.base_url();
    Server::start_with(&[
        TODAY,
        ("DATABASE_URL", "sqlite://candor.db"),
        ("OPENAI_BASE_URL", &base_url),
        ("OPENAI_MODEL", "gpt-4o-mini"),
        // No test depends on how fast a browser is.
        ("CANDOR_MODEL_TIMEOUT_MS", "120000"),
    ])
    .await
}

/// A server with the built-in engine.
async fn with_engine() -> Server {
    Server::start_with(&[TODAY, ("DATABASE_URL", "sqlite://candor.db")]).await
}

/// Rows of text, read past the program.
async fn rows(server: &Server, statement: &'static str) -> Vec<String> {
    let options = SqliteConnectOptions::new().filename(server.database());
    let mut file = SqliteConnection::connect_with(&options).await.unwrap();
    let rows = sqlx::query(statement).fetch_all(&mut file).await.unwrap();
    rows.iter().map(|row| row.get(0)).collect()
}

/// Titles of what is on the list, by the file.
async fn titles(server: &Server) -> Vec<String> {
    let statement = "SELECT title FROM tasks WHERE deleted_at IS NULL ORDER BY created_at, id";
    rows(server, statement).await
}

/// Returns what was committed, by the file.
async fn receipts(server: &Server) -> Vec<String> {
    rows(server, "SELECT action FROM receipts ORDER BY seq").await
}

/// Adds tasks by REST: title, due date, priority.
async fn given(server: &Server, tasks: &[(&str, Option<&str>, &str)]) {
    for (title, due, priority) in tasks {
        let mut task = json!({"title": title, "priority": priority});
        if let Some(due) = due {
            task["due_date"] = Value::from(*due);
        }
        server.add("me", task).await;
    }
}
