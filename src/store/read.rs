//! Queries to the store beside a turn's snapshot, and what comes back.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::receipt::Receipt;
use crate::audit::EventKind;
use crate::domain::{ConversationId, ReceiptId, Task, TurnId, UserId};

/// Filter of tasks, and how many of them at once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct TaskQuery {
    /// Only done ones, or only open ones.
    pub completed: Option<bool>,
    /// Only those whose title or note contains these words, whatever their case and accents.
    pub q: Option<String>,
    /// At most so many; none means all.
    pub limit: Option<u32>,
    /// Goes on where a page ended: its `next_cursor`.
    pub cursor: Option<String>,
}

/// Some tasks, newest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskPage {
    /// The tasks.
    pub tasks: Vec<Task>,
    /// Place at which the next page begins, when there is one.
    pub next_cursor: Option<String>,
}

/// A conversation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema, Deserialize)]
#[schema(as = Conversation)]
pub struct ConversationHead {
    /// Its id.
    #[schema(value_type = String, format = Uuid)]
    pub id: ConversationId,
    /// Its title; empty when it was given none.
    pub title: String,
    /// Time at which it began.
    pub created_at: DateTime<Utc>,
    /// Time at which its latest turn was committed.
    pub updated_at: DateTime<Utc>,
}

/// A receipt, and the one that took it back.
#[derive(Debug, PartialEq)]
pub struct ReceiptEntry {
    /// The receipt.
    pub receipt: Receipt,
    /// The receipt of the undo, when it was taken back.
    pub undone_by: Option<ReceiptId>,
}

/// Filter of audit events, in the order of their users and numbers.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuditFilter {
    /// Only this user's. None is for the operator.
    pub user: Option<UserId>,
    /// Only this turn's.
    pub turn: Option<TurnId>,
    /// Only those of turns of this conversation.
    pub conversation: Option<ConversationId>,
    /// Only of this kind.
    pub kind: Option<EventKind>,
    /// Only those with a higher number.
    pub after: Option<i64>,
    /// At most so many; none means all.
    pub limit: Option<u32>,
}

/// Counts of what a purge removed for good.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct PurgeReport {
    /// Tasks that were deleted more than thirty days ago.
    pub tasks: u64,
    /// Idempotency keys older than a day.
    pub keys: u64,
}
