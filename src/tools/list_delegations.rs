//! `list_delegations{state?, persona?, task?, limit?}`

use schemars::JsonSchema;
use serde::Deserialize;

use super::{ArgumentFaults, CallContext, Proposal, ToolArguments};
use crate::domain::{RunState, Tool};

/// Arguments of `list_delegations`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct ListDelegationsArgs {
    /// Only runs in this state; else null.
    #[serde(default)]
    state: Option<RunState>,
    /// Only runs of this persona; else null.
    #[serde(default)]
    #[schemars(length(max = 64))]
    persona: Option<String>,
    /// Only runs of the todo of this title; else null.
    #[serde(default)]
    #[schemars(length(max = 500))]
    task: Option<String>,
    /// At most so many, 1 to 50; else null.
    #[serde(default)]
    #[schemars(range(min = 1, max = 50))]
    limit: Option<u32>,
}

/// A well-formed call of `list_delegations`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DelegationsCall {
    /// Only those that stand here.
    pub state: Option<RunState>,
    /// Only those of this persona.
    pub persona: Option<String>,
    /// Only those of this task.
    pub task: Option<String>,
    /// At most so many.
    pub limit: u32,
}

impl ToolArguments for ListDelegationsArgs {
    const TOOL: Tool = Tool::ListDelegations;
    const DESCRIPTION: &'static str = "List what was delegated, newest first, with its state. Use it \
    when the user asks what agents are working on or what they have delegated.";

    fn propose(self, _: &CallContext<'_>, _: &mut ArgumentFaults) -> Option<Proposal> {
        Some(Proposal::Delegations(DelegationsCall {
            state: self.state,
            persona: self.persona.filter(|text| !text.trim().is_empty()),
            task: self.task.filter(|text| !text.trim().is_empty()),
            limit: self.limit.unwrap_or(20),
        }))
    }
}
