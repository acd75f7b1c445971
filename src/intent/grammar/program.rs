//! Patterns turned into steps.

use std::collections::HashMap;
use std::ops::Range;

use super::class::Behind;
use super::item::Item;
use super::lexicon::{UNKNOWN, WordHash, WordId, WordSet};
use super::need::Needed;
use super::slot::Slot;

/// One step of a pattern. Where it leads is said by how far from it that is: a class is a stretch of
/// steps that hundreds of patterns repeat as it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Step {
    /// A word of this set.
    Set(u16),
    /// This word: a set of one.
    Word(WordId),
    /// Captured words, and the number of what may follow them.
    Slot(Slot, u16),
    /// A comma before the next word.
    Comma,
    /// The word before ended in 's.
    Clitic,
    /// Go on at the next step; if that fails, so far on.
    Split(u16),
    /// The same where the next step needs a word of this set: without one, so far on at once.
    Try(u16, u16),
    /// The same for this word alone.
    TryWord(WordId, u16),
    /// Go on so far on.
    Jump(u16),
    /// Go on at the next step, but without a word of this set so far on.
    Skip(u16, u16),
    /// A word of this set must stand here; it is not taken.
    Need(u16),
    /// One of several ways that each begin with a word: on at those of the next word, in order.
    Switch(u16),
    /// The pattern is over: at the end of the clause, unless it is a pattern for its beginning.
    End,
}

/// Fewer alternatives than this are tried one after the other.
const FEW: usize = 6;

/// So many alternatives are worth a look at the next word that leads to the right ones.
const MANY: usize = 3;

/// Words that may follow a slot, or the end: an open slot is closed only before such a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct Follow {
    /// A word of this set.
    pub words: u16,
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
    words: u16,
    /// Place at which it is said of each of these words, in their order, where its ways begin.
    heads: u32,
    /// Range of its ways among those of all.
    ways: Range<u32>,
}

/// The number of no set of words: anything may stand there.
const ANY: u16 = u16::MAX;

/// Way that a word leads from a switch.
#[derive(Debug, Clone, Copy, Default)]
struct Way {
    /// Distance from the switch, in steps.
    far: u16,
    /// The number of the words of which one must stand behind that word, or [`ANY`].
    then: u16,
    /// The next way is another one of the same word.
    more: bool,
}

/// All steps of one grammar.
#[derive(Debug, Default)]
pub(crate) struct Program {
    /// The words that may follow the slots.
    pub follows: Vec<Follow>,
    /// Of all patterns, one after the other.
    pub steps: Vec<Step>,
    switches: Vec<Switch>,
    /// Of each switch in turn: its ways, by word, then in order.
    ways: Vec<Way>,
    /// Of each switch in turn: the place of the first way of each of its words.
    heads: Vec<u32>,
    /// The sets that they speak of and that they need.
    pub needed: Needed,
    /// By where an item lies that several patterns share: it, so that it stays there, and the number
    /// of the words it can begin with. A class is met in hundreds of patterns.
    openings: HashMap<usize, (Item, Option<u16>), WordHash>,
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
        self.steps.shrink_to_fit();
        let mut known: HashMap<Follow, u16, WordHash> = HashMap::default();
        for at in 0..self.steps.len() {
            let Some(Step::Slot(slot, _)) = self.steps.get(at).copied() else {
                continue;
            };
            let mut words = WordSet::default();
            let mut follow = Follow {
                words: 0,
                end: false,
                any: false,
                only_end: false,
            };
            self.follow(at + 1, &mut follow, &mut words);
            follow.only_end = follow.end && !follow.any && words.len() == 0;
            follow.words = self.needed.number(&words);
            let number = *known.entry(follow).or_insert_with(|| {
                self.follows.push(follow);
                u16::try_from(self.follows.len() - 1).unwrap_or(u16::MAX)
            });
            if let Some(step) = self.steps.get_mut(at) {
                *step = Step::Slot(slot, number);
            }
        }
    }

    /// Sees to single words, of which most patterns are made, once nothing asks for sets of steps any
    /// more.
    pub(crate) fn close(&mut self) {
        for step in &mut self.steps {
            let only = |set: u16| {
                let set = self.needed.set(set)?;
                let mut words = set.iter().filter(|id| *id != UNKNOWN);
                words.next().filter(|_| set.len() == 1)
            };
            *step = match *step {
                Step::Set(set) => only(set).map_or(*step, Step::Word),
                Step::Try(set, other) => only(set).map_or(*step, |word| Step::TryWord(word, other)),
                step => step,
            };
        }
        self.switches.shrink_to_fit();
        self.ways.shrink_to_fit();
        self.heads.shrink_to_fit();
        self.follows.shrink_to_fit();
        self.needed.close();
    }

    fn follow(&self, at: usize, into: &mut Follow, words: &mut WordSet) {
        let step = self.steps.get(at).copied();
        match step {
            Some(Step::Set(set)) => {
                if let Some(set) = self.needed.set(set) {
                    words.extend(set);
                }
            }
            // What `Skip` leaves out leads on to the same.
            Some(Step::Comma | Step::Clitic | Step::Skip(..) | Step::Need(_)) => {
                self.follow(at + 1, into, words);
            }
            Some(Step::Word(id)) => words.insert(id),
            Some(Step::Jump(far)) => self.follow(at + usize::from(far), into, words),
            Some(Step::Split(far) | Step::Try(_, far) | Step::TryWord(_, far)) => {
                self.follow(at + 1, into, words);
                self.follow(at + usize::from(far), into, words);
            }
            Some(Step::Switch(number)) => {
                let switch = self.switches.get(usize::from(number));
                if let Some(set) = switch.and_then(|switch| self.needed.set(switch.words)) {
                    words.extend(set);
                }
            }
            Some(Step::Slot(..)) => into.any = true,
            Some(Step::End) | None => into.end = true,
        }
    }

    /// The words that fit the pattern at `start` alone, and what can stand behind each of those that
    /// it begins with. `None` where more than words decides how it begins.
    pub(crate) fn openings(&self, start: u32) -> Option<(WordSet, Vec<Behind>)> {
        let (firsts, _) = self.next(start as usize, usize::MAX)?;
        let mut alone = WordSet::default();
        let behind = |(first, at): (&WordSet, usize)| {
            let next = self.next(at + 1, usize::MAX).map(|(seconds, ends)| {
                if ends {
                    alone.extend(first);
                }
                let mut all = WordSet::default();
                seconds.iter().for_each(|(set, _)| all.extend(set));
                all
            });
            (first.clone(), next)
        };
        let behind = firsts.into_iter().map(behind).collect();
        Some((alone, behind))
    }

    /// The words that can stand second in what fits the steps from `start` up to `until`. `None` where
    /// more than words decides, or what comes behind these steps.
    fn second(&self, start: usize, until: usize) -> Option<WordSet> {
        let mut all = WordSet::default();
        for (_, at) in self.next(start, until)?.0 {
            let (seconds, _) = self.next(at + 1, until)?;
            seconds.iter().for_each(|(set, _)| all.extend(set));
        }
        Some(all)
    }

    /// The steps that may take the next word from step `at` on, with their sets, and whether the
    /// pattern may be over. `None` where more than words decides, or what comes from step `until` on.
    fn next(&self, at: usize, until: usize) -> Option<(Vec<(&WordSet, usize)>, bool)> {
        let (mut found, mut ends) = (Vec::new(), false);
        let mut seen = Vec::new();
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            if seen.contains(&at) {
                continue;
            }
            seen.push(at);
            match *self.steps.get(at).filter(|_| at < until)? {
                Step::Set(set) => found.push((self.needed.set(set)?, at)),
                Step::Jump(far) => open.push(at + usize::from(far)),
                Step::Skip(_, far)
                | Step::Split(far)
                | Step::Try(_, far)
                | Step::TryWord(_, far) => {
                    open.extend([at + 1, at + usize::from(far)]);
                }
                Step::Need(_) => open.push(at + 1),
                Step::Switch(number) => {
                    let switch = self.switches.get(usize::from(number))?;
                    let ways = switch.ways.start as usize..switch.ways.end as usize;
                    let ways = self.ways.get(ways)?.iter();
                    open.extend(ways.map(|way| at + usize::from(way.far)));
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

    /// Finds where the word `id`, which `next` follows, leads from the switch at step `at`, by the
    /// number of a way: the first, or the one at `place`. With it, the place of the next way of
    /// that word, if there is one.
    pub(crate) fn way(
        &self,
        number: u16,
        at: u32,
        (id, next): (WordId, WordId),
        place: usize,
    ) -> Option<(u32, Option<usize>)> {
        let mut place = if place > 0 {
            place
        } else {
            let switch = self.switches.get(usize::from(number))?;
            let rank = self.needed.rank(switch.words, id)?;
            *self.heads.get(switch.heads as usize + rank)? as usize
        };
        loop {
            let way = self.ways.get(place)?;
            if way.then == ANY || self.has(way.then, next) {
                return Some((at + u32::from(way.far), way.more.then_some(place + 1)));
            }
            if !way.more {
                return None;
            }
            place += 1;
        }
    }

    /// Tells whether `id` is in the set of that number, once all patterns are there.
    #[inline]
    pub(crate) fn has(&self, set: u16, id: WordId) -> bool {
        self.needed.has_word(set, id)
    }

    /// Tells whether every number is below the largest, which stands for all that are too large.
    #[cfg(test)]
    pub(super) fn is_numbered(&self) -> bool {
        let small = |number: &usize| *number < usize::from(u16::MAX);
        let counts = [self.switches.len(), self.follows.len()];
        self.needed.is_numbered()
            && counts.iter().all(small)
            && self.ways.iter().all(|way| way.far < u16::MAX)
            && self.steps.iter().all(|step| match step {
                Step::Split(far)
                | Step::Try(_, far)
                | Step::TryWord(_, far)
                | Step::Jump(far)
                | Step::Skip(_, far) => *far < u16::MAX,
                _ => true,
            })
    }

    fn here(&self) -> u32 {
        u32::try_from(self.steps.len()).unwrap_or(u32::MAX)
    }

    fn emit(&mut self, item: &Item) {
        let Some(place) = item.shared() else {
            return self.turn(item);
        };
        if let Some((_, steps)) = self.emitted.get(&place) {
            let steps = steps.start as usize..steps.end as usize;
            return self.steps.extend_from_within(steps);
        }
        let start = self.here();
        self.turn(item);
        let steps = start..self.here();
        self.emitted.insert(place, (item.clone(), steps));
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
            self.put(jump, Step::Jump(far(jump, end)));
        }
    }

    /// Alternatives that all begin with a word are found by it.
    fn emit_switch(&mut self, items: &[Item]) -> Option<()> {
        let openings: Option<Vec<u16>> = items.iter().map(|item| self.opening(item)).collect();
        let openings = openings?;
        let switch = self.here();
        let number = u16::try_from(self.switches.len()).ok()?;
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
            let far = far(switch, self.here());
            let mut known = Vec::new();
            if let Some(set) = self.needed.set(opening) {
                words.extend(set);
                known.extend(set.iter().filter(|id| *id != UNKNOWN));
            }
            let start = self.here();
            self.emit(item);
            let second = self.second(start as usize, self.here() as usize);
            let then = second.map_or(ANY, |second| self.needed.number(&second));
            ways.extend(known.into_iter().map(|id| (id, far, then)));
            jumps.push(self.here());
            self.steps.push(Step::Jump(0));
        }
        let end = self.here();
        for jump in jumps {
            self.put(jump, Step::Jump(far(jump, end)));
        }
        ways.sort_unstable();
        let start = self.ways.len().max(1);
        // Place 0 says that no way was taken yet.
        self.ways.resize(start, Way::default());
        let heads = u32::try_from(self.heads.len()).ok()?;
        let mut last = UNKNOWN;
        for (place, (id, far, then)) in (start..).zip(&ways) {
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
                then: *then,
                more: false,
            });
        }
        let words = self.needed.number(&words);
        let ways = u32::try_from(start).ok()?..u32::try_from(self.ways.len()).ok()?;
        if let Some(switch) = self.switches.get_mut(usize::from(number)) {
            *switch = Switch { words, heads, ways };
        }
        Some(())
    }

    /// Begins a group of alternatives that all need a word at their front; after the last
    /// group there is nowhere to go.
    fn emit_skip(&mut self, group: &[Item], last: bool) -> Option<u32> {
        let mut words = WordSet::default();
        for item in group {
            let opening = self.opening(item)?;
            words.extend(self.needed.set(opening)?);
        }
        let place = self.here();
        let words = self.needed.number(&words);
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
        let here = far(choice, self.here());
        if let Some(Step::Split(other) | Step::Try(_, other) | Step::Skip(_, other)) =
            self.steps.get_mut(choice as usize)
        {
            *other = here;
        }
    }

    /// The number of the words that `item` can begin with, if it must begin with one of some words.
    fn opening(&mut self, item: &Item) -> Option<u16> {
        match item {
            Item::Set(set) => return Some(self.needed.number(set)),
            Item::Seq(_) | Item::Any(_) => {}
            // It may be nothing, or anything.
            Item::Maybe(_) | Item::Slot(_) | Item::Comma | Item::Clitic => return None,
        }
        let place = item.shared();
        if let Some((_, number)) = place.and_then(|place| self.openings.get(&place)) {
            return *number;
        }
        let number = item.opening().map(|first| self.needed.number(&first));
        if let Some(place) = place {
            self.openings.insert(place, (item.clone(), number));
        }
        number
    }

    fn put(&mut self, at: u32, step: Step) {
        if let Some(place) = self.steps.get_mut(at as usize) {
            *place = step;
        }
    }
}

/// Returns the distance from step `from` to step `to`. A test sees to it that no grammar goes as
/// far as the largest number.
fn far(from: u32, to: u32) -> u16 {
    u16::try_from(to.saturating_sub(from)).unwrap_or(u16::MAX)
}
