//! `candor erase`: nothing of a user's words is left, not even as bytes in the files.

use std::fs;
use std::io::Write;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use sqlx::{Connection, SqliteConnection};

use crate::support::server::Server;
use crate::{refused, well};

const SQLITE: &[(&str, &str)] = &[("DATABASE_URL", "sqlite://candor.db")];

/// Files of the server's folder that hold a word, in any case.
fn holding(server: &Server, word: &str) -> Vec<String> {
    let word = word.to_lowercase();
    let files = fs::read_dir(server.directory()).unwrap();
    let files = files.map(|file| file.unwrap().path());
    let holds = files.filter(|file| {
        let bytes = fs::read(file).unwrap().to_ascii_lowercase();
        bytes
            .windows(word.len())
            .any(|part| part == word.as_bytes())
    });
    holds.map(|file| file.display().to_string()).collect()
}

/// Turns of every kind, each with the word in it.
async fn talk(server: &Server, user: &str, word: &str) -> Value {
    let first = server.chat(user, &format!("add Fly to {word}")).await;
    server.go_on(user, &first, "add a note to it").await;
    server
        .go_on(user, &first, &format!("delete Back from {word}"))
        .await;
    let done = format!("mark Fly to {word} as done");
    let receipt = server.go_on(user, &first, &done).await;
    server.go_on(user, &first, "what are my tasks?").await;
    server
        .add(
            user,
            json!({"title": format!("Read about {word}"), "description": word}),
        )
        .await;
    let body = json!({"title": format!("Write to {word}")});
    let path = format!("/api/{user}/tasks");
    let kept = server.post_keyed(&path, "a-key", body).await;
    assert_eq!(kept.status, 201, "{}", kept.text);
    let gone = format!("{path}/{}", kept.body["id"].as_str().unwrap());
    assert_eq!(server.delete(&gone).await.status, 204);
    server
        .go_on(user, &first, &format!("milk for {word}"))
        .await;
    receipt
}

#[tokio::test(flavor = "multi_thread")]
async fn no_word_is_left_in_any_file_while_the_server_goes_on() {
    let server = Server::start_with(SQLITE).await;
    let receipt = talk(&server, "ann", "Zanzibar").await;
    talk(&server, "bob", "Timbuktu").await;
    let receipt = receipt["action_metadata"]["receipt_id"].as_str().unwrap();
    assert!(!holding(&server, "Zanzibar").is_empty());
    let proof = format!("/api/ann/audit/receipts/{receipt}/proof");
    assert_eq!(server.get(&proof).await.status, 200);

    // What was deleted long ago is still there as bytes, and these are looked at.
    let path = format!("sqlite://{}", server.database().display());
    let mut plain = SqliteConnection::connect(&path).await.unwrap();
    let note = "INSERT INTO idempotency_keys VALUES ('ann', 'old', '', 200, 'Xanadu', \
        '2026-02-08T10:00:00.000000Z'); DELETE FROM idempotency_keys WHERE key = 'old'";
    sqlx::raw_sql(note).execute(&mut plain).await.unwrap();
    plain.close().await.unwrap();
    assert!(!holding(&server, "Xanadu").is_empty());

    let blind = server.run_beside(SQLITE, &["erase", "--user", "ann"]);
    refused(&blind, "say --yes where nobody can be asked");
    let erase = ["erase", "--user", "ann", "--yes", "--json"];
    let told: Value = serde_json::from_str(well(&server.run_beside(SQLITE, &erase))).unwrap();
    assert_eq!(told["erased"]["tasks"], 3, "{told}");
    assert_eq!(told["erased"]["conversations"], 1);
    assert_eq!(told["erased"]["keys"], 1);

    for word in ["Zanzibar", "Xanadu"] {
        assert_eq!(holding(&server, word), Vec::<String>::new());
    }
    assert!(!holding(&server, "Timbuktu").is_empty());
    well(&server.run_beside(SQLITE, &["audit", "verify"]));
    let export = server.run_beside(SQLITE, &["audit", "export"]);
    assert!(!well(&export).contains("Zanzibar") && export.out.contains("erasure"));
    assert!(export.out.contains("Timbuktu"));

    // The same server, which never stopped: an empty list, and it goes on.
    assert!(server.tasks("ann").await.is_empty());
    let heads = server.get("/api/ann/chat/conversations").await;
    assert_eq!(heads.body["conversations"], json!([]));
    let proof = server.get(&proof).await;
    assert_eq!(proof.status, 200, "{}", proof.text);
    assert!(!proof.text.contains("Zanzibar") && proof.text.contains(receipt));
    let undo = format!("/api/ann/receipts/{receipt}/undo");
    assert_eq!(server.post(&undo, json!({})).await.status, 404);
    let next = server.chat("ann", "add Buy milk").await;
    assert_eq!(next["assistant_message"], "Added: Buy milk");
    let next = server.go_on("ann", &next, "did you delete anything?").await;
    assert!(!next.to_string().contains("Zanzibar"));
    assert_eq!(server.titles("ann").await, ["Buy milk"]);
    assert_eq!(server.titles("bob").await.len(), 2);

    // Again: what was said since, and then nothing.
    let told: Value = serde_json::from_str(well(&server.run_beside(SQLITE, &erase))).unwrap();
    assert_eq!(told["erased"]["tasks"], 1);
    let words = server.run_beside(SQLITE, &["erase", "--user", "ann"]);
    assert_eq!(well(&words), "There is nothing of ann to erase.\n");
    well(&server.run_beside(SQLITE, &["audit", "verify"]));
}

/// A table that is added later must not be forgotten: what becomes of its rows is decided here
/// and in the `erase` files of both databases.
#[tokio::test]
async fn of_every_table_it_is_known_what_becomes_of_a_users_rows() {
    let gone = [
        "agent_messages",
        "agent_notices",
        "agent_numbers",
        "agent_results",
        "agent_runs",
        "agent_sessions",
        "conversations",
        "idempotency_keys",
        "messages",
        "open_turns",
        "questions",
        "tasks",
        // By the tasks' own going.
        "reminders",
        "todo_backend_orders",
    ];
    let without_words = ["audit_events", "receipts"];
    // Keys are an operator's affair, and so is what they are called.
    let no_words = ["api_keys", "audit_leaves", "commits", "erasures"];
    let folder = crate::Folder::new();
    well(&folder.run(&["migrate"]));
    let url = format!("sqlite://{}", folder.path("candor.db").display());
    let mut connection = SqliteConnection::connect(&url).await.unwrap();
    let tables = "SELECT m.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c \
        WHERE m.type = 'table' AND c.name = 'user_id' ORDER BY m.name";
    let found: Vec<String> = sqlx::query_scalar(tables)
        .fetch_all(&mut connection)
        .await
        .unwrap();
    let mut known = [&gone[..], &without_words, &no_words].concat();
    known.sort_unstable();
    assert_eq!(found, known);
    connection.close().await.unwrap();
}

/// Runs it on a terminal, where `answer` is typed.
fn on_a_terminal(server: &Server, command: &str, answer: &str) -> (bool, String) {
    let program = env!("CARGO_BIN_EXE_candor");
    let mut script = Command::new("script");
    let run = format!("{program} {command}");
    script.args(["--quiet", "--return", "--command", &run, "/dev/null"]);
    let mut running = script
        .current_dir(server.directory())
        .env("DATABASE_URL", "sqlite://candor.db")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut typed = running.stdin.take().unwrap();
    typed.write_all(answer.as_bytes()).unwrap();
    let ran = running.wait_with_output().unwrap();
    drop(typed);
    (ran.status.success(), String::from_utf8(ran.stdout).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn on_a_terminal_it_asks_first() {
    let server = Server::start_with(SQLITE).await;
    server.chat("ann", "add Fly to Zanzibar").await;
    let erase = "erase --user ann";
    let (went, said) = on_a_terminal(&server, erase, "yes\n");
    assert!(!went && said.contains("nothing was erased"), "{said}");
    assert!(
        said.contains("Of ann there are 1 task, 1 conversation, 2 lines"),
        "{said}"
    );
    assert_eq!(server.titles("ann").await, ["Fly to Zanzibar"]);
    let (went, said) = on_a_terminal(&server, erase, "ann\n");
    assert!(went && said.contains("Erased of ann: 1 task,"), "{said}");
    assert!(server.tasks("ann").await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn on_postgresql_no_row_holds_a_word() {
    let database = crate::support::server::postgres::Database::new();
    let url = database.url();
    let on = [("DATABASE_URL", &*url)];
    let server = Server::start_with(&on).await;
    talk(&server, "ann", "Zanzibar").await;
    let dump = || {
        let ran = std::process::Command::new("pg_dump")
            .arg(&url)
            .output()
            .unwrap();
        assert!(ran.status.success(), "{ran:?}");
        String::from_utf8(ran.stdout).unwrap()
    };
    assert!(dump().contains("Zanzibar"));
    let erased = server.run_beside(&on, &["erase", "--user", "ann", "--yes"]);
    let words = "Erased of ann: 3 tasks, 1 conversation,";
    assert!(well(&erased).starts_with(words), "{erased:?}");
    let left = dump().to_lowercase();
    assert!(!left.contains("zanzibar"));
    well(&server.run_beside(&on, &["audit", "verify"]));
    assert!(server.tasks("ann").await.is_empty());
    let next = server.chat("ann", "add Buy milk").await;
    assert_eq!(next["assistant_message"], "Added: Buy milk");
}
