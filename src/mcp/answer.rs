//! Outcome of a call, as a tool's result: the line for people and models, and the same as data.

use chrono::{DateTime, Utc};
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::{Value, json};

use crate::domain::{Details, ErrorType, Tool, ToolError, put_member};
use crate::guard::CheckedReply;

/// A note in a listing is cut after so many characters.
const NOTE: usize = 500;

/// Something was committed, or all was so already.
pub(super) fn done(reply: &CheckedReply) -> CallToolResult {
    // It was written from a JSON object.
    let mut body: Value = serde_json::from_str(reply.body()).unwrap_or_default();
    let rows = body.get_mut("tasks").and_then(Value::as_array_mut);
    for row in rows.into_iter().flatten() {
        if let Some(Value::String(note)) = row.get_mut("description") {
            cut(note);
        }
    }
    let text = body.get("message").and_then(Value::as_str);
    let text = text.unwrap_or_default().to_owned();
    let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
    result.structured_content = Some(body);
    result
}

/// Nothing was changed, or nobody knows.
pub(super) fn failed(error: &ToolError) -> CallToolResult {
    refused(error, error.to_wire())
}

/// The user has to be asked, and this client can't: only elsewhere can it be done.
pub(super) fn by_person(question: &str) -> CallToolResult {
    let text = format!(
        "{question} Nothing was deleted: this client can't show that question to the user, and a \
         yes must be the user's own. Tell the user to delete it on candor's page, or in its chat \
         (\"delete …\"), where it is asked; or use a client with MCP elicitation."
    );
    let error = ToolError::new(ErrorType::Permission, text).with(Details {
        constraint: Some("the user has to say yes, not the model".to_owned()),
        ..Details::default()
    });
    failed(&error)
}

/// The user has to be asked, and this client can't: it gets what to pass on after that.
pub(super) fn unasked(question: &str, token: &str, until: DateTime<Utc>) -> CallToolResult {
    let text = format!(
        "{question} Nothing was deleted yet: this client can't ask the user for you. Ask, and only \
         if the answer is yes call {tool} again with the same arguments and {confirm}: \"{token}\", \
         within ten minutes.",
        tool = Tool::DeleteTask,
        confirm = super::catalogue::CONFIRM,
    );
    let error = ToolError::new(ErrorType::Permission, text).with(Details {
        parameter: Some(super::catalogue::CONFIRM.to_owned()),
        constraint: Some("the user has to say yes first".to_owned()),
        ..Details::default()
    });
    let mut wire = error.to_wire();
    put_member(
        &mut wire,
        "confirmation",
        json!({
            "question": question,
            "confirm": token,
            "expires_at": until,
        }),
    );
    refused(&error, wire)
}

fn refused(error: &ToolError, wire: Value) -> CallToolResult {
    let mut result = CallToolResult::error(vec![ContentBlock::text(error.error.clone())]);
    result.structured_content = Some(wire);
    result
}

fn cut(note: &mut String) {
    if let Some((at, _)) = note.char_indices().nth(NOTE) {
        note.truncate(at);
        note.push('…');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_notes_are_cut_between_characters() {
        let check = |count: usize, expect: usize| {
            let mut note = "é".repeat(count);
            cut(&mut note);
            assert_eq!(note.chars().count(), expect);
        };
        check(500, 500);
        check(501, 501);
        check(10_000, 501);
    }
}
