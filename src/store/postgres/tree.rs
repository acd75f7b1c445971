//! The Merkle tree's rows: appended by whichever process asks, read by anybody.

use sqlx::Row;

use super::ask::SqlQuery;
use super::connections::ConnectionPool;
use super::{sql, unavailable};
use crate::audit::{BLOCK, GrowingTree, NeededHashes, StoredHashes};
use crate::domain::{ReceiptId, UserId};
use crate::store::backend::StoreError;
use crate::store::rows::{self, RawEvent};
use crate::store::tree::{PendingLeaf, TreeGrowth};

/// Events appended at once.
const STEP: usize = 250;

impl ConnectionPool {
    /// Appends the next events; true when there may be more. One statement appends, and only
    /// where the tree still has the size that was read: of two that try, one tries again.
    pub(super) async fn tree_grow(&self) -> Result<bool, StoreError> {
        let size = self.tree_size().await?;
        let step = i64::try_from(STEP).unwrap_or(i64::MAX);
        let tips = self
            .text(&SqlQuery::new(sql::TREE_TIPS).number(step))
            .await?;
        let tips: Vec<PendingLeaf> = rows::tips(&tips)?;
        if tips.is_empty() {
            return Ok(false);
        }
        let more = tips.len() >= STEP;
        let edge = self.tree_nodes(&GrowingTree::needs(size)).await?;
        let growth = TreeGrowth::of(size, edge, tips)?;
        let grow = SqlQuery::new(sql::TREE_GROW)
            .number(signed(size))
            .text(rows::written(&growth.leaves)?)
            .text(rows::written(&growth.nodes)?)
            .number(growth.events());
        // Asked twice, it appends once: the size has moved by then.
        let moved_on = self.row(&grow).await?.is_none();
        Ok(more || moved_on)
    }

    pub(super) async fn tree_size(&self) -> Result<u64, StoreError> {
        let row = self.row(&SqlQuery::new(sql::TREE_SIZE)).await?;
        let row = row.ok_or_else(|| unavailable(sqlx::Error::RowNotFound))?;
        let size: i64 = row.try_get(0).map_err(unavailable)?;
        Ok(size.unsigned_abs())
    }

    pub(super) async fn tree_nodes(&self, indexes: &[u64]) -> Result<StoredHashes, StoreError> {
        let needs = NeededHashes::of(indexes);
        let ask = SqlQuery::new(sql::TREE_NODES)
            .text(rows::numbers(&needs.nodes))
            .text(rows::numbers(&needs.blocks))
            .number(signed(BLOCK));
        rows::nodes(&self.text(&ask).await?)
    }

    pub(super) async fn tree_leaf(
        &self,
        user: &UserId,
        seq: i64,
    ) -> Result<Option<u64>, StoreError> {
        let ask = SqlQuery::of(user, sql::TREE_LEAF).number(seq);
        let row = self.row(&ask).await?;
        let index: Option<i64> = row
            .map(|row| row.try_get(0))
            .transpose()
            .map_err(unavailable)?;
        Ok(index.map(i64::unsigned_abs))
    }

    pub(super) async fn tree_events(
        &self,
        from: u64,
        limit: u32,
    ) -> Result<Vec<RawEvent>, StoreError> {
        let ask = SqlQuery::new(sql::TREE_EVENTS)
            .number(signed(from))
            .number(limit);
        rows::events(&self.text(&ask).await?)
    }

    pub(super) async fn receipt_event(
        &self,
        user: &UserId,
        receipt: ReceiptId,
    ) -> Result<Option<RawEvent>, StoreError> {
        let ask = SqlQuery::of(user, sql::RECEIPT_EVENT).text(receipt.to_string());
        Ok(rows::events(&self.text(&ask).await?)?.into_iter().next())
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
