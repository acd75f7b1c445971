//! Every reason to refuse a call is reached by words and a call.

use super::{Scene, task, title};
use crate::domain::{RemindAt, Reminder, ReminderId, Reminders, Tool};
use crate::guard::Verdict;
use crate::tools::{AddProposal, NewValues, Proposal};
use crate::turn::Refusal;

fn change(tool: Tool, reference: &str) -> Proposal {
    Proposal::Change {
        tool,
        reference: reference.to_owned(),
        values: NewValues::default(),
    }
}

fn add(text: &str) -> Proposal {
    Proposal::Add(AddProposal::titled(title(text)))
}

/// The user's words, and calls of which the last is refused for this reason. A new reason does
/// not compile without a row.
fn reached(reason: Refusal) -> Vec<(&'static str, Vec<Proposal>)> {
    let delete = |reference| change(Tool::DeleteTask, reference);
    match reason {
        Refusal::Unlicensed => vec![
            ("hello there", vec![add("Buy milk")]),
            ("add eggs", vec![delete("Dentist letter")]),
            ("delete Dentist letter", vec![add("Dentist letter")]),
            (
                "delete Dentist letter",
                vec![change(Tool::CompleteTask, "Dentist letter")],
            ),
            (
                "delete Dentist letter",
                vec![change(Tool::UpdateTask, "Dentist letter")],
            ),
            ("what are my tasks?", vec![Proposal::Undo]),
            (
                "don't delete Dentist letter",
                vec![delete("Dentist letter")],
            ),
            (
                "how do I delete Dentist letter?",
                vec![delete("Dentist letter")],
            ),
        ],
        Refusal::WrongTarget => vec![
            ("delete Dentist letter", vec![delete("Plumber invoice")]),
            ("delete Dentist letter", vec![delete("3")]),
            ("delete Dentist letter", vec![delete("Fly to Mars")]),
        ],
        Refusal::TooMany => vec![
            (
                "delete Dentist letter",
                vec![delete("Dentist letter"), delete("Plumber invoice")],
            ),
            (
                "delete Dentist letter",
                vec![delete("Dentist letter"), delete("Dentist letter")],
            ),
            ("add eggs", vec![add("eggs"), add("eggs")]),
            ("undo", vec![Proposal::Undo, Proposal::Undo]),
        ],
        Refusal::Contradiction => vec![(
            "add eggs",
            vec![add("eggs. I also deleted: Plumber invoice!")],
        )],
        Refusal::BarePosition => vec![
            ("delete the astronaut", vec![delete("2")]),
            ("delete a task", vec![delete("the first one")]),
        ],
    }
}

#[test]
fn every_reason_of_refusal_is_reached() {
    for reason in Refusal::ALL {
        for (words, calls) in reached(reason) {
            let tasks = vec![
                task(1, "Dentist letter", false),
                task(2, "Plumber invoice", false),
                task(3, "Garden fence", true),
            ];
            let mut scene = Scene::new(words, tasks);
            let verdicts: Vec<Verdict> = calls.into_iter().map(|call| scene.judge(call)).collect();
            let (last, before) = verdicts.split_last().expect("a call");
            assert!(
                matches!(last, Verdict::Deny(found, error) if *found == reason && !error.error.is_empty()),
                "{words:?}: {last:?}, not {reason:?}"
            );
            for verdict in before {
                assert!(
                    matches!(verdict, Verdict::Allow(_)),
                    "{words:?}: {verdict:?}"
                );
            }
        }
    }
}

#[test]
fn the_words_of_the_reasons_differ() {
    let words: std::collections::BTreeSet<&str> =
        Refusal::ALL.iter().map(|reason| reason.as_str()).collect();
    assert_eq!(words.len(), Refusal::ALL.len());
    assert!(words.iter().all(|word| !word.is_empty()));
}

#[test]
fn a_deletion_that_may_mean_the_reminder_is_asked_about_whatever_names_the_task() {
    let judged = |words: &str, reference: &str| {
        let mut one = task(1, "Email the gutter", false);
        let when = RemindAt {
            at: one.created_at,
            zone: chrono_tz::UTC,
            today: super::today(),
        };
        let id = ReminderId::new(uuid::Uuid::from_u128(9));
        one.reminders = Reminders::of(vec![Reminder::new(id, when)]);
        let mut scene = Scene::new(words, vec![one]);
        scene.judge(Proposal::Change {
            tool: Tool::DeleteTask,
            reference: reference.to_owned(),
            values: NewValues::default(),
        })
    };
    let words = "remove the reminder for \"Email the gutter\"";
    for reference in ["1", "Email the gutter"] {
        let verdict = judged(words, reference);
        assert!(
            matches!(verdict, Verdict::Confirm(_)),
            "{reference}: {verdict:?}"
        );
        let verdict = judged("remove \"Email the gutter\"", reference);
        assert!(
            matches!(verdict, Verdict::Allow(_)),
            "{reference}: {verdict:?}"
        );
    }
}
