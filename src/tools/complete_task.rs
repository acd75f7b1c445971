//! `complete_task{task}`

use schemars::JsonSchema;
use serde::Deserialize;

use super::{ArgumentFaults, CallContext, NewValues, Proposal, ToolArguments};
use crate::domain::Tool;

/// Arguments of `complete_task`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CompleteTaskArgs {
    /// The task: its title, its position in the list last shown, or a set the user named ("all completed").
    #[schemars(length(min = 1, max = 500))]
    task: String,
}

impl ToolArguments for CompleteTaskArgs {
    const TOOL: Tool = Tool::CompleteTask;
    const DESCRIPTION: &'static str = "Mark one task as done. Use it when the user says that a task is done, finished or ticked off.";

    fn propose(self, _: &CallContext<'_>, _: &mut ArgumentFaults) -> Option<Proposal> {
        Some(Proposal::Change {
            tool: Self::TOOL,
            reference: self.task,
            values: NewValues::default(),
        })
    }
}
