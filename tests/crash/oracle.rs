//! The judge: reads the database past the program, and holds it against every answer.

#![cfg(test)]

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

use candor::audit::{self, TreePeaks};
use candor::store::{Store, StoreError};
use serde::Deserialize;
use sqlx::postgres::PgRow;
use sqlx::sqlite::{SqliteConnectOptions, SqliteRow};
use sqlx::{ConnectOptions, Connection, PgConnection, Row as _};

use super::client::{Ack, Client};
use super::finding::{Finding, Wrong};
use super::wish::Row;

/// Rows of text, whatever the database.
type Rows = Vec<Vec<Option<String>>>;

/// A committed receipt.
#[derive(Debug, Clone)]
struct Receipt {
    user: String,
    turn: String,
    action: String,
    task: String,
    title: String,
}

/// Content of the database.
struct Truth {
    /// By id.
    receipts: HashMap<String, Receipt>,
    /// How many receipts a turn has.
    turns: HashMap<String, usize>,
    /// Changes that were made, and to which task.
    deeds: HashSet<(String, String)>,
    keys: HashMap<(String, String), (String, String)>,
    tasks: BTreeMap<(String, String), Row>,
    replies: HashMap<String, u32>,
    lines: HashMap<(String, String), Vec<String>>,
}

/// Holds everything that the clients were told against the database at `url`.
pub async fn judge(url: &str, clients: &[Client]) -> Vec<Finding> {
    let truth = match Truth::read(url).await {
        Ok(truth) => truth,
        Err(error) => {
            let words = format!("the database can't be read: {error}");
            return vec![Finding::new(Wrong::Lost, words)];
        }
    };
    let mut findings = Vec::new();
    for client in clients {
        for ack in &client.acks {
            truth.holds(client, ack, &mut findings);
        }
    }
    truth.balance(clients, &mut findings);
    truth.lists(clients, &mut findings);
    truth.answered(&mut findings);
    chains(url, clients, &mut findings).await;
    findings
}

impl Truth {
    async fn read(url: &str) -> Result<Self, sqlx::Error> {
        #[derive(Deserialize)]
        struct Image {
            title: String,
        }
        #[derive(Deserialize)]
        struct Told {
            before: Option<Image>,
            after: Option<Image>,
        }
        let mut database = Database::open(url).await?;
        // What a task was is told by the receipt's event.
        let receipts = "SELECT r.user_id, r.id, r.turn_id, r.action, r.task_id, e.payload
             FROM receipts AS r JOIN audit_events AS e ON e.user_id = r.user_id AND e.seq = r.seq
             WHERE r.task_id IS NOT NULL ORDER BY r.user_id, r.seq";
        let receipts = database.rows(receipts).await?;
        let keys = "SELECT user_id, key, CAST(status AS TEXT), body FROM idempotency_keys";
        let keys = database.rows(keys).await?;
        let tasks = "SELECT user_id, title, id, status, priority FROM tasks
             WHERE deleted_at IS NULL";
        let tasks = database.rows(tasks).await?;
        let replies = "SELECT turn_id FROM audit_events WHERE kind = 'reply'";
        let replies = database.rows(replies).await?;
        let lines = "SELECT user_id, conversation_id, content FROM messages
             WHERE role = 'assistant'";
        let lines = database.rows(lines).await?;
        let mut truth = Self {
            receipts: HashMap::new(),
            turns: HashMap::new(),
            deeds: HashSet::new(),
            keys: HashMap::new(),
            tasks: BTreeMap::new(),
            replies: HashMap::new(),
            lines: HashMap::new(),
        };
        for row in receipts {
            let [user, id, turn, action, task, told] = columns(row);
            let told: Told = serde_json::from_str(&told).expect("a receipt as JSON");
            let image = told.after.or(told.before).expect("a task before or after");
            *truth.turns.entry(turn.clone()).or_default() += 1;
            truth.deeds.insert((task.clone(), action.clone()));
            let receipt = Receipt {
                user,
                turn,
                action,
                task,
                title: image.title,
            };
            truth.receipts.insert(id, receipt);
        }
        for row in keys {
            let [user, key, status, body] = columns(row);
            truth.keys.insert((user, key), (status, body));
        }
        for row in tasks {
            let [user, title, id, status, priority] = columns(row);
            let done = status == "completed";
            let high = priority == "high";
            truth.tasks.insert((user, title), Row { id, done, high });
        }
        for row in replies {
            let [turn] = columns(row);
            *truth.replies.entry(turn).or_default() += 1;
        }
        for row in lines {
            let [user, conversation, content] = columns(row);
            let said = truth.lines.entry((user, conversation)).or_default();
            said.push(content);
        }
        Ok(truth)
    }

    /// Checks that what one answer said is there.
    fn holds(&self, client: &Client, ack: &Ack, findings: &mut Vec<Finding>) {
        let mut report = |kind, what: &str| {
            let words = format!("{what}: {:?} {:?} {}", ack.key, ack.wish, ack.text);
            findings.push(Finding::new(kind, words));
        };
        if let Some(key) = &ack.key {
            match self.keys.get(&(client.user.clone(), key.clone())) {
                None => report(Wrong::Lost, "its key is not there"),
                Some((status, body)) if (status, body) != (&ack.status.to_string(), &ack.text) => {
                    report(Wrong::Differing, "another answer is kept under its key");
                }
                Some(_) => {}
            }
        }
        for (id, done) in ack.receipts.iter().zip(&ack.done) {
            let Some(found) = self.receipts.get(id) else {
                report(Wrong::Lost, "a receipt is not there");
                continue;
            };
            let same = found.user == client.user
                && Some(&found.turn) == ack.turn.as_ref()
                && (&*found.action, &found.task) == (done.action, &done.task)
                && found.title == done.title;
            if !same {
                report(Wrong::Untrue, "its receipt says something else");
            }
        }
        let of_turn = ack.turn.as_ref().and_then(|turn| self.turns.get(turn));
        if of_turn.is_some_and(|there| *there > ack.receipts.len()) {
            report(
                Wrong::Unreported,
                "its turn has more receipts than it shows",
            );
        }
        for done in &ack.done {
            let deed = (done.task.clone(), done.action.to_owned());
            if !self.deeds.contains(&deed) {
                report(Wrong::Lost, "it left no receipt");
            }
        }
        for line in &ack.retold {
            let mut made = self.receipts.values().filter(|it| it.user == client.user);
            if !made.any(|it| line.contains(&it.title) && is_line_of(line, &it.action)) {
                report(
                    Wrong::Untrue,
                    "it tells of an earlier turn what is not there",
                );
            }
        }
        if let Some(conversation) = &ack.conversation {
            let place = (client.user.clone(), conversation.clone());
            let there = self
                .lines
                .get(&place)
                .map(Vec::as_slice)
                .unwrap_or_default();
            let said = serde_json::from_str::<serde_json::Value>(&ack.text).unwrap_or_default();
            let said = said["assistant_message"].as_str().unwrap_or(&ack.text);
            if !there.iter().any(|line| line == said) {
                report(Wrong::Lost, "its line is not in the conversation");
            }
        }
    }

    /// As many receipts as answers, deed for deed: nothing twice, nothing that nobody heard of.
    fn balance(&self, clients: &[Client], findings: &mut Vec<Finding>) {
        let mut sums: BTreeMap<(&str, &str, &str), i64> = BTreeMap::new();
        for it in self.receipts.values() {
            *sums.entry((&it.user, &it.action, &it.title)).or_default() += 1;
        }
        let mut asked: BTreeMap<(&str, &str, &str), i64> = BTreeMap::new();
        for client in clients {
            for ack in &client.acks {
                for done in &ack.done {
                    let deed = (&*client.user, done.action, &*done.title);
                    *asked.entry(deed).or_default() += 1;
                }
            }
        }
        for (deed, there) in &sums {
            let asked = asked.get(deed).copied().unwrap_or_default();
            let kind = match (there.cmp(&asked), asked) {
                (std::cmp::Ordering::Greater, 0) => Wrong::Unreported,
                (std::cmp::Ordering::Greater, _) => Wrong::Doubled,
                _ => continue,
            };
            let words = format!("{deed:?} stands {there} times and was answered {asked} times");
            findings.push(Finding::new(kind, words));
        }
        for (deed, asked) in &asked {
            let there = sums.get(deed).copied().unwrap_or_default();
            if there < *asked {
                let words = format!("{deed:?} stands {there} times and was answered {asked} times");
                findings.push(Finding::new(Wrong::Lost, words));
            }
        }
    }

    /// The lists are what the clients made of them.
    fn lists(&self, clients: &[Client], findings: &mut Vec<Finding>) {
        let mut expect: BTreeMap<(String, String), Row> = BTreeMap::new();
        for client in clients {
            for (title, row) in &client.list {
                expect.insert((client.user.clone(), title.clone()), row.clone());
            }
        }
        for (place, row) in &expect {
            match self.tasks.get(place) {
                None => findings.push(Finding::new(Wrong::Lost, format!("no task {place:?}"))),
                Some(found) if found != row => {
                    let words = format!("{place:?} is {found:?} and should be {row:?}");
                    findings.push(Finding::new(Wrong::Untrue, words));
                }
                Some(_) => {}
            }
        }
        for place in self
            .tasks
            .keys()
            .filter(|place| !expect.contains_key(*place))
        {
            let words = format!("{place:?} is there, and by every answer it is not");
            findings.push(Finding::new(Wrong::Unreported, words));
        }
    }

    /// Every turn that changed something was replied to, once.
    fn answered(&self, findings: &mut Vec<Finding>) {
        for it in self.receipts.values() {
            let replies = self.replies.get(&it.turn).copied().unwrap_or_default();
            if replies != 1 {
                let words = format!("the log has {replies} replies to the turn of {it:?}");
                findings.push(Finding::new(Wrong::Unreported, words));
            }
        }
    }
}

/// Tells whether a line speaks of such a change.
fn is_line_of(line: &str, action: &str) -> bool {
    let word = match action {
        "add_task" => "Added",
        "delete_task" => "Deleted",
        "complete_task" => "Marked",
        "update_task" => "Updated",
        _ => "Undone",
    };
    line.starts_with(word)
}

/// Every chain of the log is whole, and its tree is what proofs had said of it.
async fn chains(url: &str, clients: &[Client], findings: &mut Vec<Finding>) {
    let store = match Store::open(url).await {
        Ok(store) => store,
        Err(error) => return findings.push(Finding::new(Wrong::Chain, error.to_string())),
    };
    for checked in [users(&store).await, tree(&store, clients).await] {
        if let Err(words) = checked {
            findings.push(Finding::new(Wrong::Chain, words));
        }
    }
    store.close().await;
}

async fn users(store: &Store) -> Result<(), String> {
    let unread = |error: StoreError| error.to_string();
    for user in store.audit_users().await.map_err(unread)? {
        let verified = store.audit_verify(&user, None).await.map_err(unread)?;
        verified.map_err(|broken| format!("{user}: {broken:?}"))?;
    }
    Ok(())
}

/// Reads the tree and lets it grow no further: under a disk that loses its power nobody may
/// write but the program.
async fn tree(store: &Store, clients: &[Client]) -> Result<(), String> {
    const PAGE: u32 = 1_000;
    let mut shown: BTreeMap<u64, BTreeSet<&str>> = BTreeMap::new();
    for (size, root) in clients.iter().flat_map(|client| &client.roots) {
        shown.entry(*size).or_default().insert(root);
    }
    let mut growing = TreePeaks::default();
    let mut size = 0;
    loop {
        let page = store.audit_log(size, PAGE).await;
        let page = page.map_err(|error| error.to_string())?;
        if page.is_empty() {
            break;
        }
        for placed in page {
            let leaf = audit::leaf(&placed.event.hash).ok_or("an event has no hash")?;
            growing.push(leaf);
            size += 1;
            let Some(roots) = shown.remove(&size) else {
                continue;
            };
            let head = growing.head();
            let hex: String = head.root.iter().map(|byte| format!("{byte:02x}")).collect();
            let kept = store.tree_of(size).await;
            let kept = kept.map_err(|error| error.to_string())?;
            if roots != BTreeSet::from([&*hex]) || kept != head {
                return Err(format!(
                    "the tree of {size} events is {hex}; it was shown as {roots:?}, kept as {kept:?}"
                ));
            }
        }
    }
    match shown.first_key_value() {
        Some(lost) => Err(format!(
            "{lost:?} was shown, and the tree has {size} events"
        )),
        None => Ok(()),
    }
}

/// A connection to either database. It only reads.
enum Database {
    File(sqlx::SqliteConnection),
    Server(PgConnection),
}

impl Database {
    async fn open(url: &str) -> Result<Self, sqlx::Error> {
        if url.starts_with("postgres") {
            return Ok(Self::Server(PgConnection::connect(url).await?));
        }
        let options: SqliteConnectOptions = url.parse()?;
        let options = options.create_if_missing(false).pragma("query_only", "on");
        let mut file = options.connect().await?;
        let check = sqlx::query("PRAGMA quick_check").fetch_all(&mut file);
        let check: Vec<String> = check.await?.iter().map(|row| row.get(0)).collect();
        if check != ["ok"] {
            return Err(sqlx::Error::Protocol(format!("damaged: {check:?}")));
        }
        Ok(Self::File(file))
    }

    async fn rows(&mut self, statement: &'static str) -> Result<Rows, sqlx::Error> {
        match self {
            Self::File(file) => {
                let rows = sqlx::query(statement).fetch_all(file).await?;
                let texts = |row: &SqliteRow| (0..row.len()).map(|at| row.get(at)).collect();
                Ok(rows.iter().map(texts).collect())
            }
            Self::Server(server) => {
                let rows = sqlx::query(statement).fetch_all(server).await?;
                let texts = |row: &PgRow| (0..row.len()).map(|at| row.get(at)).collect();
                Ok(rows.iter().map(texts).collect())
            }
        }
    }
}

/// A row of so many columns; what is null is empty.
fn columns<const N: usize>(row: Vec<Option<String>>) -> [String; N] {
    let texts: Vec<String> = row.into_iter().map(Option::unwrap_or_default).collect();
    texts.try_into().expect("so many columns")
}
