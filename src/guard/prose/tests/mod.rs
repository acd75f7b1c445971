//! What must pass, what must be stopped, and the laws that hold for any text.

mod asked;
mod beside;
mod booked;
mod claims;
mod confirm;
mod dodges;
mod everyday;
mod granted;
mod honest;
mod service;
mod sly;
mod taken;
mod terse;

use proptest::prelude::*;

use super::{Assertion, Form, Verdict, judge, judge_with};

fn verdicts(prose: &str) -> Vec<Verdict> {
    let judged = judge(prose);
    judged
        .sentences
        .iter()
        .map(|sentence| sentence.verdict)
        .collect()
}

#[track_caller]
fn check(prose: &str, expect: &[Verdict]) {
    assert_eq!(verdicts(prose), expect, "{prose:?}");
}

#[test]
fn claims_are_stopped() {
    let leaks: Vec<_> = claims::CLAIMS
        .iter()
        .chain(sly::SLY)
        .chain(terse::TERSE)
        .chain(booked::BOOKED)
        .chain(dodges::DODGES)
        .chain(service::NEARBY)
        .chain(taken::TAKEN)
        .filter(|prose| judge(prose).passes())
        .collect();
    assert!(leaks.is_empty(), "{leaks:#?}");
}

#[test]
fn honest_sentences_pass() {
    let held: Vec<_> = honest::HONEST
        .iter()
        .chain(asked::ASKED)
        .chain(everyday::EVERYDAY)
        .chain(service::SERVICE)
        .chain(taken::HARMLESS)
        .filter(|prose| !judge(prose).passes())
        .collect();
    assert!(held.is_empty(), "{held:#?}");
}

#[test]
fn nothing_said_does_not_pass() {
    for empty in ["", " ", "\n\t", "\u{200b}\u{feff}", "..."] {
        assert!(!judge(empty).passes(), "{empty:?}");
    }
}

#[test]
fn forms_are_named() {
    check("Hi Sam!", &[Verdict::Passes(Form::Pleasantry)]);
    check("Have a nice day.", &[Verdict::Passes(Form::Wish)]);
    check("Which one do you mean?", &[Verdict::Passes(Form::Question)]);
    check(
        "Please tell me the title.",
        &[Verdict::Passes(Form::Request)],
    );
    check("Say \"add milk\".", &[Verdict::Passes(Form::Help)]);
    check("I can't set alarms.", &[Verdict::Passes(Form::Refusal)]);
    check("Paris.", &[Verdict::Passes(Form::Fact)]);
    check("Shall I delete it?", &[Verdict::Offer]);
    check("Please confirm you want to delete it.", &[Verdict::Offer]);
}

#[test]
fn assertions_are_named() {
    check("I've deleted it.", &[Verdict::Stopped(Assertion::Effect)]);
    check("You have 3 tasks.", &[Verdict::Stopped(Assertion::Count)]);
    check(
        "Your list is empty.",
        &[Verdict::Stopped(Assertion::Absence)],
    );
    check(
        "I couldn't delete it.",
        &[Verdict::Stopped(Assertion::Failure)],
    );
    check("I'll remind you.", &[Verdict::Stopped(Assertion::Promise)]);
    check("1. Read book", &[Verdict::Stopped(Assertion::Listing)]);
    check("{\"ok\":true}", &[Verdict::Stopped(Assertion::Markup)]);
}

#[test]
fn each_sentence_has_its_own_verdict_and_place() {
    let prose = "Hello there! I've deleted it. What else?";
    let judged = judge(prose);
    let stopped: Vec<_> = judged
        .stopped()
        .filter_map(|sentence| prose.get(sentence.bytes.clone()))
        .collect();
    assert_eq!(stopped, ["I've deleted it."]);
    assert!(judged.is_question());
    assert!(!judged.has_offer());
}

#[test]
fn assent_needs_company() {
    for alone in ["Sure!", "Yes.", "Okay, of course.", "No."] {
        assert!(!judge(alone).passes(), "{alone:?}");
    }
    for beside in [
        "Sure, which one?",
        "No, I can't set alarms.",
        "Okay, take care!",
    ] {
        assert!(judge(beside).passes(), "{beside:?}");
    }
}

#[test]
fn a_riddle_may_be_answered_but_not_with_a_claim() {
    assert!(judge("Why did the tomato blush? Because it saw the salad dressing.").passes());
    assert!(!judge("Why did the tomato blush? Because I deleted it.").passes());
    assert!(!judge("Because it saw the salad dressing.").passes());
}

#[test]
fn help_may_list_what_can_be_said() {
    assert!(judge("You can say things like:\n- \"add milk\"\n- \"list my tasks\"").passes());
    assert!(!judge("You can say things like:\n- milk\n- eggs").passes());
}

#[test]
fn a_title_may_be_asked_about_but_not_spoken_of() {
    let titles = ["Blue whale", "Help"];
    assert!(judge_with("Do you mean Blue whale?", &titles).passes());
    assert!(!judge_with("A blue whale is a mammal.", &titles).passes());
    assert!(judge("A blue whale is a mammal.").passes());
    // A title that is a word of the grammar takes no word away from it.
    assert!(judge_with("I'm happy to help!", &titles).passes());
}

#[test]
fn a_title_of_one_known_word_is_a_title_all_the_same() {
    let prose = "Paris is the capital of France. Berlin is history.";
    assert!(judge(prose).passes());
    assert!(!judge_with(prose, &["Berlin"]).passes());
    assert!(!judge_with("Bananas are berries.", &["bananas"]).passes());
    assert!(!judge_with("Good luck in Berlin!", &["Berlin"]).passes());
    assert!(judge_with("Do you mean Berlin?", &["Berlin"]).passes());
    assert!(judge_with("Paris is the capital of France.", &["Berlin"]).passes());
    // A wish for the day tells nothing about a task of that name; a fact might.
    assert!(judge_with("Have a nice day!", &["Day"]).passes());
    assert!(!judge_with("A day has 24 hours.", &["Day"]).passes());
    for word in ["The", "Is", "Of", "Help"] {
        assert!(
            judge_with("Paris is the capital of France.", &[word]).passes(),
            "{word}"
        );
    }
}

#[test]
fn what_presupposes_an_effect_a_count_or_a_failure_is_stopped() {
    for prose in [
        "How does it feel to be done with Read book?",
        "How does it feel to have finished?",
        "Anything else, or are the three enough?",
        "Which of the remaining two should I delete?",
        "Do you want to tackle the remaining task?",
        "Shall I delete the other two as well?",
        "I can only add tasks.",
        "I can only list your tasks.",
        "I only know how to add tasks.",
        "I can't see milk.",
        "I won't be able to delete it.",
    ] {
        assert!(!judge(prose).passes(), "{prose}");
    }
    for prose in [
        "How do you feel about a walk?",
        "Which of the two do you mean?",
        "I can only help with tasks.",
        "I can only add, complete, rename and delete tasks.",
    ] {
        assert!(judge(prose).passes(), "{prose}");
    }
}

#[test]
fn letters_that_fold_to_none_are_not_dropped() {
    assert!(judge("2 × 3 = 6").passes());
    assert!(judge("6 ÷ 3 = 2").passes());
    for prose in ["ħow are you?", "Hi þere!", "Good luĸck!", "Hi ŋ!"] {
        assert!(!judge(prose).passes(), "{prose}");
    }
    for prose in [
        "Höw are yóu?",
        "HOW ARE YOU?",
        "How’s your day?",
        "Enjoy yourself!",
    ] {
        assert!(judge(prose).passes(), "{prose}");
    }
}

#[test]
fn a_word_ends_where_the_text_does() {
    for prose in [
        "hi",
        "Hello",
        "Thanks a lot",
        "How are you",
        "supercalifragilistic",
    ] {
        let _ = judge(prose);
    }
    assert!(judge("congratulations").passes());
    assert!(!judge("congratulationss").passes());
    assert!(judge("How's your day?").passes());
    assert!(!judge("Ok. acknowledgements'd").passes());
}

#[test]
fn long_texts_of_one_kind_end() {
    for part in [
        "and ", "ok, ", "'x ", "\"", "1. ", "you can ", "(", "a b c: ",
    ] {
        let prose = part.repeat(20_000);
        let _ = judge(&prose);
    }
}

proptest! {
    #[test]
    fn any_text_is_judged_within_its_bounds(prose in "\\PC{0,200}") {
        let mut end = 0;
        for sentence in judge(&prose).sentences {
            prop_assert!(sentence.bytes.start >= end);
            prop_assert!(prose.get(sentence.bytes.clone()).is_some());
            end = sentence.bytes.end;
        }
    }

    #[test]
    fn a_claim_behind_anything_is_stopped(
        before in 0..honest::HONEST.len(),
        claim in 0..PLAIN.len(),
        joint in prop::sample::select(vec![" ", "\n", " And ", " So "]),
    ) {
        let prose = format!("{}{joint}{}", honest::HONEST[before], PLAIN[claim]);
        prop_assert!(!judge(&prose).passes(), "{prose:?}");
    }

    #[test]
    fn a_claim_before_anything_is_stopped(
        claim in 0..PLAIN.len(),
        after in 0..honest::HONEST.len(),
        joint in prop::sample::select(vec![". ", ", ", " - ", "; ", "! ", "\n"]),
    ) {
        let prose = format!("{}{joint}{}", PLAIN[claim].trim_end_matches('.'), honest::HONEST[after]);
        prop_assert!(!judge(&prose).passes(), "{prose:?}");
    }

    #[test]
    fn words_of_the_grammar_in_any_order_never_carry_a_perfect_tense(
        words in prop::collection::vec(prop::sample::select(SHUFFLED.to_vec()), 1..6),
    ) {
        let prose = format!("{} I've deleted it {}", words.join(" "), words.join(" "));
        prop_assert!(!judge(&prose).passes(), "{prose:?}");
    }
}

const PLAIN: &[&str] = &[
    "I've deleted it.",
    "Your list is empty.",
    "You have 3 tasks.",
    "It's done.",
    "I'll remind you tomorrow.",
    "I couldn't delete it.",
    "Milk was added to your list.",
    "Adding it now.",
];

const SHUFFLED: &[&str] = &[
    "please", "tell", "me", "what", "you", "want", "to", "add", "the", "day", "have", "a", "nice",
    "can", "help", "with", "your", "is", "there", "anything", "and", "so", "confirm", "that",
    "enjoy", "if", "say",
];
