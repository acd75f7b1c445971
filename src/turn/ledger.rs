//! The ledger of one turn: every call and what came of it, in order.
//!
//! It outlives the commits of a turn: receipts of committed rounds and drafts of the present
//! one are counted through, and an entry points at the ones that are its own.

use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::domain::{Tool, ToolError, words};
use crate::store::{Draft, Logged, Receipt, ReceiptFacts};
use crate::tools::{Plan, PlanOutcome, StandingFact};

/// Proof that a sentence of success may be rendered from: a receipt, or the draft of one that the
/// reply will be committed with.
#[derive(Debug, Clone, Copy)]
pub enum SuccessProof<'a> {
    /// Of this turn's last transaction, the one that also commits the reply.
    Draft(&'a Draft),
    /// Committed.
    Receipt(&'a Receipt),
    /// As the audit log tells of it: for recomputing what was said, never for saying it.
    Logged(&'a Logged),
}

impl<'a> SuccessProof<'a> {
    /// Returns what it attests.
    pub const fn facts(self) -> &'a ReceiptFacts {
        match self {
            Self::Draft(draft) => draft.facts(),
            Self::Receipt(receipt) => receipt.facts(),
            Self::Logged(logged) => logged.facts(),
        }
    }
}

words! {
    /// Reason for refusing a call before it could run.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Refusal {
        /// The user's words ask for no such change.
        Unlicensed = "unlicensed",
        /// The words name another task.
        WrongTarget = "wrong_target",
        /// More tasks than the words name, or the same one twice.
        TooMany = "too_many",
        /// A value contradicts the words.
        Contradiction = "contradiction",
        /// A position that the words don't contain.
        BarePosition = "bare_position",
    }
}

/// Result of one call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CallResult {
    /// Call that ran; its proofs are these.
    Done(Range<usize>),
    /// Call that ran, and nothing changed.
    Unchanged(StandingFact),
    /// Call that was dispatched and failed: bad arguments, no such task, a conflict.
    Failed(ToolError),
    /// Call that was not dispatched: the words do not allow it.
    Refused(Refusal, ToolError),
    /// Call that waits for the user's answer.
    Asked,
}

impl CallResult {
    /// Outcome of a plan; of one that ran, its proofs are counted from `first`.
    pub fn of(outcome: PlanOutcome, first: usize) -> Self {
        match outcome {
            PlanOutcome::Done(count) => Self::Done(first..first + count),
            PlanOutcome::Unchanged(fact) => Self::Unchanged(fact),
            PlanOutcome::Failed(error) => Self::Failed(error),
        }
    }
}

/// One call.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct LedgerEntry {
    /// The model's id for it; none for what the server ran on the user's answer.
    pub call_id: Option<String>,
    /// The tool's name; as the model wrote it, when there is no such tool.
    pub name: String,
    /// The name it was called by, when that is not the tool's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub called_as: Option<String>,
    /// The tool, when there is one of that name.
    pub tool: Option<Tool>,
    /// The arguments as the model wrote them.
    #[serde(default, skip_serializing_if = "Value::is_null")]
    pub arguments: Value,
    /// In which round of calls, from 1; 0 is the server itself.
    pub round: u32,
    /// Places of the words that support it: bytes of the message, from the first to behind the
    /// last.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spans: Vec<Range<usize>>,
    /// Result of the call.
    pub result: CallResult,
}

impl LedgerEntry {
    /// Something of the server's own, which no model called.
    pub fn own(name: &str, result: CallResult) -> Self {
        Self {
            call_id: None,
            name: name.to_owned(),
            called_as: None,
            tool: None,
            arguments: Value::Object(Map::new()),
            round: 0,
            spans: Vec::new(),
            result,
        }
    }

    /// A plan of the server's own, carried out.
    pub fn planned(name: &str, plan: &Plan, result: CallResult) -> Self {
        Self {
            tool: Some(plan.tool()),
            arguments: serde_json::to_value(plan).unwrap_or_default(),
            ..Self::own(name, result)
        }
    }

    /// Tells whether it reached a tool.
    pub const fn dispatched(&self) -> bool {
        match self.result {
            CallResult::Done(_) | CallResult::Unchanged(_) | CallResult::Failed(_) => true,
            CallResult::Asked => matches!(self.tool, Some(Tool::AskUser)),
            CallResult::Refused(..) => false,
        }
    }

    /// Tells whether it ran and did not fail.
    pub const fn succeeded(&self) -> bool {
        !matches!(self.result, CallResult::Failed(_) | CallResult::Refused(..))
    }
}

words! {
    /// Kind of value that a task has.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum ValueKind {
        /// A new title.
        Title = "title",
        /// A note.
        Note = "note",
        /// A priority.
        Priority = "priority",
        /// The day on which it is due.
        Day = "day",
        /// The time of that day.
        Time = "time",
        /// The rule by which it repeats.
        Repetition = "repetition",
        /// A reminder.
        Reminder = "reminder",
        /// Done or open.
        Status = "status",
    }
}

/// A value that was proposed for a task, and without which the rest was done or asked about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Kind of the value.
    pub value: ValueKind,
    /// Title of the task.
    pub title: String,
}

/// Everything that came of a turn's calls.
#[derive(Debug, Default)]
pub struct CallLedger {
    entries: Vec<LedgerEntry>,
    sealed: Vec<Receipt>,
    /// Values that a model made up and that were left out.
    pub dropped: Vec<String>,
    /// Values that were left out of what was done or asked about, and of which task.
    pub left_out: Vec<LeftOut>,
}

impl CallLedger {
    /// Notes a call.
    pub fn push(&mut self, entry: LedgerEntry) {
        self.entries.push(entry);
    }

    /// The calls, in order.
    pub fn entries(&self) -> &[LedgerEntry] {
        &self.entries
    }

    /// Notes what was left out of a change, and what it `writes`: that is left out no more.
    pub fn note_left_out(&mut self, left: Vec<LeftOut>, writes: &[LeftOut]) {
        self.left_out.retain(|known| !writes.contains(known));
        for left in left {
            if !self.left_out.contains(&left) {
                self.left_out.push(left);
            }
        }
    }

    /// Takes the receipts of a round that was committed before the model was asked again.
    pub fn seal(&mut self, receipts: impl IntoIterator<Item = Receipt>) {
        self.sealed.extend(receipts);
    }

    /// The calls whose drafts were not committed did not happen: they failed with `error`.
    pub fn fail_unsealed(&mut self, error: &ToolError) {
        let sealed = self.sealed.len();
        for entry in &mut self.entries {
            if matches!(&entry.result, CallResult::Done(range) if range.end > sealed) {
                entry.result = CallResult::Failed(error.clone());
            }
        }
    }

    /// Notes that what was refused is put to the user instead.
    pub fn put_to_the_user(&mut self) {
        for entry in &mut self.entries {
            if matches!(entry.result, CallResult::Refused(..)) {
                entry.result = CallResult::Asked;
            }
        }
    }

    /// Counts the proofs that precede the drafts of the present round.
    pub fn sealed(&self) -> usize {
        self.sealed.len()
    }

    /// Every proof of the turn so far: receipts, then the drafts of the present unit.
    pub fn proofs<'a>(&'a self, drafts: &'a [Draft]) -> Vec<SuccessProof<'a>> {
        let sealed = self.sealed.iter().map(SuccessProof::Receipt);
        sealed
            .chain(drafts.iter().map(SuccessProof::Draft))
            .collect()
    }

    /// Calls that were refused.
    pub fn refused(&self) -> impl Iterator<Item = (&LedgerEntry, Refusal)> {
        self.entries.iter().filter_map(|entry| match &entry.result {
            CallResult::Refused(reason, _) => Some((entry, *reason)),
            _ => None,
        })
    }
}
