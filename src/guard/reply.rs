//! The only reply an edge accepts: composed by the guard and committed by the store.

use crate::store::{CommittedUnit, KeyedAnswer};

/// A reply that may leave the process.
///
/// Exists only together with the proof of its commit: made from the [`CommittedUnit`] of the
/// transaction that holds it, or read back from a stored answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckedReply {
    status: u16,
    body: String,
    replayed: bool,
}

impl CheckedReply {
    /// The reply of a turn whose last transaction has committed.
    pub fn seal(status: u16, body: String, _proof: &CommittedUnit) -> Self {
        Self {
            status,
            body,
            replayed: false,
        }
    }

    /// The stored answer of an earlier request under the same key, byte for byte.
    pub fn replay(stored: KeyedAnswer) -> Self {
        Self {
            status: stored.status,
            body: stored.body,
            replayed: true,
        }
    }

    /// HTTP status.
    pub const fn status(&self) -> u16 {
        self.status
    }

    /// The body's exact bytes.
    pub fn body(&self) -> &str {
        &self.body
    }

    /// Tells whether it was stored earlier.
    pub const fn replayed(&self) -> bool {
        self.replayed
    }
}
