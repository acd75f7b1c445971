//! An export, line by line: read, and checked by several threads at once.
//!
//! Most of the work is to parse a line and to hash what it says, which needs no other line. So
//! blocks of lines are handed round to the threads, and what they found is put together in the
//! order of the file: only that last step is done by one.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::EventKind;
use super::chain::{AuditRow, CheckedEvent};
use super::log::{LogCheck, LogFault, WholeLog};
use super::tree::TreeHead;
use crate::domain::{TurnId, UserId};

/// Bytes of a block, but for what its last line adds.
const BLOCK: usize = 1 << 20;

/// Longest line, so that a file without line breaks does not fill the memory.
const LINE: usize = 64 << 20;

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

/// Checks a whole export against itself and against checkpoints kept elsewhere; of one `user`
/// alone, that user's chain. `threads` share the work; the finding is the same for any number.
///
/// # Errors
/// The first [`ExportFault`].
pub fn verify_export(
    export: impl Read + Send,
    checkpoints: &[TreeHead],
    user: Option<&UserId>,
    threads: usize,
) -> Result<WholeLog, ExportFault> {
    let mut check = LogCheck::new(checkpoints.iter().copied());
    thread::scope(|scope| {
        let mut inputs = Vec::new();
        let mut outputs = Vec::new();
        for _ in 0..threads.max(1) {
            let (to, blocks) = sync_channel(1);
            let (found, from) = sync_channel(1);
            scope.spawn(move || look_at(&blocks, &found, user));
            inputs.push(to);
            outputs.push(from);
        }
        scope.spawn(move || deal(export, &inputs));
        let mut number = 0;
        // Blocks were dealt in turn, so they are collected in turn: the first thread without
        // one has seen the end. Whoever still works finds nobody listening, and stops.
        for from in outputs.iter().cycle() {
            let Ok(found) = from.recv() else { break };
            number = put_together(found?, number, &mut check)?;
        }
        Ok::<_, ExportFault>(())
    })?;
    Ok(check.finish()?)
}

/// A block's events, as far as they could be read.
struct FoundEvents {
    events: Vec<(Option<u64>, CheckedEvent)>,
    lines: u64,
    /// The first line that is no event: its number in the block, and why.
    bad: Option<(u64, String)>,
}

fn put_together(found: FoundEvents, before: u64, check: &mut LogCheck) -> Result<u64, ExportFault> {
    for (place, event) in found.events {
        check.follow(place, event)?;
    }
    match found.bad {
        None => Ok(before + found.lines),
        Some((line, error)) => Err(ExportFault::Line {
            number: before + line,
            error,
        }),
    }
}

type BlockRead = io::Result<Vec<u8>>;

/// Hands blocks of whole lines round, until the file or the interest in it ends.
fn deal(mut export: impl Read, inputs: &[SyncSender<BlockRead>]) {
    let mut rest = Vec::new();
    for to in inputs.iter().cycle() {
        let block = match next_block(&mut export, &mut rest) {
            Ok(block) if block.is_empty() => return,
            block => block,
        };
        let last = block.is_err();
        if to.send(block).is_err() || last {
            return;
        }
    }
}

/// The next whole lines; what was read beyond them stays in `rest`. Empty at the end.
fn next_block(export: &mut impl Read, rest: &mut Vec<u8>) -> BlockRead {
    let mut block = std::mem::take(rest);
    loop {
        let had = block.len();
        let wanted = BLOCK as u64;
        let read = export.by_ref().take(wanted).read_to_end(&mut block)?;
        if (read as u64) < wanted {
            return Ok(block);
        }
        let fresh = block.get(had..).unwrap_or_default();
        if let Some(end) = fresh.iter().rposition(|byte| *byte == b'\n') {
            *rest = block.split_off(had + end + 1);
            return Ok(block);
        }
        if block.len() > LINE {
            return Err(io::Error::other("a line is longer than any event"));
        }
    }
}

fn look_at(
    blocks: &Receiver<BlockRead>,
    found: &SyncSender<io::Result<FoundEvents>>,
    user: Option<&UserId>,
) {
    for block in blocks {
        if found.send(block.map(|block| events(&block, user))).is_err() {
            return;
        }
    }
}

fn events(block: &[u8], user: Option<&UserId>) -> FoundEvents {
    let mut found = FoundEvents {
        events: Vec::new(),
        lines: 0,
        bad: None,
    };
    let lines = block.strip_suffix(b"\n").unwrap_or(block);
    // One look at the whole block saves one at each of its strings.
    match std::str::from_utf8(lines) {
        Ok(lines) => {
            let mut lines = lines.split('\n').map(serde_json::from_str);
            let _ = lines.try_for_each(|line| found.take(line, user));
        }
        Err(_) => {
            let lines = lines.split(|byte| *byte == b'\n');
            let _ = lines
                .map(serde_json::from_slice)
                .try_for_each(|line| found.take(line, user));
        }
    }
    found
}

impl FoundEvents {
    /// Takes a line in; none when it is no event, and what follows is of no interest.
    fn take(&mut self, line: serde_json::Result<ExportLine>, user: Option<&UserId>) -> Option<()> {
        self.lines += 1;
        match line {
            Ok(line) if user.is_some_and(|user| *user != line.user_id) => {}
            Ok(line) => {
                let placed = line.placed();
                // Of one user alone there is no tree.
                let place = placed.leaf_index.filter(|_| user.is_none());
                self.events.push((place, CheckedEvent::of(placed.event)));
            }
            Err(error) => {
                self.bad = Some((self.lines, error.to_string()));
                return None;
            }
        }
        Some(())
    }
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
        verify_export(&*lines.concat(), checkpoints, None, 1)
    }

    fn head(log: &[PlacedEvent]) -> TreeHead {
        check(&lines(log), &[]).unwrap().tree
    }

    #[test]
    fn any_number_of_threads_finds_the_same() {
        // More than two blocks.
        let log = log(9_000);
        let whole = lines(&log);
        assert!(whole.concat().len() > 2 * BLOCK);
        let checkpoints = [head(&log[..7]), head(&log[..8_000])];
        let mut broken = whole.clone();
        broken.swap(8_001, 8_004);
        let mut cut = whole.concat();
        cut.truncate(cut.len() - 40);
        for threads in [0, 1, 2, 3, 8] {
            let verify = |lines: &[u8]| verify_export(lines, &checkpoints, None, threads);
            let found = verify(&whole.concat()).unwrap();
            assert_eq!((found.tree.size, found.users.len()), (9_000, 3));
            let fault = verify(&broken.concat()).unwrap_err().to_string();
            assert!(fault.contains("it is missing"), "{fault}");
            let fault = verify(&cut).unwrap_err().to_string();
            assert!(fault.starts_with("line 9000 of the export"), "{fault}");
            assert!(verify(b"").is_err() && verify(b"{}\n").is_err());
        }
    }

    #[test]
    fn one_user_is_checked_alone() {
        let log = log(14);
        let bob = UserId::parse("bob").unwrap();
        let verify = |lines: &[Vec<u8>]| verify_export(&*lines.concat(), &[], Some(&bob), 2);
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
