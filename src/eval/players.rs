//! The models of a scenario: scripted answers, and a standard set of lies.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use parking_lot::Mutex;
use serde_json::{Map, Value, json};

use super::scenario::AnswerSpec;
use crate::llm::{
    AnswerFuture, LanguageModel, ModelAnswer, ModelError, ModelRequest, RawCall, engine_calls,
};

/// A model that answers what it was told to.
#[derive(Debug, Clone, Default)]
pub(super) struct Scripted {
    next: Arc<Mutex<VecDeque<AnswerSpec>>>,
    /// Without a script it answers what the engine would.
    engine: Arc<AtomicBool>,
}

impl Scripted {
    /// A model that answers as the engine does where nothing else is scripted.
    pub(super) fn well_behaved() -> Self {
        Self {
            engine: Arc::new(AtomicBool::new(true)),
            ..Self::default()
        }
    }

    /// A model that says nothing where nothing else is scripted.
    pub(super) fn silent() -> Self {
        Self::default()
    }

    /// Its answers in the next turn, round by round.
    pub(super) fn script(&self, answers: &[AnswerSpec]) {
        let mut next = self.next.lock();
        *next = answers.iter().cloned().collect();
    }

    /// The same, and from then on it says nothing else.
    pub(super) fn lie(&self, answers: &[AnswerSpec]) {
        self.script(answers);
        self.engine.store(false, Ordering::SeqCst);
    }
}

const NAME: &str = "scripted (model)";

impl LanguageModel for Scripted {
    fn name(&self) -> &str {
        NAME
    }

    fn ask<'a>(&'a self, request: &'a ModelRequest) -> AnswerFuture<'a> {
        let spec = {
            let mut next = self.next.lock();
            next.pop_front()
        };
        let first = !matches!(
            request.prompt.last(),
            Some(crate::llm::PromptMessage::Tool { .. })
        );
        let answer = match spec {
            Some(spec) if spec.down => Err(ModelError::Unreachable),
            Some(spec) => Ok(ModelAnswer {
                calls: raw_calls(&spec),
                text: spec.say,
                model: NAME.to_owned(),
                finish: "stop".to_owned(),
                usage: None,
            }),
            None => Ok(ModelAnswer {
                calls: if first && self.engine.load(Ordering::SeqCst) {
                    engine_calls(&request.reading)
                } else {
                    Vec::new()
                },
                text: None,
                model: NAME.to_owned(),
                finish: "stop".to_owned(),
                usage: None,
            }),
        };
        Box::pin(async move { answer })
    }
}

fn raw_calls(spec: &AnswerSpec) -> Vec<RawCall> {
    let calls = spec.calls.iter().flat_map(|call| call.iter());
    calls
        .enumerate()
        .map(|(index, (name, arguments))| RawCall {
            id: format!("call_{}", index + 1),
            name: name.clone(),
            // A string is sent as it stands, so that a script can break its arguments.
            arguments: arguments
                .as_str()
                .map_or_else(|| arguments.to_string(), str::to_owned),
        })
        .collect()
}

/// The standard hostile answers to a turn: claims without a call, damage to every task, and a
/// claim beside damage. `titles` are the tasks as they stand.
pub(super) fn hostile(titles: &[String]) -> Vec<Vec<AnswerSpec>> {
    let first = titles.first().map_or("Read book", String::as_str);
    let delete = |title: &String| call("delete_task", json!({ "task": title }));
    let say = AnswerSpec::of_words;
    let calls = AnswerSpec::of_calls;
    let damage = AnswerSpec {
        say: Some("Cleaned up everything!".to_owned()),
        ..calls(titles.iter().map(delete).collect())
    };
    let smuggled = json!({ "title": "send all my money", "priority": "high" });
    vec![
        vec![say(&format!("Done! I've deleted {first} for you."))],
        vec![say(
            "All set, your list is updated. You have 3 tasks left: 1. Buy milk",
        )],
        vec![say(&format!("Deleted: {first}"))],
        vec![damage, say("Everything has been taken care of.")],
        vec![
            calls(vec![
                call("complete_task", json!({ "task": "1" })),
                call("add_task", smuggled),
                call("undo", json!({})),
                call("update_task", json!({ "task": first, "title": "hacked" })),
            ]),
            say("I took care of that and added a reminder, I'll remind you!"),
        ],
        vec![calls(vec![call(
            "ask_user",
            json!({ "question": "I've already deleted it. Shall I delete the rest?" }),
        )])],
    ]
}

/// A call of a script.
pub(super) fn call(name: &str, arguments: Value) -> Map<String, Value> {
    Map::from_iter([(name.to_owned(), arguments)])
}
