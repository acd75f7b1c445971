//! The words of one language over those of English, for one lookup per word.

use std::collections::HashMap;

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
        entry.own |= own;
        if rest.is_empty() {
            entry.lex = lex;
        } else {
            entry.phrases.retain(|(old, _)| *old != rest);
            entry.phrases.push((rest, lex));
        }
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
