//! Patterns in order, and which of them a clause can fit at all.
//!
//! Most of a message fits no pattern, so the work is in not trying: a pattern is tried
//! only on a clause that has all its words, in their order, and ends as it has to end.

use std::collections::HashMap;
use std::ops::Range;

use super::Grammar;
use super::head::Head;
use super::lexicon::{UNKNOWN, WordHash, WordId, WordSet, ones};
use super::matcher::{Captures, Finish, Line, Matcher};
use super::program::{Needs, Program};

/// One pattern with its meaning.
#[derive(Debug)]
struct Rule {
    head: Head,
    start: u32,
    /// A word of each of these sets must stand in the clause, in this order.
    required: Box<[u32]>,
    /// Of each of these, one bit must be in the clause's [`bloom`]: a quick look at the same.
    blooms: Box<[u128]>,
    /// The clause must end with a word of this set.
    last: Option<u32>,
}

/// A pattern that fitted.
#[derive(Debug, Clone)]
pub(crate) struct Match {
    /// What it means.
    pub head: Head,
    /// What it captured.
    pub captures: Captures,
}

/// Patterns in the order they are tried.
#[derive(Debug, Default)]
pub(crate) struct RuleSet {
    rules: Vec<Rule>,
    /// Until they are linked: the words that the patterns can begin with, where they must.
    openings: Vec<Option<WordSet>>,
    /// The words that the lines of patterns begin with, where they must begin with some words.
    begin: WordSet,
    /// By word: the patterns that begin with it.
    by_first: Lists,
    /// By word: the patterns that have it somewhere.
    by_anchor: Lists,
    /// The patterns that need no word at all.
    always: Vec<u16>,
}

impl RuleSet {
    /// Notes that a line of patterns must begin with one of `words`.
    pub(crate) fn begin_with(&mut self, words: &WordSet) {
        self.begin.extend(words);
    }

    /// Adds a pattern after the others.
    pub(crate) fn push(&mut self, head: Head, start: u32, needs: Needs, program: &mut Program) {
        let blooms = |set: &WordSet| set.iter().fold(0, |bits, id| bits | bloom(id));
        self.rules.push(Rule {
            head,
            start,
            blooms: needs.required.iter().map(blooms).collect(),
            required: needs
                .required
                .iter()
                .map(|set| program.number(set))
                .collect(),
            last: needs.last.map(|set| program.number(&set)),
        });
        self.openings.push(needs.first);
    }

    /// In how many required sets of the patterns each word is: everyday words are in many.
    pub(crate) fn weigh(&self, program: &Program, weights: &mut Vec<u32>) {
        let required = self.rules.iter().flat_map(|rule| &rule.required);
        for id in required
            .flat_map(|set| program.set(*set))
            .flat_map(WordSet::iter)
        {
            let place = usize::from(id);
            if weights.len() <= place {
                weights.resize(place + 1, 0);
            }
            if let Some(weight) = weights.get_mut(place) {
                *weight += 1;
            }
        }
    }

    /// Works out the look-ups, once all patterns are there. A pattern is looked up by the words
    /// it begins with, else by those it needs that are the rarest by `weights`.
    pub(crate) fn link(&mut self, program: &Program, weights: &[u32]) {
        let weight = |set: &&WordSet| -> u32 {
            let words = set.iter().map(usize::from);
            words.filter_map(|id| weights.get(id)).sum()
        };
        let openings = std::mem::take(&mut self.openings);
        for ((number, rule), first) in (0..).zip(&self.rules).zip(openings) {
            let required = rule.required.iter().filter_map(|set| program.set(*set));
            if let Some(first) = first {
                first.iter().for_each(|id| self.by_first.add(id, number));
            } else if let Some(anchor) = required.min_by_key(weight) {
                anchor.iter().for_each(|id| self.by_anchor.add(id, number));
            } else {
                self.always.push(number);
            }
        }
        self.by_first.link();
        self.by_anchor.link();
    }

    /// Whether some line of patterns begins with `id`.
    pub(crate) fn begins(&self, id: WordId) -> bool {
        self.begin.contains(id)
    }

    /// The first pattern that fits all of `range`, among those whose head passes `admit`.
    pub(crate) fn find(
        &self,
        grammar: &Grammar,
        matcher: &mut Matcher,
        line: Line<'_>,
        range: Range<usize>,
        admit: impl Fn(Head) -> bool,
    ) -> Option<Match> {
        let words = line.words.get(range.clone())?;
        let mut wanted = std::mem::take(&mut matcher.wanted);
        wanted.clear();
        wanted.resize(self.rules.len().div_ceil(64), 0);
        let mut any = mark(&mut wanted, self.by_first.of(words.first()?.id));
        let mut bits = 0;
        for word in words {
            bits |= bloom(word.id);
            any |= mark(&mut wanted, self.by_anchor.of(word.id));
        }
        any |= mark(&mut wanted, &self.always);
        let fits = |at: usize| {
            let rule = self.rules.get(at)?;
            let possible = rule.blooms.iter().all(|needed| needed & bits != 0)
                && admit(rule.head)
                && rule
                    .last
                    .is_none_or(|set| grammar.in_set(set, words.last()))
                && matcher.has_all(grammar, words, &rule.required);
            let range = range.clone();
            let end =
                possible.then(|| matcher.fit(grammar, line, rule.start, range, Finish::There));
            end.flatten().map(|_| rule.head)
        };
        let head = if any {
            numbers(&wanted).find_map(fits)
        } else {
            None
        };
        matcher.wanted = wanted;
        head.map(|head| Match {
            head,
            captures: matcher.captures(),
        })
    }
}

/// The bit of a word in the summary of a clause; a word that no grammar knows has none.
const fn bloom(id: WordId) -> u128 {
    if id == UNKNOWN { 0 } else { 1 << (id % 128) }
}

/// Puts `rules` into `wanted`; false when there are none.
fn mark(wanted: &mut [u64], rules: &[u16]) -> bool {
    for rule in rules {
        let number = usize::from(*rule);
        if let Some(bits) = wanted.get_mut(number / 64) {
            *bits |= 1 << (number % 64);
        }
    }
    !rules.is_empty()
}

/// The numbers in `bits`, in ascending order.
fn numbers(bits: &[u64]) -> impl Iterator<Item = usize> + '_ {
    let slots = bits.iter().enumerate();
    slots.flat_map(|(slot, bits)| ones(*bits).map(move |bit| slot * 64 + bit))
}

/// For each word a list of patterns; words with the same list share it.
#[derive(Debug)]
struct Lists {
    list_of: Vec<u16>,
    lists: Vec<Box<[u16]>>,
    /// Until they are linked.
    open: Vec<Vec<u16>>,
}

impl Default for Lists {
    fn default() -> Self {
        Self {
            list_of: Vec::new(),
            lists: vec![Box::default()],
            open: Vec::new(),
        }
    }
}

impl Lists {
    fn add(&mut self, id: WordId, rule: u16) {
        let place = usize::from(id);
        if self.open.len() <= place {
            self.open.resize_with(place + 1, Vec::new);
        }
        if let Some(rules) = self.open.get_mut(place) {
            rules.push(rule);
        }
    }

    fn link(&mut self) {
        let mut known: HashMap<Box<[u16]>, u16, WordHash> = HashMap::default();
        known.insert(Box::default(), 0);
        let open = std::mem::take(&mut self.open);
        let lists = open.into_iter().map(|rules| {
            let next = u16::try_from(self.lists.len()).unwrap_or_default();
            *known.entry(rules.into()).or_insert_with_key(|rules| {
                self.lists.push(rules.clone());
                next
            })
        });
        self.list_of = lists.collect();
    }

    fn of(&self, id: WordId) -> &[u16] {
        let list = self.list_of.get(usize::from(id)).copied().unwrap_or(0);
        self.lists.get(usize::from(list)).map_or(&[], |list| list)
    }
}
