//! Snapshot that a turn starts from: one consistent reading of everything it needs.

use std::ops::Deref;
use std::sync::{Arc, OnceLock};

use chrono::{DateTime, SecondsFormat, Utc};
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

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

/// One line of a conversation. Cheap to clone: a line never changes, and each of the twenty turns
/// that show it hands it on and writes it down.
#[derive(Debug, Clone)]
pub struct StoredMessage(Arc<MessageParts>);

#[derive(Debug)]
struct MessageParts {
    line: MessageLine,
    /// As JSON, once it was.
    written: OnceLock<Box<RawValue>>,
}

/// Line that a [`StoredMessage`] holds.
#[derive(Debug, PartialEq, Serialize)]
pub struct MessageLine {
    /// Its id.
    pub id: MessageId,
    /// Its speaker.
    pub role: MessageRole,
    /// Its words.
    pub content: String,
    /// Its time.
    #[serde(serialize_with = "write_instant")]
    pub created_at: DateTime<Utc>,
}

/// As chrono writes it, in one piece.
fn write_instant<S: Serializer>(at: &DateTime<Utc>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(&at.to_rfc3339_opts(SecondsFormat::AutoSi, true))
}

impl StoredMessage {
    /// A line.
    pub fn new(line: MessageLine) -> Self {
        Self(Arc::new(MessageParts {
            line,
            written: OnceLock::new(),
        }))
    }
}

impl Deref for StoredMessage {
    type Target = MessageLine;

    fn deref(&self) -> &MessageLine {
        &self.0.line
    }
}

impl PartialEq for StoredMessage {
    fn eq(&self, other: &Self) -> bool {
        self.0.line == other.0.line
    }
}

impl Serialize for StoredMessage {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let MessageParts { line, written } = &*self.0;
        if let Some(written) = written.get() {
            return written.serialize(to);
        }
        let now = serde_json::value::to_raw_value(line).map_err(S::Error::custom)?;
        written.get_or_init(|| now).serialize(to)
    }
}

/// A question that waits for an answer.
#[derive(Debug, Clone, PartialEq)]
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
    let tasks = blocking::task_list(user, text(tasks), text(reminders)).await?;
    let conversation = conversation
        .as_deref()
        .map(|of| rows::conversation(of, text(messages), question.as_deref()));
    let heads = [recorded, last].into_iter().flatten();
    let heads: Vec<ChainHead> = heads
        .map(|head| rows::head(head))
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
        keyed: keyed.as_deref().map(rows::keyed).transpose()?,
        open: open.as_deref().map(rows::open_turn).transpose()?,
        recalled: None,
    };
    Ok((snapshot, stand))
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

    #[test]
    fn a_line_is_written_the_same_however_often() {
        let line = |content: &str| {
            StoredMessage::new(MessageLine {
                id: MessageId::new(uuid::Uuid::from_u128(7)),
                role: MessageRole::Assistant,
                content: content.to_owned(),
                created_at: DateTime::from_timestamp(1_770_544_800, 0).unwrap(),
            })
        };
        let said = line("\"Added\": déjà vu\n");
        let expected = serde_json::json!({
            "id": "00000000-0000-0000-0000-000000000007",
            "role": "assistant",
            "content": "\"Added\": déjà vu\n",
            "created_at": "2026-02-08T10:00:00Z",
        });
        let first = serde_json::to_string(&said).unwrap();
        for copy in [said.clone(), said] {
            assert_eq!(serde_json::to_string(&copy).unwrap(), first);
            assert_eq!(serde_json::to_value(&copy).unwrap(), expected);
            // A line that was written is the line that was not.
            assert_eq!(copy, line(&copy.content));
            assert_ne!(copy, line("else"));
        }
    }
}
