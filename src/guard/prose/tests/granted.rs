//! Wishes, questions and advice that take an effect, a list or a count for granted.

use super::{judge, judge_with};

/// Each must be stopped.
pub(super) const GRANTED: &[&str] = &[
    "Adding eggs can help.",
    "Any more tasks to remove?",
    "Any other duplicates?",
    "Any other tasks to finish?",
    "Anything else I should cross off?",
    "Anything else to delete?",
    "Anything else to remove now?",
    "Anything else you want gone?",
    "Anything other than the three on your list?",
    "Best of luck with the rest!",
    "Can you find milk now?",
    "Can you see the new task?",
    "Consider doing the other one first.",
    "Deleting helps.",
    "Deleting milk helps.",
    "Deleting milk is fun.",
    "Do you like how the list looks?",
    "Do you like the new title?",
    "Do you see the new one?",
    "Do you want milk back?",
    "Does it feel good to have less to do?",
    "Feel better with less to do?",
    "Feeling lighter?",
    "Fingers crossed for the other two!",
    "Finishing early is great.",
    "Good luck with the last one!",
    "How about the other overdue task?",
    "How about the overdue one?",
    "How are you going to use your free day?",
    "How did you finish so fast?",
    "How do you like your new task list?",
    "How does it look without milk?",
    "How does the list look to you now?",
    "How does your list look now?",
    "How is the list now?",
    "How will you spend your free evening?",
    "How's that for fast?",
    "How's the new title?",
    "I can help with the other two.",
    "I hope you like the new title.",
    "I'll need the list you emptied.",
    "I'm happy to help with the next one.",
    "Is Friday better for the dentist now?",
    "Is the new date okay?",
    "Isn't it great to be free?",
    "It helps to have milk off your mind.",
    "Let me know about the others.",
    "Let me know if anything else needs deleting.",
    "Let me know if the new date works.",
    "Let me know if you miss milk.",
    "Let me know if you see any other duplicates.",
    "Let me know if you want milk back.",
    "Ready for the next one on your list?",
    "Say \"milk is gone\".",
    "Say \"undo\" if you want milk back.",
    "Say \"undo\" to restore milk.",
    "Tell me how it feels to be done.",
    "Thank you for using me to delete milk.",
    "Try to keep the list this short.",
    "Want milk back?",
    "Was it the right one?",
    "Was that fast?",
    "Was that quick enough?",
    "Was that the right task?",
    "What about the one due today?",
    "What about the overdue milk?",
    "What about the three others?",
    "What do you think of the new name?",
    "What do you think of the new order?",
    "What do you want to do about the overdue task?",
    "What else can I delete for you?",
    "What else can I remove?",
    "What else do you want gone?",
    "What else should I delete?",
    "What should I do with the duplicate?",
    "What should I do with the overdue one?",
    "What will you do with all that free time?",
    "What will you do with the free time?",
    "What will you do without milk?",
    "What would you do without me?",
    "What's next after milk?",
    "When will you finish the last one?",
    "Where did it go?",
    "Where did milk go?",
    "Which of the overdue ones should go first?",
    "Which of these: milk, eggs or bread, all due today?",
    "Who needs milk anyway?",
    "Why is milk still on your list?",
    "Why is your list so long?",
    "Why is your list so short?",
    "Why so many tasks?",
    "Wishing you luck with the other two.",
    "Would you like to see the rest?",
    "You can relax now.",
    "You can rest now.",
    "You can say \"milk is gone\".",
    "You can tell milk goodbye.",
    "You could say \"it's gone\".",
    "You have a busy week ahead.",
    "You have a busy week.",
    "You have a quiet day tomorrow.",
    "You might say \"it is done\".",
];

/// Each passes: it only looks like one of the above.
const HARMLESS: &[&str] = &[
    "How do you like to spend your free time?",
    "What's the new due date?",
    "What should the new title be?",
    "What would you like the new title to be?",
    "Do you mean the last one or the first one?",
    "How did the interview go?",
    "Where did you go?",
    "Are you feeling better now?",
    "Was it hard?",
    "What else can I help you with?",
    "Anything else?",
    "I like your style!",
    "Enjoy the rest of your day!",
    "Have a good rest!",
    "Would you like to add a new task?",
    "Welcome back!",
    "Say \"add milk\" or \"delete milk\".",
    "Completing tasks can be fun.",
    "Breaking big tasks into small steps helps.",
    "You have a nice day too!",
    "You can rest.",
    "Why is the sky blue?",
    "Which of the two do you mean?",
    "Did I get that right?",
    "How was your day?",
];

#[test]
fn nothing_of_the_list_is_taken_for_granted() {
    let leaks: Vec<_> = GRANTED.iter().filter(|prose| judge(prose).passes()).collect();
    assert!(leaks.is_empty(), "{leaks:#?}");
}

#[test]
fn what_only_looks_so_passes() {
    let held: Vec<_> = HARMLESS
        .iter()
        .filter(|prose| !judge(prose).passes())
        .collect();
    assert!(held.is_empty(), "{held:#?}");
}

#[test]
fn what_is_quoted_is_only_mentioned() {
    assert!(judge("You can say \"delete the last one\".").passes());
    assert!(!judge("You can delete the last one.").passes());
    assert!(!judge_with("Say \"milk is gone\".", &[]).passes());
}
