//! The rows a commit writes, as every backend is handed them: lists of flat objects.
//!
//! Decides nothing: what is in a [`RowBatch`] was admitted.

use serde::{Serialize, Serializer};

use super::delegation::RunBatch;
use super::open::OpenWrite;
use super::receipt::{Draft, ReceiptFacts};
use super::record::{CommitRecord, QuestionWrite};
use super::rows::stamp;
use super::unit::{RowWrite, Unit};
use crate::audit::{self, ChainHead};
use crate::domain::{
    AttemptId, ConversationId, MessageId, QuestionId, ReceiptId, Reminder, ReminderId, Status,
    Task, TaskId, TurnId,
};

/// The rows of one unit or of many.
#[derive(Debug, Default)]
pub(in crate::store) struct RowBatch {
    pub tasks: Vec<TaskOut>,
    pub commits: Vec<CommitOut>,
    pub conversations: Vec<ConversationOut>,
    pub messages: Vec<MessageOut>,
    pub questions: Vec<QuestionOut>,
    pub receipts: Vec<ReceiptOut>,
    pub keys: Vec<KeyOut>,
    pub events: Vec<EventOut>,
    pub open_turns: Vec<OpenTurnOut>,
    pub runs: RunBatch,
    /// True when the images of a receipt are written beside it, and not in its event alone.
    pub images: bool,
}

#[derive(Debug, Serialize)]
pub(in crate::store) struct TaskOut {
    pub user_id: String,
    pub id: TaskId,
    pub title: String,
    pub description: Option<String>,
    pub status: &'static str,
    pub priority: &'static str,
    pub due_date: Option<String>,
    pub due_time: Option<String>,
    pub due_zone: Option<&'static str>,
    pub repeat: Option<String>,
    pub assignee: Option<String>,
    pub created_at: String,
    pub updated_at: String,
    pub completed_at: Option<String>,
    pub deleted_at: Option<String>,
    pub version: i64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub reminders: Vec<ReminderOut>,
}

#[derive(Debug, Serialize)]
pub(in crate::store) struct ReminderOut {
    pub id: ReminderId,
    pub at: String,
    pub zone: &'static str,
    pub today: String,
    pub state: &'static str,
    pub told: u8,
    pub receipt_id: Option<ReceiptId>,
    pub ended_at: Option<String>,
    pub next_try: i64,
}

impl ReminderOut {
    fn of(unit: &Unit, reminder: &Reminder) -> Self {
        let has = |task: &Option<Task>| {
            let found = task
                .as_ref()
                .and_then(|task| task.reminders.get(reminder.id));
            found.is_some()
        };
        let facts = || unit.drafts().iter().map(Draft::facts);
        let by = facts().find(|facts| has(&facts.after) && !has(&facts.before));
        Self {
            id: reminder.id,
            at: stamp(reminder.when.at),
            zone: reminder.when.zone.name(),
            today: reminder.when.today.to_string(),
            state: reminder.state.as_str(),
            told: u8::from(reminder.told),
            receipt_id: by.map(|facts| facts.id),
            ended_at: (!reminder.is_waiting()).then(|| stamp(unit.now())),
            next_try: reminder.when.at.timestamp_millis(),
        }
    }
}

#[derive(Debug, Serialize)]
pub(in crate::store) struct CommitOut {
    pub user_id: String,
    pub attempt_id: AttemptId,
    pub turn_id: TurnId,
    pub conversation_id: Option<ConversationId>,
    pub first_seq: i64,
    pub last_seq: i64,
    pub head_hash: String,
    pub created_at: String,
}

#[derive(Debug, Serialize)]
pub(in crate::store) struct ConversationOut {
    pub user_id: String,
    pub id: ConversationId,
    pub title: Option<String>,
    pub version: i64,
    pub frame: Option<String>,
    pub at: String,
}

#[derive(Debug, Serialize)]
pub(in crate::store) struct MessageOut {
    pub user_id: String,
    pub conversation_id: ConversationId,
    pub id: MessageId,
    pub role: &'static str,
    pub content: String,
    pub created_at: String,
}

/// A question that is asked, or (without an id) closed.
#[derive(Debug, Serialize)]
pub(in crate::store) struct QuestionOut {
    pub user_id: String,
    pub conversation_id: ConversationId,
    pub id: Option<QuestionId>,
    pub body: Option<String>,
    pub expires_at: Option<String>,
}

#[derive(Debug, Serialize)]
pub(in crate::store) struct ReceiptOut {
    pub user_id: String,
    pub seq: i64,
    pub id: ReceiptId,
    pub turn_id: TurnId,
    pub conversation_id: Option<ConversationId>,
    pub action: &'static str,
    pub task_id: Option<TaskId>,
    pub before: Option<String>,
    pub after: Option<String>,
    pub reading: Option<String>,
    pub run: Option<String>,
    pub undoes: Option<ReceiptId>,
    pub created_at: String,
}

#[derive(Debug, Serialize)]
pub(in crate::store) struct KeyOut {
    pub user_id: String,
    pub key: String,
    pub fingerprint: String,
    pub status: u16,
    pub body: String,
    pub created_at: String,
    pub claimed: bool,
}

#[derive(Debug, Serialize)]
pub(in crate::store) struct EventOut {
    pub user_id: String,
    pub seq: i64,
    pub turn_id: Option<TurnId>,
    pub kind: &'static str,
    pub payload: String,
    pub prev_hash: String,
    pub hash: String,
    pub created_at: String,
}

/// A turn that has no reply yet; without a journal it has one.
#[derive(Debug, Serialize)]
pub(in crate::store) struct OpenTurnOut {
    pub user_id: String,
    pub turn_id: TurnId,
    pub conversation_id: Option<ConversationId>,
    pub key: Option<String>,
    pub owner: Option<String>,
    pub journal: Option<String>,
}

/// The rows as they are handed to a database: for each kind a JSON array, in the order in which
/// the writing statements take them. What is written about runs goes apart.
#[derive(Debug, Default)]
pub(in crate::store) struct JsonRows([String; 9]);

impl JsonRows {
    pub(in crate::store) fn of(batch: &RowBatch) -> serde_json::Result<Self> {
        Self::of_all(&[batch])
    }

    /// The rows of all, in their order.
    pub(in crate::store) fn of_all(all: &[&RowBatch]) -> serde_json::Result<Self> {
        Ok(Self([
            list(all, |batch| &batch.tasks)?,
            list(all, |batch| &batch.commits)?,
            list(all, |batch| &batch.conversations)?,
            list(all, |batch| &batch.messages)?,
            list(all, |batch| &batch.questions)?,
            list(all, |batch| &batch.receipts)?,
            list(all, |batch| &batch.keys)?,
            list(all, |batch| &batch.events)?,
            list(all, |batch| &batch.open_turns)?,
        ]))
    }

    /// The arrays.
    pub(in crate::store) fn into_texts(self) -> [String; 9] {
        self.0
    }
}

impl RowBatch {
    /// A batch whose receipts hold their images.
    pub(in crate::store) fn with_images() -> Self {
        Self {
            images: true,
            ..Self::default()
        }
    }

    /// Adds an event of the log.
    pub(super) fn event(&mut self, user_id: &str, row: audit::AuditRow) {
        self.events.push(EventOut {
            user_id: user_id.to_owned(),
            seq: row.seq,
            turn_id: row.turn_id,
            kind: row.kind.as_str(),
            payload: row.payload,
            prev_hash: row.prev_hash,
            hash: row.hash,
            created_at: stamp(row.created_at),
        });
    }

    /// Adds the commit itself, with its span of the log and where the log stands after it.
    pub(super) fn commit(&mut self, unit: &Unit, first_seq: i64, head: &ChainHead) {
        self.commits.push(CommitOut {
            user_id: unit.user().to_string(),
            attempt_id: unit.attempt(),
            turn_id: unit.turn(),
            conversation_id: unit.conversation(),
            first_seq,
            last_seq: head.seq,
            head_hash: head.hash.clone(),
            created_at: stamp(unit.now()),
        });
    }

    /// Adds a receipt, under the number of its event.
    pub(super) fn receipt(
        &mut self,
        unit: &Unit,
        facts: &ReceiptFacts,
        seq: i64,
    ) -> serde_json::Result<()> {
        let images = self.images.then_some(facts);
        self.receipts.push(ReceiptOut {
            user_id: unit.user().to_string(),
            seq,
            id: facts.id,
            turn_id: facts.turn_id,
            conversation_id: facts.conversation_id,
            action: facts.action.as_str(),
            task_id: facts.task_id,
            before: json(images.and_then(|facts| facts.before.as_ref()))?,
            after: json(images.and_then(|facts| facts.after.as_ref()))?,
            reading: json(images.and_then(|facts| facts.reading.as_ref()))?,
            run: json(facts.run.as_ref())?,
            undoes: facts.undoes,
            created_at: stamp(facts.at),
        });
        Ok(())
    }

    /// Adds what a unit writes to one task in all.
    pub(super) fn task(&mut self, unit: &Unit, write: &RowWrite) {
        let task = &write.task;
        let reminders = task.reminders.iter();
        self.tasks.push(TaskOut {
            user_id: unit.user().to_string(),
            id: task.id,
            title: task.title.as_str().to_owned(),
            description: task.description.clone(),
            status: task.status.as_str(),
            priority: task.priority.as_str(),
            due_date: task.due_date.map(|day| day.to_string()),
            due_time: task.due_time.map(|time| time.to_string()),
            due_zone: task.due_time.map(|time| time.zone().name()),
            repeat: task.repeat.as_ref().map(ToString::to_string),
            assignee: task.assignee.clone(),
            created_at: stamp(task.created_at),
            updated_at: stamp(task.updated_at),
            completed_at: match task.status {
                Status::Pending => None,
                Status::Completed { at } => Some(stamp(at)),
            },
            deleted_at: write.deleted.then(|| stamp(unit.now())),
            version: task.version,
            reminders: reminders.map(|one| ReminderOut::of(unit, one)).collect(),
        });
    }

    /// Adds what is kept beside the changes.
    pub(super) fn record(&mut self, unit: &Unit, record: &CommitRecord) {
        let user_id = unit.user().as_str();
        let at = stamp(unit.now());
        if let Some((id, version)) = record.conversation {
            self.conversations.push(ConversationOut {
                user_id: user_id.to_owned(),
                id,
                title: record.title.clone(),
                version: version + 1,
                frame: record.frame.clone(),
                at: at.clone(),
            });
            let messages = record.messages.iter().map(|message| MessageOut {
                user_id: user_id.to_owned(),
                conversation_id: id,
                id: message.id,
                role: message.role.as_str(),
                content: message.content.clone(),
                created_at: at.clone(),
            });
            self.messages.extend(messages);
            self.question(user_id, id, &record.question);
        }
        self.keys.extend(record.keyed.iter().map(|answer| KeyOut {
            user_id: user_id.to_owned(),
            key: answer.key.clone(),
            fingerprint: answer.fingerprint.clone(),
            status: answer.status,
            body: answer.body.clone(),
            created_at: at.clone(),
            claimed: record.claimed,
        }));
        self.open_turn(unit, &record.open);
    }

    fn open_turn(&mut self, unit: &Unit, write: &OpenWrite) {
        let journal = match write {
            OpenWrite::None => return,
            OpenWrite::Begin(journal) | OpenWrite::Keep(journal) => Some(journal),
            OpenWrite::End { .. } => None,
        };
        self.open_turns.push(OpenTurnOut {
            user_id: unit.user().to_string(),
            turn_id: unit.turn(),
            conversation_id: unit.conversation(),
            key: journal.and_then(|journal| journal.key.clone()),
            owner: journal.map(|journal| journal.owner.clone()),
            journal: journal.map(|journal| journal.text.clone()),
        });
    }

    fn question(&mut self, user_id: &str, conversation_id: ConversationId, write: &QuestionWrite) {
        let asked = match write {
            QuestionWrite::Keep => return,
            QuestionWrite::Close => None,
            QuestionWrite::Ask(question) => Some(question),
        };
        self.questions.push(QuestionOut {
            user_id: user_id.to_owned(),
            conversation_id,
            id: asked.map(|question| question.id),
            body: asked.map(|question| question.body.clone()),
            expires_at: asked.map(|question| stamp(question.expires_at)),
        });
    }
}

fn list<T: Serialize>(
    all: &[&RowBatch],
    rows: fn(&RowBatch) -> &Vec<T>,
) -> serde_json::Result<String> {
    let mut text = Vec::new();
    serde_json::Serializer::new(&mut text).collect_seq(all.iter().flat_map(|batch| rows(batch)))?;
    String::from_utf8(text).map_err(serde::ser::Error::custom)
}

fn json<T: Serialize>(value: Option<&T>) -> serde_json::Result<Option<String>> {
    value.map(serde_json::to_string).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_many_are_put_together_in_their_order() {
        let closed = |user: &str| QuestionOut {
            user_id: user.to_owned(),
            conversation_id: ConversationId::new(uuid::Uuid::nil()),
            id: None,
            body: None,
            expires_at: None,
        };
        let batch = |users: &[&str]| RowBatch {
            questions: users.iter().map(|user| closed(user)).collect(),
            ..RowBatch::default()
        };
        let all = [batch(&["a", "b"]), batch(&[]), batch(&["c"])];
        let rows = JsonRows::of_all(&all.each_ref()).unwrap().into_texts();
        let told: serde_json::Value = serde_json::from_str(&rows[4]).unwrap();
        let users = [0, 1, 2].map(|at| told[at]["user_id"].as_str().unwrap());
        assert_eq!(
            (users, told.as_array().unwrap().len()),
            (["a", "b", "c"], 3)
        );
        let others = rows.iter().enumerate().filter(|(place, _)| *place != 4);
        assert!(others.clone().all(|(_, text)| text == "[]"), "{rows:?}");
        let none = JsonRows::of_all(&[]).unwrap().into_texts();
        assert!(none.iter().all(|text| text == "[]"), "{none:?}");
    }
}
