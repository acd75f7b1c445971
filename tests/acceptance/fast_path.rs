//! `CANDOR_FAST_PATH=on`: what is certain is not sent to the model, and passes the same gates.

use serde_json::json;

use crate::openai::Step;
use crate::world::World;

async fn world() -> World {
    World::with(&[("CANDOR_FAST_PATH", "on")]).await
}

#[tokio::test]
async fn a_certain_command_asks_no_model_and_is_marked() {
    let mut it = world().await;
    it.given_tasks(&["Read book"]).await;
    it.model.otherwise(Step::say("Deleted: Read book"));
    let reply = it.say("delete Read book").await;
    reply.shows("Deleted: Read book").is("receipt");
    assert_eq!(reply.body["execution_metadata"]["model"], "candor (engine)");
    assert!(it.model.requests().is_empty());
    it.rows(&[]).await;
    it.holds().await;
}

#[tokio::test]
async fn what_is_not_certain_asks_the_model() {
    let mut it = world().await;
    it.given_tasks(&["Read book", "Read paper"]).await;
    it.model.otherwise(Step::say("Hello!"));
    for message in ["hello", "delete read", "add milk and eggs"] {
        let before = it.model.requests().len();
        it.say(message).await;
        assert!(it.model.requests().len() > before, "{message}");
    }
    it.rows(&["Read book", "Read paper"]).await;
    it.holds().await;
}

/// Without the switch the model is asked, whatever is certain.
#[tokio::test]
async fn it_is_off_unless_it_is_switched_on() {
    let mut it = World::new().await;
    it.model.call("add_task", json!({"title": "buy milk"}));
    it.say("add buy milk").await.shows("Added: buy milk");
    assert_eq!(it.model.requests().len(), 1);
    it.holds().await;
}
