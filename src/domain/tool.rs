//! Tools that a model may call, and what a receipt may be about.

use std::fmt;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The tools offered to a model (CONTRACT §4), by their names on the wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tool {
    /// `add_task{title, description?, priority?, due_date?}`
    AddTask,
    /// `list_tasks{status_filter?, due?, query?}`
    ListTasks,
    /// `update_task{task, title?, description?, priority?, due_date?, status?}`
    UpdateTask,
    /// `complete_task{task}`
    CompleteTask,
    /// `delete_task{task}`
    DeleteTask,
    /// `undo{}`
    Undo,
    /// `ask_user{question, options?}`
    AskUser,
    /// `delegate{tasks, assign_to, …}`
    Delegate,
    /// `task_output{agent_id? | run? | task?, blocking?, timeout_ms?}`
    TaskOutput,
    /// `cancel_delegation{agent_id? | run? | task?, reason?}`
    CancelDelegation,
    /// `list_delegations{state?, persona?, task?, limit?}`
    ListDelegations,
}

impl Tool {
    /// The tools for tasks, in the order they are offered.
    pub const TASKS: [Self; 7] = [
        Self::AddTask,
        Self::ListTasks,
        Self::UpdateTask,
        Self::CompleteTask,
        Self::DeleteTask,
        Self::Undo,
        Self::AskUser,
    ];

    /// The tools for agents, offered only where there are some.
    pub const AGENTS: [Self; 4] = [
        Self::Delegate,
        Self::TaskOutput,
        Self::CancelDelegation,
        Self::ListDelegations,
    ];

    /// Every tool, in the order they are offered.
    pub fn all() -> impl Iterator<Item = Self> {
        Self::TASKS.into_iter().chain(Self::AGENTS)
    }

    /// The name on the wire.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AddTask => "add_task",
            Self::ListTasks => "list_tasks",
            Self::UpdateTask => "update_task",
            Self::CompleteTask => "complete_task",
            Self::DeleteTask => "delete_task",
            Self::Undo => "undo",
            Self::AskUser => "ask_user",
            Self::Delegate => "delegate",
            Self::TaskOutput => "task_output",
            Self::CancelDelegation => "cancel_delegation",
            Self::ListDelegations => "list_delegations",
        }
    }

    /// The tool of that name, if there is one.
    pub fn parse(name: &str) -> Option<Self> {
        Self::all().find(|tool| tool.as_str() == name)
    }

    /// Tells whether a call of it can change a task or a run.
    pub const fn mutates(self) -> bool {
        !matches!(
            self,
            Self::ListTasks | Self::AskUser | Self::TaskOutput | Self::ListDelegations
        )
    }
}

impl fmt::Display for Tool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// Action that a receipt attests: a change, or a reading. `history` is a reading of receipts.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// A task was added.
    AddTask,
    /// Tasks were read.
    ListTasks,
    /// A task's title, description, priority, due date or status was changed.
    UpdateTask,
    /// A task was marked as done.
    CompleteTask,
    /// A task was deleted.
    DeleteTask,
    /// An earlier change was taken back.
    Undo,
    /// Receipts were read.
    History,
    /// A task was handed to an agent: a run of it exists.
    Delegate,
    /// A run was stopped, or asked to stop.
    CancelDelegation,
    /// The outcome of a run was read.
    TaskOutput,
    /// Runs were read.
    ListDelegations,
}

impl Action {
    /// Every action.
    pub const ALL: [Self; 11] = [
        Self::AddTask,
        Self::ListTasks,
        Self::UpdateTask,
        Self::CompleteTask,
        Self::DeleteTask,
        Self::Undo,
        Self::History,
        Self::Delegate,
        Self::CancelDelegation,
        Self::TaskOutput,
        Self::ListDelegations,
    ];

    /// The word on the wire and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::AddTask => "add_task",
            Self::ListTasks => "list_tasks",
            Self::UpdateTask => "update_task",
            Self::CompleteTask => "complete_task",
            Self::DeleteTask => "delete_task",
            Self::Undo => "undo",
            Self::History => "history",
            Self::Delegate => "delegate",
            Self::CancelDelegation => "cancel_delegation",
            Self::TaskOutput => "task_output",
            Self::ListDelegations => "list_delegations",
        }
    }

    /// The action of that word, if there is one.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|action| action.as_str() == word)
    }

    /// Tells whether it changed something, a task or a run.
    pub const fn is_change(self) -> bool {
        !self.is_reading()
    }

    /// Tells whether something was read, and nothing changed.
    pub const fn is_reading(self) -> bool {
        matches!(
            self,
            Self::ListTasks | Self::History | Self::TaskOutput | Self::ListDelegations
        )
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}
