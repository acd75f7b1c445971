//! `cancel_delegation{agent_id? | run? | task?, reason?}`

use schemars::JsonSchema;
use serde::Deserialize;

use super::Proposal;
use super::task_output::RunWords;

pub(super) const DESCRIPTION: &str = "Stop an agent that works on a delegated task. Use it only when \
    the user asks to stop or cancel it.";

/// Arguments of `cancel_delegation`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CancelDelegationArgs {
    /// The agent, such as "agent-abc123"; else null.
    #[serde(default)]
    #[schemars(length(max = 40))]
    agent_id: Option<String>,
    /// The run, such as "run-7"; else null.
    #[serde(default)]
    #[schemars(length(max = 40))]
    run: Option<String>,
    /// The todo's title; else null.
    #[serde(default)]
    #[schemars(length(max = 500))]
    task: Option<String>,
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

impl CancelDelegationArgs {
    pub(super) fn propose(self) -> Proposal {
        Proposal::Cancel(CancelCall {
            which: RunWords::of(self.agent_id, self.run, self.task),
            reason: self.reason.filter(|text| !text.trim().is_empty()),
        })
    }
}
