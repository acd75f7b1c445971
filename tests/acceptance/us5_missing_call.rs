//! User story 5: a needed tool that was not called is a technical error, said in fixed words.

use serde_json::{Value, json};

use super::lies::{DELETED, LISTED};
use crate::openai::Step;
use crate::world::World;

/// Messages with the tool that each of them needs, in a list of `Read book` and `Old one`
/// (done).
const NEEDED: &[(&str, &str)] = &[
    ("add buy milk", "add_task"),
    ("list my tasks", "list_tasks"),
    ("how many tasks do I have?", "list_tasks"),
    ("mark Read book as done", "complete_task"),
    ("set Read book priority to high", "update_task"),
    ("rename Read book to Read novel", "update_task"),
    ("move Read book to friday", "update_task"),
    ("reopen Old one", "update_task"),
    ("delete Read book", "delete_task"),
];

/// An answer without calls, as servers spell it.
fn without_calls(message: &Value) -> Step {
    Step::Json(json!({
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1, "model": "gpt-4",
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
    }))
}

#[tokio::test]
async fn us5_1_none_and_empty_tool_calls_are_a_technical_error() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book", "Old one (completed)"]).await;
    for (words, tool) in NEEDED {
        for message in [
            json!({"role": "assistant", "content": "Okay."}),
            json!({"role": "assistant", "content": "Okay.", "tool_calls": null}),
            json!({"role": "assistant", "content": "Okay.", "tool_calls": []}),
        ] {
            it.begin_anew();
            it.model.then(without_calls(&message));
            let reply = it.say(words).await;
            reply.not_triggered(tool);
            assert_eq!(reply.model_calls(), 1, "{words}");
        }
    }
    it.rows(&["Read book", "Old one (completed)"]).await;
    it.holds().await;
}

/// Neither a call nor a word: as missing as any.
#[tokio::test]
async fn us5_1_an_answer_of_nothing_is_a_technical_error() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book"]).await;
    for message in [
        json!({"role": "assistant", "content": null, "tool_calls": null}),
        json!({"role": "assistant", "content": "", "tool_calls": []}),
        json!({"role": "assistant", "content": null}),
    ] {
        it.begin_anew();
        it.model.otherwise(without_calls(&message));
        it.say("delete Read book")
            .await
            .not_triggered("delete_task");
    }
    it.rows(&["Read book"]).await;
    it.holds().await;
}

#[tokio::test]
async fn us5_1_undo_without_its_call_is_a_technical_error() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book"]).await;
    it.model.call("delete_task", json!({"task": "Read book"}));
    it.say("delete Read book").await.shows("Deleted: Read book");
    it.model.say("Undone, Read book is back!");
    it.say("undo").await.not_triggered("undo");
    it.rows(&[]).await;
    it.holds().await;
}

/// A call of another tool, even one that ran, does not stand in for the one that was due.
#[tokio::test]
async fn us5_2_another_tool_does_not_stand_in_for_delete_task() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book"]).await;
    for lie in &DELETED[..3] {
        it.begin_anew();
        it.model
            .call("list_tasks", json!({"status_filter": "all"}))
            .say(lie);
        let reply = it.say("delete Read book").await;
        reply
            .is("failure")
            .failed("tool_not_triggered", &["delete_task"])
            .mentions(&["Technical error: Tool not triggered."])
            .hides(&["Deleted", "removed"])
            .called(&[("list_tasks", true)]);
    }
    // The most damaging stand-ins are not even dispatched.
    for (tool, arguments) in [
        ("complete_task", json!({"task": "Read book"})),
        ("add_task", json!({"title": "Read book"})),
    ] {
        it.begin_anew();
        it.model
            .call(tool, arguments)
            .otherwise(Step::say("Deleted!"));
        it.say("delete Read book")
            .await
            .not_triggered("delete_task");
    }
    it.rows(&["Read book"]).await;
    it.holds().await;
}

#[tokio::test]
async fn us5_2_delete_read_book_without_a_call_shows_the_error() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book"]).await;
    it.model.say(DELETED[0]);
    let reply = it.say("delete Read book").await;
    reply.not_triggered("delete_task");
    let refused = it.told(&reply, "refusal").await;
    assert_eq!(
        refused.len(),
        1,
        "the ghost is in the audit log: {refused:#?}"
    );
    assert_eq!(refused[0]["text"], DELETED[0]);
    it.rows(&["Read book"]).await;
    it.holds().await;
}

#[tokio::test]
async fn us5_3_list_my_tasks_without_a_call_shows_the_error() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book"]).await;
    it.model.say(LISTED[0]);
    it.say("list my tasks")
        .await
        .not_triggered("list_tasks")
        .hides(&["yacht", "Read book"]);
    it.holds().await;
}
