//! The words of time, one table per language over one set of meanings.
//!
//! A name with spaces is a phrase and means one thing as a whole. All names are
//! folded: lower case, without accents. A word listed as [`Lex::Other`] takes an
//! English meaning away. Holds no rule: order and grammar are the reader's.

mod de;
mod en;
mod es;
mod fr;
mod it;
mod pt;
mod ur;

pub(super) use de::DE;
pub(super) use en::EN;
pub(super) use es::ES;
pub(super) use fr::FR;
pub(super) use it::IT;
pub(super) use pt::PT;
pub(super) use ur::UR;

use super::Unit;
use super::lexeme::Lex;

/// A language: its words and the habits the grammar asks for.
#[derive(Debug)]
pub(super) struct Language {
    /// Meanings with their words.
    pub(super) words: &'static [(Lex, &'static [&'static str])],
    /// `3/4` is the third of April.
    pub(super) day_first: bool,
    /// "next" may stand after its noun: "lundi prochain".
    pub(super) trailing: bool,
    /// Words lose a vowel before an apostrophe: "l'11 maggio".
    pub(super) elides: bool,
}

const DAY: Lex = Lex::Unit(Unit::Day, 1);
const WEEK: Lex = Lex::Unit(Unit::Week, 1);
const TWO_WEEKS: Lex = Lex::Unit(Unit::Week, 2);
const MONTH: Lex = Lex::Unit(Unit::Month, 1);
const YEAR: Lex = Lex::Unit(Unit::Year, 1);

/// A weekday, Monday 0.
const fn on(day: u8) -> Lex {
    Lex::Weekday {
        day,
        weak: false,
        many: false,
    }
}

/// A weekday that is also an everyday word.
const fn maybe_on(day: u8) -> Lex {
    Lex::Weekday {
        day,
        weak: true,
        many: false,
    }
}

/// A weekday that repeats: "mondays".
const fn many(day: u8) -> Lex {
    Lex::Weekday {
        day,
        weak: false,
        many: true,
    }
}

/// A month, January 1.
const fn month(month: u8) -> Lex {
    Lex::Month { month, weak: false }
}

/// A month that is also an everyday word.
const fn maybe_month(month: u8) -> Lex {
    Lex::Month { month, weak: true }
}
