//! A question says whole what a yes to it would do, and a note is the user's own.

use chrono::NaiveDate;

use super::{Scene, task, title};
use crate::domain::{Priority, Task, Tool};
use crate::guard::Verdict;
use crate::tools::{NewValues, Plan, Proposal};

fn day(number: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 2, number).expect("a day")
}

fn tasks() -> Vec<Task> {
    let mut milk = task(1, "milk", false);
    milk.due_date = Some(day(9));
    vec![milk, task(2, "eggs", false), task(3, "rent", true)]
}

/// Returns what is asked when the words only asked about the change.
fn question(words: &str, reference: &str, values: NewValues) -> String {
    let proposal = Proposal::Change {
        tool: Tool::UpdateTask,
        reference: reference.to_owned(),
        values,
    };
    match Scene::new(words, tasks()).judge_with(proposal, true) {
        Verdict::Confirm(asked) => asked.text,
        other => panic!("{words:?}: {other:?}"),
    }
}

#[test]
fn each_value_is_named_in_the_question() {
    let none = NewValues::default;
    let to = |due| NewValues {
        due: Some(due),
        ..none()
    };
    for (words, reference, values, asked) in [
        (
            "rename milk to bread",
            "milk",
            NewValues {
                title: Some(title("bread")),
                ..none()
            },
            "Rename \"milk\" to \"bread\"?",
        ),
        (
            "move milk to friday",
            "milk",
            to(Some(day(13))),
            "Move \"milk\" from Mon 2026-02-09 to Fri 2026-02-13?",
        ),
        (
            "move eggs to friday",
            "eggs",
            to(Some(day(13))),
            "Move \"eggs\" to Fri 2026-02-13?",
        ),
        (
            "remove the due date of milk",
            "milk",
            to(None),
            "Take the due date off \"milk\"?",
        ),
        (
            "set eggs to high priority",
            "eggs",
            NewValues {
                priority: Some(Priority::High),
                ..none()
            },
            "Change \"eggs\" (priority high)?",
        ),
        (
            "add a note to eggs: at noon",
            "eggs",
            NewValues {
                description: Some(Some("at noon".to_owned())),
                ..none()
            },
            "Set the note of \"eggs\" to \"at noon\"?",
        ),
    ] {
        assert_eq!(question(words, reference, values), asked, "{words:?}");
    }
}

#[test]
fn a_note_is_the_users_words_and_an_empty_one_takes_it_away() {
    for proposed in ["at noon", "with cream"] {
        let proposal = Proposal::Change {
            tool: Tool::UpdateTask,
            reference: "eggs".to_owned(),
            values: NewValues {
                description: Some(Some(proposed.to_owned())),
                ..NewValues::default()
            },
        };
        match Scene::new("add a note to eggs: at noon", tasks()).judge(proposal) {
            Verdict::Allow(Plan::Change(plan)) => {
                let note = plan.values.description.flatten();
                assert_eq!(note.as_deref(), Some("at noon"), "{proposed:?}");
            }
            other => panic!("{proposed:?}: {other:?}"),
        }
    }
}

#[test]
fn tasks_of_one_title_are_told_apart() {
    let mut later = task(2, "milk", false);
    later.due_date = Some(day(11));
    let list = vec![task(1, "milk", false), later, task(3, "eggs", false)];
    let proposal = Proposal::Change {
        tool: Tool::DeleteTask,
        reference: "milk".to_owned(),
        values: NewValues::default(),
    };
    let Verdict::Confirm(asked) = Scene::new("delete milk", list).judge(proposal) else {
        panic!("two of one title are asked about");
    };
    let labels: Vec<_> = asked.items.iter().map(|item| item.label.as_str()).collect();
    let [one, other] = labels[..] else {
        panic!("{labels:?}");
    };
    assert_ne!(one, other);
    assert!(other.contains("2026-02-11"), "{other}");
    assert!(!one.contains("2026-02-11"), "{one}");
}
