//! The Merkle tree's rows: appended by the writer between commits, read by anybody.

use sqlx::{Connection, SqliteConnection};

use super::readers::LentReader;
use super::{sql, unavailable};
use crate::audit::{BLOCK, GrowingTree, NeededHashes, StoredHashes};
use crate::domain::{ReceiptId, UserId};
use crate::store::backend::StoreError;
use crate::store::measure;
use crate::store::rows::{self, RawEvent};
use crate::store::tree::{PendingLeaf, TreeGrowth};

/// Events appended in one transaction, so that a long log does not keep turns waiting.
const STEP: u32 = 250;

/// Appends the next events; true when there may be more.
pub(super) async fn grow(connection: &mut SqliteConnection) -> Result<bool, StoreError> {
    // Begin, three questions, the rows, commit.
    (0..6).for_each(|_| measure::statement());
    let mut transaction = connection
        .begin_with("BEGIN IMMEDIATE")
        .await
        .map_err(unavailable)?;
    let size: i64 = sqlx::query_scalar(sql::TREE_SIZE)
        .fetch_one(&mut *transaction)
        .await
        .map_err(unavailable)?;
    let tips: String = sqlx::query_scalar(sql::TREE_TIPS)
        .bind(size)
        .bind(STEP)
        .fetch_one(&mut *transaction)
        .await
        .map_err(unavailable)?;
    let tips: Vec<PendingLeaf> = rows::tips(&tips)?;
    if tips.is_empty() {
        return Ok(false);
    }
    let more = tips.len() >= STEP as usize;
    let size = size.unsigned_abs();
    let needs = NeededHashes::of(&GrowingTree::needs(size));
    let edge: String = sqlx::query_scalar(sql::TREE_NODES)
        .bind(rows::numbers(&needs.nodes))
        .bind(rows::numbers(&needs.blocks))
        .bind(signed(BLOCK))
        .fetch_one(&mut *transaction)
        .await
        .map_err(unavailable)?;
    let growth = TreeGrowth::of(size, rows::nodes(&edge)?, tips)?;
    sqlx::query(sql::TREE_GROW)
        .bind(rows::written(&growth.leaves)?)
        .bind(rows::written(&growth.nodes)?)
        .execute(&mut *transaction)
        .await
        .map_err(unavailable)?;
    transaction.commit().await.map_err(unavailable)?;
    Ok(more)
}

impl LentReader<'_> {
    pub(super) async fn tree_size(&mut self) -> Result<u64, StoreError> {
        let row = self.row(sqlx::query(sql::TREE_SIZE)).await?;
        let size: i64 = sqlx::Row::try_get(&row, 0).map_err(unavailable)?;
        Ok(size.unsigned_abs())
    }

    pub(super) async fn tree_nodes(&mut self, indexes: &[u64]) -> Result<StoredHashes, StoreError> {
        let needs = NeededHashes::of(indexes);
        let bound = sqlx::query(sql::TREE_NODES)
            .bind(rows::numbers(&needs.nodes))
            .bind(rows::numbers(&needs.blocks))
            .bind(signed(BLOCK));
        rows::nodes(&self.text(bound).await?)
    }

    pub(super) async fn tree_leaf(
        &mut self,
        user: &UserId,
        seq: i64,
    ) -> Result<Option<u64>, StoreError> {
        let bound = sqlx::query(sql::TREE_LEAF)
            .bind(user.as_str().to_owned())
            .bind(seq);
        let row = self.row(bound).await?;
        let index: Option<i64> = sqlx::Row::try_get(&row, 0).map_err(unavailable)?;
        Ok(index.map(i64::unsigned_abs))
    }

    pub(super) async fn tree_events(
        &mut self,
        from: u64,
        limit: u32,
    ) -> Result<Vec<RawEvent>, StoreError> {
        let bound = sqlx::query(sql::TREE_EVENTS).bind(signed(from)).bind(limit);
        rows::events(&self.text(bound).await?)
    }

    pub(super) async fn receipt_event(
        &mut self,
        user: &UserId,
        receipt: ReceiptId,
    ) -> Result<Option<RawEvent>, StoreError> {
        let bound = sqlx::query(sql::RECEIPT_EVENT)
            .bind(user.as_str().to_owned())
            .bind(receipt.to_string());
        Ok(rows::events(&self.text(bound).await?)?.into_iter().next())
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}
