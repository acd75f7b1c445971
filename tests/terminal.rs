//! `candor chat` as somebody at a terminal has it, and through a pipe; with a server that goes away.

#![cfg(test)]

#[path = "support"]
mod support {
    pub mod server;
}

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use support::server::Server;

/// A folder of its own, that goes with it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder =
            std::env::temp_dir().join(format!("candor-terminal-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Returns what is printed when these lines come through a pipe, and whether it ended well.
fn piped(folder: &Path, arguments: &[&str], lines: &str) -> (String, bool) {
    let program = env!("CARGO_BIN_EXE_candor");
    let mut child = start(Command::new(program).args(arguments), folder);
    let mut input = child.stdin.take().unwrap();
    input.write_all(lines.as_bytes()).unwrap();
    drop(input);
    let ended = child.wait_with_output().unwrap();
    let out = String::from_utf8(ended.stdout).unwrap();
    (out, ended.status.success())
}

/// Returns what is on a terminal, which `script` of util-linux makes, when each line is typed once
/// it is asked for.
fn typed(folder: &Path, lines: &[&str]) -> String {
    let program = format!("{} chat", env!("CARGO_BIN_EXE_candor"));
    let mut command = Command::new("script");
    command.args(["--quiet", "--return", "--command", &program, "/dev/null"]);
    let mut child = start(&mut command, folder);
    let (mut input, mut output) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    let mut shown = String::new();
    let mut bytes = [0; 4096];
    for (at, line) in lines.iter().enumerate() {
        // The editor begins each line by asking for pastes to be marked.
        while shown.matches("\u{1b}[?2004h").count() <= at {
            let read = output.read(&mut bytes).unwrap();
            assert!(read > 0, "it ended before {line:?}:\n{shown}");
            shown.push_str(&String::from_utf8_lossy(&bytes[..read]));
        }
        input.write_all(format!("{line}\r").as_bytes()).unwrap();
    }
    let mut rest = Vec::new();
    output.read_to_end(&mut rest).unwrap();
    child.wait().unwrap();
    shown + &String::from_utf8_lossy(&rest)
}

fn start(command: &mut Command, folder: &Path) -> Child {
    command
        .current_dir(folder)
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap())
        .env("HOME", folder)
        .env("TERM", "xterm")
        .env("CANDOR_TODAY", "2026-02-08")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

#[test]
fn somebody_who_types_sees_kinds_receipts_proofs_and_audits() {
    let folder = Folder::new("typed");
    let lines = [
        "add buy milk tomorrow",
        "add Read book",
        "what are my tasks?",
        "/receipt 1",
        "/audit",
        "/lang ur",
        "meri list dikhao",
        "/receipt 9",
        "/quit",
    ];
    let shown = typed(&folder.0, &lines);
    for expect in [
        "+ Added: buy milk (due Mon 2026-02-09)  [receipt 1]",
        "+ Added: Read book  [receipt 2]",
        "| You have 2 tasks:",
        "  [receipt 3: 2 tasks]",
        "It holds: the event has its hash, and as leaf 2 of ",
        "you said    what are my tasks?",
        "proposed    list_tasks(",
        "(proven)",
        "It holds: computed again from the log",
        "| Kul 2 tasks:",
        "Receipts 1 to 4 were shown.",
    ] {
        assert!(shown.contains(expect), "{expect:?} is missing:\n{shown}");
    }
    // What was typed can be called back the next time, by nobody else.
    let kept = folder.0.join(".local/state/candor/history");
    let text = fs::read_to_string(&kept).unwrap();
    assert!(text.contains("add buy milk tomorrow"), "{text}");
    assert_eq!(fs::metadata(&kept).unwrap().permissions().mode() & 0o077, 0);
}

#[test]
fn a_pipe_gets_the_reply_and_nothing_else() {
    let folder = Folder::new("piped");
    let (out, good) = piped(
        &folder.0,
        &["chat"],
        "add buy milk tomorrow\n/receipt\n/nonsense\n",
    );
    let lines: Vec<&str> = out.lines().collect();
    assert!(good);
    assert_eq!(lines[..2], ["Added: buy milk (due Mon 2026-02-09)"; 2]);
    assert!(
        lines[2].starts_with("committed ") && lines[4].starts_with("It holds:"),
        "{out}"
    );
    assert!(lines[5].starts_with("There is no /nonsense."), "{out}");
    assert!(!out.contains('\u{1b}') && !folder.0.join(".local").exists());
}

#[tokio::test]
async fn a_server_that_goes_away_is_said_to_be_away() {
    let mut server = Server::start().await;
    let folder = Folder::new("away");
    let url = server.url("");
    let (out, good) = piped(
        &folder.0,
        &["chat", "--url", &url],
        "add Read book\n/receipt 1\n/audit\n",
    );
    assert!(good && out.starts_with("Added: Read book\n"), "{out}");
    assert!(
        out.contains("as leaf 2 of 4") && out.contains("It holds: computed again"),
        "{out}"
    );
    server.crash();
    let away = piped(
        &folder.0,
        &["chat", "--url", &url],
        "add eggs\n/audit\n/tasks\n",
    );
    let expect = "The server can't be reached. It is not known whether this was saved.";
    assert!(away.0.starts_with(expect) && !away.1, "{away:?}");
    assert!(!away.0.contains("Added"), "{away:?}");
}
