//! What must stand in a clause for a pattern to fit it.
//!
//! A class such as `@request` is named by hundreds of patterns, so what it needs is one thing with
//! a number: it is worked out once when the grammar is read, and looked for once in a sentence,
//! however many patterns ask. Of every need some words are known without one of which it can't be
//! met, the rarest there are ("ahead" of "go ahead and"): most needs are refused by these alone, and
//! of a long choice only those ways are looked at whose rare word stands in the sentence.

use std::collections::HashMap;
use std::sync::Arc;

use super::item::Item;
use super::lexicon::{UNKNOWN, WordHash, WordId, WordSet, ones};
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

    /// The rare words of a need.
    pub(super) fn rare(&self, need: u32) -> Option<&WordSet> {
        Some(&self.signs.get(need as usize)?.words)
    }

    /// Works out the signs, once all needs are there; `weights` says how common each word is. What
    /// is rarest of a need is put first.
    pub(super) fn link(&mut self, weights: &[u32]) {
        self.needs_by_number = HashMap::default();
        self.known = HashMap::default();
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
            let weights = words
                .iter()
                .map(usize::from)
                .filter_map(|id| weights.get(id));
            signs.push(Sign {
                weight: weights.fold(0, |sum, weight| sum.saturating_add(*weight)),
                slots: words.slots().collect(),
                words,
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
    /// By need: the number of the stretch in which it was looked for, and one more where it was
    /// found. What was said of an older stretch says nothing.
    answers: Vec<u32>,
    /// The number of the stretch, always even.
    stretch: u32,
}

impl Present {
    /// Goes over to the stretch `words`.
    pub(super) fn go_over(&mut self, words: &[Word]) {
        self.stretch += 2;
        self.words.clear();
        for word in words.iter().filter(|word| word.id != UNKNOWN) {
            let slot = usize::from(word.id / 64);
            if self.words.len() <= slot {
                self.words.resize(slot + 1, 0);
            }
            if let Some(bits) = self.words.get_mut(slot) {
                *bits |= 1 << (word.id % 64);
            }
        }
    }

    /// Whether none of the words has a number.
    pub(super) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }

    /// Whether the stretch has what all of `needs` say.
    pub(super) fn has_all(&mut self, needed: &Needed, needs: &[u32]) -> bool {
        if self.answers.len() < needed.needs.len() {
            self.answers.resize(needed.needs.len(), 0);
        }
        needs.iter().all(|need| self.has(needed, *need))
    }

    fn has(&mut self, needed: &Needed, number: u32) -> bool {
        let place = number as usize;
        if let Some(answer) = self.answers.get(place)
            && *answer & !1 == self.stretch
        {
            return *answer & 1 == 1;
        }
        count(1);
        let yes = match (needed.needs.get(place), needed.signs.get(place)) {
            (Some(Need::Word(_)), Some(sign)) => self.meets(sign),
            (Some(Need::All(needs)), _) => needs.iter().all(|need| self.has(needed, *need)),
            (Some(Need::Any(_)), Some(sign)) => self.has_way(needed, sign),
            _ => false,
        };
        if let Some(answer) = self.answers.get_mut(place) {
            *answer = self.stretch | u32::from(yes);
        }
        yes
    }

    /// Whether one of the words of `sign` stands in the stretch.
    fn meets(&self, sign: &Sign) -> bool {
        let mut slots = sign.slots.iter();
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
