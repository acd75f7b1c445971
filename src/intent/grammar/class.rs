//! The classes that the reader asks a grammar for by name.

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
    /// The listener as an answer names them: "yes sir".
    Vocative = "vocative",
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
    /// Words beside which nothing is told to be done: "I wish I finished the essay".
    Unreal = "unreal",
    /// Opens a condition before an order: "if", "as soon as".
    Waits = "waits",
    /// Beside a condition: it speaks of the listener, or of what is possible anyway.
    Listener = "listener",
    /// Before the day that a task leaves.
    Leaves = "leaves",
    /// Before a day that is not the one a thing is due on.
    After = "after",
    /// Words for the user, as whose a list is asked about.
    Own = "own",
    /// Words for others, as whose a list is asked about.
    Others = "others",
    /// Points at a thing that is no task yet: "this song".
    Pointing = "pointing",
    /// Begins the name of what something is added to: "to my favourites".
    Owner = "owner",
    /// Of errands: verbs by which things are given as well as work.
    Giving = "giving",
    /// Of errands: words by which work alone is given.
    Firm = "firm",
    /// Of errands: says that whoever works may take it.
    Anyone = "anyone",
    /// Of errands: says that nobody waits for the work.
    Background = "background",
    /// Of errands: names two tasks that were spoken of.
    Both = "both",
    /// Of errands: stands between an article and a title.
    Filler = "filler",
}
