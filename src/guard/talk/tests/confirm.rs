//! Acts put up for confirmation: an offer when they could be done, a lie when they could not.

use crate::guard::talk::insists;

/// Nothing here could keep these, whatever is asked after them.
pub(super) const UNKEPT: &[&str] = &[
    "I'll remind you tomorrow",
    "I will remind you to call Ana at five",
    "I'm going to remind you on Monday",
    "I'll notify Sam when it is due",
    "I'll alert you an hour before",
    "I'll ping you at noon",
    "I'll nudge you again on Friday",
    "I'll wake you at seven",
    "I'll let you know on the day",
    "I'll make sure you remember",
    "I'll keep track of it for you",
    "I'm notifying your team on Tuesday",
    "We'll ring you at 6 pm",
    "Reminding you on the 3rd of March",
];

/// Done, by the words: no question takes that back.
pub(super) const TOLD: &[&str] = &[
    "I've booked it",
    "I booked a table for two",
    "I have added milk to your list",
    "Milk is on your list",
    "Your table is reserved",
    "It has been moved to Friday",
    "I'm deleting it now",
    "You have three tasks",
    "Your list is empty",
    "I couldn't delete it",
];

pub(super) const TAGS: &[&str] = &[
    ", is that right?",
    ", right?",
    ", okay?",
    ", correct?",
    ", does that sound good?",
    ". Is that right?",
    ". Is this correct?",
    ". Shall I proceed?",
    ". Please confirm.",
    ". Did I get that right?",
    " - is that what you want?",
];

pub(super) const OPENERS: &[&str] = &[
    "",
    "So ",
    "Okay, ",
    "Sure. ",
    "Just to confirm, ",
    "Please confirm: ",
];

#[test]
fn who_insists_is_heard_in_every_language() {
    for message in [
        "mark it done anyway",
        "complete it all the same",
        "hak es trotzdem ab",
        "hazlo de todos modos",
        "fais-le quand même",
        "fallo lo stesso",
        "faça mesmo assim",
        "phir bhi complete karo",
    ] {
        assert!(insists(message), "{message:?}");
    }
    assert!(!insists("mark it done"));
}
