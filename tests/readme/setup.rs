//! `scripts/test` on machines that lack what the tests need: the real script, with programs that
//! only write down how they were called.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicU32, Ordering};

use regex::Regex;

const SCRIPT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/test");

/// Programs that the tests run, by what a part lacks without them. Servers of databases are not
/// among them: the script also looks where Debian puts those, whatever the path is.
const PROGRAMS: [&str; 5] = ["node", "npm", "chromium", "chromedriver", "curl"];

/// A machine: a folder that is the whole path, and the calls that its programs wrote down.
struct Machine(PathBuf);

impl Machine {
    /// Has a shell and cargo, and nothing else; the user's number is `user`.
    fn bare(user: u32) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("candor-setup-{}-{number}", std::process::id());
        let machine = Self(std::env::temp_dir().join(name));
        // A killed run leaves its own behind, and process ids come again.
        let _ = fs::remove_dir_all(&machine.0);
        fs::create_dir_all(&machine.0).unwrap();
        for program in ["bash", "dirname", "env", "cp"] {
            let found = std::env::split_paths(&std::env::var_os("PATH").unwrap())
                .map(|folder| folder.join(program))
                .find(|path| path.is_file());
            symlink(found.expect(program), machine.0.join(program)).unwrap();
        }
        machine.add("id", &format!("echo {user}"));
        machine.add("cargo", "");
        machine
    }

    /// Adds a program that writes down its call and then does `what`.
    fn add(&self, name: &str, what: &str) {
        let log = self.0.join("calls").display().to_string();
        let text = format!("#!/usr/bin/env bash\necho \"{name} $*\" >> {log}\n{what}\n");
        let file = self.0.join(name);
        fs::write(&file, text).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }

    /// An apt-get after whose `install` all programs are there.
    fn add_apt_get(&self) {
        let folder = self.0.display();
        let lines: Vec<_> = PROGRAMS
            .into_iter()
            .chain(["python3", "initdb", "pg_ctl", "pg_dump", "pgbouncer"])
            .map(|program| format!("cp {folder}/id {folder}/{program}"))
            .collect();
        let install = format!("case $1 in install)\n{}\n;; esac", lines.join("\n"));
        self.add("apt-get", &install);
    }

    fn run(&self, arguments: &[&str]) -> Output {
        Command::new(SCRIPT)
            .args(arguments)
            .env_clear()
            .env("PATH", &self.0)
            .output()
            .unwrap()
    }

    /// The calls of a program, without its name.
    fn calls(&self, name: &str) -> Vec<String> {
        let calls = fs::read_to_string(self.0.join("calls")).unwrap_or_default();
        let of_it = |line: &str| line.strip_prefix(&format!("{name} ")).map(str::to_owned);
        calls.lines().filter_map(of_it).collect()
    }
}

impl Drop for Machine {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The parts of the script: each name with its filter of tests.
fn parts() -> Vec<(String, String)> {
    let script = fs::read_to_string(SCRIPT).unwrap();
    let part = Regex::new(r#""\$1" (\S+) .*\\\n +'(.*)'"#).unwrap();
    let parts: Vec<_> = part
        .captures_iter(&script)
        .map(|part| (part[1].to_owned(), part[2].to_owned()))
        .collect();
    assert_eq!(parts.len(), 6, "{parts:?}");
    parts
}

#[test]
fn a_user_who_may_not_install_skips_loudly() {
    let machine = Machine::bare(1000);
    machine.add("cargo-nextest", "");
    let output = machine.run(&[]);
    let errors = text(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let calls = machine.calls("cargo");
    for (name, tests) in parts() {
        if name.starts_with("P") && name != "Python" {
            continue;
        }
        let said = format!("!! SKIPPED: the tests that need {name}, ");
        assert!(errors.contains(&said), "{errors}");
        let without = format!(" - ({tests})");
        assert!(
            calls[0].starts_with("nextest run --locked -E all()"),
            "{calls:?}"
        );
        assert!(calls[0].contains(&without), "{calls:?}");
    }
    assert!(errors.contains("apt-get install chromium chromium-driver"));
    assert!(
        errors.contains("Passed, WITHOUT the tests that need: "),
        "{errors}"
    );
    assert_eq!(calls.last().unwrap(), "test --locked --doc");
}

#[test]
fn a_strict_run_takes_no_skipped_part_for_a_pass() {
    let machine = Machine::bare(1000);
    machine.add("cargo-nextest", "");
    let output = machine.run(&["--strict"]);
    let errors = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{errors}");
    assert!(
        errors.contains("Not all that the tests need is here"),
        "{errors}"
    );
    assert!(machine.calls("cargo").is_empty());
}

#[test]
fn who_may_install_gets_everything_and_is_told() {
    let machine = Machine::bare(0);
    machine.add_apt_get();
    let output = machine.run(&["--strict"]);
    let (said, errors) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{said}{errors}");
    assert!(!errors.contains("SKIPPED"), "{errors}");
    assert!(
        said.contains("== cargo install --locked cargo-nextest\n"),
        "{said}"
    );
    assert!(said.contains("== apt-get install -y "), "{said}");
    let installed = machine.calls("apt-get");
    assert_eq!(installed[0], "update");
    for package in ["nodejs npm", "chromium chromium-driver", "python3-venv"] {
        assert!(installed[1].contains(package), "{installed:?}");
    }
    let expect = [
        "install --locked cargo-nextest",
        "nextest run --locked -E all()",
        "nextest run --locked -E (binary(/^(acceptance|api_)/) - test(tampering))",
        "test --locked --doc",
    ];
    assert_eq!(machine.calls("cargo"), expect);
}

#[test]
fn a_check_says_what_would_happen_and_does_nothing() {
    let user = Machine::bare(1000);
    let output = user.run(&["--check"]);
    assert!(output.status.success());
    assert!(text(&output.stderr).contains("SKIPPED: the tests that need Chromium, "));
    assert!(text(&output.stdout).contains("would run cargo install --locked cargo-nextest"));
    assert!(user.calls("cargo").is_empty());
    let root = Machine::bare(0);
    root.add_apt_get();
    let said = text(&root.run(&["--check"]).stdout);
    let expect = "missing: would run apt-get install -y chromium chromium-driver\n";
    assert!(said.contains(expect), "{said}");
    assert!(root.calls("apt-get").is_empty() && root.calls("cargo").is_empty());
    let output = root.run(&["--chekc"]);
    assert_eq!(output.status.code(), Some(2));
}

/// A file of tests that starts a program names its binary in the part of that program.
#[test]
fn whoever_needs_a_program_is_skipped_without_it() {
    let needs = [
        ("PostgreSQL", r"\bDatabase::new\b|\bOwnCluster::start\b"),
        ("PgBouncer", r"\bPgBouncer::start\b"),
        ("Node.js", r"\bclients::(npm|node)\("),
        ("Chromium", r#"Command::new\("chromedriver"\)"#),
        ("Python", r"\bclients::python\("),
        ("curl", r#"Command::new\("(curl|bash)"\)"#),
    ];
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests");
    let mut files = Vec::new();
    collect(&root, &mut files);
    for (name, tests) in parts() {
        let (_, words) = needs.iter().find(|(part, _)| *part == name).unwrap();
        let words = Regex::new(words).unwrap();
        let mut found = 0;
        for file in &files {
            let path = file.strip_prefix(&root).unwrap().to_str().unwrap();
            let ours = path.starts_with("support/") || path == "readme/setup.rs";
            if ours || !words.is_match(&fs::read_to_string(file).unwrap()) {
                continue;
            }
            found += 1;
            let binary = path.split(['/', '.']).next().unwrap();
            let whole = Regex::new(&format!(r"\b{binary}\b")).unwrap();
            assert!(
                whole.is_match(&tests),
                "tests/{path} needs {name}: name its tests in scripts/test, where {tests} is skipped"
            );
        }
        assert!(found > 0, "nothing needs {name}");
    }
}

/// A program that tests start is a part's, or is on every Debian: a container of the smallest kind
/// has neither `kill` nor `ps`, of which the shell has the first built in.
#[test]
fn every_program_that_tests_start_is_a_parts_or_always_there() {
    let always = [
        "bash", "chmod", "chown", "id", "runuser", "script", "setpriv", "setsid", "sh",
    ];
    // The compiler of C is Rust's linker.
    let parts = ["cc", "chromedriver", "curl", "npm", "pg_dump", "python3"];
    let started = Regex::new(r#"Command::new\(\s*"([^"]+)""#).unwrap();
    let mut files = Vec::new();
    for folder in ["tests", "src"] {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        collect(&root, &mut files);
    }
    let mut found = 0;
    for file in files.iter().filter(|file| !file.ends_with("setup.rs")) {
        let text = fs::read_to_string(file).unwrap();
        for program in started.captures_iter(&text) {
            found += 1;
            let program = &program[1];
            assert!(
                always.contains(&program) || parts.contains(&program),
                "{} starts {program}, which scripts/test does not see to",
                file.display()
            );
        }
    }
    assert!(found > 10, "{found}");
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            collect(&path, files);
        } else if path.extension().is_some_and(|end| end == "rs") {
            files.push(path);
        }
    }
}
