//! A turn that was played against a real database, played again from its log.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use chrono::{DateTime, Utc};
use serde_json::{Value, json};

use super::{Spoken, Stage, calls, fails, id, rules, says, spoken};
use crate::audit::{AuditRow, EventKind};
use crate::chat::ChatService;
use crate::chat::machine::effects::Waited;
use crate::chat::wire::ChatRequest;
use crate::domain::{Clock, IdSource, Moment, TurnId};
use crate::llm::{AnswerFuture, LanguageModel, ModelError, ModelRequest};
use crate::store::{AuditFilter, ReceiptEntry, ReceiptFacts, Store, UserSnapshot};

/// A model that answers what it was told to.
#[derive(Debug, Default)]
struct Scripted(Mutex<VecDeque<Spoken>>);

impl LanguageModel for Scripted {
    fn name(&self) -> &'static str {
        "played (test)"
    }

    fn ask<'a>(&'a self, _: &'a ModelRequest) -> AnswerFuture<'a> {
        let next = self.0.lock().unwrap().pop_front();
        Box::pin(async move {
            match next {
                Some(Waited::Done(answer)) => answer,
                _ => Err(ModelError::Unreachable),
            }
        })
    }
}

/// A turn as it happened.
struct Recorded {
    /// State before it.
    before: UserSnapshot,
    /// Receipts before it, as often as they may be looked at.
    histories: Vec<Vec<ReceiptEntry>>,
    /// The id that was drawn next.
    first: u64,
    /// Its events.
    log: Vec<AuditRow>,
    receipts: Vec<ReceiptFacts>,
    body: Value,
}

/// A conversation that is recorded.
struct Talk {
    stage: Stage,
    store: Store,
    model: Arc<Scripted>,
    drawn: Arc<AtomicU64>,
    chat: ChatService,
}

fn noon() -> DateTime<Utc> {
    DateTime::from_timestamp(1_770_552_000, 0).unwrap()
}

impl Talk {
    async fn begin() -> Self {
        let store = Store::open("sqlite::memory:").await.unwrap();
        store.migrate().await.unwrap();
        let (model, drawn) = (
            Arc::new(Scripted::default()),
            Arc::new(AtomicU64::new(1000)),
        );
        let next = Arc::clone(&drawn);
        let ids = IdSource::from_fn(move || id(next.fetch_add(1, Ordering::SeqCst).into()));
        let policy = rules(ids.clone()).policy;
        let clock = Clock::from_source(None, noon);
        let chat = ChatService::new(store.clone(), Arc::clone(&model) as _, policy, clock, ids);
        Self {
            stage: Stage::new("", &[]),
            store,
            model,
            drawn,
            chat,
        }
    }

    async fn record(&self, message: &str, answers: Vec<Spoken>) -> Recorded {
        let (user, place) = (&self.stage.world.user, self.stage.world.place);
        self.model.0.lock().unwrap().extend(answers);
        let before = self.store.load(user, Some(place), None).await.unwrap();
        let mut histories = Vec::new();
        for _ in 0..2 {
            histories.push(self.store.history(user, None, 100).await.unwrap());
        }
        let first = self.drawn.load(Ordering::SeqCst);
        let request = ChatRequest {
            message: Some(message.to_owned()),
            conversation_id: Some(place),
            ..ChatRequest::default()
        };
        let begins = crate::chat::RequestOptions {
            begins: true,
            course: None,
        };
        let answered = self.chat.chat_so(user, request, None, begins).await;
        let body: Value = serde_json::from_str(&answered.unwrap().body).unwrap();
        let turn: TurnId = serde_json::from_value(body["turn_id"].clone()).unwrap();
        let filter = AuditFilter {
            user: Some(user.clone()),
            turn: Some(turn),
            ..AuditFilter::default()
        };
        let receipts = self.store.turn_receipts(user, turn).await.unwrap();
        let receipts = receipts.iter().map(|entry| entry.receipt.facts().clone());
        Recorded {
            before,
            histories,
            first,
            log: self.store.audit_events(&filter).await.unwrap(),
            receipts: receipts.collect(),
            body,
        }
    }
}

impl Recorded {
    /// A fresh machine, which knows of the turn what its log says.
    fn stage(&mut self) -> Stage {
        let turn = self.log.iter().find(|event| event.kind == EventKind::Turn);
        let turn = turn.unwrap();
        let told: Value = serde_json::from_str(&turn.payload).unwrap();
        let mut stage = Stage::new(told["message"].as_str().unwrap(), &[]);
        stage.rules = rules(super::counting(self.first));
        stage.input.fresh = false;
        stage.input.begins = true;
        stage.input.moment = Moment {
            instant: turn.created_at,
            today: serde_json::from_value(told["today"].clone()).unwrap(),
            zone: told["timezone"].as_str().unwrap().parse().unwrap(),
            remind_now: turn.created_at,
        };
        stage.world.histories.extend(self.histories.drain(..));
        stage.world.tasks = self.before.tasks.clone();
        stage
            .world
            .conversation
            .clone_from(&self.before.conversation);
        let answers = told["answers"].as_array().unwrap().iter().map(|answer| {
            if let Some(error) = answer.get("error") {
                let known = [ModelError::Unreachable, ModelError::Timeout];
                let known = known.into_iter().find(|one| *error == one.to_string());
                return fails(known.unwrap());
            }
            let calls = serde_json::from_value(answer["calls"].clone()).unwrap();
            spoken(answer["text"].as_str().map(str::to_owned), calls)
        });
        stage.world.models.extend(answers);
        stage
    }

    /// Events but for the receipts, which the store adds, each without what only its row has.
    fn events(&self) -> Vec<(EventKind, Value)> {
        let own = self
            .log
            .iter()
            .filter(|event| event.kind != EventKind::Receipt);
        own.map(|event| (event.kind, serde_json::from_str(&event.payload).unwrap()))
            .map(|(kind, told)| (kind, timeless(told)))
            .collect()
    }
}

/// Facts without those that no two runs share: how long it took, the salt of the log, and the ids of
/// messages, which count on from those that a store draws itself.
fn timeless(mut told: Value) -> Value {
    let mut remove = |place: &str, name: &str| {
        let place = told.pointer_mut(place).and_then(Value::as_object_mut);
        place.and_then(|place| place.remove(name))
    };
    remove("/execution_metadata", "latency_ms");
    remove("", "salt");
    let mut line = 0;
    while remove(&format!("/messages/{line}"), "id").is_some() {
        line += 1;
    }
    told
}

#[tokio::test]
async fn a_turn_is_played_again_from_its_log() {
    let talk = Talk::begin().await;
    let add = |title: &str| ("add_task", json!({ "title": title }));
    let delete = |task: &str| ("delete_task", json!({ "task": task }));
    let turns = [
        ("add bread", vec![calls(&[add("bread")])]),
        (
            "add milk and delete eggs",
            vec![
                calls(&[add("milk"), delete("eggs")]),
                says("There are no eggs."),
            ],
        ),
        (
            "add tea and delete jam",
            vec![
                calls(&[add("tea"), delete("jam")]),
                fails(ModelError::Unreachable),
            ],
        ),
        ("delete everything", vec![calls(&[delete("all")])]),
        ("yes", vec![]),
        ("what is the capital of France?", vec![says("Paris.")]),
        ("did you delete the milk?", vec![says("Yes, it is gone.")]),
    ];
    for (message, answers) in turns {
        let mut recorded = talk.record(message, answers).await;
        let mut stage = recorded.stage();
        let again = stage.play().unwrap();
        let again: Value = serde_json::from_str(&again.body).unwrap();
        assert_eq!(
            timeless(again),
            timeless(recorded.body.clone()),
            "{message}"
        );
        assert_eq!(stage.world.committed, recorded.receipts, "{message}");
        let records = stage.world.records.iter();
        let events = records.flat_map(|record| &record.events);
        let events: Vec<_> = events
            .map(|event| (event.kind, timeless(event.payload.clone())))
            .collect();
        assert_eq!(events, recorded.events(), "{message}");
    }
}

#[tokio::test]
async fn another_answer_than_the_recorded_one_is_noticed() {
    let talk = Talk::begin().await;
    let milk = calls(&[("add_task", json!({ "title": "milk" }))]);
    let mut recorded = talk.record("add milk", vec![milk]).await;
    let mut stage = recorded.stage();
    stage.world.models = VecDeque::from([says("I have added milk.")]);
    let again = stage.reply().unwrap();
    assert_ne!(again, recorded.body["assistant_message"]);
    assert_ne!(stage.world.committed, recorded.receipts);
}
