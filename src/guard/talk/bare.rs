//! Bare answers: names and numbers, for who asked about the world.

use std::ops::Range;

use super::answer::has;
use super::words::{self, Kind};
use crate::domain::text::{Kind as TokenKind, Text};

/// The most tokens of a bare answer.
const LONGEST: usize = 12;

/// Words that may tell something of a task, of a deed or of the assistant, in whatever language.
const TOLD: [Kind; 18] = [
    Kind::Me,
    Kind::List,
    Kind::Domain,
    Kind::Machine,
    Kind::State,
    Kind::Stands,
    Kind::Effect,
    Kind::Did,
    Kind::Change,
    Kind::Claim,
    Kind::Promptly,
    Kind::Service,
    Kind::Time,
    Kind::Already,
    Kind::Presumes,
    Kind::Pleasant,
    Kind::Assent,
    Kind::Succeeds,
];

/// The fewest parts of an enumeration, and the most words of each.
const PARTS: usize = 3;
const PART: usize = 5;

/// Tells whether a range names things one behind the other and tells nothing of them: "rice, peas and
/// saffron", in whatever language.
pub(super) fn enumerates(
    text: &Text<'_>,
    range: &Range<usize>,
    is_any: impl Fn(&[Kind], usize) -> bool,
) -> bool {
    let told = |at: usize| is_any(&TOLD, at);
    let tokens: Vec<&str> = range.clone().map(|at| text.word(at)).collect();
    let ends = |word: &str| matches!(word, "." | "!" | "…");
    let short = |part: &[&str]| {
        let mut words = part.iter().filter(|word| !ends(word));
        let plain = words
            .clone()
            .all(|word| word.chars().all(char::is_alphabetic));
        plain && words.next().is_some() && part.len() <= PART
    };
    let mut parts = tokens.split(|word| *word == ",");
    let few = parts.clone().count() < PARTS;
    !few && parts.all(short) && !range.clone().any(told)
}

/// Signs of sums and of names.
const SIGNS: [&str; 14] = [
    ".", ",", "!", "-", "+", "=", "*", "/", "×", "÷", "%", "°", "(", ")",
];

/// Tells whether a range holds names, numbers and what the user said, and nothing else.
pub(super) fn answers(
    text: &Text<'_>,
    range: &Range<usize>,
    said: &[bool],
    is_any: impl Fn(&[Kind], usize) -> bool,
) -> bool {
    let tells = |at: usize| {
        let article = matches!(text.word(at), "the" | "a" | "an" | "de" | "in" | "is");
        let ours = || is_any(&TOLD, at) || is_any(&[Kind::You, Kind::It], at);
        !article && ours() || text.word(at).ends_with("ed")
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
