//! An export, read and checked line by line.

use std::io::{self, BufRead, BufReader, Read};

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::EventKind;
use super::chain::AuditRow;
use super::log::{LogCheck, LogFault, WholeLog};
use super::tree::TreeHead;
use crate::domain::{TurnId, UserId};

/// Bytes read at once.
const BLOCK: usize = 1 << 20;

/// Longest line, so that a file without line breaks does not fill the memory.
const LINE: u64 = 64 << 20;

/// An event with its place in the tree: one line of an export.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PlacedEvent {
    /// Its number in the tree, from 0; none while it is not in it.
    pub leaf_index: Option<u64>,
    /// The event.
    #[serde(flatten)]
    pub event: AuditRow,
}

/// The same with its members side by side: to flatten them while reading takes thrice as long.
#[derive(Deserialize)]
struct ExportLine {
    leaf_index: Option<u64>,
    user_id: UserId,
    seq: i64,
    turn_id: Option<TurnId>,
    kind: EventKind,
    payload: String,
    prev_hash: String,
    hash: String,
    created_at: DateTime<Utc>,
}

impl PlacedEvent {
    /// Reads a line.
    ///
    /// # Errors
    /// When it is no event.
    pub fn parse(line: &[u8]) -> serde_json::Result<Self> {
        serde_json::from_slice(line).map(ExportLine::placed)
    }
}

impl ExportLine {
    fn placed(self) -> PlacedEvent {
        PlacedEvent {
            leaf_index: self.leaf_index,
            event: AuditRow {
                user_id: self.user_id,
                seq: self.seq,
                turn_id: self.turn_id,
                kind: self.kind,
                payload: self.payload,
                prev_hash: self.prev_hash,
                hash: self.hash,
                created_at: self.created_at,
            },
        }
    }
}

/// Reason why an export is not what was written.
#[derive(Debug, thiserror::Error)]
pub enum ExportFault {
    /// The export can't be read.
    #[error("the export can't be read: {0}")]
    Io(#[from] io::Error),
    /// A line is no event.
    #[error("line {number} of the export is no event: {error}")]
    Line {
        /// Its number, from 1.
        number: u64,
        /// The reason.
        error: String,
    },
    /// An event is not as it was written, or not where.
    #[error(transparent)]
    Log(#[from] LogFault),
}

/// Reads an export event by event, until `take` says that it has enough.
///
/// # Errors
/// When it can't be read, when a line is no event, and what `take` says.
pub fn read_export<E: From<ExportFault>>(
    export: impl Read,
    mut take: impl FnMut(PlacedEvent) -> Result<(), E>,
) -> Result<(), E> {
    let mut export = BufReader::with_capacity(BLOCK, export);
    let mut line = Vec::new();
    for number in 1_u64.. {
        line.clear();
        let read = export.by_ref().take(LINE).read_until(b'\n', &mut line);
        match read.map_err(ExportFault::Io)? as u64 {
            0 => break,
            LINE => return Err(too_long().into()),
            _ => {}
        }
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        let placed = PlacedEvent::parse(text).map_err(|error| ExportFault::Line {
            number,
            error: error.to_string(),
        });
        take(placed?)?;
    }
    Ok(())
}

fn too_long() -> ExportFault {
    ExportFault::Io(io::Error::other("a line is longer than any event"))
}

/// Checks a whole export against itself and against checkpoints kept elsewhere; of one `user`
/// alone, that user's chain.
///
/// # Errors
/// The first [`ExportFault`].
pub fn verify_export(
    export: impl Read,
    checkpoints: &[TreeHead],
    user: Option<&UserId>,
) -> Result<WholeLog, ExportFault> {
    let mut check = LogCheck::new(checkpoints.iter().copied());
    read_export(export, |PlacedEvent { leaf_index, event }| {
        if user.is_some_and(|user| *user != event.user_id) {
            return Ok(());
        }
        // Of one user alone there is no tree.
        let place = leaf_index.filter(|_| user.is_none());
        check.push(place, &event).map_err(ExportFault::Log)
    })?;
    Ok(check.finish()?)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use chrono::TimeDelta;
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;
    use crate::audit::{ChainFault, ChainHead};

    /// Events of three users, interleaved, in the order of the tree.
    fn log(events: u64) -> Vec<PlacedEvent> {
        let start = DateTime::from_timestamp(1_770_508_800, 0).unwrap();
        let mut heads = BTreeMap::new();
        let placed = (0..events).map(|index| {
            let user = UserId::parse(["ann", "bob", "eve"][index as usize * 7 % 3]).unwrap();
            let head = heads.entry(user.clone()).or_insert_with(ChainHead::genesis);
            let kind = EventKind::ALL[index as usize % 5];
            let payload = json!({"n": index, "message": format!("milk {index}")});
            let salt = || format!("salt {index}");
            let at = start + TimeDelta::milliseconds(index as i64 * 250);
            let event = AuditRow::after(head, user, None, kind, (&payload, salt), at);
            *head = event.head();
            PlacedEvent {
                leaf_index: Some(index),
                event,
            }
        });
        placed.collect()
    }

    fn lines(log: &[PlacedEvent]) -> Vec<Vec<u8>> {
        let line = |placed| [serde_json::to_vec(placed).unwrap(), b"\n".to_vec()].concat();
        log.iter().map(line).collect()
    }

    fn check(lines: &[Vec<u8>], checkpoints: &[TreeHead]) -> Result<WholeLog, ExportFault> {
        verify_export(&*lines.concat(), checkpoints, None)
    }

    fn head(log: &[PlacedEvent]) -> TreeHead {
        check(&lines(log), &[]).unwrap().tree
    }

    #[test]
    fn the_first_fault_of_an_export_is_named() {
        let log = log(9_000);
        let whole = lines(&log);
        let checkpoints = [head(&log[..7]), head(&log[..8_000])];
        let mut broken = whole.clone();
        broken.swap(8_001, 8_004);
        let mut cut = whole.concat();
        cut.truncate(cut.len() - 40);
        let verify = |lines: &[u8]| verify_export(lines, &checkpoints, None);
        let found = verify(&whole.concat()).unwrap();
        assert_eq!((found.tree.size, found.users.len()), (9_000, 3));
        let fault = verify(&broken.concat()).unwrap_err().to_string();
        assert!(fault.contains("it is missing"), "{fault}");
        let fault = verify(&cut).unwrap_err().to_string();
        assert!(fault.starts_with("line 9000 of the export"), "{fault}");
        assert!(verify(b"").is_err() && verify(b"{}\n").is_err());
    }

    #[test]
    fn one_user_is_checked_alone() {
        let log = log(14);
        let bob = UserId::parse("bob").unwrap();
        let verify = |lines: &[Vec<u8>]| verify_export(&*lines.concat(), &[], Some(&bob));
        let whole = verify(&lines(&log)).unwrap();
        assert_eq!((whole.users.len(), whole.tree.size), (1, 0));
        assert!(whole.users.contains_key(&bob));
        let mut other = log.clone();
        let ann = log.iter().position(|placed| placed.event.user_id != bob);
        other[ann.unwrap()].event.payload.push(' ');
        assert!(verify(&lines(&other)).is_ok());
        let own = log.iter().position(|placed| placed.event.user_id == bob);
        other[own.unwrap()].event.payload.push(' ');
        let found = verify(&lines(&other)).unwrap_err();
        let form = ChainFault::Form("payload");
        let form = |fault: &LogFault| matches!(fault, LogFault::Chain { broken, .. } if broken.fault == form);
        assert!(
            matches!(&found, ExportFault::Log(fault) if form(fault)),
            "{found}"
        );
    }

    #[test]
    fn a_line_reads_back_as_it_was_written() {
        for (placed, line) in log(9).into_iter().zip(lines(&log(9))) {
            assert_eq!(PlacedEvent::parse(&line).unwrap(), placed);
        }
        let twice = br#"{"seq":1,"seq":1}"#;
        assert!(PlacedEvent::parse(twice).is_err());
    }

    /// One way to tamper with an export: change, deletion, insertion, swap, truncation.
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
    fn tampered(log: &[PlacedEvent], whole: &[Vec<u8>], tamper: &Tamper) -> Option<Vec<Vec<u8>>> {
        let mut lines = whole.to_vec();
        match *tamper {
            Tamper::Byte(line, place, mask) => {
                // A line break beyond the last event is no part of it.
                let place = place % (lines[line].len() - 1);
                lines[line][place] ^= mask;
            }
            Tamper::Remove(line) => drop(lines.remove(line)),
            Tamper::Repeat(from, to) => lines.insert(to, whole[from].clone()),
            Tamper::Swap(a, b) => lines.swap(a, b),
            Tamper::Cut(kept) => lines.truncate(kept),
            Tamper::Invent(place) => {
                let before = &log[place].event;
                let payload = json!({"message": "Deleted: everything"});
                let event = AuditRow::after(
                    &before.head(),
                    before.user_id.clone(),
                    None,
                    EventKind::Reply,
                    (&payload, || "salt".to_owned()),
                    before.created_at,
                );
                let invented = PlacedEvent {
                    leaf_index: Some(place as u64 + 1),
                    event,
                };
                let mut line = serde_json::to_vec(&invented).unwrap();
                line.push(b'\n');
                lines.insert(place + 1, line);
            }
        }
        (lines != whole).then_some(lines)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(10_000))]
        #[test]
        fn any_tampering_is_found_with_only_checkpoint_and_export(tamper in tampers()) {
            thread_local! {
                static LOG: (Vec<PlacedEvent>, Vec<Vec<u8>>, TreeHead) = {
                    let log = log(14);
                    let (lines, head) = (lines(&log), head(&log));
                    (log, lines, head)
                };
            }
            let found = LOG.with(|(log, whole, head)| {
                let Some(lines) = tampered(log, whole, &tamper) else { return true };
                // A byte may be written another way and mean the same: `\u006d` for `m`.
                let parsed = lines.iter().map(|line| PlacedEvent::parse(line).ok());
                let same = parsed.collect::<Option<Vec<_>>>().as_ref() == Some(log);
                same || check(&lines, &[*head]).is_err()
            });
            prop_assert!(found, "{tamper:?}");
        }
    }
}
