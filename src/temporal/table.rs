//! The words of one language over those of English, for one lookup per word.

use std::collections::HashMap;

use chrono::Weekday;
use rustc_hash::FxBuildHasher;

use super::lexeme::Lex;
use super::words::{self, Habits};
use crate::domain::text::fold;
use crate::domain::{Lang, LangSet};
use crate::languages::{PerLang, WordFault};

/// Meaning of a word, and the phrases it may begin.
#[derive(Debug)]
pub(super) struct TableEntry {
    pub(super) lex: Lex,
    /// Longest first; each without its first word.
    pub(super) phrases: Vec<(Vec<String>, Lex)>,
    /// Set when the language's own file has it.
    own: bool,
}

/// The languages that have a word for their times and days.
pub fn told_in(word: &str) -> LangSet {
    let own = |lang: &Lang| Table::of(*lang).entry(word);
    let own = |lang: &Lang| own(lang).is_some_and(|entry| entry.own);
    Lang::ALL.into_iter().filter(own).collect()
}

/// The lookup table of a language.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// Its habits of order and grammar.
    pub(super) habits: Habits,
    /// Names of weekdays that are long enough to be known with a slip.
    names: Vec<(String, Weekday)>,
    /// By the folded word.
    entries: HashMap<String, TableEntry, FxBuildHasher>,
}

impl Table {
    /// The table of `lang`, built at its first use.
    pub(super) fn of(lang: Lang) -> &'static Self {
        static TABLES: PerLang<Table> = PerLang::new(|lang| Table::build(lang).0);
        TABLES.of(lang)
    }

    /// The entry of a folded word.
    pub(super) fn entry(&self, word: &str) -> Option<&TableEntry> {
        self.entries.get(word)
    }

    /// Returns what a folded word means on its own; [`Lex::Other`] when nothing.
    pub(super) fn lex(&self, word: &str) -> Lex {
        self.entry(word).map_or(Lex::Other, |entry| entry.lex)
    }

    /// The weekday whose name a word is with one letter left out, put in, changed or swapped.
    pub(super) fn slip_of_weekday(&self, word: &str) -> Option<Weekday> {
        let first = |name: &str| name.chars().next() == word.chars().next();
        let mut names = self.names.iter();
        let slip = names.find(|(name, _)| first(name) && is_slip(word, name));
        slip.map(|(_, day)| *day)
    }

    /// Reads the files, and the faults of the language's own.
    fn build(lang: Lang) -> (Self, Vec<WordFault>) {
        let mut table = Self::default();
        // Its own words come last and replace English ones: French "mon" is no Monday.
        words::read(Lang::En.files().dates, |lex, phrase| {
            table.insert(phrase, lex, lang == Lang::En);
        });
        let own = lang.files().dates;
        let (habits, faults) = words::read(own, |lex, phrase| {
            table.insert(phrase, lex, true);
        });
        table.habits = habits;
        let named = table
            .entries
            .iter()
            .filter_map(|(word, entry)| match entry.lex {
                Lex::Weekday {
                    day, short: false, ..
                } if entry.own && word.len() > 4 => Some((word.clone(), day)),
                _ => None,
            });
        table.names = named.collect();
        for entry in table.entries.values_mut() {
            entry
                .phrases
                .sort_by_key(|(rest, _)| std::cmp::Reverse(rest.len()));
        }
        (table, faults)
    }

    fn insert(&mut self, phrase: &str, lex: Lex, own: bool) {
        let phrase = fold(phrase);
        let mut words = phrase.split_whitespace().map(str::to_owned);
        let word = words.next().unwrap_or_default();
        let rest: Vec<_> = words.collect();
        let entry = self.entries.entry(word).or_insert_with(|| TableEntry {
            lex: Lex::Other,
            phrases: Vec::new(),
            own: false,
        });
        // What is cut off tells of no language: "sab" is a Saturday, and "all" in another.
        entry.own |= own && !matches!(lex, Lex::Weekday { short: true, .. });
        if rest.is_empty() {
            entry.lex = lex;
        } else {
            entry.phrases.retain(|(old, _)| *old != rest);
            entry.phrases.push((rest, lex));
        }
    }
}

/// Tells whether two words differ by one letter, or by two that are swapped.
fn is_slip(one: &str, other: &str) -> bool {
    let (mut one, mut other) = (one.as_bytes(), other.as_bytes());
    while let ([a, rest @ ..], [b, others @ ..]) = (one, other)
        && a == b
    {
        (one, other) = (rest, others);
    }
    while let ([rest @ .., a], [others @ .., b]) = (one, other)
        && a == b
    {
        (one, other) = (rest, others);
    }
    match (one, other) {
        ([_], [] | [_]) | ([], [_]) => true,
        ([a, b], [c, d]) => (a, b) == (d, c),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::super::DayPart;
    use super::*;
    use crate::languages::assert_sound;

    #[test]
    fn the_files_have_no_faults() {
        assert_sound(Lang::ALL.into_iter().flat_map(|lang| Table::build(lang).1));
    }

    #[test]
    fn a_word_has_one_meaning_in_a_language() {
        for lang in Lang::ALL {
            let (mut met, mut twice) = (HashSet::new(), Vec::new());
            words::read(lang.files().dates, |_, phrase| {
                if !met.insert(fold(phrase)) {
                    twice.push(phrase);
                }
            });
            assert!(twice.is_empty(), "{lang:?}: {twice:?}");
        }
    }

    #[test]
    fn a_weekday_is_known_with_one_slip() {
        use chrono::Weekday::{Fri, Mon, Sat, Thu, Wed};
        for (word, lang, day) in [
            ("thrsday", Lang::En, Some(Thu)),
            ("wednseday", Lang::En, Some(Wed)),
            ("motnag", Lang::De, Some(Mon)),
            ("biernes", Lang::Es, None),
            ("vierness", Lang::Es, Some(Fri)),
            ("samdi", Lang::Fr, Some(Sat)),
            ("venerdy", Lang::It, Some(Fri)),
            ("sexxta", Lang::Pt, Some(Fri)),
            ("fridge", Lang::En, None),
            ("partes", Lang::Es, None),
            ("sat", Lang::En, None),
        ] {
            assert_eq!(Table::of(lang).slip_of_weekday(word), day, "{word}");
        }
    }

    #[test]
    fn a_language_comes_before_english() {
        assert!(matches!(
            Table::of(Lang::En).lex("mon"),
            Lex::Weekday {
                day: chrono::Weekday::Mon,
                ..
            }
        ));
        assert_eq!(Table::of(Lang::Fr).lex("mon"), Lex::Other);
        assert_eq!(
            Table::of(Lang::Fr).lex("tomorrow"),
            Lex::Day(1, DayPart::Any)
        );
        assert_eq!(Table::of(Lang::En).lex("nothing"), Lex::Other);
    }
}
