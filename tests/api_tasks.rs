//! Tasks over real HTTP: what is written, what it leaves in the audit log, and how every
//! kind of wrong request is told what is wrong with it.

#![cfg(test)]

mod support {
    pub mod server;
}

use serde_json::{Value, json};
use support::server::{Server, run};

const TASKS: &str = "/api/me/tasks";

fn path(task: &Value) -> String {
    format!("{TASKS}/{}", task["id"].as_str().unwrap())
}

#[tokio::test]
async fn a_task_is_added_shown_changed_and_deleted_each_with_a_receipt() {
    let server = Server::start().await;
    let added = server
        .post(
            TASKS,
            json!({"title": " Read book ", "priority": "high", "due_date": "2026-02-10"}),
        )
        .await;
    assert_eq!(added.status, 201, "{}", added.text);
    let task = added.body;
    assert_eq!(added.headers["location"].to_str().unwrap(), path(&task));
    let mut expect = json!({
        "id": task["id"],
        "user_id": "me",
        "title": "Read book",
        "description": null,
        "status": "pending",
        "is_completed": false,
        "priority": "high",
        "due_date": "2026-02-10",
        "due_time": null,
        "timezone": null,
        "repeat": null,
        "reminders": [],
        "assignee": null,
        "created_at": task["created_at"],
        "updated_at": task["updated_at"],
        "completed_at": null,
    });
    assert_eq!(task, expect);
    assert_eq!(server.get(&path(&task)).await.body, expect);
    assert_eq!(server.tasks("me").await, [expect.clone()]);

    let done = server
        .patch(
            &path(&task),
            json!({"is_completed": true, "due_date": null}),
        )
        .await;
    assert_eq!(done.status, 200, "{}", done.text);
    for (field, value) in [
        ("status", json!("completed")),
        ("is_completed", json!(true)),
        ("due_date", Value::Null),
    ] {
        expect[field] = value;
    }
    for field in ["updated_at", "completed_at"] {
        assert!(done.body[field].is_string(), "{}", done.text);
        expect[field] = done.body[field].clone();
    }
    assert_eq!(done.body, expect);

    let gone = server.delete(&path(&task)).await;
    assert_eq!((gone.status, gone.text.as_str()), (204, ""));
    assert_eq!(server.get(&path(&task)).await.problem(), "unknown_task");
    assert!(server.tasks("me").await.is_empty());

    let receipts = server.events("me", "receipt").await;
    let actions: Vec<_> = receipts
        .iter()
        .map(|event| event["payload"]["action"].clone())
        .collect();
    assert_eq!(actions, ["add_task", "update_task", "delete_task"]);
    for receipt in &receipts {
        assert_eq!(receipt["payload"]["task_id"], task["id"]);
        assert_eq!(receipt["payload"]["conversation_id"], Value::Null);
    }
    let turns = server.events("me", "turn").await;
    assert!(
        turns
            .iter()
            .all(|event| event["payload"]["source"] == "rest"),
        "{turns:?}"
    );
    assert_eq!(turns[0]["payload"]["asked"]["title"], "Read book");
    let turn = turns[0]["turn_id"].as_str().unwrap();
    assert_eq!(
        server
            .get(&format!("/api/me/audit/turns/{turn}"))
            .await
            .status,
        200
    );
}

#[tokio::test]
async fn a_repeating_task_moves_to_its_next_day_and_an_undo_brings_it_back() {
    let server = Server::start().await;
    let task = server
        .add(
            "me",
            json!({"title": "Take out trash", "repeat": "RRULE:FREQ=WEEKLY;BYDAY=MO", "due_time": "07:30"}),
        )
        .await;
    let told = |task: &Value| {
        ["due_date", "due_time", "repeat", "is_completed"].map(|field| task[field].clone())
    };
    let weekly = "FREQ=WEEKLY;BYDAY=MO";
    let standing = [
        json!("2026-02-09"),
        json!("07:30"),
        json!(weekly),
        json!(false),
    ];
    assert_eq!(told(&task), standing);
    let done = server
        .patch(&path(&task), json!({"is_completed": true}))
        .await;
    let next = [
        json!("2026-02-16"),
        json!("07:30"),
        json!(weekly),
        json!(false),
    ];
    assert_eq!(
        (done.status, told(&done.body)),
        (200, next),
        "{}",
        done.text
    );
    let receipt = server.events("me", "receipt").await.pop().unwrap();
    assert_eq!(receipt["payload"]["action"], "complete_task");
    let id = receipt["payload"]["id"].as_str().unwrap();
    let undone = server
        .post(&format!("/api/me/receipts/{id}/undo"), json!({}))
        .await;
    assert_eq!(undone.status, 200, "{}", undone.text);
    assert_eq!(told(&server.get(&path(&task)).await.body), standing);
    // Three states: another rule, none, and with the date none either.
    for (body, field, value) in [
        (
            json!({"repeat": "FREQ=DAILY;INTERVAL=2"}),
            "repeat",
            json!("FREQ=DAILY;INTERVAL=2"),
        ),
        (
            json!({"title": "Trash"}),
            "repeat",
            json!("FREQ=DAILY;INTERVAL=2"),
        ),
        (json!({"repeat": null}), "repeat", Value::Null),
        (
            json!({"repeat": "FREQ=MONTHLY"}),
            "due_date",
            json!("2026-02-09"),
        ),
        (json!({"due_date": null}), "repeat", Value::Null),
        (
            json!({"due_date": null, "repeat": "FREQ=DAILY"}),
            "due_date",
            json!("2026-02-08"),
        ),
        (json!({"due_date": null}), "repeat", Value::Null),
        (
            json!({"repeat": "FREQ=YEARLY"}),
            "due_date",
            json!("2026-02-08"),
        ),
    ] {
        let changed = server.patch(&path(&task), body.clone()).await;
        assert_eq!(
            (changed.status, &changed.body[field]),
            (200, &value),
            "{body}"
        );
    }
    for (rule, words) in [
        ("FREQ=HOURLY", "write DAILY, WEEKLY, MONTHLY or YEARLY"),
        ("FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30", "never occurs"),
        ("FREQ=DAILY;UNTIL=20260101", "ends before today"),
        ("FREQ=DAILY;INTERVAL=7;BYDAY=MO", "never falls after"),
    ] {
        let refused = server.patch(&path(&task), json!({"repeat": rule})).await;
        assert_eq!(
            (refused.status, refused.problem()),
            (422, "invalid_task"),
            "{rule}"
        );
        assert!(refused.text.contains(words), "{}", refused.text);
    }
}

#[tokio::test]
async fn a_rule_that_never_falls_after_the_due_date_is_refused() {
    let server = Server::start().await;
    let rule = "FREQ=DAILY;INTERVAL=7;BYDAY=MO";
    let tuesday = json!({"title": "a", "due_date": "2026-02-10", "repeat": rule});
    let added = server.post("/api/me/tasks", tuesday).await;
    assert_eq!((added.status, added.problem()), (422, "invalid_task"));
    assert!(added.text.contains("never falls after"), "{}", added.text);
    let monday = json!({"title": "a", "due_date": "2026-02-09", "repeat": rule});
    let task = server.add("me", monday).await;
    // The day moves, and the rule does not go on from there.
    let moved = json!({"due_date": "2026-02-10"});
    let moved = server.patch(&path(&task), moved).await;
    assert_eq!((moved.status, moved.problem()), (422, "invalid_task"));
    let file = json!([{"title": "b", "due_date": "2026-02-10", "repeat": rule}]);
    let import = server.post("/api/me/import", file).await;
    assert_eq!(import.status, 200, "{}", import.text);
    assert!(import.text.contains(rule), "{}", import.text);
    let tasks = server.tasks("me").await;
    let rules: Vec<_> = tasks.iter().map(|task| task["repeat"].clone()).collect();
    assert_eq!(rules, [Value::Null, json!(rule)]);
}

#[tokio::test]
async fn a_time_that_the_clocks_skip_is_told_as_moved_and_kept_as_said() {
    let server = Server::start().await;
    let task = server
        .add(
            "me",
            json!({
                "title": "a", "due_date": "2026-03-29", "due_time": "02:30",
                "timezone": "Europe/Berlin",
            }),
        )
        .await;
    assert_eq!(task["due_time"], "03:00");
    let listed = server.tasks("me").await;
    assert_eq!(listed[0]["due_time"], "03:00");
    let moved = json!({"due_date": "2026-03-30"});
    let moved = server.patch(&path(&task), moved).await;
    assert_eq!(moved.body["due_time"], "02:30", "{}", moved.text);
}

#[tokio::test]
async fn a_change_that_changes_nothing_leaves_no_receipt() {
    let server = Server::start().await;
    let task = server
        .add("me", json!({"title": "milk", "due_date": "2026-02-09"}))
        .await;
    for body in [
        json!({}),
        json!({"title": "milk"}),
        json!({"status": "pending", "due_date": "2026-02-09"}),
    ] {
        let same = server.patch(&path(&task), body).await;
        assert_eq!((same.status, same.body), (200, task.clone()));
    }
    assert_eq!(server.events("me", "receipt").await.len(), 1);
}

#[tokio::test]
async fn a_task_can_be_added_as_done() {
    let server = Server::start().await;
    let task = server
        .add("me", json!({"title": "rent", "status": "completed"}))
        .await;
    assert_eq!(
        (&task["is_completed"], task["completed_at"].is_string()),
        (&json!(true), true)
    );
    let actions: Vec<_> = server
        .events("me", "receipt")
        .await
        .iter()
        .map(|e| e["payload"]["action"].clone())
        .collect();
    assert_eq!(actions, ["add_task", "complete_task"]);
}

#[tokio::test]
async fn the_list_is_newest_first_and_can_be_narrowed_and_paged() {
    let server = Server::start().await;
    for title in ["one", "two", "Café three"] {
        server.add("me", json!({"title": title})).await;
    }
    assert_eq!(server.titles("me").await, ["Café three", "two", "one"]);
    let two = server.tasks("me").await[1].clone();
    server
        .patch(&path(&two), json!({"status": "completed"}))
        .await;
    let titles = |reply: &Value| -> Vec<String> {
        let list = reply
            .as_array()
            .or_else(|| reply["tasks"].as_array())
            .unwrap();
        list.iter()
            .map(|task| task["title"].as_str().unwrap().to_owned())
            .collect()
    };
    let check = async |query: &str, expect: &[&str]| {
        let reply = server.get(&format!("{TASKS}?{query}")).await;
        assert_eq!(reply.status, 200, "{}", reply.text);
        assert_eq!(titles(&reply.body), expect, "{query}");
        reply.body
    };
    check("status=completed", &["two"]).await;
    check("status=pending", &["Café three", "one"]).await;
    check("q=cafe", &["Café three"]).await;
    let first = check("limit=2", &["Café three", "two"]).await;
    let cursor = first["next_cursor"]
        .as_str()
        .expect("there is another page");
    let last = check(&format!("limit=2&cursor={cursor}"), &["one"]).await;
    assert_eq!(last["next_cursor"], Value::Null);
    assert!(server.tasks("you").await.is_empty());
}

#[tokio::test]
async fn a_repeated_request_is_answered_once() {
    let server = Server::start().await;
    let first = server
        .post_keyed(TASKS, "\"k-1\"", json!({"title": "milk"}))
        .await;
    assert_eq!(first.status, 201, "{}", first.text);
    assert!(!first.headers.contains_key("idempotency-replayed"));
    for key in ["\"k-1\"", "k-1"] {
        let again = server
            .post_keyed(TASKS, key, json!({"title": " milk "}))
            .await;
        assert_eq!((again.status, &again.text), (201, &first.text));
        assert_eq!(again.headers["idempotency-replayed"], "true");
        assert_eq!(again.headers["location"], first.headers["location"]);
    }
    let other = server
        .post_keyed(TASKS, "k-1", json!({"title": "eggs"}))
        .await;
    assert_eq!((other.status, other.problem()), (422, "key_reused"));

    let url = path(&first.body);
    let keyed = [("idempotency-key", "k-2")];
    for replayed in [false, true] {
        let gone = server.send("DELETE", &url, &keyed, None).await;
        assert_eq!((gone.status, gone.text.as_str()), (204, ""));
        assert_eq!(gone.headers.contains_key("idempotency-replayed"), replayed);
    }
    assert_eq!(server.events("me", "receipt").await.len(), 2);

    // The same key of another user is another key.
    let theirs = server
        .post_keyed("/api/you/tasks", "k-1", json!({"title": "eggs"}))
        .await;
    assert_eq!(theirs.status, 201, "{}", theirs.text);
}

#[tokio::test]
async fn concurrent_repeats_have_one_effect() {
    let server = Server::start().await;
    let ask = || server.post_keyed(TASKS, "k", json!({"title": "milk"}));
    let (a, b, c, d) = tokio::join!(ask(), ask(), ask(), ask());
    for reply in [&b, &c, &d] {
        assert_eq!((reply.status, &reply.text), (201, &a.text));
    }
    assert_eq!(server.titles("me").await, ["milk"]);
}

#[tokio::test]
async fn concurrent_changes_of_one_task_all_happen() {
    let server = Server::start().await;
    let task = server.add("me", json!({"title": "milk"})).await;
    let url = path(&task);
    let (a, b, c) = tokio::join!(
        server.patch(&url, json!({"priority": "high"})),
        server.patch(&url, json!({"description": "two litres"})),
        server.patch(&url, json!({"due_date": "2026-02-09"})),
    );
    for reply in [a, b, c] {
        assert_eq!(reply.status, 200, "{}", reply.text);
    }
    let now = server.get(&url).await.body;
    assert_eq!(now["priority"], "high");
    assert_eq!(now["description"], "two litres");
    assert_eq!(now["due_date"], "2026-02-09");
}

#[tokio::test]
async fn another_users_task_is_as_if_it_did_not_exist() {
    let server = Server::start().await;
    let task = server.add("me", json!({"title": "milk"})).await;
    let id = task["id"].as_str().unwrap();
    let mut bodies = Vec::new();
    for id in [id, "00000000-0000-7000-8000-000000000000"] {
        let url = format!("/api/you/tasks/{id}");
        for reply in [
            server.get(&url).await,
            server.patch(&url, json!({"title": "x"})).await,
            server.delete(&url).await,
        ] {
            assert_eq!((reply.status, reply.problem()), (404, "unknown_task"));
            bodies.push(reply.body["detail"].clone());
        }
    }
    bodies.dedup();
    assert_eq!(bodies.len(), 1, "{bodies:?}");
    assert_eq!(server.titles("me").await, ["milk"]);
    assert_eq!(server.events("you", "turn").await.len(), 0);
}

#[tokio::test]
async fn due_dates_keep_to_the_rule_but_a_kept_one_may_be_sent_along() {
    let server = Server::start().await;
    let check = async |day: &str, status: u16, words: &str| {
        let reply = server
            .post(TASKS, json!({"title": "x", "due_date": day}))
            .await;
        assert_eq!(reply.status, status, "{day}: {}", reply.text);
        let detail = reply.body["detail"].as_str().unwrap_or_default();
        assert!(detail.contains(words), "{day}: {detail}");
    };
    check("2026-02-08", 201, "").await;
    check("2026-12-31", 201, "").await;
    check("2026-02-07", 422, "2026-02-07 is in the past").await;
    check(
        "2025-12-31",
        422,
        "due dates run from 2026-02-08 to 2026-12-31",
    )
    .await;
    check("2027-01-01", 422, "too far ahead").await;
    check("2026-02-30", 422, "must be a day").await;

    let mut rolling = Server::start_with(&[
        ("CANDOR_TODAY", "2026-02-08"),
        ("CANDOR_DUE_DATES", "rolling"),
    ])
    .await;
    let far = rolling
        .add("me", json!({"title": "x", "due_date": "2029-02-08"}))
        .await;
    assert_eq!(far["due_date"], "2029-02-08");
    rolling.terminate();
    assert!(rolling.ended().await.success());
}

/// Forms send what their date picker holds.
#[tokio::test]
async fn a_timestamp_is_due_on_its_day_in_the_requests_zone() {
    let server = Server::start_with(&[
        ("CANDOR_TODAY", "2026-02-08"),
        ("CANDOR_TIMEZONE", "Asia/Karachi"),
    ])
    .await;
    let add = async |body: Value| {
        let reply = server.post(TASKS, body).await;
        assert_eq!(reply.status, 201, "{}", reply.text);
        reply.body
    };
    let form = add(json!({"title": "form", "due_date": "2026-12-01T00:00:00.000Z"})).await;
    assert_eq!(form["due_date"], "2026-12-01");
    // Midnight in Karachi, as its browsers send it, and the same instant further west.
    let midnight = json!({"title": "midnight", "due_date": "2026-11-30T19:00:00.000Z"});
    let own = add(midnight.clone()).await;
    assert_eq!(own["due_date"], "2026-12-01");
    let mut elsewhere = midnight;
    elsewhere["timezone"] = json!("America/New_York");
    assert_eq!(add(elsewhere).await["due_date"], "2026-11-30");
    let (url, later) = (path(&form), "2026-12-02T20:00:00.000Z");
    let moved = server.patch(&url, json!({"due_date": later})).await;
    assert_eq!(moved.body["due_date"], "2026-12-03", "{}", moved.text);
    let said = json!({"due_date": later, "timezone": "UTC"});
    let moved = server.patch(&url, said).await;
    assert_eq!(moved.body["due_date"], "2026-12-02", "{}", moved.text);
    let asked = &server.events("me", "turn").await;
    assert_eq!(asked.last().unwrap()["payload"]["timezone"], "UTC");
    let nowhere = json!({"due_date": later, "timezone": "Mars/Olympus"});
    let refused = server.patch(&url, nowhere).await;
    assert_eq!(
        (refused.status, refused.problem()),
        (422, "invalid_timezone")
    );
    let past = json!({"title": "x", "due_date": "2026-02-07T00:00:00.000Z"});
    let refused = server.post(TASKS, past).await;
    assert_eq!(refused.status, 422, "{}", refused.text);
    assert!(
        refused.body["detail"]
            .as_str()
            .unwrap()
            .contains("in the past")
    );
}

#[tokio::test]
async fn a_time_stands_beside_a_due_date_and_is_undone_with_it() {
    let server = Server::start_with(&[
        ("CANDOR_TODAY", "2026-02-08"),
        ("CANDOR_TIMEZONE", "Europe/Berlin"),
    ])
    .await;
    let due = |task: &Value| ["due_date", "due_time", "timezone"].map(|field| task[field].clone());
    let at = |day: &str, time: &str, zone: &str| [day, time, zone].map(Value::from);
    let body = json!({"title": "call", "due_date": "2026-02-13", "due_time": "17:00"});
    let added = server.post(TASKS, body.clone()).await;
    assert_eq!(added.status, 201, "{}", added.text);
    let first = at("2026-02-13", "17:00", "Europe/Berlin");
    assert_eq!(due(&added.body), first);
    let url = path(&added.body);
    let patch = async |body: Value| {
        let changed = server.patch(&url, body).await;
        assert_eq!(changed.status, 200, "{}", changed.text);
        assert_eq!(server.get(&url).await.body, changed.body);
        due(&changed.body)
    };
    // A moved day keeps its time, which keeps its zone.
    let moved = patch(json!({"due_date": "2026-02-14", "timezone": "America/New_York"})).await;
    assert_eq!(moved, at("2026-02-14", "17:00", "Europe/Berlin"));
    let west = patch(json!({"due_time": "09:30", "timezone": "America/New_York"})).await;
    assert_eq!(west, at("2026-02-14", "09:30", "America/New_York"));
    let day_only = patch(json!({"due_time": null})).await;
    assert_eq!(day_only, [json!("2026-02-14"), Value::Null, Value::Null]);
    assert_eq!(patch(json!({"due_time": "08:00"})).await[1], "08:00");
    let none = [Value::Null, Value::Null, Value::Null];
    assert_eq!(patch(json!({"due_date": null})).await, none);

    let undo = async |receipt: &Value| {
        let id = receipt["payload"]["id"].as_str().unwrap();
        let undone = server
            .post(&format!("/api/me/receipts/{id}/undo"), json!({}))
            .await;
        assert_eq!(undone.status, 200, "{}", undone.text);
        due(&server.get(&url).await.body)
    };
    let receipts = server.events("me", "receipt").await;
    let mut changes = receipts.iter().rev();
    let mut undo_next = async || undo(changes.next().unwrap()).await;
    assert_eq!(
        undo_next().await,
        at("2026-02-14", "08:00", "Europe/Berlin")
    );
    assert_eq!(undo_next().await, day_only);
    assert_eq!(undo_next().await, west);
    assert_eq!(undo_next().await, moved);
    assert_eq!(undo_next().await, first);

    let bare = server.post(TASKS, json!({"title": "bare"})).await.body;
    for (reply, detail) in [
        (
            server
                .post(TASKS, json!({"title": "x", "due_time": "17:00"}))
                .await,
            "due_time needs a due_date",
        ),
        (
            server
                .patch(&path(&bare), json!({"due_time": "17:00"}))
                .await,
            "due_time needs a due_date",
        ),
        (
            server
                .patch(&url, json!({"due_date": null, "due_time": "17:00"}))
                .await,
            "due_time needs a due_date",
        ),
        (
            server.patch(&url, json!({"due_time": "5pm"})).await,
            "not \"5pm\". Write HH:MM.",
        ),
    ] {
        assert_eq!((reply.status, reply.problem()), (422, "invalid_task"));
        let told = reply.body["detail"].as_str().unwrap();
        assert!(told.contains(detail), "{told}");
    }
    // Equal but for the time is another request.
    let keyed = server.post_keyed(TASKS, "k", body.clone()).await;
    assert_eq!(keyed.status, 201, "{}", keyed.text);
    let mut later = body;
    later["due_time"] = json!("18:00");
    let reused = server.post_keyed(TASKS, "k", later).await;
    assert_eq!(reused.problem(), "key_reused");
}

#[tokio::test]
async fn a_reminder_is_set_moved_and_taken_back() {
    let server = Server::start_with(&[
        ("CANDOR_TODAY", "2026-02-08"),
        ("CANDOR_TIMEZONE", "Europe/Berlin"),
    ])
    .await;
    let waiting = |task: &Value| {
        let reminders = task["reminders"].as_array().unwrap().iter();
        let mut waiting = reminders.filter(|one| one["state"] == "waiting");
        let at = waiting
            .next()
            .map(|one| one["at"].as_str().unwrap().to_owned());
        assert!(waiting.next().is_none(), "{task}");
        at
    };
    let body = json!({"title": "call", "due_date": "2026-02-13", "remind": "2026-02-13T17:00"});
    let added = server.post_keyed(TASKS, "first", body.clone()).await;
    assert_eq!(added.status, 201, "{}", added.text);
    assert_eq!(
        waiting(&added.body).as_deref(),
        Some("2026-02-13T16:00:00Z")
    );
    let url = path(&added.body);
    let patch = async |body: Value| {
        let changed = server.patch(&url, body).await;
        assert_eq!(changed.status, 200, "{}", changed.text);
        assert_eq!(server.get(&url).await.body, changed.body);
        waiting(&changed.body)
    };
    let west = json!({"remind": "2026-02-13T17:00", "timezone": "America/New_York"});
    assert_eq!(patch(west).await.as_deref(), Some("2026-02-13T22:00:00Z"));
    let exact = json!({"remind": "2026-02-14T09:30:15+05:30"});
    assert_eq!(patch(exact).await.as_deref(), Some("2026-02-14T04:00:15Z"));
    let words = json!({"remind": "friday at 5pm"});
    assert_eq!(patch(words).await.as_deref(), Some("2026-02-13T16:00:00Z"));
    let other = json!({"priority": "high"});
    assert_eq!(patch(other).await.as_deref(), Some("2026-02-13T16:00:00Z"));
    assert_eq!(patch(json!({"remind": null})).await, None);
    assert_eq!(patch(json!({"remind": null})).await, None);
    let receipts = server.events("me", "receipt").await;
    assert_eq!(
        receipts.len(),
        6,
        "what changed nothing has none: {receipts:?}"
    );
    let cancelled = server.events("me", "reminder").await;
    assert_eq!(cancelled.len(), 4, "{cancelled:?}");

    // Under one key the words are the request, whenever they are read.
    let soon = json!({"title": "tea", "remind": "in 90 seconds"});
    let first = server.post_keyed(TASKS, "soon", soon.clone()).await;
    tokio::time::sleep(std::time::Duration::from_millis(1_100)).await;
    let again = server.post_keyed(TASKS, "soon", soon).await;
    assert_eq!((again.status, &again.text), (201, &first.text));
    assert!(waiting(&first.body).is_some());
    let mut later = body;
    later["remind"] = json!("2026-02-13T18:00");
    let reused = server.post_keyed(TASKS, "first", later).await;
    assert_eq!(reused.problem(), "key_reused");

    for (remind, told) in [
        ("2026-02-07T17:00", "remind is past: give a time to come."),
        ("2035-02-07T17:00", "remind is more than three years away."),
        (
            "some day",
            "remind is not a time: give YYYY-MM-DDTHH:MM, or words",
        ),
        ("", "remind is not a time"),
    ] {
        let new = server
            .post(TASKS, json!({"title": "x", "remind": remind}))
            .await;
        let changed = server.patch(&url, json!({"remind": remind})).await;
        for reply in [new, changed] {
            assert_eq!((reply.status, reply.problem()), (422, "invalid_task"));
            let detail = reply.body["detail"].as_str().unwrap();
            assert!(detail.contains(told), "{detail}");
        }
    }
    assert_eq!(server.tasks("me").await.len(), 2);
}

#[tokio::test]
async fn every_wrong_request_is_a_problem_with_words() {
    let server = Server::start().await;
    let task = server.add("me", json!({"title": "milk"})).await;
    let one = path(&task);
    let json_type: &[(&str, &str)] = &[("content-type", "application/json")];
    let check = async |method: &str,
                       path: &str,
                       headers: &[(&str, &str)],
                       body: Option<&str>,
                       expect: (u16, &str),
                       words: &str| {
        let reply = server
            .send(method, path, headers, body.map(str::to_owned))
            .await;
        assert_eq!(
            (reply.status, reply.problem()),
            expect,
            "{method} {path}: {}",
            reply.text
        );
        let detail = reply.body["detail"].as_str().unwrap();
        assert!(detail.contains(words), "{method} {path}: {detail}");
        assert_eq!(reply.body["instance"], path.split('?').next().unwrap());
        reply
    };
    let post = async |body: &str, expect: (u16, &str), words: &str| {
        check("POST", TASKS, json_type, Some(body), expect, words).await
    };
    check(
        "GET",
        "/nowhere",
        &[],
        None,
        (404, "not_found"),
        "/api/{user_id}/",
    )
    .await;
    check("GET", "/api/me", &[], None, (404, "not_found"), "").await;
    check(
        "GET",
        "/api/a%2Fb/tasks",
        &[],
        None,
        (400, "bad_user_id"),
        "1 to 128",
    )
    .await;
    check(
        "GET",
        "/api/me/tasks/7",
        &[],
        None,
        (400, "bad_id"),
        "task_id",
    )
    .await;
    check(
        "GET",
        &format!("{TASKS}?status=done"),
        &[],
        None,
        (400, "bad_query"),
        "pending or completed",
    )
    .await;
    check(
        "GET",
        &format!("{TASKS}?stauts=pending"),
        &[],
        None,
        (400, "bad_query"),
        "stauts",
    )
    .await;
    check(
        "GET",
        &format!("{TASKS}?limit=0"),
        &[],
        None,
        (400, "bad_query"),
        "from 1 to",
    )
    .await;
    check(
        "GET",
        &format!("{TASKS}?limit=2&cursor=x"),
        &[],
        None,
        (400, "bad_query"),
        "next_cursor",
    )
    .await;
    check(
        "GET",
        "/api/me/chat/messages",
        &[],
        None,
        (400, "bad_query"),
        "conversation_id",
    )
    .await;
    check(
        "GET",
        "/api/me/audit?kind=lie",
        &[],
        None,
        (400, "bad_query"),
        "receipt",
    )
    .await;
    let wrong = check(
        "PUT",
        TASKS,
        &[],
        None,
        (405, "method_not_allowed"),
        "GET, HEAD, POST",
    )
    .await;
    assert_eq!(wrong.headers["allow"], "GET, HEAD, POST");
    check(
        "GET",
        "/api/me/chat",
        &[],
        None,
        (405, "method_not_allowed"),
        "POST",
    )
    .await;
    check(
        "POST",
        TASKS,
        &[],
        Some("{}"),
        (415, "wrong_media_type"),
        "application/json",
    )
    .await;
    let form = [("content-type", "text/plain")];
    check(
        "POST",
        TASKS,
        &form,
        Some(r#"{"title":"x"}"#),
        (415, "wrong_media_type"),
        "",
    )
    .await;
    post("", (400, "bad_json"), "empty").await;
    post("{", (400, "bad_json"), "line 1, column 1").await;
    post(
        "{\"title\":\"\u{1}\"}",
        (400, "bad_json"),
        "control character",
    )
    .await;
    post(r#"["x"]"#, (422, "invalid_body"), "JSON object").await;
    post("{}", (422, "invalid_body"), "title").await;
    post(r#"{"title":7}"#, (422, "invalid_body"), "a string").await;
    post(
        r#"{"title":"x","user_id":"you"}"#,
        (422, "invalid_body"),
        "user_id",
    )
    .await;
    post(
        r#"{"title":"  "}"#,
        (422, "invalid_task"),
        "Title cannot be empty",
    )
    .await;
    post(r#"{"title":"a\u2028b"}"#, (422, "invalid_task"), "one line").await;
    let long = format!(r#"{{"title":"{}"}}"#, "x".repeat(256));
    post(&long, (422, "invalid_task"), "256 characters").await;
    let large = format!(r#"{{"title":"{}"}}"#, "x".repeat(200_000));
    post(&large, (413, "too_large"), "65536 bytes").await;
    let keyed = [json_type, &[("idempotency-key", "a b")]].concat();
    check(
        "POST",
        TASKS,
        &keyed,
        Some(r#"{"title":"x"}"#),
        (400, "bad_header"),
        "Idempotency-Key",
    )
    .await;
    let contradiction = Some(r#"{"status":"pending","is_completed":true}"#);
    check(
        "PATCH",
        &one,
        json_type,
        contradiction,
        (422, "invalid_task"),
        "contradict",
    )
    .await;
    check(
        "PATCH",
        &one,
        json_type,
        Some(r#"{"title":null}"#),
        (422, "invalid_task"),
        "null",
    )
    .await;
    let chat = "/api/me/chat";
    check("POST", chat, json_type, Some("{"), (400, "bad_json"), "").await;
    check(
        "POST",
        chat,
        json_type,
        Some(r#"{"message":""}"#),
        (422, "invalid_message"),
        "",
    )
    .await;
    let long = json!({"message": "x".repeat(5001)}).to_string();
    check(
        "POST",
        chat,
        json_type,
        Some(&long),
        (422, "invalid_message"),
        "5000",
    )
    .await;
    let undo = "/api/me/receipts/00000000-0000-7000-8000-000000000000/undo";
    check("POST", undo, &[], None, (404, "unknown_receipt"), "").await;
    let turn = "/api/me/audit/turns/00000000-0000-7000-8000-000000000000";
    check("GET", turn, &[], None, (404, "unknown_turn"), "").await;
    assert_eq!(server.titles("me").await, ["milk"]);
}

#[tokio::test]
async fn foreign_pages_and_names_are_kept_out() {
    let server = Server::start().await;
    let body = || Some(json!({"title": "x"}).to_string());
    let json_type = ("content-type", "application/json");
    for header in [
        ("origin", "https://evil.example"),
        ("sec-fetch-site", "cross-site"),
    ] {
        let reply = server
            .send("POST", TASKS, &[json_type, header], body())
            .await;
        assert_eq!((reply.status, reply.problem()), (403, "foreign_origin"));
    }
    let reply = server
        .send("GET", TASKS, &[("host", "rebound.example")], None)
        .await;
    assert_eq!((reply.status, reply.problem()), (403, "foreign_host"));
    assert!(server.tasks("me").await.is_empty());
}

#[tokio::test]
async fn every_answer_has_an_id_and_is_safe_to_show() {
    let server = Server::start().await;
    let given = server
        .send("GET", "/healthz", &[("x-request-id", "abc-1")], None)
        .await;
    assert_eq!(given.headers["x-request-id"], "abc-1");
    let odd = server
        .send("GET", "/healthz", &[("x-request-id", "a b<c>")], None)
        .await;
    assert_ne!(odd.headers["x-request-id"], "a b<c>");
    for path in [
        "/",
        "/page/main.js",
        "/page/page.css",
        "/healthz",
        "/readyz",
        "/nowhere",
        TASKS,
    ] {
        let reply = server.get(path).await;
        let header = |name: &str| {
            reply
                .headers
                .get(name)
                .and_then(|v| v.to_str().ok())
                .unwrap_or_default()
        };
        assert_eq!(header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(header("referrer-policy"), "no-referrer", "{path}");
        let policy = header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'"), "{path}: {policy}");
        assert!(
            policy.contains("frame-ancestors 'none'"),
            "{path}: {policy}"
        );
        assert!(!policy.contains("unsafe"), "{path}: {policy}");
        assert!(
            !reply.headers.contains_key("access-control-allow-origin"),
            "{path}"
        );
        let head = server.send("HEAD", path, &[], None).await;
        assert_eq!(
            (head.status, head.text.as_str()),
            (reply.status, ""),
            "{path}"
        );
    }
    let page = server.get("/").await.text;
    assert!(
        !page.contains("onclick") && !page.contains("<style"),
        "{page}"
    );
    let kind = server.get("/problems/unknown_task").await;
    assert_eq!(
        (kind.status, kind.text.as_str()),
        (200, "No such task (404 unknown_task)\n")
    );
}

#[tokio::test]
async fn what_was_acknowledged_survives_a_crash_and_the_log_stays_whole() {
    let mut server = Server::start().await;
    let first = server
        .post_keyed(TASKS, "k", json!({"title": "milk"}))
        .await;
    assert_eq!(first.status, 201, "{}", first.text);
    server.crash_and_restart().await;
    assert_eq!(server.titles("me").await, ["milk"]);
    let again = server
        .post_keyed(TASKS, "k", json!({"title": "milk"}))
        .await;
    assert_eq!((again.status, &again.text), (201, &first.text));
    server.terminate();
    assert!(server.ended().await.success());

    let verified = server.run_beside(&[], &["audit", "verify"]);
    assert_eq!(verified.code, Some(0), "{verified:?}");
    assert!(
        verified.out.starts_with("me: 4 events, intact"),
        "{verified:?}"
    );
    let exported = server.run_beside(&[], &["audit", "export"]);
    let rows: Vec<Value> = exported
        .out
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let kinds: Vec<_> = rows
        .iter()
        .map(|row| row["kind"].as_str().unwrap())
        .collect();
    assert_eq!(kinds, ["turn", "tool_call", "receipt", "reply"]);
    let turn = rows[0]["turn_id"].as_str().unwrap();
    let shown = server.run_beside(&[], &["audit", "show", turn, "--events"]);
    assert!(shown.out.contains("\"title\": \"milk\""), "{shown:?}");
}

#[test]
fn a_wrong_variable_stops_the_start_with_one_line() {
    let check = |variables: &[(&str, &str)], arguments: &[&str], words: &str| {
        let ran = run(None, variables, arguments);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert_eq!(
            (ran.out.as_str(), ran.err.lines().count()),
            ("", 1),
            "{ran:?}"
        );
        assert!(
            ran.err.starts_with("candor: ") && ran.err.contains(words),
            "{ran:?}"
        );
        assert!(!ran.err.contains("canary"), "{ran:?}");
    };
    check(
        &[("CANDOR_BIND", "0.0.0.0:0")],
        &[],
        "CANDOR_BIND: \"0.0.0.0:0\" can be reached",
    );
    check(
        &[],
        &["serve", "--bind", "nowhere"],
        "CANDOR_BIND: \"nowhere\" is not an address",
    );
    check(
        &[("CANDOR_TODAY", "soon")],
        &[],
        "CANDOR_TODAY: \"soon\" is not a day; accepted: YYYY",
    );
    check(&[("CANDOR_AUTH", "password")], &[], "accepted: none");
    check(
        &[("CANDOR_AUTH", "jwt"), ("CANDOR_JWT_SECRET", "canary")],
        &[],
        "CANDOR_JWT_SECRET: is 6 bytes long",
    );
    check(
        &[("OPENAI_API_KEY", "sk canary")],
        &["migrate"],
        "OPENAI_API_KEY: it holds a space",
    );
    check(
        &[("DATABASE_URL", "mysql://a:canary@b/c")],
        &[],
        "DATABASE_URL: its scheme",
    );
}

#[test]
fn help_is_there_for_every_command() {
    for arguments in [
        &["--help"][..],
        &["chat", "--help"],
        &["audit", "verify", "--help"],
        &["serve", "--help"],
    ] {
        let ran = run(None, &[], arguments);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert!(ran.out.contains("Usage: candor"), "{ran:?}");
    }
}
