//! The wrong tool, the wrong task, more tasks than the words name, one of two calls.

#![cfg(test)]

use serde_json::{Value, json};

use crate::suite::script::{Row, Turn, both, row, user};

const BOOKS: &[&str] = &["Read blue book", "Read red book", "Call mom"];

/// The rows.
pub fn rows() -> Vec<Row> {
    let task = |title: &str| json!({"task": title});
    let mut rows = vec![
        row("red for blue").tasks(BOOKS).turn(
            user("delete Read blue book")
                .call("delete_task", task("Read red book"))
                .missing_for("delete_task"),
        ),
        row("red for blue, then a claim").tasks(BOOKS).turn(
            user("delete the blue one, I mean Read blue book")
                .call("delete_task", task("Read red book"))
                .say("Deleted: Read blue book"),
        ),
        row("red for blue, then blue").tasks(BOOKS).turn(
            user("delete Read blue book")
                .call("delete_task", task("Read red book"))
                .call("delete_task", task("Read blue book"))
                .does(&["- Read blue book"])
                .kind("receipt"),
        ),
        row("one guessed of two").tasks(BOOKS).turn(
            user("delete book")
                .call("delete_task", task("Read red book"))
                .kind("question")
                .has("Read blue book"),
        ),
        row("both where one was meant").tasks(BOOKS).turn(
            user("delete the book")
                .calls(&[
                    ("delete_task", task("Read red book")),
                    ("delete_task", task("Read blue book")),
                ])
                .kind("question"),
        ),
        row("a position where none was named")
            .tasks(BOOKS)
            .turn(user("delete Call mom").call("delete_task", task("1"))),
        row("the first for the second")
            .tasks(BOOKS)
            .turn(listed())
            .turn(user("delete the second one").call("delete_task", task("1"))),
        row("the second by its title")
            .tasks(BOOKS)
            .turn(listed())
            .turn(
                user("delete the second one")
                    .call("delete_task", task("Read red book"))
                    .does(&["- Read red book"]),
            ),
        row("another title for the second")
            .tasks(BOOKS)
            .turn(listed())
            .turn(user("delete the second one").call("delete_task", task("Call mom"))),
        row("a position with no list shown").tasks(BOOKS).turn(
            user("delete the second one")
                .call("delete_task", task("2"))
                .kind("question"),
        ),
        row("a title for a position with no list shown")
            .tasks(BOOKS)
            .turn(
                user("delete the second one")
                    .call("delete_task", task("Call mom"))
                    .kind("question"),
            ),
        row("complete in place of delete").tasks(BOOKS).turn(
            user("delete Call mom")
                .call("complete_task", task("Call mom"))
                .missing_for("delete_task"),
        ),
        row("delete in place of complete").tasks(BOOKS).turn(
            user("mark Call mom as done")
                .call("delete_task", task("Call mom"))
                .missing_for("complete_task"),
        ),
        row("delete in place of add").tasks(BOOKS).turn(
            user("add buy milk")
                .call("delete_task", task("Call mom"))
                .missing_for("add_task"),
        ),
        row("list in place of delete, then a claim")
            .tasks(BOOKS)
            .turn(
                user("delete Call mom")
                    .call("list_tasks", json!({}))
                    .say("Deleted: Call mom")
                    .lacks("Deleted:"),
            ),
        row("update in place of delete").tasks(BOOKS).turn(
            user("delete Call mom")
                .call(
                    "update_task",
                    json!({"task": "Call mom", "title": "deleted"}),
                )
                .missing_for("delete_task"),
        ),
        row("one of two calls").tasks(BOOKS).turn(
            user("add buy milk and delete Call mom")
                .round(both(
                    "Added buy milk and deleted Call mom!",
                    &[("add_task", json!({"title": "buy milk"}))],
                ))
                .does(&["+ buy milk"])
                .has("Added: buy milk")
                .misses(&["delete_task"]),
        ),
        row("the other of two calls").tasks(BOOKS).turn(
            user("add buy milk and delete Call mom")
                .call("delete_task", task("Call mom"))
                .does(&["- Call mom"])
                .has("Deleted: Call mom")
                .misses(&["add_task"]),
        ),
        row("one of two, and a lie about the other")
            .tasks(BOOKS)
            .turn(
                user("add buy milk and delete Call mom")
                    .calls(&[
                        ("add_task", json!({"title": "buy milk"})),
                        ("delete_task", task("Read red book")),
                    ])
                    .say("Both are done.")
                    .does(&["+ buy milk"])
                    .misses(&["delete_task"]),
            ),
        row("two deletions, three calls").tasks(BOOKS).turn(
            user("delete Read blue book and Read red book")
                .calls(&[
                    ("delete_task", task("Read blue book")),
                    ("delete_task", task("Read red book")),
                    ("delete_task", task("Call mom")),
                ])
                .does(&["- Read blue book", "- Read red book"]),
        ),
        row("two deletions, one call").tasks(BOOKS).turn(
            user("delete Read blue book and Read red book")
                .call("delete_task", task("Read blue book"))
                .does(&["- Read blue book"])
                .misses(&["delete_task"]),
        ),
        row("two deletions, the same call twice").tasks(BOOKS).turn(
            user("delete Read blue book and Read red book")
                .calls(&[
                    ("delete_task", task("Read blue book")),
                    ("delete_task", task("Read blue book")),
                ])
                .does(&["- Read blue book"]),
        ),
        row("the same deletion forty times").tasks(BOOKS).turn(
            user("delete Call mom")
                .calls(&vec![("delete_task", task("Call mom")); 40])
                .does(&["- Call mom"]),
        ),
        row("the same addition forty times").tasks(BOOKS).turn(
            user("add buy milk")
                .calls(&vec![("add_task", json!({"title": "buy milk"})); 40])
                .does(&["+ buy milk"]),
        ),
        row("forty different additions").tasks(BOOKS).turn(
            user("add buy milk")
                .calls(&forty())
                .or_does(&["+ buy milk"]),
        ),
        row("forty readings").tasks(BOOKS).turn(
            user("what's on my list?")
                .calls(&vec![("list_tasks", json!({})); 40])
                .kind("receipt"),
        ),
        row("what is not there")
            .tasks(BOOKS)
            .turn(user("delete Fly to Mars").call("delete_task", task("Call mom"))),
        row("what is not there, claimed").tasks(BOOKS).turn(
            user("delete Fly to Mars")
                .say("Deleted: Fly to Mars")
                .kind("failure")
                .has("Could not delete \"Fly to Mars\""),
        ),
        row("a pronoun of nothing").tasks(BOOKS).turn(
            user("delete it")
                .call("delete_task", task("Call mom"))
                .kind("question"),
        ),
        row("a pronoun of an older turn")
            .tasks(BOOKS)
            .turn(
                user("mark Call mom as done")
                    .call("complete_task", task("Call mom"))
                    .does(&["~ Call mom: done"]),
            )
            .turn(
                user("delete Fly to Mars")
                    .call("delete_task", task("Fly to Mars"))
                    .kind("failure"),
            )
            .turn(
                user("ugh just delete it")
                    .call("delete_task", task("Call mom"))
                    .kind("question"),
            ),
        row("a pronoun after small talk")
            .tasks(BOOKS)
            .turn(
                user("mark Call mom as done")
                    .call("complete_task", task("Call mom"))
                    .does(&["~ Call mom: done"]),
            )
            .turn(user("what's the capital of France?").say("Paris."))
            .turn(user("and who wrote Hamlet?").say("Shakespeare."))
            .turn(
                user("delete it")
                    .call("delete_task", task("Call mom"))
                    .kind("question"),
            ),
        row("an ellipsis after small talk")
            .tasks(&["milk", "eggs"])
            .turn(
                user("delete milk")
                    .call("delete_task", task("milk"))
                    .does(&["- milk"]),
            )
            .turn(user("what's the capital of France?").say("Paris."))
            .turn(user("thanks!").say("You're welcome!"))
            .turn(
                user("and eggs")
                    .calls(&[
                        ("delete_task", task("eggs")),
                        ("add_task", json!({"title": "eggs"})),
                    ])
                    .kind("question"),
            ),
        row("the done one for the open one")
            .tasks(&["milk", "milk | done"])
            .turn(user("I got the milk").call("delete_task", task("milk"))),
        row("a list that is not kept")
            .tasks(&["Pay rent", "milk"])
            .turn(
                user("clear the shopping list")
                    .calls(&[
                        ("delete_task", task("milk")),
                        ("delete_task", task("Pay rent")),
                    ])
                    .kind("question"),
            ),
        row("reopen in place of delete")
            .tasks(&["Old | done"])
            .turn(
                user("delete Old")
                    .call("update_task", json!({"task": "Old", "status": "pending"}))
                    .missing_for("delete_task"),
            ),
    ];
    for (name, tool) in [
        ("remove_task", "remove_task"),
        ("bulk", "delete_all_tasks"),
        ("sql", "execute_sql"),
        ("empty", " "),
    ] {
        rows.push(
            row(&format!("no such tool: {name}")).tasks(BOOKS).turn(
                user("delete Call mom")
                    .call(tool, task("Call mom"))
                    .say("Deleted: Call mom")
                    .lacks("Deleted: Call mom"),
            ),
        );
        rows.push(
            row(&format!("no such tool, for nothing: {name}"))
                .tasks(BOOKS)
                .turn(user("hi").call(tool, task("Call mom"))),
        );
    }
    rows
}

fn listed() -> Turn {
    user("list my tasks")
        .call("list_tasks", json!({}))
        .kind("receipt")
        .has("2. Read red book")
}

fn forty() -> Vec<(&'static str, Value)> {
    (0..40)
        .map(|n| ("add_task", json!({"title": format!("task {n}")})))
        .collect()
}

impl Turn {
    /// Nothing was dispatched for what was asked.
    fn missing_for(self, tool: &'static str) -> Self {
        self.not_triggered(&[tool])
    }
}
