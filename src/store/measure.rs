//! Figures of the store for the operator: each commit, and what waits.

use std::time::Instant;

use super::backend::{Store, StoreError};
use super::query::StoreQuery;
use super::record::CommitResult;
use super::rows;
use super::sql::talk;
use crate::telemetry::trace::{SpanKind, TraceSpan, names};
use crate::telemetry::{self, QueueDepths};

/// Notes that a statement is given to the driver: each is a hop to another thread, or an exchange
/// with the database's server.
pub(in crate::store) fn statement() {
    if let Some(meters) = telemetry::meters() {
        meters.statement();
    }
}

impl Store {
    /// `sqlite` or `postgresql`.
    pub fn kind(&self) -> &'static str {
        self.backend().kind().as_str()
    }

    /// Counts what waits in the database, of all users; the operator's.
    pub async fn waiting(&self) -> Result<QueueDepths, StoreError> {
        rows::waiting(&self.text(&StoreQuery::new(talk::QUEUE_DEPTHS)).await?)
    }

    /// Commits, and tells how long that took and how it ended.
    pub(in crate::store) async fn measured(
        &self,
        committing: impl Future<Output = CommitResult>,
    ) -> CommitResult {
        let span = TraceSpan::begin(SpanKind::Internal, || names::COMMIT);
        let began = Instant::now();
        let end = span.run(committing).await;
        let took = began.elapsed();
        let outcome = match end {
            CommitResult::Committed(_) => "committed",
            CommitResult::RolledBack(_) => "rolled_back",
            CommitResult::Unknown => "unknown",
        };
        span.set(names::DATABASE, self.kind());
        span.set(names::OUTCOME, outcome);
        if let Some(meters) = telemetry::meters() {
            meters.commit(outcome, took);
            if let CommitResult::Committed(committed) = &end {
                for receipt in committed.receipts() {
                    meters.receipt(receipt.facts().action);
                }
            }
        }
        end
    }
}
