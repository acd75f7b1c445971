//! `delete_task{task}`

use schemars::JsonSchema;
use serde::Deserialize;

use super::{ArgumentFaults, CallContext, NewValues, Proposal, ToolArguments};
use crate::domain::Tool;

/// Arguments of `delete_task`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DeleteTaskArgs {
    /// The task: its title, its position in the list last shown, or a set the user named ("all completed").
    #[schemars(length(min = 1, max = 500))]
    task: String,
}

impl ToolArguments for DeleteTaskArgs {
    const TOOL: Tool = Tool::DeleteTask;
    const DESCRIPTION: &'static str = "Remove one task from the list. Use it only when the user asks to delete or remove it, never because it is done.";

    fn propose(self, _: &CallContext<'_>, _: &mut ArgumentFaults) -> Option<Proposal> {
        Some(Proposal::Change {
            tool: Self::TOOL,
            reference: self.task,
            values: NewValues::default(),
        })
    }
}
