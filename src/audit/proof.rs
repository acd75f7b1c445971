//! Proofs as they are handed out: one JSON object each, told apart by what is in it.
//!
//! | kind | shows | members |
//! |---|---|---|
//! | receipt | the log holds this receipt | `event`, `proof` |
//! | turn | the turn did this and nothing else | `turn_id`, `events`, `proof` |
//! | consistency | a tree begins with an earlier one | `from`, `to`, `consistency` |

use serde::{Deserialize, Serialize};

use super::absence::{StretchFault, StretchFindings, TurnStretch};
use super::chain::AuditRow;
use super::checkpoint::{NoteError, VerifyingKey, stated};
use super::hex::{hex, unhex};
use super::tree::{InclusionProof, TreeError, TreeHash, TreeHead, check_consistency};
use crate::domain::TurnId;

/// A tree's size and root.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
#[schema(as = TreeHead)]
pub struct WrittenHead {
    /// Events in the tree.
    pub size: u64,
    /// Its root, in hex.
    pub root: String,
}

impl From<&TreeHead> for WrittenHead {
    fn from(head: &TreeHead) -> Self {
        Self {
            size: head.size,
            root: hex(&head.root),
        }
    }
}

impl WrittenHead {
    fn read(&self) -> Option<TreeHead> {
        let (size, root) = (self.size, unhex(&self.root)?);
        Some(TreeHead { size, root })
    }
}

/// A proof, with the checkpoint it came with, if the server has a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum TreeProof {
    /// A tree begins with an earlier one.
    Consistency {
        /// The earlier one.
        from: WrittenHead,
        /// The later one.
        to: WrittenHead,
        /// Hashes (hex) that lead from one root to the other.
        consistency: Vec<String>,
        /// The later one, signed.
        checkpoint: Option<String>,
    },
    /// A turn did this and nothing else.
    Turn {
        /// The turn.
        turn_id: TurnId,
        /// Its stretch of the log, without anybody's words.
        events: Vec<AuditRow>,
        /// The place of the last event.
        proof: InclusionProof,
        /// The tree's root, in hex.
        root: String,
        /// The tree, signed.
        checkpoint: Option<String>,
    },
    /// The log holds this event.
    Event {
        /// The event; its payload as the exact text that was hashed.
        event: AuditRow,
        /// Its place.
        proof: InclusionProof,
        /// The tree's root, in hex.
        root: String,
        /// The tree, signed.
        checkpoint: Option<String>,
    },
}

/// Findings of a proof.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "shows", rename_all = "snake_case")]
pub enum ProofFindings {
    /// A tree begins with an earlier one.
    Consistency {
        /// Events in the earlier one.
        from: u64,
        /// Events in the later one.
        to: u64,
    },
    /// A turn did this and nothing else.
    Turn(StretchFindings),
    /// The log holds this event.
    Event {
        /// The event.
        event: AuditRow,
        /// Its number in the tree.
        leaf_index: u64,
        /// Events in the tree.
        tree_size: u64,
    },
}

/// Reason why a proof does not hold.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProofFault {
    /// The text is no proof.
    #[error("this is no proof: {0}")]
    Form(String),
    /// The checkpoint is not what it should be.
    #[error("the proof's checkpoint: {0}")]
    Note(#[from] NoteError),
    /// Its checkpoint covers another tree than it says.
    #[error("the proof's checkpoint covers another tree than the proof")]
    OtherTree,
    /// A checkpoint of the same size kept elsewhere has another root.
    #[error("a checkpoint kept elsewhere has another root at {0} events")]
    OtherRoot(u64),
    /// The tree is not signed, and no checkpoint kept elsewhere is of it.
    #[error("nothing vouches for this tree: it is unsigned, and no checkpoint covers {0} events")]
    Unsigned(u64),
    /// The hashes do not lead to the root.
    #[error(transparent)]
    Tree(#[from] TreeError),
    /// The turn's stretch is not whole.
    #[error(transparent)]
    Stretch(#[from] StretchFault),
}

impl TreeProof {
    /// Reads a proof, as a client was given it or from [`TreeProof`]'s own form.
    ///
    /// # Errors
    /// [`ProofFault::Form`].
    pub fn parse(text: &str) -> Result<Self, ProofFault> {
        let form = |error: serde_json::Error| ProofFault::Form(error.to_string());
        let mut proof: serde_json::Value = serde_json::from_str(text).map_err(form)?;
        // A client is given each payload as JSON and as the text that was hashed: the text counts.
        let each = proof
            .get_mut("events")
            .and_then(|events| events.as_array_mut());
        let mut events: Vec<_> = each.into_iter().flatten().collect();
        if events.is_empty() {
            events = proof.get_mut("event").into_iter().collect();
        }
        for event in events {
            if let Some(exact) = event.get_mut("payload_text").map(serde_json::Value::take) {
                event["payload"] = exact;
            }
        }
        serde_json::from_value(proof).map_err(form)
    }

    /// Checks the proof. Somebody must vouch for its tree: the key, of the checkpoint it came
    /// with, or one of the checkpoints `kept` elsewhere.
    ///
    /// # Errors
    /// [`ProofFault`].
    pub fn check(
        &self,
        key: Option<&VerifyingKey>,
        kept: &[TreeHead],
    ) -> Result<ProofFindings, ProofFault> {
        let head = self.head()?;
        self.vouched(&head, key, kept)?;
        match self {
            Self::Event { event, proof, .. } => {
                proof.check(event, &head)?;
                Ok(ProofFindings::Event {
                    event: event.clone(),
                    leaf_index: proof.leaf_index,
                    tree_size: proof.tree_size,
                })
            }
            Self::Turn {
                turn_id,
                events,
                proof,
                ..
            } => {
                let stretch = TurnStretch {
                    turn_id: *turn_id,
                    events: events.clone(),
                    inclusion: proof.clone(),
                };
                Ok(ProofFindings::Turn(stretch.check(&head)?))
            }
            Self::Consistency {
                from, consistency, ..
            } => {
                let old = from.read().ok_or_else(no_hash)?;
                agrees(&old, kept)?;
                let hashes: Option<Vec<TreeHash>> =
                    consistency.iter().map(|hash| unhex(hash)).collect();
                check_consistency(&old, &head, &hashes.ok_or_else(no_hash)?)?;
                let (from, to) = (old.size, head.size);
                Ok(ProofFindings::Consistency { from, to })
            }
        }
    }

    /// The tree that the proof leads to.
    fn head(&self) -> Result<TreeHead, ProofFault> {
        let written = match self {
            Self::Consistency { to, .. } => to.clone(),
            Self::Turn { proof, root, .. } | Self::Event { proof, root, .. } => WrittenHead {
                size: proof.tree_size,
                root: root.clone(),
            },
        };
        written.read().ok_or_else(no_hash)
    }

    fn vouched(
        &self,
        head: &TreeHead,
        key: Option<&VerifyingKey>,
        kept: &[TreeHead],
    ) -> Result<(), ProofFault> {
        let (Self::Consistency { checkpoint, .. }
        | Self::Turn { checkpoint, .. }
        | Self::Event { checkpoint, .. }) = self;
        let mut signed = false;
        if let Some(note) = checkpoint {
            let opened = match key {
                Some(key) => key.open(note)?,
                None => stated(note)?,
            };
            if opened != *head {
                return Err(ProofFault::OtherTree);
            }
            signed = key.is_some();
        }
        let met = agrees(head, kept)?;
        if signed || met {
            Ok(())
        } else {
            Err(ProofFault::Unsigned(head.size))
        }
    }
}

/// Tells whether a checkpoint of this size was kept; it must be this one then.
fn agrees(head: &TreeHead, kept: &[TreeHead]) -> Result<bool, ProofFault> {
    let mut same = kept.iter().filter(|kept| kept.size == head.size);
    match same.clone().any(|kept| kept != head) {
        true => Err(ProofFault::OtherRoot(head.size)),
        false => Ok(same.next().is_some()),
    }
}

fn no_hash() -> ProofFault {
    ProofFault::Form("a hash of it is not one".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::audit::{
        ChainHead, EventKind, GrowingTree, SigningKey, StoredHashes, TreePeaks, TreeQuestion, leaf,
    };
    use crate::domain::UserId;
    use serde_json::{Value, json};

    struct Ground {
        signer: SigningKey,
        key: VerifyingKey,
        stored: StoredHashes,
        heads: Vec<TreeHead>,
        rows: Vec<AuditRow>,
    }

    fn ground() -> Ground {
        let (secret, public) = SigningKey::generate("candor").unwrap();
        let at = chrono::DateTime::from_timestamp(1_770_508_800, 0).unwrap();
        let mut tree = GrowingTree::from(0, StoredHashes::default());
        let mut peaks = TreePeaks::default();
        let (mut heads, mut stored) = (vec![TreeHead::EMPTY], Vec::new());
        let mut rows = Vec::new();
        let mut before = ChainHead::genesis();
        for index in 0..9 {
            let payload = json!({"n": index});
            let user = UserId::parse("ann").unwrap();
            let payload = (&payload, String::new);
            let row = AuditRow::after(&before, user, None, EventKind::Receipt, payload, at);
            before = row.head();
            let leaf = leaf(&row.hash).unwrap();
            stored.extend(tree.push(leaf).unwrap());
            peaks.push(leaf);
            heads.push(peaks.head());
            rows.push(row);
        }
        Ground {
            signer: SigningKey::parse(&secret).unwrap(),
            key: VerifyingKey::parse(&public).unwrap(),
            stored: StoredHashes::new(stored),
            heads,
            rows,
        }
    }

    impl Ground {
        fn consistency(&self, old: usize, size: usize) -> TreeProof {
            let question = TreeQuestion::Consistency {
                size: size as u64,
                old: old as u64,
            };
            let hashes = question.answer(&self.stored).unwrap();
            TreeProof::Consistency {
                from: (&self.heads[old]).into(),
                to: (&self.heads[size]).into(),
                consistency: hashes.iter().map(|hash| hex(hash)).collect(),
                checkpoint: self.signer.checkpoint(&self.heads[size]).ok(),
            }
        }

        fn receipt(&self, signed: bool) -> Value {
            let question = TreeQuestion::Inclusion { size: 9, index: 4 };
            let hashes = question.answer(&self.stored).unwrap();
            let mut event = serde_json::to_value(&self.rows[4]).unwrap();
            event["payload_text"] = event["payload"].take();
            event["payload"] = json!({"n": 4});
            let note = self.signer.checkpoint(&self.heads[9]).unwrap();
            json!({
                "event": event,
                "proof": InclusionProof::new(4, 9, &hashes),
                "root": hex(&self.heads[9].root),
                "checkpoint": signed.then_some(note),
            })
        }
    }

    #[test]
    fn a_receipt_is_proven_by_a_signature_or_by_a_checkpoint_kept_elsewhere() {
        let ground = ground();
        let check = |proof: &Value, key, kept: &[TreeHead]| {
            TreeProof::parse(&proof.to_string())?.check(key, kept)
        };
        let (signed, bare) = (ground.receipt(true), ground.receipt(false));
        assert!(matches!(
            check(&signed, Some(&ground.key), &[]),
            Ok(ProofFindings::Event {
                leaf_index: 4,
                tree_size: 9,
                ..
            })
        ));
        assert!(check(&bare, None, &ground.heads).is_ok());
        assert_eq!(
            check(&bare, Some(&ground.key), &[]),
            Err(ProofFault::Unsigned(9))
        );
        assert_eq!(check(&signed, None, &[]), Err(ProofFault::Unsigned(9)));
        let mut other = ground.heads[9];
        other.root[0] ^= 1;
        assert_eq!(
            check(&signed, Some(&ground.key), &[other]),
            Err(ProofFault::OtherRoot(9))
        );
        let mut forged = signed.clone();
        forged["event"]["payload_text"] = json!("{\"n\":5}");
        assert!(matches!(
            check(&forged, Some(&ground.key), &[]),
            Err(ProofFault::Tree(_))
        ));
        let mut moved = signed;
        moved["root"] = json!("0".repeat(64));
        assert_eq!(
            check(&moved, Some(&ground.key), &[]),
            Err(ProofFault::OtherTree)
        );
        assert!(matches!(TreeProof::parse("{}"), Err(ProofFault::Form(_))));
    }

    #[test]
    fn two_checkpoints_are_of_one_log_or_are_found_not_to_be() {
        let ground = ground();
        for old in 1..9 {
            let proof = ground.consistency(old, 9);
            let text = serde_json::to_string(&proof).unwrap();
            let proof = TreeProof::parse(&text).unwrap();
            let (from, to) = (old as u64, 9);
            assert_eq!(
                proof.check(Some(&ground.key), &[ground.heads[old]]),
                Ok(ProofFindings::Consistency { from, to })
            );
            assert!(
                proof
                    .check(None, &[ground.heads[old], ground.heads[9]])
                    .is_ok()
            );
            let mut forked = ground.heads[old];
            forked.root[3] ^= 1;
            assert_eq!(
                proof.check(Some(&ground.key), &[forked]),
                Err(ProofFault::OtherRoot(from))
            );
        }
        let mut forged = ground.consistency(4, 9);
        if let TreeProof::Consistency { from, .. } = &mut forged {
            from.root = hex(&ground.heads[3].root);
        }
        assert_eq!(
            forged.check(Some(&ground.key), &[]),
            Err(ProofFault::Tree(TreeError::Wrong))
        );
    }
}
