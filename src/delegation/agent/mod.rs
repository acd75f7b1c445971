//! The agent's side of a run: what it is asked, what it may call, when it has ended.
//!
//! Decides and touches no store: the runner above asks the model, runs the calls and writes
//! the rows. The one way to a good end is an accepted `report_result`; text is never a result,
//! however much it looks like one (G-03).
//!
//! - [`AgentMachine`]: answer in, next step out; retries, nudge, budgets, limits
//! - [`ToolRequest`]: a call of the agent's few tools, read and checked
//! - [`ReportedResult`]: what it reports, against its own receipts and the format it was given
//! - [`Workspace`]: the files it may see, and nothing beside them

#[cfg(feature = "delegation")]
mod glob;
mod machine;
mod opening;
#[cfg(feature = "delegation")]
mod own_files;
mod report;
mod tools;
#[cfg(feature = "delegation")]
mod workspace;

pub use machine::{AgentEnd, AgentFailure, AgentMachine, AgentStep, NO_REPORT, RunLimits};
pub use opening::{OpeningMessage, instructions, nudge, opening, out_of_time};
pub use report::{ReportedResult, cited, expected_schema};
pub use tools::{AgentTool, HandOn, NOTE_MAX, RESULT_MAX, ToolRequest, read_call, specs};
#[cfg(feature = "delegation")]
pub use workspace::{OUTPUT_MAX, Workspace};
