//! What must stand in a clause for a pattern to fit it.
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
use super::lexicon::{Flat, FlatSet, UNKNOWN, WordHash, WordId, WordSet, ones};
use super::matcher::count;
use super::words::Word;

/// What must stand in a clause, in whatever order.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Need {
    /// A word of the set of this number.
    Word(u32),
    /// What all of these needs say, by their numbers.
    All(Box<[u32]>),
    /// What one of these needs says.
    Any(Box<[u32]>),
}

/// The sets of words that the patterns of a grammar need, and the needs made of them.
#[derive(Debug, Default)]
pub(crate) struct Needed {
    sets: Vec<WordSet>,
    /// The same for quick looks.
    flat: Flat,
    numbers: HashMap<WordSet, u32, WordHash>,
    needs: Vec<Need>,
    needs_by_number: HashMap<Need, u32, WordHash>,
    /// By need.
    signs: Vec<Sign>,
    /// What is known of items that several patterns share, by where they lie.
    known: HashMap<usize, Known, WordHash>,
}

/// What is known of an item while a grammar is read.
#[derive(Debug, Default)]
struct Known {
    /// It, so that it stays where it lies.
    item: Option<Item>,
    required: Option<Vec<Arc<WordSet>>>,
    way: Option<Option<u32>>,
}

/// How a need is told from the words of a sentence.
#[derive(Debug, Default)]
struct Sign {
    /// Its rare words: one of them must stand in the sentence.
    words: WordSet,
    /// The same as slots that are not empty.
    slots: Box<[(u16, u64)]>,
    /// How common they are.
    weight: u32,
    /// One of the words is all that is needed.
    enough: bool,
    /// Of a choice: its ways by their rare words.
    ways: Box<[(WordId, u32)]>,
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

    /// The number of `need`, given now if it has none.
    pub(super) fn need(&mut self, need: Need) -> u32 {
        if let Some(number) = self.needs_by_number.get(&need) {
            return *number;
        }
        let number = u32::try_from(self.needs.len()).unwrap_or(u32::MAX);
        self.needs.push(need.clone());
        self.needs_by_number.insert(need, number);
        number
    }

    /// What the shared item at `place` requires in order, if that is known.
    pub(super) fn required(&self, place: usize) -> Option<&[Arc<WordSet>]> {
        self.known.get(&place)?.required.as_deref()
    }

    /// The need of the shared item at `place`, if that is known.
    pub(super) fn way(&self, place: usize) -> Option<Option<u32>> {
        self.known.get(&place)?.way
    }

    /// Notes what a shared item requires in order.
    pub(super) fn keep_required(&mut self, item: &Item, required: Vec<Arc<WordSet>>) {
        self.keep(item, |known| known.required = Some(required));
    }

    /// Notes the need of a shared item.
    pub(super) fn keep_way(&mut self, item: &Item, way: Option<u32>) {
        self.keep(item, |known| known.way = Some(way));
    }

    fn keep(&mut self, item: &Item, change: impl FnOnce(&mut Known)) {
        if let Some(place) = item.shared() {
            let known = self.known.entry(place).or_default();
            known.item.get_or_insert_with(|| item.clone());
            change(known);
        }
    }

    /// The set of that number.
    pub(super) fn set(&self, number: u32) -> Option<&WordSet> {
        self.sets.get(number as usize)
    }

    /// The set of that number for quick looks, once all needs are there.
    #[inline]
    pub(super) fn flat(&self, number: u32) -> FlatSet<'_> {
        self.flat.set(number)
    }

    /// The rare words of a need.
    pub(super) fn rare(&self, need: u32) -> Option<&WordSet> {
        Some(&self.signs.get(need as usize)?.words)
    }

    /// Works out the signs, once all needs are there; `weights` says how common each word is. What
    /// is rarest of a need is put first.
    pub(super) fn link(&mut self, weights: &[u32]) {
        self.needs_by_number = HashMap::default();
        self.known = HashMap::default();
        self.flat = Flat::new(&self.sets);
        let mut signs: Vec<Sign> = Vec::with_capacity(self.needs.len());
        // A need is made after those that it is made of.
        for need in &mut self.needs {
            let weight = |need: &u32| signs.get(*need as usize).map(|sign| sign.weight);
            let mut words = WordSet::default();
            let mut ways = Vec::new();
            match need {
                Need::Word(set) => add(&mut words, self.sets.get(*set as usize)),
                Need::All(needs) => {
                    needs.sort_by_key(weight);
                    let rarest = needs.first().and_then(|need| signs.get(*need as usize));
                    add(&mut words, rarest.map(|sign| &sign.words));
                }
                Need::Any(needs) => {
                    for need in &*needs {
                        let sign = signs.get(*need as usize).map(|sign| &sign.words);
                        add(&mut words, sign);
                        ways.extend(
                            sign.into_iter()
                                .flat_map(WordSet::iter)
                                .map(|id| (id, *need)),
                        );
                    }
                    ways.sort_unstable();
                }
            }
            let enough = |need: &u32| signs.get(*need as usize).is_some_and(|sign| sign.enough);
            let enough = match need {
                Need::Word(_) => true,
                Need::All(needs) => needs.len() == 1 && needs.iter().all(enough),
                Need::Any(needs) => needs.iter().all(enough),
            };
            let weights = words
                .iter()
                .map(usize::from)
                .filter_map(|id| weights.get(id));
            signs.push(Sign {
                weight: weights.fold(0, |sum, weight| sum.saturating_add(*weight)),
                slots: words.slots().collect(),
                words,
                enough,
                ways: ways.into(),
            });
        }
        self.signs = signs;
    }

    /// Puts the rarest of `needs` first.
    pub(super) fn sort(&self, needs: &mut [u32]) {
        needs.sort_by_key(|need| self.signs.get(*need as usize).map(|sign| sign.weight));
    }
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

    /// Whether the stretch has what all of `needs` say.
    pub(super) fn has_all(&mut self, needed: &Needed, needs: &[u32]) -> bool {
        let slots = needed.needs.len().div_ceil(64);
        if self.answers.len() < slots {
            self.answers.resize(slots, (0, 0));
        }
        needs.iter().all(|need| self.has(needed, *need))
    }

    #[inline]
    fn has(&mut self, needed: &Needed, number: u32) -> bool {
        let (slot, bit) = (number as usize / 64, 1 << (number % 64));
        match self.answers.get(slot) {
            Some((asked, found)) if asked & bit != 0 => found & bit != 0,
            _ => self.look_for(needed, number as usize),
        }
    }

    fn look_for(&mut self, needed: &Needed, place: usize) -> bool {
        count(1);
        let (Some(need), Some(sign)) = (needed.needs.get(place), needed.signs.get(place)) else {
            return false;
        };
        let yes = self.has_any(&sign.slots)
            && match need {
                Need::Word(_) => true,
                Need::All(_) | Need::Any(_) if sign.enough => true,
                Need::All(needs) => needs.iter().all(|need| self.has(needed, *need)),
                Need::Any(_) => self.has_way(needed, sign),
            };
        let (slot, bit) = (place / 64, place % 64);
        if let (Some((asked, found)), Ok(slot)) = (self.answers.get_mut(slot), slot.try_into()) {
            *asked |= 1 << bit;
            *found |= u64::from(yes) << bit;
            self.answered.push(slot);
        }
        yes
    }

    /// Whether one of the words that lie in `slots` stands in the stretch.
    fn has_any(&self, slots: &[(u16, u64)]) -> bool {
        let mut slots = slots.iter();
        slots.any(|(slot, bits)| self.slot(usize::from(*slot)) & bits != 0)
    }

    fn slot(&self, number: usize) -> u64 {
        self.words.get(number).copied().unwrap_or_default()
    }

    /// Whether the stretch has one of the ways of a choice.
    fn has_way(&mut self, needed: &Needed, sign: &Sign) -> bool {
        sign.slots.iter().any(|(slot, bits)| {
            let slot = usize::from(*slot);
            ones(self.slot(slot) & bits).any(|bit| {
                let word = slot * 64 + bit;
                let first = sign.ways.partition_point(|(id, _)| usize::from(*id) < word);
                let ways = sign.ways.get(first..).unwrap_or_default().iter();
                let mut ways = ways.take_while(|(id, _)| usize::from(*id) == word);
                ways.any(|(_, way)| self.has(needed, *way))
            })
        })
    }
}
