//! The classes that the reader asks a grammar for by name.

use super::lexicon::{WordId, WordSet};

macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident = $word:literal),+ $(,)?) => {
        /// A class every grammar file may define; one it doesn't is empty.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(crate) enum Class {
            $($(#[$doc])* $name,)+
        }

        impl Class {
            /// Number of classes.
            pub(crate) const COUNT: usize = [$(Self::$name),+].len();

            /// Its bit in a set of classes.
            pub(crate) const fn bit(self) -> u64 {
                1 << self as u64
            }

            /// The class of that name in a file.
            pub(crate) fn parse(name: &str) -> Option<Self> {
                match name {
                    $($word => Some(Self::$name),)+
                    _ => None,
                }
            }
        }
    };
}

classes! {
    /// Said before a sentence and no part of it: "ugh", "oh wait".
    Lead = "lead",
    /// Said before a command: "please", "could you".
    Request = "request",
    /// The same, where the speaker may speak of what they want to do themselves: "I want to".
    Wishing = "wishing",
    /// Said after a command: "please", "thanks".
    Tail = "tail",
    /// Said after a command, but a title may end like this: "then", "for me".
    Late = "late",
    /// Joins clauses.
    And = "and",
    /// Joins titles.
    PlainAnd = "plain_and",
    /// Joins clauses and never titles: "then", "but".
    Apart = "apart",
    /// Begins what is left out: "except".
    Without = "without",
    /// Consent.
    Yes = "yes",
    /// Refusal.
    No = "no",
    /// Refusal that can't deny a verb right behind it: "nein lösche milk" says what is wanted,
    /// "please don't delete milk" and "não apaga milk" what isn't.
    PlainNo = "plain_no",
    /// Thanks.
    Thanks = "thanks",
    /// Greetings.
    Hello = "hello",
    /// Left out before a title that is named.
    Article = "article",
    /// Left out before a thing of which there is some: "du lait".
    Partitive = "partitive",
    /// Left out before a thing whose article an apostrophe ties to it: "de l'eau".
    BeforeElided = "before_elided",
    /// Tied to a title by an apostrophe and no part of it: "d'appeler".
    Elided = "elided",
    /// Left out before a time of day.
    At = "at",
    /// Left behind at a title's edge by a date or an attribute.
    Loose = "loose",
    /// A phrase with one of these belongs to all of the list before it.
    Inner = "inner",
    /// Once more: "again".
    Anew = "anew",
    /// Verbs that begin a task.
    Doing = "doing",
    /// A thing to do, though its words would take something off a list: "take the bins out".
    Chore = "chore",
    /// Words that only sentences have.
    Sentence = "sentence",
    /// Verbs of other services.
    Foreign = "foreign",
    /// Words that the name of a list can't have.
    Stop = "stop",
    /// Words that a thing at the front of a sentence can't have.
    NoThing = "no_thing",
    /// Words that such a thing can't begin with.
    NoStart = "no_start",
    /// Names that the one list may have.
    PlainList = "plain_list",
    /// "list", "tasks": what follows the name of a list.
    ListWord = "list_word",
    /// Words for open tasks.
    OpenWord = "open_word",
    /// Words for completed tasks.
    DoneWord = "done_word",
    /// Words for overdue tasks.
    OverdueWord = "overdue_word",
    /// Begins what takes back or puts in doubt what was just said: "wait", "just kidding", "if".
    Afterthought = "afterthought",
    /// Says that what follows takes the place of what was just said: "sorry", "I mean", "or rather".
    Mend = "mend",
}

/// Entry of a class in a grammar.
#[derive(Debug, Clone, Default)]
pub(crate) struct Entry {
    /// Its single words.
    pub words: WordSet,
    /// The words that its phrases begin with, single ones included.
    pub first: WordSet,
    /// The words that are phrases by themselves; complete for those that are followed.
    pub alone: WordSet,
    /// Words that its longer phrases go on with, where each must begin with some word.
    pub goes_on: Option<Pairs>,
    /// Step at which its pattern begins.
    pub start: Option<u32>,
}

/// Words that can stand second behind first ones, roughly: where the answer is no, they can't. A
/// sieve with eight bits for every pair.
#[derive(Debug, Clone)]
pub(crate) struct Pairs {
    /// A power of two of slots of 64.
    sieve: Vec<u64>,
    /// The words behind which more than words decides.
    open: WordSet,
}

/// Some first words, and those that can stand behind them; none where more than words decides.
pub(super) type Behind = (WordSet, Option<WordSet>);

impl Pairs {
    /// Of what can stand second behind each of some first words.
    pub(super) fn new(all: &[Behind]) -> Self {
        let some = || {
            all.iter()
                .filter_map(|(first, second)| Some((first, second.as_ref()?)))
        };
        let count: usize = some()
            .map(|(first, second)| first.len() * second.len())
            .sum();
        let mut pairs = Self {
            sieve: vec![0; (count / 8 + 1).next_power_of_two()],
            open: WordSet::default(),
        };
        for (first, _) in all.iter().filter(|(_, second)| second.is_none()) {
            pairs.open.extend(first);
        }
        for (first, second) in some() {
            for first in first.iter() {
                for second in second.iter() {
                    let (slot, bit) = pairs.place(first, second);
                    if let Some(bits) = pairs.sieve.get_mut(slot) {
                        *bits |= bit;
                    }
                }
            }
        }
        pairs
    }

    /// Tells whether a phrase that begins with `first` may go on with the word `second`.
    pub(super) fn may_go_on(&self, first: WordId, second: Option<WordId>) -> bool {
        let stands = |second: WordId| {
            let (slot, bit) = self.place(first, second);
            self.sieve.get(slot).is_some_and(|bits| bits & bit != 0)
        };
        second.is_some_and(stands) || self.open.contains(first)
    }

    /// The slot and the bit of a pair.
    fn place(&self, first: WordId, second: WordId) -> (usize, u64) {
        let pair = u32::from(first) << 16 | u32::from(second);
        let mixed = (pair.wrapping_mul(0x9e37_79b1) >> 7) as usize;
        ((mixed >> 6) & (self.sieve.len() - 1), 1 << (mixed % 64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(ids: &[WordId]) -> WordSet {
        let mut set = WordSet::default();
        ids.iter().for_each(|id| set.insert(*id));
        set
    }

    #[test]
    fn what_goes_on_is_never_refused() {
        let all = [(set(&[1, 2]), Some(set(&[7, 300]))), (set(&[5]), None)];
        let pairs = Pairs::new(&all);
        for first in [1, 2] {
            assert!(pairs.may_go_on(first, Some(7)) && pairs.may_go_on(first, Some(300)));
            assert!(!pairs.may_go_on(first, None));
        }
        assert!(pairs.may_go_on(5, None) && pairs.may_go_on(5, Some(7)));
    }

    #[test]
    fn most_of_what_does_not_is() {
        let all = [
            (set(&[1, 2, 9]), Some(set(&[7, 300, 70]))),
            (set(&[5]), None),
        ];
        let pairs = Pairs::new(&all);
        let passed = (400..1400).filter(|id| pairs.may_go_on(1, Some(*id)));
        assert!(passed.count() < 250);
        assert!(!Pairs::new(&[]).may_go_on(1, None));
    }
}
