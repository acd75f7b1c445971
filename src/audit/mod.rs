//! The audit log's types: events, their canonical form, the hash chain of each user, the Merkle
//! tree over all of them, and signed checkpoints of that tree.
//!
//! Pure: it turns values into bytes and hashes and checks them. Reading and writing rows is
//! the store's; that is where an event commits with what it describes.

mod absence;
mod canonical;
mod chain;
mod checkpoint;
mod export;
mod hex;
mod log;
mod payload;
mod proof;
mod tree;

pub use absence::{AttestedReceipt, StretchFault, StretchFindings, TurnStretch};
pub use canonical::canonical;
pub use chain::{AuditRow, BrokenChain, ChainFault, ChainHead, ChainVerifier, link, verify};
pub use checkpoint::{NoteError, ORIGIN, SigningKey, VerifyingKey, stated};
pub use export::{ExportFault, PlacedEvent, read_export, verify_export};
pub(crate) use hex::{hex, unhex};
pub use log::{LogCheck, LogFault, WholeLog};
pub use payload::{CoveredPayload, erase};
pub use proof::{ProofFault, ProofFindings, TreeProof, WrittenHead};
pub use tree::{
    BLOCK, GrowingTree, InclusionProof, NeededHashes, StoredHashes, TreeError, TreeHash, TreeHead,
    TreePeaks, TreeQuestion, check_consistency, is_stored, leaf,
};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::domain::words;

words! {
    /// Kind of thing that an event tells.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum EventKind {
        /// A turn: message, prompt, model, raw tool calls, versions.
        Turn = "turn",
        /// A dispatched tool call: name, arguments, resolved task, outcome.
        ToolCall = "tool_call",
        /// A receipt.
        Receipt = "receipt",
        /// A call or a sentence that was refused, and why.
        Refusal = "refusal",
        /// The reply.
        Reply = "reply",
        /// The user's words were erased from the events before this one.
        Erasure = "erasure",
        /// Course of an agent's run: its states, its tool calls, its notes and its result.
        Run = "run",
        /// End of a reminder: delivered, and how late; missed; or cancelled.
        Reminder = "reminder",
    }
}

/// Something to be told to the log.
#[derive(Debug, Clone, PartialEq)]
pub struct AuditEvent {
    /// Its kind.
    pub kind: EventKind,
    /// Its content: an object, each member of which is personal or not.
    pub payload: Value,
}

impl AuditEvent {
    /// An event of that kind that tells an object. What cannot be written (a map whose names are no
    /// texts) is told as such, since a log must not lose an event over it.
    pub fn of(kind: EventKind, told: &impl Serialize) -> Self {
        let told = serde_json::to_value(told);
        let payload = told.unwrap_or_else(|error| format!("it can't be written: {error}").into());
        Self { kind, payload }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_written_is_told_as_such() {
        let map = std::collections::BTreeMap::from([(vec![1], 1)]);
        let told = AuditEvent::of(EventKind::Turn, &map).payload.to_string();
        assert!(told.starts_with("\"it can't be written: "), "{told}");
    }
}
