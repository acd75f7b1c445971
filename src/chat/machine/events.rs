//! Account of a turn for the audit log.

use serde_json::{Value, json};

use super::TurnMachine;
use crate::audit::{AuditEvent, EventKind};
use crate::chat::prompt::PROMPT_VERSION;
use crate::chat::wire::{ExecutionMetadata, TurnLatency};
use crate::guard::{Composed, RENDERER_VERSION};
use crate::intent::GRAMMAR_VERSION;
use crate::turn::{CallResult, LedgerEntry};

impl TurnMachine<'_> {
    /// The turn itself: message, prompt, model, raw answers, versions, language, zone.
    pub(super) fn turn_event(&self) -> AuditEvent {
        if let Some(payload) = &self.row.journaled {
            return AuditEvent::of(EventKind::Turn, payload);
        }
        let told = json!({
            "source": "chat",
            "conversation_id": self.input.conversation,
            "message": self.input.message,
            "answer": self.input.answer,
            "today": self.input.moment.today,
            "timezone": self.input.moment.zone.name(),
            "language": self.intent.speech.code(),
            "reading": self.intent.completed.reading,
            "prompt": self.talk.context,
            "model": self.model_name(),
            "answers": self.talk.answers,
            "versions": {
                "renderer": RENDERER_VERSION,
                "grammar": GRAMMAR_VERSION,
                "prompt": PROMPT_VERSION,
            },
        });
        AuditEvent::of(EventKind::Turn, &given(told, &["answer", "prompt"]))
    }

    /// Enters a call into the ledger, and what came of it into the log.
    pub(super) fn enter(&mut self, entry: LedgerEntry) {
        self.note_call(&entry);
        self.work.ledger.push(entry);
    }

    /// Notes what came of a call.
    pub(super) fn note_call(&mut self, entry: &LedgerEntry) {
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
                let proofs = self.work.proofs();
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
        let spans = entry.spans.iter().map(|span| [span.start, span.end]);
        let spans: Vec<_> = spans.collect();
        let told = json!({
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
            "spans": (!spans.is_empty()).then_some(spans),
        });
        let told = given(told, &["call_id", "called_as", "suggested", "spans"]);
        self.work.events.push(AuditEvent::of(kind, &told));
    }

    /// The reply, what it was composed from beside the turn's receipts, and how it was made.
    pub(super) fn reply_event(
        &self,
        composed: &Composed,
        basis: &Value,
        made: &ExecutionMetadata,
    ) -> AuditEvent {
        let proofs = self.work.proofs();
        let receipts: Vec<_> = proofs.iter().map(|proof| proof.facts().id).collect();
        let fault = composed.fault();
        let dropped = &self.work.ledger.dropped;
        let rejected = made.tool_calls_rejected;
        // Making of the reply: what a conversation shows beside it, also years later.
        let made = json!({
            "latency_ms": TurnLatency {
                total: made.latency_ms.total.round(),
                model: made.latency_ms.model.round(),
            },
            "model": made.model,
            "tool_calls_rejected": (rejected > 0).then_some(rejected),
        });
        let told = json!({
            "message": composed.message(),
            "kind": composed.kind(),
            "language": self.intent.speech.code(),
            "error": fault.map(|fault| &fault.code),
            "expected_tools": fault.map(|fault| &fault.expected_tools),
            "dropped": (!dropped.is_empty()).then_some(dropped),
            "composed": basis,
            "execution_metadata": given(made, &["tool_calls_rejected"]),
            "receipts": receipts,
        });
        let told = given(told, &["error", "expected_tools", "dropped"]);
        AuditEvent::of(EventKind::Reply, &told)
    }

    /// Returns the name of the model that answered this turn.
    pub(super) fn model_name(&self) -> String {
        self.talk
            .model
            .clone()
            .unwrap_or_else(|| "candor (rules)".to_owned())
    }
}

/// The same without those of these members that are null: a log is kept for good.
fn given(mut told: Value, members: &[&str]) -> Value {
    if let Some(told) = told.as_object_mut() {
        told.retain(|name, value| !value.is_null() || !members.contains(&name.as_str()));
    }
    told
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
