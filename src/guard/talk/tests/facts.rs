//! Statements that a row bears out.

use chrono::{DateTime, NaiveDate};
use chrono_tz::Tz;
use uuid::Uuid;

use crate::domain::{DueTime, Lang, Priority, Task, TaskId, Title, UserId, parse_time_of_day};
use crate::guard::talk::proven;
use crate::resolver::TaskList;

const ASKED: &str = "which one first, do you think?";

fn day(month: u32, day: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, month, day).unwrap()
}

fn list() -> TaskList {
    let task = |number: u128, title: &str, priority, due_date| Task {
        priority,
        due_date,
        ..Task::new(
            TaskId::new(Uuid::from_u128(number)),
            UserId::parse("me").unwrap(),
            Title::parse(title).unwrap(),
            DateTime::UNIX_EPOCH,
        )
    };
    TaskList::from(vec![
        task(1, "Write essay", Priority::High, Some(day(2, 11))),
        task(2, "Pay rent", Priority::Medium, Some(day(2, 5))),
        task(3, "Clean garage", Priority::Low, None),
    ])
}

fn holds(sentence: &str) -> bool {
    let today = day(2, 8);
    !proven(sentence, ASKED, &list(), (today, Lang::En)).is_empty()
}

#[test]
fn a_true_sentence_is_proven() {
    for sentence in [
        "I'd start with the essay, it's high priority and due Wednesday.",
        "Start with the rent, since it's overdue.",
        "The garage can wait, as it has no due date.",
        "I'd take the essay next, because it's due on the 11th.",
        "The essay is due on Wednesday now.",
        "The essay and the rent are both still open.",
    ] {
        assert!(holds(sentence), "{sentence}");
    }
}

#[test]
fn a_false_sentence_is_not() {
    for sentence in [
        "I'd start with the essay, it's due Tuesday.",
        "I'd start with the garage, it's high priority.",
        "Start with the essay, since it's overdue.",
        "The rent has no due date.",
    ] {
        assert!(!holds(sentence), "{sentence}");
    }
}

/// Each part of a sentence is held against the rows of its own task, or of the one named before it.
#[test]
fn parts_are_held_against_their_own_rows() {
    for sentence in [
        "Start with the essay, it's due Wednesday and the rent is overdue.",
        "I'd take the essay first, since it's due on the 11th, and the garage has no due date.",
    ] {
        assert!(holds(sentence), "{sentence}");
    }
    for sentence in [
        "Start with the essay, it's due Thursday and the rent is overdue.",
        "Start with the essay, it's due Wednesday and the garage is overdue.",
        "Start with the essay, it's due Wednesday and I deleted the rent.",
    ] {
        assert!(!holds(sentence), "{sentence}");
    }
    let held = |sentence| {
        let asked = "essay pehle karun ya rent?";
        !proven(sentence, asked, &list(), (day(2, 8), Lang::Ur)).is_empty()
    };
    assert!(held(
        "Main essay se shuru karta, wo 11 ko hai aur rent 5 ko."
    ));
    assert!(held(
        "Pehle essay karo, wo high priority hai aur 11 ko hai."
    ));
    assert!(!held(
        "Main essay se shuru karta, wo 12 ko hai aur rent 5 ko."
    ));
    assert!(!held(
        "Main essay se shuru karta, wo 11 ko hai aur rent 6 ko."
    ));
}

/// A task at two o'clock, and what is told of "it" to who asked about it.
#[test]
fn a_time_of_day_is_held_against_the_row() {
    let day = (day(2, 8), Lang::En);
    let mut task = Task::new(
        TaskId::new(Uuid::from_u128(4)),
        UserId::parse("me").unwrap(),
        Title::parse("Visit museum").unwrap(),
        DateTime::UNIX_EPOCH,
    );
    task.due_date = NaiveDate::from_ymd_opt(2026, 2, 11);
    task.due_time = Some(DueTime::new(parse_time_of_day("14:00").unwrap(), Tz::UTC));
    let tasks = TaskList::from(vec![task]);
    let holds = |sentence| !proven(sentence, "any tips for the museum?", &tasks, day).is_empty();
    for sentence in [
        "It's at 14:00.",
        "It starts at 2 pm.",
        "The museum is due Wednesday at 14:00.",
    ] {
        assert!(holds(sentence), "{sentence}");
    }
    for sentence in [
        "It's at 9:00.",
        "It was at 14:00.",
        "The museum is due Wednesday at 15:00.",
    ] {
        assert!(!holds(sentence), "{sentence}");
    }
}

#[test]
fn nothing_else_is_proven_beside_a_fact() {
    for sentence in [
        "I moved the essay, it's due Wednesday.",
        "The essay isn't on your list.",
        "The essay is now back on your list.",
        "The essay is one of 2 on your list.",
        "The essay and the rent are due Wednesday.",
        "The essay and the rent are the only ones on your list.",
        "Everything is on your list.",
        "I'll remind you of the essay, it's due Wednesday.",
    ] {
        assert!(!holds(sentence), "{sentence}");
    }
}

#[test]
fn only_who_asks_is_told() {
    let sentence = "The essay is due Wednesday.";
    assert!(holds(sentence));
    let day = (day(2, 8), Lang::En);
    assert!(proven(sentence, "hi", &list(), day).is_empty());
    assert!(proven(sentence, "add milk", &list(), day).is_empty());
}
