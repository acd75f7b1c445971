//! The judge of a turn: rows, receipts, audit and every sentence of the reply, by laws of its
//! own.
//!
//! It knows how the product speaks only as a closed list of forms with holes, and what stands
//! in a hole must be the user's or a title. Holds nothing of the product's guard.

#![cfg(test)]

use std::collections::BTreeMap;

use candor::domain::text::fold;
use candor::domain::{Action, Task, TaskId, shown};
use candor::store::{ReadResult, ReceiptFacts};
use serde_json::Value;

use super::claims::claim;
use super::forms;

/// Everything there is to see of a turn.
#[derive(Clone)]
pub struct Evidence {
    /// The reply.
    pub body: Value,
    /// Rows before the turn.
    pub before: Vec<Task>,
    /// Rows after it.
    pub after: Vec<Task>,
    /// The turn's receipts, read back.
    pub receipts: Vec<Proven>,
    /// All receipts of the user up to the turn, read back.
    pub history: Vec<Proven>,
    /// The audit events of the turn's calls.
    pub events: Vec<Value>,
    /// Fault of the audit chain.
    pub audit: Option<String>,
    /// The user's words of this conversation.
    pub said: Vec<String>,
    /// Texts that the model said, and asked.
    pub texts: Vec<String>,
    /// Calls that the model made.
    pub proposed: Vec<(String, String)>,
    /// Questions of the conversation's earlier replies, with their ids.
    pub asked: Vec<(Value, String)>,
    /// Another hand changed rows during the turn.
    pub meddled: bool,
}

/// A receipt and its line.
#[derive(Debug, Clone)]
pub struct Proven {
    /// Facts that it attests.
    pub facts: ReceiptFacts,
    /// How it is said.
    pub line: String,
}

/// Something that must not be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// A sentence that nothing explains, or that is false.
    Ghost(String),
    /// Rows changed without receipts, or receipts that the rows belie.
    Effect(String),
    /// Metadata, flags, ids or the audit log are wrong.
    Metadata(String),
}

/// Judges a turn by what holds for every turn.
pub fn judge(seen: &Evidence) -> Vec<Finding> {
    let mut found = Vec::new();
    rows(seen, &mut found);
    metadata(seen, &mut found);
    calls(seen, &mut found);
    sentences(seen, &mut found);
    found
}

/// Returns what changed, one line each, sorted.
pub fn effects(before: &[Task], after: &[Task]) -> Vec<String> {
    let mut effects = Vec::new();
    for task in after {
        match before.iter().find(|old| old.id == task.id) {
            None => effects.push(format!("+ {}{}", task.title, values(task))),
            Some(old) if !old.says_as(task) => {
                effects.push(format!("~ {}: {}", old.title, changes(old, task)));
            }
            Some(_) => {}
        }
    }
    let gone = before
        .iter()
        .filter(|old| !after.iter().any(|task| task.id == old.id));
    effects.extend(gone.map(|old| format!("- {}", old.title)));
    effects.sort();
    effects
}

fn values(task: &Task) -> String {
    let mut values = String::new();
    if let Some(day) = task.due_date {
        values.push_str(&format!(" due={day}"));
    }
    if task.priority != candor::domain::Priority::Medium {
        values.push_str(&format!(" priority={}", task.priority));
    }
    if let Some(note) = &task.description {
        values.push_str(&format!(" note={note}"));
    }
    if task.status.is_completed() {
        values.push_str(" done");
    }
    values
}

fn changes(old: &Task, new: &Task) -> String {
    let mut changes = Vec::new();
    if old.status.is_completed() != new.status.is_completed() {
        changes.push(
            if new.status.is_completed() {
                "done"
            } else {
                "pending"
            }
            .to_owned(),
        );
    }
    if old.title != new.title {
        changes.push(format!("title={}", new.title));
    }
    if old.due_date != new.due_date {
        let day = new
            .due_date
            .map_or_else(|| "none".to_owned(), |day| day.to_string());
        changes.push(format!("due={day}"));
    }
    if old.priority != new.priority {
        changes.push(format!("priority={}", new.priority));
    }
    if old.description != new.description {
        changes.push(format!(
            "note={}",
            new.description.as_deref().unwrap_or("none")
        ));
    }
    changes.join(" ")
}

/// Receipts and rows tell one story.
fn rows(seen: &Evidence, found: &mut Vec<Finding>) {
    if seen.meddled {
        return;
    }
    let mut rows: BTreeMap<TaskId, Task> = seen
        .before
        .iter()
        .map(|task| (task.id, task.clone()))
        .collect();
    for proven in seen
        .receipts
        .iter()
        .filter(|it| it.facts.action.is_change())
    {
        let facts = &proven.facts;
        let Some(id) = facts.task_id else {
            found.push(Finding::Effect(format!("a change of no task: {facts:?}")));
            continue;
        };
        let stood = rows.get(&id);
        let agrees = match (stood, &facts.before) {
            (Some(row), Some(before)) => row.says_as(before),
            (None, None) => true,
            _ => false,
        };
        if !agrees {
            found.push(Finding::Effect(format!(
                "{}: the row stood otherwise",
                proven.line
            )));
        }
        match &facts.after {
            Some(after) => drop(rows.insert(id, after.clone())),
            None => drop(rows.remove(&id)),
        }
    }
    let told: Vec<Task> = rows.into_values().collect();
    let untold = effects(&told, &seen.after);
    if !untold.is_empty() {
        found.push(Finding::Effect(format!("no receipt for {untold:?}")));
    }
    for reading in seen
        .receipts
        .iter()
        .filter_map(|it| it.facts.reading.as_ref())
    {
        listing(reading, seen, found);
    }
}

/// A listing shows rows that stood so before the turn or after it, all or fifty of them.
fn listing(reading: &ReadResult, seen: &Evidence, found: &mut Vec<Finding>) {
    let ReadResult::Tasks {
        question,
        lines,
        matched,
        total,
    } = reading
    else {
        return;
    };
    let counts = [seen.before.len(), seen.after.len()];
    if *total < counts[0].min(counts[1]) || *total > counts[0].max(counts[1]) {
        found.push(Finding::Ghost(format!(
            "{total} tasks were told of, there are {counts:?}"
        )));
    }
    if lines.len() != (*matched).min(50) || matched > total {
        found.push(Finding::Ghost(format!(
            "{matched} match, {} are shown",
            lines.len()
        )));
    }
    let all =
        question["status"] == "all" && question["due"].is_null() && question["query"].is_null();
    if all && matched != total {
        found.push(Finding::Ghost(format!("all of {total} are {matched}")));
    }
    for line in lines {
        let stood = seen.before.iter().chain(&seen.after).any(|task| {
            task.id == line.id
                && task.title.as_str() == line.title
                && task.status.is_completed() == line.completed
                && task.priority == line.priority
                && task.due_date == line.due_date
        });
        if !stood {
            found.push(Finding::Ghost(format!("a line of no row: {line:?}")));
        }
    }
}

fn metadata(seen: &Evidence, found: &mut Vec<Finding>) {
    let body = &seen.body;
    let mut wrong = |text: String| found.push(Finding::Metadata(text));
    let actions = body["actions"].as_array().cloned().unwrap_or_default();
    let last = actions.last().cloned().unwrap_or(Value::Null);
    if body["action_metadata"] != last {
        wrong("action_metadata is not the last action".to_owned());
    }
    if actions.len() != seen.receipts.len() {
        wrong(format!(
            "{} actions, {} receipts",
            actions.len(),
            seen.receipts.len()
        ));
    }
    for (action, proven) in actions.iter().zip(&seen.receipts) {
        let facts = &proven.facts;
        let told = [
            &action["receipt_id"],
            &action["action"],
            &action["task_id"],
            &action["task_title"],
            &action["success"],
            &action["task"]["title"],
        ];
        let true_ones = [
            serde_json::json!(facts.id),
            serde_json::json!(facts.action),
            serde_json::json!(facts.task_id),
            serde_json::json!(facts.title()),
            Value::Bool(true),
            serde_json::json!(facts.after.as_ref().map(|task| task.title.as_str())),
        ];
        if told.iter().zip(&true_ones).any(|(told, is)| *told != is) {
            wrong(format!("{action} does not say what {} says", proven.line));
        }
        if facts.action.is_change() && action["message"] != proven.line.as_str() {
            wrong(format!("{} is told as {}", proven.line, action["message"]));
        }
    }
    let message = text(body);
    let shown = format!("{message} {}", body["question"]["text"]);
    if has_uuid(&shown) {
        wrong(format!("a UUID in {shown:?}"));
    }
    let newest = body["messages"].as_array().and_then(|list| list.last());
    if newest.is_none_or(|line| line["content"] != message) {
        wrong("the newest message is not the reply".to_owned());
    }
    let asks = !body["question"].is_null();
    let failed = !body["error"].is_null();
    let right = match body["kind"].as_str().unwrap_or_default() {
        "question" => asks || message.contains('?'),
        "failure" => !asks && failed,
        "receipt" => !asks && !failed && !actions.is_empty(),
        "chat" => !asks && !failed && actions.is_empty(),
        _ => false,
    };
    if !right {
        wrong(format!("kind {} does not fit {body}", body["kind"]));
    }
    if let Some(broken) = &seen.audit {
        wrong(format!("the audit chain is broken: {broken}"));
    }
}

/// The calls are the model's, in its words, and their flags are the audit log's outcomes.
fn calls(seen: &Evidence, found: &mut Vec<Finding>) {
    let mut calls = seen.body["tool_calls"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    let lonely = lonely_error(seen, &calls);
    // The server's own reading of receipts is no tool's call; its receipt is in the log.
    calls.retain(|call| call["name"] != "history");
    let mut wrong = |text: String| found.push(Finding::Metadata(text));
    let dispatched = seen.events.iter().filter(|event| {
        event["what"] == "call" && (event["outcome"] != "asked" || event["name"] == "ask_user")
    });
    let outcomes: Vec<&Value> = dispatched.collect();
    if outcomes.len() != calls.len() {
        wrong(format!(
            "{} calls are shown, {} are logged",
            calls.len(),
            outcomes.len()
        ));
    }
    for (call, event) in calls.iter().zip(outcomes) {
        let fine = event["outcome"] != "failed";
        if call["name"] != event["name"] || call["success"] != fine {
            wrong(format!("{call} is logged as {event}"));
        }
        let name = call["name"].as_str().unwrap_or_default();
        let server = call["id"]
            .as_str()
            .unwrap_or_default()
            .starts_with("server_");
        if !server
            && !seen
                .proposed
                .iter()
                .any(|(proposed, _)| proposed.trim() == name)
        {
            wrong(format!("nobody called {name}"));
        }
    }
    if let Some(why) = lonely {
        wrong(why);
    }
}

/// "Tool not triggered" is said of a tool only when nothing was dispatched for it: a call that
/// failed is told as a failure.
fn lonely_error(seen: &Evidence, calls: &[Value]) -> Option<String> {
    let error = &seen.body["error"];
    if error["code"] != "tool_not_triggered" {
        return None;
    }
    let missing = error["expected_tools"]
        .as_array()
        .cloned()
        .unwrap_or_default();
    if missing.is_empty() {
        return Some("tool_not_triggered without a tool".to_owned());
    }
    let failed = |name: &&Value| {
        calls
            .iter()
            .any(|call| call["name"] == **name && call["success"] == false)
    };
    let name = missing.iter().find(failed)?;
    Some(format!(
        "{name} was dispatched and failed, and is said not to have been triggered"
    ))
}

/// Every line of the reply is explained.
fn sentences(seen: &Evidence, found: &mut Vec<Finding>) {
    let message = text(&seen.body);
    let mut open: Vec<&str> = message.split('\n').collect();
    // The question is the last thing said.
    let question = seen.body["question"]["text"].as_str().unwrap_or_default();
    if !question.is_empty() {
        let lines: Vec<&str> = question.split('\n').collect();
        if open.ends_with(&lines) {
            open.truncate(open.len() - lines.len());
            if let Err(why) = forms::question(&lines, seen) {
                found.push(Finding::Ghost(why));
            }
        } else {
            found.push(Finding::Ghost(format!(
                "the question {question:?} was not asked"
            )));
        }
    }
    for proven in &seen.receipts {
        let change = proven.facts.action.is_change();
        if proven.facts.action == Action::History {
            history(proven, seen, found);
        }
        let lines: Vec<&str> = proven.line.split('\n').collect();
        let at = (0..open.len()).find(|at| open[*at..].starts_with(&lines));
        match at {
            Some(at) => drop(open.drain(at..at + lines.len())),
            None if change => {
                found.push(Finding::Ghost(format!(
                    "{:?} happened and was not said",
                    proven.line
                )));
            }
            None => {}
        }
    }
    for line in open {
        if forms::server(line, seen).is_some() {
            continue;
        }
        if let Err(why) = prose(line, seen) {
            found.push(Finding::Ghost(why));
        }
    }
}

/// The lines of a reading of receipts come from receipts and rows.
fn history(proven: &Proven, seen: &Evidence, found: &mut Vec<Finding>) {
    let Some(ReadResult::History { lines, .. }) = &proven.facts.reading else {
        return;
    };
    for line in lines {
        if let Err(why) = super::past::past(line, seen) {
            found.push(Finding::Ghost(why));
        }
    }
}

/// A line of the model's own: said by it, and no claim.
fn prose(line: &str, seen: &Evidence) -> Result<(), String> {
    let squeezed = |text: &str| shown(text);
    let said = seen
        .texts
        .iter()
        .map(|text| squeezed(text))
        .collect::<Vec<_>>();
    let pieces = line.split_inclusive(['.', '!', '?']).map(squeezed);
    for piece in pieces.filter(|piece| !piece.is_empty()) {
        if !said.iter().any(|text| text.contains(piece.as_str())) {
            return Err(format!("nothing explains {line:?}"));
        }
    }
    // An offer to mark as done tells of a task that it is still to be done.
    let open = |task: &&Task| !task.status.is_completed();
    let titles = seen.before.iter().filter(open);
    let offer = titles.map(|task| format!("{} as done?", shown(task.title.as_str())));
    // What the task is called claims nothing either.
    let asked = offer.fold(squeezed(line), |line, offer| line.replace(&offer, "it?"));
    match claim(&asked) {
        Some(piece) => Err(format!("the model claims {line:?} ({piece:?})")),
        None => Ok(()),
    }
}

/// The reply.
pub fn text(body: &Value) -> &str {
    body["assistant_message"].as_str().unwrap_or_default()
}

/// Eight, four, four, four and twelve hexadecimal digits, or thirty-two in a row.
pub fn has_uuid(text: &str) -> bool {
    let bytes: Vec<char> = text.chars().collect();
    let hyphened = bytes.windows(36).any(|window| {
        window.iter().enumerate().all(|(at, c)| match at {
            8 | 13 | 18 | 23 => *c == '-',
            _ => c.is_ascii_hexdigit(),
        })
    });
    hyphened
        || bytes
            .windows(32)
            .any(|window| window.iter().all(char::is_ascii_hexdigit))
}

/// Tells whether some task that stood before or stands after has this title.
pub fn is_title(text: &str, seen: &Evidence) -> bool {
    titles(seen).any(|title| fold(title) == fold(text) || shown(title) == text)
}

/// The titles of the rows before and after, and those that receipts tell of.
pub fn titles(seen: &Evidence) -> impl Iterator<Item = &str> {
    let history = seen.history.iter().filter_map(|it| it.facts.title());
    let rows = seen.before.iter().chain(&seen.after);
    rows.map(|task| task.title.as_str()).chain(history)
}
