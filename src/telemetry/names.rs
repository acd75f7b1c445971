//! Every figure: its name, what it counts, in which unit, by which labels.
//!
//! Dashboards and alerts are written against these names, so a change of one is a change of the
//! product. Every label has a bounded set of values, none of which comes from a user.

use prometheus::core::{MetricVec, MetricVecBuilder};
use prometheus::{
    GaugeVec as Gauge, HistogramOpts, HistogramVec as Histogram, IntCounterVec as Counter, Opts,
    Registry, Result,
};

use crate::domain::{Action, Tool};

/// Behaviour of a figure over time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FigureKind {
    /// Only grows, until the process ends.
    Counter,
    /// Goes up and down.
    Gauge,
    /// Seconds, in buckets.
    Histogram,
}

/// One figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FigureName {
    /// As Prometheus reads it.
    pub name: &'static str,
    /// Its behaviour over time.
    pub kind: FigureKind,
    /// Its meaning, in one line.
    pub help: &'static str,
    /// Labels that tell its series apart.
    pub labels: &'static [&'static str],
}

impl FigureName {
    const fn new(
        name: &'static str,
        kind: FigureKind,
        help: &'static str,
        labels: &'static [&'static str],
    ) -> Self {
        Self {
            name,
            kind,
            help,
            labels,
        }
    }
}

impl From<FigureName> for Opts {
    fn from(figure: FigureName) -> Self {
        Self::new(figure.name, figure.help)
    }
}

impl From<FigureName> for HistogramOpts {
    fn from(figure: FigureName) -> Self {
        Self::new(figure.name, figure.help).buckets(BUCKETS.to_vec())
    }
}

/// Declares the figures: the field of each, its kind, its name, its labels, its meaning, and the
/// series of it that are there from the beginning.
macro_rules! figures {
    ($($field:ident: $kind:ident $name:literal [$($label:literal),*] $help:literal
        $(having $series:expr)?;)*) => {
        /// Every figure, in the order of the table in docs/OPERATING.md.
        pub const ALL: &[FigureName] =
            &[$(FigureName::new($name, FigureKind::$kind, $help, &[$($label),*])),*];

        /// All figures of the process, as the library keeps them.
        pub(super) struct Figures {
            $(pub(super) $field: $kind,)*
        }

        impl Figures {
            /// Registers all of them, with nothing counted yet.
            pub(super) fn register(registry: &Registry) -> Result<Self> {
                $(
                    let name = FigureName::new($name, FigureKind::$kind, $help, &[$($label),*]);
                    let $field = $kind::new(name.into(), name.labels)?;
                    begin(registry, &$field, name)?;
                    $(for series in $series {
                        $field.get_metric_with_label_values(&series)?;
                    })?
                )*
                Ok(Self { $($field,)* })
            }
        }
    };
}

figures! {
    turns: Counter "candor_turns_total" ["kind"]
        "Turns told, by the kind of their reply."
        having [["question"], ["failure"], ["receipt"], ["chat"]];
    replays: Counter "candor_turns_replayed_total" []
        "Answers given again under their idempotency key.";
    turn_seconds: Histogram "candor_turn_duration_seconds" []
        "A whole turn: from the request to the committed reply.";
    own_seconds: Histogram "candor_turn_own_duration_seconds" []
        "A turn without the time its model took, its commits included.";
    ghosts: Counter "candor_ghost_attempts_stopped_total" ["reason"]
        "Text of models that was not shown, by why."
        having [["ghost"], ["asserts"], ["ask_user"], ["delegation"]];
    verdicts: Counter "candor_verdicts_total" ["verdict"]
        "Proposed calls, by what the guard said of them."
        having [["allow"], ["confirm"], ["deny"], ["fail"]];
    refusals: Counter "candor_calls_refused_total" ["reason"]
        "Proposed calls that the user's words do not allow, by why."
        having [["unlicensed"]];
    tools: Counter "candor_tool_calls_total" ["tool", "outcome"]
        "Calls of turns that were told, by tool and by what came of them."
        having each_tool();
    receipts: Counter "candor_receipts_total" ["action"]
        "Receipts committed, by action, of chat and of direct writes."
        having Action::ALL.map(|action| [action.as_str()]);
    model_calls: Counter "candor_model_calls_total" ["provider", "model", "outcome"]
        "Questions to models, by who was asked and how it ended.";
    model_seconds: Histogram "candor_model_call_duration_seconds" ["provider", "model"]
        "One question to a model, its repeats and fallbacks included.";
    model_tokens: Counter "candor_model_tokens_total" ["provider", "model", "direction"]
        "Tokens that models' servers say they read (input) and wrote (output).";
    commits: Counter "candor_commits_total" ["outcome"]
        "Units of work, by the fate of their transaction."
        having [["committed"], ["rolled_back"], ["unknown"]];
    commit_seconds: Histogram "candor_commit_duration_seconds" []
        "A unit of work, from its handing in until its fate is known.";
    statements: Counter "candor_statements_total" []
        "Statements given to the database's driver; what erasure asks of SQLite is left out.";
    requests: Counter "candor_http_requests_total" ["method", "route", "status"]
        "Requests answered.";
    request_seconds: Histogram "candor_http_request_duration_seconds" ["route"]
        "A request, until its answer's head.";
    in_flight: Gauge "candor_http_requests_in_flight" []
        "Requests without an answer yet.";
    problems: Counter "candor_problems_total" ["code"]
        "Errors answered, by the code of the problem."
        having [["internal"], ["storage_unavailable"], ["model_unavailable"], ["unconfirmed"]];
    limited: Counter "candor_rate_limited_total" ["policy"]
        "Turns refused for their number, by whose limit it was."
        having [["user"], ["key"]];
    streams: Gauge "candor_event_streams" []
        "Open streams of events.";
    running: Gauge "candor_turns_running" []
        "Turns and writes under way in this process.";
    open_turns: Gauge "candor_open_turns" []
        "Turns in the database that have changed something and have no reply yet.";
    runs: Gauge "candor_delegation_runs" ["state"]
        "Runs of agents in the database that have not ended, by state."
        having [["pending"], ["running"], ["input_required"]];
    reminders: Counter "candor_reminders_total" ["outcome"]
        "Reminders that ended in this process: delivered by events or webhook, or missed."
        having [["events"], ["webhook"], ["missed"]];
    reminder_failures: Counter "candor_reminder_tries_failed_total" []
        "Reminders that the webhook did not take at a try.";
    reminder_seconds: Histogram "candor_reminder_lateness_seconds" []
        "Time between a reminder's time and its delivery.";
    reminders_waiting: Gauge "candor_reminders_waiting" []
        "Reminders in the database that are not delivered yet.";
    ready: Gauge "candor_ready" []
        "1 while /readyz says yes, else 0.";
    build: Gauge "candor_build_info" ["version", "database"]
        "Always 1: which program over which database.";
    uptime: Gauge "candor_uptime_seconds" []
        "How long the process has run.";
    memory: Gauge "process_resident_memory_bytes" []
        "Memory of the process that is in use (Linux).";
    files: Gauge "process_open_fds" []
        "Files and sockets of the process that are open (Linux).";
}

/// Registers a figure; one without labels is there from the beginning.
fn begin<T: MetricVecBuilder + 'static>(
    registry: &Registry,
    figures: &MetricVec<T>,
    name: FigureName,
) -> Result<()> {
    registry.register(Box::new(figures.clone()))?;
    if name.labels.is_empty() {
        figures.get_metric_with_label_values::<&str>(&[])?;
    }
    Ok(())
}

/// Series of every tool with each outcome of a call.
fn each_tool() -> impl Iterator<Item = [&'static str; 2]> {
    const OUTCOMES: [&str; 5] = ["done", "unchanged", "failed", "refused", "asked"];
    Tool::ALL
        .into_iter()
        .flat_map(|tool| OUTCOMES.map(|outcome| [tool.as_str(), outcome]))
}

/// Upper edges of the buckets, in seconds: fine where turns are, from 0.1 ms to 10 s, and one
/// more for models that take their time.
pub const BUCKETS: [f64; 24] = [
    0.0001, 0.0002, 0.0003, 0.0004, 0.0006, 0.0008, 0.001, 0.0015, 0.002, 0.003, 0.005, 0.0075,
    0.01, 0.02, 0.03, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0,
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn names_are_those_of_prometheus() {
        let mut seen = BTreeSet::new();
        for name in ALL {
            assert!(seen.insert(name.name), "{} stands twice", name.name);
            let plain = |c: char| c.is_ascii_lowercase() || c == '_';
            assert!(name.name.chars().all(plain), "{}", name.name);
            let counts = name.name.ends_with("_total");
            assert_eq!(counts, name.kind == FigureKind::Counter, "{}", name.name);
            if name.kind == FigureKind::Histogram {
                assert!(name.name.ends_with("_seconds"), "{}", name.name);
            }
            assert!(name.help.ends_with('.'), "{}", name.name);
        }
    }

    #[test]
    fn buckets_rise() {
        assert!(BUCKETS.is_sorted_by(|a, b| a < b));
    }
}
