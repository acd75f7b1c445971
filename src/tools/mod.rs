//! The tools a model may call: one file per verb, one registry.
//!
//! A raw call becomes a typed [`Proposal`] or a [`crate::domain::ToolError`] that names every fault at once.
//! A proposal names tasks by words; `guard` resolves and judges it into a [`Plan`], and
//! [`run`] carries a plan out in a unit of work. Holds no licence and no store handle: a tool
//! can neither permit itself nor commit.

mod add_task;
mod alias;
mod arguments;
mod ask_user;
mod cancel_delegation;
mod complete_task;
mod delegate;
mod delete_task;
mod fault;
mod list_delegations;
mod list_tasks;
mod listing;
mod moments;
mod plan;
mod schema;
mod suggest;
mod task_output;
mod undo;
mod update_task;

pub use crate::store::NewTask;
pub use alias::{AnswerShape, CalledTool, called};
pub use arguments::{CallContext, propose, unknown_tool};
pub use cancel_delegation::CancelCall;
pub use delegate::{DelegateCall, DelegateItem, ResumeTarget};
pub use fault::cut;
pub use list_delegations::DelegationsCall;
pub use listing::{DueRange, LINES_MAX, ListFilter, StatusFilter, read_list};
pub use plan::{
    ChangePlan, DelegationPreview, Plan, PlanOutcome, PlannedValues, StandingFact, repeats_never,
    run,
};
pub use schema::{specs, specs_with_agents};
pub use task_output::{OutputCall, RunWords};

use chrono::{NaiveDate, NaiveTime};

use fault::ArgumentFaults;
use schema::ToolArguments;

use crate::domain::text::fold;
use crate::domain::{Priority, RemindAt, Repeat, Title, Tool};

/// A well-formed call: its arguments are typed, its references are still words.
#[derive(Debug, Clone, PartialEq)]
pub enum Proposal {
    /// `add_task`
    Add(AddProposal),
    /// `list_tasks`
    List(ListFilter),
    /// `update_task`, `complete_task`, `delete_task`
    Change {
        /// One of the three.
        tool: Tool,
        /// Words, a position, a set or a UUID.
        reference: String,
        /// New values; empty for complete and delete.
        values: NewValues,
    },
    /// `undo`
    Undo,
    /// `ask_user`
    Ask {
        /// The question.
        question: String,
        /// Answers to choose from.
        options: Vec<String>,
    },
    /// `delegate`
    Delegate(Box<DelegateCall>),
    /// `task_output`
    Output(OutputCall),
    /// `cancel_delegation`
    Cancel(CancelCall),
    /// `list_delegations`
    Delegations(DelegationsCall),
    /// Several in one call: `add_task{tasks}`.
    Several(Vec<Proposal>),
}

/// A new task as a model proposes it.
#[derive(Debug, Clone, PartialEq)]
pub struct AddProposal {
    /// The title.
    pub title: Title,
    /// A note.
    pub description: Option<String>,
    /// A priority, where the model gave one.
    pub priority: Option<Priority>,
    /// A due date, where the model gave one.
    pub due: Option<NaiveDate>,
    /// A time of that day, where the model gave one.
    pub time: Option<NaiveTime>,
    /// Rule by which it repeats, where the model gave one.
    pub repeat: Option<Repeat>,
    /// Time to be reminded at, where the model gave one.
    pub remind: Option<RemindAt>,
}

impl AddProposal {
    /// A task with a title and nothing else.
    pub const fn titled(title: Title) -> Self {
        Self {
            title,
            description: None,
            priority: None,
            due: None,
            time: None,
            repeat: None,
            remind: None,
        }
    }
}

/// New values as a model proposes them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct NewValues {
    /// A new title.
    pub title: Option<Title>,
    /// A new note; `Some(None)` clears it.
    pub description: Option<Option<String>>,
    /// A new priority.
    pub priority: Option<Priority>,
    /// A new due date; `Some(None)` clears it.
    pub due: Option<Option<NaiveDate>>,
    /// A new time of the due day; `Some(None)` clears it.
    pub time: Option<Option<NaiveTime>>,
    /// A new rule by which it repeats; `Some(None)` clears it.
    pub repeat: Option<Option<Repeat>>,
    /// A new reminder; `Some(None)` takes the one that waits back.
    pub remind: Option<Option<RemindAt>>,
    /// The reminder's time was given without a day.
    pub bare_remind: bool,
    /// Done or open.
    pub completed: Option<bool>,
    /// Taken back from the agent that works on it.
    pub take_back: bool,
}

impl NewValues {
    /// Leaves out what a proposal has otherwise, and a title that it does not have.
    pub fn leave_out(&mut self, proposed: &Self) {
        let title = proposed.title.as_ref().map(|title| fold(title.as_str()));
        let read = self.title.as_ref().map(|title| fold(title.as_str()));
        if read != title {
            self.title = None;
        }
        if proposed.priority.is_some() && proposed.priority != self.priority {
            self.priority = None;
        }
        if proposed.due.is_some() && proposed.due != self.due {
            self.due = None;
        }
        if proposed.repeat.is_some() && proposed.repeat != self.repeat {
            self.repeat = None;
        }
    }
}
