//! The agent's side of a run: what it is asked, what it may call, when it has ended.
//!
//! Decides and touches no store: the runner above asks the model, runs the calls and writes
//! the rows. The one way to a good end is an accepted `report_result`; text is never a result,
//! however much it looks like one (G-03).
//!
//! - [`Machine`]: answer in, next step out; retries, nudge, budgets, limits
//! - [`Asked`]: a call of the agent's few tools, read and checked
//! - [`Report`]: what it reports, against its own receipts and the format it was given
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

pub use machine::{End, Failure, Limits, Machine, NO_REPORT, Step};
pub use opening::{Opening, instructions, nudge, opening, out_of_time};
pub use report::{Report, cited, expected_schema};
pub use tools::{AgentTool, Asked, HandOn, NOTE_MAX, RESULT_MAX, read_call, specs};
#[cfg(feature = "delegation")]
pub use workspace::{OUTPUT_MAX, Workspace};
