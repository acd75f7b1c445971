//! One user's story: their tasks, what they say, what the model answers, and what must be true.
//!
//! The server is the real program with a real SQLite file; the model is the scripted one, or
//! none where the built-in engine plays. After the last word a story calls [`World::holds`],
//! which holds the replies against the database, the audit log and the prompts that went out;
//! a story that forgets to is failed.

#![cfg(test)]

use std::path::Path;

use serde_json::{Value, json};
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, PgConnection, Row, SqliteConnection};

use super::openai::ScriptedModel;
use super::said::{Said, UUID};
use super::server::{Reply, Server};

/// User of the story.
pub const USER: &str = "me";
const CHAT: &str = "/api/me/chat";

/// A server, a model and one user.
pub struct World {
    /// The real program.
    pub server: Server,
    /// The scripted model; the engine's stories may script it too, and it is never asked.
    pub model: ScriptedModel,
    /// True when the built-in engine plays.
    pub engine: bool,
    conversation: Value,
    replies: Vec<Said>,
    held: bool,
}

impl World {
    /// With the scripted model, on Sunday 2026-02-08.
    pub async fn new() -> Self {
        Self::with(&[]).await
    }

    /// The same with more variables.
    pub async fn with(variables: &[(&str, &str)]) -> Self {
        let model = ScriptedModel::start().await;
        let base_url = model.base_url();
        Self::built(model, &base_url, variables).await
    }

    /// The same, but the program is told that the model is at `base_url`.
    pub async fn with_model_at(base_url: &str, variables: &[(&str, &str)]) -> Self {
        Self::built(ScriptedModel::start().await, base_url, variables).await
    }

    /// With the built-in engine.
    pub async fn engine() -> Self {
        Self::built(ScriptedModel::start().await, "", &[]).await
    }

    async fn built(model: ScriptedModel, base_url: &str, more: &[(&str, &str)]) -> Self {
        let mut variables = vec![("CANDOR_TODAY", "2026-02-08")];
        if !base_url.is_empty() {
            variables.push(("OPENAI_BASE_URL", base_url));
            variables.push(("OPENAI_MODEL", "gpt-4"));
        }
        variables.extend(more);
        Self {
            server: Server::start_with(&variables).await,
            model,
            engine: base_url.is_empty(),
            conversation: Value::Null,
            replies: Vec::new(),
            held: false,
        }
    }

    /// The user has these tasks, as in `Pay rent (completed, high, due 2026-02-09)`; the oldest
    /// comes first. Gives their ids.
    pub async fn given_tasks(&self, lines: &[&str]) -> Vec<String> {
        let mut ids = Vec::new();
        for line in lines {
            let task = self.server.add(USER, task_of(line)).await;
            ids.push(task["id"].as_str().unwrap().to_owned());
        }
        ids
    }

    /// Says something in the conversation; it must be answered with 200.
    pub async fn say(&mut self, message: &str) -> Said {
        self.post(json!({"message": message}), message).await
    }

    /// Presses the button of the pending question that is labelled so.
    pub async fn choose(&mut self, asked: &Said, label: &str) -> Said {
        let question = &asked.body["question"];
        let options = question["options"].as_array().unwrap();
        let option = options.iter().find(|option| option["label"] == label);
        let option = option.unwrap_or_else(|| panic!("no {label:?} in {question:#}"));
        let answer = json!({"id": question["id"], "value": option["id"]});
        self.post(json!({"answer": answer}), label).await
    }

    /// Says something; whatever the answer is.
    pub async fn try_say(&mut self, message: &str) -> Reply {
        self.send(json!({"message": message})).await
    }

    /// From here on, a new conversation.
    pub fn begin_anew(&mut self) {
        self.conversation = Value::Null;
    }

    async fn post(&mut self, body: Value, shown: &str) -> Said {
        let reply = self.send(body).await;
        assert_eq!(reply.status, 200, "{shown:?}: {}", reply.text);
        let said = Said::new(reply.body, shown);
        self.replies.push(said.clone());
        said
    }

    async fn send(&mut self, mut body: Value) -> Reply {
        if !self.conversation.is_null() {
            body["conversation_id"] = self.conversation.clone();
        }
        let reply = self.server.post(CHAT, body).await;
        // A problem names the conversation in which it kept the message.
        let conversation = &reply.body["conversation_id"];
        if conversation.is_string() {
            self.conversation = conversation.clone();
        }
        reply
    }

    /// The tasks are these, oldest first, by the API and in the file.
    pub async fn rows(&self, expect: &[&str]) {
        let mut shown: Vec<_> = self.server.tasks(USER).await.iter().map(line_of).collect();
        shown.reverse();
        assert_eq!(shown, expect, "GET /tasks");
        assert_eq!(self.stored_rows().await, expect, "the file");
    }

    /// The contents of this conversation's messages, oldest first, as `role: content`.
    pub async fn messages(&self) -> Vec<String> {
        let conversation = self.conversation.as_str().unwrap();
        let path = format!("{CHAT}/messages?conversation_id={conversation}");
        let reply = self.server.get(&path).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        let messages = reply.body["messages"].as_array().unwrap();
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        messages
            .iter()
            .map(|line| format!("{}: {}", text(&line["role"]), text(&line["content"])))
            .collect()
    }

    /// The audit events of one turn, oldest first.
    pub async fn events(&self, said: &Said) -> Vec<Value> {
        let turn = said.body["turn_id"].as_str().unwrap();
        let path = format!("/api/{USER}/audit?turn_id={turn}&limit=1000");
        let reply = self.server.get(&path).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        reply.body["events"].as_array().unwrap().clone()
    }

    /// The payloads of one turn's events of one kind, oldest first.
    pub async fn told(&self, said: &Said, kind: &str) -> Vec<Value> {
        let events = self.events(said).await;
        let of_kind = events.iter().filter(|event| event["kind"] == kind);
        of_kind.map(|event| event["payload"].clone()).collect()
    }

    /// The system message of the newest request that went to the model.
    pub fn prompt(&self) -> String {
        let requests = self.model.requests();
        system_of(requests.last().expect("the model was asked")).to_owned()
    }

    /// Returns what the model was told of the calls of the newest request's last round.
    pub fn results(&self) -> Vec<Value> {
        let requests = self.model.requests();
        let messages = requests.last().unwrap()["messages"].as_array().unwrap();
        let tail: Vec<_> = messages
            .iter()
            .rev()
            .take_while(|message| message["role"] == "tool")
            .map(|message| serde_json::from_str(message["content"].as_str().unwrap()).unwrap())
            .collect();
        tail.into_iter().rev().collect()
    }

    /// The database's file, open for reading and, where a test must, for tampering.
    pub async fn file(&self) -> SqliteConnection {
        open(&self.server.database()).await
    }

    /// Runs `candor audit verify` on the file; exit status and output.
    pub fn verify(&self) -> (i32, String) {
        let ran = self.server.run_beside(&[], &["audit", "verify"]);
        (ran.code.unwrap(), format!("{}{}", ran.out, ran.err))
    }

    /// Checks what must be true after any story: rows, receipts, audit and prompts agree with what
    /// was said.
    pub async fn holds(mut self) {
        self.held = true;
        let shown = self.server.tasks(USER).await;
        let mut shown: Vec<_> = shown.iter().map(line_of).collect();
        shown.reverse();
        assert_eq!(shown, self.stored_rows().await, "the API and the file");
        for said in &self.replies {
            self.receipts_agree(said).await;
            self.audit_agrees(said).await;
        }
        self.no_forbidden_day().await;
        self.prompts_are_clean();
        let (code, output) = self.verify();
        assert_eq!(code, 0, "candor audit verify: {output}");
    }

    async fn stored_rows(&self) -> Vec<String> {
        let statement = "SELECT title, status, priority, due_date, due_time FROM tasks
             WHERE user_id = 'me' AND $1 = '' AND deleted_at IS NULL ORDER BY created_at, id";
        let task = |row: &Vec<Option<String>>| json!({"title": row[0], "status": row[1], "priority": row[2], "due_date": row[3], "due_time": row[4]});
        let rows = self.read(statement, "").await;
        rows.iter().map(|row| line_of(&task(row))).collect()
    }

    /// Rows of text, past the program.
    async fn read(&self, statement: &'static str, argument: &str) -> Vec<Vec<Option<String>>> {
        let Some(url) = self.server.own_database() else {
            let mut file = self.file().await;
            let rows = sqlx::query(statement).bind(argument.to_owned());
            let rows = rows.fetch_all(&mut file).await.unwrap();
            let texts =
                |row: &sqlx::sqlite::SqliteRow| (0..row.len()).map(|at| row.get(at)).collect();
            return rows.iter().map(texts).collect();
        };
        let mut database = PgConnection::connect(&url).await.unwrap();
        let rows = sqlx::query(statement).bind(argument);
        let rows = rows.fetch_all(&mut database).await.unwrap();
        let texts = |row: &sqlx::postgres::PgRow| (0..row.len()).map(|at| row.get(at)).collect();
        rows.iter().map(texts).collect()
    }

    /// The table of receipts holds, for this turn, the receipts that the reply showed.
    async fn receipts_agree(&self, said: &Said) {
        let statement = "SELECT id, action, task_id FROM receipts
             WHERE user_id = 'me' AND turn_id = $1 ORDER BY seq";
        let turn = said.body["turn_id"].as_str().unwrap();
        let stored: Vec<_> = self
            .read(statement, turn)
            .await
            .iter()
            .map(|row| json!({"receipt_id": row[0], "action": row[1], "task_id": row[2]}))
            .collect();
        let shown: Vec<_> = said
            .actions()
            .iter()
            .map(|it| {
                json!({
                    "receipt_id": it["receipt_id"],
                    "action": it["action"],
                    "task_id": it["task_id"],
                })
            })
            .collect();
        assert_eq!(stored, shown, "receipts of the turn {:#}", said.body);
    }

    /// Computed again from the log, the reply is the one that was shown, word for word.
    async fn account_holds(&self, said: &Said) {
        let turn = said.body["turn_id"].as_str().unwrap();
        let path = format!("/api/{USER}/audit/turns/{turn}");
        let account = self.server.get(&path).await.body;
        assert_eq!(account["holds"], true, "{account:#}");
        assert_eq!(account["said"], said.text());
        assert_eq!(account["recomputed"]["message"], said.text(), "{account:#}");
        assert_eq!(account["unproven"], 0, "{account:#}");
    }

    /// The turn is in the audit log: message, calls, receipts and reply as they were shown.
    async fn audit_agrees(&self, said: &Said) {
        let one = async |kind: &str| {
            let mut told = self.told(said, kind).await;
            assert_eq!(told.len(), 1, "{kind} events of {:#}", said.body);
            told.remove(0)
        };
        assert_eq!(one("reply").await["message"], said.text());
        self.account_holds(said).await;
        let turn = one("turn").await;
        for part in [
            "message", "model", "answers", "versions", "language", "timezone",
        ] {
            assert!(turn.get(part).is_some(), "{part} is missing: {turn:#}");
        }
        let receipts: Vec<_> = self.told(said, "receipt").await;
        let receipts: Vec<_> = receipts.iter().map(|it| it["id"].clone()).collect();
        let shown: Vec<_> = said.actions();
        let shown: Vec<_> = shown.iter().map(|it| it["receipt_id"].clone()).collect();
        assert_eq!(receipts, shown, "audit events of {:#}", said.body);
        let calls: Vec<_> = self
            .told(said, "tool_call")
            .await
            .iter()
            // What waits for the user's yes was not dispatched; a question of the model was.
            .filter(|call| call["outcome"] != "asked" || call["name"] == "ask_user")
            .map(|call| {
                assert_eq!(call["user_id"], USER, "{call:#}");
                json!([call["name"], call["arguments"], call["outcome"] != "failed"])
            })
            .collect();
        let shown: Vec<_> = said
            .calls()
            .iter()
            .filter(|call| call["name"] != "history")
            .map(|call| json!([call["name"], call["arguments"], call["success"]]))
            .collect();
        assert_eq!(calls, shown, "audit events of {:#}", said.body);
    }

    /// FR-007: whatever was said and proposed, no task is due outside the window.
    async fn no_forbidden_day(&self) {
        let statement = "SELECT title, due_date FROM tasks
             WHERE $1 = '' AND (due_date < '2026-02-08' OR due_date > '2026-12-31')";
        let found = self.read(statement, "").await;
        assert!(found.is_empty(), "forbidden due dates: {found:?}");
    }

    fn prompts_are_clean(&self) {
        let requests = self.model.requests();
        assert!(!self.engine || requests.is_empty(), "a model was asked");
        for request in &requests {
            let system = system_of(request);
            let twice = system.matches("TODAY IS SUNDAY, FEBRUARY 8, 2026").count();
            assert!(twice >= 2, "{system}");
            assert!(system.contains("2026-02-08"), "{system}");
            for message in request["messages"].as_array().unwrap() {
                let content = message["content"].as_str().unwrap_or_default();
                assert!(!UUID.is_match(content), "an id went out: {content}");
            }
        }
    }
}

impl Drop for World {
    fn drop(&mut self) {
        assert!(
            self.held || std::thread::panicking(),
            "a story ends with `holds`"
        );
    }
}

/// Opens a SQLite file.
async fn open(path: &Path) -> SqliteConnection {
    let options = SqliteConnectOptions::new().filename(path);
    SqliteConnection::connect_with(&options).await.unwrap()
}

/// A request's system message.
fn system_of(request: &Value) -> &str {
    let message = &request["messages"][0];
    assert_eq!(message["role"], "system", "{request:#}");
    message["content"].as_str().unwrap()
}

/// The body that adds `Pay rent (completed, high, due 2026-02-09)`.
fn task_of(line: &str) -> Value {
    let (title, parts) = match line.strip_suffix(')').and_then(|it| it.rsplit_once(" (")) {
        Some((title, parts)) => (title, parts),
        None => (line, ""),
    };
    let mut task = json!({"title": title});
    for part in parts.split(", ").filter(|part| !part.is_empty()) {
        match part.strip_prefix("due ") {
            Some(day) => task["due_date"] = day.into(),
            None if part == "completed" => task["status"] = part.into(),
            None => task["priority"] = part.into(),
        }
    }
    task
}

/// The same, backwards; what is usual is left out.
fn line_of(task: &Value) -> String {
    let mut parts = Vec::new();
    for (field, usual) in [("status", "pending"), ("priority", "medium")] {
        if task[field] != usual {
            parts.push(task[field].as_str().unwrap().to_owned());
        }
    }
    if let Some(day) = task["due_date"].as_str() {
        let time = task["due_time"].as_str().map(|time| format!(" {time}"));
        parts.push(format!("due {day}{}", time.unwrap_or_default()));
    }
    let title = task["title"].as_str().unwrap();
    if parts.is_empty() {
        title.to_owned()
    } else {
        format!("{title} ({})", parts.join(", "))
    }
}

/// Names everything above once: see the head of `support`.
const _: fn() = || {
    let _ = (World::new, World::engine, World::given_tasks, World::rows);
    let _ = (World::begin_anew, World::messages, World::prompt);
    let _ = (World::results, World::holds);
    let _ = |mut it: World, said: Said| async move {
        drop(World::with_model_at("", &[]).await);
        drop((it.say("").await, it.try_say("").await));
        it.choose(&said, "").await
    };
};
