//! Patterns in order, and which of them a clause can fit at all.
//!
//! Most of a message fits no pattern, so the work is in not trying: a pattern is tried
//! only on a clause that has all its words, in their order, and ends as it has to end.

use std::collections::HashMap;
use std::ops::Range;

use super::Grammar;
use super::head::{Flags, Head, Kind};
use super::lexicon::{UNKNOWN, WordHash, WordId, WordSet, ones};
use super::matcher::{Captures, Finish, Line, Matcher};
use super::program::{Needs, Program};
use super::words::Word;

/// One pattern with its meaning.
#[derive(Debug)]
struct Rule {
    head: Head,
    start: u32,
    /// A word of each of these sets must stand in the clause, in this order.
    required: Box<[u32]>,
    /// The places of these sets among the needs of the rule set: a quick look at the same.
    needs: Box<[u16]>,
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
    const ALL: [Self; 5] = [
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

/// The patterns that a clause may fit by the words in it. Kept for the next search: the same
/// clause is searched for one tier after the other, and again without its first words.
#[derive(Debug, Default)]
pub(crate) struct Marks {
    /// Which rule set's patterns, and for which words.
    of: Option<(u8, Range<usize>)>,
    /// The patterns, as bits.
    rules: Vec<u64>,
    body: Body,
}

/// What the words of a clause tell wherever they stand in it.
#[derive(Debug, Default)]
struct Body {
    of: Option<(u8, Range<usize>)>,
    /// The patterns that have one of the words somewhere, as bits.
    rules: Vec<u64>,
    /// Of which needs of the rule set there is a word.
    met: Vec<u64>,
}

impl Body {
    /// Whether it serves for `range` too: a part of the same words that has the same end may lack
    /// some, which only lets more patterns through to be tried.
    fn serves(&self, number: u8, range: &Range<usize>) -> bool {
        let (of, words) = match &self.of {
            Some((of, words)) => (*of, words),
            None => return false,
        };
        of == number
            && words.end == range.end
            && words.start <= range.start
            && words.len() <= 2 * range.len()
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

/// What a pattern asks of a clause's edges and length.
#[derive(Debug)]
struct Edges {
    first: Option<WordSet>,
    last: Option<WordSet>,
    length: (usize, usize),
}

/// Clauses of more words than this are told apart no further.
const LONG: usize = 40;

/// Patterns in the order they are tried.
#[derive(Debug, Default)]
pub(crate) struct RuleSet {
    /// Its number among the rule sets of its grammar.
    number: u8,
    rules: Vec<Rule>,
    /// Until they are linked: what the patterns ask of a clause's edges and length.
    edges: Vec<Edges>,
    /// The words that the lines of patterns begin with, where they must begin with some words.
    begin: WordSet,
    /// By word: the patterns that begin with it.
    by_first: Lists<u16>,
    /// By word: the patterns that have it somewhere.
    by_anchor: Lists<u16>,
    /// The patterns that need no word at all.
    always: Vec<u16>,
    /// By word: the patterns that can end with it, as bits.
    by_last: Lists<u64>,
    /// By word: the patterns that it can be the second word of, as bits.
    by_second: Lists<u64>,
    /// By number of words: the patterns that can have as many, as bits.
    by_length: Vec<Box<[u64]>>,
    /// By word: the needs it meets, as bits.
    needs: Lists<u64>,
    /// The patterns of each tier, as bits.
    tiers: Vec<Box<[u64]>>,
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
        });
        self.edges.push(Edges {
            first: needs.first,
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

    /// Works out the look-ups, once all patterns are there. A pattern is looked up by the words
    /// it begins with, else by those it needs that are the rarest by `weights`.
    pub(crate) fn link(&mut self, number: u8, program: &Program, weights: &[u32]) {
        self.number = number;
        let weight = |set: &&WordSet| -> u32 {
            let words = set.iter().map(usize::from);
            words.filter_map(|id| weights.get(id)).sum()
        };
        let edges = std::mem::take(&mut self.edges);
        let (mut by_first, mut by_anchor) = (Open::default(), Open::default());
        let (mut by_last, mut any_last) = (Open::default(), Vec::new());
        let (mut by_second, mut any_second) = (Open::default(), Vec::new());
        let mut by_length = vec![Vec::new(); LONG + 1];
        for ((number, rule), edges) in (0..).zip(&self.rules).zip(edges) {
            let Edges {
                first,
                last,
                length: (least, most),
            } = edges;
            let lengths = by_length.iter_mut().take(most.saturating_add(1));
            lengths
                .skip(least.min(LONG))
                .for_each(|rules| rules.push(number));
            match program.openings(rule.start) {
                Some((_, second)) => by_second.add(&second, number),
                None => any_second.push(number),
            }
            let required = rule.required.iter().filter_map(|set| program.set(*set));
            if let Some(first) = first {
                by_first.add(&first, number);
            } else if let Some(anchor) = required.min_by_key(weight) {
                by_anchor.add(anchor, number);
            } else {
                self.always.push(number);
            }
            match last {
                Some(last) => by_last.add(&last, number),
                None => any_last.push(number),
            }
        }
        self.needs = needs(&mut self.rules, program);
        self.by_first = Lists::new(by_first, &[], |rules| rules.into());
        self.by_anchor = Lists::new(by_anchor, &[], |rules| rules.into());
        let slots = self.rules.len().div_ceil(64);
        let row = |rules: &[u16]| bits(slots, rules);
        self.by_last = Lists::new(by_last, &any_last, row);
        self.by_second = Lists::new(by_second, &any_second, row);
        self.by_length = by_length.iter().map(|rules| row(rules)).collect();
        let tier = |tier: Tier| {
            let rules = (0..).zip(&self.rules);
            let rules = rules.filter(|(_, rule)| tier.admits(rule.head));
            let rules: Vec<u16> = rules.map(|(number, _)| number).collect();
            bits(slots, &rules)
        };
        self.tiers = Tier::ALL.into_iter().map(tier).collect();
    }

    /// Whether some line of patterns begins with `id`.
    pub(crate) fn begins(&self, id: WordId) -> bool {
        self.begin.contains(id)
    }

    /// The first pattern of `tier` that fits all of `range`.
    pub(crate) fn find(
        &self,
        grammar: &Grammar,
        matcher: &mut Matcher,
        line: Line<'_>,
        range: Range<usize>,
        tier: Tier,
    ) -> Option<Match> {
        let words = line.words.get(range.clone())?;
        let mut marks = std::mem::take(&mut matcher.marks);
        let of = Some((self.number, range.clone()));
        if marks.of != of {
            if !marks.body.serves(self.number, &range) {
                self.survey(&mut marks.body, words);
                marks.body.of.clone_from(&of);
            }
            self.mark(&mut marks, words);
            marks.of = of;
        }
        let fits = |at: usize| {
            let rule = self.rules.get(at)?;
            let possible = rule.needs.iter().all(|need| has(&marks.body.met, *need))
                && matcher.has_all(grammar, words, &rule.required);
            let range = range.clone();
            let end =
                possible.then(|| matcher.fit(grammar, line, rule.start, range, Finish::There));
            end.flatten().map(|_| rule.head)
        };
        let tier = self.tiers.get(tier as usize)?;
        let wanted = marks.rules.iter().zip(tier);
        let wanted = wanted.map(|(marked, admitted)| marked & admitted);
        let head = numbers(wanted).find_map(fits);
        matcher.marks = marks;
        head.map(|head| Match {
            head,
            captures: matcher.captures(),
        })
    }

    /// Marks the patterns that have a word of theirs among `words` and can begin and end as
    /// these do.
    fn mark(&self, marks: &mut Marks, words: &[Word]) {
        marks.rules.clear();
        let (Some(first), Some(last)) = (words.first(), words.last()) else {
            return;
        };
        marks.rules.extend_from_slice(&marks.body.rules);
        mark(&mut marks.rules, self.by_first.of(first.id));
        keep(&mut marks.rules, self.by_last.of(last.id));
        if let Some(length) = self.by_length.get(words.len().min(LONG)) {
            keep(&mut marks.rules, length);
        }
        if let Some(second) = words.get(1) {
            keep(&mut marks.rules, self.by_second.of(second.id));
        }
    }

    /// Works out what `words` tell wherever they stand.
    fn survey(&self, body: &mut Body, words: &[Word]) {
        body.rules.clear();
        body.rules.resize(self.rules.len().div_ceil(64), 0);
        body.met.clear();
        body.met.resize(self.needs.of(UNKNOWN).len(), 0);
        mark(&mut body.rules, &self.always);
        for word in words.iter().filter(|word| word.id != UNKNOWN) {
            mark(&mut body.rules, self.by_anchor.of(word.id));
            if let Some(needs) = self.needs.own(word.id) {
                for (met, more) in body.met.iter_mut().zip(needs) {
                    *met |= more;
                }
            }
        }
    }
}

/// Takes those out of `wanted` that are not in `these`.
fn keep(wanted: &mut [u64], these: &[u64]) {
    for (wanted, these) in wanted.iter_mut().zip(these) {
        *wanted &= these;
    }
}

/// Gives each set that some pattern requires a place; for each word, the places of its sets.
fn needs(rules: &mut [Rule], program: &Program) -> Lists<u64> {
    let mut places: HashMap<u32, u16, WordHash> = HashMap::default();
    let mut open = Open::default();
    for rule in rules {
        let mut sets = rule.required.to_vec();
        // The rarest first: it decides most often.
        sets.sort_by_key(|set| program.set(*set).map_or(0, WordSet::len));
        let place = |set: &u32| {
            let next = u16::try_from(places.len()).unwrap_or_default();
            *places.entry(*set).or_insert_with(|| {
                if let Some(set) = program.set(*set) {
                    open.add(set, next);
                }
                next
            })
        };
        rule.needs = sets.iter().map(place).collect();
    }
    let slots = places.len().div_ceil(64);
    Lists::new(open, &[], |needs| bits(slots, needs))
}

/// Whether bit `number` is set.
fn has(bits: &[u64], number: u16) -> bool {
    let number = usize::from(number);
    bits.get(number / 64)
        .is_some_and(|bits| bits >> (number % 64) & 1 == 1)
}

/// Puts `rules` into `wanted`.
fn mark(wanted: &mut [u64], rules: &[u16]) {
    for rule in rules {
        let number = usize::from(*rule);
        if let Some(bits) = wanted.get_mut(number / 64) {
            *bits |= 1 << (number % 64);
        }
    }
}

/// `rules` as bits.
fn bits(slots: usize, rules: &[u16]) -> Box<[u64]> {
    let mut bits = vec![0; slots];
    mark(&mut bits, rules);
    bits.into()
}

/// The numbers in `bits`, in ascending order.
fn numbers(bits: impl Iterator<Item = u64>) -> impl Iterator<Item = usize> {
    bits.enumerate()
        .flat_map(|(slot, bits)| ones(bits).map(move |bit| slot * 64 + bit))
}

/// For each word a list of patterns, while it is made.
#[derive(Debug, Default)]
struct Open(Vec<Vec<u16>>);

impl Open {
    fn add(&mut self, words: &WordSet, rule: u16) {
        for id in words.iter() {
            let place = usize::from(id);
            if self.0.len() <= place {
                self.0.resize_with(place + 1, Vec::new);
            }
            if let Some(rules) = self.0.get_mut(place) {
                rules.push(rule);
            }
        }
    }
}

/// For each word a list of patterns, as numbers or as bits; words with the same list share it.
#[derive(Debug)]
struct Lists<T> {
    list_of: Vec<u16>,
    /// The first is for words that have none of their own.
    lists: Vec<Box<[T]>>,
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
    /// The lists in `open`, each together with the patterns in `always`.
    fn new(open: Open, always: &[u16], form: impl Fn(&[u16]) -> Box<[T]>) -> Self {
        let mut lists = vec![form(always)];
        let mut known: HashMap<Vec<u16>, u16, WordHash> = HashMap::default();
        known.insert(Vec::new(), 0);
        let numbered = open.0.into_iter().map(|rules| {
            let next = u16::try_from(lists.len()).unwrap_or_default();
            *known.entry(rules).or_insert_with_key(|rules| {
                lists.push(form(&[rules, always].concat()));
                next
            })
        });
        Self {
            list_of: numbered.collect(),
            lists,
        }
    }

    /// The list of a word that has one of its own.
    fn own(&self, id: WordId) -> Option<&[T]> {
        let list = *self.list_of.get(usize::from(id))?;
        let list = self.lists.get(usize::from(list)).filter(|_| list > 0)?;
        Some(list)
    }

    fn of(&self, id: WordId) -> &[T] {
        let list = self.list_of.get(usize::from(id)).copied().unwrap_or(0);
        self.lists.get(usize::from(list)).map_or(&[], |list| list)
    }
}
