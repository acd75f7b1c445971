//! The words of a message and of a title, so that one can be looked for in the other.

use crate::domain::text::{Kind, Text};
use crate::resolver::{
    Letters, Part, are_synonyms, bases, deeds_of, is_soft, limit, may_be_added, part, split,
    stands_for,
};

/// A slip that may be put right, in tenths.
const MENDED: u16 = 12;
/// The shortest word that is taken for a misspelt one.
const SHORTEST: usize = 5;
/// The shortest word that may stand for a longer one that begins with it.
const ABBREVIATED: usize = 4;

/// Letters that make a stem, and those that do where they are a whole word.
const STEM: usize = 3;
const SHORTEST_STEM: usize = 2;

/// A word with its base forms.
#[derive(Debug, Clone)]
pub(super) struct Word {
    /// Its token.
    pub token: usize,
    /// As it was said, folded.
    pub said: String,
    forms: Vec<String>,
    /// A stem is enough to know it by: it is of no language whose forms are known.
    by_stem: bool,
}

impl Word {
    fn new(token: usize, said: &str) -> Self {
        let mut forms = vec![said.to_owned()];
        bases(said, &mut |base| forms.push(base.to_owned()));
        Self {
            token,
            said: said.to_owned(),
            forms,
            by_stem: false,
        }
    }

    /// Tells whether both are forms of one word.
    pub fn is_form_of(&self, other: &Self) -> bool {
        self.forms.iter().any(|form| other.forms.contains(form))
    }

    /// Tells whether it names the word `other` of a title: as a form of it, shortened, or misspelt.
    pub fn names(&self, other: &Self) -> bool {
        self.is_known_as(other) || self.by_stem && shares_stem(&self.said, &other.said)
    }

    /// The same, and not by its stem alone.
    pub fn is_known_as(&self, other: &Self) -> bool {
        self.is_form_of(other) || self.shortens(other) || self.misspells(other)
    }

    /// Tells whether it is another word of the same thing: "hoovered" of *Vacuum*.
    pub fn means(&self, other: &Self) -> bool {
        let known = |form: &String| other.forms.iter().any(|other| are_synonyms(form, other));
        self.forms.iter().any(known)
    }

    fn shortens(&self, other: &Self) -> bool {
        let (short, long) = (self.said.as_str(), other.said.as_str());
        let prefix = |short: &str, long: &str| {
            short.chars().count() >= ABBREVIATED
                && long.chars().count() >= short.chars().count() + 3
                && long.starts_with(short)
        };
        (prefix(short, long) || leaves_out_vowels(short, long)) && part(short).is_none()
            || stands_for(short, long)
            || self.compounds(other)
    }

    /// "Bewerbung" in "Bewerbungsfoto" is another word; "Termin" in "Arzttermin" names it.
    fn compounds(&self, other: &Self) -> bool {
        let (short, long) = (self.said.as_str(), other.said.as_str());
        short.chars().count() >= SHORTEST
            && long.chars().count() >= short.chars().count() + 3
            && long.ends_with(short)
    }

    fn misspells(&self, other: &Self) -> bool {
        let (a, b) = (self.said.chars().count(), other.said.chars().count());
        let literal = |word: &str| {
            matches!(part(word), Some(Part::Name | Part::Common))
                || word.chars().any(|c| c.is_ascii_digit())
        };
        if a.min(b) < SHORTEST || literal(&self.said) {
            return false;
        }
        let limit = limit(a, b).min(MENDED);
        let (one, two) = (Letters::of(&self.said), Letters::of(&other.said));
        one.distance(&two, limit).is_some()
    }

    /// Tells whether it is a verb that stands on every list, as titles open with it: sharing it
    /// proves little. "Meeting" and "reading" are things.
    pub fn is_bare_verb(&self) -> bool {
        matches!(part(&self.said), Some(Part::Verb))
    }

    /// Tells whether it is a form of such a verb.
    pub fn is_light(&self) -> bool {
        self.is_bare_verb()
            || self
                .forms
                .iter()
                .any(|form| matches!(part(form), Some(Part::Verb)))
    }

    /// Tells whether it tells of the deed that `verb` names as one that was done: "called" of
    /// "call", "comprados" of "comprar", "angerufen" of "anrufen".
    pub fn is_past_of(&self, verb: &Self) -> bool {
        let (said, verb_said) = (self.said.as_str(), verb.said.as_str());
        if said == verb_said || self.is_bare_verb() {
            return false;
        }
        let english = self.is_form_of(verb) && !said.ends_with("ing") && !said.ends_with('s');
        english || is_romance_past(said, verb_said) || is_german_past(said, verb_said)
    }

    /// The deeds that it tells of or names: "rang" and "anrufen" are each a call.
    pub fn deeds(&self) -> Vec<&'static str> {
        let said = self.said.as_str();
        deeds_of(|verb| {
            let known = self.forms.iter().any(|form| form == verb);
            known || is_romance_form(said, verb) || is_german_past(said, verb)
        })
    }

    /// Tells whether it is a number alone.
    pub fn is_number(&self) -> bool {
        self.said.chars().all(|c| c.is_ascii_digit())
    }
}

/// Tells whether two words of a language that is not read may be forms of one: they begin with the
/// same letters, more than half of the shorter one, or one of them has a letter or two before the
/// other.
fn shares_stem(one: &str, other: &str) -> bool {
    let lengths = [one.chars().count(), other.chars().count()];
    let (shorter, longer) = (lengths[0].min(lengths[1]), lengths[0].max(lengths[1]));
    let letters = one.chars().zip(other.chars());
    let same = letters
        .take_while(|(a, b)| a == b && a.is_alphabetic())
        .count();
    let begins = same >= STEM && same * 2 > shorter || same >= SHORTEST_STEM && same == shorter;
    let behind = one.ends_with(other) || other.ends_with(one);
    begins || behind && shorter >= STEM && longer <= shorter + 2
}

/// Tells whether a word is written without its vowels: "txt", "chrge", "msg".
fn leaves_out_vowels(short: &str, long: &str) -> bool {
    let is_consonant = |c: char| c.is_ascii_alphabetic() && !"aeiouy".contains(c);
    let mut letters = long.chars();
    let within = short
        .chars()
        .all(|letter| letters.any(|other| other == letter));
    let letters = short.chars().count();
    (letters >= STEM || letters == SHORTEST_STEM && long.len() <= 2 * SHORTEST_STEM)
        && short.chars().skip(1).all(is_consonant)
        && short.chars().next() == long.chars().next()
        && short.chars().last() == long.chars().last()
        && short.len() < long.len()
        && within
}

/// Endings of infinitives of Romance languages.
const INFINITIVES: [&str; 8] = ["are", "ere", "ire", "ar", "er", "ir", "oir", "re"];

/// Tells whether a word has the form of an infinitive in a Romance language.
pub(super) fn is_infinitive(word: &str) -> bool {
    word.len() > 4 && INFINITIVES.iter().any(|end| word.ends_with(end))
}

/// Tells whether a word is a participle or a simple past of a Romance infinitive.
fn is_romance_past(said: &str, verb: &str) -> bool {
    const ENDINGS: [&str; 36] = [
        "ado", "ada", "ados", "adas", "ido", "ida", "idos", "idas", "ato", "ata", "ati", "ate",
        "uto", "uta", "uti", "ute", "ito", "ita", "iti", "ite", "ee", "es", "ees", "u", "ue", "us",
        "ues", "ei", "ou", "iu", "i", "ie", "ies", "is", "amos", "imos",
    ];
    let mut stems = INFINITIVES.iter().filter_map(|end| verb.strip_suffix(end));
    stems.any(|stem| {
        let rest = said.strip_prefix(stem).filter(|_| stem.len() > 2);
        rest.is_some_and(|rest| ENDINGS.contains(&rest))
    })
}

/// Tells whether a word is the first person of a simple past, or a participle that lost its accent, of a
/// Romance infinitive: words that command as well.
fn is_romance_form(said: &str, verb: &str) -> bool {
    let mut stems = INFINITIVES.iter().filter_map(|end| verb.strip_suffix(end));
    let bare = |stem: &str| stem.len() > 2 && said.strip_prefix(stem) == Some("e");
    is_romance_past(said, verb) || stems.any(bare)
}

/// Tells whether a word is the participle of a German infinitive, whatever its vowels became.
fn is_german_past(said: &str, verb: &str) -> bool {
    let Some(stem) = verb.strip_suffix("en").filter(|stem| stem.len() > 2) else {
        return false;
    };
    let bare = ["en", "et", "t"]
        .iter()
        .find_map(|end| said.strip_suffix(end));
    let (Some(bare), Some(ge)) = (bare, said.find("ge")) else {
        return false;
    };
    let consonants = |text: &str| -> String {
        let vowel = |c: &char| !matches!(c, 'a' | 'e' | 'i' | 'o' | 'u');
        text.chars().filter(vowel).collect()
    };
    let without = format!(
        "{}{}",
        &said.get(..ge).unwrap_or_default(),
        bare.get(ge + 2..).unwrap_or_default()
    );
    without.len() > 2 && consonants(&without) == consonants(stem)
}

/// Every word of a text that says something, in order.
pub(super) fn words(text: &Text<'_>) -> Vec<Word> {
    let mut words = Vec::with_capacity(text.tokens.len());
    for (index, token) in text.tokens.iter().enumerate() {
        if token.kind == Kind::Word {
            split(text.word(index), &mut |word| {
                if !is_soft(word) {
                    words.push(Word::new(index, word));
                }
            });
        }
    }
    words
}

/// The words of a message; `unread`: of no language that is read.
pub(super) fn spoken(text: &Text<'_>, unread: bool) -> Vec<Word> {
    let mut words = words(text);
    for word in &mut words {
        word.by_stem = unread;
    }
    words
}

/// The words of a title that whoever means it says; those that may have been added, and the kana
/// with which Japanese inflects and joins, are left out unless there is nothing else.
pub(super) fn content(title: &str) -> Vec<Word> {
    let all = words(&Text::new(title));
    let (own, _): (Vec<Word>, Vec<Word>) = all
        .iter()
        .cloned()
        .partition(|word| !may_be_added(&word.said) && !word.said.chars().all(is_hiragana));
    if own.is_empty() { all } else { own }
}

/// Tells whether a character is one of hiragana.
pub(super) const fn is_hiragana(c: char) -> bool {
    matches!(c, '\u{3041}'..='\u{309f}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stem_is_known_and_a_likeness_is_none() {
        for (one, other, shares) in [
            ("kupieniu", "kupic", true),
            ("машину", "машина", true),
            ("arabayi", "araba", true),
            ("almayi", "al", true),
            ("بدفع", "دفع", true),
            ("ditulis", "tulis", true),
            ("сад", "самолет", false),
            ("رفع", "دفع", false),
            ("a", "al", false),
            ("2026", "2025", false),
        ] {
            assert_eq!(shares_stem(one, other), shares, "{one} {other}");
            assert_eq!(shares_stem(other, one), shares, "{other} {one}");
        }
    }

    #[test]
    fn words_that_are_read_are_known_by_their_forms_alone() {
        let names = |unread: bool| {
            let said = spoken(&Text::new("planting"), unread);
            let title = content("planter");
            said.iter()
                .any(|word| title.iter().any(|own| word.names(own)))
        };
        assert!(names(true) && !names(false));
    }

    #[test]
    fn kana_that_inflect_are_no_content() {
        let of = |title: &str| -> Vec<String> {
            content(title).into_iter().map(|word| word.said).collect()
        };
        assert_eq!(of("牛乳を買う"), ["牛", "乳", "買"]);
        assert_eq!(of("おつかい"), ["お", "つ", "か", "い"]);
    }
}
