//! An answer to a question about deleting: what runs it, what declines it, what is no answer.

use super::{Scene, task, today};
use crate::domain::Lang;
use crate::guard::{QuestionContext, Speech, ask_change, read_answer};
use crate::intent::{self, Values, Verb};
use crate::temporal::DueRule;
use crate::turn::{Answered, Asked};

/// "Delete 2 tasks?" of three.
fn question() -> Asked {
    let tasks = vec![
        task(1, "Dentist letter", false),
        task(2, "Plumber invoice", false),
        task(3, "Garden fence", false),
    ];
    let ids: Vec<_> = tasks.iter().take(2).map(|task| task.id).collect();
    let scene = Scene::new("", tasks);
    let context = QuestionContext {
        situation: scene.situation(),
        due_rule: DueRule::Year,
        speech: Speech::English,
    };
    ask_change(Verb::Delete, &ids, &Values::default(), &context).expect("a question")
}

fn answer(message: &str) -> Option<Answered> {
    let reading = intent::read(message, today(), Lang::En);
    read_answer(&question(), &reading, message).map(|reply| reply.answered)
}

fn run(items: &[usize], rest: bool) -> Option<Answered> {
    Some(Answered::Run {
        items: items.to_vec(),
        rest,
    })
}

#[test]
fn a_plain_answer_is_understood() {
    for (message, answered) in [
        ("yes", run(&[0, 1], false)),
        ("no", Some(Answered::Declined)),
        ("Dentist letter", run(&[0], true)),
        ("the plumber invoice", run(&[1], true)),
        ("just the first", run(&[0], true)),
    ] {
        assert_eq!(answer(message), answered, "{message:?}");
    }
}

#[test]
fn a_command_of_its_own_is_no_answer() {
    for message in [
        "add milk",
        "what are my tasks?",
        "undo",
        "delete Garden fence",
        "mark Dentist letter as done",
        "yes, add milk",
        "no, delete Garden fence",
    ] {
        assert_eq!(answer(message), None, "{message:?}");
    }
}

#[test]
fn a_question_or_a_remark_runs_nothing() {
    for message in [
        "Dentist letter?",
        "yes?",
        "Dentist letter must stay",
        "the Dentist letter is important",
        "hello",
        "tomorrow",
    ] {
        let answered = answer(message);
        let ran = matches!(answered, Some(Answered::Run { .. }));
        assert!(!ran, "{message:?}: {answered:?}");
    }
}
