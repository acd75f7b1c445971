//! Words as small numbers: one look-up per word of a message, numbers from then on.

use std::ops::Range;

use crate::domain::text::{Key, same_word};

/// The number of a word; 0 is every word that no file has.
pub(crate) type WordId = u16;

/// A word that no file has.
pub(crate) const UNKNOWN: WordId = 0;

/// The words of all files of a kind.
#[derive(Debug, Default)]
pub(crate) struct Lexicon {
    /// Each word at the place of its key or the next free one behind: a power of two of places, half
    /// of them free.
    places: Vec<Known>,
    /// The letters of the words, one word after the other.
    letters: Vec<u8>,
    /// The largest number, the first of which is 1.
    last: WordId,
}

/// A word that has a number.
#[derive(Debug, Clone, Copy, Default)]
struct Known {
    key: Key,
    /// Place at which its letters begin, and their number.
    letters: (u32, u16),
    /// [`UNKNOWN`] where there is none.
    id: WordId,
}

impl Lexicon {
    /// The number of `word`, which must be folded.
    pub(crate) fn id(&self, word: &str) -> WordId {
        self.find(Key::of(word), word.as_bytes())
    }

    /// The same where its key is known.
    #[inline]
    pub(crate) fn find(&self, key: Key, word: &[u8]) -> WordId {
        let size = self.places.len();
        let mut at = key.place(size);
        while let Some(known) = self.places.get(at) {
            if known.id == UNKNOWN || known.key == key && self.is(known, word) {
                return known.id;
            }
            at = (at + 1) & (size - 1);
        }
        UNKNOWN
    }

    #[inline]
    fn is(&self, known: &Known, word: &[u8]) -> bool {
        let (start, length) = (known.letters.0 as usize, usize::from(known.letters.1));
        let letters = self.letters.get(start..start + length);
        letters.is_some_and(|letters| same_word(letters, word))
    }

    /// The number of `word`, given now if it has none.
    pub(crate) fn learn(&mut self, word: &str) -> WordId {
        let key = Key::of(word);
        let known = self.find(key, word.as_bytes());
        if known != UNKNOWN {
            return known;
        }
        let start = u32::try_from(self.letters.len());
        let (Some(id), Ok(start), Ok(length)) =
            (self.last.checked_add(1), start, word.len().try_into())
        else {
            return UNKNOWN;
        };
        self.last = id;
        self.letters.extend_from_slice(word.as_bytes());
        if usize::from(id) * 2 > self.places.len() {
            self.grow();
        }
        self.place(Known {
            key,
            letters: (start, length),
            id,
        });
        id
    }

    fn grow(&mut self) {
        let size = (usize::from(self.last) * 4).next_power_of_two();
        let places = std::mem::replace(&mut self.places, vec![Known::default(); size]);
        for known in places.into_iter().filter(|known| known.id != UNKNOWN) {
            self.place(known);
        }
    }

    /// Gives back the room that was kept for more words.
    pub(crate) fn close(&mut self) {
        self.letters.shrink_to_fit();
    }

    fn place(&mut self, known: Known) {
        let size = self.places.len();
        let mut at = known.key.place(size);
        while let Some(place) = self.places.get_mut(at) {
            if place.id == UNKNOWN {
                *place = known;
                return;
            }
            at = (at + 1) & (size - 1);
        }
    }

    /// One more than the largest number.
    pub(crate) fn size(&self) -> usize {
        usize::from(self.last) + 1
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
