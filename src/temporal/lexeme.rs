//! Meanings that a word can have to the date grammar, in every language.
//!
//! One small value per word: the tables translate into it, the grammar reads nothing else.

use chrono::Weekday;

use super::{DayPart, Unit};

/// The meaning of one word, mark or fixed phrase.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Lex {
    /// A word that says nothing about time.
    Other,
    /// Boundary that no expression crosses: quoted text, line breaks, addresses, the end.
    Stop,
    /// One ASCII punctuation mark; 0 for any other symbol.
    Mark(u8),
    /// Digits as written; five and more have no value.
    Num { value: u16, digits: u8 },
    /// `27th`.
    Ord(u8),
    /// A spelled cardinal: "two", "twenty".
    Spelled(u8),
    /// A spelled ordinal: "second", "twentieth".
    SpelledOrd(u8),
    /// "a", "an", "per".
    One,
    /// "couple".
    Couple,
    /// A weekday. `short`: cut off ("tue"); `weak`: also an everyday word ("sat"); `many`: "mondays".
    Weekday {
        day: Weekday,
        short: bool,
        weak: bool,
        many: bool,
    },
    /// Urdu "hafta": a week after a number, else Saturday.
    Hafta,
    /// A month, January 1. `weak`: also an everyday word ("may").
    Month { month: u8, weak: bool },
    /// A calendar unit and how many of it: a fortnight is two weeks.
    Unit(Unit, u8),
    /// Hours, minutes, seconds: its seconds.
    ClockUnit(u16),
    /// "weekend".
    Weekend,
    /// A day counted from today, and the part of it that the word tells: today 0, tomorrow 1, "tonight".
    Day(i8, DayPart),
    /// "now", which is a day only in sums.
    Now,
    /// "next".
    Next,
    /// "this", "current".
    This,
    /// "coming", "upcoming".
    Coming,
    /// "last", "past"; also "past" in "half past five".
    Last,
    /// "of".
    Of,
    /// "the".
    The,
    /// "in" before a count or a month.
    In,
    /// "within".
    Within,
    /// "from".
    From,
    /// "after".
    After,
    /// "before".
    Before,
    /// "ago", "earlier": after a count.
    Ago,
    /// "vor", "hace": "ago" before a count.
    AgoFirst,
    /// "later", "hence": after a count.
    Later,
    /// "early", "in advance": a length of time before it leads back from a time that is known.
    Earlier,
    /// The same where it counts from now and says "in": Urdu "mein", "baad".
    InBehind,
    /// "end".
    End,
    /// The end of the present unit in one word: "eom", "Monatsende".
    EndOf(Unit),
    /// "start", "beginning".
    Start,
    /// "on".
    On,
    /// "by", "no later than".
    By,
    /// "until".
    Until,
    /// "for", "during", "around", "since": may open an expression, mean nothing more.
    Prep,
    /// "due", "deadline".
    Due,
    /// "date" in "due date"; Urdu "tareekh" after a number.
    DateWord,
    /// "with".
    With,
    /// A word after the date that belongs to it: Urdu "ko".
    Post,
    /// The same where it means "until" or "by": Urdu "tak".
    PostUntil,
    /// "time" in "in two weeks' time".
    Time,
    /// "at" before an hour.
    At,
    /// A part of the day: "morning".
    Part(DayPart),
    /// "weekday" in "every weekday".
    Workday,
    /// "noon", "midnight": the hour.
    Noon(u8),
    /// "am", "pm": the hours to add.
    Meridiem(u8),
    /// "o'clock", "Uhr", "h".
    Hour,
    /// A whole time in one word: `17h30`.
    Clock { hour: u8, minute: u8 },
    /// "about" before an hour, and many other things before other words.
    About,
    /// "ish" right behind an hour.
    Ish,
    /// "half".
    Half,
    /// "quarter".
    Quarter,
    /// "y media", "e un quarto": minutes past the hour before them.
    HourAnd(u8),
    /// "menos cuarto", "moins le quart": minutes before the hour before them.
    HourLess(u8),
    /// "dreiviertel", "saadhe": minutes that the hour behind it is shifted by.
    HourShift(i8),
    /// "to".
    To,
    /// "every", "each".
    Every,
    /// "other" in "every other day".
    Alternate,
    /// "sur deux", "sí y otro no": every other one of what stands before it.
    AlternateBehind,
    /// "sim", "não" behind one weekday twice: every other one.
    InTurn,
    /// "except".
    Except,
    /// "la veille": the day before one that is known.
    Eve,
    /// "daily", "weekly": adjectives as well.
    Often(Cadence),
    /// "rozana", "täglich": an adverb and nothing else, so that it repeats wherever it stands.
    Always(Unit),
    /// "once", "twice": how often.
    Once(u8),
    /// "miles", "people": the number before it counts and is no day.
    Times,
    /// "times": so does the number before it, and of a repetition it counts how often.
    Occasions,
    /// "that day": one that was spoken of.
    SameDay,
    /// A word that can't continue a date and ends its phrase: "and", "please".
    Join,
    /// "I", "they": a subject, so that "may" after it is a verb.
    Pronoun,
    /// A word whose number is no date: "version", "page".
    Label,
    /// A word that makes a weekday a name: "Black Friday".
    Feast,
    /// A feast that comes once a year: "Christmas".
    Holiday(Feast),
    /// A verb of tasks: "delete the 1st" means a position, "by the 15th pay rent" a day.
    Command,
}

/// Day of a feast.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Feast {
    /// The same each year: month and day.
    On(u8, u8),
    /// So many days behind Easter Sunday.
    Easter(i8),
}

/// Repetition that one word names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cadence {
    /// "daily", "biweekly": so many units apart.
    Each(Unit, u8),
    /// "nightly": each day, at a part of it.
    EachPart,
    /// "weekdays".
    Workdays,
    /// "weekends".
    Weekends,
    /// "hourly": more often than a task can repeat.
    WithinDay,
}

/// One meaning and where it stands. A glued word ("Feb13") has two on one token,
/// a phrase ("que viene") one on several.
#[derive(Debug, Clone, Copy)]
pub(super) struct Lexeme {
    pub(super) lex: Lex,
    /// White space stands before it.
    pub(super) spaced: bool,
    /// Set when it carries a possessive: "today's".
    pub(super) owner: bool,
    /// First token.
    pub(super) first: u32,
    /// Last token.
    pub(super) last: u32,
}
