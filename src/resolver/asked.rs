//! One word of a reference: which words of the titles it may be, and when a slip is one.
//!
//! A slip is forgiven by what else was matched. Alone, a word has to be long, begin like
//! the other and not be a word itself; among rare words that were matched exactly, even a
//! real word may be a slip. Numbers never are, and another name is another person.

use super::edit::{INFLECTED, Letters, SLIP};
use super::index::{Entry, Index, Word, WordId, is_number};
use super::vocabulary::{Part, part};

/// The most that the only word of a reference may be off, and the most if it is long.
const ALONE: u16 = 14;
const ALONE_LONG: u16 = 17;
/// Evidence that has to be matched exactly, in rare words, before a slip is judged mildly …
const SOME_EVIDENCE: f32 = 0.6;
/// … before a real word may be taken for a slip …
const MUCH_EVIDENCE: f32 = 1.2;
/// … before a short word may begin with another letter …
const AMPLE_EVIDENCE: f32 = 1.8;
/// … and before a real word may.
const FULL_EVIDENCE: f32 = 2.5;

/// One word of a reference, with the words of the titles it may be.
#[derive(Debug)]
pub(crate) struct Asked {
    /// As it was folded.
    pub(crate) text: String,
    /// Contribution to the reference.
    pub(crate) part: Option<Part>,
    /// Some title has it, just so.
    pub(crate) known: bool,
    /// Word and cost, by the word's id.
    pub(crate) meets: Vec<(Word, u16)>,
    letters: Letters,
    number: bool,
    /// The words a few slips away were looked for.
    searched: bool,
}

impl Asked {
    /// Looks `text` up, with its other inflections.
    pub(crate) fn new(index: &Index, text: String) -> Self {
        let own = index.word(&text).cloned();
        let known = own.is_some();
        let family = index.family(&text).into_iter();
        let family = family.map(|word| (word, INFLECTED));
        let own = own.map(|word| (word, 0));
        let mut meets: Vec<_> = own.into_iter().chain(family).collect();
        meets.sort_unstable_by_key(|(word, _)| word.id);
        Self {
            letters: Letters::of(&text),
            part: part(&text),
            number: is_number(&text),
            known,
            searched: false,
            meets,
            text,
        }
    }

    /// Tells whether it is a word as it stands: in the vocabulary, or in some title.
    const fn is_literal(&self) -> bool {
        self.known || self.part.is_some()
    }

    /// Tells whether it may be a slip for `entry` if that is all that keeps two whole titles apart.
    pub(crate) fn is_lone_slip(&self, entry: &Entry, cost: u16) -> bool {
        let length = self.letters.len().max(entry.letters.len());
        let alike = self.letters.begins_like(&entry.letters);
        let long = match entry.part {
            Some(Part::Article | Part::Link | Part::Verb) => length > 1,
            Some(Part::Name) => alike && length > 3 && cost < SLIP,
            _ => length > 3,
        };
        cost <= SLIP && long && !self.is_literal() && !entry.place
    }

    /// Tells whether it may be a slip for `entry`, given what the rest of the reference proves.
    pub(crate) fn is_slip(&self, entry: &Entry, cost: u16, evidence: f32, alone: bool) -> bool {
        let length = self.letters.len().max(entry.letters.len());
        let letters = u16::try_from(length).unwrap_or(u16::MAX);
        let literal = self.is_literal();
        let alike = self.letters.begins_like(&entry.letters);
        if entry.part == Some(Part::Name) && (!alike || cost >= SLIP) {
            return false;
        }
        if evidence >= MUCH_EVIDENCE {
            let long = match length {
                0 | 1 => false,
                2 => cost < SLIP,
                3 => alike || evidence >= AMPLE_EVIDENCE,
                _ => true,
            };
            let start = alike || !literal || evidence >= FULL_EVIDENCE;
            let near = cost <= letters.saturating_mul(5).max(SLIP);
            return self.part != Some(Part::Name) && long && start && near;
        }
        if literal || entry.place {
            return false;
        }
        if evidence >= SOME_EVIDENCE {
            let start = alike || (cost <= SLIP && length > 3);
            return start && length > 2 && cost.saturating_mul(2) <= letters.saturating_mul(9);
        }
        let long = length > 3 || (length == 3 && !alone);
        let most = if length > 5 { ALONE_LONG } else { ALONE };
        let near = cost.saturating_mul(2) <= letters.saturating_mul(7) && (!alone || cost <= most);
        alike && long && near
    }

    /// Tells whether some evidence up to `most` makes it a slip for `entry`, or its title alone
    /// does.
    pub(crate) fn may_be_slip(&self, entry: &Entry, cost: u16, most: f32, alone: bool) -> bool {
        let steps = [
            0.0,
            SOME_EVIDENCE,
            MUCH_EVIDENCE,
            AMPLE_EVIDENCE,
            FULL_EVIDENCE,
        ];
        let mut reached = steps.into_iter().filter(|step| *step <= most);
        cost <= INFLECTED
            || self.is_lone_slip(entry, cost)
            || reached.any(|step| self.is_slip(entry, cost, step, alone))
    }

    /// Returns the cost of taking it for `word`; `None` if it can't be.
    pub(crate) fn cost(&self, word: WordId) -> Option<u16> {
        let at = self
            .meets
            .binary_search_by_key(&word, |(word, _)| word.id)
            .ok()?;
        self.meets.get(at).map(|(_, cost)| *cost)
    }

    /// Looks for the words a few slips away, once; a number has none.
    pub(crate) fn search(&mut self, index: &Index) {
        if self.number || self.searched {
            return;
        }
        self.searched = true;
        let mut found = Vec::new();
        for (word, cost) in index.near(&self.letters) {
            if self.cost(word.id).is_none() {
                found.push((word.clone(), cost.max(INFLECTED + 1)));
            }
        }
        self.meets.extend(found);
        self.meets.sort_unstable_by_key(|(word, _)| word.id);
    }
}
