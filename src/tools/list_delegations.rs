//! `list_delegations{state?, persona?, task?, limit?}`

use schemars::JsonSchema;
use serde::Deserialize;

use super::delegate::given;
use super::{ArgumentFaults, CallContext, Proposal, ToolArguments};
use crate::domain::{RunState, Tool};

/// A call of `list_delegations`, as a model writes it.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DelegationsCall {
    /// Only runs in this state; else null.
    #[serde(default)]
    pub state: Option<RunState>,
    /// Only runs of this persona; else null.
    #[serde(default)]
    #[schemars(length(max = 64))]
    pub persona: Option<String>,
    /// Only runs of the todo of this title; else null.
    #[serde(default)]
    #[schemars(length(max = 500))]
    pub task: Option<String>,
    /// At most so many, 1 to 50; else null.
    #[serde(default, deserialize_with = "given")]
    #[schemars(with = "Option<u32>", range(min = 1, max = 50), extend("default" = null))]
    pub limit: u32,
}

/// Runs that are listed where no number is given.
const USUAL: u32 = 20;

impl ToolArguments for DelegationsCall {
    const TOOL: Tool = Tool::ListDelegations;
    const DESCRIPTION: &'static str = "List what was delegated, newest first, with its state. Use it \
    when the user asks what agents are working on or what they have delegated.";

    fn propose(mut self, _: &CallContext<'_>, _: &mut ArgumentFaults) -> Option<Proposal> {
        self.persona.take_if(|text| text.trim().is_empty());
        self.task.take_if(|text| text.trim().is_empty());
        if self.limit == 0 {
            self.limit = USUAL;
        }
        Some(Proposal::Delegations(self))
    }
}
