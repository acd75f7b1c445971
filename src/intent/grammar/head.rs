//! Meaning of a pattern of a grammar file: the head it stands under.

use std::ops::BitOr;

use crate::intent::{PastVerb, Social, Topic, Verb};

/// The meaning of the patterns under one head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Head {
    /// The kind of act.
    pub kind: HeadKind,
    /// Marks that set it apart.
    pub flags: Flags,
}

/// Kinds of clauses, of references and of attributes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum HeadKind {
    /// See [`crate::intent::Act`] for these.
    Add,
    /// A reading of the list.
    List,
    /// A change of existing tasks.
    Change(Verb),
    /// Taking back.
    Undo,
    /// "did you delete it?".
    Did(Option<PastVerb>),
    /// "what did you just do?".
    WhatWasDone,
    /// "what did you delete?".
    What(PastVerb),
    /// "did that work?".
    DidThatWork,
    /// "did you remind me?", "when will you remind me?".
    Reminded,
    /// A question about the product.
    Help(Topic),
    /// "what happens if I delete …?".
    If(Verb),
    /// "… is cancelled": a change that is not asked for.
    Hint(Verb),
    /// "don't delete …".
    Not(Option<Verb>),
    /// "should I keep …?".
    Opinion,
    /// "I need to …".
    Wish,
    /// "… is sorted" or "… isn't done yet".
    Statement {
        /// True for the first of the two.
        done: bool,
    },
    /// "and …".
    Also,
    /// "just the first".
    Pick,
    /// "skip the milk".
    Except,
    /// "the other one".
    Instead,
    /// "actually thursday".
    Amend,
    /// "do it".
    DoIt,
    /// "try again".
    Again,
    /// "add it again".
    Restore,
    /// Consent.
    Yes,
    /// Refusal.
    No,
    /// Words that put in doubt what is said beside them: "…, not sure yet", "if it rains, …".
    Doubt,
    /// "so you'll ring me?".
    Alarm,
    /// Pleasantries.
    Social(Social),
    /// Something that agents are asked for.
    Errand(ErrandKind),
    /// Read, and not our business.
    Other,
    /// A reference: "it".
    It,
    /// A reference: "them".
    They,
    /// A reference: "the other one".
    TheOther,
    /// A reference: "the second one".
    Nth,
    /// A reference: "the first two".
    First,
    /// A reference: "all completed tasks".
    Set,
    /// A reference: "the task called …".
    Named,
    /// A reference that names nothing: "a task".
    Nothing,
    /// An attribute at a title's edge.
    Attribute,
}

/// HeadKind of request to agents.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum ErrandKind {
    /// "delegate … to the researcher".
    Hand,
    /// "is the agent done?".
    Ask,
    /// "how is Research hotels going?", where an agent has it.
    AskOfTask,
    /// "stop the agent".
    Stop,
    /// "continue with the agent".
    Resume,
    /// "take … back".
    TakeBack,
    /// "what have I delegated?".
    Overview,
    /// "who can you delegate to?".
    Who,
}

impl HeadKind {
    /// Tells whether such a clause says something by itself; what only goes on from something else
    /// is no sign that the message is in this language.
    pub(crate) const fn stands_alone(self) -> bool {
        !matches!(self, Self::Also | Self::Amend | Self::Doubt)
    }

    /// Tells whether such a clause may name a title: [`crate::intent::Act::Add`], `Change` and
    /// `Statement` come of these alone.
    pub(crate) const fn names_title(self) -> bool {
        matches!(self, Self::Add | Self::Change(_) | Self::Statement { .. })
    }

    /// Tells whether what is said behind such a clause can take it back:
    /// [`crate::intent::Act::Add`], `Change`, `Statement` and `Undo` come of these alone.
    pub(crate) const fn orders(self) -> bool {
        self.names_title() || matches!(self, Self::Undo)
    }
}

impl Head {
    /// Tells whether such a clause, where nothing leads it as an afterthought, may say why what
    /// stands beside it is done.
    pub(crate) const fn remarks(self) -> bool {
        matches!(self.kind, HeadKind::Wish)
            || matches!(self.kind, HeadKind::Other) && self.flags.has(Flags::BACK)
    }
}

/// A set of marks on a head.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Flags(u64);

macro_rules! flags {
    ($($(#[$doc:meta])* $name:ident = $word:literal),+ $(,)?) => {
        impl Flags {
            flags!(@bits 0; $($(#[$doc])* $name)+);

            fn parse(word: &str) -> Option<Self> {
                match word {
                    $($word => Some(Self::$name),)+
                    _ => None,
                }
            }
        }
    };
    (@bits $n:expr; $(#[$doc:meta])* $name:ident $($rest:tt)*) => {
        $(#[$doc])*
        pub(crate) const $name: Self = Self(1 << ($n));
        flags!(@bits $n + 1; $($rest)*);
    };
    (@bits $n:expr;) => {};
}

flags! {
    /// An alarm is asked for.
    ALARM = "alarm",
    /// The answer is a count.
    COUNT = "count",
    /// The answer is yes or no.
    ONE = "one",
    /// Completed ones.
    DONE = "done",
    /// Open ones.
    OPEN = "open",
    /// Overdue ones.
    OVERDUE = "overdue",
    /// Ones without a date.
    UNDATED = "undated",
    /// "just", "only".
    ONLY = "only",
    /// Described, not named.
    DESCRIBED = "described",
    /// The value is to be removed.
    CLEAR = "clear",
    /// Priority high.
    HIGH = "high",
    /// Priority medium.
    MEDIUM = "medium",
    /// Priority low.
    LOW = "low",
    /// A title may look like this: no reason to cut a sentence here.
    WEAK = "weak",
    /// The content is an infinitive, which an "and" may go on with.
    INF = "inf",
    /// The thing named is the one that the clause itself named before: "I'm out of milk, put it
    /// on".
    HERE = "here",
    /// The target is "it", unsaid.
    IT = "it",
    /// The target is the whole list.
    ALL = "all",
    /// Tasks that were not talked about: "the others".
    OTHERS = "others",
    /// Counted from the end.
    LAST = "last",
    /// Two.
    TWO = "two",
    /// A list that is kept under no name of its own.
    LISTED = "listed",
    /// The friday after: seven days on from the task's own.
    AFTER = "after",
    /// A note.
    NOTE = "note",
    /// A thing named without an article, a place or a pronoun is something new.
    FRESH = "fresh",
    /// Says something only where another clause goes on from it.
    SOFT = "soft",
    /// A listing of lists.
    LISTS = "lists",
    /// A remark in the words of the list: "done", "finished".
    TOLD = "told",
    /// A question that a talkative model may answer without the list.
    UNASKED = "unasked",
    /// Takes back what was said before it, and says nothing by itself: "wait", "just kidding".
    BACK = "back",
    /// A remark that may as well be the end of a title: "email Sam, he is new".
    TITLED = "titled",
    /// Only tried when nothing else fits.
    LATE = "late",
    /// A repetition is to end.
    ENDED = "ended",
    /// The occurrence of a repetition that is due is left out.
    SKIPPED = "skipped",
}

impl Flags {
    /// Tells whether it has any of `other`.
    pub(crate) const fn has(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

impl BitOr for Flags {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl Head {
    /// Reads a head such as `list.count.open`.
    pub(crate) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split('.').peekable();
        let first = parts.next()?;
        let mut second = || parts.peek().copied().unwrap_or_default();
        let (kind, taken) = match first {
            "did" => match second() {
                "what" => (HeadKind::WhatWasDone, true),
                "work" => (HeadKind::DidThatWork, true),
                "add" => (HeadKind::Did(Some(PastVerb::Add)), true),
                word => {
                    let verb = verb(word).map(PastVerb::Change);
                    (HeadKind::Did(verb), verb.is_some())
                }
            },
            "what" => match second() {
                "add" => (HeadKind::What(PastVerb::Add), true),
                word => (HeadKind::What(PastVerb::Change(verb(word)?)), true),
            },
            "if" => (HeadKind::If(verb(second())?), true),
            "hint" => (HeadKind::Hint(verb(second())?), true),
            "not" => {
                let verb = verb(second());
                (HeadKind::Not(verb), verb.is_some())
            }
            "help" => {
                let topic = topic(second());
                (
                    HeadKind::Help(topic.unwrap_or(Topic::General)),
                    topic.is_some(),
                )
            }
            word => match verb(word) {
                Some(verb) => (HeadKind::Change(verb), false),
                None => (kind(word)?, false),
            },
        };
        if taken {
            parts.next();
        }
        let flags = parts.try_fold(Flags::default(), |all, word| {
            Some(all | Flags::parse(word)?)
        })?;
        Some(Self { kind, flags })
    }
}

fn verb(word: &str) -> Option<Verb> {
    Some(match word {
        "update" => Verb::Update,
        "complete" => Verb::Complete,
        "reopen" => Verb::Reopen,
        "delete" => Verb::Delete,
        _ => return None,
    })
}

fn topic(word: &str) -> Option<Topic> {
    Some(match word {
        "add" => Topic::Add,
        "list" => Topic::List,
        "update" => Topic::Update,
        "complete" => Topic::Complete,
        "delete" => Topic::Delete,
        "undo" => Topic::Undo,
        "language" => Topic::Language,
        _ => return None,
    })
}

fn kind(word: &str) -> Option<HeadKind> {
    Some(match word {
        "add" => HeadKind::Add,
        "list" => HeadKind::List,
        "undo" => HeadKind::Undo,
        "reminded" => HeadKind::Reminded,
        "opinion" => HeadKind::Opinion,
        "wish" => HeadKind::Wish,
        "finished" => HeadKind::Statement { done: true },
        "unfinished" => HeadKind::Statement { done: false },
        "also" => HeadKind::Also,
        "pick" => HeadKind::Pick,
        "except" => HeadKind::Except,
        "instead" => HeadKind::Instead,
        "amend" => HeadKind::Amend,
        "do_it" => HeadKind::DoIt,
        "again" => HeadKind::Again,
        "restore" => HeadKind::Restore,
        "yes" => HeadKind::Yes,
        "no" => HeadKind::No,
        "doubt" => HeadKind::Doubt,
        "ring" => HeadKind::Alarm,
        "hello" => HeadKind::Social(Social::Greeting),
        "thanks" => HeadKind::Social(Social::Thanks),
        "bye" => HeadKind::Social(Social::Farewell),
        "praise" => HeadKind::Social(Social::Praise),
        "heard" => HeadKind::Social(Social::Heard),
        "hand" => HeadKind::Errand(ErrandKind::Hand),
        "ask_agent" => HeadKind::Errand(ErrandKind::Ask),
        "ask_of_task" => HeadKind::Errand(ErrandKind::AskOfTask),
        "stop_agent" => HeadKind::Errand(ErrandKind::Stop),
        "resume" => HeadKind::Errand(ErrandKind::Resume),
        "take_back" => HeadKind::Errand(ErrandKind::TakeBack),
        "agents" => HeadKind::Errand(ErrandKind::Overview),
        "who" => HeadKind::Errand(ErrandKind::Who),
        "other" => HeadKind::Other,
        "ref_it" => HeadKind::It,
        "ref_they" => HeadKind::They,
        "ref_other" => HeadKind::TheOther,
        "ref_nth" => HeadKind::Nth,
        "ref_first" => HeadKind::First,
        "ref_set" => HeadKind::Set,
        "ref_named" => HeadKind::Named,
        "ref_nothing" => HeadKind::Nothing,
        "attr" => HeadKind::Attribute,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn heads_are_words_with_marks() {
        let head = Head::parse("list.count.open").unwrap();
        assert_eq!(head.kind, HeadKind::List);
        assert!(head.flags.has(Flags::COUNT) && head.flags.has(Flags::OPEN));
        assert!(!head.flags.has(Flags::DONE));
        assert_eq!(
            Head::parse("did.delete").unwrap().kind,
            HeadKind::Did(Some(PastVerb::Change(Verb::Delete)))
        );
        assert_eq!(
            Head::parse("update.clear").unwrap().kind,
            HeadKind::Change(Verb::Update)
        );
        assert_eq!(Head::parse("nonsense"), None);
        assert_eq!(Head::parse("list.nonsense"), None);
    }
}
