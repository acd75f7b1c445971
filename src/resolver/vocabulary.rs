//! Words with a known part in references, read from `src/languages/*/references.txt`: what carries
//! no meaning, what proves little, what is surely meant as it stands, places and pointers.
//!
//! The words of all languages are one vocabulary, since a title may be in another language than the
//! message that names it.

use std::collections::{HashMap, HashSet};
use std::sync::LazyLock;

use super::places::{Place, Pointer};
use crate::domain::Lang;
use crate::languages::WordFault;

/// Contribution of a word to a reference. Of several for a word the first counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Part {
    /// Article, possessive, demonstrative or politeness: never counts.
    Article,
    /// Preposition, conjunction or list word: only tells otherwise equal titles apart.
    Link,
    /// A verb so common on lists that sharing it proves little.
    Verb,
    /// A person: another spelling is another person.
    Name,
    /// Met often enough to be meant literally: no slip for another word.
    Common,
}

/// Words of references, of all languages.
#[derive(Debug, Default)]
pub(super) struct Vocabulary {
    parts: HashMap<&'static str, Part>,
    leading_articles: HashSet<&'static str>,
    added_verbs: HashSet<&'static str>,
    mending: HashSet<&'static str>,
    obliques: HashSet<&'static str>,
    /// Words of one thing, each with those that name its lines: "auto" is no one thing everywhere.
    synonyms: HashMap<&'static str, Vec<&'static str>>,
    /// Verbs by the deeds that they tell of: "ring" is a *call*, in any language.
    deeds: Vec<(&'static str, &'static str)>,
    /// Words that are written for longer ones: "bday" for "birthday".
    shorts: HashMap<&'static str, &'static str>,
    pub(super) places: HashMap<&'static str, Place>,
    pub(super) pointers: HashMap<&'static str, Pointer>,
    /// Articles before a number that points: "the two".
    pub(super) of_several: HashSet<&'static str>,
    /// Words whose apostrophe joins an article to what follows.
    pub(super) elided: HashSet<&'static str>,
    /// "list", and what stands before it behind a title: "milk from my list".
    pub(super) lists: HashSet<&'static str>,
    pub(super) list_links: HashSet<&'static str>,
}

/// Class of words of the file.
#[derive(Debug, Clone, Copy)]
enum WordClass {
    Part(Part),
    LeadingArticle,
    AddedVerb,
    Mending,
    Oblique,
    Synonym(&'static str),
    Short(&'static str),
    Deed(&'static str),
    Place(Place),
    Pointer(Pointer),
    OfSeveral,
    Elided,
    List,
    ListLink,
}

/// Finds the class that a line of the file names: one word, one and a number ("ordinal 3"), or one
/// and a word ("same mom", "short birthday").
fn class(name: &'static str) -> Option<WordClass> {
    Some(match name {
        "article" => WordClass::Part(Part::Article),
        "link" => WordClass::Part(Part::Link),
        "verb" => WordClass::Part(Part::Verb),
        "name" => WordClass::Part(Part::Name),
        "common" => WordClass::Part(Part::Common),
        "leading article" => WordClass::LeadingArticle,
        "added verb" => WordClass::AddedVerb,
        "mending" => WordClass::Mending,
        "oblique" => WordClass::Oblique,
        "filler" => WordClass::Place(Place::Filler),
        "the" => WordClass::Place(Place::Article),
        "marker" => WordClass::Place(Place::Marker),
        "end" => WordClass::Place(Place::End),
        "one" => WordClass::Place(Place::One),
        "next" => WordClass::Place(Place::Next),
        "but" => WordClass::Place(Place::But),
        "before" => WordClass::Place(Place::Before),
        "last" => WordClass::Place(Place::Last),
        "prop" | "pointing" => WordClass::Pointer(Pointer::Prop),
        "it" => WordClass::Pointer(Pointer::It),
        "they" => WordClass::Pointer(Pointer::They),
        "other" => WordClass::Pointer(Pointer::Other),
        "several" => WordClass::OfSeveral,
        "elided" => WordClass::Elided,
        "list" => WordClass::List,
        "list link" => WordClass::ListLink,
        numbered => {
            let (name, number) = numbered.rsplit_once(' ')?;
            match name {
                "same" => return Some(WordClass::Synonym(number)),
                "short" => return Some(WordClass::Short(number)),
                "deed" => return Some(WordClass::Deed(number)),
                _ => {}
            }
            let number = number.parse().ok()?;
            WordClass::Place(match name {
                "cardinal" => Place::Cardinal(number),
                "marked" => Place::Marked(number),
                "ordinal" => Place::Ordinal(number),
                "last" => Place::FromEnd(number),
                _ => return None,
            })
        }
    })
}

impl Vocabulary {
    /// Reads the files of all languages, with their faults.
    fn read() -> (Self, Vec<WordFault>) {
        let mut all = Self::default();
        let files = Lang::ALL.into_iter().map(|lang| lang.files().references);
        let faults = files.flat_map(|file| file.read(class, |class, word| all.put(class, word)));
        let faults = faults.collect();
        (all, faults)
    }

    fn put(&mut self, class: WordClass, word: &'static str) -> Result<(), &'static str> {
        match class {
            WordClass::Part(part) => {
                let known = self.parts.entry(word).or_insert(part);
                *known = part.min(*known);
            }
            WordClass::Place(place) => {
                let known = self.places.entry(word).or_insert(place);
                *known = place.max(*known);
            }
            WordClass::Pointer(pointer) => {
                let known = self.pointers.entry(word).or_insert(pointer);
                *known = pointer.max(*known);
            }
            WordClass::LeadingArticle => _ = self.leading_articles.insert(word),
            WordClass::AddedVerb => _ = self.added_verbs.insert(word),
            WordClass::Mending => _ = self.mending.insert(word),
            WordClass::Oblique => _ = self.obliques.insert(word),
            WordClass::Synonym(head) => {
                for word in [head, word] {
                    let known = self.synonyms.entry(word).or_default();
                    if !known.contains(&head) {
                        known.push(head);
                    }
                }
            }
            WordClass::Short(long) => {
                self.put(WordClass::Synonym(long), word)?;
                self.shorts.insert(word, long);
            }
            WordClass::Deed(deed) => self.deeds.push((word, deed)),
            WordClass::OfSeveral => _ = self.of_several.insert(word),
            WordClass::Elided => _ = self.elided.insert(word),
            WordClass::List => _ = self.lists.insert(word),
            WordClass::ListLink => _ = self.list_links.insert(word),
        }
        let folded = !word.contains(' ') && crate::domain::text::fold(word) == word;
        folded.then_some(()).ok_or("is not one folded word")
    }
}

static VOCABULARY: LazyLock<Vocabulary> = LazyLock::new(|| Vocabulary::read().0);

/// The words of all languages.
pub(super) fn vocabulary() -> &'static Vocabulary {
    &VOCABULARY
}

/// The part a folded word plays; `None` for a plain content word.
pub(crate) fn part(word: &str) -> Option<Part> {
    vocabulary().parts.get(word).copied()
}

/// Tells whether a word names nothing by itself.
pub(crate) fn is_soft(word: &str) -> bool {
    matches!(part(word), Some(Part::Article | Part::Link))
}

/// Tells whether a word is an article if it opens a reference: "la leche", but not "flight to LA".
pub(crate) fn opens(word: &str) -> bool {
    vocabulary().leading_articles.contains(word)
}

/// Verbs that a title may add to the user's words: "milk" → "Buy milk".
pub(crate) fn may_be_added(word: &str) -> bool {
    vocabulary().added_verbs.contains(word)
}

/// Tells whether a title may add a word to what tells a lack or a fault: "the tap drips" → "Fix tap".
pub(crate) fn mends(word: &str) -> bool {
    vocabulary().mending.contains(word)
}

/// Tells whether a word has the form in which it stands before a postposition: "jane" of "gym jane ka".
pub(super) fn is_oblique(word: &str) -> bool {
    vocabulary().obliques.contains(word)
}

/// Tells whether two words are words of one thing in some language: "mum" and "mom".
pub(crate) fn are_synonyms(one: &str, other: &str) -> bool {
    let lines = |word| vocabulary().synonyms.get(word);
    let (one, other) = (lines(one), lines(other));
    one.zip(other)
        .is_some_and(|(one, other)| one.iter().any(|line| other.contains(line)))
}

/// The deeds that a verb tells of, of the words that fit it: "call" of "phone".
pub(crate) fn deeds_of(fits: impl Fn(&str) -> bool) -> Vec<&'static str> {
    let known = vocabulary().deeds.iter().filter(|(word, _)| fits(word));
    known.map(|(_, deed)| *deed).collect()
}

/// Tells whether a word is one for a list.
pub(crate) fn is_list(word: &str) -> bool {
    vocabulary().lists.contains(word)
}

/// Tells whether a word is written for a longer one: "bday" for "birthday".
pub(crate) fn stands_for(short: &str, long: &str) -> bool {
    vocabulary().shorts.get(short) == Some(&long)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::assert_sound;

    #[track_caller]
    fn check(word: &str, expect: Option<Part>) {
        assert_eq!(part(word), expect, "{word}");
    }

    #[test]
    fn the_files_have_no_faults() {
        assert_sound(Vocabulary::read().1);
    }

    #[test]
    fn each_word_plays_its_weakest_part() {
        check("the", Some(Part::Article));
        check("wala", Some(Part::Link));
        check("buy", Some(Part::Verb));
        check("silk", Some(Part::Common));
        check("tom", Some(Part::Name));
        check("passprot", None);
    }

    #[test]
    fn only_the_verbs_of_errands_may_be_added() {
        assert!(may_be_added("buy") && may_be_added("call"));
        assert!(!may_be_added("sell") && !may_be_added("bu"));
    }

    #[test]
    fn words_of_one_thing_have_one_name() {
        assert!(are_synonyms("hoover", "vacuum") && are_synonyms("doodh", "milk"));
        // A word of two lines joins neither to the other.
        assert!(are_synonyms("auto", "wagen") && are_synonyms("auto", "coche"));
        assert!(!are_synonyms("wagen", "coche"));
        assert!(!are_synonyms("mum", "dad") && !are_synonyms("passport", "passport"));
    }
}
