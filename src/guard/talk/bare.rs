//! Bare answers: names and numbers, for who asked about the world.

use std::ops::Range;

use super::answer::has;
use super::words::{self, FoundWords, Kind};
use crate::domain::text::{Kind as TokenKind, Text};

/// The most tokens of a bare answer.
const LONGEST: usize = 12;

/// Words that may say something of a task, of a deed or of somebody here, in whatever language.
const OURS: [Kind; 19] = [
    Kind::Me,
    Kind::You,
    Kind::It,
    Kind::List,
    Kind::Domain,
    Kind::Machine,
    Kind::State,
    Kind::Stands,
    Kind::Effect,
    Kind::Did,
    Kind::Change,
    Kind::Claim,
    Kind::Service,
    Kind::Time,
    Kind::Already,
    Kind::Presumes,
    Kind::Pleasant,
    Kind::Assent,
    Kind::Succeeds,
];

/// Signs of sums and of names.
const SIGNS: [&str; 14] = [
    ".", ",", "!", "-", "+", "=", "*", "/", "×", "÷", "%", "°", "(", ")",
];

/// Tells whether a range holds names, numbers and what the user said, and nothing else.
pub(super) fn answers<'f, I: Iterator<Item = &'f FoundWords>>(
    text: &Text<'_>,
    range: &Range<usize>,
    said: &[bool],
    found: impl Fn() -> I,
) -> bool {
    let tells = |at: usize| {
        let article = matches!(text.word(at), "the" | "a" | "an" | "de" | "in" | "is");
        !article && found().any(|found| found.is_any(&OURS, at)) || text.word(at).ends_with("ed")
    };
    let plain = |at: usize| {
        let token = text.tokens.get(at);
        let word = text.word(at);
        let raw = text.slice(at..at + 1);
        let name = raw.starts_with(char::is_uppercase);
        let number = raw.chars().all(|c| c.is_ascii_digit());
        let known = has(said, at) || words::says(Kind::Joins, word);
        match token.map(|token| token.kind) {
            Some(TokenKind::Word) => name || number || known && !word.is_empty(),
            Some(_) => number || SIGNS.contains(&word),
            None => false,
        }
    };
    let own = |at: usize| has(said, at);
    let new = |at: usize| {
        let raw = text.slice(at..at + 1);
        !own(at) && raw.starts_with(|c: char| c.is_uppercase() || c.is_ascii_digit())
    };
    range.len() <= LONGEST
        && range.clone().any(new)
        && range.clone().all(|at| plain(at) && (own(at) || !tells(at)))
}
