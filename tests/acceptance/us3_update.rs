//! User story 3: a change is confirmed from what was written.

use serde_json::{Value, json};

use super::lies::CHANGED;
use crate::world::World;

both! {
    us3_1_mark_read_book_as_done
    us3_2_set_review_proposal_priority_to_high
    us3_3_the_confirmation_names_title_and_change
    us3_4_a_change_of_nothing_says_why
    us3_4_what_was_done_already_is_no_success
}

async fn us3_1_mark_read_book_as_done(mut it: World) {
    let ids = it.given_tasks(&["Read book", "Call mom"]).await;
    it.model.call("complete_task", json!({"task": "Read book"}));

    let reply = it.say("mark Read book as done").await;

    reply
        .shows("Marked Read book as done")
        .is("receipt")
        .called(&[("complete_task", true)])
        .did(&[("complete_task", "Read book")]);
    assert_eq!(reply.metadata()["task_id"], ids[0].as_str());
    assert_eq!(reply.metadata()["task"]["status"], "completed");
    let calls = it.told(&reply, "tool_call").await;
    assert_eq!(calls[0]["task_ids"], json!([ids[0]]));
    it.rows(&["Read book (completed)", "Call mom"]).await;
    it.holds().await;
}

async fn us3_2_set_review_proposal_priority_to_high(mut it: World) {
    let ids = it.given_tasks(&["Read book", "Review proposal"]).await;
    it.model.call(
        "update_task",
        json!({"task": "Review proposal", "priority": "high"}),
    );

    let reply = it.say("set Review proposal priority to high").await;

    reply
        .shows("Updated: Review proposal (priority: high)")
        .is("receipt")
        .called(&[("update_task", true)])
        .did(&[("update_task", "Review proposal")]);
    assert_eq!(reply.metadata()["task_id"], ids[1].as_str());
    it.rows(&["Read book", "Review proposal (high)"]).await;
    it.holds().await;
}

async fn us3_3_the_confirmation_names_title_and_change(mut it: World) {
    it.given_tasks(&["Read book", "Review proposal", "Old one (completed)"])
        .await;
    let update = |arguments: Value| ("update_task", arguments);
    let turns = [
        (
            "mark Read book as done",
            ("complete_task", json!({"task": "Read book"})),
            "Marked Read book as done",
        ),
        (
            "set Review proposal priority to low",
            update(json!({"task": "Review proposal", "priority": "low"})),
            "Updated: Review proposal (priority: low)",
        ),
        (
            "rename Review proposal to Sign contract",
            update(json!({"task": "Review proposal", "title": "Sign contract"})),
            "Updated: Sign contract (renamed from Review proposal)",
        ),
        (
            "move Sign contract to friday",
            update(json!({"task": "Sign contract", "due_date": "friday"})),
            "Updated: Sign contract (due Fri 2026-02-13)",
        ),
        (
            "reopen Old one",
            update(json!({"task": "Old one", "status": "pending"})),
            "Reopened: Old one",
        ),
    ];
    for (words, (tool, arguments), expect) in turns {
        it.model.call(tool, arguments);
        let reply = it.say(words).await;
        reply.shows(expect).is("receipt");
        assert_eq!(reply.metadata()["message"], expect);
    }
    it.rows(&[
        "Read book (completed)",
        "Sign contract (low, due 2026-02-13)",
        "Old one",
    ])
    .await;
    it.holds().await;
}

async fn us3_4_a_change_of_nothing_says_why(mut it: World) {
    it.given_tasks(&["Read book"]).await;
    it.model
        .call("complete_task", json!({"task": "Fly to Mars"}))
        .say("Marked as done!");
    it.say("mark Fly to Mars as done")
        .await
        .is("failure")
        .failed("not_found", &[])
        .mentions(&["\"Fly to Mars\"", "no task with that title"])
        .did_nothing();
    it.model
        .call(
            "update_task",
            json!({"task": "Fly to Mars", "priority": "high"}),
        )
        .say("Updated!");
    it.say("set Fly to Mars priority to high")
        .await
        .is("failure")
        .shows("Could not update \"Fly to Mars\": no task with that title.")
        .did_nothing();
    it.rows(&["Read book"]).await;
    it.holds().await;
}

async fn us3_4_what_was_done_already_is_no_success(mut it: World) {
    it.given_tasks(&["Read book (completed)", "Call mom"]).await;
    it.model
        .call("complete_task", json!({"task": "Read book"}))
        .say("Marked Read book as done");
    it.say("mark Read book as done")
        .await
        .shows("\"Read book\" was already done.")
        .did_nothing();
    it.rows(&["Read book (completed)", "Call mom"]).await;
    it.holds().await;
}

/// The model insists on a value that there is none of: the user reads the tool's own reason.
#[tokio::test]
async fn us3_4_an_invalid_value_is_named() {
    let mut it = World::new().await;
    it.given_tasks(&["Review proposal"]).await;
    for _ in 0..3 {
        let arguments = json!({"task": "Review proposal", "priority": "highest"});
        it.model.call("update_task", arguments);
    }
    it.say("set Review proposal priority to high")
        .await
        .shows(
            "Could not update \"Review proposal\": the priority is not one of low, medium, high.",
        )
        .is("failure")
        .failed("validation", &[])
        .called(&[("update_task", false); 3])
        .did_nothing();
    it.rows(&["Review proposal"]).await;
    it.holds().await;
}

#[tokio::test]
async fn us3_no_change_is_claimed_unless_the_tool_ran() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book"]).await;
    for lie in CHANGED {
        for (words, tool) in [
            ("mark Read book as done", "complete_task"),
            ("set Read book priority to high", "update_task"),
        ] {
            it.begin_anew();
            it.model.say(lie);
            it.say(words).await.not_triggered(tool);
        }
    }
    it.rows(&["Read book"]).await;
    it.holds().await;
}
