//! The audit log's types: events, their canonical form, and the hash chain over them.
//!
//! Pure: it turns values into bytes and hashes and checks them. Reading and writing rows is
//! the store's; that is where an event commits with what it describes.

mod canonical;
mod chain;

pub use canonical::canonical;
pub use chain::{Broken, Fault, Head, Row, Verifier, link, verify};

use serde_json::Value;

/// What kind of thing an event tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum EventKind {
    /// A turn: message, prompt, model, raw tool calls, versions.
    Turn,
    /// A dispatched tool call: name, arguments, resolved task, outcome.
    ToolCall,
    /// A receipt.
    Receipt,
    /// A call or a sentence that was refused, and why.
    Refusal,
    /// The reply.
    Reply,
}

impl EventKind {
    /// Every kind.
    pub const ALL: [Self; 5] = [
        Self::Turn,
        Self::ToolCall,
        Self::Receipt,
        Self::Refusal,
        Self::Reply,
    ];

    /// The word in the database and on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Turn => "turn",
            Self::ToolCall => "tool_call",
            Self::Receipt => "receipt",
            Self::Refusal => "refusal",
            Self::Reply => "reply",
        }
    }

    /// The kind of that word, if there is one.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == word)
    }
}

/// Something to be told to the log.
#[derive(Debug, Clone, PartialEq)]
pub struct Event {
    /// What kind.
    pub kind: EventKind,
    /// What happened; written in canonical form.
    pub payload: Value,
}
