//! One Merkle tree over the events of all users (RFC 6962, section 2.1).
//!
//! A leaf is an event's hash, which covers the event and, through the chain, all events of its
//! user before it. A root therefore binds every log at once, and a proof of one event is a
//! handful of hashes that tell nothing of anybody else's.
//!
//! Hashes are numbered in the order of [`tlog_tiles::stored_hash_index`]: a leaf, then the
//! subtrees that it completes. That order only grows, so a tree of any earlier size can be
//! read from the same rows. Of a block of [`BLOCK`] events only the root is stored and what
//! stands above it: the rest is made anew from the events, which hold their hashes anyway.

use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};

use serde::{Deserialize, Serialize};
use tlog_tiles::{EMPTY_HASH, HashReader};

/// The library's hash, which stays behind this module.
type LibraryHash = tlog_tiles::Hash;

use super::chain::AuditRow;
use super::hex::{hex, unhex};

/// A hash of the tree.
pub type TreeHash = [u8; 32];

/// The leaf of an event; none when its hash is not one.
pub fn leaf(event_hash: &str) -> Option<TreeHash> {
    unhex(event_hash).map(|hash| leaf_of(&hash))
}

/// The leaf of an event with this hash.
pub(super) fn leaf_of(event_hash: &TreeHash) -> TreeHash {
    tlog_tiles::record_hash(event_hash).0
}

/// A tree's size and root.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TreeHead {
    /// Events in it.
    pub size: u64,
    /// Its root.
    pub root: TreeHash,
}

impl TreeHead {
    /// The tree of no events.
    pub const EMPTY: Self = Self {
        size: 0,
        root: EMPTY_HASH.0,
    };
}

/// Reason why a proof can't be made or does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TreeError {
    /// Stored hashes are missing, or a number lies outside the tree.
    #[error("the tree of {0} events can't be read")]
    Unreadable(u64),
    /// The hashes do not lead to the root.
    #[error("the proof does not lead to the root")]
    Wrong,
    /// The text is written wrongly.
    #[error("{0}")]
    Form(&'static str),
}

/// Height from which a subtree is stored, in steps from its leaves.
const BLOCK_LEVEL: u8 = 4;

/// Events below a stored hash: an eighth of a row for each, and few hashes to make for a proof.
pub const BLOCK: u64 = 1 << BLOCK_LEVEL;

/// Tells whether the hash of this index is stored, and not made from its events.
pub fn is_stored(index: u64) -> bool {
    tlog_tiles::split_stored_hash_index(index).0 >= BLOCK_LEVEL
}

/// Rows to read for some hashes of a tree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NeededHashes {
    /// Indexes of hashes that are stored.
    pub nodes: Vec<u64>,
    /// The first leaves of the blocks whose events make the others.
    pub blocks: Vec<u64>,
}

impl NeededHashes {
    /// Finds what to read for the hashes of these indexes.
    pub fn of(indexes: &[u64]) -> Self {
        let (nodes, made): (Vec<u64>, Vec<u64>) =
            indexes.iter().partition(|index| is_stored(**index));
        let blocks: BTreeSet<u64> = made
            .into_iter()
            .map(tlog_tiles::split_stored_hash_index)
            .map(|(level, n)| (n << level) / BLOCK * BLOCK)
            .collect();
        Self {
            nodes,
            blocks: blocks.into_iter().collect(),
        }
    }
}

/// Hashes of a tree by their index, as many as an answer needs.
#[derive(Debug, Default)]
pub struct StoredHashes(HashMap<u64, TreeHash>);

impl StoredHashes {
    /// From pairs of index and hash.
    pub fn new(hashes: impl IntoIterator<Item = (u64, TreeHash)>) -> Self {
        Self(hashes.into_iter().collect())
    }

    /// Adds leaves, each with its number, and what they make within their blocks.
    pub fn add_leaves(&mut self, leaves: impl IntoIterator<Item = (u64, TreeHash)>) {
        let mut row: Vec<(u64, TreeHash)> = leaves.into_iter().collect();
        row.sort_unstable();
        for level in 0..BLOCK_LEVEL {
            let indexed = row
                .iter()
                .map(|(n, hash)| (tlog_tiles::stored_hash_index(level, *n), *hash));
            self.0.extend(indexed);
            row = row
                .windows(2)
                .filter_map(|pair| match pair {
                    [(left, a), (right, b)] if left % 2 == 0 && left + 1 == *right => {
                        Some((left / 2, node(*a, *b)))
                    }
                    _ => None,
                })
                .collect();
        }
    }
}

/// The library asks once for all the hashes it needs: this notes what it asked for.
#[derive(Default)]
struct HashRequests(RefCell<Vec<u64>>);

impl HashReader for HashRequests {
    fn read_hashes(&self, indexes: &[u64]) -> Result<Vec<LibraryHash>, tlog_tiles::Error> {
        self.0.borrow_mut().extend_from_slice(indexes);
        Err(tlog_tiles::Error::IndexesNotInTree)
    }
}

impl HashReader for StoredHashes {
    fn read_hashes(&self, indexes: &[u64]) -> Result<Vec<LibraryHash>, tlog_tiles::Error> {
        let hashes = indexes.iter().map(|index| self.0.get(index));
        let hashes: Option<Vec<LibraryHash>> = hashes
            .map(|hash| hash.copied().map(tlog_tiles::Hash))
            .collect();
        hashes.ok_or(tlog_tiles::Error::IndexesNotInTree)
    }
}

/// Question to a tree, read in two steps: which stored hashes it takes, then the answer.
#[derive(Debug, Clone, Copy)]
pub enum TreeQuestion {
    /// The root of the tree of so many events.
    Root(u64),
    /// Proof that the tree of `size` events holds the event of number `index`, counted from 0.
    Inclusion {
        /// Events in the tree.
        size: u64,
        /// Number of the event.
        index: u64,
    },
    /// Proof that the tree of `size` events begins with the tree of `old` events.
    Consistency {
        /// Events in the tree.
        size: u64,
        /// Events in the older one.
        old: u64,
    },
}

impl TreeQuestion {
    /// Returns the indexes of the stored hashes that the answer takes.
    pub fn needs(self) -> Vec<u64> {
        let asking = HashRequests::default();
        // It fails on purpose: only what it asked for is wanted.
        let _ = self.ask(&asking);
        asking.0.into_inner()
    }

    /// The hashes of the answer; of a root, the root alone.
    ///
    /// # Errors
    /// [`TreeError::Unreadable`] when a hash is missing or a number lies outside.
    pub fn answer(self, stored: &StoredHashes) -> Result<Vec<TreeHash>, TreeError> {
        let (Self::Root(size) | Self::Inclusion { size, .. } | Self::Consistency { size, .. }) =
            self;
        let hashes = self.ask(stored).ok_or(TreeError::Unreadable(size))?;
        Ok(hashes.into_iter().map(|hash| hash.0).collect())
    }

    fn ask(self, reader: &impl HashReader) -> Option<Vec<LibraryHash>> {
        match self {
            Self::Root(size) => Some(vec![tlog_tiles::tree_hash(size, reader).ok()?]),
            Self::Inclusion { size, index } if index < size => {
                tlog_tiles::prove_record(size, index, reader).ok()
            }
            Self::Consistency { size, old } if (1..=size).contains(&old) => {
                tlog_tiles::prove_tree(size, old, reader).ok()
            }
            Self::Inclusion { .. } | Self::Consistency { .. } => None,
        }
    }
}

/// Appends leaves to a tree, keeping only the hashes that its right edge needs.
#[derive(Debug)]
pub struct GrowingTree {
    size: u64,
    edge: StoredHashes,
}

impl GrowingTree {
    /// Returns the indexes of the stored hashes needed to go on from so many events.
    pub fn needs(size: u64) -> Vec<u64> {
        TreeQuestion::Root(size).needs()
    }

    /// Goes on from a tree of `size` events.
    pub fn from(size: u64, edge: StoredHashes) -> Self {
        Self { size, edge }
    }

    /// Appends a leaf; what is to be stored for it comes back, each hash with its index.
    ///
    /// # Errors
    /// [`TreeError::Unreadable`] when the tree did not start with its edge.
    pub fn push(&mut self, leaf: TreeHash) -> Result<Vec<(u64, TreeHash)>, TreeError> {
        let hashes = tlog_tiles::stored_hashes_for_record_hash(
            self.size,
            tlog_tiles::Hash(leaf),
            &self.edge,
        );
        let hashes = hashes.map_err(|_| TreeError::Unreadable(self.size))?;
        let first = tlog_tiles::stored_hash_index(0, self.size);
        let placed: Vec<(u64, TreeHash)> = (first..)
            .zip(hashes.into_iter().map(|hash| hash.0))
            .collect();
        self.size += 1;
        let edge = TreeQuestion::Root(self.size).needs();
        self.edge.0.extend(placed.iter().copied());
        self.edge.0.retain(|index, _| edge.contains(index));
        Ok(placed)
    }
}

/// A tree that only its root is wanted of: the roots of its whole subtrees, largest first.
#[derive(Debug, Default)]
pub struct TreePeaks {
    size: u64,
    peaks: Vec<TreeHash>,
}

impl TreePeaks {
    /// Events in it.
    pub const fn size(&self) -> u64 {
        self.size
    }

    /// Appends a leaf.
    pub fn push(&mut self, leaf: TreeHash) {
        let mut top = leaf;
        // As many subtrees are completed as the size ends in ones.
        for _ in 0..self.size.trailing_ones() {
            if let Some(left) = self.peaks.pop() {
                top = node(left, top);
            }
        }
        self.peaks.push(top);
        self.size += 1;
    }

    /// Returns the head of the tree.
    pub fn head(&self) -> TreeHead {
        let root = self.peaks.iter().rev().copied();
        TreeHead {
            size: self.size,
            root: root
                .reduce(|right, left| node(left, right))
                .unwrap_or(EMPTY_HASH.0),
        }
    }
}

fn node(left: TreeHash, right: TreeHash) -> TreeHash {
    tlog_tiles::node_hash(tlog_tiles::Hash(left), tlog_tiles::Hash(right)).0
}

/// The place of an event in the tree over all events (RFC 6962).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = Inclusion)]
pub struct InclusionProof {
    /// The event's number in the tree, from 0.
    pub leaf_index: u64,
    /// Events in the tree.
    pub tree_size: u64,
    /// Hashes (hex) beside the path from the leaf up.
    pub hashes: Vec<String>,
}

impl InclusionProof {
    /// Writes an answer to [`TreeQuestion::Inclusion`].
    pub fn new(leaf_index: u64, tree_size: u64, hashes: &[TreeHash]) -> Self {
        Self {
            leaf_index,
            tree_size,
            hashes: hashes.iter().map(|hash| hex(hash)).collect(),
        }
    }

    /// Checks that this event stands in the tree of this head. The event's own hash is checked
    /// too, so that its columns are what is proven.
    ///
    /// # Errors
    /// [`TreeError`].
    pub fn check(&self, event: &AuditRow, head: &TreeHead) -> Result<(), TreeError> {
        if super::link(event).as_ref() != Some(&event.hash) {
            return Err(TreeError::Form("the event does not have its hash"));
        }
        let leaf = leaf(&event.hash).ok_or(TreeError::Form("the event has no hash"))?;
        if head.size != self.tree_size || self.leaf_index >= self.tree_size {
            return Err(TreeError::Form("the proof is of a tree of another size"));
        }
        let proof = self
            .hashes
            .iter()
            .map(|text| unhex(text).map(tlog_tiles::Hash));
        let proof: Option<Vec<LibraryHash>> = proof.collect();
        let proof = proof.ok_or(TreeError::Form("a hash of the proof is not one"))?;
        let (root, leaf) = (tlog_tiles::Hash(head.root), tlog_tiles::Hash(leaf));
        tlog_tiles::check_record(&proof, head.size, root, self.leaf_index, leaf)
            .map_err(|_| TreeError::Wrong)
    }
}

/// Checks an answer to [`TreeQuestion::Consistency`].
///
/// # Errors
/// [`TreeError::Wrong`] when `new` does not begin with `old`.
pub fn check_consistency(
    old: &TreeHead,
    new: &TreeHead,
    proof: &[TreeHash],
) -> Result<(), TreeError> {
    if old.size == 0 {
        return Ok(());
    }
    if old.size > new.size {
        return Err(TreeError::Wrong);
    }
    let proof: Vec<LibraryHash> = proof.iter().copied().map(tlog_tiles::Hash).collect();
    let [root, old_root] = [new.root, old.root].map(tlog_tiles::Hash);
    tlog_tiles::check_tree(&proof, new.size, root, old.size, old_root).map_err(|_| TreeError::Wrong)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::{ChainHead, EventKind};
    use crate::domain::UserId;
    use serde_json::json;
    use sha2::{Digest, Sha256};

    fn event(index: u64) -> AuditRow {
        let user = UserId::parse("ann").unwrap();
        let at = chrono::DateTime::from_timestamp(1_770_508_800, 0).unwrap();
        let payload = json!({"n": index});
        let payload = (&payload, || "salt".to_owned());
        AuditRow::after(
            &ChainHead::genesis(),
            user,
            None,
            EventKind::Turn,
            payload,
            at,
        )
    }

    /// All stored hashes of a tree, and its head at every size.
    fn grown(events: u64) -> (StoredHashes, Vec<TreeHead>) {
        let mut growing = GrowingTree::from(0, StoredHashes::default());
        let mut peaks = TreePeaks::default();
        let mut heads = vec![peaks.head()];
        let mut stored = Vec::new();
        for index in 0..events {
            let leaf = leaf(&event(index).hash).unwrap();
            stored.extend(growing.push(leaf).unwrap());
            peaks.push(leaf);
            heads.push(peaks.head());
        }
        assert!(
            stored
                .iter()
                .map(|(index, _)| *index)
                .eq(0..stored.len() as u64)
        );
        (StoredHashes::new(stored), heads)
    }

    /// The definition of RFC 6962, word by word.
    fn by_definition(leaves: &[[u8; 32]]) -> [u8; 32] {
        match leaves {
            [] => Sha256::digest(b"").into(),
            [one] => Sha256::digest([&[0], one.as_slice()].concat()).into(),
            _ => {
                let (left, right) = leaves.split_at(leaves.len().next_power_of_two() / 2);
                let (left, right) = (by_definition(left), by_definition(right));
                Sha256::digest([&[1], left.as_slice(), right.as_slice()].concat()).into()
            }
        }
    }

    #[test]
    fn a_root_is_that_of_the_definition_at_every_size() {
        let (stored, heads) = grown(70);
        let leaves: Vec<[u8; 32]> = (0..70).map(|n| unhex(&event(n).hash).unwrap()).collect();
        for (size, head) in heads.iter().enumerate() {
            assert_eq!(head.root, by_definition(&leaves[..size]), "{size}");
            let read = TreeQuestion::Root(size as u64).answer(&stored).unwrap();
            assert_eq!(read, [head.root]);
        }
        assert_eq!(heads[0], TreeHead::EMPTY);
    }

    #[test]
    fn what_is_not_stored_is_made_from_the_events_of_its_block() {
        let (all, heads) = grown(70);
        let leaves: Vec<_> = (0..96)
            .map(|n| (n, leaf(&event(n).hash).unwrap()))
            .collect();
        let kept = all.0.keys().filter(|index| is_stored(**index)).count();
        assert_eq!(kept, 4 + 2 + 1);
        for size in 1..=70 {
            for index in 0..size {
                let question = TreeQuestion::Inclusion { size, index };
                let needs = NeededHashes::of(&question.needs());
                assert!(needs.blocks.len() <= 3, "{needs:?}");
                let nodes = needs.nodes.iter().map(|node| (*node, all.0[node]));
                let mut read = StoredHashes::new(nodes);
                // Of the last block there may be more events than the tree has.
                let in_blocks = |n: u64| needs.blocks.contains(&(n / BLOCK * BLOCK));
                read.add_leaves(leaves.iter().copied().filter(|(n, _)| in_blocks(*n)));
                let proof = question.answer(&read).unwrap();
                assert_eq!(proof, question.answer(&all).unwrap());
                let proof = InclusionProof::new(index, size, &proof);
                let head = &heads[usize::try_from(size).unwrap()];
                assert_eq!(proof.check(&event(index), head), Ok(()));
            }
        }
    }

    #[test]
    fn every_event_is_proven_in_every_later_tree_and_no_other() {
        let (stored, heads) = grown(20);
        for (size, head) in (0..).zip(&heads).skip(1) {
            for index in 0..size {
                let answer = TreeQuestion::Inclusion { size, index }
                    .answer(&stored)
                    .unwrap();
                let proof = InclusionProof::new(index, size, &answer);
                assert_eq!(proof.check(&event(index), head), Ok(()));
                let other = event(index + 1);
                assert!(proof.check(&other, head).is_err());
                let mut moved = proof.clone();
                moved.leaf_index ^= 1;
                assert!(size == 1 || moved.check(&event(index), head).is_err());
            }
        }
        let outside = TreeQuestion::Inclusion { size: 3, index: 3 };
        assert_eq!(outside.answer(&stored), Err(TreeError::Unreadable(3)));
        assert!(outside.needs().is_empty());
    }

    #[test]
    fn a_changed_event_or_hash_is_not_proven() {
        let (stored, heads) = grown(9);
        let answer = TreeQuestion::Inclusion { size: 9, index: 4 }.answer(&stored);
        let proof = InclusionProof::new(4, 9, &answer.unwrap());
        let mut changed = event(4);
        changed.payload = "{\"n\":5}".to_owned();
        assert!(matches!(
            proof.check(&changed, &heads[9]),
            Err(TreeError::Form(_))
        ));
        for place in 0..proof.hashes.len() {
            let mut wrong = proof.clone();
            wrong.hashes[place] = "0".repeat(64);
            assert_eq!(wrong.check(&event(4), &heads[9]), Err(TreeError::Wrong));
        }
        assert!(proof.check(&event(4), &heads[8]).is_err());
    }

    #[test]
    fn a_tree_begins_with_each_earlier_one_and_with_no_other() {
        let (stored, heads) = grown(33);
        for old in 1..33_usize {
            for size in old..=33 {
                let (from, to) = (old as u64, size as u64);
                let question = TreeQuestion::Consistency {
                    size: to,
                    old: from,
                };
                let proof = question.answer(&stored).unwrap();
                assert_eq!(check_consistency(&heads[old], &heads[size], &proof), Ok(()));
                let mut forged = heads[old];
                forged.root[0] ^= 1;
                assert!(check_consistency(&forged, &heads[size], &proof).is_err());
            }
        }
        assert!(check_consistency(&heads[5], &heads[4], &[]).is_err());
    }

    #[test]
    fn a_proof_in_a_million_events_is_under_a_kilobyte() {
        let size = 1_000_000;
        let needs = TreeQuestion::Inclusion { size, index: 77 }.needs();
        let hashes: Vec<TreeHash> = needs.iter().map(|_| [7; 32]).collect();
        // As many hashes as the path is long: what is asked for may be folded on the way.
        assert!(hashes.len() <= 40);
        let path = TreeQuestion::Inclusion { size, index: 77 }
            .answer(&StoredHashes::new(needs.into_iter().zip(hashes)))
            .unwrap();
        assert!(path.len() * 32 < 1_000, "{} hashes", path.len());
    }
}
