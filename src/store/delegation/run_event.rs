//! Events of runs in the log, and how they are read again: the timeline.

use std::collections::BTreeMap;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::Value;

use super::data::{AgentCall, NewCall};
use super::listing::ToolCount;
use crate::audit::{self, EventKind};
use crate::domain::{
    AgentHandle, ErrorType, ReportOutcome, Review, RunHandle, RunState, Verification,
};

/// An event of kind `run`, as its payload tells it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunEvent {
    /// The run.
    pub run: RunHandle,
    /// Agent of the session.
    pub agent_id: AgentHandle,
    /// Event itself.
    #[serde(flatten)]
    pub kind: RunEventKind,
}

/// Event of a run. Words that were erased are absent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RunEventKind {
    /// A run went from a state to another; from nothing when it was delegated.
    RunState {
        /// From where.
        from: Option<RunState>,
        /// To where.
        to: RunState,
        /// Reason, in words.
        #[serde(default, deserialize_with = "said")]
        reason: Option<String>,
    },
    /// Somebody asked a run to stop.
    CancelRequested {
        /// Reason, in words.
        #[serde(default, deserialize_with = "said")]
        reason: Option<String>,
    },
    /// A tool call of the agent began.
    ToolCall {
        /// Counts the run's calls from 1.
        number: u32,
        /// Call as it was made.
        #[serde(flatten)]
        call: NewCall,
    },
    /// A tool call of the agent ended.
    ToolResult {
        /// The call's number.
        number: u32,
        /// The model's id of it.
        tool_call_id: String,
        /// The tool.
        name: String,
        /// True when it succeeded.
        ok: bool,
        /// The kind of fault, when it did not.
        error_type: Option<ErrorType>,
        /// The result's envelope.
        #[serde(default, deserialize_with = "said")]
        answer: Value,
        /// `instance (model)`.
        provider_context: String,
        /// Time that it took.
        duration_ms: u64,
    },
    /// The agent left a note.
    RunNote {
        /// The note.
        #[serde(default, deserialize_with = "said")]
        text: Option<String>,
    },
    /// The user answered what the agent had asked.
    RunAnswer {
        /// The answer.
        #[serde(default, deserialize_with = "said")]
        text: Option<String>,
    },
    /// The agent reported.
    RunResult {
        /// Outcome by the agent's word.
        outcome: ReportOutcome,
        /// Verification of the report against what it cites.
        verification: Verification,
        /// The numbers of the calls it cites.
        #[serde(default)]
        evidence: Vec<u32>,
        /// Its report.
        #[serde(default, deserialize_with = "said")]
        text: Option<String>,
    },
    /// A report came after the run had ended: nothing changed because of it.
    LateResult {
        /// Its report.
        #[serde(default, deserialize_with = "said")]
        text: Option<String>,
    },
    /// The user judged a report.
    Review {
        /// The judgement.
        verdict: Review,
    },
}

/// Reads words that may have been erased: then their hash stands in their place.
pub(super) fn said<'de, T, D>(from: D) -> Result<T, D::Error>
where
    T: DeserializeOwned + Default,
    D: Deserializer<'de>,
{
    let value = Value::deserialize(from)?;
    let erased = (value.as_object())
        .is_some_and(|object| object.len() == 1 && object.contains_key("sha256"));
    if erased {
        return Ok(T::default());
    }
    serde_json::from_value(value).map_err(D::Error::custom)
}

impl RunEvent {
    /// Reads an event; none for one of another kind.
    pub fn read(event: &audit::AuditRow) -> Option<Self> {
        if event.kind != EventKind::Run {
            return None;
        }
        serde_json::from_str(&event.payload).ok()
    }
}

/// The call that an event says has begun.
pub(super) fn call_of(event: &audit::AuditRow) -> Option<AgentCall> {
    let told = RunEvent::read(event)?;
    match told.kind {
        RunEventKind::ToolCall { number, call } => {
            Some(AgentCall::begun(told.run, number, call, event.created_at))
        }
        _ => None,
    }
}

/// The tool calls that a run's events tell of, in order.
pub(super) fn calls(events: &[audit::AuditRow]) -> Vec<AgentCall> {
    let mut calls: Vec<AgentCall> = Vec::new();
    for event in events {
        if let Some(call) = call_of(event) {
            calls.push(call);
        } else if let Some(RunEventKind::ToolResult {
            number: ended,
            ok,
            error_type,
            answer,
            ..
        }) = RunEvent::read(event).map(|told| told.kind)
            && let Some(call) = calls.iter_mut().find(|call| call.number == ended)
        {
            call.ok = Some(ok);
            call.error_type = error_type;
            call.result = answer;
            call.ended_at = Some(event.created_at);
        }
    }
    calls
}

/// Adds what an event says of a tool call to the counts, by the tool's name.
pub(super) fn count(event: &audit::AuditRow, counts: &mut BTreeMap<String, ToolCount>) {
    let Ok(payload) = serde_json::from_str::<Value>(&event.payload) else {
        return;
    };
    let word = |name: &str| payload.get(name).and_then(Value::as_str);
    let (Some(name), called_as) = (word("name"), word("called_as")) else {
        return;
    };
    let own = event.kind != EventKind::Run;
    // Of an agent's call the beginning tells the alias, and the end the rest.
    let begins = own || word("type") == Some("tool_call");
    let ends = own || word("type") == Some("tool_result");
    let count = counts.entry(name.to_owned()).or_default();
    if begins && let Some(alias) = called_as.filter(|alias| *alias != name) {
        *count.aliases.entry(alias.to_owned()).or_default() += 1;
    }
    if !ends {
        return;
    }
    count.calls += 1;
    let fault = word("error_type").or_else(|| {
        let reason = payload.get("reason")?;
        reason.get("errorType").and_then(Value::as_str)
    });
    let failed = match payload.get("ok").and_then(Value::as_bool) {
        Some(ok) => !ok,
        None => event.kind == EventKind::Refusal || word("outcome") == Some("failed"),
    };
    if failed {
        let fault = fault.unwrap_or("permission");
        *count.by_error_type.entry(fault.to_owned()).or_default() += 1;
    } else {
        count.ok += 1;
    }
    let suggested = payload.get("suggested").and_then(Value::as_array);
    for tool in suggested.into_iter().flatten().filter_map(Value::as_str) {
        *count.suggested.entry(tool.to_owned()).or_default() += 1;
    }
}
