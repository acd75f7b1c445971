//! Several processes on one queue: no run is worked on twice.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::scene::{PATIENCE, report};
use crate::support::openai::{ScriptedModel, Step};
use crate::support::server::Server;
use crate::support::server::postgres::Database;

/// Runs that are handed in.
const RUNS: usize = 12;

/// A configuration file, removed at the end.
struct File(std::path::PathBuf);

impl File {
    fn new(model: &ScriptedModel) -> Self {
        static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let path =
            std::env::temp_dir().join(format!("candor-queue-{}-{number}.toml", std::process::id()));
        let text = format!(
            "[[providers]]\nid = 'a'\nkind = 'openai_compat'\nbase_url = '{}'\nmodels = ['m']\n",
            model.base_url()
        );
        std::fs::write(&path, text).unwrap();
        Self(path)
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}

async fn start(url: &str, file: &File) -> Server {
    Server::start_with(&[
        ("CANDOR_TODAY", "2026-02-08"),
        ("DATABASE_URL", url),
        ("CANDOR_CONFIG", file.0.to_str().unwrap()),
    ])
    .await
}

async fn hand(server: &Server, title: &str) -> String {
    let task = server.add("me", json!({ "title": title })).await;
    let path = format!("/api/me/tasks/{}/delegate", task["id"].as_str().unwrap());
    let reply = server
        .post(&path, json!({"assign_to": "new:lace", "prompt": title}))
        .await;
    assert_eq!(reply.status, 202, "{}", reply.text);
    reply.body["run"].as_str().unwrap().to_owned()
}

async fn run(server: &Server, handle: &str) -> Value {
    server
        .get(&format!("/api/me/delegations/{handle}"))
        .await
        .body
}

async fn once_each(url: &str) {
    let model = ScriptedModel::start().await;
    let answer = Step::After(Duration::from_millis(100), Box::new(report("Done.", &[])));
    model.otherwise(answer);
    let file = File::new(&model);
    let (one, other) = (start(url, &file).await, start(url, &file).await);
    let mut runs = Vec::new();
    for number in 0..RUNS {
        let server = if number % 2 == 0 { &one } else { &other };
        runs.push(hand(server, &format!("Task {number}")).await);
    }
    for handle in &runs {
        let path = format!("/api/me/delegations/{handle}?wait_ms=20000");
        let ended = other.get(&path).await.body;
        assert_eq!(
            (&ended["state"], &ended["attempt"]),
            (&json!("completed"), &json!(1)),
            "{ended:#}"
        );
    }
    // Each was asked for once: two workers of one run would have asked twice.
    let mut asked: Vec<_> = model
        .requests()
        .iter()
        .map(|body| {
            body["messages"][1]["content"]
                .as_str()
                .unwrap()
                .lines()
                .next()
                .unwrap()
                .to_owned()
        })
        .collect();
    asked.sort();
    let mut expect: Vec<_> = (0..RUNS).map(|number| format!("Task {number}")).collect();
    expect.sort();
    assert_eq!(asked, expect);
}

#[tokio::test]
async fn two_processes_work_on_each_run_once() {
    let file = std::env::temp_dir().join(format!("candor-queue-{}.db", std::process::id()));
    once_each(&format!("sqlite://{}", file.display())).await;
    for end in ["", "-wal", "-shm", "-running"] {
        let _ = std::fs::remove_file(format!("{}{end}", file.display()));
    }
}

#[tokio::test]
async fn two_processes_work_on_each_run_once_on_postgresql() {
    let database = Database::new();
    once_each(&database.url()).await;
}

/// G-18: sent again, at another process and after the end, it is the same run.
#[tokio::test]
async fn the_same_request_twice_is_one_run() {
    let scene = crate::scene::Scene::new().await;
    scene.reports("fast-model", "Adler.");
    let task = scene
        .server
        .add("me", json!({"title": "Research hotels"}))
        .await;
    let path = format!("/api/me/tasks/{}/delegate", task["id"].as_str().unwrap());
    let asked = json!({"assign_to": "new:researcher;fast"});
    let first = scene.server.post_keyed(&path, "k-1", asked.clone()).await;
    scene.ended(first.body["run"].as_str().unwrap()).await;
    let second = scene.server.post_keyed(&path, "k-1", asked).await;
    assert_eq!(
        (second.status, &second.body["run"]),
        (202, &first.body["run"])
    );
    let other = scene
        .server
        .post_keyed(&path, "k-1", json!({"assign_to": "new:lace"}))
        .await;
    assert_eq!(other.problem(), "invalid_delegation", "{}", other.text);
    assert_eq!(scene.read("SELECT id FROM agent_runs").await.len(), 1);
    scene.holds().await;
}

#[tokio::test]
async fn a_19_a_worker_that_does_not_answer_is_said_not_to_have() {
    let model = ScriptedModel::start().await;
    model.otherwise(Step::Silence);
    let file = File::new(&model);
    let database = std::env::temp_dir().join(format!("candor-deaf-{}.db", std::process::id()));
    let url = format!("sqlite://{}", database.display());
    let deaf = start(&url, &file).await;
    let handle = hand(&deaf, "Research hotels").await;
    let began = Instant::now();
    while model.requests().is_empty() {
        assert!(began.elapsed() < PATIENCE);
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let other = start(&url, &file).await;
    deaf.signal("STOP");
    let cancel = || other.post("/api/me/delegations/run-1/cancel", json!({}));
    let asked = Instant::now();
    let reply = cancel().await;
    deaf.signal("CONT");
    assert_eq!(reply.problem(), "conflict", "{}", reply.text);
    assert_eq!(
        reply.body["detail"],
        "Cancel requested; work may still land."
    );
    assert!(
        asked.elapsed() < Duration::from_secs(4),
        "{:?}",
        asked.elapsed()
    );
    // Now it hears again, and stops.
    let began = Instant::now();
    while run(&other, &handle).await["state"] != "cancelled" {
        assert!(
            began.elapsed() < PATIENCE,
            "{:#}",
            run(&other, &handle).await
        );
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    for end in ["", "-wal", "-shm", "-running"] {
        let _ = std::fs::remove_file(format!("{}{end}", database.display()));
    }
}
