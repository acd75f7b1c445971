//! Account of a turn for the audit log.

use chrono::NaiveDate;
use serde::Serialize;
use serde_json::{Value, json};

use super::TurnMachine;
use crate::audit::{AuditEvent, EventKind};
use crate::chat::prompt::{PROMPT_VERSION, PromptContext};
use crate::chat::wire::{AnswerChoice, ExecutionMetadata, TurnLatency};
use crate::domain::{ConversationId, ReceiptId, TaskId, Tool, UserId};
use crate::guard::{Composed, Kind, RENDERER_VERSION};
use crate::intent::{GRAMMAR_VERSION, Reading};
use crate::turn::{CallResult, LedgerEntry};

impl TurnMachine<'_> {
    /// The turn itself: message, prompt, model, raw answers, versions, language, zone.
    pub(super) fn turn_event(&self) -> AuditEvent {
        if let Some(payload) = &self.row.journaled {
            return AuditEvent::of(EventKind::Turn, payload);
        }
        let told = TurnTold {
            source: "chat",
            conversation_id: self.input.conversation,
            message: &self.input.message,
            answer: self.input.answer.as_ref(),
            today: self.input.moment.today,
            timezone: self.input.moment.zone.name(),
            language: self.intent.speech.code(),
            reading: &self.intent.completed.reading,
            prompt: self.talk.context.as_ref(),
            model: self.model_name(),
            answers: &self.talk.answers,
            versions: ComponentVersions {
                renderer: RENDERER_VERSION,
                grammar: GRAMMAR_VERSION,
                prompt: PROMPT_VERSION,
            },
        };
        AuditEvent::of(EventKind::Turn, &told)
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
        let told = CallTold {
            what: "call",
            call_id: entry.call_id.as_deref(),
            name: &entry.name,
            called_as: entry.called_as.as_deref(),
            suggested: suggested(&entry.result),
            arguments: &entry.arguments,
            user_id: &self.input.user,
            task_ids,
            outcome,
            reason,
            spans: entry
                .spans
                .iter()
                .map(|span| [span.start, span.end])
                .collect(),
        };
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
        let told = ReplyTold {
            message: composed.message(),
            kind: composed.kind(),
            language: self.intent.speech.code(),
            error: composed.fault().map(|fault| &fault.code),
            expected_tools: composed.fault().map(|fault| &fault.expected_tools),
            dropped: (!self.work.ledger.dropped.is_empty()).then_some(&self.work.ledger.dropped),
            composed: basis,
            execution_metadata: MadeTold {
                latency_ms: TurnLatency {
                    total: made.latency_ms.total.round(),
                    model: made.latency_ms.model.round(),
                },
                model: &made.model,
                tool_calls_rejected: made.tool_calls_rejected,
            },
            receipts,
        };
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

/// Account of a turn for the log. A log is kept for good: what there is none of is left out, here
/// and below. Members stand in the order in which they are written, which saves sorting them.
#[derive(Serialize)]
struct TurnTold<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    answer: Option<&'a AnswerChoice>,
    answers: &'a [Value],
    conversation_id: ConversationId,
    language: &'a str,
    message: &'a str,
    model: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    prompt: Option<&'a PromptContext>,
    reading: &'a Reading,
    source: &'static str,
    timezone: &'a str,
    today: NaiveDate,
    versions: ComponentVersions,
}

#[derive(Serialize)]
struct ComponentVersions {
    grammar: &'static str,
    prompt: &'static str,
    renderer: &'static str,
}

/// Account of a call for the log. What it was made with and why it ended so is always told.
#[derive(Serialize)]
struct CallTold<'a> {
    arguments: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    call_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    called_as: Option<&'a str>,
    name: &'a str,
    outcome: &'static str,
    reason: Value,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    spans: Vec<[usize; 2]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suggested: Option<Vec<&'a str>>,
    task_ids: Vec<TaskId>,
    user_id: &'a UserId,
    what: &'static str,
}

/// Account of a reply for the log.
#[derive(Serialize)]
struct ReplyTold<'a> {
    composed: &'a Value,
    #[serde(skip_serializing_if = "Option::is_none")]
    dropped: Option<&'a Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a String>,
    execution_metadata: MadeTold<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    expected_tools: Option<&'a Vec<Tool>>,
    kind: Kind,
    language: &'static str,
    message: &'a str,
    receipts: Vec<ReceiptId>,
}

/// Making of a reply: what a conversation shows beside it, also years later.
#[derive(Serialize)]
struct MadeTold<'a> {
    /// Whole milliseconds.
    latency_ms: TurnLatency,
    model: &'a str,
    #[serde(skip_serializing_if = "is_zero")]
    tool_calls_rejected: u32,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands a reference")]
const fn is_zero(count: &u32) -> bool {
    *count == 0
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
