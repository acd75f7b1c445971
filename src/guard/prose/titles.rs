//! Finding the user's titles in prose: a statement that names one is about the user's data.

use std::collections::HashMap;
use std::ops::Range;

use super::token::{Word, word_hashes};
use super::words::STRANGE;

/// The titles, by the hash of their first word.
pub(super) struct Titles(HashMap<u64, Vec<Vec<u64>>>);

impl Titles {
    /// Titles without letters, and single words of the grammar itself ("Help"), are left out.
    pub(super) fn new(titles: &[&str]) -> Self {
        let mut found: HashMap<u64, Vec<Vec<u64>>> = HashMap::new();
        for title in titles {
            let words: Vec<(u64, u16)> = word_hashes(title).collect();
            let common = matches!(words.as_slice(), [(_, id)] if *id != STRANGE);
            if let Some(((first, _), rest)) = words.split_first()
                && !common
            {
                let rest = rest.iter().map(|(hash, _)| *hash).collect();
                found.entry(*first).or_default().push(rest);
            }
        }
        Self(found)
    }

    /// Whether one of them stands among the words of `range`.
    pub(super) fn named(&self, words: &[Word], range: Range<usize>) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let words = words.get(range).unwrap_or_default();
        words.iter().enumerate().any(|(at, word)| {
            self.0.get(&word.hash).is_some_and(|rests| {
                let after = words.get(at + 1..).unwrap_or_default();
                rests.iter().any(|rest| {
                    after.len() >= rest.len()
                        && rest
                            .iter()
                            .zip(after)
                            .all(|(hash, word)| *hash == word.hash)
                })
            })
        })
    }
}
