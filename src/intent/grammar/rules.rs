//! Patterns in order, and which of them a clause can fit at all.
//!
//! Most of a message fits no pattern, so the work is in not trying. A sentence is looked at once:
//! each word of a grammar has the patterns that need it (of the words that a pattern needs, the two
//! rarest kinds are told so), and of more than a thousand patterns those have both needs met that
//! number a few dozen. All searches in parts of the sentence go over these: the first, the last and
//! the second word have a row of bits each for the patterns in which they can stand there, and of
//! what is left the other needs are looked for, once in a sentence.

use std::ops::Range;

use super::Grammar;
use super::head::{Flags, Head, Kind};
use super::item::Needs;
use super::lexicon::{WordId, WordSet, ones};
use super::matcher::{Captures, Finish, Line, Matcher, count};
use super::need::{Needed, Present};
use super::program::Program;
use super::rows::{Bits, Edge, Met, Open, Rows, Telling};
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
    ways: Box<[u32]>,
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
    /// What the last sentence tells.
    sentence: Stretch,
    /// What the last part of a long sentence tells.
    part: Stretch,
}

/// How many rule sets a grammar has.
const SETS: usize = 4;

/// What the words of a stretch tell.
#[derive(Debug, Default)]
struct Stretch {
    of: Range<usize>,
    /// Its words.
    present: Present,
    /// The kinds of its words.
    kinds: Kinds,
    /// By rule set.
    surveys: [Survey; SETS],
}

/// The patterns of one rule set that a part of a stretch may fit.
#[derive(Debug, Default)]
struct Survey {
    /// It is of the stretch as it is now.
    made: bool,
    /// Those that have both their rarest needs met, 64 in a slot, without empty slots.
    left: Vec<Left>,
    /// What they were made from.
    met: Vec<Met>,
}

/// What is left of 64 patterns.
#[derive(Debug, Clone, Copy)]
struct Left {
    /// Which 64.
    slot: usize,
    /// Those that are possible.
    bits: u64,
    /// Those of them whose other needs have not been looked for yet.
    unsure: u64,
}

/// What a longer sentence tells is too little for a short part of it.
const LONG: usize = 64;

impl Stretch {
    fn covers(&self, range: &Range<usize>) -> bool {
        self.of.start <= range.start && range.end <= self.of.end && !self.of.is_empty()
    }

    /// Whether it tells enough about `range`.
    fn serves(&self, range: &Range<usize>) -> bool {
        self.of.len() <= LONG || self.of.len() <= 2 * range.len()
    }

    /// Goes over to `words`, which are those of `of`.
    fn go_over(&mut self, grammar: &Grammar, words: &[Word], of: Range<usize>) {
        self.of = of;
        self.present.go_over(words);
        let kinds = words.iter().map(|word| grammar.kinds(word));
        self.kinds = kinds.fold(Kinds::default(), Kinds::with);
        for survey in &mut self.surveys {
            survey.made = false;
        }
        count(words.len());
    }

    /// Looks at `words`, which are all of it, for the patterns of `rules`; false when no part can
    /// fit any.
    fn survey(&mut self, rules: &RuleSet, words: &[Word]) -> bool {
        let Some(survey) = self.surveys.get_mut(rules.number) else {
            return false;
        };
        if !survey.made {
            survey.made = true;
            survey.met.clone_from(&rules.free);
            if !self.present.is_empty() {
                for word in words {
                    rules.telling.meet(word.id, &mut survey.met);
                }
            }
            survey.left.clear();
            for (slot, met) in survey.met.iter().enumerate() {
                let bits = met.0 & met.1;
                if bits != 0 {
                    let unsure = bits;
                    survey.left.push(Left { slot, bits, unsure });
                }
            }
        }
        !survey.left.is_empty()
    }

    /// What the survey left, in slot number `at` of those that are not empty.
    fn left(&self, rules: &RuleSet, at: usize) -> Option<Left> {
        let survey = self.surveys.get(rules.number)?;
        survey.left.get(at).copied()
    }

    /// Whether it has all that the pattern `rule` needs, which is `bit` of slot number `at`: looked
    /// for once.
    fn has_needs(
        &mut self,
        (rules, grammar): (&RuleSet, &Grammar),
        (at, bit): (usize, usize),
        rule: &Rule,
    ) -> bool {
        let survey = self.surveys.get_mut(rules.number);
        let Some(left) = survey.and_then(|survey| survey.left.get_mut(at)) else {
            return false;
        };
        let bit = 1 << bit;
        if left.unsure & bit == 0 {
            return left.bits & bit != 0;
        }
        left.unsure &= !bit;
        let has = self.kinds.has_all(rule.kinds)
            && self.present.has_all(&grammar.program.needed, &rule.ways);
        if !has {
            left.bits &= !bit;
        }
        has
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

/// Patterns in the order they are tried.
#[derive(Debug, Default)]
pub(crate) struct RuleSet {
    /// Its number among the rule sets of its grammar.
    number: usize,
    rules: Vec<Rule>,
    /// The words that the lines of patterns begin with, where they must begin with some words.
    begin: WordSet,
    /// By word: the patterns that require it or its like.
    telling: Telling,
    /// The patterns that need nothing, or but one thing.
    free: Vec<Met>,
    /// By tier: its patterns.
    tiers: Vec<Bits>,
    /// The patterns that a word can begin.
    first: Rows,
    /// The patterns in which a word can stand second.
    second: Rows,
    /// The patterns that a word can end.
    last: Rows,
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
    /// tell most that are the rarest.
    pub(crate) fn link(&mut self, number: usize, program: &Program) {
        self.number = number;
        let slots = self.rules.len().div_ceil(64);
        let (mut rarest, mut next) = (Open::default(), Open::default());
        let mut free = vec![Met::default(); slots];
        let [mut first, mut second, mut last] = std::array::from_fn(|_| Edge::new(slots));
        for (number, rule) in self.rules.iter_mut().enumerate() {
            program.needed.sort(&mut rule.ways);
            first.add(rule.first.as_ref(), number);
            last.add(rule.last.as_ref(), number);
            let openings = program.openings(rule.start);
            second.add(openings.as_ref().map(|(_, second)| second), number);
            let mut rare = rule.ways.iter().map(|need| program.needed.rare(*need));
            let (Some(free), bit) = (free.get_mut(number / 64), 1 << (number % 64)) else {
                continue;
            };
            match rare.next().flatten().or(rule.first.as_ref()) {
                Some(words) => rarest.add(words, number),
                None => free.0 |= bit,
            }
            match rare.next().flatten() {
                Some(words) => next.add(words, number),
                None => free.1 |= bit,
            }
        }
        self.free = free;
        self.telling = Telling::new(&rarest, &next);
        let tiers = Tier::EACH.into_iter().map(|tier| {
            let mut bits = Bits::new(slots);
            let rules = self.rules.iter().enumerate();
            let rules = rules.filter(|(_, rule)| tier.admits(rule.head));
            rules.for_each(|(number, _)| bits.insert(number));
            bits
        });
        self.tiers = tiers.collect();
        (self.first, self.second, self.last) = (first.close(), second.close(), last.close());
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
        let stretch = self.look(grammar, marks, line, &range)?;
        let [first, second, last] = [
            self.first.of(words.first()),
            self.second.of(words.get(1)),
            self.last.of(words.last()),
        ];
        let tiers = self.tiers.get(tier as usize)?.slots();
        let mut at = 0;
        while let Some(Left { slot, bits, .. }) = stretch.left(self, at) {
            let row = |slots: &[u64]| slots.get(slot).copied().unwrap_or_default();
            let bits = bits & row(first) & row(second) & row(last) & row(tiers);
            count(1);
            for bit in ones(bits) {
                let rule = self.rules.get(slot * 64 + bit)?;
                count(1);
                let (least, most) = rule.length;
                let possible = (least..=most).contains(&words.len())
                    && stretch.has_needs((self, grammar), (at, bit), rule)
                    && matcher.has_all(grammar, words, &rule.required);
                if possible
                    && let Some(_) =
                        matcher.fit(grammar, line, rule.start, range.clone(), Finish::There)
                {
                    return Some(Match {
                        head: rule.head,
                        captures: matcher.captures(),
                    });
                }
            }
            at += 1;
        }
        None
    }

    /// Whether a part of one of `sentences` may fit a pattern that stands by itself.
    pub(crate) fn may_fit<'w>(
        &self,
        grammar: &Grammar,
        mut sentences: impl Iterator<Item = &'w [Word]>,
    ) -> bool {
        let mut stretch = Stretch::default();
        sentences.any(|words| {
            stretch.go_over(grammar, words, 0..words.len());
            stretch.survey(self, words);
            let mut at = 0;
            while let Some(Left { slot, bits, .. }) = stretch.left(self, at) {
                let found = ones(bits).any(|bit| {
                    let rule = self.rules.get(slot * 64 + bit);
                    rule.is_some_and(|rule| {
                        rule.head.kind.stands_alone()
                            && stretch.has_needs((self, grammar), (at, bit), rule)
                    })
                });
                if found {
                    return true;
                }
                at += 1;
            }
            false
        })
    }

    /// What the words of the sentence around `range` tell, or those of `range`; nothing where they
    /// leave no pattern.
    fn look<'m>(
        &self,
        grammar: &Grammar,
        marks: &'m mut Marks,
        line: Line<'_>,
        range: &Range<usize>,
    ) -> Option<&'m mut Stretch> {
        let inside = line.sentence.start <= range.start && range.end <= line.sentence.end;
        let whole = if inside { line.sentence } else { range };
        let Marks { sentence, part } = marks;
        if !sentence.covers(range) {
            let words = line.words.get(whole.clone())?;
            sentence.go_over(grammar, words, whole.clone());
        }
        if !sentence.survey(self, line.words.get(sentence.of.clone())?) {
            return None;
        }
        if sentence.serves(range) {
            return Some(sentence);
        }
        if !part.covers(range) || !part.serves(range) {
            let words = line.words.get(range.clone())?;
            part.go_over(grammar, words, range.clone());
        }
        part.survey(self, line.words.get(part.of.clone())?)
            .then_some(part)
    }
}
