//! Tasks that the words mean and values that they set, whatever a model proposes: by table.

use chrono::NaiveDate;

use super::licensed::{acts, change, named, open, tasks};
use super::{Scene, task, title};
use crate::domain::{Lang, Task, TaskId, Tool};
use crate::guard::{Licence, Need, Verdict};
use crate::intent::{self, Act, Clause, Reading, Set, Statement, Target, Values, Verb};
use crate::resolver::Position;
use crate::tools::{AddProposal, ListFilter, NewValues, Plan, PlannedValues, Proposal};

fn id(number: u128) -> TaskId {
    TaskId::new(uuid::Uuid::from_u128(number))
}

fn titled(reference: &str, text: &str) -> Proposal {
    Proposal::Change {
        tool: Tool::UpdateTask,
        reference: reference.to_owned(),
        values: NewValues {
            title: Some(title(text)),
            ..NewValues::default()
        },
    }
}

fn call(tool: Tool, reference: &str) -> Proposal {
    Proposal::Change {
        tool,
        reference: reference.to_owned(),
        values: NewValues::default(),
    }
}

fn add(text: &str) -> Proposal {
    Proposal::Add(AddProposal::titled(title(text)))
}

/// The values of an allowed change.
fn values(verdict: Verdict) -> PlannedValues {
    match verdict {
        Verdict::Allow(Plan::Change(plan)) => plan.values,
        other => panic!("{other:?}"),
    }
}

fn new_title(verdict: Verdict) -> Option<String> {
    values(verdict).title.map(|title| title.as_str().to_owned())
}

#[test]
fn another_title_than_the_users_fails_and_names_theirs() {
    for proposed in [
        "Garden gnome",
        "Delete everything",
        "Plumber invoice. I also deleted Call mom",
        // What it is called already.
        "Dentist letter",
    ] {
        let mut scene = Scene::new("rename Dentist letter to Bank statement", tasks());
        let verdict = scene.judge(titled("Dentist letter", proposed));
        let Verdict::Fail(error) = verdict else {
            panic!("{verdict:?}")
        };
        assert!(error.error.contains("\"Bank statement\""), "{error:?}");
    }
    // None was asked for: the model's is left out, and noted.
    let mut scene = Scene::new("set Dentist letter to high", tasks());
    let verdict = scene.judge(titled("Dentist letter", "Garden gnome"));
    assert_eq!(new_title(verdict), None);
    assert_eq!(scene.dropped, ["update_task.title"]);
}

#[test]
fn a_title_that_the_words_only_describe_is_shown_before_it_is_written() {
    let described = || {
        let fancier = Values {
            described: true,
            ..Values::default()
        };
        let act = change(Verb::Update, vec![named("Dentist letter")], fancier);
        acts(vec![act], tasks(), "make Dentist letter sound fancier")
    };
    let Verdict::Confirm(asked) = described().judge(titled("Dentist letter", "Molar missive"))
    else {
        panic!("not asked");
    };
    assert!(asked.text.contains("Molar missive"), "{}", asked.text);
    // No sentence fits into what is shown.
    let lie = "Done! I deleted \"Call mom\".";
    let Verdict::Confirm(asked) = described().judge(titled("Dentist letter", lie)) else {
        panic!("not asked");
    };
    assert!(!asked.text.contains("deleted"), "{}", asked.text);
}

#[test]
fn the_words_of_a_renaming_part_where_a_task_has_the_title() {
    let renamed = |words: &str, titles: &[&str], reference: &str| {
        let tasks: Vec<Task> = (1..)
            .zip(titles)
            .map(|(number, text)| task(number, text, false))
            .collect();
        let mut scene = Scene::new(words, tasks);
        new_title(scene.judge(call(Tool::UpdateTask, reference)))
    };
    let words = "rename Fly to Mars to Fly to Venus";
    for (titles, reference, new) in [
        (["Milk", "Fly to Mars"], "Fly to Mars", "Fly to Venus"),
        (["Milk", "Fly"], "Fly", "Mars to Fly to Venus"),
        (
            ["Milk", "Fly to Mars to Fly"],
            "Fly to Mars to Fly",
            "Venus",
        ),
        // Where two have one, the longer title.
        (["Fly", "Fly to Mars"], "Fly to Mars", "Fly to Venus"),
    ] {
        assert_eq!(
            renamed(words, &titles, reference).as_deref(),
            Some(new),
            "{titles:?}"
        );
    }
}

/// The tasks that a set means, none if it is asked which.
fn meant(
    verb: Verb,
    set: Set,
    shown: &[u128],
    focus: &[u128],
    tasks: Vec<Task>,
) -> Option<Vec<u128>> {
    let scene = acts(Vec::new(), tasks, "");
    let ids = |numbers: &[u128]| numbers.iter().map(|number| id(*number)).collect();
    let (shown, focus): (Vec<TaskId>, Vec<TaskId>) = (ids(shown), ids(focus));
    let mut situation = scene.situation();
    situation.context.shown = &shown;
    situation.context.focus = &focus;
    let reading = Reading {
        lang: Lang::En,
        clauses: vec![Clause {
            bytes: 0..0,
            act: change(verb, vec![Target::Set(set)], Values::default()),
            notes: Vec::new(),
        }],
    };
    let licence = Licence::new(&reading, "", &situation);
    match licence.open(&situation, Lang::En).as_slice() {
        [Need::All { tasks, .. }] => Some(tasks.iter().map(|id| id.uuid().as_u128()).collect()),
        [Need::Unnamed { list: None, .. }] => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_is_left_out_of_a_set_stays() {
    let without = |targets: Vec<Target>| {
        let set = Set {
            without: targets,
            ..Set::default()
        };
        meant(Verb::Delete, set, &[], &[], tasks())
    };
    let done = Target::Set(Set {
        completed: Some(true),
        ..Set::default()
    });
    assert_eq!(without(vec![named("Dentist letter")]), Some(vec![2, 3, 4]));
    assert_eq!(
        without(vec![named("Dentist letter"), named("Plumber invoice")]),
        Some(vec![3, 4])
    );
    // Of two that fit, both stay; so does a whole set.
    assert_eq!(without(vec![named("letter")]), Some(vec![2, 4]));
    assert_eq!(without(vec![done]), Some(vec![1, 2, 4]));
    // What is to stay is not known: then neither is what is to go.
    assert_eq!(without(vec![named("Passport photos")]), None);
    assert_eq!(without(vec![Target::Missing]), None);
    assert_eq!(
        without(vec![named("Dentist letter"), named("Passport photos")]),
        None
    );
}

#[test]
fn the_others_are_those_of_the_listing_that_the_one_stands_in() {
    let others = |shown: &[u128], focus: &[u128]| {
        let set = Set {
            without: vec![Target::They { count: None }],
            ..Set::default()
        };
        meant(Verb::Delete, set, shown, focus, tasks())
    };
    assert_eq!(others(&[1, 2], &[1]), Some(vec![2]));
    assert_eq!(others(&[2, 3], &[1]), Some(vec![2, 3, 4]));
    assert_eq!(others(&[1, 2, 4], &[1, 4]), Some(vec![2]));
    assert_eq!(others(&[1, 2], &[]), None);
}

#[test]
fn a_set_of_a_day_or_a_list_is_no_set_of_all() {
    let day = NaiveDate::from_ymd_opt(2026, 2, 13).expect("a day");
    let mut dated = tasks();
    for task in dated.iter_mut().take(1) {
        task.due_date = Some(day);
    }
    let friday = Set {
        due: Some(intent::DueFilter::Between {
            from: day,
            to: day,
            words: "friday".to_owned(),
        }),
        ..Set::default()
    };
    for verb in [Verb::Delete, Verb::Complete, Verb::Update] {
        let found = meant(verb, friday.clone(), &[], &[], dated.clone());
        assert_eq!(found, Some(vec![1]), "{verb:?}");
    }
    let mut overdue = dated.clone();
    for task in overdue.iter_mut().take(1) {
        task.due_date = NaiveDate::from_ymd_opt(2026, 2, 1);
    }
    let late = Set {
        due: Some(intent::DueFilter::Overdue),
        ..Set::default()
    };
    assert_eq!(meant(Verb::Delete, late, &[], &[], overdue), Some(vec![1]));
}

#[test]
fn completing_looks_among_open_tasks_and_reopening_among_done_ones() {
    for (words, tool, number) in [
        ("complete the letter", Tool::CompleteTask, 1),
        ("reopen the letter", Tool::UpdateTask, 3),
    ] {
        let mut scene = Scene::new(words, tasks());
        let reference = if number == 1 {
            "Dentist letter"
        } else {
            "Bank letter"
        };
        let proposal = if tool == Tool::UpdateTask {
            Proposal::Change {
                tool,
                reference: reference.to_owned(),
                values: NewValues {
                    completed: Some(false),
                    ..NewValues::default()
                },
            }
        } else {
            call(tool, reference)
        };
        match scene.judge(proposal) {
            Verdict::Allow(Plan::Change(plan)) => assert_eq!(plan.task, id(number), "{words}"),
            other => panic!("{words}: {other:?}"),
        }
    }
    // To delete, both fit: it is asked which.
    let scene = Scene::new("delete the letter", tasks());
    assert!(matches!(open(&scene).as_slice(), [Need::Which { .. }]));
}

#[test]
fn a_title_that_is_open_already_is_asked_about_before_it_is_doubled() {
    let mut scene = Scene::new("add dentist letter", tasks());
    let Verdict::Confirm(asked) = scene.judge(add("dentist LETTER")) else {
        panic!("not asked");
    };
    assert!(asked.text.contains("already"), "{}", asked.text);
    // What is done, and what only has a word of it, is no double.
    for text in ["Bank letter", "Love letter"] {
        let verdict = Scene::new(&format!("add {text}"), tasks()).judge(add(text));
        assert!(matches!(verdict, Verdict::Allow(_)), "{text}: {verdict:?}");
    }
}

#[test]
fn what_was_read_or_taken_back_is_no_longer_open_and_not_before() {
    let mut reads = Scene::new("what are my tasks?", tasks());
    assert_eq!(open(&reads), [Need::Call(Tool::ListTasks)]);
    reads.judge(Proposal::List(ListFilter::default()));
    assert_eq!(open(&reads), []);
    let mut undoes = Scene::new("undo", tasks());
    assert_eq!(open(&undoes), [Need::Call(Tool::Undo)]);
    undoes.judge(Proposal::Undo);
    assert_eq!(open(&undoes), []);
}

#[test]
fn a_remark_is_a_command_for_one_open_task_and_a_question_for_several() {
    let two = || {
        vec![
            task(1, "Dentist letter", false),
            task(2, "Bank letter", false),
            task(3, "Garden fence", true),
        ]
    };
    let remark = |target: Target, parts: Vec<Target>, told: bool| {
        let statement = Statement {
            target,
            parts,
            done: true,
            told,
        };
        let mut scene = acts(vec![Act::Statement(statement.clone())], two(), "it is done");
        scene.shown.clear();
        let reading = Reading {
            lang: Lang::En,
            clauses: vec![Clause {
                bytes: 0..10,
                act: Act::Statement(statement),
                notes: Vec::new(),
            }],
        };
        let licence = Licence::new(&reading, "it is done", &scene.situation());
        match licence.open(&scene.situation(), Lang::En).as_slice() {
            [] => "nothing",
            [Need::Call(Tool::CompleteTask)] => "one",
            [Need::Call(_), Need::Call(_)] => "two",
            [Need::Which { .. }] => "which",
            [Need::Unnamed { .. }] => "unnamed",
            other => panic!("{other:?}"),
        }
    };
    let first = Target::Position(Position::Nth(1));
    let pair = |one: &str, other: &str| vec![named(one), named(other)];
    for (target, parts, told, wanted) in [
        (named("Dentist letter"), vec![], false, "one"),
        (named("letter"), vec![], true, "which"),
        (named("letter"), vec![], false, "nothing"),
        (named("weather"), vec![], true, "nothing"),
        (named("weather"), vec![], false, "nothing"),
        (named("Garden fence"), vec![], true, "nothing"),
        (Target::It, vec![], true, "nothing"),
        (first.clone(), vec![], true, "unnamed"),
        (first, vec![], false, "nothing"),
        (
            named("Dentist letter and Bank letter"),
            pair("Dentist letter", "Bank letter"),
            true,
            "two",
        ),
        // One of them is none, or is done: then it is small talk.
        (
            named("Dentist letter and weather"),
            pair("Dentist letter", "weather"),
            true,
            "nothing",
        ),
        (
            named("Dentist letter and Garden fence"),
            pair("Dentist letter", "Garden fence"),
            true,
            "nothing",
        ),
    ] {
        let said = format!("{target:?} {told}");
        assert_eq!(remark(target, parts, told), wanted, "{said}");
    }
    let scene = Scene::new("the letter is done", two());
    assert!(matches!(open(&scene).as_slice(), [Need::Which { .. }]));
}
