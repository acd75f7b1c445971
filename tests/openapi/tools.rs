//! The description as the tools of others read it, with and without credentials: Redocly finds
//! nothing to complain of, and a generator of Python clients makes one that can be imported.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::support::clients;
use crate::support::server::run;

/// The largest description that clients are asked to load, in bytes.
const LARGEST: usize = 200_000;

/// How callers prove who they are.
const MODES: [&str; 2] = ["none", "keys"];

/// A folder that goes with the test, and the description in it.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str, mode: &str) -> Self {
        let name = format!("candor-openapi-{name}-{mode}-{}", std::process::id());
        let folder = Self(std::env::temp_dir().join(name));
        let _ = fs::remove_dir_all(&folder.0);
        fs::create_dir_all(&folder.0).unwrap();
        let variables = [("CANDOR_AUTH", mode), ("CANDOR_TODO_BACKEND", "on")];
        let described = run(None, &variables, &["openapi"]);
        assert_eq!(described.code, Some(0), "{described:?}");
        assert!(described.out.len() < LARGEST, "{}", described.out.len());
        fs::write(folder.0.join("openapi.json"), described.out).unwrap();
        folder
    }

    /// Returns what a command says that runs here and succeeds.
    fn run(&self, command: &mut Command) -> String {
        let output = command.current_dir(&self.0).output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said).into_owned();
        assert!(output.status.success(), "{command:?}: {said}");
        said
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

#[test]
fn redocly_finds_nothing_to_complain_of() {
    let redocly = clients::npm().join("node_modules/@redocly/cli/bin/cli.js");
    for mode in MODES {
        let folder = Folder::new("lint", mode);
        let mut lint = Command::new(clients::node());
        lint.arg(&redocly)
            .args(["lint", "openapi.json", "--format=json"])
            .env("REDOCLY_TELEMETRY", "off")
            .env("REDOCLY_SUPPRESS_UPDATE_NOTICE", "true");
        let said = folder.run(&mut lint);
        let totals = r#""errors": 0,"#;
        assert!(said.contains(totals), "{mode}: {said}");
        assert!(said.contains(r#""warnings": 0,"#), "{mode}: {said}");
    }
}

#[test]
fn a_client_in_python_is_generated_and_imported() {
    let python = clients::python();
    let programs = python.parent().unwrap();
    let path = std::env::var("PATH").unwrap();
    let path = format!("{}:{path}", programs.display());
    for mode in MODES {
        let folder = Folder::new("python", mode);
        let mut generate = Command::new(programs.join("openapi-python-client"));
        // It has its own code formatted by a program beside it.
        generate
            .env("PATH", &path)
            .args(["generate", "--path", "openapi.json"])
            .args(["--output-path", "client", "--meta", "none"]);
        folder.run(&mut generate);
        let used = "from client.api.tasks import add_task, list_tasks\n\
                    from client.api.chat import chat\n\
                    from client.models import NewTaskBody, TaskView\n\
                    print(NewTaskBody(title='milk').to_dict(), chat.sync, list_tasks.sync)";
        let said = folder.run(Command::new(&python).args(["-c", used]));
        assert!(said.starts_with("{'title': 'milk'}"), "{mode}: {said}");
    }
}
