//! Meanings that a message that is no command of its own may have after the turn before it, and
//! those it may not: where the frame knows no such command, nothing comes of the words.

use chrono::{DateTime, NaiveDate};
use uuid::Uuid;

use crate::domain::{Lang, Priority, Status, Task, TaskId, Title, UserId};
use crate::intent::{self, Act, Due, Target, Values, Verb};
use crate::turn::{BackReference, CompletedReading, LastVerb, QuotedCommand, TurnFrame};

/// Sunday.
fn today() -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 2, 8).expect("a day")
}

fn id(number: u128) -> TaskId {
    TaskId::new(Uuid::from_u128(number))
}

fn task(number: u128, text: &str, done: bool) -> Task {
    let at = DateTime::UNIX_EPOCH;
    Task {
        status: if done {
            Status::Completed { at }
        } else {
            Status::Pending
        },
        ..Task::new(
            id(number),
            UserId::parse("me").expect("a user"),
            Title::parse(text).expect("a title"),
            at,
        )
    }
}

fn tasks() -> Vec<Task> {
    vec![
        task(1, "Call mom", false),
        task(2, "Garden fence", false),
        task(3, "Milk", false),
        task(4, "Soap", true),
    ]
}

/// A command as the frame keeps it.
fn said(words: &str) -> QuotedCommand {
    QuotedCommand {
        clauses: intent::read(words, today(), Lang::En).clauses,
        words: words.to_owned(),
        ask_first: false,
    }
}

/// After a change of one task that was carried out.
fn changed(verb: Verb, words: &str) -> TurnFrame {
    TurnFrame {
        verb: Some(LastVerb::Change(verb)),
        focus: vec![id(1)],
        done: Some(said(words)),
        worked: Some(true),
        ..TurnFrame::default()
    }
}

/// After an addition.
fn added(words: &str, focus: u128) -> TurnFrame {
    TurnFrame {
        verb: Some(LastVerb::Add),
        focus: vec![id(focus)],
        done: Some(said(words)),
        worked: Some(true),
        ..TurnFrame::default()
    }
}

/// After a command that was not carried out.
fn failed(verb: Verb, words: &str) -> TurnFrame {
    TurnFrame {
        verb: Some(LastVerb::Change(verb)),
        wanted: Some(said(words)),
        worked: Some(false),
        ..TurnFrame::default()
    }
}

/// After a listing.
fn listed() -> TurnFrame {
    TurnFrame {
        verb: Some(LastVerb::List(intent::Listing::default())),
        shown: vec![id(1), id(2), id(3)],
        ..TurnFrame::default()
    }
}

fn complete(frame: &TurnFrame, message: &str) -> CompletedReading {
    let reading = intent::read(message, today(), Lang::En);
    frame.complete(reading, message, &tasks().into_iter().collect())
}

fn target(target: &Target) -> String {
    match target {
        Target::Named(words) => words.clone(),
        Target::It => "it".to_owned(),
        Target::Other => "the other".to_owned(),
        other => format!("{other:?}"),
    }
}

fn values(values: &Values) -> String {
    let mut text = String::new();
    if let Some(Due::On { day, .. }) = &values.due {
        text.push_str(&format!(" on {day}"));
    }
    if let Some(priority) = values.priority {
        text.push_str(&format!(" at {priority}"));
    }
    if let Some(title) = &values.title {
        text.push_str(&format!(" to {title}"));
    }
    text
}

/// Writes what the completed words ask for, one piece for each clause.
fn wants(completed: &CompletedReading) -> String {
    let clauses = completed.reading.clauses.iter();
    let acts = clauses.map(|clause| match &clause.act {
        Act::Add(addition) => format!("add {}", addition.whole.title),
        Act::Noun(task) => format!("noun {}", task.title),
        Act::List(listing) => format!(
            "list {:?} {:?} {}",
            listing.form,
            listing.query,
            listing.due.is_some()
        ),
        Act::Change(change) => format!(
            "{:?} {}{}",
            change.verb,
            target(&change.targets.whole),
            values(&change.values)
        ),
        Act::Undo => "undo".to_owned(),
        Act::No => "no".to_owned(),
        Act::Fragment(fragment) => panic!("{fragment:?} is left"),
        _ => "nothing".to_owned(),
    });
    let mut text = acts.collect::<Vec<_>>().join("; ");
    if let Some(special) = &completed.special {
        text.push_str(&match special {
            BackReference::Instead(other) => format!("instead {}", target(other)),
            BackReference::WhatWith(what) => format!("what with {}", target(what)),
            BackReference::WorkedAlready => "worked already".to_owned(),
            BackReference::NothingToDo => "nothing to do".to_owned(),
        });
    }
    if completed.ask_first {
        text.push_str(", asked first");
    }
    text
}

#[track_caller]
fn check(frame: &TurnFrame, message: &str, wanted: &str) {
    assert_eq!(wants(&complete(frame, message)), wanted, "{message:?}");
}

#[test]
fn do_it_means_the_command_that_was_not_carried_out_and_no_other() {
    let waiting = failed(Verb::Delete, "delete Garden fence");
    check(&waiting, "do it", "Delete Garden fence");
    check(&waiting, "try again", "Delete Garden fence");
    // Its words license it, beside those that say it again.
    let words = complete(&waiting, "do it").words;
    assert_eq!(words, "delete Garden fence\ndo it");
    // What was only asked about is asked before it runs.
    let mut asked = waiting;
    asked.wanted.as_mut().expect("a command").ask_first = true;
    check(&asked, "do it", "Delete Garden fence, asked first");
    // What was carried out is not done twice, and without a command there is none.
    let done = changed(Verb::Delete, "delete Garden fence");
    check(&done, "do it", "nothing to do");
    check(&done, "try again", "worked already");
    check(&TurnFrame::default(), "do it", "nothing to do");
    check(&TurnFrame::default(), "try again", "nothing to do");
    check(&listed(), "do it", "nothing to do");
}

#[test]
fn and_more_carries_the_latest_verb_on_unless_it_is_asked() {
    let mut moved = changed(Verb::Update, "set Call mom to high");
    moved.values.priority = Some(Priority::High);
    for (frame, message, wanted) in [
        (
            &changed(Verb::Delete, "delete Call mom"),
            "and milk",
            "Delete milk",
        ),
        (
            &changed(Verb::Complete, "complete Call mom"),
            "and milk",
            "Complete milk",
        ),
        (&moved, "and milk", "Update milk at high"),
        (
            &changed(Verb::Delete, "delete Call mom"),
            "and milk?",
            "list Lines Some(\"milk\") false",
        ),
        (
            &changed(Verb::Delete, "delete Call mom"),
            "and friday",
            "nothing",
        ),
        (&added("add Milk", 3), "and eggs", "add eggs"),
        (&added("add Milk", 3), "and eggs?", "nothing"),
        (&listed(), "and milk", "list One Some(\"milk\") false"),
        (&listed(), "and friday?", "list Lines None true"),
        (&TurnFrame::default(), "and eggs", "noun eggs"),
        (&TurnFrame::default(), "and eggs?", "nothing"),
    ] {
        check(frame, message, wanted);
    }
}

#[test]
fn a_correction_is_about_the_task_in_focus() {
    let one = added("add Milk", 3);
    check(&one, "actually thursday", "Update it on 2026-02-12");
    check(&one, "make it high priority", "Update it at high");
    // Several tasks, or none, are no "it" here; the words stay without a task of their own.
    check(&one, "oat milk actually", "Update Milk to oat milk");
    // A title is mended right after it was given; later it would be too little to go by.
    check(
        &changed(Verb::Complete, "complete Call mom"),
        "oat milk actually",
        "instead oat milk",
    );
    check(&listed(), "oat milk actually", "nothing");
    // A done task is no task that a new word is for.
    check(
        &added("add Soap", 4),
        "soap bar actually",
        "Update it to soap bar",
    );
}

#[test]
fn i_meant_another_is_the_change_that_failed() {
    check(
        &failed(Verb::Complete, "complete Call dad"),
        "I meant Call mom",
        "Complete Call mom",
    );
    // A correction that deletes is confirmed.
    check(
        &failed(Verb::Delete, "delete Call dad"),
        "I meant Call mom",
        "Delete Call mom, asked first",
    );
    let mut declined = failed(Verb::Complete, "complete Call dad");
    declined.wanted.as_mut().expect("a command").ask_first = true;
    check(
        &declined,
        "I meant Call mom",
        "Complete Call mom, asked first",
    );
    // One that was carried out is taken back for the other.
    check(
        &changed(Verb::Delete, "delete Garden fence"),
        "I meant Call mom",
        "instead Call mom",
    );
    // Of two commands nobody knows which; nor after something else was talked about.
    let two = failed(Verb::Complete, "complete Call dad and delete Garden fence");
    check(&two, "I meant Call mom", "nothing");
    let mut passed = failed(Verb::Complete, "complete Call dad");
    passed.idle = 1;
    check(&passed, "I meant Call mom", "nothing");
    check(&TurnFrame::default(), "I meant Call mom", "nothing");
}

#[test]
fn a_no_before_a_correction_belongs_to_it() {
    let done = changed(Verb::Delete, "delete Garden fence");
    check(&done, "no, the other one", "instead the other");
    check(&done, "no", "no");
}

#[test]
fn a_title_is_waited_for_once() {
    let waiting = TurnFrame {
        verb: Some(LastVerb::Add),
        wanted: Some(said("add a task")),
        worked: Some(false),
        ..TurnFrame::default()
    };
    check(&waiting, "Buy stamps", "add Buy stamps");
    check(&waiting, "keep the receipt", "add keep the receipt");
    // Not when something else was talked about since, and not when a title was given.
    let passed = TurnFrame {
        idle: 1,
        ..waiting.clone()
    };
    check(&passed, "Buy stamps", "noun Buy stamps");
    check(&added("add Milk", 3), "stamps", "noun stamps");
    let described = TurnFrame {
        wanted: Some(said("add what I need for pancakes")),
        ..waiting
    };
    check(&described, "stamps", "noun stamps");
    check(&TurnFrame::default(), "stamps", "noun stamps");
}

#[test]
fn put_back_is_an_undo_of_a_deletion_and_else_the_addition_again() {
    check(
        &changed(Verb::Delete, "delete Call mom"),
        "add it again",
        "undo",
    );
    check(
        &changed(Verb::Complete, "complete Call mom"),
        "add it again",
        "nothing",
    );
    check(&added("add Stamps", 3), "add it again", "add Stamps");
    check(&TurnFrame::default(), "add it again", "nothing");
}

#[test]
fn how_about_a_day_is_shown_before_it_is_set() {
    let one = added("add Milk", 3);
    check(
        &one,
        "how about tuesday?",
        "Update it on 2026-02-10, asked first",
    );
    for other in [
        TurnFrame {
            idle: 1,
            ..one.clone()
        },
        TurnFrame {
            focus: vec![id(1), id(3)],
            ..one.clone()
        },
        changed(Verb::Delete, "delete Call mom"),
    ] {
        check(&other, "how about tuesday?", "nothing");
    }
    // A week is no day.
    check(&one, "how about next week?", "nothing");
}

#[test]
fn a_choice_with_nothing_to_choose_from_asks_what_to_do_with_it() {
    check(&listed(), "the first one", "what with Position(Nth(1))");
}

#[test]
fn what_went_by_is_forgotten_after_the_second_turn() {
    let mut frame = added("add Milk", 3);
    frame.offered = vec![id(1)];
    frame.pass_by();
    assert_eq!((frame.idle, frame.focus.len()), (1, 1));
    check(&frame, "and eggs", "add eggs");
    frame.pass_by();
    assert_eq!(frame.idle, 2);
    assert!(frame.verb.is_none() && frame.focus.is_empty() && frame.offered.is_empty());
    check(&frame, "and eggs", "noun eggs");
}

#[test]
fn a_change_that_hangs_on_a_condition_is_asked_about_first() {
    let wrong = |messages: &[&'static str], asked: bool| -> Vec<&'static str> {
        let deviates = |message: &&str| {
            let completed = complete(&TurnFrame::default(), message);
            assert!(wants(&completed).contains("Garden fence"), "{message:?}");
            completed.ask_first != asked
        };
        messages.iter().copied().filter(deviates).collect()
    };
    let conditions = [
        "if it rains, delete Garden fence",
        "if Bob calls, mark Garden fence as done",
        "if Bob calls, move Garden fence to friday",
        "ok, if it rains, delete Garden fence",
        "unless it rains, delete Garden fence",
        "unless Bob objects, delete Garden fence",
        "once Bob calls, delete Garden fence",
        "after Bob calls, delete Garden fence",
        "as soon as Bob calls, delete Garden fence",
        "in case it rains, delete Garden fence",
        "if not, delete Garden fence",
        "hello! if it rains, delete Garden fence",
    ];
    assert_eq!(wrong(&conditions, true), Vec::<&str>::new());
    let plain = [
        "delete Garden fence",
        "if you can, delete Garden fence",
        "if you don't mind, delete Garden fence",
        "if possible, delete Garden fence",
        "if that's ok, delete Garden fence",
        "after that, delete Garden fence",
        "once more, delete Garden fence",
        "sí, borra Garden fence",
        "s'il te plaît, supprime Garden fence",
        "I saw it. delete Garden fence",
        "delete Garden fence and mark Call mom as done",
    ];
    assert_eq!(wrong(&plain, false), Vec::<&str>::new());
}
