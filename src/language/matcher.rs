//! Fits patterns to words: from the places where a pattern may begin to those where it may end.
//!
//! A choice such as a class is worked out once for each place where it is asked for, whichever pattern
//! asks. What a slot captured is told afterwards, along the one way that
//! leads to the end that is wanted: of several ways the first in the order of the pattern, and a slot
//! takes as few words as it can.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;

use rustc_hash::FxBuildHasher;

use super::lexicon::{UNKNOWN, WordId};
use super::pattern::{Choice, Pattern};
use super::places::{Places, SLOT};
use super::slot::Slot;
use super::words::{Gap, Word};

/// Words that patterns are fitted to, with what its reader knows of them.
pub(crate) trait PatternText {
    /// The words of the whole message.
    fn words(&self) -> &[Word];

    /// The stretch around `range` that is searched at once: its sentence.
    fn around(&self, range: &Range<usize>) -> Range<usize>;

    /// The end of a slot that only certain words can fill, at the beginning of `range`.
    fn closed(&self, slot: Slot, range: Range<usize>) -> Option<usize>;

    /// Tells whether `word` can't stand in a slot, as its first or a later word.
    fn bars(&self, slot: Slot, word: &Word, first: bool) -> bool;
}

/// Words that the slots of a fitting pattern captured, in order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Captures(Rc<[(Slot, Range<usize>)]>);

impl Captures {
    /// The words of the first slot of that kind.
    pub(crate) fn first(&self, slot: Slot) -> Option<Range<usize>> {
        self.all(slot).next()
    }

    /// The words of every slot of that kind.
    pub(crate) fn all(&self, slot: Slot) -> impl Iterator<Item = Range<usize>> + '_ {
        self.0
            .iter()
            .filter(move |(kind, _)| *kind == slot)
            .map(|(_, words)| words.clone())
    }
}

/// Place at which a pattern must end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finish {
    /// At the end of the stretch.
    There,
    /// Anywhere.
    Anywhere,
}

/// Number of steps that one message may cost in all. 2 kB of everyday prose take some 23,000, the
/// costliest text of that length 43,000 by all languages together (`intent/tests/effort.rs`).
const BUDGET: u32 = 40_000;

#[cfg(test)]
thread_local! {
    /// Looks that the searches of a test's thread took: the measure of tests of effort.
    pub(crate) static EFFORT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts looks at a step, a word or a pattern; for tests, which go by no clock.
#[cfg(test)]
fn count(looks: usize) {
    EFFORT.set(EFFORT.get() + looks);
}

/// Counts nothing.
#[cfg(not(test))]
const fn count(_looks: usize) {}

/// The state of the searches of one message; kept between them for what they found.
#[derive(Debug)]
pub(crate) struct Matcher {
    chart: Chart,
    left: Budget,
}

/// Steps that a message may yet cost.
#[derive(Debug)]
pub(super) struct Budget(u32);

impl Default for Budget {
    fn default() -> Self {
        Self(BUDGET)
    }
}

impl Budget {
    /// Pays for so many looks. False when there is nothing left to pay with.
    pub(super) fn pay(&mut self, looks: usize) -> bool {
        count(looks);
        let price = u32::try_from(looks).unwrap_or(u32::MAX);
        self.0 = self.0.saturating_sub(price);
        self.0 > 0
    }
}

/// Patterns by their numbers, with the places where they may end.
pub(super) type Fits = Rc<[(u16, Places)]>;

/// Findings about a stretch of the message.
#[derive(Debug, Default)]
pub(super) struct Chart {
    of: Range<usize>,
    /// By choice and place: where it may end.
    choices: HashMap<(u32, u32), Places, FxBuildHasher>,
    /// By set of rules: those that the words of the stretch may fit.
    pub(super) possible: HashMap<u32, Rc<[u16]>, FxBuildHasher>,
    /// By set of rules and place: those that fit from there on, with where they may end.
    pub(super) fits: HashMap<(u32, u32), Fits, FxBuildHasher>,
}

impl Chart {
    /// Goes over to the stretch `of`.
    fn go_over(&mut self, of: Range<usize>) {
        if self.of != of {
            self.of = of;
            self.choices.clear();
            self.possible.clear();
            self.fits.clear();
        }
    }
}

/// A search in one stretch of a message.
pub(super) struct Search<'s, L> {
    line: &'s L,
    /// The words of the stretch.
    pub(super) words: &'s [Word],
    /// Place in the message at which it begins.
    base: usize,
    pub(super) chart: &'s mut Chart,
    pub(super) left: &'s mut Budget,
}

impl Matcher {
    /// A matcher for one message.
    pub(crate) fn new() -> Self {
        Self {
            chart: Chart::default(),
            left: Budget::default(),
        }
    }

    /// A search in the stretch of `line` around `range`: its sentence, of which only the words from
    /// `range` on where it is a very long one.
    pub(super) fn search<'s, L: PatternText>(
        &'s mut self,
        line: &'s L,
        range: &Range<usize>,
    ) -> Option<Search<'s, L>> {
        let mut of = line.around(range);
        if of.len() >= SLOT && range.len() < SLOT {
            of = range.start..of.end.min(range.start + SLOT - 1);
        }
        let words = line.words().get(of.clone())?;
        let base = of.start;
        self.chart.go_over(of);
        Some(Search {
            line,
            words,
            base,
            chart: &mut self.chart,
            left: &mut self.left,
        })
    }

    /// Returns where `pattern` ends when it fits the beginning of `range`, or all of it.
    pub(crate) fn fit(
        &mut self,
        line: &impl PatternText,
        pattern: &Pattern,
        range: Range<usize>,
        finish: Finish,
    ) -> Option<usize> {
        let mut search = self.search(line, &range)?;
        let (start, end) = search.inside(&range);
        let ends = search.ends(pattern, &Places::one(start));
        if finish == Finish::There {
            return ends.has(end).then_some(range.end);
        }
        let mut inside = Places::default();
        let within = ends.each().take_while(|at| *at <= end);
        within.for_each(|at| inside.insert(at));
        inside.next(0)?;
        let found = search.trace(pattern, start, &inside, &mut Vec::new());
        found.map(|at| at + search.base)
    }
}

impl<L: PatternText> Search<'_, L> {
    /// The places at which `range` begins and ends in the stretch.
    pub(super) fn inside(&self, range: &Range<usize>) -> (usize, usize) {
        let place = |at: usize| at.saturating_sub(self.base);
        (place(range.start), place(range.end))
    }

    fn word(&self, at: usize) -> WordId {
        self.words.get(at).map_or(UNKNOWN, |word| word.id)
    }

    /// The places at which `pattern` may end when it begins at one of `from`.
    pub(super) fn ends(&mut self, pattern: &Pattern, from: &Places) -> Places {
        let mut ends = Places::default();
        if !self.left.pay(1) {
            return ends;
        }
        match pattern {
            Pattern::Set(set) => {
                let stands = from.each().filter(|at| set.contains(self.word(*at)));
                stands.for_each(|at| ends.insert(at + 1));
            }
            Pattern::Seq(parts) => {
                ends = from.clone();
                for part in parts.iter() {
                    if ends.next(0).is_none() {
                        break;
                    }
                    ends = self.ends(part, &ends);
                }
            }
            Pattern::Maybe(part) => {
                ends = self.ends(part, from);
                ends.extend(from);
            }
            Pattern::Any(choice) => {
                for at in from.each() {
                    self.choose(choice, at, &mut ends);
                }
            }
            Pattern::Slot(slot) => {
                // From one that may take all there is, no later one gets any further.
                let mut starts = from.each();
                while starts
                    .next()
                    .is_some_and(|at| !self.slot(*slot, at, &mut ends))
                {}
            }
            Pattern::Comma => {
                let words = self.line.words();
                let parts = |at: &usize| {
                    let next = words.get(self.base + at);
                    next.is_some_and(|word| word.gap.has(Gap::COMMA.with(Gap::COLON)))
                };
                from.each().filter(parts).for_each(|at| ends.insert(at));
            }
            Pattern::Clitic => {
                let ends_in_s = |at: &usize| {
                    let before = at.checked_sub(1).and_then(|before| self.words.get(before));
                    before.is_some_and(|word| word.clitic)
                };
                from.each().filter(ends_in_s).for_each(|at| ends.insert(at));
            }
        }
        ends
    }

    /// Adds to `ends` where one of the ways of a choice may end.
    fn choose(&mut self, choice: &Choice, at: usize, ends: &mut Places) {
        let word = self.word(at);
        if !choice.may_begin(word) {
            return;
        }
        let key = (choice.number, u32::try_from(at).unwrap_or(u32::MAX));
        if let Some(known) = self.chart.choices.get(&key) {
            return ends.extend(known);
        }
        let (from, mut all) = (Places::one(at), Places::default());
        for way in choice.ways(word) {
            all.extend(&self.ends(way, &from));
        }
        ends.extend(&all);
        self.chart.choices.insert(key, all);
    }

    /// Adds to `ends` where a slot may end. Tells whether it may take all words that are left, and any.
    fn slot(&self, slot: Slot, at: usize, ends: &mut Places) -> bool {
        let place = self.base + at;
        let Some((least, most)) = slot.extent() else {
            let end = self.line.closed(slot, place..self.base + self.words.len());
            end.into_iter().for_each(|end| ends.insert(end - self.base));
            return false;
        };
        let rest = self.words.get(at..).unwrap_or_default();
        let mut longest = most.min(rest.len());
        if slot.is_picky() {
            let mut words = rest.iter().take(longest).enumerate();
            let barred = words.position(|(at, word)| self.line.bars(slot, word, at == 0));
            longest = barred.unwrap_or(longest);
        }
        ends.cover(at + least..(at + longest + 1).max(at + least));
        !slot.is_picky() && most >= rest.len() && least <= rest.len()
    }

    /// Follows the first way through `pattern` that begins at `at` and ends at one of `goals`, and
    /// keeps what the slots on it take. Returns its end.
    pub(super) fn trace(
        &mut self,
        pattern: &Pattern,
        at: usize,
        goals: &Places,
        taken: &mut Vec<(Slot, Range<usize>)>,
    ) -> Option<usize> {
        let from = Places::one(at);
        match pattern {
            Pattern::Seq(parts) => {
                let mut reached = vec![from];
                for part in parts.iter() {
                    let next = self.ends(part, reached.last()?);
                    reached.push(next);
                }
                let mut wanted = vec![goals.clone()];
                for (part, places) in parts.iter().zip(&reached).skip(1).rev() {
                    let goals = wanted.last()?.clone();
                    let mut leading = Places::default();
                    for at in places.each() {
                        if self.ends(part, &Places::one(at)).meets(&goals) {
                            leading.insert(at);
                        }
                    }
                    wanted.push(leading);
                }
                let mut at = at;
                for (part, goals) in parts.iter().zip(wanted.iter().rev()) {
                    at = self.trace(part, at, goals, taken)?;
                }
                Some(at)
            }
            Pattern::Any(choice) => {
                let mut ways = choice.all().iter();
                let way = ways.find(|way| self.ends(way, &from).meets(goals))?;
                self.trace(way, at, goals, taken)
            }
            Pattern::Maybe(part) => {
                if self.ends(part, &from).meets(goals) {
                    self.trace(part, at, goals, taken)
                } else {
                    Some(at)
                }
            }
            Pattern::Slot(slot) => {
                let end = self.first_end(pattern, &from, goals)?;
                taken.push((slot.kept(), self.base + at..self.base + end));
                Some(end)
            }
            Pattern::Set(_) | Pattern::Comma | Pattern::Clitic => {
                self.first_end(pattern, &from, goals)
            }
        }
    }

    fn first_end(&mut self, pattern: &Pattern, from: &Places, goals: &Places) -> Option<usize> {
        let ends = self.ends(pattern, from);
        ends.each().find(|at| goals.has(*at))
    }

    /// Returns what `pattern` captures between those places, where it is known to fit.
    pub(super) fn captures(
        &mut self,
        pattern: &Pattern,
        (start, end): (usize, usize),
    ) -> Option<Captures> {
        let mut taken = Vec::new();
        self.trace(pattern, start, &Places::one(end), &mut taken)?;
        Some(Captures(taken.into()))
    }
}
