//! Acts put up for confirmation: an offer when they could be done, a lie when they could not.

use proptest::prelude::*;

use super::super::{Verdict, judge};

/// What the speaker is about to do, and the question whether that is right: offers.
const OFFERED: &[&str] = &[
    "So I am booking 3 tickets to see Maroon 5 in Vancouver next Saturday, is that right?",
    "So I'm reserving a room at the Hilton Chicago for 3 days from March 2nd, correct?",
    "Okay, I'll book an appointment with Dr. Nelson at 11:15 am next Monday, correct?",
    "I'll be booking a flight from Seattle to New York on March 3rd in economy, is this right?",
    "I will set an alarm named Grocery run for 7 pm. Is that right?",
    "I'm going to add Dinner with Anna to your calendar for Friday at 7 pm at Zeni, is that okay?",
    "I'm adding the event Movie night to your calendar on March 12th at 8 pm at the Castro Theatre. Shall I proceed?",
    "I'll play Shape of You on the TV, okay?",
    "Playing Despacito by Luis Fonsi on your bedroom speaker, correct?",
    "I will be playing the movie Shazam! with English subtitles. Is this correct?",
    "Making a payment of $40 to Rachel from your app balance, is that correct?",
    "Booking a visit to Creekside Park on March 6, is this right?",
    "So I'm setting an alarm for 6:30 am named Wake up, yes?",
    "So I am adding Lunch with Tom to your calendar for Tuesday 12 pm at Chipotle, correct?",
    "I'll reserve 3 seats for you on the 10:30 bus to Fresno on the 14th. Does that sound okay?",
    "I'll make a reservation at Zuni for 2 people on Saturday, does that work for you?",
    "I'll schedule the visit for Thursday March 7th. Is that fine?",
    "I am going to purchase one economy ticket with United leaving at 6 am on Sunday. Is everything right?",
    "I am sending $15 to Leo with public visibility from your debit card. Please confirm.",
    "I will book an appointment at Magic Hair on March 11 at 3:45 pm. Please confirm.",
    "I shall transfer 900 dollars to Sofia's checking account, right?",
    "I would be booking a shared ride to Aquarium of the Bay for 2, ok?",
    "Reserving a room in London for 5 nights from tomorrow, correct?",
    "Sending 80 dollars from your app balance to Kate, is this okay?",
    "Setting up an appointment with Dr. Wu for Monday noon. Is that what you want?",
    "Adding Concert to your calendar on the 9th at 7 pm. Is that good?",
    "Sharing 2nd Street with Nancy, is this correct?",
    "Getting a table at 8 pm for 4 at Nopalito, does that sound good?",
    "Buying 4 tickets to the Padres vs Dodgers on March 2nd in San Diego, right?",
    "I'll delete Read book, is that right?",
    "I'm going to add milk for Friday. Shall I proceed?",
    "So that's two tickets for Friday's game.",
    "You asked for a table for three, correct?",
];

/// Nothing here could keep these, whatever is asked after them.
const UNKEPT: &[&str] = &[
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
const TOLD: &[&str] = &[
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

const TAGS: &[&str] = &[
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

const OPENERS: &[&str] = &[
    "",
    "So ",
    "Okay, ",
    "Sure. ",
    "Just to confirm, ",
    "Please confirm: ",
];

#[test]
fn what_could_be_done_is_an_offer() {
    for prose in OFFERED {
        let judged = judge(prose);
        assert!(judged.passes() && judged.has_offer(), "{prose}: {judged:?}");
    }
}

#[test]
fn what_the_speaker_is_about_to_do_is_never_shown() {
    for prose in OFFERED.iter().filter(|prose| prose.starts_with("I'")) {
        let first = judge(prose).sentences.first().map(|said| said.verdict);
        assert_eq!(first, Some(Verdict::Offer), "{prose}");
    }
}

#[test]
fn a_question_before_the_act_does_not_cover_it() {
    assert!(!judge("Is that right? I'll book a table for two.").passes());
    assert!(!judge("Can you confirm that? I'm adding milk.").passes());
}

proptest! {
    #[test]
    fn a_promise_that_cannot_be_kept_is_stopped_under_any_tag(
        promise in prop::sample::select(UNKEPT.to_vec()),
        tag in prop::sample::select(TAGS.to_vec()),
        opener in prop::sample::select(OPENERS.to_vec()),
    ) {
        let prose = format!("{opener}{promise}{tag}");
        prop_assert!(!judge(&prose).passes(), "{prose:?}");
    }

    #[test]
    fn a_result_is_stopped_under_any_tag(
        told in prop::sample::select(TOLD.to_vec()),
        tag in prop::sample::select(TAGS.to_vec()),
        opener in prop::sample::select(OPENERS.to_vec()),
    ) {
        let prose = format!("{opener}{told}{tag}");
        prop_assert!(!judge(&prose).passes(), "{prose:?}");
    }
}
