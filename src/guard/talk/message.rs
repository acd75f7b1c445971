//! The user's message: does it ask for talk, about tasks, or for nothing?

use std::ops::Range;

use super::clause;
use super::words::{self, FoundWords, Kind};
use crate::domain::Lang;
use crate::domain::text::Text;

/// A message of more words than these is told of something, unless it orders or asks for data.
const SHORT: usize = 5;

/// A message of no more words than these says too little to tell what it is about.
const BARE: usize = 2;

/// The most words of a question that goes on with the one before it: "and France?".
const ELLIPSIS: usize = 4;

/// Number of words at the start of a message among which it may begin to ask for talk, where it
/// also names what is on the list.
const OPENING: usize = 3;

/// Words of a question about the list.
const LISTED: [Kind; 6] = [
    Kind::List,
    Kind::Domain,
    Kind::State,
    Kind::Stands,
    Kind::Time,
    Kind::First,
];

/// Words of a message that is about tasks, about somebody who talks here, or about these days.
const OURS: [Kind; 11] = [
    Kind::Stands,
    Kind::Me,
    Kind::You,
    Kind::List,
    Kind::Domain,
    Kind::State,
    Kind::Effect,
    Kind::Change,
    Kind::Service,
    Kind::Time,
    Kind::First,
];

/// Opening that a message gives a turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Opening {
    /// Asks for talk.
    Talk,
    /// Tells of something.
    Tale,
    /// Orders, asks how the list stands, or says too little to tell.
    Other,
}

/// A text of the user's, with the words that its language has for what is asked.
pub(super) struct Message<'m> {
    text: &'m Text<'m>,
    found: FoundWords,
}

impl<'m> Message<'m> {
    pub(super) fn new(text: &'m Text<'m>) -> Self {
        let language = language(text, 0..text.tokens.len()).unwrap_or_default();
        let found = FoundWords::new(text, language);
        Self { text, found }
    }

    /// Tells whether it asks for talk: for knowledge, advice, ideas or comfort.
    pub(super) fn asks_for_talk(&self) -> bool {
        self.wants_talk()
            .unwrap_or_else(|| self.words() > SHORT || self.is_marked())
    }

    /// Tells how it opens a turn.
    pub(super) fn opening(&self) -> Opening {
        let own = |at: usize| {
            let beside = [at.wrapping_sub(1), at + 1].into_iter();
            let mut beside = beside.flat_map(|at| [(Kind::Be, at), (Kind::Past, at)]);
            self.found.is(Kind::Me, at) && beside.any(|(kind, at)| self.found.is(kind, at))
        };
        let ours = || self.is_about_the_list() || self.tokens().any(own);
        let asks = || self.begins_to_ask() && !ours();
        match self.wants_talk() {
            _ if self.goes_on() => Opening::Other,
            Some(true) => Opening::Talk,
            Some(false) => Opening::Other,
            None if self.has(Kind::Ideas) || self.is_marked() || asks() => Opening::Talk,
            None if self.words() > BARE => Opening::Tale,
            None => Opening::Other,
        }
    }

    /// Tells whether it goes on with the message before it: "and for beginners?"
    pub(super) fn goes_on(&self) -> bool {
        self.joins(0) && self.words() <= ELLIPSIS
    }

    /// Tells whether a word in it may mean the list or a task; "la" before a noun points at none.
    fn is_about_the_list(&self) -> bool {
        let article = |at: usize| {
            let noun = says(self.text, at + 1) && !words::is_of_grammar(self.text.word(at + 1));
            self.found.is(Kind::The, at) && noun
        };
        let points = |at: usize| self.found.is(Kind::It, at) && !article(at);
        self.has_any(&LISTED) || self.tokens().any(points)
    }

    /// Tells whether it goes on with talk: nothing in it is about the list.
    pub(super) fn goes_on_with_talk(&self) -> bool {
        self.goes_on() && !self.is_about_the_list() && self.wants_talk() != Some(false)
    }

    /// Tells whether its words ask for talk, or for what is on the list; none where they do neither.
    fn wants_talk(&self) -> Option<bool> {
        // What somebody else wrote asks for nothing.
        let own = |at: &usize| !self.text.is_quoted(*at);
        let own = self.tokens().filter(own);
        let first = |kind| own.clone().find(|at| self.found.is(kind, *at));
        match (first(Kind::Talk), first(Kind::Data)) {
            _ if self.asks_of_own() => Some(false),
            (Some(talk), Some(data)) => Some(talk <= data && talk < OPENING),
            (Some(_), None) => Some(true),
            (None, Some(_)) => Some(false),
            (None, None) => None,
        }
    }

    /// Tells whether it asks which task goes before the others, or how the list stands.
    pub(super) fn asks_about_tasks(&self) -> bool {
        self.has(Kind::First)
    }

    /// Tells whether it is a question by its mark or its first word.
    pub(super) fn is_question(&self) -> bool {
        self.is_marked() || self.asks_at(0)
    }

    /// Tells whether it points at something spoken of before: "what time was it?"
    pub(super) fn points(&self) -> bool {
        // "wo kitab" points at nothing before it, "wo 10 ko hai" does.
        let noun = |at: usize| {
            let word = self.text.word(at);
            word.starts_with(char::is_alphabetic) && !words::is_of_grammar(word)
        };
        let points = |at: usize| {
            self.found.is(Kind::It, at)
                && !(self.found.is(Kind::The, at) && noun(at + 1))
                && !self.found.is(Kind::Vague, at)
        };
        self.tokens().any(points)
    }

    /// Tells whether it asks about the world, and neither about tasks nor about anybody here.
    pub(super) fn asks_about_the_world(&self) -> bool {
        let asks = self.begins_to_ask();
        let goes_on = self.start().is_some_and(|at| at > 0) && self.words() <= ELLIPSIS;
        // "Lahore kahan hai?": what asks may stand behind what it asks about.
        let within = goes_on || self.has(Kind::Wanted);
        (asks || self.is_marked() && within) && !self.has_any(&OURS)
    }

    /// "did i", "what am i": asks what the user did or has.
    fn asks_of_own(&self) -> bool {
        let be = |at: usize| matches!(self.text.word(at), "am" | "did" | "have" | "was");
        (0..2).any(|at| be(at) && self.text.word(at + 1) == "i")
    }

    /// Tells whether it opens a question, behind what goes on with the words before it.
    fn begins_to_ask(&self) -> bool {
        self.start().is_some_and(|at| self.asks_at(at))
    }

    fn start(&self) -> Option<usize> {
        self.tokens().find(|at| !self.joins(*at))
    }

    /// "what is", and neither the wish "would you" nor the sigh "what a day".
    fn asks_at(&self, at: usize) -> bool {
        let sighs = self.found.is(Kind::Wanted, at) && self.found.is(Kind::Indefinite, at + 1);
        self.found.is(Kind::Asks, at) && !self.found.is(Kind::Wishes, at) && !sighs
    }

    /// Goes on with what was said before, and does not ask: "who" joins behind something alone.
    fn joins(&self, at: usize) -> bool {
        self.found.is(Kind::Joint, at) && !self.found.is(Kind::Wanted, at)
    }

    fn is_marked(&self) -> bool {
        self.text.raw.trim_end().ends_with('?')
    }

    fn has(&self, kind: Kind) -> bool {
        self.has_any(&[kind])
    }

    fn has_any(&self, kinds: &[Kind]) -> bool {
        self.tokens().any(|at| self.found.is_any(kinds, at))
    }

    /// Counts the words.
    fn words(&self) -> usize {
        self.tokens().filter(|at| says(self.text, *at)).count()
    }

    fn tokens(&self) -> Range<usize> {
        0..self.text.tokens.len()
    }
}

/// Tells whether a message asks for talk: for knowledge, advice, ideas or comfort.
pub fn asks_for_talk(message: &str) -> bool {
    Message::new(&Text::new(message)).asks_for_talk()
}

/// Tells whether words ask for nothing but talk: for knowledge, advice or ideas.
pub fn opens_talk(words: &str) -> bool {
    Message::new(&Text::new(words)).opening() == Opening::Talk
}

/// Tells whether a message asks which task goes before the others, or how the list stands.
pub fn asks_about_tasks(message: &str) -> bool {
    Message::new(&Text::new(message)).asks_about_tasks()
}

/// Tells whether a reply asks what exactly is wanted, and not for something besides.
pub fn asks_for_details(reply: &str) -> bool {
    let text = Text::new(reply);
    let reply = Message::new(&text);
    reply.has_any(&[Kind::Wanted, Kind::Either]) && !reply.has(Kind::Besides)
}

/// Tells whether words are nothing but answers, numbers of things and words of grammar: "no, both".
pub(in crate::guard) fn names_nothing(words: &str) -> bool {
    const KINDS: [Kind; 5] = [
        Kind::Read,
        Kind::Small,
        Kind::Assent,
        Kind::Answers,
        Kind::Number,
    ];
    let text = Text::new(words);
    let empty = |at| KINDS.iter().any(|kind| words::says(*kind, text.word(at)));
    let words = (0..text.tokens.len()).filter(|at| says(&text, *at));
    let mut words = words.peekable();
    words.peek().is_some() && words.all(empty)
}

/// Tells whether a token says something.
pub(super) fn says(text: &Text<'_>, at: usize) -> bool {
    text.word(at).chars().any(char::is_alphanumeric)
}

/// Tells whether a message is nothing but a pleasantry.
pub(super) fn is_idle(message: &str) -> bool {
    is_all(message, Kind::Pleasant)
}

/// Tells whether a message says no more than that something was heard: "cool", "sounds good".
pub(in crate::guard) fn only_hears(message: &str) -> bool {
    is_all(message, Kind::Heard)
}

fn is_all(message: &str, kind: Kind) -> bool {
    let text = Text::new(message);
    Lang::ALL.into_iter().any(|language| {
        let found = FoundWords::new(&text, language);
        clause::all(&text, &found, kind, 0..text.tokens.len())
    })
}

/// The language that the words of a range belong to: the one that stands around them, unless they
/// belong plainly better to another.
pub(super) fn language_within(
    text: &Text<'_>,
    range: Range<usize>,
    around: Option<Lang>,
) -> Option<Lang> {
    let best = language(text, range.clone())?;
    let count = |lang| words::read_by(text, range.clone(), lang);
    Some(
        around
            .filter(|lang| count(*lang) * 4 >= count(best) * 3)
            .unwrap_or(best),
    )
}

/// The language that the words of a range belong to; at least one in eight must.
pub(super) fn language(text: &Text<'_>, range: Range<usize>) -> Option<Lang> {
    language_beside(text, range, &Text::new(""))
}

/// The language that the words of a range belong to; of equal ones that of the text it answers.
pub(super) fn language_beside(
    text: &Text<'_>,
    range: Range<usize>,
    heard: &Text<'_>,
) -> Option<Lang> {
    let beside = |lang| words::read_by(heard, 0..heard.tokens.len(), lang);
    let counts = Lang::ALL.map(|lang| (lang, words::read_by(text, range.clone(), lang)));
    // Of equal counts the first language wins.
    let all = counts.into_iter().rev();
    let (best, count) = all.max_by_key(|(lang, count)| (*count, beside(*lang)))?;
    let foreign = |at: usize| !text.slice(at..at + 1).is_ascii() && !text.word(at).contains('\'');
    // English writes next to no word with marks.
    let english = best != Lang::En || count > 1 || !range.clone().any(foreign);
    (count > 0 && count * 8 >= range.len() && english).then_some(best)
}
