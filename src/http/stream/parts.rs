//! Parts that tell of a turn in the AI SDK's UI message stream (npm `ai`, version 6).
//!
//! Pure: progress goes in, events come out. A tool's output is written from receipts that are
//! committed, text from the reply that was sealed; no event has a place for anything else.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::chat::{ChatError, PendingChoice, ProgressEvent};
use crate::domain::{Action, ErrorType, Tool};
use crate::http::problem::Problem;

/// Said of a call that came to nothing because another hand was faster.
const ANEW: &str = "Your list was changed meanwhile: this is looked at anew.";
/// Said of a call that ran and changed nothing.
const UNCHANGED: &str = "Nothing was changed.";

/// Facts that a stream has to know of its request, also when it is resumed.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub(super) struct StreamLabel {
    /// The id of the message that is written; none goes on with the client's own.
    pub(super) message: Option<String>,
    /// Question that it answers, if it is an answer to one.
    pub(super) approval: Option<Approval>,
}

/// An answer to a question that was put as a call to be approved.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct Approval {
    /// The call, as the client knows it.
    pub(super) call: String,
    /// Its tool and input, where the question still waited; never the client's.
    pub(super) shown: Option<(String, Value)>,
    /// Yes or no.
    pub(super) yes: bool,
}

/// Writes the events of one message.
#[derive(Debug)]
pub(super) struct PartWriter {
    about: StreamLabel,
    begun: bool,
    step: bool,
    /// Calls without an end, with their ids.
    open: BTreeMap<u32, String>,
    /// Receipts that were told.
    receipts: BTreeSet<String>,
    out: String,
}

impl PartWriter {
    pub(super) const fn new(about: StreamLabel) -> Self {
        Self {
            about,
            begun: false,
            step: false,
            open: BTreeMap::new(),
            receipts: BTreeSet::new(),
            out: String::new(),
        }
    }

    /// Takes what was written since the last time.
    pub(super) fn take(&mut self) -> String {
        std::mem::take(&mut self.out)
    }

    /// Tells what a turn did; its end is [`PartWriter::answer`] or [`PartWriter::fail`].
    pub(super) fn tell(&mut self, progress: ProgressEvent) {
        match progress {
            ProgressEvent::Began { .. } => {
                self.begin();
                for call in std::mem::take(&mut self.open).into_values() {
                    self.output_error(&call, ANEW);
                }
            }
            ProgressEvent::Asked { .. } => {
                self.end_step();
                self.begin_step();
            }
            // An approved call has its part already; what came of it is told at the end.
            _ if self.about.approval.is_some() => {}
            ProgressEvent::Called { call, tool, input } => {
                let id = self.input(call, tool.as_str(), &input);
                self.open.insert(call, id);
            }
            ProgressEvent::Failed { call, tool, why } => match self.open.remove(&call) {
                Some(id) => self.output_error(&id, words(why)),
                None => {
                    self.begin_step();
                    self.event(&json!({
                        "type": "tool-input-error",
                        "toolCallId": call_id(call),
                        "toolName": tool.map_or("unknown", Tool::as_str),
                        "input": {},
                        "errorText": words(why),
                        "providerExecuted": true,
                    }));
                }
            },
            ProgressEvent::Denied { call, tool } => {
                let id = self.input(call, tool.as_str(), &json!({}));
                self.event(&json!({"type": "tool-output-denied", "toolCallId": id}));
            }
            ProgressEvent::Unchanged { call } => {
                if let Some(id) = self.open.remove(&call) {
                    self.output_error(&id, UNCHANGED);
                }
            }
            ProgressEvent::Committed { call, receipts } => {
                let receipts: Vec<Value> = receipts.iter().map(|one| json!(one)).collect();
                if let (Some(id), Some(last)) = (self.open.remove(&call), receipts.last()) {
                    self.output(&id, last);
                }
                for receipt in &receipts {
                    self.receipt(receipt);
                }
            }
            ProgressEvent::Ended(_) => {}
        }
    }

    /// A whole turn that was answered before: its calls are told from the answer's receipts.
    pub(super) fn replay(&mut self, reply: &Value, waiting: Option<&PendingChoice>) {
        self.begin();
        self.begin_step();
        if self.about.approval.is_none() {
            let mut call = 0;
            for action in list(reply, "actions") {
                let name = action["action"].as_str().unwrap_or_default();
                // Receipts are read without any call.
                if name == Action::History.as_str() {
                    continue;
                }
                call += 1;
                let input = match &action["task_title"] {
                    Value::Null => json!({}),
                    title if name == Tool::AddTask.as_str() => json!({ "title": title }),
                    title => json!({ "task": title }),
                };
                let id = self.input(call, name, &input);
                self.output(&id, action);
            }
            let failed = list(reply, "tool_calls");
            for failed in failed.filter(|call| call["success"] == json!(false)) {
                let name = failed["name"].as_str().and_then(Tool::parse);
                call += 1;
                let id = self.input(call, name.map_or("unknown", Tool::as_str), &json!({}));
                self.output_error(&id, words(ErrorType::Execution));
            }
        }
        self.answer(reply, waiting);
    }

    /// The committed answer, and the end.
    pub(super) fn answer(&mut self, reply: &Value, waiting: Option<&PendingChoice>) {
        self.begin();
        self.settle_approval(reply);
        self.begin_step();
        for call in std::mem::take(&mut self.open).into_values() {
            self.output_error(&call, UNCHANGED);
        }
        for action in list(reply, "actions") {
            self.receipt(action);
        }
        let text = reply["assistant_message"].as_str().unwrap_or_default();
        self.text(text);
        let question = &reply["question"];
        let mut finish = if reply["kind"] == "failure" {
            "error"
        } else {
            "stop"
        };
        if !question.is_null() {
            self.event(&json!({"type": "data-question", "id": question["id"], "data": question}));
        }
        if let Some(waiting) = waiting.filter(|one| question["id"] == json!(one.id)) {
            let call = format!("ask_{}", waiting.id);
            self.input_available(&call, waiting.tool_name(), &waiting.input());
            self.event(&json!({
                "type": "tool-approval-request", "approvalId": waiting.id, "toolCallId": call,
            }));
            finish = "tool-calls";
        }
        self.end_step();
        let metadata = json!({
            "turn_id": reply["turn_id"],
            "conversation_id": reply["conversation_id"],
            "kind": reply["kind"],
            "action_metadata": reply["action_metadata"],
            "error": reply["error"],
            "execution_metadata": reply["execution_metadata"],
        });
        self.event(&json!({"type": "message-metadata", "messageMetadata": metadata}));
        self.finish(finish);
    }

    /// There is no answer: nothing was changed, or it is not known whether it was.
    pub(super) fn fail(&mut self, error: ChatError, stopped: bool) {
        self.begin();
        for call in std::mem::take(&mut self.open).into_values() {
            self.output_error(&call, "It is not confirmed that anything was changed.");
        }
        let down = matches!(error, ChatError::ModelDown { .. });
        let detail = Problem::from(error).detail;
        if stopped && down {
            self.begin_step();
            self.text(&sentence(&detail));
            self.end_step();
            self.event(&json!({"type": "abort", "reason": "stopped"}));
        } else {
            self.end_step();
            self.event(&json!({"type": "error", "errorText": sentence(&detail)}));
        }
        self.out.push_str("data: [DONE]\n\n");
    }

    /// The answer to a question that does not wait for one: it did nothing, and this says so.
    pub(super) fn refuse_approval(&mut self, why: &str) {
        self.begin();
        let text = format!("{} Nothing was changed.", sentence(why));
        if let Some(approval) = self.about.approval.take() {
            self.output_error(&approval.call, &text);
        }
        self.begin_step();
        self.text(&text);
        self.end_step();
        self.finish("stop");
    }

    fn settle_approval(&mut self, reply: &Value) {
        let Some(approval) = self.about.approval.clone() else {
            return;
        };
        let call = &approval.call;
        if let Some((tool, input)) = &approval.shown {
            // Also for a reader that resumes and has no part of it.
            self.input_available(call, tool, input);
        }
        let did = |action: &&Value| action["action"] != Action::History.as_str();
        match list(reply, "actions").filter(did).last() {
            Some(receipt) => self.output(call, receipt),
            None if !approval.yes => {
                self.event(&json!({"type": "tool-output-denied", "toolCallId": call}));
            }
            None => self.output_error(call, UNCHANGED),
        }
    }

    fn begin(&mut self) {
        if !std::mem::replace(&mut self.begun, true) {
            self.event(&match &self.about.message {
                Some(id) => json!({"type": "start", "messageId": id}),
                None => json!({"type": "start"}),
            });
        }
    }

    fn begin_step(&mut self) {
        if !std::mem::replace(&mut self.step, true) {
            self.event(&json!({"type": "start-step"}));
        }
    }

    fn end_step(&mut self) {
        if std::mem::replace(&mut self.step, false) {
            self.event(&json!({"type": "finish-step"}));
        }
    }

    fn finish(&mut self, reason: &str) {
        self.event(&json!({"type": "finish", "finishReason": reason}));
        self.out.push_str("data: [DONE]\n\n");
    }

    fn input(&mut self, call: u32, tool: &str, input: &Value) -> String {
        self.begin_step();
        let id = call_id(call);
        self.input_available(&id, tool, input);
        id
    }

    fn input_available(&mut self, call: &str, tool: &str, input: &Value) {
        self.event(&json!({
            "type": "tool-input-available",
            "toolCallId": call,
            "toolName": tool,
            "input": input,
            "providerExecuted": true,
        }));
    }

    fn output(&mut self, call: &str, receipt: &Value) {
        self.event(&json!({
            "type": "tool-output-available",
            "toolCallId": call,
            "output": receipt,
            "providerExecuted": true,
        }));
    }

    fn output_error(&mut self, call: &str, text: &str) {
        self.event(&json!({
            "type": "tool-output-error",
            "toolCallId": call,
            "errorText": text,
            "providerExecuted": true,
        }));
    }

    fn receipt(&mut self, receipt: &Value) {
        let id = receipt["receipt_id"].as_str().unwrap_or_default();
        if self.receipts.insert(id.to_owned()) {
            self.event(&json!({"type": "data-receipt", "id": id, "data": receipt}));
        }
    }

    /// The reply, line by line.
    fn text(&mut self, text: &str) {
        self.event(&json!({"type": "text-start", "id": "text"}));
        for line in text.split_inclusive('\n') {
            self.event(&json!({"type": "text-delta", "id": "text", "delta": line}));
        }
        self.event(&json!({"type": "text-end", "id": "text"}));
    }

    fn event(&mut self, event: &Value) {
        self.out.push_str("data: ");
        self.out.push_str(&event.to_string());
        self.out.push_str("\n\n");
    }
}

fn call_id(call: u32) -> String {
    format!("call_{call}")
}

fn list<'a>(reply: &'a Value, name: &str) -> impl Iterator<Item = &'a Value> {
    reply[name].as_array().into_iter().flatten()
}

/// With a capital and a full stop.
fn sentence(text: &str) -> String {
    let mut chars = text.chars();
    let first = chars.next().map(char::to_uppercase);
    let mut text: String = first.into_iter().flatten().chain(chars).collect();
    if !text.ends_with('.') {
        text.push('.');
    }
    text
}

/// Says why a call came to nothing. The reply tells it with its names; no word of a model is here.
const fn words(why: ErrorType) -> &'static str {
    match why {
        ErrorType::Validation => "The call could not be read. Nothing was changed by it.",
        ErrorType::NotFound => "There is no such thing. Nothing was changed by it.",
        ErrorType::Permission => "Your words do not ask for it. Nothing was changed by it.",
        ErrorType::Ambiguous => "Several could be meant. Nothing was changed by it.",
        ErrorType::Conflict => "It was changed meanwhile. Nothing was changed by this.",
        ErrorType::Unavailable | ErrorType::Timeout => "It could not be reached in time.",
        ErrorType::Limit => "It was one too many. Nothing was changed by it.",
        ErrorType::Unsupported => "That is not possible here. Nothing was changed by it.",
        ErrorType::Execution
        | ErrorType::Cancelled
        | ErrorType::Interrupted
        | ErrorType::ToolNotTriggered
        | ErrorType::Internal => "It did not come off. Nothing was changed by it.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{ConversationId, TurnId};
    use uuid::Uuid;

    fn began() -> ProgressEvent {
        ProgressEvent::Began {
            turn: TurnId::new(Uuid::nil()),
            conversation: ConversationId::new(Uuid::nil()),
        }
    }

    fn called(call: u32) -> ProgressEvent {
        ProgressEvent::Called {
            call,
            tool: Tool::AddTask,
            input: json!({"title": "milk"}),
        }
    }

    fn teller() -> PartWriter {
        PartWriter::new(StreamLabel {
            message: Some("a".to_owned()),
            approval: None,
        })
    }

    fn events(teller: &mut PartWriter) -> Vec<(String, Value)> {
        let text = teller.take();
        let events = text.split_terminator("\n\n").map(|event| {
            let data = event.strip_prefix("data: ").unwrap();
            let data: Value = serde_json::from_str(data).unwrap_or_else(|_| json!({"type": data}));
            (data["type"].as_str().unwrap().to_owned(), data)
        });
        events.collect()
    }

    fn types(teller: &mut PartWriter) -> Vec<String> {
        events(teller).into_iter().map(|(kind, _)| kind).collect()
    }

    #[test]
    fn a_turn_that_is_run_anew_takes_back_what_it_had_begun() {
        let mut teller = teller();
        teller.tell(began());
        teller.tell(called(1));
        teller.tell(began());
        let told = events(&mut teller);
        let (kind, last) = told.last().unwrap();
        assert_eq!(
            (kind.as_str(), &last["errorText"]),
            ("tool-output-error", &json!(ANEW))
        );
        assert_eq!(last["toolCallId"], "call_1");
        // It is one message, whatever it takes.
        assert_eq!(told.iter().filter(|(kind, _)| kind == "start").count(), 1);
        teller.tell(called(2));
        let receipts = Vec::new();
        teller.tell(ProgressEvent::Committed { call: 2, receipts });
        // No receipt, no output.
        assert_eq!(types(&mut teller), ["tool-input-available"]);
    }

    #[test]
    fn no_call_is_left_open_and_every_end_is_one() {
        for stopped in [false, true] {
            let mut teller = teller();
            teller.tell(began());
            teller.tell(ProgressEvent::Asked { time: 1 });
            teller.tell(called(1));
            teller.fail(ChatError::Unconfirmed, stopped);
            let told = types(&mut teller);
            let expect = "start start-step tool-input-available tool-output-error finish-step \
                          error [DONE]";
            assert_eq!(told.join(" "), expect);
        }
        let mut teller = teller();
        teller.tell(ProgressEvent::Asked { time: 1 });
        teller.tell(called(1));
        teller.answer(
            &json!({"assistant_message": "a\nb", "kind": "failure"}),
            None,
        );
        let told = events(&mut teller);
        let count = |name: &str| told.iter().filter(|(kind, _)| kind == name).count();
        assert_eq!((count("tool-output-error"), count("text-delta")), (1, 2));
        assert_eq!((count("start-step"), count("finish-step")), (1, 1));
        let finish = told.iter().find(|(kind, _)| kind == "finish").unwrap();
        assert_eq!(finish.1["finishReason"], "error");
    }

    #[test]
    fn a_receipt_is_told_once() {
        let mut teller = teller();
        let receipt = json!({"receipt_id": "r", "action": "add_task", "task_title": "milk"});
        let reply = json!({"assistant_message": "Added: milk", "actions": [receipt, receipt]});
        teller.replay(&reply, None);
        let told = types(&mut teller);
        assert_eq!(
            told.iter().filter(|kind| *kind == "data-receipt").count(),
            1
        );
    }
}
