//! Words as small numbers: one look-up per word of a message, numbers from then on.

use std::collections::HashMap;
use std::ops::Range;

use rustc_hash::FxBuildHasher;

/// The number of a word; 0 is every word that no file has.
pub(crate) type WordId = u16;

/// A word that no file has.
pub(crate) const UNKNOWN: WordId = 0;

/// The words of all files of a kind.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    numbers: HashMap<Box<str>, WordId, FxBuildHasher>,
}

impl Lexicon {
    /// The number of `word`, which must be folded.
    pub(crate) fn id(&self, word: &str) -> WordId {
        self.numbers.get(word).copied().unwrap_or(UNKNOWN)
    }

    /// The number of `word`, given now if it has none.
    pub(crate) fn learn(&mut self, word: &str) -> WordId {
        let known = self.id(word);
        if known != UNKNOWN {
            return known;
        }
        let Ok(id) = WordId::try_from(self.size()) else {
            return UNKNOWN;
        };
        self.numbers.insert(word.into(), id);
        id
    }

    /// One more than the largest number.
    pub(crate) fn size(&self) -> usize {
        self.numbers.len() + 1
    }
}

/// A set of words: bits from its smallest to its largest number, in slots of 64.
///
/// The words of one language have numbers near each other, so that its sets are short.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(crate) struct WordSet {
    /// The slots left out before the first.
    skipped: usize,
    bits: Vec<u64>,
}

impl WordSet {
    /// Adds `id`.
    pub(crate) fn insert(&mut self, id: WordId) {
        let (slot, bit) = place(id);
        self.cover(slot..slot + 1);
        if let Some(bits) = self.bits.get_mut(slot - self.skipped) {
            *bits |= bit;
        }
    }

    /// Adds all of `other`.
    pub(crate) fn extend(&mut self, other: &Self) {
        if self.bits.is_empty() {
            self.clone_from(other);
            return;
        }
        self.cover(other.skipped..other.skipped + other.bits.len());
        let from = other.skipped.saturating_sub(self.skipped);
        for (bits, more) in self.bits.iter_mut().skip(from).zip(&other.bits) {
            *bits |= more;
        }
    }

    /// Makes room for `slots`.
    fn cover(&mut self, slots: Range<usize>) {
        if slots.is_empty() {
            return;
        }
        if self.bits.is_empty() {
            self.skipped = slots.start;
        }
        if slots.start < self.skipped {
            let more = std::iter::repeat_n(0, self.skipped - slots.start);
            self.bits.splice(0..0, more);
            self.skipped = slots.start;
        }
        let length = slots.end - self.skipped;
        if self.bits.len() < length {
            self.bits.resize(length, 0);
        }
    }

    /// Tells whether `id` is in it. [`UNKNOWN`] never is.
    pub(crate) fn contains(&self, id: WordId) -> bool {
        let (slot, bit) = place(id);
        let bits = self.bits.get(slot.wrapping_sub(self.skipped));
        id != UNKNOWN && bits.is_some_and(|bits| bits & bit != 0)
    }

    /// Returns the number of words.
    pub(crate) fn len(&self) -> usize {
        let ones = self.bits.iter().map(|bits| bits.count_ones() as usize);
        ones.sum()
    }

    /// In ascending order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = WordId> + '_ {
        let slots = (self.skipped..).zip(&self.bits);
        slots.flat_map(|(slot, bits)| {
            ones(*bits).filter_map(move |bit| WordId::try_from(slot * 64 + bit).ok())
        })
    }
}

/// The places of the bits that are set, in ascending order.
fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let found = (bits != 0).then_some(bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        found
    })
}

fn place(id: WordId) -> (usize, u64) {
    (usize::from(id) / 64, 1 << (id % 64))
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
        set.insert(300);
        let mut more = WordSet::default();
        more.insert(64);
        more.insert(700);
        set.extend(&more);
        set.extend(&WordSet::default());
        set.insert(3);
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 64, 300, 700]);
        assert!(set.contains(64) && !set.contains(65) && !set.contains(UNKNOWN));
        assert!(!set.contains(2000) && !more.contains(3));
        assert_eq!(set.len(), 4);
        more.insert(300);
        more.insert(3);
        assert_eq!(set, more);
    }
}
