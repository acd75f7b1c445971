//! The words of a message, as the grammar of one language knows them.

use std::ops::Range;

use super::grammar::{Class, Grammar, Line};
use crate::domain::text::{Text, Token};
use crate::language::matcher::{Finish, Matcher};
use crate::language::words::Words;

/// A message, its words, and the grammar that they are looked up in.
#[derive(Clone, Copy)]
pub(super) struct MessageWords<'a> {
    pub text: &'a Text<'a>,
    pub words: &'a Words,
    pub grammar: &'a Grammar,
}

impl<'a> MessageWords<'a> {
    /// Tells whether the word at `at` is one of `class`.
    pub(super) fn is(self, class: Class, at: usize) -> bool {
        self.grammar.is(class, self.words.list.get(at))
    }

    /// Finds where a phrase of a class ends that `range` begins with.
    pub(super) fn starts(self, class: Class, range: Range<usize>) -> Option<usize> {
        let line = self.line(&range);
        let (matcher, finish) = (&mut Matcher::new(), Finish::Anywhere);
        self.grammar
            .starts(class, matcher, &line, range.clone(), finish)
    }

    /// The words, for patterns that know of no dates.
    pub(super) fn line<'l>(&self, sentence: &'l Range<usize>) -> Line<'l>
    where
        'a: 'l,
    {
        Line {
            grammar: self.grammar,
            words: &self.words.list,
            dates: &[],
            times: &[],
            sentence,
        }
    }

    pub(super) fn token(self, at: usize) -> Option<&'a Token> {
        let word = self.words.list.get(at)?;
        self.text.tokens.get(word.token as usize)
    }

    /// The word at `at`, folded.
    pub(super) fn folded(self, at: usize) -> &'a str {
        self.token(at).map_or("", |token| self.text.folded(token))
    }

    /// The words of `range` as they were written.
    pub(super) fn written(self, range: Range<usize>) -> &'a str {
        self.text.slice(self.words.tokens(range))
    }

    /// The bytes of the words of `range`.
    pub(super) fn bytes(self, range: Range<usize>) -> Range<usize> {
        let tokens = self.words.tokens(range);
        self.text.bytes(tokens).unwrap_or_default()
    }
}
