//! Work that agents do: sessions, runs, what they report, and the queue of what is to be done.
//!
//! One store for all of it, in the same transactions as everything else. A chat turn delegates,
//! resumes and stops by its [`Unit`](super::Unit), so that the task, the run and the receipt
//! commit together. Whoever works on a run holds a [`RunLease`]; each of its writes is checked
//! against it inside the transaction, so that a process that was taken for dead changes nothing.
//!
//! What happens to a run is told to the user's audit log, as events of kind `run` ([`RunEvent`]), in
//! the same transaction: the log has one number per user and no gaps, so it is the timeline as
//! well, and holds the receipts of the agents' tool calls. No second table of either is kept.

mod asking;
mod columns;
mod data;
mod ending;
mod listing;
mod plan;
mod queue;
mod reading;
mod rows;
mod run_event;
mod unit;
mod work;
mod write;

pub use asking::{ASK_USER, AgentQuestion};
pub use data::{
    AgentCall, AgentLine, AgentRole, AgentRun, AgentSession, KnownRuns, NewCall, RunFacts,
    RunFault, RunMetrics, RunNotice, RunOptions, RunResult,
};
pub use listing::{CleanupReport, CompletedBy, RunPage, RunQuery, RunRef, SessionEnd, ToolCount};
pub use run_event::{RunEvent, RunEventKind};
pub use unit::{DelegateFault, DelegationTarget, NewRun, NewSession, SessionChoice, StopOutcome};
pub use work::{
    AgentReport, CallEnd, GivenUp, HeartbeatOutcome, LeasedWrite, RUN_BEAT, RecordedReport,
    RunLease, RunWorker,
};

pub(in crate::store) use plan::{RunState as RunsState, RunsWanted};
pub(in crate::store) use write::{RunBatch, RunWrite};
