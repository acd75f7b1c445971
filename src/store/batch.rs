//! The rows a commit writes, as every backend is handed them: lists of flat JSON objects, whose members
//! are named as the columns are.
//!
//! Decides nothing: what is in a [`RowBatch`] was admitted.

use serde::{Serialize, Serializer};
use serde_json::{Value, json};

use super::delegation::RunBatch;
use super::open::OpenWrite;
use super::receipt::{Draft, ReceiptFacts};
use super::record::{CommitRecord, NewMessage, QuestionWrite};
use super::rows::stamp;
use super::unit::{RowWrite, Unit};
use crate::audit::{AuditRow, ChainHead};
use crate::domain::{ConversationId, Reminder, Status, Task, put_member};

/// The rows of one unit or of many.
#[derive(Debug, Default)]
pub(in crate::store) struct RowBatch {
    pub tasks: Vec<Value>,
    pub commits: Vec<Value>,
    pub conversations: Vec<Value>,
    pub messages: Vec<Value>,
    /// Questions that are asked, or (without an id) closed.
    pub questions: Vec<Value>,
    pub receipts: Vec<Value>,
    pub keys: Vec<Value>,
    pub events: Vec<Value>,
    /// Turns that have no reply yet; without a journal they have one.
    pub open_turns: Vec<Value>,
    pub runs: RunBatch,
    /// True when the images of a receipt are written beside it, and not in its event alone.
    pub images: bool,
}

impl RowBatch {
    /// The rows of all, in their order, as they are handed to a database: for each kind a JSON array,
    /// in the order in which the writing statements take them. What is written about runs goes apart.
    pub(in crate::store) fn texts(all: &[&Self]) -> serde_json::Result<[String; 9]> {
        Ok([
            list(all, |batch| &batch.tasks)?,
            list(all, |batch| &batch.commits)?,
            list(all, |batch| &batch.conversations)?,
            list(all, |batch| &batch.messages)?,
            list(all, |batch| &batch.questions)?,
            list(all, |batch| &batch.receipts)?,
            list(all, |batch| &batch.keys)?,
            list(all, |batch| &batch.events)?,
            list(all, |batch| &batch.open_turns)?,
        ])
    }

    /// A batch whose receipts hold their images.
    pub(in crate::store) fn with_images() -> Self {
        Self {
            images: true,
            ..Self::default()
        }
    }

    /// Adds an event of the log.
    pub(super) fn event(&mut self, row: &AuditRow) {
        self.events.push(json!({
            "user_id": row.user_id,
            "seq": row.seq,
            "turn_id": row.turn_id,
            "kind": row.kind,
            "payload": row.payload,
            "prev_hash": row.prev_hash,
            "hash": row.hash,
            "created_at": stamp(row.created_at),
        }));
    }

    /// Adds the commit itself, with its span of the log and where the log stands after it.
    pub(super) fn commit(&mut self, unit: &Unit, first_seq: i64, head: &ChainHead) {
        self.commits.push(json!({
            "user_id": unit.user(),
            "attempt_id": unit.attempt(),
            "turn_id": unit.turn(),
            "conversation_id": unit.conversation(),
            "first_seq": first_seq,
            "last_seq": head.seq,
            "head_hash": head.hash,
            "created_at": stamp(unit.now()),
        }));
    }

    /// Adds a receipt, under the number of its event.
    pub(super) fn receipt(
        &mut self,
        unit: &Unit,
        facts: &ReceiptFacts,
        seq: i64,
    ) -> serde_json::Result<()> {
        let images = self.images.then_some(facts);
        self.receipts.push(json!({
            "user_id": unit.user(),
            "seq": seq,
            "id": facts.id,
            "turn_id": facts.turn_id,
            "conversation_id": facts.conversation_id,
            "action": facts.action.as_str(),
            "task_id": facts.task_id,
            "before": text(images.and_then(|facts| facts.before.as_ref()))?,
            "after": text(images.and_then(|facts| facts.after.as_ref()))?,
            "reading": text(images.and_then(|facts| facts.reading.as_ref()))?,
            "run": text(facts.run.as_ref())?,
            "undoes": facts.undoes,
            "created_at": stamp(facts.at),
        }));
        Ok(())
    }

    /// Adds what a unit writes to one task in all.
    pub(super) fn task(&mut self, unit: &Unit, write: &RowWrite) {
        let task = &write.task;
        let mut row = json!({
            "user_id": unit.user(),
            "id": task.id,
            "title": task.title,
            "description": task.description,
            "status": task.status.as_str(),
            "priority": task.priority.as_str(),
            "due_date": task.due_date.map(|day| day.to_string()),
            "due_time": task.due_time.map(|time| time.to_string()),
            "due_zone": task.due_time.map(|time| time.zone().name()),
            "repeat": task.repeat.as_ref().map(ToString::to_string),
            "assignee": task.assignee,
            "created_at": stamp(task.created_at),
            "updated_at": stamp(task.updated_at),
            "completed_at": match task.status {
                Status::Pending => None,
                Status::Completed { at } => Some(stamp(at)),
            },
            "deleted_at": write.deleted.then(|| stamp(unit.now())),
            "version": task.version,
        });
        // Left out where there are none: the database then looks for none.
        let reminders: Vec<Value> = (task.reminders.iter())
            .map(|one| reminder(unit, one))
            .collect();
        if !reminders.is_empty() {
            put_member(&mut row, "reminders", reminders);
        }
        self.tasks.push(row);
    }

    /// Adds what is kept beside the changes.
    pub(super) fn record(&mut self, unit: &Unit, record: &CommitRecord) {
        let at = stamp(unit.now());
        if let Some((id, version)) = record.conversation {
            self.conversations.push(json!({
                "user_id": unit.user(),
                "id": id,
                "title": record.title,
                "version": version + 1,
                "frame": record.frame,
                "at": at,
            }));
            let line = |message: &NewMessage| {
                json!({
                    "user_id": unit.user(),
                    "conversation_id": id,
                    "id": message.id,
                    "role": message.role,
                    "content": message.content,
                    "created_at": at,
                })
            };
            self.messages.extend(record.messages.iter().map(line));
            self.question(unit, id, &record.question);
        }
        self.keys.extend(record.keyed.iter().map(|answer| {
            json!({
                "user_id": unit.user(),
                "key": answer.key,
                "fingerprint": answer.fingerprint,
                "status": answer.status,
                "body": answer.body,
                "created_at": at,
                "claimed": record.claimed,
            })
        }));
        self.open_turn(unit, &record.open);
    }

    fn open_turn(&mut self, unit: &Unit, write: &OpenWrite) {
        let journal = match write {
            OpenWrite::None => return,
            OpenWrite::Begin(journal) | OpenWrite::Keep(journal) => Some(journal),
            OpenWrite::End { .. } => None,
        };
        self.open_turns.push(json!({
            "user_id": unit.user(),
            "turn_id": unit.turn(),
            "conversation_id": unit.conversation(),
            "key": journal.and_then(|journal| journal.key.as_deref()),
            "owner": journal.map(|journal| &journal.owner),
            "journal": journal.map(|journal| &journal.text),
        }));
    }

    fn question(&mut self, unit: &Unit, conversation: ConversationId, write: &QuestionWrite) {
        let asked = match write {
            QuestionWrite::Keep => return,
            QuestionWrite::Close => None,
            QuestionWrite::Ask(question) => Some(question),
        };
        self.questions.push(json!({
            "user_id": unit.user(),
            "conversation_id": conversation,
            "id": asked.map(|question| question.id),
            "body": asked.map(|question| &question.body),
            "expires_at": asked.map(|question| stamp(question.expires_at)),
        }));
    }
}

fn reminder(unit: &Unit, reminder: &Reminder) -> Value {
    let has = |task: &Option<Task>| {
        let reminders = task.as_ref().map(|task| &task.reminders);
        reminders.is_some_and(|all| all.get(reminder.id).is_some())
    };
    let mut facts = unit.drafts().iter().map(Draft::facts);
    let by = facts.find(|facts| has(&facts.after) && !has(&facts.before));
    json!({
        "id": reminder.id,
        "at": stamp(reminder.when.at),
        "zone": reminder.when.zone.name(),
        "today": reminder.when.today.to_string(),
        "state": reminder.state.as_str(),
        "told": u8::from(reminder.told),
        "receipt_id": by.map(|facts| facts.id),
        "ended_at": (!reminder.is_waiting()).then(|| stamp(unit.now())),
        "next_try": reminder.when.at.timestamp_millis(),
    })
}

fn list(all: &[&RowBatch], rows: fn(&RowBatch) -> &Vec<Value>) -> serde_json::Result<String> {
    let mut text = Vec::new();
    serde_json::Serializer::new(&mut text).collect_seq(all.iter().flat_map(|batch| rows(batch)))?;
    String::from_utf8(text).map_err(serde::ser::Error::custom)
}

fn text(value: Option<&impl Serialize>) -> serde_json::Result<Option<String>> {
    value.map(serde_json::to_string).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_many_are_put_together_in_their_order() {
        let closed = |user: &&str| json!({ "user_id": user });
        let batch = |users: &[&str]| RowBatch {
            questions: users.iter().map(closed).collect(),
            ..RowBatch::default()
        };
        let all = [batch(&["a", "b"]), batch(&[]), batch(&["c"])];
        let rows = RowBatch::texts(&all.each_ref()).unwrap();
        let told: Value = serde_json::from_str(&rows[4]).unwrap();
        let users = [0, 1, 2].map(|at| told[at]["user_id"].as_str().unwrap());
        assert_eq!(
            (users, told.as_array().unwrap().len()),
            (["a", "b", "c"], 3)
        );
        let others = rows.iter().enumerate().filter(|(place, _)| *place != 4);
        assert!(others.clone().all(|(_, text)| text == "[]"), "{rows:?}");
        let none = RowBatch::texts(&[]).unwrap();
        assert!(none.iter().all(|text| text == "[]"), "{none:?}");
    }
}
