//! Patterns in order, and which of them a clause can fit at all.
//!
//! Most of a message fits no pattern, so the work is in not trying. A set of patterns is a row of
//! bits, and each word of a grammar has rows of its own: the patterns it meets a need of, those it
//! can begin, those it can end. What is left of all patterns after a few rows is tried.

use std::ops::Range;

use super::Grammar;
use super::head::{Flags, Head, Kind};
use super::item::Needs;
use super::lexicon::{WordId, WordSet, ones};
use super::matcher::{Captures, Finish, Line, Matcher, count};
use super::need::{Need, Needed, Present};
use super::program::Program;
use super::rows::{Bits, Edge, Open, Rows, Sparse, numbers};
use super::slot::Kinds;
use super::words::Word;

/// One pattern with its meaning, and what it asks of a clause.
#[derive(Debug)]
struct Rule {
    head: Head,
    start: u32,
    /// A word of each of these sets must stand in the clause, in this order.
    required: Box<[u32]>,
    /// The same in whatever order, with the ways of each choice.
    ways: Box<[Need]>,
    /// The kinds of words that it must fill slots with.
    kinds: Kinds,
    /// The words it can begin with, where it must begin with one of some words.
    first: Option<WordSet>,
    /// The words it can end with, where it must end with one of some words.
    last: Option<WordSet>,
    /// The fewest and the most words it can have.
    length: (usize, usize),
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
    const EACH: [Self; 5] = [
        Self::All,
        Self::Firm,
        Self::Strong,
        Self::Late,
        Self::Firsts,
    ];

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
    /// The patterns that a part of it may fit.
    possible: Bits,
    /// The patterns that have one of their needs met: the work of one look.
    met: Bits,
    /// Those of them whose ways have not been looked for yet.
    unsure: Bits,
    /// Its words.
    present: Present,
}

/// What a longer sentence tells is too little for a short part of it.
const LONG: usize = 64;

impl Survey {
    fn covers(&self, range: &Range<usize>) -> bool {
        self.of.start <= range.start && range.end <= self.of.end && !self.of.is_empty()
    }

    /// Whether its words have one of the `ways` of the pattern `number`: looked for once.
    fn has_ways(&mut self, needed: &Needed, number: usize, ways: &[Need]) -> bool {
        if !self.unsure.take(number) {
            return true;
        }
        let has = self.present.has(needed, ways);
        if !has {
            self.possible.take(number);
        }
        has
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

/// How many of the sets of words that a pattern requires are looked at for every sentence.
const NEEDS: usize = 2;

/// One of the sets of words that each pattern requires.
#[derive(Debug, Default)]
struct Telling {
    /// The patterns that require none.
    free: Bits,
    /// By word: the patterns that require it or its like.
    met_by: Sparse,
}

/// Patterns in the order they are tried.
#[derive(Debug, Default)]
pub(crate) struct RuleSet {
    /// Its number among the rule sets of its grammar.
    number: usize,
    rules: Vec<Rule>,
    /// The words that the lines of patterns begin with, where they must begin with some words.
    begin: WordSet,
    /// The sets of words that the patterns require, of each those first that tell most.
    needs: [Telling; NEEDS],
    /// The patterns that require no word.
    free: Bits,
    /// By kind of word: the patterns that need one.
    kinds: Vec<(Kinds, Bits)>,
    /// By tier: its patterns.
    tiers: Vec<Bits>,
    /// The patterns that a word can begin.
    first: Rows,
    /// The patterns in which a word can stand second.
    second: Rows,
    /// The patterns that a word can end.
    last: Rows,
    /// The patterns that say something by themselves.
    alone: Bits,
}

impl RuleSet {
    /// Notes that a line of patterns must begin with one of `words`.
    pub(crate) fn begin_with(&mut self, words: &WordSet) {
        self.begin.extend(words);
    }

    /// Adds a pattern after the others.
    pub(crate) fn push(&mut self, head: Head, start: u32, needs: Needs, needed: &mut Needed) {
        self.rules.push(Rule {
            head,
            start,
            required: needs
                .required
                .iter()
                .map(|set| needed.number(set))
                .collect(),
            ways: needs.ways.into(),
            kinds: needs.kinds,
            first: needs.first,
            last: needs.last,
            length: needs.length,
        });
    }

    /// In how many required sets of the patterns each word is: everyday words are in many.
    pub(crate) fn weigh(&self, program: &Program, weights: &mut Vec<u32>) {
        let required = self.rules.iter().flat_map(|rule| &rule.required);
        for id in required
            .flat_map(|set| program.needed.set(*set))
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

    /// Works out the rows, once all patterns are there. Of the words that a pattern needs those
    /// tell most that are the rarest by `weights`.
    pub(crate) fn link(&mut self, number: usize, program: &Program, weights: &[u32]) {
        self.number = number;
        let slots = self.rules.len().div_ceil(64);
        let weight = |set: &WordSet| -> u32 {
            let words = set.iter().map(usize::from);
            words.filter_map(|id| weights.get(id)).sum()
        };
        let weights = program.needed.weights(weight);
        let weight = |set: &&u32| weights.get(**set as usize).copied();
        let mut needs: [(Bits, Open); NEEDS] =
            std::array::from_fn(|_| (Bits::new(slots), Open::default()));
        let [mut first, mut second, mut last] = std::array::from_fn(|_| Edge::new(slots));
        for (number, rule) in self.rules.iter().enumerate() {
            first.add(rule.first.as_ref(), number);
            last.add(rule.last.as_ref(), number);
            let openings = program.openings(rule.start);
            second.add(openings.as_ref().map(|(_, second)| second), number);
            let mut required: Vec<_> = rule.required.iter().collect();
            required.sort_by_cached_key(weight);
            let mut sets = required.into_iter().map(|set| program.needed.set(*set));
            for (place, (free, met_by)) in needs.iter_mut().enumerate() {
                let first = rule.first.as_ref().filter(|_| place == 0);
                match sets.next().flatten().or(first) {
                    Some(words) => met_by.add(words, number),
                    None => free.insert(number),
                }
            }
        }
        self.free = self.those(|_| true);
        for (free, _) in &needs {
            self.free.retain(free);
        }
        self.needs = needs.map(|(free, met_by)| Telling {
            free,
            met_by: Sparse::new(met_by),
        });
        (self.first, self.second, self.last) = (first.close(), second.close(), last.close());
        let kinds = Kinds::EACH.into_iter();
        self.kinds = kinds
            .map(|kind| (kind, self.those(|rule| rule.kinds.has_all(kind))))
            .collect();
        let tiers = Tier::EACH.into_iter();
        self.tiers = tiers
            .map(|tier| self.those(|rule| tier.admits(rule.head)))
            .collect();
        self.alone = self.those(|rule| rule.head.kind.stands_alone());
    }

    fn those(&self, wanted: impl Fn(&Rule) -> bool) -> Bits {
        let mut bits = Bits::new(self.rules.len().div_ceil(64));
        let rules = self
            .rules
            .iter()
            .enumerate()
            .filter(|(_, rule)| wanted(rule));
        rules.for_each(|(number, _)| bits.insert(number));
        bits
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
        if survey.possible.is_empty() {
            return None;
        }
        let rows = [
            self.tiers.get(tier as usize)?.slots(),
            self.first.of(words.first()),
            self.last.of(words.last()),
            self.second.of(words.get(1)),
        ];
        let slots = survey.possible.slots().len();
        count(slots);
        for slot in 0..slots {
            let possible = survey.possible.slot(slot);
            if possible == 0 {
                continue;
            }
            let bits = rows.iter().filter_map(|row| row.get(slot));
            let bits = bits.fold(possible, |all, bits| all & bits);
            for number in ones(bits).map(|bit| slot * 64 + bit) {
                let rule = self.rules.get(number)?;
                count(1);
                let (least, most) = rule.length;
                let possible = (least..=most).contains(&words.len())
                    && survey.has_ways(&grammar.program.needed, number, &rule.ways)
                    && matcher.has_all(grammar, words, &rule.required);
                let range = range.clone();
                if possible
                    && let Some(_) = matcher.fit(grammar, line, rule.start, range, Finish::There)
                {
                    return Some(Match {
                        head: rule.head,
                        captures: matcher.captures(),
                    });
                }
            }
        }
        None
    }

    /// Whether a part of one of `sentences` may fit a pattern that stands by itself.
    pub(crate) fn may_fit<'w>(
        &self,
        grammar: &Grammar,
        mut sentences: impl Iterator<Item = &'w [Word]>,
    ) -> bool {
        let mut survey = Survey::default();
        let needed = &grammar.program.needed;
        sentences.any(|words| {
            self.survey(grammar, &mut survey, words, 0..words.len());
            let slots = survey.possible.slots().iter().zip(self.alone.slots());
            numbers(slots.map(|(possible, alone)| possible & alone)).any(|number| {
                let rule = self.rules.get(number);
                rule.is_some_and(|rule| survey.present.has(needed, &rule.ways))
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
    ) -> Option<&'m mut Survey> {
        let inside = line.sentence.start <= range.start && range.end <= line.sentence.end;
        let whole = if inside { line.sentence } else { range };
        let sentence = marks.sentences.get_mut(self.number)?;
        if !sentence.covers(range) {
            let words = line.words.get(whole.clone())?;
            self.survey(grammar, sentence, words, whole.clone());
        }
        if sentence.possible.is_empty() || sentence.serves(range) {
            return Some(sentence);
        }
        let part = marks.parts.get_mut(self.number)?;
        if !part.covers(range) || !part.serves(range) {
            let words = line.words.get(range.clone())?;
            self.survey(grammar, part, words, range.clone());
        }
        Some(part)
    }

    /// Works out what `words` tell, which are those of `of`.
    fn survey(&self, grammar: &Grammar, survey: &mut Survey, words: &[Word], of: Range<usize>) {
        let Survey {
            possible,
            met,
            present,
            ..
        } = survey;
        present.go_over(words);
        possible.clone_from(&self.free);
        if !present.is_empty() {
            for (place, need) in self.needs.iter().enumerate() {
                met.clone_from(&need.free);
                words.iter().for_each(|word| need.met_by.add(word.id, met));
                if place == 0 {
                    possible.clone_from(met);
                } else {
                    possible.retain(met);
                }
            }
        }
        let kinds = words.iter().map(|word| grammar.kinds(word));
        let kinds = kinds.fold(Kinds::default(), Kinds::with);
        for (kind, needing) in &self.kinds {
            if !kinds.has_all(*kind) {
                possible.remove(needing);
            }
        }
        survey.unsure.clone_from(&survey.possible);
        survey.of = of;
        count(words.len());
    }
}
