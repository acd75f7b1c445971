//! SC-001 … SC-010: the measurable outcomes. SC-008 also has ten thousand lists in `prompt`.

use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::lies::{ADDED, CHANGED, DELETED, LISTED};
use crate::openai::Step;
use crate::said::UUID;
use crate::world::World;

both! {
    sc_001_a_deletion_is_in_the_log_as_a_call
    sc_002_exactly_seven_tasks_are_listed
    sc_003_five_tasks_are_due_in_2026
    sc_004_every_success_has_its_metadata
    sc_009_replies_name_tasks_by_title
}

async fn sc_001_a_deletion_is_in_the_log_as_a_call(mut it: World) {
    let ids = it.given_tasks(&["Read book"]).await;
    it.model.call("delete_task", json!({"task": "Read book"}));
    let reply = it.say("delete Read book").await;
    let turn = reply.body["turn_id"].as_str().unwrap();
    let ran = it
        .server
        .run_beside(&[], &["audit", "show", turn, "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.err);
    let shown: Value = serde_json::from_str(&ran.out).unwrap();
    let call = shown["events"]
        .as_array()
        .unwrap()
        .iter()
        .find(|event| event["kind"] == "tool_call")
        .expect("the call");
    let payload = call["payload"].as_str().unwrap();
    for part in ["delete_task", &ids[0], "committed"] {
        assert!(payload.contains(part), "{part}: {payload}");
    }
    it.holds().await;
}

async fn sc_002_exactly_seven_tasks_are_listed(mut it: World) {
    let titles: Vec<String> = (1..=7).map(|n| format!("Chore number {n}")).collect();
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    it.given_tasks(&titles).await;
    it.model.then(Step::Answer {
        text: Some("You have 9 tasks, among them Buy a yacht.".to_owned()),
        calls: vec![("list_tasks".to_owned(), json!({"status_filter": "all"}))],
    });
    let reply = it.say("list my tasks").await;
    reply.mentions(&titles).hides(&["yacht", "9 tasks"]);
    assert_eq!(reply.text().lines().count(), 8, "{}", reply.text());
    assert!(reply.text().starts_with("You have 7 tasks:\n"));
    it.rows(&titles).await;
    it.holds().await;
}

async fn sc_003_five_tasks_are_due_in_2026(mut it: World) {
    let wanted = [
        (
            "add Pay rent tomorrow",
            "Pay rent",
            "tomorrow",
            "2026-02-09",
        ),
        (
            "add Call mom next week",
            "Call mom",
            "next week",
            "2026-02-09",
        ),
        (
            "add Read book due 2026-02-10",
            "Read book",
            "2026-02-10",
            "2026-02-10",
        ),
        (
            "add Water plants on friday",
            "Water plants",
            "friday",
            "2026-02-13",
        ),
        (
            "add Renew passport in 3 weeks",
            "Renew passport",
            "in 3 weeks",
            "2026-03-01",
        ),
    ];
    for (words, title, due, day) in wanted {
        it.model
            .call("add_task", json!({"title": title, "due_date": due}));
        let reply = it.say(words).await;
        assert_eq!(reply.metadata()["task"]["due_date"], day, "{words}");
    }
    let rows: Vec<_> = wanted
        .iter()
        .map(|(_, title, _, day)| format!("{title} (due {day})"))
        .collect();
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    it.rows(&rows).await;
    it.holds().await;
}

async fn sc_004_every_success_has_its_metadata(mut it: World) {
    it.given_tasks(&["Read book", "Call mom"]).await;
    let update = |values: Value| ("update_task", values);
    let turns = [
        (
            "add buy milk",
            ("add_task", json!({"title": "buy milk"})),
            "add_task",
            "buy milk",
        ),
        (
            "list my tasks",
            ("list_tasks", json!({"status_filter": "all"})),
            "list_tasks",
            "",
        ),
        (
            "set Read book priority to high",
            update(json!({"task": "Read book", "priority": "high"})),
            "update_task",
            "Read book",
        ),
        (
            "rename Call mom to Call dad",
            update(json!({"task": "Call mom", "title": "Call dad"})),
            "update_task",
            "Call dad",
        ),
        (
            "mark Read book as done",
            ("complete_task", json!({"task": "Read book"})),
            "complete_task",
            "Read book",
        ),
        (
            "reopen Read book",
            update(json!({"task": "Read book", "status": "pending"})),
            "update_task",
            "Read book",
        ),
        (
            "delete buy milk",
            ("delete_task", json!({"task": "buy milk"})),
            "delete_task",
            "buy milk",
        ),
        ("undo", ("undo", json!({})), "undo", "buy milk"),
    ];
    let mut known = Vec::new();
    for task in it.server.tasks("me").await {
        known.push(task["id"].clone());
    }
    for (words, (tool, arguments), action, title) in turns {
        it.model.call(tool, arguments);
        let reply = it.say(words).await;
        reply
            .is("receipt")
            .called(&[(tool, true)])
            .did(&[(action, title)]);
        let id = &reply.metadata()["task_id"];
        if action == "add_task" {
            known.push(id.clone());
        }
        assert!(title.is_empty() || known.contains(id), "{words}: {id}");
    }
    it.rows(&["Read book (high)", "Call dad", "buy milk"]).await;
    it.holds().await;
}

/// Every kind of failing call, followed by every kind of claim.
#[tokio::test]
async fn sc_005_no_failed_operation_is_claimed() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book"]).await;
    let failing = [
        (
            "delete Fly to Mars",
            "delete_task",
            json!({"task": "Fly to Mars"}),
        ),
        (
            "mark Fly to Mars as done",
            "complete_task",
            json!({"task": "Fly to Mars"}),
        ),
        (
            "set Read book priority to high",
            "update_task",
            json!({"task": "Read book", "priority": "urgent"}),
        ),
        (
            "add buy milk",
            "add_task",
            json!({"title": "", "priority": "high"}),
        ),
        (
            "add buy milk due 2025-12-31",
            "add_task",
            json!({"title": "buy milk", "due_date": "2025-12-31"}),
        ),
        (
            "list my tasks",
            "list_tasks",
            json!({"status_filter": "open"}),
        ),
    ];
    let claims = [
        DELETED[0],
        CHANGED[0],
        ADDED[0],
        LISTED[0],
        "Your action has been completed!",
    ];
    for (words, tool, arguments) in failing {
        for claim in claims {
            it.begin_anew();
            it.model.call(tool, arguments.clone()).say(claim);
            it.say(words)
                .await
                .is("failure")
                .called(&[(tool, false)])
                .did_nothing()
                .mentions(&["Could not"])
                .hides(&["yacht", "Deleted:", "Added:", "has been completed"]);
        }
    }
    it.rows(&["Read book"]).await;
    it.holds().await;
}

/// Every claim instead of every call: 100 % are stopped, and every call is in the log.
#[tokio::test]
async fn sc_006_no_skipped_call_stays_silent() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book"]).await;
    let commands = [
        ("delete Read book", "delete_task"),
        ("list my tasks", "list_tasks"),
        ("add buy milk", "add_task"),
        ("mark Read book as done", "complete_task"),
        ("set Read book priority to high", "update_task"),
    ];
    let claims = [DELETED, LISTED, ADDED, CHANGED].concat();
    for (words, tool) in commands {
        for claim in &claims {
            it.begin_anew();
            it.model.say(claim);
            it.say(words).await.not_triggered(tool);
        }
    }
    it.rows(&["Read book"]).await;
    it.holds().await;
}

/// Two seconds from the model's answer; ours takes milliseconds, and the machine may be busy.
#[tokio::test]
async fn sc_007_the_technical_error_comes_within_two_seconds() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book"]).await;
    // The first turn also reads the grammar, which takes its time in a debug build.
    it.model.say("Hello!");
    it.say("hello there").await;
    let pause = Duration::from_millis(300);
    for _ in 0..5 {
        it.begin_anew();
        it.model.then(Step::After(
            pause,
            Box::new(Step::say("Deleted: Read book")),
        ));
        let began = Instant::now();
        let reply = it.say("delete Read book").await;
        let took = began.elapsed();
        reply.not_triggered("delete_task");
        assert!(took < pause + Duration::from_secs(2), "{took:?}");
        let latency = &reply.body["execution_metadata"]["latency_ms"];
        let ours = latency["total"].as_f64().unwrap() - latency["model"].as_f64().unwrap();
        assert!(ours < 2000.0, "{latency}");
    }
    it.holds().await;
}

#[tokio::test]
async fn sc_008_the_task_list_of_the_prompt_holds_no_uuid() {
    let mut it = World::new().await;
    it.given_tasks(&[
        "Read book",
        "Fix 67e55044-10b1-426f-9247-bb680e5fe0c8",
        "see 67E5504410B1426F9247BB680E5FE0C8 again",
    ])
    .await;
    it.model.say("Hello!");
    it.say("hello there").await;
    let prompt = it.prompt();
    let (_, list) = prompt.split_once("<<<").expect("the task list");
    assert!(!UUID.is_match(list), "{list}");
    for line in ["1. [Read book] (", "2. [Fix ", "3. [see "] {
        assert!(list.contains(line), "{list}");
    }
    it.holds().await;
}

async fn sc_009_replies_name_tasks_by_title(mut it: World) {
    it.given_tasks(&["Read book", "Call mom", "Pay rent"]).await;
    it.model
        .call("complete_task", json!({"task": "Read book"}))
        .call(
            "update_task",
            json!({"task": "Call mom", "priority": "high"}),
        )
        .call("delete_task", json!({"task": "Pay rent"}))
        .call("list_tasks", json!({"status_filter": "all"}))
        .call("delete_task", json!({"task": "Fly to Mars"}));
    for (words, title) in [
        ("mark Read book as done", "Read book"),
        ("set Call mom priority to high", "Call mom"),
        ("delete Pay rent", "Pay rent"),
        ("list my tasks", "Read book"),
    ] {
        let reply = it.say(words).await;
        reply.mentions(&[title]);
        let messages = reply.body["messages"].to_string();
        assert!(!UUID.is_match(reply.text()), "{}", reply.text());
        assert!(messages.contains(title), "{messages}");
    }
    it.model.otherwise(Step::say("Sorry."));
    it.say("delete Fly to Mars")
        .await
        .mentions(&["Fly to Mars"]);
    it.holds().await;
}

/// By chat in every way a model may write it, and by REST.
#[tokio::test]
async fn sc_010_no_new_task_is_due_in_2024_or_2025() {
    let mut it = World::new().await;
    it.given_tasks(&["Read book"]).await;
    for day in [
        "2024-02-09",
        "2025-02-09",
        "2025-12-31",
        "Feb 9, 2025",
        "9 February 2024",
        "31.12.2025",
        "yesterday",
        "last friday",
    ] {
        for words in [
            "add Water plants".to_owned(),
            "add Water plants tomorrow".to_owned(),
            format!("add Water plants due {day}"),
            format!("move Read book to {day}"),
        ] {
            it.begin_anew();
            let (tool, arguments) = if words.starts_with("add") {
                (
                    "add_task",
                    json!({"title": "Water plants", "due_date": day}),
                )
            } else {
                ("update_task", json!({"task": "Read book", "due_date": day}))
            };
            it.model.otherwise(Step::calls(vec![(tool, arguments)]));
            it.say(&words).await;
        }
        for task in it.server.tasks("me").await {
            let due = task["due_date"].as_str().unwrap_or("2026");
            assert!(due.starts_with("2026"), "{day}: {task:#}");
        }
        let body = json!({"title": "Water plants", "due_date": day});
        let reply = it.server.post("/api/me/tasks", body).await;
        assert_eq!(reply.status, 422, "{day}: {}", reply.text);
    }
    it.holds().await;
}
