//! Edited messages: each edit is a turn, sent twice it is one, and no answer is shown for what was
//! done anew.

use serde_json::{Value, json};

use super::scene::{Scene, again, said, text};

/// The message `m1` with another text, as the AI SDK sends it.
fn edited(text: &str) -> Value {
    let mut body = said("m1", text);
    body["messageId"] = json!("m1");
    body
}

/// Answer to a message, and whether it had been answered before.
async fn told(scene: &Scene, body: &Value) -> (String, bool) {
    let mut stream = scene.send(body).await;
    let parts = stream.parts().await;
    let replayed = stream.headers.contains_key("idempotency-replayed");
    (text(&parts), replayed)
}

#[tokio::test]
async fn words_that_come_back_after_others_are_done_anew() {
    let scene = Scene::new().await;
    let tea = || json!({"title": "tea"});
    let (added, deleted) = ("Added: tea", "Deleted: tea");
    let check = async |body: Value, expect: (&str, bool)| {
        let found = told(&scene, &body).await;
        assert_eq!((&*found.0, found.1), expect, "{body}");
    };
    scene.model.call("add_task", tea());
    check(said("m1", "add tea"), (added, false)).await;
    // Edited to the same at once, it is the same turn.
    check(edited("add tea"), (added, true)).await;
    scene.model.call("delete_task", json!({"task": "tea"}));
    check(edited("delete tea"), (deleted, false)).await;
    check(edited("delete tea"), (deleted, true)).await;
    check(again("m1", "delete tea"), (deleted, true)).await;
    assert!(scene.server.titles("me").await.is_empty());
    // The first answer would say of a task that is gone that it was added.
    scene.model.call("add_task", tea());
    check(edited("add tea"), (added, false)).await;
    check(edited("add tea"), (added, true)).await;
    check(again("m1", "add tea"), (added, true)).await;
    assert_eq!(scene.server.titles("me").await, ["tea"]);
    assert_eq!(scene.model.requests().len(), 3);
    // Shown again after something else was said, it is still its own answer.
    scene.model.call("list_tasks", json!({}));
    check(
        said("m2", "what are my tasks?"),
        ("You have 1 task:\n1. tea (pending, medium)", false),
    )
    .await;
    check(again("m1", "delete tea"), (deleted, true)).await;
    check(again("m1", "add tea"), (added, true)).await;
    assert_eq!(scene.server.titles("me").await, ["tea"]);
}

#[tokio::test]
async fn an_edit_that_failed_before_it_did_anything_may_be_tried_again() {
    let scene = Scene::new().await;
    scene.model.call("add_task", json!({"title": "tea"}));
    scene.say("m1", "add tea").await.parts().await;
    scene.model.call("delete_task", json!({"task": "tea"}));
    assert_eq!(told(&scene, &edited("delete tea")).await.0, "Deleted: tea");
    // The model is down.
    let mut stream = scene.send(&edited("add tea")).await;
    let parts = stream.parts().await;
    assert_eq!(parts.last().unwrap()["type"], "error", "{parts:#?}");
    assert!(scene.server.titles("me").await.is_empty());
    scene.model.call("add_task", json!({"title": "tea"}));
    let expect = ("Added: tea".to_owned(), false);
    assert_eq!(told(&scene, &again("m1", "add tea")).await, expect);
    assert_eq!(scene.server.titles("me").await, ["tea"]);
}
