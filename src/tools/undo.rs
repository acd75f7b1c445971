//! `undo{}`

use schemars::JsonSchema;
use serde::Deserialize;

use super::{ArgumentFaults, CallContext, Proposal, ToolArguments};
use crate::domain::Tool;

/// Arguments of `undo`: none.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct UndoArgs {}

impl ToolArguments for UndoArgs {
    const TOOL: Tool = Tool::Undo;
    const DESCRIPTION: &'static str = "Take back the latest change made in this conversation, or what \
    it did to the tasks that the user names. Use it when the user says undo, revert or put it back.";

    fn propose(self, _: &CallContext<'_>, _: &mut ArgumentFaults) -> Option<Proposal> {
        let Self {} = self;
        Some(Proposal::Undo)
    }
}
