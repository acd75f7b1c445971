//! For any words and any calls: what is allowed to run is covered by the words in verb, target,
//! value and number, and what the words ask for is allowed.
//!
//! The oracle knows what the words say because it wrote them; it does not read them.

use chrono::NaiveDate;
use proptest::prelude::*;

use super::{Scene, cases, task, title};
use crate::domain::{Lang, Priority, Repeat, Task, TaskId, Tool};
use crate::guard::Verdict;
use crate::intent::Verb;
use crate::tools::{AddProposal, ChangePlan, ListFilter, NewValues, Plan, PlannedValues, Proposal};
use crate::turn::Refusal;

/// Titles that share no word, the last two of done tasks.
const TITLES: [&str; 6] = [
    "Dentist letter",
    "Plumber invoice",
    "Garden fence",
    "Passport photos",
    "Bicycle lamp",
    "Summer tyres",
];

/// Number of them that are open.
const OPEN: usize = 4;

/// New titles.
const NEW: [&str; 4] = ["Buy milk", "Wash car", "Order stamps", "Bake bread"];

fn tasks() -> Vec<Task> {
    (1..)
        .zip(TITLES)
        .map(|(number, text)| task(number, text, number > OPEN as u128))
        .collect()
}

fn id(index: usize) -> TaskId {
    tasks().get(index).map(|task| task.id).expect("an index")
}

fn day(number: u32) -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 3, number).expect("a day")
}

/// Licence of the words, as their author knows it.
#[derive(Debug, Clone, Default)]
struct Said {
    words: String,
    /// Changes: verb, tasks that may be changed, all of the values.
    change: Option<(Verb, Vec<usize>)>,
    values: PlannedValues,
    /// Titles that may be added.
    adds: Vec<&'static str>,
    undo: bool,
}

/// Two different tasks.
fn two(below: std::ops::Range<usize>) -> impl Strategy<Value = (usize, usize)> {
    let (start, count) = (below.start, below.len());
    (0..count, 1..count)
        .prop_map(move |(first, step)| (start + first, start + (first + step) % count))
}

fn named(index: usize) -> &'static str {
    TITLES.get(index).copied().expect("an index")
}

fn said() -> impl Strategy<Value = Said> {
    let deletion = two(0..6).prop_map(|(one, other)| Said {
        words: format!("delete {} and {}", named(one), named(other)),
        change: Some((Verb::Delete, vec![one, other])),
        ..Said::default()
    });
    let one_deletion = (0..6_usize).prop_map(|one| Said {
        words: format!("please delete {}", named(one)),
        change: Some((Verb::Delete, vec![one])),
        ..Said::default()
    });
    let position = (0..6_usize).prop_map(|one| Said {
        words: format!("delete number {}", one + 1),
        change: Some((Verb::Delete, vec![one])),
        ..Said::default()
    });
    let completion = two(0..OPEN).prop_map(|(one, other)| Said {
        words: format!("mark {} and {} as done", named(one), named(other)),
        change: Some((Verb::Complete, vec![one, other])),
        ..Said::default()
    });
    let reopening = (OPEN..6).prop_map(|one| Said {
        words: format!("reopen {}", named(one)),
        change: Some((Verb::Reopen, vec![one])),
        ..Said::default()
    });
    let dated = (0..OPEN, 1..29_u32).prop_map(|(one, number)| Said {
        words: format!("move {} to {}", named(one), day(number)),
        change: Some((Verb::Update, vec![one])),
        values: PlannedValues {
            due_date: Some(Some(day(number))),
            ..PlannedValues::default()
        },
        ..Said::default()
    });
    let weighed = (0..OPEN).prop_map(|one| Said {
        words: format!("set the priority of {} to high", named(one)),
        change: Some((Verb::Update, vec![one])),
        values: PlannedValues {
            priority: Some(Priority::High),
            ..PlannedValues::default()
        },
        ..Said::default()
    });
    let renamed = (0..OPEN, 0..NEW.len()).prop_map(|(one, new)| Said {
        words: format!("rename {} to {}", named(one), NEW[new]),
        change: Some((Verb::Update, vec![one])),
        values: PlannedValues {
            title: Some(title(NEW[new])),
            ..PlannedValues::default()
        },
        ..Said::default()
    });
    let added = (0..NEW.len()).prop_map(|new| Said {
        words: format!("add {}", NEW[new]),
        adds: vec![NEW[new]],
        ..Said::default()
    });
    let added_dated = (0..NEW.len(), 1..29_u32).prop_map(|(new, number)| Said {
        words: format!("add {} on {}", NEW[new], day(number)),
        adds: vec![NEW[new]],
        values: PlannedValues {
            due_date: Some(Some(day(number))),
            ..PlannedValues::default()
        },
        ..Said::default()
    });
    let two_added = (0..NEW.len(), 1..NEW.len()).prop_map(|(new, step)| {
        let other = (new + step) % NEW.len();
        Said {
            words: format!("add {} and {}", NEW[new], NEW[other]),
            adds: vec![NEW[new], NEW[other]],
            ..Said::default()
        }
    });
    let mixed = (0..OPEN, 0..NEW.len()).prop_map(|(one, new)| Said {
        words: format!("add {} and delete {}", NEW[new], named(one)),
        change: Some((Verb::Delete, vec![one])),
        adds: vec![NEW[new]],
        ..Said::default()
    });
    let nothing = (0..6_usize, 0..6_usize).prop_map(|(kind, one)| {
        let one = named(one);
        Said {
            words: match kind {
                0 => "hello, how are you?".to_owned(),
                1 => format!("don't delete {one}"),
                2 => "how do I delete a task?".to_owned(),
                3 => format!("did you delete {one}?"),
                4 => "what are my tasks?".to_owned(),
                _ => format!("should I keep {one}?"),
            },
            ..Said::default()
        }
    });
    let undo = Just(Said {
        words: "undo".to_owned(),
        undo: true,
        ..Said::default()
    });
    prop_oneof![
        deletion,
        one_deletion,
        position,
        completion,
        reopening,
        dated,
        weighed,
        renamed,
        added,
        added_dated,
        two_added,
        mixed,
        nothing,
        undo
    ]
}

fn references() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => (0..6_usize).prop_map(|index| named(index).to_owned()),
        2 => (0..6_usize).prop_map(|index| named(index).to_lowercase()),
        2 => (0..9_usize).prop_map(|number| number.to_string()),
        2 => (0..6_usize).prop_map(|index| id(index).to_string()),
        1 => prop::sample::select(vec!["it", "them", "all", "all completed", "the other one", "Fly to Mars", "invoice photos"])
            .prop_map(str::to_owned),
    ]
}

fn days() -> impl Strategy<Value = Option<NaiveDate>> {
    prop::option::of((1..29_u32).prop_map(day))
}

fn values() -> impl Strategy<Value = NewValues> {
    let titles = prop::option::of(prop::sample::select(&NEW[..]).prop_map(title));
    let notes = prop::option::of(prop::option::of(Just("urgent, says the boss".to_owned())));
    let priorities = prop::option::of(prop::sample::select(vec![
        Priority::Low,
        Priority::Medium,
        Priority::High,
    ]));
    let dues = prop::option::of(days());
    let times = prop::option::of(prop::option::of(
        (0..24_u32).prop_map(|hour| chrono::NaiveTime::from_hms_opt(hour, 0, 0).unwrap()),
    ));
    let rules = ["FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO"].map(|rule| Repeat::parse(rule).unwrap());
    let repeats = prop::option::of(prop::option::of(prop::sample::select(rules.to_vec())));
    let completed = prop::option::of(any::<bool>());
    (titles, notes, priorities, dues, times, repeats, completed).prop_map(
        |(title, description, priority, due, time, repeat, completed)| NewValues {
            bare_remind: false,
            take_back: false,
            title,
            description,
            priority,
            due,
            time,
            repeat,
            completed,
            remind: None,
        },
    )
}

fn proposals() -> impl Strategy<Value = Proposal> {
    let tools = prop::sample::select(vec![Tool::UpdateTask, Tool::CompleteTask, Tool::DeleteTask]);
    let bare = (tools.clone(), references()).prop_map(|(tool, reference)| Proposal::Change {
        tool,
        reference,
        values: NewValues::default(),
    });
    let valued =
        (tools, references(), values()).prop_map(|(tool, reference, values)| Proposal::Change {
            tool,
            reference,
            values,
        });
    let add = (
        prop_oneof![
            prop::sample::select(&NEW[..]).prop_map(title),
            prop::sample::select(&TITLES[..]).prop_map(title),
            Just(title("Buy milk. I also deleted: Plumber invoice!")),
        ],
        values(),
        days(),
    )
        .prop_map(|(title, values, due)| {
            Proposal::Add(AddProposal {
                title,
                description: values.description.flatten(),
                priority: values.priority,
                due,
                time: values.time.flatten(),
                repeat: values.repeat.flatten(),
                remind: None,
            })
        });
    prop_oneof![
        4 => bare,
        4 => valued,
        4 => add,
        1 => Just(Proposal::Undo),
        1 => Just(Proposal::List(ListFilter::default())),
        1 => Just(Proposal::Ask { question: "Which one?".to_owned(), options: Vec::new() }),
    ]
}

/// Calls that were allowed to run so far.
#[derive(Debug, Default)]
struct Ran {
    tasks: Vec<TaskId>,
    adds: Vec<String>,
    undos: usize,
}

/// Holds one allowed plan against the words.
fn covered(said: &Said, plan: &Plan, ran: &mut Ran) -> Result<(), TestCaseError> {
    match plan {
        Plan::List(_) => {}
        Plan::Undo(_) => {
            prop_assert!(said.undo, "an undo");
            ran.undos += 1;
            prop_assert_eq!(ran.undos, 1);
        }
        Plan::Add(plan) => {
            let text = plan.title.as_str().to_owned();
            prop_assert!(said.adds.contains(&text.as_str()), "added {text}");
            prop_assert!(!ran.adds.contains(&text), "added {text} twice");
            ran.adds.push(text);
            prop_assert_eq!(plan.due_date, said.values.due_date.flatten());
            prop_assert_eq!(plan.priority, said.values.priority.unwrap_or_default());
            prop_assert_eq!(&plan.description, &None);
        }
        Plan::Change(ChangePlan {
            verb, task, values, ..
        }) => {
            let (licensed, targets) = said.change.clone().unwrap_or((Verb::Update, Vec::new()));
            prop_assert_eq!(*verb, licensed);
            prop_assert!(
                targets.iter().any(|index| id(*index) == *task),
                "another task"
            );
            prop_assert!(!ran.tasks.contains(task), "the same task twice");
            ran.tasks.push(*task);
            let none = PlannedValues::default();
            let wanted = if licensed == Verb::Update {
                &said.values
            } else {
                &none
            };
            prop_assert_eq!(values, wanted);
        }
    }
    Ok(())
}

/// The calls of a model that does as it is told.
fn honest(said: &Said) -> Vec<Proposal> {
    let changes = said.change.iter().flat_map(|(verb, targets)| {
        targets.iter().map(|index| Proposal::Change {
            tool: match verb {
                Verb::Delete => Tool::DeleteTask,
                Verb::Complete => Tool::CompleteTask,
                Verb::Update | Verb::Reopen => Tool::UpdateTask,
            },
            reference: named(*index).to_owned(),
            values: match verb {
                Verb::Update => NewValues {
                    title: said.values.title.clone(),
                    priority: said.values.priority,
                    due: said.values.due_date,
                    ..NewValues::default()
                },
                Verb::Reopen => NewValues {
                    completed: Some(false),
                    ..NewValues::default()
                },
                Verb::Complete | Verb::Delete => NewValues::default(),
            },
        })
    });
    let adds = said.adds.iter().map(|text| {
        let due = said.values.due_date.flatten();
        let bare = AddProposal::titled(title(text));
        Proposal::Add(AddProposal { due, ..bare })
    });
    let undo = said.undo.then_some(Proposal::Undo);
    changes.chain(adds).chain(undo).collect()
}

proptest! {
    #![proptest_config(cases(1000))]

    #[test]
    fn what_runs_is_licensed_in_verb_target_value_and_number(
        said in said(),
        calls in prop::collection::vec(proposals(), 1..8),
    ) {
        let mut scene = Scene::new(&said.words, tasks());
        let mut ran = Ran::default();
        for call in calls {
            let mutates = matches!(call, Proposal::Add(_) | Proposal::Change { .. } | Proposal::Undo);
            let open = scene.licence.open(&scene.situation(), Lang::En).len();
            let before = scene.licence.clone();
            match scene.judge(call) {
                Verdict::Errand(plan) => prop_assert!(false, "no call of this is one: {plan:?}"),
                Verdict::Allow(plan) => {
                    covered(&said, &plan, &mut ran)?;
                    // What ran is marked as dealt with: the turn can't miss it, and can't run it again.
                    let left = scene.licence.open(&scene.situation(), Lang::En).len();
                    prop_assert!(left <= open, "{left} of {open} open");
                    prop_assert!(scene.licence != before || matches!(plan, Plan::List(_)));
                }
                Verdict::Deny(reason, error) => {
                    prop_assert!(mutates);
                    prop_assert!(!error.error.is_empty());
                    // What was refused is still to be done.
                    prop_assert_eq!(&scene.licence, &before);
                    let licensed = !honest(&said).is_empty();
                    prop_assert!(licensed || reason == Refusal::Unlicensed);
                }
                Verdict::Confirm(asked) => {
                    prop_assert!(mutates);
                    prop_assert!(!asked.text.is_empty());
                    prop_assert!(!honest(&said).is_empty(), "asked about what nobody wants");
                }
                Verdict::AskUser { .. } => prop_assert!(!mutates),
                Verdict::Fail(error) => {
                    prop_assert!(mutates);
                    prop_assert!(!error.error.is_empty());
                }
            }
        }
    }

    #[test]
    fn what_the_words_ask_for_is_allowed_whole(said in said()) {
        let mut scene = Scene::new(&said.words, tasks());
        let mut ran = Ran::default();
        let calls = honest(&said);
        let wanted = calls.len();
        for call in calls {
            match scene.judge(call) {
                Verdict::Allow(plan) => covered(&said, &plan, &mut ran)?,
                other => prop_assert!(false, "{}: {other:?}", said.words),
            }
        }
        prop_assert_eq!(ran.tasks.len() + ran.adds.len() + ran.undos, wanted);
        let listing = said.words == "what are my tasks?";
        prop_assert_eq!(scene.licence.open(&scene.situation(), Lang::En).is_empty(), !listing);
        prop_assert_eq!(&scene.dropped, &Vec::<String>::new());
    }

    #[test]
    fn what_was_only_asked_about_is_asked_before_it_runs(said in said()) {
        let mut scene = Scene::new(&said.words, tasks());
        for call in honest(&said) {
            if matches!(call, Proposal::Undo) {
                continue;
            }
            let verdict = scene.judge_with(call, true);
            prop_assert!(matches!(verdict, Verdict::Confirm(_)), "{verdict:?}");
        }
    }
}
