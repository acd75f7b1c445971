//! What the audit log is told of a turn.

use serde_json::{Value, json};

use super::drive::Drive;
use super::prompt::{Context, PROMPT_VERSION};
use crate::audit::{Event, EventKind};
use crate::guard::{Composed, RENDERER_VERSION};
use crate::intent::GRAMMAR_VERSION;
use crate::turn::{CallResult, Entry};

impl Drive<'_> {
    /// The turn itself: message, prompt, model, raw answers, versions, language, zone.
    pub(super) fn turn_event(&self) -> Event {
        if let Some(payload) = &self.journaled {
            return Event {
                kind: EventKind::Turn,
                payload: payload.clone(),
            };
        }
        Event {
            kind: EventKind::Turn,
            payload: without_nulls(json!({
                "source": "chat",
                "conversation_id": self.input.conversation,
                "message": self.input.message,
                "answer": self.input.answer,
                "today": self.input.moment.today,
                "timezone": self.input.moment.zone.name(),
                "language": self.input.lang.code(),
                "reading": self.completed.reading,
                "prompt": self.context.as_ref().map(Context::logged),
                "model": self.model_name(),
                "answers": self.talk.answers,
                "versions": {
                    "renderer": RENDERER_VERSION,
                    "grammar": GRAMMAR_VERSION,
                    "prompt": PROMPT_VERSION,
                },
            })),
        }
    }

    /// Notes what came of a call.
    pub(super) fn note_call(&mut self, entry: &Entry) {
        let (kind, outcome, reason) = match &entry.result {
            CallResult::Done(_) => (EventKind::ToolCall, "committed", Value::Null),
            CallResult::Unchanged(_) => (EventKind::ToolCall, "unchanged", Value::Null),
            CallResult::Asked => (EventKind::ToolCall, "asked", Value::Null),
            CallResult::Failed(error) => (EventKind::ToolCall, "failed", json!(error)),
            CallResult::Refused(refusal, error) => (
                EventKind::Refusal,
                "refused",
                json!({ "refusal": refusal.as_str(), "error": error.error }),
            ),
        };
        let task_ids: Vec<_> = match &entry.result {
            CallResult::Done(range) => {
                let proofs = self.ledger.proofs(self.unit.drafts());
                let own = proofs.get(range.clone()).unwrap_or_default().iter();
                own.filter_map(|proof| proof.facts().task_id).collect()
            }
            _ => Vec::new(),
        };
        // This line is written before the commit, unlike the event, which is part of it.
        let standing = match entry.result {
            CallResult::Done(_) => "ready to commit",
            _ => outcome,
        };
        tracing::info!(
            tool = entry.name,
            outcome = standing,
            call = entry.call_id.as_deref().unwrap_or("server"),
            called_as = entry.called_as,
            "tool call"
        );
        self.events.push(Event {
            kind,
            payload: without_nulls(json!({
                "what": "call",
                "call_id": entry.call_id,
                "name": entry.name,
                "called_as": entry.called_as,
                "suggested": suggested(&entry.result),
                "arguments": entry.arguments,
                "user_id": self.input.user,
                "task_ids": task_ids,
                "outcome": outcome,
                "reason": reason,
            })),
        });
    }

    /// The reply, and what it was composed from beside the turn's receipts.
    pub(super) fn reply_event(&self, composed: &Composed, basis: &Value) -> Event {
        let proofs = self.ledger.proofs(self.unit.drafts());
        let receipts: Vec<_> = proofs.iter().map(|proof| proof.facts().id).collect();
        let speech = match self.input.speech {
            crate::guard::Speech::English => "en",
            crate::guard::Speech::RomanUrdu => "ur",
        };
        Event {
            kind: EventKind::Reply,
            payload: without_nulls(json!({
                "message": composed.message(),
                "kind": composed.kind(),
                "error": composed.fault().map(|fault| &fault.code),
                "expected_tools": composed.fault().map(|fault| &fault.expected_tools),
                "dropped": (!self.ledger.dropped.is_empty()).then_some(&self.ledger.dropped),
                "composed": basis,
                "receipts": receipts,
                "language": (speech != self.input.lang.code()).then_some(speech),
            })),
        }
    }

    /// Who answered this turn.
    pub(super) fn model_name(&self) -> String {
        self.talk
            .model
            .clone()
            .unwrap_or_else(|| "candor (rules)".to_owned())
    }
}

/// Leaves out what there is none of: a log is kept for good. What a call was made with and why it
/// ended so is always told.
fn without_nulls(mut payload: Value) -> Value {
    if let Value::Object(members) = &mut payload {
        members.retain(|name, value| !value.is_null() || name == "arguments" || name == "reason");
    }
    payload
}

/// The tool that a call which could not be read was told to use instead.
fn suggested(result: &CallResult) -> Option<Vec<&str>> {
    match result {
        CallResult::Failed(error) => {
            let tool = error.details.expected_tool.as_deref()?;
            Some(vec![tool])
        }
        _ => None,
    }
}
