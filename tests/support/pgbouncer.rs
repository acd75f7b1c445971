//! A real PgBouncer before the shared PostgreSQL, gone with its owner.

#![cfg(test)]

use std::fs;
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::postgres::{as_unprivileged, free_port, shared};

/// How long it may take to start.
const PATIENCE: Duration = Duration::from_secs(10);

/// How sessions are shared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// A client keeps its session.
    Session,
    /// Every transaction may get another session.
    Transaction,
}

/// A running pooler.
pub struct PgBouncer {
    port: u16,
    directory: PathBuf,
}

impl PgBouncer {
    /// Starts one with few sessions, so that clients do share them.
    pub fn start(mode: Mode) -> Self {
        let port = free_port();
        let name = format!("candor-pgbouncer-{}-{port}", std::process::id());
        let directory = std::env::temp_dir().join(name);
        fs::create_dir_all(&directory).unwrap();
        let (word, sessions) = match mode {
            Mode::Session => ("session", 40),
            Mode::Transaction => ("transaction", 3),
        };
        let (home, server) = (directory.display(), shared().port);
        let settings = format!(
            "[databases]\n* = host=127.0.0.1 port={server} user=candor\n\
             [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nauth_type = any\n\
             unix_socket_dir =\npool_mode = {word}\ndefault_pool_size = {sessions}\n\
             logfile = {home}/log\npidfile = {home}/pid\n"
        );
        let file = directory.join("pgbouncer.ini");
        fs::write(&file, settings).unwrap();
        // It writes its log and its process id there, as another user when this one is root.
        let opened = Command::new("chmod").arg("777").arg(&directory).status();
        assert!(opened.unwrap().success());
        let started = as_unprivileged(&program())
            .args(["-q", "-d"])
            .arg(&file)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(started.unwrap().success(), "{}", log(&directory));
        let began = Instant::now();
        while TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(began.elapsed() < PATIENCE, "{}", log(&directory));
            std::thread::sleep(Duration::from_millis(5));
        }
        Self { port, directory }
    }

    /// Where it listens, on 127.0.0.1.
    pub const fn port(&self) -> u16 {
        self.port
    }
}

impl Drop for PgBouncer {
    fn drop(&mut self) {
        let id = fs::read_to_string(self.directory.join("pid")).unwrap_or_default();
        // It may have ended by itself.
        // The shell has its own `kill`; a small container has no other.
        let script = "kill -s TERM \"$0\"; kill -s KILL \"$0\"";
        let _ = Command::new("sh").args(["-c", script, id.trim()]).output();
        let _ = fs::remove_dir_all(&self.directory);
    }
}

fn log(directory: &Path) -> String {
    fs::read_to_string(directory.join("log")).unwrap_or_default()
}

fn program() -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let places = std::env::split_paths(&path).chain(["/usr/sbin".into(), "/usr/bin".into()]);
    let found = places.map(|place| place.join("pgbouncer"));
    found
        .into_iter()
        .find(|path| path.is_file())
        .unwrap_or_else(|| {
            panic!("pgbouncer is not installed: these tests need it (apt-get install pgbouncer)")
        })
}

/// Names everything above once: see the head of `support`.
const _: fn() = || {
    let _ = (
        PgBouncer::start,
        PgBouncer::port,
        Mode::Session,
        Mode::Transaction,
    );
};
