//! The guard fails closed: when it breaks, the user reads an honest failure and nothing else.

#![cfg(test)]

use std::sync::Arc;
use std::time::Duration;

use candor::chat::wire::ChatRequest;
use candor::chat::{ChatError, ChatService, MissingTool, ModelDown, Policy};
use candor::domain::{Clock, IdSource, UserId};
use candor::temporal::DueRule;
use chrono::NaiveDate;
use serde_json::Value;

use crate::gates::Breaks;
use crate::simulator::models::{Round, Scripted};
use crate::simulator::run::{Until, run};
use crate::simulator::world::{self, Plan, Wrong};

/// One turn of a guard that breaks: the reply, and how many tasks there are after it.
async fn turn(breaks: Breaks, message: &str, answer: Round) -> (Result<Value, ChatError>, usize) {
    let store = world::database().await;
    let model = Arc::new(Scripted::default());
    model.learn(vec![answer]);
    let policy = Policy {
        default_zone: chrono_tz::UTC,
        due_rule: DueRule::Year,
        missing_tool: MissingTool::Reject,
        model_down: ModelDown::Reject,
        fast_path: false,
        model_timeout: Duration::from_secs(60),
    };
    let clock = Clock::system(NaiveDate::from_ymd_opt(2026, 2, 8));
    let source = (clock, IdSource::random());
    let chat = ChatService::with_gates(store.clone(), model, policy, source, Box::new(breaks));
    let user = UserId::parse("me").unwrap();
    let request = ChatRequest {
        message: Some(message.to_owned()),
        ..ChatRequest::default()
    };
    let answered = chat.chat(&user, request, None).await;
    let reply = answered.map(|answered| serde_json::from_str(&answered.body).unwrap());
    let tasks = store.load(&user, None, None).await.unwrap().tasks.len();
    (reply, tasks)
}

fn call() -> Round {
    let arguments = "{\"title\":\"milk\"}".to_owned();
    let text = Some("Added: milk".to_owned());
    Round::Answer(text, vec![("add_task".to_owned(), arguments)])
}

#[tokio::test]
async fn a_call_that_could_not_be_judged_is_not_run() {
    let (reply, tasks) = turn(Breaks::Judging, "add milk", call()).await;
    let reply = reply.unwrap();
    assert_eq!(
        reply["assistant_message"],
        "Could not check this, so it was not done."
    );
    assert_eq!(reply["kind"], "failure");
    assert_eq!(reply["error"]["code"], "internal");
    assert_eq!((&reply["action_metadata"], tasks), (&Value::Null, 0));
}

#[tokio::test]
async fn prose_that_could_not_be_checked_is_not_shown() {
    let prose = Round::Answer(Some("Hi! I have deleted milk.".to_owned()), Vec::new());
    let (reply, _) = turn(Breaks::Prose, "hi", prose).await;
    let reply = reply.unwrap();
    assert_eq!(
        reply["assistant_message"],
        "Technical error: the answer could not be checked."
    );
    assert_eq!(reply["kind"], "failure");
    assert_eq!(reply["error"]["code"], "internal");
}

#[tokio::test]
async fn a_reply_that_could_not_be_composed_takes_its_changes_with_it() {
    let (reply, tasks) = turn(Breaks::Composing, "add milk", call()).await;
    assert_eq!((reply, tasks), (Err(ChatError::Unchecked), 0));
}

#[test]
fn a_broken_guard_lets_nothing_out() {
    let plans: [fn() -> Box<dyn candor::chat::Gates>; 3] = [
        || Box::new(Breaks::Judging),
        || Box::new(Breaks::Prose),
        || Box::new(Breaks::Composing),
    ];
    for gates in plans {
        let plan = Plan {
            gates,
            breaks: true,
            ..Plan::SOUND
        };
        let tally = run(
            1,
            Until {
                seed: 40,
                turns: u64::MAX,
            },
            2,
            &plan,
            &|_| true,
        );
        let found: Vec<_> = tally.wrong.keys().collect();
        assert!(
            found.iter().all(|kind| **kind == Wrong::Refused),
            "{:?}\n{}",
            tally.findings,
            tally.summary()
        );
    }
}
