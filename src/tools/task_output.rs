//! `task_output{agent_id? | run? | task?, blocking?, timeout_ms?}`

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use super::{ArgumentFaults, CallContext, Proposal, ToolArguments};
use crate::domain::Tool;

/// Arguments of `task_output`.
#[derive(Debug, Deserialize, JsonSchema)]
pub(super) struct TaskOutputArgs {
    #[serde(flatten)]
    which: RunWords,
    /// True: wait until it has ended, at most timeout_ms; else null.
    #[serde(default)]
    blocking: Option<bool>,
    /// The time to wait, in ms, 0 to 60000; else null.
    #[serde(default)]
    #[schemars(range(max = 60_000))]
    timeout_ms: Option<u64>,
}

/// Words that say which run is meant; with none, the newest.
#[derive(Debug, Clone, PartialEq, Eq, Default, Deserialize, JsonSchema)]
pub struct RunWords {
    /// The agent, such as "agent-abc123"; else null.
    #[serde(default, rename = "agent_id")]
    #[schemars(length(max = 40))]
    pub agent: Option<String>,
    /// The run, such as "run-7"; else null.
    #[serde(default)]
    #[schemars(length(max = 40))]
    pub run: Option<String>,
    /// The todo's title; else null.
    #[serde(default)]
    #[schemars(length(max = 500))]
    pub task: Option<String>,
}

impl RunWords {
    /// The same without blanks.
    pub(super) fn trimmed(self) -> Self {
        let given = |text: Option<String>| {
            let text = text.map(|text| text.trim().to_owned());
            text.filter(|text| !text.is_empty())
        };
        let (mut agent, mut run) = (given(self.agent), given(self.run));
        // "run-7" may stand where an agent is asked for.
        if run.is_none() {
            run = agent.take_if(|text| text.starts_with("run-"));
        }
        let task = given(self.task);
        Self { agent, run, task }
    }
}

/// A well-formed call of `task_output`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutputCall {
    /// The words that say which run.
    pub which: RunWords,
    /// Time to wait for its end; none: not at all.
    pub wait: Option<Duration>,
}

impl ToolArguments for TaskOutputArgs {
    const TOOL: Tool = Tool::TaskOutput;
    const DESCRIPTION: &'static str = "Read how a delegated task stands, and its result once there \
    is one. Use it when the user asks whether an agent is done, how it is doing or what it found. \
    Reading changes nothing and can be repeated.";

    fn propose(self, _: &CallContext<'_>, _: &mut ArgumentFaults) -> Option<Proposal> {
        let wait = Duration::from_millis(self.timeout_ms.unwrap_or(30_000).min(60_000));
        Some(Proposal::Output(OutputCall {
            which: self.which.trimmed(),
            wait: self.blocking.unwrap_or_default().then_some(wait),
        }))
    }
}
