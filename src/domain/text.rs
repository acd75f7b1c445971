//! Reading text: folding and tokens, shared by everything that judges words.
//!
//! Folding is NFKD, lower case, without marks, format characters or typographic
//! variants of the apostrophe, so that "Café", "CAFE" and "cafe\u{301}" are one
//! word. One pass, linear in any script: no regular expression looks at raw text,
//! since a Unicode word boundary costs a thousandfold on one accented letter.

use std::ops::Range;

use crate::languages::spelling::respelled;

use super::glyph::{fold_char, is_apostrophe, is_blank, is_break, is_word};

pub use super::glyph::is_invisible;

/// Kind of a token.
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
    /// Byte range in the folded text.
    folded: (u32, u32),
    /// Spelling by which a language knows it, where that is another.
    spelt: Option<&'static str>,
    /// Its kind.
    pub kind: Kind,
    /// White space stands before it.
    pub spaced: bool,
    /// Set when it stands inside quotation marks: literal, never a command or a date.
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
            folded: String::with_capacity(raw.len()),
            tokens: Vec::with_capacity(raw.len() / 4 + 4),
            marks: false,
        };
        text.split();
        text.mark_quotes();
        text.respell();
        text
    }

    /// The folded text of token `index`; empty when there is none.
    pub fn word(&self, index: usize) -> &str {
        self.tokens
            .get(index)
            .map_or("", |token| self.folded(token))
    }

    /// The text of token `index` in the spelling by which a language knows it: what [`Self::word`] gives, but
    /// in one that has several.
    ///
    /// ```
    /// use candor::domain::text::Text;
    /// let text = Text::new("mujhe sabzi lani hy");
    /// assert_eq!([text.word(3), text.spelt(3)], ["hy", "hai"]);
    /// ```
    pub fn spelt(&self, index: usize) -> &str {
        let token = self.tokens.get(index);
        let known = token.and_then(|token| token.spelt);
        known.unwrap_or_else(|| self.word(index))
    }

    /// Tells whether token `index` is a word.
    pub fn is_word(&self, index: usize) -> bool {
        let token = self.tokens.get(index);
        token.is_some_and(|token| token.kind == Kind::Word)
    }

    /// Tells whether token `index` stands within quotation marks.
    pub fn is_quoted(&self, index: usize) -> bool {
        self.tokens.get(index).is_some_and(|token| token.quoted)
    }

    /// The folded text of `token`.
    #[inline]
    pub fn folded(&self, token: &Token) -> &str {
        let (start, end) = token.folded;
        let folded = self.folded.get(start as usize..end as usize);
        folded.unwrap_or_default()
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
        while let Some(c) = char_at(self.raw, at) {
            let end = at + c.len_utf8();
            let from = self.folded.len();
            if is_break(c) {
                self.folded.push('\n');
                self.seal(at..end, from, Kind::Break, spaced);
                (at, spaced) = (end, true);
            } else if is_blank(c) {
                (at, spaced) = (end, true);
            } else if is_invisible(c) {
                at = end;
            } else if is_word(c) {
                (at, spaced) = (self.split_word(at, spaced), false);
            } else {
                let (kind, shape) = punctuation(c);
                match shape {
                    Some(shape) => self.folded.push_str(shape),
                    None => fold_char(c, &mut self.folded),
                }
                self.marks |= kind == Kind::Quote;
                self.seal(at..end, from, kind, spaced);
                (at, spaced) = (end, false);
            }
        }
    }

    /// Notes how a language that has several spellings for a word spells it in its files.
    fn respell(&mut self) {
        let own = |at: &usize| self.is_word(*at) && !self.is_quoted(*at);
        let at: Vec<usize> = (0..self.tokens.len()).filter(own).collect();
        let words: Vec<&str> = at.iter().map(|at| self.word(*at)).collect();
        for (place, word) in respelled(&words) {
            let token = at.get(place).and_then(|at| self.tokens.get_mut(*at));
            if let Some(token) = token {
                token.spelt = Some(word);
            }
        }
    }

    /// Takes the word that begins at `start`; gives where it ends.
    fn split_word(&mut self, start: usize, spaced: bool) -> usize {
        let from = self.folded.len();
        let mut at = start;
        while let Some(c) = char_at(self.raw, at) {
            let end = at + c.len_utf8();
            let inner = at > start && is_apostrophe(c);
            let goes_on = is_word(c)
                || is_invisible(c)
                || (inner && char_at(self.raw, end).is_some_and(is_word));
            if !goes_on {
                break;
            }
            if inner {
                self.folded.push('\'');
            } else {
                fold_char(c, &mut self.folded);
            }
            at = end;
        }
        self.seal(start..at, from, Kind::Word, spaced);
        at
    }

    /// Ends a token that is folded from `from` on.
    fn seal(&mut self, span: Range<usize>, from: usize, kind: Kind, spaced: bool) {
        self.tokens.push(Token {
            span,
            folded: (from as u32, self.folded.len() as u32),
            spelt: None,
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

/// The character that begins at byte `at`.
fn char_at(raw: &str, at: usize) -> Option<char> {
    raw.get(at..)?.chars().next()
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
    use proptest::prelude::*;

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
    fn letters_and_digits_of_other_scripts_have_one_form() {
        for (one, other) in [
            ("٢٠ فبراير", "20 فبراير"),
            ("۲۰", "20"),
            ("१२ मार्च", "12 मार्च"),
            ("２０：３０", "20:30"),
            ("إعادة كتب المكتبـــة", "اعادة كتب المكتبة"),
            ("مستشفى", "مستشفي"),
            ("ｶﾞｽ代", "ガス代"),
        ] {
            assert_eq!(fold(one), fold(other));
        }
        assert_ne!(fold("१२"), fold("२१"));
        assert_ne!(fold("دفع"), fold("رفع"));
    }

    /// Folds each character of a word by itself, one after the other.
    fn one_by_one(word: &str) -> String {
        let mut folded = String::new();
        for (at, c) in word.char_indices() {
            if at > 0 && is_apostrophe(c) {
                folded.push('\'');
            } else {
                fold_char(c, &mut folded);
            }
        }
        folded
    }

    proptest! {
        #[test]
        fn a_word_lies_folded_wherever_it_lies(raw in "[a-zA-Z'’0-9é一ßй \u{301}\u{200b}ﬁİÅ.]{0,24}") {
            let text = Text::new(&raw);
            for token in text.tokens.iter().filter(|token| token.kind == Kind::Word) {
                let word = text.folded(token);
                prop_assert_eq!(word, one_by_one(&raw[token.span.clone()]));
            }
        }
    }

    #[test]
    fn slices_are_as_written() {
        let text = Text::new("Delete  “Read Book” now");
        assert_eq!(text.slice(1..5), "“Read Book”");
        assert_eq!(text.slice(5..6), "now");
        assert_eq!(text.slice(6..6), "");
    }
}
