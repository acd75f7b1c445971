//! The specification's edge cases, in its order.

use serde_json::json;

use super::lies::LISTED;
use crate::openai::Step;
use crate::world::World;

both! {
    edge_1_an_ambiguous_title_is_asked_about
    edge_1_the_one_best_match_is_taken
    edge_3_a_day_in_2025_is_refused
    edge_4_add_task_without_a_title_adds_nothing
}

async fn edge_1_an_ambiguous_title_is_asked_about(mut it: World) {
    it.given_tasks(&["Read blue book", "Read red book", "Call mom"])
        .await;
    it.model.call("delete_task", json!({"task": "book"}));
    let asked = it.say("delete book").await;
    asked.is("question").did_nothing();
    let options = asked.options();
    for title in ["Read blue book", "Read red book"] {
        assert!(options.iter().any(|it| it.contains(title)), "{options:?}");
        asked.mentions(&[title]);
    }
    it.rows(&["Read blue book", "Read red book", "Call mom"])
        .await;

    // The answer runs without the model.
    it.say("the blue one")
        .await
        .shows("Deleted: Read blue book")
        .did(&[("delete_task", "Read blue book")]);
    it.rows(&["Read red book", "Call mom"]).await;
    it.holds().await;
}

async fn edge_1_the_one_best_match_is_taken(mut it: World) {
    it.given_tasks(&["Read blue book", "Call mom"]).await;
    it.model.call("delete_task", json!({"task": "book"}));
    it.say("delete book").await.shows("Deleted: Read blue book");
    it.rows(&["Call mom"]).await;
    it.holds().await;
}

/// The model picks one of several on its own: the user is asked all the same.
#[tokio::test]
async fn edge_1_the_models_pick_among_several_deletes_nothing() {
    let mut it = World::new().await;
    it.given_tasks(&["Read blue book", "Read red book"]).await;
    for pick in ["Read red book", "1", "Read blue book"] {
        it.begin_anew();
        it.model.call("delete_task", json!({"task": pick}));
        it.say("delete book").await.is("question").did_nothing();
    }
    it.model.call("delete_task", json!({"task": "book"}));
    let asked = it.say("delete book").await;
    let label = asked.options()[1].clone();
    it.choose(&asked, &label).await.is("receipt");
    it.holds().await;
}

#[tokio::test]
async fn edge_2_list_tasks_without_the_call_is_a_technical_error() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book"]).await;
    it.model.say(LISTED[1]);
    it.say("list tasks").await.not_triggered("list_tasks");
    it.holds().await;
}

async fn edge_3_a_day_in_2025_is_refused(mut it: World) {
    let arguments = json!({"title": "Water plants", "due_date": "2025-12-31"});
    it.model
        .otherwise(Step::calls(vec![("add_task", arguments)]));
    it.say("add Water plants due 2025-12-31")
        .await
        .is("failure")
        .mentions(&[
            "2025-12-31 is in the past",
            "due dates run from 2026-02-08 to 2026-12-31",
        ])
        .did_nothing();
    it.rows(&[]).await;
    it.holds().await;
}

async fn edge_4_add_task_without_a_title_adds_nothing(mut it: World) {
    for words in ["add task", "add a task"] {
        it.begin_anew();
        let arguments = json!({"title": ""});
        it.model
            .otherwise(Step::calls(vec![("add_task", arguments)]));
        let reply = it.say(words).await;
        reply.did_nothing().hides(&["Added"]);
        let kind = reply.body["kind"].as_str().unwrap();
        assert!(["question", "failure"].contains(&kind), "{:#}", reply.body);
    }
    it.rows(&[]).await;
    it.holds().await;
}

#[tokio::test]
async fn edge_4_the_tools_validation_is_reported() {
    let mut it = World::new().await;
    it.model
        .otherwise(Step::calls(vec![("add_task", json!({"title": ""}))]));
    it.say("add task")
        .await
        .mentions(&["Title cannot be empty"])
        .called(&[("add_task", false); 3]);
    let error = &it.results()[0];
    assert_eq!(error["errorType"], "validation", "{error:#}");
    it.rows(&[]).await;
    it.holds().await;
}

/// Metadata is read off the receipt, so no title can make its extraction fail.
#[tokio::test]
async fn edge_5_no_title_can_break_the_metadata() {
    let mut it = World::new().await;
    for title in [
        "say \"hi\" to {{TASKS}}",
        "null",
        "{\"success\": false}",
        "50 % off: 'now' \\ later",
        "Buch lesen 📚 الآن",
        "a]b[c",
    ] {
        let ids = it.given_tasks(&[title]).await;
        it.begin_anew();
        it.model.call("delete_task", json!({"task": title}));
        let reply = it.say(&format!("delete \"{title}\"")).await;
        reply.did(&[("delete_task", title)]);
        assert_eq!(reply.metadata()["task_id"], ids[0].as_str());
        it.rows(&[]).await;
    }
    it.holds().await;
}

/// One part of the message was acted on; a claim about the other part is not believed.
#[tokio::test]
async fn edge_6_a_claim_beside_a_real_effect_is_caught() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book"]).await;
    it.model.then(Step::Answer {
        text: Some("Added milk and deleted Read book.".to_owned()),
        calls: vec![("add_task".to_owned(), json!({"title": "milk"}))],
    });
    it.model
        .otherwise(Step::say("Both are done, Read book is deleted."));
    it.say("add milk and delete Read book")
        .await
        .shows("Added: milk\nTechnical error: Tool not triggered. Missing: delete_task.")
        .is("failure")
        .failed("tool_not_triggered", &["delete_task"])
        .called(&[("add_task", true)])
        .did(&[("add_task", "milk")]);
    it.rows(&["Read book", "milk"]).await;
    it.holds().await;
}
