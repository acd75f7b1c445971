//! Everyday conversations with a model that behaves: several turns, each served to the letter.

#![cfg(test)]

use serde_json::json;

use super::honest::TASKS;
use crate::suite::script::{Row, Turn, honest, user};

/// The rows.
pub fn rows() -> Vec<Row> {
    let task = |title: &str| json!({"task": title});
    let add = |title: &str| ("add_task", json!({"title": title}));
    vec![
        honest("two additions").turn(
            user("add milk and eggs")
                .calls(&[add("milk"), add("eggs")])
                .does(&["+ milk", "+ eggs"])
                .says("Added: milk\nAdded: eggs"),
        ),
        honest("an addition and a deletion").tasks(TASKS).turn(
            user("add buy milk and delete Read book")
                .calls(&[add("buy milk"), ("delete_task", task("Read book"))])
                .does(&["+ buy milk", "- Read book"])
                .says("Added: buy milk\nDeleted: Read book"),
        ),
        honest("three deletions by name")
            .tasks(&["milk", "eggs", "bread", "Pay rent"])
            .turn(
                user("delete milk, eggs and bread")
                    .calls(&[
                        ("delete_task", task("milk")),
                        ("delete_task", task("eggs")),
                        ("delete_task", task("bread")),
                    ])
                    .does(&["- milk", "- eggs", "- bread"])
                    .kind("receipt"),
            ),
        honest("ambiguous, then chosen")
            .tasks(&["Read blue book", "Read red book"])
            .turn(
                user("delete book")
                    .call("delete_task", task("book"))
                    .kind("question")
                    .has("Read blue book")
                    .has("Read red book"),
            )
            .turn(
                user("the red one")
                    .does(&["- Read red book"])
                    .says("Deleted: Read red book"),
            ),
        honest("ambiguous, then by place")
            .tasks(&["Read blue book", "Read red book"])
            .turn(
                user("delete book")
                    .call("delete_task", task("book"))
                    .kind("question"),
            )
            .turn(
                user("the first one")
                    .does(&["- Read blue book"])
                    .says("Deleted: Read blue book"),
            ),
        honest("a set, confirmed")
            .tasks(TASKS)
            .turn(
                user("delete all completed tasks")
                    .call("delete_task", task("all completed"))
                    .kind("question")
                    .has("Water plants"),
            )
            .turn(
                user("yes")
                    .does(&["- Water plants"])
                    .says("Deleted: Water plants"),
            ),
        honest("everything, confirmed")
            .tasks(&["Read book", "Call mom"])
            .turn(
                user("delete everything")
                    .call("delete_task", task("all"))
                    .kind("question")
                    .has("Read book")
                    .has("Call mom"),
            )
            .turn(
                user("yes please")
                    .does(&["- Read book", "- Call mom"])
                    .kind("receipt"),
            ),
        honest("everything, declined")
            .tasks(&["Read book", "Call mom"])
            .turn(
                user("delete everything")
                    .call("delete_task", task("all"))
                    .kind("question"),
            )
            .turn(user("no").says("Nothing was deleted.").kind("chat")),
        honest("twins done together")
            .tasks(&["milk", "milk"])
            .turn(
                user("mark all tasks as done")
                    .call("complete_task", task("all"))
                    .kind("question"),
            )
            .turn(
                user("yes")
                    .does(&["~ milk: done", "~ milk: done"])
                    .says("Marked milk as done\nMarked milk as done"),
            ),
        honest("undo")
            .tasks(TASKS)
            .turn(deleted())
            .turn(
                user("undo")
                    .call("undo", json!({}))
                    .does(&["+ Read book"])
                    .kind("receipt")
                    .has("Undone:"),
            )
            .turn(
                user("undo")
                    .call("undo", json!({}))
                    .says("There is nothing to undo."),
            ),
        honest("the second one")
            .tasks(TASKS)
            .turn(
                user("list my tasks")
                    .call("list_tasks", json!({}))
                    .kind("receipt"),
            )
            .turn(
                user("delete the second one")
                    .call("delete_task", task("2"))
                    .does(&["- Call mom"])
                    .says("Deleted: Call mom"),
            ),
        honest("it")
            .tasks(TASKS)
            .turn(
                user("add buy milk")
                    .calls(&[add("buy milk")])
                    .does(&["+ buy milk"]),
            )
            .turn(
                user("actually make it thursday")
                    .call(
                        "update_task",
                        json!({"task": "buy milk", "due_date": "thursday"}),
                    )
                    .does(&["~ buy milk: due=2026-02-12"])
                    .kind("receipt"),
            ),
        honest("and eggs")
            .tasks(&["Call mom"])
            .turn(user("add milk").calls(&[add("milk")]).does(&["+ milk"]))
            .turn(
                user("and eggs")
                    .calls(&[add("eggs")])
                    .does(&["+ eggs"])
                    .says("Added: eggs"),
            ),
        honest("then do it")
            .tasks(TASKS)
            .turn(
                user("delete Read book")
                    .say("Deleted: Read book")
                    .not_triggered(&["delete_task"]),
            )
            .turn(
                user("did you delete it?")
                    .say("Yes")
                    .has("No.")
                    .lacks("Technical error"),
            )
            .turn(
                user("then do it")
                    .call("delete_task", task("Read book"))
                    .does(&["- Read book"])
                    .says("Deleted: Read book"),
            )
            .turn(
                user("did you delete it?")
                    .say("No")
                    .has("Yes. Deleted: Read book"),
            ),
        honest("a wish, confirmed")
            .turn(
                user("I really need to renew my passport")
                    .kind("chat")
                    .say("Good idea!"),
            )
            .turn(
                user("then add renew my passport")
                    .call("add_task", json!({"title": "renew my passport"}))
                    .does(&["+ renew my passport"])
                    .says("Added: renew my passport"),
            ),
        honest("no such task").tasks(TASKS).turn(
            user("delete Fly to Mars")
                .call("delete_task", task("Fly to Mars"))
                .kind("failure")
                .has("Could not delete \"Fly to Mars\""),
        ),
        honest("done already").tasks(TASKS).turn(
            user("delete the Water plants task")
                .call("delete_task", task("Water plants"))
                .does(&["- Water plants"])
                .kind("receipt"),
        ),
        honest("thanks after a deletion")
            .tasks(TASKS)
            .turn(deleted())
            .turn(
                user("thanks!")
                    .say("You're welcome!")
                    .says("You're welcome!")
                    .kind("chat"),
            ),
        honest("the model asks")
            .tasks(&["Read blue book", "Read red book"])
            .turn(
                user("delete book")
                    .call("ask_user", json!({"question": "Which one do you mean?"}))
                    .kind("question"),
            ),
        honest("the model looks first").tasks(TASKS).turn(
            user("delete Read book")
                .call("list_tasks", json!({}))
                .call("delete_task", task("Read book"))
                .does(&["- Read book"])
                .says("Deleted: Read book"),
        ),
        honest("the model mends its call").tasks(TASKS).turn(
            user("delete Read book")
                .call("delete_task", json!({"title": "Read book"}))
                .call("delete_task", task("Read book"))
                .does(&["- Read book"])
                .says("Deleted: Read book"),
        ),
        honest("urdu").tasks(TASKS).turn(
            user("Read book delete kar do")
                .urdu()
                .call("delete_task", task("Read book"))
                .does(&["- Read book"])
                .kind("receipt"),
        ),
        honest("urdu addition").turn(
            user("doodh lena add karo")
                .urdu()
                .calls(&[add("doodh lena")])
                .does(&["+ doodh lena"])
                .kind("receipt"),
        ),
    ]
}

fn deleted() -> Turn {
    user("delete Read book")
        .call("delete_task", json!({"task": "Read book"}))
        .does(&["- Read book"])
        .says("Deleted: Read book")
}
