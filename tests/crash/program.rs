//! The real program as a process that may die at any moment.

#![cfg(test)]

use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};

/// A process; it is killed when it goes out of scope.
pub struct Program {
    child: Child,
    out: Option<ChildStdout>,
    home: PathBuf,
}

impl Program {
    /// Starts one in `home`, with these variables and no others: a server, unless an argument
    /// says what else.
    pub fn spawn(home: &Path, variables: &[(String, String)], argument: Option<&str>) -> Self {
        let log = home.join("stderr");
        let log = File::options().create(true).append(true).open(log).unwrap();
        let mut child = Command::new(env!("CARGO_BIN_EXE_candor"))
            .args(argument)
            .current_dir(home)
            .env_clear()
            .env("CANDOR_BIND", "127.0.0.1:0")
            .env("CANDOR_TODAY", "2026-02-08")
            .env("RUST_LOG", "warn")
            .envs(variables.iter().map(|(name, value)| (name, value)))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(log)
            .spawn()
            .unwrap();
        Self {
            out: child.stdout.take(),
            child,
            home: home.to_owned(),
        }
    }

    /// Waits until it listens, and gives its address.
    ///
    /// # Errors
    /// What it wrote to standard error, when it ended instead.
    pub async fn address(&mut self) -> Result<String, String> {
        let out = self.out.take().expect("asked once");
        let line = tokio::task::spawn_blocking(move || {
            let mut lines = BufReader::new(out);
            let mut line = String::new();
            lines.read_line(&mut line).unwrap();
            // Whatever else it prints must not fill the pipe.
            std::thread::spawn(move || lines.read_to_end(&mut Vec::new()));
            line
        });
        let line = line.await.unwrap();
        let address = line.trim().strip_prefix("candor listening on ");
        address.map(str::to_owned).ok_or_else(|| {
            let log = fs::read_to_string(self.home.join("stderr")).unwrap_or_default();
            format!("it does not start: {line:?}\n{log}")
        })
    }

    /// Kills it (SIGKILL) and waits until it is gone.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may be gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A directory that is removed with its owner.
pub struct Directory(PathBuf);

impl Directory {
    /// A new, empty one.
    pub fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("candor-crash-{}-{count}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // What can't be removed is in the system's temporary directory and does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}
