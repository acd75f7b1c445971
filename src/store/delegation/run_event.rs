//! Events of runs in the log, and how they are read again: the timeline.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;

use super::data::AgentCall;
use super::listing::ToolCount;
use crate::audit::{self, EventKind};
use crate::domain::{AgentHandle, ErrorType, RunHandle, RunState};

/// An event of kind `run`, as its payload tells it. Words that were erased are absent.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum RunEvent {
    /// A run went from a state to another; from nothing when it was delegated.
    RunState {
        /// The run.
        run: RunHandle,
        /// Whose session.
        agent_id: AgentHandle,
        /// From where.
        from: Option<RunState>,
        /// To where.
        to: RunState,
        /// Reason, in words.
        reason: Option<String>,
    },
    /// Somebody asked a run to stop.
    CancelRequested {
        /// The run.
        run: RunHandle,
        /// Whose session.
        agent_id: AgentHandle,
        /// Reason, in words.
        reason: Option<String>,
    },
    /// A tool call of the agent began.
    ToolCall {
        /// The run.
        run: RunHandle,
        /// Whose session.
        agent_id: AgentHandle,
        /// Counts the run's calls from 1.
        number: u32,
        /// The model's id of it.
        tool_call_id: String,
        /// The tool.
        name: String,
        /// The name it was called by.
        called_as: String,
        /// Its arguments.
        arguments: Value,
        /// `instance (model)`.
        provider_context: String,
    },
    /// A tool call of the agent ended.
    ToolResult {
        /// The run.
        run: RunHandle,
        /// Whose session.
        agent_id: AgentHandle,
        /// The call's number.
        number: u32,
        /// The model's id of it.
        tool_call_id: String,
        /// The tool.
        name: String,
        /// True when it succeeded.
        ok: bool,
        /// The kind of fault, when it did not.
        error_type: Option<String>,
        /// The arguments were at fault.
        is_validation_error: bool,
        /// The result's envelope.
        result: Value,
        /// `instance (model)`.
        provider_context: String,
        /// Time that it took.
        duration_ms: u64,
    },
    /// The agent left a note.
    RunNote {
        /// The run.
        run: RunHandle,
        /// Whose session.
        agent_id: AgentHandle,
        /// The note.
        text: Option<String>,
    },
    /// The user answered what the agent had asked.
    RunAnswer {
        /// The run.
        run: RunHandle,
        /// Whose session.
        agent_id: AgentHandle,
        /// The answer.
        text: Option<String>,
    },
    /// The agent reported.
    RunResult {
        /// The run.
        run: RunHandle,
        /// Whose session.
        agent_id: AgentHandle,
        /// `completed` or `rejected`.
        outcome: String,
        /// Verification of the report against what it cites.
        verification: String,
        /// Its report.
        text: Option<String>,
    },
    /// A report came after the run had ended: nothing changed because of it.
    LateResult {
        /// The run.
        run: RunHandle,
        /// Whose session.
        agent_id: AgentHandle,
        /// Its report.
        text: Option<String>,
    },
    /// The user judged a report.
    Review {
        /// The run.
        run: RunHandle,
        /// Whose session.
        agent_id: AgentHandle,
        /// `accepted` or `rejected`.
        verdict: String,
    },
}

impl RunEvent {
    /// Reads an event; none for one of another kind.
    pub fn read(event: &audit::AuditRow) -> Option<Self> {
        if event.kind != EventKind::Run {
            return None;
        }
        let payload: Value = serde_json::from_str(&event.payload).ok()?;
        Self::of(&payload)
    }

    fn of(payload: &Value) -> Option<Self> {
        let word = |name: &str| payload.get(name).and_then(Value::as_str).map(str::to_owned);
        let number = |name: &str| payload.get(name).and_then(Value::as_u64);
        // Of erased words the hash stands in their place.
        let said = |name: &str| {
            let value = payload.get(name).cloned().unwrap_or_default();
            let erased = (value.as_object())
                .is_some_and(|object| object.len() == 1 && object.contains_key("sha256"));
            if erased { Value::Null } else { value }
        };
        let run: RunHandle = word("run")?.parse().ok()?;
        let agent_id: AgentHandle = word("agent_id")?.parse().ok()?;
        let state = |name: &str| word(name).and_then(|word| RunState::parse(&word));
        let call = || u32::try_from(number("number")?).ok();
        Some(match word("type")?.as_str() {
            "run_state" => Self::RunState {
                run,
                agent_id,
                from: state("from"),
                to: state("to")?,
                reason: word("reason"),
            },
            "cancel_requested" => Self::CancelRequested {
                run,
                agent_id,
                reason: word("reason"),
            },
            "tool_call" => Self::ToolCall {
                run,
                agent_id,
                number: call()?,
                tool_call_id: word("tool_call_id")?,
                name: word("name")?,
                called_as: word("called_as")?,
                arguments: said("arguments"),
                provider_context: word("provider_context")?,
            },
            "tool_result" => Self::ToolResult {
                run,
                agent_id,
                number: call()?,
                tool_call_id: word("tool_call_id")?,
                name: word("name")?,
                ok: payload.get("ok").and_then(Value::as_bool)?,
                error_type: word("error_type"),
                is_validation_error: word("error_type").as_deref() == Some("validation"),
                result: said("answer"),
                provider_context: word("provider_context")?,
                duration_ms: number("duration_ms").unwrap_or_default(),
            },
            "run_note" => Self::RunNote {
                run,
                agent_id,
                text: word("text"),
            },
            "run_answer" => Self::RunAnswer {
                run,
                agent_id,
                text: word("text"),
            },
            "run_result" => Self::RunResult {
                run,
                agent_id,
                outcome: word("outcome")?,
                verification: word("verification")?,
                text: word("text"),
            },
            "late_result" => Self::LateResult {
                run,
                agent_id,
                text: word("text"),
            },
            "review" => Self::Review {
                run,
                agent_id,
                verdict: word("verdict")?,
            },
            _ => return None,
        })
    }
}

/// The call that an event says has begun.
pub(super) fn call_of(event: &audit::AuditRow) -> Option<AgentCall> {
    match RunEvent::read(event)? {
        RunEvent::ToolCall {
            run,
            number,
            tool_call_id,
            name,
            called_as,
            arguments,
            provider_context,
            ..
        } => Some(AgentCall {
            run,
            number,
            tool_call_id,
            name,
            called_as,
            arguments,
            ok: None,
            error_type: None,
            result: Value::Null,
            provider_context,
            started_at: event.created_at,
            ended_at: None,
        }),
        _ => None,
    }
}

/// The tool calls that a run's events tell of, in order.
pub(super) fn calls(events: &[audit::AuditRow]) -> Vec<AgentCall> {
    let mut calls: Vec<AgentCall> = Vec::new();
    for event in events {
        if let Some(call) = call_of(event) {
            calls.push(call);
        } else if let Some(RunEvent::ToolResult {
            number: ended,
            ok,
            error_type,
            result,
            ..
        }) = RunEvent::read(event)
            && let Some(call) = calls.iter_mut().find(|call| call.number == ended)
        {
            call.ok = Some(ok);
            call.error_type = error_type.as_deref().and_then(kind);
            call.result = result;
            call.ended_at = Some(event.created_at);
        }
    }
    calls
}

/// The kind of fault of that word.
fn kind(word: &str) -> Option<ErrorType> {
    serde_json::from_value(Value::String(word.to_owned())).ok()
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
