//! Tests of who answers when the model does not: `CANDOR_MODEL_DOWN=engine`,
//! `OPENAI_FALLBACK_MODELS`.

use serde_json::{Value, json};

use crate::openai::Step;
use crate::world::World;

#[tokio::test]
async fn the_engine_answers_while_the_model_is_down_and_is_marked() {
    let mut it = World::with(&[
        ("CANDOR_MODEL_DOWN", "engine"),
        ("CANDOR_MODEL_TIMEOUT_MS", "400"),
    ])
    .await;
    it.given_tasks(&["Read book", "Call mom"]).await;
    it.model.otherwise(Step::CloseAtOnce);
    let marked = |reply: &crate::said::Said| {
        let model = &reply.body["execution_metadata"]["model"];
        assert_eq!(*model, "candor (engine)");
    };
    let reply = it.say("delete Read book").await;
    reply
        .shows("Deleted: Read book")
        .called(&[("delete_task", true)]);
    marked(&reply);
    let reply = it.say("what's on my list?").await;
    reply.shows("You have 1 task:\n1. Call mom (pending, medium)");
    marked(&reply);
    it.model.otherwise(Step::Silence);
    marked(&it.say("add buy milk").await);
    it.model.otherwise(Step::calls(vec![(
        "complete_task",
        json!({"task": "Call mom"}),
    )]));
    let reply = it.say("mark Call mom as done").await;
    reply.shows("Marked Call mom as done");
    let model = reply.body["execution_metadata"]["model"].as_str();
    assert_eq!(model, Some("openai (gpt-4)"), "the model is back");
    it.rows(&["Call mom (completed)", "buy milk"]).await;
    it.holds().await;
}

/// A scripted server where only `alive` answers; the other models do `instead`.
fn only(alive: &'static str, instead: Step, call: Value) -> impl FnMut(&Value) -> Step + Send {
    move |request| {
        if request["model"] == alive {
            Step::calls(vec![("delete_task", call.clone())])
        } else {
            instead.clone()
        }
    }
}

#[tokio::test]
async fn fallback_models_are_tried_in_order() {
    let mut it = World::with(&[
        ("OPENAI_FALLBACK_MODELS", "second, third"),
        ("CANDOR_MODEL_TIMEOUT_MS", "5000"),
    ])
    .await;
    for (title, instead) in [
        (
            "Read book",
            Step::refusal(404, "The model does not exist", "model_not_found"),
        ),
        ("Call mom", Step::Status(500, Vec::new())),
        ("Pay rent", Step::CloseAtOnce),
    ] {
        it.given_tasks(&[title]).await;
        it.begin_anew();
        it.model
            .otherwise_with(only("third", instead, json!({"task": title})));
        let before = it.model.requests().len();
        let reply = it.say(&format!("delete {title}")).await;
        reply.shows(&format!("Deleted: {title}"));
        let model = &reply.body["execution_metadata"]["model"];
        assert_eq!(*model, "openai (third)");
        let mut asked: Vec<_> = it.model.requests()[before..]
            .iter()
            .map(|request| request["model"].as_str().unwrap().to_owned())
            .collect();
        asked.dedup();
        assert_eq!(asked, ["gpt-4", "second", "third"], "{title}");
    }
    it.rows(&[]).await;
    it.holds().await;
}

#[tokio::test]
async fn a_fallback_is_not_asked_when_the_model_merely_called_nothing() {
    let mut it = World::with(&[("OPENAI_FALLBACK_MODELS", "second")]).await;
    it.given_tasks(&["Read book"]).await;
    it.model.otherwise(Step::say("Deleted: Read book"));
    it.say("delete Read book")
        .await
        .not_triggered("delete_task");
    assert_eq!(it.model.requests().len(), 1);
    it.holds().await;
}
