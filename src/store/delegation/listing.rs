//! Queries for runs, and what a list of them is.

use serde::{Deserialize, Serialize};

use super::data::AgentRun;
use crate::domain::{AgentHandle, RunHandle, RunId, RunState, TaskId};

/// Reference to a run; of several the newest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunRef<'a> {
    /// Run of this id.
    Id(RunId),
    /// Run of this handle.
    Handle(RunHandle),
    /// The newest of a session.
    Agent(&'a AgentHandle),
}

/// Filter of runs, newest first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunQuery {
    /// Only those that stand here.
    pub state: Option<RunState>,
    /// Only those of sessions of this persona.
    pub persona: Option<String>,
    /// Only those of this task.
    pub task: Option<TaskId>,
    /// Only those of this session.
    pub agent: Option<AgentHandle>,
    /// Goes on where a page ended: its `next`.
    pub before: Option<RunHandle>,
    /// At most so many; 0 means 20.
    pub limit: u32,
}

/// Some runs.
#[derive(Debug, Clone, PartialEq)]
pub struct RunPage {
    /// The runs, newest first.
    pub runs: Vec<AgentRun>,
    /// Number of runs that match in all, whatever the page.
    pub matched: u64,
    /// Place at which the next page begins, when there is one.
    pub next: Option<RunHandle>,
}

/// By whom a task was completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CompletedBy {
    /// By the user's word.
    User,
    /// By an agent: this run proves it.
    Agent(RunHandle),
}

/// Counts of what a clean-up removed, and what it kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, utoipa::ToSchema)]
pub struct CleanupReport {
    /// Sessions that are gone.
    pub sessions: u64,
    /// Runs that are gone.
    pub runs: u64,
    /// Lines of conversations that are gone.
    pub lines: u64,
    /// Runs whose lines went, but that stay: what they reported proves a completed task.
    pub kept: u64,
}

/// Outcome of the removal of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionEnd {
    /// The session is gone, or never was: to remove twice is no fault.
    Gone(CleanupReport),
    /// The session is worked on, and was left alone.
    Live(RunHandle),
    /// The session was asked to stop, and is removed once it has: ask again.
    Stopping(RunHandle),
}

/// Counts of the calls of a tool, over a user's whole log.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize)]
pub struct ToolCount {
    /// Calls.
    pub calls: u64,
    /// Calls that succeeded.
    pub ok: u64,
    /// Calls that did not, by kind of fault.
    pub by_error_type: std::collections::BTreeMap<String, u64>,
    /// Calls by a name that is not the tool's own, by that name.
    pub aliases: std::collections::BTreeMap<String, u64>,
    /// Calls that were refused with another tool as the suggestion, by that tool.
    pub suggested: std::collections::BTreeMap<String, u64>,
}

impl RunPage {
    /// Returns the number of runs that match and are not on this page.
    pub fn withheld(&self) -> u64 {
        self.matched.saturating_sub(self.runs.len() as u64)
    }
}
