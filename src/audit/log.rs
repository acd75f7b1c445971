//! Checks a whole log offline: every user's chain, and the tree that a checkpoint signed.
//!
//! Takes the events in the order of the tree, as an export writes them, and keeps of each user
//! only where the chain stands.

use std::collections::BTreeMap;

use serde::Serialize;

use super::chain::{AuditRow, BrokenChain, ChainHead, ChainVerifier};
use super::tree::{TreeHead, TreePeaks};
use crate::domain::UserId;

/// Reason why a log is not what was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum LogFault {
    /// A user's chain is broken.
    #[error("{user_id}: {broken}")]
    Chain {
        /// User of the log.
        user_id: UserId,
        /// Place and fault of the break.
        #[serde(flatten)]
        broken: BrokenChain,
    },
    /// An event does not stand where it stood in the tree.
    #[error("event {seq} of {user_id}: it is number {found} of the tree, {expected} was due")]
    Place {
        /// User of the event.
        user_id: UserId,
        /// Number of the event.
        seq: i64,
        /// Place at which it says it stands.
        found: u64,
        /// Place of the next event.
        expected: u64,
    },
    /// Fewer events than the checkpoint covers.
    #[error("the checkpoint covers {covered} events, and the log has {found} of them")]
    Truncated {
        /// Events under the checkpoint.
        covered: u64,
        /// Events that are there.
        found: u64,
    },
    /// The events are not those that the checkpoint covers.
    #[error(
        "the first {size} events do not have the checkpoint's root: some were changed, removed or put in since it was signed"
    )]
    Root {
        /// Events under the checkpoint.
        size: u64,
    },
}

/// Result of a check that found the log whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WholeLog {
    /// Head of each user's chain.
    pub users: BTreeMap<UserId, ChainHead>,
    /// Events in the tree.
    pub tree: TreeHead,
    /// Events that were not in the tree yet.
    pub beyond: u64,
}

/// Checks a log that arrives event by event.
#[derive(Debug, Default)]
pub struct LogCheck {
    chains: BTreeMap<UserId, ChainVerifier>,
    tree: TreePeaks,
    beyond: u64,
    /// Checkpoints that were not met yet.
    due: Vec<TreeHead>,
}

impl LogCheck {
    /// Starts; the log must contain what each of the checkpoints covers.
    pub fn new(checkpoints: impl IntoIterator<Item = TreeHead>) -> Self {
        let due = checkpoints.into_iter();
        Self {
            due: due.filter(|head| *head != TreeHead::EMPTY).collect(),
            ..Self::default()
        }
    }

    /// Checks the next event; `place` is its number in the tree, none when it is not in it.
    ///
    /// # Errors
    /// The first [`LogFault`].
    pub fn push(&mut self, place: Option<u64>, event: &AuditRow) -> Result<(), LogFault> {
        let (expected, seq) = (self.tree.size(), event.seq);
        let user_id = event.user_id.clone();
        let verifier = match self.chains.get_mut(&user_id) {
            Some(verifier) => verifier,
            None => (self.chains.entry(user_id.clone())).or_insert(ChainVerifier::new(None)),
        };
        let leaf = match verifier.push(event) {
            Ok(leaf) => leaf,
            Err(broken) => return Err(LogFault::Chain { user_id, broken }),
        };
        let Some(found) = place else {
            self.beyond += 1;
            return Ok(());
        };
        if found != expected {
            return Err(LogFault::Place {
                user_id,
                seq,
                found,
                expected,
            });
        }
        self.tree.push(leaf);
        let size = self.tree.size();
        if self.due.iter().any(|due| due.size == size) {
            let head = self.tree.head();
            if self.due.iter().any(|due| due.size == size && *due != head) {
                return Err(LogFault::Root { size });
            }
            self.due.retain(|due| due.size != size);
        }
        Ok(())
    }

    /// Ends the check.
    ///
    /// # Errors
    /// [`LogFault`]: a chain that ends wrongly, or less than the checkpoint covers.
    pub fn finish(self) -> Result<WholeLog, LogFault> {
        let tree = self.tree.head();
        let mut users = BTreeMap::new();
        for (user_id, verifier) in self.chains {
            match verifier.finish() {
                Ok(head) => users.insert(user_id, head),
                Err(broken) => return Err(LogFault::Chain { user_id, broken }),
            };
        }
        let beyond = |due: &&TreeHead| due.size > tree.size;
        if let Some(due) = self.due.iter().find(beyond) {
            return Err(LogFault::Truncated {
                covered: due.size,
                found: tree.size,
            });
        }
        // Of no event there is but one root.
        if let Some(due) = self.due.first() {
            return Err(LogFault::Root { size: due.size });
        }
        Ok(WholeLog {
            users,
            tree,
            beyond: self.beyond,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::EventKind;
    use chrono::{DateTime, TimeDelta};
    use serde_json::json;

    /// Events of three users, interleaved, in the order of the tree.
    fn log() -> Vec<AuditRow> {
        let start = DateTime::from_timestamp(1_770_508_800, 0).unwrap();
        let mut heads = BTreeMap::new();
        let mut rows = Vec::new();
        for index in 0..14_i64 {
            let user = UserId::parse(["ann", "bob", "eve"][index as usize * 7 % 3]).unwrap();
            let head = heads.entry(user.clone()).or_insert_with(ChainHead::genesis);
            let kind = EventKind::ALL[index as usize % 5];
            let payload = json!({"n": index, "message": format!("milk {index}")});
            let salt = || format!("salt {index}");
            let at = start + TimeDelta::seconds(index);
            let row = AuditRow::after(head, user, None, kind, (&payload, salt), at);
            *head = row.head();
            rows.push(row);
        }
        rows
    }

    fn check(rows: &[AuditRow], checkpoint: Option<TreeHead>) -> Result<WholeLog, LogFault> {
        let mut check = LogCheck::new(checkpoint);
        for (place, row) in (0..).zip(rows) {
            check.push(Some(place), row)?;
        }
        check.finish()
    }

    fn head(rows: &[AuditRow]) -> TreeHead {
        check(rows, None).unwrap().tree
    }

    #[test]
    fn a_log_contains_every_checkpoint_that_was_made_of_it() {
        let rows = log();
        for size in 0..=rows.len() {
            let whole = check(&rows, Some(head(&rows[..size]))).unwrap();
            assert_eq!(
                (whole.tree.size, whole.users.len(), whole.beyond),
                (14, 3, 0)
            );
        }
    }

    #[test]
    fn a_cut_tail_is_found_by_the_checkpoint_alone() {
        let rows = log();
        let all = head(&rows);
        for kept in 0..rows.len() {
            assert!(check(&rows[..kept], None).is_ok());
            let (covered, found) = (14, kept as u64);
            let fault = LogFault::Truncated { covered, found };
            assert_eq!(check(&rows[..kept], Some(all)), Err(fault));
        }
    }

    #[test]
    fn another_log_with_whole_chains_does_not_have_the_root() {
        let rows = log();
        let mut other = rows.clone();
        // Two users' events change places: every chain is whole, the tree is another.
        other.swap(3, 4);
        assert_ne!(rows[3].user_id, rows[4].user_id);
        assert!(check(&other, None).is_ok());
        let root = LogFault::Root { size: 14 };
        assert_eq!(check(&other, Some(head(&rows))), Err(root));
    }

    #[test]
    fn erased_words_are_accounted_for_by_an_erasure() {
        let mut rows = log();
        let all = head(&rows);
        let bob: Vec<usize> = (0..14)
            .filter(|n| rows[*n].user_id.as_str() == "bob")
            .collect();
        for place in &bob {
            rows[*place].payload = super::super::erase(&rows[*place].payload).unwrap();
        }
        let missing = check(&rows, Some(all)).unwrap_err();
        let first = rows[bob[0]].seq;
        assert!(
            matches!(&missing, LogFault::Chain { broken, .. }
                if broken.seq == first && broken.fault == super::super::ChainFault::Erased),
            "{missing}"
        );
        let last = rows[bob[bob.len() - 1]].clone();
        let told = json!({"why": "asked for by the user"});
        rows.push(AuditRow::after(
            &last.head(),
            last.user_id,
            None,
            EventKind::Erasure,
            (&told, String::new),
            last.created_at,
        ));
        assert_eq!(check(&rows, Some(all)).unwrap().tree.size, 15);
    }
}
