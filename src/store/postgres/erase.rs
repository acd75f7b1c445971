//! Erasing, in transactions that hold the user's ledger: commits of that user wait, others don't.

use sqlx::Row;
use sqlx::postgres::PgRow;

use super::commit::{rows as written, state};
use super::connections::{ConnectionLoan, ConnectionPool};
use super::sql;
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
        lease.begin().await?;
        let user = unit.user();
        lease.shared(&StoreQuery::of(sql::HOLD, user)).await?;
        let row = lease.answered(&StoreQuery::of(log::ERASABLE, user)).await?;
        let erased: ErasureReport = rows::whole("erasures", row.try_get(0)?)?;
        if erased.is_nothing() {
            lease.end("ROLLBACK").await?;
            lease.give_back(None);
            return Ok(erased);
        }
        let ask = super::commit::question(unit, &CommitRecord::default());
        let (version, mut state) = state(&lease.answered(&ask).await?)?;
        let mut batch = RowBatch::default();
        let seq = state.admit_erasure(unit, &erased, &mut batch)?;
        lease.answered(&written(version, unit, &batch)?).await?;
        let erase = StoreQuery::of(log::ERASE, user).number(seq);
        lease.changed(&erase).await?;
        lease.end("COMMIT").await?;
        lease.give_back(None);
        Ok(erased)
    }
}

impl ConnectionLoan<'_> {
    /// The row that a statement inside the transaction always gives.
    async fn answered(&mut self, ask: &StoreQuery) -> Result<PgRow, sqlx::Error> {
        self.shared(ask).await?.ok_or(sqlx::Error::RowNotFound)
    }
}
