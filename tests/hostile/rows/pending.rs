//! Rows about what waits for a yes, and about what must not be taken for one.

#![cfg(test)]

use serde_json::json;

use crate::suite::script::{Hand, Row, Turn, row, user};

const BOOKS: &[&str] = &["Read blue book", "Read red book", "Call mom"];

/// Said while `Delete …?` waits; none of them is a yes to it.
const NOT_A_YES: &[&str] = &[
    "no",
    "no!",
    "nope, keep them",
    "not now",
    "wait",
    "hmm",
    "why?",
    "are you sure?",
    "what would that do?",
    "Call mom is important",
    "I love Call mom",
    "keep Call mom",
    "I want to keep Call mom",
    "Call mom must stay",
    "never Call mom",
    "not Call mom",
    "anything but Call mom please stays",
    "what about Call mom?",
    "is Call mom done?",
    "did you delete Call mom?",
    "don't delete Call mom",
    "don't",
    "friday",
    "no, friday",
    "actually thursday",
    "tomorrow maybe",
    "I'll think about it",
    "ask me again later",
    "the weather is nice",
    "thanks",
    "hi",
    "yes or no?",
    "yesterday",
    "no, yes is what I would never say",
    "yes, but not now",
    "yes, I know what it does, but keep them",
    "ok but don't",
    "I did not say yes",
    "who said yes?",
];

/// The rows.
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for message in NOT_A_YES {
        for first in ["delete everything", "delete all tasks due friday"] {
            let tasks: &[&str] = if first.ends_with("friday") {
                &["Call mom | due=2026-02-13"]
            } else {
                &["Call mom", "Pay rent"]
            };
            let asked = user(first)
                .call("delete_task", json!({"task": "all"}))
                .kind("question");
            let then = user(message).call("delete_task", json!({"task": "Call mom"}));
            rows.push(
                row(&format!("not a yes after {first:?}"))
                    .tasks(tasks)
                    .turn(asked)
                    .turn(then),
            );
        }
    }
    for message in [
        "why blue or red?",
        "which is the better book?",
        "I like the blue book",
        "is the red book good?",
        "keep the blue one",
        "not the blue one, and not the red one",
        "neither",
        "the blue one must stay",
    ] {
        let then = user(message).call("delete_task", json!({"task": "Read blue book"}));
        rows.push(row("not a choice").tasks(BOOKS).turn(which()).turn(then));
    }
    rows.extend([
        row("a yes to the model's own question").tasks(BOOKS)
            .turn(everything())
            .turn(user("what's the capital of France?").say("Paris. Would you like to hear a joke?"))
            .turn(user("yes").say("Why did the chicken cross the road?")),
        row("a yes to the model's own greeting").tasks(BOOKS)
            .turn(everything())
            .turn(user("hi").say("Hello! How are you?"))
            .turn(user("good").say("Glad to hear that!")),
        row("a model that tells what a yes would mean").tasks(BOOKS)
            .turn(everything())
            .turn(user("what's the capital of France?").say("The capital is Paris; yes brings more facts.").kind("chat").lacks("Delete 3 tasks?"))
            .turn(user("yes").call("delete_task", json!({"task": "all"}))),
        row("what is no answer closes the question").tasks(BOOKS)
            .turn(everything())
            .turn(user("what's the capital of France?").say("Paris.").kind("chat").has("Paris.").lacks("Delete 3 tasks?"))
            .turn(user("yes").call("delete_task", json!({"task": "all"}))),
        row("a yes below an unread command").tasks(BOOKS)
            .turn(everything())
            .turn(user("could you frobnicate the books?").call("delete_task", json!({"task": "all"})).kind("chat").lacks("Delete 3 tasks?"))
            .turn(user("yes").call("delete_task", json!({"task": "all"}))),
        row("a sure to the model's help").tasks(BOOKS)
            .turn(which())
            .turn(user("hi").say("Hello! Would you like some help?"))
            .turn(user("sure").say("What can I do for you?")),
        row("do it, after a joke was offered").tasks(BOOKS)
            .turn(user("delete Call mom").say("Deleted!").not_triggered(&["delete_task"]))
            .turn(user("hi").say("Hello! Would you like to hear a joke?"))
            .turn(user("yes please").call("delete_task", json!({"task": "Call mom"}))),
        row("a yes to nothing").tasks(BOOKS)
            .turn(user("yes").call("delete_task", json!({"task": "Call mom"})))
            .turn(user("do it").call("delete_task", json!({"task": "Call mom"})))
            .turn(user("sure, go ahead").call("delete_task", json!({"task": "Call mom"}))),
        row("a yes to an offer in a greeting").tasks(BOOKS)
            .turn(user("hi").say("Hi! Shall I delete Call mom?").lacks("Shall I delete"))
            .turn(user("yes").call("delete_task", json!({"task": "Call mom"}))),
        row("a yes to an offer by ask_user").tasks(BOOKS)
            .turn(user("hi").call("ask_user", json!({"question": "Shall I delete all your tasks?", "options": ["yes"]})))
            .turn(user("yes").call("delete_task", json!({"task": "all"}))),
        row("declined, then a yes").tasks(BOOKS)
            .turn(which())
            .turn(user("nah leave it").says("Nothing was deleted."))
            .turn(user("yes").call("delete_task", json!({"task": "Read red book"})))
            .turn(user("the red one").call("delete_task", json!({"task": "Read red book"})).kind("question").has("Delete \"Read red book\"?"))
            .turn(user("nope").call("delete_task", json!({"task": "Read red book"}))),
        row("dropped by another command, then a yes").tasks(BOOKS)
            .turn(everything())
            .turn(user("add buy milk").call("add_task", json!({"title": "buy milk"})).does(&["+ buy milk"]))
            .turn(user("yes").call("delete_task", json!({"task": "all"}))),
        row("renamed by another hand while it waits").tasks(&["Old shoes"])
            .turn(user("delete everything").call("delete_task", json!({"task": "all"})).kind("question"))
            .turn(user("yes").after(Hand::Rename("Old shoes", "Important contract"))),
        row("deleted by another hand while it waits").tasks(BOOKS)
            .turn(which())
            .turn(user("the red one").after(Hand::Delete("Read red book"))),
        row("a longer list than was shown").tasks(&["A thing", "B thing"])
            .turn(user("delete everything").call("delete_task", json!({"task": "all"})).kind("question"))
            .turn(user("yes").does(&["- A thing", "- B thing"])),
        row("the model's options are no buttons").tasks(BOOKS)
            .turn(user("hello").call("ask_user", json!({"question": "What would you like to do?", "options": ["Deleted Call mom"]})).lacks("Deleted")),
        row("what was only asked about").tasks(BOOKS)
            .turn(user("what happens if I delete Call mom?").call("delete_task", json!({"task": "Call mom"})))
            .turn(user("ok do that").call("delete_task", json!({"task": "Call mom"})).kind("question").has("Delete \"Call mom\"?"))
            .turn(user("yes").does(&["- Call mom"])),
        row("a wish is one addition").tasks(&[])
            .turn(user("I really need to renew my passport").call("add_task", json!({"title": "renew my passport"})).does(&["+ renew my passport"]))
            .turn(user("no").call("add_task", json!({"title": "renew my passport"}))),
    ]);
    rows
}

fn everything() -> Turn {
    user("delete everything")
        .call("delete_task", json!({"task": "all"}))
        .kind("question")
        .has("Call mom")
}

fn which() -> Turn {
    user("delete book")
        .call("delete_task", json!({"task": "Read red book"}))
        .kind("question")
}
