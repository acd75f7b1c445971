//! The words of the vocabulary, laid out so that those a few slips away are found fast.
//!
//! By length, in blocks, the letter sets side by side: what a search rules out is ruled out by
//! one comparison of two numbers. Numbers are not in here, since they are never nearly equal, nor
//! is what is too long to be compared.

use std::sync::Arc;

use imbl::OrdMap;

use super::edit::{BAND, LONGEST, Letters, may_share};
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
    masks: Vec<u32>,
    words: Vec<Word>,
}

impl Slips {
    /// The words whose length and letters are near those of `letters`.
    pub(crate) fn near(&self, letters: &Letters) -> impl Iterator<Item = &Word> {
        let mask = letters.mask();
        let lengths = letters.len().saturating_sub(BAND)..=letters.len() + BAND;
        let blocks = self
            .blocks
            .range((*lengths.start(), 0)..=(*lengths.end(), u32::MAX));
        blocks.flat_map(move |(_, block)| {
            let masks = block.masks.iter().enumerate();
            let near = masks.filter(move |(_, other)| may_share(mask, **other));
            near.filter_map(|(at, _)| block.words.get(at))
        })
    }

    /// Puts a word in that is not in yet.
    pub(crate) fn insert(&mut self, word: &Word) {
        if let Some(key) = key(word) {
            let block = Arc::make_mut(self.blocks.entry(key).or_default());
            block.masks.push(word.letters.mask());
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
