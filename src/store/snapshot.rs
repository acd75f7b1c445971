//! Snapshot that a turn starts from: one consistent reading of everything it needs.

use chrono::{DateTime, Utc};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::backend::StoreError;
use super::open::OpenTurn;
use super::record::{KeyedAnswer, MessageRole};
use super::snapshot_cache::{CacheMark, LogPosition};
use super::{blocking, rows};
use crate::audit::ChainHead;
use crate::domain::{ConversationId, MessageId, QuestionId, Task, TaskId, UserId};
use crate::resolver::TaskList;

/// One user's state as of one moment.
#[derive(Debug, Clone)]
pub struct UserSnapshot {
    /// User of the data.
    pub user: UserId,
    /// All tasks that are not deleted, oldest first.
    pub tasks: TaskList,
    /// The conversation, when one was asked for and exists.
    pub conversation: Option<ConversationState>,
    /// The stored answer under the idempotency key that was asked for.
    pub keyed: Option<KeyedAnswer>,
    /// A turn under that key, or else of that conversation, that has no reply yet.
    pub open: Option<OpenTurn>,
    /// From memory, and which; what is decided on it says so when it is committed.
    pub recalled: Option<CacheMark>,
}

impl UserSnapshot {
    /// The task of that id, unless it is deleted.
    pub fn task(&self, id: TaskId) -> Option<&Task> {
        self.tasks.get(id)
    }
}

/// A conversation with what the next turn needs of it.
#[derive(Debug, Clone, PartialEq)]
pub struct ConversationState {
    /// Its id.
    pub id: ConversationId,
    /// Counts turns from 1; a commit names the version it was decided on.
    pub version: i64,
    /// The frame of the latest turn, as JSON.
    pub frame: String,
    /// The newest twenty messages, oldest first.
    pub messages: Vec<StoredMessage>,
    /// The question that waits for an answer, expired or not.
    pub question: Option<PendingQuestion>,
}

/// One line of a conversation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct StoredMessage {
    /// Its id.
    pub id: MessageId,
    /// Its speaker.
    pub role: MessageRole,
    /// Its words.
    pub content: String,
    /// Its time.
    pub created_at: DateTime<Utc>,
}

/// A question that waits for an answer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct PendingQuestion {
    /// Its id.
    pub id: QuestionId,
    /// The question and what each answer would do, as JSON of the asking layer.
    pub body: String,
    /// After this it is as if it had never been asked.
    pub expires_at: DateTime<Utc>,
}

/// A snapshot of the texts that its statement gives, and where the user's rows stood.
pub(in crate::store) async fn parse(
    user: &UserId,
    row: &[Option<String>],
) -> Result<(UserSnapshot, LogPosition), StoreError> {
    let [
        tasks,
        conversation,
        messages,
        question,
        keyed,
        open,
        recorded,
        last,
        version,
        reminders,
    ] = row
    else {
        return Err(StoreError::Unavailable("a snapshot lacks columns".into()));
    };
    fn text(column: &Option<String>) -> &str {
        column.as_deref().unwrap_or("[]")
    }
    fn one<T: DeserializeOwned>(
        table: &'static str,
        column: &Option<String>,
    ) -> Result<Option<T>, StoreError> {
        let row = column.as_deref().map(|text| rows::row(table, text));
        row.transpose()
    }
    let tasks =
        blocking::task_list(user, text(tasks).to_owned(), text(reminders).to_owned()).await?;
    let conversation = conversation
        .as_deref()
        .map(|of| rows::conversation(of, text(messages), question.as_deref()));
    let heads = [recorded, last].into_iter().flatten();
    let heads: Vec<ChainHead> = heads
        .map(|head| rows::whole("commits", head))
        .collect::<Result<_, _>>()?;
    let version = version.as_deref().map(|of| rows::whole("ledgers", of));
    let stand = LogPosition {
        head: (heads.into_iter()).fold(ChainHead::genesis(), ChainHead::or_further),
        version: version.transpose()?.unwrap_or(0),
    };
    let snapshot = UserSnapshot {
        user: user.clone(),
        tasks,
        conversation: conversation.transpose()?,
        keyed: one("idempotency_keys", keyed)?,
        open: one("open_turns", open)?,
        recalled: None,
    };
    Ok((snapshot, stand))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_written_with_its_instant_as_short_as_it_is() {
        let said = StoredMessage {
            id: MessageId::new(uuid::Uuid::from_u128(7)),
            role: MessageRole::Assistant,
            content: "\"Added\": déjà vu\n".to_owned(),
            created_at: DateTime::from_timestamp(1_770_544_800, 0).unwrap(),
        };
        let expected = serde_json::json!({
            "id": "00000000-0000-0000-0000-000000000007",
            "role": "assistant",
            "content": "\"Added\": déjà vu\n",
            "created_at": "2026-02-08T10:00:00Z",
        });
        assert_eq!(serde_json::to_value(&said).unwrap(), expected);
    }
}
