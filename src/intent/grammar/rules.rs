//! Patterns in order, and which of them a clause can fit at all.
//!
//! Most of a message fits no pattern, so the work is in not trying: a pattern is tried
//! only on a clause that has all its words, in their order, and ends as it has to end.

use std::collections::HashMap;
use std::hash::Hash;
use std::ops::Range;

use super::Grammar;
use super::head::{Flags, Head, Kind};
use super::lexicon::{UNKNOWN, WordHash, WordId, WordSet, ones};
use super::matcher::{Captures, Finish, Line, Matcher, count};
use super::program::{Needs, Program};
use super::slot::Kinds;
use super::words::Word;

/// One pattern with its meaning, and what it asks of a clause.
#[derive(Debug)]
struct Rule {
    head: Head,
    start: u32,
    /// A word of each of these sets must stand in the clause, in this order.
    required: Box<[u32]>,
    /// Those of these sets that tell most, by their numbers among the needs of the rule set: a quick
    /// look at the same.
    needs: Box<[u16]>,
    /// The kinds of words that it must fill slots with.
    kinds: Kinds,
    /// The words it can begin with, where it must begin with one of some words.
    first: Option<WordSet>,
    /// The words that can stand second in it, where only words decide.
    second: Option<WordSet>,
    /// The words it can end with, where it must end with one of some words.
    last: Option<WordSet>,
    /// The fewest and the most words it can have.
    length: (usize, usize),
}

impl Rule {
    /// Whether a part of `words` may fit it: they have the words of its beginning, those that it
    /// requires and those of its end, in this order. A word may be of two kinds at the edges.
    fn is_possible(&self, program: &Program, words: &[Word]) -> bool {
        let place = |set: &WordSet, from: usize| {
            let rest = words.get(from..)?;
            let ahead = rest.iter().position(|word| set.contains(word.id));
            count(ahead.unwrap_or(rest.len()));
            Some(from + ahead?)
        };
        let first = self.first.as_ref();
        let Some(mut from) = first.map_or(Some(0), |first| place(first, 0)) else {
            return false;
        };
        let mut end = from;
        for set in &self.required {
            let Some(at) = program.set(*set).and_then(|set| place(set, from)) else {
                return false;
            };
            (end, from) = (at, at + 1);
        }
        let last = self.last.as_ref();
        last.is_none_or(|last| place(last, end).is_some())
    }

    /// Whether it can begin and end as `words` do, and be as long.
    fn admits(&self, words: &[Word]) -> bool {
        let stands = |set: &Option<WordSet>, word: Option<&Word>| match (set, word) {
            (Some(set), Some(word)) => set.contains(word.id),
            _ => true,
        };
        let (least, most) = self.length;
        (least..=most).contains(&words.len())
            && stands(&self.first, words.first())
            && stands(&self.last, words.last())
            && stands(&self.second, words.get(1))
    }
}

/// Which patterns a search asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tier {
    /// All.
    All,
    /// Those that are no last resort.
    Firm,
    /// Of these, those that no title looks like.
    Strong,
    /// The last resorts.
    Late,
    /// Those for "the first two".
    Firsts,
}

impl Tier {
    fn admits(self, head: Head) -> bool {
        match self {
            Self::All => true,
            Self::Firm => !head.flags.has(Flags::LATE),
            Self::Strong => !head.flags.has(Flags::LATE | Flags::WEAK),
            Self::Late => head.flags.has(Flags::LATE),
            Self::Firsts => head.kind == Kind::First,
        }
    }
}

/// The patterns that the words of a sentence leave possible, kept from search to search: a
/// sentence is searched in many parts, one tier after the other, and most of them fit nothing.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    /// By rule set: what the last sentence tells.
    sentences: [Survey; SETS],
    /// By rule set: what the last part of a long sentence tells.
    parts: [Survey; SETS],
}

/// How many rule sets a grammar has.
const SETS: usize = 4;

/// What the words of a stretch tell.
#[derive(Debug, Default)]
struct Survey {
    of: Range<usize>,
    /// The patterns that a part of it may fit, in the order they are tried.
    rules: Vec<u16>,
    /// Of which needs of the rule set there is a word, as bits.
    met: Vec<u64>,
    /// The patterns with a telling word in it, as bits.
    seen: Vec<u64>,
}

/// In a longer sentence the order of the words is not looked at: most patterns are possible.
const LONG: usize = 64;

impl Survey {
    fn covers(&self, range: &Range<usize>) -> bool {
        self.of.start <= range.start && range.end <= self.of.end && !self.of.is_empty()
    }

    /// Whether it tells enough about `range`.
    fn serves(&self, range: &Range<usize>) -> bool {
        self.of.len() <= LONG || self.of.len() <= 2 * range.len()
    }
}

/// A pattern that fitted.
#[derive(Debug, Clone)]
pub(crate) struct Match {
    /// What it means.
    pub head: Head,
    /// What it captured.
    pub captures: Captures,
}

/// A pattern that is looked up by its most telling word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Anchored {
    rule: u16,
    /// Another of its needs, where it has one.
    need: Option<u16>,
}

/// How many needs of a pattern are looked at, besides the one that it is looked up by.
const NEEDS: usize = 2;

/// Patterns in the order they are tried.
#[derive(Debug, Default)]
pub(crate) struct RuleSet {
    /// Its number among the rule sets of its grammar.
    number: usize,
    rules: Vec<Rule>,
    /// The words that the lines of patterns begin with, where they must begin with some words.
    begin: WordSet,
    /// By word: the patterns of which it is the most telling word.
    by_anchor: Lists<Anchored>,
    /// The patterns that need no word at all.
    always: Vec<u16>,
    /// By word: the needs it meets, as bits.
    needs: Lists<u64>,
    /// How many slots the bits of the needs take.
    needed: usize,
}

impl RuleSet {
    /// Notes that a line of patterns must begin with one of `words`.
    pub(crate) fn begin_with(&mut self, words: &WordSet) {
        self.begin.extend(words);
    }

    /// Adds a pattern after the others.
    pub(crate) fn push(&mut self, head: Head, start: u32, needs: Needs, program: &mut Program) {
        self.rules.push(Rule {
            head,
            start,
            needs: Box::default(),
            required: needs
                .required
                .iter()
                .map(|set| program.number(set))
                .collect(),
            kinds: needs.kinds,
            first: needs.first,
            second: None,
            last: needs.last,
            length: needs.length,
        });
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

    /// Works out the look-ups, once all patterns are there. A pattern is looked up by those of the
    /// words it needs that are the rarest by `weights`.
    pub(crate) fn link(&mut self, number: usize, program: &Program, weights: &[u32]) {
        self.number = number;
        let weight = |set: &WordSet| -> u32 {
            let words = set.iter().map(usize::from);
            words.filter_map(|id| weights.get(id)).sum()
        };
        let mut numbers: HashMap<u32, u16, WordHash> = HashMap::default();
        let (mut needs, mut by_anchor) = (Open::default(), Open::default());
        for (number, rule) in (0..).zip(&mut self.rules) {
            rule.second = program.openings(rule.start).map(|(_, second)| second);
            let mut required = rule.required.to_vec();
            required.sort_by_cached_key(|set| program.set(*set).map_or(0, weight));
            let others = required.iter().skip(1).take(NEEDS);
            rule.needs = others
                .map(|set| {
                    let next = u16::try_from(numbers.len()).unwrap_or_default();
                    *numbers.entry(*set).or_insert_with(|| {
                        if let Some(words) = program.set(*set) {
                            needs.add(words, next);
                        }
                        next
                    })
                })
                .collect();
            let anchor = required.first().and_then(|set| program.set(*set));
            let need = rule.needs.first().copied();
            match anchor.or(rule.first.as_ref()) {
                Some(words) => by_anchor.add(words, Anchored { rule: number, need }),
                None => self.always.push(number),
            }
        }
        let slots = numbers.len().div_ceil(64);
        self.needed = slots;
        self.needs = Lists::new(needs, |needs| bits(slots, needs));
        self.by_anchor = Lists::new(by_anchor, <[Anchored]>::to_vec);
    }

    /// Whether some line of patterns begins with `id`.
    pub(crate) fn begins(&self, id: WordId) -> bool {
        self.begin.contains(id)
    }

    /// The first pattern of `tier` that fits all of `range`.
    pub(crate) fn find(
        &self,
        grammar: &Grammar,
        (matcher, marks): (&mut Matcher, &mut Marks),
        line: Line<'_>,
        range: Range<usize>,
        tier: Tier,
    ) -> Option<Match> {
        let words = line.words.get(range.clone())?;
        let survey = self.look(grammar, marks, line, &range)?;
        let fits = |number: &u16| {
            let rule = self.rules.get(usize::from(*number))?;
            count(1);
            let possible = tier.admits(rule.head)
                && rule.admits(words)
                && matcher.has_all(grammar, words, &rule.required);
            let range = range.clone();
            let end =
                possible.then(|| matcher.fit(grammar, line, rule.start, range, Finish::There));
            end.flatten().map(|_| rule.head)
        };
        let head = survey.rules.iter().find_map(fits)?;
        Some(Match {
            head,
            captures: matcher.captures(),
        })
    }

    /// Whether a part of one of `sentences` may fit a pattern that stands by itself.
    pub(crate) fn may_fit<'w>(
        &self,
        grammar: &Grammar,
        mut sentences: impl Iterator<Item = &'w [Word]>,
    ) -> bool {
        let mut survey = Survey::default();
        sentences.any(|words| {
            survey.of = 0..words.len();
            self.survey(grammar, &mut survey, words);
            let mut rules = survey.rules.iter();
            rules.any(|number| {
                let rule = self.rules.get(usize::from(*number));
                rule.is_some_and(|rule| rule.head.kind.stands_alone())
            })
        })
    }

    /// What the words of the sentence around `range` tell, or those of `range`.
    fn look<'m>(
        &self,
        grammar: &Grammar,
        marks: &'m mut Marks,
        line: Line<'_>,
        range: &Range<usize>,
    ) -> Option<&'m Survey> {
        let sentence = marks.sentences.get_mut(self.number)?;
        if !sentence.covers(range) {
            let inside = line.sentence.start <= range.start && range.end <= line.sentence.end;
            sentence.of = if inside { line.sentence } else { range }.clone();
            self.survey(grammar, sentence, line.words.get(sentence.of.clone())?);
        }
        if sentence.rules.is_empty() || sentence.serves(range) {
            return Some(sentence);
        }
        let part = marks.parts.get_mut(self.number)?;
        if !part.covers(range) || !part.serves(range) {
            part.of = range.clone();
            self.survey(grammar, part, line.words.get(range.clone())?);
        }
        Some(part)
    }

    /// Works out what `words` tell.
    fn survey(&self, grammar: &Grammar, survey: &mut Survey, words: &[Word]) {
        let Survey {
            rules, met, seen, ..
        } = survey;
        met.clear();
        met.resize(self.needed, 0);
        seen.clear();
        seen.resize(self.rules.len().div_ceil(64), 0);
        let known = || words.iter().filter(|word| word.id != UNKNOWN);
        for word in known() {
            for (met, more) in met.iter_mut().zip(self.needs.of(word.id)) {
                *met |= more;
            }
        }
        mark(seen, self.always.iter().copied());
        for word in known() {
            let anchored = self.by_anchor.of(word.id).iter();
            count(1 + anchored.len());
            let likely = anchored.filter(|rule| rule.need.is_none_or(|need| has(met, need)));
            mark(seen, likely.map(|anchored| anchored.rule));
        }
        let kinds = words.iter().map(|word| grammar.kinds(word));
        let kinds = kinds.fold(Kinds::default(), Kinds::with);
        let possible = numbers(seen).filter(|number| {
            let rule = self.rules.get(*number);
            rule.is_some_and(|rule| {
                kinds.has_all(rule.kinds)
                    && rule.needs.iter().skip(1).all(|need| has(met, *need))
                    && (words.len() > LONG || rule.is_possible(&grammar.program, words))
            })
        });
        rules.clear();
        rules.extend(possible.filter_map(|number| u16::try_from(number).ok()));
    }
}

/// Whether bit `number` is set.
fn has(bits: &[u64], number: u16) -> bool {
    let number = usize::from(number);
    bits.get(number / 64)
        .is_some_and(|bits| bits >> (number % 64) & 1 == 1)
}

/// Puts `rules` into `wanted`.
fn mark(wanted: &mut [u64], rules: impl Iterator<Item = u16>) {
    for rule in rules {
        let number = usize::from(rule);
        if let Some(bits) = wanted.get_mut(number / 64) {
            *bits |= 1 << (number % 64);
        }
    }
}

/// `numbers` as bits.
fn bits(slots: usize, numbers: &[u16]) -> Vec<u64> {
    let mut bits = vec![0; slots];
    mark(&mut bits, numbers.iter().copied());
    bits
}

/// The numbers in `bits`, in ascending order.
fn numbers(bits: &[u64]) -> impl Iterator<Item = usize> + '_ {
    let filled = bits.iter().enumerate().filter(|(_, bits)| **bits != 0);
    filled.flat_map(|(slot, bits)| ones(*bits).map(move |bit| slot * 64 + bit))
}

/// For each word a list, while it is made.
#[derive(Debug)]
struct Open<T>(Vec<Vec<T>>);

impl<T> Default for Open<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T: Copy> Open<T> {
    fn add(&mut self, words: &WordSet, entry: T) {
        for id in words.iter() {
            let place = usize::from(id);
            if self.0.len() <= place {
                self.0.resize_with(place + 1, Vec::new);
            }
            if let Some(list) = self.0.get_mut(place) {
                list.push(entry);
            }
        }
    }
}

/// For each word a list; words with the same list share it.
#[derive(Debug)]
struct Lists<T> {
    list_of: Vec<u16>,
    /// The first is for words that have none.
    lists: Vec<Vec<T>>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self {
            list_of: Vec::new(),
            lists: Vec::new(),
        }
    }
}

impl<T> Lists<T> {
    fn new<U: Hash + Eq>(open: Open<U>, form: impl Fn(&[U]) -> Vec<T>) -> Self {
        let mut lists = vec![Vec::new()];
        let mut known: HashMap<Vec<U>, u16, WordHash> = HashMap::default();
        known.insert(Vec::new(), 0);
        let numbered = open.0.into_iter().map(|list| {
            let next = u16::try_from(lists.len()).unwrap_or_default();
            *known.entry(list).or_insert_with_key(|list| {
                lists.push(form(list));
                next
            })
        });
        Self {
            list_of: numbered.collect(),
            lists,
        }
    }

    fn of(&self, id: WordId) -> &[T] {
        let list = self.list_of.get(usize::from(id)).copied().unwrap_or(0);
        self.lists
            .get(usize::from(list))
            .map(Vec::as_slice)
            .unwrap_or_default()
    }
}
