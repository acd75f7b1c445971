//! Sets of patterns as rows of bits, by word.

use std::collections::HashMap;

use super::lexicon::{WordHash, WordId, WordSet, ones};
use super::matcher::count;
use super::words::Word;

/// A set of patterns by their numbers: bits in slots of 64.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Bits(Vec<u64>);

impl Clone for Bits {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }

    /// Into the memory that is there: a survey is made for every sentence.
    fn clone_from(&mut self, other: &Self) {
        self.0.clone_from(&other.0);
    }
}

impl Bits {
    /// None of the patterns that so many slots have room for.
    pub(super) fn new(slots: usize) -> Self {
        Self(vec![0; slots])
    }

    /// Adds a pattern.
    pub(super) fn insert(&mut self, number: usize) {
        if let Some(slot) = self.0.get_mut(number / 64) {
            *slot |= 1 << (number % 64);
        }
    }

    /// Takes out a pattern; false when it is not there.
    pub(super) fn take(&mut self, number: usize) -> bool {
        let bit = 1 << (number % 64);
        let Some(slot) = self.0.get_mut(number / 64) else {
            return false;
        };
        let was = *slot & bit != 0;
        *slot &= !bit;
        was
    }

    /// The slot of that number.
    pub(super) fn slot(&self, number: usize) -> u64 {
        self.0.get(number).copied().unwrap_or_default()
    }

    /// Takes out what is not in `wanted`.
    pub(super) fn retain(&mut self, wanted: &Self) {
        for (slot, wanted) in self.0.iter_mut().zip(&wanted.0) {
            *slot &= wanted;
        }
    }

    /// Takes out what is in `unwanted`.
    pub(super) fn remove(&mut self, unwanted: &Self) {
        for (slot, unwanted) in self.0.iter_mut().zip(&unwanted.0) {
            *slot &= !unwanted;
        }
    }

    /// Whether there is none.
    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|slot| *slot == 0)
    }

    /// The slots.
    pub(super) fn slots(&self) -> &[u64] {
        &self.0
    }
}

/// The numbers in `slots`, in ascending order.
pub(super) fn numbers(slots: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    let filled = slots.enumerate().filter(|(_, bits)| *bits != 0);
    filled.flat_map(|(slot, bits)| ones(bits).map(move |bit| slot * 64 + bit))
}

/// For each word a list of patterns, while it is made.
#[derive(Debug, Default)]
pub(super) struct Open(Vec<Vec<u16>>);

impl Open {
    /// Adds `number` to the list of each of `words`.
    pub(super) fn add(&mut self, words: &WordSet, number: usize) {
        let Ok(number) = u16::try_from(number) else {
            return;
        };
        for id in words.iter() {
            let place = usize::from(id);
            if self.0.len() <= place {
                self.0.resize_with(place + 1, Vec::new);
            }
            if let Some(list) = self.0.get_mut(place) {
                list.push(number);
            }
        }
    }
}

/// For each word a list; words with the same list share it.
#[derive(Debug)]
struct Lists<T> {
    list_of: Vec<u16>,
    /// Where each list ends in `all`; the first is for words that have none of their own.
    ends: Vec<u32>,
    all: Vec<T>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self {
            list_of: Vec::new(),
            ends: Vec::new(),
            all: Vec::new(),
        }
    }
}

impl<T> Lists<T> {
    fn new(open: Open, none: Vec<T>, form: impl Fn(&[u16], &mut Vec<T>)) -> Self {
        let mut all = none;
        let end = |all: &Vec<T>| u32::try_from(all.len()).unwrap_or(u32::MAX);
        let mut ends = vec![end(&all)];
        let mut known: HashMap<Vec<u16>, u16, WordHash> = HashMap::default();
        let numbered = open.0.into_iter().map(|list| {
            if list.is_empty() {
                return 0;
            }
            let next = u16::try_from(ends.len()).unwrap_or_default();
            *known.entry(list).or_insert_with_key(|list| {
                form(list, &mut all);
                ends.push(end(&all));
                next
            })
        });
        Self {
            list_of: numbered.collect(),
            ends,
            all,
        }
    }

    fn of(&self, id: WordId) -> &[T] {
        let list = self.list_of.get(usize::from(id)).copied().unwrap_or(0);
        let end = |list: u16| {
            self.ends
                .get(usize::from(list))
                .map_or(0, |end| *end as usize)
        };
        let start = list.checked_sub(1).map_or(0, end);
        self.all.get(start..end(list)).unwrap_or_default()
    }
}

/// For each word a set of patterns, most of them small: its slots that are not empty.
#[derive(Debug, Default)]
pub(super) struct Sparse(Lists<(u16, u64)>);

impl Sparse {
    pub(super) fn new(open: Open) -> Self {
        Self(Lists::new(open, Vec::new(), |patterns, all| {
            let start = all.len();
            for number in patterns {
                let (slot, bit) = (number / 64, 1 << (number % 64));
                match all.get_mut(start..).and_then(<[_]>::last_mut) {
                    Some((last, bits)) if *last == slot => *bits |= bit,
                    _ => all.push((slot, bit)),
                }
            }
        }))
    }

    /// Adds the patterns of the word `id` to `bits`.
    pub(super) fn add(&self, id: WordId, bits: &mut Bits) {
        let slots = self.0.of(id);
        count(slots.len());
        for (slot, more) in slots {
            if let Some(slot) = bits.0.get_mut(usize::from(*slot)) {
                *slot |= more;
            }
        }
    }
}

/// What can stand at one place of the patterns, while it is worked out.
pub(super) struct Edge {
    /// The patterns in which any word can stand there.
    any: Bits,
    words: Open,
}

impl Edge {
    pub(super) fn new(slots: usize) -> Self {
        Self {
            any: Bits::new(slots),
            words: Open::default(),
        }
    }

    /// Says that in the pattern `number` only one of `words` can stand there, or any word.
    pub(super) fn add(&mut self, words: Option<&WordSet>, number: usize) {
        match words {
            Some(words) => self.words.add(words, number),
            None => self.any.insert(number),
        }
    }

    pub(super) fn close(self) -> Rows {
        let slots = self.any.0.len();
        let rows = Lists::new(self.words, self.any.0.clone(), |patterns, all| {
            let mut row = self.any.clone();
            patterns
                .iter()
                .for_each(|number| row.insert(usize::from(*number)));
            all.extend(row.0);
        });
        Rows {
            rows,
            all: vec![u64::MAX; slots],
        }
    }
}

/// For each word the patterns that can have it at one place.
#[derive(Debug, Default)]
pub(super) struct Rows {
    rows: Lists<u64>,
    /// All patterns, for where no word stands.
    all: Vec<u64>,
}

impl Rows {
    /// The patterns that can have `word` there, as slots.
    pub(super) fn of(&self, word: Option<&Word>) -> &[u64] {
        word.map_or(&self.all, |word| self.rows.of(word.id))
    }
}
