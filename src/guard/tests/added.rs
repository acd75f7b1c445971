//! Part of an addition that a title takes up, in whose words, and with which values.

use chrono::NaiveDate;

use super::licensed::{acts, change, named, open, tasks};
use super::{Scene, title, today};
use crate::domain::{ErrorType, Priority, Tool};
use crate::guard::{Grant, GrantKind, Licence, Need, Verdict};
use crate::intent::{Addition, Due, NewTask, Values, Verb};
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
    let parts = || {
        vec![
            part("fresh milk", None),
            part("brown eggs", Some(Priority::High)),
        ]
    };
    let words = "fresh milk and brown eggs";
    for (text, priority, left) in [
        ("eggs", Priority::High, 1),
        ("Brown eggs", Priority::High, 1),
        ("milk", Priority::Medium, 1),
        ("fresh milk and brown eggs", Priority::Medium, 0),
    ] {
        let mut scene = adding(parts(), false, words);
        let verdict = scene.judge(add(text));
        let Verdict::Allow(Plan::Add(plan)) = verdict else {
            panic!("{text}: {verdict:?}");
        };
        assert_eq!(plan.priority, priority, "{text}");
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
fn another_wording_is_shown_first_and_other_words_are_refused() {
    let mut scene = adding(vec![part("eggs", None)], false, "eggs");
    for title in ["Sweep floor", "eggs and six hundred dollars"] {
        let verdict = scene.judge(add(title));
        assert!(
            matches!(verdict, Verdict::Deny(Refusal::Unlicensed, _)),
            "{verdict:?}"
        );
    }
    assert_eq!(open(&scene), [Need::Call(Tool::AddTask)]);
    assert!(matches!(scene.judge(add("Six eggs")), Verdict::Confirm(_)));
    assert_eq!(open(&scene), []);
    // What is described is the model's to name, and the user's to confirm.
    let mut scene = adding(Vec::new(), true, "what I need for pancakes");
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
    let high = Values {
        priority: Some(Priority::High),
        ..Values::default()
    };
    let words = "the friday one. buy milk on 2026-03-03";
    for (due, kept) in [(friday, Some(Some(friday))), (day(3), None)] {
        let act = change(Verb::Update, vec![named("Dentist letter")], high.clone());
        let mut scene = acts(vec![act], tasks(), words);
        if let Some(grant) = scene.licence.grants.first_mut() {
            grant.bytes = 0..14;
        }
        let verdict = scene.judge(update(due));
        let Verdict::Allow(Plan::Change(plan)) = verdict else {
            panic!("{verdict:?}");
        };
        assert_eq!(plan.values.due_date, kept, "{due}");
        assert_eq!(plan.values.title, None);
        let mut dropped = vec!["update_task.title"];
        if kept.is_none() {
            dropped.push("update_task.due_date");
        }
        assert_eq!(scene.dropped, dropped);
    }
}

#[test]
fn a_day_outside_the_rule_fails() {
    let mut scene = adding(vec![part("milk", None)], false, "milk");
    if let Some(GrantKind::Add { addition, .. }) = scene
        .licence
        .grants
        .first_mut()
        .map(|grant| &mut grant.kind)
    {
        addition.whole.due = Some(Due::On {
            day: today() - chrono::Days::new(1),
            words: "yesterday".to_owned(),
        });
    }
    let verdict = scene.judge(add("milk"));
    let Verdict::Fail(error) = verdict else {
        panic!("{verdict:?}");
    };
    assert_eq!(error.error_type, ErrorType::Validation);
    assert_eq!(error.details.parameter.as_deref(), Some("due_date"));
    assert_eq!(error.details.value, Some("2026-02-07".into()));
    assert!(
        error
            .details
            .constraint
            .is_some_and(|rule| rule.contains("due dates run from"))
    );
}
