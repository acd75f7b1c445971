//! What a turn starts from: one consistent reading of everything it needs.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize, Serializer};

use super::active::Recalled;
use super::open::OpenTurn;
use super::record::{KeyedAnswer, Role};
use crate::domain::{ConversationId, MessageId, QuestionId, Task, TaskId, UserId};
use crate::resolver::TaskList;

/// One user's state as of one moment.
#[derive(Debug, Clone)]
pub struct Snapshot {
    /// Whose.
    pub user: UserId,
    /// All tasks that are not deleted, oldest first.
    pub tasks: TaskList,
    /// The conversation, when one was asked for and exists.
    pub conversation: Option<Conversation>,
    /// The stored answer under the idempotency key that was asked for.
    pub keyed: Option<KeyedAnswer>,
    /// A turn under that key, or else of that conversation, that has no reply yet.
    pub open: Option<OpenTurn>,
    /// From memory, and which; what is decided on it says so when it is committed.
    pub recalled: Option<Recalled>,
}

impl Snapshot {
    /// The task of that id, unless it is deleted.
    pub fn task(&self, id: TaskId) -> Option<&Task> {
        self.tasks.get(id)
    }
}

/// A conversation with what the next turn needs of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Conversation {
    /// Which.
    pub id: ConversationId,
    /// Counts turns from 1; a commit names the version it was decided on.
    pub version: i64,
    /// The frame of the latest turn, as JSON.
    pub frame: String,
    /// The newest twenty messages, oldest first.
    pub messages: Vec<Message>,
    /// What waits for an answer, expired or not.
    pub question: Option<PendingQuestion>,
}

/// As chrono writes it, in one piece: each reply shows twenty of them.
fn write_instant<S: Serializer>(at: &DateTime<Utc>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&at.to_rfc3339_opts(SecondsFormat::AutoSi, true))
}

/// One line of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Message {
    /// Which.
    pub id: MessageId,
    /// Who said it.
    pub role: Role,
    /// What was said.
    pub content: String,
    /// When.
    #[serde(serialize_with = "write_instant")]
    pub created_at: DateTime<Utc>,
}

/// A question that waits for an answer.
#[derive(Debug, Clone, PartialEq)]
pub struct PendingQuestion {
    /// Which.
    pub id: QuestionId,
    /// What is asked and what each answer would do, as JSON of the asking layer.
    pub body: String,
    /// After this it is as if it had never been asked.
    pub expires_at: DateTime<Utc>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instant_is_written_as_everywhere_else() {
        for nanos in [0, 1_000_000, 123_456_000, 999_999_999] {
            let at = DateTime::from_timestamp(1_770_544_800, nanos).unwrap();
            let written = write_instant(&at, serde_json::value::Serializer);
            assert_eq!(written.unwrap(), serde_json::json!(at));
        }
    }
}
