//! `cancel_delegation{agent_id? | run? | task?, reason?}`

use schemars::JsonSchema;
use serde::Deserialize;

use super::task_output::{RunArgs, RunWords};
use super::{ArgumentFaults, CallContext, Proposal, ToolArguments};
use crate::domain::Tool;

/// Arguments of `cancel_delegation`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct CancelDelegationArgs {
    #[serde(flatten)]
    which: RunArgs,
    /// The reason, in a few words; else null.
    #[serde(default)]
    #[schemars(length(max = 500))]
    reason: Option<String>,
}

/// A well-formed call of `cancel_delegation`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CancelCall {
    /// The words that say which run.
    pub which: RunWords,
    /// Reason for stopping it.
    pub reason: Option<String>,
}

impl ToolArguments for CancelDelegationArgs {
    const TOOL: Tool = Tool::CancelDelegation;
    const DESCRIPTION: &'static str = "Stop an agent that works on a delegated task. Use it only when \
    the user asks to stop or cancel it.";

    fn propose(self, _: &CallContext<'_>, _: &mut ArgumentFaults) -> Option<Proposal> {
        Some(Proposal::Cancel(CancelCall {
            which: self.which.into(),
            reason: self.reason.filter(|text| !text.trim().is_empty()),
        }))
    }
}
