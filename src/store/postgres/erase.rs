//! Erasing, in transactions that hold the user's ledger: commits of that user wait, others don't.

use sqlx::Row;
use sqlx::postgres::PgRow;

use super::commit::{rows as written, state};
use super::connections::{ConnectionLoan, ConnectionPool};
use super::{sql, unavailable};
use crate::store::backend::StoreError;
use crate::store::batch::RowBatch;
use crate::store::erasure::ErasureReport;
use crate::store::query::StoreQuery;
use crate::store::record::CommitRecord;
use crate::store::rows;
use crate::store::sql::log;
use crate::store::unit::Unit;

impl ConnectionPool {
    /// Erases the rows and tells the log.
    pub(super) async fn erase_rows(&self, unit: &Unit) -> Result<ErasureReport, StoreError> {
        let mut lease = self.take().await?;
        // A lease that is dropped on the way is closed, and its transaction with it.
        lease.begin().await.map_err(unavailable)?;
        let user = unit.user();
        lease.asked(StoreQuery::of(sql::HOLD, user)).await?;
        let erased = lease.told(StoreQuery::of(log::ERASABLE, user)).await?;
        let erased: ErasureReport = rows::whole("erasures", &erased)?;
        if erased.is_nothing() {
            lease.end("ROLLBACK").await.map_err(unavailable)?;
            lease.give_back(None);
            return Ok(erased);
        }
        let record = CommitRecord::default();
        let row = lease.asked(super::commit::question(unit, &record)).await?;
        let row = row.ok_or_else(|| unavailable(sqlx::Error::RowNotFound))?;
        let (version, mut state) = state(&row).map_err(unavailable)?;
        let mut batch = RowBatch::default();
        let encoded = |error: serde_json::Error| StoreError::Unavailable(error.into());
        let seq = state.admit_erasure(unit, &erased, &mut batch);
        let seq = seq.map_err(encoded)?;
        let write = written(version, unit, &batch).map_err(encoded)?;
        let gate = lease.asked(write).await?;
        gate.ok_or_else(|| unavailable(sqlx::Error::RowNotFound))?;
        let erase = StoreQuery::of(log::ERASE, user).number(seq);
        lease.changed(&erase).await.map_err(unavailable)?;
        lease.end("COMMIT").await.map_err(unavailable)?;
        lease.give_back(None);
        Ok(erased)
    }
}

impl ConnectionLoan<'_> {
    /// Runs a statement inside the transaction.
    async fn asked(&mut self, ask: StoreQuery) -> Result<Option<PgRow>, StoreError> {
        self.shared(&ask).await.map_err(unavailable)
    }

    /// The text that a statement inside the transaction gives.
    async fn told(&mut self, ask: StoreQuery) -> Result<String, StoreError> {
        let row = self.asked(ask).await?;
        let row = row.ok_or_else(|| unavailable(sqlx::Error::RowNotFound))?;
        row.try_get(0).map_err(unavailable)
    }
}
