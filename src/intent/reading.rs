//! Meaning of one message, as values. Made from the user's words alone: titles, notes,
//! model text and tool results never reach this module.

use std::ops::Range;

use chrono::{NaiveDate, NaiveTime};
use serde::{Deserialize, Serialize};

use crate::domain::{Lang, Priority, Repeat};
use crate::resolver::Position;

/// One message, read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Reading {
    /// Its clauses, in the order of the message.
    pub clauses: Vec<Clause>,
    /// The grammar that read it.
    pub lang: Lang,
}

/// One clause: one wish, question or remark.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Clause {
    /// Its meaning.
    pub act: Act,
    /// Its bytes in the message.
    pub bytes: Range<usize>,
    /// Wishes in it that can't be kept; said once per conversation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
}

/// A wish that the product reads and can't keep.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Note {
    /// "at 5pm": the day is kept, the time stays in the title.
    TimeOfDay,
    /// "remind me …", "wake me …": there is no alarm.
    Alarm,
    /// "twice a week": no task can repeat so.
    Recurrence,
    /// "every tuesday until graduation": it repeats without an end.
    RepeatEnd,
    /// "to my shopping list": there is one list.
    ListName(String),
}

/// Meaning of a clause.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Act {
    /// "add milk, eggs and bread".
    Add(Addition),
    /// "what's left for today?", "is milk on my list?", "how many do I have?".
    List(Listing),
    /// A change of existing tasks.
    Change(Change),
    /// "undo", "undo that", "put it back" with nothing named.
    Undo,
    /// A question about what was done: licenses nothing, answered from receipts.
    Past(Past),
    /// "how do I delete a task?", "what can you do?": licenses nothing, fixed words.
    Help(Topic),
    /// "what happens if I delete Read book?": licenses nothing; names what "do that" would mean.
    Hypothetical(Change),
    /// "should I still keep Read book?": a question about a task that asks for no change.
    Opinion(Target),
    /// "I really need to renew my passport": → `Add "…"?`.
    Wish(NewTask),
    /// "milk": a bare noun → `Add "…"?`.
    Noun(NewTask),
    /// "the dentist is sorted", "it's not done yet": a tool is expected only if one task fits.
    Statement(Statement),
    /// Something that is whole only with the turn before it.
    Fragment(Fragment),
    /// "yes", "sure", "lovely", "go ahead"; what follows it is in `Fragment`s of its own.
    Yes,
    /// "no", "nah leave it", "cancel", "forget it".
    No,
    /// "so you'll ring me at six?": asks for a promise that can't be kept.
    AlarmQuestion,
    /// Greeting, thanks, farewell, praise.
    Social(Social),
    /// "don't delete Read book": a change the user forbids. Licenses nothing.
    Forbidden(Change),
    /// "the report is urgent", "the gym is cancelled": says what calls for a change and asks for
    /// none. → `Change "report" (priority high)?`
    Hint(Change),
    /// "add party on february 30": names a day that no month has.
    NoSuchDay(String),
    /// A request to agents; read only where there are some.
    Errand(super::Errand),
    /// Anything else: small talk, facts, another service's business.
    Other,
}

impl Act {
    /// Tells whether a day that it names would be that of a task.
    pub(crate) fn is_one_with_a_day(&self) -> bool {
        match self {
            Self::Add(addition) => addition.parts.len() < 2,
            Self::Wish(_) | Self::Noun(_) | Self::List(_) => true,
            Self::Change(change) => change.verb == Verb::Update && change.values.title.is_none(),
            _ => false,
        }
    }
}

/// Content to add.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Addition {
    /// The whole content as one task: "milk, eggs and bread".
    pub whole: NewTask,
    /// The content as several tasks where commas or "and" may join titles; else one, equal to `whole`.
    pub parts: Vec<NewTask>,
    /// Set when the words read more naturally as several tasks.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub split: bool,
    /// Set when the content is not named but described: "what I need for pancakes".
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub described: bool,
}

/// A task the words describe.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct NewTask {
    /// Place of the title in the message (bytes); spans its outermost words.
    pub bytes: Range<usize>,
    /// Its note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<Due>,
    /// Its time of day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<NaiveTime>,
    /// Seconds from now on after which it is due, or to be reminded of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<u32>,
    /// Its priority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// Rule by which it repeats.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<Repeat>,
    /// As the user wrote it, without the words of its date and its repetition at its edges; empty
    /// when there is none.
    pub title: String,
}

impl NewTask {
    /// Takes on the values of `other` that it has none of.
    pub(crate) fn fill(&mut self, other: &Self) {
        self.due = self.due.take().or_else(|| other.due.clone());
        self.time = self.time.or(other.time);
        self.after = self.after.or(other.after);
        self.priority = self.priority.or(other.priority);
        self.repeat = self.repeat.take().or_else(|| other.repeat.clone());
        self.description = (self.description.take()).or_else(|| other.description.clone());
    }
}

/// A due date that the words ask for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Due {
    /// A day.
    On {
        /// The day.
        day: NaiveDate,
        /// The words that said so.
        words: String,
    },
    /// "push it two days", "by a week": counted from the task's own date, else from today.
    By {
        /// Number of days; months and years were turned into days from today.
        days: i64,
        /// The words that said so.
        words: String,
    },
    /// "push it to next week": the same weekday, in the week that begins on this Monday.
    SameWeekday {
        /// The Monday of that week.
        week: NaiveDate,
        /// The words that said so.
        words: String,
    },
    /// "skip it this week": the next day on which the task repeats.
    Skip {
        /// The words that said so.
        words: String,
    },
    /// "drop the date".
    Clear,
}

/// A change of existing tasks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// The change to make.
    pub verb: Verb,
    /// To which tasks.
    pub targets: Targets,
    /// New values, for `Verb::Update`.
    #[serde(default)]
    pub values: Values,
    /// Other ways to part the words of a rename: "rename Fly to Mars to Fly to Venus".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub splits: Vec<Split>,
}

/// One way to part the words of a rename.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Split {
    /// The task.
    pub target: Target,
    /// Its new title.
    pub title: String,
}

/// Kind of change to an existing task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Verb {
    /// New values.
    Update,
    /// Marked as done. `check off`, `tick`.
    Complete,
    /// Marked as not done.
    Reopen,
    /// Removed from the list.
    Delete,
}

/// The tasks a change is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Targets {
    /// The words as one reference: "milk, eggs and bread".
    pub whole: Target,
    /// As several references where commas or "and" may join titles; else one, equal to `whole`.
    pub parts: Vec<Target>,
}

impl Targets {
    /// One reference alone.
    pub(crate) fn of(target: Target) -> Self {
        Self {
            parts: vec![target.clone()],
            whole: target,
        }
    }
}

/// One reference.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Target {
    /// Words of a title, articles and politeness left out.
    Named(String),
    /// "the second one".
    Position(Position),
    /// "it", "that one".
    It,
    /// "them", "both", "those two".
    They {
        /// Number of tasks, where the words say so ("both" is 2).
        #[serde(default, skip_serializing_if = "Option::is_none")]
        count: Option<u32>,
    },
    /// "the other one".
    Other,
    /// "all completed tasks", "everything for friday", "my list".
    Set(Set),
    /// The verb names nothing: "delete", "add task".
    Missing,
}

/// A set of tasks that the words name by what they have in common.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Set {
    /// Only open or only done ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed: Option<bool>,
    /// Only those due then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<DueFilter>,
    /// Only those of this priority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// Only those whose title has these words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// The name of a list that is not kept ("shopping list"): never means "all", ask which.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub list: Option<String>,
    /// Left out of it: "everything except bread".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<Target>,
}

/// Days a listing or a set is about.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum DueFilter {
    /// From the first to the last of these days.
    Between {
        /// First day.
        from: NaiveDate,
        /// Last day.
        to: NaiveDate,
        /// The words that said so.
        words: String,
    },
    /// Open and due before today.
    Overdue,
    /// Without a due date.
    Undated,
}

/// New values for existing tasks.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Values {
    /// A new due date, or none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<Due>,
    /// A new time of day.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time: Option<NaiveTime>,
    /// A number alone, which is the hour of what has a time of day: "change it to 11".
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hour: Option<u32>,
    /// The repetition is to end: "stop repeating it".
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub ends_repeat: bool,
    /// A new priority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// A new title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// A new note; an empty one takes the note away.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The words ask for a new title without saying it: "make it sound fancier".
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub described: bool,
}

impl Values {
    /// Takes on the values of `other` that it has none of.
    pub(crate) fn fill(&mut self, other: &Self) {
        self.due = self.due.take().or_else(|| other.due.clone());
        self.time = self.time.or(other.time);
        self.hour = self.hour.or(other.hour);
        self.ends_repeat |= other.ends_repeat;
        self.priority = self.priority.or(other.priority);
        self.title = self.title.take().or_else(|| other.title.clone());
        self.description = (self.description.take()).or_else(|| other.description.clone());
        self.described |= other.described;
    }
}

/// Tasks to read, and the shape of the answer.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Listing {
    /// Only open or only done ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub completed: Option<bool>,
    /// Only those due then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due: Option<DueFilter>,
    /// Only those of this priority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// Only those whose title has these words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    /// The shape of the answer.
    pub form: Form,
    /// Nobody asked for it: a remark about a task is answered by its row. No call is due for it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unasked: bool,
    /// No word of the question may be about something else. Said of words that were just read;
    /// not recorded.
    #[serde(skip)]
    pub plain: bool,
}

/// The shape of a listing's answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub enum Form {
    /// Line by line.
    #[default]
    Lines,
    /// "how many …?": the count alone.
    Count,
    /// "is milk on my list?": yes or no.
    One,
}

/// A question about the past.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Past {
    /// "did you delete it?", "is it deleted?".
    Did {
        /// The deed that is asked about.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        verb: Option<PastVerb>,
        /// The task.
        target: Target,
    },
    /// "what did you just do?".
    WhatWasDone,
    /// "what did you delete?".
    What(PastVerb),
    /// "did that work?".
    DidThatWork,
    /// "did you remind me of it?", "when will you remind me?": of these, or of all.
    Reminded(Target),
}

/// A deed that a question about the past may ask about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum PastVerb {
    /// Added.
    Add,
    /// Any of the changes.
    Change(Verb),
}

/// Subject of a question for help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Topic {
    /// "what can you do?".
    General,
    /// Adding tasks.
    Add,
    /// Seeing the list.
    List,
    /// Changing tasks.
    Update,
    /// Marking tasks as done.
    Complete,
    /// Deleting tasks.
    Delete,
    /// Taking changes back.
    Undo,
    /// The language of the replies.
    Language,
}

/// A remark about the state of the world.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Statement {
    /// Its subject: "the dentist".
    pub target: Target,
    /// The same as several references, where it may be: "milk and eggs".
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Target>,
    /// True when it is done ("sorted", "finished"), false when not ("not done yet").
    pub done: bool,
    /// Set when it says so in the words of the list: "done", "finished".
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub told: bool,
}

/// Something that is whole only with the turn before it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Fragment {
    /// "and eggs", "and tuesday?", "and the first", "bread too".
    Also {
        /// The words after "and".
        words: String,
        /// Their day, when they are one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        due: Option<DueFilter>,
        /// Set when it ends in a question mark.
        question: bool,
    },
    /// "the red one", "red", "just the first", "both", "all of them": picks among what was offered.
    Pick {
        /// The targets that are picked.
        targets: Vec<Target>,
        /// "just", "only": the rest is closed.
        only: bool,
    },
    /// "not the milk", "skip the milk": all of what was offered without these.
    Except(Vec<Target>),
    /// "keep the bread": of a question about deleting, all without it; else a thing to do.
    Keep {
        /// The targets that are to stay.
        targets: Vec<Target>,
        /// The words as a task.
        task: NewTask,
    },
    /// "no, the other one": the other target for the same verb.
    Instead(Target),
    /// "actually thursday", "6pm, sorry", "oat milk actually": a new value for the task in focus.
    Amend {
        /// A new due date.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        due: Option<Due>,
        /// Every day of it, where the words are nothing but days ("next week").
        #[serde(default, skip_serializing_if = "Option::is_none")]
        days: Option<DueFilter>,
        /// A new time of day ("6pm"). Older readings keep the words alone, as `time`.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time_of_day: Option<NaiveTime>,
        /// New words, when it is neither a date nor a time ("oat milk").
        #[serde(default, skip_serializing_if = "Option::is_none")]
        words: Option<String>,
        /// A new priority.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        priority: Option<Priority>,
    },
    /// "do it", "then do it", "ok do that": the latest named or refused change.
    DoIt,
    /// "try again", "again".
    Again,
    /// "add it again": puts back what was deleted.
    Restore,
    /// "find pay rent" before another clause: what "it" means there, and nothing by itself.
    Bare(String),
}

/// Social talk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Social {
    /// "hi".
    Greeting,
    /// "thanks".
    Thanks,
    /// "bye".
    Farewell,
    /// "you're a star", "all done for today!".
    Praise,
    /// "got it", "understood": no yes and no wish.
    Heard,
}
