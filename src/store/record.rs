//! Rows that a commit writes beside the changes, and the three ways it can end.

use serde::{Deserialize, Serialize};

use super::open::OpenWrite;
use super::receipt::Receipt;
use super::snapshot::PendingQuestion;
use super::snapshot_cache::CacheMark;
use super::unit::Unit;
use crate::audit::AuditEvent;
use crate::domain::{ConversationId, MessageId, RunHandle, TaskId, TurnId, words};

words! {
    /// Speaker of a line.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum MessageRole {
        /// The user.
        User = "user",
        /// We.
        Assistant = "assistant",
    }
}

/// A line to be kept.
#[derive(Debug, Clone, PartialEq)]
pub struct NewMessage {
    /// Its id; time-ordered, so that ids sort as lines do.
    pub id: MessageId,
    /// Its speaker.
    pub role: MessageRole,
    /// Its words.
    pub content: String,
}

/// Change of the conversation's pending question.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum QuestionWrite {
    /// The question stays.
    #[default]
    Keep,
    /// The question is closed.
    Close,
    /// The question is replaced.
    Ask(PendingQuestion),
}

/// A stored answer under an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct KeyedAnswer {
    /// The key, unquoted.
    pub key: String,
    /// SHA-256 (hex) of the request it answered.
    pub fingerprint: String,
    /// HTTP status.
    pub status: u16,
    /// The body, byte for byte.
    pub body: String,
}

impl KeyedAnswer {
    /// The status of a claim: "Processing".
    const CLAIM: u16 = 102;

    /// Holds a key for a turn that has changed something and has no answer yet. No other turn
    /// can change anything under that key, whichever process it runs in.
    pub fn claim(key: String, fingerprint: String, turn: TurnId) -> Self {
        Self {
            key,
            fingerprint,
            status: Self::CLAIM,
            body: turn.to_string(),
        }
    }

    /// Tells whether the answer is still to come.
    pub const fn is_claim(&self) -> bool {
        self.status == Self::CLAIM
    }
}

/// Record that a commit writes beside the changes of its unit.
#[derive(Debug, Clone, Default)]
pub struct CommitRecord {
    /// The conversation and the version this was decided on (0: it is new); none for REST and MCP.
    pub conversation: Option<(ConversationId, i64)>,
    /// Its title, when it is new.
    pub title: Option<String>,
    /// Its frame from now on, as JSON; none leaves it.
    pub frame: Option<String>,
    /// Change of the pending question.
    pub question: QuestionWrite,
    /// Lines said.
    pub messages: Vec<NewMessage>,
    /// Events for the audit log, in order.
    pub events: Vec<AuditEvent>,
    /// The answer to keep under an idempotency key.
    pub keyed: Option<KeyedAnswer>,
    /// An earlier commit of this turn claimed the key: the answer takes the claim's place.
    pub claimed: bool,
    /// Change of its turn's row among those that have no reply yet.
    pub open: OpenWrite,
    /// Set when it was decided on a snapshot from memory: written only if that was true.
    pub recalled: Option<CacheMark>,
}

/// Outcome of a commit.
#[derive(Debug)]
#[must_use = "a commit has three ends; each needs its own words"]
pub enum CommitResult {
    /// Everything is written and survives a power cut.
    Committed(CommittedUnit),
    /// Nothing is written.
    RolledBack(RollbackCause),
    /// The connection broke after COMMIT was sent: it may or may not be written, which is looked up
    /// by the unit's attempt.
    Unknown,
}

/// Proof that a unit was committed: its receipts, in order.
#[derive(Debug)]
pub struct CommittedUnit {
    receipts: Vec<Receipt>,
}

impl CommittedUnit {
    pub(in crate::store) const fn new(receipts: Vec<Receipt>) -> Self {
        Self { receipts }
    }

    /// The receipts of a unit whose transaction has committed.
    pub(in crate::store) fn of(unit: Unit) -> Self {
        Self::new(unit.into_drafts().into_iter().map(Receipt::mint).collect())
    }

    /// The receipts, in the order of the unit's drafts.
    pub fn receipts(&self) -> &[Receipt] {
        &self.receipts
    }

    /// Gives the receipts to a ledger that goes on with the turn.
    pub fn into_receipts(self) -> Vec<Receipt> {
        self.receipts
    }
}

/// Reason why nothing was written.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RollbackCause {
    /// A task was changed by another hand since the snapshot.
    #[error("task {0} was changed meanwhile")]
    TaskMoved(TaskId),
    /// A run does not stand where it was thought to, or its number was taken.
    #[error("{0} moved meanwhile")]
    RunMoved(RunHandle),
    /// Somebody else took a reminder since, or it is gone.
    #[error("a reminder was taken by another server meanwhile")]
    ReminderMoved,
    /// Another turn of the same conversation committed since the snapshot.
    #[error("the conversation went on meanwhile")]
    ConversationMoved,
    /// The idempotency key was used meanwhile.
    #[error("the idempotency key was used meanwhile")]
    KeyTaken,
    /// Somebody who took this turn's process for dead has ended the turn.
    #[error("the turn was ended meanwhile")]
    TurnEnded,
    /// The snapshot it was decided on was remembered, and another process has written since.
    #[error("another process changed the list meanwhile")]
    OutOfDate,
    /// A receipt was already taken back.
    #[error("a change was already undone")]
    AlreadyUndone,
    /// The database refused or could not be reached before anything was decided.
    #[error("the database could not write: {0}")]
    Storage(String),
}
