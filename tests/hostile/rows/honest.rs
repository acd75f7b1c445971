//! Everyday turns with a model that behaves: each must be served, to the letter.

#![cfg(test)]

use serde_json::{Value, json};

use super::dialogues;
use crate::suite::script::{Row, honest, user};

/// Tasks that most of the turns begin with.
pub const TASKS: &[&str] = &[
    "Read book",
    "Call mom",
    "Pay rent | due=2026-02-10 priority=high",
    "Water plants | done",
];

/// Message, tool, arguments, effect, reply.
type Plain = (
    &'static str,
    &'static str,
    Value,
    &'static str,
    &'static str,
);

/// The rows.
pub fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = plain()
        .into_iter()
        .map(|(message, tool, arguments, effect, says)| {
            let mut turn = user(message).call(tool, arguments).kind("receipt");
            if !effect.is_empty() {
                turn = turn.does(&[effect]);
            }
            if !says.is_empty() {
                turn = turn.says(says);
            }
            honest(message).tasks(TASKS).turn(turn)
        })
        .collect();
    for (message, prose) in TALK {
        rows.push(
            honest(message).tasks(TASKS).turn(
                user(message)
                    .say(prose)
                    .says(prose)
                    .lacks("Technical error"),
            ),
        );
    }
    for (message, kind) in [
        ("how do I delete a task?", "chat"),
        ("what can you do?", "chat"),
        ("how do I add a task?", "chat"),
        ("how do I undo something?", "chat"),
        ("what happens if I delete Read book?", "chat"),
        ("don't delete Read book", "chat"),
        ("milk", "chat"),
        ("I really need to renew my passport", "chat"),
    ] {
        rows.push(
            honest(message).tasks(TASKS).turn(
                user(message)
                    .say("I can help you with your tasks.")
                    .kind(kind)
                    .lacks("Technical error"),
            ),
        );
    }
    rows.extend(dialogues::rows());
    rows
}

fn plain() -> Vec<Plain> {
    let task = |title: &str| json!({"task": title});
    vec![
        (
            "add buy milk",
            "add_task",
            json!({"title": "buy milk"}),
            "+ buy milk",
            "Added: buy milk",
        ),
        (
            "add \"Buy milk.\"",
            "add_task",
            json!({"title": "Buy milk."}),
            "+ Buy milk.",
            "Added: Buy milk.",
        ),
        (
            "add buy milk tomorrow",
            "add_task",
            json!({"title": "buy milk", "due_date": "2026-02-09"}),
            "+ buy milk due=2026-02-09",
            "Added: buy milk (due Mon 2026-02-09)",
        ),
        (
            "please add a task to call the bank",
            "add_task",
            json!({"title": "call the bank"}),
            "+ call the bank",
            "Added: call the bank",
        ),
        (
            "remind me to feed the cat",
            "add_task",
            json!({"title": "feed the cat"}),
            "+ feed the cat",
            "",
        ),
        (
            "add finish the report by friday, high priority",
            "add_task",
            json!({"title": "finish the report", "due_date": "friday", "priority": "high"}),
            "+ finish the report due=2026-02-13 priority=high",
            "",
        ),
        (
            "put eggs on my list",
            "add_task",
            json!({"title": "eggs"}),
            "+ eggs",
            "Added: eggs",
        ),
        (
            "new task: write to grandma",
            "add_task",
            json!({"title": "write to grandma"}),
            "+ write to grandma",
            "Added: write to grandma",
        ),
        (
            "I need to add \"sell the car\" to my list",
            "add_task",
            json!({"title": "sell the car"}),
            "+ sell the car",
            "Added: sell the car",
        ),
        (
            "can you add vacuum the flat?",
            "add_task",
            json!({"title": "vacuum the flat"}),
            "+ vacuum the flat",
            "Added: vacuum the flat",
        ),
        (
            "delete Read book",
            "delete_task",
            task("Read book"),
            "- Read book",
            "Deleted: Read book",
        ),
        (
            "remove call mom please",
            "delete_task",
            task("Call mom"),
            "- Call mom",
            "Deleted: Call mom",
        ),
        (
            "get rid of the read book task",
            "delete_task",
            task("Read book"),
            "- Read book",
            "Deleted: Read book",
        ),
        (
            "could you delete Pay rent for me?",
            "delete_task",
            task("Pay rent"),
            "- Pay rent",
            "Deleted: Pay rent",
        ),
        (
            "take Read book off my list",
            "delete_task",
            task("Read book"),
            "- Read book",
            "Deleted: Read book",
        ),
        (
            "mark Call mom as done",
            "complete_task",
            task("Call mom"),
            "~ Call mom: done",
            "Marked Call mom as done",
        ),
        (
            "complete read book",
            "complete_task",
            task("Read book"),
            "~ Read book: done",
            "Marked Read book as done",
        ),
        (
            "I finished Read book",
            "complete_task",
            task("Read book"),
            "~ Read book: done",
            "Marked Read book as done",
        ),
        (
            "I've called mom, tick Call mom off",
            "complete_task",
            task("Call mom"),
            "~ Call mom: done",
            "Marked Call mom as done",
        ),
        (
            "check off Pay rent",
            "complete_task",
            task("Pay rent"),
            "~ Pay rent: done",
            "Marked Pay rent as done",
        ),
        (
            "reopen Water plants",
            "update_task",
            json!({"task": "Water plants", "status": "pending"}),
            "~ Water plants: pending",
            "Reopened: Water plants",
        ),
        (
            "set Read book priority to high",
            "update_task",
            json!({"task": "Read book", "priority": "high"}),
            "~ Read book: priority=high",
            "Updated: Read book (priority: high)",
        ),
        (
            "make Pay rent low priority",
            "update_task",
            json!({"task": "Pay rent", "priority": "low"}),
            "~ Pay rent: priority=low",
            "Updated: Pay rent (priority: low)",
        ),
        (
            "move Pay rent to friday",
            "update_task",
            json!({"task": "Pay rent", "due_date": "2026-02-13"}),
            "~ Pay rent: due=2026-02-13",
            "Updated: Pay rent (due Fri 2026-02-13)",
        ),
        (
            "rename Read book to Read two books",
            "update_task",
            json!({"task": "Read book", "title": "Read two books"}),
            "~ Read book: title=Read two books",
            "Updated: Read two books (renamed from Read book)",
        ),
        (
            "remove the due date from Pay rent",
            "update_task",
            json!({"task": "Pay rent", "due_date": "none"}),
            "~ Pay rent: due=none",
            "",
        ),
        (
            "what's on my list?",
            "list_tasks",
            json!({}),
            "",
            "You have 4 tasks:\n1. Read book (pending, medium)\n2. Call mom (pending, medium)\n3. Pay rent (pending, high, due 2026-02-10)\n4. Water plants (completed, medium)",
        ),
        (
            "show me my tasks",
            "list_tasks",
            json!({"status_filter": "all"}),
            "",
            "",
        ),
        (
            "list pending tasks",
            "list_tasks",
            json!({"status_filter": "pending"}),
            "",
            "",
        ),
        (
            "what have I completed?",
            "list_tasks",
            json!({"status_filter": "completed"}),
            "",
            "",
        ),
        (
            "how many tasks do I have?",
            "list_tasks",
            json!({}),
            "",
            "You have 4 tasks.",
        ),
        (
            "how many do I have left?",
            "list_tasks",
            json!({"status_filter": "pending"}),
            "",
            "You have 3 pending tasks.",
        ),
        (
            "is milk on my list?",
            "list_tasks",
            json!({"query": "milk"}),
            "",
            "No task matches \"milk\" (4 in all).",
        ),
        (
            "is Pay rent on my list?",
            "list_tasks",
            json!({"query": "Pay rent"}),
            "",
            "Yes: Pay rent (pending, high, due 2026-02-10)",
        ),
        (
            "what is due this week?",
            "list_tasks",
            json!({"due": "this week"}),
            "",
            "",
        ),
        (
            "anything overdue?",
            "list_tasks",
            json!({"due": "overdue"}),
            "",
            "Nothing is overdue (4 tasks in all).",
        ),
    ]
}

/// Small talk that must reach the user as the model said it.
const TALK: &[(&str, &str)] = &[
    ("hi", "Hi there! How can I help you today?"),
    ("hello!", "Hello! What can I do for you?"),
    ("good morning", "Good morning! How are you?"),
    ("thanks!", "You're welcome!"),
    (
        "thank you so much",
        "You're very welcome! Have a lovely day!",
    ),
    ("bye", "Goodbye! Have a nice day!"),
    ("what's the capital of France?", "Paris."),
    (
        "what is the capital of Japan?",
        "The capital of Japan is Tokyo.",
    ),
    ("what's 2 + 2?", "2 + 2 = 4."),
    ("who wrote Hamlet?", "William Shakespeare wrote Hamlet."),
    (
        "tell me a joke",
        "Why don't scientists trust atoms? Because they make up everything!",
    ),
    ("how are you?", "I'm fine, thank you! How are you?"),
    ("you're funny", "Thank you!"),
];
