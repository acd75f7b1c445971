//! The words of a question, sorted into tasks, days, numbers and classes.

use std::ops::Range;

use chrono::NaiveDate;

use super::super::records::{Records, Subject};
use super::super::words::{Class, Phrases, longest};
use super::{Hit, Sorted};
use crate::domain::Lang;
use crate::domain::text::Text;
use crate::resolver::is_soft;
use crate::temporal;

/// Sorts the words of a question by their classes.
pub(super) fn sort(
    text: &Text<'_>,
    phrases: &Phrases,
    records: &Records<'_>,
    known: &[crate::guard::evidence::Named],
    today: NaiveDate,
    lang: Lang,
) -> Sorted {
    let count = text.tokens.len();
    let mut read = vec![false; count];
    let mut sorted = Sorted::default();
    let scan = temporal::scan(text, today, lang);
    let dated = |at: &usize| scan.dates.iter().any(|found| found.core.contains(at));
    // "friday" names no *Friday plan*.
    let known = known
        .iter()
        .filter(|named| named.whole || !named.tokens.iter().all(dated));
    for (subject, tokens) in records.named(text, known, |token| is_class(text, phrases, token)) {
        sorted.own_verb |= own_verb(text, &subject, &tokens);
        let first = tokens.first().copied().unwrap_or_default();
        let last = tokens.last().copied().unwrap_or_default();
        // An article or a preposition within a name belongs to it.
        let inside = |at: &usize| tokens.contains(at) || is_soft(text.word(*at));
        mark(&mut read, (first..last + 1).filter(inside));
        sorted.subjects.push((subject, first));
    }
    sorted.subjects.sort_by_key(|(_, at)| *at);
    for found in scan.dates {
        if !read_any(&read, &found.core) {
            let at = found.core.start;
            mark(&mut read, found.tokens.clone());
            sorted.dates.push((found, at));
        }
    }
    let numbers = temporal::numbers_told(text, lang);
    sort_words(text, phrases, &numbers, &read, &mut sorted);
    sorted
}

/// Notes that these tokens are read.
fn mark(read: &mut [bool], tokens: impl Iterator<Item = usize>) {
    for at in tokens {
        if let Some(known) = read.get_mut(at) {
            *known = true;
        }
    }
}

fn read_any(read: &[bool], tokens: &Range<usize>) -> bool {
    let mut tokens = tokens.clone();
    tokens.any(|at| read.get(at).copied().unwrap_or_default())
}

fn is_class(text: &Text<'_>, phrases: &Phrases, at: usize) -> bool {
    longest(phrases, &[text.spelt(at)], 1).is_some()
}

/// Tells whether a name is said with another form of the title's verb: "called mom" for *Call mom*.
fn own_verb(text: &Text<'_>, subject: &Subject, tokens: &[usize]) -> bool {
    let title = Text::new(&subject.name);
    let verb = title.word(0);
    let said = |word: &str| tokens.iter().any(|at| text.word(*at) == word);
    subject.whole && title.tokens.len() > 1 && !said(verb) && tokens.len() >= title.tokens.len()
}

/// Sorts the words that are neither title nor date.
fn sort_words(
    text: &Text<'_>,
    phrases: &Phrases,
    numbers: &[(usize, usize)],
    read: &[bool],
    sorted: &mut Sorted,
) {
    let free: Vec<usize> = (0..text.tokens.len())
        .filter(|at| text.is_word(*at) && !read.get(*at).copied().unwrap_or_default())
        .collect();
    let mut next = 0;
    while let Some(at) = free.get(next).copied() {
        // A phrase goes over signs ("as-tu"), and not over a name.
        let run: Vec<&str> = free
            .iter()
            .skip(next)
            .zip(at..)
            .scan(at, |last, (token, _)| {
                let joined = (*last + 1..*token).all(|between| !text.is_word(between));
                *last = *token;
                joined.then(|| text.spelt(*token))
            })
            .collect();
        let number = numbers.iter().find(|(token, _)| *token == at);
        let end = if next == 0 { 0 } else { free.len() - next };
        match (longest(phrases, &run, end), number) {
            (Some((class, length)), _) => {
                sorted.hits.push(Hit { class, at });
                next += length;
            }
            (None, Some((_, count))) => {
                sorted.count = Some(*count);
                next += 1;
            }
            (None, None) => {
                sorted.unread += usize::from(!is_soft(text.word(at)));
                next += 1;
            }
        }
    }
    sorted.settle_what();
    let last = text.tokens.len().saturating_sub(1);
    let asked = matches!(text.word(last), "?" | "؟")
        || text.word(last) == "!" && text.word(last.saturating_sub(1)) == "?";
    let comma = (0..=last).rev().find(|at| text.word(*at) == ",");
    let tagged = sorted.hits.last().is_some_and(|hit| {
        hit.class.has(Class::TAG) && comma.is_some_and(|comma| hit.at == comma + 1)
    });
    sorted.marked = asked || tagged;
}
