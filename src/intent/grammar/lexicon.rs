//! Words as small numbers: one look-up per word of a message, numbers from then on.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// The number of a word; 0 is every word that no grammar knows.
pub(crate) type WordId = u16;

/// A word that no grammar knows.
pub(crate) const UNKNOWN: WordId = 0;

/// The words of all grammars.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    ids: HashMap<Box<str>, WordId, BuildHasherDefault<WordHasher>>,
}

impl Lexicon {
    /// The number of `word`, which must be folded.
    pub(crate) fn id(&self, word: &str) -> WordId {
        self.ids.get(word).copied().unwrap_or(UNKNOWN)
    }

    /// The number of `word`, given now if it has none.
    pub(crate) fn learn(&mut self, word: &str) -> WordId {
        let next = WordId::try_from(self.ids.len() + 1).unwrap_or(UNKNOWN);
        *self.ids.entry(word.into()).or_insert(next)
    }

    /// One more than the largest number.
    pub(crate) fn size(&self) -> usize {
        self.ids.len() + 1
    }
}

/// A set of words.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct WordSet(Vec<u64>);

impl WordSet {
    /// Adds `id`.
    pub(crate) fn insert(&mut self, id: WordId) {
        let (slot, bit) = place(id);
        if self.0.len() <= slot {
            self.0.resize(slot + 1, 0);
        }
        if let Some(bits) = self.0.get_mut(slot) {
            *bits |= bit;
        }
    }

    /// Adds all of `other`.
    pub(crate) fn extend(&mut self, other: &Self) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (bits, more) in self.0.iter_mut().zip(&other.0) {
            *bits |= more;
        }
    }

    /// Whether `id` is in it. [`UNKNOWN`] never is.
    pub(crate) fn contains(&self, id: WordId) -> bool {
        let (slot, bit) = place(id);
        id != UNKNOWN && self.0.get(slot).is_some_and(|bits| bits & bit != 0)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.iter().map(|bits| bits.count_ones() as usize).sum()
    }

    /// In ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = WordId> + '_ {
        self.0.iter().enumerate().flat_map(|(slot, bits)| {
            (0..64_usize)
                .filter(move |bit| bits >> bit & 1 == 1)
                .filter_map(move |bit| WordId::try_from(slot * 64 + bit).ok())
        })
    }
}

fn place(id: WordId) -> (usize, u64) {
    (usize::from(id) / 64, 1 << (id % 64))
}

/// Multiply and rotate over eight bytes at a time: words are short, and the keys are our own.
#[derive(Debug, Default)]
pub(crate) struct WordHasher(u64);

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut buffer = [0; 8];
            for (to, from) in buffer.iter_mut().zip(chunk) {
                *to = *from;
            }
            self.0 = (self.0.rotate_left(5) ^ u64::from_le_bytes(buffer)).wrapping_mul(SEED);
        }
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 29)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_keep_their_numbers() {
        let mut lexicon = Lexicon::default();
        let milk = lexicon.learn("milk");
        assert_eq!(lexicon.learn("milk"), milk);
        assert_eq!(lexicon.id("milk"), milk);
        assert_eq!(lexicon.id("unheard"), UNKNOWN);
        assert_ne!(
            lexicon.learn("considerations"),
            lexicon.learn("consideration")
        );
    }

    #[test]
    fn sets_hold_what_was_put_in() {
        let mut set = WordSet::default();
        set.insert(3);
        let mut more = WordSet::default();
        more.insert(64);
        more.insert(700);
        set.extend(&more);
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 64, 700]);
        assert!(set.contains(64) && !set.contains(65) && !set.contains(UNKNOWN));
        assert_eq!(set.len(), 3);
    }
}
