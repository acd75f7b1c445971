//! The words of talk, read from `src/languages/*/talk.txt`.
//!
//! A gap of a phrase takes up to four words of the same clause; "é" fits no "e".

use crate::domain::text::{Kind as TokenKind, Text};
use crate::domain::{Lang, LangSet};
use crate::language::phrases::{PhraseBook, PhraseText, Piece};
use crate::languages::{PerLang, WordFault};

/// The most words that a phrase takes.
const LONGEST: usize = 16;

/// A beginning of more letters than these is no other language's word by chance.
const STEM: usize = 5;

/// An ending of a participle has fewer letters than these.
const ENDING: usize = 3;

macro_rules! kinds {
    ($($name:ident = $class:literal,)+; $(#[$other:meta])* $formed:ident) => {
        /// The part of a word or a phrase in a sentence; what each is for stands above it in `en/talk.txt`.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        #[repr(u8)]
        pub(super) enum Kind {
            $($name,)+
            $(#[$other])* $formed,
        }

        const KINDS: [(&str, Kind); [$($class),+].len()] = [$(($class, Kind::$name)),+];
    };
}

kinds! {
    Read = "read",
    Me = "me",
    MeOk = "me ok",
    You = "you",
    YouOk = "you ok",
    It = "it",
    The = "the",
    Asks = "asks",
    Modal = "modal",
    Be = "be",
    Verb = "verb",
    Lead = "lead",
    Condition = "condition",
    Joint = "joint",
    Hedge = "hedge",
    Judges = "judges",
    Seems = "seems",
    List = "list",
    State = "state",
    Effect = "effect",
    Change = "change",
    Claim = "claims",
    Service = "service",
    Time = "time",
    Already = "already",
    Number = "number",
    New = "new",
    Secret = "secret",
    Personal = "personal",
    Submits = "submits",
    Abroad = "abroad",
    Past = "past",
    Pleasant = "pleasant",
    Assent = "assent",
    Offer = "offers",
    Says = "says",
    Ideas = "ideas",
    Talk = "talk",
    Data = "data",
    Small = "small",
    Did = "did",
    Stands = "stands",
    Presumes = "presumes",
    Confirms = "confirms",
    Frame = "frame",
    Domain = "domain",
    Restates = "restates",
    First = "first",
    Machine = "machine",
    Succeeds = "succeeds",
    Factive = "factive",
    FactDue = "fact due",
    FactOverdue = "fact overdue",
    FactUndated = "fact undated",
    FactHigh = "fact high",
    FactLow = "fact low",
    FactOpen = "fact open",
    FactListed = "fact listed",
    Rings = "rings",
    Clock = "clock",
    Own = "own",
    Ended = "ended",
    Hopes = "hopes",
    Stays = "stays",
    Lasts = "lasts",
    Left = "left",
    Deictic = "deictic",
    Lasting = "lasting",
    Indefinite = "indefinite",
    Answers = "answers",
    Insists = "insists",
    Wanted = "wanted",
    Either = "either",
    Besides = "besides",
    Wishes = "wishes",
    Vague = "vague",
    Pointless = "pointless",
    Total = "total",
    Nothing = "nothing",
    Object = "object",
    Particle = "particle",
    Feels = "feels",
    Fewer = "fewer",
    Span = "span",
    Placed = "placed",
    Attribute = "attribute",
    Undone = "undone",
    Awaits = "awaits",
    WasNot = "was not",
    CouldNot = "could not",
    Denies = "denies",
    Outside = "outside",
    Helps = "helps",
    Tell = "tell",
    Sort = "sort",
    Began = "began",
    Learns = "learns",
    Again = "again",
    Month = "month",
    Wants = "wants",
    Bids = "bids",
    Points = "points",
    Joins = "joins",
    Short = "short",
    Will = "will",
    As = "as",
    Weighs = "weighs",
    NoPast = "no past",
    Formed = "formed",
    Thanks = "thanks",
    Heard = "heard",
    Subject = "subject",
    Agent = "agent",
    Works = "works",
    Delegated = "delegated",
    Promptly = "promptly",
    Person = "person",
    Clitic = "clitic",
    BidsLast = "bids last",
    Would = "would",
    OnDay = "on day",
    ;
    /// A verb of requests in the third person.
    Third
}

static BOOKS: PerLang<PhraseBook<Kind>> = PerLang::new(|lang| read(lang).0);

fn read(lang: Lang) -> (PhraseBook<Kind>, Vec<WordFault>) {
    let mut book = PhraseBook::default();
    let faults = book.read(lang.files().talk, kind_of);
    (book, faults)
}

/// "costs", "goes": a known verb with the ending of the third person.
fn is_third(book: &PhraseBook<Kind>, word: &str) -> bool {
    let stems = [word.strip_suffix('s'), word.strip_suffix("es")];
    let mut stems = stems.into_iter().flatten();
    stems.any(|stem| has_word(book, &[Kind::Verb], stem))
}

/// "lávala", "parlagli": a known verb that bids, with pronouns behind it.
fn is_enclitic(book: &PhraseBook<Kind>, word: &str) -> bool {
    let cuts = word.char_indices().map(|(at, _)| at).filter(|at| *at > 1);
    let mut cuts = cuts.filter_map(|at| word.split_at_checked(at));
    book.known(word).is_empty()
        && cuts.any(|(verb, behind)| {
            has_word(book, &[Kind::Clitic], behind) && has_word(book, &[Kind::Verb], verb)
        })
}

/// Tells whether a word alone is of one of these kinds.
fn has_word(book: &PhraseBook<Kind>, kinds: &[Kind], word: &str) -> bool {
    let mut known = book.known(word).iter();
    known.any(|phrase| kinds.contains(&phrase.class) && phrase.pieces.len() == 1)
}

fn kind_of(name: &str) -> Option<Kind> {
    let found = KINDS.iter().find(|(known, _)| *known == name);
    found.map(|(_, kind)| *kind)
}

/// The words found in a text: of each kind the longest phrase at each token.
#[derive(Debug, Default)]
pub(super) struct FoundWords {
    /// The kinds that begin at each token.
    begins: Vec<u128>,
    /// Phrases of more than one word.
    phrases: Vec<(Kind, usize, usize)>,
}

impl FoundWords {
    /// Looks for the words of `language`.
    pub(super) fn new(text: &Text<'_>, language: Lang) -> Self {
        let mut found = Self {
            begins: vec![0; text.tokens.len()],
            phrases: Vec::new(),
        };
        let book = BOOKS.of(language);
        for at in 0..text.tokens.len() {
            for phrase in book.of(text.spelt(at)) {
                if let Some((end, _)) = phrase.end(&TalkText(text), at) {
                    found.put(phrase.class, at, end);
                }
            }
            if is_third(book, text.word(at)) {
                found.put(Kind::Third, at, at + 1);
            }
            if is_enclitic(book, text.word(at)) {
                found.put(Kind::Verb, at, at + 1);
            }
        }
        found
    }

    fn put(&mut self, kind: Kind, at: usize, end: usize) {
        if let Some(begins) = self.begins.get_mut(at) {
            *begins |= 1_u128 << kind as u8;
        }
        if end > at + 1 {
            self.phrases.push((kind, at, end));
        }
    }

    /// Tells whether something of this kind begins at `at`.
    pub(super) fn is(&self, kind: Kind, at: usize) -> bool {
        self.begins
            .get(at)
            .is_some_and(|begins| begins & 1_u128 << kind as u8 != 0)
    }

    /// Tells whether something of one of these kinds begins at `at`.
    pub(super) fn is_any(&self, kinds: &[Kind], at: usize) -> bool {
        kinds.iter().any(|kind| self.is(*kind, at))
    }

    /// Reads "10 ko": a number that the words behind it make a day of the month.
    pub(super) fn day_of_month(&self, text: &Text<'_>, at: usize) -> Option<u32> {
        let day = text.word(at).parse().ok();
        day.filter(|day| (1..=31).contains(day) && self.is(Kind::OnDay, at + 1))
    }

    /// Finds where the longest of this kind that begins at `at` ends.
    pub(super) fn end(&self, kind: Kind, at: usize) -> Option<usize> {
        if !self.is(kind, at) {
            return None;
        }
        let from = self.phrases.partition_point(|(_, start, _)| *start < at);
        let here = self
            .phrases
            .iter()
            .skip(from)
            .take_while(|(_, start, _)| *start == at);
        let ends = here.filter(|(known, _, _)| *known == kind);
        Some(ends.map(|(_, _, end)| *end).max().unwrap_or(at + 1))
    }

    /// Tells whether a phrase of this kind covers `at`.
    pub(super) fn covers(&self, kind: Kind, at: usize) -> bool {
        let near = at.saturating_sub(LONGEST);
        let from = self.phrases.partition_point(|(_, start, _)| *start < near);
        let phrases = self.phrases.iter().skip(from);
        let mut phrases = phrases.take_while(|(_, start, _)| *start <= at);
        self.is(kind, at)
            || phrases.any(|(known, start, end)| *known == kind && (*start..*end).contains(&at))
    }
}

/// Tells whether prose speaks of answers: above a question it would speak of that one.
pub fn speaks_of_answers(prose: &str) -> bool {
    has(prose, Kind::Answers)
}

/// Tells whether the user's message insists: "do it anyway".
pub fn insists(message: &str) -> bool {
    has(message, Kind::Insists)
}

/// Tells whether the user thanks.
pub(in crate::guard) fn thanks(message: &str) -> bool {
    has(message, Kind::Thanks)
}

/// Tells whether the first word is one that opens what is told: "they moved it".
pub(in crate::guard) fn opens_with_a_subject(words: &str) -> bool {
    says(Kind::Subject, Text::new(words).word(0))
}

/// The languages by whose endings a word is formed, whether it is known or not: "hoovered".
pub(in crate::guard) fn formed_as(word: &str) -> LangSet {
    let ends = |pieces: &[Piece]| match pieces {
        [Piece::Suffix(end)] => word.len() > end.len() + 2 && word.ends_with(end),
        _ => false,
    };
    let formed = |lang: &Lang| {
        let mut phrases = BOOKS.of(*lang).of(word);
        phrases.any(|phrase| phrase.class == Kind::Formed && ends(&phrase.pieces))
    };
    Lang::ALL.into_iter().filter(formed).collect()
}

/// Tells whether a text has a phrase of this kind, in any language.
fn has(text: &str, kind: Kind) -> bool {
    let text = Text::new(text);
    let mut books = BOOKS.all();
    books.any(|book| {
        (0..text.tokens.len()).any(|at| {
            let mut phrases = book
                .of(text.spelt(at))
                .filter(|phrase| phrase.class == kind);
            phrases.any(|phrase| phrase.end(&TalkText(&text), at).is_some())
        })
    })
}

/// Tells whether a word is one of this kind in some language.
pub(super) fn says(kind: Kind, word: &str) -> bool {
    BOOKS.all().any(|book| has_word(book, &[kind], word))
}

/// Counts the words of a range that a language has for its own.
pub(super) fn read_by(text: &Text<'_>, range: std::ops::Range<usize>, language: Lang) -> usize {
    let read = |at: &usize| is_read(text.spelt(*at), language) && !is_label(text, *at);
    range.filter(read).count()
}

/// "Mon:", "Mon, Feb 9": a day before a mark tells of no language.
fn is_label(text: &Text<'_>, at: usize) -> bool {
    matches!(text.word(at + 1), ":" | ",") && says(Kind::Time, text.word(at))
}

/// The languages that build their sentences with a word.
pub(in crate::guard) fn spoken_by(word: &str) -> LangSet {
    let all = Lang::ALL.into_iter();
    all.filter(|language| is_read(word, *language)).collect()
}

/// Tells whether a word is one of some language's grammar.
pub(super) fn is_of_grammar(word: &str) -> bool {
    !spoken_by(word).is_empty()
}

/// Tells whether a word says nothing by itself in some language: it joins, frames or colours.
pub(in crate::guard) fn is_function_word(word: &str) -> bool {
    let kinds = [
        Kind::Read,
        Kind::Small,
        Kind::Lead,
        Kind::Joint,
        Kind::Already,
        Kind::Lasting,
    ];
    BOOKS.all().any(|book| has_word(book, &kinds, word))
}

/// Tells whether a word names something that was not spoken of: "a", "any".
pub(in crate::guard) fn is_indefinite(word: &str) -> bool {
    says(Kind::Indefinite, word)
}

fn is_read(word: &str, language: Lang) -> bool {
    has_word(BOOKS.of(language), &[Kind::Read], word)
}

/// Tells whether English words stand in a sentence of another language: it is read as neither.
/// Roman Urdu is written so.
pub(super) fn is_mixed(text: &Text<'_>, range: std::ops::Range<usize>, language: Lang) -> bool {
    let english = |at: usize| {
        let word = text.word(at);
        word.len() > 3 && !text.is_quoted(at) && is_read(word, Lang::En) && !is_read(word, language)
    };
    let own = BOOKS.of(language);
    let strange = |at: usize| {
        let word = text.word(at);
        is_read(word, Lang::En) && !is_read(word, language) && own.known(word).is_empty()
    };
    match language {
        Lang::En => false,
        // Roman Urdu borrows English nouns, but hardly its small words.
        Lang::Ur => range.filter(|at| strange(*at)).count() > 2,
        _ => range.into_iter().any(english),
    }
}

/// Tells whether a deed is told in a word of another language than the sentence's.
pub(super) fn tells_in_another(
    text: &Text<'_>,
    range: std::ops::Range<usize>,
    language: Lang,
) -> bool {
    let own = BOOKS.of(language);
    let known = |word: &str| !own.known(word).is_empty();
    // "… kar diya": two words of a deed are no other word that looks alike.
    let phrased = |at: usize| {
        let others = Lang::ALL.into_iter().filter(|other| *other != language);
        others.map(|other| BOOKS.of(other)).any(|book| {
            let phrases = book.known(text.spelt(at)).iter();
            let mut effects = phrases.filter(|phrase| phrase.class == Kind::Effect);
            effects
                .any(|phrase| phrase.pieces.len() > 1 && phrase.end(&TalkText(text), at).is_some())
        })
    };
    // "a favourite programme": a noun of this language; "a été" is none.
    let noun = |at: usize| {
        let near = at.saturating_sub(3)..at;
        let any = |kinds: &[Kind]| near.clone().any(|at| has_word(own, kinds, text.word(at)));
        let been = |at: usize| !known(text.word(at)) && says(Kind::Be, text.word(at));
        any(&[Kind::Indefinite]) && !any(&[Kind::Be, Kind::List]) && !near.clone().any(been)
    };
    let tells = |at: usize| {
        let word = text.word(at);
        let mut others = BOOKS
            .all()
            .filter(|_| word.len() > 5 && !known(word) && !noun(at));
        others.any(|book| {
            let mut effects = book.of(word).filter(|phrase| phrase.class == Kind::Effect);
            effects.any(|phrase| is_word(&phrase.pieces, word))
        })
    };
    range.into_iter().any(|at| tells(at) || phrased(at))
}

/// Tells whether a phrase is this word, or a long enough beginning of it.
fn is_word(pieces: &[Piece], word: &str) -> bool {
    match pieces {
        [Piece::Word(known)] => *known == word,
        [Piece::Prefix(prefix)] => {
            prefix.len() > STEM && word.starts_with(prefix) && word.len() < prefix.len() + ENDING
        }
        _ => false,
    }
}

/// A text of a model.
struct TalkText<'t>(&'t Text<'t>);

impl PhraseText for TalkText<'_> {
    const GAP: usize = 4;

    fn fits(&self, piece: Piece, at: usize) -> bool {
        let word = self.0.spelt(at);
        match piece {
            Piece::Word(wanted) if !wanted.is_ascii() => {
                self.0.slice(at..at + 1).to_lowercase() == wanted
            }
            Piece::Word(wanted) => word == wanted,
            Piece::Prefix(prefix) => word.starts_with(prefix),
            Piece::Suffix(suffix) => {
                let noun = word.ends_with("eed") && !word.ends_with("greed");
                let long = word.len() >= suffix.len() + 2;
                // "é" fits no "e".
                let ends = word.ends_with(suffix) || self.0.slice(at..at + 1).ends_with(suffix);
                long && ends && !says(Kind::NoPast, word) && !noun
            }
            Piece::Gap => false,
        }
    }

    fn ends(&self, at: usize) -> bool {
        let token = self.0.tokens.get(at);
        token.is_none_or(|token| token.kind == TokenKind::Break)
            || matches!(self.0.word(at), "." | "!" | "?" | ";" | ",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::languages::{assert_sound, assert_used};

    #[test]
    fn the_files_have_no_faults() {
        assert_sound(Lang::ALL.into_iter().flat_map(|lang| read(lang).1));
    }

    #[test]
    fn prose_that_tells_what_a_yes_means_is_heard() {
        for prose in [
            "Reply yes for another joke.",
            "Answer yes to cancel.",
            "The capital is Paris; yes brings more facts.",
            "Type OK to see more.",
            "Antworte mit Ja.",
            "Di sí para seguir.",
            "Dites oui.",
            "Rispondi per continuare.",
        ] {
            assert!(speaks_of_answers(prose), "{prose:?}");
        }
        for prose in [
            "Paris.",
            "You're welcome!",
            "Hello! It is a lovely day.",
            "2 + 2 = 4.",
        ] {
            assert!(!speaks_of_answers(prose), "{prose:?}");
        }
    }

    #[test]
    fn every_kind_is_used() {
        let asked = |(name, kind): (&'static str, Kind)| (name, format!("Kind::{kind:?}"));
        assert_used(Lang::En.files().talk, &KINDS.map(asked), "src/guard/talk");
    }
}
