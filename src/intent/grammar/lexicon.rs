//! Words as small numbers: one look-up per word of a message, numbers from then on.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;
use std::sync::Arc;

use crate::domain::text::{Key, same_word};

/// The number of a word; 0 is every word that no grammar knows.
pub(crate) type WordId = u16;

/// A word that no grammar knows.
pub(crate) const UNKNOWN: WordId = 0;

/// The words of all grammars.
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

    /// Its bits, in slots of 64 from number 0 on that are not empty.
    pub(crate) fn slots(&self) -> impl Iterator<Item = (u16, u64)> + '_ {
        let slots = (self.skipped..)
            .zip(&self.bits)
            .filter(|(_, bits)| **bits != 0);
        slots.filter_map(|(slot, bits)| Some((u16::try_from(slot).ok()?, *bits)))
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

/// Sets of words while a grammar is read, each kept once and under a number.
#[derive(Debug, Default)]
pub(crate) struct Sets {
    all: Vec<Arc<WordSet>>,
    numbers: HashMap<Arc<WordSet>, u16, WordHash>,
}

impl Sets {
    /// The number of `set`, given now if it has none.
    pub(crate) fn number(&mut self, set: &WordSet) -> u16 {
        if let Some(number) = self.numbers.get(set) {
            return *number;
        }
        let number = u16::try_from(self.all.len()).unwrap_or(u16::MAX);
        let set = Arc::new(set.clone());
        self.all.push(Arc::clone(&set));
        self.numbers.insert(set, number);
        number
    }

    /// The set of that number.
    pub(crate) fn get(&self, number: u16) -> Option<&WordSet> {
        self.all.get(usize::from(number)).map(AsRef::as_ref)
    }

    /// All of them, by their numbers.
    pub(crate) fn iter(&self) -> impl Iterator<Item = &WordSet> + Clone {
        self.all.iter().map(AsRef::as_ref)
    }
}

/// Many sets of words in one piece, so that a look goes straight to its bits.
#[derive(Debug, Default)]
pub(crate) struct Flat {
    places: Vec<Place>,
    bits: Vec<u64>,
    /// By slot of `bits`: how many words its set has before it.
    ranks: Vec<u16>,
}

/// Place of a set of [`Flat`].
#[derive(Debug, Clone, Copy)]
struct Place {
    start: u32,
    /// Its first slot.
    first: u16,
    /// Number of its slots.
    slots: u16,
}

/// A set of [`Flat`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct FlatSet<'f> {
    first: u16,
    /// From slot `first` on.
    bits: &'f [u64],
}

impl FlatSet<'_> {
    /// Tells whether `id` is in it. [`UNKNOWN`] never is.
    #[inline]
    pub(crate) fn contains(self, id: WordId) -> bool {
        let slot = usize::from(id / 64).wrapping_sub(usize::from(self.first));
        let bits = self.bits.get(slot);
        bits.is_some_and(|bits| bits >> (id % 64) & 1 == 1)
    }
}

impl Flat {
    /// Makes one piece of these sets, under the numbers of their places.
    pub(crate) fn new<'s>(sets: impl Iterator<Item = &'s WordSet> + Clone) -> Self {
        let slots = sets.clone().map(|set| set.bits.len()).sum();
        let mut flat = Self {
            places: Vec::with_capacity(sets.clone().count()),
            bits: Vec::with_capacity(slots),
            ranks: Vec::with_capacity(slots),
        };
        let number = |at: usize| u16::try_from(at).unwrap_or(u16::MAX);
        for set in sets {
            flat.places.push(Place {
                start: u32::try_from(flat.bits.len()).unwrap_or(u32::MAX),
                first: number(set.skipped),
                slots: number(set.bits.len()),
            });
            let own = flat.bits.len();
            flat.bits.extend_from_slice(&set.bits);
            // No look has to ask whether a word is known: an unknown one is in no set.
            if set.skipped == 0
                && let Some(bits) = flat.bits.get_mut(own)
            {
                *bits &= !1;
            }
            let mut rank = 0;
            for bits in flat.bits.get(own..).unwrap_or_default() {
                flat.ranks.push(rank);
                rank += u16::try_from(bits.count_ones()).unwrap_or_default();
            }
        }
        flat
    }

    /// Returns the number of sets.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.places.len()
    }

    /// Counts the words that the set of that number has before `id`, if it has it.
    pub(crate) fn rank(&self, number: u16, id: WordId) -> Option<usize> {
        let place = self.places.get(usize::from(number))?;
        let slot = (id / 64).wrapping_sub(place.first);
        let at = place.start as usize + usize::from(slot);
        let bits = self.bits.get(at).filter(|_| slot < place.slots)?;
        let (bit, rank) = (1_u64 << (id % 64), self.ranks.get(at)?);
        let before = (bits & (bit - 1)).count_ones() as usize;
        (bits & bit != 0).then_some(usize::from(*rank) + before)
    }

    /// Tells whether the set of that number has `id`. [`UNKNOWN`] is in none.
    #[inline]
    pub(crate) fn contains(&self, number: u16, id: WordId) -> bool {
        let Some(place) = self.places.get(usize::from(number)) else {
            return false;
        };
        let slot = (id / 64).wrapping_sub(place.first);
        let bits = self.bits.get(place.start as usize + usize::from(slot));
        slot < place.slots && bits.is_some_and(|bits| bits >> (id % 64) & 1 == 1)
    }

    /// The set of that number; an empty one where there is none.
    #[inline]
    pub(crate) fn set(&self, number: u16) -> FlatSet<'_> {
        let none = FlatSet {
            first: 0,
            bits: &[],
        };
        self.places.get(usize::from(number)).map_or(none, |place| {
            let start = place.start as usize;
            let bits = self.bits.get(start..start + usize::from(place.slots));
            FlatSet {
                first: place.first,
                bits: bits.unwrap_or_default(),
            }
        })
    }
}

/// The places of the bits that are set, in ascending order.
pub(crate) fn ones(mut bits: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let found = (bits != 0).then_some(bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        found
    })
}

fn place(id: WordId) -> (usize, u64) {
    (usize::from(id) / 64, 1 << (id % 64))
}

/// For tables whose keys are our own.
pub(crate) type WordHash = BuildHasherDefault<WordHasher>;

/// Multiply and rotate over eight bytes at a time: words are short, and the keys are our own.
#[derive(Debug, Default)]
pub(crate) struct WordHasher(u64);

const SEED: u64 = 0x9e37_79b9_7f4a_7c15;

impl WordHasher {
    fn mix(&mut self, value: u64) {
        self.0 = (self.0.rotate_left(5) ^ value).wrapping_mul(SEED);
    }
}

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        let (chunks, rest) = bytes.as_chunks::<8>();
        for chunk in chunks {
            self.mix(u64::from_le_bytes(*chunk));
        }
        if !rest.is_empty() {
            // Up to seven bytes in two overlapping looks, and their number: "a" is not "aa".
            let half = match (rest.first_chunk::<4>(), rest.last_chunk::<4>()) {
                (Some(first), Some(last)) => {
                    u64::from(u32::from_le_bytes(*first))
                        | u64::from(u32::from_le_bytes(*last)) << 32
                }
                _ => rest.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
            };
            self.mix(half ^ (rest.len() as u64) << 60);
        }
    }

    fn write_usize(&mut self, number: usize) {
        self.mix(number as u64);
    }

    /// The end of a string: one step less for every word.
    fn write_u8(&mut self, byte: u8) {
        self.0 ^= u64::from(byte);
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

    #[test]
    fn flat_sets_hold_the_same() {
        let mut sets = vec![WordSet::default(); 3];
        sets[1].insert(130);
        [3, 64, 300].into_iter().for_each(|id| sets[2].insert(id));
        let flat = Flat::new(sets.iter());
        for (number, set) in (0..).zip(&sets) {
            for id in 0..400 {
                assert_eq!(
                    flat.set(number).contains(id),
                    set.contains(id),
                    "{number} {id}"
                );
                let rank = set.iter().position(|held| held == id);
                assert_eq!(flat.rank(number, id), rank, "{number} {id}");
            }
        }
        assert!(!flat.set(3).contains(3));
    }
}
