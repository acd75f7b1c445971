//! The language that a message is to be answered in.

use std::collections::HashSet;
use std::ops::Range;
use std::sync::LazyLock;

use super::talk::{formed_as, spoken_by};
use crate::domain::text::{Kind, Text};
use crate::domain::{Lang, LangSet};
use crate::intent::{Act, Reading, known_words};
use crate::languages::PerLang;
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
/// Returns the language of a message where that is certain, else that of the conversation before it; a
/// conversation begins in English. One word alone is no other language: "cancel", "cool".
///
/// A command is in the language whose grammar read it, unless the conversation's has all its words
/// too ("add milk" is Roman Urdu as well). Other words tell their language by those that hardly any
/// other has, the one that they were read in first; those of titles and quotations tell of none.
pub fn reply_language(
    reading: &Reading,
    message: &str,
    before: Option<Lang>,
    tasks: &TaskList,
) -> Lang {
    let text = Text::new(message);
    let mut known = known_in(&text);
    for (at, (token, languages)) in text.tokens.iter().zip(&mut known).enumerate() {
        if token.quoted || tasks.index().word(text.word(at)).is_some() {
            *languages = LangSet::default();
        }
    }
    let Some(before) = before else {
        return begun_in(reading, &text, known, tasks);
    };
    let words = text.tokens.iter().filter(|token| token.kind == Kind::Word);
    if words.count() < 2 {
        return before;
    }
    certain(reading, &text, &known, before, tasks).unwrap_or(before)
}

/// The language of a message where its words are certain; `before` is that of the conversation.
fn certain(
    reading: &Reading,
    text: &Text<'_>,
    known: &[LangSet],
    before: Lang,
    tasks: &TaskList,
) -> Option<Lang> {
    if commands(reading) {
        let strange = |known: &&LangSet| known.has(reading.lang) && !known.has(before);
        let strange = known.iter().filter(strange).count();
        // Roman Urdu has the verbs of commands from English: "bijli bill done".
        let lent = before == Lang::Ur && reading.lang == Lang::En;
        // English stands in the titles of all; another language has words in common with its neighbours.
        let other = before == Lang::En
            || weight_of(reading.lang, known) > weight_of(before, known)
                && (strange > 1 || of_letters(text.raw) != Some(before));
        return (other && strange > usize::from(lent)).then_some(reading.lang);
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
    (sure && is_told(text, known, lang, before)).then_some(lang)
}

/// Tells whether a grammar has read some command or question of a message.
fn commands(reading: &Reading) -> bool {
    reading.clauses.iter().any(|clause| is_read(&clause.act))
}

/// The language that a conversation begins in: the words of the message tell it; among those that they
/// leave open its letters, and the words and letters of the titles beside it; English where nothing does.
fn begun_in(reading: &Reading, text: &Text<'_>, mut known: Vec<LangSet>, tasks: &TaskList) -> Lang {
    // A command that a grammar has read is in its language, unless English has all its words.
    let own = |of: &LangSet| of.has(reading.lang) && !of.has(Lang::En);
    let commanded = commands(reading) && known.iter().any(own);
    let mut said = String::new();
    for (at, (token, languages)) in text.tokens.iter().zip(&mut known).enumerate() {
        if token.quoted {
            continue;
        }
        said.push_str(text.slice(at..at + 1));
        said.push(' ');
        if languages.is_empty() && tasks.index().word(text.word(at)).is_none() {
            *languages = formed_as(text.spelt(at));
        }
    }
    if !commanded {
        clear_a_slip(text, &mut known);
    }
    let mut titles = String::new();
    for task in tasks.iter().take(TITLES) {
        titles.push_str(task.title.as_str());
        titles.push_str(". ");
    }
    // English is mixed into Roman Urdu, and no word of that into English.
    let mixed = commanded || is_urdu(&known, 2);
    let worded = |lang: Lang| match lang {
        Lang::En if mixed => 0,
        _ => weight_of(lang, &known),
    };
    let most = Lang::ALL.map(worded).into_iter().max().unwrap_or_default();
    let likely = |lang: &Lang| worded(*lang) * 4 >= most * 3;
    let beside = known_in(&Text::new(&titles));
    let listed = |lang: Lang| weight_of(lang, &beside);
    let [own, others] = [said.trim(), titles.trim()].map(of_letters);
    if most == 0 {
        // Words that no language knows are of the list's, where its letters and words tell the same.
        let told = others.filter(|of| {
            listed(*of) > listed(Lang::En) || own == others && listed(*of) == listed(Lang::En)
        });
        return told.unwrap_or(Lang::En);
    }
    // "delete Fly to Mars": as many words of English as of any other.
    let words = |lang: Lang| known.iter().filter(|of| of.has(lang)).count();
    let most_words = Lang::ALL.map(words).into_iter().max();
    let among = !mixed && Some(words(Lang::En)) == most_words;
    let theirs = others.is_some_and(|of| likely(&of) && listed(of) > listed(Lang::En));
    if (likely(&Lang::En) || among) && !theirs {
        return Lang::En;
    }
    let all = of_letters(format!("{said}{titles}").trim());
    let told = [all, own, others].into_iter().flatten().find(likely);
    let most_listed = || {
        Lang::ALL
            .into_iter()
            .rev()
            .filter(likely)
            .max_by_key(|lang| listed(*lang))
    };
    told.or_else(most_listed).unwrap_or(Lang::En)
}

/// Takes the language from the only word that is none of English, where it is short: it may be a slip or a
/// name ("bread is dun").
fn clear_a_slip(text: &Text<'_>, known: &mut [LangSet]) {
    let strange = |of: &LangSet| !of.is_empty() && !of.has(Lang::En);
    let mut told = known.iter_mut().enumerate().filter(|(_, of)| strange(of));
    if let (Some((at, of)), None) = (told.next(), told.next())
        && text.word(at).chars().count() <= SHORT
        && written_in(text.slice(at..at + 1)).is_none()
        // "hotels ki talash bawarchi ko do": words of a title are of that language too.
        && known_in(text).iter().filter(|own| strange(own) && own.meets(*of)).count() < 2
    {
        *of = LangSet::default();
    }
}

/// The languages by the letters that their own reply texts have; one that is written in another script than
/// its usual one has none.
static LETTERS: LazyLock<Vec<(whichlang::Lang, Lang)>> = LazyLock::new(|| {
    let usual = Lang::ALL
        .into_iter()
        .filter(|lang| !lang.tag().contains('-'));
    let lettered = usual.map(|lang| {
        let lines = lang.files().texts.lines();
        let texts: Vec<&str> = lines
            .filter_map(|line| Some(line.split_once(" = ")?.1))
            .filter(|text| !text.contains('{'))
            .collect();
        (whichlang::detect_language(&texts.join(" ")), lang)
    });
    lettered.collect()
});

/// The language that letters are of, where it is one that is read.
fn of_letters(text: &str) -> Option<Lang> {
    let found = whichlang::detect_language(text);
    let mut known = LETTERS.iter().filter(|(letters, _)| *letters == found);
    known.next().map(|(_, lang)| *lang)
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

/// The languages that know each token of a text; figures and signs are of none.
fn known_in(text: &Text<'_>) -> Vec<LangSet> {
    let mut known = known_words(text);
    for (at, languages) in known.iter_mut().enumerate() {
        let word = text.spelt(at);
        let own = match word.contains(char::is_alphabetic) {
            true => *languages | spoken_by(word) | told_in(word),
            false => LangSet::default(),
        };
        *languages = match written_in(text.slice(at..at + 1)) {
            // Letters tell of a word that nobody knows.
            Some(written) if own.is_empty() => written,
            Some(written) => own & written,
            None => own,
        };
    }
    known
}

/// The languages that a word's letters beyond ASCII are of, by the letters of their own texts: "às" is no
/// English "as", and "sì" no Spanish "si".
fn written_in(word: &str) -> Option<LangSet> {
    let letters = word.chars().flat_map(char::to_lowercase);
    let sets = letters.filter(|letter| !letter.is_ascii()).map(|letter| {
        let has = |lang: &Lang| MARKED.of(*lang).contains(&letter);
        Lang::ALL.into_iter().filter(has).collect::<LangSet>()
    });
    sets.filter(|set| !set.is_empty())
        .reduce(|one, other| one & other)
}

/// Letters beyond ASCII that each language's own texts have.
static MARKED: LazyLock<PerLang<HashSet<char>>> = LazyLock::new(|| {
    PerLang::new(|lang| {
        let letters = lang.files().texts.chars().flat_map(char::to_lowercase);
        letters
            .filter(|letter| !letter.is_ascii() && letter.is_alphabetic())
            .collect()
    })
});

/// Weight of the words that a language has.
fn weight_of(lang: Lang, known: &[LangSet]) -> u32 {
    let of = known.iter().filter(|known| known.has(lang));
    of.map(|known| ALONE / known.len()).sum()
}

/// Tells whether words tell of another language than the one spoken before. One word alone may be a slip
/// in that one ("plumber is dun"), or one of its own that is not known ("viene"): where it is long enough,
/// the letters must tell the same.
fn is_told(text: &Text<'_>, known: &[LangSet], lang: Lang, before: Lang) -> bool {
    let strange = known.iter().enumerate();
    let strange = strange.filter(|(_, known)| known.has(lang) && !known.has(before));
    let mut words = strange.map(|(at, _)| text.word(at).chars().count());
    match (words.next(), words.next()) {
        (Some(length), None) => length > SHORT && of_letters(text.raw) == Some(lang),
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
        text.is_word(*at)
            && !text.is_quoted(*at)
            && text.word(*at).chars().any(char::is_alphabetic)
            && !names.iter().any(|range| range.contains(at))
    };
    let words: Vec<usize> = (0..text.tokens.len()).filter(worded).collect();
    let known = words.iter().map(|at| {
        let word = text.spelt(*at);
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
    use chrono::{DateTime, NaiveDate};
    use uuid::Uuid;

    use super::*;
    use crate::domain::{Task, TaskId, Title, UserId};
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
            // One word that a neighbour does not have may still be one of its own.
            let after = if lang == Lang::Pt { Lang::De } else { Lang::It };
            assert_eq!(of(message, after), lang, "{message} after {after:?}");
        }
        let more = "adicione leite à lista para amanhã de manhã";
        assert_eq!(of(more, Lang::It), Lang::Pt);
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
        // Words that neighbours have in common, and nouns of English, change no conversation's language.
        for (message, before) in [
            ("retrásala al mes que viene", Lang::Es),
            ("¿para qué día es avisar al ayuntamiento?", Lang::Es),
            ("¿viene Marta?", Lang::Es),
            ("paga bollette", Lang::It),
            ("quando mi ricordi la cena?", Lang::It),
            ("pague a luz", Lang::Pt),
            ("Hotel buchen", Lang::De),
            ("Pass verlängern", Lang::De),
            ("bijli bill done", Lang::Ur),
            ("3 + 4 kitne hote hain?", Lang::Ur),
            ("pass the salt", Lang::En),
        ] {
            assert_eq!(of(message, before), before, "{message}");
        }
        // One short word may be misspelt.
        for message in ["plumber is dun", "bread is dun", "its al dun"] {
            assert_eq!(of(message, Lang::En), Lang::En, "{message}");
        }
        assert_eq!(of("add milk", Lang::Ur), Lang::Ur);
        assert_eq!(of("cancel", Lang::De), Lang::De);
    }

    #[test]
    fn a_letter_beyond_ascii_is_of_the_languages_that_have_it() {
        let begun = |message: &str| {
            let today = NaiveDate::from_ymd_opt(2026, 2, 8).unwrap();
            let reading = read(message, today, Lang::En);
            reply_language(&reading, message, None, &TaskList::default())
        };
        for (message, lang) in [
            ("sì", Lang::It),
            ("não", Lang::Pt),
            ("vinho às 9", Lang::Pt),
            ("fromage à 9h", Lang::Fr),
            ("add café visit", Lang::En),
            ("meet Zoë at 9", Lang::En),
        ] {
            assert_eq!(begun(message), lang, "{message}");
        }
    }

    #[test]
    fn letters_are_of_the_language_whose_texts_have_them() {
        let lettered: Vec<Lang> = LETTERS.iter().map(|(_, lang)| *lang).collect();
        let usual = Lang::ALL.into_iter().filter(|lang| *lang != Lang::Ur);
        assert_eq!(lettered, usual.collect::<Vec<_>>());
        for (letters, lang) in LETTERS.iter() {
            let own = LETTERS.iter().filter(|(other, _)| other == letters);
            assert_eq!(own.count(), 1, "{lang:?}");
        }
        assert_eq!(of_letters("der Hund und die Katze"), Some(Lang::De));
    }

    #[test]
    fn a_conversation_begins_in_the_language_of_its_message_and_titles() {
        let today = NaiveDate::from_ymd_opt(2026, 2, 8).unwrap();
        let begun = |message: &str, titles: &[&str]| {
            let tasks = titles.iter().zip(1..).map(|(title, number)| {
                Task::new(
                    TaskId::new(Uuid::from_u128(number)),
                    UserId::parse("me").unwrap(),
                    Title::parse(title).unwrap(),
                    DateTime::UNIX_EPOCH,
                )
            });
            let tasks = TaskList::from(tasks.collect::<Vec<_>>());
            reply_language(&read(message, today, Lang::En), message, None, &tasks)
        };
        for (message, lang) in [
            ("add \"cat ki\"", Lang::En),
            ("add \"acheter du pain pour la famille\"", Lang::En),
            ("ajoute \"buy bread for the family\"", Lang::Fr),
            ("elimina latte", Lang::It),
            ("elimina leche", Lang::Es),
            ("elimina leite", Lang::Pt),
            ("spesa: zucchine, parmigiano, pasta", Lang::It),
            ("rechnung bezahlt", Lang::De),
            ("yaar gym ka reminder set karo for monday", Lang::Ur),
            ("butter delete kar do", Lang::Ur),
            ("please tea, sugar, honey add kar do", Lang::Ur),
            ("aoa", Lang::Ur),
            ("bread is dun", Lang::En),
            ("delete milk", Lang::En),
            ("complete table", Lang::En),
            ("no", Lang::En),
            ("passport?", Lang::En),
            ("dodaj mleko", Lang::En),
            ("", Lang::En),
        ] {
            assert_eq!(begun(message, &[]), lang, "{message}");
        }
        let french = ["Lait", "Appeler le dentiste", "Renouveler le passeport"];
        let italian = ["Latte", "Chiamare il dentista", "Rinnovare il passaporto"];
        let urdu = ["Kiraye ki raseed", "Gym jana", "Phal lena"];
        for (message, titles, lang) in [
            ("kiraye ki raseed munshi ko do", urdu, Lang::Ur),
            ("gym delete kar do", urdu, Lang::Ur),
            ("delete gym", urdu, Lang::En),
            ("passeport?", french, Lang::Fr),
            ("lait", french, Lang::Fr),
            ("passaporto", italian, Lang::It),
            ("completa dentista", italian, Lang::It),
            ("delete milk", french, Lang::En),
            ("what is due today?", italian, Lang::En),
        ] {
            assert_eq!(begun(message, &titles), lang, "{message}");
        }
    }
}
