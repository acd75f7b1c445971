//! Tests of what a reply says of reminders.

use serde_json::{Value, json};

use crate::scene::{NOBODY, Scene};

#[tokio::test]
async fn a_reminder_is_told_from_its_receipt() {
    let scene = Scene::told().await;
    let call = json!({
        "title": "call the plumber", "due_date": "2026-02-13", "remind": "2026-02-13T17:00",
    });
    let words = "remind me on 2026-02-13 at 17:00 to call the plumber, due 2026-02-13";
    let reply = scene.says(words, "add_task", call).await;
    assert_eq!(
        reply,
        "Added: call the plumber (due Fri 2026-02-13 17:00, reminder Fri 17:00)"
    );
    let tasks = scene.server.tasks("me").await;
    let reminders = &tasks[0]["reminders"];
    assert_eq!(reminders[0]["at"], "2026-02-13T17:00:00Z");
    assert_eq!(reminders[0]["state"], "waiting");
    let listed = scene.server.get("/api/me/reminders").await;
    let expect = json!({"reminders": [{
        "id": reminders[0]["id"], "task_id": tasks[0]["id"], "task_title": "call the plumber",
        "at": "2026-02-13T17:00:00Z", "state": "waiting",
    }]});
    assert_eq!(listed.body, expect);
    let later = json!({"task": "call the plumber", "remind": "2026-03-13T17:00"});
    let words = "remind me of call the plumber on 2026-03-13 at 17:00 instead";
    let reply = scene.says(words, "update_task", later).await;
    assert_eq!(
        reply,
        "Updated: call the plumber (reminder Fri 2026-03-13 17:00)"
    );
    let never = json!({"task": "call the plumber", "remind": "none"});
    let words = "set the reminder of call the plumber to none";
    let reply = scene.says(words, "update_task", never).await;
    assert_eq!(reply, "Updated: call the plumber (no reminder)");
    let states = scene.server.get("/api/me/reminders").await;
    let states: Vec<&Value> = states.body["reminders"]
        .as_array()
        .unwrap()
        .iter()
        .collect();
    assert!(
        states.iter().all(|one| one["state"] == "cancelled"),
        "{states:?}"
    );
    assert!(scene.receiver.received().is_empty());
    scene.verify();
}

#[tokio::test]
async fn a_time_that_is_past_is_said_to_be() {
    let scene = Scene::told().await;
    let call = json!({"title": "call the plumber", "remind": "2026-02-07T17:00"});
    scene.model.call("add_task", call).say("ok");
    let words = "remind me on 2026-02-07 at 17:00 to call the plumber";
    let reply = scene.server.chat("me", words).await;
    let told = scene.model.requests()[1].to_string();
    assert!(told.contains("is past: give a time to come"), "{told}");
    assert!(reply["actions"].as_array().unwrap().is_empty(), "{reply}");
}

#[tokio::test]
async fn a_reminder_that_nobody_asked_for_is_left_out() {
    let scene = Scene::told().await;
    let call = json!({"title": "call the plumber", "remind": "in 2 hours"});
    let reply = scene.says("add call the plumber", "add_task", call).await;
    assert_eq!(reply, "Added: call the plumber");
    assert_eq!(scene.server.tasks("me").await[0]["reminders"], json!([]));
}

#[tokio::test]
async fn where_nobody_listens_the_reply_says_so_and_the_next_one_what_was_missed() {
    let scene = Scene::silent().await;
    let reply = scene.remind_in("call the plumber", 1).await;
    let (line, more) = reply.split_once('\n').unwrap_or_else(|| panic!("{reply}"));
    assert!(
        line.starts_with("Added: call the plumber (reminder "),
        "{line}"
    );
    assert_eq!(more, NOBODY);
    scene.ends("missed").await;
    assert_eq!(scene.told_the_log().await[0]["outcome"], "missed");
    let reply = scene
        .says("add milk", "add_task", json!({"title": "milk"}))
        .await;
    let (missed, rest) = reply.split_once('\n').unwrap();
    assert!(
        missed.starts_with("Missed: reminder for \"call the plumber\" (") && missed.ends_with(")."),
        "{missed}"
    );
    assert_eq!(rest, "Added: milk");
    let reply = scene
        .says("add eggs", "add_task", json!({"title": "eggs"}))
        .await;
    assert_eq!(reply, "Added: eggs");
    scene.verify();
}

#[tokio::test]
async fn an_undone_addition_reminds_of_nothing() {
    let scene = Scene::told().await;
    scene
        .model
        .call(
            "add_task",
            json!({"title": "tea", "remind": "in 2 seconds"}),
        )
        .say("ok");
    let reply = scene
        .server
        .chat("me", "remind me in 2 seconds to tea")
        .await;
    let receipt = reply["action_metadata"]["receipt_id"].as_str().unwrap();
    let path = format!("/api/me/receipts/{receipt}/undo");
    assert_eq!(scene.server.post(&path, json!({})).await.status, 200);
    tokio::time::sleep(std::time::Duration::from_secs(4)).await;
    assert!(scene.receiver.received().is_empty());
    assert_eq!(scene.told_the_log().await[0]["outcome"], "cancelled");
    scene.verify();
}
