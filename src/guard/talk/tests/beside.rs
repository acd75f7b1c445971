//! Things that are said to stand so beside a question, and measures that say nothing of a list.

/// Each tells that something was dealt with, and asks on.
pub(super) const BESIDE: &[&str] = &[
    "With milk out of the way, what would you like next?",
    "With milk behind us, what would you like next?",
    "With milk in place, what would you like?",
    "With the essay safely stored, what's next?",
    "With the essay settled, what would you like to do?",
    "What would you like next with milk out of the way?",
    "After deleting milk, what next?",
    "After removing the essay, what would you like to do?",
    "Having added milk, what would you like to do?",
    "Once the essay is gone, what would you like to do?",
    "Milk out, essay in, what next?",
    "Milk gone, what next?",
    "Nice, one less thing to worry about!",
    "Two less things on your mind!",
];

/// Each asks, and tells nothing beside.
pub(super) const ASKED: &[&str] = &[
    "With what in mind?",
    "With whom would you like to go?",
    "After that, what would you like to do?",
    "After lunch?",
    "What would you like to do after lunch?",
    "What would you like next?",
];

/// Measures are facts, whoever's list stands by.
pub(super) const MEASURES: &[&str] = &[
    "A decade is ten years.",
    "A dozen is twelve.",
    "A fortnight is two weeks.",
    "An hour is sixty minutes.",
    "A century is a hundred years.",
    "A kilometre is a thousand metres.",
    "A mile is about 1.6 kilometres.",
    "There are seven days in a week.",
    "There are 24 hours in a day.",
];

/// Sentences that only look like measures: each tells of a list or of a day.
pub(super) const COUNTED: &[&str] = &[
    "A dozen is left.",
    "A dozen is done.",
    "A dozen is on it.",
    "There are seven days left.",
    "There are two in a day.",
    "There are two tasks in a day.",
    "There are seven days in your week.",
    "The decade is over.",
    "Milk is two litres.",
    "Your week is seven days.",
];
