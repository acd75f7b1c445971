//! User story 7: the model speaks of titles; ids are the server's own.

use serde_json::json;

use crate::openai::Step;
use crate::said::UUID;
use crate::world::World;

both! {
    us7_3_the_words_for_a_task_become_its_id
    us7_4_replies_hold_titles_and_metadata_holds_the_id
}

#[tokio::test]
async fn us7_1_the_model_is_never_told_an_id() {
    let mut it = World::new().await;
    let ids = it.given_tasks(&["Read book", "Call mom"]).await;
    it.model
        .call("list_tasks", json!({"status_filter": "all"}))
        .call("complete_task", json!({"task": "2"}))
        .call("delete_task", json!({"task": "Read book"}));
    it.say("list my tasks").await;
    it.say("mark the second one as done").await.is("receipt");
    it.say("delete Read book").await.shows("Deleted: Read book");
    for request in it.model.received() {
        assert!(!UUID.is_match(&request.raw), "{}", request.raw);
        for id in &ids {
            assert!(!request.raw.contains(&id[..13]), "{}", request.raw);
        }
    }
    it.holds().await;
}

#[tokio::test]
async fn us7_2_the_prompt_lists_number_title_status_and_priority() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book", "Call mom (high)", "Old one (completed, low)"])
        .await;
    it.model.call("delete_task", json!({"task": "Read book"}));
    it.say("delete Read book").await;
    let prompt = it.prompt();
    for line in [
        "1. [Read book] (Status: pending, Priority: medium)",
        "2. [Call mom] (Status: pending, Priority: high)",
        "3. [Old one] (Status: completed, Priority: low)",
    ] {
        assert!(prompt.lines().any(|it| it == line), "{line}: {prompt}");
    }
    it.holds().await;
}

/// The numbers in the prompt are those of the listing that the user saw.
#[tokio::test]
async fn us7_2_the_prompt_numbers_tasks_as_they_were_last_shown() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book", "Call mom", "Pay rent (due 2026-02-09)"])
        .await;
    it.model
        .call("list_tasks", json!({"status_filter": "all"}))
        .say("Hello!");
    let listing = it.say("list my tasks").await;
    it.say("hi there").await;
    let prompt = it.prompt();
    for line in listing.text().lines().skip(1) {
        let (number, rest) = line.split_once(". ").unwrap();
        let title = rest.split(" (").next().unwrap();
        let expect = format!("{number}. [{title}] (Status: pending");
        assert!(prompt.contains(&expect), "{expect}: {prompt}");
    }
    it.holds().await;
}

async fn us7_3_the_words_for_a_task_become_its_id(mut it: World) {
    let ids = it
        .given_tasks(&["Read book", "Call mom", "Review the proposal", "Café menu"])
        .await;
    for (words, reference, task) in [
        ("mark Read book as done", "Read book", 0),
        ("mark call MOM as done", "call MOM", 1),
        ("mark the proposal as done", "the proposal", 2),
        ("mark cafe menu as done", "cafe menu", 3),
    ] {
        it.begin_anew();
        it.model.call("complete_task", json!({"task": reference}));
        let reply = it.say(words).await;
        reply.is("receipt");
        assert_eq!(reply.metadata()["task_id"], ids[task].as_str(), "{words}");
        let calls = it.told(&reply, "tool_call").await;
        assert_eq!(calls[0]["task_ids"], json!([ids[task]]), "{words}");
    }
    it.holds().await;
}

async fn us7_4_replies_hold_titles_and_metadata_holds_the_id(mut it: World) {
    let ids = it.given_tasks(&["Read book"]).await;
    it.model
        .call("complete_task", json!({"task": "Read book"}))
        .call("delete_task", json!({"task": "Read book"}));
    for words in ["mark Read book as done", "delete Read book"] {
        let reply = it.say(words).await;
        reply.mentions(&["Read book"]);
        assert!(!UUID.is_match(reply.text()), "{}", reply.text());
        assert_eq!(reply.metadata()["task_id"], ids[0].as_str());
        assert_eq!(reply.metadata()["task_title"], "Read book");
    }
    it.holds().await;
}

/// A UUID inside a title is the user's own text; it is masked wherever it could be read.
#[tokio::test]
async fn us7_4_a_uuid_inside_a_title_is_masked() {
    let mut it = World::new().await;
    let title = "Fix 67e55044-10b1-426f-9247-bb680e5fe0c8";
    it.given_tasks(&[title]).await;
    it.model
        .call("list_tasks", json!({"status_filter": "all"}))
        .call("delete_task", json!({"task": "1"}));
    it.say("list my tasks")
        .await
        .shows("You have 1 task:\n1. Fix [id] (pending, medium)");
    let reply = it.say("delete the first one").await;
    reply
        .shows("Deleted: Fix [id]")
        .did(&[("delete_task", title)]);
    it.rows(&[]).await;
    it.holds().await;
}

/// "Name a task by its title as the list shows it", says the prompt; so a model may.
#[tokio::test]
async fn us7_4_a_masked_title_can_be_named_as_the_prompt_shows_it() {
    let mut it = World::new().await;
    let title = "Fix 67e55044-10b1-426f-9247-bb680e5fe0c8";
    it.given_tasks(&[title, "Call mom"]).await;
    it.model.otherwise_with(|request| {
        let system = request["messages"][0]["content"].as_str().unwrap();
        let line = system
            .lines()
            .find(|line| line.starts_with("1. ["))
            .unwrap();
        let shown = line.trim_start_matches("1. [").split("] (").next().unwrap();
        Step::calls(vec![("complete_task", json!({"task": shown}))])
    });
    it.say(&format!("mark {title} as done"))
        .await
        .shows("Marked Fix [id] as done")
        .did(&[("complete_task", title)]);
    it.holds().await;
}
