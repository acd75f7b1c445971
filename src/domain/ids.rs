//! Ids are kinds: a conversation can't be passed where a task is meant.

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! id {
    ($($(#[$doc:meta])* $name:ident),+ $(,)?) => {$(
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(Uuid);

        impl $name {
            /// Wraps a UUID that was read from storage or made by the caller's id source.
            pub const fn new(uuid: Uuid) -> Self {
                Self(uuid)
            }

            /// The bare UUID, for storage and for wire formats.
            pub const fn uuid(self) -> Uuid {
                self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.hyphenated().fmt(f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::try_parse(text).map(Self)
            }
        }
    )+};
}

id! {
    /// A task of one user.
    TaskId,
    /// A conversation of one user.
    ConversationId,
    /// One message and everything that was done and said because of it.
    TurnId,
    /// One committed change or read.
    ReceiptId,
    /// One line of a conversation, said by the user or by us.
    MessageId,
    /// A pending question that waits for an answer.
    QuestionId,
    /// One try to commit; looked up when the commit's fate is unknown.
    AttemptId,
    /// One reminder of a task.
    ReminderId,
    /// One round of work of an agent.
    RunId,
    /// One agent's conversation, which outlives its runs.
    SessionId,
}

/// User of the data: the subject of the credential, never an argument of a tool.
///
/// 1 to 128 characters of `A-Z a-z 0-9 . _ @ : | + -`, which covers UUIDs,
/// e-mail addresses and the `sub` claims of the common identity providers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct UserId(String);

/// A user id that can't be one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a user id has 1 to 128 characters of A-Z a-z 0-9 . _ @ : | + -")]
pub struct InvalidUserId;

impl UserId {
    /// Parses a user id.
    ///
    /// # Errors
    /// [`InvalidUserId`] when the text is empty, too long or has other characters.
    ///
    /// ```
    /// use candor::domain::UserId;
    /// assert!(UserId::parse("me").is_ok());
    /// assert!(UserId::parse("a/../b").is_err());
    /// ```
    pub fn parse(text: &str) -> Result<Self, InvalidUserId> {
        let allowed = |b: u8| b.is_ascii_alphanumeric() || b"._@:|+-".contains(&b);
        if text.is_empty() || text.len() > 128 || !text.bytes().all(allowed) {
            return Err(InvalidUserId);
        }
        Ok(Self(text.to_owned()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for UserId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for UserId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "UserId({})", self.0)
    }
}

text_form!(UserId: InvalidUserId = parse);

/// Source of new ids: random in production, seeded in a simulation.
#[derive(Clone)]
pub struct IdSource(std::sync::Arc<dyn Fn() -> Uuid + Send + Sync>);

impl IdSource {
    /// UUIDv7: time-ordered and random, so that ids sort as they were made.
    pub fn random() -> Self {
        Self::from_fn(Uuid::now_v7)
    }

    /// Ids from `next`; it must never repeat one.
    pub fn from_fn(next: impl Fn() -> Uuid + Send + Sync + 'static) -> Self {
        Self(std::sync::Arc::new(next))
    }

    /// A new id.
    pub fn next(&self) -> Uuid {
        (self.0)()
    }
}

impl fmt::Debug for IdSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("IdSource")
    }
}
