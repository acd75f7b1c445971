//! The licence: what the user's words allow, and which calls must therefore come.
//!
//! It is made of the user's words and the frame alone. The snapshot says which task a word
//! means, and so may narrow an expectation; it never widens what is allowed.

mod covered;
mod filter;
mod inside;
mod meaning;
mod named;
mod times;

use std::ops::Range;

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use super::delegation::{errand_grant, errand_open};
use super::evidence::message::only_asks;
use super::evidence::tells_of_oneself;
use crate::domain::{Lang, Task, TaskId, Tool};
use crate::intent::{
    Act, Addition, Change, Clause, Errand, Listing, NewTask, Note, Reading, Set, Statement, Target,
    Targets, Values, Verb,
};
use crate::resolver::{Candidate, Context, Missing, ReferenceResolver, TaskList};
use crate::tools::{ChangePlan, ListFilter};

use filter::due_range;
pub(super) use filter::list_filter;
pub(super) use inside::cuts_a_title;
use inside::names_a_list;
pub(super) use meaning::{Hinted, among, hinted, mean, members};
use meaning::{all_of_a_plural, another_deed, leave_remarks, meant, part_words};
pub(super) use named::{set_words, target_words};
use times::order_of_its_task;

/// Basis of a licence: the tasks, and what the conversation adds to the words.
#[derive(Debug, Clone, Copy)]
pub struct Situation<'a> {
    /// All tasks, oldest first.
    pub tasks: &'a TaskList,
    /// The listing last shown, the focus, what was offered.
    pub context: Context<'a>,
    /// The day it is.
    pub today: NaiveDate,
    /// The user's zone, in which a time of day is meant.
    pub zone: Tz,
    /// The instant that times of day and reminders go by.
    pub now: DateTime<Utc>,
    /// This conversation was told already that there is one list.
    pub one_list_said: bool,
}

impl<'a> Situation<'a> {
    /// A resolver over these tasks.
    pub fn resolver(&self) -> ReferenceResolver<'a> {
        ReferenceResolver::new(self.tasks, self.context)
    }

    /// The task of that id.
    pub fn task(&self, id: TaskId) -> Option<&'a Task> {
        self.tasks.get(id)
    }
}

/// Tasks that some words mean.
#[derive(Debug, Clone, PartialEq)]
pub enum Meaning {
    /// Exactly one.
    One(TaskId),
    /// One of these; ask.
    Many(Vec<Candidate>),
    /// All of these: a set the words name by what its tasks have in common. May be empty.
    Set(Vec<TaskId>),
    /// None.
    Nothing {
        /// Reason why nothing is meant.
        why: Missing,
        /// The nearest titles.
        nearest: Vec<Candidate>,
    },
    /// The words name nothing, or a list that isn't kept: ask which.
    Unnamed,
}

/// One reference of the words, with what it means.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// The words.
    pub target: Target,
    /// Meaning of the words.
    pub meaning: Meaning,
    /// Tasks of it that were dealt with.
    pub done: Vec<TaskId>,
    /// A call for it was dispatched, or it was asked about.
    pub touched: bool,
}

impl Part {
    /// The words as they are said back in `speech`.
    pub fn words(&self, speech: Lang) -> String {
        target_words(&self.target, speech)
    }

    /// Returns what the tasks of an empty set would have in common.
    pub(super) fn kind_words(&self, verb: Verb, speech: Lang) -> String {
        match &self.target {
            Target::Set(set) => {
                // Only what is done can be opened again.
                let done = (verb == Verb::Reopen).then_some(true);
                let completed = set.completed.or(done);
                let set = Set {
                    completed,
                    ..set.clone()
                };
                set_words(&set, speech)
            }
            other => target_words(other, speech),
        }
    }
}

/// One permission.
#[derive(Debug, Clone, PartialEq)]
pub struct Grant {
    /// Action that is permitted.
    pub kind: GrantKind,
    /// A call must come for it.
    pub expected: bool,
    /// The bytes of its clause in the words.
    pub bytes: Range<usize>,
}

/// Action that a grant permits.
#[derive(Debug, Clone, PartialEq)]
pub enum GrantKind {
    /// Adding these tasks.
    Add {
        /// As the words say it.
        addition: Addition,
        /// Flag of each part, set once it was added or asked about.
        covered: Vec<bool>,
    },
    /// Reading this.
    List {
        /// Filter that the words ask for.
        filter: ListFilter,
        /// Set once it was read.
        covered: bool,
    },
    /// Changing these tasks.
    Change {
        /// Kind of change.
        verb: Verb,
        /// Parts that name the tasks.
        parts: Vec<Part>,
        /// New values.
        values: Values,
    },
    /// Something that agents are asked for.
    Errand {
        /// As the words say it.
        errand: Errand,
        /// Meaning of the words for the work among the tasks.
        parts: Vec<Part>,
        /// A call for it was dispatched.
        covered: bool,
        /// Number of tasks that were handed over.
        handed: usize,
    },
    /// Taking back the latest change.
    Undo {
        /// Set once it was taken back.
        covered: bool,
    },
}

/// Something the words ask for that no call has dealt with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Need {
    /// This tool should have been called.
    Call(Tool),
    /// Ask which of these is meant.
    Which {
        /// Kind of change that is wanted.
        verb: Verb,
        /// The words.
        words: String,
        /// Tasks that fit.
        candidates: Vec<Candidate>,
        /// New values.
        values: Values,
    },
    /// All of these are meant; show them and ask.
    All {
        /// Kind of change that is wanted.
        verb: Verb,
        /// Tasks that are meant.
        tasks: Vec<TaskId>,
        /// New values.
        values: Values,
    },
    /// No such task.
    Absent {
        /// Kind of change that was wanted.
        verb: Verb,
        /// The words.
        words: String,
        /// Reason why there is none.
        why: Missing,
        /// The nearest titles.
        nearest: Vec<Candidate>,
    },
    /// The words name no task.
    Unnamed {
        /// Kind of change that was wanted.
        verb: Verb,
        /// The name of a list that is not kept.
        list: Option<String>,
        /// Values that an update would set.
        #[serde(default)]
        values: Values,
    },
    /// The words name nothing to add.
    NothingToAdd {
        /// Set when the words describe it ("what I need for pancakes").
        described: bool,
    },
}

/// Everything the user's words allow in this turn.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Licence {
    /// In the order of the words.
    pub grants: Vec<Grant>,
    /// The words themselves.
    pub words: String,
    /// Set when the words ask what can be done, or by whom: that is answered, and nothing is handed
    /// over for it.
    pub meta: bool,
    /// Set when the words say no and nothing else: what was asked before goes no further.
    pub declines: bool,
    /// Set when a part of what a task is to be split into was denied.
    pub denied_part: bool,
    /// The tokens whose addition was dealt with.
    pub spent: Vec<usize>,
    /// The changes that were allowed.
    pub allowed: Vec<ChangePlan>,
    /// Places of the words that support the call at hand, in bytes of them.
    pub spans: Vec<Range<usize>>,
}

impl Licence {
    /// Reads the licence off a reading. `words` are the user's words it was read from.
    pub fn new(reading: &Reading, words: &str, situation: &Situation<'_>) -> Self {
        let grants = reading
            .clauses
            .iter()
            .filter_map(|clause| grant(clause, situation))
            .collect();
        let asks = |clause: &Clause| matches!(clause.act, Act::Help(_) | Act::Errand(Errand::Who));
        Self {
            grants,
            words: words.to_owned(),
            meta: reading.clauses.iter().any(asks),
            declines: reading.declines(),
            denied_part: false,
            spent: Vec::new(),
            allowed: Vec::new(),
            spans: Vec::new(),
        }
    }

    /// The words of one grant's own clause: what another clause says licenses nothing here.
    pub fn clause_words(&self, grant: usize) -> &str {
        let bytes = self.grants.get(grant).map(|grant| grant.bytes.clone());
        let bytes = bytes.unwrap_or_default();
        self.words.get(bytes).unwrap_or_default()
    }

    /// Tells whether the words ask for any change or reading.
    pub fn expects_anything(&self) -> bool {
        self.grants.iter().any(|grant| grant.expected)
    }

    /// The tools that the words ask for.
    pub fn tools(&self) -> Vec<Tool> {
        let tool = |grant: &Grant| match &grant.kind {
            GrantKind::Add { .. } => Tool::AddTask,
            GrantKind::List { .. } => Tool::ListTasks,
            GrantKind::Change { verb, .. } => tool_of(*verb),
            GrantKind::Undo { .. } => Tool::Undo,
            GrantKind::Errand { errand, .. } => errand.tool().unwrap_or(Tool::AskUser),
        };
        self.grants.iter().map(tool).collect()
    }

    /// Gives up the expectation of an undo: there is nothing to take back.
    pub fn expect_no_undo(&mut self) {
        for grant in &mut self.grants {
            if matches!(grant.kind, GrantKind::Undo { .. }) {
                grant.expected = false;
            }
        }
    }

    /// Gives up every expectation: nothing was ordered.
    pub fn expect_nothing(&mut self) {
        for grant in &mut self.grants {
            grant.expected = false;
        }
    }

    /// Tells whether an undo is asked for and there is something to take back.
    pub fn expects_undo(&self) -> bool {
        let mut grants = self.grants.iter();
        grants.any(|grant| grant.expected && matches!(grant.kind, GrantKind::Undo { .. }))
    }

    /// Tells whether something is asked of agents that takes a call.
    pub fn expects_errand(&self) -> bool {
        let mut grants = self.grants.iter();
        grants.any(|grant| grant.expected && matches!(grant.kind, GrantKind::Errand { .. }))
    }

    /// Returns what is still open, in the order of the words; what they point at is named in `speech`.
    pub fn open(&self, situation: &Situation<'_>, speech: Lang) -> Vec<Need> {
        let mut needs = Vec::new();
        for grant in self.grants.iter().filter(|grant| grant.expected) {
            grant.open(situation, speech, &mut needs);
        }
        needs
    }
}

impl Grant {
    /// The references it was made of.
    fn targets(&self) -> Vec<Target> {
        match &self.kind {
            GrantKind::Change { parts, .. } => parts.iter().map(|p| p.target.clone()).collect(),
            _ => Vec::new(),
        }
    }

    fn open(&self, situation: &Situation<'_>, speech: Lang, needs: &mut Vec<Need>) {
        match &self.kind {
            GrantKind::Add { addition, covered } => {
                if covered.iter().all(|done| *done) {
                    return;
                }
                let named = !addition.whole.title.trim().is_empty();
                needs.push(match (named, addition.described) {
                    (true, false) => Need::Call(Tool::AddTask),
                    (_, described) => Need::NothingToAdd { described },
                });
            }
            GrantKind::List { covered, .. } if !covered => {
                needs.push(Need::Call(Tool::ListTasks));
            }
            GrantKind::Undo { covered } if !covered => needs.push(Need::Call(Tool::Undo)),
            GrantKind::List { .. } | GrantKind::Undo { .. } => {}
            GrantKind::Errand {
                errand, covered, ..
            } => errand_open(errand, *covered, needs),
            GrantKind::Change {
                verb,
                parts,
                values,
            } => {
                for part in parts.iter().filter(|part| !part.touched) {
                    needs.push(part.need(*verb, values, situation, speech));
                }
            }
        }
    }
}

/// The reading as the tasks make it unmistakable: a title that covers a conjunction is one
/// target, what stands inside a title is no command, and a remark is one where it fits exactly one
/// task, else small talk. `words` are those of the reading.
pub fn settle(reading: &mut Reading, words: &str, situation: &Situation<'_>) {
    inside::spare(reading, words, situation.tasks);
    let alone = reading.clauses.len() == 1;
    for clause in &mut reading.clauses {
        clause
            .notes
            .retain(|note| !matches!(note, Note::ListName(list) if !names_a_list(list, situation)));
        // "What are you reminding me of?" wants no reminder.
        if clause.notes.contains(&Note::Alarm) {
            let said = words.get(clause.bytes.clone()).unwrap_or_default();
            if only_asks(said, situation, reading.lang) {
                clause.notes.retain(|note| *note != Note::Alarm);
            }
        }
        if let Act::Hint(change) = &clause.act
            && let Some(act) = order_of_its_task(change, situation)
        {
            clause.act = act;
        }
        if let Act::Change(change) = &mut clause.act {
            leave_remarks(change, situation);
        }
        match &mut clause.act {
            Act::Change(change) if !change.splits.is_empty() => part_words(change, situation),
            Act::Change(change) if meant(change.verb, &change.targets, situation).len() == 1 => {
                change.targets.parts = vec![change.targets.whole.clone()];
            }
            Act::Statement(statement) => {
                let said = words.get(clause.bytes.clone()).unwrap_or_default();
                clause.act = match statement_grant(statement, &clause.bytes, situation) {
                    Some(grant) => {
                        let change = Change {
                            verb: if statement.done {
                                Verb::Complete
                            } else {
                                Verb::Reopen
                            },
                            targets: Targets {
                                whole: statement.target.clone(),
                                parts: grant.targets(),
                            },
                            values: Values::default(),
                            splits: Vec::new(),
                        };
                        // "emailed mom" is not "Call mom": whether it is done is asked.
                        if another_deed(&change, said, reading.lang, situation) {
                            Act::Hint(change)
                        } else {
                            Act::Change(change)
                        }
                    }
                    None if alone && is_ours(statement, said, situation) => {
                        told_of(&statement.target)
                    }
                    None => Act::Other,
                };
            }
            Act::Hint(change) => {
                let target = &change.targets.whole;
                if hinted(change, situation).is_none() {
                    clause.act = if alone { told_of(target) } else { Act::Other };
                }
            }
            _ => {}
        }
    }
}

/// Tells why a set has no task in it.
pub(super) fn none_such(situation: &Situation<'_>) -> Missing {
    if situation.tasks.is_empty() {
        Missing::EmptyList
    } else {
        Missing::NoneSuch
    }
}

/// Tells whether a remark speaks of the list: it fits a task, or tells what the user did. "The
/// weather is sorted" does neither.
fn is_ours(statement: &Statement, said: &str, situation: &Situation<'_>) -> bool {
    let found = mean(Verb::Update, &statement.target, situation).meaning;
    matches!(found, Meaning::One(_)) || tells_of_oneself(said)
}

/// Answers a remark that calls for no change by the row of the task it is about, or by saying that
/// there is none.
fn told_of(target: &Target) -> Act {
    match target {
        Target::Named(words) => Act::List(Listing {
            query: Some(words.clone()),
            unasked: true,
            ..Listing::default()
        }),
        _ => Act::Other,
    }
}

fn grant(clause: &Clause, situation: &Situation<'_>) -> Option<Grant> {
    match &clause.act {
        Act::Add(addition) => Some(Grant {
            kind: GrantKind::Add {
                addition: addition.clone(),
                covered: vec![false; addition.parts.len().max(1)],
            },
            expected: true,
            bytes: clause.bytes.clone(),
        }),
        Act::List(listing) => Some(Grant {
            kind: GrantKind::List {
                filter: list_filter(listing, situation.today),
                covered: false,
            },
            expected: !listing.unasked,
            bytes: clause.bytes.clone(),
        }),
        Act::Change(change) => Some(change_grant(change, &clause.bytes, situation)),
        Act::Statement(statement) => statement_grant(statement, &clause.bytes, situation),
        Act::Errand(errand) => errand_grant(errand, &clause.bytes, situation),
        Act::Undo => Some(Grant {
            kind: GrantKind::Undo { covered: false },
            expected: true,
            bytes: clause.bytes.clone(),
        }),
        _ => None,
    }
}

fn change_grant(change: &Change, bytes: &Range<usize>, situation: &Situation<'_>) -> Grant {
    let parts = meant(change.verb, &change.targets, situation).into_iter();
    let parts = parts.map(|part| all_of_a_plural(part, change.verb, situation));
    Grant {
        kind: GrantKind::Change {
            verb: change.verb,
            parts: parts.collect(),
            values: change.values.clone(),
        },
        expected: true,
        bytes: bytes.clone(),
    }
}

/// A remark is a command only if exactly one task fits it: "the dentist is sorted", not
/// "the weather is sorted".
fn statement_grant(
    statement: &Statement,
    bytes: &Range<usize>,
    situation: &Situation<'_>,
) -> Option<Grant> {
    let verb = if statement.done {
        Verb::Complete
    } else {
        Verb::Reopen
    };
    let open = |part: &Part| {
        let Meaning::One(id) = part.meaning else {
            return false;
        };
        let task = situation.task(id);
        task.is_some_and(|task| task.status.is_completed() != statement.done)
    };
    let whole = mean(verb, &statement.target, situation);
    let several = statement.parts.iter();
    let several: Vec<Part> = several.map(|t| mean(verb, t, situation)).collect();
    // "the call is done" of two calls is ours to ask about; "the match is over" is not.
    let asks = matches!(whole.meaning, Meaning::Many(_))
        && statement.told
        && matches!(whole.target, Target::Named(_));
    // "the first one is done" with nothing shown: ask which.
    let unshown = matches!(whole.meaning, Meaning::Nothing { .. })
        && statement.told
        && matches!(whole.target, Target::Position(_));
    let parts = if open(&whole) || asks || unshown {
        vec![whole]
    } else if !several.is_empty() && several.iter().all(open) {
        several
    } else {
        return None;
    };
    Some(Grant {
        kind: GrantKind::Change {
            verb,
            parts,
            values: Values::default(),
        },
        expected: true,
        bytes: bytes.clone(),
    })
}

/// The tool that carries a verb out.
pub(super) const fn tool_of(verb: Verb) -> Tool {
    match verb {
        Verb::Complete => Tool::CompleteTask,
        Verb::Delete => Tool::DeleteTask,
        Verb::Update | Verb::Reopen => Tool::UpdateTask,
    }
}

/// The parts of an addition, at least one.
pub(super) fn addition_parts(addition: &Addition) -> Vec<&NewTask> {
    if addition.parts.is_empty() {
        vec![&addition.whole]
    } else {
        addition.parts.iter().collect()
    }
}
