//! An answer to a question about deleting: what runs it, what declines it, what is no answer.

use super::{Scene, task, today};
use crate::domain::{Lang, Priority};
use crate::guard::{QuestionContext, Speech, ask_change, read_answer};
use crate::intent::{self, Values, Verb};
use crate::temporal::DueRule;
use crate::turn::{Answered, Asked};

/// "Delete 2 tasks?" of three.
fn question() -> Asked {
    question_of(Verb::Delete, &Values::default())
}

fn question_of(verb: Verb, values: &Values) -> Asked {
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
    ask_change(verb, &ids, values, &context).expect("a question")
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
        "delete Call plumber",
        "mark Dentist letter as done",
        "yes, add milk",
        "no, delete Garden fence",
    ] {
        assert_eq!(answer(message), None, "{message:?}");
    }
}

#[test]
fn a_change_with_values_of_its_own_is_no_yes_to_others() {
    let low = Values {
        priority: Some(Priority::Low),
        ..Values::default()
    };
    let asked = question_of(Verb::Update, &low);
    for message in [
        "move Dentist letter to friday",
        "set Dentist letter to high",
        "move them to friday",
    ] {
        let reading = intent::read(message, today(), Lang::En);
        assert_eq!(read_answer(&asked, &reading, message), None, "{message:?}");
    }
    for message in ["set the Dentist letter to low", "set the first one to low"] {
        let reading = intent::read(message, today(), Lang::En);
        let reply = read_answer(&asked, &reading, message);
        let answered = reply.map(|reply| reply.answered);
        assert_eq!(answered, run(&[0], true), "{message:?}: {reading:?}");
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
