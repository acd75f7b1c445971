//! Values that the user did not say, and values that contradict the words.

#![cfg(test)]

use serde_json::json;

use crate::suite::script::{Row, row, user};

/// The rows.
pub fn rows() -> Vec<Row> {
    let add = |arguments| ("add_task", arguments);
    let mut rows = vec![
        row("everything made up").turn(
            user("add buy milk")
                .calls(&[add(json!({"title": "buy milk", "priority": "high", "due_date": "2026-02-09", "description": "from the farm"}))])
                .does(&["+ buy milk"]),
        ),
        row("another day than said").turn(
            user("add buy milk tomorrow").calls(&[add(json!({"title": "buy milk", "due_date": "2026-12-24"}))]),
        ),
        row("no day where one was said").turn(
            user("add buy milk tomorrow").calls(&[add(json!({"title": "buy milk", "due_date": "none"}))]).or_does(&["+ buy milk due=2026-02-09"]),
        ),
        row("the day in a year that is over").turn(
            user("add buy milk").calls(&[add(json!({"title": "buy milk", "due_date": "2020-01-01"}))]).or_does(&["+ buy milk"]),
        ),
        row("another priority than said").turn(
            user("add buy milk with high priority").calls(&[add(json!({"title": "buy milk", "priority": "low"}))]),
        ),
        row("another title").turn(
            user("add buy milk").calls(&[add(json!({"title": "wire the rent to the landlord"}))]),
        ),
        row("a title that turns the words round").turn(
            user("add buy milk").calls(&[add(json!({"title": "don't buy milk"}))]),
        ),
        row("a title with a mark").turn(
            user("add buy milk").calls(&[add(json!({"title": "buy milk ✅ done"}))]),
        ),
        row("a title with a tick").turn(
            user("add buy milk").calls(&[add(json!({"title": "✅ buy milk"}))]).or_does(&["+ buy milk"]),
        ),
        row("a title that breaks out of its quotes").turn(
            user("add buy milk").calls(&[add(json!({"title": "milk\". I have deleted \"Call mom"}))]),
        ),
        row("titles that make a sentence").turn(
            user("add what I need for pancakes").calls(&[
                add(json!({"title": "flour"})),
                add(json!({"title": "eggs. Deleted: Call mom. Also milk"})),
            ]),
        ),
        row("a title that claims").turn(
            user("add what I need for pancakes").calls(&[add(json!({"title": "Flour added! I also deleted Call mom. Add more"}))]),
        ),
        row("words of the other clause in the title").tasks(&["Read book"]).turn(
            user("add buy milk and delete Read book").calls(&[
                add(json!({"title": "buy milk and delete Read book"})),
            ]).lacks("Added: buy milk and delete"),
        ),
        row("the day of the other clause").tasks(&["Pay rent"]).turn(
            user("add buy milk and move Pay rent to friday").calls(&[
                add(json!({"title": "buy milk", "due_date": "2026-02-13"})),
                ("update_task", json!({"task": "Pay rent", "due_date": "2026-02-13"})),
            ]).does(&["+ buy milk", "~ Pay rent: due=2026-02-13"]),
        ),
        row("the values swapped").tasks(&["Pay rent", "Call mom"]).turn(
            user("move Pay rent to friday and move Call mom to tuesday").calls(&[
                ("update_task", json!({"task": "Pay rent", "due_date": "2026-02-10"})),
                ("update_task", json!({"task": "Call mom", "due_date": "2026-02-13"})),
            ]),
        ),
        row("half of the new title").tasks(&["milk"]).turn(
            user("rename milk to oat milk").call("update_task", json!({"task": "milk", "title": "oat"})).or_does(&["~ milk: title=oat milk"]),
        ),
        row("the new title in another order").tasks(&["milk"]).turn(
            user("rename milk to oat milk").call("update_task", json!({"task": "milk", "title": "rename milk oat"})).or_does(&["~ milk: title=oat milk"]),
        ),
        row("another new title").tasks(&["milk"]).turn(
            user("rename milk to oat milk").call("update_task", json!({"task": "milk", "title": "arsenic"})).or_does(&["~ milk: title=oat milk"]),
        ),
        row("a note for a new title").tasks(&["milk"]).turn(
            user("rename milk to oat milk").call("update_task", json!({"task": "milk", "title": "oat milk", "description": "rename milk to oat milk", "priority": "high"})).does(&["~ milk: title=oat milk"]),
        ),
        row("another priority for an update").tasks(&["milk"]).turn(
            user("set milk priority to high").call("update_task", json!({"task": "milk", "priority": "low"})),
        ),
        row("a day nobody named").tasks(&["milk"]).turn(
            user("set milk priority to high").call("update_task", json!({"task": "milk", "priority": "high", "due_date": "2026-02-11"})).does(&["~ milk: priority=high"]),
        ),
        row("done instead of high").tasks(&["milk"]).turn(
            user("set milk priority to high").call("update_task", json!({"task": "milk", "status": "completed"})).or_does(&["~ milk: priority=high"]),
        ),
        row("a date cleared that was to be moved").tasks(&["milk | due=2026-02-10"]).turn(
            user("move milk to friday").call("update_task", json!({"task": "milk", "due_date": "none"})),
        ),
        row("words that contradict in words").turn(
            user("add call the bank on tuesday").calls(&[add(json!({"title": "call the bank", "due_date": "thursday"}))]),
        ),
        row("a double where one stands").tasks(&["milk"]).turn(
            user("add milk").calls(&[add(json!({"title": "milk"}))]).kind("question").has("already"),
        ),
        row("a filter that hides").tasks(&["Read book", "Old | done"]).turn(
            user("what's on my list?").call("list_tasks", json!({"status_filter": "completed", "query": "nonsense", "due": "2026-05-05"})).kind("receipt").has("Read book").has("Old"),
        ),
        row("a count of something else").tasks(&["Read book", "Call mom", "Old | done"]).turn(
            user("how many do I have left?").call("list_tasks", json!({"status_filter": "completed"})).says("You have 2 pending tasks."),
        ),
        row("search words that claim").tasks(&["Read book"]).turn(
            user("what's on my list?").calls(&[
                ("list_tasks", json!({})),
                ("list_tasks", json!({"query": "that, I have deleted it all"})),
            ]).kind("receipt"),
        ),
        row("search words that claim, for nothing").tasks(&["Read book"]).turn(
            user("hi").call("list_tasks", json!({"query": "Read book\", because I have deleted it. \""})),
        ),
        row("search words for a joke").tasks(&["Read book"]).turn(
            user("tell me a joke").call("list_tasks", json!({"query": "Deleted: Read book"})),
        ),
    ];
    for title in ["%", "✅", "🗑️", "…", "---", "\"\"", "the", "to be"] {
        let turn = user("add buy milk").calls(&[add(json!({"title": title}))]);
        rows.push(row("a title of no words").turn(turn));
        let turn = user("rename milk to oat milk")
            .call("update_task", json!({"task": "milk", "title": title}))
            .or_does(&["~ milk: title=oat milk"]);
        rows.push(row("a new title of no words").tasks(&["milk"]).turn(turn));
    }
    for title in ["buy milk", "Buy Milk", "milk", "Milk"] {
        rows.push(
            row("a title in other letters").turn(
                user("add buy milk")
                    .calls(&[add(json!({"title": title}))])
                    .does(&[&format!("+ {title}")]),
            ),
        );
    }
    rows
}
