//! Delegation under the guard: what words license, what becomes of a proposed call, and every
//! sentence about agents, rendered from rows (delegation design 2.10).
//!
//! An agent's report is a quotation here and nothing else: it licenses nothing and is never said
//! in the server's own voice.

mod faults;
mod find;
mod grant;
mod judge;
mod lines;

pub use faults::{agent_fault, not_delegated};
pub use judge::{DelegatePlan, ErrandPlan};
pub use lines::{
    NOTICE, WAITED, already_ended, conflict_live, delegations_lines, fault_of, run_lines,
    tells_of_notice, who,
};

pub(super) use faults::told_of_agents;
pub(super) use grant::{errand_grant, errand_open};
pub(super) use lines::{delegated, preview, stopped, told_later};
