//! Phrases of the word files, and where they stand in a text: the notation of `cues.txt`, `talk.txt` and `past.txt`.
//!
//! A phrase is words, folded. `..` stands for a few words of the same sentence, `book*` for every word
//! that begins so and `*ado` for every word that ends so. How a word fits, and how wide a gap may be, is
//! its reader's to say.

use std::collections::HashMap;

use crate::domain::text::fold;
use crate::languages::{WordFault, WordFile};

/// Part of a phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Piece {
    /// This word.
    Word(&'static str),
    /// A word that begins so.
    Prefix(&'static str),
    /// A word that ends so.
    Suffix(&'static str),
    /// Words of something else.
    Gap,
}

/// Phrase of a class.
#[derive(Debug)]
pub(crate) struct Phrase<C> {
    /// Its class.
    pub class: C,
    /// Its parts, in order.
    pub pieces: Vec<Piece>,
}

/// Place in a text, as a reader of phrases sees it.
pub(crate) trait PhraseText {
    /// Words that a gap may take, at most.
    const GAP: usize;

    /// Tells whether the word at `at` is the one that is asked for.
    fn fits(&self, piece: Piece, at: usize) -> bool;

    /// Tells whether a gap can't go on over what stands at `at`.
    fn ends(&self, at: usize) -> bool;

    /// Tells whether what stands at `at` is a part of a longer thing that a gap takes as nothing.
    fn is_taken(&self, _at: usize) -> bool {
        false
    }
}

impl<C> Phrase<C> {
    /// Finds where the phrase ends if it begins at `at`, and tells whether it left a gap.
    pub(crate) fn end(&self, text: &impl PhraseText, at: usize) -> Option<(usize, bool)> {
        end(&self.pieces, text, at)
    }
}

fn end<T: PhraseText>(pieces: &[Piece], text: &T, at: usize) -> Option<(usize, bool)> {
    let (mut next, mut open) = (at, false);
    let mut pieces = pieces.iter().copied().peekable();
    while let Some(piece) = pieces.next() {
        if piece != Piece::Gap {
            if !text.fits(piece, next) {
                return None;
            }
            next += 1;
            continue;
        }
        open = true;
        let wanted = *pieces.peek()?;
        let mut left = T::GAP;
        while text.is_taken(next) || !text.fits(wanted, next) {
            let taken = text.is_taken(next);
            if left == 0 || !taken && text.ends(next) {
                return None;
            }
            left -= usize::from(!taken);
            next += 1;
        }
    }
    Some((next, open))
}

/// Phrases of one language or of several, by their first word.
#[derive(Debug)]
pub(crate) struct PhraseBook<C> {
    by_word: HashMap<String, Vec<Phrase<C>>>,
    /// Phrases that open with the beginning of a word, by its first letter.
    by_prefix: HashMap<char, Vec<Phrase<C>>>,
    /// Phrases that open with the end of a word, by its last letter.
    by_suffix: HashMap<char, Vec<Phrase<C>>>,
}

impl<C> Default for PhraseBook<C> {
    fn default() -> Self {
        Self {
            by_word: HashMap::new(),
            by_prefix: HashMap::new(),
            by_suffix: HashMap::new(),
        }
    }
}

impl<C: Copy> PhraseBook<C> {
    /// Reads a file into it.
    pub(crate) fn read(
        &mut self,
        file: WordFile,
        class: impl Fn(&str) -> Option<C>,
    ) -> Vec<WordFault> {
        file.read(class, |class, phrase| {
            self.put(class, phrase);
            Ok(())
        })
    }

    /// Enters a phrase.
    pub(crate) fn put(&mut self, class: C, phrase: &'static str) {
        let pieces: Vec<Piece> = phrase.split_whitespace().map(piece).collect();
        let place = match pieces.first() {
            Some(Piece::Word(first)) => self.by_word.entry(fold(first)).or_default(),
            Some(Piece::Prefix(prefix)) => letter(&mut self.by_prefix, fold(prefix).chars().next()),
            Some(Piece::Suffix(suffix)) => letter(&mut self.by_suffix, fold(suffix).chars().last()),
            // What opens with a gap opens anywhere, and says nothing.
            Some(Piece::Gap) | None => return,
        };
        place.push(Phrase { class, pieces });
    }

    /// The phrases whose first word this is.
    pub(crate) fn known(&self, word: &str) -> &[Phrase<C>] {
        self.by_word.get(word).map_or(&[], Vec::as_slice)
    }

    /// The phrases that may begin with a word.
    pub(crate) fn of(&self, word: &str) -> impl Iterator<Item = &Phrase<C>> {
        let opened = word
            .chars()
            .next()
            .and_then(|first| self.by_prefix.get(&first));
        let ended = word
            .chars()
            .last()
            .and_then(|last| self.by_suffix.get(&last));
        let parts = opened.into_iter().chain(ended).flatten();
        self.known(word).iter().chain(parts)
    }
}

fn letter<C>(phrases: &mut HashMap<char, Vec<Phrase<C>>>, of: Option<char>) -> &mut Vec<Phrase<C>> {
    phrases.entry(of.unwrap_or_default()).or_default()
}

fn piece(word: &'static str) -> Piece {
    if word == ".." {
        return Piece::Gap;
    }
    if let Some(prefix) = word.strip_suffix('*').filter(|p| !p.is_empty()) {
        return Piece::Prefix(prefix);
    }
    match word.strip_prefix('*') {
        Some(suffix) if !suffix.is_empty() => Piece::Suffix(suffix),
        _ => Piece::Word(word),
    }
}

/// The phrases that one with alternatives stands for: "kar li/di" for "kar li" and "kar di".
pub(crate) fn spelt_out(phrase: &'static str) -> Vec<&'static str> {
    if !phrase.contains('/') {
        return vec![phrase];
    }
    let mut phrases = vec![String::new()];
    for word in phrase.split_whitespace() {
        let mut longer = Vec::new();
        for phrase in &phrases {
            longer.extend(word.split('/').map(|word| match phrase.as_str() {
                "" => word.to_owned(),
                phrase => format!("{phrase} {word}"),
            }));
        }
        phrases = longer;
    }
    let phrases = phrases.into_iter().map(String::leak);
    phrases.map(|phrase| &*phrase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn alternatives_are_spelt_out() {
        assert_eq!(spelt_out("take .. off"), ["take .. off"]);
        assert_eq!(
            spelt_out("kar/kr li/di"),
            ["kar li", "kar di", "kr li", "kr di"]
        );
    }
}
