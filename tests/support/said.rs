//! Answer of the chat with 200, and what may be asserted of it.
//!
//! [`Said::new`] checks what must hold of every answer whatever was said (CONTRACT §2), so a
//! story only asserts what is its own.

#![cfg(test)]

use std::sync::LazyLock;

use regex::Regex;
use serde_json::{Value, json};

/// A UUID in any spelling that a model or a user could read as one.
pub static UUID: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new("(?i)[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|[0-9a-f]{32}")
        .unwrap()
});

/// Sentence that is said, to the letter, when a needed tool was not called.
pub const NOT_TRIGGERED: &str = "Technical error: Tool not triggered.";

/// One answer.
#[derive(Debug, Clone)]
pub struct Said {
    /// The body as it came.
    pub body: Value,
}

impl Said {
    /// Takes an answer to `message`, if it is one.
    pub fn new(body: Value, message: &str) -> Self {
        let said = Self { body };
        said.has_its_members();
        said.kind_is_its_first_part();
        said.metadata_is_the_last_receipt();
        said.words_hold_no_id();
        said.messages_end_with(message);
        said
    }

    /// Returns what the user reads.
    pub fn text(&self) -> &str {
        self.body["assistant_message"].as_str().unwrap()
    }

    /// The reply is these words and no others.
    pub fn shows(&self, words: &str) -> &Self {
        assert_eq!(self.text(), words, "{:#}", self.body);
        self
    }

    /// The reply contains each of these, in any case.
    pub fn mentions(&self, parts: &[&str]) -> &Self {
        let text = self.text().to_lowercase();
        for part in parts {
            assert!(
                text.contains(&part.to_lowercase()),
                "{part:?} is missing: {:#}",
                self.body
            );
        }
        self
    }

    /// The reply contains none of these, in any case.
    pub fn hides(&self, parts: &[&str]) -> &Self {
        let text = self.text().to_lowercase();
        for part in parts {
            assert!(
                !text.contains(&part.to_lowercase()),
                "{part:?} was said: {:#}",
                self.body
            );
        }
        self
    }

    /// The reply is of this kind.
    pub fn is(&self, kind: &str) -> &Self {
        assert_eq!(self.body["kind"], kind, "{:#}", self.body);
        self
    }

    /// The calls that were dispatched, in order, and whether each succeeded.
    pub fn called(&self, expect: &[(&str, bool)]) -> &Self {
        let calls: Vec<_> = self.calls();
        let calls: Vec<_> = calls
            .iter()
            .map(|call| (call["name"].as_str().unwrap(), call["success"] == true))
            .collect();
        assert_eq!(calls, expect, "{:#}", self.body);
        self
    }

    /// The arguments of the dispatched calls, in order.
    pub fn with(&self, expect: &[Value]) -> &Self {
        let calls = self.calls();
        let arguments: Vec<_> = calls.iter().map(|call| call["arguments"].clone()).collect();
        assert_eq!(arguments, expect, "{:#}", self.body);
        self
    }

    /// The receipts, in order: action and title, which is empty for a read.
    pub fn did(&self, expect: &[(&str, &str)]) -> &Self {
        let actions = self.actions();
        let done: Vec<_> = actions
            .iter()
            .map(|done| {
                let title = done["task_title"].as_str().unwrap_or_default();
                (done["action"].as_str().unwrap(), title)
            })
            .collect();
        assert_eq!(done, expect, "{:#}", self.body);
        self
    }

    /// There is no receipt of anything.
    pub fn did_nothing(&self) -> &Self {
        self.did(&[])
    }

    /// The error's code and the tools that should have been called.
    pub fn failed(&self, code: &str, expected_tools: &[&str]) -> &Self {
        let error = &self.body["error"];
        assert_eq!(error["code"], code, "{:#}", self.body);
        assert_eq!(
            error["expected_tools"],
            json!(expected_tools),
            "{:#}",
            self.body
        );
        self
    }

    /// "Technical error: Tool not triggered." and nothing else, for want of this tool.
    pub fn not_triggered(&self, expected: &str) -> &Self {
        self.shows(NOT_TRIGGERED)
            .is("failure")
            .failed("tool_not_triggered", &[expected])
            .called(&[])
            .did_nothing()
    }

    /// The labels of the question's options.
    pub fn options(&self) -> Vec<String> {
        let options = self.body["question"]["options"].as_array().unwrap();
        let labels = options
            .iter()
            .map(|option| option["label"].as_str().unwrap());
        labels.map(str::to_owned).collect()
    }

    /// `action_metadata`.
    pub fn metadata(&self) -> &Value {
        &self.body["action_metadata"]
    }

    /// The receipts' metadata, in order.
    pub fn actions(&self) -> Vec<Value> {
        self.body["actions"].as_array().unwrap().clone()
    }

    /// The dispatched calls, in order.
    pub fn calls(&self) -> Vec<Value> {
        self.body["tool_calls"].as_array().unwrap().clone()
    }

    /// How often a model was asked.
    pub fn model_calls(&self) -> u64 {
        self.body["execution_metadata"]["model_calls"]
            .as_u64()
            .unwrap()
    }

    fn has_its_members(&self) {
        let keys: Vec<_> = self.body.as_object().unwrap().keys().collect();
        let mut expect = vec![
            "conversation_id",
            "turn_id",
            "kind",
            "assistant_message",
            "tool_calls",
            "action_metadata",
            "actions",
            "question",
            "error",
            "messages",
            "execution_metadata",
        ];
        expect.sort_unstable();
        let mut keys: Vec<_> = keys.into_iter().map(String::as_str).collect();
        keys.sort_unstable();
        assert_eq!(keys, expect, "{:#}", self.body);
        let made = &self.body["execution_metadata"];
        assert!(made["model"].is_string(), "{made:#}");
        assert_eq!(made["tool_calls_executed"], self.calls().len(), "{made:#}");
        assert!(made["latency_ms"]["total"].is_number(), "{made:#}");
    }

    fn kind_is_its_first_part(&self) {
        let kind = self.body["kind"].as_str().unwrap();
        let expect = if !self.body["question"].is_null() {
            "question"
        } else if kind == "question" {
            // The model's own question: nothing of the server's waits for an answer.
            "question"
        } else if !self.body["error"].is_null() {
            "failure"
        } else if !self.actions().is_empty() {
            "receipt"
        } else {
            "chat"
        };
        assert_eq!(kind, expect, "{:#}", self.body);
    }

    fn metadata_is_the_last_receipt(&self) {
        let actions = self.actions();
        let last = actions.last().unwrap_or(&Value::Null);
        assert_eq!(self.metadata(), last, "{:#}", self.body);
        for done in &actions {
            assert_eq!(done["success"], true, "{done:#}");
            assert!(
                UUID.is_match(done["receipt_id"].as_str().unwrap()),
                "{done:#}"
            );
            let read = matches!(done["action"].as_str().unwrap(), "list_tasks" | "history");
            assert_eq!(done["task_id"].is_null(), read, "{done:#}");
            assert_eq!(done["task_title"].is_null(), read, "{done:#}");
            let line = done["message"].as_str().unwrap();
            assert!(read || self.text().contains(line), "{:#}", self.body);
        }
    }

    fn words_hold_no_id(&self) {
        let mut words = vec![self.text().to_owned()];
        for done in self.actions() {
            words.push(done["message"].as_str().unwrap().to_owned());
        }
        if !self.body["question"].is_null() {
            words.push(self.body["question"]["text"].as_str().unwrap().to_owned());
            words.extend(self.options());
        }
        if let Some(message) = self.body["error"]["message"].as_str() {
            words.push(message.to_owned());
        }
        for line in words {
            assert!(!UUID.is_match(&line), "an id was shown: {line}");
        }
    }

    fn messages_end_with(&self, message: &str) {
        let messages = self.body["messages"].as_array().unwrap();
        assert!(messages.len() <= 20, "{:#}", self.body);
        let tail: Vec<_> = messages
            .iter()
            .rev()
            .take(2)
            .map(|line| (line["role"].as_str().unwrap(), line["content"].as_str()))
            .collect();
        let expect = [("assistant", Some(self.text())), ("user", Some(message))];
        assert_eq!(tail, expect, "{:#}", self.body);
    }
}

/// Names everything above once: see the head of `support`.
const _: fn() = || {
    let _ = (Said::shows, Said::mentions, Said::hides, Said::is);
    let _ = (Said::called, Said::with, Said::did, Said::did_nothing);
    let _ = (Said::failed, Said::not_triggered, Said::options);
    let _ = (Said::metadata, Said::actions, Said::model_calls);
};
