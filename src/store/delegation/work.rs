//! Workers on runs, the right they work by, and what is written under it.

use std::time::Duration;

use serde_json::Value;

use super::data::{AgentRun, RunFault, RunMetrics};
use super::write::{RunChange, RunWrite, WriteRight};
use crate::domain::{ErrorType, ReportOutcome, Verification};

/// Interval at which a worker says that it works on a run. The statements count one that has said nothing
/// for ten seconds as gone.
pub const RUN_BEAT: Duration = Duration::from_millis(2_000);

/// The longest report, in characters.
pub(super) const REPORT_MAX: usize = 32_000;

/// Process that works on runs, and how many at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunWorker {
    /// The process; no two have the same.
    pub owner: String,
    /// Runs of one user that are worked on at once, by all processes.
    pub per_user: u32,
    /// Runs that are worked on at once, by all processes.
    pub in_all: u32,
    /// Providers that can take no more now: their runs wait.
    pub full: Vec<String>,
}

/// The right to work on a run; worth nothing once it was lost.
#[derive(Debug, Clone, PartialEq)]
pub struct RunLease {
    /// The run as it was leased.
    pub run: AgentRun,
    pub(super) owner: String,
    pub(super) attempt: u32,
}

/// Outcome of a write under a lease.
#[derive(Debug, Clone, PartialEq)]
#[must_use = "what was lost must not go on"]
pub enum LeasedWrite<T> {
    /// Written.
    Yes(T),
    /// The run has ended or is another's; nothing is written.
    Lost,
}

/// State of the run, as a beat finds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HeartbeatOutcome {
    /// Go on.
    Alive,
    /// Somebody asked it to stop.
    Stop,
    /// The run has ended or is another's.
    Lost,
}

/// Outcome of a tool call.
#[derive(Debug, Clone, PartialEq)]
pub struct CallEnd {
    /// True when it succeeded.
    pub ok: bool,
    /// The kind of fault; there is one exactly when it did not.
    pub error_type: Option<ErrorType>,
    /// The result's envelope.
    pub result: Value,
    /// Time that it took.
    pub duration_ms: u64,
}

/// Report of an agent.
#[derive(Debug, Clone, PartialEq)]
pub struct AgentReport {
    /// Outcome of the run, by the agent's word.
    pub outcome: ReportOutcome,
    /// Its report, 1 to 32 000 characters that are not all blank; others are refused.
    pub text: String,
    /// The report as data.
    pub json: Option<Value>,
    /// A short form of it.
    pub summary: Option<String>,
    /// The numbers of the calls it cites.
    pub evidence: Vec<u32>,
    /// The cost of the run.
    pub metrics: RunMetrics,
}

/// Reason why whoever works on a run ends it without a report.
#[derive(Debug, Clone, PartialEq)]
pub enum GivenUp {
    /// The run failed, at this cost.
    Failed(RunFault, RunMetrics),
    /// Somebody asked it to stop, and it has, at this cost (G-11).
    Cancelled(RunMetrics),
    /// Its process ends, say: what came of it is not known.
    Interrupted(&'static str),
}

/// Outcome of a report.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedReport {
    /// The run as it stands now: completed, or failed where the agent gave up or what it cites
    /// is not so.
    pub run: AgentRun,
    /// Verification of the report against what it cites.
    pub verification: Verification,
    /// The task was marked as done by it.
    pub task_completed: bool,
}

impl<T> LeasedWrite<T> {
    /// The same outcome with another value.
    pub(super) fn with<U>(self, value: U) -> LeasedWrite<U> {
        match self {
            Self::Yes(_) => LeasedWrite::Yes(value),
            Self::Lost => LeasedWrite::Lost,
        }
    }
}

impl RunLease {
    pub(super) fn write(&self, act: RunChange) -> RunWrite {
        let hold = WriteRight::Worker {
            owner: self.owner.clone(),
            attempt: self.attempt,
        };
        self.run.write(hold, act)
    }
}
