//! Rows, parsed and not trusted: what could never have been written is an error that names
//! its table and row.
//!
//! A backend hands rows over as JSON arrays, column by column in the order of the structs
//! here, so that one parser serves every database.

use std::borrow::Cow;
use std::str::FromStr;

use chrono::{DateTime, NaiveDate, SecondsFormat, Utc};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Deserializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::backend::StoreError;
use super::delegation::RunFacts;
use super::read::ReceiptEntry;
use super::receipt::{ReadResult, Receipt, ReceiptFacts};
use super::reminders::ReminderRow;
use super::snapshot::{ConversationState, StoredMessage};
use crate::audit::{self, AuditRow, BrokenChain, ChainFault, EventKind, StoredHashes};
use crate::domain::{Action, DueTime, Priority, Repeat, RunState, Status, Task, Title, UserId};
use crate::telemetry::QueueDepths;

/// Writes an instant: RFC 3339 in UTC with microseconds.
pub(in crate::store) fn stamp(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Micros, true)
}

/// A fault of one column.
pub(in crate::store) type ColumnFlaw = Cow<'static, str>;

pub(in crate::store) fn instant(text: &str) -> Result<DateTime<Utc>, ColumnFlaw> {
    let parsed = DateTime::parse_from_rfc3339(text).map(|at| at.to_utc());
    parsed.map_err(|_| format!("\"{text}\" is not an instant").into())
}

pub(in crate::store) fn day(text: &str) -> Result<NaiveDate, ColumnFlaw> {
    let parsed = text.parse();
    parsed.map_err(|_| format!("\"{text}\" is not a day").into())
}

pub(in crate::store) fn id<T: FromStr>(text: &str) -> Result<T, ColumnFlaw> {
    text.parse()
        .map_err(|_| format!("\"{text}\" is not an id").into())
}

pub(in crate::store) fn json<'a, T: Deserialize<'a>>(
    column: &str,
    text: &'a str,
) -> Result<T, ColumnFlaw> {
    serde_json::from_str(text).map_err(|error| format!("{column}: {error}").into())
}

/// Reads a JSON array of rows and parses each.
pub(in crate::store) fn each<'a, R, T>(
    table: &'static str,
    text: &'a str,
    parse: impl Fn(R) -> Result<T, StoreError>,
) -> Result<Vec<T>, StoreError>
where
    R: Deserialize<'a>,
{
    let rows: Vec<R> = whole(table, text)?;
    rows.into_iter().map(parse).collect()
}

pub(in crate::store) fn whole<'a, T: Deserialize<'a>>(
    table: &'static str,
    text: &'a str,
) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| corrupt(table, "?", error.to_string().into()))
}

/// Reads a row whose columns are the fields of a type; the first column is its id.
pub(in crate::store) fn row<T: DeserializeOwned>(
    table: &'static str,
    text: &str,
) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|error| {
        let columns: Vec<Value> = serde_json::from_str(text).unwrap_or_default();
        let id = columns.first().map(Value::to_string).unwrap_or_default();
        corrupt(table, id.trim_matches('"'), error.to_string().into())
    })
}

/// Reads a JSON array of such rows, in the order they came.
pub(in crate::store) fn all<T: DeserializeOwned>(
    table: &'static str,
    text: &str,
) -> Result<Vec<T>, StoreError> {
    each(table, text, |one: &RawValue| row(table, one.get()))
}

/// Reads a flag: 0 or 1.
pub(in crate::store) fn flag<'de, D: Deserializer<'de>>(from: D) -> Result<bool, D::Error> {
    Ok(u8::deserialize(from)? != 0)
}

pub(in crate::store) fn corrupt(table: &'static str, id: &str, reason: ColumnFlaw) -> StoreError {
    StoreError::Corrupt {
        table,
        id: id.to_owned(),
        reason: reason.into_owned(),
    }
}

#[derive(Deserialize)]
struct TaskRow<'a> {
    #[serde(borrow)]
    id: Cow<'a, str>,
    title: String,
    description: Option<String>,
    #[serde(borrow)]
    status: Cow<'a, str>,
    #[serde(borrow)]
    priority: Cow<'a, str>,
    due_date: Option<String>,
    due_time: Option<String>,
    due_zone: Option<String>,
    repeat: Option<String>,
    assignee: Option<String>,
    #[serde(borrow)]
    created_at: Cow<'a, str>,
    #[serde(borrow)]
    updated_at: Cow<'a, str>,
    completed_at: Option<String>,
    version: i64,
    /// Left out where all of a user's are read at once.
    #[serde(default)]
    reminders: Vec<ReminderRow>,
}

impl TaskRow<'_> {
    fn parse(self, user: &UserId) -> Result<Task, StoreError> {
        let key = self.id.clone();
        self.task(user)
            .map_err(|reason| corrupt("tasks", &key, reason))
    }

    fn task(self, user: &UserId) -> Result<Task, ColumnFlaw> {
        let status = match (&*self.status, self.completed_at.as_deref()) {
            ("pending", None) => Status::Pending,
            ("completed", Some(at)) => Status::Completed { at: instant(at)? },
            (word, at) => return Err(format!("status {word} with completed_at {at:?}").into()),
        };
        if self.version < 1 {
            return Err(format!("version {}", self.version).into());
        }
        let title = Title::parse(&self.title).map_err(|error| error.to_string())?;
        if title.as_str() != self.title {
            return Err("the title has white space around it".into());
        }
        let due_date = self.due_date.as_deref().map(day).transpose()?;
        let due_time = match (due_date, self.due_time.as_deref(), self.due_zone.as_deref()) {
            (_, None, None) => None,
            (Some(_), Some(time), Some(zone)) => Some(DueTime::parse(time, zone)?),
            (date, time, zone) => {
                let told = format!("due_time {time:?} in zone {zone:?} of day {date:?}");
                return Err(told.into());
            }
        };
        let repeat = match (due_date, self.repeat) {
            (_, None) => None,
            (Some(_), Some(rule)) => Some(Repeat::parse(&rule)?),
            (None, Some(rule)) => return Err(format!("repeat {rule} without a due date").into()),
        };
        Ok(Task {
            id: id(&self.id)?,
            user_id: user.clone(),
            title,
            description: self.description,
            status,
            priority: Priority::parse(&self.priority)
                .ok_or_else(|| format!("priority {}", self.priority))?,
            due_date,
            due_time,
            repeat,
            assignee: self.assignee,
            reminders: ReminderRow::all(self.reminders),
            created_at: instant(&self.created_at)?,
            updated_at: instant(&self.updated_at)?,
            version: self.version,
        })
    }
}

/// Tasks, in the order they came.
pub(in crate::store) fn tasks(user: &UserId, text: &str) -> Result<Vec<Task>, StoreError> {
    each("tasks", text, |row: TaskRow<'_>| row.parse(user))
}

/// A conversation with its newest messages (newest first, as they came) and its question.
pub(in crate::store) fn conversation(
    text: &str,
    messages_text: &str,
    question_text: Option<&str>,
) -> Result<ConversationState, StoreError> {
    let (id, version, frame) = row("conversations", text)?;
    let mut messages: Vec<StoredMessage> = all("messages", messages_text)?;
    messages.reverse();
    let question = question_text.map(|text| row("questions", text));
    Ok(ConversationState {
        id,
        version,
        frame,
        messages,
        question: question.transpose()?,
    })
}

/// Parses the counts of what waits: open turns, then runs by state.
pub(in crate::store) fn waiting(text: &str) -> Result<QueueDepths, StoreError> {
    let (open_turns, pending, running, asking, reminders) = whole("open_turns", text)?;
    Ok(QueueDepths {
        open_turns,
        reminders,
        runs: [
            (RunState::Pending.as_str(), pending),
            (RunState::Running.as_str(), running),
            (RunState::InputRequired.as_str(), asking),
        ],
    })
}

#[derive(Deserialize)]
struct ReceiptRow {
    id: String,
    conversation_id: Option<String>,
    turn_id: String,
    action: String,
    task_id: Option<String>,
    before: Option<String>,
    after: Option<String>,
    reading: Option<String>,
    undoes: Option<String>,
    created_at: String,
    undone_by: Option<String>,
    run: Option<String>,
}

impl ReceiptRow {
    fn parse(&self, user: &UserId) -> Result<ReceiptEntry, StoreError> {
        self.entry(user)
            .map_err(|reason| corrupt("receipts", &self.id, reason))
    }

    fn entry(&self, user: &UserId) -> Result<ReceiptEntry, ColumnFlaw> {
        let image = |column, text: &Option<String>| -> Result<Option<Task>, ColumnFlaw> {
            let Some(text) = text else {
                return Ok(None);
            };
            let image = owned(json(column, text)?, user);
            let task = serde_json::from_value(image);
            Ok(Some(task.map_err(|error| format!("{column}: {error}"))?))
        };
        let facts = ReceiptFacts {
            id: id(&self.id)?,
            user_id: user.clone(),
            conversation_id: optional(self.conversation_id.as_ref())?,
            turn_id: id(&self.turn_id)?,
            action: Action::parse(&self.action).ok_or_else(|| format!("action {}", self.action))?,
            task_id: optional(self.task_id.as_ref())?,
            before: image("before", &self.before)?,
            after: image("after", &self.after)?,
            reading: (self.reading.as_deref())
                .map(|text| json::<ReadResult>("reading", text))
                .transpose()?,
            run: (self.run.as_deref())
                .map(|text| json::<RunFacts>("run", text))
                .transpose()?,
            undoes: optional(self.undoes.as_ref())?,
            at: instant(&self.created_at)?,
        };
        possible(&facts)?;
        Ok(ReceiptEntry {
            receipt: Receipt::from_row(facts),
            undone_by: optional(self.undone_by.as_ref())?,
        })
    }
}

/// An image, which an event tells without its user: that one stands in a column of its own.
pub(in crate::store) fn owned(mut image: Value, user: &UserId) -> Value {
    if let Value::Object(members) = &mut image {
        let own = || Value::String(user.to_string());
        members.entry("user_id").or_insert_with(own);
    }
    image
}

pub(in crate::store) fn optional<T: FromStr>(
    text: Option<&String>,
) -> Result<Option<T>, ColumnFlaw> {
    text.map(|text| id(text)).transpose()
}

/// Checks that a commit could have written this.
pub(in crate::store) fn possible(facts: &ReceiptFacts) -> Result<(), ColumnFlaw> {
    let images = (facts.before.is_some(), facts.after.is_some());
    let fits = match facts.action {
        Action::AddTask => images == (false, true),
        Action::UpdateTask | Action::CompleteTask => images == (true, true),
        Action::DeleteTask => images == (true, false),
        Action::Undo => images != (false, false),
        Action::Delegate => images.1,
        Action::CancelDelegation => images == (true, true),
        Action::ListTasks | Action::History | Action::TaskOutput | Action::ListDelegations => {
            images == (false, false)
        }
    };
    if !fits {
        return Err(format!("{} with images {images:?}", facts.action).into());
    }
    if facts.action.is_change() == facts.reading.is_some() {
        return Err(format!("{} and its reading do not fit", facts.action).into());
    }
    let of_a_run = matches!(facts.action, Action::Delegate | Action::CancelDelegation);
    if of_a_run && facts.run.is_none() {
        return Err(format!("{} without a run", facts.action).into());
    }
    if (facts.action == Action::Undo) != facts.undoes.is_some() {
        return Err(format!("{} and what it undoes do not fit", facts.action).into());
    }
    for task in facts.before.iter().chain(&facts.after) {
        if task.user_id != facts.user_id || Some(task.id) != facts.task_id {
            return Err("an image is of another task".into());
        }
    }
    Ok(())
}

/// Receipts, in the order they came.
pub(in crate::store) fn entries(
    user: &UserId,
    text: &str,
) -> Result<Vec<ReceiptEntry>, StoreError> {
    each("receipts", text, |row: ReceiptRow| row.parse(user))
}

/// An audit event as the database has it, which after tampering may be anything.
#[derive(Debug, Deserialize)]
pub(in crate::store) struct RawEvent {
    user_id: String,
    seq: i64,
    turn_id: Option<String>,
    kind: String,
    payload: String,
    prev_hash: String,
    hash: String,
    created_at: String,
}

impl RawEvent {
    /// Parses strictly: the hash covers values, so a value may have only one spelling.
    ///
    /// # Errors
    /// [`ChainFault::Form`] names the column that was never written so.
    pub(in crate::store) fn parse(self) -> Result<AuditRow, BrokenChain> {
        let seq = self.seq;
        let malformed = |column| BrokenChain {
            seq,
            fault: ChainFault::Form(column),
        };
        let turn_id = optional(self.turn_id.as_ref()).map_err(|_| malformed("turn_id"))?;
        if turn_id.map(|id: crate::domain::TurnId| id.to_string()) != self.turn_id {
            return Err(malformed("turn_id"));
        }
        let created_at = instant(&self.created_at).map_err(|_| malformed("created_at"))?;
        if stamp(created_at) != self.created_at {
            return Err(malformed("created_at"));
        }
        Ok(AuditRow {
            user_id: UserId::parse(&self.user_id).map_err(|_| malformed("user_id"))?,
            seq: self.seq,
            turn_id,
            kind: EventKind::parse(&self.kind).ok_or_else(|| malformed("kind"))?,
            payload: self.payload,
            prev_hash: self.prev_hash,
            hash: self.hash,
            created_at,
        })
    }
}

/// Audit events, in the order they came.
///
/// # Errors
/// [`StoreError::Corrupt`] when a column holds what was never written.
pub(in crate::store) fn events(text: &str) -> Result<Vec<AuditRow>, StoreError> {
    each("audit_events", text, |raw: RawEvent| {
        let user = raw.user_id.clone();
        raw.parse().map_err(|broken| {
            let id = format!("{user} {}", broken.seq);
            corrupt("audit_events", &id, broken.fault.to_string().into())
        })
    })
}

/// Hashes of the tree: those that are stored, and those that the events of a block make.
pub(in crate::store) fn nodes(text: &str) -> Result<StoredHashes, StoreError> {
    type Numbered = Vec<(u64, String)>;
    let (nodes, leaves): (Numbered, Numbered) = whole("audit_nodes", text)?;
    let flaw = |number: u64| corrupt("audit_nodes", &number.to_string(), "no hash".into());
    let parse = |rows: Numbered, read: fn(&str) -> Option<audit::TreeHash>| {
        let hashes = rows.into_iter();
        let hashes =
            hashes.map(|(number, hash)| Ok((number, read(&hash).ok_or_else(|| flaw(number))?)));
        hashes.collect::<Result<Vec<_>, StoreError>>()
    };
    let mut stored = StoredHashes::new(parse(nodes, audit::unhex)?);
    stored.add_leaves(parse(leaves, audit::leaf)?);
    Ok(stored)
}
