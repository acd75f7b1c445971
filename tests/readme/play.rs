//! Players of snippets: beside which server, in which language, and what each must print.
//!
//! Nothing of a snippet is changed but the address: `localhost:8080` and `127.0.0.1:8080` become
//! those of the test's own server.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::documents::{Block, Place, block};
use crate::support::clients;
use crate::support::server::Server;

/// The first `candor.toml` of the documents.
const AGENTS: Place = ("docs/DELEGATION.md", "In one minute", "toml", 0);

/// The surroundings that a snippet is played in.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Setting {
    /// Beside a running server.
    Server,
    /// Without one: the snippet starts a server itself, on the same database.
    Own,
    /// Beside a server with the first `candor.toml` of the documents.
    Agents,
    /// Beside a server that asks for a key.
    Keys,
}

/// The way a snippet is played.
pub struct How {
    setting: Setting,
    /// Words of the snippet that stand for what there is: the id of a turn.
    stands_for: Option<&'static str>,
    /// Parts of what is printed, in order.
    prints: &'static [&'static str],
    /// Requests that are refused, because what they show is over by then.
    refused: usize,
}

/// Beside a running server.
pub fn server(prints: &'static [&'static str]) -> How {
    How {
        setting: Setting::Server,
        stands_for: None,
        prints,
        refused: 0,
    }
}

impl How {
    pub fn at(mut self, setting: Setting) -> Self {
        self.setting = setting;
        self
    }

    pub fn refused(mut self, count: usize) -> Self {
        self.refused = count;
        self
    }

    /// The same with a turn in the log, whose id stands for `words`.
    pub fn after_a_turn(mut self, words: &'static str) -> Self {
        self.stands_for = Some(words);
        self
    }

    /// Plays the block; what it printed on standard output.
    pub async fn run(self, block: Block) -> String {
        let (server, _workspace) = self.servers().await;
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
        let language = block.language.clone();
        let folder = server.directory().to_owned();
        let play = move || match &*language {
            "sh" => shell(&folder, &text, &own),
            "python" => python(&folder, &text),
            "json" => context_protocol(&folder, &text),
            other => panic!("nobody plays {other}"),
        };
        let output = tokio::task::spawn_blocking(play).await.unwrap();
        self.check(&block.place(), &output)
    }

    fn check(&self, place: &str, output: &Output) -> String {
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{place}: {said}\n{errors}");
        let refused = said.matches("\"/problems/").count();
        assert_eq!(refused, self.refused, "{place}: {said}");
        let mut rest = said.as_str();
        for part in self.prints {
            let at = rest.find(part);
            let at = at.unwrap_or_else(|| panic!("{place}: no {part:?} in {said}\n{errors}"));
            rest = &rest[at + part.len()..];
        }
        said
    }

    /// The server, and one whose folder it needs.
    async fn servers(&self) -> (Server, Option<Server>) {
        match self.setting {
            Setting::Server | Setting::Own => (Server::start().await, None),
            Setting::Keys => {
                let server = Server::start_with(&[("CANDOR_AUTH", "keys")]).await;
                (server, None)
            }
            Setting::Agents => with_agents().await,
        }
    }
}

/// A server with the document's file, and the one in whose folder its agents work: that folder must
/// be there before the program starts, whose own is made by then.
async fn with_agents() -> (Server, Option<Server>) {
    let place = Server::start().await;
    let notes = place.directory().join("notes");
    fs::create_dir(&notes).unwrap();
    fs::write(notes.join("hotels.md"), "Hotel Adler: 90 EUR").unwrap();
    let config = block(&AGENTS).text;
    let placed = config.replace("[\"notes\"]", &format!("['{}']", notes.display()));
    assert_ne!(placed, config, "the workspace is another one");
    let file = place.directory().join("candor.toml");
    fs::write(&file, placed).unwrap();
    let path = file.to_str().unwrap();
    let agents = Server::start_with(&[("CANDOR_CONFIG", path)]).await;
    // So that a program started beside it has the same agents.
    fs::copy(path, agents.directory().join("candor.toml")).unwrap();
    (agents, Some(place))
}

/// A shell in which `candor` is this program, and servers may take their time to start.
fn shell(folder: &Path, text: &str, own: &str) -> Output {
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

fn python(folder: &Path, text: &str) -> Output {
    let file = folder.join("snippet.py");
    fs::write(&file, text).unwrap();
    let mut command = Command::new(clients::python());
    command.current_dir(folder).env_clear().arg(file);
    command.output().unwrap()
}

/// Does what a client of the Model Context Protocol does with its configuration: starts the program
/// or calls the address, says who it is, and asks for the tools.
fn context_protocol(folder: &Path, text: &str) -> Output {
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
