//! Writes of a unit, worked out from memory before it queues: on the thread of whoever asks, while
//! others are being written. Whoever writes a group then only puts rows together.
//!
//! It holds as long as the user's log stands where it stood, which the writer sees to.

use super::batch::RowBatch;
use super::record::CommitRecord;
use super::snapshot_cache::{LogPosition, LogSpan, SnapshotCache};
use super::unit::Unit;
use crate::audit::ChainHead;

/// The rows of an admitted unit.
#[derive(Debug)]
pub(in crate::store) struct PreparedWrite {
    pub batch: RowBatch,
    /// Position at which the user's rows stood.
    pub before: LogPosition,
    /// Head of the log once they are written.
    pub after: ChainHead,
}

impl PreparedWrite {
    /// Nothing where memory lacks something, or a check refuses the unit: then the database is
    /// asked, and says why.
    pub(in crate::store) fn of(
        active: &SnapshotCache,
        unit: &Unit,
        record: &CommitRecord,
        mut batch: RowBatch,
    ) -> Option<Self> {
        let (mut state, version) = active.state(unit, record)?;
        let before = LogPosition {
            head: state.head(unit.user()),
            version,
        };
        state.admit(unit, record, &mut batch).ok()?;
        let after = state.head(unit.user());
        Some(Self {
            batch,
            before,
            after,
        })
    }

    /// From which event to where writing it leads the log. `step` is by how much the database
    /// counts the user's ledger up: 0 where it counts nothing.
    pub(in crate::store) fn span(&self, step: i64) -> LogSpan {
        let after = LogPosition {
            head: self.after.clone(),
            version: self.before.version + step,
        };
        (self.before.head.seq, after)
    }
}
