//! Everyday turns with a model that behaves: each must be served, to the letter.

#![cfg(test)]

use serde_json::{Value, json};

use crate::suite::script::{Row, Turn, honest, user};

const TASKS: &[&str] = &[
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
        ("milk", "question"),
        ("I really need to renew my passport", "question"),
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
    rows.extend(dialogues());
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

fn dialogues() -> Vec<Row> {
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
                    .has("Yes, Deleted: Read book"),
            ),
        honest("a wish, confirmed")
            .turn(
                user("I really need to renew my passport")
                    .kind("question")
                    .say("Good idea!"),
            )
            .turn(
                user("yes")
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
