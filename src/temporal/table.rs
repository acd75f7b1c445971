//! The words of one language over those of English, for one lookup per word.
//!
//! A hash over at most sixteen bytes behind a filter by first letter, last letter and length:
//! most words of a message are refused before they are hashed.

use std::sync::LazyLock;

use crate::domain::Lang;

use super::lexeme::Lex;
use super::words::{self, Language};

const SLOTS: usize = 2048;
const LONGEST: usize = 16;

/// What a word means, and the phrases it may begin.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    word: &'static str,
    pub(super) lex: Lex,
    /// Longest first; each without its first word.
    pub(super) phrases: Vec<(Vec<&'static str>, Lex)>,
}

/// The lookup table of a language.
#[derive(Debug)]
pub(super) struct Table {
    /// Its habits of order and grammar.
    pub(super) language: &'static Language,
    slots: Vec<u16>,
    entries: Vec<Entry>,
    /// By first byte: a bit per length of the words that begin so.
    lengths: [u32; 128],
    /// By last byte: the same of the words that end so.
    endings: [u32; 128],
}

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

    /// The entry of a folded word.
    pub(super) fn entry(&self, word: &str) -> Option<&Entry> {
        let bytes = word.as_bytes();
        let lengths = self.lengths.get(usize::from(*bytes.first()?))?
            & self.endings.get(usize::from(*bytes.last()?))?;
        if bytes.len() > LONGEST || lengths & (1 << bytes.len()) == 0 {
            return None;
        }
        let mut at = hash(bytes);
        loop {
            let entry = self.entries.get(usize::from(*self.slots.get(at)?))?;
            if entry.word == word {
                return Some(entry);
            }
            at = (at + 1) % SLOTS;
        }
    }

    /// What a folded word means on its own; [`Lex::Other`] when nothing.
    pub(super) fn lex(&self, word: &str) -> Lex {
        self.entry(word).map_or(Lex::Other, |entry| entry.lex)
    }

    fn build(language: &'static Language) -> Self {
        let mut table = Self {
            language,
            slots: vec![u16::MAX; SLOTS],
            entries: Vec::new(),
            lengths: [0; 128],
            endings: [0; 128],
        };
        // Its own words come last and replace English ones: French "mon" is no Monday.
        for (lex, names) in words::EN.words.iter().chain(language.words) {
            for name in *names {
                table.insert(name, *lex);
            }
        }
        for entry in &mut table.entries {
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

    fn claim(&mut self, word: &'static str) -> Option<&mut Entry> {
        let bytes = word.as_bytes();
        let length = 1 << bytes.len().min(31);
        *self.lengths.get_mut(usize::from(*bytes.first()?))? |= length;
        *self.endings.get_mut(usize::from(*bytes.last()?))? |= length;
        let mut at = hash(bytes);
        loop {
            let slot = self.slots.get_mut(at)?;
            let index = usize::from(*slot);
            match self.entries.get(index) {
                Some(entry) if entry.word == word => return self.entries.get_mut(index),
                Some(_) => at = (at + 1) % SLOTS,
                None => {
                    *slot = u16::try_from(self.entries.len()).ok()?;
                    self.entries.push(Entry {
                        word,
                        lex: Lex::Other,
                        phrases: Vec::new(),
                    });
                    return self.entries.last_mut();
                }
            }
        }
    }
}

/// Over the first and the last eight bytes, which are all there are.
fn hash(bytes: &[u8]) -> usize {
    let ends = match (bytes.first_chunk::<8>(), bytes.last_chunk::<8>()) {
        (Some(first), Some(last)) => {
            u64::from_le_bytes(*first) ^ u64::from_le_bytes(*last).rotate_left(23)
        }
        _ => match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>()) {
            (Some(first), Some(last)) => {
                u64::from(u32::from_le_bytes(*first)) | u64::from(u32::from_le_bytes(*last)) << 32
            }
            _ => bytes
                .iter()
                .fold(0, |sum, byte| sum << 8 | u64::from(*byte)),
        },
    };
    let mixed = ends.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    (mixed >> 40) as usize % SLOTS
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_word_is_folded_and_short_enough_to_be_found() {
        for lang in Lang::ALL {
            let table = Table::of(lang);
            assert!(table.entries.len() * 2 < SLOTS, "{lang:?} crowds its table");
            for (_, names) in table.language.words {
                for word in names.iter().flat_map(|name| name.split(' ')) {
                    assert_eq!(crate::domain::text::fold(word), word, "{lang:?}");
                    assert!(word.len() <= LONGEST, "{word}");
                }
                for name in *names {
                    let head = name.split(' ').next().unwrap();
                    assert!(table.entry(head).is_some(), "{name}");
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
