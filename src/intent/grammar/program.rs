//! Patterns turned into steps.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::item::Item;
use super::lexicon::{Flat, UNKNOWN, WordHash, WordId, WordSet};
use super::need::Needed;
use super::slot::Slot;

/// One step of a pattern.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Step {
    /// A word of this set.
    Set(u32),
    /// This word: a set of one.
    Word(WordId),
    /// Captured words, and the number of what may follow them.
    Slot(Slot, u32),
    /// A comma before the next word.
    Comma,
    /// The word before ended in 's.
    Clitic,
    /// Go on at the next step; if that fails, here.
    Split(u32),
    /// The same where the next step needs a word of this set: without one, here at once.
    Try(u32, u32),
    /// The same for this word alone.
    TryWord(WordId, u32),
    /// Go on there.
    Jump(u32),
    /// Go on at the next step, but without a word of this set there.
    Skip(u32, u32),
    /// A word of this set must stand here; it is not taken.
    Need(u32),
    /// One of several ways that each begin with a word: on at those of the next word, in order.
    Switch(u32),
    /// The pattern is over: at the end of the clause, unless it is a pattern for its beginning.
    End,
}

/// Fewer alternatives than this are tried one after the other.
const FEW: usize = 6;

/// So many alternatives are worth a look at the next word that leads to the right ones.
const MANY: usize = 3;

/// What may follow a slot: an open slot is closed only before such a word.
#[derive(Debug, Clone, Default)]
pub(crate) struct Follow {
    /// One of these words.
    pub words: WordSet,
    /// The end of the clause.
    pub end: bool,
    /// Anything.
    pub any: bool,
    /// Nothing but the end.
    pub only_end: bool,
}

/// The ways of a [`Step::Switch`].
#[derive(Debug, Clone)]
struct Switch {
    /// The number of the words that lead on.
    words: u32,
    /// Where it is said of each of these words, in their order, where its ways begin.
    heads: usize,
    /// Where its ways lie among those of all.
    ways: Range<usize>,
}

/// Where a word leads from a switch.
#[derive(Debug, Clone, Copy, Default)]
struct Way {
    /// How far from the switch.
    far: u32,
    /// The next way is another one of the same word.
    more: bool,
}

/// All steps of one grammar.
#[derive(Debug, Default)]
pub(crate) struct Program {
    /// What may follow the slots.
    pub follows: Vec<Follow>,
    /// Of all patterns, one after the other.
    pub steps: Vec<Step>,
    switches: Vec<Switch>,
    /// Of each switch in turn: its ways, by word, then in order.
    ways: Vec<Way>,
    /// Of each switch in turn: the place of the first way of each of its words.
    heads: Vec<u32>,
    /// The word sets they speak of.
    pub sets: Vec<WordSet>,
    /// The same for quick looks.
    flat: Flat,
    /// The sets that the patterns need.
    pub needed: Needed,
    numbers: HashMap<WordSet, u32, WordHash>,
    /// By where an item lies: it, so that it stays there, and the number of the words it can begin
    /// with. A class is met in hundreds of patterns.
    openings: HashMap<usize, (Item, Option<u32>), WordHash>,
    /// By where an item lies that several patterns share: it, and the steps it was turned into.
    emitted: HashMap<usize, (Item, Range<u32>), WordHash>,
}

impl Program {
    /// Adds a pattern; gives the place of its first step.
    pub(crate) fn add(&mut self, item: &Item) -> u32 {
        let start = self.here();
        self.emit(item);
        self.steps.push(Step::End);
        start
    }

    /// Works out what may follow each slot, once all patterns are there.
    pub(crate) fn link(&mut self) {
        (self.openings, self.emitted) = (HashMap::default(), HashMap::default());
        self.flat = Flat::new(&self.sets);
        for at in 0..self.steps.len() {
            let Some(Step::Slot(slot, _)) = self.steps.get(at).copied() else {
                continue;
            };
            let mut follow = Follow::default();
            self.follow(at + 1, &mut follow);
            follow.only_end = follow.end && !follow.any && follow.words.len() == 0;
            let number = u32::try_from(self.follows.len()).unwrap_or(u32::MAX);
            self.follows.push(follow);
            if let Some(step) = self.steps.get_mut(at) {
                *step = Step::Slot(slot, number);
            }
        }
    }

    /// Sees to single words, of which most patterns are made, once nothing asks for sets of steps any
    /// more.
    pub(crate) fn close(&mut self) {
        for step in &mut self.steps {
            let only = |set: u32| {
                let set = self.sets.get(set as usize)?;
                let mut words = set.iter().filter(|id| *id != UNKNOWN);
                words.next().filter(|_| set.len() == 1)
            };
            *step = match *step {
                Step::Set(set) => only(set).map_or(*step, Step::Word),
                Step::Try(set, other) => only(set).map_or(*step, |word| Step::TryWord(word, other)),
                step => step,
            };
        }
    }

    fn follow(&self, at: usize, into: &mut Follow) {
        match self.steps.get(at) {
            Some(Step::Set(set)) => {
                if let Some(words) = self.sets.get(*set as usize) {
                    into.words.extend(words);
                }
            }
            // What `Skip` leaves out leads on to the same.
            Some(Step::Comma | Step::Clitic | Step::Skip(..) | Step::Need(_)) => {
                self.follow(at + 1, into);
            }
            Some(Step::Word(id)) => into.words.insert(*id),
            Some(Step::Jump(to)) => self.follow(*to as usize, into),
            Some(Step::Split(other) | Step::Try(_, other) | Step::TryWord(_, other)) => {
                self.follow(at + 1, into);
                self.follow(*other as usize, into);
            }
            Some(Step::Switch(number)) => {
                let switch = self.switches.get(*number as usize);
                if let Some(words) = switch.and_then(|switch| self.set(switch.words)) {
                    into.words.extend(words);
                }
            }
            Some(Step::Slot(..)) => into.any = true,
            Some(Step::End) | None => into.end = true,
        }
    }

    /// The words that fit the pattern at `start` alone, and those that can stand second in what
    /// fits it. `None` where more than words decides.
    pub(crate) fn openings(&self, start: u32) -> Option<(WordSet, WordSet)> {
        let (mut alone, mut second) = (WordSet::default(), WordSet::default());
        let (firsts, _) = self.next(start as usize)?;
        for (set, at) in firsts {
            let (seconds, ends) = self.next(at + 1)?;
            if ends {
                alone.extend(set);
            }
            seconds.iter().for_each(|(set, _)| second.extend(set));
        }
        Some((alone, second))
    }

    /// The steps that may take the next word from step `at` on, with their sets, and whether the
    /// pattern may be over. `None` where more than words decides.
    fn next(&self, at: usize) -> Option<(Vec<(&WordSet, usize)>, bool)> {
        let (mut found, mut ends) = (Vec::new(), false);
        let mut seen = Vec::new();
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            if seen.contains(&at) {
                continue;
            }
            seen.push(at);
            match self.steps.get(at)? {
                Step::Set(set) => found.push((self.set(*set)?, at)),
                Step::Jump(to) => open.push(*to as usize),
                Step::Skip(_, other)
                | Step::Split(other)
                | Step::Try(_, other)
                | Step::TryWord(_, other) => {
                    open.extend([at + 1, *other as usize]);
                }
                Step::Need(_) => open.push(at + 1),
                Step::Switch(number) => {
                    let switch = self.switches.get(*number as usize)?;
                    let ways = self.ways.get(switch.ways.clone())?;
                    open.extend(ways.iter().map(|way| at + way.far as usize));
                }
                Step::End => ends = true,
                // A word by itself stands only in a program that is closed.
                Step::Slot(..) | Step::Comma | Step::Clitic | Step::Word(_) => return None,
            }
        }
        Some((found, ends))
    }

    /// The step at that place.
    pub(crate) fn step(&self, at: u32) -> Step {
        self.steps.get(at as usize).copied().unwrap_or(Step::End)
    }

    /// Where the word `id` leads from the switch at step `at`, by the number of a way: the first, or
    /// the one at `place`. With it, the place of the next way of that word, if there is one.
    pub(crate) fn way(
        &self,
        number: u32,
        at: u32,
        id: WordId,
        place: usize,
    ) -> Option<(u32, Option<usize>)> {
        let place = if place > 0 {
            place
        } else {
            let switch = self.switches.get(number as usize)?;
            let rank = self.flat.rank(switch.words, id)?;
            *self.heads.get(switch.heads + rank)? as usize
        };
        let way = self.ways.get(place)?;
        Some((at + way.far, way.more.then_some(place + 1)))
    }

    /// Whether `id` is in the set of that number, once all patterns are there.
    #[inline]
    pub(crate) fn has(&self, set: u32, id: WordId) -> bool {
        self.flat.contains(set, id)
    }

    /// The set of that number.
    pub(crate) fn set(&self, number: u32) -> Option<&WordSet> {
        self.sets.get(number as usize)
    }

    fn here(&self) -> u32 {
        u32::try_from(self.steps.len()).unwrap_or(u32::MAX)
    }

    fn emit(&mut self, item: &Item) {
        let Some(place) = item.shared() else {
            return self.turn(item);
        };
        if let Some((_, steps)) = self.emitted.get(&place) {
            return self.repeat(steps.clone());
        }
        let start = self.here();
        self.turn(item);
        let steps = start..self.here();
        self.emitted.insert(place, (item.clone(), steps));
    }

    /// The same steps once more; where they go on moves with them.
    fn repeat(&mut self, steps: Range<u32>) {
        let by = self.here() - steps.start;
        for at in steps {
            self.steps.push(match self.step(at) {
                Step::Split(to) => Step::Split(to + by),
                Step::Try(set, to) => Step::Try(set, to + by),
                Step::Skip(set, to) => Step::Skip(set, to + by),
                Step::Jump(to) => Step::Jump(to + by),
                Step::TryWord(word, to) => Step::TryWord(word, to + by),
                step => step,
            });
        }
    }

    fn turn(&mut self, item: &Item) {
        match item {
            Item::Set(_) => {
                let number = self.opening(item).unwrap_or_default();
                self.steps.push(Step::Set(number));
            }
            Item::Seq(items) => items.iter().for_each(|item| self.emit(item)),
            Item::Slot(slot) => self.steps.push(Step::Slot(*slot, 0)),
            Item::Comma => self.steps.push(Step::Comma),
            Item::Clitic => self.steps.push(Step::Clitic),
            Item::Maybe(inner) => {
                let choice = self.choose(inner);
                self.emit(inner);
                self.otherwise(choice);
            }
            Item::Any(items) => self.emit_any(items),
        }
    }

    /// Many alternatives stand in groups that one look at the next word leaves out.
    fn emit_any(&mut self, items: &[Item]) {
        if items.len() >= MANY && self.emit_switch(items).is_some() {
            return;
        }
        let mut jumps = Vec::new();
        let size = match items.len() {
            0..FEW => items.len().max(1),
            many => many.isqrt(),
        };
        let groups = items.chunks(size).len();
        for (number, group) in items.chunks(size).enumerate() {
            let last = number + 1 == groups;
            let skip = if groups > 1 {
                self.emit_skip(group, last)
            } else {
                None
            };
            for (at, item) in group.iter().enumerate() {
                if last && at + 1 == group.len() {
                    self.emit(item);
                    break;
                }
                let choice = self.choose(item);
                self.emit(item);
                jumps.push(self.here());
                self.steps.push(Step::Jump(0));
                self.otherwise(choice);
            }
            if let Some(skip) = skip {
                self.otherwise(skip);
            }
        }
        let end = self.here();
        for jump in jumps {
            self.put(jump, Step::Jump(end));
        }
    }

    /// Alternatives that all begin with a word are found by it.
    fn emit_switch(&mut self, items: &[Item]) -> Option<()> {
        let openings: Option<Vec<u32>> = items.iter().map(|item| self.opening(item)).collect();
        let openings = openings?;
        let switch = self.here();
        let number = u32::try_from(self.switches.len()).ok()?;
        // A way of the alternatives may be a switch, too: this one's number is taken before.
        self.switches.push(Switch {
            words: 0,
            heads: 0,
            ways: 0..0,
        });
        self.steps.push(Step::Switch(number));
        let mut words = WordSet::default();
        let mut ways = Vec::new();
        let mut jumps = Vec::new();
        for (item, opening) in items.iter().zip(openings) {
            let far = self.here() - switch;
            if let Some(set) = self.set(opening) {
                words.extend(set);
                let known = set.iter().filter(|id| *id != UNKNOWN);
                ways.extend(known.map(|id| (id, far)));
            }
            self.emit(item);
            jumps.push(self.here());
            self.steps.push(Step::Jump(0));
        }
        let end = self.here();
        for jump in jumps {
            self.put(jump, Step::Jump(end));
        }
        ways.sort_unstable();
        let start = self.ways.len().max(1);
        // Place 0 says that no way was taken yet.
        self.ways.resize(start, Way::default());
        let heads = self.heads.len();
        let mut last = UNKNOWN;
        for (place, (id, far)) in (start..).zip(&ways) {
            if *id == last
                && let Some(before) = self.ways.last_mut()
            {
                before.more = true;
            } else {
                self.heads.push(u32::try_from(place).ok()?);
            }
            last = *id;
            self.ways.push(Way {
                far: *far,
                more: false,
            });
        }
        let words = self.number(&words);
        if let Some(switch) = self.switches.get_mut(number as usize) {
            *switch = Switch {
                words,
                heads,
                ways: start..self.ways.len(),
            };
        }
        Some(())
    }

    /// Begins a group of alternatives that all need a word at their front; after the last
    /// group there is nowhere to go.
    fn emit_skip(&mut self, group: &[Item], last: bool) -> Option<u32> {
        let mut words = WordSet::default();
        for item in group {
            let opening = self.opening(item)?;
            words.extend(self.set(opening)?);
        }
        let place = self.here();
        let words = self.number(&words);
        self.steps.push(if last {
            Step::Need(words)
        } else {
            Step::Skip(words, 0)
        });
        Some(place)
    }

    /// Begins a choice for `item`; where else to go on is told by [`Self::otherwise`].
    fn choose(&mut self, item: &Item) -> u32 {
        let place = self.here();
        let step = match self.opening(item) {
            Some(first) => Step::Try(first, 0),
            None => Step::Split(0),
        };
        self.steps.push(step);
        place
    }

    fn otherwise(&mut self, choice: u32) {
        let here = self.here();
        if let Some(Step::Split(other) | Step::Try(_, other) | Step::Skip(_, other)) =
            self.steps.get_mut(choice as usize)
        {
            *other = here;
        }
    }

    /// The number of the words that `item` can begin with, if it must begin with one of some words.
    fn opening(&mut self, item: &Item) -> Option<u32> {
        let place = match item {
            Item::Set(set) => Arc::as_ptr(set).addr(),
            Item::Seq(items) | Item::Any(items) => items.as_ptr().addr(),
            // It may be nothing, or anything.
            Item::Maybe(_) | Item::Slot(_) | Item::Comma | Item::Clitic => return None,
        };
        if let Some((_, number)) = self.openings.get(&place) {
            return *number;
        }
        let number = item.opening().map(|first| self.number(&first));
        self.openings.insert(place, (item.clone(), number));
        number
    }

    /// The number of `set`, given now if it has none.
    fn number(&mut self, set: &WordSet) -> u32 {
        if let Some(number) = self.numbers.get(set) {
            return *number;
        }
        let number = u32::try_from(self.sets.len()).unwrap_or(u32::MAX);
        self.sets.push(set.clone());
        self.numbers.insert(set.clone(), number);
        number
    }

    fn put(&mut self, at: u32, step: Step) {
        if let Some(place) = self.steps.get_mut(at as usize) {
            *place = step;
        }
    }
}
