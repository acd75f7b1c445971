//! Patterns in order, and which of them a clause can fit at all.
//!
//! Most of a message fits no pattern, so the work is in not trying. The first, the last and the
//! second word of a clause have a row of bits each for the patterns in which they can stand there,
//! and so have the kinds of words (a date, a number) at its edges and in its sentence; patterns that
//! may begin and end with any word are told by their rarest words (`survey` keeps what is left). Of
//! more than a thousand patterns a few dozen remain, of which one look at half a line of memory
//! (`sign`) leaves a handful, and the order of the words fewer. Only these are fitted.

use std::ops::Range;

use super::Grammar;
use super::class::Behind;
use super::head::{Flags, Head, HeadKind};
use super::item::{self, Needs};
use super::lexicon::{WordId, WordSet, ones};
use super::matcher::{Captures, Finish, Line, Matcher, count, in_order};
use super::need::Needed;
use super::program::Program;
use super::rows::{Bits, Edge, Row, Rows, Signs, Telling};
use super::sign::{Brief, Signature};
use super::slot::{Kinds, Slot};
use super::survey::{LONG, Marks, Stretch};
use super::words::Word;

/// One pattern with its meaning, and what it asks of a clause.
#[derive(Debug, Clone, Copy)]
struct Rule {
    head: Head,
    start: u32,
    /// Place at which the numbers of what it asks for begin among those of all.
    asks: u32,
    /// Number of sets it asks for: a word of each must stand in the clause, in this order.
    required: u8,
    /// Number of needs behind them: the same in whatever order, with the ways of each choice.
    ways: u8,
}

/// A pattern as it is known while a grammar is read.
#[derive(Debug)]
struct RuleDraft {
    head: Head,
    start: u32,
    /// The numbers of the sets it asks for.
    required: Vec<u16>,
    ways: Vec<u16>,
    /// The kinds of words that it must fill slots with.
    kinds: Kinds,
    /// Words that it can begin with, where it must begin with one of some.
    first: Option<item::Edge>,
    /// Words that it can end with, where it must end with one of some.
    last: Option<item::Edge>,
    /// The fewest and the most words it can have.
    length: (usize, usize),
}

/// Patterns that a search asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Tier {
    /// All.
    All,
    /// Patterns that are no last resort.
    Firm,
    /// Of these, those that no title looks like.
    Strong,
    /// The last resorts.
    Late,
    /// Patterns for "the first two".
    Firsts,
    /// Patterns that say something by themselves.
    Alone,
    /// Patterns that may name a title.
    Titled,
    /// Patterns that a thought behind them can take back: see [`HeadKind::orders`].
    Orders,
    /// Patterns that may say why something is done: see [`Head::remarks`].
    Remarks,
}

impl Tier {
    const EACH: [Self; 9] = [
        Self::All,
        Self::Firm,
        Self::Strong,
        Self::Late,
        Self::Firsts,
        Self::Alone,
        Self::Titled,
        Self::Orders,
        Self::Remarks,
    ];

    fn admits(self, head: Head) -> bool {
        match self {
            Self::All => true,
            Self::Firm => !head.flags.has(Flags::LATE),
            Self::Strong => !head.flags.has(Flags::LATE | Flags::WEAK),
            Self::Late => head.flags.has(Flags::LATE),
            Self::Firsts => head.kind == HeadKind::First,
            Self::Alone => head.kind.stands_alone(),
            Self::Titled => head.kind.names_title(),
            Self::Orders => head.kind.orders(),
            Self::Remarks => head.remarks(),
        }
    }
}

/// A pattern that fitted.
#[derive(Debug, Clone)]
pub(crate) struct Match {
    /// Its meaning.
    pub head: Head,
    /// Its captures.
    pub captures: Captures,
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
#[derive(Debug, Default)]
pub(crate) struct RuleSet {
    /// Its number among the rule sets of its grammar.
    pub(super) number: usize,
    rules: Vec<Rule>,
    /// While the grammar is read: the same.
    drafts: Vec<RuleDraft>,
    /// The numbers of the sets and needs that they ask for.
    asks: Vec<u16>,
    /// Facts for a first look at each.
    briefs: Vec<Brief>,
    /// The most words that any of them can have.
    longest: usize,
    /// The words that the lines of patterns begin with, where they must begin with some words.
    begin: WordSet,
    /// Facts that words tell of the patterns.
    pub(super) telling: Telling,
    /// By set of kinds: the patterns whose slots for words of a kind these can fill.
    filled: Vec<u64>,
    /// By tier: its patterns.
    tiers: Vec<Bits>,
    /// The patterns that a word can begin.
    first: Rows,
    /// The patterns in which a word can stand second.
    second: Rows,
    /// The patterns that a word can end.
    last: Rows,
}

/// Finds the words that can stand second in a pattern, if only some words can.
fn second_words(behind: &[Behind]) -> Option<item::Edge> {
    let mut words = WordSet::default();
    for (_, second) in behind {
        words.extend(second.as_ref()?);
    }
    let kinds = Kinds::default();
    Some(item::Edge { words, kinds })
}

impl RuleSet {
    /// Notes that a line of patterns must begin with one of `words`.
    pub(crate) fn begin_with(&mut self, words: &WordSet) {
        self.begin.extend(words);
    }

    /// Adds a pattern after the others.
    pub(crate) fn push(&mut self, head: Head, start: u32, needs: Needs, needed: &mut Needed) {
        let required = needs.required.iter().map(|set| needed.number(set));
        self.drafts.push(RuleDraft {
            head,
            start,
            required: required.collect(),
            ways: needs.ways,
            kinds: needs.kinds,
            first: needs.first,
            last: needs.last,
            length: needs.length,
        });
    }

    /// In how many required sets of the patterns each word is: everyday words are in many.
    pub(crate) fn weigh(&self, program: &Program, weights: &mut Vec<u32>) {
        let required = self.drafts.iter().flat_map(|rule| &rule.required);
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
        let mut drafts = std::mem::take(&mut self.drafts);
        let longest = drafts.iter().map(|rule| rule.length.1).max();
        self.longest = longest.unwrap_or_default();
        let slots = drafts.len().div_ceil(64);
        self.rules.reserve_exact(drafts.len());
        self.briefs.reserve_exact(drafts.len());
        let mut telling = Signs::new(slots);
        let [mut first, mut second, mut last] = std::array::from_fn(|_| Edge::new(slots));
        for (number, rule) in drafts.iter_mut().enumerate() {
            program.needed.sort(&mut rule.ways);
            self.keep(rule);
            first.add(rule.first.as_ref(), number);
            last.add(rule.last.as_ref(), number);
            let openings = program.openings(rule.start);
            let then = openings.and_then(|(_, behind)| second_words(&behind));
            second.add(then.as_ref(), number);
            let mut rare = rule.ways.iter().map(|need| program.needed.rare(*need));
            let needs: [_; 3] = std::array::from_fn(|_| rare.next().flatten());
            self.briefs.push(Brief::new(rule.length, needs));
            let [rare, other, _] = needs;
            let opening = rule.first.as_ref().and_then(item::Edge::only_words);
            let signs = [rare.or(opening), other];
            telling.add(signs, number);
        }
        self.telling = telling.close();
        // Few sets of kinds are asked for, and each has a row.
        let mut asked: Vec<(Kinds, Bits)> = Vec::new();
        for (number, rule) in drafts.iter().enumerate() {
            match asked.iter_mut().find(|(kinds, _)| *kinds == rule.kinds) {
                Some((_, bits)) => bits.insert(number),
                None => {
                    let mut bits = Bits::new(slots);
                    bits.insert(number);
                    asked.push((rule.kinds, bits));
                }
            }
        }
        let filled = Kinds::each().flat_map(|kinds| {
            let mut all = Bits::new(slots);
            let met = asked.iter().filter(|(asked, _)| kinds.has_all(*asked));
            met.for_each(|(_, bits)| all.extend(bits));
            all.slots().to_vec()
        });
        self.filled = filled.collect();
        let tiers = Tier::EACH.into_iter().map(|tier| {
            let mut bits = Bits::new(slots);
            let rules = self.rules.iter().enumerate();
            let rules = rules.filter(|(_, rule)| tier.admits(rule.head));
            rules.for_each(|(number, _)| bits.insert(number));
            bits
        });
        self.tiers = tiers.collect();
        (self.first, self.second, self.last) = (first.close(), second.close(), last.close());
        self.asks.shrink_to_fit();
    }

    /// Keeps of a pattern what searches ask for.
    fn keep(&mut self, rule: &RuleDraft) {
        // What it needs turns clauses away: what is left out of a long list turns fewer away.
        let most = |asks: &[u16]| u8::try_from(asks.len()).unwrap_or(u8::MAX);
        let (required, ways) = (most(&rule.required), most(&rule.ways));
        self.rules.push(Rule {
            head: rule.head,
            start: rule.start,
            asks: u32::try_from(self.asks.len()).unwrap_or(u32::MAX),
            required,
            ways,
        });
        let asks = rule.required.iter().take(usize::from(required));
        self.asks.extend(asks);
        self.asks.extend(rule.ways.iter().take(usize::from(ways)));
    }

    /// The sets a pattern asks for, in order.
    fn required(&self, rule: &Rule) -> &[u16] {
        let start = rule.asks as usize;
        let sets = self.asks.get(start..start + usize::from(rule.required));
        sets.unwrap_or_default()
    }

    /// The needs of a pattern.
    fn ways(&self, rule: &Rule) -> &[u16] {
        let start = rule.asks as usize + usize::from(rule.required);
        let needs = self.asks.get(start..start + usize::from(rule.ways));
        needs.unwrap_or_default()
    }

    /// The words that lines of patterns begin with.
    pub(crate) fn beginnings(&self) -> &WordSet {
        &self.begin
    }

    /// Tells whether some line of patterns begins with `id`.
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
        if words.len() > self.longest {
            return None;
        }
        let stretch = marks.look((self, grammar), line, &range)?;
        stretch.admit((self, grammar), line, &range);
        let tiers = self.of(tier);
        let mut at = 0;
        while let Some(number) = stretch.admitted(self, at) {
            at += 1;
            let tier = tiers.get(number / 64).copied().unwrap_or_default();
            if tier >> (number % 64) & 1 == 0 {
                continue;
            }
            let rule = self.rules.get(number)?;
            count(1);
            // The order of the words turns most away.
            let (ordered, looks) = in_order(grammar, words, self.required(rule));
            let possible = if words.len() <= LONG {
                ordered && matcher.pay(looks)
            } else {
                // In a long clause a try is dear: all that the pattern needs is looked for before. The
                // look at the order has its price, also where that turns the pattern away.
                stretch.has_needs(grammar, line.words, self.ways(rule))
                    && matcher.pay(looks)
                    && ordered
            };
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
        None
    }

    /// Tells whether `range` of the sentence, or a part of it, may fit a pattern of `tier`; or a
    /// part that begins where it does. A quick look: where the answer is no, [`Self::find`] finds
    /// none.
    pub(crate) fn may_hold(
        &self,
        grammar: &Grammar,
        marks: &mut Marks,
        line: Line<'_>,
        (range, part): (&Range<usize>, Part),
        tier: Tier,
    ) -> bool {
        let Some(stretch) = marks.look((self, grammar), line, range) else {
            return false;
        };
        let words = line.words.get(range.clone()).unwrap_or_default();
        let signature = Signature::of(words);
        let may = |number: usize| {
            let brief = self.briefs.get(number);
            count(1);
            brief.is_some_and(|brief| brief.fits_in(words.len(), signature))
        };
        let begins = (part == Part::Front).then(|| stretch.begins((self, grammar), line, range));
        self.any_possible(stretch, tier, |stretch, number| {
            begins.is_none_or(|row| row.slot(number / 64) >> (number % 64) & 1 == 1)
                && may(number)
                && self.has_needs(grammar, stretch, line.words, number)
        })
    }

    /// Tells whether `may` holds for one of the patterns of `tier` that any part of a surveyed
    /// stretch may fit.
    #[inline]
    fn any_possible(
        &self,
        stretch: &mut Stretch,
        tier: Tier,
        mut may: impl FnMut(&mut Stretch, usize) -> bool,
    ) -> bool {
        let tiers = self.of(tier);
        let mut at = 0;
        while let Some((slot, left)) = stretch.left(self, at) {
            at += 1;
            let possible = left & tiers.get(slot).copied().unwrap_or_default();
            if ones(possible).any(|bit| may(stretch, slot * 64 + bit)) {
                return true;
            }
        }
        false
    }

    /// Tells whether a stretch of the message `words` has all that the pattern `number` needs.
    fn has_needs(
        &self,
        grammar: &Grammar,
        stretch: &mut Stretch,
        words: &[Word],
        number: usize,
    ) -> bool {
        let rule = self.rules.get(number);
        rule.is_some_and(|rule| stretch.has_needs(grammar, words, self.ways(rule)))
    }

    /// Tells whether a part of one of `sentences` may fit a pattern of `tier`.
    pub(crate) fn may_fit<'w>(
        &self,
        grammar: &Grammar,
        mut sentences: impl Iterator<Item = &'w [Word]>,
        tier: Tier,
    ) -> bool {
        let mut stretch = Stretch::default();
        // Which words are dates is not known yet.
        let moments = Slot::Date.kind().with(Slot::Time.kind());
        sentences.any(|words| {
            stretch.go_over(grammar, words, (0..words.len(), moments));
            stretch.survey(self, words)
                && self.any_possible(&mut stretch, tier, |stretch, number| {
                    self.has_needs(grammar, stretch, words, number)
                })
        })
    }

    /// The patterns of `tier`, as slots.
    fn of(&self, tier: Tier) -> &[u64] {
        self.tiers
            .get(tier as usize)
            .map(Bits::slots)
            .unwrap_or_default()
    }

    /// Tells whether so many words of this signature may fit the pattern `number`.
    #[inline]
    pub(super) fn admits(&self, number: usize, length: usize, words: Signature) -> bool {
        let brief = self.briefs.get(number);
        brief.is_some_and(|brief| brief.admits(length, words))
    }

    /// The patterns that words of `kinds` leave possible, as slots.
    pub(super) fn filled(&self, kinds: Kinds) -> &[u64] {
        let width = self.rules.len().div_ceil(64);
        let start = kinds.place() * width;
        self.filled.get(start..start + width).unwrap_or_default()
    }

    /// The patterns that can have the first of `words` there, which is of the kinds `first`.
    pub(super) fn begun_by(&self, words: &[Word], first: Kinds) -> Row<'_> {
        self.first.of(words.first(), first)
    }

    /// The patterns that can have the first, the second and the last of `words` there; what stands at
    /// the edges is of the kinds `first` and `last`.
    pub(super) fn edges(&self, words: &[Word], [first, last]: [Kinds; 2]) -> [Row<'_>; 3] {
        [
            self.first.of(words.first(), first),
            self.second.of(words.get(1), Kinds::default()),
            self.last.of(words.last(), last),
        ]
    }
}
