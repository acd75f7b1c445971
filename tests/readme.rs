//! The snippets of the README, run as they stand.
//!
//! Every fenced block has a row here: under `run!` it is played in its language, and what it
//! prints must hold the parts that the row names; under `NOT_HERE` stands why it is not. A block
//! without a row fails the test, and so does a row without a block. To add a snippet: write it
//! under its heading, and give it a row: its heading, its language, and which of that language
//! it is under that heading, counted from 0. Another language needs a player in [`How::run`].
//!
//! Nothing of a snippet is changed but the address: `localhost:8080` and `127.0.0.1:8080` become
//! those of the test's own server.

#![cfg(test)]

#[path = "support"]
mod support {
    pub mod clients;
    pub mod server;
}

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use support::clients;
use support::server::Server;

const README: &str = include_str!("../README.md");

/// A fenced block: the heading above it, its language, which of that language it is there, and
/// what stands in it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Block {
    place: (String, String, usize),
    text: String,
}

/// The blocks of a page, in order.
fn blocks(page: &str) -> Vec<Block> {
    let mut found: Vec<Block> = Vec::new();
    let (mut heading, mut open) = (String::new(), None);
    for line in page.lines() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(language)) => {
                let same = |block: &&Block| block.place.0 == heading && block.place.1 == language;
                let nth = found.iter().filter(same).count();
                let place = (heading.clone(), language.to_owned(), nth);
                let text = String::new();
                open = Some(Block { place, text });
            }
            (Some(_), Some(_)) => found.extend(open.take()),
            (Some(block), None) => {
                block.text.push_str(line);
                block.text.push('\n');
            }
            (None, None) => {
                if let Some(name) = line.strip_prefix('#') {
                    heading = name.trim_start_matches('#').trim().to_owned();
                }
            }
        }
    }
    found
}

/// What differs between the blocks of a page and the rows here.
fn differences(page: &str) -> Vec<String> {
    let there: Vec<_> = blocks(page).into_iter().map(|block| block.place).collect();
    let rows = RUN
        .iter()
        .copied()
        .chain(NOT_HERE.iter().map(|(row, _)| *row));
    let rows: Vec<_> = rows
        .map(|(heading, language, nth)| (heading.to_owned(), language.to_owned(), nth))
        .collect();
    let missing = there.iter().filter(|place| !rows.contains(place));
    let stale = rows.iter().filter(|place| !there.contains(place));
    let twice = rows
        .iter()
        .filter(|place| rows.iter().filter(|row| row == place).count() > 1);
    missing
        .map(|place| format!("no row for {place:?}"))
        .chain(stale.map(|place| format!("no block for {place:?}")))
        .chain(twice.map(|place| format!("two rows for {place:?}")))
        .collect()
}

/// Where a snippet is played.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Setting {
    /// Beside a running server.
    Server,
    /// It starts a server itself, on the same database.
    Own,
    /// Beside a server with the first `candor.toml` of the page.
    Agents,
    /// Beside a server that asks for a key.
    Keys,
}

/// How a snippet is played.
struct How {
    setting: Setting,
    /// Words of the snippet that stand for what there is: the id of a turn.
    stands_for: Option<&'static str>,
    /// What it prints, in order.
    prints: &'static [&'static str],
    /// How many of its requests are refused, because what they show is over by then.
    refused: usize,
}

/// Beside a running server.
fn server(prints: &'static [&'static str]) -> How {
    How {
        setting: Setting::Server,
        stands_for: None,
        prints,
        refused: 0,
    }
}

impl How {
    fn at(mut self, setting: Setting) -> Self {
        self.setting = setting;
        self
    }

    fn refused(mut self, count: usize) -> Self {
        self.refused = count;
        self
    }

    /// The same with a turn in the log, whose id stands for `words`.
    fn after_a_turn(mut self, words: &'static str) -> Self {
        self.stands_for = Some(words);
        self
    }

    async fn run(self, block: Block) {
        let config = find("Give a task to an agent, in one minute", "toml", 0).text;
        let asks = [("CANDOR_AUTH", "keys")];
        let variables = if self.setting == Setting::Keys {
            &asks[..]
        } else {
            &[]
        };
        let server = Server::start_with(variables).await;
        let file = server.directory().join("candor.toml");
        let server = if self.setting == Setting::Agents {
            // The folder must be there before the program starts, whose own is made by then.
            let notes = server.directory().join("notes");
            fs::create_dir(&notes).unwrap();
            fs::write(notes.join("hotels.md"), "Hotel Adler: 90 EUR").unwrap();
            let folder = format!("['{}']", notes.display());
            let placed = config.replace("[\"notes\"]", &folder);
            assert_ne!(placed, config, "the workspace is another one");
            fs::write(&file, placed).unwrap();
            let path = file.to_str().unwrap().to_owned();
            let agents = Server::start_with(&[("CANDOR_CONFIG", &path)]).await;
            // So that a program started beside it has the same agents.
            fs::copy(&path, agents.directory().join("candor.toml")).unwrap();
            agents
        } else {
            server
        };
        let own = TcpListener::bind("127.0.0.1:0")
            .unwrap()
            .local_addr()
            .unwrap();
        let own = own.to_string();
        let base = server.url("");
        let address = match self.setting {
            Setting::Own => own.as_str(),
            Setting::Server | Setting::Agents | Setting::Keys => base.trim_start_matches("http://"),
        };
        let mut text = block.text.replace("localhost:8080", address);
        text = text.replace("127.0.0.1:8080", address);
        if self.setting == Setting::Keys {
            let key = server.run_beside(&[], &["token", "create", "--user", "me"]);
            text = text.replace("candor_0123456789_SECRET", key.out.trim());
        } else if let Some(words) = self.stands_for {
            let reply = server.chat("me", "add Water the plants").await;
            text = text.replace(words, reply["turn_id"].as_str().unwrap());
        }
        let language = block.place.1.clone();
        let folder = server.directory().to_owned();
        let play = move || match &*language {
            "sh" => shell(&folder, &text, &own),
            "python" => python(&folder, &text),
            "json" => context_protocol(&folder, &text),
            other => panic!("nobody plays {other}"),
        };
        let output = tokio::task::spawn_blocking(play).await.unwrap();
        let place = &block.place;
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{place:?}: {said}\n{errors}");
        let refused = said.matches("\"/problems/").count();
        assert_eq!(refused, self.refused, "{place:?}: {said}");
        let mut rest = said.as_str();
        for part in self.prints {
            let at = rest.find(part);
            let at = at.unwrap_or_else(|| panic!("{place:?}: no {part:?} in {said}\n{errors}"));
            rest = &rest[at + part.len()..];
        }
    }
}

/// A shell in which `candor` is this program, and servers may take their time to start.
fn shell(folder: &Path, text: &str, own: &str) -> std::process::Output {
    let program = Path::new(env!("CARGO_BIN_EXE_candor")).parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let head = "set -eu\ntrap 'kill $(jobs -p) 2>/dev/null || true' EXIT\n\
                curl() { command curl --retry 50 --retry-connrefused --retry-delay 0 \"$@\"; }\n";
    Command::new("bash")
        .args(["-c", &format!("{head}{text}")])
        .current_dir(folder)
        .env_clear()
        .env("PATH", format!("{}:{path}", program.display()))
        .env("HOME", folder)
        .env("CANDOR_BIND", own)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn python(folder: &Path, text: &str) -> std::process::Output {
    let file = folder.join("snippet.py");
    fs::write(&file, text).unwrap();
    let mut command = Command::new(clients::python());
    command.current_dir(folder).env_clear().arg(file);
    command.output().unwrap()
}

/// What a client of the Model Context Protocol does with its configuration: it starts the program
/// or calls the address, says who it is, and asks for the tools.
fn context_protocol(folder: &Path, text: &str) -> std::process::Output {
    let configuration: Value = serde_json::from_str(text).unwrap();
    let servers = configuration["mcpServers"].as_object().unwrap();
    let server = servers.values().next().unwrap();
    let who = json!({
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "readme", "version": "1"},
    });
    let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": who});
    if let Some(url) = server["url"].as_str() {
        assert_eq!(server["type"], "http");
        let mut command = Command::new("curl");
        command.args(["-s", url, "-d", &hello.to_string()]);
        command.args(["-H", "content-type: application/json"]);
        command.args(["-H", "accept: application/json, text/event-stream"]);
        for (name, value) in server["headers"].as_object().unwrap() {
            command.args(["-H", &format!("{name}: {}", value.as_str().unwrap())]);
        }
        return command.env_clear().output().unwrap();
    }
    assert_eq!(server["command"], "candor");
    let variables = server["env"].as_object().unwrap();
    assert_eq!(variables.keys().collect::<Vec<_>>(), ["DATABASE_URL"]);
    let arguments = server["args"].as_array().unwrap().iter();
    let mut program = Command::new(env!("CARGO_BIN_EXE_candor"))
        .args(arguments.map(|argument| argument.as_str().unwrap()))
        .current_dir(folder)
        .env_clear()
        .env("DATABASE_URL", "sqlite://candor.db")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = program.stdin.take().unwrap();
    let mut answers = BufReader::new(program.stdout.take().unwrap());
    let mut said = String::new();
    writeln!(input, "{hello}").unwrap();
    answers.read_line(&mut said).unwrap();
    let ready = json!({"jsonrpc": "2.0", "method": "notifications/initialized"});
    let tools = json!({"jsonrpc": "2.0", "id": 2, "method": "tools/list"});
    writeln!(input, "{ready}\n{tools}").unwrap();
    answers.read_line(&mut said).unwrap();
    drop(input);
    let mut output = program.wait_with_output().unwrap();
    output.stdout = said.into_bytes();
    output
}

fn find(heading: &str, language: &str, nth: usize) -> Block {
    let place = (heading.to_owned(), language.to_owned(), nth);
    let found = blocks(README)
        .into_iter()
        .find(|block| block.place == place);
    found.unwrap_or_else(|| panic!("no block for {place:?}"))
}

macro_rules! run {
    ($($name:ident = ($heading:literal, $language:literal, $nth:literal) $how:expr;)+) => {
        /// The blocks that are played here.
        const RUN: &[(&str, &str, usize)] = &[$(($heading, $language, $nth)),+];

        $(#[tokio::test]
        async fn $name() {
            let how: How = $how;
            how.run(find($heading, $language, $nth)).await;
        })+
    };
}

run! {
    a_turn_is_asked_for_on_the_command_line = ("Two commands", "sh", 1)
        server(&["\"assistant_message\":\"Added: buy milk (due "]);
    a_task_is_delegated_in_the_terminal = ("Give a task to an agent, in one minute", "sh", 0)
        server(&["Agent finished: Research hotels", "Research hotels"]).at(Setting::Agents);
    a_task_is_delegated_over_http = ("Give a task to an agent, in one minute", "sh", 1)
        server(&["\"run\":\"run-1\"", "\"delegations\":", "\"result\":", "event: ", "\"researcher\""])
            .at(Setting::Agents).refused(1);
    the_api_is_used_from_a_shell = ("HTTP", "sh", 0)
        server(&["Undone: ", "\"conversations\":", "\"messages\":", "Call mom", "\"events\":", "\"status\":\"ready\""]);
    keys_are_made_listed_and_revoked = ("Who may call", "sh", 0)
        server(&["[]", "laptop"]).at(Setting::Own);
    a_chat_client_talks_to_it_from_a_shell = ("As a model, for any chat client", "sh", 0)
        server(&["\"candor-utility\"", "\"content\":\"Added: Read book\""]);
    a_chat_client_talks_to_it_in_python = ("As a model, for any chat client", "python", 0)
        server(&["Marked Call mom as done\n", "'status': 'completed'"]);
    changes_are_followed_from_a_shell = ("In a chat frontend", "sh", 0)
        server(&["event: change", "Water the plants"]).after_a_turn("TURN");
    an_agent_starts_it = ("With your agent (MCP)", "json", 0)
        server(&["\"serverInfo\"", "candor", "\"add_task\""]);
    an_agent_calls_it = ("With your agent (MCP)", "json", 1)
        server(&["\"serverInfo\""]).at(Setting::Keys);
    a_conversation_is_held_through_a_pipe = ("In the terminal", "sh", 0)
        server(&["Added: Read book (priority high)", "1. Read book", "Deleted: Read book", "Undone: "]);
    an_auditor_looks_at_the_log = ("What an auditor can do", "sh", 0)
        server(&["of me", "proven    Added: Water the plants"]).after_a_turn("TURN");
    an_auditor_holds_an_export_against_a_checkpoint = ("What an auditor can do", "sh", 1)
        server(&[""]).after_a_turn("TURN");
}

/// The blocks that are not, and why.
const NOT_HERE: &[((&str, &str, usize), &str)] = &[
    (
        ("Two commands", "sh", 0),
        "builds the program, which the other tests are run with",
    ),
    (
        ("Two commands", "json", 0),
        "an answer, with the ids and times of its day",
    ),
    (
        ("Give a task to an agent, in one minute", "toml", 0),
        "is the file of the two snippets after it",
    ),
    (
        ("Give a task to an agent, in one minute", "toml", 1),
        "needs a key; tests/delegation has its own providers",
    ),
    (
        ("Give a task to an agent, in one minute", "toml", 2),
        "needs a program of others; tests/delegation has one of its own",
    ),
    (
        ("In a chat frontend", "ts", 0),
        "is run by tests/streams/client.rs",
    ),
    (
        ("How the guard measures", "sh", 0),
        "the lines are no part of this repository",
    ),
    (("PostgreSQL", "sh", 0), "needs a model's server"),
    (
        ("Keeping the data", "sh", 0),
        "each wants a state of its own: tests/keeping.rs",
    ),
    (
        ("Operate it", "yaml", 0),
        "is one of the alerts that tests/operate/files.rs holds against the figures",
    ),
    (
        ("Operate it", "sh", 0),
        "wants a collector: tests/operate/traces.rs",
    ),
    (
        ("Lists in and out", "sh", 0),
        "is run by tests/formats/commands.rs",
    ),
    (
        ("In the terminal", "sh", 1),
        "needs labelled lines: tests/eval.rs",
    ),
    (
        ("What an auditor can do", "text", 0),
        "what a command prints, with the ids of its day",
    ),
    (
        ("Test your own model", "sh", 0),
        "needs models: tests/eval.rs",
    ),
    (
        ("Test your own model", "text", 0),
        "what the command prints",
    ),
    (("Tests", "sh", 0), "is the command that runs this test"),
    (("Tests", "sh", 1), "takes hours"),
    (("Tests", "sh", 2), "takes hours"),
    (("Tests", "sh", 3), "takes hours"),
    (
        ("Tests", "sh", 4),
        "needs a program that is not installed by the tests",
    ),
];

#[test]
fn every_snippet_has_its_row_and_every_row_its_snippet() {
    let differences = differences(README);
    assert!(differences.is_empty(), "{differences:#?}");
    assert!(NOT_HERE.iter().all(|(_, why)| !why.is_empty()));
    assert!(blocks(README).len() > 20);
}

#[test]
fn a_planted_snippet_and_a_lost_one_are_found() {
    let planted = format!("{README}\n## Nowhere\n\n```sh\ncurl -s localhost:8080\n```\n");
    let found = differences(&planted);
    assert_eq!(found, [r#"no row for ("Nowhere", "sh", 0)"#]);
    let lost = README.replace("```python", "```text");
    let found = differences(&lost);
    assert_eq!(found.len(), 2, "{found:?}");
}

#[tokio::test]
#[should_panic(expected = "no \"Marked Read book\"")]
async fn a_snippet_that_does_something_else_fails() {
    let how = server(&["Marked Read book"]);
    how.run(find("As a model, for any chat client", "sh", 0))
        .await;
}
