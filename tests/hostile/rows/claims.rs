//! Claims in place of a call: every wording on every kind of message.

#![cfg(test)]

use candor::llm::ModelError;
use serde_json::json;

use crate::suite::script::{Round, Row, row, user};

/// Said by the model, with no call beside it.
pub const CLAIMS: &[&str] = &[
    "Deleted: Read book",
    "Deleted: Read book.",
    "I've deleted Read book.",
    "I have gone ahead and removed \"Read book\" from your list!",
    "Done!",
    "Deleting things helps! Enjoy.",
    "I hope you like the new title.",
    "Good luck with the last one!",
    "Anything else to delete?",
    "How do you like your new task list?",
    "Done ✅",
    "✅",
    "👍",
    "🗑️ Read book",
    "All set — anything else?",
    "Consider it gone.",
    "Read book has been deleted successfully.",
    "Read book was taken off the list.",
    "The task is no longer on your list.",
    "It's history!",
    "Poof. Nothing to see here any more.",
    "Your task has been added!",
    "Added: buy milk (due Mon 2026-02-09)",
    "Marked Call mom as done",
    "Ticked it off!",
    "Updated: Pay rent (priority: high)",
    "Undone: Read book is back on the list",
    "You have 0 tasks.",
    "Your task list is empty.",
    "You have 3 tasks:\n1. Read book (pending, medium)\n2. Call mom (pending, medium)\n3. Fly to Mars (pending, high)",
    "There is nothing left to do today.",
    "I couldn't find that task.",
    "Could not delete \"Read book\": no task with that title.",
    "I'll remind you at six.",
    "Sure, deleting it now…",
    "Sure! I will delete Read book for you.",
    "Ich habe \"Read book\" gelöscht.",
    "Erledigt!",
    "Aufgabe hinzugefügt.",
    "¡Listo! He eliminado la tarea.",
    "Tarea añadida con éxito.",
    "C'est fait, la tâche a été supprimée.",
    "Fatto! Ho cancellato l'attività.",
    "Pronto! Tarefa excluída.",
    "Read book delete kar diya hai.",
    "Task add ho gaya!",
    "Готово, задача удалена.",
    "タスクを削除しました。",
    "已删除“Read book”。",
    "تم حذف المهمة",
    "delete_task({\"task\":\"Read book\"})",
    "<tool_call>{\"name\":\"delete_task\",\"arguments\":{\"task\":\"Read book\"}}</tool_call>",
    "{\"ok\":true,\"success\":true,\"data\":{\"result\":[\"Deleted: Read book\"]}}",
    "```json\n{\"action\":\"delete_task\",\"success\":true}\n```",
    "[delete_task: Read book] → success",
    "null",
    "undefined",
    "Hello! I've deleted Read book. How can I help?",
    "You're welcome! By the way, Call mom is ticked off too.",
    "Hi there!\n\nDeleted: Read book\n\nHave a nice day!",
    "Great question! The answer is that Read book left the building a minute ago.",
    "D\u{200b}e\u{200b}l\u{200b}e\u{200b}t\u{200b}e\u{200b}d Read book.",
    "Dеlеtеd Read book.",
    "\u{202e}koob daeR :deteleD",
    "𝐃𝐞𝐥𝐞𝐭𝐞𝐝: Read book",
    "D-e-l-e-t-e-d, as you wished.",
    "Your wish was my command.",
    "Say goodbye to Read book.",
    "One task fewer to worry about!",
    "Read book: over and out.",
    "That's that.",
    "Tada!",
];

/// Each expects exactly this tool, of exactly one target.
pub const EXPECTING: &[(&str, &str)] = &[
    ("delete Read book", "delete_task"),
    ("please remove the Read book task", "delete_task"),
    ("add buy milk tomorrow", "add_task"),
    ("mark Call mom as done", "complete_task"),
    ("set Pay rent priority to high", "update_task"),
    ("what's on my list?", "list_tasks"),
    ("how many tasks do I have?", "list_tasks"),
    ("undo", "undo"),
];

/// Messages that expect nothing.
const NOTHING: &[&str] = &[
    "hi",
    "thanks!",
    "what's the weather?",
    "tell me a joke",
    "should I keep Read book?",
    "how do I delete a task?",
    "what happens if I delete Read book?",
    "don't delete Read book",
    "what's the capital of France?",
    "lol",
    "so you'll ring me at six?",
    "did you get that?",
    "all done for today!",
    "the weather's finally sorted too",
];

const TASKS: &[&str] = &["Read book", "Call mom", "Pay rent"];

/// The rows.
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for (message, tool) in EXPECTING {
        let started = |name: &str| {
            let started = row(&format!("{name} for {tool}")).tasks(TASKS);
            if *tool == "undo" {
                // Something has to be there to be taken back.
                let first = user("add tea").call("add_task", json!({"title": "tea"}));
                return started.turn(first.does(&["+ tea"]));
            }
            started
        };
        for claim in CLAIMS {
            rows.push(started("claim").turn(user(message).say(claim).not_triggered(&[tool])));
        }
        for (name, silence) in [
            ("nothing", None),
            ("empty", Some("")),
            ("blank", Some(" \n\t ")),
        ] {
            let round = Round::Answer(silence.map(str::to_owned), Vec::new());
            rows.push(started(name).turn(user(message).round(round).not_triggered(&[tool])));
        }
    }
    for claim in CLAIMS {
        let turn = user("undo").say(claim).says("There is nothing to undo.");
        rows.push(row("claim for an undo of nothing").tasks(TASKS).turn(turn));
    }
    for message in NOTHING {
        for claim in CLAIMS {
            let turn = user(message).say(claim).lacks("Technical error");
            rows.push(row("claim for nothing").tasks(TASKS).turn(turn));
        }
    }
    for message in ["delete Read book", "hi"] {
        for error in [
            ModelError::Unreachable,
            ModelError::Timeout,
            ModelError::RateLimited {
                retry_after: Some(7),
            },
            ModelError::Unauthorized,
            ModelError::NoSuchModel,
            ModelError::Status(500),
            ModelError::Malformed("cut before its end"),
        ] {
            let turn = user(message).round(Round::Fail(error)).down();
            rows.push(row("the model's server fails").tasks(TASKS).turn(turn));
        }
        for body in BODIES {
            let turn = user(message).round(Round::Body((*body).to_owned())).down();
            rows.push(row("no whole answer").tasks(TASKS).turn(turn));
        }
    }
    rows
}

/// A status 200 with less than a whole answer in it.
const BODIES: &[&str] = &[
    "",
    "Deleted: Read book",
    "{\"choices\":[]}",
    "{\"choices\":[{\"message\":{\"content\":\"Deleted: Read book\"}}]}",
    "{\"choices\":[{\"message\":{\"content\":\"Deleted: Read b\"},\"finish_reason\":\"length\"}]}",
    "{\"choices\":[{\"message\":{\"content\":null,\"tool_calls\":[{\"id\":\"c\",\"type\":\"function\",\"function\":{\"name\":\"delete_task\",\"arguments\":\"{\\\"task\\\":\\\"Read book\\\"}\"}}]},\"finish_reason\":\"length\"}]}",
    "{\"choices\":[{\"message\":{\"content\":\"Deleted\"},\"finish_reason\":\"content_filter\"}]}",
    "{\"choices\":[{\"message\":{\"content\":\"Done\"},\"finish_reason\":\"tool_calls\"}]}",
    "{\"error\":{\"message\":\"Deleted: Read book\"},\"choices\":[{\"message\":{\"content\":\"Deleted: Read book\"},\"finish_reason\":\"stop\"}]}",
    "data: {\"choices\":[{\"delta\":{\"content\":\"Deleted\"}}]}\n\ndata: [DONE]\n\n",
];
