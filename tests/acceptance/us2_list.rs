//! User story 2: a list is what the database holds, read by the tool.

use serde_json::json;

use super::lies::LISTED;
use crate::openai::Step;
use crate::world::World;

both! {
    us2_1_list_and_show_call_list_tasks
    us2_2_seven_tasks_are_shown_by_title_only
    us2_4_an_empty_list_is_said_to_be_empty
    us2_4_a_filter_that_matches_nothing_says_how_many_there_are
}

const SEVEN: &[&str] = &[
    "Read book",
    "Call mom",
    "Buy milk (high)",
    "Review proposal (due 2026-02-12)",
    "Pay rent (high, due 2026-02-09)",
    "Renew passport (completed)",
    "Water the plants (low)",
];

async fn us2_1_list_and_show_call_list_tasks(mut it: World) {
    it.given_tasks(&["Read book", "Pay rent (completed)"]).await;
    for (words, filter) in [
        ("list my tasks", "all"),
        ("show my tasks", "all"),
        ("show my pending tasks", "pending"),
        ("list my completed tasks", "completed"),
    ] {
        it.begin_anew();
        it.model
            .call("list_tasks", json!({"status_filter": filter}));
        let reply = it.say(words).await;
        reply
            .is("receipt")
            .called(&[("list_tasks", true)])
            .did(&[("list_tasks", "")]);
        let calls = it.told(&reply, "tool_call").await;
        assert_eq!(calls[0]["user_id"], "me", "{words}");
        if !it.engine {
            let expect = json!({"status_filter": filter});
            assert_eq!(calls[0]["arguments"], expect, "{words}");
        }
        match filter {
            "pending" => reply.mentions(&["Read book"]).hides(&["Pay rent"]),
            "completed" => reply.mentions(&["Pay rent"]).hides(&["Read book"]),
            _ => reply.mentions(&["Read book", "Pay rent"]),
        };
    }
    it.holds().await;
}

async fn us2_2_seven_tasks_are_shown_by_title_only(mut it: World) {
    it.given_tasks(SEVEN).await;
    it.model.call("list_tasks", json!({"status_filter": "all"}));

    let reply = it.say("list my tasks").await;

    let lines: Vec<&str> = reply.text().lines().collect();
    assert_eq!(lines[0], "You have 7 tasks:");
    assert_eq!(lines.len(), 8, "{lines:#?}");
    let mut shown: Vec<_> = lines[1..]
        .iter()
        .map(|line| line.split_once(". ").unwrap().1)
        .collect();
    shown.sort_unstable();
    let mut expect = [
        "Read book (pending, medium)",
        "Call mom (pending, medium)",
        "Buy milk (pending, high)",
        "Review proposal (pending, medium, due 2026-02-12)",
        "Pay rent (pending, high, due 2026-02-09)",
        "Renew passport (completed, medium)",
        "Water the plants (pending, low)",
    ];
    expect.sort_unstable();
    assert_eq!(shown, expect);
    for (number, line) in lines[1..].iter().enumerate() {
        assert!(line.starts_with(&format!("{}. ", number + 1)), "{line}");
    }
    assert_eq!(reply.metadata()["message"], "7 tasks");
    it.rows(SEVEN).await;
    it.holds().await;
}

async fn us2_4_an_empty_list_is_said_to_be_empty(mut it: World) {
    it.model.call("list_tasks", json!({"status_filter": "all"}));
    it.say("list my tasks")
        .await
        .shows("Your task list is empty.")
        .is("receipt")
        .called(&[("list_tasks", true)]);
    it.holds().await;
}

async fn us2_4_a_filter_that_matches_nothing_says_how_many_there_are(mut it: World) {
    it.given_tasks(&["Read book", "Call mom"]).await;
    it.model
        .call("list_tasks", json!({"status_filter": "completed"}));
    it.say("show my completed tasks")
        .await
        .is("receipt")
        .called(&[("list_tasks", true)])
        .mentions(&["2 in all"])
        .hides(&["Read book", "Call mom"]);
    it.holds().await;
}

#[tokio::test]
async fn us2_3_a_list_made_up_by_the_model_is_never_shown() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book"]).await;
    for lie in LISTED {
        it.begin_anew();
        it.model.say(lie);
        let reply = it.say("list my tasks").await;
        reply.not_triggered("list_tasks").hides(&["yacht"]);
    }
    it.holds().await;
}

/// Inventions beside a real call, and before it, are left out as well.
#[tokio::test]
async fn us2_3_only_what_the_tool_read_is_shown() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book"]).await;
    it.model.then(Step::Answer {
        text: Some("Your tasks: Read book and Buy a yacht.".to_owned()),
        calls: vec![("list_tasks".to_owned(), json!({"status_filter": "all"}))],
    });
    it.say("list my tasks")
        .await
        .shows("You have 1 task:\n1. Read book (pending, medium)");
    it.holds().await;
}

#[tokio::test]
async fn us2_4_a_listing_that_fails_shows_no_list() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book"]).await;
    for _ in 0..3 {
        it.model
            .call("list_tasks", json!({"status_filter": "open"}));
    }
    it.say("list my tasks")
        .await
        .is("failure")
        .failed("validation", &[])
        .shows("Could not list the tasks: the status is not one of all, pending, completed.")
        .called(&[("list_tasks", false); 3])
        .did_nothing();
    it.holds().await;
}
