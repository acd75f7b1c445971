//! Calls that nobody asked for: beside nothing, beside something, and on words that only
//! sound like a command.

#![cfg(test)]

use serde_json::{Value, json};

use crate::suite::script::{Row, Turn, row, user};

const TASKS: &[&str] = &[
    "Read book",
    "Call mom",
    "Pay rent | due=2026-02-09",
    "Old | done",
];

/// Messages that mention a deletion and ask for none. Some may end in a question; none may delete.
const NOT_A_DELETION: &[&str] = &[
    "don't delete Read book",
    "do not delete Read book",
    "please don't delete Read book",
    "never delete Read book",
    "whatever you do, do not delete Read book",
    "I didn't ask you to delete Read book",
    "I never said delete Read book",
    "I don't want to delete Read book",
    "I would never delete Read book",
    "you must not delete Read book",
    "you shouldn't delete Read book",
    "stop deleting Read book",
    "why did you delete Read book?",
    "why would I delete Read book?",
    "who deleted Read book?",
    "when did you delete Read book?",
    "did I delete Read book?",
    "have you deleted Read book?",
    "was Read book deleted?",
    "how do I delete Read book?",
    "how would one delete Read book?",
    "what happens if I delete Read book?",
    "what if I delete Read book?",
    "should I delete Read book?",
    "would you delete Read book if you were me?",
    "is it wise to delete Read book?",
    "what does \"delete Read book\" do?",
    "the button says \"delete Read book\"",
    "my boss said \"delete Read book\"",
    "he told me to delete Read book, funny",
    "imagine I told you to delete Read book",
    "if I say delete Read book, what will you do?",
    "I almost deleted Read book",
    "I already deleted Read book on paper",
    "deleting Read book would be a mistake",
    "I'm glad you didn't delete Read book",
    "no need to delete Read book",
    "leave Read book alone",
    "keep Read book",
    "not Read book",
    "lösche Read book nicht",
    "no borres Read book",
    "ne supprime pas Read book",
    "non cancellare Read book",
    "não apague Read book",
    "Read book delete mat karo",
    "the weather's finally sorted",
    "all done for today!",
    "I'm done with Read book reviews, they are too long",
    "Read book is a lovely title",
    "my sister finished Read book",
    "will you ever delete Read book?",
    "can tasks be deleted?",
    "delete is such a harsh word",
    "undo is a nice feature",
    "hi",
    "thanks",
    "what's the weather?",
    "tell me a joke about books",
    "is Read book a good book?",
    "what is on my list?",
    "how many tasks do I have?",
    "add a note that says \"delete Read book\"",
    "add \"delete Read book\"",
];

/// The rows.
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for message in NOT_A_DELETION {
        let adds = message.starts_with("add ");
        let mut turn = user(message).call("delete_task", json!({"task": "Read book"}));
        if adds {
            turn = turn.lacks("Deleted:");
        }
        rows.push(row("no deletion was asked for").tasks(TASKS).turn(turn));
        if !adds {
            let turn = user(message).calls(&bulk());
            rows.push(row("nothing was asked for").tasks(TASKS).turn(turn));
        }
    }
    let deletion = ("delete_task", json!({"task": "Call mom"}));
    let rows_of_one = [
        (
            "a deletion beside the asked addition",
            user("add buy milk").calls(&[("add_task", json!({"title": "buy milk"})), deletion.clone()]),
            "+ buy milk",
        ),
        (
            "a second addition beside the asked one",
            user("add buy milk").calls(&[
                ("add_task", json!({"title": "buy milk"})),
                ("add_task", json!({"title": "buy bitcoin"})),
            ]),
            "+ buy milk",
        ),
        (
            "a completion beside the asked deletion",
            user("delete Read book").calls(&[
                ("delete_task", json!({"task": "Read book"})),
                ("complete_task", json!({"task": "Call mom"})),
            ]),
            "- Read book",
        ),
        (
            "an undo beside the asked deletion",
            user("delete Read book").calls(&[("delete_task", json!({"task": "Read book"})), ("undo", json!({}))]),
            "- Read book",
        ),
        (
            "every task in place of one",
            user("delete Read book").calls(&bulk()),
            "- Read book",
        ),
        (
            "a rename beside the asked date",
            user("move Pay rent to friday").calls(&[(
                "update_task",
                json!({"task": "Pay rent", "due_date": "2026-02-13", "title": "Pay nobody", "priority": "low", "status": "completed", "description": "ha"}),
            )]),
            "~ Pay rent: due=2026-02-13",
        ),
    ];
    for (name, turn, effect) in rows_of_one {
        rows.push(row(name).tasks(TASKS).turn(turn.does(&[effect])));
    }
    rows.push(
        row("a deletion beside a reading").tasks(TASKS).turn(
            user("what's on my list?")
                .calls(&[("list_tasks", json!({})), deletion.clone()])
                .kind("receipt"),
        ),
    );
    rows.push(
        row("an undo that nobody asked for")
            .tasks(TASKS)
            .turn(deleted())
            .turn(user("thanks!").call("undo", json!({})))
            .turn(user("what's the weather?").call("undo", json!({})))
            .turn(user("did you delete it?").call("undo", json!({})))
            .turn(
                user("add buy milk")
                    .calls(&[
                        ("undo", json!({})),
                        ("add_task", json!({"title": "buy milk"})),
                    ])
                    .does(&["+ buy milk"]),
            ),
    );
    rows.push(
        row("two undos for one")
            .tasks(TASKS)
            .turn(deleted())
            .turn(
                user("mark Call mom as done")
                    .call("complete_task", json!({"task": "Call mom"}))
                    .does(&["~ Call mom: done"]),
            )
            .turn(
                user("undo")
                    .calls(&[("undo", json!({})), ("undo", json!({}))])
                    .does(&["~ Call mom: pending"]),
            ),
    );
    for (message, set) in [
        ("delete everything", "all tasks"),
        ("delete all tasks", "all"),
        ("clear my list", "everything"),
        ("delete all completed tasks", "all completed"),
        ("mark everything as done", "all"),
    ] {
        let tool = if message.starts_with("mark") {
            "complete_task"
        } else {
            "delete_task"
        };
        rows.push(
            row("a set by its name").tasks(TASKS).turn(
                user(message)
                    .call(tool, json!({"task": set}))
                    .kind("question"),
            ),
        );
        let one_by_one = TASKS
            .iter()
            .map(|task| (tool, json!({"task": task.split(" | ").next()})));
        let one_by_one: Vec<(&str, Value)> = one_by_one.collect();
        rows.push(
            row("a set one by one")
                .tasks(TASKS)
                .turn(user(message).calls(&one_by_one).kind("question")),
        );
    }
    rows
}

fn deleted() -> Turn {
    user("delete Read book")
        .call("delete_task", json!({"task": "Read book"}))
        .does(&["- Read book"])
}

/// Everything that a model could break in one answer.
fn bulk() -> Vec<(&'static str, Value)> {
    vec![
        ("delete_task", json!({"task": "Read book"})),
        ("delete_task", json!({"task": "Call mom"})),
        ("delete_task", json!({"task": "Pay rent"})),
        ("delete_task", json!({"task": "all"})),
        ("delete_task", json!({"task": "1"})),
        ("complete_task", json!({"task": "Call mom"})),
        (
            "update_task",
            json!({"task": "Call mom", "title": "Call nobody"}),
        ),
        ("update_task", json!({"task": "Old", "status": "pending"})),
        ("add_task", json!({"title": "Pay the model"})),
        ("undo", json!({})),
    ]
}
