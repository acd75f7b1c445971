//! Finding the user's titles in prose: a statement that names one is about the user's data.

use std::collections::HashMap;
use std::ops::Range;

use super::lexicon::{
    ANY, BE, CONJ, DEFINITE, DEICTIC, DET, DO, HAVE, HELP, MODAL, NAME, NEG, POSS, PREP, PRON,
    SELF, SELFC, SUBORD, VERY, WADJ, WH, WISH, WNOUN, WORLDV, YOU,
};
use super::token::{Word, word_hashes};
use super::words::{STRANGE, VOCABULARY};

/// Words without which no sentence is built: a title of one of them protects nothing.
const GRAMMAR: u64 = SELF
    | SELFC
    | YOU
    | BE
    | HAVE
    | DO
    | MODAL
    | NEG
    | WH
    | DET
    | POSS
    | PREP
    | CONJ
    | PRON
    | ANY
    | SUBORD
    | DEICTIC
    | VERY
    | HELP
    | DEFINITE;

/// In which sentences a title is looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Where {
    /// In everything that is told.
    Told,
    /// In statements of fact only: "Day" does not forbid "Have a nice day!".
    Facts,
}

/// A title without its first word.
struct Rest {
    words: Vec<u64>,
    place: Where,
}

/// The titles, by the hash of their first word.
pub(super) struct Titles(HashMap<u64, Vec<Rest>>);

impl Titles {
    /// Titles without letters, and single words of the grammar itself ("Help"), are left out.
    pub(super) fn new(titles: &[&str]) -> Self {
        let mut found: HashMap<u64, Vec<Rest>> = HashMap::new();
        for title in titles {
            let words: Vec<(u64, u16)> = word_hashes(title).collect();
            let place = match words.as_slice() {
                [(_, id)] => place(*id),
                _ => Some(Where::Told),
            };
            if let (Some(((first, _), rest)), Some(place)) = (words.split_first(), place) {
                let words = rest.iter().map(|(hash, _)| *hash).collect();
                found.entry(*first).or_default().push(Rest { words, place });
            }
        }
        Self(found)
    }

    /// Whether one of them stands among the words of `range`, a statement of `fact` or not.
    pub(super) fn named(&self, words: &[Word], range: Range<usize>, fact: bool) -> bool {
        if self.0.is_empty() {
            return false;
        }
        let words = words.get(range).unwrap_or_default();
        words.iter().enumerate().any(|(at, word)| {
            self.0.get(&word.hash).is_some_and(|rests| {
                let after = words.get(at + 1..).unwrap_or_default();
                rests.iter().any(|rest| {
                    (fact || rest.place == Where::Told)
                        && after.len() >= rest.words.len()
                        && rest
                            .words
                            .iter()
                            .zip(after)
                            .all(|(hash, word)| *hash == word.hash)
                })
            })
        })
    }
}

/// Where a title of one word is protected; `None` for a word of the grammar.
fn place(id: u16) -> Option<Where> {
    let classes = VOCABULARY.classes(id);
    if id == STRANGE {
        Some(Where::Told)
    } else if classes & GRAMMAR != 0 {
        None
    } else if classes & (NAME | WNOUN | WADJ | WORLDV) != 0 && classes & WISH == 0 {
        Some(Where::Told)
    } else {
        Some(Where::Facts)
    }
}
