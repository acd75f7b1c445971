//! The user's message: does it ask for talk, about tasks, or for nothing?

use std::ops::Range;

use super::clause;
use super::words::{self, FoundWords, Kind};
use crate::domain::Lang;
use crate::domain::text::Text;

/// A message of more words than these is told of something, unless it orders or asks for data.
const SHORT: usize = 5;

/// Number of words at the start of a message among which it may begin to ask for talk, where it
/// also names what is on the list.
const OPENING: usize = 3;

/// Tells whether a message asks for talk: for knowledge, advice, ideas or comfort.
pub fn asks_for_talk(message: &str) -> bool {
    let text = Text::new(message);
    let tokens = 0..text.tokens.len();
    if tokens.is_empty() {
        return false;
    }
    if asks_of_own(&text) {
        return false;
    }
    let found = FoundWords::new(&text, language(&text, tokens.clone()).unwrap_or_default());
    let first = |kind| tokens.clone().find(|at| found.is(kind, *at));
    let is_word = |at: &usize| text.word(*at).chars().any(char::is_alphanumeric);
    let long = tokens.clone().filter(is_word).count() > SHORT;
    match (first(Kind::Talk), first(Kind::Data)) {
        (Some(talk), Some(data)) => talk <= data && talk < OPENING,
        (talk, None) => talk.is_some() || long || message.trim_end().ends_with('?'),
        (None, Some(_)) => false,
    }
}

/// Words of a question about the list.
const LISTED: [Kind; 7] = [
    Kind::It,
    Kind::List,
    Kind::Domain,
    Kind::State,
    Kind::Stands,
    Kind::Time,
    Kind::First,
];

/// Opening that a message gives a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opening {
    /// Asks for talk.
    Talk,
    /// Tells of something.
    Tale,
    /// Orders, asks how the list stands, or says too little to tell.
    Other,
}

/// Tells how a message opens a turn.
pub(super) fn opening(message: &str) -> Opening {
    let text = Text::new(message);
    let tokens = 0..text.tokens.len();
    let found = FoundWords::new(&text, language(&text, tokens.clone()).unwrap_or_default());
    let first = |kind| tokens.clone().find(|at| found.is(kind, *at));
    let words = tokens
        .clone()
        .filter(|at| text.word(*at).chars().any(char::is_alphanumeric));
    let words = words.count();
    let goes_on = joins(&found, 0) && words <= ELLIPSIS;
    let start = tokens.clone().find(|at| !joins(&found, *at));
    let asks = start.is_some_and(|at| asks_at(&found, at));
    let ours = |at: usize| {
        LISTED.iter().any(|kind| found.is(*kind, at))
            || found.is(Kind::Me, at)
                && [at.wrapping_sub(1), at + 1]
                    .iter()
                    .any(|at| found.is(Kind::Be, *at) || found.is(Kind::Past, *at))
    };
    let asks = asks && !tokens.clone().any(ours);
    match (first(Kind::Talk), first(Kind::Data)) {
        _ if goes_on || asks_of_own(&text) => Opening::Other,
        (Some(talk), Some(data)) if talk <= data && talk < OPENING => Opening::Talk,
        (_, Some(_)) => Opening::Other,
        (Some(_), None) => Opening::Talk,
        (None, None) if asks || first(Kind::Ideas).is_some() => Opening::Talk,
        (None, None) if message.trim_end().ends_with('?') => Opening::Talk,
        (None, None) if words > BARE => Opening::Tale,
        (None, None) => Opening::Other,
    }
}

/// A message of no more words than these says too little to tell what it is about.
const BARE: usize = 2;

/// Tells whether a message asks which task goes before the others, or how the list stands.
pub fn asks_about_tasks(message: &str) -> bool {
    let text = Text::new(message);
    let tokens = 0..text.tokens.len();
    let found = FoundWords::new(&text, language(&text, tokens.clone()).unwrap_or_default());
    tokens.into_iter().any(|at| found.is(Kind::First, at))
}

/// Tells whether a reply asks what exactly is wanted, and not for something besides.
pub fn asks_for_details(reply: &str) -> bool {
    let text = Text::new(reply);
    let tokens = 0..text.tokens.len();
    let found = FoundWords::new(&text, language(&text, tokens.clone()).unwrap_or_default());
    let has = |kind| tokens.clone().any(|at| found.is(kind, at));
    (has(Kind::Wanted) || has(Kind::Either)) && !has(Kind::Besides)
}

/// Words of a message that is about tasks, about somebody who talks here, or about these days.
const OURS: [Kind; 11] = [
    Kind::Stands,
    Kind::Me,
    Kind::You,
    Kind::List,
    Kind::Domain,
    Kind::State,
    Kind::Effect,
    Kind::Change,
    Kind::Service,
    Kind::Time,
    Kind::First,
];

/// Tells whether a message is a question by its mark or its first word.
pub(super) fn is_question(message: &str) -> bool {
    let text = Text::new(message);
    let tokens = 0..text.tokens.len();
    let found = FoundWords::new(&text, language(&text, tokens).unwrap_or_default());
    message.trim_end().ends_with('?') || asks_at(&found, 0)
}

fn asks_at(found: &FoundWords, at: usize) -> bool {
    found.is(Kind::Asks, at) && !found.is(Kind::Wishes, at)
}

/// Tells whether a message points at something spoken of before: "what time was it?"
pub(super) fn points(text: &Text<'_>) -> bool {
    let tokens = 0..text.tokens.len();
    let found = FoundWords::new(text, language(text, tokens.clone()).unwrap_or_default());
    tokens
        .into_iter()
        .any(|at| found.is(Kind::It, at) && !found.is(Kind::The, at) && !found.is(Kind::Vague, at))
}

/// Tells whether words are nothing but answers, numbers of things and words of grammar: "no, both".
pub(in crate::guard) fn names_nothing(words: &str) -> bool {
    const KINDS: [Kind; 5] = [
        Kind::Read,
        Kind::Small,
        Kind::Assent,
        Kind::Answers,
        Kind::Number,
    ];
    let text = Text::new(words);
    let is_word = |at: &usize| text.word(*at).chars().any(char::is_alphanumeric);
    let empty = |at| KINDS.iter().any(|kind| words::says(*kind, text.word(at)));
    let mut words = (0..text.tokens.len()).filter(is_word).peekable();
    words.peek().is_some() && words.all(empty)
}

/// Goes on with what was said before, and does not ask: "who" joins behind something alone.
fn joins(found: &FoundWords, at: usize) -> bool {
    found.is(Kind::Joint, at) && !found.is(Kind::Wanted, at)
}

/// "did i", "what am i": asks what the user did or has.
fn asks_of_own(text: &Text<'_>) -> bool {
    let be = |at: usize| matches!(text.word(at), "am" | "did" | "have" | "was");
    (0..2).any(|at| be(at) && text.word(at + 1) == "i")
}

/// The most words of a question that goes on with the one before it: "and France?".
const ELLIPSIS: usize = 4;

/// Tells whether a message asks about the world, and neither about tasks nor about anybody here.
pub(super) fn asks_about_the_world(message: &str) -> bool {
    let text = Text::new(message);
    let tokens = 0..text.tokens.len();
    let found = FoundWords::new(&text, language(&text, tokens.clone()).unwrap_or_default());
    let ours = |at: usize| OURS.iter().any(|kind| found.is(*kind, at));
    let start = tokens.clone().find(|at| !joins(&found, *at));
    let asks = start.is_some_and(|at| asks_at(&found, at));
    if !(asks || message.trim_end().ends_with('?')) || tokens.clone().any(ours) {
        return false;
    }
    let words = tokens.filter(|at| text.word(*at).chars().any(char::is_alphanumeric));
    asks || start.is_some_and(|at| at > 0) && words.count() <= ELLIPSIS
}

/// Tells whether a message is nothing but a pleasantry.
pub(super) fn is_idle(message: &str) -> bool {
    is_all(message, Kind::Pleasant)
}

/// Tells whether a message says no more than that something was heard: "cool", "sounds good".
pub(in crate::guard) fn only_hears(message: &str) -> bool {
    is_all(message, Kind::Heard)
}

fn is_all(message: &str, kind: Kind) -> bool {
    let text = Text::new(message);
    Lang::ALL.into_iter().any(|language| {
        let found = FoundWords::new(&text, language);
        clause::all(&text, &found, kind, 0..text.tokens.len())
    })
}

/// The language that the words of a range belong to; at least one in eight must.
pub(super) fn language(text: &Text<'_>, range: Range<usize>) -> Option<Lang> {
    let counts = Lang::ALL.map(|lang| (lang, words::read_by(text, range.clone(), lang)));
    // Of equal counts the first language wins.
    let all = counts.into_iter().rev();
    let (best, count) = all.max_by_key(|(_, count)| *count)?;
    let foreign = |at: usize| !text.slice(at..at + 1).is_ascii() && !text.word(at).contains('\'');
    // English writes next to no word with marks.
    let english = best != Lang::En || count > 1 || !range.clone().any(foreign);
    (count > 0 && count * 8 >= range.len() && english).then_some(best)
}
