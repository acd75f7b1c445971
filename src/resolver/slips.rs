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
const BLOCK: u32 = 1_024;

/// Every word that a slip may be for.
#[derive(Debug, Clone, Default)]
pub(crate) struct Slips {
    blocks: OrdMap<(usize, u32), Arc<Block>>,
}

#[derive(Debug, Clone, Default)]
struct Block {
    /// Letter set and first letters, see [`Letters`].
    shapes: Vec<(u32, u64)>,
    words: Vec<Word>,
}

impl Slips {
    /// The words that may be within a few slips of `letters`.
    pub(crate) fn near(&self, letters: &Letters) -> impl Iterator<Item = &Word> {
        let near = Near::of(letters);
        let shortest = letters.len().saturating_sub(BAND);
        let blocks = self
            .blocks
            .range((shortest, 0)..=(letters.len() + BAND, u32::MAX));
        blocks.flat_map(move |((length, _), block)| {
            let (length, limit) = (*length, limit(near.len(), *length));
            let near = near.clone();
            let shapes = block.shapes.iter().zip(&block.words);
            shapes
                .filter(move |((mask, start), _)| near.may_be(*mask, *start, length, limit))
                .map(|(_, word)| word)
        })
    }

    /// Puts a word in that is not in yet.
    pub(crate) fn insert(&mut self, word: &Word) {
        if let Some(key) = key(word) {
            let block = Arc::make_mut(self.blocks.entry(key).or_default());
            block
                .shapes
                .push((word.letters.mask(), word.letters.start()));
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
            block.shapes.swap_remove(at);
            block.words.swap_remove(at);
        }
        if block.words.is_empty() {
            self.blocks.remove(&key);
        }
    }
}

/// Where a word lies.
fn key(word: &Word) -> Option<(usize, u32)> {
    let length = word.letters.len();
    (!word.number && length <= LONGEST).then_some((length, word.id / BLOCK))
}
