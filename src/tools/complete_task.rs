//! `complete_task{task}`

use schemars::JsonSchema;
use serde::Deserialize;

use super::{NewValues, Proposal};
use crate::domain::Tool;

pub(super) const DESCRIPTION: &str =
    "Mark one task as done. Use it when the user says that a task is done, finished or ticked off.";

/// Arguments of `complete_task`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct CompleteTaskArgs {
    /// The task: its title, its position in the list last shown, or a set the user named ("all completed").
    #[schemars(length(min = 1, max = 500))]
    task: String,
}

impl CompleteTaskArgs {
    pub(super) fn propose(self) -> Proposal {
        Proposal::Change {
            tool: Tool::CompleteTask,
            reference: self.task,
            values: NewValues::default(),
        }
    }
}
