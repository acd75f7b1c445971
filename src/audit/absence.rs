//! Proof that a turn did nothing more than the log tells of: its stretch of the log without a gap,
//! from the event before it to the event after it.
//!
//! Each event names the hash of the one before it, and the last one's place in the signed tree
//! is proven; so none of the stretch can have been taken out, put in or changed since. The
//! turn's reply lists the receipts it was composed from: all of them must stand in the stretch,
//! and no others. Words are left out (see [`erase`]); what is left says what was
//! done, and to nobody what was said.

use serde::Serialize;
use serde_json::Value;

use super::chain::{AuditRow, BrokenChain, ChainHead, ChainVerifier};
use super::tree::{InclusionProof, TreeError, TreeHead};
use super::{EventKind, erase};
use crate::domain::{Action, ReceiptId, TaskId, TurnId, UserId};

/// A turn's stretch of its user's log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TurnStretch {
    /// The turn.
    pub turn_id: TurnId,
    /// The event before the turn, its own, and the one after it. The first is missing where
    /// the log begins, the last where it ends.
    pub events: Vec<AuditRow>,
    /// The place of the last event in the tree.
    pub inclusion: InclusionProof,
}

/// One receipt of the turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct AttestedReceipt {
    /// The number of its event.
    pub seq: i64,
    /// The receipt's id.
    pub id: ReceiptId,
    /// Its action.
    pub action: Action,
    /// To which task.
    pub task_id: Option<TaskId>,
    /// Set when it took a task off the list: a deletion, or the undo of an addition.
    pub removed: bool,
}

/// Findings of a stretch.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct StretchFindings {
    /// The turn.
    pub turn_id: TurnId,
    /// User of the log.
    pub user_id: UserId,
    /// Number of the first event shown.
    pub first_seq: i64,
    /// Number of the last event shown.
    pub last_seq: i64,
    /// Everything the turn did, in order.
    pub receipts: Vec<AttestedReceipt>,
    /// The turn's reply lists its receipts, and they are these.
    pub listed: bool,
    /// No event follows in what was shown: the log ended here.
    pub log_ended: bool,
}

/// Reason why a stretch shows nothing.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum StretchFault {
    /// Its events are not as they were written, or not all there.
    #[error(transparent)]
    Chain(#[from] BrokenChain),
    /// Its last event is not proven to be in the tree.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The stretch is not the turn's.
    #[error("{0}")]
    Form(&'static str),
    /// The reply was composed from other receipts.
    #[error("the reply was composed from other receipts than stand here")]
    Receipts,
}

impl TurnStretch {
    /// The stretch without anybody's words.
    #[must_use]
    pub fn without_words(mut self) -> Self {
        for event in &mut self.events {
            if let Some(bare) = erase(&event.payload) {
                event.payload = bare;
            }
        }
        self
    }

    /// Checks that nothing is missing, against a tree's head.
    ///
    /// # Errors
    /// [`StretchFault`].
    pub fn check(&self, head: &TreeHead) -> Result<StretchFindings, StretchFault> {
        let form = |words| Err(StretchFault::Form(words));
        let [first, .., last] = self.events.as_slice() else {
            return form("a turn and what stands beside it are two events at least");
        };
        self.links(first)?;
        self.inclusion.check(last, head)?;
        let own = |row: &AuditRow| row.turn_id == Some(self.turn_id);
        if own(first) && first.seq != 1 {
            return form("the event before the turn is missing");
        }
        let turn: Vec<&AuditRow> = self.events.iter().filter(|row| own(row)).collect();
        let [.., end] = turn.as_slice() else {
            return form("no event here belongs to the turn");
        };
        // A reply ends its turn.
        if end.kind != EventKind::Reply && own(last) {
            return form("the turn's end is not shown");
        }
        let receipts: Vec<AttestedReceipt> = (turn.iter())
            .filter(|row| row.kind == EventKind::Receipt)
            .map(|row| attested(row).ok_or(StretchFault::Form("a receipt can't be read")))
            .collect::<Result<_, _>>()?;
        let listed = (turn.iter())
            .find(|row| row.kind == EventKind::Reply)
            .and_then(|row| listed(row));
        if let Some(listed) = &listed
            && !receipts.iter().map(|receipt| &receipt.id).eq(listed)
        {
            return Err(StretchFault::Receipts);
        }
        Ok(StretchFindings {
            turn_id: self.turn_id,
            user_id: first.user_id.clone(),
            first_seq: first.seq,
            last_seq: last.seq,
            receipts,
            listed: listed.is_some(),
            log_ended: own(last),
        })
    }

    /// Each event has its hash and follows the one before it.
    fn links(&self, first: &AuditRow) -> Result<(), BrokenChain> {
        let before = match first.seq {
            1 => ChainHead::genesis(),
            seq => ChainHead {
                seq: seq - 1,
                hash: first.prev_hash.clone(),
            },
        };
        let mut verifier = ChainVerifier::after(before, None);
        self.events
            .iter()
            .try_for_each(|row| verifier.push(row).map(drop))
    }
}

fn attested(row: &AuditRow) -> Option<AttestedReceipt> {
    let payload: Value = serde_json::from_str(&row.payload).ok()?;
    let member = |name: &str| payload.get(name).cloned().unwrap_or_default();
    let action: Action = serde_json::from_value(member("action")).ok()?;
    Some(AttestedReceipt {
        seq: row.seq,
        id: serde_json::from_value(member("id")).ok()?,
        action,
        task_id: serde_json::from_value(member("task_id")).ok()?,
        removed: action.is_change() && member("after").is_null(),
    })
}

/// The receipts that a reply says it was composed from.
fn listed(row: &AuditRow) -> Option<Vec<ReceiptId>> {
    let mut payload: Value = serde_json::from_str(&row.payload).ok()?;
    serde_json::from_value(payload.get_mut("receipts")?.take()).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::{GrowingTree, StoredHashes, TreePeaks, TreeQuestion, leaf, link};
    use serde_json::json;
    use uuid::Uuid;

    const ID: &str = "67e55044-10b1-426f-9247-bb680e5fe0c8";

    fn turn(number: u128) -> TurnId {
        TurnId::new(Uuid::from_u128(number))
    }

    /// Three turns of one user; the second of two rounds, with `action` between them.
    fn log(action: &str) -> Vec<AuditRow> {
        let receipt = json!({
            "id": ID, "action": action, "task_id": null, "before": null, "after": null,
        });
        let reply = json!({"message": "words", "receipts": [ID]});
        let told = [
            (1, EventKind::Turn, json!({"message": "hello"})),
            (
                1,
                EventKind::Reply,
                json!({"message": "Hello!", "receipts": []}),
            ),
            (
                2,
                EventKind::ToolCall,
                json!({"arguments": {"task": "milk"}}),
            ),
            (2, EventKind::Receipt, receipt),
            (2, EventKind::Turn, json!({"message": "delete milk"})),
            (2, EventKind::Reply, reply),
            (3, EventKind::Turn, json!({"message": "thanks"})),
        ];
        let at = chrono::DateTime::from_timestamp(1_770_508_800, 0).unwrap();
        let user = UserId::parse("ann").unwrap();
        let mut head = ChainHead::genesis();
        let rows = told.iter().map(|(number, kind, payload)| {
            let payload = (payload, || format!("salt {number}"));
            let row = AuditRow::after(&head, user.clone(), Some(turn(*number)), *kind, payload, at);
            head = row.head();
            row
        });
        rows.collect()
    }

    /// The proof of some events of a log, and the head of its tree.
    fn stretch(rows: &[AuditRow], of: std::ops::Range<usize>) -> (TurnStretch, TreeHead) {
        let mut tree = GrowingTree::from(0, StoredHashes::default());
        let mut peaks = TreePeaks::default();
        let mut stored = Vec::new();
        for row in rows {
            let leaf = leaf(&row.hash).unwrap();
            stored.extend(tree.push(leaf).unwrap());
            peaks.push(leaf);
        }
        let (size, index) = (rows.len() as u64, of.end as u64 - 1);
        let hashes = TreeQuestion::Inclusion { size, index }.answer(&StoredHashes::new(stored));
        let stretch = TurnStretch {
            turn_id: turn(2),
            events: rows[of].to_vec(),
            inclusion: InclusionProof::new(index, size, &hashes.unwrap()),
        };
        (stretch, peaks.head())
    }

    #[test]
    fn a_whole_stretch_shows_all_that_a_turn_did_and_nothing_of_what_was_said() {
        for (action, nothing) in [("list_tasks", true), ("delete_task", false)] {
            let (whole, head) = stretch(&log(action), 1..7);
            let bare = whole.clone().without_words();
            let text = serde_json::to_string(&bare.events).unwrap();
            assert!(!text.contains("milk") && !text.contains("hello"));
            for stretch in [whole, bare] {
                let shown = stretch.check(&head).unwrap();
                assert_eq!((shown.first_seq, shown.last_seq), (2, 7));
                assert!(shown.listed && !shown.log_ended);
                assert_eq!(shown.receipts.len(), 1);
                assert_eq!(!shown.receipts[0].removed, nothing);
            }
        }
    }

    #[test]
    fn nothing_can_be_left_out_of_a_stretch() {
        let rows = log("delete_task");
        let (whole, head) = stretch(&rows, 1..7);
        for place in 0..whole.events.len() {
            let mut fewer = whole.clone();
            fewer.events.remove(place);
            assert!(fewer.check(&head).is_err(), "event {place}");
        }
        // The round that did it lies before what is shown.
        let (late, head) = stretch(&rows, 4..7);
        assert_eq!(
            late.check(&head),
            Err(StretchFault::Form("the event before the turn is missing"))
        );
        let mut other = rows.clone();
        other[3].turn_id = Some(turn(9));
        let mut rehashed = Vec::new();
        let mut before = ChainHead::genesis();
        for mut row in other {
            row.prev_hash = before.hash;
            row.hash = link(&row).unwrap();
            before = row.head();
            rehashed.push(row);
        }
        let (forged, head) = stretch(&rehashed, 3..7);
        assert_eq!(forged.check(&head), Err(StretchFault::Receipts));
    }

    #[test]
    fn a_changed_event_or_another_tree_shows_nothing() {
        let rows = log("list_tasks");
        let (whole, head) = stretch(&rows, 1..7);
        let mut changed = whole.clone();
        changed.events[2].payload = changed.events[2].payload.replace("list", "lisp");
        assert!(matches!(changed.check(&head), Err(StretchFault::Chain(_))));
        let mut other = head;
        other.root[0] ^= 1;
        assert_eq!(
            whole.check(&other),
            Err(StretchFault::Tree(TreeError::Wrong))
        );
    }

    #[test]
    fn a_log_begins_and_ends_somewhere() {
        let rows = log("list_tasks");
        let (mut first, head) = stretch(&rows, 0..3);
        first.turn_id = turn(1);
        let shown = first.check(&head).unwrap();
        assert_eq!((shown.first_seq, shown.log_ended), (1, false));
        let (last, head) = stretch(&rows[..6], 1..6);
        assert!(last.check(&head).unwrap().log_ended);
        // Without its reply the turn may not have ended.
        let (cut, head) = stretch(&rows[..5], 1..5);
        assert!(matches!(cut.check(&head), Err(StretchFault::Form(_))));
    }
}
