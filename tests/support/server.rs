//! The real program on a port of its own, with a database of its own, for tests over HTTP.
//!
//! Each server has a directory that is its working directory, so no `.env` and no database of
//! the developer gets in; its environment is empty but for what the test says. It is killed
//! and its directory removed when it goes out of scope. With `CANDOR_TEST_DATABASE=postgres`
//! its database is one of PostgreSQL, unless the test says otherwise.

#![cfg(test)]

#[path = "postgres.rs"]
pub mod postgres;

use std::fs;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use reqwest::header::HeaderMap;
use reqwest::{Client, Method};
use serde_json::{Value, json};

/// How long a start or an end may take before the test fails.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running server.
pub struct Server {
    child: Child,
    base: String,
    client: Client,
    directory: Directory,
    environment: Vec<(String, String)>,
    own_database: Option<postgres::Database>,
}

/// An answer, whole.
#[derive(Debug, Clone)]
pub struct Reply {
    /// HTTP status.
    pub status: u16,
    /// Headers.
    pub headers: HeaderMap,
    /// The body as it came.
    pub text: String,
    /// The body as JSON; null when it is none.
    pub body: Value,
}

impl Server {
    /// Starts on a pinned day, Sunday 2026-02-08.
    pub async fn start() -> Self {
        Self::start_with(&[("CANDOR_TODAY", "2026-02-08")]).await
    }

    /// Starts with these variables and no others.
    pub async fn start_with(variables: &[(&str, &str)]) -> Self {
        let directory = Directory::new();
        let mut environment: Vec<_> = variables
            .iter()
            .map(|(n, v)| ((*n).to_owned(), (*v).to_owned()))
            .collect();
        let chosen = variables.iter().any(|(name, _)| *name == DATABASE);
        let own_database = (on_postgres() && !chosen).then(postgres::Database::new);
        if let Some(database) = &own_database {
            environment.push((DATABASE.to_owned(), database.url()));
        }
        let (child, base) = spawn(&directory.0, &environment);
        let client = Client::builder().no_proxy().build().unwrap();
        let server = Self {
            child,
            base,
            client,
            directory,
            environment,
            own_database,
        };
        server.wait_until_ready().await;
        server
    }

    /// The address of a path.
    pub fn url(&self, path: &str) -> String {
        format!("{}{path}", self.base)
    }

    /// The database's file.
    pub fn database(&self) -> PathBuf {
        self.directory.0.join("candor.db")
    }

    /// The address of its database, where that is not the file.
    pub fn own_database(&self) -> Option<String> {
        self.own_database.as_ref().map(postgres::Database::url)
    }

    /// Runs the program to its end where the server runs, on the server's database.
    pub fn run_beside(&self, variables: &[(&str, &str)], arguments: &[&str]) -> Ran {
        let database = self.own_database();
        let database = database.as_deref().map(|url| (DATABASE, url));
        let variables: Vec<_> = variables.iter().copied().chain(database).collect();
        run(Some(self.directory()), &variables, arguments)
    }

    /// Where it runs; `candor` started there sees the same file.
    pub fn directory(&self) -> &Path {
        &self.directory.0
    }

    /// Returns what it wrote to standard error so far.
    pub fn log(&self) -> String {
        fs::read_to_string(self.directory.0.join("stderr")).unwrap_or_default()
    }

    /// A request with any headers and any body.
    pub async fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: Option<String>,
    ) -> Reply {
        let method = Method::from_bytes(method.as_bytes()).unwrap();
        let mut request = self.client.request(method, self.url(path));
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        if let Some(body) = body {
            request = request.body(body);
        }
        let response = request.send().await.expect("the server answers");
        let (status, headers) = (response.status().as_u16(), response.headers().clone());
        let text = response.text().await.expect("the answer is whole");
        let body = serde_json::from_str(&text).unwrap_or(Value::Null);
        Reply {
            status,
            headers,
            text,
            body,
        }
    }

    /// `GET`.
    pub async fn get(&self, path: &str) -> Reply {
        self.send("GET", path, &[], None).await
    }

    /// `POST` of JSON.
    pub async fn post(&self, path: &str, body: Value) -> Reply {
        self.send("POST", path, JSON, Some(body.to_string())).await
    }

    /// `POST` of JSON under an idempotency key.
    pub async fn post_keyed(&self, path: &str, key: &str, body: Value) -> Reply {
        let headers = [JSON, &[("idempotency-key", key)]].concat();
        self.send("POST", path, &headers, Some(body.to_string()))
            .await
    }

    /// `PATCH` of JSON.
    pub async fn patch(&self, path: &str, body: Value) -> Reply {
        self.send("PATCH", path, JSON, Some(body.to_string())).await
    }

    /// `DELETE`.
    pub async fn delete(&self, path: &str) -> Reply {
        self.send("DELETE", path, &[], None).await
    }

    /// One turn of a new conversation; it must be answered with 200.
    pub async fn chat(&self, user: &str, message: &str) -> Value {
        self.turn(user, json!({"message": message})).await
    }

    /// One turn of the conversation that `reply` belongs to; it must be answered with 200.
    pub async fn go_on(&self, user: &str, reply: &Value, message: &str) -> Value {
        let conversation = &reply["conversation_id"];
        self.turn(
            user,
            json!({"message": message, "conversation_id": conversation}),
        )
        .await
    }

    /// One turn, as the body says; it must be answered with 200.
    pub async fn turn(&self, user: &str, body: Value) -> Value {
        let reply = self.post(&format!("/api/{user}/chat"), body).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        reply.body
    }

    /// Adds a task by REST and returns it.
    pub async fn add(&self, user: &str, task: Value) -> Value {
        let reply = self.post(&format!("/api/{user}/tasks"), task).await;
        assert_eq!(reply.status, 201, "{}", reply.text);
        reply.body
    }

    /// The user's tasks, newest first.
    pub async fn tasks(&self, user: &str) -> Vec<Value> {
        let reply = self.get(&format!("/api/{user}/tasks")).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        reply.body.as_array().expect("an array").clone()
    }

    /// The titles of the user's tasks, newest first.
    pub async fn titles(&self, user: &str) -> Vec<String> {
        let tasks = self.tasks(user).await;
        tasks
            .iter()
            .map(|task| task["title"].as_str().unwrap().to_owned())
            .collect()
    }

    /// The user's audit events of one kind, oldest first.
    pub async fn events(&self, user: &str, kind: &str) -> Vec<Value> {
        let reply = self
            .get(&format!("/api/{user}/audit?kind={kind}&limit=1000"))
            .await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        reply.body["events"].as_array().expect("an array").clone()
    }

    /// Kills it without warning.
    pub fn crash(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    /// Kills it without warning and starts it again on the same database.
    pub async fn crash_and_restart(&mut self) {
        self.crash();
        let (child, base) = spawn(&self.directory.0, &self.environment);
        self.child = child;
        self.base = base;
        self.wait_until_ready().await;
    }

    /// The same with other variables, which stand for those of the same name.
    pub async fn restart_with(&mut self, variables: &[(&str, &str)]) {
        for (name, value) in variables {
            self.environment.retain(|(known, _)| known != name);
            self.environment
                .push(((*name).to_owned(), (*value).to_owned()));
        }
        self.crash_and_restart().await;
    }

    /// Asks it to end (SIGTERM).
    pub fn terminate(&self) {
        self.signal("TERM");
    }

    /// Sends it a signal, by its name: `STOP`, `CONT`.
    pub fn signal(&self, name: &str) {
        let id = self.child.id().to_string();
        assert!(
            Command::new("sh")
                .args(["-c", "kill -s \"$0\" \"$1\"", name, &id])
                .status()
                .unwrap()
                .success()
        );
    }

    /// Waits for its end.
    pub async fn ended(&mut self) -> ExitStatus {
        let began = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(
                began.elapsed() < PATIENCE + PATIENCE,
                "it does not end: {}",
                self.log()
            );
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    }

    async fn wait_until_ready(&self) {
        let began = Instant::now();
        while !self
            .client
            .get(self.url("/readyz"))
            .send()
            .await
            .is_ok_and(|r| r.status() == 200)
        {
            assert!(
                began.elapsed() < PATIENCE,
                "it does not get ready: {}",
                self.log()
            );
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already; then there is nothing to kill.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if std::thread::panicking() {
            eprintln!("--- the server's log ---\n{}", self.log());
        }
    }
}

impl Reply {
    /// The problem's code; fails when the answer is no problem as RFC 9457 wants it.
    pub fn problem(&self) -> &str {
        assert_eq!(
            self.headers["content-type"], "application/problem+json",
            "{self:?}"
        );
        assert_eq!(self.body["status"], self.status, "{self:?}");
        for member in ["type", "title", "detail", "instance", "code", "request_id"] {
            assert!(
                self.body[member].is_string(),
                "{member} is missing: {self:?}"
            );
        }
        assert_eq!(
            self.body["request_id"],
            self.headers["x-request-id"].to_str().unwrap()
        );
        self.body["code"].as_str().unwrap()
    }
}

/// Runs the program to its end, in an empty directory or in `directory`.
pub fn run(directory: Option<&Path>, variables: &[(&str, &str)], arguments: &[&str]) -> Ran {
    let own = Directory::new();
    let output = command(directory.unwrap_or(&own.0))
        .envs(variables.iter().copied())
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

/// How a run ended.
#[derive(Debug)]
pub struct Ran {
    /// Exit status.
    pub code: Option<i32>,
    /// Standard output.
    pub out: String,
    /// Standard error.
    pub err: String,
}

const DATABASE: &str = "DATABASE_URL";

/// Tells whether this run of the tests is one on PostgreSQL.
fn on_postgres() -> bool {
    match std::env::var("CANDOR_TEST_DATABASE").as_deref() {
        Ok("postgres") => true,
        Ok("sqlite") | Err(_) => false,
        Ok(other) => panic!("CANDOR_TEST_DATABASE is sqlite or postgres, not {other}"),
    }
}

const JSON: &[(&str, &str)] = &[("content-type", "application/json")];

fn command(directory: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_candor"));
    command.current_dir(directory).env_clear();
    command
}

fn spawn(directory: &Path, environment: &[(String, String)]) -> (Child, String) {
    let log = fs::File::options()
        .create(true)
        .append(true)
        .open(directory.join("stderr"))
        .unwrap();
    let mut child = command(directory)
        .env("CANDOR_BIND", "127.0.0.1:0")
        .envs(environment.iter().map(|(name, value)| (name, value)))
        .stdout(Stdio::piped())
        .stderr(log)
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap());
    let mut line = String::new();
    lines.read_line(&mut line).unwrap();
    let Some(base) = line.trim().strip_prefix("candor listening on ") else {
        let log = fs::read_to_string(directory.join("stderr")).unwrap_or_default();
        panic!("it does not listen: {line:?}\n{log}");
    };
    let base = base.to_owned();
    // Whatever else it prints must not fill the pipe.
    std::thread::spawn(move || lines.read_to_end(&mut Vec::new()));
    (child, base)
}

/// A directory that is removed with its owner.
struct Directory(PathBuf);

impl Directory {
    fn new() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("candor-test-{}-{count}", std::process::id());
        let path = std::env::temp_dir().join(name);
        // A killed run leaves its own behind, and process ids come again.
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
}

impl Drop for Directory {
    fn drop(&mut self) {
        // What can't be removed is in the system's temporary directory and does no harm.
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Names everything above once: see the head of `support`.
const _: fn() = || {
    let _ = (
        Server::start,
        Server::go_on,
        Server::chat,
        Server::turn,
        Server::add,
    );
    let _ = (
        Server::tasks,
        Server::titles,
        Server::events,
        Server::database,
    );
    let _ = (
        Server::directory,
        Server::get,
        Server::patch,
        Server::delete,
    );
    let _ = |server: &Server| drop(server.post("", Value::Null));
    let _ = |server: &Server| drop(server.post_keyed("", "", Value::Null));
    let _ = (
        Server::terminate,
        Server::signal,
        Server::ended,
        Server::crash,
        Server::crash_and_restart,
        Server::restart_with,
        Server::log,
    );
    let _ = (
        Reply::problem,
        run,
        Server::run_beside,
        Server::own_database,
    );
    let _ = |it: Ran| (it.code, it.out, it.err);
};
