//! Part of an addition that a title takes up, in whose words, and with which values.

use chrono::NaiveDate;

use super::licensed::{open, tasks};
use super::{Scene, title, today};
use crate::domain::{ErrorType, Priority, Tool};
use crate::guard::{Grant, GrantKind, Licence, Need, Verdict};
use crate::intent::{Addition, NewTask};
use crate::tools::{AddProposal, NewValues, Plan, Proposal};
use crate::turn::Refusal;

fn day(number: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 3, number).expect("a day")
}

fn add(text: &str) -> Proposal {
    Proposal::Add(AddProposal::titled(title(text)))
}

/// A licence to add these parts.
fn adding(parts: Vec<NewTask>, described: bool, words: &str) -> Scene {
    let mut scene = Scene::new("", tasks());
    let whole = NewTask {
        title: words.to_owned(),
        ..NewTask::default()
    };
    let covered = vec![false; parts.len().max(1)];
    scene.licence = Licence {
        grants: vec![Grant {
            kind: GrantKind::Add {
                addition: Addition {
                    whole,
                    parts,
                    split: true,
                    described,
                },
                covered,
            },
            expected: true,
            bytes: 0..words.len(),
        }],
        words: words.to_owned(),
        ..Licence::default()
    };
    scene
}

fn part(text: &str, priority: Option<Priority>) -> NewTask {
    NewTask {
        title: text.to_owned(),
        priority,
        ..NewTask::default()
    }
}

#[test]
fn an_addition_takes_up_the_part_whose_words_it_has() {
    for (text, left) in [
        ("eggs", 1),
        ("Brown eggs", 1),
        ("milk", 1),
        ("fresh milk and brown eggs", 0),
    ] {
        let mut scene = Scene::new("add fresh milk and brown eggs", Vec::new());
        let verdict = scene.judge(add(text));
        assert!(matches!(verdict, Verdict::Allow(Plan::Add(_))), "{text}");
        assert_eq!(open(&scene).len(), left, "{text}");
    }
    // In another clause as well.
    let mut scene = Scene::new("add milk tomorrow. add eggs", Vec::new());
    let verdict = scene.judge(add("eggs"));
    let Verdict::Allow(Plan::Add(plan)) = verdict else {
        panic!("{verdict:?}");
    };
    assert_eq!(plan.due_date, None);
}

#[test]
fn words_that_nobody_said_are_refused_unless_they_were_left_to_the_model() {
    let mut scene = adding(vec![part("eggs", None)], false, "eggs");
    for title in ["Sweep floor", "eggs and six hundred dollars", "Six eggs"] {
        let verdict = scene.judge(add(title));
        assert!(matches!(verdict, Verdict::Deny(..)), "{verdict:?}");
    }
    assert_eq!(open(&scene), [Need::Call(Tool::AddTask)]);
    // What is described is the model's to name, and the user's to confirm.
    let mut scene = Scene::new("add what I need for pancakes", Vec::new());
    assert!(matches!(scene.judge(add("flour")), Verdict::Confirm(_)));
    assert_eq!(open(&scene), []);
}

#[test]
fn signs_that_the_user_wrote_may_stand_in_a_title() {
    let mut scene = adding(vec![part("pay bill #2!", None)], false, "pay bill #2!");
    assert!(matches!(
        scene.judge(add("pay bill #2!")),
        Verdict::Allow(_)
    ));
    let mut scene = adding(vec![part("pay bill 2", None)], false, "pay bill 2");
    let verdict = scene.judge(add("pay bill #2!"));
    assert!(
        matches!(verdict, Verdict::Deny(Refusal::Contradiction, _)),
        "{verdict:?}"
    );
}

#[test]
fn a_day_stands_in_the_words_of_its_own_clause_or_is_dropped() {
    let paper = |due| {
        let due = Some(due);
        let bare = AddProposal::titled(title("friday paper"));
        Proposal::Add(AddProposal { due, ..bare })
    };
    let friday = NaiveDate::from_ymd_opt(2026, 2, 13).expect("a day");
    let parts = || vec![part("friday paper", None)];
    let words = "friday paper";
    let mut scene = adding(parts(), false, words);
    let Verdict::Allow(Plan::Add(plan)) = scene.judge(paper(friday)) else {
        panic!("not allowed");
    };
    assert_eq!(plan.due_date, Some(friday));
    // The words name another day: the model is told which.
    let verdict = adding(parts(), false, words).judge(paper(day(3)));
    let Verdict::Fail(error) = verdict else {
        panic!("{verdict:?}");
    };
    assert!(error.error.contains("2026-02-13"), "{}", error.error);
    let update = |due| Proposal::Change {
        tool: Tool::UpdateTask,
        reference: "Dentist letter".to_owned(),
        values: NewValues {
            due: Some(Some(due)),
            title: Some(title("Another")),
            ..NewValues::default()
        },
    };
    let words = "move Dentist letter to friday. add milk for 2026-03-03";
    let mut scene = Scene::new(words, tasks());
    let verdict = scene.judge(update(friday));
    let Verdict::Allow(Plan::Change(plan)) = verdict else {
        panic!("{verdict:?}");
    };
    assert_eq!(plan.values.due_date, Some(Some(friday)));
    assert_eq!(plan.values.title, None);
    assert_eq!(scene.dropped, ["update_task.title"]);
    let verdict = Scene::new(words, tasks()).judge(update(day(3)));
    assert!(matches!(verdict, Verdict::Fail(_)), "{verdict:?}");
}

#[test]
fn a_day_outside_the_rule_fails() {
    let mut scene = Scene::new("add milk for yesterday", Vec::new());
    let due = Some(today() - chrono::Days::new(1));
    let bare = AddProposal::titled(title("milk"));
    let verdict = scene.judge(Proposal::Add(AddProposal { due, ..bare }));
    let Verdict::Fail(error) = verdict else {
        panic!("{verdict:?}");
    };
    assert_eq!(error.error_type, ErrorType::Validation);
    assert_eq!(error.details.parameter.as_deref(), Some("due_date"));
    assert_eq!(error.details.value, Some("2026-02-07".into()));
    let rule = error.details.constraint.unwrap_or_default();
    assert!(rule.contains("due dates run from"), "{rule}");
}
