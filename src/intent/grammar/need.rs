//! What must stand in a clause for a pattern to fit it.

use std::collections::HashMap;

use super::lexicon::{UNKNOWN, WordHash, WordSet};
use super::matcher::count;
use super::words::Word;

/// What must stand in a clause.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Need {
    /// A word of each of these sets.
    Words(Vec<u32>),
    /// What one of several ways needs.
    Any(Vec<Vec<Need>>),
}

/// The sets of words that the patterns of a grammar need.
#[derive(Debug, Default)]
pub(crate) struct Needed {
    sets: Vec<WordSet>,
    numbers: HashMap<WordSet, u32, WordHash>,
}

impl Needed {
    /// The number of `set`, given now if it has none.
    pub(super) fn number(&mut self, set: &WordSet) -> u32 {
        if let Some(number) = self.numbers.get(set) {
            return *number;
        }
        let number = u32::try_from(self.sets.len()).unwrap_or(u32::MAX);
        self.sets.push(set.clone());
        self.numbers.insert(set.clone(), number);
        number
    }

    /// The set of that number.
    pub(super) fn set(&self, number: u32) -> Option<&WordSet> {
        self.sets.get(number as usize)
    }

    /// How much each set weighs.
    pub(super) fn weights(&self, weight: impl Fn(&WordSet) -> u32) -> Vec<u32> {
        self.sets.iter().map(weight).collect()
    }
}

/// The words of a stretch, as bits in slots of 64.
#[derive(Debug, Default)]
pub(super) struct Present(Vec<u64>);

impl Present {
    /// Goes over to the stretch `words`.
    pub(super) fn go_over(&mut self, words: &[Word]) {
        self.0.clear();
        for word in words.iter().filter(|word| word.id != UNKNOWN) {
            let slot = usize::from(word.id / 64);
            if self.0.len() <= slot {
                self.0.resize(slot + 1, 0);
            }
            if let Some(bits) = self.0.get_mut(slot) {
                *bits |= 1 << (word.id % 64);
            }
        }
    }

    /// Whether none of the words has a number.
    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether what `needs` say stands in the stretch, in whatever order.
    pub(super) fn has(&self, needed: &Needed, needs: &[Need]) -> bool {
        needs.iter().all(|need| match need {
            Need::Words(sets) => sets.iter().all(|set| {
                count(1);
                let set = needed.set(*set);
                set.is_some_and(|set| set.meets(&self.0))
            }),
            Need::Any(ways) => ways.iter().any(|way| self.has(needed, way)),
        })
    }
}
