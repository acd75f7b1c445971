//! Sets of patterns as rows of bits, by word.

use std::collections::HashMap;
use std::ops::Range;

use super::item;
use super::lexicon::{WordHash, WordSet};
use super::matcher::count;
use super::slot::Kinds;
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

/// Of a slot of 64 patterns those that have their rarest need met, and those that have the next one
/// met: as much as one look at memory brings.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Met([u64; 2]);

impl Met {
    #[inline]
    fn with(self, more: Self) -> Self {
        let ([rarest, next], [more_rarest, more_next]) = (self.0, more.0);
        Self([rarest | more_rarest, next | more_next])
    }

    /// The patterns that have both met.
    #[inline]
    pub(super) fn both(self) -> u64 {
        let [rarest, next] = self.0;
        rarest & next
    }
}

/// Facts that the words of a sentence tell of patterns, while they are worked out.
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
        let unless = |words: Option<&WordSet>| if words.is_none() { bit } else { 0 };
        *free = free.with(Met([unless(rarest), unless(next)]));
        if let Some(words) = rarest {
            self.rarest.add(words, number);
        }
        if let Some(words) = next {
            self.next.add(words, number);
        }
    }

    pub(super) fn close(self) -> Telling {
        Telling::new(self)
    }
}

/// For each word the patterns of which it may meet the rarest need, or the next.
#[derive(Debug, Default)]
pub(super) struct Telling {
    /// The patterns that need nothing, or but one thing.
    free: Vec<Met>,
    /// The slots that each word tells of.
    words: Vec<Told>,
    /// Numbered slots that are not empty: those that have the rarest need met, and the next one.
    some: Vec<(u16, Met)>,
    /// All slots, one word after the other. The first are empty: those of a word that tells nothing.
    all: Vec<Met>,
}

/// Number of words that are added up at once, of those that tell of many patterns.
const TOGETHER: usize = 4;

/// Slots that a word tells of, by where they stand.
#[derive(Debug, Clone, Copy)]
enum Told {
    /// Nothing: so most words.
    Nothing,
    /// Of a few slots: from a place of [`Telling::some`] on, so many.
    Some(u32, u16),
    /// Of many: from a place of [`Telling::all`] on.
    All(u32),
}

impl Telling {
    fn new(signs: Signs) -> Self {
        let Signs { rarest, next, free } = signs;
        let slots = free.len();
        let mut telling = Self {
            all: vec![Met::default(); slots],
            free,
            ..Self::default()
        };
        let number = |at: usize| u32::try_from(at).unwrap_or_default();
        let words = rarest.0.len().max(next.0.len());
        telling.words.reserve_exact(words);
        for word in 0..words {
            let start = telling.some.len();
            for number in rarest.of(word) {
                telling.set(start, number / 64, Met([1 << (number % 64), 0]));
            }
            for number in next.of(word) {
                telling.set(start, number / 64, Met([0, 1 << (number % 64)]));
            }
            let length = telling.some.len() - start;
            let told = if length == 0 {
                Told::Nothing
            } else if length * 3 < slots {
                Told::Some(number(start), u16::try_from(length).unwrap_or(u16::MAX))
            } else {
                Told::All(telling.spread(start))
            };
            telling.words.push(told);
        }
        telling.some.shrink_to_fit();
        telling.all.shrink_to_fit();
        telling
    }

    /// Gives the numbered slots from `start` on a place each among all slots; gives that of the first.
    fn spread(&mut self, start: usize) -> u32 {
        let first = self.all.len();
        self.all.resize(first + self.free.len(), Met::default());
        for (slot, met) in self.some.drain(start..) {
            if let Some(own) = self.all.get_mut(first + usize::from(slot)) {
                *own = own.with(met);
            }
        }
        u32::try_from(first).unwrap_or_default()
    }

    /// Adds to the slot of that number among those from `start` on.
    fn set(&mut self, start: usize, number: u16, met: Met) {
        let own = self.some.get(start..).unwrap_or_default();
        // The numbers of a list ascend: it is the last one, or comes behind it.
        let place = match own.last() {
            Some((last, _)) if *last == number => start + own.len() - 1,
            Some((last, _)) if *last > number => {
                start + own.partition_point(|(slot, _)| *slot < number)
            }
            _ => start + own.len(),
        };
        if self.some.get(place).is_none_or(|(slot, _)| *slot != number) {
            self.some.insert(place, (number, Met::default()));
        }
        if let Some((_, all)) = self.some.get_mut(place) {
            *all = all.with(met);
        }
    }

    /// Makes `met` the patterns of which one of `words` may meet a need. Most words meet none.
    pub(super) fn meet(&self, words: &[Word], met: &mut Vec<Met>) {
        met.clone_from(&self.free);
        let mut starts = [0; TOGETHER];
        let mut taken = 0;
        for word in words {
            match self.words.get(usize::from(word.id)) {
                Some(Told::Some(start, length)) => {
                    let start = *start as usize;
                    self.add_some(start..start + usize::from(*length), met);
                }
                Some(Told::All(start)) => {
                    if let Some(place) = starts.get_mut(taken) {
                        *place = *start;
                    }
                    taken += 1;
                    if taken == TOGETHER {
                        self.add_all(starts, met);
                        (starts, taken) = ([0; TOGETHER], 0);
                    }
                }
                Some(Told::Nothing) | None => {}
            }
        }
        if taken > 0 {
            self.add_all(starts, met);
        }
    }

    fn add_some(&self, slots: Range<usize>, met: &mut [Met]) {
        let slots = self.some.get(slots).unwrap_or_default();
        count(slots.len());
        for (slot, more) in slots {
            if let Some(met) = met.get_mut(usize::from(*slot)) {
                *met = met.with(*more);
            }
        }
    }

    /// Adds the slots of words of which each begins at one of `starts`, in one go over all slots.
    fn add_all(&self, starts: [u32; TOGETHER], met: &mut [Met]) {
        let words = starts.iter().filter(|start| **start > 0).count();
        count(words * met.len());
        let length = met.len();
        let slots = |start: u32| {
            let slots = self.all.get(start as usize..start as usize + length);
            slots.unwrap_or_default()
        };
        let [one, two, three, four] = starts;
        let others = slots(one).iter().zip(slots(two));
        let others = others.zip(slots(three).iter().zip(slots(four)));
        for (met, ((one, two), (three, four))) in met.iter_mut().zip(others) {
            *met = met.with(one.with(*two)).with(three.with(*four));
        }
    }
}

/// Words that can stand at one place of the patterns, while they are worked out.
pub(super) struct Edge {
    /// The patterns in which any word can stand there.
    any: Bits,
    words: Open,
    /// The patterns that have a word of some kinds there, by the kinds.
    kinds: Vec<(Kinds, Bits)>,
}

impl Edge {
    pub(super) fn new(slots: usize) -> Self {
        Self {
            any: Bits::new(slots),
            words: Open::default(),
            kinds: Vec::new(),
        }
    }

    /// Says what alone can stand there in the pattern `number`; any word where nothing is said.
    pub(super) fn add(&mut self, edge: Option<&item::Edge>, number: usize) {
        let Some(edge) = edge else {
            return self.any.insert(number);
        };
        self.words.add(&edge.words, number);
        if edge.only_words().is_some() {
            return;
        }
        match self
            .kinds
            .iter_mut()
            .find(|(kinds, _)| *kinds == edge.kinds)
        {
            Some((_, bits)) => bits.insert(number),
            None => {
                let mut bits = Bits::new(self.any.0.len());
                bits.insert(number);
                self.kinds.push((edge.kinds, bits));
            }
        }
    }

    pub(super) fn close(self) -> Rows {
        let mut rows = Rows {
            width: self.any.0.len(),
            ..Rows::default()
        };
        rows.push(&self.any);
        let mut known: HashMap<Vec<u16>, u16, WordHash> = HashMap::default();
        rows.of_word.reserve_exact(self.words.0.len());
        for list in self.words.0 {
            let number = if list.is_empty() {
                0
            } else {
                *known.entry(list).or_insert_with_key(|list| {
                    let mut row = self.any.clone();
                    list.iter().for_each(|at| row.insert(usize::from(*at)));
                    rows.push(&row)
                })
            };
            rows.of_word.push(number);
        }
        for kinds in Kinds::each() {
            let mut all = Bits::new(rows.width);
            let met = self.kinds.iter().filter(|(wanted, _)| kinds.has(*wanted));
            met.for_each(|(_, bits)| all.extend(bits));
            let number = rows.push(&all);
            rows.of_kinds.push(number);
        }
        rows.all = rows.push(&Bits(vec![u64::MAX; rows.width]));
        rows.slots.shrink_to_fit();
        rows
    }
}

/// For each word the patterns that can have it at one place.
#[derive(Debug, Default)]
pub(super) struct Rows {
    /// Number of slots that a row takes.
    width: usize,
    /// By word: the number of its row. Words with the same patterns share one, and the first is for
    /// words that have none of their own.
    of_word: Vec<u16>,
    /// By set of kinds: the number of the row of the patterns that can have a word of one of them.
    of_kinds: Vec<u16>,
    /// The number of the row of all patterns, for where no word stands.
    all: u16,
    /// Number of rows.
    count: u16,
    slots: Vec<u64>,
}

/// The patterns that can have a word at one place.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'r> {
    /// For what the word is.
    word: &'r [u64],
    /// For the kinds of words it is of.
    kinds: &'r [u64],
}

impl Row<'_> {
    /// The slot of that number.
    pub(super) fn slot(self, number: usize) -> u64 {
        let slot = |row: &[u64]| row.get(number).copied().unwrap_or_default();
        slot(self.word) | slot(self.kinds)
    }
}

impl Rows {
    /// Adds a row; gives its number.
    fn push(&mut self, row: &Bits) -> u16 {
        let number = self.count;
        self.count += 1;
        self.slots.extend_from_slice(&row.0);
        number
    }

    fn row(&self, number: u16) -> &[u64] {
        let start = usize::from(number) * self.width;
        let slots = self.slots.get(start..start + self.width);
        slots.unwrap_or_default()
    }

    /// The patterns that can have `word`, which is of `kinds`, there.
    #[inline]
    pub(super) fn of(&self, word: Option<&Word>, kinds: Kinds) -> Row<'_> {
        let number = word.map_or(self.all, |word| {
            let number = self.of_word.get(usize::from(word.id));
            number.copied().unwrap_or_default()
        });
        let kinds = match self.of_kinds.get(kinds.place()) {
            Some(number) if kinds != Kinds::default() => self.row(*number),
            _ => &[],
        };
        Row {
            word: self.row(number),
            kinds,
        }
    }
}
