//! The hash chain: each event's hash covers all its columns and the hash before it.
//!
//! Needs nothing but the rows, so that an export can be checked without the database.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::EventKind;
use super::hex::hex;
use super::payload::{CoveredPayload, seal};
use super::tree::{TreeHash, leaf_of};
use crate::domain::{TurnId, UserId};

/// Hash that the first event of a user names as its predecessor's.
const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Separates these hashes from all others made with the same function.
const DOMAIN: &[u8] = b"candor audit event 1\n";

/// One event as it stands in the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditRow {
    /// User of the log.
    pub user_id: UserId,
    /// Counts this user's events from 1, without gaps.
    pub seq: i64,
    /// The turn it belongs to.
    pub turn_id: Option<TurnId>,
    /// Its kind.
    pub kind: EventKind,
    /// JSON as it was sealed, or what an erasure left of it. Both are covered alike.
    pub payload: String,
    /// The hash of the event before it, in hex.
    pub prev_hash: String,
    /// SHA-256 over all other columns, in hex; of the payload, over what is [`CoveredPayload`].
    pub hash: String,
    /// Time of the event, in whole microseconds.
    pub created_at: DateTime<Utc>,
}

impl AuditRow {
    /// The event that follows `head` in a user's log; the payload comes with what makes its
    /// salt.
    pub fn after(
        head: &ChainHead,
        user_id: UserId,
        turn_id: Option<TurnId>,
        kind: EventKind,
        payload: (&Value, impl FnOnce() -> String),
        created_at: DateTime<Utc>,
    ) -> Self {
        let (payload, salt) = payload;
        let (text, covered) = seal(payload, salt);
        let mut row = Self {
            user_id,
            seq: head.seq + 1,
            turn_id,
            kind,
            payload: text,
            prev_hash: head.hash.clone(),
            hash: String::new(),
            created_at,
        };
        row.hash = hex(&digest(&row, &covered));
        row
    }

    /// The log's head once this event is written.
    pub fn head(&self) -> ChainHead {
        ChainHead {
            seq: self.seq,
            hash: self.hash.clone(),
        }
    }
}

/// Head of a log: its last event's number and hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChainHead {
    /// The last event's number; 0 for an empty log.
    pub seq: i64,
    /// The last event's hash.
    pub hash: String,
}

impl ChainHead {
    /// The head of an empty log.
    pub fn genesis() -> Self {
        Self {
            seq: 0,
            hash: GENESIS.to_owned(),
        }
    }

    /// The one that is further on: of a log whose tail was cut the recorded one, so that the gap
    /// shows; of a head that was turned back the last event's.
    #[must_use]
    pub fn or_further(self, other: Self) -> Self {
        if other.seq > self.seq { other } else { self }
    }
}

/// The first event of a log that is not as it was written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, thiserror::Error)]
#[error("event {seq}: {fault}")]
pub struct BrokenChain {
    /// Its number; for a missing event, the number it had.
    pub seq: i64,
    /// The fault.
    pub fault: ChainFault,
}

/// Fault of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum ChainFault {
    /// The event is not there.
    #[error("it is missing")]
    Gap,
    /// The event stands after one with a higher or the same number.
    #[error("it is out of order")]
    Order,
    /// The event belongs to another user.
    #[error("it belongs to another user")]
    User,
    /// The event does not follow the one before it.
    #[error("it does not follow the event before it")]
    PrevHash,
    /// Its columns do not have its hash.
    #[error("its contents do not match its hash")]
    Hash,
    /// Its hash is not the one that was recorded elsewhere.
    #[error("its hash is not the recorded one")]
    Head,
    /// The log was longer than what was ever committed.
    #[error("no commit wrote it")]
    Extra,
    /// Its words are gone, and no later event tells of an erasure.
    #[error("its words were removed, and no event tells of it")]
    Erased,
    /// A column holds what was never written.
    #[error("its column {0} is malformed")]
    Form(&'static str),
}

/// The hash of an event, over every column but the hash itself.
///
/// Each column is written with its length before it, so that no two rows have one encoding.
/// Of the payload the hash is written, so that a row can be shown without its contents. None
/// when the payload is not as it was kept.
pub fn link(row: &AuditRow) -> Option<String> {
    CoveredPayload::of(&row.payload).map(|covered| hex(&digest(row, &covered.hash())))
}

fn digest(row: &AuditRow, covered: &TreeHash) -> TreeHash {
    let mut hasher = Sha256::new();
    hasher.update(DOMAIN);
    let mut column = |bytes: &[u8]| {
        hasher.update((bytes.len() as u64).to_be_bytes());
        hasher.update(bytes);
    };
    column(row.user_id.as_str().as_bytes());
    column(row.seq.to_string().as_bytes());
    // A turn's id is 36 bytes, so an empty column can only mean none.
    column(
        row.turn_id
            .map(|id| id.to_string())
            .unwrap_or_default()
            .as_bytes(),
    );
    column(row.kind.as_str().as_bytes());
    column(covered);
    column(row.prev_hash.as_bytes());
    let at = row.created_at.to_rfc3339_opts(SecondsFormat::Micros, true);
    column(at.as_bytes());
    hasher.finalize().into()
}

/// Checks one user's whole log, and that it contains `expected` when that is given.
///
/// # Errors
/// [`BrokenChain`] names the first event that is not as it was written.
pub fn verify<'a>(
    rows: impl IntoIterator<Item = &'a AuditRow>,
    expected: Option<&ChainHead>,
) -> Result<ChainHead, BrokenChain> {
    let mut verifier = ChainVerifier::new(expected.into_iter().cloned());
    for row in rows {
        verifier.push(row)?;
    }
    verifier.finish()
}

/// Checks a log that arrives in pieces.
#[derive(Debug)]
pub struct ChainVerifier {
    user: Option<UserId>,
    head: ChainHead,
    expected: Vec<ChainHead>,
    /// The first event whose words are gone and that no erasure has told of yet.
    bare: Option<i64>,
}

impl ChainVerifier {
    /// Starts at the log's beginning; every head of `expected` must be met on the way.
    pub fn new(expected: impl IntoIterator<Item = ChainHead>) -> Self {
        Self::after(ChainHead::genesis(), expected)
    }

    /// Starts in the middle of a log, behind `head`.
    pub(super) fn after(head: ChainHead, expected: impl IntoIterator<Item = ChainHead>) -> Self {
        Self {
            user: None,
            head,
            expected: expected.into_iter().filter(|head| head.seq > 0).collect(),
            bare: None,
        }
    }

    /// The last event that was found to be as it was written.
    pub const fn head(&self) -> &ChainHead {
        &self.head
    }

    /// Checks the next event, and returns its leaf in the tree.
    ///
    /// # Errors
    /// [`BrokenChain`] when it is not as it was written, or one before it is missing.
    pub fn push(&mut self, row: &AuditRow) -> Result<TreeHash, BrokenChain> {
        let next = self.head.seq + 1;
        let broken = |seq, fault| Err(BrokenChain { seq, fault });
        if row.seq < next {
            return broken(row.seq, ChainFault::Order);
        }
        if row.seq > next {
            return broken(next, ChainFault::Gap);
        }
        if self.user.as_ref().is_some_and(|user| *user != row.user_id) {
            return broken(row.seq, ChainFault::User);
        }
        if row.prev_hash != self.head.hash {
            return broken(row.seq, ChainFault::PrevHash);
        }
        let Some(covered) = CoveredPayload::of(&row.payload) else {
            return broken(row.seq, ChainFault::Form("payload"));
        };
        let digest = digest(row, &covered.hash());
        if row.hash != hex(&digest) {
            return broken(row.seq, ChainFault::Hash);
        }
        let differs = |head: &ChainHead| head.seq == row.seq && head.hash != row.hash;
        if self.expected.iter().any(differs) {
            return broken(row.seq, ChainFault::Head);
        }
        if self.user.is_none() {
            self.user = Some(row.user_id.clone());
        }
        // An erasure tells of all events before it.
        if row.kind == EventKind::Erasure {
            self.bare = None;
        } else if covered.erased {
            self.bare = self.bare.or(Some(row.seq));
        }
        self.head = row.head();
        Ok(leaf_of(&digest))
    }

    /// Ends the check.
    ///
    /// # Errors
    /// [`BrokenChain`] when the log ends before an expected head, or words are gone untold.
    pub fn finish(self) -> Result<ChainHead, BrokenChain> {
        let beyond = self.expected.iter().any(|head| head.seq > self.head.seq);
        if beyond {
            return Err(BrokenChain {
                seq: self.head.seq + 1,
                fault: ChainFault::Gap,
            });
        }
        match self.bare {
            None => Ok(self.head),
            Some(seq) => Err(BrokenChain {
                seq,
                fault: ChainFault::Erased,
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeDelta;
    use serde_json::json;
    use uuid::Uuid;

    fn log(length: i64) -> Vec<AuditRow> {
        let start = DateTime::from_timestamp(1_770_508_800, 0).unwrap();
        let mut head = ChainHead::genesis();
        let mut rows = Vec::new();
        for index in 0..length {
            let row = AuditRow::after(
                &head,
                UserId::parse("ann").unwrap(),
                (index % 2 == 0).then(|| TurnId::new(Uuid::from_u128(7))),
                EventKind::ALL[usize::try_from(index).unwrap() % 5],
                (&json!({"n": index}), || "salt".to_owned()),
                start + TimeDelta::microseconds(index),
            );
            head = row.head();
            rows.push(row);
        }
        rows
    }

    #[track_caller]
    fn check(rows: &[AuditRow], seq: i64, fault: ChainFault) {
        assert_eq!(verify(rows, None), Err(BrokenChain { seq, fault }));
    }

    #[test]
    fn an_untouched_log_ends_at_its_head() {
        let rows = log(6);
        let head = rows[5].head();
        assert_eq!(verify(&rows, None), Ok(head.clone()));
        assert_eq!(verify(&rows, Some(&head)), Ok(head.clone()));
        assert_eq!(verify(&rows, Some(&rows[2].head())), Ok(head));
        assert_eq!(verify(&[], None), Ok(ChainHead::genesis()));
    }

    #[test]
    fn every_column_is_covered() {
        type Tamper = fn(&mut AuditRow);
        let tampers: [(Tamper, ChainFault); 10] = [
            (|row| row.payload.push(' '), ChainFault::Hash),
            (|row| row.payload.push('}'), ChainFault::Form("payload")),
            (|row| row.kind = EventKind::Refusal, ChainFault::Hash),
            (|row| row.turn_id = None, ChainFault::Hash),
            (
                |row| row.turn_id = Some(TurnId::new(Uuid::from_u128(8))),
                ChainFault::Hash,
            ),
            (
                |row| row.created_at += TimeDelta::microseconds(1),
                ChainFault::Hash,
            ),
            (|row| row.hash.replace_range(0..1, "g"), ChainFault::Hash),
            (
                |row| row.prev_hash.replace_range(63..64, "g"),
                ChainFault::PrevHash,
            ),
            (
                |row| row.user_id = UserId::parse("bob").unwrap(),
                ChainFault::User,
            ),
            (|row| row.seq = 2, ChainFault::Order),
        ];
        for (tamper, fault) in tampers {
            let mut rows = log(6);
            tamper(&mut rows[2]);
            let seq = rows[2].seq;
            check(&rows, seq, fault);
        }
    }

    #[test]
    fn a_whole_log_under_another_name_is_found() {
        let mut rows = log(3);
        for row in &mut rows {
            row.user_id = UserId::parse("bob").unwrap();
        }
        check(&rows, 1, ChainFault::Hash);
    }

    #[test]
    fn removed_swapped_and_doubled_events_are_found() {
        let mut rows = log(6);
        rows.remove(2);
        check(&rows, 3, ChainFault::Gap);
        let mut rows = log(6);
        rows.remove(0);
        check(&rows, 1, ChainFault::Gap);
        let mut rows = log(6);
        rows.swap(2, 3);
        check(&rows, 3, ChainFault::Gap);
        let mut rows = log(6);
        let (a, b) = (rows[2].seq, rows[3].seq);
        (rows[2].seq, rows[3].seq) = (b, a);
        rows.swap(2, 3);
        check(&rows, 3, ChainFault::PrevHash);
        let mut rows = log(6);
        rows.insert(3, rows[2].clone());
        check(&rows, 3, ChainFault::Order);
    }

    #[test]
    fn a_cut_or_rewritten_log_is_found_by_a_head_kept_elsewhere() {
        let rows = log(6);
        let head = rows[5].head();
        assert_eq!(
            verify(&rows[..4], Some(&head)),
            Err(BrokenChain {
                seq: 5,
                fault: ChainFault::Gap
            })
        );
        let other = ChainHead {
            seq: 3,
            hash: head.hash,
        };
        assert_eq!(
            verify(&rows, Some(&other)),
            Err(BrokenChain {
                seq: 3,
                fault: ChainFault::Head
            })
        );
    }

    #[test]
    fn an_export_reads_back_and_verifies() {
        let rows = log(4);
        let lines: Vec<String> = rows
            .iter()
            .map(|row| serde_json::to_string(row).unwrap())
            .collect();
        let back: Vec<AuditRow> = lines
            .iter()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(verify(&back, Some(&rows[3].head())), Ok(rows[3].head()));
    }
}
