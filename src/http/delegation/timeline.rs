//! The timeline: what the log tells of a user's runs and tool calls, as events.
//!
//! Each event is one line of the log and is sent once. For editors the same lines come as
//! `session/update` notifications of the Agent Client Protocol.

use serde_json::{Value, json};

use crate::audit::{AuditRow, EventKind};
use crate::store::RunEvent;

/// A line of the log as an event, with its name; none for one that is no part of the timeline.
pub(in crate::http) fn own(row: &AuditRow) -> Option<(&'static str, Value)> {
    if let Some(told) = RunEvent::read(row) {
        let name = match &told {
            RunEvent::RunState { .. } | RunEvent::CancelRequested { .. } => "run.state",
            RunEvent::ToolCall { .. } => "tool.call",
            RunEvent::ToolResult { .. } => "tool.result",
            RunEvent::RunNote { .. } | RunEvent::RunResult { .. } | RunEvent::RunAnswer { .. } => {
                "run.progress"
            }
            RunEvent::LateResult { .. } | RunEvent::Review { .. } => "notification",
        };
        let mut data = json!(told);
        if let Some(data) = data.as_object_mut() {
            data.insert("seq".to_owned(), row.seq.into());
            data.insert("at".to_owned(), json!(row.created_at));
        }
        return Some((name, data));
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

/// The same as a notification of the Agent Client Protocol, version 1.
pub(in crate::http) fn acp(row: &AuditRow) -> Option<Value> {
    let told = RunEvent::read(row)?;
    let text =
        |text: &Option<String>| json!({"type": "text", "text": text.clone().unwrap_or_default()});
    let (session, update) = match &told {
        RunEvent::ToolCall {
            agent_id,
            run,
            number,
            name,
            arguments,
            ..
        } => (
            agent_id,
            json!({"sessionUpdate": "tool_call", "toolCallId": format!("{run}-r{number}"),
                "title": name, "kind": "other", "status": "pending", "rawInput": arguments}),
        ),
        RunEvent::ToolResult {
            agent_id,
            run,
            number,
            ok,
            result,
            ..
        } => (
            agent_id,
            json!({"sessionUpdate": "tool_call_update", "toolCallId": format!("{run}-r{number}"),
                "status": if *ok { "completed" } else { "failed" }, "rawOutput": result}),
        ),
        RunEvent::RunState {
            agent_id, run, to, ..
        } => (
            agent_id,
            json!({"sessionUpdate": "agent_thought_chunk",
                "content": {"type": "text", "text": format!("{run} is {to}")}}),
        ),
        RunEvent::RunNote {
            agent_id,
            text: note,
            ..
        } => (
            agent_id,
            json!({"sessionUpdate": "agent_thought_chunk", "content": text(note)}),
        ),
        RunEvent::RunAnswer {
            agent_id,
            text: answer,
            ..
        } => (
            agent_id,
            json!({"sessionUpdate": "user_message_chunk", "content": text(answer)}),
        ),
        RunEvent::RunResult {
            agent_id,
            text: result,
            ..
        }
        | RunEvent::LateResult {
            agent_id,
            text: result,
            ..
        } => (
            agent_id,
            json!({"sessionUpdate": "agent_message_chunk", "content": text(result)}),
        ),
        RunEvent::CancelRequested { .. } | RunEvent::Review { .. } => return None,
    };
    Some(json!({
        "jsonrpc": "2.0",
        "method": "session/update",
        "params": {"sessionId": session, "update": update},
    }))
}
