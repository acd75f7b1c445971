//! Reading text: folding and tokens, shared by everything that judges words.
//!
//! Folding is NFKD, lower case, without marks, format characters or typographic
//! variants of the apostrophe, so that "Café", "CAFE" and "cafe\u{301}" are one
//! word. One pass, linear in any script: no regular expression looks at raw text,
//! since a Unicode word boundary costs a thousandfold on one accented letter.

use std::ops::Range;

use unicode_normalization::char::{decompose_compatible, is_combining_mark};

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
        let mut chars = self.raw.char_indices().peekable();
        while let Some((start, c)) = chars.next() {
            if c == '\n' || c == '\u{2028}' || c == '\u{2029}' {
                self.push(start..start + c.len_utf8(), "\n", Kind::Break, spaced);
                spaced = true;
                continue;
            }
            if c.is_whitespace() || c.is_control() {
                spaced = true;
                continue;
            }
            if is_invisible(c) {
                continue;
            }
            let mut end = start + c.len_utf8();
            if !is_word(c) {
                let (kind, shape) = punctuation(c);
                let folded = self.folded.len();
                match shape {
                    Some(shape) => self.folded.push_str(shape),
                    None => fold_char(c, &mut self.folded),
                }
                self.seal(start..end, folded, kind, spaced);
                spaced = false;
                continue;
            }
            let folded = self.folded.len();
            fold_char(c, &mut self.folded);
            while let Some(&(at, next)) = chars.peek() {
                let joins = is_word(next)
                    || is_invisible(next)
                    || (is_apostrophe(next) && self.letter_follows(at + next.len_utf8()));
                if !joins {
                    break;
                }
                end = at + next.len_utf8();
                if is_apostrophe(next) {
                    self.folded.push('\'');
                } else {
                    fold_char(next, &mut self.folded);
                }
                chars.next();
            }
            self.seal(start..end, folded, Kind::Word, spaced);
            spaced = false;
        }
    }

    fn letter_follows(&self, at: usize) -> bool {
        self.raw
            .get(at..)
            .and_then(|rest| rest.chars().next())
            .is_some_and(is_word)
    }

    fn push(&mut self, span: Range<usize>, shape: &str, kind: Kind, spaced: bool) {
        let folded = self.folded.len();
        self.folded.push_str(shape);
        self.seal(span, folded, kind, spaced);
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
        let mut open: Option<usize> = None;
        let mut pairs = Vec::new();
        for index in 0..self.tokens.len() {
            let Some(token) = self.tokens.get(index) else {
                break;
            };
            let single = self.word(index) == "'";
            match open {
                _ if token.kind == Kind::Break => open = None,
                None if token.kind == Kind::Quote => {
                    let starts = token.spaced || index == 0;
                    if !single || starts {
                        open = Some(index);
                    }
                }
                Some(start) if token.kind == Kind::Quote && single == (self.word(start) == "'") => {
                    pairs.push(start..index);
                    open = None;
                }
                _ => {}
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

fn fold_char(c: char, out: &mut String) {
    if c.is_ascii() {
        out.push(c.to_ascii_lowercase());
        return;
    }
    decompose_compatible(c, |d| {
        if is_combining_mark(d) || is_invisible(d) {
            return;
        }
        match d {
            'ß' | 'ẞ' => out.push_str("ss"),
            'æ' | 'Æ' => out.push_str("ae"),
            'œ' | 'Œ' => out.push_str("oe"),
            'ø' | 'Ø' => out.push('o'),
            'ł' | 'Ł' => out.push('l'),
            'đ' | 'Đ' => out.push('d'),
            'ı' => out.push('i'),
            'ς' => out.push('σ'),
            _ => out.extend(d.to_lowercase().filter(|l| !is_combining_mark(*l))),
        }
    });
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c) || c == '_'
}

fn is_apostrophe(c: char) -> bool {
    matches!(c, '\'' | '’' | 'ʼ' | '＇')
}

/// Format characters that draw nothing: soft hyphen, zero width, bidi controls, tags.
pub fn is_invisible(c: char) -> bool {
    matches!(c,
        '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{180e}' | '\u{200b}'..='\u{200f}'
        | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}'
        | '\u{fe00}'..='\u{fe0f}' | '\u{e0000}'..='\u{e0fff}')
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
