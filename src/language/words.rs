//! A message as numbered words, with what stands between them.
//!
//! Punctuation is not a word but a gap before one, so that no pattern has to name it;
//! an emoji is a word, since it can be a title. Quoted words have no number: what is
//! quoted is literal and no pattern may read it.

use std::ops::Range;

use crate::domain::text::{Kind, Text, Token};

use super::lexicon::{Lexicon, UNKNOWN, WordId};

/// One word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Word {
    /// Its number.
    pub id: WordId,
    /// Its token in the text.
    pub token: u32,
    /// The signs before it.
    pub gap: Gap,
    /// Set when it ends in 's.
    pub clitic: bool,
    /// Set for a number in digits.
    pub number: bool,
    /// Set for a place in digits: "2", "2nd".
    pub place: bool,
}

/// Signs that stand between two words, as a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Gap(u8);

impl Gap {
    /// A comma.
    pub(crate) const COMMA: Self = Self(1);
    /// A full stop, question or exclamation mark, semicolon or line break: a sentence ends.
    pub(crate) const HARD: Self = Self(2);
    /// A colon, or a dash with space around it.
    pub(crate) const COLON: Self = Self(4);
    /// A question mark.
    pub(crate) const QUESTION: Self = Self(8);
    /// An opening parenthesis, right before the word.
    pub(crate) const PAREN: Self = Self(16);

    /// Tells whether it has any of `other`.
    pub(crate) const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Both.
    pub(crate) const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The words of a message.
#[derive(Debug)]
pub(crate) struct Words {
    /// In order.
    pub list: Vec<Word>,
    /// The signs after the last one.
    pub tail: Gap,
}

/// After these a full stop ends no sentence.
const ABBREVIATIONS: [&str; 30] = [
    "dr", "mr", "mrs", "ms", "st", "prof", "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep",
    "sept", "oct", "nov", "dec", "vs", "etc", "approx", "nr", "sr", "sra", "bzw", "dott", "mme",
    "av", "tel", "ca",
];

/// Endings that stand after the digits of an ordinal, in any of the languages.
const PLACES: [&str; 10] = ["", "st", "nd", "rd", "th", "e", "er", "ere", "a", "o"];

/// Returns what follows the digits that `folded` begins with; `None` when it begins with none.
fn ending(folded: &str) -> Option<&str> {
    if !folded.as_bytes().first()?.is_ascii_digit() {
        return None;
    }
    Some(folded.trim_start_matches(|c: char| c.is_ascii_digit()))
}

impl Word {
    /// Notes what the ends of a word with an apostrophe or a digit say.
    fn look_closer(&mut self, folded: &str) {
        let ending = ending(folded);
        self.clitic = matches!(folded.as_bytes(), [.., b'\'', b's']);
        self.number = ending == Some("");
        self.place = ending.is_some_and(|end| PLACES.contains(&end));
    }
}

impl Words {
    /// Numbers the words of `text`.
    pub(crate) fn new(text: &Text<'_>, lexicon: &Lexicon) -> Self {
        let mut list: Vec<Word> = Vec::with_capacity(text.tokens.len());
        let mut gap = Gap::default();
        let mut paren = Gap::default();
        for (index, token) in (0..).zip(&text.tokens) {
            if token.kind != Kind::Word {
                let folded = text.folded(token);
                if let Some(sign) = separator(text, index as usize, token, folded, list.last()) {
                    gap = gap.with(sign);
                    paren = if folded == "(" {
                        Gap::PAREN
                    } else {
                        Gap::default()
                    };
                    continue;
                }
            }
            let id = if token.quoted {
                UNKNOWN
            } else {
                lexicon.id(text.spelt(index as usize))
            };
            let mut word = Word {
                id,
                token: index,
                gap: std::mem::take(&mut gap).with(std::mem::take(&mut paren)),
                clitic: false,
                number: false,
                place: false,
            };
            word.look_closer(text.folded(token));
            list.push(word);
        }
        Self { list, tail: gap }
    }

    /// The tokens from the first to the last of `words`.
    pub(crate) fn tokens(&self, words: Range<usize>) -> Range<usize> {
        let Some((first, last)) = self
            .list
            .get(words)
            .and_then(|words| Some((words.first()?, words.last()?)))
        else {
            return 0..0;
        };
        first.token as usize..last.token as usize + 1
    }

    /// The first word at or after `token`.
    pub(crate) fn at_token(&self, token: usize) -> usize {
        self.list
            .partition_point(|word| (word.token as usize) < token)
    }

    /// Returns the end of the sentence that begins at word `start`.
    pub(crate) fn sentence(&self, start: usize) -> usize {
        let mut places = start + 1..self.list.len();
        let end = places.find(|at| self.gap(*at).has(Gap::HARD));
        end.unwrap_or(self.list.len())
    }

    /// Returns the signs that stand before word `index`, or after the last one.
    pub(crate) fn gap(&self, index: usize) -> Gap {
        self.list.get(index).map_or(self.tail, |word| word.gap)
    }
}

/// Signs beyond ASCII that are no words.
const SIGNS: [&str; 4] = ["…", "¿", "·", "•"];

/// The gap that a token makes; `None` when it is a word.
fn separator(
    text: &Text<'_>,
    index: usize,
    token: &Token,
    folded: &str,
    before: Option<&Word>,
) -> Option<Gap> {
    match token.kind {
        Kind::Word => None,
        Kind::Quote => Some(Gap::default()),
        Kind::Break => Some(Gap::HARD),
        // What is quoted parts nothing; an emoji is a word there as well.
        Kind::Punct if token.quoted => {
            let sign = folded.len() == 1 || SIGNS.contains(&folded);
            sign.then(Gap::default)
        }
        Kind::Punct => match folded.as_bytes() {
            b"," => Some(Gap::COMMA),
            b";" | b"!" => Some(Gap::HARD),
            b"?" => Some(Gap::HARD.with(Gap::QUESTION)),
            b"." => Some(stop(text, index, before)),
            b":" if spaced_after(text, index) => Some(Gap::COLON),
            b":" => Some(Gap::default()),
            b"-" if token.spaced => Some(Gap::COLON),
            [
                b'-' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'/' | b'\\' | b'*' | b'#' | b'|'
                | b'~' | b'<' | b'>' | b'=' | b'^',
            ] => Some(Gap::default()),
            [_] => None,
            _ => match folded {
                "…" => Some(stop(text, index, before)),
                sign if SIGNS.contains(&sign) => Some(Gap::default()),
                _ => None,
            },
        },
    }
}

/// A full stop ends a sentence unless it stands inside a number, an address or an abbreviation.
fn stop(text: &Text<'_>, index: usize, before: Option<&Word>) -> Gap {
    let ends = text.tokens.get(index + 1).is_none();
    if !ends && !spaced_after(text, index) {
        return Gap::default();
    }
    let last = before.map_or("", |word| text.word(word.token as usize));
    let mut chars = last.chars();
    let single = chars.next().is_some() && chars.next().is_none();
    // "the 3. of may", "die 10. Aufgabe": an ordinal where the language writes it so.
    let ordinal = last.len() == 2 && last.bytes().all(|b| b.is_ascii_digit());
    let short = single || ordinal || (last.len() <= 6 && ABBREVIATIONS.contains(&last));
    let numbered = last == "no"
        && text
            .word(index + 1)
            .starts_with(|c: char| c.is_ascii_digit());
    if ends || !(short || numbered) {
        Gap::HARD
    } else {
        Gap::default()
    }
}

fn spaced_after(text: &Text<'_>, index: usize) -> bool {
    text.tokens
        .get(index + 1)
        .is_none_or(|next| next.spaced || next.kind == Kind::Break)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(raw: &str, expect: &[usize]) {
        let text = Text::new(raw);
        let words = Words::new(&text, &Lexicon::default());
        let hard: Vec<_> = (1..words.list.len())
            .filter(|at| words.gap(*at).has(Gap::HARD))
            .collect();
        assert_eq!(hard, expect, "{raw}");
    }

    #[test]
    fn sentences_end_where_a_reader_would_stop() {
        check("add milk. delete bread", &[2]);
        check("call Dr. Who at 5 p.m. tomorrow", &[]);
        check("pay 3.50 on example.org", &[]);
        check("no. 2 is done", &[]);
        check("No. The other", &[1]);
        check("\"a. b\" c", &[]);
    }

    #[test]
    fn an_emoji_is_a_word() {
        let words = |raw| Words::new(&Text::new(raw), &Lexicon::default()).list.len();
        assert_eq!(words("add 🍎!"), 2);
        assert_eq!(words("mark \"🍎 🍎\" as done"), 5);
        // A sign is none, quoted or not.
        assert_eq!(words("add \"eggs, milk… · bread!\""), 4);
    }
}
