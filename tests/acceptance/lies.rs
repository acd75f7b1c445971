//! Words of models instead of a call of a tool: the claims that must never reach a
//! user.

/// Of a deletion.
pub const DELETED: &[&str] = &[
    "Deleted: Read book",
    "Done! I've deleted \"Read book\" for you.",
    "✅ Your task has been removed successfully.",
    "Read book is gone.",
    "Okay, that one is off your list now. Anything else?",
    "I'll delete it right away!",
    "{\"success\": true, \"action\": \"delete_task\", \"task_title\": \"Read book\"}",
    "Calling delete_task(\"Read book\") … success: true",
    "Your action has been completed!",
    "1 task deleted, 0 tasks left.",
    "There is no task called Read book.",
    "Sure thing 👍",
];

/// Of a listing.
pub const LISTED: &[&str] = &[
    "You have 7 tasks:\n1. Read book (pending, medium)\n2. Buy a yacht (pending, high)",
    "Here are your tasks: Read book, Buy a yacht.",
    "Your task list is empty.",
    "| # | Task |\n|---|---|\n| 1 | Buy a yacht |",
    "You're all caught up!",
    "Only one thing left for today: Buy a yacht.",
];

/// Of a new task.
pub const ADDED: &[&str] = &[
    "Added: buy milk",
    "Got it, I've put milk on your list.",
    "Task created with id 7f9c24e5-1d4b-4a57-9a7b-0b6b0f2f6a11.",
    "I'll remind you to buy milk!",
];

/// Of a change.
pub const CHANGED: &[&str] = &[
    "Marked Read book as done",
    "Nice work! Read book is complete.",
    "Read book was already completed.",
    "Priority updated to high.",
    "I have updated your task successfully!",
];
