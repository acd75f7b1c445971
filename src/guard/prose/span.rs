//! What a text is read as: words with their classes, and the sentences they stand in.

use std::ops::Range;

use super::verdict::Assertion;
use super::veto::Marks;

/// One word.
#[derive(Debug, Clone, Copy)]
pub(super) struct Word {
    /// Its id in the vocabulary.
    pub id: u16,
    /// Its classes.
    pub classes: u64,
    /// A hash of its folded letters: for titles.
    pub hash: u64,
    /// The next words that vetoes strike.
    pub marks: Marks,
    /// A comma, a colon, a dash or a bracket stands before it.
    pub cut: bool,
    /// It stands inside quotation marks.
    pub quoted: bool,
    /// It starts with a capital.
    pub capital: bool,
}

/// One sentence: its words and how it ends.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Span {
    /// Its words.
    pub words: Range<usize>,
    /// Its bytes.
    pub bytes: Range<usize>,
    /// It ends in a question mark.
    pub marked: bool,
    /// It is the item of a list.
    pub item: bool,
    /// It has a friendly sign in it.
    pub smiles: bool,
    /// What forbids it whatever its words say.
    pub blemish: Option<Assertion>,
}

/// A text, read.
#[derive(Debug, Default)]
pub(super) struct Prose {
    /// All words, in order.
    pub words: Vec<Word>,
    /// All sentences, in order.
    pub sentences: Vec<Span>,
}

impl Prose {
    /// The words of a range.
    pub(super) fn slice(&self, range: Range<usize>) -> &[Word] {
        self.words.get(range).unwrap_or_default()
    }
}
