//! An answer to a question about deleting: what runs it, what declines it, what is no answer.

use chrono::{NaiveDate, NaiveTime};
use chrono_tz::Tz;

use super::{Scene, task, today};
use crate::domain::{DueTime, Lang, Priority, Repeat, Title, Tool};
use crate::guard::{
    QuestionContext, Verdict, amend, ask_add, ask_change, part_answer, read_answer,
};
use crate::intent::{self, Values, Verb};
use crate::temporal::DueRule;
use crate::tools::{NewTask, NewValues, Plan, Proposal};
use crate::turn::{QuestionAnswer, ServerQuestion};

/// "Delete 2 tasks?" of three.
fn question() -> ServerQuestion {
    question_of(Verb::Delete, &Values::default())
}

/// The list that it is asked of.
fn list() -> Scene {
    let tasks = vec![
        task(1, "Dentist letter", false),
        task(2, "Plumber invoice", false),
        task(3, "Garden fence", false),
    ];
    Scene::new("", tasks)
}

fn question_of(verb: Verb, values: &Values) -> ServerQuestion {
    let scene = list();
    let situation = scene.situation();
    let ids: Vec<_> = situation.tasks.iter().take(2).map(|task| task.id).collect();
    let context = QuestionContext {
        situation,
        due_rule: DueRule::Year,
        speech: Lang::En,
    };
    ask_change(verb, &ids, values, &context).expect("a question")
}

fn answer(message: &str) -> Option<QuestionAnswer> {
    answer_to(&question(), message, &list())
}

fn answer_to(asked: &ServerQuestion, message: &str, scene: &Scene) -> Option<QuestionAnswer> {
    let reading = intent::read(message, today(), Lang::En);
    let reply = read_answer(asked, &reading, message, &scene.situation());
    reply.map(|reply| reply.answered)
}

fn run(items: &[usize], rest: bool) -> Option<QuestionAnswer> {
    Some(QuestionAnswer::Run {
        items: items.to_vec(),
        rest,
    })
}

#[test]
fn a_plain_answer_is_understood() {
    for (message, answered) in [
        ("yes", run(&[0, 1], false)),
        ("no", Some(QuestionAnswer::Declined)),
        ("Dentist letter", run(&[0], true)),
        ("the plumber invoice", run(&[1], true)),
        ("just the first", run(&[0], true)),
    ] {
        assert_eq!(answer(message), answered, "{message:?}");
    }
}

#[test]
fn a_no_goes_before_a_choice_of_everything() {
    for message in [
        "no, both",
        "no, all of them",
        "no, not the one",
        "no, just the one",
        "no, only one",
        "nein, nur eins",
        "non, juste un",
        "no, solo uno",
        "não, só um",
    ] {
        let answered = answer(message);
        let ran = matches!(
            answered,
            Some(QuestionAnswer::Run { .. } | QuestionAnswer::Narrow(_))
        );
        assert!(!ran, "{message:?}: {answered:?}");
    }
    assert_eq!(answer("no, only the first"), run(&[0], true));
    assert_eq!(answer("just one"), Some(QuestionAnswer::Unclear));
}

#[test]
fn what_stands_beside_a_no_is_left_to_a_model() {
    for message in [
        "no, the garden fence",
        "no, it's done already",
        "no, that is silly",
    ] {
        assert_eq!(answer(message), None, "{message:?}");
    }
    for message in ["no", "no thanks", "nope!"] {
        assert_eq!(
            answer(message),
            Some(QuestionAnswer::Declined),
            "{message:?}"
        );
    }
}

/// "Add "polish the silver" (due …, every month on the 1st)?"
fn repeating() -> ServerQuestion {
    let plan = NewTask {
        title: Title::parse("polish the silver").unwrap(),
        description: Some("the good one".to_owned()),
        priority: Priority::Low,
        due_date: NaiveDate::from_ymd_opt(2026, 12, 1),
        due_time: None,
        repeat: Repeat::parse("FREQ=MONTHLY;BYMONTHDAY=1").ok(),
        remind: None,
    };
    ask_add(vec![plan], Lang::En)
}

#[test]
fn an_amendment_keeps_what_it_does_not_name() {
    let scene = list();
    let amended = |message: &str| {
        let asked = repeating();
        let reading = intent::read(message, today(), Lang::En);
        let reply = read_answer(&asked, &reading, message, &scene.situation())?;
        let QuestionAnswer::Run { .. } = reply.answered else {
            return None;
        };
        let mut plan = asked.items.first()?.plans.first()?.clone();
        amend(
            &mut plan,
            &reply.amended,
            &scene.situation(),
            DueRule::Rolling,
        );
        match plan {
            Plan::Add(plan) => Some(plan),
            _ => None,
        }
    };
    let Some(Plan::Add(shown)) = repeating().items.first().map(|item| item.plans[0].clone()) else {
        panic!("an addition");
    };
    let time = NaiveTime::from_hms_opt(16, 0, 0).map(|time| DueTime::new(time, Tz::UTC));
    let timed = NewTask {
        due_time: time,
        ..shown.clone()
    };
    for message in [
        "at 4pm",
        "yes, at 4pm",
        "yes, add it at 4pm",
        "ja, um 16 uhr",
        "oui, à 16h",
    ] {
        assert_eq!(amended(message).as_ref(), Some(&timed), "{message:?}");
    }
    let urgent = NewTask {
        priority: Priority::High,
        ..shown.clone()
    };
    for message in [
        "high priority",
        "yes but high priority",
        "yes, and make it high priority",
    ] {
        assert_eq!(amended(message).as_ref(), Some(&urgent), "{message:?}");
    }
    let renamed = amended("yes call it shine the spoons").map(|plan| plan.title);
    assert_eq!(renamed, Title::parse("shine the spoons").ok());
    assert_eq!(amended("yes"), Some(shown));
    // A day of what repeats, a reminder and a question are none of its own to put in.
    for message in ["friday", "make it friday", "remind me at 9am", "at 4pm?"] {
        assert_eq!(amended(message), None, "{message:?}");
    }
}

#[test]
fn what_follows_a_yes_is_apart_from_it() {
    let asked = question();
    let scene = list();
    let parted = |message: &str| {
        let reading = intent::read(message, today(), Lang::En);
        let parted = part_answer(&asked, &reading, message, &scene.situation());
        parted.map(|(answer, more)| (answer.clauses.len(), more.clauses.len()))
    };
    for message in [
        "yes and the garden fence too",
        "yes, add figs",
        "ja, und der zaun auch",
    ] {
        assert_eq!(parted(message), Some((1, 1)), "{message:?}");
    }
    for message in ["yes", "yes, both", "no, and the garden fence too"] {
        assert_eq!(parted(message), None, "{message:?}");
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
        assert_eq!(answer_to(&asked, message, &list()), None, "{message:?}");
    }
    for message in ["set the Dentist letter to low", "set the first one to low"] {
        let answered = answer_to(&asked, message, &list());
        assert_eq!(answered, run(&[0], true), "{message:?}");
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
        let ran = matches!(answered, Some(QuestionAnswer::Run { .. }));
        assert!(!ran, "{message:?}: {answered:?}");
    }
}

#[test]
fn a_title_of_signs_is_not_named_by_words() {
    let tasks = vec![
        task(1, "Dentist letter", false),
        task(2, "🎉", false),
        task(3, "Plumber invoice", false),
    ];
    let scene = Scene::new("", tasks);
    let situation = scene.situation();
    let ids: Vec<_> = situation.tasks.iter().map(|task| task.id).collect();
    let context = QuestionContext {
        situation,
        due_rule: DueRule::Year,
        speech: Lang::En,
    };
    let asked = ask_change(Verb::Delete, &ids, &Values::default(), &context).expect("a question");
    let named = answer_to(&asked, "Dentist letter and Plumber invoice", &scene);
    assert_eq!(named, run(&[0, 2], true));
    assert_eq!(answer_to(&asked, "🎉", &scene), run(&[1], true));
}

#[test]
fn a_command_chooses_no_twin_of_what_it_names() {
    let twins = Scene::new(
        "",
        vec![
            task(1, "Dentist letter", true),
            task(2, "Plumber invoice", true),
            task(3, "Dentist letter", false),
            task(4, "invoice", false),
        ],
    );
    // Asked about the first two, which are done.
    let asked = question();
    for message in [
        "delete Dentist letter",
        "delete the dentist letter",
        "borra Dentist letter",
        "delete \"Dentist letter\" and \"Plumber invoice\"",
        // "invoice" is a task of that very title.
        "delete invoice",
    ] {
        assert_eq!(answer_to(&asked, message, &twins), None, "{message:?}");
    }
    // What is no command of its own speaks of the options; so does what fits nothing else.
    for (message, answered) in [
        ("the dentist letter", run(&[0], true)),
        ("delete the first one", run(&[0], true)),
        ("delete Plumber invoice", run(&[1], true)),
        ("delete the plumber one", run(&[1], true)),
    ] {
        assert_eq!(answer_to(&asked, message, &twins), answered, "{message:?}");
    }
}

#[test]
fn a_no_to_a_question_that_waits_no_more_allows_nothing() {
    let judged = |words: &str| {
        let tasks = vec![task(1, "Call grandma", false), task(2, "Buy milk", false)];
        let mut scene = Scene::new(words, tasks);
        scene.before = ["Mark 2 tasks as done?", "mark everything as done"]
            .map(str::to_owned)
            .to_vec();
        let verdict = scene.judge(Proposal::Change {
            tool: Tool::CompleteTask,
            reference: "Call grandma".to_owned(),
            values: NewValues::default(),
        });
        matches!(verdict, Verdict::Allow(_))
    };
    for words in ["no", "nope", "no thanks", "nein", "no!!"] {
        assert!(!judged(words), "{words}");
    }
    for words in ["yes", "yes, both", "sure"] {
        assert!(judged(words), "{words}");
    }
}
