//! `undo{}`

use schemars::JsonSchema;
use serde::Deserialize;

use super::Proposal;

pub(super) const DESCRIPTION: &str = "Take back the latest change made in this conversation, whole. \
    Use it when the user says undo, revert or put it back.";

/// Arguments of `undo`: none.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct UndoArgs {}

impl UndoArgs {
    pub(super) fn propose(self) -> Proposal {
        let Self {} = self;
        Proposal::Undo
    }
}
