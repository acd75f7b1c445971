//! Reads what stands where a task is named: an id, a place, a pronoun, or words.
//!
//! Every word has to have its part in the phrase: one unknown word, and the phrase is
//! words of a title. So "second" is a place and "second opinion" is not. Titles are not
//! looked at: that "First one" is also a task is for the resolver to see.

use crate::domain::TaskId;
use crate::domain::text::{Kind, Text};

use super::places::{Place, Pointer, place, pointer};
use super::vocabulary::vocabulary;
use super::{Position, Reference};

/// A phrase for a place or a pronoun is short.
const MOST_TOKENS: usize = 14;

impl<'a> Reference<'a> {
    /// Reads `text`, in any language.
    ///
    /// ```
    /// use candor::resolver::{Position, Reference};
    /// let second = Reference::Position(Position::Nth(2));
    /// assert_eq!(Reference::parse("no. 2"), second);
    /// assert_eq!(Reference::parse("I want the second one"), second);
    /// assert_eq!(Reference::parse("doosra wala"), second);
    /// assert_eq!(Reference::parse("second opinion"), Reference::Words("second opinion"));
    /// ```
    pub fn parse(text: &'a str) -> Self {
        let text = text.trim();
        if let Ok(id) = text.parse::<TaskId>() {
            return Self::Id(id);
        }
        // Half a page is no place; and it must cost nothing to say so.
        if text.len() > 200 {
            return Self::Words(text);
        }
        let tokens = Text::new(text);
        if tokens.tokens.len() > MOST_TOKENS {
            return Self::Words(text);
        }
        let read = pointed(&tokens).or_else(|| position(&tokens).map(Self::Position));
        read.unwrap_or(Self::Words(text))
    }
}

/// Tells whether `text` is one ordinal and nothing else: "first" could just as well be a word of a
/// title.
pub(crate) fn is_bare_ordinal(text: &str) -> bool {
    let tokens = Text::new(text);
    let word = tokens.word(0);
    let place = place(word);
    tokens.tokens.len() == 1
        && word.chars().all(char::is_alphabetic)
        && matches!(place, Some(Place::Ordinal(_) | Place::Last))
}

fn position(text: &Text<'_>) -> Option<Position> {
    let mut parts = Vec::new();
    let (mut marked, mut negated, mut counted) = (false, false, false);
    let mut previous = None;
    for (index, token) in text.tokens.iter().enumerate() {
        let word = text.word(index);
        let next = text.tokens.get(index + 1);
        if token.quoted || matches!(token.kind, Kind::Quote | Kind::Break) {
            return None;
        }
        let part = match word {
            "#" | "°" | "№" => Place::Marker,
            "-" => {
                // "avant-dernier", "second-to-last"; never a minus sign.
                let joins = !token.spaced && next.is_some_and(|next| !next.spaced);
                if !joins || previous.is_none_or(|part| matches!(part, Place::Cardinal(_))) {
                    return None;
                }
                continue;
            }
            "." | "," | ":" | "!" | "?" | "(" | ")" => continue,
            _ => place(word).or_else(|| place(bare(word)))?,
        };
        match part {
            Place::Marker => {
                marked = true;
                negated |= word == "no";
            }
            // "the two" counts, "the 2" points.
            Place::Cardinal(_) if word.starts_with(char::is_alphabetic) => {
                counted |= previous == Some(Place::Article);
            }
            _ => {}
        }
        if !matches!(part, Place::Filler | Place::Article | Place::Marker) {
            parts.push(part);
        }
        previous = Some(part);
    }
    let number = matches!(
        parts.as_slice(),
        [Place::Cardinal(_) | Place::One | Place::Marked(_)]
    );
    if (negated && !number) || (counted && !marked) {
        return None;
    }
    let alone = text.tokens.iter().all(|token| token.kind == Kind::Word);
    match parts.as_slice() {
        [Place::One] => (marked || (alone && text.tokens.len() == 1)).then_some(Position::Nth(1)),
        [Place::Marked(n)] => marked.then_some(Position::Nth(*n)),
        [Place::Cardinal(n) | Place::Ordinal(n)] | [Place::Ordinal(n), Place::One] => {
            Some(Position::Nth(*n))
        }
        [Place::Last] | [Place::Last, Place::One] => Some(Position::FromEnd(1)),
        [Place::Last, Place::But, Place::One] => Some(Position::FromEnd(2)),
        [Place::Last, Place::But, Place::Cardinal(n)] => {
            Some(Position::FromEnd(n.saturating_add(1)))
        }
        [Place::Ordinal(n), rest @ ..] if *n > 1 && is_end(rest) => Some(Position::FromEnd(*n)),
        [Place::Next, rest @ ..] if is_end(rest) => Some(Position::FromEnd(2)),
        [Place::Before, Place::Last] | [Place::One, Place::Before, Place::Last] => {
            Some(Position::FromEnd(2))
        }
        [Place::FromEnd(n)] | [Place::FromEnd(n), Place::One] => Some(Position::FromEnd(*n)),
        _ => None,
    }
}

const fn is_end(parts: &[Place]) -> bool {
    matches!(
        parts,
        [Place::Last | Place::End] | [Place::Last, Place::One]
    )
}

fn pointed<'a>(text: &Text<'_>) -> Option<Reference<'a>> {
    let mut strongest = None;
    let mut words = 0;
    let mut articled = false;
    for (index, token) in text.tokens.iter().enumerate() {
        if token.quoted || matches!(token.kind, Kind::Quote | Kind::Break) {
            return None;
        }
        if token.kind == Kind::Punct {
            if matches!(text.word(index), "." | "," | "!" | "?" | "-") {
                continue;
            }
            return None;
        }
        let word = bare(text.word(index));
        words += if word == text.word(index) { 1 } else { 2 };
        let found = match pointer(word) {
            // "us ko" is "usko" with a space.
            None if matches!(word, "us" | "is") && text.word(index + 1) == "ko" => {
                Some(Pointer::It)
            }
            None if matches!(word, "un" | "in") && text.word(index + 1) == "ko" => {
                Some(Pointer::They)
            }
            None => match place(word) {
                Some(Place::Cardinal(n) | Place::Marked(n)) if n > 1 => {
                    let of_several = vocabulary().of_several.contains(text.word(0));
                    Some(if of_several {
                        Pointer::They
                    } else {
                        Pointer::Prop
                    })
                }
                _ => None,
            },
            found => found,
        }?;
        articled |= found == Pointer::Prop;
        strongest = strongest.max(Some(found));
    }
    match strongest? {
        Pointer::Prop => None,
        Pointer::Other => (words > 1).then_some(Reference::Other),
        Pointer::They => Some(Reference::They),
        Pointer::It => (words == 1 || articled || words == 2).then_some(Reference::It),
    }
}

/// Without an elided article: "l'autre".
fn bare(word: &str) -> &str {
    word.split_once('\'').map_or(word, |(_, rest)| rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn nth(n: u32, texts: &str) {
        for text in texts.split('|').map(str::trim) {
            assert_eq!(
                Reference::parse(text),
                Reference::Position(Position::Nth(n)),
                "{text}"
            );
        }
    }

    #[track_caller]
    fn from_end(n: u32, texts: &str) {
        for text in texts.split('|').map(str::trim) {
            assert_eq!(
                Reference::parse(text),
                Reference::Position(Position::FromEnd(n)),
                "{text}"
            );
        }
    }

    #[track_caller]
    fn check(texts: &str, expect: &Reference<'_>) {
        for text in texts.split('|').map(str::trim) {
            assert_eq!(&Reference::parse(text), expect, "{text}");
        }
    }

    #[track_caller]
    fn words(texts: &str) {
        for text in texts.split('|').map(str::trim) {
            assert_eq!(Reference::parse(text), Reference::Words(text), "{text}");
        }
    }

    #[test]
    fn places_in_english() {
        nth(
            1,
            "1 | one | first | the first one | number one | task 1 | 1st | item one",
        );
        nth(
            2,
            "2 | #2 | # 2 | no. 2 | no 2 | No.2 | number two | the second one | 2nd",
        );
        nth(
            3,
            "task 3 | item 3 | I'd like the third | choose no. three | \
             what about the third?",
        );
        nth(
            4,
            "(4) | 4. | the fourth on my list | option 4 | pick the 4th one please",
        );
        nth(12, "twelve | task twelve | 12th");
        from_end(1, "last | the last one | last task | what about the last?");
        from_end(
            2,
            "second to last | the second-to-last one | next to last | last but one",
        );
        from_end(
            2,
            "penultimate | the one before the last | second last | second from the end",
        );
        from_end(
            3,
            "third from last | the third to last | last but two | third from the bottom",
        );
    }

    #[test]
    fn places_in_other_languages() {
        nth(
            1,
            "das erste | la primera | le premier | il primo | a primeira | pehla | 1er",
        );
        nth(
            2,
            "die zweite Aufgabe | Nummer zwei | Nr. 2 | la segunda tarea | número dos | \
             el 2",
        );
        nth(
            2,
            "la deuxième | le numéro deux | n° 2 | il secondo | numero due | \
             tarefa dois",
        );
        nth(
            2,
            "doosra wala | dusra | number do | quero a segunda | ich nehme das zweite",
        );
        nth(
            3,
            "der dritte | tercero | troisième | la terza | terceira | teesra wala",
        );
        nth(5, "das fünfte | quinto | cinquième | paanchwa");
        from_end(
            1,
            "das letzte | la última | le dernier | l'ultimo | o último | aakhri wala",
        );
        from_end(
            2,
            "das vorletzte | el penúltimo | l'avant-dernier | il penultimo | \
             der zweite von hinten",
        );
    }

    #[test]
    fn pronouns() {
        check(
            "it | That | this one | that task | the same one | usko | us ko | yeh | \
             woh wala",
            &Reference::It,
        );
        check(
            "das | eso | ça | quello | isso | diese Aufgabe | celui-ci",
            &Reference::It,
        );
        check(
            "them | those | both | both of them | those two | the two | all of them",
            &Reference::They,
        );
        check(
            "beide | ambos | los dos | les deux | entrambi | os dois | dono | unko",
            &Reference::They,
        );
        check(
            "the other one | the other | other one | die andere | el otro | l'autre | \
             a outra",
            &Reference::Other,
        );
    }

    #[test]
    fn everything_else_is_words() {
        words(
            "second opinion | last minute gifts | Read book | this week | the one | \
             other",
        );
        words("1 and 2 | 1.5 | 5:00 | 2/3 | -1 | 1-3 | $5 | 50% | 99999999999");
        words("\"2\" | no | no, the second | do | due | first two | last two |  | 🍎");
        words("it is late | that report | 3d print | the number");
    }

    #[test]
    fn ids_are_ids() {
        let text = "018f3a52-7c11-7cc0-8a36-0f7a5a1d2b3c";
        assert!(matches!(Reference::parse(text), Reference::Id(id) if id.to_string() == text));
    }

    #[test]
    fn only_a_lone_ordinal_is_bare() {
        assert!(is_bare_ordinal("first") && is_bare_ordinal("Last"));
        assert!(!is_bare_ordinal("the first") && !is_bare_ordinal("2") && !is_bare_ordinal("two"));
    }
}
