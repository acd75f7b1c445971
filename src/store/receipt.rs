//! Receipts: proof that one change, or one read, of one user's data was committed.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::delegation::RunFacts;
use super::rows;
use crate::audit::{self, EventKind};
use crate::domain::{
    Action, ConversationId, DueTime, Priority, ReceiptId, RemindAt, Repeat, Task, TaskId, TurnId,
    UserId,
};

/// Facts that a receipt attests. On their own they prove nothing: only [`Receipt`] does.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ReceiptFacts {
    /// The receipt's id.
    pub id: ReceiptId,
    /// User of the data.
    pub user_id: UserId,
    /// In which conversation; none for a write by REST or MCP.
    pub conversation_id: Option<ConversationId>,
    /// Because of which turn; a write by REST is a turn of its own.
    pub turn_id: TurnId,
    /// The action.
    pub action: Action,
    /// To which task; none for a read.
    pub task_id: Option<TaskId>,
    /// The row before; none for what was added and for a read.
    pub before: Option<Task>,
    /// The row after; none for what was deleted and for a read.
    pub after: Option<Task>,
    /// The result of a read; none for a change.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reading: Option<ReadResult>,
    /// The run it is about, when it is about one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run: Option<RunFacts>,
    /// The receipt that an undo took back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub undoes: Option<ReceiptId>,
    /// Time of its commit, as the turn's clock read it.
    pub at: DateTime<Utc>,
}

impl ReceiptFacts {
    /// Returns what its event tells of it: all but what stands in the event's own columns, and
    /// nothing of what there is nothing of.
    pub(in crate::store) fn told(&self) -> Value {
        let mut told = serde_json::to_value(self).unwrap_or_default();
        if let Some(members) = told.as_object_mut() {
            members.retain(|name, value| {
                !["user_id", "turn_id"].contains(&name.as_str()) && !value.is_null()
            });
            for image in ["before", "after"] {
                let image = members.get_mut(image).and_then(Value::as_object_mut);
                image.map(|image| image.remove("user_id"));
            }
        }
        told
    }

    /// Reads what an event tells. Older releases told the user and the turn too.
    fn from_told(event: &audit::AuditRow) -> Option<Self> {
        let mut told: Value = serde_json::from_str(&event.payload).ok()?;
        let members = told.as_object_mut()?;
        for image in ["before", "after"] {
            if let Some(told) = members.get_mut(image) {
                *told = rows::owned(told.take(), &event.user_id);
            }
        }
        let turn = event.turn_id?.to_string();
        for (name, own) in [("user_id", event.user_id.to_string()), ("turn_id", turn)] {
            members.entry(name).or_insert_with(|| Value::String(own));
        }
        serde_json::from_value(told).ok()
    }

    /// The task's title as it is now, or as it was when it was deleted.
    pub fn title(&self) -> Option<&str> {
        let row = self.after.as_ref().or(self.before.as_ref())?;
        Some(row.title.as_str())
    }
}

/// Result of a read. Kept whole, so that its sentences can be rendered again years later.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "of", rename_all = "snake_case")]
pub enum ReadResult {
    /// A listing of tasks.
    Tasks {
        /// The question that was asked, as the caller wrote it down (filter and form).
        question: serde_json::Value,
        /// The lines shown, at most fifty.
        lines: Vec<ListedTask>,
        /// Number of tasks that match.
        matched: usize,
        /// Number of all tasks.
        total: usize,
    },
    /// A reading of receipts.
    History {
        /// The question that was asked, as the caller wrote it down.
        question: serde_json::Value,
        /// The receipts it was answered from.
        receipts: Vec<ReceiptId>,
        /// The sentences that answer it, rendered from those receipts.
        lines: Vec<String>,
    },
    /// A reading of runs: what came of one, or a list.
    Runs {
        /// The question that was asked, as the caller wrote it down.
        question: serde_json::Value,
        /// The runs it was answered from, by their handles.
        runs: Vec<String>,
        /// Number of runs that match.
        matched: usize,
        /// The sentences that answer it, rendered from those runs.
        lines: Vec<String>,
    },
}

/// One task of a listing, as shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ListedTask {
    /// The task.
    pub id: TaskId,
    /// Its title then.
    pub title: String,
    /// True when it was done then.
    pub completed: bool,
    /// Its priority then.
    pub priority: Priority,
    /// Its due date then.
    pub due_date: Option<NaiveDate>,
    /// Time of that day then, as it is shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_time: Option<DueTime>,
    /// Rule by which it repeated then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<Repeat>,
    /// The agent that worked on it then, and how that stood: `agent-abc123 running`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub agent: Option<String>,
    /// The reminder that waited then, where reminders were asked about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reminder: Option<RemindAt>,
    /// Its note then, where notes were asked about; empty where it had none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

impl From<&Task> for ListedTask {
    fn from(task: &Task) -> Self {
        Self {
            id: task.id,
            title: task.title.as_str().to_owned(),
            completed: task.status.is_completed(),
            priority: task.priority,
            due_date: task.due_date,
            due_time: task.shown_time(),
            repeat: task.repeat.clone(),
            agent: None,
            reminder: None,
            note: None,
        }
    }
}

/// A change or read that will be true once its unit commits. Not a proof of anything.
#[derive(Debug, PartialEq)]
pub struct Draft {
    facts: ReceiptFacts,
}

impl Draft {
    pub(super) const fn new(facts: ReceiptFacts) -> Self {
        Self { facts }
    }

    /// Returns what it will attest.
    pub const fn facts(&self) -> &ReceiptFacts {
        &self.facts
    }
}

/// Proof that one change, or one read, was committed.
///
/// Its field is private, it can't be cloned, defaulted or deserialised, and only the store
/// can mint one, so a function that takes `&Receipt` can't be called for something that did
/// not happen:
///
/// ```compile_fail
/// use candor::store::{Receipt, ReceiptFacts};
/// fn forge(facts: ReceiptFacts) -> Receipt {
///     Receipt { facts }
/// }
/// ```
///
/// Reading what one says needs no such rights:
///
/// ```
/// use candor::store::{Receipt, ReceiptFacts};
/// fn read(receipt: &Receipt) -> &ReceiptFacts {
///     receipt.facts()
/// }
/// ```
#[derive(Debug, PartialEq)]
pub struct Receipt {
    facts: ReceiptFacts,
}

impl Receipt {
    /// Turns a draft whose transaction has committed into a receipt.
    pub(in crate::store) fn mint(draft: Draft) -> Self {
        Self { facts: draft.facts }
    }

    /// Reads back a committed row.
    pub(in crate::store) const fn from_row(facts: ReceiptFacts) -> Self {
        Self { facts }
    }

    /// Returns what it attests.
    pub const fn facts(&self) -> &ReceiptFacts {
        &self.facts
    }
}

/// A receipt as the audit log tells of it: enough to render its sentence again, from an export
/// as well as from the database. It is worth what the log is worth, so it is no [`Receipt`].
#[derive(Debug, PartialEq)]
pub struct Logged {
    facts: ReceiptFacts,
}

impl Logged {
    /// Reads a receipt's event. None for any other event, for one whose words were erased, and
    /// for what no commit could have written.
    pub fn read(event: &audit::AuditRow) -> Option<Self> {
        if event.kind != EventKind::Receipt {
            return None;
        }
        let facts = ReceiptFacts::from_told(event)?;
        let own = facts.user_id == event.user_id && Some(facts.turn_id) == event.turn_id;
        (own && rows::possible(&facts).is_ok()).then_some(Self { facts })
    }

    /// Returns what it attests.
    pub const fn facts(&self) -> &ReceiptFacts {
        &self.facts
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Status, Title};
    use chrono::NaiveTime;
    use uuid::Uuid;

    fn at(seconds: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_770_544_800 + seconds, 0).unwrap()
    }

    fn task(status: Status) -> Task {
        let id = TaskId::new(Uuid::from_u128(1));
        let user = UserId::parse("ann").unwrap();
        Task {
            description: Some("two \"litres\"".to_owned()),
            due_date: NaiveDate::from_ymd_opt(2026, 2, 9),
            due_time: Some(DueTime::new(NaiveTime::MIN, chrono_tz::Europe::Berlin)),
            repeat: Repeat::parse("FREQ=WEEKLY").ok(),
            assignee: Some("coder".to_owned()),
            status,
            ..Task::new(id, user, Title::parse("Milk").unwrap(), at(0))
        }
    }

    fn facts(before: Option<Task>, after: Option<Task>) -> ReceiptFacts {
        ReceiptFacts {
            id: ReceiptId::new(Uuid::from_u128(2)),
            user_id: UserId::parse("ann").unwrap(),
            conversation_id: before.as_ref().map(|_| ConversationId::new(Uuid::nil())),
            turn_id: TurnId::new(Uuid::from_u128(3)),
            action: Action::CompleteTask,
            task_id: Some(TaskId::new(Uuid::from_u128(1))),
            before,
            after,
            reading: None,
            run: None,
            undoes: Some(ReceiptId::new(Uuid::from_u128(4))),
            at: at(1),
        }
    }

    #[test]
    fn an_event_tells_all_but_what_its_columns_do_and_nothing_of_nothing() {
        let done = task(Status::Completed { at: at(1) });
        let bare = Task {
            description: None,
            due_date: None,
            due_time: None,
            repeat: None,
            assignee: None,
            ..task(Status::Pending)
        };
        for facts in [
            facts(Some(task(Status::Pending)), Some(done)),
            facts(None, Some(bare)),
            ReceiptFacts {
                undoes: None,
                task_id: None,
                ..facts(None, None)
            },
        ] {
            let told = facts.told();
            let members = told.as_object().unwrap();
            assert!(members.values().all(|value| !value.is_null()), "{told:?}");
            for (name, image) in [("before", &facts.before), ("after", &facts.after)] {
                assert_eq!(members.contains_key(name), image.is_some());
            }
            let text = told.to_string();
            assert!(
                !text.contains("user_id") && !text.contains("\"turn_id"),
                "{text}"
            );
            let row = audit::AuditRow::after(
                &audit::ChainHead::genesis(),
                facts.user_id.clone(),
                Some(facts.turn_id),
                EventKind::Receipt,
                (&told, String::new),
                facts.at,
            );
            assert_eq!(ReceiptFacts::from_told(&row), Some(facts));
        }
    }
}
