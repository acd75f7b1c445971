//! Words of questions about the past and the present, read from `src/languages/*/past.txt`.
//!
//! Words under `base …` tell of the past only behind an auxiliary ("did you delete"). A gap of a phrase
//! takes no words.

use std::ops::BitOr;

use crate::domain::Lang;
use crate::domain::text::Text;
use crate::guard::talk::is_function_word;
use crate::language::phrases::{PhraseBook, PhraseText, Piece};
use crate::languages::{PerLang, WordFault};
use crate::resolver::is_soft;

/// Classes of words, as a set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Class(u64);

impl Class {
    /// Tells whether it shares a class with `other`.
    pub const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Classes without those of `other`.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Both.
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitOr for Class {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

macro_rules! classes {
    ($($name:ident $text:literal $bit:literal,)*) => {
        #[cfg(test)]
        const NAMES: &[(&str, &str)] = &[$(($text, concat!("Class::", stringify!($name))),)*];

        impl Class {
            $(pub const $name: Self = Self(1 << $bit);)*
        }
        const CLASSES: &[(&str, Class)] = &[$(($text, Class::$name),)*];
    };
}

classes! {
    DID "did" 0,
    HAS "has" 1,
    NOW "now" 2,
    WAS "was" 3,
    YOU "you" 4,
    SURE "sure" 5,
    WHEN "when" 6,
    WHAT "what" 7,
    ADDED "added" 8,
    DELETED "deleted" 9,
    GONE "gone" 10,
    MARKED "completed" 11,
    DONE "done" 12,
    REOPENED "reopened" 13,
    OPEN "open" 14,
    UNDONE "undone" 15,
    CHANGED "changed" 16,
    MOVED "moved" 17,
    RENAMED "renamed" 18,
    PRIORITIZED "prioritized" 19,
    DUE "due" 20,
    PRIORITY "priority" 21,
    HIGH "high" 22,
    MEDIUM "medium" 23,
    LOW "low" 24,
    ALL "all" 25,
    THEY "they" 26,
    BOTH "both" 27,
    IT "it" 32,
    NOT "not" 33,
    TAG "tag" 34,
    FILL "fill" 35,
    ANY "any" 36,
    BASE "base" 37,
    COUNT "how many" 38,
    FIRST "first" 39,
    LAST "last" 40,
    SO_FAR "so far" 41,
    ACTED "acted" 42,
    REMINDER "reminder" 43,
    VALUE "value" 44,
}

/// The phrases of one language, by their first word.
pub(super) type Phrases = PhraseBook<Class>;

/// The words of a question.
struct AskedWords<'w>(&'w [&'w str]);

impl PhraseText for AskedWords<'_> {
    const GAP: usize = 0;

    fn fits(&self, piece: Piece, at: usize) -> bool {
        let word = self.0.get(at);
        word.is_some_and(|word| match piece {
            Piece::Word(wanted) => *word == wanted,
            Piece::Prefix(prefix) => word.starts_with(prefix),
            Piece::Suffix(suffix) => word.ends_with(suffix),
            Piece::Gap => false,
        })
    }

    fn ends(&self, at: usize) -> bool {
        at >= self.0.len()
    }
}

fn read(lang: Lang) -> (Phrases, Vec<WordFault>) {
    let mut book = PhraseBook::default();
    let faults = book.read(lang.files().past, class_of);
    (book, faults)
}

/// The longest phrase that stands at the head of `words`: its classes and its length. What is a tag
/// alone ("…, did you?") stands at the end of a question, so many words on.
pub(super) fn longest(phrases: &Phrases, words: &[&str], end: usize) -> Option<(Class, usize)> {
    let text = AskedWords(words);
    let fits = phrases.of(words.first()?).filter_map(|phrase| {
        let (length, _) = phrase.end(&text, 0)?;
        (phrase.class != Class::TAG || length == end).then_some((length, phrase.class))
    });
    let fits: Vec<_> = fits.collect();
    let longest = fits.iter().map(|(length, _)| *length).max()?;
    let of = fits.iter().filter(|(length, _)| *length == longest);
    let classes = of.fold(Class::default(), |all, (_, class)| all | *class);
    Some((classes, longest))
}

fn class_of(name: &str) -> Option<Class> {
    let base = name.strip_prefix("base ");
    let mut known = CLASSES.iter();
    let (_, class) = known.find(|(text, _)| *text == base.unwrap_or(name))?;
    Some(match base {
        Some(_) => *class | Class::BASE,
        None => *class,
    })
}

static LANGUAGES: PerLang<Phrases> = PerLang::new(|lang| read(lang).0);

/// The phrases of every language, those of `first` first.
pub(super) fn languages(first: Lang) -> [(Lang, &'static Phrases); Lang::ALL.len()] {
    first.first().map(|lang| (lang, LANGUAGES.of(lang)))
}

/// Tells whether words may ask what was done without a question mark: one that asks opens them, and
/// some word is that of a deed.
pub(super) fn may_tell_past(words: &str) -> bool {
    const DEEDS: Class = Class::ADDED
        .or(Class::DELETED)
        .or(Class::MARKED)
        .or(Class::MOVED);
    const OPENS: Class = Class::COUNT
        .or(Class::WHAT)
        .or(Class::WHEN)
        .or(Class::FIRST);
    let text = Text::new(words);
    let words: Vec<&str> = (0..text.tokens.len()).map(|at| text.spelt(at)).collect();
    languages(Lang::En).into_iter().any(|(_, phrases)| {
        let class = |at: usize| longest(phrases, words.get(at..).unwrap_or_default(), 0);
        let is = |at: usize, of: Class| class(at).is_some_and(|(class, _)| class.has(of));
        // "when we moved we booked a van" tells, "when did we move" asks.
        let aux = Class::DID | Class::HAS | Class::NOW | Class::WAS | Class::YOU;
        let tells = is(0, Class::WHEN) && words.len() > 5 && !is(1, aux);
        is(0, OPENS) && !tells && (1..words.len()).any(|at| is(at, DEEDS))
    })
}

/// Tells whether words can be those of a title, of which nothing can be done where no task has it:
/// "two things" and "the repetition" can't.
pub(super) fn may_name(words: &str) -> bool {
    let text = Text::new(words);
    let names = |at: usize| {
        let word = text.spelt(at);
        text.is_word(at) && !is_soft(word) && !is_function_word(word) && !is_asking(word)
    };
    (0..text.tokens.len()).any(names)
}

/// Tells whether words begin with a pronoun that points back, "it back".
pub(super) fn points(words: &str) -> bool {
    let first = words.split_whitespace().next().unwrap_or_default();
    let mut all = languages(Lang::En).into_iter();
    all.any(|(_, phrases)| {
        let class = longest(phrases, &[first], 1).map(|(class, _)| class);
        class.is_some_and(|class| class.has(Class::IT | Class::THEY) && !class.has(Class::FILL))
    })
}

/// Tells whether a word is known to these questions in any language, and so names nothing.
pub(super) fn is_asking(word: &str) -> bool {
    let mut all = languages(Lang::En).into_iter();
    all.any(|(_, phrases)| longest(phrases, &[word], 1).is_some())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::text::fold;
    use crate::languages::{assert_sound, assert_used};

    #[test]
    fn the_files_have_no_faults() {
        assert_sound(Lang::ALL.into_iter().flat_map(|lang| read(lang).1));
        for lang in Lang::ALL {
            lang.files().past.read(class_of, |_, phrase| {
                assert!(
                    phrase.split_whitespace().all(|word| fold(word) == word),
                    "{phrase:?}"
                );
                Ok(())
            });
        }
    }

    #[test]
    fn every_class_is_used() {
        // "base" stands before other names, and what fills a question up says nothing.
        let named = NAMES
            .iter()
            .filter(|(name, _)| !["base", "fill"].contains(name));
        let asked = named.map(|(name, asked)| (*name, (*asked).to_owned()));
        let asked: Vec<_> = asked.collect();
        assert_used(Lang::En.files().past, &asked, "src/guard/past");
    }
}
