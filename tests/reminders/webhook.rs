//! The webhook: signed, tried again under one id, and led astray by nobody.

use std::time::{Duration, Instant};

use serde_json::json;

use crate::scene::{Scene, taken};
use crate::support::openai::Step;

#[tokio::test]
async fn a_receiver_that_fails_twice_is_told_again_under_one_id() {
    let scene = Scene::told().await;
    let refused = Step::Status(503, Vec::new());
    scene
        .receiver
        .then(refused.clone())
        .then(refused)
        .otherwise(taken());
    let began = Instant::now();
    scene.remind_in("tea", 1).await;
    scene.received(1).await;
    assert!(
        began.elapsed() >= Duration::from_secs(1),
        "never before its time"
    );
    let first = Instant::now();
    scene.received(2).await;
    assert!(
        first.elapsed() < Duration::from_secs(2),
        "{:?}",
        first.elapsed()
    );
    scene.ends("delivered").await;
    let all = scene.received(3).await;
    let id = all[0].header("webhook-id").unwrap();
    assert!(all.iter().all(|one| one.header("webhook-id") == Some(id)));
    let task = &scene.server.tasks("me").await[0];
    let body = &all[0].body;
    assert_eq!(body["type"], "reminder");
    assert_eq!(body["timestamp"], task["reminders"][0]["at"]);
    assert_eq!(body["data"]["user_id"], "me");
    assert_eq!(body["data"]["task"]["id"], task["id"]);
    assert_eq!(body["data"]["reminder"]["id"], id);
    let told = scene.told_the_log().await;
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(
        (&told[0]["outcome"], &told[0]["by"], &told[0]["attempts"]),
        (&json!("delivered"), &json!("webhook"), &json!(2))
    );
    assert!(told[0]["late_ms"].as_i64().unwrap() > 0, "{told:?}");
    let metrics = scene.server.get("/metrics").await.text;
    for line in [
        "candor_reminders_total{outcome=\"webhook\"} 1",
        "candor_reminder_tries_failed_total 2",
    ] {
        assert!(metrics.contains(line), "{metrics}");
    }
    scene.verify();
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let scene = Scene::told().await;
    let elsewhere = format!("{}/elsewhere", scene.receiver.base_url());
    let redirect = Step::Status(307, vec![("location", elsewhere)]);
    scene.receiver.then(redirect).otherwise(taken());
    scene.remind_in("tea", 1).await;
    scene.ends("delivered").await;
    let all = scene.received(2).await;
    assert!(all.iter().all(|one| one.path == "/v1"), "{all:?}");
}

#[tokio::test]
async fn a_receiver_that_is_gone_is_not_told_again() {
    let scene = Scene::told().await;
    scene
        .receiver
        .then(Step::Status(410, Vec::new()))
        .otherwise(taken());
    scene.remind_in("tea", 1).await;
    scene.ends("missed").await;
    tokio::time::sleep(Duration::from_secs(3)).await;
    assert_eq!(scene.received(1).await.len(), 1);
}

#[tokio::test]
async fn a_receiver_that_hangs_holds_up_no_other_reminder() {
    let scene = Scene::told().await;
    scene.receiver.then(Step::Silence).otherwise(taken());
    let names = ["tea", "soup", "rice"];
    for name in names {
        scene.remind_in(name, 2).await;
    }
    let began = Instant::now();
    let all = scene.received(3).await;
    assert!(
        began.elapsed() < Duration::from_secs(6),
        "{:?}",
        began.elapsed()
    );
    let mut titles: Vec<_> = all
        .iter()
        .map(|one| one.body["data"]["task"]["title"].as_str().unwrap())
        .collect();
    titles.sort_unstable();
    titles.dedup();
    assert_eq!(titles, ["rice", "soup", "tea"]);
}

#[tokio::test]
async fn what_was_due_while_the_server_was_down_is_told_late() {
    let mut scene = Scene::told().await;
    scene.receiver.otherwise(taken());
    scene.remind_in("tea", 1).await;
    scene.server.crash();
    tokio::time::sleep(Duration::from_secs(3)).await;
    scene.server.crash_and_restart().await;
    scene.ends("delivered").await;
    let told = scene.told_the_log().await;
    assert!(told[0]["late_ms"].as_i64().unwrap() >= 1_000, "{told:?}");
    assert_eq!(scene.received(1).await.len(), 1);
}
