//! Looking words up: from letters to an id and its classes, without allocation.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::lexicon::{
    BOUGHT, CAP, DIGIT, ING, LIFE, NOT_VERBAL, NUM, PAST, UNKEPT, UNKNOWN, WORDS,
};
use super::world::WORLD;

/// The longest word the lexicon can hold, in folded bytes; a longer one is unknown.
pub(super) const WIDTH: usize = 16;

/// The id of every word no list knows.
pub(super) const STRANGE: u16 = 0;

/// A folded word as a number: its bytes, the first lowest.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Key(u128);

impl Key {
    /// The key of a folded word; `None` when it is too long to be known.
    pub(super) fn of(word: &str) -> Option<Self> {
        let mut bytes = [0; WIDTH];
        bytes
            .get_mut(..word.len())?
            .copy_from_slice(word.as_bytes());
        Some(Self::new(bytes))
    }

    /// The key of bytes that were collected in place, filled up with zeros.
    pub(super) const fn new(bytes: [u8; WIDTH]) -> Self {
        Self(u128::from_le_bytes(bytes))
    }

    /// A number that differs for most words.
    pub(super) fn mixed(self) -> u64 {
        let low = self.0 as u64;
        let high = (self.0 >> 64) as u64;
        (low ^ high.rotate_left(29)).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    }

    /// Where a table is looked up, from its mixed number.
    fn place(mixed: u64) -> usize {
        (mixed >> 40) as usize
    }
}

/// All words of the lexicon and of the patterns.
pub(super) struct Vocabulary {
    slots: Vec<Slot>,
    classes: Vec<u64>,
}

/// A place of the hash table: what is read together lies together.
#[derive(Clone, Copy, Default)]
struct Slot {
    key: Key,
    classes: u64,
    id: u16,
}

impl Vocabulary {
    /// The lexicon, and every literal of `patterns` besides.
    pub(super) fn build<'a>(literals: impl Iterator<Item = &'a str>) -> Self {
        let mut classes: HashMap<&str, u64> = HashMap::new();
        for (class, words) in WORDS.iter().chain(WORLD) {
            for word in words.split_whitespace() {
                *classes.entry(word).or_default() |= class;
            }
        }
        for (word, class) in &mut classes {
            // What only tells nouns apart leaves a word as open as an unknown one.
            if *class & !(BOUGHT | LIFE | UNKEPT) == 0 {
                *class |= UNKNOWN | ending(word.as_bytes());
            }
        }
        for word in NOT_VERBAL.split_whitespace() {
            classes.entry(word).or_insert(UNKNOWN);
        }
        // Words that one choice spells out get ids near each other.
        let mut words: Vec<&str> = Vec::with_capacity(classes.len());
        let mut spelled = HashSet::new();
        for word in literals {
            // A literal that no class lists keeps what its ending says.
            let ending = || UNKNOWN | ending(word.as_bytes());
            classes.entry(word).or_insert_with(ending);
            if spelled.insert(word) {
                words.push(word);
            }
        }
        let own = words.len();
        words.extend(classes.keys().filter(|word| !spelled.contains(*word)));
        words.get_mut(own..).unwrap_or_default().sort_unstable();
        let slots = (classes.len() * 3 / 2).next_power_of_two();
        let mut built = Self {
            slots: vec![Slot::default(); slots],
            classes: vec![UNKNOWN],
        };
        for word in words {
            let class = classes.get(word).copied().unwrap_or_default();
            if let (Some(key), Ok(id)) = (Key::of(word), u16::try_from(built.classes.len())) {
                built.classes.push(class);
                built.insert(Slot {
                    key,
                    classes: class,
                    id,
                });
            }
        }
        built
    }

    fn insert(&mut self, slot: Slot) {
        let mask = self.slots.len() - 1;
        let mut at = Key::place(slot.key.mixed()) & mask;
        while let Some(place) = self.slots.get_mut(at) {
            if place.id == STRANGE {
                *place = slot;
                return;
            }
            at = (at + 1) & mask;
        }
    }

    /// The id of a word and its classes; [`STRANGE`] when no list has it.
    pub(super) fn find(&self, key: Key) -> (u16, u64) {
        self.find_mixed(key, key.mixed())
    }

    /// The same where the mixed number of the key is known.
    #[inline]
    pub(super) fn find_mixed(&self, key: Key, mixed: u64) -> (u16, u64) {
        let mask = self.slots.len() - 1;
        let mut at = Key::place(mixed) & mask;
        // The table is never full: an empty slot ends every search.
        while let Some(slot) = self.slots.get(at) {
            if slot.id == STRANGE || slot.key == key {
                return (slot.id, slot.classes);
            }
            at = (at + 1) & mask;
        }
        (STRANGE, 0)
    }

    /// The id of a word, [`STRANGE`] when no list has it.
    pub(super) fn id(&self, key: Key) -> u16 {
        self.find(key).0
    }

    /// The classes of a known word.
    pub(super) fn classes(&self, id: u16) -> u64 {
        self.classes
            .get(usize::from(id))
            .copied()
            .unwrap_or(UNKNOWN)
    }

    /// How many ids there are.
    pub(super) fn len(&self) -> usize {
        self.classes.len()
    }
}

/// The classes of a word no list knows, by its shape.
pub(super) fn strange(folded: &[u8], capital: bool) -> u64 {
    let mut classes = UNKNOWN | ending(folded);
    if capital {
        classes |= CAP;
    }
    if folded.first().is_some_and(u8::is_ascii_digit) {
        classes |= DIGIT;
        if folded != b"1" {
            classes |= NUM;
        }
    }
    classes
}

/// Past tense or progressive form by the ending: an unknown "-ed" is taken for an effect.
fn ending(folded: &[u8]) -> u64 {
    if folded.len() < 4 {
        return 0;
    }
    if folded.ends_with(b"ed") || folded.ends_with(b"'d") {
        PAST
    } else if folded.ends_with(b"ing") || folded.ends_with(b"in'") {
        ING
    } else {
        0
    }
}

/// The id of one word of the vocabulary, for rules that hang on that word alone.
pub(super) fn id_of(word: &str) -> u16 {
    Key::of(word).map_or(STRANGE, |key| VOCABULARY.id(key))
}

/// The words of the lexicon and of all patterns, built once.
pub(super) static VOCABULARY: LazyLock<Vocabulary> =
    LazyLock::new(|| Vocabulary::build(super::pattern::literals().chain(super::kinds::words())));
