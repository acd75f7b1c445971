//! Words, sentences and clauses of model prose, in one pass.
//!
//! Not `domain::text`: prose in another script need not be folded in order to be
//! stopped, and words are looked up while they are read. A letter outside Latin, a
//! bracket, a check mark or an unknown symbol is a blemish of its sentence.

use std::ops::Range;
use std::sync::LazyLock;

use unicode_normalization::char::is_combining_mark;

use super::letters::{Folder, Letters, is_face, is_friendly, is_hex, is_latin};
use super::lexicon::{BE, CHECK, DIGIT, OURS, PREP, PRON, ROLE};
pub(super) use super::span::{Prose, Span, Word};
use super::verdict::Assertion;
use super::veto::Marks;
use super::words::{STRANGE, VOCABULARY, Vocabulary, WIDTH, id_of, strange};
use crate::domain::text::is_invisible;

static PERMISSION: LazyLock<u16> = LazyLock::new(|| id_of("permission"));

struct Reader<'a> {
    raw: &'a str,
    bytes: &'a [u8],
    vocabulary: &'static Vocabulary,
    prose: Prose,
    at: usize,
    first_word: usize,
    start: Option<usize>,
    end: usize,
    line_start: bool,
    cut: bool,
    quote: Option<u8>,
    /// Up to here no quotation mark has a partner: looked once, not again for each.
    unpaired: usize,
    open: Span,
}

fn fresh() -> Span {
    Span {
        words: 0..0,
        bytes: 0..0,
        marked: false,
        item: false,
        smiles: false,
        blemish: None,
    }
}

impl<'a> Reader<'a> {
    fn new(raw: &'a str) -> Self {
        Self {
            raw,
            bytes: raw.as_bytes(),
            vocabulary: &VOCABULARY,
            prose: Prose {
                words: Vec::with_capacity(raw.len() / 5 + 4),
                sentences: Vec::with_capacity(raw.len() / 40 + 2),
            },
            at: 0,
            first_word: 0,
            start: None,
            end: 0,
            line_start: true,
            cut: false,
            quote: None,
            unpaired: 0,
            open: fresh(),
        }
    }

    fn byte(&self, at: usize) -> u8 {
        self.bytes.get(at).copied().unwrap_or(0)
    }

    fn before(&self, at: usize) -> u8 {
        at.checked_sub(1).map_or(0, |at| self.byte(at))
    }

    fn run(&mut self) {
        while self.at < self.bytes.len() {
            let byte = self.byte(self.at);
            if self.open.blemish.is_some() && self.skips(byte) {
                continue;
            }
            match byte {
                b'\n' | b'\r' => {
                    self.close();
                    self.quote = None;
                    self.line_start = true;
                    self.at += 1;
                }
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => self.word(),
                0..=b' ' | 0x7f => self.at += 1,
                0x80.. => self.beyond_ascii(),
                _ => self.sign(byte),
            }
        }
        self.close();
    }

    /// Nothing in a sentence that is stopped already needs to be read but its end.
    fn skips(&mut self, byte: u8) -> bool {
        let length = match byte {
            b'\n' | b'\r' | b'.' | b'!' | b'?' => return false,
            0xc2 | 0xd8 | 0xe0 | 0xe2 | 0xe3 | 0xef => match self.char_at(self.at) {
                Some('\u{85}' | '\u{2028}' | '\u{2029}' | '…' | '。' | '！' | '？' | '؟' | '।')
                | None => return false,
                Some(c) => c.len_utf8(),
            },
            0xf0.. => 4,
            0xe1.. => 3,
            0xc0.. => 2,
            _ => 1,
        };
        self.end = self.at + length;
        self.at = self.end;
        true
    }

    /// Something visible from `start` to `end`.
    fn seen(&mut self, start: usize, end: usize) {
        self.start.get_or_insert(start);
        self.end = end;
        self.line_start = false;
    }

    fn blemish(&mut self, assertion: Assertion, length: usize) {
        self.seen(self.at, self.at + length);
        self.open.blemish.get_or_insert(assertion);
        self.at += length;
    }

    fn close(&mut self) {
        let words = self.first_word..self.prose.words.len();
        let span = std::mem::replace(&mut self.open, fresh());
        let Some(start) = self.start.take() else {
            return;
        };
        self.first_word = words.end;
        self.part_tag(&words);
        self.cut = false;
        let said = !words.is_empty() || span.smiles || span.blemish.is_some();
        match self.prose.sentences.last_mut() {
            // A stray sign belongs to what came before it.
            Some(last) if !said => last.bytes.end = self.end,
            None if !said => {}
            _ => self.prose.sentences.push(Span {
                words,
                bytes: start..self.end,
                ..span
            }),
        }
    }

    /// "… is that right" begins a clause of its own, comma or not.
    fn part_tag(&mut self, words: &Range<usize>) {
        let Some([.., is, that, right]) = self.prose.words.get_mut(words.clone()) else {
            return;
        };
        if is.classes & PREP != 0 && that.classes & OURS != 0 && right.id == *PERMISSION {
            is.cut = true;
        }
        if is.classes & BE != 0 && that.classes & PRON != 0 && right.classes & CHECK != 0 {
            is.cut = true;
        }
    }

    /// Letters and digits of ASCII alone, and few enough to be known: most words.
    fn plain_word(&mut self, letters: Letters) -> bool {
        let start = self.at;
        let text = self.bytes.get(start..).unwrap_or_default();
        let mut length = letters.run(0);
        // One apostrophe inside: "don't".
        if let Some([b'\'', next, ..]) = text.get(length..)
            && next.is_ascii_alphabetic()
        {
            length = letters.run(length + 1);
        }
        if length >= WIDTH {
            return false;
        }
        let next = self.byte(start + length);
        let end = start + length;
        let joins = match next {
            b'.' | b',' | b':' => {
                self.before(end).is_ascii_digit() && self.byte(end + 1).is_ascii_digit()
            }
            b'_' | b'\'' | 0x80.. => true,
            _ => false,
        };
        if joins || length == 0 {
            return false;
        }
        self.push(start..end, &letters.folded(length));
        self.at = end;
        true
    }

    fn word(&mut self) {
        let start = self.at;
        let letters = Letters::of(self.bytes.get(start..).unwrap_or_default());
        if self.plain_word(letters) {
            return;
        }
        let run = letters.run(0).min(WIDTH - 1);
        let mut folder = letters.folded(run);
        let mut at = start + run;
        loop {
            let byte = self.byte(at);
            if byte.is_ascii_alphanumeric() {
                folder.push(byte.to_ascii_lowercase());
                at += 1;
                continue;
            }
            match byte {
                b'\'' if self.byte(at + 1).is_ascii_alphabetic() => {
                    folder.push(b'\'');
                    at += 1;
                }
                // Decimals, thousands, times, versions, domains: one word.
                b'.' | b',' | b':'
                    if self.before(at).is_ascii_digit() && self.byte(at + 1).is_ascii_digit() =>
                {
                    at += 1;
                }
                b'_' if self.byte(at + 1).is_ascii_alphanumeric() => {
                    self.open.blemish.get_or_insert(Assertion::Markup);
                    at += 1;
                }
                0x80.. => {
                    let Some(c) = self.char_at(at) else { break };
                    match c {
                        '’' | 'ʼ' | '＇' | '′' | '‘' if self.letter_after(at + c.len_utf8()) =>
                        {
                            folder.push(b'\'');
                        }
                        c if is_latin(c) && folder.fold(c) => {}
                        c if is_invisible(c) || is_combining_mark(c) => {}
                        c if c.is_alphanumeric() => {
                            if !folder.fold(c) {
                                self.open.blemish.get_or_insert(Assertion::Unknown);
                            }
                        }
                        _ => break,
                    }
                    at += c.len_utf8();
                }
                _ => break,
            }
        }
        self.push_word(start..at, &folder);
        self.at = at;
    }

    fn push_word(&mut self, span: Range<usize>, folder: &Folder) {
        self.push(span, folder);
    }

    /// The same where nearly all words come by.
    #[inline(always)]
    fn push(&mut self, span: Range<usize>, folder: &Folder) {
        let first = self.byte(span.start);
        let capital = first.is_ascii_uppercase() || first >= 0x80;
        let key = folder.key();
        let mixed = key.mixed();
        let (mut id, known) = if folder.is_short() {
            self.vocabulary.find_mixed(key, mixed)
        } else {
            (STRANGE, 0)
        };
        if folder.length == 2 && folder.bytes() == b"am" && !self.cut && self.follows_digits() {
            // "at 5:45 am" has no verb in it.
            id = STRANGE;
        }
        let classes = if id == STRANGE {
            strange(folder.bytes(), capital)
        } else {
            known
        };
        if self.line_start || matches!(self.byte(span.end), b'-' | b':') {
            self.check_shape(&span, classes, folder.length);
        }
        self.seen(span.start, span.end);
        self.prose.words.push(Word {
            id,
            classes,
            hash: mixed ^ folder.rest(),
            marks: Marks::CLEAR,
            cut: std::mem::take(&mut self.cut),
            quoted: self.quote.is_some(),
            capital,
        });
    }

    fn follows_digits(&self) -> bool {
        let last = self
            .prose
            .words
            .get(self.first_word..)
            .and_then(<[Word]>::last);
        last.is_some_and(|word| word.classes & DIGIT != 0)
    }

    /// Identifiers, links, roles and numbered items give themselves away by their shape.
    fn check_shape(&mut self, span: &Range<usize>, classes: u64, length: usize) {
        let next = self.byte(span.end);
        let after = self.byte(span.end + 1);
        if length == 8 && next == b'-' && self.raw.get(span.clone()).is_some_and(is_hex) {
            let block = self.raw.get(span.end + 1..span.end + 5);
            if block.is_some_and(is_hex) && self.byte(span.end + 5) == b'-' {
                self.open.blemish.get_or_insert(Assertion::Markup);
            }
        }
        if next == b':' && after == b'/' && self.byte(span.end + 2) == b'/' {
            self.open.blemish.get_or_insert(Assertion::Markup);
        }
        if self.line_start {
            if classes & ROLE != 0 && next == b':' {
                self.open.blemish.get_or_insert(Assertion::Markup);
            }
            let number = length <= 3 && self.byte(span.start).is_ascii_digit();
            let ends = matches!(next, b'.' | b')' | b':') && (after <= b' ' || after == b'*');
            if number && ends {
                self.open.blemish.get_or_insert(Assertion::Listing);
            }
        }
    }

    fn sign(&mut self, byte: u8) {
        let at = self.at;
        let next = self.byte(at + 1);
        match byte {
            b'.' | b'!' | b'?' => return self.stop(byte),
            b':' | b';' if is_face(next, self.byte(at + 2)) => {
                self.open.smiles = true;
                let length = if next == b'-' { 3 } else { 2 };
                self.seen(at, at + length);
                self.at += length;
                return;
            }
            b'-' | b'*' | b'+' if self.line_start && matches!(next, b' ' | b'\t') => {
                self.open.item = true;
                self.seen(at, at + 1);
            }
            b',' | b';' | b':' | b'(' | b')' => {
                self.seen(at, at + 1);
                self.cut = true;
            }
            b'-' => {
                let joins = self.before(at).is_ascii_alphanumeric() && next.is_ascii_alphanumeric();
                self.cut |= !joins;
                self.seen(at, at + 1);
            }
            b'"' | b'`' | b'\'' => return self.quotation(byte, 1),
            b'{' | b'}' | b'[' | b']' | b'<' | b'>' | b'\\' | b'|' | b'^' => {
                return self.blemish(Assertion::Markup, 1);
            }
            b'#' if self.line_start => return self.blemish(Assertion::Markup, 1),
            b'=' | b'+' | b'/' | b'%' => {
                if byte == b'=' && matches!(next, b'=' | b'>') {
                    return self.blemish(Assertion::Markup, 2);
                }
                let mut folder = Folder::default();
                folder.push(byte);
                self.push_word(at..at + 1, &folder);
            }
            b'_' if next.is_ascii_alphanumeric() && self.before(at).is_ascii_alphanumeric() => {
                return self.blemish(Assertion::Markup, 1);
            }
            // Emphasis, money, "&", "@": they change nothing that is said.
            _ => self.end = at + 1,
        }
        self.at += 1;
    }

    fn stop(&mut self, byte: u8) {
        let at = self.at;
        self.seen(at, at + 1);
        self.at += 1;
        let next = self.byte(self.at);
        if byte == b'.' && (self.joins_on(next) || self.numbers()) {
            return;
        }
        self.open.marked |= byte == b'?';
        if self.quote.is_some() {
            self.cut = true;
            return;
        }
        self.finish();
    }

    /// Takes what trails a full stop ("?!", a closing quote, emphasis), then ends the sentence.
    fn finish(&mut self) {
        while let b'.' | b'!' | b'?' | b')' | b'"' | b'*' = self.byte(self.at) {
            self.open.marked |= self.byte(self.at) == b'?';
            self.at += 1;
            self.end = self.at;
        }
        self.close();
        self.line_start = false;
    }

    /// The full stop of "1." belongs to the item.
    fn numbers(&self) -> bool {
        self.open.blemish == Some(Assertion::Listing)
            && self.prose.words.len() == self.first_word + 1
    }

    /// Whether a full stop ends no sentence: inside a word, after an abbreviation or initial.
    fn joins_on(&self, next: u8) -> bool {
        if next.is_ascii_lowercase() || next.is_ascii_digit() {
            return self.before(self.at - 1) > b' ';
        }
        let stem = self.raw.get(..self.at - 1).unwrap_or_default();
        let from = stem
            .bytes()
            .rposition(|byte| !byte.is_ascii_alphabetic())
            .map_or(0, |at| at + 1);
        let Some(word) = stem.as_bytes().get(from..) else {
            return false;
        };
        match word {
            [b'm' | b'M'] => self.byte(self.at + 1).is_ascii_lowercase(),
            [letter] => letter.is_ascii_alphabetic() && *letter != b'I',
            [] => false,
            // "1st." is no saint.
            _ if from
                .checked_sub(1)
                .is_some_and(|at| self.byte(at).is_ascii_digit()) =>
            {
                false
            }
            _ => {
                let mut folder = Folder::default();
                word.iter()
                    .for_each(|byte| folder.push(byte.to_ascii_lowercase()));
                let id = if folder.is_short() {
                    VOCABULARY.id(folder.key())
                } else {
                    STRANGE
                };
                id != STRANGE && VOCABULARY.classes(id) & super::lexicon::ABBR != 0
            }
        }
    }

    fn quotation(&mut self, mark: u8, length: usize) {
        let at = self.at;
        if mark == b'`' && self.byte(at + 1) == b'`' && self.byte(at + 2) == b'`' {
            return self.blemish(Assertion::Markup, 3);
        }
        let after = self.byte(at + length);
        let spaced = self.before(at) <= b' ' || matches!(self.before(at), b'(' | b'*');
        let opens = self.quote.is_none()
            && (mark != b'\'' || spaced)
            && after > b' '
            && self.closes(mark, at + length);
        match self.quote {
            Some(open) if open == mark => {
                self.quote = None;
                // "…add milk." ends the sentence with its quotation when a new one begins.
                let ended = matches!(self.before(at), b'.' | b'!' | b'?');
                self.seen(at, at + length);
                self.at += length;
                if ended && self.next_is_capital() {
                    self.close();
                }
                return;
            }
            None if opens => self.quote = Some(mark),
            _ => {}
        }
        self.seen(at, at + length);
        self.at += length;
    }

    /// Whether the mark has a partner on this line, not too far away to be meant.
    fn closes(&mut self, mark: u8, from: usize) -> bool {
        if from < self.unpaired {
            return false;
        }
        let line = self.bytes.get(from..).unwrap_or_default();
        let window = line.get(..line.len().min(120)).unwrap_or_default();
        for (offset, byte) in window.iter().enumerate() {
            let closing = match byte {
                b'\n' => break,
                0xe2 if mark == b'"' => {
                    matches!(
                        window.get(offset + 1..offset + 3),
                        Some([0x80, 0x9c..=0x9e])
                    )
                }
                0xc2 if mark == b'"' => window.get(offset + 1) == Some(&0xbb),
                byte => *byte == mark,
            };
            let inside_word = mark == b'\'' && self.byte(from + offset + 1).is_ascii_alphabetic();
            if closing && !inside_word {
                return true;
            }
        }
        self.unpaired = from + window.len();
        false
    }

    fn next_is_capital(&self) -> bool {
        let rest = self.bytes.get(self.at..).unwrap_or_default();
        rest.iter()
            .find(|byte| **byte > b' ')
            .is_none_or(u8::is_ascii_uppercase)
    }

    fn char_at(&self, at: usize) -> Option<char> {
        self.raw.get(at..)?.chars().next()
    }

    fn letter_after(&self, at: usize) -> bool {
        self.char_at(at).is_some_and(char::is_alphabetic)
    }

    fn beyond_ascii(&mut self) {
        let Some(c) = self.char_at(self.at) else {
            self.at += 1;
            return;
        };
        let length = c.len_utf8();
        match c {
            '\u{2028}' | '\u{2029}' | '\u{85}' => {
                self.close();
                self.line_start = true;
                self.at += length;
            }
            c if is_latin(c) => self.word(),
            c if c.is_whitespace() || is_invisible(c) || is_combining_mark(c) => self.at += length,
            '“' | '”' | '„' | '«' | '»' => self.quotation(b'"', length),
            '‘' | '’' | '‚' => self.quotation(b'\'', length),
            '…' => {
                self.seen(self.at, self.at + length);
                self.at += length;
                self.finish();
            }
            '。' | '！' | '？' | '؟' | '।' => {
                self.seen(self.at, self.at + length);
                self.open.marked |= matches!(c, '？' | '؟');
                self.at += length;
                self.finish();
            }
            '¿' | '¡' | '°' | '€' | '£' | '₹' => self.at += length,
            '–' | '—' | '−' | '‑' | '‐' | '，' | '、' | '：' | '；' => {
                self.seen(self.at, self.at + length);
                self.cut = true;
                self.at += length;
            }
            '•' | '◦' | '▪' | '‣' | '●' | '○' | '·' => {
                self.blemish(Assertion::Listing, length);
            }
            '×' | '÷' => {
                let mut folder = Folder::default();
                folder.push(b'x');
                self.push_word(self.at..self.at + length, &folder);
                self.at += length;
            }
            c if is_friendly(c) => {
                self.seen(self.at, self.at + length);
                self.open.smiles = true;
                self.at += length;
            }
            c if c.is_alphanumeric() => self.blemish(Assertion::Unknown, length),
            _ => self.blemish(Assertion::Effect, length),
        }
    }
}

/// Reads `raw`.
pub(super) fn read(raw: &str) -> Prose {
    let mut reader = Reader::new(raw);
    reader.run();
    reader.prose
}

/// The hash a title's word has when it stands in prose.
pub(super) fn word_hashes(title: &str) -> impl Iterator<Item = (u64, u16)> {
    let prose = read(title);
    prose.words.into_iter().map(|word| (word.hash, word.id))
}
