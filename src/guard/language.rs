//! The language that a message is to be answered in.

use std::ops::Range;

use super::talk::{formed_as, spoken_by};
use crate::domain::text::{Kind, Text};
use crate::domain::{Lang, LangSet};
use crate::intent::{Act, Reading, known_words};
use crate::resolver::TaskList;
use crate::temporal::told_in;

/// Weight of a word that one language alone has; one that several have is shared among them.
const ALONE: u32 = 60;
/// Weight of the language that the words were read in: it tells apart what is said alike.
const READ_IN: u32 = 15;
/// Letters of a word that may be a slip in any language.
const SHORT: usize = 3;
/// So many titles are read beside a message for the language of their letters.
const TITLES: usize = 20;
/// From so much confidence on, letters are taken for those of a language; less does where no word is of
/// English.
const LIKELY: f64 = 0.3;
const LIKELY_UNLESS_ENGLISH: f64 = 0.1;

/// Returns the language of a message where that is certain, else that of the conversation before it; a
/// conversation begins in English. One word alone is no other language: "cancel", "cool".
///
/// A command is in the language whose grammar read it, unless the conversation's has all its words
/// too ("add milk" is Roman Urdu as well). Other words tell their language by those that hardly any
/// other has, the one that they were read in first; those of titles and quotations tell of none. Where a
/// conversation begins, letters tell what words leave open, those of the list among them.
pub fn reply_language(
    reading: &Reading,
    message: &str,
    before: Option<Lang>,
    tasks: &TaskList,
) -> Lang {
    let text = Text::new(message);
    let worded = text.tokens.iter().filter(|token| token.kind == Kind::Word);
    let alone = worded.clone().count() < 2;
    let unquoted = worded.filter(|token| !token.quoted).count();
    let mut known = known_in(&text);
    for (token, languages) in text.tokens.iter().zip(&mut known) {
        if token.quoted {
            *languages = LangSet::default();
        }
    }
    let (begun, detected) = match before {
        Some(before) if alone => return before,
        Some(before) => (before, None),
        None if unquoted < 2 => (Lang::En, None),
        None => (Lang::En, detected(&text, &known, tasks)),
    };
    let told = certain(
        reading,
        &text,
        &known,
        (detected.unwrap_or(begun), alone),
        tasks,
    );
    // A word of English in another language is one that is mixed into all.
    let told = told.filter(|lang| detected.is_none() || *lang != Lang::En);
    told.or(detected).unwrap_or(begun)
}

/// The language of a message where its words are certain; `begun` is that of the conversation.
fn certain(
    reading: &Reading,
    text: &Text<'_>,
    known: &[LangSet],
    (begun, alone): (Lang, bool),
    tasks: &TaskList,
) -> Option<Lang> {
    if commands(reading) {
        let strange = |known: &LangSet| known.has(reading.lang) && !known.has(begun);
        return known.iter().any(strange).then_some(reading.lang);
    }
    let titled = (0..text.tokens.len()).filter(|at| tasks.index().word(text.word(*at)).is_some());
    let titles: Vec<_> = titled.map(|at| at..at + 1).collect();
    let weight = |lang: Lang| -> u32 {
        let read = if lang == reading.lang { READ_IN } else { 0 };
        weight_of(lang, known) + read
    };
    let mut likely = Lang::ALL.map(|lang| (weight(lang), lang));
    likely.sort_by_key(|(weight, _)| std::cmp::Reverse(*weight));
    let [(most, lang), (next, _), ..] = likely;
    // Words of a language that is not read may look like some of one that is.
    let sure = !is_mostly_unread(text, &titles, known)
        && weight_of(lang, known) >= ALONE
        && most * 3 >= next * 4;
    let told = alone || is_told(text, known, lang, begun);
    (sure && told).then_some(lang)
}

/// Tells whether a grammar has read some command or question of a message.
fn commands(reading: &Reading) -> bool {
    reading.clauses.iter().any(|clause| is_read(&clause.act))
}

/// The language that the letters of a message and of the titles beside it are likely of, where the words
/// of the message are no more of English.
fn detected(text: &Text<'_>, known: &[LangSet], tasks: &TaskList) -> Option<Lang> {
    let mut known = known.to_vec();
    for (at, languages) in known.iter_mut().enumerate() {
        if tasks.index().word(text.word(at)).is_some() {
            *languages = LangSet::default();
        }
    }
    let known = known.as_slice();
    let english = weight_of(Lang::En, known);
    let others = Lang::ALL.into_iter().filter(|lang| *lang != Lang::En);
    if others.map(|lang| weight_of(lang, known)).max() < Some(english) {
        return None;
    }
    let mut letters = text.raw.to_owned();
    for task in tasks.iter().take(TITLES) {
        letters.push_str(". ");
        letters.push_str(task.title.as_str());
    }
    let found = whatlang::detect(&letters);
    let guess = found.as_ref().and_then(of_letters);
    let least = if english == 0 {
        LIKELY_UNLESS_ENGLISH
    } else {
        LIKELY
    };
    let likely = found.is_some_and(|found| found.confidence() >= least);
    let lang = match guess {
        Some(lang) if likely => lang,
        // Roman Urdu is no language of letters: its small words tell it.
        _ if is_urdu(known, 1) && is_urdu(&known_in(&Text::new(&letters)), 2) => Lang::Ur,
        // Where letters leave it open, a word or two do.
        guess if !likely => {
            let of = |lang: &Lang| weight_of(*lang, known);
            let best = Lang::ALL.into_iter().max_by_key(of)?;
            let least = if guess == Some(best) {
                ALONE
            } else {
                2 * ALONE
            };
            let rest = Lang::ALL.into_iter().filter(|lang| *lang != best);
            let next = rest.map(|lang| of(&lang)).max().unwrap_or_default();
            Some(best).filter(|best| of(best) >= least.max(next * 4 / 3 + 1))?
        }
        _ => return None,
    };
    (weight_of(lang, known) >= english).then_some(lang)
}

fn of_letters(found: &whatlang::Info) -> Option<Lang> {
    let name = found.lang().eng_name();
    let mut others = Lang::ALL.into_iter().filter(|lang| *lang != Lang::En);
    others.find(|lang| lang.name() == name)
}

/// Tells whether so many words are of Roman Urdu, and not of the English that is mixed into it.
fn is_urdu(known: &[LangSet], least: usize) -> bool {
    let own = |known: &&LangSet| known.has(Lang::Ur) && !known.has(Lang::En);
    known.iter().filter(own).count() >= least
}

/// The languages that a text is not of, as its words are for the most part of another. English is
/// mixed into all of them.
/// `titles` are words of no language.
pub(super) fn strange_to(text: &Text<'_>, titles: &[Range<usize>]) -> LangSet {
    let mut known = known_in(text);
    for at in titles.iter().cloned().flatten() {
        if let Some(languages) = known.get_mut(at) {
            *languages = LangSet::default();
        }
    }
    let weights = Lang::ALL.map(|lang| (weight_of(lang, &known), lang));
    let most = weights.iter().map(|(weight, _)| *weight).max();
    let most = most.filter(|most| *most >= 2 * ALONE).unwrap_or_default();
    let strange = weights
        .iter()
        .filter(|(weight, lang)| weight * 2 < most && *lang != Lang::En);
    strange.map(|(_, lang)| *lang).collect()
}

/// The languages that know each token of a text.
fn known_in(text: &Text<'_>) -> Vec<LangSet> {
    let mut known = known_words(text);
    for (at, languages) in known.iter_mut().enumerate() {
        *languages |= spoken_by(text.word(at)) | told_in(text.word(at));
    }
    known
}

/// Weight of the words that a language has.
fn weight_of(lang: Lang, known: &[LangSet]) -> u32 {
    let of = known.iter().filter(|known| known.has(lang));
    of.map(|known| ALONE / known.len()).sum()
}

/// Tells whether words tell of another language than the one spoken before: one short word may be a
/// slip in that one ("plumber is dun").
fn is_told(text: &Text<'_>, known: &[LangSet], lang: Lang, before: Lang) -> bool {
    let strange = known.iter().enumerate();
    let strange = strange.filter(|(_, known)| known.has(lang) && !known.has(before));
    let mut words = strange.map(|(at, _)| text.word(at).chars().count());
    match (words.next(), words.next()) {
        (Some(length), None) => length > SHORT,
        (Some(_), Some(_)) => true,
        (None, _) => lang == before,
    }
}

/// Tells whether most words of a text are of no language that is read; those at `names` are the
/// words of titles, which may be of any.
pub(super) fn is_unread(text: &Text<'_>, names: &[Range<usize>]) -> bool {
    is_mostly_unread(text, names, &known_words(text))
}

/// Tells the same where some languages of the words are known already.
fn is_mostly_unread(text: &Text<'_>, names: &[Range<usize>], known: &[LangSet]) -> bool {
    let worded = |at: &usize| {
        let token = text.tokens.get(*at);
        token.is_some_and(|token| token.kind == Kind::Word && !token.quoted)
            && text.word(*at).chars().any(char::is_alphabetic)
            && !names.iter().any(|range| range.contains(at))
    };
    let words: Vec<usize> = (0..text.tokens.len()).filter(worded).collect();
    let known = words.iter().map(|at| {
        let word = text.word(*at);
        known.get(*at).copied().unwrap_or_default() | spoken_by(word) | formed_as(word)
    });
    let known: Vec<LangSet> = known.collect();
    let of = |lang: Lang| known.iter().filter(|known| known.has(lang)).count();
    let most = Lang::ALL.into_iter().map(of).max().unwrap_or_default();
    most * 2 < words.len()
}

/// Tells whether a grammar has read what a clause says.
const fn is_read(act: &Act) -> bool {
    !matches!(
        act,
        Act::Other
            | Act::Opinion(_)
            | Act::Noun(_)
            | Act::Statement(_)
            | Act::Fragment(_)
            | Act::Hint(_)
            | Act::Wish(_)
    )
}

#[cfg(test)]
mod tests {
    use chrono::NaiveDate;

    use super::*;
    use crate::intent::read;

    fn of(message: &str, before: Lang) -> Lang {
        let today = NaiveDate::from_ymd_opt(2026, 2, 8).unwrap();
        let reading = read(message, today, before);
        reply_language(&reading, message, Some(before), &TaskList::default())
    }

    #[test]
    fn a_command_is_in_the_language_that_reads_it() {
        for (message, lang) in [
            ("delete Die Hard", Lang::En),
            ("lösche Read book", Lang::De),
            ("füge Milch hinzu", Lang::De),
            ("añade leche a la lista", Lang::Es),
            ("ajoute du lait", Lang::Fr),
            ("aggiungi il latte alla lista", Lang::It),
            ("adicione leite à lista", Lang::Pt),
            ("doodh lana add kar do", Lang::Ur),
            ("meri list dikhao", Lang::Ur),
        ] {
            assert_eq!(of(message, Lang::En), lang, "{message}");
            assert_eq!(of(message, Lang::It), lang, "{message} after Italian");
        }
    }

    #[test]
    fn talk_is_told_by_words_that_no_other_language_has() {
        for (message, lang) in [
            ("how are you today?", Lang::En),
            ("wie geht es dir heute?", Lang::De),
            ("¿qué me aconsejas para mañana?", Lang::Es),
            ("qu'est-ce que tu me conseilles ?", Lang::Fr),
            ("che cosa mi consigli di fare?", Lang::It),
            ("o que você me aconselha?", Lang::Pt),
            ("aaj mausam kaisa hai yaar", Lang::Ur),
            ("Bafög bis Ende Februar, wichtig!", Lang::De),
            ("j'ai eu Monique au téléphone ce matin", Lang::Fr),
            (
                "la giacca l'ho portata stamattina, è pronta giovedì",
                Lang::It,
            ),
            ("a consulta passou para dia 19, às nove e meia", Lang::Pt),
        ] {
            assert_eq!(of(message, Lang::En), lang, "{message}");
            assert_eq!(of(message, Lang::Fr), lang, "{message} after French");
        }
    }

    #[test]
    fn words_are_unread_where_most_are_known_to_no_grammar() {
        let unread = |message: &str| is_unread(&Text::new(message), &[]);
        for message in [
            "delete Milka",
            "move 买牛奶 to friday",
            "lösche die Milch",
            "doodh le aya",
            "hoovered, mopped and dusted",
            "geocaching's rescheduled",
            "",
            "5",
        ] {
            assert!(!unread(message), "{message}");
        }
        for message in [
            "删掉洗车",
            "raporu çarşambaya ertele",
            "przesuń raport na środę",
            "नमस्ते",
        ] {
            assert!(unread(message), "{message}");
        }
        let text = Text::new("delete raporu çarşambaya ertele");
        let title = std::slice::from_ref(&(1..4)).to_vec();
        assert!(is_unread(&text, &[]) && !is_unread(&text, &title));
    }

    #[test]
    fn what_is_open_is_the_conversations() {
        for message in [
            "",
            "ok",
            "Milka",
            "12",
            "👍",
            "dodaj mleko",
            "nhắc tôi mua trứng",
        ] {
            for before in Lang::ALL {
                assert_eq!(of(message, before), before, "{message}");
            }
        }
        // One short word may be misspelt.
        for message in ["plumber is dun", "bread is dun", "its al dun"] {
            assert_eq!(of(message, Lang::En), Lang::En, "{message}");
        }
        assert_eq!(of("add milk", Lang::Ur), Lang::Ur);
        assert_eq!(of("cancel", Lang::De), Lang::De);
        let today = NaiveDate::from_ymd_opt(2026, 2, 8).unwrap();
        for (message, lang) in [
            ("hallo", Lang::De),
            ("add \"cat ki\"", Lang::En),
            ("add \"acheter du pain pour la famille\"", Lang::En),
            ("ajoute \"buy bread for the family\"", Lang::Fr),
        ] {
            let first = read(message, today, Lang::En);
            let reply = reply_language(&first, message, None, &TaskList::default());
            assert_eq!(reply, lang, "{message}");
        }
    }
}
