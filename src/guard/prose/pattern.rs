//! Sentence patterns: written as lines of words and classes, compiled once, matched on words.
//!
//! `word`, `this|that` and `CLASS` stand for one word, `?x` for one or none, `*x` for up
//! to four, `QUOTED` for a quotation. The last element may be a tail, which takes the rest
//! of the clause as long as nothing in it asserts anything: `~` a quiet phrase, `~ask`
//! what may follow in a question, `~restate` what may be put up for confirmation.

use std::ops::Range;
use std::sync::LazyLock;

use super::forms::{self, Entry, Rule};
use super::lexicon::{CAP, DIGIT, ING, NAMES, NUM, PAST, UNKNOWN};
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
}

#[derive(Debug)]
struct Element {
    ids: Vec<u16>,
    /// One bit per id modulo 64: most words are turned away by it.
    sieve: u64,
    classes: u64,
    repeat: Repeat,
}

impl Element {
    fn takes(&self, word: &Word) -> bool {
        word.classes & self.classes != 0
            || (self.sieve >> (word.id & 63) & 1 != 0 && self.ids.contains(&word.id))
    }
}

/// One line of a table.
#[derive(Debug)]
struct Pattern {
    elements: Vec<Element>,
    tail: Option<Veto>,
    /// The fewest and the most words the elements take.
    takes: (usize, usize),
    /// What the second word may be, as a sieve of ids and as classes; `None` is anything.
    second: Option<(u64, u64)>,
    entry: Entry,
}

/// A table of patterns, indexed by the words they can start with.
#[derive(Debug)]
pub(super) struct Table {
    patterns: Vec<Pattern>,
    by_id: Vec<Vec<u16>>,
    by_shape: Vec<Vec<u16>>,
    quoted: Vec<u16>,
}

impl Table {
    fn compile<'a>(rules: impl Iterator<Item = &'a Rule>, vocabulary: &Vocabulary) -> Self {
        let mut table = Self {
            patterns: Vec::new(),
            by_id: vec![Vec::new(); vocabulary.len()],
            by_shape: vec![Vec::new(); 1 << SHAPES.len()],
            quoted: Vec::new(),
        };
        for (entry, lines) in rules {
            for line in *lines {
                for line in spelled(line) {
                    table.push(&line, *entry, vocabulary);
                }
            }
        }
        table
    }

    fn push(&mut self, line: &str, entry: Entry, vocabulary: &Vocabulary) {
        let Ok(number) = u16::try_from(self.patterns.len()) else {
            return;
        };
        let mut elements = Vec::new();
        let mut tail = None;
        for part in line.split_whitespace() {
            match Veto::named(part) {
                Some(veto) => tail = Some(veto),
                None => elements.push(element(part, vocabulary)),
            }
        }
        for first in &elements {
            self.index(first, number, vocabulary);
            if matches!(first.repeat, Repeat::One | Repeat::Quotation) {
                break;
            }
        }
        let most = |element: &Element| limit(element.repeat);
        self.patterns.push(Pattern {
            takes: (
                elements.iter().map(least).sum(),
                elements.iter().map(most).sum(),
            ),
            second: second(&elements),
            elements,
            tail,
            entry,
        });
    }

    fn index(&mut self, first: &Element, number: u16, vocabulary: &Vocabulary) {
        let enter = |list: &mut Vec<u16>| {
            if list.last() != Some(&number) {
                list.push(number);
            }
        };
        if first.repeat == Repeat::Quotation {
            return enter(&mut self.quoted);
        }
        for (id, list) in self.by_id.iter_mut().enumerate().skip(1) {
            let id = u16::try_from(id).unwrap_or(STRANGE);
            if vocabulary.classes(id) & first.classes != 0 || first.ids.contains(&id) {
                enter(list);
            }
        }
        for (shape, list) in self.by_shape.iter_mut().enumerate() {
            if first.classes
                & SHAPES
                    .iter()
                    .enumerate()
                    .fold(UNKNOWN, |all, (bit, class)| {
                        if shape & (1 << bit) != 0 {
                            all | class
                        } else {
                            all
                        }
                    })
                != 0
            {
                enter(list);
            }
        }
    }

    fn starting(&self, words: &[Word], at: usize) -> impl Iterator<Item = &Pattern> {
        let word = words.get(at);
        let list = match word {
            Some(word) if word.id != STRANGE => self.by_id.get(usize::from(word.id)),
            Some(word) => self.by_shape.get(shape(word.classes)),
            None => None,
        };
        let quoted = word.filter(|word| word.quoted).map(|_| &self.quoted);
        list.into_iter()
            .chain(quoted)
            .flatten()
            .filter_map(|number| self.patterns.get(usize::from(*number)))
    }

    /// The first pattern that takes the whole of `range`.
    pub(super) fn whole(&self, words: &[Word], range: Range<usize>) -> Option<Entry> {
        self.starting(words, range.start)
            .find(|pattern| {
                pattern.could_fit(words, &range) && pattern.fits(words, range.start, range.end, 0)
            })
            .map(|pattern| pattern.entry)
    }

    /// The longest pattern that takes the beginning of `range`, and where it ends.
    pub(super) fn longest(&self, words: &[Word], range: Range<usize>) -> Option<(Entry, usize)> {
        self.starting(words, range.start)
            .filter_map(|pattern| {
                let end = pattern.reach(words, range.start, range.end, 0)?;
                Some((pattern.entry, end))
            })
            .max_by_key(|(_, end)| *end)
    }
}

impl Pattern {
    /// Turns most patterns away by length and tail, before any element is looked at.
    fn could_fit(&self, words: &[Word], range: &Range<usize>) -> bool {
        let (fewest, most) = self.takes;
        let next = words.get(range.start + 1).filter(|_| range.len() > 1);
        let follows = match (self.second, next) {
            (Some((sieve, classes)), Some(word)) => {
                word.classes & classes != 0 || sieve >> (word.id & 63) & 1 != 0
            }
            _ => true,
        };
        follows
            && range.len() >= fewest
            && match self.tail {
                Some(tail) => tail.clear(words, range.start + most, range.end),
                None => range.len() <= most,
            }
    }

    /// Whether the elements from number `next` on, and the tail, take exactly `at..end`.
    fn fits(&self, words: &[Word], at: usize, end: usize, next: usize) -> bool {
        let Some(element) = self.elements.get(next) else {
            return match self.tail {
                Some(tail) => tail.clear(words, at, end),
                None => at == end,
            };
        };
        let most = self.most(element, words, at, end);
        let least = least(element);
        (least..=most)
            .rev()
            .any(|taken| self.fits(words, at + taken, end, next + 1))
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
            .take_while(|word| {
                if element.repeat == Repeat::Quotation {
                    word.quoted
                } else {
                    element.takes(word)
                }
            })
            .count()
    }
}

/// What the word after the first can be, when the first element is one word.
fn second(elements: &[Element]) -> Option<(u64, u64)> {
    let (first, rest) = elements.split_first()?;
    if first.repeat != Repeat::One {
        return None;
    }
    let mut sieve = 0;
    let mut classes = 0;
    for element in rest {
        sieve |= element.sieve;
        classes |= element.classes;
        match element.repeat {
            Repeat::One => return Some((sieve, classes)),
            Repeat::Quotation => return None,
            Repeat::Optional | Repeat::Star => {}
        }
    }
    None
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
        Repeat::Quotation => 24,
    }
}

fn least(element: &Element) -> usize {
    match element.repeat {
        Repeat::One | Repeat::Quotation => 1,
        Repeat::Optional | Repeat::Star => 0,
    }
}

fn element(part: &str, vocabulary: &Vocabulary) -> Element {
    let (repeat, rest) = repeat(part);
    let mut element = Element {
        ids: Vec::new(),
        sieve: 0,
        classes: 0,
        repeat,
    };
    for choice in rest.split('|') {
        if let Some((_, class)) = NAMES.iter().find(|(name, _)| *name == choice) {
            element.classes |= class;
        } else if choice == "ANYWORD" {
            element.classes |= UNKNOWN;
        } else if let Some(key) = Key::of(choice) {
            let id = vocabulary.id(key);
            element.ids.push(id);
            element.sieve |= 1 << (id & 63);
        }
    }
    element
}

fn repeat(part: &str) -> (Repeat, &str) {
    match part.as_bytes().first() {
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
