//! Places of a message at which a phrase of a cue fits.

use std::ops::Range;

use super::cues::{Cue, PHRASES, begins};
use crate::domain::text::{Kind as TokenKind, Text, fold};
use crate::language::phrases::{PhraseText, Piece};

/// A text in which cues are looked for.
pub(super) struct CueText<'t> {
    pub text: &'t Text<'t>,
    /// Tokens of titles that stand there as they are written.
    pub titles: &'t [Range<usize>],
}

impl PhraseText for CueText<'_> {
    const GAP: usize = 8;

    fn fits(&self, piece: Piece, at: usize) -> bool {
        let word = self.text.spelt(at);
        let raw = || self.text.slice(at..at + 1).to_lowercase();
        match piece {
            // Short words are others without their accent: "que" is no "qué", unless somebody who
            // writes none asks.
            Piece::Word(wanted) if !wanted.is_ascii() => {
                let whole = self.text.raw;
                let plain = whole.is_ascii() && (word.len() > 5 || whole.contains('?'));
                raw() == wanted || plain && fold(wanted) == word
            }
            Piece::Word(wanted) => word == wanted,
            Piece::Prefix(prefix) => word.starts_with(prefix),
            Piece::Suffix(suffix) if suffix.is_ascii() => {
                // An ending that is a word of its own needs no stem: "2's".
                let stem = if suffix.starts_with('\'') { 1 } else { 3 };
                word.chars().count() >= suffix.len() + stem
                    && word.ends_with(suffix)
                    && !PHRASES
                        .known(word)
                        .iter()
                        .any(|phrase| phrase.class.0 == Cue::NoDeed)
            }
            Piece::Suffix(suffix) => {
                let raw = raw();
                raw.chars().count() >= 4 && raw.ends_with(suffix)
            }
            Piece::Gap => false,
        }
    }

    fn ends(&self, at: usize) -> bool {
        let token = self.text.tokens.get(at);
        token.is_none_or(|token| token.kind == TokenKind::Break)
            || matches!(self.text.word(at), "." | "!" | "?" | ";")
    }

    // A quotation and a title are each one word of it.
    fn is_taken(&self, at: usize) -> bool {
        self.text.tokens.get(at).is_some_and(|token| token.quoted)
            || self.titles.iter().any(|title| title.contains(&at))
    }
}

/// Tells whether the user is the one who does what these words tell.
pub(in crate::guard) fn tells_of_oneself(words: &str) -> bool {
    begins(Cue::Me, &Text::new(words), 0)
}
