//! The guard fails closed: when it breaks, the user reads an honest failure and nothing else; and
//! what may have been seen by nobody is consented to by nobody.

#![cfg(test)]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use candor::chat::wire::{AnswerChoice, ChatRequest};
use candor::chat::{
    ChatError, ChatService, GuardPort, MissingTool, ModelDown, StandardGuard, TurnPolicy,
};
use candor::domain::{Clock, ConversationId, IdSource, Lang, UserId};
use candor::llm::ModelError;
use candor::store::Store;
use candor::store::faults::{CommitEnd, FaultPlan};
use candor::temporal::DueRule;
use chrono::NaiveDate;
use serde_json::Value;

use crate::gates::Breaks;
use crate::simulator::models::{Round, Scripted};
use crate::simulator::run::{Until, run};
use crate::simulator::world::{self, Plan, Wrong};

fn service(store: Store, model: &Arc<Scripted>, gates: Box<dyn GuardPort>) -> ChatService {
    let policy = TurnPolicy {
        reply_language: Some(Lang::En),
        default_zone: chrono_tz::UTC,
        due_rule: DueRule::Year,
        missing_tool: MissingTool::Reject,
        model_down: ModelDown::Reject,
        fast_path: false,
        model_timeout: Duration::from_secs(60),
    };
    let clock = Clock::system(NaiveDate::from_ymd_opt(2026, 2, 8));
    let ids = IdSource::random();
    ChatService::new(store, Arc::clone(model) as _, policy, clock, ids).with_gates(gates)
}

/// One turn of a guard that breaks: the reply, and how many tasks there are after it.
async fn turn(breaks: Breaks, message: &str, answer: Round) -> (Result<Value, ChatError>, usize) {
    let store = world::database().await;
    let model = Arc::new(Scripted::default());
    model.learn(vec![answer]);
    let chat = service(store.clone(), &model, Box::new(breaks));
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
    let plans: [fn() -> Box<dyn candor::chat::GuardPort>; 3] = [
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

/// A store that writes what it is told to write and can't say so, as long as that is wanted; and
/// one that refuses the next commit.
#[derive(Debug, Default)]
struct Mute {
    silent: AtomicBool,
    refusing: AtomicBool,
}

impl FaultPlan for Mute {
    fn commit(&self) -> CommitEnd {
        if self.refusing.swap(false, Ordering::SeqCst) {
            return CommitEnd::Refused;
        }
        match self.silent.load(Ordering::SeqCst) {
            true => CommitEnd::WrittenUnknown,
            false => CommitEnd::Sound,
        }
    }

    fn settle(&self) -> bool {
        self.silent.load(Ordering::SeqCst)
    }

    fn read(&self) -> bool {
        false
    }
}

/// A conversation about milk and eggs that was just greeted, over a store that can fall mute.
struct Talk {
    store: Store,
    mute: Arc<Mute>,
    model: Arc<Scripted>,
    chat: ChatService,
    user: UserId,
    conversation: Option<ConversationId>,
}

impl Talk {
    async fn begin() -> Self {
        let (store, mute) = (world::database().await, Arc::new(Mute::default()));
        let model = Arc::new(Scripted::default());
        let faulty = store.with_faults(Arc::clone(&mute) as _);
        let chat = service(faulty, &model, Box::new(StandardGuard));
        let user = UserId::parse("me").unwrap();
        let mut talk = Self {
            store,
            mute,
            model,
            chat,
            user,
            conversation: None,
        };
        for title in ["milk", "eggs"] {
            let arguments = format!("{{\"title\":\"{title}\"}}");
            let add = Round::Answer(None, vec![("add_task".to_owned(), arguments)]);
            let message = format!("add {title}");
            talk.say(&message, add).await.unwrap();
        }
        talk
    }

    /// One message, and the reply's text, or why there is none.
    async fn say(&mut self, message: &str, answer: Round) -> Result<Value, ChatError> {
        self.model.learn(vec![answer]);
        let message = Some(message.to_owned());
        self.send(ChatRequest {
            message,
            ..ChatRequest::default()
        })
        .await
    }

    async fn send(&mut self, request: ChatRequest) -> Result<Value, ChatError> {
        let request = ChatRequest {
            conversation_id: self.conversation,
            ..request
        };
        let answered = self.chat.chat(&self.user, request, None).await?;
        let body: Value = serde_json::from_str(&answered.body).unwrap();
        self.conversation = serde_json::from_value(body["conversation_id"].clone()).ok();
        Ok(body)
    }

    /// "Delete 2 tasks?", in a reply that the store can't vouch for.
    async fn ask_unseen(&mut self) {
        self.mute.silent.store(true, Ordering::SeqCst);
        let asked = self.say("delete everything", delete("all")).await;
        assert_eq!(asked.err(), Some(ChatError::Unconfirmed));
        self.mute.silent.store(false, Ordering::SeqCst);
    }

    async fn titles(&self) -> Vec<String> {
        let snapshot = self.store.load(&self.user, None, None).await.unwrap();
        let tasks = snapshot.tasks.iter();
        tasks.map(|task| task.title.as_str().to_owned()).collect()
    }
}

fn delete(task: &str) -> Round {
    let arguments = format!("{{\"task\":\"{task}\"}}");
    Round::Answer(None, vec![("delete_task".to_owned(), arguments)])
}

/// No model is asked: a lie in its place would be seen.
fn nobody() -> Round {
    Round::Answer(Some("Deleted: milk".to_owned()), Vec::new())
}

const DELETE_BOTH: &str = "Delete 2 tasks?\n1. milk\n2. eggs";

#[tokio::test]
async fn a_question_that_nobody_saw_is_asked_again_before_a_yes_counts() {
    let mut talk = Talk::begin().await;
    talk.ask_unseen().await;
    let again = talk.say("yes", nobody()).await.unwrap();
    assert_eq!(again["assistant_message"], DELETE_BOTH);
    assert_eq!(again["kind"], "question");
    assert_eq!(talk.titles().await, ["milk", "eggs"]);
    let done = talk.say("yes", nobody()).await.unwrap();
    assert_eq!(done["assistant_message"], "Deleted: milk\nDeleted: eggs");
    assert!(talk.titles().await.is_empty());
}

#[tokio::test]
async fn a_command_is_no_choice_among_what_nobody_saw() {
    let mut talk = Talk::begin().await;
    talk.ask_unseen().await;
    let own = talk.say("delete milk", delete("milk")).await.unwrap();
    // "The rest stays as it was" would speak of a question that nobody has read.
    assert_eq!(own["assistant_message"], "Deleted: milk");
    assert_eq!(talk.titles().await, ["eggs"]);
    let late = talk.say("yes", nobody()).await.unwrap();
    assert_eq!(late["assistant_message"], "Nothing is waiting for a yes.");
    assert_eq!(talk.titles().await, ["eggs"]);
}

#[tokio::test]
async fn a_question_whose_task_a_lost_turn_deleted_is_not_asked_again() {
    for message in ["yes", "please don't delete eggs"] {
        let mut talk = Talk::begin().await;
        let asked = talk.say("delete everything", delete("all")).await.unwrap();
        assert_eq!(asked["assistant_message"], DELETE_BOTH);
        talk.mute.silent.store(true, Ordering::SeqCst);
        let both = Round::Answer(
            None,
            vec![
                // Nobody asked for this one, so the turn goes on after what it has done is committed.
                ("delete_task".to_owned(), r#"{"task":"eggs"}"#.to_owned()),
                ("complete_task".to_owned(), r#"{"task":"eggs"}"#.to_owned()),
                ("delete_task".to_owned(), r#"{"task":"milk"}"#.to_owned()),
            ],
        );
        let lost = talk.say("mark eggs as done and delete milk", both).await;
        assert_eq!(lost.err(), Some(ChatError::Unconfirmed), "{message}");
        talk.mute.silent.store(false, Ordering::SeqCst);
        assert_eq!(talk.titles().await, ["eggs"], "{message}");
        // The cut turn can't be brought to its end, so its question still stands in the database.
        talk.mute.refusing.store(true, Ordering::SeqCst);
        let next = talk.say(message, nobody()).await;
        let next = next.unwrap_or_else(|error| panic!("{message}: {error}"));
        assert!(!talk.mute.refusing.load(Ordering::SeqCst), "{message}");
        assert_ne!(next["kind"], "question", "{message}: {next}");
        assert_eq!(next["question"], Value::Null, "{message}: {next}");
        let late = talk.say("yes", nobody()).await.unwrap();
        assert_eq!(late["assistant_message"], "Nothing is waiting for a yes.");
        assert_eq!(talk.titles().await, ["eggs"], "{message}");
    }
}

#[tokio::test]
async fn a_button_of_a_question_that_a_lost_turn_closed_does_nothing() {
    let mut talk = Talk::begin().await;
    let asked = talk.say("delete everything", delete("all")).await.unwrap();
    assert_eq!(asked["assistant_message"], DELETE_BOTH);
    // Whatever is no answer closes the question, though its own reply may be lost.
    talk.mute.silent.store(true, Ordering::SeqCst);
    let lost = talk.say("thanks", nobody()).await;
    assert_eq!(lost.err(), Some(ChatError::Unconfirmed));
    talk.mute.silent.store(false, Ordering::SeqCst);
    let id = serde_json::from_value(asked["question"]["id"].clone()).unwrap();
    let value = "yes".to_owned();
    let answer = Some(AnswerChoice { id, value });
    let done = talk.send(ChatRequest {
        answer,
        ..ChatRequest::default()
    });
    let refused = done.await.err();
    assert!(
        matches!(refused, Some(ChatError::NoSuchQuestion(_))),
        "{refused:?}"
    );
    assert_eq!(talk.titles().await, ["milk", "eggs"]);
}

#[tokio::test]
async fn a_question_above_an_error_is_closed_with_it() {
    let mut talk = Talk::begin().await;
    let asked = talk.say("delete everything", delete("all")).await.unwrap();
    assert_eq!(asked["assistant_message"], DELETE_BOTH);
    let down = Round::Fail(ModelError::Timeout);
    let error = talk.say("what's the capital of France?", down).await;
    assert!(matches!(error, Err(ChatError::ModelDown { .. })));
    let late = talk.say("yes", nobody()).await.unwrap();
    assert_eq!(late["assistant_message"], "Nothing is waiting for a yes.");
    assert_eq!(talk.titles().await, ["milk", "eggs"]);
}
