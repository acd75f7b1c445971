//! Figures of a turn for the operator, told once the user has the answer.
//!
//! It is gathered while the turn runs and counted when its last commit stands: a turn that was
//! overtaken and is run anew counts once.

use std::time::{Duration, Instant};

use crate::domain::Tool;
use crate::guard::Verdict;
use crate::llm::RawCall;
use crate::telemetry::trace::{SpanKind, TraceSpan, is_token, names};
use crate::telemetry::{self, TurnEnd};
use crate::turn::{CallResult, LedgerEntry};

/// Parts of a turn's time, its commits included.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct TurnTiming {
    /// Milliseconds from the request to the committed reply.
    pub total: f64,
    /// Of that, waiting for the model.
    pub model: f64,
    /// Of that, waiting for commits.
    pub commit: f64,
}

impl TurnTiming {
    /// Time since a request came, in which no model was asked.
    pub(in crate::chat) fn since(started: Instant) -> Self {
        Self {
            total: milliseconds(started.elapsed()),
            ..Self::default()
        }
    }

    /// Milliseconds that were not the model's.
    pub const fn own(&self) -> f64 {
        (self.total - self.model).max(0.0)
    }
}

/// Figures gathered in a turn.
#[derive(Debug, Default)]
pub(super) struct TurnTally {
    ghosts: Vec<&'static str>,
    verdicts: Vec<&'static str>,
    /// Time spent waiting for commits.
    pub(super) committing: Duration,
    /// The turn's, for who follows single ones.
    span: TraceSpan,
}

impl TurnTally {
    /// Nothing yet, of the turn whose span is current.
    pub(super) fn begin() -> Self {
        Self {
            span: TraceSpan::current(),
            ..Self::default()
        }
    }

    /// Text of the model was not shown.
    pub(super) fn ghost(&mut self, reason: &'static str) {
        self.ghosts.push(reason);
    }

    /// The guard spoke about a call.
    pub(super) fn verdict(&mut self, verdict: &Verdict) {
        self.verdicts.push(match verdict {
            Verdict::Allow(_) => "allow",
            Verdict::Confirm(_) => "confirm",
            Verdict::AskUser { .. } => "ask_user",
            Verdict::Errand(_) => "errand",
            Verdict::Fail(_) => "fail",
            Verdict::Deny(..) => "deny",
        });
    }

    /// Counts the turn, and its calls.
    pub(super) fn count(&self, end: &TurnEnd<'static>, entries: &[LedgerEntry]) {
        self.span.set(names::TURN_KIND, end.kind);
        let Some(meters) = telemetry::meters() else {
            return;
        };
        meters.turn(end);
        for reason in &self.ghosts {
            meters.ghost(reason);
        }
        for verdict in &self.verdicts {
            meters.verdict(verdict);
        }
        for entry in entries {
            count_call(meters, entry);
        }
    }
}

fn count_call(meters: &telemetry::Meters, entry: &LedgerEntry) {
    // A reading of receipts is the server's own, no call of a tool.
    if entry.tool.is_none() && entry.call_id.is_none() {
        return;
    }
    meters.tool(entry.tool, outcome(&entry.result));
    if let CallResult::Refused(reason, _) = &entry.result {
        meters.refusal(reason.as_str());
    }
}

/// The word for what came of a call.
pub(super) const fn outcome(result: &CallResult) -> &'static str {
    match result {
        CallResult::Done(_) => "done",
        CallResult::Unchanged(_) => "unchanged",
        CallResult::Failed(_) => "failed",
        CallResult::Refused(..) => "refused",
        CallResult::Asked => "asked",
    }
}

pub(in crate::chat) fn milliseconds(duration: Duration) -> f64 {
    duration.as_secs_f64() * 1000.0
}

/// The span of a call; a name that is no tool's is the model's text and stays out of it.
pub(super) fn tool_span(call: &RawCall) -> TraceSpan {
    let tool = Tool::parse(call.name.trim()).map_or("unknown", Tool::as_str);
    let span = TraceSpan::begin(SpanKind::Internal, || {
        format!("{} {tool}", names::EXECUTE_TOOL)
    });
    span.set(names::OPERATION, names::EXECUTE_TOOL);
    span.set(names::TOOL_NAME, tool);
    if span.is_seen() && is_token(&call.id) {
        span.set(names::TOOL_CALL_ID, call.id.clone());
    }
    span
}

/// Notes in the span of a call what came of it.
pub(super) fn note_outcome(span: &TraceSpan, entries: &[LedgerEntry]) {
    let unwell = entries.iter().find(|entry| !entry.succeeded());
    if let Some(entry) = unwell.or(entries.first()) {
        span.set(names::OUTCOME, outcome(&entry.result));
        if let CallResult::Failed(_) = &entry.result {
            span.fail("tool_error");
        }
    }
    span.end();
}
