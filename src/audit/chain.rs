//! The hash chain: each event's hash covers all its columns and the hash before it.
//!
//! Needs nothing but the rows, so that an export can be checked without the database.

use chrono::{DateTime, SecondsFormat, Utc};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};
use sha2::{Digest, Sha256};

use super::EventKind;
use super::hex::hex;
use super::payload::{Covered, Payload, Sealed, seal};
use super::tree::{Hash, leaf_of};
use crate::domain::{TurnId, UserId};

/// What the first event of a user names as the hash before it.
const GENESIS: &str = "0000000000000000000000000000000000000000000000000000000000000000";

/// Separates these hashes from all others made with the same function.
const DOMAIN: &[u8] = b"candor audit event 1\n";

/// One event as it stands in the log.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Row {
    /// Whose log.
    pub user_id: UserId,
    /// Counts this user's events from 1, without gaps.
    pub seq: i64,
    /// The turn it belongs to.
    pub turn_id: Option<TurnId>,
    /// What kind.
    #[serde(serialize_with = "write_kind", deserialize_with = "read_kind")]
    pub kind: EventKind,
    /// JSON as [`seal`] wrote it, or what an erasure left of it. Both are covered alike.
    pub payload: String,
    /// The hash of the event before it, in hex.
    pub prev_hash: String,
    /// SHA-256 over all other columns, in hex; of the payload, over what is [`Covered`].
    pub hash: String,
    /// When, in whole microseconds.
    pub created_at: DateTime<Utc>,
}

impl Row {
    /// The event that follows `head` in a user's log; the payload comes with what makes its
    /// salt.
    pub fn after(
        head: &Head,
        user_id: UserId,
        turn_id: Option<TurnId>,
        kind: EventKind,
        payload: (&Payload, impl FnOnce() -> String),
        created_at: DateTime<Utc>,
    ) -> Self {
        let (payload, salt) = payload;
        let Sealed { text, covered } = seal(payload, salt);
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

    /// The hash of the payload's covered bytes; none when it is no JSON.
    pub fn payload_hash(&self) -> Option<String> {
        Covered::of(&self.payload).map(|covered| hex(&covered.hash()))
    }

    /// The log's head once this event is written.
    pub fn head(&self) -> Head {
        Head {
            seq: self.seq,
            hash: self.hash.clone(),
        }
    }
}

/// Where a log stands: its last event's number and hash.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Head {
    /// The last event's number; 0 for an empty log.
    pub seq: i64,
    /// The last event's hash.
    pub hash: String,
}

impl Head {
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
pub struct Broken {
    /// Its number; for a missing event, the number it had.
    pub seq: i64,
    /// What is wrong with it.
    pub fault: Fault,
}

/// What is wrong with an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum Fault {
    /// It is not there.
    #[error("it is missing")]
    Gap,
    /// It stands after an event with a higher or the same number.
    #[error("it is out of order")]
    Order,
    /// It belongs to another user.
    #[error("it belongs to another user")]
    User,
    /// It does not follow the event before it.
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
/// when the payload is not as [`seal`] writes.
pub fn link(row: &Row) -> Option<String> {
    Covered::of(&row.payload).map(|covered| linked(row, &covered))
}

fn linked(row: &Row, covered: &Covered<'_>) -> String {
    hex(&digest(row, &covered.hash()))
}

fn digest(row: &Row, covered: &Hash) -> Hash {
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
/// [`Broken`] names the first event that is not as it was written.
pub fn verify<'a>(
    rows: impl IntoIterator<Item = &'a Row>,
    expected: Option<&Head>,
) -> Result<Head, Broken> {
    let mut verifier = Verifier::new(expected.into_iter().cloned());
    for row in rows {
        verifier.push(row)?;
    }
    verifier.finish()
}

/// An event that was looked at alone: its hash is checked, its place is not. This half of the
/// work needs no order, so several threads can share it.
#[derive(Debug)]
pub(super) struct Event {
    pub(super) user_id: UserId,
    pub(super) seq: i64,
    kind: EventKind,
    prev_hash: String,
    hash: String,
    /// Its leaf in the tree; it counts only if nothing is wrong.
    pub(super) leaf: Option<Hash>,
    /// Whether its words are gone, or what is wrong with it.
    own: Result<bool, Fault>,
}

impl Event {
    pub(super) fn of(row: Row) -> Self {
        let (own, leaf) = match Covered::of(&row.payload) {
            None => (Err(Fault::Form("payload")), None),
            Some(covered) => {
                let digest = digest(&row, &covered.hash());
                let own = if row.hash == hex(&digest) {
                    Ok(covered.erased)
                } else {
                    Err(Fault::Hash)
                };
                (own, Some(leaf_of(&digest)))
            }
        };
        Self {
            user_id: row.user_id,
            seq: row.seq,
            kind: row.kind,
            prev_hash: row.prev_hash,
            hash: row.hash,
            leaf,
            own,
        }
    }
}

/// Checks a log that arrives in pieces.
#[derive(Debug)]
pub struct Verifier {
    user: Option<UserId>,
    head: Head,
    expected: Vec<Head>,
    /// The first event whose words are gone and that no erasure has told of yet.
    bare: Option<i64>,
}

impl Verifier {
    /// Starts at the log's beginning; every head of `expected` must be met on the way.
    pub fn new(expected: impl IntoIterator<Item = Head>) -> Self {
        Self {
            user: None,
            head: Head::genesis(),
            expected: expected.into_iter().filter(|head| head.seq > 0).collect(),
            bare: None,
        }
    }

    /// The last event that was found to be as it was written.
    pub const fn head(&self) -> &Head {
        &self.head
    }

    /// Checks the next event.
    ///
    /// # Errors
    /// [`Broken`] when it is not as it was written, or one before it is missing.
    pub fn push(&mut self, row: &Row) -> Result<(), Broken> {
        self.follow(Event::of(row.clone()))
    }

    /// Checks the place of an event whose own hash was looked at before.
    ///
    /// # Errors
    /// As [`Verifier::push`].
    pub(super) fn follow(&mut self, row: Event) -> Result<(), Broken> {
        let next = self.head.seq + 1;
        let broken = |seq, fault| Err(Broken { seq, fault });
        if row.seq < next {
            return broken(row.seq, Fault::Order);
        }
        if row.seq > next {
            return broken(next, Fault::Gap);
        }
        if self.user.as_ref().is_some_and(|user| *user != row.user_id) {
            return broken(row.seq, Fault::User);
        }
        if row.prev_hash != self.head.hash {
            return broken(row.seq, Fault::PrevHash);
        }
        let erased = match row.own {
            Ok(erased) => erased,
            Err(fault) => return broken(row.seq, fault),
        };
        let differs = |head: &Head| head.seq == row.seq && head.hash != row.hash;
        if self.expected.iter().any(differs) {
            return broken(row.seq, Fault::Head);
        }
        if self.user.is_none() {
            self.user = Some(row.user_id.clone());
        }
        // An erasure tells of all events before it.
        if row.kind == EventKind::Erasure {
            self.bare = None;
        } else if erased {
            self.bare = self.bare.or(Some(row.seq));
        }
        self.head = Head {
            seq: row.seq,
            hash: row.hash,
        };
        Ok(())
    }

    /// Ends the check.
    ///
    /// # Errors
    /// [`Broken`] when the log ends before an expected head, or words are gone untold.
    pub fn finish(self) -> Result<Head, Broken> {
        let beyond = self.expected.iter().any(|head| head.seq > self.head.seq);
        if beyond {
            return Err(Broken {
                seq: self.head.seq + 1,
                fault: Fault::Gap,
            });
        }
        match self.bare {
            None => Ok(self.head),
            Some(seq) => Err(Broken {
                seq,
                fault: Fault::Erased,
            }),
        }
    }
}

// serde hands a field over by reference.
fn write_kind<S: Serializer>(kind: &EventKind, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(kind.as_str())
}

pub(super) fn read_kind<'de, D: Deserializer<'de>>(deserializer: D) -> Result<EventKind, D::Error> {
    let word = String::deserialize(deserializer)?;
    EventKind::parse(&word).ok_or_else(|| de::Error::custom("not a kind of event"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use chrono::TimeDelta;
    use serde_json::json;
    use uuid::Uuid;

    fn log(length: i64) -> Vec<Row> {
        let start = DateTime::from_timestamp(1_770_508_800, 0).unwrap();
        let mut head = Head::genesis();
        let mut rows = Vec::new();
        for index in 0..length {
            let row = Row::after(
                &head,
                UserId::parse("ann").unwrap(),
                (index % 2 == 0).then(|| TurnId::new(Uuid::from_u128(7))),
                EventKind::ALL[usize::try_from(index).unwrap() % 5],
                (&json!({"n": index}).into(), || "salt".to_owned()),
                start + TimeDelta::microseconds(index),
            );
            head = row.head();
            rows.push(row);
        }
        rows
    }

    #[track_caller]
    fn check(rows: &[Row], seq: i64, fault: Fault) {
        assert_eq!(verify(rows, None), Err(Broken { seq, fault }));
    }

    #[test]
    fn an_untouched_log_ends_at_its_head() {
        let rows = log(6);
        let head = rows[5].head();
        assert_eq!(verify(&rows, None), Ok(head.clone()));
        assert_eq!(verify(&rows, Some(&head)), Ok(head.clone()));
        assert_eq!(verify(&rows, Some(&rows[2].head())), Ok(head));
        assert_eq!(verify(&[], None), Ok(Head::genesis()));
    }

    #[test]
    fn every_column_is_covered() {
        type Tamper = fn(&mut Row);
        let tampers: [(Tamper, Fault); 10] = [
            (|row| row.payload.push(' '), Fault::Hash),
            (|row| row.payload.push('}'), Fault::Form("payload")),
            (|row| row.kind = EventKind::Refusal, Fault::Hash),
            (|row| row.turn_id = None, Fault::Hash),
            (
                |row| row.turn_id = Some(TurnId::new(Uuid::from_u128(8))),
                Fault::Hash,
            ),
            (
                |row| row.created_at += TimeDelta::microseconds(1),
                Fault::Hash,
            ),
            (|row| row.hash.replace_range(0..1, "g"), Fault::Hash),
            (
                |row| row.prev_hash.replace_range(63..64, "g"),
                Fault::PrevHash,
            ),
            (
                |row| row.user_id = UserId::parse("bob").unwrap(),
                Fault::User,
            ),
            (|row| row.seq = 2, Fault::Order),
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
        check(&rows, 1, Fault::Hash);
    }

    #[test]
    fn removed_swapped_and_doubled_events_are_found() {
        let mut rows = log(6);
        rows.remove(2);
        check(&rows, 3, Fault::Gap);
        let mut rows = log(6);
        rows.remove(0);
        check(&rows, 1, Fault::Gap);
        let mut rows = log(6);
        rows.swap(2, 3);
        check(&rows, 3, Fault::Gap);
        let mut rows = log(6);
        let (a, b) = (rows[2].seq, rows[3].seq);
        (rows[2].seq, rows[3].seq) = (b, a);
        rows.swap(2, 3);
        check(&rows, 3, Fault::PrevHash);
        let mut rows = log(6);
        rows.insert(3, rows[2].clone());
        check(&rows, 3, Fault::Order);
    }

    #[test]
    fn a_cut_or_rewritten_log_is_found_by_a_head_kept_elsewhere() {
        let rows = log(6);
        let head = rows[5].head();
        assert_eq!(
            verify(&rows[..4], Some(&head)),
            Err(Broken {
                seq: 5,
                fault: Fault::Gap
            })
        );
        let other = Head {
            seq: 3,
            hash: head.hash,
        };
        assert_eq!(
            verify(&rows, Some(&other)),
            Err(Broken {
                seq: 3,
                fault: Fault::Head
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
        let back: Vec<Row> = lines
            .iter()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(verify(&back, Some(&rows[3].head())), Ok(rows[3].head()));
    }
}
