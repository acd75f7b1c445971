//! A response, whole or as the events that it is made by.

use serde_json::{Value, json};

use super::RequestEcho;
use crate::domain::put_member;
use crate::http::code::Code;
use crate::http::problem::Problem;
use crate::http::v1::answer::Completion;

/// Progress of a response.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    InProgress,
    Completed,
    Failed,
}

impl Status {
    const fn as_str(self) -> &'static str {
        match self {
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
            Self::Failed => "failed",
        }
    }
}

/// The response in one piece.
pub(in crate::http::v1) fn whole(completion: &Completion, echo: &RequestEcho) -> Value {
    let mut response = response(Status::Completed, completion, echo);
    let message = message(completion, Status::Completed, true);
    put_member(&mut response, "output", json!([message]));
    put_member(&mut response, "usage", usage(completion));
    put_member(&mut response, "candor", completion.candor.clone());
    response
}

/// The events of a response that is there: as the published sequence has them, the text line by
/// line.
pub(in crate::http::v1) fn events(completion: &Completion, echo: &RequestEcho) -> Vec<Value> {
    let item_id = completion.message_id();
    let begun = response(Status::InProgress, completion, echo);
    let whole = whole(completion, echo);
    let part_event = |kind: &str, name: &str, value: Value| {
        json!({
            "type": kind, "item_id": item_id, "output_index": 0, "content_index": 0, name: value,
        })
    };
    let text_event = |kind: &str, name: &str, text: &str| {
        let mut event = part_event(kind, name, json!(text));
        put_member(&mut event, "logprobs", json!([]));
        event
    };
    let item_event =
        |kind: &str, item: Value| json!({"type": kind, "output_index": 0, "item": item});
    let mut all = vec![
        json!({"type": "response.created", "response": begun}),
        json!({"type": "response.in_progress", "response": begun}),
        item_event(
            "response.output_item.added",
            message(completion, Status::InProgress, false),
        ),
        part_event("response.content_part.added", "part", part("")),
    ];
    let lines = completion.text.split_inclusive('\n');
    all.extend(lines.map(|line| text_event("response.output_text.delta", "delta", line)));
    all.extend([
        text_event("response.output_text.done", "text", &completion.text),
        part_event("response.content_part.done", "part", part(&completion.text)),
        item_event(
            "response.output_item.done",
            message(completion, Status::Completed, true),
        ),
        json!({"type": "response.completed", "response": whole}),
    ]);
    numbered(all)
}

/// The events of a response that could not be given, once its stream had begun. `empty` is what
/// would have been said.
pub(in crate::http::v1) fn failed(
    empty: &Completion,
    echo: &RequestEcho,
    problem: &Problem,
) -> Vec<Value> {
    let begun = response(Status::InProgress, empty, echo);
    let mut ended = response(Status::Failed, empty, echo);
    let code = match problem.code {
        Code::QuotaExceeded => "rate_limit_exceeded",
        _ => "server_error",
    };
    put_member(
        &mut ended,
        "error",
        json!({"code": code, "message": problem.detail}),
    );
    numbered(vec![
        json!({"type": "response.created", "response": begun}),
        json!({"type": "response.in_progress", "response": begun}),
        json!({"type": "response.failed", "response": ended}),
    ])
}

fn numbered(mut events: Vec<Value>) -> Vec<Value> {
    for (number, event) in events.iter_mut().enumerate() {
        put_member(event, "sequence_number", json!(number));
    }
    events
}

fn response(status: Status, completion: &Completion, echo: &RequestEcho) -> Value {
    let completed_at = (status == Status::Completed).then_some(completion.created);
    json!({
        "id": completion.response_id(),
        "object": "response",
        "created_at": completion.created,
        "completed_at": completed_at,
        "status": status.as_str(),
        "background": false,
        "error": null,
        "incomplete_details": null,
        "instructions": echo.instructions,
        "max_output_tokens": echo.max_output_tokens,
        "model": completion.model,
        "output": [],
        "parallel_tool_calls": true,
        "previous_response_id": echo.previous,
        "conversation": echo.conversation.as_ref().map(|id| json!({"id": id})),
        "reasoning": {"effort": null, "summary": null},
        "store": echo.store,
        "temperature": echo.temperature.unwrap_or(1.0),
        "text": {"format": {"type": "text"}},
        "tool_choice": "auto",
        "tools": [],
        "top_p": echo.top_p.unwrap_or(1.0),
        "truncation": "disabled",
        "usage": null,
        "user": echo.user,
        "metadata": echo.metadata,
    })
}

fn message(completion: &Completion, status: Status, said: bool) -> Value {
    let content: Vec<Value> = said.then(|| part(&completion.text)).into_iter().collect();
    json!({
        "id": completion.message_id(),
        "type": "message",
        "status": status.as_str(),
        "role": "assistant",
        "content": content,
    })
}

fn part(text: &str) -> Value {
    json!({"type": "output_text", "text": text, "annotations": [], "logprobs": []})
}

fn usage(completion: &Completion) -> Value {
    let (asked, answered) = completion.tokens;
    json!({
        "input_tokens": asked,
        "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0},
        "output_tokens": answered,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": asked.saturating_add(answered),
    })
}
