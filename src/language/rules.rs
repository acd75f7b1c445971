//! Patterns in order, each with a meaning: the first that fits says what words mean.
//!
//! Most of a message fits no pattern. Each pattern is looked up by the rarest of the words it needs,
//! and of those whose words stand in a sentence each is fitted once from each place that is asked
//! about, to all ends at once.

use std::collections::HashMap;
use std::ops::Range;
use std::rc::Rc;
use std::sync::Arc;

use rustc_hash::FxBuildHasher;

use super::lexicon::{WordId, WordSet};
use super::matcher::{Budget, Captures, Fits, Matcher, PatternText, Search};
use super::pattern::Pattern;
use super::places::Places;
use super::words::Word;

/// One pattern with its meaning, and what it asks of a clause.
#[derive(Debug)]
struct Rule<M> {
    meaning: M,
    pattern: Pattern,
    /// The words it must begin with, where it must begin with one of some.
    first: Option<WordSet>,
    /// A word of each of these must stand where it fits, in this order.
    required: Vec<Arc<WordSet>>,
}

/// Part of a stretch that is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// Any.
    Any,
    /// One that begins where it does.
    Front,
}

/// Patterns in the order they are tried.
#[derive(Debug)]
pub(crate) struct RuleSet<M> {
    /// Its number among the rule sets of its file.
    number: u32,
    rules: Vec<Rule<M>>,
    /// The words that the lines of patterns begin with, where they must begin with some words.
    begin: WordSet,
    /// By word: the patterns that need it, or another one as rare, more than any other word.
    by_word: HashMap<WordId, Vec<u16>, FxBuildHasher>,
    /// The patterns that need no word.
    free: Vec<u16>,
}

/// Looks at a word that cost as much as one step.
const LOOKS: usize = 16;

/// Tells whether `words` has a word of each of the `sets`, in order.
fn in_order(left: &mut Budget, words: &[Word], sets: &[Arc<WordSet>]) -> bool {
    let mut looks = 0;
    let all = sets.iter().all(|set| {
        let rest = words.get(looks..).unwrap_or_default();
        let next = rest.iter().position(|word| set.contains(word.id));
        looks += next.map_or(rest.len(), |next| next + 1);
        next.is_some()
    });
    left.pay(1 + looks / LOOKS) && all
}

impl<M: Copy> RuleSet<M> {
    /// An empty set, which has that number among those of its file.
    pub(crate) fn new(number: u32) -> Self {
        Self {
            number,
            rules: Vec::new(),
            begin: WordSet::default(),
            by_word: HashMap::default(),
            free: Vec::new(),
        }
    }

    /// Adds a line of patterns behind the others.
    pub(crate) fn push(&mut self, meaning: M, line: &Pattern) {
        self.begin.extend(&line.first_words());
        // Each alternative has needs of its own, and fewer clauses meet them.
        for pattern in line.alternatives() {
            self.rules.push(Rule {
                meaning,
                pattern: pattern.clone(),
                first: pattern.opening(),
                required: pattern.required(),
            });
        }
    }

    /// Adds to `weights` in how many required sets of the patterns each word is: everyday words
    /// are in many.
    pub(crate) fn weigh(&self, weights: &mut HashMap<WordId, u32, FxBuildHasher>) {
        let sets = self.rules.iter().flat_map(|rule| &rule.required);
        for id in sets.flat_map(|set| set.iter()) {
            *weights.entry(id).or_default() += 1;
        }
    }

    /// Works out by which words each pattern is looked up, once all are there.
    pub(crate) fn link(&mut self, weights: &HashMap<WordId, u32, FxBuildHasher>) {
        let weight = |set: &&Arc<WordSet>| -> u32 {
            let each = set.iter().filter_map(|id| weights.get(&id));
            each.sum()
        };
        for (number, rule) in (0..).zip(&self.rules) {
            match rule.required.iter().min_by_key(weight) {
                Some(rarest) => {
                    for id in rarest.iter() {
                        self.by_word.entry(id).or_default().push(number);
                    }
                }
                None => self.free.push(number),
            }
        }
    }

    /// Adds all words of its patterns.
    pub(crate) fn know(&self, words: &mut WordSet) {
        let rules = self.rules.iter();
        rules.for_each(|rule| rule.pattern.know(words));
    }

    /// The words that lines of patterns begin with.
    pub(crate) fn beginnings(&self) -> &WordSet {
        &self.begin
    }

    /// Tells whether some line of patterns begins with `id`.
    pub(crate) fn begins(&self, id: WordId) -> bool {
        self.begin.contains(id)
    }

    /// The patterns whose rarest word stands among `words`, in order.
    fn possible(&self, words: &[Word]) -> Vec<u16> {
        let of_word = |word: &Word| self.by_word.get(&word.id);
        let needed = words.iter().filter_map(of_word).flatten();
        let mut all: Vec<u16> = self.free.iter().chain(needed).copied().collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// The first pattern that fits all of `range` and whose meaning is asked for.
    pub(crate) fn find<L: PatternText>(
        &self,
        matcher: &mut Matcher,
        line: &L,
        range: Range<usize>,
        admits: impl Fn(M) -> bool,
    ) -> Option<(M, Captures)> {
        let mut search = matcher.search(line, &range)?;
        let (start, end) = search.inside(&range);
        let fits = self.fits_at(&mut search, start);
        let rule = fits.iter().find_map(|(number, ends)| {
            let rule = self.rules.get(usize::from(*number))?;
            (ends.has(end) && admits(rule.meaning)).then_some(rule)
        })?;
        let captures = search.captures(&rule.pattern, (start, end))?;
        Some((rule.meaning, captures))
    }

    /// Tells whether `range` or a part of it may fit a pattern whose meaning is asked for. A quick look:
    /// where the answer is no, [`Self::find`] finds none.
    pub(crate) fn may_hold<L: PatternText>(
        &self,
        matcher: &mut Matcher,
        line: &L,
        (range, part): (&Range<usize>, Part),
        admits: impl Fn(M) -> bool,
    ) -> bool {
        let Some(mut search) = matcher.search(line, range) else {
            return false;
        };
        let (start, end) = search.inside(range);
        let rule = |number: &u16| self.rules.get(usize::from(*number));
        let asked = |rule: &&Rule<M>| admits(rule.meaning);
        if part == Part::Front {
            let fits = self.fits_at(&mut search, start);
            return fits.iter().any(|(number, ends)| {
                let near = ends.next(start + 1).is_some_and(|at| at <= end);
                near && rule(number).filter(asked).is_some()
            });
        }
        let possible = self.possible_in(&mut search);
        let words = search.words.get(start..end).unwrap_or_default();
        possible.iter().any(|number| {
            let rule = rule(number).filter(asked);
            rule.is_some_and(|rule| in_order(search.left, words, &rule.required))
        })
    }

    /// Tells whether a part of one of `sentences` may fit a pattern whose meaning is asked for.
    pub(crate) fn may_fit<'w>(
        &self,
        mut sentences: impl Iterator<Item = &'w [Word]>,
        admits: impl Fn(M) -> bool,
    ) -> bool {
        let mut left = Budget::default();
        sentences.any(|words| {
            let mut possible = self.possible(words).into_iter();
            possible.any(|number| {
                let rule = self.rules.get(usize::from(number));
                rule.is_some_and(|rule| {
                    admits(rule.meaning) && in_order(&mut left, words, &rule.required)
                })
            })
        })
    }

    /// The patterns that the words of the stretch may fit.
    fn possible_in<L: PatternText>(&self, search: &mut Search<'_, L>) -> Rc<[u16]> {
        let words = search.words;
        let known = search.chart.possible.entry(self.number);
        Rc::clone(known.or_insert_with(|| self.possible(words).into()))
    }

    /// The patterns that fit from `start` on, and where they may end.
    fn fits_at<L: PatternText>(&self, search: &mut Search<'_, L>, start: usize) -> Fits {
        let key = (self.number, u32::try_from(start).unwrap_or(u32::MAX));
        if let Some(known) = search.chart.fits.get(&key) {
            return Rc::clone(known);
        }
        let possible = self.possible_in(search);
        let words = search.words.get(start..).unwrap_or_default();
        let begins = |rule: &Rule<M>| {
            let first = words.first().map(|word| word.id);
            let mut sets = rule.first.iter();
            sets.all(|set| first.is_some_and(|id| set.contains(id)))
        };
        let mut fits = Vec::new();
        for number in possible.iter() {
            let Some(rule) = self.rules.get(usize::from(*number)) else {
                continue;
            };
            if begins(rule) && in_order(search.left, words, &rule.required) {
                let ends = search.ends(&rule.pattern, &Places::one(start));
                if ends.next(0).is_some() {
                    fits.push((*number, ends));
                }
            }
        }
        let fits: Fits = fits.into();
        search.chart.fits.insert(key, Rc::clone(&fits));
        fits
    }
}
