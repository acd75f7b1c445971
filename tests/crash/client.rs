//! A client: asks for one thing after another, repeats what was not answered under the same key,
//! and keeps every answer.

#![cfg(test)]

use std::sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use reqwest::{Client as Http, Method};
use serde_json::Value;
use tokio::sync::watch;

use super::dice::Dice;
use super::finding::{Finding, Wrong};
use super::told::told;
use super::wish::{Deed, Done, List, Row, Way, Wish};

/// How long nobody waits for one connection.
const STUCK: Duration = Duration::from_secs(30);

/// State that all clients of a world share.
pub struct Field {
    http: Http,
    /// Where the program can be reached: several addresses where there are several.
    pub addresses: RwLock<Vec<String>>,
    /// Set when the clients shall begin nothing new.
    pub stop: AtomicBool,
    /// How many requests were answered.
    pub acknowledged: watch::Sender<u64>,
    /// How many requests were repeated because their connection broke.
    pub cut: AtomicU64,
    /// True when 503 is an answer: where the database can be gone.
    pub outages: bool,
    /// True when things are asked for that take a model two rounds.
    pub rounds: bool,
    /// How long a request may stay without an answer while the program runs.
    pub patience: Duration,
}

impl Field {
    /// A field without a program.
    pub fn new(outages: bool, rounds: bool, patience: Duration) -> Self {
        let http = Http::builder().no_proxy().timeout(STUCK);
        Self {
            http: http.build().unwrap(),
            addresses: RwLock::default(),
            stop: AtomicBool::new(false),
            acknowledged: watch::Sender::new(0),
            cut: AtomicU64::new(0),
            outages,
            rounds,
            patience,
        }
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::SeqCst)
    }
}

/// An answer that was received whole.
#[derive(Debug, Clone)]
pub struct Ack {
    /// Wish that it answered.
    pub wish: Wish,
    /// Under which key; none was sent for some turns.
    pub key: Option<String>,
    /// HTTP status.
    pub status: u16,
    /// The body, byte for byte.
    pub text: String,
    /// The turn; a REST answer names none.
    pub turn: Option<String>,
    /// The conversation, for a chat turn.
    pub conversation: Option<String>,
    /// The conversation that the request named.
    asked: Option<String>,
    /// The ids of the receipts it shows, one for each thing done; a REST answer shows none.
    pub receipts: Vec<String>,
    /// Changes that were made by it.
    pub done: Vec<Done>,
    /// Its lines about what an earlier turn of the conversation did, which was cut off.
    pub retold: Vec<String>,
}

/// A request on its way.
#[derive(Debug, Clone)]
struct Open {
    wish: Wish,
    key: Option<String>,
    conversation: Option<String>,
    /// Set once it was sent, and may have been done.
    sent: bool,
    /// Set when it is being repeated.
    cut: bool,
}

/// How one try ended.
enum Tried {
    /// With an answer.
    Answered,
    /// The try has to be repeated.
    Again,
    /// The client can't go on.
    Lost,
}

/// One client. Several may act for one user, each with titles of its own.
pub struct Client {
    /// For whom.
    pub user: String,
    /// Name among the user's clients.
    pub name: String,
    dice: Dice,
    /// The tasks it has now, by its own account.
    pub list: List,
    /// Every answer.
    pub acks: Vec<Ack>,
    /// Sizes and roots (hex) of the log's tree, as proofs showed them.
    pub roots: Vec<(u64, String)>,
    /// Findings that it made by itself.
    pub findings: Vec<Finding>,
    last: Option<(String, Wish, Option<Row>)>,
    conversation: Option<String>,
    open: Option<Open>,
    number: u32,
    lost: bool,
}

impl Client {
    /// A client that draws its wishes from `dice`.
    pub fn new(user: &str, name: &str, dice: Dice) -> Self {
        Self {
            user: user.to_owned(),
            name: name.to_owned(),
            dice,
            list: List::new(),
            acks: Vec::new(),
            roots: Vec::new(),
            findings: Vec::new(),
            last: None,
            conversation: None,
            open: None,
            number: 0,
            lost: false,
        }
    }

    /// Asks for one thing after another until the field is stopped.
    pub async fn load(&mut self, field: &Field) {
        self.go(field, false).await;
    }

    /// Gets an answer to what is still without one.
    pub async fn settle(&mut self, field: &Field) {
        self.go(field, true).await;
    }

    async fn go(&mut self, field: &Field, settle: bool) {
        let mut began = Instant::now();
        while !self.lost {
            if self.open.is_none() {
                if settle || field.stopped() {
                    return;
                }
                let wish = self.wish(field);
                self.open = Some(wish);
                began = Instant::now();
            }
            match self.attempt(field).await {
                Tried::Answered => {}
                Tried::Lost => self.lost = true,
                Tried::Again if !settle && field.stopped() => return,
                Tried::Again if began.elapsed() > field.patience => {
                    let words = format!("{:?} of {}", self.open, self.user);
                    self.report(Wrong::Unanswered, words);
                    self.lost = true;
                }
                Tried::Again => tokio::time::sleep(Duration::from_millis(15)).await,
            }
        }
    }

    fn report(&mut self, kind: Wrong, words: impl Into<String>) {
        self.findings.push(Finding::new(kind, words));
    }

    /// The next thing to ask for.
    fn wish(&mut self, field: &Field) -> Open {
        self.number += 1;
        if let Some(open) = self.two_rounds(field) {
            return open;
        }
        let way = self.dice.pick(&[Way::Chat, Way::Chat, Way::Rest]);
        let titles: Vec<String> = self.list.keys().cloned().collect();
        let undo = self.last.clone().filter(|_| self.dice.percent(12));
        let (deed, title) = match (undo, titles.len()) {
            (Some((receipt, wish, before)), _) => (Deed::Undo { receipt, before }, wish.title),
            (None, 0..=2) => (Deed::Add, self.title()),
            (None, many) => {
                let title = self.dice.pick(&titles);
                let row = &self.list[&title];
                let roll = self.dice.below(100);
                let full = many > 8;
                match roll {
                    0..20 if !row.done => (Deed::Complete, title),
                    20..30 if !row.high && way == Way::Rest => (Deed::Raise, title),
                    30..60 => (Deed::Delete, title),
                    _ if full => (Deed::Delete, title),
                    _ => (Deed::Add, self.title()),
                }
            }
        };
        let id = self.list.get(&title).map(|row| row.id.clone());
        let wish = Wish {
            way,
            deed,
            title,
            id,
        };
        let in_words = way == Way::Chat && !matches!(wish.deed, Deed::Undo { .. });
        let conversation = self.conversation.clone().filter(|_| in_words);
        let begin_anew = self.dice.percent(15);
        let conversation = conversation.filter(|_| !begin_anew);
        // Without a key, what became of it can be read in its conversation alone, by words that
        // are said once.
        let once = wish.deed == Deed::Add && !field.outages && conversation.is_some();
        let keyless = once && self.dice.percent(40);
        let key = format!("{}-{}", self.name, self.number);
        Open {
            wish,
            key: (!keyless).then_some(key),
            conversation,
            sent: false,
            cut: false,
        }
    }

    /// Something that takes the model two rounds, where it is asked for such things.
    fn two_rounds(&mut self, field: &Field) -> Option<Open> {
        if !field.rounds || self.list.is_empty() || self.dice.percent(40) {
            return None;
        }
        let titles: Vec<String> = self.list.keys().cloned().collect();
        let wish = Wish {
            way: Way::Chat,
            deed: Deed::AddAndDelete {
                other: self.dice.pick(&titles),
            },
            title: self.title(),
            id: None,
        };
        let conversation = self.conversation.clone();
        let keyless = !field.outages && conversation.is_some() && self.dice.percent(30);
        let key = format!("{}-{}", self.name, self.number);
        Some(Open {
            wish,
            key: (!keyless).then_some(key),
            conversation,
            sent: false,
            cut: false,
        })
    }

    /// A title that no other client has, of letters alone.
    fn title(&self) -> String {
        const SYLLABLES: [&str; 10] = ["ba", "du", "fe", "go", "ki", "lo", "mu", "ne", "ri", "sa"];
        let digits = self.number.to_string();
        let word: String = digits
            .bytes()
            .map(|digit| SYLLABLES[usize::from(digit - b'0')])
            .collect();
        format!("{} {word}", self.name)
    }

    async fn attempt(&mut self, field: &Field) -> Tried {
        let Some(mut open) = self.open.clone() else {
            return Tried::Answered;
        };
        if open.sent && !open.cut {
            open.cut = true;
            field.cut.fetch_add(1, Ordering::Relaxed);
        }
        if open.sent && open.key.is_none() {
            return self.look_up(field, &open).await;
        }
        open.sent = true;
        self.open = Some(open.clone());
        let twin = open.key.is_some() && self.dice.percent(12);
        let (one, other) = (self.address(field), self.address(field));
        let mut answers = Vec::new();
        if twin {
            let both = tokio::join!(self.ask(field, &one, &open), self.ask(field, &other, &open));
            answers.extend([both.0, both.1]);
        } else {
            answers.push(self.ask(field, &one, &open).await);
        }
        let status = open.wish.sent(&self.user, None).status;
        let whole: Vec<_> = answers.into_iter().flatten().collect();
        let mut done: Vec<_> = whole.iter().filter(|(found, _)| *found == status).collect();
        if let Some((status, text)) = done.pop() {
            for (_, twin) in done {
                if twin != text {
                    let words = format!("{:?}: {text} and {twin}", open.key);
                    self.report(Wrong::Differing, words);
                }
            }
            self.open = None;
            return self.acknowledge(field, open, *status, text.clone()).await;
        }
        for (status, text) in &whole {
            match status {
                // Nothing was decided: it may be sent anew, without a key as well.
                409 => open.sent = whole.len() != 1,
                503 if field.outages => {}
                _ => {
                    let words = format!("{:?} was answered {status} {text}", open.wish);
                    self.report(Wrong::Surprise, words);
                    return Tried::Lost;
                }
            }
        }
        self.open = Some(open);
        Tried::Again
    }

    fn address(&mut self, field: &Field) -> String {
        let addresses = field.addresses.read().unwrap();
        self.dice.pick(&addresses)
    }

    /// One request; nothing when the connection broke before the answer was whole.
    async fn ask(&self, field: &Field, address: &str, open: &Open) -> Option<(u16, String)> {
        let sent = open.wish.sent(&self.user, open.conversation.as_deref());
        let method = Method::from_bytes(sent.method.as_bytes()).unwrap();
        let mut request = field
            .http
            .request(method, format!("{address}{}", sent.path));
        if let Some(key) = &open.key {
            request = request.header("idempotency-key", key);
        }
        if let Some(body) = &sent.body {
            request = request.header("content-type", "application/json");
            request = request.body(body.to_string());
        }
        whole(request).await
    }

    async fn get(&self, field: &Field, address: &str, path: &str) -> Option<(u16, String)> {
        whole(field.http.get(format!("{address}{path}"))).await
    }

    /// Finds what became of a turn without a key: its line stands in the conversation beside its
    /// answer, or it does not stand there.
    async fn look_up(&mut self, field: &Field, open: &Open) -> Tried {
        let conversation = open.conversation.as_deref().unwrap_or_default();
        let path = format!(
            "/api/{}/chat/messages?conversation_id={conversation}&limit=4",
            self.user
        );
        let address = self.address(field);
        let text = match self.get(field, &address, &path).await {
            None => return Tried::Again,
            Some((200, text)) => text,
            Some((status, text)) => {
                let words = format!("{path} was answered {status} {text}");
                self.report(Wrong::Surprise, words);
                return Tried::Lost;
            }
        };
        let lines: Value = serde_json::from_str(&text).unwrap_or_default();
        let lines = lines["messages"].as_array().cloned().unwrap_or_default();
        let said = open.wish.words();
        let at = lines.iter().position(|line| line["content"] == said);
        let Some(at) = at else {
            // Nothing is there, so nothing may have been done: the tasks are looked at later.
            self.open = None;
            return Tried::Answered;
        };
        let Some(answer) = lines.get(at + 1).and_then(|line| line["content"].as_str()) else {
            // It is known, and not finished yet.
            return Tried::Again;
        };
        let parts = open.wish.parts();
        let told = |part: &&Wish| answer.lines().any(|line| part.is_told_by(line));
        let told: Vec<&Wish> = parts.iter().filter(told).collect();
        if told.is_empty() && parts.len() == 1 {
            let words = format!("{said:?} stands in the conversation, answered by {answer:?}");
            self.report(Wrong::Unreported, words);
            return Tried::Lost;
        }
        // Ids are not shown there; a new task is on the list.
        let path = format!("/api/{}/tasks", self.user);
        let Some((200, tasks)) = self.get(field, &address, &path).await else {
            return Tried::Again;
        };
        let tasks: Value = serde_json::from_str(&tasks).unwrap_or_default();
        let id = |title: &str| {
            let mut tasks = tasks.as_array().into_iter().flatten();
            let task = tasks.find(|task| task["title"] == title);
            let listed = task.and_then(|task| task["id"].as_str()).map(str::to_owned);
            listed.or_else(|| self.list.get(title).map(|row| row.id.clone()))
        };
        let done: Vec<Done> = told
            .iter()
            .map(|part| Done {
                action: part.action(),
                title: part.title.clone(),
                task: id(&part.title).unwrap_or_default(),
            })
            .collect();
        self.open = None;
        self.last = None;
        self.apply(&open.wish, &done);
        self.acks.push(Ack {
            wish: open.wish.clone(),
            key: None,
            status: 200,
            text: answer.to_owned(),
            turn: None,
            conversation: open.conversation.clone(),
            asked: None,
            receipts: Vec::new(),
            done,
            retold: Vec::new(),
        });
        Tried::Answered
    }

    async fn acknowledge(&mut self, field: &Field, open: Open, status: u16, text: String) -> Tried {
        field.acknowledged.send_modify(|count| *count += 1);
        let body: Value = serde_json::from_str(&text).unwrap_or_default();
        let Some(told) = told(&open.wish, &text, &body) else {
            let words = format!("{:?} was answered with {status} {text}", open.wish);
            self.report(Wrong::Untrue, words);
            return Tried::Lost;
        };
        let before = self.list.get(&open.wish.title).cloned();
        self.apply(&open.wish, &told.done);
        let undoable = !matches!(
            open.wish.deed,
            Deed::Undo { .. } | Deed::AddAndDelete { .. }
        );
        self.last = match told.receipts.first() {
            Some(receipt) if undoable => Some((receipt.clone(), open.wish.clone(), before)),
            _ => None,
        };
        let conversation = body["conversation_id"].as_str().map(str::to_owned);
        if conversation.is_some() {
            self.conversation.clone_from(&conversation);
        }
        self.acks.push(Ack {
            wish: open.wish,
            key: open.key,
            status,
            turn: body["turn_id"].as_str().map(str::to_owned),
            conversation,
            asked: open.conversation,
            receipts: told.receipts,
            done: told.done,
            retold: told.retold,
            text,
        });
        if self.dice.percent(15) {
            self.read_back(field).await;
        }
        if self.dice.percent(8) {
            self.prove(field).await;
        }
        Tried::Answered
    }

    /// Does to its own list what an answer said was done.
    fn apply(&mut self, wish: &Wish, done: &[Done]) {
        for part in wish.parts() {
            let of_part = |it: &&Done| (it.action, &it.title) == (part.action(), &part.title);
            if let Some(it) = done.iter().find(of_part) {
                part.apply(&mut self.list, &it.task);
            }
        }
    }

    /// Checks that what was just acknowledged can be read, wherever one asks.
    async fn read_back(&mut self, field: &Field) {
        let last = self.acks.last().and_then(|ack| ack.done.last());
        let Some(done) = last.cloned() else {
            return;
        };
        let address = self.address(field);
        let path = format!("/api/{}/tasks/{}", self.user, done.task);
        let Some((status, text)) = self.get(field, &address, &path).await else {
            return;
        };
        let task: Value = serde_json::from_str(&text).unwrap_or_default();
        let agrees = match (status, self.list.get(&done.title)) {
            (503, _) if field.outages => true,
            (404, None) => true,
            (200, Some(row)) => {
                task["is_completed"] == row.done && (task["priority"] == "high") == row.high
            }
            _ => false,
        };
        if !agrees {
            let words = format!("{done:?} was acknowledged, and read as {status} {text}");
            self.report(Wrong::Untrue, words);
        }
    }

    /// Asks for the proof of its newest receipt, and keeps what it says of the whole log.
    async fn prove(&mut self, field: &Field) {
        let receipt = self.acks.last().and_then(|ack| ack.receipts.first());
        let Some(receipt) = receipt else { return };
        let path = format!("/api/{}/audit/receipts/{receipt}/proof", self.user);
        let address = self.address(field);
        match self.get(field, &address, &path).await {
            Some((200, text)) => {
                let body: Value = serde_json::from_str(&text).unwrap_or_default();
                let size = body["proof"]["tree_size"].as_u64().unwrap_or_default();
                let root = body["root"].as_str().unwrap_or_default().to_owned();
                self.roots.push((size, root));
            }
            None => {}
            Some((503, _)) if field.outages => {}
            Some((status, text)) => {
                let words = format!("{path} was answered {status} {text}");
                self.report(Wrong::Surprise, words);
            }
        }
    }

    /// Asks again for some of what was answered: each answer has to be the same, byte for byte.
    pub async fn replay(&mut self, field: &Field, times: usize) {
        for _ in 0..times.min(self.acks.len()) {
            let ack = self.dice.pick(&self.acks);
            let Some(key) = &ack.key else { continue };
            let open = Open {
                wish: ack.wish.clone(),
                key: Some(key.clone()),
                conversation: ack.asked.clone(),
                sent: false,
                cut: false,
            };
            let address = self.address(field);
            let Some((status, text)) = self.ask(field, &address, &open).await else {
                continue;
            };
            let outage = status == 503 && field.outages;
            if (status, &text) != (ack.status, &ack.text) && !outage {
                let words = format!("{key}: {} and then {status} {text}", ack.text);
                self.report(Wrong::Differing, words);
            }
        }
    }
}

async fn whole(request: reqwest::RequestBuilder) -> Option<(u16, String)> {
    let response = request.send().await.ok()?;
    let status = response.status().as_u16();
    Some((status, response.text().await.ok()?))
}
