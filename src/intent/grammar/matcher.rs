//! Fits one pattern to a stretch of words: backtracking with a budget, so that no text
//! can make it slow.

use std::ops::{Range, RangeInclusive};
use std::rc::Rc;

use super::Grammar;
use super::lexicon::UNKNOWN;
use super::program::Step;
use super::slot::Slot;
use super::words::{Gap, Word};

/// A stretch of a message that patterns are fitted to.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Line<'w> {
    /// The words of the whole message.
    pub words: &'w [Word],
    /// Dates, as stretches of words, in order.
    pub dates: &'w [Range<usize>],
    /// Times of day and repetitions, as stretches of words, in order.
    pub times: &'w [Range<usize>],
    /// The sentence that is being read.
    pub sentence: &'w Range<usize>,
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

/// Number of steps that one message may cost in all; everyday messages take a few hundred.
pub(crate) const BUDGET: u32 = 10_000;

#[cfg(test)]
thread_local! {
    /// Looks that the searches of a test's thread took: the measure of `tests/effort.rs`.
    pub(crate) static EFFORT: std::cell::Cell<usize> = const { std::cell::Cell::new(0) };
}

/// Counts looks at a step, a word or a pattern; for tests, which go by no clock.
#[cfg(test)]
pub(super) fn count(looks: usize) {
    EFFORT.set(EFFORT.get() + looks);
}

/// Counts nothing.
#[cfg(not(test))]
pub(super) const fn count(_looks: usize) {}

/// Number of looks at a word that cost as much as one step.
const LOOKS: usize = 16;

/// Tells whether `words` has a word of each of the `sets`, in order, and how many looks told it.
pub(super) fn in_order(grammar: &Grammar, words: &[Word], sets: &[u16]) -> (bool, usize) {
    let needed = &grammar.program.needed;
    let mut looks = 0;
    let all = sets.iter().all(|set| {
        let set = needed.flat(*set);
        let rest = words.get(looks..).unwrap_or_default();
        let next = rest.iter().position(|word| set.contains(word.id));
        looks += next.map_or(rest.len(), |next| next + 1);
        next.is_some()
    });
    count(looks);
    (all, looks)
}

/// The state of a search; kept between searches for its memory.
#[derive(Debug, Default)]
pub(crate) struct Matcher {
    trail: Vec<Choice>,
    taken: Vec<(Slot, Range<usize>)>,
    /// Number of steps that are left.
    pub budget: u32,
}

/// Place at which to go on when the present way fails.
#[derive(Debug)]
struct Choice {
    step: u32,
    at: u32,
    /// Number of captures that there were.
    taken: u32,
    /// The shortest length to try next, when the step is a slot; the next way, when it is a switch.
    longer: u32,
}

/// Place at which a pattern must end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Finish {
    /// At the end of the stretch.
    There,
    /// Anywhere.
    Anywhere,
}

impl Matcher {
    /// A matcher for one message.
    pub(crate) fn new() -> Self {
        Self {
            budget: BUDGET,
            ..Self::default()
        }
    }

    /// Fits the pattern that begins at step `start` to the words of `range`; gives where it ended.
    pub(crate) fn fit(
        &mut self,
        grammar: &Grammar,
        line: Line<'_>,
        start: u32,
        range: Range<usize>,
        finish: Finish,
    ) -> Option<usize> {
        self.trail.clear();
        self.taken.clear();
        let mut left = self.budget;
        let end = self.walk(grammar, line, start, (range, finish), &mut left);
        self.budget = left;
        end
    }

    /// The same; `left` is the budget.
    #[inline]
    fn walk(
        &mut self,
        grammar: &Grammar,
        line: Line<'_>,
        start: u32,
        (range, finish): (Range<usize>, Finish),
        left: &mut u32,
    ) -> Option<usize> {
        let program = &grammar.program;
        let words = line.words.get(..range.end)?;
        let mut step = start;
        let mut at = range.start;
        let mut longer = 0;
        loop {
            *left = left.checked_sub(1)?;
            count(1);
            // No pattern asks for an unknown word: it stands for none, too.
            let id = words.get(at).map_or(UNKNOWN, |word| word.id);
            let goes_on = match program.step(step) {
                Step::Word(word) => {
                    at += usize::from(id == word);
                    id == word
                }
                Step::Set(set) => {
                    let stands = program.has(set, id);
                    at += usize::from(stands);
                    stands
                }
                Step::TryWord(word, far) => {
                    if id == word {
                        self.turn_back(step + u32::from(far), at, 0);
                        step += 1;
                    } else {
                        step += u32::from(far);
                    }
                    continue;
                }
                Step::Try(set, far) => {
                    if program.has(set, id) {
                        self.turn_back(step + u32::from(far), at, 0);
                        step += 1;
                    } else {
                        step += u32::from(far);
                    }
                    continue;
                }
                Step::Skip(set, far) => {
                    let stands = program.has(set, id);
                    step += if stands { 1 } else { u32::from(far) };
                    continue;
                }
                Step::Jump(far) => {
                    step += u32::from(far);
                    continue;
                }
                Step::Split(far) => {
                    self.turn_back(step + u32::from(far), at, 0);
                    step += 1;
                    continue;
                }
                Step::Slot(slot, follow) => {
                    let place = Place { step, slot, follow };
                    let end = self.slot(grammar, line, place, (at..range.end, longer), left);
                    longer = 0;
                    at = end.unwrap_or(at);
                    end.is_some()
                }
                Step::Need(set) => program.has(set, id),
                Step::Switch(number) => {
                    let next = words.get(at + 1).map_or(UNKNOWN, |word| word.id);
                    let way = program.way(number, step, (id, next), longer);
                    longer = 0;
                    if let Some((to, next)) = way {
                        if let Some(next) = next {
                            self.turn_back(step, at, next);
                        }
                        step = to;
                        continue;
                    }
                    false
                }
                Step::Comma => {
                    let gap = line.words.get(at).map_or(Gap::default(), |word| word.gap);
                    gap.has(Gap::COMMA.with(Gap::COLON))
                }
                Step::Clitic => {
                    let before = at.checked_sub(1).and_then(|before| line.words.get(before));
                    at > range.start && before.is_some_and(|word| word.clitic)
                }
                Step::End if at == range.end || finish == Finish::Anywhere => return Some(at),
                Step::End => false,
            };
            if goes_on {
                step += 1;
            } else {
                let choice = self.trail.pop()?;
                self.taken.truncate(choice.taken as usize);
                longer = choice.longer as usize;
                step = choice.step;
                at = choice.at as usize;
            }
        }
    }

    /// Notes that another way goes on from `step` at word `at`.
    #[inline]
    fn turn_back(&mut self, step: u32, at: usize, longer: usize) {
        self.trail.push(Choice {
            step,
            at: at as u32,
            taken: self.taken.len() as u32,
            longer: longer as u32,
        });
    }

    /// Pays for so many looks at a word. Out of budget: false.
    pub(crate) fn pay(&mut self, looks: usize) -> bool {
        let price = u32::try_from(looks / LOOKS).unwrap_or(u32::MAX);
        let left = self.budget.checked_sub(price);
        self.budget = left.unwrap_or_default();
        left.is_some()
    }

    /// Returns what the pattern that fitted last has captured.
    pub(crate) fn captures(&self) -> Captures {
        Captures(self.taken.as_slice().into())
    }

    fn slot(
        &mut self,
        grammar: &Grammar,
        line: Line<'_>,
        place: Place,
        (range, longer): (Range<usize>, usize),
        left: &mut u32,
    ) -> Option<usize> {
        let end = match place.slot.extent() {
            None => grammar.closed(place.slot, line, range.clone())?,
            Some((least, most)) => {
                let most = most.min(range.end - range.start);
                let lengths = least.max(longer)..=most;
                let length = open(grammar, line, place, &range, lengths, left)?;
                if length < most {
                    self.turn_back(place.step, range.start, length + 1);
                }
                range.start + length
            }
        };
        let kind = match place.slot {
            Slot::Thing => Slot::Target,
            Slot::Stuff => Slot::Content,
            other => other,
        };
        self.taken.push((kind, range.start..end));
        Some(end)
    }
}

/// The shortest length of an open slot after which the pattern may go on; `left` is the budget.
fn open(
    grammar: &Grammar,
    line: Line<'_>,
    place: Place,
    range: &Range<usize>,
    lengths: RangeInclusive<usize>,
    left: &mut u32,
) -> Option<usize> {
    let follow = grammar.follow(place.follow)?;
    let picky = matches!(place.slot, Slot::Name | Slot::Thing | Slot::Stuff);
    let lengths = if follow.only_end && !picky {
        (*lengths.start()).max(range.end - range.start)..=*lengths.end()
    } else {
        lengths
    };
    let words = grammar.program.needed.flat(follow.words);
    let goes_on = |at: usize| {
        if follow.any {
            return true;
        }
        match line.words.get(at) {
            Some(word) if at < range.end => words.contains(word.id),
            _ => follow.end,
        }
    };
    for length in lengths {
        *left = left.checked_sub(1)?;
        count(1);
        let at = range.start + length;
        if picky && length > 0 && grammar.bars(place.slot, line.words.get(at - 1), length == 1) {
            return None;
        }
        if goes_on(at) {
            return Some(length);
        }
    }
    None
}

/// A slot in its pattern.
#[derive(Debug, Clone, Copy)]
struct Place {
    step: u32,
    slot: Slot,
    follow: u16,
}
