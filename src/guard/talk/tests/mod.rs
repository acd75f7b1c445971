//! Ghosts that are stopped, talk that passes, and the laws that hold for any text.

mod asked;
mod beside;
mod booked;
mod claims;
mod confirm;
mod dodges;
mod everyday;
mod everywhere;
mod facts;
mod granted;
mod honest;
mod moods;
mod service;
mod sly;
mod steps;
mod taken;
mod terse;
mod told;
mod tongues;

use proptest::prelude::*;

use super::{Judgement, Talk, judge, judge_in, what_is_left};

/// A list whose titles ghosts speak of.
const TITLES: [&str; 4] = ["Milk", "Essay", "Read book", "Call mom"];

/// Judges an answer to `message`.
fn answer(message: &str, prose: &str) -> Judgement {
    judge_in(
        prose,
        Talk {
            message,
            titles: &TITLES,
            said: message,
        },
    )
}

/// Judges an answer to somebody who asked for talk.
fn told(prose: &str) -> Judgement {
    let talk = Talk {
        message: "what do you think, any tips?",
        ..Talk::default()
    };
    judge_in(prose, talk)
}

/// The sentences of an answer that are shown.
fn shown(message: &str, prose: &str) -> String {
    what_is_left(prose, &answer(message, prose)).unwrap_or_default()
}

#[test]
fn claims_are_stopped() {
    let ghosts = claims::CLAIMS
        .iter()
        .chain(sly::SLY)
        .chain(terse::TERSE)
        .chain(booked::BOOKED)
        .chain(dodges::DODGES)
        .chain(service::NEARBY)
        .chain(taken::TAKEN)
        .chain(granted::GRANTED)
        .chain(beside::BESIDE)
        .chain(beside::COUNTED)
        .chain(confirm::TOLD)
        .chain(confirm::UNKEPT);
    let leaks = |prose: &&&str| {
        let judged = answer("thanks", prose);
        judged.passes() && !judged.has_restated()
    };
    let leaks: Vec<_> = ghosts.filter(leaks).collect();
    assert!(leaks.is_empty(), "{leaks:#?}");
}

#[test]
fn honest_sentences_pass() {
    let honest = honest::HONEST
        .iter()
        .chain(asked::ASKED)
        .chain(everyday::EVERYDAY)
        .chain(service::SERVICE)
        .chain(taken::HARMLESS)
        .chain(granted::HARMLESS)
        .chain(beside::ASKED)
        .chain(beside::MEASURES);
    let held: Vec<_> = honest.filter(|prose| !told(prose).passes()).collect();
    assert!(held.is_empty(), "{held:#?}");
}

#[test]
fn what_is_taken_for_granted_beside_pity_is_stopped() {
    let talk = Talk {
        message: "my sister hurt her knee and i am so tired",
        titles: &["Water the ferns", "Read for the exam", "Call Ines"],
        said: "",
    };
    let leaks: Vec<_> = granted::TAKEN_FOR_SO
        .iter()
        .filter(|prose| judge_in(prose, talk).passes())
        .collect();
    assert!(leaks.is_empty(), "{leaks:#?}");
    let held: Vec<_> = granted::KIND
        .iter()
        .filter(|prose| !judge_in(prose, talk).passes())
        .collect();
    assert!(held.is_empty(), "{held:#?}");
}

#[test]
fn nothing_said_does_not_pass() {
    for empty in ["", " ", "\n\t", "\u{200b}\u{feff}"] {
        assert!(!judge(empty).passes(), "{empty:?}");
    }
}

#[test]
fn each_sentence_has_its_own_verdict_and_place() {
    let prose = "Hello there! I've deleted it. What else is on your mind?";
    let judged = judge(prose);
    let stopped: Vec<_> = judged
        .stopped()
        .filter_map(|sentence| prose.get(sentence.bytes.clone()))
        .collect();
    assert_eq!(stopped, ["I've deleted it."]);
    assert!(judged.is_question());
    assert!(!judged.has_restated());
}

#[test]
fn assent_needs_company() {
    for alone in ["Sure!", "Yes.", "Okay, of course.", "No.", "Done!"] {
        assert!(!judge(alone).passes(), "{alone:?}");
    }
    assert!(judge("Sure, which one?").passes());
}

#[test]
fn letters_in_disguise_are_stopped() {
    for prose in [
        "ħow are you?",
        "Hi þere!",
        "Good luĸck!",
        "It is d o n e now, enjoy!",
        "Есть ideas for you.",
    ] {
        assert!(!judge(prose).passes(), "{prose}");
    }
    for prose in ["Höw are yóu?", "HOW ARE YOU?", "How’s your day?"] {
        assert!(judge(prose).passes(), "{prose}");
    }
}

#[test]
fn long_texts_of_one_kind_end() {
    for part in [
        "and ", "ok, ", "'x ", "\"", "1. ", "you can ", "(", "a b c: ", "Hi. ", "- a\n", "you're ",
    ] {
        let prose = part.repeat(20_000);
        let _ = told(&prose);
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

proptest! {
    #[test]
    fn any_text_is_judged_within_its_bounds(prose in "\\PC{0,200}") {
        let mut end = 0;
        for sentence in told(&prose).sentences {
            prop_assert!(sentence.bytes.start >= end);
            prop_assert!(prose.get(sentence.bytes.clone()).is_some());
            end = sentence.bytes.end;
        }
    }

    #[test]
    fn a_claim_behind_anything_is_not_shown(
        before in 0..honest::HONEST.len(),
        claim in 0..PLAIN.len(),
        joint in prop::sample::select(vec![" ", "\n", " And ", " So "]),
    ) {
        let prose = format!("{}{joint}{}", honest::HONEST[before], PLAIN[claim]);
        let shown = shown("what do you think?", &prose);
        prop_assert!(!shown.contains(PLAIN[claim]), "{prose:?}: {shown:?}");
    }

    #[test]
    fn a_claim_before_anything_is_not_shown(
        claim in 0..PLAIN.len(),
        after in 0..honest::HONEST.len(),
        joint in prop::sample::select(vec![". ", ", ", " - ", "; ", "! ", "\n"]),
    ) {
        let told = PLAIN[claim].trim_end_matches('.');
        let prose = format!("{told}{joint}{}", honest::HONEST[after]);
        let shown = shown("what do you think?", &prose);
        prop_assert!(!shown.contains(told), "{prose:?}: {shown:?}");
    }

    #[test]
    fn a_promise_that_cannot_be_kept_is_not_shown_under_any_tag(
        promise in prop::sample::select(confirm::UNKEPT.to_vec()),
        tag in prop::sample::select(confirm::TAGS.to_vec()),
        opener in prop::sample::select(confirm::OPENERS.to_vec()),
    ) {
        let prose = format!("{opener}{promise}{tag}");
        let shown = shown("thanks", &prose);
        prop_assert!(!shown.contains(promise), "{prose:?}: {shown:?}");
    }

    #[test]
    fn a_result_is_not_shown_under_any_tag(
        told in prop::sample::select(confirm::TOLD.to_vec()),
        tag in prop::sample::select(confirm::TAGS.to_vec()),
        opener in prop::sample::select(confirm::OPENERS.to_vec()),
    ) {
        let prose = format!("{opener}{told}{tag}");
        let shown = shown("thanks", &prose);
        prop_assert!(!shown.contains(told), "{prose:?}: {shown:?}");
    }
}
