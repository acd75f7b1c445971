//! `candor mcp`: the real binary, spoken to over its pipes.

use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

use crate::support::server::Server;
use crate::wire::{BEFORE, NEWEST, asks, done, failed};

/// A running `candor mcp`.
pub struct Piped {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    next: u64,
}

impl Piped {
    /// Starts `command` where a server's database is.
    pub fn start(
        directory: &Path,
        command: &str,
        arguments: &[&str],
        vars: &[(&str, &str)],
    ) -> Self {
        let mut child = Command::new(command)
            .args(arguments)
            .current_dir(directory)
            .env_clear()
            .env("CANDOR_TODAY", "2026-02-08")
            .envs(vars.iter().copied())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        Self {
            input: child.stdin.take(),
            output: BufReader::new(child.stdout.take().unwrap()),
            child,
            next: 1,
        }
    }

    fn beside(server: &Server, arguments: &[&str]) -> Self {
        let database = server.own_database();
        let vars: Vec<_> = database
            .iter()
            .map(|url| ("DATABASE_URL", url.as_str()))
            .collect();
        Self::start(
            server.directory(),
            env!("CARGO_BIN_EXE_candor"),
            arguments,
            &vars,
        )
    }

    pub fn send(&mut self, message: &Value) {
        writeln!(self.input.as_mut().unwrap(), "{message}").unwrap();
    }

    /// The next message. Nothing else may stand on standard output.
    pub fn next(&mut self) -> Value {
        let mut line = String::new();
        self.output.read_line(&mut line).unwrap();
        serde_json::from_str(&line).unwrap_or_else(|fault| panic!("{fault}: {line:?}"))
    }

    /// A request; gives the next message, which may be a question.
    pub fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.next;
        self.next += 1;
        let mut request = json!({"jsonrpc": "2.0", "id": id, "method": method});
        request["params"] = params;
        self.send(&request);
        self.next()
    }

    pub fn initialize(&mut self, can: Value) -> Value {
        let mut params = json!({
            "protocolVersion": BEFORE,
            "clientInfo": {"name": "tests", "version": "1"},
        });
        params["capabilities"] = can;
        let begun = self.ask("initialize", params);
        self.send(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}));
        begun["result"].clone()
    }

    pub fn call(&mut self, tool: &str, arguments: Value) -> Value {
        let mut params = json!({"name": tool});
        params["arguments"] = arguments;
        self.ask("tools/call", params)
    }

    /// Closes its input; it must end by itself, cleanly.
    pub fn close(mut self) {
        drop(self.input.take());
        let status = self.child.wait().unwrap();
        assert!(status.success(), "{status}");
    }
}

impl Drop for Piped {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[tokio::test]
async fn it_serves_the_users_tasks_of_the_same_database_and_asks() {
    let server = Server::start().await;
    server.add("ann", json!({"title": "Read book"})).await;
    let mut piped = Piped::beside(&server, &["mcp", "--user", "ann"]);
    let begun = piped.initialize(asks());
    assert_eq!(begun["protocolVersion"], BEFORE);
    assert_eq!(begun["serverInfo"]["name"], "candor");
    let listed = piped.ask("tools/list", json!({}));
    assert_eq!(listed["result"]["tools"].as_array().unwrap().len(), 6);
    let added = piped.call(
        "add_task",
        json!({"title": "buy milk", "due_date": "tomorrow"}),
    );
    assert_eq!(
        done(&added["result"]),
        "Added: buy milk (due Mon 2026-02-09)"
    );
    for (answer, deleted) in [
        (json!({"action": "decline"}), false),
        (
            json!({"action": "accept", "content": {"confirm": true}}),
            true,
        ),
    ] {
        let question = piped.call("delete_task", json!({"task": "read book"}));
        assert_eq!(question["method"], "elicitation/create", "{question}");
        piped.send(&json!({"jsonrpc": "2.0", "id": question["id"], "result": answer}));
        let result = piped.next()["result"].clone();
        if deleted {
            assert_eq!(done(&result), "Deleted: Read book");
        } else {
            assert_eq!(failed(&result), "permission");
        }
    }
    assert_eq!(server.titles("ann").await, ["buy milk"]);
    piped.close();
    assert!(server.titles("me").await.is_empty());
}

#[tokio::test]
async fn the_newest_revision_works_without_a_handshake() {
    let server = Server::start().await;
    server.add("me", json!({"title": "Read book"})).await;
    let mut piped = Piped::beside(&server, &["mcp"]);
    let with_meta = |mut params: Value| {
        params["_meta"] = json!({
            "io.modelcontextprotocol/protocolVersion": NEWEST,
            "io.modelcontextprotocol/clientCapabilities": asks(),
        });
        params
    };
    let found = piped.ask("server/discover", with_meta(json!({})));
    assert!(
        found["result"]["supportedVersions"]
            .as_array()
            .unwrap()
            .contains(&json!(NEWEST))
    );
    let delete = json!({"name": "delete_task", "arguments": {"task": "read book"}});
    let asked = piped.ask("tools/call", with_meta(delete.clone()));
    assert_eq!(asked["result"]["resultType"], "input_required", "{asked}");
    let mut again = with_meta(delete);
    again["requestState"] = asked["result"]["requestState"].clone();
    again["inputResponses"] =
        json!({"confirm": {"action": "accept", "content": {"confirm": true}}});
    // A state of one process is opened by another.
    let mut other = Piped::beside(&server, &["mcp"]);
    other.ask("server/discover", with_meta(json!({})));
    let result = other.ask("tools/call", again.clone());
    assert_eq!(done(&result["result"]), "Deleted: Read book");
    let replayed = piped.ask("tools/call", again);
    assert_eq!(failed(&replayed["result"]), "conflict");
    piped.close();
    other.close();
}

#[test]
fn who_says_nothing_is_no_fault() {
    let ran = crate::support::server::run(None, &[], &["mcp"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{ran:?}");
    let help = crate::support::server::run(None, &[], &["mcp", "--help"]);
    assert!(help.out.contains("Model Context Protocol") && help.out.contains("--user <USER>"));
}
