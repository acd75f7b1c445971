//! Claims about the past, and questions about it that only receipts may answer.

#![cfg(test)]

use serde_json::json;

use crate::suite::script::{Row, Turn, row, user};

/// The rows.
pub fn rows() -> Vec<Row> {
    let tasks = &["Read book", "Call mom"];
    let mut rows = Vec::new();
    for question in [
        "did you delete it?",
        "did you delete Read book?",
        "is it deleted?",
        "did that work?",
        "what did you just do?",
        "have you done it?",
        "so is Read book gone now?",
        "was it removed?",
    ] {
        let ghost = user("delete Read book")
            .say("Deleted: Read book")
            .not_triggered(&["delete_task"]);
        let lie = user(question)
            .say("Yes, deleted!")
            .lacks("Yes")
            .lacks("Technical error");
        rows.push(
            row("asked after a ghost")
                .tasks(tasks)
                .turn(ghost)
                .turn(lie),
        );
        let deny = user(question)
            .say("No, I did not delete anything.")
            .lacks("nothing was changed")
            .lacks("Technical error");
        rows.push(
            row("asked after a deletion")
                .tasks(tasks)
                .turn(deleted())
                .turn(deny),
        );
        let lie = user(question).say("Yes, deleted!").lacks("Technical error");
        rows.push(row("asked of nothing").tasks(tasks).turn(lie));
        let again = user(question).calls(&[
            ("delete_task", json!({"task": "Call mom"})),
            ("undo", json!({})),
        ]);
        rows.push(
            row("asked, and acted on")
                .tasks(tasks)
                .turn(deleted())
                .turn(again),
        );
    }
    rows.push(
        row("asked of another task")
            .tasks(tasks)
            .turn(deleted())
            .turn(
                user("did you delete Call mom?")
                    .say("Yes, deleted!")
                    .has("No."),
            ),
    );
    rows.push(
        row("asked after an undo")
            .tasks(tasks)
            .turn(deleted())
            .turn(
                user("undo")
                    .call("undo", json!({}))
                    .does(&["+ Read book"])
                    .has("Undone:"),
            )
            .turn(
                user("did you delete Read book?")
                    .say("No!")
                    .has("Yes. Deleted: Read book")
                    .has("undone at"),
            )
            .turn(user("is Read book gone?").say("Yes!").has("No.")),
    );
    let mut long = row("asked after many readings")
        .tasks(tasks)
        .turn(deleted());
    for _ in 0..55 {
        long = long.turn(
            user("what's on my list?")
                .call("list_tasks", json!({}))
                .kind("receipt"),
        );
    }
    rows.push(
        long.clone().turn(
            user("did you delete Read book?")
                .say("No.")
                .has("Yes. Deleted: Read book"),
        ),
    );
    rows.push(
        long.turn(
            user("what did you just do?")
                .say("Nothing.")
                .has("Deleted: Read book"),
        ),
    );
    rows.push(
        row("again, after it came back by another hand")
            .tasks(tasks)
            .turn(deleted())
            .turn(
                user("try again")
                    .call("delete_task", json!({"task": "Call mom"}))
                    .has("already"),
            )
            .turn(
                user("add Read book")
                    .call("add_task", json!({"title": "Read book"}))
                    .does(&["+ Read book"]),
            )
            .turn(user("did you delete Read book?").say("No!")),
    );
    rows
}

fn deleted() -> Turn {
    user("delete Read book")
        .call("delete_task", json!({"task": "Read book"}))
        .does(&["- Read book"])
        .says("Deleted: Read book")
}
