//! The words of a title or a message, ready to be compared.
//!
//! One splitting and one set of base forms for everything that asks whether words meet:
//! the resolver here, the guard when it asks whether a title came from the user. Letters
//! of other scripts that look like Latin ones are read as those, so that a homoglyph can
//! neither hide a task nor pass for one.

use std::collections::HashSet;

use crate::domain::text::{Kind, Text, fold};

use super::confusable::latin;
use super::inflection::bases;
use super::vocabulary::{is_soft, may_be_added, vocabulary};

/// Calls `each` with every word of `text`, folded, without elided articles and possessive
/// endings; digits and letters are words of their own ("5pm" is "5", "pm"; "3rd" is "3").
pub(crate) fn split(text: &str, each: &mut impl FnMut(&str)) {
    split_text(&Text::new(text), each);
}

/// The same, of a text that was read already.
pub(crate) fn split_text(text: &Text<'_>, each: &mut impl FnMut(&str)) {
    let mut buffer = String::new();
    for (index, token) in text.tokens.iter().enumerate() {
        if token.kind == Kind::Word {
            token_words(text.word(index), &mut buffer, each);
        }
    }
}

/// The words of `title` that name something, folded, in order; articles, possessives and
/// prepositions are left out.
///
/// ```
/// use candor::resolver::title_words;
/// assert_eq!(title_words("Renew the passport for Zoë"), ["renew", "passport", "zoe"]);
/// ```
pub fn title_words(title: &str) -> Vec<String> {
    let mut words = Vec::new();
    split(title, &mut |word| {
        if !is_soft(word) {
            words.push(word.to_owned());
        }
    });
    words
}

/// Tells whether the words of `title` all stand in `message`, in any case, order or inflection.
///
/// Articles, possessives and prepositions are not asked for; "buy", "get" and "call" may
/// have been added. A misspelling that was put right is another wording: not covered.
///
/// ```
/// use candor::resolver::covers;
/// assert!(covers("Renew passport", "I really need to get my passport renewed"));
/// assert!(covers("Buy milk", "ugh, we're out of milk"));
/// assert!(!covers("Free-range eggs", "and eggs"));
/// ```
pub fn covers(title: &str, message: &str) -> bool {
    Words::of(message).contains_all(title)
}

/// Tells whether some words name a title: each of them stands in it. Signs without a word in them
/// name only the title that is the same.
pub fn names(words: &str, title: &str) -> bool {
    Words::of(title).contains_all(words) || fold(words) == fold(title)
}

/// Tells whether some words name a title as it is said for short: each of them stands in it, or
/// begins a word of it.
pub fn abbreviates(words: &str, title: &str) -> bool {
    const SHORTEST: usize = 4;
    let said = required(words);
    let (known, own) = (Words::of(title), title_words(title));
    let begins = |word: &String| {
        word.chars().count() >= SHORTEST && own.iter().any(|own| own.starts_with(word.as_str()))
    };
    !said.is_empty() && said.iter().all(|word| known.contains(word) || begins(word))
}

/// The words of a text with all their base forms: asked many times, made once.
#[derive(Debug, Clone, Default)]
pub struct Words {
    forms: HashSet<String>,
}

impl Words {
    /// The words of `text`.
    pub fn of(text: &str) -> Self {
        let mut forms = HashSet::new();
        let mut seen = HashSet::new();
        split(text, &mut |word| {
            if seen.contains(word) {
                return;
            }
            seen.insert(word.to_owned());
            bases(word, &mut |base| {
                forms.insert(base.to_owned());
            });
        });
        forms.extend(seen);
        Self { forms }
    }

    /// Tells whether `word`, or one of its base forms, is among them; one folded word.
    pub fn contains(&self, word: &str) -> bool {
        let mut found = self.forms.contains(word);
        bases(word, &mut |base| found |= self.forms.contains(base));
        found
    }

    /// Tells whether every content word of `title` is among them; see [`covers`]. A title of signs
    /// alone has none that could be.
    pub fn contains_all(&self, title: &str) -> bool {
        let words = required(title);
        !words.is_empty() && words.iter().all(|word| self.contains(word))
    }
}

/// The words of `title` that whoever means it says: what may have been added is left out, unless
/// there is nothing else.
pub(crate) fn required(title: &str) -> Vec<String> {
    let mut words = title_words(title);
    if words.iter().all(|word| may_be_added(word)) {
        // Nothing but "the one" or "Call": then every word has to be the user's own.
        words.clear();
        split(title, &mut |word| words.push(word.to_owned()));
    } else {
        words.retain(|word| !may_be_added(word));
    }
    words
}

fn token_words(token: &str, buffer: &mut String, each: &mut impl FnMut(&str)) {
    for piece in token.split('_') {
        match piece.split_once('\'') {
            Some((stem, "s")) => segments(stem, buffer, each),
            Some((article, rest)) if is_elided(article) && rest.chars().nth(1).is_some() => {
                segments(rest, buffer, each);
            }
            Some(_) => segments(&piece.replace('\'', ""), buffer, each),
            None => segments(piece, buffer, each),
        }
    }
}

fn is_elided(article: &str) -> bool {
    article.chars().count() == 1 || vocabulary().elided.contains(article)
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Digit,
    /// Written without spaces: each character is a word.
    Alone,
}

fn segments(piece: &str, buffer: &mut String, each: &mut impl FnMut(&str)) {
    let mut class = None;
    let mut after_digits = false;
    buffer.clear();
    for c in piece.chars() {
        let next = class_of(c);
        if class != Some(next) || next == Class::Alone {
            emit(buffer, after_digits, each);
            after_digits = class == Some(Class::Digit);
            buffer.clear();
            class = Some(next);
        }
        buffer.push(latin(c));
    }
    emit(buffer, after_digits, each);
}

fn emit(word: &str, after_digits: bool, each: &mut impl FnMut(&str)) {
    let ordinal = after_digits && matches!(word, "st" | "nd" | "rd" | "th");
    if !word.is_empty() && !ordinal {
        each(word);
    }
}

fn class_of(c: char) -> Class {
    match c {
        _ if c.is_numeric() && !is_ideograph(c) => Class::Digit,
        '\u{e00}'..='\u{eff}' | '\u{1000}'..='\u{109f}' | '\u{1780}'..='\u{17ff}' => Class::Alone,
        '\u{3041}'..='\u{30ff}' => Class::Alone,
        _ if is_ideograph(c) => Class::Alone,
        _ => Class::Letter,
    }
}

const fn is_ideograph(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check_split(text: &str, expect: &[&str]) {
        let mut words = Vec::new();
        split(text, &mut |word| words.push(word.to_owned()));
        assert_eq!(words, expect, "{text:?}");
    }

    #[track_caller]
    fn check_covers(title: &str, message: &str, expect: bool) {
        assert_eq!(covers(title, message), expect, "{title:?} in {message:?}");
    }

    #[test]
    fn words_are_folded_and_bare() {
        check_split("Mom's CAFÉ l'École", &["mom", "cafe", "ecole"]);
        check_split("Don't wait till 5pm", &["dont", "wait", "till", "5", "pm"]);
        check_split("the 3rd of May", &["the", "3", "of", "may"]);
        check_split("買牛奶 now", &["買", "牛", "奶", "now"]);
        check_split("snake_case", &["snake", "case"]);
        check_split("🍎 !!", &[]);
    }

    #[test]
    fn a_title_of_the_users_words_is_covered() {
        check_covers("Renew passport", "renew my passport", true);
        check_covers("passport renewal", "renew my passport", false);
        check_covers(
            "Call the plumber at 5 pm",
            "remind me to call the plumber at 5pm",
            true,
        );
        check_covers("Buy stamps", "stamps please", true);
        check_covers("Sell stamps", "stamps please", false);
        check_covers("Lemons and limes", "a lemon, two limes", true);
        check_covers("Buy 3 limes", "limes", false);
        check_covers("Book dentist", "the dentist has to be booked", true);
        check_covers("Flour", "what I need for pancakes", false);
    }

    #[test]
    fn a_title_without_content_words_has_to_be_said() {
        check_covers("Call", "add milk", false);
        check_covers("Call", "add call", true);
        check_covers("The one", "add the one", true);
        check_covers("The one", "add milk", false);
    }

    #[test]
    fn signs_alone_are_in_no_other_text() {
        check_covers("🗑️ 🗑️", "delete milk", false);
        check_covers("—", "milk — and eggs", false);
        assert!(!names("🎉", "milk") && !names("milk", "🎉"));
        assert!(names("🎉", "🎉") && names("the milk", "Oat milk"));
    }

    #[test]
    fn a_word_counts_in_any_form() {
        let words = Words::of("add eggs");
        assert!(words.contains("egg"));
    }
}
