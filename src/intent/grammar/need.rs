//! Needs of patterns: what must stand in a clause for a pattern to fit it.
//!
//! A class such as `@request` is named by hundreds of patterns, so what it needs is one thing with
//! a number: it is worked out once when the grammar is read, and looked for once in a sentence,
//! however many patterns ask. Of every need some words are known without one of which it can't be
//! met, the rarest there are ("ahead" of "go ahead and"): most needs are refused by these alone, and
//! of a long choice only those ways are looked at whose rare word stands in the sentence.
//!
//! Asked for a language as a whole and for long clauses; in short ones the order of the words
//! (`in_order`) turns away nearly all that the needs would, and costs less.

use std::collections::HashMap;
use std::sync::Arc;

use super::item::Item;
use super::lexicon::{Flat, FlatSet, Sets, UNKNOWN, WordHash, WordId, WordSet, ones};
use super::matcher::count;
use super::words::Word;

/// Need of a pattern: what must stand in a clause, in whatever order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Need {
    /// A word of the set of this number.
    Word(u16),
    /// All of these needs, by their numbers.
    All(Box<[u16]>),
    /// One of these needs.
    Any(Box<[u16]>),
}

/// The sets of words that the patterns of a grammar are made of and need, and the needs made of them.
#[derive(Debug, Default)]
pub(crate) struct Needed {
    /// The same for quick looks.
    flat: Flat,
    /// By need.
    signs: Vec<Sign>,
    /// The slots of words that the signs speak of, and the bits of each.
    slots: Vec<u16>,
    bits: Vec<u64>,
    /// The needs that the signs speak of.
    parts: Vec<u16>,
    /// By choice: the words that lead to its ways, and the needs that these are.
    ways: Vec<(WordId, u16)>,
    /// State kept while the grammar is read.
    making: Making,
}

/// State kept while a grammar is read.
#[derive(Debug, Default)]
struct Making {
    sets: Sets,
    needs: Vec<Need>,
    numbers: HashMap<Need, u16, WordHash>,
    /// Needs of items that several patterns share, by where they lie.
    known: HashMap<usize, Known, WordHash>,
    /// By need: its rare words, and how common they are.
    rare: Vec<(WordSet, u32)>,
}

/// Needs of an item, as known while a grammar is read.
#[derive(Debug, Default)]
struct Known {
    /// The item, kept so that it stays where it lies.
    item: Option<Item>,
    required: Option<Vec<Arc<WordSet>>>,
    way: Option<Option<u16>>,
}

/// Conditions by which a need is told from the words of a sentence.
#[derive(Debug, Clone, Copy)]
struct Sign {
    /// Place of its rare words among the slots of all: one of them must stand in the sentence.
    slots: (u32, u16),
    /// Its other conditions.
    more: More,
}

/// Conditions of a need besides its rare words.
#[derive(Debug, Clone, Copy)]
enum More {
    /// Nothing: one of the words is all that is needed.
    Nothing,
    /// The needs at a place among the parts of all, so many of them.
    All(u32, u16),
    /// One of the ways at a place among those of all, by the rare words that stand there.
    Any(u32, u16),
}

impl Needed {
    /// The number of `set`, given now if it has none.
    pub(super) fn number(&mut self, set: &WordSet) -> u16 {
        self.making.sets.number(set)
    }

    /// The number of `need`, given now if it has none.
    pub(super) fn need(&mut self, need: Need) -> u16 {
        if let Some(number) = self.making.numbers.get(&need) {
            return *number;
        }
        let number = u16::try_from(self.making.needs.len()).unwrap_or(u16::MAX);
        self.making.needs.push(need.clone());
        self.making.numbers.insert(need, number);
        number
    }

    /// Returns what the shared item at `place` requires in order, if that is known.
    pub(super) fn required(&self, place: usize) -> Option<&[Arc<WordSet>]> {
        self.making.known.get(&place)?.required.as_deref()
    }

    /// The need of the shared item at `place`, if that is known.
    pub(super) fn way(&self, place: usize) -> Option<Option<u16>> {
        self.making.known.get(&place)?.way
    }

    /// Notes what a shared item requires in order.
    pub(super) fn keep_required(&mut self, item: &Item, required: Vec<Arc<WordSet>>) {
        self.keep(item, |known| known.required = Some(required));
    }

    /// Notes the need of a shared item.
    pub(super) fn keep_way(&mut self, item: &Item, way: Option<u16>) {
        self.keep(item, |known| known.way = Some(way));
    }

    fn keep(&mut self, item: &Item, change: impl FnOnce(&mut Known)) {
        if let Some(place) = item.shared() {
            let known = self.making.known.entry(place).or_default();
            known.item.get_or_insert_with(|| item.clone());
            change(known);
        }
    }

    /// The set of that number, while the grammar is read.
    pub(super) fn set(&self, number: u16) -> Option<&WordSet> {
        self.making.sets.get(number)
    }

    /// All sets, while the grammar is read.
    pub(super) fn sets(&self) -> impl Iterator<Item = &WordSet> {
        self.making.sets.iter()
    }

    /// The set of that number for quick looks, once all needs are there.
    #[inline]
    pub(super) fn flat(&self, number: u16) -> FlatSet<'_> {
        self.flat.set(number)
    }

    /// Tells whether the set of that number has `id`, once all needs are there.
    #[inline]
    pub(super) fn has_word(&self, set: u16, id: WordId) -> bool {
        self.flat.contains(set, id)
    }

    /// Counts the words that the set of that number has before `id`, if it has it.
    pub(super) fn rank(&self, set: u16, id: WordId) -> Option<usize> {
        self.flat.rank(set, id)
    }

    /// The rare words of a need, while the grammar is read.
    pub(super) fn rare(&self, need: u16) -> Option<&WordSet> {
        let rare = self.making.rare.get(usize::from(need));
        rare.map(|(words, _)| words)
    }

    /// Works out the signs, once all needs are there; `weights` says how common each word is. What
    /// is rarest of a need is put first.
    pub(super) fn link(&mut self, weights: &[u32]) {
        self.making.numbers = HashMap::default();
        self.making.known = HashMap::default();
        self.flat = Flat::new(self.making.sets.iter());
        let mut needs = std::mem::take(&mut self.making.needs);
        self.making.rare.reserve_exact(needs.len());
        self.signs.reserve_exact(needs.len());
        // A need is made after those that it is made of.
        for need in &mut needs {
            let mut words = WordSet::default();
            match &*need {
                Need::Word(set) => add(&mut words, self.set(*set)),
                Need::All(_) => {}
                Need::Any(needs) => {
                    for need in needs {
                        add(&mut words, self.rare(*need));
                    }
                }
            }
            if let Need::All(needs) = need {
                self.sort(needs);
                add(&mut words, needs.first().and_then(|need| self.rare(*need)));
            }
            let more = self.more(need);
            let start = number(self.slots.len());
            for (slot, bits) in words.slots() {
                self.slots.push(slot);
                self.bits.push(bits);
            }
            self.signs.push(Sign {
                slots: (start, length(self.slots.len(), start)),
                more,
            });
            let weights = words
                .iter()
                .map(usize::from)
                .filter_map(|id| weights.get(id));
            let weight = weights.fold(0, |sum: u32, weight| sum.saturating_add(*weight));
            self.making.rare.push((words, weight));
        }
        self.slots.shrink_to_fit();
        self.bits.shrink_to_fit();
        self.parts.shrink_to_fit();
        self.ways.shrink_to_fit();
    }

    /// Finds what `need` asks for besides its rare words.
    fn more(&mut self, need: &Need) -> More {
        let sign = |need: &u16| self.signs.get(usize::from(*need));
        let enough = |need: &u16| sign(need).is_some_and(|sign| matches!(sign.more, More::Nothing));
        match need {
            Need::Word(_) => More::Nothing,
            Need::All(needs) if needs.len() == 1 && needs.iter().all(enough) => More::Nothing,
            Need::Any(needs) if needs.iter().all(enough) => More::Nothing,
            Need::All(needs) => {
                let start = number(self.parts.len());
                self.parts.extend_from_slice(needs);
                More::All(start, length(self.parts.len(), start))
            }
            Need::Any(needs) => {
                let mut ways = Vec::new();
                for need in needs {
                    let words = self.rare(*need).into_iter().flat_map(WordSet::iter);
                    ways.extend(words.map(|id| (id, *need)));
                }
                ways.sort_unstable();
                let start = number(self.ways.len());
                self.ways.extend(ways);
                More::Any(start, length(self.ways.len(), start))
            }
        }
    }

    /// Puts the rarest of `needs` first, while the grammar is read.
    pub(super) fn sort(&self, needs: &mut [u16]) {
        needs.sort_by_key(|need| {
            let rare = self.making.rare.get(usize::from(*need));
            rare.map(|(_, weight)| *weight)
        });
    }

    /// Tells whether every number is below the largest, which stands for all that are too large.
    #[cfg(test)]
    pub(super) fn is_numbered(&self) -> bool {
        let counts = [self.flat.len(), self.signs.len()];
        counts.iter().all(|count| *count < usize::from(u16::MAX))
    }

    /// Drops what is no longer asked for once the grammar is read.
    pub(super) fn close(&mut self) {
        self.making = Making::default();
    }
}

impl Needed {
    /// The rare words of a need, as slots that are not empty.
    fn slots_of(&self, sign: &Sign) -> impl Iterator<Item = (u16, u64)> + '_ {
        let (start, length) = sign.slots;
        let slots = some(&self.slots, start, length).iter().copied();
        slots.zip(some(&self.bits, start, length).iter().copied())
    }
}

fn number(place: usize) -> u32 {
    u32::try_from(place).unwrap_or(u32::MAX)
}

/// Returns the number of places from `start` up to `end`.
fn length(end: usize, start: u32) -> u16 {
    u16::try_from(end - start as usize).unwrap_or(u16::MAX)
}

/// So many of `all` from `start` on.
fn some<T>(all: &[T], start: u32, length: u16) -> &[T] {
    let start = start as usize;
    all.get(start..start + usize::from(length))
        .unwrap_or_default()
}

fn add(words: &mut WordSet, more: Option<&WordSet>) {
    more.into_iter().for_each(|more| words.extend(more));
}

/// The words of a stretch, as bits in slots of 64, and what was found among them.
#[derive(Debug, Default)]
pub(super) struct Present {
    words: Vec<u64>,
    /// The slots that are not empty; one may be named twice.
    taken: Vec<u16>,
    /// The needs that were looked for, 64 in a slot, and those of them that were found.
    answers: Vec<(u64, u64)>,
    /// The slots of answers that are not empty; one may be named twice.
    answered: Vec<u16>,
}

impl Present {
    /// Goes over to the stretch `words`.
    pub(super) fn go_over(&mut self, words: &[Word]) {
        for slot in self.answered.drain(..) {
            if let Some(answers) = self.answers.get_mut(usize::from(slot)) {
                *answers = (0, 0);
            }
        }
        for slot in self.taken.drain(..) {
            if let Some(bits) = self.words.get_mut(usize::from(slot)) {
                *bits = 0;
            }
        }
        for word in words.iter().filter(|word| word.id != UNKNOWN) {
            let slot = word.id / 64;
            if self.words.len() <= usize::from(slot) {
                self.words.resize(usize::from(slot) + 1, 0);
            }
            if let Some(bits) = self.words.get_mut(usize::from(slot)) {
                *bits |= 1 << (word.id % 64);
                self.taken.push(slot);
            }
        }
    }

    /// Tells whether the stretch has what all of `needs` say.
    pub(super) fn has_all(&mut self, needed: &Needed, needs: &[u16]) -> bool {
        let slots = needed.signs.len().div_ceil(64);
        if self.answers.len() < slots {
            self.answers.resize(slots, (0, 0));
        }
        needs.iter().all(|need| self.has(needed, *need))
    }

    #[inline]
    fn has(&mut self, needed: &Needed, number: u16) -> bool {
        let (slot, bit) = (usize::from(number) / 64, 1 << (number % 64));
        match self.answers.get(slot) {
            Some((asked, found)) if asked & bit != 0 => found & bit != 0,
            _ => self.look_for(needed, number),
        }
    }

    fn look_for(&mut self, needed: &Needed, number: u16) -> bool {
        count(1);
        let Some(sign) = needed.signs.get(usize::from(number)) else {
            return false;
        };
        let yes = self.has_any(needed, sign)
            && match sign.more {
                More::Nothing => true,
                More::All(start, length) => {
                    let mut parts = some(&needed.parts, start, length).iter();
                    parts.all(|need| self.has(needed, *need))
                }
                More::Any(start, length) => {
                    self.has_way(needed, sign, some(&needed.ways, start, length))
                }
            };
        let (slot, bit) = (number / 64, number % 64);
        if let Some((asked, found)) = self.answers.get_mut(usize::from(slot)) {
            *asked |= 1 << bit;
            *found |= u64::from(yes) << bit;
            self.answered.push(slot);
        }
        yes
    }

    /// Tells whether one of the rare words of a need stands in the stretch.
    fn has_any(&self, needed: &Needed, sign: &Sign) -> bool {
        let mut slots = needed.slots_of(sign);
        slots.any(|(slot, bits)| self.slot(slot) & bits != 0)
    }

    fn slot(&self, number: u16) -> u64 {
        self.words
            .get(usize::from(number))
            .copied()
            .unwrap_or_default()
    }

    /// Tells whether the stretch has one of the ways of a choice.
    fn has_way(&mut self, needed: &Needed, sign: &Sign, ways: &[(WordId, u16)]) -> bool {
        needed.slots_of(sign).any(|(slot, bits)| {
            ones(self.slot(slot) & bits).any(|bit| {
                let word = usize::from(slot) * 64 + bit;
                let first = ways.partition_point(|(id, _)| usize::from(*id) < word);
                let mut ways = ways.get(first..).unwrap_or_default().iter();
                ways.by_ref()
                    .take_while(|(id, _)| usize::from(*id) == word)
                    .any(|(_, way)| self.has(needed, *way))
            })
        })
    }
}
