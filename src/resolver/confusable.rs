//! Titles that look alike: letters of other scripts drawn like Latin ones, and the
//! classic trio l, I, 1 and o, 0.
//!
//! A short table of what fonts can't tell apart (after UTS 39, chosen for the scripts of
//! everyday titles), not the whole standard: it errs on the side of asking once more.

use std::hash::{DefaultHasher, Hash, Hasher};

use crate::domain::text::{Kind, Text};

/// A key that titles share when a reader can't tell them apart.
pub(crate) fn looks(text: &Text<'_>) -> u64 {
    let mut hasher = DefaultHasher::new();
    for (index, token) in text.tokens.iter().enumerate() {
        if token.kind == Kind::Word {
            // The raw letters, because folding has already made I and i one.
            for c in text.slice(index..index + 1).chars().filter_map(drawn) {
                c.hash(&mut hasher);
            }
            ' '.hash(&mut hasher);
        } else {
            distinctive(text.word(index))
                .chars()
                .for_each(|c| c.hash(&mut hasher));
        }
    }
    hasher.finish()
}

/// The symbols of a title that tell it from another with the same words: "C" and "C++".
pub(crate) fn symbols(title: &str) -> String {
    let text = Text::new(title);
    let marks = text.tokens.iter().enumerate();
    let marks = marks.filter(|(_, token)| token.kind != Kind::Word);
    marks
        .map(|(index, _)| distinctive(text.word(index)))
        .collect()
}

/// Returns what a mark adds to a title's identity: nothing, if it is mere punctuation.
fn distinctive(mark: &str) -> &str {
    let mere = |c: char| ".,;:!?-/()[]{}\"'…¿\n".contains(c);
    if mark.chars().all(mere) { "" } else { mark }
}

fn drawn(c: char) -> Option<char> {
    if crate::domain::text::is_invisible(c) {
        return None;
    }
    Some(match c {
        'I' | '1' | 'Ι' | 'І' => 'l',
        '0' => 'o',
        _ => latin(c.to_lowercase().next().unwrap_or(c)),
    })
}

/// The Latin letter a lower-case letter is drawn like, else the letter itself.
pub(crate) const fn latin(c: char) -> char {
    if c.is_ascii() {
        return c;
    }
    match c {
        'а' | 'α' | 'ɑ' => 'a',
        'в' => 'b',
        'с' | 'ϲ' => 'c',
        'ԁ' => 'd',
        'е' | 'ε' | 'ҽ' => 'e',
        'ɡ' | 'ց' => 'g',
        'һ' | 'н' | 'հ' => 'h',
        'і' | 'ι' | 'ӏ' => 'i',
        'ј' | 'ϳ' => 'j',
        'к' | 'κ' => 'k',
        'м' => 'm',
        'п' | 'ո' => 'n',
        'о' | 'ο' | 'օ' => 'o',
        'р' | 'ρ' => 'p',
        'ԛ' => 'q',
        'ѕ' => 's',
        'т' | 'τ' => 't',
        'υ' | 'ս' => 'u',
        'ν' | 'ѵ' => 'v',
        'ԝ' | 'ѡ' => 'w',
        'х' | 'χ' => 'x',
        'у' | 'γ' => 'y',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(a: &str, b: &str, alike: bool) {
        let looks = |title| looks(&Text::new(title));
        assert_eq!(looks(a) == looks(b), alike, "{a:?} {b:?}");
    }

    #[test]
    fn what_looks_alike_shares_a_key() {
        check("Pay rent", "P\u{430}y rent", true);
        check("Pay rent", "Pay\u{200b} rent", true);
        check("Pay rent", "pay  rent.", true);
        check("Ask AI", "Ask Al", true);
        check("Room 10", "Room lO", true);
    }

    #[test]
    fn what_looks_different_does_not() {
        check("Sort mail", "Sort mall", false);
        check("Learn C", "Learn C++", false);
        check("Call 🍎", "Call 🍐", false);
        check("Pay rent", "Pay rents", false);
    }
}
