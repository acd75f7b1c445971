//! The user's words, read: verbs, targets, values, questions, remarks.
//!
//! A data-driven grammar per language turns one message into a [`Reading`]. What the
//! reading licenses and expects is decided by `guard`; which task a target means, by
//! `resolver`. Holds no tasks and no model: the same words always read the same.

mod certain;
mod condition;
mod deeds;
mod errand;
mod errands;
mod expect;
mod grammar;
mod language;
mod message_words;
mod mixed;
mod reader;
pub mod reading;
#[cfg(test)]
mod tests;

pub use condition::waits;
pub use deeds::tells_another;
pub use errand::{About, Agents, Errand, Hand};
pub use errands::{prepare_errands, read_with_agents};
pub use expect::expected_tools;
pub use language::{known_words, lone_language};
pub use reading::*;

use std::cell::OnceCell;
use std::ops::Range;

use chrono::NaiveDate;

use crate::domain::Lang;
use crate::domain::text::Text;

use crate::language::words::Words;
use grammar::{Grammars, Tier};
use language::Guess;
use reader::{Reader, may_read, parts_of, stretches};

/// Told to the audit log with every turn; raise it when a grammar or the reader changes.
pub const GRAMMAR_VERSION: &str = "27";

/// Reads the English grammar now, so that the first message need not wait for it (some 35 ms). Another
/// language's is read when the first message has words of it (some 4 ms).
pub fn prepare() {
    Grammars::load().of(Lang::En);
}

/// Reads one message.
///
/// `today` is the day that "tomorrow" counts from. `hint` is tried first where the words
/// leave the language open; English is always tried. The grammar that read the message
/// stands in [`Reading::lang`].
///
/// ```
/// use candor::domain::Lang;
/// use candor::intent::{Act, read};
/// use chrono::NaiveDate;
///
/// let today = NaiveDate::from_ymd_opt(2026, 2, 8).unwrap();
/// let reading = read("add buy milk tomorrow", today, Lang::En);
/// let Act::Add(addition) = &reading.clauses[0].act else { panic!() };
/// assert_eq!(addition.whole.title, "buy milk");
/// assert!(addition.whole.due.is_some());
/// ```
pub fn read(message: &str, today: NaiveDate, hint: Lang) -> Reading {
    let grammars = Grammars::load();
    let text = Text::new(message);
    let words = Words::new(&text, &grammars.lexicon);
    let stretches = stretches(&text, &words);
    let (mut first, mut foreign) = (None, None);
    let mut best = 0;
    let (candidates, strangers) = language::candidates(&words, grammars, hint);
    let read =
        |grammar| Reader::new((&grammars.lexicon, grammar), &text, &words, today).read(&stretches);
    let parts = OnceCell::new();
    let parts = || parts.get_or_init(|| parts_of(&stretches));
    let may = |grammar| may_read(grammar, &words, parts(), Tier::Alone);
    for (at, guess) in candidates.iter().enumerate() {
        let grammar = guess.grammar();
        // What the likeliest makes of it is wanted in any case.
        if at > 0 && !may(grammar) {
            continue;
        }
        let (reading, understood) = read(grammar);
        // "la cena está lista" is no list, though a language that knows less of it may say so.
        let unlikely = guess.score < best && guess.lang != Lang::En;
        match (understood, is_ours(&reading)) {
            (true, true) if unlikely && !changes(&reading) => {}
            (true, true) => {
                let titles = mixed::titled(&reading, &text, &words, &stretches);
                if titles.is_empty() {
                    return reading;
                }
                let others = candidates.iter().skip(at + 1).map(Guess::grammar);
                let mut others = others.filter(|other| {
                    (other.lang == Lang::En || mixed::may_know(&words, grammar, other))
                        && may_read(other, &words, &titles, Tier::Titled)
                });
                let better = others.find_map(|other| {
                    let (theirs, understood) = read(other);
                    let better = understood
                        && mixed::explains(&reading, &theirs, (grammar, other), grammars);
                    better.then_some(theirs)
                });
                return better.unwrap_or(reading);
            }
            (true, false) => {
                best = best.max(guess.score);
                foreign = foreign.or(Some(reading));
            }
            (false, _) => {
                first.get_or_insert(reading);
            }
        }
    }
    if foreign.is_none() {
        for guess in strangers.iter().filter(|guess| may(guess.grammar())) {
            let (reading, understood) = read(guess.grammar());
            if understood && is_ours(&reading) {
                return reading;
            }
            foreign = foreign.or(understood.then_some(reading));
        }
    }
    foreign.or(first).unwrap_or(Reading {
        lang: hint,
        clauses: Vec::new(),
    })
}

/// Tells whether `text` is a yes or a no and nothing else but manners; beside a yes may stand the tokens at
/// `agreed`, which say what was asked once more, and beside a no those at `kept`. No yes has tokens at `against` beside it.
pub fn plain_answer(
    text: &Text<'_>,
    [agreed, kept, against]: &[Vec<Range<usize>>; 3],
) -> Option<bool> {
    let grammars = Grammars::load();
    let words = Words::new(text, &grammars.lexicon);
    let mut answers = Lang::ALL.into_iter().filter_map(|lang| {
        let of = (&grammars.lexicon, grammars.of(lang));
        Reader::new(of, text, &words, NaiveDate::default()).answers(agreed, kept, against)
    });
    let first = answers.next()?;
    answers.all(|other| other == first).then_some(first)
}

/// Tells whether some of it is not another service's: "apaga" puts out a lamp in one language and
/// deletes in the next.
fn is_ours(reading: &Reading) -> bool {
    let mut clauses = reading.clauses.iter();
    clauses.any(|clause| clause.act != Act::Other)
}

/// Tells whether some of it asks for a change.
fn changes(reading: &Reading) -> bool {
    let mut clauses = reading.clauses.iter();
    clauses.any(|clause| matches!(clause.act, Act::Add(_) | Act::Change(_)))
}
