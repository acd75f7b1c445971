//! Under which id an imported task is kept, so that the same file a second time doubles nothing.
//!
//! A UUID of the file is the task's id. A name of another kind, and where there is none the title
//! with the creation date, is hashed to one; equal lines are told apart by how many came before.
//! What became of the task since (done, renamed, another day) does not count: it is known again.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use super::Reading;
use super::entry::{Entry, Key, Refused};
use crate::domain::TaskId;

/// Separates these hashes from all others made with the same function.
const DOMAIN: &str = "candor import 1";

/// The ids of entries, in their order.
pub fn ids(entries: &[Entry]) -> Vec<TaskId> {
    let mut seen: HashMap<String, usize> = HashMap::new();
    let ids = entries.iter().map(|entry| match &entry.key {
        Key::Id(id) => *id,
        Key::Name(name) => hashed("name", name, 0),
        Key::Words => {
            let created = entry.created_at.map(|when| when.at.to_rfc3339());
            let words = format!("{}\n{}", entry.title, created.unwrap_or_default());
            let before = seen.entry(words.clone()).or_default();
            let id = hashed("words", &words, *before);
            *before += 1;
            id
        }
    });
    ids.collect()
}

/// A UUID of version 8: made from a hash.
fn hashed(kind: &str, text: &str, before: usize) -> TaskId {
    let hash = Sha256::digest(format!("{DOMAIN}\n{kind}\n{before}\n{text}"));
    let half = hash.first_chunk().copied().unwrap_or_default();
    TaskId::new(uuid::Builder::from_custom_bytes(half).into_uuid())
}

/// Of entries that name the same task the first stays.
pub(super) fn refuse_doubles(reading: &mut Reading) {
    let ids = ids(&reading.entries);
    let mut lines: HashMap<TaskId, usize> = HashMap::new();
    let entries = std::mem::take(&mut reading.entries);
    for (entry, id) in entries.into_iter().zip(ids) {
        if let Some(first) = lines.get(&id) {
            let reason = format!("line {first} has the same id");
            let refused = Refused::new(entry.line, entry.title.as_str(), reason);
            reading.refused.push(refused);
        } else {
            lines.insert(id, entry.line);
            reading.entries.push(entry);
        }
    }
}
