//! Reading text: folding and tokens, shared by everything that judges words.
//!
//! Folding is NFKD, lower case, without marks, format characters or typographic
//! variants of the apostrophe, so that "Café", "CAFE" and "cafe\u{301}" are one
//! word. One pass, linear in any script: no regular expression looks at raw text,
//! since a Unicode word boundary costs a thousandfold on one accented letter.

use std::ops::Range;

use super::glyph::{Glyph, glyph, is_word_at};

pub use super::glyph::is_invisible;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Letters and digits with inner apostrophes: `don't`, `5pm`, `2026`, `büro`.
    Word,
    /// One character of punctuation or a symbol.
    Punct,
    /// An opening or closing quotation mark.
    Quote,
    /// A line break.
    Break,
}

/// One token, with its place in the raw and in the folded text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token {
    /// Byte range in the raw text.
    pub span: Range<usize>,
    folded: Range<usize>,
    /// What it is.
    pub kind: Kind,
    /// White space stands before it.
    pub spaced: bool,
    /// It stands inside quotation marks: literal, never a command or a date.
    pub quoted: bool,
}

/// A text with its tokens.
#[derive(Debug, Clone)]
pub struct Text<'a> {
    /// As it was written.
    pub raw: &'a str,
    folded: String,
    /// In order; white space is not a token.
    pub tokens: Vec<Token>,
    /// There are quotation marks.
    marks: bool,
}

impl<'a> Text<'a> {
    /// Splits and folds `raw`.
    ///
    /// ```
    /// use candor::domain::text::Text;
    /// let text = Text::new("Don’t call “José”!");
    /// let words: Vec<_> = (0..text.tokens.len()).map(|i| text.word(i)).collect();
    /// assert_eq!(words, ["don't", "call", "\"", "jose", "\"", "!"]);
    /// ```
    pub fn new(raw: &'a str) -> Self {
        let mut text = Self {
            raw,
            folded: String::with_capacity(raw.len() + 8),
            tokens: Vec::with_capacity(raw.len() / 4 + 4),
            marks: false,
        };
        text.split();
        text.mark_quotes();
        text
    }

    /// The folded text of token `index`; empty when there is none.
    pub fn word(&self, index: usize) -> &str {
        self.tokens
            .get(index)
            .and_then(|token| self.folded.get(token.folded.clone()))
            .unwrap_or_default()
    }

    /// The raw text from the first to the last token of `tokens`, as it was written.
    pub fn slice(&self, tokens: Range<usize>) -> &'a str {
        let Some(range) = self.bytes(tokens) else {
            return "";
        };
        self.raw.get(range).unwrap_or_default()
    }

    /// The raw bytes from the first to the last token of `tokens`.
    pub fn bytes(&self, tokens: Range<usize>) -> Option<Range<usize>> {
        let slice = self.tokens.get(tokens)?;
        Some(slice.first()?.span.start..slice.last()?.span.end)
    }

    fn split(&mut self) {
        let mut spaced = false;
        let mut at = 0;
        while let Some((glyph, end)) = glyph(self.raw, at) {
            if glyph.has(Glyph::BREAK) {
                self.folded.push('\n');
                self.seal(at..end, self.folded.len() - 1, Kind::Break, spaced);
                spaced = true;
                at = end;
            } else if glyph.has(Glyph::BLANK) {
                spaced = true;
                at = end;
            } else if glyph.has(Glyph::INVISIBLE) {
                at = end;
            } else if glyph.has(Glyph::WORD) {
                at = self.split_word(at, spaced);
                spaced = false;
            } else {
                self.split_punctuation(at..end, glyph, spaced);
                spaced = false;
                at = end;
            }
        }
    }

    fn split_punctuation(&mut self, span: Range<usize>, glyph: Glyph, spaced: bool) {
        let folded = self.folded.len();
        let written = self.raw.get(span.clone()).unwrap_or_default();
        let (kind, shape) = written
            .chars()
            .next()
            .map_or((Kind::Punct, None), punctuation);
        match shape {
            Some(shape) => self.folded.push_str(shape),
            None => glyph.fold(written, &mut self.folded),
        }
        self.marks |= kind == Kind::Quote;
        self.seal(span, folded, kind, spaced);
    }

    /// Takes the word that begins at `start`; gives where it ends.
    fn split_word(&mut self, start: usize, spaced: bool) -> usize {
        let folded = self.folded.len();
        // Most characters fold to themselves: they are copied in one piece.
        let mut same = start;
        let mut at = start;
        while let Some((glyph, end)) = glyph(self.raw, at) {
            let inner = at > start && glyph.has(Glyph::APOSTROPHE);
            let joins = glyph.has(Glyph::WORD.or(Glyph::INVISIBLE));
            let goes_on = joins || (inner && is_word_at(self.raw, end));
            if !goes_on {
                break;
            }
            if inner || !glyph.has(Glyph::SAME) {
                self.copy(same..at);
                match self.raw.get(at..end) {
                    Some(_) if inner => self.folded.push('\''),
                    written => glyph.fold(written.unwrap_or_default(), &mut self.folded),
                }
                same = end;
            }
            at = end;
        }
        self.copy(same..at);
        self.seal(start..at, folded, Kind::Word, spaced);
        at
    }

    fn copy(&mut self, span: Range<usize>) {
        self.folded.push_str(self.raw.get(span).unwrap_or_default());
    }

    fn seal(&mut self, span: Range<usize>, folded: usize, kind: Kind, spaced: bool) {
        self.tokens.push(Token {
            span,
            folded: folded..self.folded.len(),
            kind,
            spaced,
            quoted: false,
        });
    }

    /// Pairs quotation marks; a single quote opens only at the start of a word, and an
    /// unpaired mark quotes nothing.
    fn mark_quotes(&mut self) {
        if !self.marks {
            return;
        }
        let mut open: Option<(usize, bool)> = None;
        let mut pairs = Vec::new();
        for (index, token) in self.tokens.iter().enumerate() {
            match token.kind {
                Kind::Word | Kind::Punct => {}
                Kind::Break => open = None,
                Kind::Quote => {
                    let single = self.word(index) == "'";
                    match open {
                        None if !single || token.spaced || index == 0 => {
                            open = Some((index, single));
                        }
                        Some((start, before)) if single == before => {
                            pairs.push(start..index);
                            open = None;
                        }
                        _ => {}
                    }
                }
            }
        }
        for pair in pairs {
            for token in self.tokens.iter_mut().take(pair.end).skip(pair.start + 1) {
                token.quoted = true;
            }
        }
    }
}

/// Folds a whole text to its words with single spaces between: the key two titles are equal by.
///
/// ```
/// use candor::domain::text::fold;
/// assert_eq!(fold("  CAFÉ,  to-go "), "cafe to go");
/// ```
pub fn fold(raw: &str) -> String {
    let text = Text::new(raw);
    let mut out = String::with_capacity(raw.len());
    for (index, token) in text.tokens.iter().enumerate() {
        if token.kind == Kind::Word {
            if !out.is_empty() {
                out.push(' ');
            }
            out.push_str(text.word(index));
        }
    }
    if out.is_empty() {
        // A title of symbols alone ("!!!", "🍎") must still equal itself and nothing else.
        for index in 0..text.tokens.len() {
            out.push_str(text.word(index));
        }
    }
    out
}

fn punctuation(c: char) -> (Kind, Option<&'static str>) {
    match c {
        '"' | '“' | '”' | '„' | '«' | '»' | '＂' | '`' => (Kind::Quote, Some("\"")),
        '\'' | '‘' | '’' | '‚' | '‹' | '›' | 'ʼ' | '＇' => (Kind::Quote, Some("'")),
        '–' | '—' | '−' | '‐' | '‑' | '‒' => (Kind::Punct, Some("-")),
        '…' => (Kind::Punct, Some("…")),
        '？' | '؟' => (Kind::Punct, Some("?")),
        '！' | '¡' => (Kind::Punct, Some("!")),
        '¿' => (Kind::Punct, Some("¿")),
        '，' | '、' | '،' => (Kind::Punct, Some(",")),
        '。' => (Kind::Punct, Some(".")),
        _ => (Kind::Punct, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(raw: &str, expect: &[&str]) {
        let text = Text::new(raw);
        let words: Vec<_> = (0..text.tokens.len()).map(|i| text.word(i)).collect();
        assert_eq!(words, expect, "{raw:?}");
    }

    #[test]
    fn words_keep_inner_apostrophes_and_drop_marks() {
        check("Don’t!", &["don't", "!"]);
        check("l'École", &["l'ecole"]);
        check("Straße 5pm", &["strasse", "5pm"]);
        check("ca\u{301}fe\u{200b}s", &["cafes"]);
        check("2026-02-10", &["2026", "-", "02", "-", "10"]);
    }

    #[test]
    fn quotes_pair_and_a_lone_one_quotes_nothing() {
        let quoted = |raw: &str| {
            let text = Text::new(raw);
            (0..text.tokens.len())
                .filter(|i| text.tokens[*i].quoted)
                .map(|i| text.word(i).to_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            quoted("add \"delete old mail\" now"),
            ["delete", "old", "mail"]
        );
        assert_eq!(quoted("add 'buy milk'"), ["buy", "milk"]);
        assert!(quoted("5\" nails and milk").is_empty());
        assert!(quoted("the dogs' food and cats' food").is_empty());
    }

    #[test]
    fn folding_makes_twins_equal() {
        assert_eq!(fold("Café"), fold("CAFE\u{301}"));
        assert_eq!(fold("Read\u{2060} book"), fold("read book"));
        assert_ne!(fold("🍎"), fold("🍐"));
    }

    #[test]
    fn slices_are_as_written() {
        let text = Text::new("Delete  “Read Book” now");
        assert_eq!(text.slice(1..5), "“Read Book”");
        assert_eq!(text.slice(5..6), "now");
        assert_eq!(text.slice(6..6), "");
    }
}
