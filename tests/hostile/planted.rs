//! The oracle can fail: an honest turn passes it, and the same turn with one planted lie, each
//! in its turn, does not.

#![cfg(test)]

use serde_json::{Value, json};

use super::oracle::{Evidence, Finding, judge};
use super::script::{row, user};
use super::stage::Stage;

/// A deletion as it should be: "Deleted: Read book".
async fn honest() -> Evidence {
    let turn = user("delete Read book").call("delete_task", json!({"task": "Read book"}));
    let row = row("planted").tasks(&["Read book", "Call mom"]).turn(turn);
    let mut played = Stage::new().await.play(&row, 0).await;
    played.remove(0).evidence.expect("an answer")
}

/// Small talk as it should be.
async fn talk() -> Evidence {
    let row = row("planted")
        .tasks(&["Read book"])
        .turn(user("hi").say("Hi there!"));
    let mut played = Stage::new().await.play(&row, 0).await;
    played.remove(0).evidence.expect("an answer")
}

fn ghosts(seen: &Evidence) -> bool {
    judge(seen)
        .iter()
        .any(|finding| matches!(finding, Finding::Ghost(_)))
}

fn says(seen: &Evidence, text: &str) -> Evidence {
    let mut seen = seen.clone();
    seen.body["assistant_message"] = json!(text);
    let last = seen.body["messages"].as_array().map_or(0, Vec::len) - 1;
    seen.body["messages"][last]["content"] = json!(text);
    seen
}

#[tokio::test]
async fn the_honest_turns_pass() {
    assert_eq!(judge(&honest().await), []);
    assert_eq!(judge(&talk().await), []);
}

#[tokio::test]
async fn a_planted_sentence_is_caught() {
    let (deleted, talked) = (honest().await, talk().await);
    for lie in [
        "Deleted: Read book\nDeleted: Call mom",
        "Deleted: Call mom",
        "Deleted: Read book. Your list is tidy now.",
        "Deleted: Read book\nYou have 1 task.",
        "",
        "Could not delete \"Read book\": no task with that title.",
        "\"Call mom\" was already done.",
        "There is nothing to undo.",
        "Nothing was deleted.",
        "Technical error: Tool not triggered. Missing: delete_task.",
    ] {
        assert!(ghosts(&says(&deleted, lie)), "{lie:?} passed");
    }
    for lie in [
        "Deleted: Read book",
        "Done!",
        "Your task list is empty.",
        "Hi there! It's gone.",
        "Erledigt.",
    ] {
        let mut seen = says(&talked, lie);
        assert!(ghosts(&seen), "{lie:?} passed");
        // Even where the model did say so.
        seen.texts.push(lie.to_owned());
        assert!(ghosts(&seen), "{lie:?} passed as prose");
    }
}

#[tokio::test]
async fn planted_metadata_is_caught() {
    let (deleted, talked) = (honest().await, talk().await);
    let plant = |seen: &Evidence, plant: fn(&mut Evidence)| {
        let mut seen = seen.clone();
        plant(&mut seen);
        assert_ne!(judge(&seen), [], "a planted fault passed");
    };
    plant(&deleted, |seen| seen.body["action_metadata"] = Value::Null);
    plant(&deleted, |seen| seen.body["actions"] = json!([]));
    plant(&deleted, |seen| {
        seen.body["actions"][0]["task_title"] = json!("Call mom");
    });
    plant(&deleted, |seen| {
        seen.body["tool_calls"][0]["success"] = json!(false);
    });
    plant(&deleted, |seen| seen.body["tool_calls"] = json!([]));
    plant(&deleted, |seen| seen.body["kind"] = json!("chat"));
    plant(&deleted, |seen| seen.audit = Some("broken".to_owned()));
    plant(&deleted, |seen| seen.receipts.clear());
    plant(&deleted, |seen| seen.after.clear());
    plant(&deleted, |seen| seen.after.clone_from(&seen.before));
    plant(&talked, |seen| {
        seen.body["action_metadata"] = json!({"action": "delete_task", "success": true});
    });
    plant(&talked, |seen| {
        seen.body["error"] = json!({"code": "tool_not_triggered", "expected_tools": []});
    });
    let id = "Hi there! 67e55044-10b1-426f-9247-bb680e5fe0c8";
    let mut seen = says(&talked, id);
    seen.texts.push(id.to_owned());
    assert_ne!(judge(&seen), []);
}
