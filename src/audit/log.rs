//! Checks a whole log offline: every user's chain, and the tree that a checkpoint signed.
//!
//! Takes the events in the order of the tree, as an export writes them, and keeps of each user
//! only where the chain stands.

use std::collections::BTreeMap;

use serde::Serialize;

use super::chain::{Broken, Head, Row, Verifier};
use super::tree::{Growing, TreeHead, leaf};
use crate::domain::UserId;

/// Why a log is not what was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum LogFault {
    /// A user's chain is broken.
    #[error("{user_id}: {broken}")]
    Chain {
        /// Whose.
        user_id: UserId,
        /// Where.
        #[serde(flatten)]
        broken: Broken,
    },
    /// An event does not stand where it stood in the tree.
    #[error("event {seq} of {user_id}: it is number {found} of the tree, {expected} was due")]
    Place {
        /// Whose event.
        user_id: UserId,
        /// Which.
        seq: i64,
        /// Where it says it stands.
        found: u64,
        /// Where the next event stands.
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

/// What a check found to be whole.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Whole {
    /// Where each user's chain stands.
    pub users: BTreeMap<UserId, Head>,
    /// Events in the tree.
    pub tree: TreeHead,
    /// Events that were not in the tree yet.
    pub beyond: u64,
}

/// Checks a log that arrives event by event.
#[derive(Debug, Default)]
pub struct LogCheck {
    chains: BTreeMap<UserId, Verifier>,
    tree: Growing,
    beyond: u64,
    checkpoint: Option<TreeHead>,
    met: bool,
}

impl LogCheck {
    /// Starts; the log must contain what `checkpoint` covers.
    pub fn new(checkpoint: Option<TreeHead>) -> Self {
        Self {
            met: checkpoint.is_none_or(|head| head == TreeHead::EMPTY),
            checkpoint,
            ..Self::default()
        }
    }

    /// Checks the next event; `place` is its number in the tree, none when it is not in it.
    ///
    /// # Errors
    /// The first [`LogFault`].
    pub fn push(&mut self, place: Option<u64>, event: &Row) -> Result<(), LogFault> {
        let user = &event.user_id;
        let chain = |broken| LogFault::Chain {
            user_id: user.clone(),
            broken,
        };
        if !self.chains.contains_key(user) {
            self.chains.insert(user.clone(), Verifier::new(None));
        }
        if let Some(verifier) = self.chains.get_mut(user) {
            verifier.push(event).map_err(chain)?;
        }
        let Some(found) = place else {
            self.beyond += 1;
            return Ok(());
        };
        let expected = self.tree.size();
        // What was just checked has a hash, and the tree starts whole.
        let grown = leaf(&event.hash).map(|leaf| self.tree.push(leaf));
        if found != expected || !matches!(grown, Some(Ok(_))) {
            return Err(LogFault::Place {
                user_id: user.clone(),
                seq: event.seq,
                found,
                expected,
            });
        }
        if let Some(checkpoint) = self.checkpoint
            && self.tree.size() == checkpoint.size
        {
            if self.tree.head().ok() != Some(checkpoint) {
                return Err(LogFault::Root {
                    size: checkpoint.size,
                });
            }
            self.met = true;
        }
        Ok(())
    }

    /// Ends the check.
    ///
    /// # Errors
    /// [`LogFault`]: a chain that ends wrongly, or less than the checkpoint covers.
    pub fn finish(self) -> Result<Whole, LogFault> {
        let tree = self.tree.head().unwrap_or(TreeHead::EMPTY);
        let mut users = BTreeMap::new();
        for (user_id, verifier) in self.chains {
            match verifier.finish() {
                Ok(head) => users.insert(user_id, head),
                Err(broken) => return Err(LogFault::Chain { user_id, broken }),
            };
        }
        match self.checkpoint {
            Some(checkpoint) if !self.met && tree.size < checkpoint.size => {
                Err(LogFault::Truncated {
                    covered: checkpoint.size,
                    found: tree.size,
                })
            }
            Some(checkpoint) if !self.met => Err(LogFault::Root {
                size: checkpoint.size,
            }),
            _ => Ok(Whole {
                users,
                tree,
                beyond: self.beyond,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::EventKind;
    use chrono::{DateTime, TimeDelta};
    use proptest::prelude::*;
    use serde_json::json;

    /// Events of three users, interleaved, in the order of the tree.
    fn log() -> Vec<Row> {
        let start = DateTime::from_timestamp(1_770_508_800, 0).unwrap();
        let mut heads = BTreeMap::new();
        let mut rows = Vec::new();
        for index in 0..14_i64 {
            let user = UserId::parse(["ann", "bob", "eve"][index as usize * 7 % 3]).unwrap();
            let head = heads.entry(user.clone()).or_insert_with(Head::genesis);
            let kind = EventKind::ALL[index as usize % 5];
            let payload = json!({"n": index, "message": format!("milk {index}")});
            let salt = || format!("salt {index}");
            let at = start + TimeDelta::seconds(index);
            let row = Row::after(head, user, None, kind, (&payload, salt), at);
            *head = row.head();
            rows.push(row);
        }
        rows
    }

    fn check(rows: &[Row], checkpoint: Option<TreeHead>) -> Result<Whole, LogFault> {
        let mut check = LogCheck::new(checkpoint);
        for (place, row) in (0..).zip(rows) {
            check.push(Some(place), row)?;
        }
        check.finish()
    }

    fn head(rows: &[Row]) -> TreeHead {
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
                if broken.seq == first && broken.fault == super::super::Fault::Erased),
            "{missing}"
        );
        let last = rows[bob[bob.len() - 1]].clone();
        let told = json!({"why": "asked for by the user"});
        rows.push(Row::after(
            &last.head(),
            last.user_id,
            None,
            EventKind::Erasure,
            (&told, String::new),
            last.created_at,
        ));
        assert_eq!(check(&rows, Some(all)).unwrap().tree.size, 15);
    }

    /// One way to tamper with an export: bytes, events, or their order.
    #[derive(Debug, Clone)]
    enum Tamper {
        Byte(usize, usize, u8),
        Remove(usize),
        Repeat(usize, usize),
        Swap(usize, usize),
        Cut(usize),
        Invent(usize),
    }

    fn tampers() -> impl Strategy<Value = Tamper> {
        let at = 0..14_usize;
        prop_oneof![
            6 => (at.clone(), any::<usize>(), 1..=255_u8).prop_map(|(a, b, c)| Tamper::Byte(a, b, c)),
            1 => at.clone().prop_map(Tamper::Remove),
            1 => (at.clone(), at.clone()).prop_map(|(a, b)| Tamper::Repeat(a, b)),
            1 => (at.clone(), at.clone()).prop_map(|(a, b)| Tamper::Swap(a, b)),
            1 => at.clone().prop_map(Tamper::Cut),
            // What comes after the checkpoint is not covered by it.
            1 => (0..13_usize).prop_map(Tamper::Invent),
        ]
    }

    /// The export's lines after tampering; none when nothing was changed by it.
    fn tampered(rows: &[Row], tamper: &Tamper) -> Option<Vec<Vec<u8>>> {
        let lines = rows.iter().map(|row| serde_json::to_vec(row).unwrap());
        let whole: Vec<Vec<u8>> = lines.collect();
        let mut lines = whole.clone();
        match *tamper {
            Tamper::Byte(line, place, mask) => {
                let place = place % lines[line].len();
                lines[line][place] ^= mask;
            }
            Tamper::Remove(line) => drop(lines.remove(line)),
            Tamper::Repeat(from, to) => lines.insert(to, whole[from].clone()),
            Tamper::Swap(a, b) => lines.swap(a, b),
            Tamper::Cut(kept) => lines.truncate(kept),
            Tamper::Invent(place) => {
                let before = &rows[place];
                let payload = json!({"message": "Deleted: everything"});
                let invented = Row::after(
                    &before.head(),
                    before.user_id.clone(),
                    None,
                    EventKind::Reply,
                    (&payload, || "salt".to_owned()),
                    before.created_at,
                );
                lines.insert(place + 1, serde_json::to_vec(&invented).unwrap());
            }
        }
        (lines != whole).then_some(lines)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]
        #[test]
        fn any_tampering_is_found_with_only_checkpoint_and_export(tamper in tampers()) {
            thread_local! {
                static LOG: (Vec<Row>, TreeHead) = { let rows = log(); let all = head(&rows); (rows, all) };
            }
            let found = LOG.with(|(rows, all)| {
                let Some(lines) = tampered(rows, &tamper) else { return true };
                let parsed: Result<Vec<Row>, _> =
                    lines.iter().map(|line| serde_json::from_slice(line)).collect();
                // A line that is no event is found as well.
                let Ok(parsed) = parsed else { return true };
                // A byte may be written another way and mean the same: `\u006d` for `m`.
                parsed == *rows || check(&parsed, Some(*all)).is_err()
            });
            prop_assert!(found, "{tamper:?}");
        }
    }
}
