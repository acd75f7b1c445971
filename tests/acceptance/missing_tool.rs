//! `CANDOR_MISSING_TOOL`: what is done before the technical error is said.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::openai::Step;
use crate::world::World;

async fn world(policy: &str) -> World {
    World::with(&[("CANDOR_MISSING_TOOL", policy)]).await
}

#[tokio::test]
async fn retry_forces_the_tool_once() {
    let mut it = world("retry").await;
    it.given_tasks(&["Read book"]).await;
    it.model
        .say("Deleted: Read book")
        .call("delete_task", json!({"task": "Read book"}));
    let reply = it.say("delete Read book").await;
    reply.shows("Deleted: Read book").is("receipt");
    assert_eq!(reply.model_calls(), 2);
    let requests = it.model.requests();
    assert_eq!(requests[0]["tool_choice"], "auto");
    assert_eq!(requests[1]["tool_choice"], "required");
    it.rows(&[]).await;
    it.holds().await;
}

#[tokio::test]
async fn retry_ends_in_the_error_after_one_forced_try() {
    let mut it = world("retry").await;
    it.given_tasks(&["Read book"]).await;
    it.model.otherwise(Step::say("Deleted: Read book"));
    let reply = it.say("delete Read book").await;
    reply.not_triggered("delete_task");
    assert_eq!(it.model.requests().len(), 2);
    it.rows(&["Read book"]).await;
    it.holds().await;
}

/// The forced call passes the same gates as any: it can't reach another task.
#[tokio::test]
async fn retry_gives_a_forced_call_no_further_rights() {
    let mut it = world("retry").await;
    it.given_tasks(&["Read book", "Call mom"]).await;
    it.model
        .say("Deleted: Read book")
        .call("delete_task", json!({"task": "Call mom"}))
        .otherwise(Step::say("Done."));
    it.say("delete Read book")
        .await
        .hides(&["Deleted"])
        .did_nothing();
    it.rows(&["Read book", "Call mom"]).await;
    it.holds().await;
}

/// A model that then goes silent costs two seconds, not its whole time.
#[tokio::test]
async fn retry_stays_within_two_seconds() {
    let mut it = world("retry").await;
    it.given_tasks(&["Read book"]).await;
    // The first turn also reads the grammar, which takes its time in a debug build.
    it.model.say("Hello!").say("Deleted: Read book");
    it.say("hello there").await;
    it.model.otherwise(Step::Silence);
    let began = Instant::now();
    it.say("delete Read book")
        .await
        .not_triggered("delete_task");
    let took = began.elapsed();
    assert!(took < Duration::from_millis(3000), "{took:?}");
    it.rows(&["Read book"]).await;
    it.holds().await;
}

#[tokio::test]
async fn engine_reads_the_message_and_is_marked() {
    let mut it = world("engine").await;
    it.given_tasks(&["Read book", "Call mom"]).await;
    it.model.otherwise(Step::say("Deleted: everything!"));
    let reply = it.say("delete Read book").await;
    reply
        .shows("Deleted: Read book")
        .called(&[("delete_task", true)]);
    let model = &reply.body["execution_metadata"]["model"];
    assert_eq!(*model, "candor (engine)");
    it.say("list my tasks")
        .await
        .shows("You have 1 task:\n1. Call mom (pending, medium)");
    it.rows(&["Call mom"]).await;
    it.holds().await;
}

/// The engine passes the same gates: what is ambiguous is asked.
#[tokio::test]
async fn engine_asks_where_the_words_are_ambiguous() {
    let mut it = world("engine").await;
    it.given_tasks(&["Read blue book", "Read red book"]).await;
    it.model.otherwise(Step::say("Deleted: Read blue book"));
    it.say("delete book").await.is("question").did_nothing();
    it.holds().await;
}
