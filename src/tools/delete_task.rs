//! `delete_task{task}`

use schemars::JsonSchema;
use serde::Deserialize;

use super::{NewValues, Proposal};
use crate::domain::Tool;

pub(super) const DESCRIPTION: &str = "Remove one task from the list. Use it only when the user asks to delete or remove it, never because it is done.";

/// Arguments of `delete_task`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct DeleteTaskArgs {
    /// The task: its title, its position in the list last shown, or a set the user named ("all completed").
    #[schemars(length(min = 1, max = 500))]
    task: String,
}

impl DeleteTaskArgs {
    pub(super) fn propose(self) -> Proposal {
        Proposal::Change {
            tool: Tool::DeleteTask,
            reference: self.task,
            values: NewValues::default(),
        }
    }
}
