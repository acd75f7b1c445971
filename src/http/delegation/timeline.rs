//! The timeline: what the log tells of a user's runs and tool calls, as events.
//!
//! Each event is one line of the log and is sent once. For editors the same lines come as
//! `session/update` notifications of the Agent Client Protocol.

use serde_json::{Value, json};

use crate::audit::{AuditRow, EventKind};
use crate::store::{RunEvent, RunEventKind};

/// A line of the log as an event, with its name; none for one that is no part of the timeline.
pub(in crate::http) fn own(row: &AuditRow) -> Option<(&'static str, Value)> {
    if let Some(told) = RunEvent::read(row) {
        return Some(of_run(row, &told));
    }
    let name = match row.kind {
        EventKind::ToolCall | EventKind::Refusal => "tool.result",
        EventKind::Reply => "message",
        _ => return None,
    };
    let payload: Value = serde_json::from_str(&row.payload).ok()?;
    let part = |name: &str| payload.get(name).cloned().unwrap_or_default();
    let data = match name {
        "message" => json!({
            "type": "assistant_message", "seq": row.seq, "at": row.created_at,
            "content": part("message"),
        }),
        _ => json!({
            "type": "tool_result", "seq": row.seq, "at": row.created_at,
            "tool_call_id": part("call_id"), "name": part("name"), "called_as": part("called_as"),
            "arguments": part("arguments"), "outcome": part("outcome"), "result": part("reason"),
            "is_error": matches!(part("outcome").as_str(), Some("failed" | "refused")),
        }),
    };
    Some((name, data))
}

fn of_run(row: &AuditRow, told: &RunEvent) -> (&'static str, Value) {
    let name = match told.kind {
        RunEventKind::RunState { .. } | RunEventKind::CancelRequested { .. } => "run.state",
        RunEventKind::ToolCall { .. } => "tool.call",
        RunEventKind::ToolResult { .. } => "tool.result",
        RunEventKind::RunNote { .. }
        | RunEventKind::RunResult { .. }
        | RunEventKind::RunAnswer { .. } => "run.progress",
        RunEventKind::LateResult { .. } | RunEventKind::Review { .. } => "notification",
    };
    let mut data = json!(told);
    if let Some(data) = data.as_object_mut() {
        data.insert("seq".to_owned(), row.seq.into());
        data.insert("at".to_owned(), json!(row.created_at));
        // The run's own row has them, with their receipts.
        data.remove("evidence");
        if let Some(answer) = data.remove("answer") {
            let fault = data.get("error_type").and_then(Value::as_str);
            let validation = fault == Some("validation");
            data.insert("is_validation_error".to_owned(), validation.into());
            data.insert("result".to_owned(), answer);
        }
    }
    (name, data)
}

/// The same as a notification of the Agent Client Protocol, version 1.
pub(in crate::http) fn acp(row: &AuditRow) -> Option<Value> {
    let RunEvent {
        run,
        agent_id,
        kind,
    } = RunEvent::read(row)?;
    let says = |kind: &str, text: Option<String>| json!({"sessionUpdate": kind, "content": {"type": "text", "text": text.unwrap_or_default()}});
    let update = match kind {
        RunEventKind::ToolCall { number, call } => {
            json!({"sessionUpdate": "tool_call", "toolCallId": format!("{run}-r{number}"),
                "title": call.name, "kind": "other", "status": "pending",
                "rawInput": call.arguments})
        }
        RunEventKind::ToolResult {
            number, ok, answer, ..
        } => json!({"sessionUpdate": "tool_call_update", "toolCallId": format!("{run}-r{number}"),
            "status": if ok { "completed" } else { "failed" }, "rawOutput": answer}),
        RunEventKind::RunState { to, .. } => {
            says("agent_thought_chunk", Some(format!("{run} is {to}")))
        }
        RunEventKind::RunNote { text } => says("agent_thought_chunk", text),
        RunEventKind::RunAnswer { text } => says("user_message_chunk", text),
        RunEventKind::RunResult { text, .. } | RunEventKind::LateResult { text } => {
            says("agent_message_chunk", text)
        }
        RunEventKind::CancelRequested { .. } | RunEventKind::Review { .. } => return None,
    };
    Some(json!({
        "jsonrpc": "2.0",
        "method": "session/update",
        "params": {"sessionId": agent_id, "update": update},
    }))
}
