//! A real PostgreSQL for tests: one throw-away cluster per run, one database per test.
//!
//! The first test that asks starts the cluster, under a lock, in a directory that is named after
//! whoever runs the tests (nextest or cargo); the others find it there. A watcher stops it and
//! removes everything as soon as that process has ended, however it ended. The cluster syncs
//! its disk as a real one does, and listens on the loopback address alone.

#![cfg(test)]

use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// How long a cluster may need to start again.
const PATIENCE: Duration = Duration::from_secs(20);

/// The cluster's superuser.
const USER: &str = "candor";

/// User who runs the server when the tests are run by root, whom it refuses.
const UNPRIVILEGED: &str = "postgres";

/// A running cluster.
pub struct Cluster {
    /// Where it listens, on 127.0.0.1.
    pub port: u16,
    directory: PathBuf,
}

/// A database of its own, dropped with its owner.
pub struct Database {
    cluster: Port,
    name: String,
}

/// A cluster that is known by its port.
#[derive(Debug, Clone, Copy)]
struct Port(u16);

/// The cluster that all tests of this run share.
pub fn shared() -> &'static Cluster {
    static SHARED: OnceLock<Cluster> = OnceLock::new();
    SHARED.get_or_init(|| {
        let runner = std::os::unix::process::parent_id();
        let home = std::env::temp_dir().join(format!("candor-postgres-{runner}"));
        let lock = File::create(home.with_extension("lock")).unwrap();
        lock.lock().unwrap();
        if let Some(port) = running(&home) {
            return Cluster {
                port,
                directory: home,
            };
        }
        let cluster = Cluster::start(&home);
        cluster.watch(runner);
        cluster
    })
}

fn running(home: &Path) -> Option<u16> {
    fs::read_to_string(home.join("port")).ok()?.parse().ok()
}

impl Cluster {
    /// Makes and starts a cluster in a directory that is not there yet.
    fn start(home: &Path) -> Self {
        // What is left of a run that was interrupted while it started.
        let _ = fs::remove_dir_all(home);
        fs::create_dir_all(home).unwrap();
        if is_root() {
            succeed(Command::new("chown").arg(UNPRIVILEGED).arg(home));
        }
        let data = home.join("data");
        let arguments = [
            "-U",
            USER,
            "-A",
            "trust",
            "-E",
            "UTF8",
            "--locale=C",
            "-N",
            "-D",
        ];
        succeed(server_program("initdb").args(arguments).arg(&data));
        let mut cluster = Self {
            port: 0,
            directory: home.to_owned(),
        };
        for _ in 0..5 {
            cluster.port = free_port();
            if cluster.run().status.success() {
                fs::write(home.join("port"), cluster.port.to_string()).unwrap();
                return cluster;
            }
        }
        let log = fs::read_to_string(home.join("log")).unwrap_or_default();
        panic!("PostgreSQL does not start:\n{log}");
    }

    fn run(&self) -> std::process::Output {
        let sockets = self.directory.display();
        let options = format!(
            "-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories={sockets} \
             -c max_connections=300 -c shared_buffers=64MB -c log_min_messages=log",
            self.port
        );
        let mut start = self.control("start");
        start.args(["-w", "-t", "60", "-o", &options, "-l"]);
        start.arg(self.directory.join("log")).output().unwrap()
    }

    fn control(&self, what: &str) -> Command {
        let mut control = server_program("pg_ctl");
        control.stdin(Stdio::null()).stdout(Stdio::null());
        control.arg("-D").arg(self.directory.join("data")).arg(what);
        control
    }

    /// Stops the cluster and removes it once the process `runner` has ended.
    fn watch(&self, runner: u32) {
        let stop = self.control("stop");
        let words: Vec<_> = std::iter::once(stop.get_program())
            .chain(stop.get_args())
            .collect();
        let script = "runner=$1; home=$2; shift 2; \
                      while kill -0 \"$runner\" 2> /dev/null; do sleep 1; done; \
                      \"$@\" -m immediate; rm -rf \"$home\" \"$home.lock\"";
        let detached = Command::new("setsid")
            .args(["--fork", "sh", "-c", script, "sh", &runner.to_string()])
            .arg(&self.directory)
            .args(words)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(detached.unwrap().success());
    }
}

/// A cluster of one test alone, which may stop and start it; removed with its owner.
pub struct OwnCluster(Cluster);

impl OwnCluster {
    /// Makes and starts one.
    pub fn start() -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("candor-postgres-own-{}-{number}", std::process::id());
        Self(Cluster::start(&std::env::temp_dir().join(name)))
    }

    /// Where it listens, on 127.0.0.1.
    pub fn port(&self) -> u16 {
        self.0.port
    }

    /// A database in it.
    pub fn database(&self) -> Database {
        Database::create(Port(self.0.port))
    }

    /// Stops it as `mode` says: `fast` lets nobody finish, `immediate` is a crash.
    pub fn stop(&self, mode: &str) {
        succeed(self.0.control("stop").args(["-w", "-m", mode]));
    }

    /// Kills its first process (SIGKILL); the others notice and end by themselves.
    pub fn crash(&self) {
        let file = fs::read_to_string(self.0.directory.join("data/postmaster.pid")).unwrap();
        let process = file.lines().next().unwrap();
        succeed(Command::new("sh").args(["-c", "kill -s KILL \"$0\"", process]));
    }

    /// Starts it again where it was.
    pub fn start_again(&self) {
        let began = Instant::now();
        loop {
            let output = self.0.run();
            if output.status.success() {
                return;
            }
            // After a crash the memory they shared is taken until the last process is gone.
            assert!(began.elapsed() < PATIENCE, "{output:?}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

impl Drop for OwnCluster {
    fn drop(&mut self) {
        // It may be stopped already.
        let _ = self.0.control("stop").args(["-m", "immediate"]).output();
        let _ = fs::remove_dir_all(&self.0.directory);
    }
}

impl Database {
    /// A new, empty one in the shared cluster.
    pub fn new() -> Self {
        Self::create(Port(shared().port))
    }

    fn create(cluster: Port) -> Self {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let name = format!("candor_{}_{number}", std::process::id());
        succeed(cluster.client("createdb").arg(&name));
        Self { cluster, name }
    }

    /// Its address.
    pub fn url(&self) -> String {
        self.url_at(self.cluster.0)
    }

    /// Its address by way of another port: a proxy's, a pooler's.
    pub fn url_at(&self, port: u16) -> String {
        format!("postgres://{USER}@127.0.0.1:{port}/{}", self.name)
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        let mut drop = self.cluster.client("dropdb");
        // It goes with its cluster at the latest.
        let _ = drop.args(["--force", &self.name]).output();
    }
}

impl Port {
    fn client(self, name: &str) -> Command {
        let mut command = Command::new(program(name));
        command.args(["-h", "127.0.0.1", "-U", USER, "-p", &self.0.to_string()]);
        command
    }
}

/// A program that root may not run.
fn server_program(name: &str) -> Command {
    as_unprivileged(&program(name))
}

/// A command that is run by somebody else when the tests are run by root.
pub fn as_unprivileged(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("runuser");
    command.args(["-u", UNPRIVILEGED, "--"]).arg(program);
    // The directory of the tests may be closed to that user.
    command.current_dir(std::env::temp_dir());
    command
}

/// Where a program of PostgreSQL is: on the path, or where Debian puts those of the server.
fn program(name: &str) -> PathBuf {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let mut versions: Vec<PathBuf> = versions.flatten().map(|entry| entry.path()).collect();
    versions.sort();
    places.extend(
        versions
            .into_iter()
            .rev()
            .map(|version| version.join("bin")),
    );
    let found = places.iter().map(|place| place.join(name));
    found
        .into_iter()
        .find(|path| path.is_file())
        .unwrap_or_else(|| {
            panic!(
                "{name} is not installed: these tests need PostgreSQL (apt-get install postgresql)"
            )
        })
}

fn is_root() -> bool {
    static ROOT: OnceLock<bool> = OnceLock::new();
    *ROOT.get_or_init(|| {
        let id = Command::new("id").arg("-u").output().unwrap();
        id.stdout.trim_ascii() == b"0"
    })
}

/// A port that nobody listens on just now.
pub fn free_port() -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    listener.local_addr().unwrap().port()
}

/// Runs a command that has to succeed.
fn succeed(command: &mut Command) {
    let output = command.output().unwrap();
    assert!(
        output.status.success(),
        "{command:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

/// Names everything above once: see the head of `support`.
const _: fn() = || {
    let _ = (
        shared,
        Database::new,
        Database::url,
        Database::url_at,
        Database::name,
    );
    let _ = (OwnCluster::start, OwnCluster::port, OwnCluster::database);
    let _ = (
        OwnCluster::stop,
        OwnCluster::crash,
        OwnCluster::start_again,
        as_unprivileged,
        free_port,
    );
};
