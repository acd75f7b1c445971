//! The agent's side of a run: what it is asked, what it may call, when it has ended.
//!
//! Decides and touches no store: the runner above asks the model, runs the calls and writes
//! the rows. The one way to a good end is an accepted `report_result`; text is never a result,
//! however much it looks like one (G-03).
//!
//! - [`AgentMachine`]: answer in, next step out; retries, nudge, budgets, limits
//! - [`ToolRequest`]: a call of the agent's few tools, read and checked
//! - [`check`]: its report against the format it was given
//! - [`Workspace`]: the files it may see, and nothing beside them

mod glob;
mod machine;
mod opening;
mod own_files;
mod report;
mod tools;
mod workspace;

pub use machine::{AgentMachine, AgentStep, NO_REPORT, RunLimits};
pub use opening::{instructions, nudge, opening, out_of_time};
pub use report::{check, expected_schema};
pub use tools::{AgentTool, HandOn, ToolRequest, read_call, shown_name, specs};
pub use workspace::Workspace;
