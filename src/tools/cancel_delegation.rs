//! `cancel_delegation{agent_id? | run? | task?, reason?}`

use schemars::JsonSchema;
use serde::Deserialize;

use super::task_output::RunWords;
use super::{ArgumentFaults, CallContext, Proposal, ToolArguments};
use crate::domain::Tool;

/// A call of `cancel_delegation`.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, JsonSchema)]
pub struct CancelCall {
    /// The words that say which run.
    #[serde(flatten)]
    pub which: RunWords,
    /// The reason, in a few words; else null.
    #[serde(default)]
    #[schemars(length(max = 500))]
    pub reason: Option<String>,
}

impl ToolArguments for CancelCall {
    const TOOL: Tool = Tool::CancelDelegation;
    const DESCRIPTION: &'static str = "Stop an agent that works on a delegated task. Use it only when \
    the user asks to stop or cancel it.";

    fn propose(self, _: &CallContext<'_>, _: &mut ArgumentFaults) -> Option<Proposal> {
        Some(Proposal::Cancel(CancelCall {
            which: self.which.trimmed(),
            reason: self.reason.filter(|text| !text.trim().is_empty()),
        }))
    }
}
