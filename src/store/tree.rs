//! The Merkle tree of the audit log, as the store keeps and proves it.
//!
//! Events enter the tree when somebody asks for it, or now and then in the background: never
//! in a turn. Until then they are held by their user's chain alone.

use serde::Serialize;
use serde_json::{Value, json};

use super::backend::{Store, StoreError};
use super::query::StoreQuery;
use super::read::AuditFilter;
use super::rows;
use super::sql::log;
use crate::audit::{
    self, BLOCK, GrowingTree, InclusionProof, NeededHashes, PlacedEvent, StoredHashes, TreeHash,
    TreeHead, TreeQuestion, TurnStretch, is_stored,
};
use crate::domain::{ReceiptId, TurnId, UserId};

/// Events that enter the tree at once, so that a long log does not keep turns waiting.
const STEP: u32 = 250;

/// An event that is not in the tree yet: user, number, hash.
pub(in crate::store) type PendingLeaf = (String, i64, String);

/// Rows that let the tree grow.
#[derive(Debug, Default)]
pub(in crate::store) struct TreeGrowth {
    pub leaves: Vec<LeafOut>,
    pub nodes: Vec<Value>,
}

/// Events of one user that stand beside each other, in the log and in the tree.
#[derive(Debug, Serialize)]
pub(in crate::store) struct LeafOut {
    leaf_index: u64,
    user_id: String,
    first_seq: i64,
    events: i64,
}

impl TreeGrowth {
    /// Works out what to write so that the tree of `size` events, with these hashes at its edge,
    /// holds these events too.
    pub(in crate::store) fn of(
        size: u64,
        edge: StoredHashes,
        tips: Vec<PendingLeaf>,
    ) -> Result<Self, StoreError> {
        let corrupt = |id: String, reason: String| StoreError::Corrupt {
            table: "audit_nodes",
            id,
            reason,
        };
        let mut growing = GrowingTree::from(size, edge);
        let mut growth = Self::default();
        for (leaf_index, (user_id, seq, hash)) in (size..).zip(tips) {
            let leaf = audit::leaf(&hash);
            let leaf =
                leaf.ok_or_else(|| corrupt(format!("{user_id} {seq}"), "no hash".to_owned()))?;
            let placed = growing.push(leaf);
            let placed =
                placed.map_err(|error| corrupt(leaf_index.to_string(), error.to_string()))?;
            match growth.leaves.last_mut() {
                Some(last) if last.user_id == user_id && last.first_seq + last.events == seq => {
                    last.events += 1;
                }
                _ => growth.leaves.push(LeafOut {
                    leaf_index,
                    user_id,
                    first_seq: seq,
                    events: 1,
                }),
            }
            let kept = placed.into_iter().filter(|(index, _)| is_stored(*index));
            let node = |(index, hash): (u64, TreeHash)| json!({ "node_index": index, "hash": audit::hex(&hash) });
            growth.nodes.extend(kept.map(node));
        }
        Ok(growth)
    }

    /// By how many events the tree grows.
    pub(in crate::store) fn events(&self) -> i64 {
        self.leaves.iter().map(|leaf| leaf.events).sum()
    }
}

/// Proof that the log holds a receipt's event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProvenReceipt {
    /// The receipt's event.
    pub event: audit::AuditRow,
    /// Its place in the tree, with the way to the root.
    pub inclusion: InclusionProof,
    /// The tree.
    pub head: TreeHead,
}

impl Store {
    /// Takes some more committed events into the tree; true when there may be more.
    pub async fn audit_grow(&self) -> Result<bool, StoreError> {
        let size = self.tree_size().await?;
        let ask = StoreQuery::new(log::TREE_TIPS)
            .number(size.cast_signed())
            .number(STEP);
        let tips: Vec<PendingLeaf> = self.read("audit_events", &ask).await?;
        if tips.is_empty() {
            return Ok(false);
        }
        let more = tips.len() >= STEP as usize;
        let edge = self.tree_nodes(&GrowingTree::needs(size)).await?;
        let growth = TreeGrowth::of(size, edge, tips)?;
        // Only where the tree still has the size that was read: of two that try, one tries again.
        let grow = StoreQuery::new(log::TREE_GROW)
            .number(size.cast_signed())
            .text(serde_json::to_string(&growth.leaves)?)
            .text(serde_json::to_string(&growth.nodes)?)
            .number(growth.events());
        let moved_on = self.change(&grow).await?.is_none();
        Ok(more || moved_on)
    }

    async fn tree_size(&self) -> Result<u64, StoreError> {
        self.read("audit_tree", &StoreQuery::new(log::TREE_SIZE))
            .await
    }

    async fn tree_nodes(&self, indexes: &[u64]) -> Result<StoredHashes, StoreError> {
        let needs = NeededHashes::of(indexes);
        let ask = StoreQuery::new(log::TREE_NODES)
            .texts(&needs.nodes)
            .texts(&needs.blocks)
            .number(BLOCK.cast_signed());
        rows::nodes(&self.text(&ask).await?)
    }

    /// Takes all committed events into the tree, and says where it stands.
    pub async fn audit_tree(&self) -> Result<TreeHead, StoreError> {
        while self.audit_grow().await? {}
        self.tree_of(self.tree_size().await?).await
    }

    /// The tree as it stood when it held `size` events; no more than it holds.
    pub async fn tree_of(&self, size: u64) -> Result<TreeHead, StoreError> {
        let root = self.tree_answer(TreeQuestion::Root(size)).await?;
        let root = root.first().copied().unwrap_or(TreeHead::EMPTY.root);
        Ok(TreeHead { size, root })
    }

    /// The proof that a tree begins with an earlier one.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] also where a size lies outside the tree.
    pub async fn audit_consistency(
        &self,
        old: u64,
        size: u64,
    ) -> Result<Vec<TreeHash>, StoreError> {
        self.tree_answer(TreeQuestion::Consistency { size, old })
            .await
    }

    /// The proof that the log holds a receipt's event, in the tree as it stands now. None for
    /// a receipt that is not this user's.
    pub async fn audit_proof(
        &self,
        user: &UserId,
        receipt: ReceiptId,
    ) -> Result<Option<ProvenReceipt>, StoreError> {
        let ask = StoreQuery::of(log::RECEIPT_EVENT, user).text(receipt.to_string());
        let Some(event) = rows::events(&self.text(&ask).await?)?.pop() else {
            return Ok(None);
        };
        let head = self.audit_tree().await?;
        Ok(Some(ProvenReceipt {
            inclusion: self.inclusion(user, event.seq, head.size).await?,
            event,
            head,
        }))
    }

    /// Proves where an event stands in the tree of `size` events.
    async fn inclusion(
        &self,
        user: &UserId,
        seq: i64,
        size: u64,
    ) -> Result<InclusionProof, StoreError> {
        let ask = StoreQuery::of(log::TREE_LEAF, user).number(seq);
        let leaf = self
            .optional(&ask)
            .await?
            .and_then(|leaf| leaf.parse().ok());
        let index = leaf.ok_or_else(|| StoreError::Corrupt {
            table: "audit_leaves",
            id: format!("{user} {seq}"),
            reason: "the event is not in the tree".to_owned(),
        })?;
        let question = TreeQuestion::Inclusion { size, index };
        let hashes = self.tree_answer(question).await?;
        Ok(InclusionProof::new(index, size, &hashes))
    }

    /// A turn's stretch of its user's log without a gap, from the event before it to the event
    /// after it, and the tree that holds it. None for a turn that is not this user's.
    pub async fn audit_stretch(
        &self,
        user: &UserId,
        turn: TurnId,
    ) -> Result<Option<(TurnStretch, TreeHead)>, StoreError> {
        let own = self.turn_events(user, turn).await?;
        let (Some(first), Some(last)) = (own.first(), own.last()) else {
            return Ok(None);
        };
        let count = u32::try_from(last.seq - first.seq + 3).unwrap_or(u32::MAX);
        let all = AuditFilter {
            user: Some(user.clone()),
            after: Some((first.seq - 2).max(0)),
            // One less before it where the log begins.
            limit: Some(if first.seq == 1 { count - 1 } else { count }),
            ..AuditFilter::default()
        };
        let events = self.audit_events(&all).await?;
        let Some(end) = events.last() else {
            return Ok(None);
        };
        let head = self.audit_tree().await?;
        let inclusion = self.inclusion(user, end.seq, head.size).await?;
        let stretch = TurnStretch {
            turn_id: turn,
            inclusion,
            events,
        };
        Ok(Some((stretch.without_words(), head)))
    }

    /// Events in the order of the tree, from one place on. Those that are not in it are left out.
    pub async fn audit_log(&self, from: u64, limit: u32) -> Result<Vec<PlacedEvent>, StoreError> {
        let ask = StoreQuery::new(log::TREE_EVENTS)
            .number(from.cast_signed())
            .number(limit);
        let events = rows::events(&self.text(&ask).await?)?;
        let placed = (from..).zip(events).map(|(index, event)| PlacedEvent {
            leaf_index: Some(index),
            event,
        });
        Ok(placed.collect())
    }

    async fn tree_answer(&self, question: TreeQuestion) -> Result<Vec<TreeHash>, StoreError> {
        let stored = self.tree_nodes(&question.needs()).await?;
        question
            .answer(&stored)
            .map_err(|error| StoreError::Corrupt {
                table: "audit_nodes",
                id: format!("{question:?}"),
                reason: error.to_string(),
            })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn events_beside_each_other_share_a_row_and_each_has_its_leaf() {
        let tip = |(user, seq): (&str, i64)| (user.to_owned(), seq, "0f".repeat(32));
        let tips = [("a", 1), ("a", 2), ("b", 1), ("a", 3), ("a", 4), ("a", 6)].map(tip);
        let growth = TreeGrowth::of(0, StoredHashes::default(), tips.into()).unwrap();
        assert!(growth.nodes.is_empty());
        let leaves = growth.leaves.iter();
        let leaves: Vec<_> = leaves
            .map(|leaf| (leaf.leaf_index, leaf.first_seq, leaf.events))
            .collect();
        assert_eq!(leaves, [(0, 1, 2), (2, 1, 1), (3, 3, 2), (5, 6, 1)]);
        assert_eq!(growth.events(), 6);
    }

    #[test]
    fn of_each_block_its_root_is_stored_and_what_it_completes() {
        let tips = (1..=70).map(|seq| ("a".to_owned(), seq, "0f".repeat(32)));
        let growth = TreeGrowth::of(0, StoredHashes::default(), tips.collect()).unwrap();
        let indexes: Vec<_> = growth
            .nodes
            .iter()
            .map(|node| node["node_index"].as_u64().unwrap())
            .collect();
        // Four blocks of sixteen, two subtrees of two blocks and one of four.
        assert_eq!(indexes, [30, 61, 62, 93, 124, 125, 126]);
    }
}
