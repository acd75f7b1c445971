//! Tools that a model may call, and what a receipt may be about.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

words! {
    /// The tools offered to a model (CONTRACT §4), by their names on the wire.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum Tool {
        /// `add_task{title, description?, priority?, due_date?}`
        AddTask = "add_task",
        /// `list_tasks{status_filter?, due?, query?}`
        ListTasks = "list_tasks",
        /// `update_task{task, title?, description?, priority?, due_date?, status?}`
        UpdateTask = "update_task",
        /// `complete_task{task}`
        CompleteTask = "complete_task",
        /// `delete_task{task}`
        DeleteTask = "delete_task",
        /// `undo{}`
        Undo = "undo",
        /// `ask_user{question, options?}`
        AskUser = "ask_user",
        /// `delegate{tasks, assign_to, …}`
        Delegate = "delegate",
        /// `task_output{agent_id? | run? | task?, blocking?, timeout_ms?}`
        TaskOutput = "task_output",
        /// `cancel_delegation{agent_id? | run? | task?, reason?}`
        CancelDelegation = "cancel_delegation",
        /// `list_delegations{state?, persona?, task?, limit?}`
        ListDelegations = "list_delegations",
    }
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

    /// Tells whether a call of it can change a task or a run.
    pub const fn mutates(self) -> bool {
        !matches!(
            self,
            Self::ListTasks | Self::AskUser | Self::TaskOutput | Self::ListDelegations
        )
    }
}

words! {
    /// Action that a receipt attests: a change, or a reading. `history` is a reading of receipts.
    #[derive(
        Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize, JsonSchema,
    )]
    #[serde(rename_all = "snake_case")]
    pub enum Action {
        /// A task was added.
        AddTask = "add_task",
        /// Tasks were read.
        ListTasks = "list_tasks",
        /// A task's title, description, priority, due date or status was changed.
        UpdateTask = "update_task",
        /// A task was marked as done.
        CompleteTask = "complete_task",
        /// A task was deleted.
        DeleteTask = "delete_task",
        /// An earlier change was taken back.
        Undo = "undo",
        /// Receipts were read.
        History = "history",
        /// A task was handed to an agent: a run of it exists.
        Delegate = "delegate",
        /// A run was stopped, or asked to stop.
        CancelDelegation = "cancel_delegation",
        /// The outcome of a run was read.
        TaskOutput = "task_output",
        /// Runs were read.
        ListDelegations = "list_delegations",
    }
}

impl Action {
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
