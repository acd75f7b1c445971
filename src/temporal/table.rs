//! The words of one language over those of English, for one lookup per word.
//!
//! Asked by the key that the text has for each of its words: most words of a message are refused
//! by one look.

use std::sync::LazyLock;

use crate::domain::Lang;
use crate::domain::text::{Key, same_word};

use super::lexeme::Lex;
use super::words::{self, Language};

const SLOTS: usize = 2048;

/// Size of the sieve that words go through first: one in twenty of those that mean nothing passes.
const SIEVE: usize = 16_384;

/// Meaning of a word, and the phrases it may begin.
#[derive(Debug, Clone)]
pub(super) struct TableEntry {
    word: &'static str,
    pub(super) lex: Lex,
    /// Longest first; each without its first word.
    pub(super) phrases: Vec<(Vec<&'static str>, Lex)>,
    /// Set when it means that whatever follows: it begins no phrase and no "a.m.".
    pub(super) alone: bool,
}

/// The lookup table of a language.
#[derive(Debug)]
pub(super) struct Table {
    /// Its habits of order and grammar.
    pub(super) language: &'static Language,
    /// The numbers of entries, each at the place of its word's key or the next free one behind.
    slots: Vec<(Key, u16)>,
    /// One bit for each place that an entry has among so many.
    taken: [u64; SIEVE / 64],
    entries: Vec<TableEntry>,
}

/// The number of no entry.
const FREE: u16 = u16::MAX;

impl Table {
    /// The table of `lang`, built at its first use.
    pub(super) fn of(lang: Lang) -> &'static Self {
        static EN: LazyLock<Table> = LazyLock::new(|| Table::build(&words::EN));
        static UR: LazyLock<Table> = LazyLock::new(|| Table::build(&words::UR));
        static DE: LazyLock<Table> = LazyLock::new(|| Table::build(&words::DE));
        static ES: LazyLock<Table> = LazyLock::new(|| Table::build(&words::ES));
        static FR: LazyLock<Table> = LazyLock::new(|| Table::build(&words::FR));
        static IT: LazyLock<Table> = LazyLock::new(|| Table::build(&words::IT));
        static PT: LazyLock<Table> = LazyLock::new(|| Table::build(&words::PT));
        match lang {
            Lang::En => &EN,
            Lang::Ur => &UR,
            Lang::De => &DE,
            Lang::Es => &ES,
            Lang::Fr => &FR,
            Lang::It => &IT,
            Lang::Pt => &PT,
        }
    }

    /// Tells whether a word of that key may have an entry. A quick look: where the answer is no,
    /// none has.
    #[inline]
    pub(super) fn may_have(&self, key: Key) -> bool {
        let place = key.place(SIEVE);
        let taken = self.taken.get(place / 64);
        taken.is_some_and(|taken| taken >> (place % 64) & 1 == 1)
    }

    /// The entry of a folded word, by its key.
    #[inline]
    pub(super) fn entry(&self, key: Key, word: &[u8]) -> Option<&TableEntry> {
        let mut at = key.place(SLOTS);
        loop {
            let (held, number) = self.slots.get(at)?;
            if *number == FREE {
                return None;
            }
            if *held == key {
                let entry = self.entries.get(usize::from(*number));
                if let Some(entry) = entry.filter(|entry| same_word(entry.word.as_bytes(), word)) {
                    return Some(entry);
                }
            }
            at = (at + 1) % SLOTS;
        }
    }

    /// Returns what a folded word means on its own; [`Lex::Other`] when nothing.
    pub(super) fn lex(&self, word: &str) -> Lex {
        let entry = self.entry(Key::of(word), word.as_bytes());
        entry.map_or(Lex::Other, |entry| entry.lex)
    }

    fn build(language: &'static Language) -> Self {
        let mut table = Self {
            language,
            slots: vec![(Key::default(), FREE); SLOTS],
            taken: [0; SIEVE / 64],
            entries: Vec::new(),
        };
        // Its own words come last and replace English ones: French "mon" is no Monday.
        for (lex, names) in words::EN.words.iter().chain(language.words) {
            for name in *names {
                table.insert(name, *lex);
            }
        }
        for (key, _) in table.slots.iter().filter(|(_, number)| *number != FREE) {
            let place = key.place(SIEVE);
            if let Some(taken) = table.taken.get_mut(place / 64) {
                *taken |= 1 << (place % 64);
            }
        }
        for entry in &mut table.entries {
            entry.alone = entry.phrases.is_empty() && !matches!(entry.word, "a" | "p");
            entry
                .phrases
                .sort_by_key(|(rest, _)| std::cmp::Reverse(rest.len()));
        }
        table
    }

    fn insert(&mut self, name: &'static str, lex: Lex) {
        let mut parts = name.split(' ');
        let Some(head) = parts.next() else { return };
        let rest: Vec<_> = parts.collect();
        let Some(entry) = self.claim(head) else {
            return;
        };
        if rest.is_empty() {
            entry.lex = lex;
        } else {
            entry.phrases.retain(|(old, _)| *old != rest);
            entry.phrases.push((rest, lex));
        }
    }

    fn claim(&mut self, word: &'static str) -> Option<&mut TableEntry> {
        let key = Key::of(word);
        let mut at = key.place(SLOTS);
        loop {
            let slot = self.slots.get_mut(at)?;
            let index = usize::from(slot.1);
            match self.entries.get(index) {
                Some(entry) if entry.word == word => return self.entries.get_mut(index),
                Some(_) => at = (at + 1) % SLOTS,
                None => {
                    *slot = (key, u16::try_from(self.entries.len()).ok()?);
                    self.entries.push(TableEntry {
                        word,
                        lex: Lex::Other,
                        phrases: Vec::new(),
                        alone: false,
                    });
                    return self.entries.last_mut();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_folded_and_found() {
        for lang in Lang::ALL {
            let table = Table::of(lang);
            assert!(table.entries.len() * 2 < SLOTS, "{lang:?} crowds its table");
            for (_, names) in table.language.words {
                for word in names.iter().flat_map(|name| name.split(' ')) {
                    assert_eq!(crate::domain::text::fold(word), word, "{lang:?}");
                }
                for name in *names {
                    let head = name.split(' ').next().unwrap();
                    assert!(
                        table.entry(Key::of(head), head.as_bytes()).is_some(),
                        "{name}"
                    );
                    assert!(table.may_have(Key::of(head)), "{name}");
                }
            }
        }
    }

    #[test]
    fn a_language_comes_before_english() {
        assert!(matches!(
            Table::of(Lang::En).lex("mon"),
            Lex::Weekday { day: 0, .. }
        ));
        assert_eq!(Table::of(Lang::Fr).lex("mon"), Lex::Other);
        assert_eq!(Table::of(Lang::Fr).lex("tomorrow"), Lex::Day(1));
        assert_eq!(Table::of(Lang::En).lex("nothing"), Lex::Other);
    }
}
