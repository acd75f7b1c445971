//! The words of the vocabulary, laid out so that those a few slips away are found fast.
//!
//! By length, in blocks, the letters as numbers side by side: what can't be near is ruled out
//! without touching a word. Two signs rule out: too many letters that only one of them has, and
//! letters that have no like within a few places. Numbers are not in here, since they are never
//! nearly equal, nor is what is too long to be compared.

use std::sync::Arc;

use imbl::OrdMap;

use super::edit::{BAND, LONGEST, Letters, Near, limit};
use super::index::Word;

/// Words of one length whose ids differ in less than this share a block.
const BLOCK: u32 = 2_048;

/// Every word that a slip may be for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Slips {
    blocks: OrdMap<(usize, u32), Arc<Block>>,
}

#[derive(Debug, Clone, Default)]
struct Block {
    /// Letter sets.
    masks: Vec<u32>,
    /// First letters, see [`Letters`].
    starts: Vec<u64>,
    words: Vec<Word>,
}

impl Slips {
    /// The words within a few slips of `letters`, and how far they are.
    pub(crate) fn near(&self, letters: &Letters) -> Vec<(&Word, u16)> {
        let near = Near::of(letters);
        let shortest = letters.len().saturating_sub(BAND);
        let blocks = self
            .blocks
            .range((shortest, 0)..=(letters.len() + BAND, u32::MAX));
        let mut found = Vec::new();
        for ((length, _), block) in blocks {
            let limit = limit(near.len(), *length);
            for (part, masks) in block.masks.chunks(64).enumerate() {
                let mut left = near.may_share(masks);
                while left != 0 {
                    let at = 64 * part + left.trailing_zeros() as usize;
                    left &= left - 1;
                    let (Some(mask), Some(start)) = (block.masks.get(at), block.starts.get(at))
                    else {
                        continue;
                    };
                    if !near.may_be(*mask, *start, *length, limit) {
                        continue;
                    }
                    let word = block.words.get(at);
                    let cost = match Letters::spelled(*mask, *start, *length) {
                        Some(other) => letters.distance(&other, limit),
                        None => word.and_then(|word| letters.distance(&word.letters, limit)),
                    };
                    found.extend(word.zip(cost));
                }
            }
        }
        found
    }

    /// Puts a word in that is not in yet.
    pub(crate) fn insert(&mut self, word: &Word) {
        if let Some(key) = key(word) {
            let block = Arc::make_mut(self.blocks.entry(key).or_default());
            block.masks.push(word.letters.mask());
            block.starts.push(word.letters.start());
            block.words.push(word.clone());
        }
    }

    /// Takes a word out.
    pub(crate) fn remove(&mut self, word: &Word) {
        let Some(key) = key(word) else { return };
        let Some(block) = self.blocks.get_mut(&key) else {
            return;
        };
        let block = Arc::make_mut(block);
        if let Some(at) = block.words.iter().position(|one| one.id == word.id) {
            block.masks.swap_remove(at);
            block.starts.swap_remove(at);
            block.words.swap_remove(at);
        }
        if block.words.is_empty() {
            self.blocks.remove(&key);
        }
    }
}

/// Returns the key of the block in which a word lies.
fn key(word: &Word) -> Option<(usize, u32)> {
    let length = word.letters.len();
    (!word.number && length <= LONGEST).then_some((length, word.id / BLOCK))
}
