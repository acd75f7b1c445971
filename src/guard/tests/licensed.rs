//! Part of the words that a call stands for, and what the words leave open: the rules by table.

use super::{Scene, task, today};
use crate::domain::{ErrorType, Lang, Priority, Task, TaskId, Tool};
use crate::guard::{GrantKind, Licence, Need, Part, Verdict, settle};
use crate::intent::{self, Act, Change, Clause, Reading, Set, Target, Targets, Values, Verb};
use crate::resolver::{Missing, Position};
use crate::tools::{ListFilter, NewValues, Plan, Proposal, StatusFilter};
use crate::turn::Refusal;

pub(super) fn tasks() -> Vec<Task> {
    vec![
        task(1, "Dentist letter", false),
        task(2, "Plumber invoice", false),
        task(3, "Bank letter", true),
        task(4, "Milk and eggs", false),
    ]
}

fn id(number: u128) -> TaskId {
    TaskId::new(uuid::Uuid::from_u128(number))
}

fn call(tool: Tool, reference: &str) -> Proposal {
    Proposal::Change {
        tool,
        reference: reference.to_owned(),
        values: NewValues::default(),
    }
}

fn delete(reference: &str) -> Proposal {
    call(Tool::DeleteTask, reference)
}

/// A scene whose licence is read off these acts instead of words.
pub(super) fn acts(acts: Vec<Act>, tasks: Vec<Task>, words: &str) -> Scene {
    let mut scene = Scene::new("", tasks);
    let clauses = acts.into_iter().map(|act| Clause {
        bytes: 0..words.len(),
        act,
        notes: Vec::new(),
    });
    let reading = Reading {
        lang: crate::domain::Lang::En,
        clauses: clauses.collect(),
    };
    scene.licence = Licence::new(&reading, words, &scene.situation());
    scene
}

pub(super) fn change(verb: Verb, targets: Vec<Target>, values: Values) -> Act {
    let whole = match targets.as_slice() {
        [one] => one.clone(),
        _ => Target::Named("all of these words".to_owned()),
    };
    Act::Change(Change {
        verb,
        targets: Targets {
            whole,
            parts: targets,
        },
        values,
        splits: Vec::new(),
    })
}

pub(super) fn named(words: &str) -> Target {
    Target::Named(words.to_owned())
}

fn set(completed: Option<bool>) -> Target {
    Target::Set(Set {
        completed,
        ..Set::default()
    })
}

/// The task of an allowed change.
fn ran(verdict: &Verdict) -> Option<TaskId> {
    match verdict {
        Verdict::Allow(Plan::Change(plan)) => Some(plan.task),
        _ => None,
    }
}

pub(super) fn open(scene: &Scene) -> Vec<Need> {
    scene.licence.open(&scene.situation(), Lang::En)
}

#[test]
fn another_verbs_target_is_not_this_ones() {
    let words = "delete Dentist letter and mark Plumber invoice as done";
    let mut scene = Scene::new(words, tasks());
    assert_eq!(
        scene.licence.tools(),
        [Tool::DeleteTask, Tool::CompleteTask]
    );
    let verdict = scene.judge(delete("Plumber invoice"));
    assert!(
        matches!(verdict, Verdict::Deny(Refusal::WrongTarget, _)),
        "{verdict:?}"
    );
    assert_eq!(ran(&scene.judge(delete("Dentist letter"))), Some(id(1)));
    // Even when nothing else is left to delete.
    let verdict = scene.judge(delete("Plumber invoice"));
    assert!(matches!(verdict, Verdict::Deny(..)), "{verdict:?}");
    let verdict = scene.judge(call(Tool::CompleteTask, "Plumber invoice"));
    assert_eq!(ran(&verdict), Some(id(2)));
}

#[test]
fn a_call_stands_for_the_part_that_means_its_task() {
    let words = "delete Plumber invoice and Dentist letter";
    // By id, by position, by another spelling, by words that several titles have.
    for reference in [id(1).to_string().as_str(), "1", "dentist LETTER", "letter"] {
        let mut scene = Scene::new(words, tasks());
        let verdict = scene.judge(delete(reference));
        assert_eq!(ran(&verdict), Some(id(1)), "{reference}: {verdict:?}");
        assert_eq!(open(&scene), [Need::Call(Tool::DeleteTask)]);
    }
}

#[test]
fn a_call_stands_for_the_set_that_holds_its_task() {
    let targets = vec![named("Dentist letter"), set(Some(true))];
    let mut tasks = tasks();
    tasks.push(task(5, "Old receipt", true));
    let mut scene = acts(
        vec![change(Verb::Delete, targets, Values::default())],
        tasks,
        "",
    );
    // One by one: the whole set is asked about, once and again.
    for reference in ["Bank letter", "Old receipt"] {
        let verdict = scene.judge(delete(reference));
        let Verdict::Confirm(asked) = verdict else {
            panic!("{reference}: {verdict:?}");
        };
        assert_eq!(asked.items.len(), 2);
    }
    assert_eq!(open(&scene), [Need::Call(Tool::DeleteTask)]);
}

#[test]
fn the_words_of_a_part_name_it_though_they_fit_nothing() {
    let mut scene = Scene::new("delete Dentist letter", tasks());
    if let Some(GrantKind::Change { parts, .. }) = scene
        .licence
        .grants
        .first_mut()
        .map(|grant| &mut grant.kind)
        && let Some(part) = parts.first_mut()
    {
        part.target = named("the tooth thing");
    }
    let mut other = scene.licence.clone();
    assert_eq!(ran(&scene.judge(delete("The tooth thing"))), Some(id(1)));
    std::mem::swap(&mut scene.licence, &mut other);
    let verdict = scene.judge(delete("Mars"));
    assert!(
        matches!(verdict, Verdict::Deny(Refusal::WrongTarget, _)),
        "{verdict:?}"
    );
    // A title with an id is known to the model as it was shown to it.
    let hidden = "Pay 67e55044-10b1-426f-9247-bb680e5fe0c8";
    let mut scene = Scene::new("delete it", vec![task(1, hidden, false)]);
    let words = format!("delete {hidden}");
    scene.licence = acts(
        vec![change(Verb::Delete, vec![named(hidden)], Values::default())],
        scene.tasks.to_vec(),
        &words,
    )
    .licence;
    assert_eq!(ran(&scene.judge(delete("Pay [id]"))), Some(id(1)));
}

#[test]
fn a_refusal_tells_the_model_what_is_meant() {
    let mut scene = Scene::new("delete Dentist letter", tasks());
    for reference in ["Plumber invoice", "Mars"] {
        let verdict = scene.judge(delete(reference));
        let Verdict::Deny(Refusal::WrongTarget, error) = verdict else {
            panic!("{reference}: {verdict:?}");
        };
        assert!(error.error.contains(reference) && error.error.contains("Dentist letter"));
        let details = error.details;
        assert_eq!(details.parameter.as_deref(), Some("task"));
        assert_eq!(details.value, Some(reference.into()));
        assert_eq!(
            details.suggestion.as_deref(),
            Some("Use \"Dentist letter\"")
        );
        let near = if reference == "Mars" {
            vec!["Dentist letter".to_owned()]
        } else {
            Vec::new()
        };
        assert_eq!(details.suggestions, near);
    }
    for (tool, what) in [
        (Tool::DeleteTask, "delete a task"),
        (Tool::CompleteTask, "mark a task as done"),
        (Tool::UpdateTask, "change a task"),
    ] {
        let verdict = Scene::new("hello", tasks()).judge(call(tool, "Bank letter"));
        let Verdict::Deny(Refusal::Unlicensed, error) = verdict else {
            panic!("{verdict:?}");
        };
        assert!(error.error.contains(what), "{}", error.error);
    }
    let mut scene = Scene::new("delete Mars mission", tasks());
    let Verdict::Fail(error) = scene.judge(delete("Mars mission")) else {
        panic!("no failure");
    };
    assert_eq!(error.error_type, ErrorType::NotFound);
    assert_eq!(error.details.parameter.as_deref(), Some("task"));
    assert_eq!(error.details.value, Some("Mars mission".into()));
}

#[test]
fn one_wish_said_twice_is_one_call_and_two_wishes_are_two() {
    let both = |verb, other, values: Values| {
        vec![
            change(verb, vec![named("Dentist letter")], values.clone()),
            change(other, vec![named("Dentist letter")], values),
        ]
    };
    let none = Values::default();
    let mut scene = acts(
        both(Verb::Complete, Verb::Complete, none.clone()),
        tasks(),
        "",
    );
    assert!(ran(&scene.judge(call(Tool::CompleteTask, "Dentist letter"))).is_some());
    assert_eq!(open(&scene), []);
    let mut scene = acts(both(Verb::Complete, Verb::Delete, none), tasks(), "");
    assert!(ran(&scene.judge(call(Tool::CompleteTask, "Dentist letter"))).is_some());
    assert_eq!(open(&scene), [Need::Call(Tool::DeleteTask)]);
    let high = Values {
        priority: Some(Priority::High),
        ..Values::default()
    };
    let mut scene = acts(both(Verb::Update, Verb::Update, high), tasks(), "");
    assert!(ran(&scene.judge(call(Tool::UpdateTask, "Dentist letter"))).is_some());
    assert_eq!(open(&scene), [Need::Call(Tool::UpdateTask)]);
}

#[test]
fn an_empty_set_is_said_to_be_empty() {
    let open_ones = vec![task(1, "Dentist letter", false)];
    let act = change(Verb::Delete, vec![set(Some(true))], Values::default());
    let mut scene = acts(vec![act.clone()], open_ones, "");
    let needs = open(&scene);
    assert!(matches!(
        needs.as_slice(),
        [Need::Absent {
            verb: Verb::Delete,
            why: Missing::NoneSuch,
            ..
        }]
    ));
    let verdict = scene.judge(delete("all completed"));
    let Verdict::Fail(error) = verdict else {
        panic!("{verdict:?}");
    };
    assert_eq!(error.error_type, ErrorType::NotFound);
    assert_eq!(
        error.error,
        "Could not delete \"completed tasks\": there are none."
    );
    let scene = acts(vec![act], tasks(), "");
    let needs = open(&scene);
    assert!(
        matches!(needs.as_slice(), [Need::All { tasks, .. }] if *tasks == [id(3)]),
        "{needs:?}"
    );
}

#[test]
fn a_set_holds_what_its_words_say() {
    let many = |verb, set: Set| -> Vec<u128> {
        let scene = acts(
            vec![change(verb, vec![Target::Set(set)], Values::default())],
            tasks(),
            "",
        );
        match open(&scene).as_slice() {
            [Need::All { tasks, .. }] => tasks.iter().map(|id| id.uuid().as_u128()).collect(),
            other => panic!("{other:?}"),
        }
    };
    let all = Set::default;
    let letters = Set {
        query: Some("letter".to_owned()),
        ..Set::default()
    };
    let undated = Set {
        due: Some(intent::DueFilter::Undated),
        ..Set::default()
    };
    assert_eq!(many(Verb::Delete, all()), [1_u128, 2, 3, 4]);
    assert_eq!(many(Verb::Update, all()), [1, 2, 3, 4]);
    assert_eq!(many(Verb::Update, undated), [1, 2, 4]);
    assert_eq!(many(Verb::Complete, all()), [1, 2, 4]);
    assert_eq!(many(Verb::Reopen, all()), [3]);
    assert_eq!(many(Verb::Delete, letters), [1, 3]);
}

#[test]
fn both_and_them_are_the_tasks_in_focus_and_no_others() {
    let meant = |count, focus: &[u128]| {
        let mut scene = acts(Vec::new(), tasks(), "");
        let focus: Vec<TaskId> = focus.iter().map(|number| id(*number)).collect();
        let mut situation = scene.situation();
        situation.context.focus = &focus;
        let reading = Reading {
            lang: crate::domain::Lang::En,
            clauses: vec![Clause {
                bytes: 0..0,
                act: change(
                    Verb::Delete,
                    vec![Target::They { count }],
                    Values::default(),
                ),
                notes: Vec::new(),
            }],
        };
        let licence = Licence::new(&reading, "", &situation);
        let needs = licence.open(&situation, Lang::En);
        scene.licence = licence;
        match needs.as_slice() {
            [Need::All { tasks, .. }] => Some(tasks.len()),
            [Need::Unnamed { list: None, .. }] => None,
            other => panic!("{other:?}"),
        }
    };
    assert_eq!(meant(None, &[1, 2]), Some(2));
    assert_eq!(meant(Some(2), &[1, 2]), Some(2));
    assert_eq!(meant(Some(2), &[1, 2, 3]), None);
    assert_eq!(meant(None, &[]), None);
    // What is gone is not among them.
    assert_eq!(meant(None, &[1, 99]), Some(1));
    assert_eq!(meant(Some(2), &[1, 99]), None);
}

#[test]
fn a_title_that_covers_a_conjunction_is_one_target() {
    let mut reading = intent::read("delete milk and eggs", today(), crate::domain::Lang::En);
    let scene = Scene::new("delete milk and eggs", tasks());
    settle(&mut reading, "delete milk and eggs", &scene.situation());
    let Some(Act::Change(change)) = reading.clauses.first().map(|clause| &clause.act) else {
        panic!("{reading:?}");
    };
    assert_eq!(change.targets.parts.len(), 1);
    assert_eq!(open(&scene), [Need::Call(Tool::DeleteTask)]);
    let three = Scene::new(
        "delete Dentist letter, Plumber invoice and Bank letter",
        tasks(),
    );
    assert_eq!(open(&three).len(), 3);
}

#[test]
fn nothing_named_is_asked_about_and_an_empty_list_is_said() {
    let scene = Scene::new("delete it", tasks());
    assert!(matches!(
        open(&scene).as_slice(),
        [Need::Unnamed { list: None, .. }]
    ));
    let scene = Scene::new("delete it", Vec::new());
    assert!(matches!(open(&scene).as_slice(), [Need::Absent { .. }]));
    let list = Target::Set(Set {
        list: Some("shopping list".to_owned()),
        ..Set::default()
    });
    let mut scene = acts(
        vec![change(Verb::Delete, vec![list], Values::default())],
        tasks(),
        "",
    );
    assert!(matches!(
        open(&scene).as_slice(),
        [Need::Unnamed { list: Some(list), .. }] if list == "shopping list"
    ));
    let verdict = scene.judge(delete("everything on the shopping list"));
    let Verdict::Confirm(asked) = verdict else {
        panic!("{verdict:?}");
    };
    assert!(asked.text.contains("shopping list"), "{}", asked.text);
}

#[test]
fn a_remark_licenses_its_one_task_settled_or_not() {
    let words = "the plumber invoice is sorted";
    let reading = intent::read(words, today(), crate::domain::Lang::En);
    let scene = Scene::new(words, tasks());
    assert_eq!(open(&scene), [Need::Call(Tool::CompleteTask)]);
    let bare = Licence::new(&reading, words, &scene.situation());
    assert_eq!(
        bare.open(&scene.situation(), Lang::En),
        [Need::Call(Tool::CompleteTask)]
    );
    // What is done already, and what is no task, is a remark.
    for words in ["the bank letter is sorted", "the weather is sorted"] {
        assert_eq!(open(&Scene::new(words, tasks())), []);
    }
}

#[test]
fn what_the_words_expect() {
    for (words, anything, undo) in [
        ("hello", false, false),
        ("delete Dentist letter", true, false),
        ("what are my tasks?", true, false),
        ("undo", true, true),
    ] {
        let mut licence = Scene::new(words, tasks()).licence;
        assert_eq!(licence.expects_anything(), anything, "{words}");
        assert_eq!(licence.expects_undo(), undo, "{words}");
        licence.expect_no_undo();
        assert!(!licence.expects_undo());
        assert_eq!(licence.expects_anything(), anything && !undo, "{words}");
    }
}

#[test]
fn the_words_of_a_part_are_said_back() {
    let of = |target| {
        let part = Part {
            target,
            meaning: crate::guard::Meaning::Unnamed,
            done: Vec::new(),
            touched: false,
        };
        part.words(Lang::En)
    };
    let by = |list: Option<&str>, query: Option<&str>, completed| {
        Target::Set(Set {
            list: list.map(str::to_owned),
            query: query.map(str::to_owned),
            completed,
            ..Set::default()
        })
    };
    for (target, words) in [
        (named("Dentist letter"), "Dentist letter"),
        (Target::Position(Position::Nth(2)), "number 2"),
        (Target::Position(Position::FromEnd(1)), "the last one"),
        (
            Target::Position(Position::FromEnd(2)),
            "number 2 from the end",
        ),
        (by(Some("shopping"), Some("milk"), Some(true)), "shopping"),
        (by(None, Some("milk"), Some(true)), "milk"),
        (by(None, None, Some(true)), "completed tasks"),
        (by(None, None, Some(false)), "pending tasks"),
        (by(None, None, None), "these tasks"),
    ] {
        assert_eq!(of(target), words);
    }
}

#[test]
fn a_listing_is_the_users_question() {
    for (words, query, status) in [
        (
            "show my completed tasks",
            "completed",
            StatusFilter::Completed,
        ),
        ("what are my tasks?", "secret", StatusFilter::All),
    ] {
        let mut scene = Scene::new(words, tasks());
        let filter = ListFilter {
            query: Some(query.to_owned()),
            ..ListFilter::default()
        };
        let Verdict::Allow(Plan::List(asked)) = scene.judge(Proposal::List(filter)) else {
            panic!("{words}");
        };
        assert_eq!((asked.query, asked.status), (None, status), "{words}");
    }
}
