//! A server with providers, the model servers behind them, and what must hold after any story.

use std::collections::{HashMap, VecDeque};
use std::path::PathBuf;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};

use regex::Regex;
use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, Row, SqliteConnection};

use crate::support::openai::{ScriptedModel, Step};
use crate::support::server::{Reply, Server};

/// How long anything may take before the test fails.
pub const PATIENCE: Duration = Duration::from_secs(20);
/// A key that must be seen nowhere.
const KEY: &str = "sk-canary-0123456789";

static UUID: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new("(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}").unwrap()
});

type Scripts = Arc<Mutex<HashMap<String, VecDeque<Step>>>>;

/// A story's stage.
pub struct Scene {
    pub server: Server,
    /// Answers for `openai-dev`.
    pub model: ScriptedModel,
    scripts: Scripts,
    /// Files an agent may see are in `in/`; what lies beside it, it may not.
    pub place: Place,
    held: bool,
}

/// A folder of its own, removed at the end.
pub struct Place(pub PathBuf);

impl Place {
    pub fn new() -> Self {
        static COUNT: std::sync::atomic::AtomicU32 = std::sync::atomic::AtomicU32::new(0);
        let number = COUNT.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        let name = format!("candor-delegation-{}-{number}", std::process::id());
        let path = std::env::temp_dir().join(name);
        std::fs::create_dir_all(path.join("in")).unwrap();
        let path = path.canonicalize().unwrap();
        std::fs::write(path.join("secret.txt"), "the canary").unwrap();
        std::fs::write(path.join("in/hotels.md"), "Hotel Adler: 90 EUR").unwrap();
        std::fs::write(path.join("in/b.md"), "nothing").unwrap();
        std::fs::write(path.join("in/c.md"), "nothing either").unwrap();
        Self(path)
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

impl Scene {
    pub async fn new() -> Self {
        Self::with("", &[]).await
    }

    /// A stage whose `[delegation]` holds these lines, too, and these variables, in which
    /// `{place}` is its folder.
    pub async fn with(rules: &str, variables: &[(&str, &str)]) -> Self {
        let (model, scripts, place) = (
            ScriptedModel::start().await,
            Scripts::default(),
            Place::new(),
        );
        script(&model, &scripts);
        let file = place.0.join("candor.toml");
        let text = format!(
            "[[providers]]\nid = 'openai-dev'\nkind = 'openai_compat'\nbase_url = '{}'\n\
             api_key_env = 'DEV_KEY'\nmodels = ['parent-model', 'gpt-4', 'fast-model', 'smart-model']\n\
             \n[[providers]]\nid = 'codex'\nkind = 'openai_compat'\nbase_url = '{}'\n\
             models = ['codex-model']\n\
             \n[[providers]]\nid = 'dead'\nkind = 'openai_compat'\nbase_url = 'http://127.0.0.1:9/v1'\n\
             models = ['none']\n\
             \n[[providers]]\nid = 'off'\nkind = 'built_in'\nenabled = false\n\
             \n[[providers]]\nid = 'worker'\nkind = 'built_in'\n\
             \n[models]\nfast = 'openai-dev:fast-model'\nsmart = 'openai-dev:smart-model'\n\
             \n[delegation]\nworkspace_roots = ['{}']\n{rules}\n",
            model.base_url(),
            model.base_url(),
            place.0.join("in").display(),
        );
        std::fs::write(&file, text).unwrap();
        let base = model.base_url();
        let mut environment = vec![
            ("CANDOR_TODAY", "2026-02-08"),
            ("CANDOR_CONFIG", file.to_str().unwrap()),
            ("DATABASE_URL", "sqlite://candor.db"),
            ("DEV_KEY", KEY),
            ("OPENAI_BASE_URL", &base),
            ("OPENAI_API_KEY", KEY),
            ("OPENAI_MODEL", "parent-model"),
            ("OPENAI_PROVIDER_ID", "openai-dev"),
        ];
        let folder = place.0.display().to_string();
        let placed = variables
            .iter()
            .map(|(name, value)| (*name, value.replace("{place}", &folder)));
        let placed: Vec<_> = placed.collect();
        environment.extend(placed.iter().map(|(name, value)| (*name, value.as_str())));
        let server = Server::start_with(&environment).await;
        Self {
            server,
            model,
            scripts,
            place,
            held: false,
        }
    }

    /// The next answer of a model.
    pub fn then(&self, model: &str, step: Step) -> &Self {
        let mut scripts = self.scripts.lock().unwrap();
        scripts.entry(model.to_owned()).or_default().push_back(step);
        self
    }

    /// The next answer of a model: this report.
    pub fn reports(&self, model: &str, text: &str) -> &Self {
        self.then(model, report(text, &[]))
    }

    /// The next answer of a model: these calls.
    pub fn calls(&self, model: &str, calls: Vec<(&str, Value)>) -> &Self {
        self.then(model, Step::calls(calls))
    }

    /// Adds a task and gives it to an agent: the run's handle.
    pub async fn hand(&self, title: &str, mut asked: Value) -> String {
        let task = self.server.add("me", json!({"title": title})).await;
        if asked.get("assign_to").is_none() && asked.get("resume").is_none() {
            asked["assign_to"] = json!("new:researcher;fast");
        }
        let reply = self.try_hand(&task, asked).await;
        assert_eq!(reply.status, 202, "{}", reply.text);
        reply.body["run"].as_str().unwrap().to_owned()
    }

    pub async fn try_hand(&self, task: &Value, asked: Value) -> Reply {
        let path = format!("/api/me/tasks/{}/delegate", task["id"].as_str().unwrap());
        self.server.post(&path, asked).await
    }

    /// The task of that title.
    pub async fn task(&self, title: &str) -> Value {
        let tasks = self.server.tasks("me").await;
        let found = tasks.iter().find(|task| task["title"] == title);
        found.unwrap_or_else(|| panic!("{title} is gone")).clone()
    }

    pub async fn run(&self, handle: &str) -> Value {
        let reply = self
            .server
            .get(&format!("/api/me/delegations/{handle}"))
            .await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        reply.body
    }

    /// The run once it has ended.
    pub async fn ended(&self, handle: &str) -> Value {
        let path = format!("/api/me/delegations/{handle}?wait_ms=20000");
        let reply = self.server.get(&path).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        assert!(reply.body["ended_at"].is_string(), "{:#}", reply.body);
        reply.body
    }

    /// Waits until a run stands there.
    pub async fn until(&self, handle: &str, state: &str) -> Value {
        eventually(&format!("{handle} is {state}"), async || {
            let run = self.run(handle).await;
            (run["state"] == state).then_some(run)
        })
        .await
    }

    /// Returns what a model was asked, oldest first.
    pub fn asked(&self, model: &str) -> Vec<Value> {
        let requests = self.model.requests().into_iter();
        requests.filter(|body| body["model"] == model).collect()
    }

    /// Waits until a model was asked so often.
    pub async fn asked_times(&self, model: &str, times: usize) -> Vec<Value> {
        eventually(&format!("{model} is asked"), async || {
            Some(self.asked(model)).filter(|asked| asked.len() >= times)
        })
        .await
    }

    /// The database's file.
    pub async fn file(&self) -> SqliteConnection {
        let options = SqliteConnectOptions::new().filename(self.server.database());
        let options = options.busy_timeout(Duration::from_secs(5));
        SqliteConnection::connect_with(&options).await.unwrap()
    }

    /// The first column of a statement's rows, as text.
    pub async fn read(&self, statement: &'static str) -> Vec<String> {
        let mut file = self.file().await;
        let rows = sqlx::query(statement).fetch_all(&mut file).await.unwrap();
        rows.iter().map(|row| row.get(0)).collect()
    }

    /// Invariants I-1 to I-8, on this stage as it stands.
    pub async fn holds(mut self) {
        self.held = true;
        self.rows_hold().await;
        self.log_holds().await;
        self.requests_hold();
        self.replies_hold().await;
        let ran = self.server.run_beside(&[], &["audit", "verify"]);
        assert_eq!(ran.code, Some(0), "{}{}", ran.out, ran.err);
        assert!(
            !self.server.log().contains("canary"),
            "I-8: a key in the log"
        );
    }

    async fn rows_hold(&self) {
        let ghosts = "SELECT id FROM agent_runs AS a WHERE state = 'completed' AND NOT EXISTS (
            SELECT 1 FROM agent_results AS r WHERE r.user_id = a.user_id AND r.run_id = a.id
              AND r.outcome = 'completed' AND r.verification <> 'contradicted')";
        assert!(
            self.read(ghosts).await.is_empty(),
            "I-1: completed without a result"
        );
        let proven = "SELECT id FROM tasks AS t WHERE completed_run_id IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM agent_results AS r JOIN agent_runs AS a
                ON a.user_id = r.user_id AND a.id = r.run_id
            WHERE a.user_id = t.user_id AND a.id = t.completed_run_id AND a.task_id = t.id
              AND a.state = 'completed')";
        assert!(
            self.read(proven).await.is_empty(),
            "I-1: done by an agent without proof"
        );
        let idle = "SELECT id FROM agent_runs WHERE state IN ('running', 'input_required')
            AND (owner IS NULL OR lease_until < unixepoch('subsec') * 1000 - 5000)";
        assert!(
            self.read(idle).await.is_empty(),
            "I-6: a live run that nobody works on"
        );
        let texts =
            "SELECT content FROM agent_messages UNION ALL SELECT result_text FROM agent_results
            UNION ALL SELECT coalesce(fault, '') FROM agent_runs";
        for text in self.read(texts).await {
            clean(&text);
        }
    }

    /// The log: each call of an agent has one result, and the envelopes are sound.
    async fn log_holds(&self) {
        let events = self.server.events("me", "run").await;
        let of = |kind: &str| {
            let events = events.iter().map(|event| event["payload"].clone());
            events.filter(|it| it["type"] == kind).collect::<Vec<_>>()
        };
        let key = |it: &Value| format!("{} {}", it["run"], it["number"]);
        let mut calls: Vec<_> = of("tool_call").iter().map(key).collect();
        let mut results: Vec<_> = of("tool_result").iter().map(key).collect();
        calls.sort();
        results.sort();
        assert_eq!(calls, results, "I-2");
        for event in of("tool_result") {
            let envelope = &event["answer"];
            let envelope = envelope.get("said").unwrap_or(envelope);
            if envelope.get("ok").is_some() {
                assert_eq!(envelope["ok"], envelope["success"], "I-4: {envelope}");
                let failed = envelope.get("error").is_some();
                assert_ne!(envelope["ok"] == true, failed, "I-4: {envelope}");
            }
            assert_eq!(
                event["ok"] == true,
                event["error_type"].is_null(),
                "I-4: {event}"
            );
            assert!(event["provider_context"].is_string(), "I-7: {event}");
        }
    }

    /// Checks what was said: every sentence borne out by the log, and nothing of the inside in it.
    async fn replies_hold(&self) {
        for event in self.server.events("me", "reply").await {
            let said = event["payload"]["message"].as_str().unwrap_or_default();
            assert!(!UUID.is_match(said), "I-3: {said}");
            clean(said);
            let turn = event["turn_id"].as_str().unwrap();
            let account = self
                .server
                .get(&format!("/api/me/audit/turns/{turn}"))
                .await;
            assert_eq!(account.body["holds"], true, "I-5: {said}: {}", account.text);
            assert_eq!(account.body["unproven"], 0, "I-5: {said}: {}", account.text);
        }
    }

    fn requests_hold(&self) {
        for request in self.model.received() {
            assert!(!UUID.is_match(&request.raw), "I-3: {}", request.raw);
            clean(&request.raw);
            for message in request.body["messages"].as_array().into_iter().flatten() {
                if message["role"] == "tool" {
                    let text = message["content"].as_str().unwrap();
                    let envelope: Value = serde_json::from_str(text).unwrap();
                    assert_eq!(envelope["ok"], envelope["success"], "I-4: {envelope}");
                }
            }
        }
    }
}

/// No key and no stack trace (I-8).
fn clean(text: &str) {
    for trace in ["sk-canary", "stack backtrace", "panicked at", "src/"] {
        assert!(!text.contains(trace), "I-8: {trace} in {text}");
    }
}

impl Drop for Scene {
    fn drop(&mut self) {
        let ended = self.held || std::thread::panicking();
        assert!(ended, "a story ends with `holds`");
    }
}

fn script(model: &ScriptedModel, scripts: &Scripts) {
    let scripts = Arc::clone(scripts);
    model.otherwise_with(move |body| {
        let name = body["model"].as_str().unwrap_or_default();
        let mut scripts = scripts.lock().unwrap();
        let next = scripts.get_mut(name).and_then(VecDeque::pop_front);
        // Asked more than it was told: a refusal that nobody repeats.
        next.unwrap_or_else(|| Step::refusal(400, "nothing is scripted", "unscripted"))
    });
}

/// A report, citing these receipts.
pub fn report(text: &str, evidence: &[&str]) -> Step {
    let arguments = json!({"outcome": "completed", "result": text, "evidence": evidence});
    Step::calls(vec![("report_result", arguments)])
}

/// The envelopes of the tool results at the end of a request.
pub fn results(request: &Value) -> Vec<Value> {
    let messages = request["messages"].as_array().unwrap();
    let tail = messages
        .iter()
        .rev()
        .take_while(|it| it["role"] != "assistant");
    let tools = tail.filter(|it| it["role"] == "tool");
    let mut found: Vec<Value> = tools
        .map(|it| serde_json::from_str(it["content"].as_str().unwrap()).unwrap())
        .collect();
    found.reverse();
    found
}

/// The text of the last message.
pub fn last(request: &Value) -> &str {
    let messages = request["messages"].as_array().unwrap();
    messages.last().unwrap()["content"].as_str().unwrap()
}

/// Asks until there is an answer.
pub async fn eventually<T>(what: &str, ask: impl AsyncFn() -> Option<T>) -> T {
    let began = Instant::now();
    loop {
        if let Some(found) = ask().await {
            return found;
        }
        assert!(
            began.elapsed() < PATIENCE,
            "{what}: not within {PATIENCE:?}"
        );
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
