//! Sets of patterns as rows of bits, by word.

use std::collections::HashMap;
use std::ops::Range;

use super::lexicon::{WordHash, WordId, WordSet};
use super::matcher::count;
use super::words::Word;

/// A set of patterns by their numbers: bits in slots of 64.
#[derive(Debug, Default, Clone, PartialEq)]
pub(super) struct Bits(Vec<u64>);

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

    /// Adds all of `other`.
    pub(super) fn extend(&mut self, other: &Self) {
        let slots = self.0.iter_mut().zip(&other.0);
        slots.for_each(|(slot, more)| *slot |= more);
    }

    /// The slots.
    pub(super) fn slots(&self) -> &[u64] {
        &self.0
    }
}

/// For each word a list of patterns, while it is made.
#[derive(Debug, Default)]
pub(super) struct Open(Vec<Vec<u16>>);

impl Open {
    /// The list of the word with that number.
    fn of(&self, word: usize) -> &[u16] {
        self.0.get(word).map_or(&[], Vec::as_slice)
    }

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

/// Of 64 patterns those that have their rarest need met, and those that have the next one met.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Met(pub(super) u64, pub(super) u64);

/// What the words of a sentence tell of patterns, while it is worked out.
pub(super) struct Signs {
    rarest: Open,
    next: Open,
    free: Vec<Met>,
}

impl Signs {
    /// For patterns in so many slots.
    pub(super) fn new(slots: usize) -> Self {
        Self {
            rarest: Open::default(),
            next: Open::default(),
            free: vec![Met::default(); slots],
        }
    }

    /// Says by which words the two rarest needs of the pattern `number` are told; none stands for
    /// a need that says nothing.
    pub(super) fn add(&mut self, [rarest, next]: [Option<&WordSet>; 2], number: usize) {
        let Some(free) = self.free.get_mut(number / 64) else {
            return;
        };
        let bit = 1 << (number % 64);
        match rarest {
            Some(words) => self.rarest.add(words, number),
            None => free.0 |= bit,
        }
        match next {
            Some(words) => self.next.add(words, number),
            None => free.1 |= bit,
        }
    }

    pub(super) fn close(self) -> Telling {
        Telling::new(&self.rarest, &self.next, self.free)
    }
}

/// For each word the patterns of which it may meet the rarest need, or the next.
#[derive(Debug, Default)]
pub(super) struct Telling {
    /// The patterns that need nothing, or but one thing.
    free: Vec<Met>,
    /// Where the slots of each word begin, and how many there are.
    places: Vec<(u32, u32)>,
    /// Numbered slots that are not empty.
    slots: Vec<(u16, Met)>,
}

impl Telling {
    /// From the lists of the rarest needs and of the next ones.
    fn new(rarest: &Open, next: &Open, free: Vec<Met>) -> Self {
        let mut telling = Self {
            free,
            ..Self::default()
        };
        let number = |at: usize| u32::try_from(at).unwrap_or_default();
        for word in 0..rarest.0.len().max(next.0.len()) {
            let start = telling.slots.len();
            for number in rarest.of(word) {
                telling.set(start, number / 64, |met| met.0 |= 1 << (number % 64));
            }
            for number in next.of(word) {
                telling.set(start, number / 64, |met| met.1 |= 1 << (number % 64));
            }
            let length = telling.slots.len() - start;
            telling.places.push((number(start), number(length)));
        }
        telling
    }

    /// Changes the slot of that number among those from `start` on.
    fn set(&mut self, start: usize, number: u16, change: impl FnOnce(&mut Met)) {
        let own = self.slots.get(start..).unwrap_or_default();
        // The numbers of a list ascend: it is the last one, or comes behind it.
        let place = match own.last() {
            Some((last, _)) if *last == number => start + own.len() - 1,
            Some((last, _)) if *last > number => {
                start + own.partition_point(|(slot, _)| *slot < number)
            }
            _ => start + own.len(),
        };
        if self
            .slots
            .get(place)
            .is_none_or(|(slot, _)| *slot != number)
        {
            self.slots.insert(place, (number, Met::default()));
        }
        if let Some((_, met)) = self.slots.get_mut(place) {
            change(met);
        }
    }

    /// Makes `met` the patterns of which one of `words` may meet a need. Most words meet none.
    pub(super) fn meet(&self, words: &[Word], met: &mut Vec<Met>) {
        met.clone_from(&self.free);
        for word in words {
            if let Some((start, length)) = self.places.get(usize::from(word.id))
                && *length > 0
            {
                self.add(*start as usize..(*start + *length) as usize, met);
            }
        }
    }

    fn add(&self, slots: Range<usize>, met: &mut [Met]) {
        let slots = self.slots.get(slots).unwrap_or_default();
        count(slots.len());
        for (slot, more) in slots {
            if let Some(met) = met.get_mut(usize::from(*slot)) {
                met.0 |= more.0;
                met.1 |= more.1;
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
