//! User story 1: a deletion is a call that ran, or it is not claimed.

use serde_json::json;

use super::lies::DELETED;
use crate::world::World;

both! {
    us1_1_delete_read_book_calls_the_tool_and_the_row_is_gone
    us1_3_the_reply_confirms_with_metadata
    us1_4_a_deletion_that_fails_says_why
}

async fn us1_1_delete_read_book_calls_the_tool_and_the_row_is_gone(mut it: World) {
    let ids = it.given_tasks(&["Read book", "Call mom"]).await;
    it.model.call("delete_task", json!({"task": "Read book"}));

    let reply = it.say("delete Read book").await;

    reply.is("receipt").called(&[("delete_task", true)]);
    let calls = it.told(&reply, "tool_call").await;
    assert_eq!(calls.len(), 1);
    assert_eq!(calls[0]["name"], "delete_task");
    assert_eq!(calls[0]["task_ids"], json!([ids[0]]), "the resolved UUID");
    assert_eq!(calls[0]["outcome"], "committed");
    it.rows(&["Call mom"]).await;
    let path = format!("/api/me/tasks/{}", ids[0]);
    assert_eq!(it.server.get(&path).await.status, 404);
    it.holds().await;
}

async fn us1_3_the_reply_confirms_with_metadata(mut it: World) {
    let ids = it.given_tasks(&["Read book"]).await;
    it.model.call("delete_task", json!({"task": "Read book"}));

    let reply = it.say("delete Read book").await;

    reply
        .shows("Deleted: Read book")
        .is("receipt")
        .did(&[("delete_task", "Read book")]);
    let metadata = reply.metadata();
    let expect = json!({
        "action": "delete_task",
        "success": true,
        "task_id": ids[0],
        "task_title": "Read book",
        "message": "Deleted: Read book",
        "receipt_id": metadata["receipt_id"],
        "task": null,
    });
    assert_eq!(*metadata, expect);
    it.rows(&[]).await;
    it.holds().await;
}

async fn us1_4_a_deletion_that_fails_says_why(mut it: World) {
    it.given_tasks(&["Read book"]).await;
    it.model
        .call("delete_task", json!({"task": "Fly to Mars"}))
        .say("Deleted: Fly to Mars");

    let reply = it.say("delete Fly to Mars").await;

    reply
        .shows("Could not delete \"Fly to Mars\": no task with that title.")
        .is("failure")
        .failed("not_found", &[])
        .called(&[("delete_task", false)])
        .did_nothing();
    assert!(reply.metadata().is_null());
    it.rows(&["Read book"]).await;
    it.holds().await;
}

/// Whatever the model says instead of calling the tool: nothing of it is shown.
#[tokio::test]
async fn us1_2_no_success_is_claimed_unless_the_tool_ran() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book"]).await;
    for lie in DELETED {
        it.begin_anew();
        it.model.say(lie);
        let reply = it.say("delete Read book").await;
        reply
            .not_triggered("delete_task")
            .hides(&["deleted", "done"]);
        it.rows(&["Read book"]).await;
    }
    assert_eq!(it.model.requests().len(), DELETED.len());
    it.holds().await;
}

/// A lie beside a call that failed is not shown either, nor one beside a call that ran.
#[tokio::test]
async fn us1_2_a_lie_beside_a_call_is_not_shown() {
    use crate::openai::Step;
    let mut it = World::new().await;
    it.given_tasks(&["Read book", "Call mom"]).await;
    let beside = |text: &str, task: &str| Step::Answer {
        text: Some(text.to_owned()),
        calls: vec![("delete_task".to_owned(), json!({"task": task}))],
    };

    it.model
        .then(beside("Deleted Fly to Mars!", "Fly to Mars"))
        .say("All gone, Fly to Mars is deleted.");
    it.say("delete Fly to Mars")
        .await
        .shows("Could not delete \"Fly to Mars\": no task with that title.")
        .did_nothing();

    it.model
        .then(beside("Deleted Read book and Call mom!", "Read book"));
    it.say("delete Read book")
        .await
        .shows("Deleted: Read book")
        .did(&[("delete_task", "Read book")]);
    it.rows(&["Call mom"]).await;
    it.holds().await;
}
