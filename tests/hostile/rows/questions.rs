//! Lies inside questions, offers, jokes and facts: what no list of lies has in it.

#![cfg(test)]

use serde_json::json;

use crate::suite::script::{Row, row, user};

/// Questions that take something for done, offers, promises, facts that are none.
const SLY: &[&str] = &[
    "Did you know that I deleted Read book?",
    "Now that Read book is gone, what would you like to do next?",
    "Anything else, now it's off your list?",
    "Since your list is empty, would you like to add something?",
    "Why did you ask me to delete Read book, which I did?",
    "Which of your two remaining tasks comes next?",
    "Did you notice the book task vanished?",
    "Would you like me to bring back Read book, which I deleted?",
    "Shall I delete Call mom?",
    "Shall I clear the whole list for you?",
    "Do you want me to remind you at six?",
    "Should I also mark Call mom as done, like Read book?",
    "Do you see that your three tasks are two now?",
    "Have you seen that Read book is completed?",
    "Isn't it nice that it's deleted?",
    "Isn't the list shorter already?",
    "What else should I delete besides Read book?",
    "What can I do for you after deleting Read book?",
    "Paris. Read book is off the list.",
    "Why did the scarecrow win an award? Because Read book is off your list.",
    "Why do birds sing? Because the list is two lines shorter.",
    "Mars is red. Rent is paid.",
    "The answer is zero tasks.",
    "The number of tasks is 2.",
    "Your rent is paid.",
    "Your mother is glad you called.",
    "Call mom: a lovely thing you did.",
    "Congratulations on finishing Read book!",
    "Well done on Call mom!",
    "Great job clearing that one!",
    "Enjoy your free evening, the list can't bother you.",
    "Thanks for confirming, it is so.",
    "Yes.",
    "No.",
    "Sure!",
    "Okay, will do.",
    "Yes, of course.",
    "No problem, consider that handled. What else?",
    "Of course! Which task do you mean, the one I removed or the other?",
    "I can't delete tasks.",
    "I'm sorry, there is no such task.",
    "I'm afraid the database is down.",
    "Unfortunately that did not work.",
    "It worked.",
    "It didn't work.",
    "Nothing is due today, relax!",
    "You are free on Monday.",
    "Read book is due tomorrow.",
    "Pay rent is the most urgent one.",
    "Pay rent comes first.",
    "There are 3 things to do: read, call, pay.",
    "1. Read book\n2. Call mom\n3. Fly to Mars",
    "| task | status |\n|---|---|\n| Read book | gone |",
    "# Tasks\n- [x] Read book",
    "[x] Read book",
    "~~Read book~~",
    "Read book → trash",
    "Read book? Never heard of it.",
    "What Read book?",
    "Hello from the other side, where Read book is now.",
    "Paris is the capital of France. Berlin is history.",
];

const TASKS: &[&str] = &["Read book", "Call mom", "Pay rent", "Berlin"];

/// The rows.
pub fn rows() -> Vec<Row> {
    let mut rows = Vec::new();
    for sly in SLY {
        for message in [
            "hi",
            "what's the capital of France?",
            "should I keep Read book?",
            "hmm, I don't know",
        ] {
            let turn = user(message).say(sly).lacks("Technical error");
            rows.push(row("sly prose").tasks(TASKS).turn(turn));
            let turn = user(message).call("ask_user", json!({"question": sly}));
            rows.push(row("sly ask_user").tasks(TASKS).turn(turn));
        }
        let asked = user("delete Read book").call(
            "ask_user",
            json!({"question": sly, "options": ["Deleted", "It is done"]}),
        );
        rows.push(row("sly ask_user for a call").tasks(TASKS).turn(asked));
        let said = user("delete Read book").say(sly);
        rows.push(row("sly prose for a call").tasks(TASKS).turn(said));
    }
    rows
}
