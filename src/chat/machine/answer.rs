//! The reply as the API gives it: composed text, calls, metadata of the proofs, messages.

use super::{TurnMachine, milliseconds};
use crate::chat::wire::{
    ActionMetadata, ChatFault, ChatReply, DelegationView, ExecutionMetadata, QuestionView,
    TaskView, ToolCall, TurnLatency,
};
use crate::domain::{Lang, MessageId};
use crate::guard::{Composed, action_message};
use crate::locales::localized;
use crate::store::{MessageRole, NewMessage, Receipt, StoredMessage};
use crate::turn::{LedgerEntry, SuccessProof};

/// Number of messages that a reply shows.
const MESSAGES_SHOWN: usize = 20;

impl TurnMachine<'_> {
    /// A line of the conversation, to be kept.
    pub(super) fn line(&self, role: MessageRole, content: String) -> NewMessage {
        NewMessage {
            id: MessageId::new(self.rules.ids.next()),
            role,
            content,
        }
    }

    /// Returns what the user said: the message, or the label of the button.
    pub(super) fn said(&self) -> String {
        let message = self.input.message.trim();
        match (&self.input.answer, &self.stored.pending) {
            (Some(answer), Some((_, asked))) if message.is_empty() => {
                let speech = self.intent.speech;
                let options = asked.options(&localized!(speech, "yes"), &localized!(speech, "no"));
                let label = options.into_iter().find(|(id, _)| *id == answer.value);
                label.map_or_else(|| answer.value.clone(), |(_, label)| label)
            }
            _ => self.input.message.clone(),
        }
    }

    pub(super) fn latency(&self) -> TurnLatency {
        TurnLatency {
            total: milliseconds(self.input.started.elapsed()),
            model: milliseconds(self.talk.waited),
        }
    }

    pub(super) fn reply(
        &self,
        composed: &Composed,
        question: Option<QuestionView>,
        new: &[NewMessage],
        latency: TurnLatency,
    ) -> ChatReply {
        let proofs = self.work.proofs();
        let speech = self.intent.speech;
        let actions: Vec<ActionMetadata> = proofs
            .iter()
            .map(|proof| metadata(*proof, speech))
            .collect();
        let entries = self.work.ledger.entries();
        // A reading of receipts is the server's own, no call of a tool.
        let calls = entries.iter().filter(|entry| {
            entry.dispatched() && (entry.tool.is_some() || entry.call_id.is_some())
        });
        let fresh = new.iter().map(|line| StoredMessage {
            id: line.id,
            role: line.role,
            content: line.content.clone(),
            created_at: self.input.moment.instant,
        });
        let mut messages: Vec<StoredMessage> =
            self.stored.history.iter().cloned().chain(fresh).collect();
        let skip = messages.len().saturating_sub(MESSAGES_SHOWN);
        messages.drain(..skip);
        let calls = self.tool_calls(calls);
        let executed = calls.len();
        ChatReply {
            conversation_id: self.input.conversation,
            turn_id: self.work.turn,
            kind: composed.kind(),
            assistant_message: composed.message().to_owned(),
            tool_calls: calls,
            action_metadata: actions.last().cloned(),
            actions,
            question,
            error: composed.fault().map(|fault| ChatFault {
                code: fault.code.clone(),
                message: fault.message.clone(),
                expected_tools: fault
                    .expected_tools
                    .iter()
                    .map(|tool| tool.as_str().to_owned())
                    .collect(),
                details: fault.details.clone(),
            }),
            messages,
            execution_metadata: ExecutionMetadata {
                model: self.model_name(),
                model_calls: self.talk.calls,
                tool_calls_executed: u32::try_from(executed).unwrap_or(u32::MAX),
                tool_calls_rejected: u32::try_from(self.work.ledger.refused().count())
                    .unwrap_or(u32::MAX),
                dropped: self.work.ledger.dropped.clone(),
                latency_ms: latency,
            },
        }
    }

    /// The dispatched calls: one of several tasks is one call, and came off if each of them did.
    fn tool_calls<'a>(&self, entries: impl Iterator<Item = &'a LedgerEntry>) -> Vec<ToolCall> {
        let mut calls: Vec<ToolCall> = Vec::new();
        let mut round = 0;
        for (index, entry) in entries.enumerate() {
            let success = self.work.came_off(entry);
            if let (Some(id), Some(last)) = (&entry.call_id, calls.last_mut())
                // A model may give the calls of every round the same ids.
                && round == entry.round
                && last.id == *id
                && last.name == entry.name
                && last.arguments == entry.arguments
            {
                last.success &= success;
                continue;
            }
            round = entry.round;
            calls.push(ToolCall {
                id: entry
                    .call_id
                    .clone()
                    .unwrap_or_else(|| format!("server_{}", index + 1)),
                name: entry.name.clone(),
                arguments: entry.arguments.clone(),
                success,
            });
        }
        calls
    }
}

/// Describes what a receipt attests, for whoever follows the changes of a user's tasks.
pub fn receipt_of(receipt: &Receipt) -> ActionMetadata {
    metadata(SuccessProof::Receipt(receipt), Lang::En)
}

/// The metadata of one proof: built from it and from nothing else.
pub(in crate::chat) fn metadata(proof: SuccessProof<'_>, speech: Lang) -> ActionMetadata {
    let facts = proof.facts();
    ActionMetadata {
        action: facts.action,
        success: true,
        task_id: facts.task_id,
        task_title: facts.title().map(str::to_owned),
        message: action_message(proof, speech),
        receipt_id: facts.id,
        task: facts.after.as_ref().map(TaskView::from),
        delegation: facts.run.as_ref().map(|run| DelegationView {
            agent_id: run.agent.clone(),
            run: run.run,
            state: run.state,
            provider: run.provider.clone(),
            model: run.model.clone(),
            verification: run.verification,
        }),
    }
}
