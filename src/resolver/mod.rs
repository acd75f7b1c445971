//! Resolution of a reference to the task it means: `One`, `Many` or `None`, never a guess.
//!
//! Exact id, then exact folded title, then position or pronoun, then all words of
//! the reference in one title only, then typos by word-level edit distance weighted
//! by rarity and with a clear margin. fuzzy-matcher ranks what is shown as nearest;
//! it alone decides nothing. Holds no store: it reads the tasks it is given, as the list in which
//! they are kept, with the index that finds them.

mod asked;
mod confusable;
mod decide;
mod edit;
mod facets;
mod find;
mod index;
mod inflection;
mod list;
mod nearest;
mod parse;
mod places;
mod resolve;
mod rows;
mod search;
mod slips;
#[cfg(test)]
mod tests;
mod vocabulary;
mod words;

use crate::domain::{Task, TaskId};

pub(crate) use edit::{Letters, limit};
pub use find::{Days, Selected, Selection};
pub(crate) use inflection::{bases, is_plural_of};
#[cfg(test)]
pub(crate) use list::READ;
pub use list::TaskList;
pub(crate) use vocabulary::{
    Part, are_synonyms, deeds_of, is_list, is_soft, may_be_added, mends, opens, part, stands_for,
};
pub(crate) use words::split;
pub use words::{Words, abbreviates, covers, names, title_words};

/// A task that could be meant.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Candidate {
    /// Id of the task.
    pub id: TaskId,
    /// Its title, to be shown.
    pub title: String,
}

impl Candidate {
    /// A task, to be shown.
    pub fn of(task: &Task) -> Self {
        Self {
            id: task.id,
            title: task.title.as_str().to_owned(),
        }
    }
}

/// Reason why nothing is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Missing {
    /// No title fits.
    NoMatch,
    /// A position beyond the listing's end.
    OutOfRange,
    /// A position, and no listing was shown in this conversation.
    NothingShown,
    /// A position whose task has been deleted since.
    Gone(TaskId),
    /// A pronoun, and no single task in focus.
    NoFocus,
    /// A set that no task is in: "all completed tasks".
    NoneSuch,
    /// The same, and there is no task at all.
    EmptyList,
}

/// Meaning of a reference. Ambiguity is a value the caller must resolve.
#[derive(Debug, Clone, PartialEq)]
pub enum Resolution {
    /// Exactly one task, by a rule that passes with its margin: a write may use it.
    One(TaskId),
    /// Several could be meant, best first: ask.
    Many(Vec<Candidate>),
    /// None is meant.
    None {
        /// Reason why nothing is meant.
        why: Missing,
        /// The nearest titles, best first, at most three: to be shown, never to be used.
        nearest: Vec<Candidate>,
    },
}

/// Tasks that may be meant: completing looks among pending ones, reopening among completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Among {
    /// All.
    #[default]
    All,
    /// Open ones first; others only when no open one fits.
    Pending,
    /// Done ones first; others only when no done one fits.
    Completed,
}

/// A place in a listing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Position {
    /// Counted from 1.
    Nth(u32),
    /// Counted from the end, from 1: 1 is the last.
    FromEnd(u32),
}

/// Expression that stands in a place where a task is named.
#[derive(Debug, Clone, PartialEq)]
pub enum Reference<'a> {
    /// A UUID.
    Id(TaskId),
    /// "2", "the second one", "last", "task 3", "no. 2".
    Position(Position),
    /// "it", "that", "this one", "that task".
    It,
    /// "them", "those", "both".
    They,
    /// "the other one", "the other".
    Other,
    /// Words of a title.
    Words(&'a str),
}

/// Context that a conversation adds to the tasks: the listing last shown and what the latest turn
/// was about.
#[derive(Debug, Clone, Copy, Default)]
pub struct Context<'a> {
    /// The tasks of the listing last shown in this conversation, in its order.
    pub shown: &'a [TaskId],
    /// The tasks of the latest turn: changed, read, asked about or named.
    pub focus: &'a [TaskId],
    /// Candidates of the latest question: "the other one" chooses from them.
    pub offered: &'a [TaskId],
}

/// Resolves references against one user's tasks.
///
/// ```
/// use candor::resolver::{Among, Context, Missing, ReferenceResolver, Resolution, TaskList};
/// let tasks = TaskList::default();
/// let resolver = ReferenceResolver::new(&tasks, Context::default());
/// let second = resolver.resolve("the second one", Among::All);
/// assert!(matches!(second, Resolution::None { why: Missing::NothingShown, .. }));
/// ```
#[derive(Debug)]
pub struct ReferenceResolver<'a> {
    pub(crate) tasks: &'a TaskList,
    pub(crate) context: Context<'a>,
}
