//! The user's words, read: verbs, targets, values, questions, remarks.
//!
//! A data-driven grammar per language turns one message into a [`Reading`]. What the
//! reading licenses and expects is decided by `guard`; which task a target means, by
//! `resolver`. Holds no tasks and no model: the same words always read the same.

mod expect;
mod grammar;
mod language;
mod reader;
pub mod reading;
mod retime;
#[cfg(test)]
mod tests;

pub use expect::{Expected, expected_tools};
pub use reading::*;
pub use retime::retime;

use chrono::NaiveDate;

use crate::domain::Lang;
use crate::domain::text::Text;

use grammar::Grammars;
use grammar::words::Words;
use reader::Reader;

/// Told to the audit log with every turn; raise it when a grammar or the reader changes.
pub const GRAMMAR_VERSION: &str = "2";

/// Reads the grammar files now, so that the first message need not wait for it (some 40 ms).
pub fn prepare() {
    Grammars::load();
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
    let (mut first, mut foreign) = (None, None);
    for grammar in language::candidates(&words, grammars, hint) {
        let (reading, understood) =
            Reader::new((&grammars.lexicon, grammar), &text, &words, today).read();
        // "apaga" puts out a lamp in one language and deletes in the next.
        let ours = reading
            .clauses
            .iter()
            .any(|clause| clause.act != Act::Other);
        match (understood, ours) {
            (true, true) => return reading,
            (true, false) => foreign = foreign.or(Some(reading)),
            (false, _) => {
                first.get_or_insert(reading);
            }
        }
    }
    foreign.or(first).unwrap_or(Reading {
        lang: hint,
        clauses: Vec::new(),
    })
}
