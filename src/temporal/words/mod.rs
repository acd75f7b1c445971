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
use super::lexeme::{Cadence, Lex};

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

/// Once in so many units, in one word.
const fn each(unit: Unit, count: u8) -> Lex {
    Lex::Often(Cadence::Each(unit, count))
}

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

#[cfg(test)]
mod tests {
    use super::super::checks::{SUNDAY, days};
    use crate::domain::Lang;

    #[track_caller]
    fn check(lang: Lang, table: &[(&str, &str)]) {
        for (text, expect) in table {
            assert_eq!(days(text, SUNDAY, lang), [*expect], "{text:?}");
        }
    }

    #[test]
    fn german() {
        check(
            Lang::De,
            &[
                ("Bericht bis übermorgen", "2026-02-10"),
                ("nächsten Dienstag", "2026-02-10"),
                ("nächste Woche", "2026-02-09..2026-02-15"),
                ("am 3. April anrufen", "2026-04-03"),
                ("in drei Wochen", "2026-03-01"),
                ("heute in einer Woche", "2026-02-15"),
                ("bis Ende des Monats", "2026-02-28"),
                ("vor zwei Tagen", "2026-02-06"),
            ],
        );
        assert!(days("Guten Morgen, lösche die 5", SUNDAY, Lang::De).is_empty());
    }

    #[test]
    fn romance() {
        check(
            Lang::Es,
            &[
                ("pan para pasado mañana", "2026-02-10"),
                ("el jueves que viene", "2026-02-12"),
                ("la próxima semana", "2026-02-09..2026-02-15"),
                ("el 3 de abril", "2026-04-03"),
                ("a fin de mes", "2026-02-28"),
            ],
        );
        check(
            Lang::Fr,
            &[
                ("le 1er avril", "2026-04-01"),
                ("mardi prochain", "2026-02-10"),
                ("après-demain", "2026-02-10"),
                ("d'ici jeudi", "2026-02-12"),
                ("il y a 2 jours", "2026-02-06"),
            ],
        );
        check(
            Lang::It,
            &[
                ("entro dopodomani", "2026-02-10"),
                ("giovedì prossimo", "2026-02-12"),
                ("l'8 aprile", "2026-04-08"),
                ("fra tre settimane", "2026-03-01"),
            ],
        );
        check(
            Lang::Pt,
            &[
                ("até depois de amanhã", "2026-02-10"),
                ("quinta-feira", "2026-02-12"),
                ("semana que vem", "2026-02-09..2026-02-15"),
                ("no dia 17", "2026-02-17"),
                ("daqui a 2 dias", "2026-02-10"),
            ],
        );
    }

    #[test]
    fn roman_urdu() {
        check(
            Lang::Ur,
            &[
                ("bijli ka bill kal tak", "2026-02-09"),
                ("parson ko", "2026-02-10"),
                ("aaj shaam ko", "2026-02-08"),
                ("jumerat ko", "2026-02-12"),
                ("agle mangal ko", "2026-02-10"),
                ("hafte ko", "2026-02-14"),
                ("agle hafte", "2026-02-09..2026-02-15"),
                ("teen din baad", "2026-02-11"),
                ("ek hafta baad", "2026-02-15"),
                ("17 tareekh ko", "2026-02-17"),
                ("mahine ke akhir tak", "2026-02-28"),
            ],
        );
    }

    #[test]
    fn english_counts_in_every_language_and_no_other_in_english() {
        for lang in Lang::ALL {
            assert_eq!(
                days("report by next friday", SUNDAY, lang),
                ["2026-02-13"],
                "{lang:?}"
            );
        }
        assert!(days("morgen mañana demain domani kal", SUNDAY, Lang::En).is_empty());
    }
}
