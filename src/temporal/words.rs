//! Words of time, read from `src/languages/*/dates.txt`.
//!
//! A phrase of several words means one thing as a whole. The file of a language goes before that of
//! English, and `nothing` takes an English meaning away. Order and grammar are the reader's.

use chrono::Weekday;

use super::lexeme::{Cadence, Feast, Lex};
use super::{DayPart, Unit};
use crate::domain::text::fold;
use crate::languages::{WordFault, WordFile};

/// Habits of order and grammar that a language has.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Habits {
    /// `3/4` is the third of April.
    pub(super) day_first: bool,
    /// "next" may stand after its noun: "lundi prochain".
    pub(super) trailing: bool,
    /// "Ago" is said as "before" is: "vor zwei Tagen", "vor März".
    pub(super) before_is_ago: bool,
    /// Words lose a vowel before an apostrophe: "l'11 maggio".
    pub(super) elides: bool,
    /// A weekday with its article may be one of each week: "il martedì".
    pub(super) the_repeats: bool,
}

/// Meanings that a class says by its name alone.
const PLAIN: [(&str, Lex); 61] = [
    ("nothing", Lex::Other),
    ("one", Lex::One),
    ("couple", Lex::Couple),
    ("saturday or week", Lex::Hafta),
    ("weekend", Lex::Weekend),
    ("now", Lex::Now),
    ("next", Lex::Next),
    ("this", Lex::This),
    ("coming", Lex::Coming),
    ("last", Lex::Last),
    ("of", Lex::Of),
    ("the", Lex::The),
    ("in", Lex::In),
    ("within", Lex::Within),
    ("from", Lex::From),
    ("after", Lex::After),
    ("before", Lex::Before),
    ("ago", Lex::Ago),
    ("ago before", Lex::AgoFirst),
    ("later", Lex::Later),
    ("earlier", Lex::Earlier),
    ("in behind", Lex::InBehind),
    ("end", Lex::End),
    ("start", Lex::Start),
    ("on", Lex::On),
    ("by", Lex::By),
    ("until", Lex::Until),
    ("prep", Lex::Prep),
    ("due", Lex::Due),
    ("date word", Lex::DateWord),
    ("with", Lex::With),
    ("behind", Lex::Post),
    ("until behind", Lex::PostUntil),
    ("time", Lex::Time),
    ("at", Lex::At),
    ("part", Lex::Part(DayPart::Any)),
    ("about", Lex::About),
    ("about behind", Lex::Ish),
    ("workday", Lex::Workday),
    ("hour", Lex::Hour),
    ("half", Lex::Half),
    ("quarter", Lex::Quarter),
    ("to", Lex::To),
    ("every", Lex::Every),
    ("other", Lex::Alternate),
    ("other behind", Lex::AlternateBehind),
    ("in turn", Lex::InTurn),
    ("except", Lex::Except),
    ("eve", Lex::Eve),
    ("often part", Lex::Often(Cadence::EachPart)),
    ("often workdays", Lex::Often(Cadence::Workdays)),
    ("often weekends", Lex::Often(Cadence::Weekends)),
    ("often within day", Lex::Often(Cadence::WithinDay)),
    ("times", Lex::Times),
    ("occasions", Lex::Occasions),
    ("same day", Lex::SameDay),
    ("join", Lex::Join),
    ("pronoun", Lex::Pronoun),
    ("label", Lex::Label),
    ("feast", Lex::Feast),
    ("command", Lex::Command),
];

/// Reads the class of a line, such as `next` or `weekday 1`.
fn meaning(class: &str) -> Option<Lex> {
    if let Some((_, lex)) = PLAIN.iter().find(|(name, _)| *name == class) {
        return Some(*lex);
    }
    let (name, value) = class.rsplit_once(' ')?;
    if let Some(ahead) = name.strip_prefix("day ") {
        return Some(Lex::Day(ahead.parse().ok()?, part(value)?));
    }
    let number = || value.parse::<u8>().ok();
    let within = |most: u8| number().filter(|number| (1..=most).contains(number));
    let weekday = |short, weak, many| {
        let day = Weekday::try_from(within(7)? - 1).ok()?;
        Some(Lex::Weekday {
            day,
            short,
            weak,
            many,
        })
    };
    let month = |weak| within(12).map(|month| Lex::Month { month, weak });
    match name {
        "weekday" => weekday(false, false, false),
        "short weekday" => weekday(true, false, false),
        "maybe weekday" => weekday(true, true, false),
        "weekdays" => weekday(false, false, true),
        "month" => month(false),
        "maybe month" => month(true),
        "seconds" => value.parse().ok().map(Lex::ClockUnit),
        "day" => Some(Lex::Day(value.parse().ok()?, DayPart::Any)),
        "part" => part(value).map(Lex::Part),
        "end of" => unit(value).map(Lex::EndOf),
        "noon" => number().map(Lex::Noon),
        "meridiem" => number().map(Lex::Meridiem),
        "hour and" => number().map(Lex::HourAnd),
        "hour less" => number().map(Lex::HourLess),
        "hour shift" => value.parse().ok().map(Lex::HourShift),
        "once" => number().map(Lex::Once),
        "number" => number().map(Lex::Spelled),
        "ordinal" => number().map(Lex::SpelledOrd),
        "holiday" => {
            let (month, day) = value.split_once('-')?;
            let (month, day) = (month.parse().ok()?, day.parse().ok()?);
            Some(Lex::Holiday(Feast::On(month, day)))
        }
        "easter" => Some(Lex::Holiday(Feast::Easter(value.parse().ok()?))),
        _ => {
            let (kind, unit, count) = match name.split_once(' ') {
                Some((kind, named)) => (kind, unit(named)?, number()?),
                None => (name, unit(value)?, 1),
            };
            match kind {
                "unit" => Some(Lex::Unit(unit, count)),
                "often" => Some(Lex::Often(Cadence::Each(unit, count))),
                "always" => (count == 1).then_some(Lex::Always(unit)),
                _ => None,
            }
        }
    }
}

fn part(name: &str) -> Option<DayPart> {
    match name {
        "morning" => Some(DayPart::Morning),
        "evening" => Some(DayPart::Evening),
        "night" => Some(DayPart::Night),
        _ => None,
    }
}

fn unit(name: &str) -> Option<Unit> {
    match name {
        "day" => Some(Unit::Day),
        "week" => Some(Unit::Week),
        "month" => Some(Unit::Month),
        "year" => Some(Unit::Year),
        _ => None,
    }
}

/// Words of a model that asks for the tasks of a stretch of days, beside those of the dates in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ListingWord {
    /// "from", before the first day.
    From,
    /// "after", before the last day that is not meant.
    After,
    /// "between", before two days.
    Between,
    /// "to", between the first day and the last.
    To,
    /// "and", the same behind "between".
    And,
    /// "onwards", behind the first day.
    Onwards,
    /// "undated".
    Undated,
    /// "without", before a date that there is none of.
    Without,
    /// "date", "deadline": it ends such words.
    Date,
    /// "past due".
    Overdue,
}

/// Names of the classes of [`ListingWord`], each behind "listing".
const LISTING: [(&str, ListingWord); 10] = [
    ("from", ListingWord::From),
    ("after", ListingWord::After),
    ("between", ListingWord::Between),
    ("to", ListingWord::To),
    ("and", ListingWord::And),
    ("onwards", ListingWord::Onwards),
    ("undated", ListingWord::Undated),
    ("without", ListingWord::Without),
    ("date", ListingWord::Date),
    ("overdue", ListingWord::Overdue),
];

/// Meaning of a line: that of its words, or habits that they name.
#[derive(Debug, Clone, Copy)]
enum DateClass {
    Means(Lex),
    Listing(ListingWord),
    Habit,
}

/// Words of listings in a file.
pub(super) fn listing(file: WordFile) -> Vec<(ListingWord, String)> {
    let mut words = Vec::new();
    file.read(class, |line, phrase| {
        if let DateClass::Listing(word) = line {
            words.push((word, plain(phrase)));
        }
        Ok(())
    });
    words
}

/// Lower-case words without accents; unlike [`fold`] it keeps the marks: "2026-03".
pub(super) fn plain(words: &str) -> String {
    let each = words.split_whitespace().map(|word| match word.is_ascii() {
        true => word.to_ascii_lowercase(),
        false => fold(word),
    });
    each.collect::<Vec<_>>().join(" ")
}

/// Reads the name of a class.
fn class(name: &str) -> Option<DateClass> {
    if name == "habit" {
        return Some(DateClass::Habit);
    }
    if let Some(kind) = name.strip_prefix("listing ") {
        let (_, word) = LISTING.iter().find(|(name, _)| *name == kind)?;
        return Some(DateClass::Listing(*word));
    }
    meaning(name).map(DateClass::Means)
}

/// Hands each phrase of a file to `put`, with its meaning. Returns the habits of the language and the
/// faults of the file.
pub(super) fn read(
    file: WordFile,
    mut put: impl FnMut(Lex, &'static str),
) -> (Habits, Vec<WordFault>) {
    let mut habits = Habits::default();
    let faults = file.read(class, |line, phrase| {
        match (line, phrase) {
            (DateClass::Means(lex), phrase) => put(lex, phrase),
            (DateClass::Listing(_), _) => {}
            (DateClass::Habit, "day first") => habits.day_first = true,
            (DateClass::Habit, "next behind") => habits.trailing = true,
            (DateClass::Habit, "before is ago") => habits.before_is_ago = true,
            (DateClass::Habit, "elides") => habits.elides = true,
            (DateClass::Habit, "the repeats") => habits.the_repeats = true,
            (DateClass::Habit, _) => return Err("is no habit"),
        }
        Ok(())
    });
    (habits, faults)
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
