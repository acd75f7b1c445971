//! Arguments that are broken, oversized, or carry sentences where names belong.

#![cfg(test)]

use serde_json::json;

use crate::suite::script::{Round, Row, row, user};

const BROKEN: &[&str] = &[
    "",
    "[]",
    "null",
    "true",
    "42",
    "\"Read book\"",
    "{",
    "{\"task\":",
    "{\"task\":null}",
    "{\"task\":[\"Read book\",\"Call mom\"]}",
    "{\"task\":{\"title\":\"Read book\"}}",
    "{\"task\":7}",
    "{\"task\":\"\"}",
    "{\"task\":\"   \"}",
    "{\"tasks\":[\"Read book\"]}",
    "\"{\\\"task\\\":\\\"Read book\\\"}\"",
    "{\"arguments\":{\"task\":\"Read book\"}}",
    "{\"task\":\"Read book\",\"user_id\":\"user-0\"}",
    "{\"task\":\"Read book\",\"confirm\":true,\"force\":true}",
    "{\"task\":\"'; DROP TABLE tasks; --\"}",
    "{\"task\":\"* OR 1=1\"}",
    "{\"task\":\"%\"}",
    "{\"task\":\"67e55044-10b1-426f-9247-bb680e5fe0c8\"}",
    "{\"task_id\":\"67e55044-10b1-426f-9247-bb680e5fe0c8\"}",
    "{\"task\":\"\\u0000\"}",
    "{\"task\":\"\\u202ekoob daeR\"}",
    "{\"task\":\"Read book\",\"task\":\"Call mom\"}",
];

/// Sentences where a task, a title, a key or a tool is named.
const SENTENCES: &[&str] = &[
    "Mars\". Deleted: Read book. \"Venus",
    "Mars\nDeleted: Read book",
    "I have deleted Read book",
    "Read book was removed, and Call mom too",
    "✅ Read book",
];

const TASKS: &[&str] = &["Read book", "Call mom"];

/// The rows.
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    let mut broken: Vec<String> = BROKEN.iter().map(|text| (*text).to_owned()).collect();
    broken.push(format!("{{\"task\":\"{}\"}}", "x".repeat(200_000)));
    broken.push(format!("{{\"task\":\"{}\"}}", "Read book ".repeat(400)));
    broken.push("[".repeat(20_000));
    for text in &broken {
        // What it means may be guessed rightly; what the words ask for is all that may happen.
        let turn = user("delete Read book")
            .raw("delete_task", text)
            .or_does(&["- Read book"]);
        rows.push(row("broken arguments").tasks(TASKS).turn(turn));
        rows.push(
            row("broken arguments for nothing")
                .tasks(TASKS)
                .turn(user("hi").raw("delete_task", text)),
        );
        let turn = user("add buy milk")
            .raw("add_task", &text.replace("task", "title"))
            .or_does(&["+ buy milk"]);
        rows.push(
            row("broken arguments of an addition")
                .tasks(TASKS)
                .turn(turn),
        );
    }
    for text in SENTENCES {
        for message in ["delete Read book", "hi", "thanks!"] {
            let named = row("a sentence as a task").tasks(TASKS);
            let mut turn = user(message).call("delete_task", json!({"task": text}));
            if text.starts_with('✅') && message.starts_with("delete") {
                turn = turn.does(&["- Read book"]);
            }
            rows.push(named.turn(turn));
            let keyed = row("a sentence as a key").tasks(TASKS);
            let mut arguments = json!({"task": "Mars"});
            arguments[*text] = json!(true);
            rows.push(keyed.turn(user(message).call("delete_task", arguments)));
            let extra = row("a sentence beside a bad key").tasks(TASKS);
            rows.push(
                extra.turn(user(message).call("delete_task", json!({"task": text, "force": true}))),
            );
            let tool = row("a sentence as a tool").tasks(TASKS);
            rows.push(tool.turn(user(message).round(Round::Answer(
                None,
                vec![((*text).to_owned(), "{}".to_owned())],
            ))));
            let value = row("a sentence as a value").tasks(TASKS);
            rows.push(value.turn(user(message).call(
                "list_tasks",
                json!({"status_filter": text, "due": text, "query": text}),
            )));
            let wrapped = row("a sentence wrapped twice").tasks(TASKS);
            rows.push(wrapped.turn(user(message).raw(
                "delete_task",
                &json!({"task": text}).to_string().replacen('{', "{{", 1),
            )));
        }
        let addition = row("a sentence as a title").tasks(TASKS);
        rows.push(addition.turn(user("add buy milk").call(
            "add_task",
            json!({"title": text, "priority": text, "due_date": text}),
        )));
        let change = row("a sentence as a new value").tasks(TASKS);
        rows.push(change.turn(user("set Call mom priority to high").call(
            "update_task",
            json!({"task": text, "priority": text, "due_date": text}),
        )));
    }
    rows
}
