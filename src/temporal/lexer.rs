//! Tokens to lexemes: one lookup per word, glued words split, phrases joined.
//!
//! Quoted text and addresses become walls here, so that no rule of the grammar has
//! to think of them.

use crate::domain::text::{Kind, Text, Token};

use super::lexeme::{Lex, Lexeme};
use super::table::{Table, TableEntry};

/// The lexemes of `text`, in order, every token covered.
pub(super) fn lexemes(text: &Text<'_>, table: &Table) -> Vec<Lexeme> {
    let mut lexer = Lexer {
        text,
        table,
        out: Vec::with_capacity(text.tokens.len() + 8),
        chunk: 0,
        wall: false,
    };
    let mut at = 0;
    while let Some(token) = text.tokens.get(at) {
        at = lexer.token(at, token);
    }
    lexer.out
}

struct Lexer<'t, 'a> {
    text: &'t Text<'a>,
    table: &'t Table,
    out: Vec<Lexeme>,
    /// Place in `out` at which the run without white space began.
    chunk: usize,
    /// Set when that run is an address.
    wall: bool,
}

impl Lexer<'_, '_> {
    fn token(&mut self, at: usize, token: &Token) -> usize {
        if token.spaced || token.kind == Kind::Break {
            self.chunk = self.out.len();
            self.wall = false;
        }
        if token.quoted || self.wall {
            self.push(Lex::Stop, at, token, false);
            return at + 1;
        }
        match token.kind {
            Kind::Break => self.push(Lex::Stop, at, token, false),
            Kind::Quote => {
                let lone = self.text.word(at) == "'" && !token.spaced;
                self.push(
                    if lone { Lex::Mark(b'\'') } else { Lex::Stop },
                    at,
                    token,
                    false,
                );
            }
            Kind::Punct => self.mark(at, token),
            Kind::Word => return self.word(at, token),
        }
        at + 1
    }

    fn mark(&mut self, at: usize, token: &Token) {
        let lex = match self.text.raw.as_bytes().get(token.span.start) {
            Some(byte) if byte.is_ascii() => Lex::Mark(*byte),
            // An em dash parts phrases; the other dashes are hyphens.
            _ if self.text.slice(at..at + 1) == "—" => Lex::Mark(b';'),
            _ => match self.text.word(at).as_bytes() {
                [byte] => Lex::Mark(*byte),
                _ => Lex::Mark(0),
            },
        };
        self.push(lex, at, token, false);
        let address = match lex {
            Lex::Mark(b'/') => self.glued(at, 1) == "/" && !token.spaced,
            Lex::Mark(b'@') => !token.spaced && self.glued_word(at + 1),
            _ => false,
        };
        if address {
            for lexeme in self.out.iter_mut().skip(self.chunk) {
                lexeme.lex = Lex::Stop;
            }
            self.wall = true;
        }
    }

    fn word(&mut self, at: usize, token: &Token) -> usize {
        let word = self.text.spelt(at);
        if !word.starts_with(|first: char| first.is_ascii()) {
            self.push(Lex::Other, at, token, false);
            return at + 1;
        }
        if let Some(entry) = self.table.entry(word) {
            return self.known(at, token, entry);
        }
        let mut owner = false;
        if word.starts_with(|first: char| first.is_ascii_digit()) {
            self.digits(at, token, word);
            return at + 1;
        }
        let lex = if let Some(stem) = word.strip_suffix("'s") {
            owner = true;
            self.table.lex(stem)
        } else if let Some(rest) = self.unelided(word) {
            if rest.bytes().all(|byte| byte.is_ascii_digit()) {
                self.digits(at, token, rest);
                return at + 1;
            }
            self.table.lex(rest)
        } else if word.len() <= 12 && word.as_bytes().last().is_some_and(u8::is_ascii_digit) {
            let name = word.trim_end_matches(|last: char| last.is_ascii_digit());
            if let month @ Lex::Month { .. } = self.table.lex(name) {
                self.push(month, at, token, false);
                self.push_tied(number(word.get(name.len()..).unwrap_or_default()), at);
                return at + 1;
            }
            Lex::Other
        } else {
            Lex::Other
        };
        self.push(lex, at, token, owner);
        at + 1
    }

    fn known(&mut self, at: usize, token: &Token, entry: &TableEntry) -> usize {
        for (rest, lex) in &entry.phrases {
            if let Some(last) = self.phrase(at, rest) {
                self.push(*lex, at, token, false);
                if let Some(lexeme) = self.out.last_mut() {
                    lexeme.last = index(last);
                }
                return last + 1;
            }
        }
        let word = self.text.spelt(at);
        if matches!(word, "a" | "p") && self.glued(at, 1) == "." && self.glued(at, 2) == "m" {
            let last = at + if self.glued(at, 3) == "." { 3 } else { 2 };
            let hours = if word == "p" { 12 } else { 0 };
            self.push(Lex::Meridiem(hours), at, token, false);
            if let Some(lexeme) = self.out.last_mut() {
                lexeme.last = index(last);
            }
            return last + 1;
        }
        self.push(entry.lex, at, token, false);
        at + 1
    }

    /// The last token of a phrase whose first word stands at `at`; a hyphen may join its words.
    fn phrase(&self, at: usize, rest: &[String]) -> Option<usize> {
        let mut last = at;
        for word in rest {
            let next = if self.glued(last, 1) == "-" {
                last + 2
            } else {
                last + 1
            };
            let token = self.text.tokens.get(next)?;
            if token.quoted || self.text.spelt(next) != *word {
                return None;
            }
            last = next;
        }
        Some(last)
    }

    /// `27th`, `5pm`, `14april`, `3mo`, `17h30`, or plain digits.
    fn digits(&mut self, at: usize, token: &Token, word: &str) {
        let end = word.bytes().take_while(u8::is_ascii_digit).count();
        let (digits, suffix) = word.split_at_checked(end).unwrap_or((word, ""));
        let value = number(digits);
        if suffix.is_empty() {
            self.push(value, at, token, false);
            return;
        }
        let day = match value {
            Lex::Num {
                value,
                digits: 1 | 2,
            } => u8::try_from(value).unwrap_or_default(),
            _ => 0,
        };
        match suffix {
            "st" | "nd" | "rd" | "th" if day > 0 => self.push(Lex::Ord(day), at, token, false),
            "er" | "re" | "o" | "a" if day > 0 && self.table.habits.trailing => {
                self.push(Lex::Ord(day), at, token, false);
            }
            _ => {
                if let Some(minute) = clock_suffix(suffix) {
                    let hour = digits.parse().unwrap_or(u8::MAX);
                    return self.push(Lex::Clock { hour, minute }, at, token, false);
                }
                let unit = self.table.lex(suffix);
                let glues = matches!(
                    unit,
                    Lex::Month { .. }
                        | Lex::Unit(..)
                        | Lex::ClockUnit(_)
                        | Lex::Meridiem(_)
                        | Lex::Ish
                        | Lex::Hour
                );
                if glues {
                    self.push(value, at, token, false);
                    self.push_tied(unit, at);
                } else {
                    self.push(Lex::Other, at, token, false);
                }
            }
        }
    }

    fn unelided<'w>(&self, word: &'w str) -> Option<&'w str> {
        if !self.table.habits.elides {
            return None;
        }
        word.split_once('\'').map(|(_, rest)| rest)
    }

    /// The token `ahead` of `at` when nothing but tokens without white space lies between.
    fn glued(&self, at: usize, ahead: usize) -> &str {
        let run = self.text.tokens.get(at + 1..=at + ahead);
        match run {
            Some(run) if run.iter().all(|token| !token.spaced && !token.quoted) => {
                self.text.word(at + ahead)
            }
            _ => "",
        }
    }

    fn glued_word(&self, at: usize) -> bool {
        self.text
            .tokens
            .get(at)
            .is_some_and(|token| !token.spaced && token.kind == Kind::Word)
    }

    #[inline]
    fn push(&mut self, lex: Lex, at: usize, token: &Token, owner: bool) {
        self.out.push(Lexeme {
            lex,
            spaced: token.spaced || at == 0,
            owner,
            first: index(at),
            last: index(at),
        });
    }

    /// Takes the second half of the token at `at`.
    fn push_tied(&mut self, lex: Lex, at: usize) {
        self.out.push(Lexeme {
            lex,
            spaced: false,
            owner: false,
            first: index(at),
            last: index(at),
        });
    }
}

fn index(at: usize) -> u32 {
    at as u32
}

fn number(digits: &str) -> Lex {
    let length = u8::try_from(digits.len()).unwrap_or(u8::MAX);
    let value = if length <= 4 {
        digits.parse().unwrap_or_default()
    } else {
        0
    };
    Lex::Num {
        value,
        digits: length,
    }
}

/// `h30`: the minutes of a French or Portuguese hour.
fn clock_suffix(suffix: &str) -> Option<u8> {
    let minutes = suffix.strip_prefix('h')?;
    let two = minutes.len() == 2 && minutes.bytes().all(|byte| byte.is_ascii_digit());
    two.then(|| minutes.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::super::DayPart;
    use super::*;
    use crate::domain::Lang;

    #[track_caller]
    fn check(raw: &str, lang: Lang, expect: &[Lex]) {
        let found: Vec<_> = lexemes(&Text::new(raw), Table::of(lang))
            .iter()
            .map(|l| l.lex)
            .collect();
        assert_eq!(found, expect, "{raw:?}");
    }

    const fn num(value: u16, digits: u8) -> Lex {
        Lex::Num { value, digits }
    }

    const fn day(ahead: i8) -> Lex {
        Lex::Day(ahead, DayPart::Any)
    }

    #[test]
    fn glued_words_split() {
        let june = Lex::Month {
            month: 6,
            weak: false,
        };
        check("jun7", Lang::En, &[june, num(7, 1)]);
        check("7june", Lang::En, &[num(7, 1), june]);
        check("31st", Lang::En, &[Lex::Ord(31)]);
        check("8pm", Lang::En, &[num(8, 1), Lex::Meridiem(12)]);
        check("8 a.m.", Lang::En, &[num(8, 1), Lex::Meridiem(0)]);
        let (hour, minute) = (18, 45);
        check("18h45", Lang::Fr, &[Lex::Clock { hour, minute }]);
        check("4x", Lang::En, &[Lex::Other]);
        check("l'8", Lang::It, &[num(8, 1)]);
    }

    #[test]
    fn phrases_join_and_hyphens_do_not_part_them() {
        check("pasado mañana", Lang::Es, &[day(2)]);
        check("après-demain", Lang::Fr, &[day(2)]);
        check("mañana", Lang::Es, &[day(1)]);
    }

    #[test]
    fn quotes_and_addresses_are_walls() {
        assert!(
            lexemes(
                &Text::new("\"friday\" a@today.org http://x.io/today"),
                Table::of(Lang::En)
            )
            .iter()
            .all(|l| l.lex == Lex::Stop)
        );
    }
}
