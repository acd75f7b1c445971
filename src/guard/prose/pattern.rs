//! Sentence patterns: written as lines of words and classes, compiled once, matched on words.
//!
//! `word`, `this|that` and `CLASS` stand for one word, `?x` for one or none, `*x` for up
//! to four, `QUOTED` for a quotation. The last element may be a tail, which takes the rest
//! of the clause as long as nothing in it asserts anything: `~` a quiet phrase, `~ask`
//! what may follow in a question, `~restate` what may be put up for confirmation.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{Arc, LazyLock};

use super::forms::{self, Entry, Rule};
use super::lexicon::{CAP, DIGIT, ING, NAMES, NUM, PAST, UNKNOWN};
use super::rows::{BLOCKS, Rows, Set, bits, ones};
use super::token::Word;
use super::words::{Key, STRANGE, VOCABULARY, Vocabulary};
use super::{foreign, openings, questions, veto::Veto};

/// What tells unknown words apart.
const SHAPES: [u64; 5] = [CAP, DIGIT, NUM, PAST, ING];

fn shape(classes: u64) -> usize {
    SHAPES
        .iter()
        .enumerate()
        .filter(|(_, class)| classes & **class != 0)
        .map(|(bit, _)| 1 << bit)
        .sum()
}

/// The most words a starred element takes.
const STAR: usize = 4;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Repeat {
    One,
    Optional,
    Star,
    Quotation,
    /// A quotation or nothing.
    Quotable,
}

impl Repeat {
    fn quotes(self) -> bool {
        matches!(self, Self::Quotation | Self::Quotable)
    }
}

#[derive(Debug)]
struct Element {
    /// Which words of the vocabulary it takes.
    ids: Ids,
    /// Which words that no list knows it takes.
    classes: u64,
    repeat: Repeat,
}

impl Element {
    fn takes(&self, word: &Word) -> bool {
        if self.repeat.quotes() {
            word.quoted
        } else if word.id == STRANGE {
            word.classes & self.classes != 0
        } else {
            self.ids.has(word.id)
        }
    }
}

/// Words of the vocabulary, one bit per id from the first block on that is not empty: the words that a
/// choice spells out have ids near each other.
#[derive(Debug, Default, Clone)]
struct Ids {
    first: usize,
    blocks: Arc<[u64]>,
}

impl Ids {
    /// Of bits from id 0 on.
    fn new(bits: &[u64]) -> Self {
        let taken = |block: &u64| *block != 0;
        let first = bits.iter().position(taken).unwrap_or_default();
        let end = bits.iter().rposition(taken).map_or(first, |last| last + 1);
        Self {
            first,
            blocks: bits.get(first..end).unwrap_or_default().into(),
        }
    }

    #[inline]
    fn has(&self, id: u16) -> bool {
        let at = usize::from(id);
        let block = self.blocks.get((at / 64).wrapping_sub(self.first));
        block.is_some_and(|block| block >> (at % 64) & 1 != 0)
    }

    fn ones(&self) -> impl Iterator<Item = usize> + '_ {
        ones(&self.blocks).map(|at| self.first * 64 + at)
    }
}

fn has(bits: &[u64], at: usize) -> bool {
    bits.get(at / 64)
        .is_some_and(|block| block >> (at % 64) & 1 != 0)
}

fn enter(bits: &mut [u64], at: usize) {
    if let Some(block) = bits.get_mut(at / 64) {
        *block |= 1 << (at % 64);
    }
}

/// One line of a table.
#[derive(Debug)]
struct Pattern {
    elements: Vec<Element>,
    tail: Option<Veto>,
    /// The fewest and the most words the elements take.
    takes: (usize, usize),
    entry: Entry,
}

impl Pattern {
    /// The elements that can take the word at `place`, counted from 0.
    fn at(&self, place: usize) -> impl Iterator<Item = &Element> {
        let mut fewest = 0;
        let mut most = 0;
        self.elements.iter().filter(move |element| {
            let before = fewest;
            fewest += least(element);
            most += limit(element.repeat);
            before <= place && place < most
        })
    }
}

/// How many words of a clause are looked up before a pattern is tried on it.
const PLACES: usize = 3;

/// The longest clause whose length turns patterns away.
const LENGTHS: usize = 24;

/// A table of patterns. For each place and each word, one bit per pattern tells whether the
/// word can stand there: what is left after a few lookups is all that has to be tried.
#[derive(Debug)]
pub(super) struct Table {
    patterns: Vec<Pattern>,
    /// By place: one set per word of the vocabulary and per shape of an unknown one.
    places: [Rows; PLACES],
    /// By place, one set each: the patterns that take a quoted word there.
    quoted: Rows,
    /// By place, one set each: the patterns that may be over before it.
    over: Rows,
    /// The patterns that can take the whole of so many words.
    lengths: Rows,
    /// Where the shapes of unknown words begin.
    shapes: usize,
    /// What asks to confirm.
    confirming: Signs,
}

/// The words without one of which a clause fits none of some patterns.
#[derive(Debug, Default)]
struct Signs {
    /// Those of the vocabulary, one bit per id.
    ids: Vec<u64>,
    /// Those that no list knows.
    classes: u64,
    /// Some pattern needs no word: nothing is told.
    none: bool,
}

impl Signs {
    /// Of each pattern the element that takes the fewest words.
    fn of<'p>(patterns: impl Iterator<Item = &'p Pattern>) -> Self {
        let mut signs = Self::default();
        for pattern in patterns {
            let needed = pattern.elements.iter();
            let needed = needed.filter(|element| element.repeat == Repeat::One);
            match needed.min_by_key(|element| element.ids.ones().count()) {
                Some(element) => {
                    let end = element.ids.first + element.ids.blocks.len();
                    signs.ids.resize(end.max(signs.ids.len()), 0);
                    element.ids.ones().for_each(|id| enter(&mut signs.ids, id));
                    signs.classes |= element.classes;
                }
                None => signs.none = true,
            }
        }
        signs
    }

    fn stand_in(&self, words: &[Word]) -> bool {
        self.none
            || words.iter().any(|word| match word.id {
                STRANGE => word.classes & self.classes != 0,
                id => has(&self.ids, usize::from(id)),
            })
    }
}

impl Table {
    fn compile<'a>(rules: impl Iterator<Item = &'a Rule>, vocabulary: &Vocabulary) -> Self {
        let mut patterns = Vec::new();
        let mut sets = Sets::new(vocabulary);
        for (entry, lines) in rules {
            for line in *lines {
                for line in spelled(line) {
                    if patterns.len() < 64 * BLOCKS {
                        patterns.push(compiled(&line, *entry, &mut sets));
                    }
                }
            }
        }
        let width = patterns.len().div_ceil(64);
        let confirming = patterns.iter();
        let confirming = confirming.filter(|pattern| pattern.entry == Entry::Confirms);
        Self {
            confirming: Signs::of(confirming),
            places: std::array::from_fn(|place| placed(&patterns, place, vocabulary)),
            quoted: Rows::new(&quoted(&patterns), width),
            over: Rows::new(&over(&patterns), width),
            lengths: Rows::new(&lengths(&patterns), width),
            shapes: vocabulary.len(),
            patterns,
        }
    }

    /// The patterns that can have `word` at `place`.
    #[inline]
    fn at(&self, place: usize, word: &Word) -> Set<'_> {
        let row = if word.id == STRANGE {
            self.shapes + shape(word.classes)
        } else {
            usize::from(word.id)
        };
        let rows = self.places.get(place);
        rows.map_or(Set::default(), |rows| rows.set(row))
    }

    /// The first pattern that takes the whole of `range`.
    pub(super) fn whole(&self, words: &[Word], range: Range<usize>) -> Option<Entry> {
        let clause = words.get(range.clone()).unwrap_or_default();
        let length = self.lengths.set(clause.len().min(LENGTHS));
        let mut places = [(length, Set::default()); PLACES];
        for ((place, word), sets) in clause.iter().enumerate().zip(&mut places) {
            let quoted = word.quoted.then(|| self.quoted.set(place));
            *sets = (self.at(place, word), quoted.unwrap_or_default());
        }
        let fits = |pattern: &&Pattern| {
            pattern.could_end(words, &range) && pattern.fits(words, range.start, range.end, 0)
        };
        let pattern = self.admitted(length, places).find(fits)?;
        Some(pattern.entry)
    }

    /// Whether a part of `clause` may ask to confirm. A quick look: where the answer is no, none does.
    pub(super) fn may_confirm(&self, clause: &[Word]) -> bool {
        self.confirming.stand_in(clause)
    }

    /// The longest pattern that takes the beginning of `range`, and where it ends. For prefixes,
    /// which have no tail.
    pub(super) fn longest(&self, words: &[Word], range: Range<usize>) -> Option<(Entry, usize)> {
        let clause = words.get(range.clone())?;
        let first = self.at(0, clause.first()?);
        let mut places = [(first, Set::default()); PLACES];
        for (place, sets) in places.iter_mut().enumerate().skip(1) {
            *sets = match clause.get(place) {
                // What takes a quotation takes any word: too few are quoted for a closer look.
                Some(word) if word.quoted => continue,
                Some(word) => (self.at(place, word), self.over.set(place)),
                None => (self.over.set(place), Set::default()),
            };
        }
        self.admitted(first, places)
            .filter_map(|pattern| {
                let end = pattern.reach(words, range.start, range.end, 0)?;
                Some((pattern.entry, end))
            })
            .max_by_key(|(_, end)| *end)
    }

    /// The patterns that are in `first`, and at each place in one of the two sets.
    fn admitted(
        &self,
        first: Set<'_>,
        places: [(Set<'_>, Set<'_>); PLACES],
    ) -> impl Iterator<Item = &Pattern> {
        let [(one, or_one), (other, or_other), (third, or_third)] = places;
        let common = first.summary
            & (one.summary | or_one.summary)
            & (other.summary | or_other.summary)
            & (third.summary | or_third.summary);
        let admitted = bits(u64::from(common)).flat_map(move |number| {
            let block = first.block(number)
                & (one.block(number) | or_one.block(number))
                & (other.block(number) | or_other.block(number))
                & (third.block(number) | or_third.block(number));
            bits(block).map(move |bit| number * 64 + bit)
        });
        admitted.filter_map(|number| self.patterns.get(number))
    }
}

/// One set per word of the vocabulary and per shape of an unknown one: the patterns that can have it
/// at `place`.
fn placed(patterns: &[Pattern], place: usize, vocabulary: &Vocabulary) -> Rows {
    let shapes: Vec<u64> = (0..1 << SHAPES.len()).map(classes_of).collect();
    let words = vocabulary.len();
    let width = patterns.len().div_ceil(64);
    let row = width * 64;
    let mut rows = vec![0; (words + shapes.len()) * width];
    for (number, pattern) in patterns.iter().enumerate() {
        if pattern.tail.is_some() && place >= pattern.takes.0 {
            (0..words + shapes.len()).for_each(|at| enter(&mut rows, at * row + number));
            continue;
        }
        for element in pattern.at(place) {
            let ids = element.ids.ones();
            ids.for_each(|id| enter(&mut rows, id * row + number));
            for (shape, classes) in shapes.iter().enumerate() {
                if classes & element.classes != 0 {
                    enter(&mut rows, (words + shape) * row + number);
                }
            }
        }
    }
    Rows::new(&rows, width)
}

/// One set per place: the patterns that take a quoted word there.
fn quoted(patterns: &[Pattern]) -> Vec<u64> {
    sets(patterns, PLACES, |pattern, place| {
        let open = pattern.tail.is_some() && place >= pattern.takes.0;
        !open && pattern.at(place).any(|element| element.repeat.quotes())
    })
}

/// One set per place: the patterns that may be over before it.
fn over(patterns: &[Pattern]) -> Vec<u64> {
    sets(patterns, PLACES, |pattern, place| pattern.takes.0 <= place)
}

/// One set per length: the patterns that can take the whole of so many words.
fn lengths(patterns: &[Pattern]) -> Vec<u64> {
    sets(patterns, LENGTHS + 1, |pattern, length| {
        let (fewest, most) = pattern.takes;
        length >= fewest && (pattern.tail.is_some() || length <= most)
    })
}

/// For each of so many numbers the set of the patterns that `has` admits.
fn sets(patterns: &[Pattern], numbers: usize, has: impl Fn(&Pattern, usize) -> bool) -> Vec<u64> {
    let width = patterns.len().div_ceil(64);
    let mut sets = vec![0; numbers * width];
    for number in 0..numbers {
        for (at, _) in patterns
            .iter()
            .enumerate()
            .filter(|(_, pattern)| has(pattern, number))
        {
            enter(&mut sets, number * width * 64 + at);
        }
    }
    sets
}

/// The classes an unknown word of this shape has.
fn classes_of(shape: usize) -> u64 {
    let bits = SHAPES.iter().enumerate();
    bits.filter(|(bit, _)| shape & (1 << bit) != 0)
        .fold(UNKNOWN, |all, (_, class)| all | class)
}

impl Pattern {
    /// Turns most patterns away by their tail, before any element is looked at.
    fn could_end(&self, words: &[Word], range: &Range<usize>) -> bool {
        self.tail
            .is_none_or(|tail| tail.clear(words, range.start + self.takes.1, range.end))
    }

    /// Whether the elements from number `next` on, and the tail, take exactly `at..end`.
    fn fits(&self, words: &[Word], at: usize, end: usize, next: usize) -> bool {
        let Some(element) = self.elements.get(next) else {
            return match self.tail {
                Some(tail) => tail.clear(words, at, end),
                None => at == end,
            };
        };
        let takes = |at: usize| at < end && words.get(at).is_some_and(|word| element.takes(word));
        match element.repeat {
            Repeat::One => takes(at) && self.fits(words, at + 1, end, next + 1),
            Repeat::Optional => {
                takes(at) && self.fits(words, at + 1, end, next + 1)
                    || self.fits(words, at, end, next + 1)
            }
            Repeat::Star | Repeat::Quotation | Repeat::Quotable => {
                let most = self.most(element, words, at, end);
                (least(element)..=most)
                    .rev()
                    .any(|taken| self.fits(words, at + taken, end, next + 1))
            }
        }
    }

    /// How far the elements can reach: for prefixes, which have no tail.
    fn reach(&self, words: &[Word], at: usize, end: usize, next: usize) -> Option<usize> {
        let Some(element) = self.elements.get(next) else {
            return Some(at);
        };
        let most = self.most(element, words, at, end);
        (least(element)..=most)
            .rev()
            .find_map(|taken| self.reach(words, at + taken, end, next + 1))
    }

    /// How many words from `at` on the element could take.
    fn most(&self, element: &Element, words: &[Word], at: usize, end: usize) -> usize {
        words
            .get(at..end)
            .unwrap_or_default()
            .iter()
            .take(limit(element.repeat))
            .take_while(|word| element.takes(word))
            .count()
    }
}

fn compiled(line: &str, entry: Entry, sets: &mut Sets) -> Pattern {
    let mut elements = Vec::new();
    let mut tail = None;
    for part in line.split_whitespace() {
        match Veto::named(part) {
            Some(veto) => tail = Some(veto),
            None => elements.push(sets.element(part)),
        }
    }
    Pattern {
        takes: (
            elements.iter().map(least).sum(),
            elements.iter().map(|element| limit(element.repeat)).sum(),
        ),
        elements,
        tail,
        entry,
    }
}

/// `IAM` is one word or two.
fn spelled(line: &str) -> Vec<String> {
    if line.contains("IAM") {
        vec![line.replace("IAM", "i'm|im"), line.replace("IAM", "i am")]
    } else {
        vec![line.to_owned()]
    }
}

fn limit(repeat: Repeat) -> usize {
    match repeat {
        Repeat::One | Repeat::Optional => 1,
        Repeat::Star => STAR,
        Repeat::Quotation | Repeat::Quotable => 24,
    }
}

fn least(element: &Element) -> usize {
    match element.repeat {
        Repeat::One | Repeat::Quotation => 1,
        Repeat::Optional | Repeat::Star | Repeat::Quotable => 0,
    }
}

/// The words each choice stands for, found once however often it is written.
struct Sets<'a> {
    vocabulary: &'a Vocabulary,
    /// The words of each class.
    classes: Vec<Vec<u64>>,
    known: HashMap<String, (Ids, u64)>,
}

impl<'a> Sets<'a> {
    fn new(vocabulary: &'a Vocabulary) -> Self {
        let width = vocabulary.len().div_ceil(64);
        let mut classes = vec![vec![0; width]; 64];
        // Unknown words, whose id is the first, are told by their shape alone.
        for id in 1..vocabulary.len() {
            let known = u16::try_from(id).map_or(0, |id| vocabulary.classes(id));
            for class in ones(&[known]) {
                if let Some(set) = classes.get_mut(class) {
                    enter(set, id);
                }
            }
        }
        Self {
            vocabulary,
            classes,
            known: HashMap::new(),
        }
    }

    fn element(&mut self, part: &str) -> Element {
        let (repeat, choices) = repeat(part);
        if !self.known.contains_key(choices) {
            let set = self.set(choices);
            self.known.insert(choices.to_owned(), set);
        }
        let (ids, classes) = self.known.get(choices).cloned().unwrap_or_default();
        Element {
            ids,
            classes,
            repeat,
        }
    }

    fn set(&self, choices: &str) -> (Ids, u64) {
        let mut ids = vec![0; self.vocabulary.len().div_ceil(64)];
        let mut classes = 0;
        for choice in choices.split('|') {
            if let Some((_, class)) = NAMES.iter().find(|(name, _)| *name == choice) {
                classes |= class;
            } else if choice == "ANYWORD" {
                classes |= UNKNOWN;
            } else if let Some(key) = Key::of(choice) {
                enter(&mut ids, usize::from(self.vocabulary.id(key)));
            }
        }
        for class in ones(&[classes]) {
            let set = self.classes.get(class).map_or(&[][..], Vec::as_slice);
            ids.iter_mut().zip(set).for_each(|(ids, set)| *ids |= set);
        }
        // Unknown words are told by their classes alone.
        if let Some(block) = ids.first_mut() {
            *block &= !1;
        }
        (Ids::new(&ids), classes)
    }
}

fn repeat(part: &str) -> (Repeat, &str) {
    match part.as_bytes().first() {
        _ if part == "?QUOTED" => (Repeat::Quotable, ""),
        Some(b'?') => (Repeat::Optional, part.get(1..).unwrap_or_default()),
        Some(b'*') => (Repeat::Star, part.get(1..).unwrap_or_default()),
        _ if part == "QUOTED" => (Repeat::Quotation, ""),
        _ => (Repeat::One, part),
    }
}

/// Every word the patterns spell out.
pub(super) fn literals() -> impl Iterator<Item = &'static str> {
    forms::FORMS
        .iter()
        .chain(openings::PREFIXES)
        .chain(questions::QUESTIONS)
        .chain(foreign::PHRASES)
        .flat_map(|(_, lines)| lines.iter())
        .flat_map(|line| line.split_whitespace())
        .filter(|part| Veto::named(part).is_none())
        .flat_map(|part| repeat(part).1.split('|'))
        .filter(|choice| {
            !choice.is_empty() && !choice.starts_with(|c: char| c.is_ascii_uppercase())
        })
}

/// What may stand as a clause of its own.
pub(super) static FORMS: LazyLock<Table> =
    LazyLock::new(|| Table::compile(forms::FORMS.iter().chain(foreign::PHRASES), &VOCABULARY));

/// What may stand as a clause of its own when the sentence ends in a question mark.
pub(super) static QUESTIONS: LazyLock<Table> =
    LazyLock::new(|| Table::compile(questions::QUESTIONS.iter(), &VOCABULARY));

/// What may stand before any clause.
pub(super) static PREFIXES: LazyLock<Table> =
    LazyLock::new(|| Table::compile(openings::PREFIXES.iter(), &VOCABULARY));
