//! `ask_user{question, options?}`

use schemars::JsonSchema;
use serde::Deserialize;

use super::{ArgumentFaults, CallContext, Proposal, ToolArguments};
use crate::domain::Tool;

/// Arguments of `ask_user`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct AskUserArgs {
    /// The question.
    #[schemars(length(min = 1, max = 500))]
    question: String,
    /// Answers to choose from; else null.
    #[serde(default)]
    #[schemars(length(max = 10), inner(length(min = 1, max = 255)))]
    options: Option<Vec<String>>,
}

impl ToolArguments for AskUserArgs {
    const TOOL: Tool = Tool::AskUser;
    const DESCRIPTION: &'static str = "Ask the user one short question when something needed is \
    missing. Never claim or promise anything in it.";

    fn propose(self, _: &CallContext<'_>, _: &mut ArgumentFaults) -> Option<Proposal> {
        Some(Proposal::Ask {
            question: self.question.trim().to_owned(),
            options: self.options.unwrap_or_default(),
        })
    }
}
