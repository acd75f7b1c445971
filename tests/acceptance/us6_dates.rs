//! User story 6: today is Sunday, 8 February 2026, for the model and for every date.
//!
//! The specification's "next Monday … Feb 10, 2026" is a slip: that day is a Tuesday. The
//! Monday after Sunday the 8th is the 9th.

use serde_json::json;

use crate::openai::Step;
use crate::world::World;

both! {
    us6_2_tomorrow_is_9_february_2026
    us6_3_next_monday_is_9_february_2026
    us6_4_forbidden_days_of_the_user_are_refused
}

async fn us6_2_tomorrow_is_9_february_2026(mut it: World) {
    it.model
        .call(
            "add_task",
            json!({"title": "Water plants", "due_date": "tomorrow"}),
        )
        .call(
            "add_task",
            json!({"title": "Pay rent", "due_date": "2026-02-09"}),
        );
    it.say("add task Water plants due tomorrow")
        .await
        .shows("Added: Water plants (due Mon 2026-02-09)");
    it.say("add Pay rent tomorrow")
        .await
        .shows("Added: Pay rent (due Mon 2026-02-09)");
    it.rows(&["Water plants (due 2026-02-09)", "Pay rent (due 2026-02-09)"])
        .await;
    it.holds().await;
}

#[tokio::test]
async fn us6_5_a_time_that_the_words_tell_is_kept() {
    let mut it = World::new().await;
    it.model.call(
        "add_task",
        json!({"title": "call the plumber", "due_date": "friday", "due_time": "17:00"}),
    );
    let said = it.say("add call the plumber on friday at 5pm").await;
    said.shows("Added: call the plumber (due Fri 2026-02-13 17:00)");
    let task = &said.body["action_metadata"]["task"];
    assert_eq!(task["due_date"], "2026-02-13");
    assert_eq!(task["due_time"], "17:00");
    assert_eq!(task["timezone"], "UTC");
    it.model.call(
        "update_task",
        json!({"task": "call the plumber", "due_time": "18:30"}),
    );
    it.say("change the time of call the plumber to 18:30")
        .await
        .shows("Updated: call the plumber (due Fri 2026-02-13 18:30)");
    assert!(
        it.prompt().contains(
            "[call the plumber] (Status: pending, Priority: medium, Due: 2026-02-13 17:00)"
        )
    );
    it.rows(&["call the plumber (due 2026-02-13 18:30)"]).await;
    it.holds().await;
}

async fn us6_3_next_monday_is_9_february_2026(mut it: World) {
    it.model.call(
        "add_task",
        json!({"title": "Water plants", "due_date": "next Monday"}),
    );
    it.say("add task Water plants due next Monday")
        .await
        .shows("Added: Water plants (due Mon 2026-02-09)");
    it.rows(&["Water plants (due 2026-02-09)"]).await;
    it.holds().await;
}

async fn us6_4_forbidden_days_of_the_user_are_refused(mut it: World) {
    it.given_tasks(&["Read book"]).await;
    let window = "due dates run from 2026-02-08 to 2026-12-31";
    for day in [
        "2025-12-31",
        "2024-02-09",
        "2026-02-07",
        "2027-01-01",
        "2028-02-09",
    ] {
        it.begin_anew();
        let add = json!({"title": "Water plants", "due_date": day});
        it.model.otherwise(Step::calls(vec![("add_task", add)]));
        it.say(&format!("add task Water plants due {day}"))
            .await
            .is("failure")
            .failed("validation", &[])
            .mentions(&["Could not add", day, window])
            .did_nothing();
        it.begin_anew();
        let update = json!({"task": "Read book", "due_date": day});
        it.model
            .otherwise(Step::calls(vec![("update_task", update)]));
        it.say(&format!("move Read book to {day}"))
            .await
            .is("failure")
            .mentions(&["Could not", day, window])
            .did_nothing();
    }
    it.rows(&["Read book"]).await;
    it.holds().await;
}

#[tokio::test]
async fn us6_1_the_prompt_states_the_day_twice() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book"]).await;
    it.model.say("Hello!");
    it.say("hi there").await;
    let prompt = it.prompt();
    let day = "TODAY IS SUNDAY, FEBRUARY 8, 2026";
    let (context, rules) = prompt.split_once("\nDue dates\n").expect("temporal rules");
    assert!(context.contains(&format!("{day} (2026-02-08)")), "{prompt}");
    assert!(rules.contains(day), "{prompt}");
    assert!(prompt.matches("2026").count() >= 4, "{prompt}");
    for rule in [
        "\"tomorrow\" is 2026-02-09",
        "between 2026-02-08 and 2026-12-31",
        "FORBIDDEN: any date in 2024 or 2025, any date before today, any year after 2026",
    ] {
        assert!(prompt.contains(rule), "{rule:?} is missing: {prompt}");
    }
    it.holds().await;
}

/// The rule is code, not only words in a prompt: a model that answers with the year it was
/// trained in is told, and either mends the call or changes nothing.
#[tokio::test]
async fn us6_4_forbidden_days_of_the_model_never_land() {
    let mut it = World::new().await;
    for (round, day) in ["2024-02-09", "2025-02-09", "2027-02-09"]
        .into_iter()
        .enumerate()
    {
        let title = format!("Task {round}");
        it.begin_anew();
        it.model
            .call("add_task", json!({"title": title, "due_date": day}))
            .call(
                "add_task",
                json!({"title": title, "due_date": "2026-02-09"}),
            );
        it.say(&format!("add {title} tomorrow"))
            .await
            .shows(&format!("Added: {title} (due Mon 2026-02-09)"))
            .called(&[("add_task", false), ("add_task", true)]);
        let error = &it.results()[0];
        assert_eq!(error["ok"], false, "{error:#}");
        assert!(error["error"].as_str().unwrap().contains(day), "{error:#}");
    }
    it.rows(&[
        "Task 0 (due 2026-02-09)",
        "Task 1 (due 2026-02-09)",
        "Task 2 (due 2026-02-09)",
    ])
    .await;
    it.holds().await;
}

/// Inside the window, but not the day that was said: the words win, and the error names both.
#[tokio::test]
async fn us6_4_a_day_that_contradicts_the_words_is_named_with_them() {
    let mut it = World::new().await;
    it.model
        .call(
            "add_task",
            json!({"title": "Water plants", "due_date": "2026-02-19"}),
        )
        .call(
            "add_task",
            json!({"title": "Water plants", "due_date": "tomorrow"}),
        );
    it.say("add Water plants tomorrow")
        .await
        .shows("Added: Water plants (due Mon 2026-02-09)");
    let error = it.results()[0]["error"].as_str().unwrap().to_owned();
    for day in ["2026-02-19", "2026-02-09"] {
        assert!(error.contains(day), "{error}");
    }
    it.holds().await;
}

/// A date that nobody asked for is dropped, and said to be.
#[tokio::test]
async fn us6_4_an_invented_day_is_dropped() {
    let mut it = World::new().await;
    it.model.call(
        "add_task",
        json!({"title": "Water plants", "due_date": "2026-02-20"}),
    );
    let reply = it.say("add Water plants").await;
    reply.shows("Added: Water plants");
    let dropped = &reply.body["execution_metadata"]["dropped"];
    assert_eq!(*dropped, json!(["add_task.due_date"]));
    it.rows(&["Water plants"]).await;
    it.holds().await;
}
