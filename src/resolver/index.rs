//! The words of one user's titles, ready to be searched.
//!
//! Built once from the tasks; small lists build theirs on the fly. Holds row numbers, not
//! tasks: it only fits the slice it was built from, and says so.

use std::collections::HashMap;
use std::hash::{DefaultHasher, Hash, Hasher};

use crate::domain::text::{Kind, Text};
use crate::domain::{Task, TaskId};

use super::confusable::looks;
use super::edit::{Letters, may_be_near};
use super::inflection::bases;
use super::places::{Place, place};
use super::vocabulary::{Part, part};
use super::words::split_text;

/// A word of the vocabulary, by its place in it.
pub(crate) type WordId = u32;
/// A task, by its place in the slice the index was built from.
pub(crate) type Row = u32;

/// An index over the titles of one user's tasks.
#[derive(Debug, Default)]
pub struct Index {
    vocabulary: HashMap<Box<str>, WordId>,
    entries: Vec<Entry>,
    /// Length and letter set of every entry, side by side: what a search for slips scans.
    shapes: Vec<(usize, u32)>,
    /// Base form → the words that have it.
    families: HashMap<Box<str>, Vec<WordId>>,
    titles: Vec<Title>,
    /// The words of all titles, one title after the other.
    words: Vec<WordId>,
    /// The rows of all words, one word after the other, ascending.
    postings: Vec<Row>,
}

/// One word of the vocabulary.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Its letters.
    pub(crate) letters: Letters,
    /// What it contributes.
    pub(crate) part: Option<Part>,
    /// It is a number: equal or different, never nearly.
    pub(crate) number: bool,
    /// It names a place in a list: "frist one" is no slip for "First aid kit".
    pub(crate) place: bool,
    postings: std::ops::Range<usize>,
}

impl Entry {
    /// It names nothing by itself.
    pub(crate) const fn is_soft(&self) -> bool {
        matches!(self.part, Some(Part::Article | Part::Link))
    }
}

#[derive(Debug)]
struct Title {
    id: TaskId,
    version: i64,
    folded: u64,
    looks: u64,
    words: std::ops::Range<usize>,
}

impl Index {
    /// Reads the titles of `tasks`: some microseconds each.
    pub fn new(tasks: &[Task]) -> Self {
        let mut index = Self::default();
        for task in tasks {
            index.add(task);
        }
        index.post();
        index
    }

    /// Whether it was built from exactly these tasks, in this order.
    pub fn fits(&self, tasks: &[Task]) -> bool {
        let same =
            |(title, task): (&Title, &Task)| (title.id, title.version) == (task.id, task.version);
        self.titles.len() == tasks.len() && self.titles.iter().zip(tasks).all(same)
    }

    /// How many titles.
    pub(crate) fn len(&self) -> usize {
        self.titles.len()
    }

    /// Every row.
    pub(crate) fn rows(&self) -> impl Iterator<Item = Row> + use<> {
        (0..self.titles.len()).filter_map(|row| Row::try_from(row).ok())
    }

    /// The words of a title, in order.
    pub(crate) fn title(&self, row: Row) -> &[WordId] {
        let range = self
            .titles
            .get(row as usize)
            .map(|title| title.words.clone());
        range
            .and_then(|range| self.words.get(range))
            .unwrap_or_default()
    }

    /// The rows whose titles have a word, ascending.
    pub(crate) fn rows_with(&self, word: WordId) -> &[Row] {
        let range = self.entry(word).map(|entry| entry.postings.clone());
        range
            .and_then(|range| self.postings.get(range))
            .unwrap_or_default()
    }

    /// A word of the vocabulary.
    pub(crate) fn entry(&self, word: WordId) -> Option<&Entry> {
        self.entries.get(word as usize)
    }

    /// The word that is written like this.
    pub(crate) fn word(&self, text: &str) -> Option<WordId> {
        self.vocabulary.get(text).copied()
    }

    /// The words that are another inflection of this one.
    pub(crate) fn family(&self, text: &str) -> Vec<WordId> {
        let mut found = Vec::new();
        let mut collect = |form: &str| {
            found.extend(self.word(form));
            found.extend(self.families.get(form).into_iter().flatten());
        };
        collect(text);
        bases(text, &mut collect);
        let own = self.word(text);
        found.retain(|word| Some(*word) != own);
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The words that may be within a few slips of this one.
    pub(crate) fn near(&self, letters: &Letters) -> impl Iterator<Item = (WordId, &Entry)> {
        let shape = (letters.len(), letters.mask());
        let near = self.shapes.iter().enumerate();
        near.filter(move |(_, other)| may_be_near(shape, **other))
            .filter_map(|(at, _)| Some((WordId::try_from(at).ok()?, self.entries.get(at)?)))
    }

    /// How much sharing a word proves, 0..1: nearly nothing if every title has it, all if
    /// only every tenth does.
    pub(crate) fn rarity(&self, word: WordId) -> f32 {
        let titles = self.titles.len() as f32;
        let having = self.rows_with(word).len().max(1) as f32;
        ((titles / having).ln_1p() / 10_f32.ln_1p()).min(1.0)
    }

    /// The rows whose folded title may be this text's: equal hashes, to be verified by the caller.
    pub(crate) fn folded_like(&self, text: &str) -> impl Iterator<Item = Row> + use<'_> {
        let key = key(&Text::new(text));
        let rows = self.rows().zip(&self.titles);
        rows.filter(move |(_, title)| title.folded == key)
            .map(|(row, _)| row)
    }

    /// The other rows whose titles can't be told from this one's by looking.
    pub(crate) fn twins(&self, row: Row) -> impl Iterator<Item = Row> {
        let looks = self.titles.get(row as usize).map(|title| title.looks);
        let rows = self.rows().zip(&self.titles);
        rows.filter(move |(other, title)| *other != row && Some(title.looks) == looks)
            .map(|(other, _)| other)
    }

    fn add(&mut self, task: &Task) {
        let text = Text::new(task.title.as_str());
        let start = self.words.len();
        split_text(&text, &mut |word| {
            if let Some(word) = self.intern(word) {
                self.words.push(word);
            }
        });
        self.titles.push(Title {
            id: task.id,
            version: task.version,
            folded: key(&text),
            looks: looks(&text),
            words: start..self.words.len(),
        });
    }

    fn intern(&mut self, text: &str) -> Option<WordId> {
        if let Some(word) = self.vocabulary.get(text) {
            return Some(*word);
        }
        let word = WordId::try_from(self.entries.len()).ok()?;
        let letters = Letters::of(text);
        self.shapes.push((letters.len(), letters.mask()));
        self.entries.push(Entry {
            letters,
            part: part(text),
            number: is_number(text),
            place: place(text)
                .is_some_and(|place| matches!(place, Place::Ordinal(_) | Place::Last)),
            postings: 0..0,
        });
        bases(text, &mut |base| {
            let family = self.families.entry(base.into()).or_default();
            if family.last() != Some(&word) {
                family.push(word);
            }
        });
        self.vocabulary.insert(text.into(), word);
        Some(word)
    }

    /// Fills the postings: sorted pairs of word and row, each once.
    fn post(&mut self) {
        let mut pairs: Vec<(WordId, Row)> = Vec::with_capacity(self.words.len());
        for row in self.rows() {
            pairs.extend(self.title(row).iter().map(|word| (*word, row)));
        }
        pairs.sort_unstable();
        pairs.dedup();
        let mut start = 0;
        for run in pairs.chunk_by(|a, b| a.0 == b.0) {
            let end = start + run.len();
            let word = run.first().map(|(word, _)| *word as usize);
            if let Some(entry) = word.and_then(|word| self.entries.get_mut(word)) {
                entry.postings = start..end;
            }
            start = end;
        }
        self.postings = pairs.into_iter().map(|(_, row)| row).collect();
    }
}

/// Whether a word is a number, in digits or in words.
pub(crate) fn is_number(word: &str) -> bool {
    let digits = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let mut number = word.chars().all(char::is_numeric);
    bases(word, &mut |base| number |= digits(base));
    number
}

/// Equal for texts that fold to the same words; different texts may share it.
fn key(text: &Text<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (index, token) in text.tokens.iter().enumerate() {
        if token.kind == Kind::Word {
            text.word(index).hash(&mut hasher);
        }
    }
    hasher.finish()
}
