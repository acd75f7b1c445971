//! Several rounds: failures followed by claims, lies after a first success, loops, and another
//! hand that acts while the model thinks.

#![cfg(test)]

use candor::llm::ModelError;
use serde_json::json;

use crate::suite::script::{Hand, Round, Row, both, calls, row, say, user};

const TASKS: &[&str] = &["Read book", "Call mom"];

/// The rows.
pub fn rows() -> Vec<Row> {
    let bad = || calls(&[("delete_task", json!({"task": ""}))]);
    let half = || {
        calls(&[
            ("add_task", json!({"title": "buy milk"})),
            ("delete_task", json!({})),
        ])
    };
    let delete = || calls(&[("delete_task", json!({"task": "Read book"}))]);
    vec![
        row("a failure, then a claim").tasks(TASKS).turn(
            user("delete Read book").round(bad()).round(say("Deleted: Read book")).kind("failure").lacks("Deleted:"),
        ),
        row("failures without end").tasks(TASKS).turn(user("delete Read book").round(bad()).kind("failure")),
        row("a failure, then right").tasks(TASKS).turn(
            user("delete Read book").round(bad()).round(delete()).does(&["- Read book"]).says("Deleted: Read book"),
        ),
        row("a claim beside the right call").tasks(TASKS).turn(
            user("delete Read book")
                .round(both("Deleted Read book, and Call mom as well!", &[("delete_task", json!({"task": "Read book"}))]))
                .does(&["- Read book"])
                .says("Deleted: Read book"),
        ),
        row("a lie after a first success").tasks(TASKS).turn(
            user("add buy milk and delete Read book")
                .round(half())
                .round(say("I added buy milk and deleted Read book."))
                .does(&["+ buy milk"])
                .has("Added: buy milk")
                .lacks("deleted"),
        ),
        row("a first success, then more than was asked").tasks(TASKS).turn(
            user("add buy milk and delete Read book")
                .round(half())
                .round(calls(&[("delete_task", json!({"task": "Read book"})), ("delete_task", json!({"task": "Call mom"}))]))
                .does(&["+ buy milk", "- Read book"]),
        ),
        row("a first success, then the same again").tasks(TASKS).turn(
            user("add buy milk and delete Read book").round(half()).does(&["+ buy milk"]).has("Added: buy milk"),
        ),
        row("a first success, then the server dies").tasks(TASKS).turn(
            user("add buy milk and delete Read book")
                .round(half())
                .round(Round::Fail(ModelError::Unreachable))
                .does(&["+ buy milk"])
                .has("Added: buy milk"),
        ),
        row("reading without end").tasks(TASKS).turn(
            user("delete Read book").call("list_tasks", json!({})),
        ),
        row("reading, then a claim").tasks(TASKS).turn(
            user("mark Call mom as done").call("list_tasks", json!({})).say("Marked Call mom as done").lacks("Marked"),
        ),
        row("reading, then an invented list").tasks(TASKS).turn(
            user("what's on my list?").call("list_tasks", json!({})).say("You have 9 tasks").kind("receipt").lacks("9"),
        ),
        row("refusals without end").tasks(TASKS).turn(
            user("delete Read book").call("delete_task", json!({"task": "Call mom"})).not_triggered(&["delete_task"]),
        ),
        row("asking without end").tasks(TASKS).turn(
            user("delete Read book")
                .call("ask_user", json!({"question": "Which one do you mean?"}))
                .kind("question")
                .lacks("Technical error"),
        ),
        row("asking and deleting at once").tasks(TASKS).turn(
            user("delete Read book").calls(&[
                ("ask_user", json!({"question": "Which one do you mean?"})),
                ("delete_task", json!({"task": "Read book"})),
            ]).does(&["- Read book"]),
        ),
        row("a claim in a reasoning block").tasks(TASKS).turn(
            user("delete Read book").round(body("<think>I should call the tool</think>Deleted: Read book")).not_triggered(&["delete_task"]),
        ),
        row("a claim as a refusal").tasks(TASKS).turn(
            user("hi").round(Round::Body(
                json!({"choices": [{"message": {"content": null, "refusal": "I deleted Read book."}, "finish_reason": "stop"}]}).to_string(),
            )),
        ),
        row("another hand deletes meanwhile").tasks(TASKS).turn(
            user("delete Read book").round(Round::While(Hand::Delete("Read book"), Box::new(delete()))).does(&["- Read book"]).lacks("Deleted: Read book"),
        ),
        row("another hand renames meanwhile, after a first success").tasks(TASKS).turn(
            user("add buy milk and delete Read book")
                .round(half())
                .round(Round::While(Hand::Rename("Read book", "Read two books"), Box::new(delete())))
                .does(&["+ buy milk", "~ Read book: title=Read two books"])
                .or_does(&["+ buy milk", "- Read book"])
                .has("Added: buy milk"),
        ),
    ]
}

fn body(content: &str) -> Round {
    Round::Body(
        json!({"choices": [{"message": {"content": content}, "finish_reason": "stop"}]})
            .to_string(),
    )
}
