//! `task_output{agent_id? | run? | task?, blocking?, timeout_ms?}`

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;

use super::Proposal;

pub(super) const DESCRIPTION: &str = "Read how a delegated task stands, and its result once there \
    is one. Use it when the user asks whether an agent is done, how it is doing or what it found. \
    Reading changes nothing and can be repeated.";

/// Arguments of `task_output`.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct TaskOutputArgs {
    /// The agent, such as "agent-abc123"; else null.
    #[serde(default)]
    #[schemars(length(max = 40))]
    agent_id: Option<String>,
    /// The run, such as "run-7"; else null.
    #[serde(default)]
    #[schemars(length(max = 40))]
    run: Option<String>,
    /// The todo's title; else null.
    #[serde(default)]
    #[schemars(length(max = 500))]
    task: Option<String>,
    /// True: wait until it has ended, at most timeout_ms; else null.
    #[serde(default)]
    blocking: Option<bool>,
    /// The time to wait, in ms, 0 to 60000; else null.
    #[serde(default)]
    #[schemars(range(max = 60_000))]
    timeout_ms: Option<u64>,
}

/// Words that say which run is meant; with none, the newest.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RunWords {
    /// A session's handle.
    pub agent: Option<String>,
    /// A run's handle.
    pub run: Option<String>,
    /// A title.
    pub task: Option<String>,
}

impl RunWords {
    /// Without blanks.
    pub(super) fn of(agent: Option<String>, run: Option<String>, task: Option<String>) -> Self {
        let given = |text: Option<String>| {
            let text = text.map(|text| text.trim().to_owned());
            text.filter(|text| !text.is_empty())
        };
        let (agent, run) = (given(agent), given(run));
        // "run-7" may stand where an agent is asked for.
        match agent {
            Some(text) if text.starts_with("run-") && run.is_none() => Self {
                agent: None,
                run: Some(text),
                task: given(task),
            },
            agent => Self {
                agent,
                run,
                task: given(task),
            },
        }
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

impl TaskOutputArgs {
    pub(super) fn propose(self) -> Proposal {
        let wait = Duration::from_millis(self.timeout_ms.unwrap_or(30_000).min(60_000));
        Proposal::Output(OutputCall {
            which: RunWords::of(self.agent_id, self.run, self.task),
            wait: self.blocking.unwrap_or_default().then_some(wait),
        })
    }
}
