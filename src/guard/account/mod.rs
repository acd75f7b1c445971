//! The account of a turn: its reply computed again from the log, sentence by sentence.
//!
//! Pure, and needs nothing but the turn's events: it works on an export as well as on the
//! database. What it renders is compared and thrown away; no edge accepts it as a reply.

mod basis;
mod read;
mod renderers;
mod sentences;
#[cfg(test)]
mod tests;

pub use basis::basis;
pub use read::account;

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;

use crate::audit::{AuditRow, BrokenChain};
use crate::domain::{Action, ReceiptId, TaskId, TurnId, UserId};
use crate::store::{Logged, ReceiptEntry};

/// Worth of a sentence of a reply.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Worth {
    /// The log's receipts, or the logged outcomes of calls, say exactly this.
    Proven,
    /// Nothing in the log says this.
    Unproven,
    /// Sentence that tells of nothing that was done: a question, a remark, small talk.
    Chat,
}

/// SentenceKind of a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SentenceKind {
    /// Sentence that tells what a receipt attests.
    Receipt,
    /// Sentence that tells what a call came to without a receipt, or that it never came.
    Failure,
    /// Sentence that asks something.
    Question,
    /// Everything else.
    Chat,
}

/// One line of a reply.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Sentence {
    /// Text that was said.
    pub text: String,
    /// Worth of the sentence.
    pub verdict: Worth,
    /// SentenceKind of the sentence.
    pub kind: SentenceKind,
    /// The receipts it is rendered from.
    pub receipts: Vec<ReceiptId>,
    /// The numbers of the events it is rendered from.
    pub events: Vec<i64>,
}

/// Extent to which a reply could be computed again.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum Recomputed {
    /// All of it, word for word.
    Whole {
        /// Message that the log says should have been said.
        message: String,
        /// Set when it is what was said.
        equal: bool,
    },
    /// The lines of receipts; the log of that version does not keep the rest.
    Receipts,
    /// Nothing.
    Not {
        /// Reason why it could not.
        why: String,
    },
}

/// A call that a model or the server made.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Call {
    /// The number of its event.
    pub seq: i64,
    /// The tool, as it was named.
    pub name: String,
    /// As they came.
    pub arguments: Value,
    /// `committed`, `unchanged`, `failed`, `asked` or `refused`.
    pub outcome: String,
    /// Reason for its failure or refusal.
    pub reason: Value,
    /// The tasks it changed.
    pub task_ids: Vec<TaskId>,
}

/// A sentence of the model that was not shown.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Stopped {
    /// The number of its event.
    pub seq: i64,
    /// `asserts`, `ghost`, `offer`, `ask_user` or `unchecked`.
    pub reason: String,
    /// Text of the sentence.
    pub text: String,
}

/// A receipt of the turn.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Proven {
    /// The number of its event.
    pub seq: i64,
    /// Id of the receipt.
    pub id: ReceiptId,
    /// Action that it attests.
    pub action: Action,
    /// Of which task.
    pub task_id: Option<TaskId>,
    /// Line that it licenses.
    pub line: String,
}

/// The links of the turn's own events; `candor audit verify` checks the whole log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Chain {
    /// Number of its first event.
    pub first_seq: i64,
    /// Number of its last event.
    pub last_seq: i64,
    /// The first event that is not as it was written.
    pub broken: Option<BrokenChain>,
}

/// Everything the log tells of a turn, and what its reply is worth.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Account {
    /// Id of the turn.
    pub turn_id: TurnId,
    /// User of the receipts.
    pub user_id: UserId,
    /// Time of its commit.
    pub at: DateTime<Utc>,
    /// `chat` or `rest`.
    pub source: Option<String>,
    /// Message of the user; none for a write by REST.
    pub message: Option<String>,
    /// Request that was made by REST.
    pub asked: Value,
    /// Name of the model, or the part of the server, that answered.
    pub model: Option<String>,
    /// Versions of renderer, grammar and prompt.
    pub versions: Value,
    /// Content of each answer of the model: text and calls, as they came.
    pub answers: Value,
    /// Result of each call.
    pub calls: Vec<Call>,
    /// Sentences that the model said and nobody was shown.
    pub stopped: Vec<Stopped>,
    /// Receipts of what was committed.
    pub receipts: Vec<Proven>,
    /// The reply; none when the turn has none, or when its words were erased.
    pub said: Option<String>,
    /// Its kind, as it was sent.
    pub kind: Option<String>,
    /// The words of the turn were erased.
    pub erased: bool,
    /// The reply, computed again.
    pub recomputed: Recomputed,
    /// The reply, line by line.
    pub sentences: Vec<Sentence>,
    /// Lines that the log says should have been said and were not.
    pub unsaid: Vec<String>,
    /// Number of proven sentences.
    pub proven: usize,
    /// Number of unproven sentences.
    pub unproven: usize,
    /// Number of sentences that tell of nothing that was done.
    pub chat: usize,
    /// Check that the turn's events are as they were written.
    pub chain: Chain,
    /// True when the receipts that the store gives out are those of the log; none when only the
    /// log was looked at.
    pub receipts_agree: Option<bool>,
}

impl Account {
    /// Tells whether the reply says what the log says, no more and no less.
    pub fn holds(&self) -> bool {
        let equal = !matches!(self.recomputed, Recomputed::Whole { equal: false, .. });
        equal
            && self.unproven == 0
            && self.unsaid.is_empty()
            && self.chain.broken.is_none()
            && self.receipts_agree != Some(false)
    }

    /// Holds the receipts that the store gives out against those that `events` tell of.
    #[must_use]
    pub fn beside(mut self, events: &[AuditRow], kept: &[ReceiptEntry]) -> Self {
        let logged: Vec<Logged> = events.iter().filter_map(Logged::read).collect();
        if !self.erased {
            let kept = kept.iter().map(|entry| entry.receipt.facts());
            self.receipts_agree = Some(kept.eq(logged.iter().map(Logged::facts)));
        }
        self
    }
}
