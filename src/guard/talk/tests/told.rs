//! Statements about the task that the user asked about, and about what is elsewhere.

use super::shown;

#[track_caller]
fn all(message: &str, prose: &[&str]) {
    let lost: Vec<_> = prose
        .iter()
        .filter(|prose| shown(message, prose) != **prose)
        .collect();
    assert!(lost.is_empty(), "{lost:#?}");
}

#[track_caller]
fn none(message: &str, prose: &[&str]) {
    let leaks: Vec<_> = prose
        .iter()
        .filter(|prose| !shown(message, prose).is_empty())
        .collect();
    assert!(leaks.is_empty(), "{leaks:#?}");
}

#[test]
fn a_time_of_day_of_the_task_is_no_talk() {
    none(
        "how do I get ready for the essay?",
        &[
            "It's at 9:00, so begin early.",
            "It was at nine.",
            "At 9:00.",
            "The essay is at 9:00, so begin early.",
            "Since it starts at 9:00, begin early.",
            "With a 9:00 start, begin early.",
            "The 9:00 essay needs a plan.",
            "I think it was at half past nine.",
        ],
    );
    none("what time was it before?", &["It was at 9:00."]);
    all(
        "how do I get ready for the essay?",
        &[
            "Write for an hour at 8:00 and take a walk.",
            "It helps to stop at 22:00 and sleep.",
            "Most people are fresh around 9:00.",
        ],
    );
    all(
        "when should I go to bed?",
        &[
            "It's best to be in bed by 22:30.",
            "Around 22:00 is good for most people.",
        ],
    );
}

#[test]
fn a_day_before_a_mark_tells_no_language() {
    all(
        "can you make me a plan for the week?",
        &[
            "Here's a plan:\n- Mon: Flash cards\n- Tue: Practice\n- Sun: Rest",
            "Here's a plan:\nMon: Flash cards\nTue: Practice\nSun: Rest",
            "Here's a plan:\n- Mon, Mar 9: Flash cards\n- Tue, Mar 10: Practice",
        ],
    );
    let lie = "Here's a plan:\nMon: Flash cards\nTue: Deleted the essay";
    assert!(!shown("can you make me a plan?", lie).contains("Deleted"));
}

#[test]
fn details_may_be_spoken_of_and_not_asked_for() {
    let message = "I'm moving house, what should I think of?";
    all(
        message,
        &[
            "Change your address early.",
            "Tell your bank and your doctor.",
        ],
    );
    none(
        message,
        &[
            "What's your address?",
            "Please give me your address.",
            "Type your address below.",
            "I need your home address.",
        ],
    );
}

#[test]
fn a_limit_is_no_failure() {
    let message = "who else can see my tasks?";
    all(
        message,
        &[
            "I can't see your account's access settings.",
            "I can't tell who has access.",
        ],
    );
    none(
        message,
        &[
            "I can't see any tasks.",
            "I can't see it.",
            "I can't see the essay.",
            "I can't see that from here.",
        ],
    );
}

#[test]
fn what_no_list_does_may_be_denied() {
    all(
        "can you text my sister?",
        &[
            "I can't send texts, sorry.",
            "I can't text her, but I can put it on your list.",
        ],
    );
    all("can you get us some dinner?", &["I can't order food."]);
    none(
        "can you text my sister?",
        &["I can't send it.", "I couldn't save it."],
    );
}

#[test]
fn advice_says_what_would_come_of_it() {
    let message = "ugh i hate tidying my room";
    all(
        message,
        &["Put on a playlist and you'll be done in half an hour."],
    );
    none(
        message,
        &[
            "Relax and you'll be reminded at nine.",
            "You'll be done in half an hour, since I cleared two tasks.",
        ],
    );
}

#[test]
fn a_noun_of_this_language_is_no_deed_of_another() {
    all(
        "It gets a bit quiet in the evenings.",
        &["Would a favourite programme be good company?"],
    );
    none(
        "It gets a bit quiet in the evenings.",
        &["A task programmé for Monday.", "All good, essay programmé."],
    );
}

#[test]
fn an_answer_in_general_is_one() {
    all(
        "can I drive without a licence?",
        &["Generally, no.", "Usually not."],
    );
    none("did it work?", &["Probably, yes."]);
}
