//! The rows a commit writes, as every backend is handed them: lists of flat objects.
//!
//! Decides nothing: what is in a [`Batch`] was admitted.

use chrono::{DateTime, Utc};
use serde::Serialize;

use super::delegation::RunBatch;
use super::open::OpenWrite;
use super::receipt::Facts;
use super::record::{QuestionWrite, Record};
use super::rows::stamp;
use super::unit::{Unit, Write};
use crate::audit::{self, Head};
use crate::domain::{
    AttemptId, ConversationId, MessageId, QuestionId, ReceiptId, Status, TaskId, TurnId,
};

/// The rows of one unit or of many.
#[derive(Debug, Default)]
pub(in crate::store) struct Batch<'a> {
    pub tasks: Vec<TaskOut<'a>>,
    pub commits: Vec<CommitOut<'a>>,
    pub conversations: Vec<ConversationOut<'a>>,
    pub messages: Vec<MessageOut<'a>>,
    pub questions: Vec<QuestionOut<'a>>,
    pub receipts: Vec<ReceiptOut<'a>>,
    pub keys: Vec<KeyOut<'a>>,
    pub events: Vec<EventOut<'a>>,
    pub open_turns: Vec<OpenTurnOut<'a>>,
    pub runs: RunBatch,
}

#[derive(Debug, Serialize)]
pub(in crate::store) struct TaskOut<'a> {
    user_id: &'a str,
    id: TaskId,
    title: &'a str,
    description: Option<&'a str>,
    status: &'static str,
    priority: &'static str,
    due_date: Option<String>,
    assignee: Option<&'a str>,
    created_at: String,
    updated_at: String,
    completed_at: Option<String>,
    deleted_at: Option<String>,
    version: i64,
}

#[derive(Debug, Serialize)]
pub(in crate::store) struct CommitOut<'a> {
    user_id: &'a str,
    attempt_id: AttemptId,
    turn_id: TurnId,
    conversation_id: Option<ConversationId>,
    first_seq: i64,
    last_seq: i64,
    head_hash: String,
    created_at: String,
}

#[derive(Debug, Serialize)]
pub(in crate::store) struct ConversationOut<'a> {
    user_id: &'a str,
    id: ConversationId,
    title: Option<&'a str>,
    version: i64,
    frame: Option<&'a str>,
    at: String,
}

#[derive(Debug, Serialize)]
pub(in crate::store) struct MessageOut<'a> {
    user_id: &'a str,
    conversation_id: ConversationId,
    id: MessageId,
    role: &'static str,
    content: &'a str,
    created_at: String,
}

/// A question that is asked, or (without an id) closed.
#[derive(Debug, Serialize)]
pub(in crate::store) struct QuestionOut<'a> {
    user_id: &'a str,
    conversation_id: ConversationId,
    id: Option<QuestionId>,
    body: Option<&'a str>,
    expires_at: Option<String>,
}

#[derive(Debug, Serialize)]
pub(in crate::store) struct ReceiptOut<'a> {
    user_id: &'a str,
    seq: i64,
    id: ReceiptId,
    turn_id: TurnId,
    conversation_id: Option<ConversationId>,
    action: &'static str,
    task_id: Option<TaskId>,
    before: Option<String>,
    after: Option<String>,
    reading: Option<String>,
    run: Option<String>,
    undoes: Option<ReceiptId>,
    created_at: String,
}

#[derive(Debug, Serialize)]
pub(in crate::store) struct KeyOut<'a> {
    user_id: &'a str,
    key: &'a str,
    fingerprint: &'a str,
    status: u16,
    body: &'a str,
    created_at: String,
    claimed: bool,
}

#[derive(Debug, Serialize)]
pub(in crate::store) struct EventOut<'a> {
    user_id: &'a str,
    seq: i64,
    turn_id: Option<TurnId>,
    kind: &'static str,
    payload: String,
    prev_hash: String,
    hash: String,
    created_at: String,
}

/// A turn that has no reply yet; without a journal it has one.
#[derive(Debug, Serialize)]
pub(in crate::store) struct OpenTurnOut<'a> {
    user_id: &'a str,
    turn_id: TurnId,
    conversation_id: Option<ConversationId>,
    key: Option<&'a str>,
    owner: Option<&'a str>,
    journal: Option<&'a str>,
}

/// The rows as they are handed to a database: for each kind a JSON array, in the order in which
/// the writing statements take them. What is written about runs goes apart.
#[derive(Debug, Default)]
pub(in crate::store) struct Rows([String; 9]);

impl Rows {
    pub(in crate::store) fn of(batch: &Batch<'_>) -> serde_json::Result<Self> {
        use serde_json::to_string;
        Ok(Self([
            to_string(&batch.tasks)?,
            to_string(&batch.commits)?,
            to_string(&batch.conversations)?,
            to_string(&batch.messages)?,
            to_string(&batch.questions)?,
            to_string(&batch.receipts)?,
            to_string(&batch.keys)?,
            to_string(&batch.events)?,
            to_string(&batch.open_turns)?,
        ]))
    }

    /// The rows of all, in their order.
    pub(in crate::store) fn joined<'a>(all: impl Iterator<Item = &'a Self> + Clone) -> Self {
        let mut joined = Self::default();
        for (place, text) in joined.0.iter_mut().enumerate() {
            let lists = all.clone().filter_map(|rows| rows.0.get(place));
            let lists = lists.filter_map(|list| list.strip_prefix('[')?.strip_suffix(']'));
            let lists = lists.filter(|list| !list.is_empty());
            text.reserve(lists.clone().map(|list| list.len() + 1).sum::<usize>() + 2);
            text.push('[');
            for list in lists {
                if text.len() > 1 {
                    text.push(',');
                }
                text.push_str(list);
            }
            text.push(']');
        }
        joined
    }

    /// The arrays.
    pub(in crate::store) fn into_texts(self) -> [String; 9] {
        self.0
    }
}

impl<'a> Batch<'a> {
    /// Adds an event of the log.
    pub(super) fn event(&mut self, user_id: &'a str, row: audit::Row) {
        self.events.push(EventOut {
            user_id,
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
    pub(super) fn commit(&mut self, unit: &'a Unit, first_seq: i64, head: &Head) {
        self.commits.push(CommitOut {
            user_id: unit.user().as_str(),
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
        unit: &'a Unit,
        facts: &Facts,
        seq: i64,
    ) -> serde_json::Result<()> {
        self.receipts.push(ReceiptOut {
            user_id: unit.user().as_str(),
            seq,
            id: facts.id,
            turn_id: facts.turn_id,
            conversation_id: facts.conversation_id,
            action: facts.action.as_str(),
            task_id: facts.task_id,
            before: json(facts.before.as_ref())?,
            after: json(facts.after.as_ref())?,
            reading: json(facts.reading.as_ref())?,
            run: json(facts.run.as_ref())?,
            undoes: facts.undoes,
            created_at: stamp(facts.at),
        });
        Ok(())
    }

    /// Adds what a unit writes to one task in all.
    pub(super) fn task(&mut self, user_id: &'a str, write: &'a Write, at: DateTime<Utc>) {
        let task = &write.task;
        self.tasks.push(TaskOut {
            user_id,
            id: task.id,
            title: task.title.as_str(),
            description: task.description.as_deref(),
            status: task.status.as_str(),
            priority: task.priority.as_str(),
            due_date: task.due_date.map(|day| day.to_string()),
            assignee: task.assignee.as_deref(),
            created_at: stamp(task.created_at),
            updated_at: stamp(task.updated_at),
            completed_at: match task.status {
                Status::Pending => None,
                Status::Completed { at } => Some(stamp(at)),
            },
            deleted_at: write.deleted.then(|| stamp(at)),
            version: task.version,
        });
    }

    /// Adds what is kept beside the changes.
    pub(super) fn record(&mut self, unit: &'a Unit, record: &'a Record) {
        let user_id = unit.user().as_str();
        let at = stamp(unit.now());
        if let Some((id, version)) = record.conversation {
            self.conversations.push(ConversationOut {
                user_id,
                id,
                title: record.title.as_deref(),
                version: version + 1,
                frame: record.frame.as_deref(),
                at: at.clone(),
            });
            let messages = record.messages.iter().map(|message| MessageOut {
                user_id,
                conversation_id: id,
                id: message.id,
                role: message.role.as_str(),
                content: &message.content,
                created_at: at.clone(),
            });
            self.messages.extend(messages);
            self.question(user_id, id, &record.question);
        }
        self.keys.extend(record.keyed.iter().map(|answer| KeyOut {
            user_id,
            key: &answer.key,
            fingerprint: &answer.fingerprint,
            status: answer.status,
            body: &answer.body,
            created_at: at.clone(),
            claimed: record.claimed,
        }));
        self.open_turn(unit, &record.open);
    }

    fn open_turn(&mut self, unit: &'a Unit, write: &'a OpenWrite) {
        let journal = match write {
            OpenWrite::None => return,
            OpenWrite::Begin(journal) | OpenWrite::Keep(journal) => Some(journal),
            OpenWrite::End { .. } => None,
        };
        self.open_turns.push(OpenTurnOut {
            user_id: unit.user().as_str(),
            turn_id: unit.turn(),
            conversation_id: unit.conversation(),
            key: journal.and_then(|journal| journal.key.as_deref()),
            owner: journal.map(|journal| journal.owner.as_str()),
            journal: journal.map(|journal| journal.text.as_str()),
        });
    }

    fn question(
        &mut self,
        user_id: &'a str,
        conversation_id: ConversationId,
        write: &'a QuestionWrite,
    ) {
        let asked = match write {
            QuestionWrite::Keep => return,
            QuestionWrite::Close => None,
            QuestionWrite::Ask(question) => Some(question),
        };
        self.questions.push(QuestionOut {
            user_id,
            conversation_id,
            id: asked.map(|question| question.id),
            body: asked.map(|question| question.body.as_str()),
            expires_at: asked.map(|question| stamp(question.expires_at)),
        });
    }
}

fn json<T: Serialize>(value: Option<&T>) -> serde_json::Result<Option<String>> {
    value.map(serde_json::to_string).transpose()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_many_are_put_together_in_their_order() {
        let rows = |first: &str, last: &str| {
            let mut rows = Rows::default();
            rows.0 = std::array::from_fn(|place| match place {
                0 => first.to_owned(),
                8 => last.to_owned(),
                _ => "[]".to_owned(),
            });
            rows
        };
        let all = [
            rows("[1,2]", "[]"),
            rows("[]", "[\"]\"]"),
            rows("[3]", "[4]"),
        ];
        let joined = Rows::joined(all.iter()).into_texts();
        assert_eq!(
            (joined[0].as_str(), joined[8].as_str()),
            ("[1,2,3]", "[\"]\",4]")
        );
        assert!(joined[1..8].iter().all(|text| text == "[]"), "{joined:?}");
        let none = Rows::joined([].iter()).into_texts();
        assert!(none.iter().all(|text| text == "[]"), "{none:?}");
    }
}
