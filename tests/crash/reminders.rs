//! Reminders over kills: many are set and come due while something dies every second. Each is delivered
//! at least once, none before its time, twice under one id alone, and each with one event of the log.

#![cfg(test)]

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, RwLock};
use std::time::{Duration, Instant};

use reqwest::Client;
use serde_json::{Value, json};
use tokio::task::JoinSet;

use super::dice::Dice;
use super::finding::{Finding, Wrong};
use super::site::{Site, Victim};
use crate::openai::{Received, ScriptedModel, Step};
use crate::server;

/// How many clients set reminders at once.
const CLIENTS: usize = 16;
/// Users whose reminders they are.
const USERS: usize = 50;
/// Interval of the kills.
const EVERY: Duration = Duration::from_secs(1);
/// Longest time until everything is delivered once nothing dies any more: leases of the dead end first.
const PATIENCE: Duration = Duration::from_secs(120);
/// How long what a bug marked too early may still be on its way.
const UNDER_WAY: Duration = Duration::from_secs(6);
const SECRET: &str = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3";
const DAY: i64 = 24 * 60 * 60;

/// Settings of a run.
#[derive(Debug, Clone, Copy)]
pub struct ReminderPlan {
    /// Target of the kills.
    pub victim: Victim,
    /// The bug that is planted in the program.
    pub bug: Option<&'static str>,
    /// How many reminders.
    pub reminders: usize,
    /// Each is due at most so many seconds after it was set.
    pub seconds: usize,
    /// How long the receiver takes to answer: the longer, the more is under way when something dies.
    pub answer: Duration,
    /// Decides when each is due and what dies.
    pub seed: u64,
}

/// Results of a run.
#[derive(Debug, Default)]
pub struct ReminderTally {
    /// Reminders that were set.
    pub set: usize,
    /// Kills.
    pub kills: u64,
    /// Requests that a kill left without an answer, and that were asked again.
    pub cut: u64,
    /// Writes to the files that were not synced when the power was cut.
    pub unsynced: u64,
    /// Messages that the receiver got.
    pub sent: usize,
    /// Those of them that it had before, under the same id.
    pub again: usize,
    /// The longest time after its own at which a reminder was marked, in milliseconds.
    pub latest: i64,
    /// Broken promises.
    pub findings: Vec<Finding>,
}

impl fmt::Display for ReminderTally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            set,
            kills,
            cut,
            unsynced,
            sent,
            again,
            latest,
            findings,
        } = self;
        write!(
            f,
            "{set} reminders, {kills} kills, {cut} requests cut off and asked again, {unsynced} writes \
             unsynced: {sent} messages, {again} of them again under one id, the latest {latest} ms late; \
             {} findings",
            findings.len()
        )
    }
}

/// Place of the clients: where servers are, what is to be set, and what was answered.
#[derive(Default)]
struct Field {
    addresses: RwLock<Vec<String>>,
    next: AtomicUsize,
    cut: AtomicU64,
    /// Time and user of each reminder that was acknowledged.
    set: Mutex<BTreeMap<String, (i64, String)>>,
    findings: Mutex<Vec<Finding>>,
}

/// Plays one run.
pub async fn run(plan: &ReminderPlan) -> ReminderTally {
    let mut tally = ReminderTally::default();
    if let Err(broken) = play(plan, &mut tally).await {
        tally.findings.push(broken);
    }
    tally
}

async fn play(plan: &ReminderPlan, tally: &mut ReminderTally) -> Result<(), Finding> {
    let mut dice = Dice::new(plan.seed);
    let receiver = ScriptedModel::start().await;
    let taken = Step::body("application/json", "{}");
    receiver.otherwise(Step::After(plan.answer, Box::new(taken)));
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let mut variables = vec![
        pair("CANDOR_WEBHOOK_URL", &receiver.base_url()),
        pair("CANDOR_WEBHOOK_SECRET", SECRET),
    ];
    variables.extend(plan.bug.map(|bug| pair("CANDOR_PLANTED_IN_SCHEDULER", bug)));
    let mut site = Site::new(plan.victim, variables);
    let field = Arc::new(Field::default());
    up(&mut site, &field).await?;
    let mut clients = JoinSet::new();
    for _ in 0..CLIENTS {
        clients.spawn(set(Arc::clone(&field), *plan, dice.split()));
    }
    // Until all are set, and due.
    let mut due: Option<Instant> = None;
    while due.is_none_or(|due| Instant::now() < due) {
        tokio::time::sleep(EVERY).await;
        tally.unsynced += site.strike(&mut dice).await?;
        tally.kills += 1;
        site.restore();
        up(&mut site, &field).await?;
        while clients.try_join_next().is_some() {}
        if clients.is_empty() && due.is_none() {
            due = Some(Instant::now() + Duration::from_secs(plan.seconds as u64));
        }
    }
    tally.cut = field.cut.load(Ordering::Relaxed);
    tally.findings.append(&mut field.findings.lock().unwrap());
    let expected = field.set.lock().unwrap().clone();
    tally.set = expected.len();
    let address = site.addresses().remove(0);
    let told = told(&address, expected.len()).await;
    if plan.bug.is_some() {
        tokio::time::sleep(UNDER_WAY).await;
    }
    judge(&expected, &receiver.received(), &told, tally);
    let verified = server::run(None, &[("DATABASE_URL", site.url())], &["audit", "verify"]);
    if verified.code != Some(0) {
        let words = format!("{verified:?}");
        tally.findings.push(Finding::new(Wrong::Chain, words));
    }
    Ok(())
}

async fn up(site: &mut Site, field: &Field) -> Result<(), Finding> {
    site.up().await?;
    *field.addresses.write().unwrap() = site.addresses();
    Ok(())
}

/// One client: sets reminders until there are enough. What was cut off is asked again under its key.
async fn set(field: Arc<Field>, plan: ReminderPlan, mut dice: Dice) {
    let client = Client::builder()
        .no_proxy()
        .timeout(Duration::from_secs(20));
    let client = client.build().unwrap();
    loop {
        let number = field.next.fetch_add(1, Ordering::Relaxed);
        if number >= plan.reminders {
            return;
        }
        let user = format!("user{}", number % USERS);
        let remind = format!("in {} seconds", 1 + dice.below(plan.seconds));
        let body = json!({"title": format!("task {number}"), "remind": remind});
        let task = loop {
            let addresses = field.addresses.read().unwrap().clone();
            let address = &addresses[dice.below(addresses.len())];
            let request = client
                .post(format!("{address}/api/{user}/tasks"))
                .header("content-type", "application/json")
                .header("idempotency-key", format!("set-{number}"))
                .body(body.to_string());
            let answer = match request.send().await {
                Ok(response) => {
                    let status = response.status().as_u16();
                    response.text().await.ok().map(|text| (status, text))
                }
                Err(_) => None,
            };
            match answer {
                Some((201, text)) => break serde_json::from_str::<Value>(&text).unwrap(),
                Some((409 | 500.., _)) | None => {
                    field.cut.fetch_add(1, Ordering::Relaxed);
                    tokio::time::sleep(Duration::from_millis(20)).await;
                }
                Some((status, text)) => {
                    let words = format!("{body}: {status} {text}");
                    let finding = Finding::new(Wrong::Surprise, words);
                    field.findings.lock().unwrap().push(finding);
                    return;
                }
            }
        };
        let reminder = &task["reminders"][0];
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let at = second(&reminder["at"]);
        let mut known = field.set.lock().unwrap();
        known.insert(text(&reminder["id"]), (at, user));
    }
}

/// Seconds since 1970 of an instant as JSON has it.
fn second(at: &Value) -> i64 {
    let at = at.as_str().unwrap_or_default();
    let at: chrono::DateTime<chrono::Utc> = at.parse().unwrap();
    at.timestamp()
}

/// Events of the log about reminders, once there are as many as there should be.
async fn told(address: &str, number: usize) -> Vec<Value> {
    let began = Instant::now();
    loop {
        let mut told = Vec::new();
        for user in 0..USERS {
            let path = format!("{address}/api/user{user}/audit?kind=reminder&limit=1000");
            let text = reqwest::get(path).await.unwrap().text().await.unwrap();
            let page: Value = serde_json::from_str(&text).unwrap();
            let events = page["events"].as_array().unwrap().iter();
            told.extend(events.map(|event| event["payload"].clone()));
        }
        if told.len() >= number || began.elapsed() > PATIENCE {
            return told;
        }
        tokio::time::sleep(EVERY).await;
    }
}

/// Holds what was set against what the receiver got and what the log says.
fn judge(
    expected: &BTreeMap<String, (i64, String)>,
    received: &[Received],
    told: &[Value],
    tally: &mut ReminderTally,
) {
    let mut find = |kind, words: String| tally.findings.push(Finding::new(kind, words));
    let mut got: BTreeSet<&str> = BTreeSet::new();
    for message in received {
        let id = message.header("webhook-id").unwrap_or_default();
        let Some((at, _)) = expected.get(id) else {
            find(Wrong::Surprise, format!("nobody set what was sent as {id}"));
            continue;
        };
        got.insert(id);
        let sent = message.header("webhook-timestamp").unwrap_or_default();
        let sent: i64 = sent.parse().unwrap_or_default();
        // The day is pinned, the time of day is not.
        if (sent - at).rem_euclid(DAY) > DAY / 2 {
            let early = DAY - (sent - at).rem_euclid(DAY);
            find(
                Wrong::Untrue,
                format!("{id} was sent {early} s before its time"),
            );
        }
    }
    let mut events: BTreeMap<&str, Vec<&Value>> = BTreeMap::new();
    for event in told {
        let id = event["reminder_id"].as_str().unwrap_or_default();
        events.entry(id).or_default().push(event);
    }
    for (id, (_, user)) in expected {
        if !got.contains(id.as_str()) {
            find(Wrong::Lost, format!("{id} of {user} was never sent"));
        }
        match events.remove(id.as_str()).unwrap_or_default().as_slice() {
            [event] if event["outcome"] == "delivered" => {
                let late = event["late_ms"].as_i64().unwrap_or_default();
                tally.latest = tally.latest.max(late);
            }
            [] => find(
                Wrong::Unreported,
                format!("the log does not tell of {id} of {user}"),
            ),
            other => find(Wrong::Doubled, format!("the log tells of {id}: {other:?}")),
        }
    }
    for (id, _) in events {
        find(
            Wrong::Surprise,
            format!("nobody set what the log tells of: {id}"),
        );
    }
    tally.sent = received.len();
    tally.again = received.len() - got.len();
}
