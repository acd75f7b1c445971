//! Reminders on the page: a line always, a notification where the user wished it.

use serde_json::{Value, json};

use super::browser::Browser;
use super::support::openai::ScriptedModel;
use super::support::server::Server;
use super::with_model;

/// Notes which notifications are shown, and how often the user was asked.
const NOTED: &str = "window.told = []; window.asked = 0;
    const Real = window.Notification;
    window.Notification = class extends Real {
        constructor(title, options) { super(title, options); window.told.push([title, options.body, options.tag]); }
        static async requestPermission() { window.asked += 1; return 'granted'; }
    };";

/// Says on the page that a task is to be reminded of after so many seconds.
async fn remind(page: &Browser, model: &ScriptedModel, title: &str, seconds: u32) {
    let remind = format!("in {seconds} seconds");
    model.call("add_task", json!({"title": title, "remind": remind}));
    page.say(&format!("remind me {remind} to {title}")).await;
    let (_, reply) = page.reply().await;
    assert!(reply.starts_with(&format!("Added: {title}")), "{reply}");
    assert!(!reply.contains("Nobody"), "{reply}");
}

/// State of the reminder of a task, by its title.
async fn state(server: &Server, title: &str) -> Value {
    let tasks = server.tasks("me").await;
    let task = tasks.iter().find(|task| task["title"] == title).unwrap();
    task["reminders"][0]["state"].clone()
}

const LINES: &str = ".reminder[data-reminder]";
const OFFER: &str = "#offer-notifications";

#[tokio::test]
async fn a_reminder_is_a_line_and_where_it_was_wished_a_notification() {
    let model = ScriptedModel::start().await;
    let server = with_model(&model).await;
    let page = Browser::open(&server).await;
    page.notifications("prompt").await;
    page.goto("/").await;
    page.run(NOTED).await;
    assert_eq!(page.run("return Notification.permission").await, "default");
    assert_eq!(page.count(OFFER).await, 0);

    // The first one that is set brings the offer, and its time stands at its task.
    remind(&page, &model, "water the plants", 4).await;
    page.sees("#list .task .tag", "Reminder").await;
    page.sees(OFFER, "Show notifications too").await;
    page.picture("40-reminder-offer").await;
    page.sees(LINES, "Reminder: water the plants").await;
    assert_eq!(state(&server, "water the plants").await, "delivered");
    // It waits no more, so nothing is offered, and nobody was asked.
    page.until("return !document.querySelector('#list .task time') && !document.querySelector('#offer-notifications')")
        .await;
    assert_eq!(
        page.run("return [window.asked, window.told.length]").await,
        json!([0, 0])
    );
    page.picture("41-reminder").await;

    // Asked for by a click alone; then the next is a notification as well, and a line still.
    remind(&page, &model, "call the plumber", 6).await;
    page.click(&format!("{OFFER} button"), "Show notifications too")
        .await;
    assert_eq!(page.run("return window.asked").await, 1);
    page.notifications("granted").await;
    page.sees(LINES, "Reminder: call the plumber").await;
    let told = page.until("return window.told.length && window.told").await;
    let id = &server.tasks("me").await[0]["reminders"][0]["id"];
    assert_eq!((&told[0][0], &told[0][2]), (&json!("call the plumber"), id));
    assert_eq!(told.as_array().unwrap().len(), 1);
    let live = page
        .run("return document.querySelector('.reminder').closest('[aria-live=polite]') !== null");
    assert_eq!(live.await, true);
    let dismiss = format!("{LINES} button");
    page.click(&dismiss, "call the plumber").await;
    page.click(&dismiss, "water the plants").await;
    assert_eq!(page.count(LINES).await, 0);
    assert_eq!(page.log().await, [""; 0]);
}

#[tokio::test]
async fn who_said_no_is_not_asked_again_and_has_the_line() {
    let model = ScriptedModel::start().await;
    let server = with_model(&model).await;
    let page = Browser::open(&server).await;
    page.notifications("prompt").await;
    page.goto("/").await;
    remind(&page, &model, "water the plants", 600).await;
    page.click(&format!("{OFFER} button"), "No").await;
    page.goto("/").await;
    page.run(NOTED).await;
    page.sees("#list .task .tag", "Reminder").await;
    assert_eq!(page.count(OFFER).await, 0);
    remind(&page, &model, "call the plumber", 1).await;
    page.sees(LINES, "Reminder: call the plumber").await;
    assert_eq!(
        page.run("return [window.asked, window.told.length]").await,
        json!([0, 0])
    );
}

#[tokio::test]
async fn a_tab_out_of_sight_waits_for_its_reminder() {
    let model = ScriptedModel::start().await;
    let server = with_model(&model).await;
    let page = Browser::open(&server).await;
    remind(&page, &model, "water the plants", 4).await;
    page.sees("#list .task .tag", "Reminder").await;
    // As a browser has it where another tab is looked at.
    page.run("Object.defineProperty(document, 'hidden', {value: true}); document.dispatchEvent(new Event('visibilitychange'))")
        .await;
    page.sees(LINES, "Reminder: water the plants").await;
    assert_eq!(state(&server, "water the plants").await, "delivered");
}
