//! Check that a database holds what was committed: its own structure, every chain, and the tree.
//!
//! What a backup is checked by when it is made and before it is restored.

use serde::Serialize;

use super::backend::{Store, StoreError};
use super::kind::DatabaseKind;
use super::query::StoreQuery;
use super::sql::{SqlText, runs};
use super::sqlite::sql;
use crate::audit::{LogCheck, TreeHead};

/// Events read at once.
const PAGE: u32 = 1_000;

/// Figures of what was found to be whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SoundnessReport {
    /// Users with a log.
    pub users: u64,
    /// Events of all logs.
    pub events: u64,
    /// Events in the tree.
    pub tree_size: u64,
    /// The tree's root, in hex.
    pub tree_root: String,
}

/// The first fault that was found.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct UnsoundDatabase(String);

impl Store {
    /// Checks everything that can be checked: what the database says of its own structure, each
    /// user's chain against the head that was recorded beside it, and the tree over all events
    /// against the hashes that were stored; against a checkpoint too, when one was kept. Nobody
    /// may write meanwhile.
    pub async fn audit_all(
        &self,
        checkpoint: Option<TreeHead>,
    ) -> Result<Result<SoundnessReport, UnsoundDatabase>, StoreError> {
        if let Some(fault) = self.damage().await? {
            return Ok(Err(UnsoundDatabase(format!(
                "the database is damaged: {fault}"
            ))));
        }
        let (mut users, mut events) = (0, 0);
        for user in self.audit_users().await? {
            match self.audit_verify(&user, None).await? {
                Ok(head) => {
                    users += 1;
                    events += head.seq.unsigned_abs();
                }
                Err(broken) => {
                    return Ok(Err(UnsoundDatabase(format!("the log of {user}: {broken}"))));
                }
            }
        }
        // Grown first, so that an erasure is met in the tree before it ends.
        let head = self.audit_tree().await?;
        let mut check = LogCheck::new(checkpoint);
        let mut from = 0;
        while from < head.size {
            let placed = self.audit_log(from, PAGE).await?;
            if placed.is_empty() {
                let size = head.size;
                let words = format!("the tree says {size} events, and {from} of them are there");
                return Ok(Err(UnsoundDatabase(words)));
            }
            from += placed.len() as u64;
            for placed in &placed {
                if let Err(fault) = check.push(placed.leaf_index, &placed.event) {
                    return Ok(Err(UnsoundDatabase(format!("the tree: {fault}"))));
                }
            }
        }
        Ok(match check.finish() {
            Ok(whole) if whole.tree == head => Ok(SoundnessReport {
                users,
                events,
                tree_size: head.size,
                tree_root: crate::audit::hex(&head.root),
            }),
            Ok(_) => Err(UnsoundDatabase(
                "the tree: its stored hashes are not those of the events".to_owned(),
            )),
            Err(fault) => Err(UnsoundDatabase(format!("the tree: {fault}"))),
        })
    }

    /// Returns what is wrong with the database's structure, or with what no release writes. A server
    /// looks after its own structure.
    async fn damage(&self) -> Result<Option<String>, StoreError> {
        let found = async |of: SqlText| self.optional(&StoreQuery::new(of)).await;
        if self.backend().kind() == DatabaseKind::Sqlite {
            let structure = found(sql::INTEGRITY.into()).await?;
            if structure.as_deref() != Some("ok") {
                return Ok(structure);
            }
            if let Some(dangling) = found(sql::DANGLING.into()).await? {
                return Ok(Some(dangling));
            }
        }
        match found(runs::HAS_RUNS).await? {
            Some(_) => found(runs::UNPROVEN).await,
            None => Ok(None),
        }
    }
}
