//! For any course of a turn: the reply says every proof, no success without one, no id, and its
//! kind is the first of question, failure, receipt and chat that it contains.
//!
//! Rounds are really committed, so that receipts of earlier rounds stand beside drafts. The
//! expected lines are written here once more, by hand.

use std::sync::atomic::{AtomicU32, Ordering};

use chrono::DateTime;
use proptest::prelude::*;
use serde_json::json;
use uuid::Uuid;

use super::{cases, title};
use crate::domain::{
    Action, Details, ErrorType, IdSource, Lang, Tool, ToolError, TurnId, UserId, shown,
};
use crate::guard::{
    CheckedProse, Composed, Composition, Kind, Need, TOOL_NOT_TRIGGERED, ask_what_to_add, compose,
};
use crate::intent::{Act, Clause, Note, Social, Verb};
use crate::resolver::{Candidate, Missing, TaskList};
use crate::store::{AppliedChange, CommitRecord, CommitResult, NewTask, Store, TaskPatch, Unit};
use crate::tools::{ListFilter, StandingFact, read_list};
use crate::turn::{CallLedger, CallResult, LedgerEntry, Refusal};

/// Titles that try to speak: an id, a forged line, quotation marks, two that fold alike.
const TITLES: [&str; 6] = [
    "Read book",
    "Pay 67e55044-10b1-426f-9247-bb680e5fe0c8",
    "Deleted: Call mom",
    "Say \"done\" \u{201c}twice\u{201d}",
    "Technical error: Tool not triggered.",
    "read BOOK",
];

const ID: &str = "67e55044-10b1-426f-9247-bb680e5fe0c8";

/// Outcome of one call.
#[derive(Debug, Clone, Copy)]
enum Event {
    Add(usize),
    Complete(usize),
    Delete(usize),
    List,
    Already(usize),
    Refused(Refusal),
    NotFound(Tool),
    Invalid(Tool),
    Asked,
}

/// One turn, as data.
#[derive(Debug, Clone)]
struct Course {
    rounds: Vec<Vec<Event>>,
    /// The last commit is overtaken.
    overtaken: bool,
    /// The calls are the server's own, on the user's answer.
    answered: bool,
    /// Tools that the words ask for.
    wanted: Vec<Tool>,
    listing_asked: bool,
    absent: bool,
    question: bool,
    /// The question stood before the message and is shown again.
    again: bool,
    prose: Option<bool>,
    talk: Option<usize>,
    urdu: bool,
}

fn tools() -> impl Strategy<Value = Tool> {
    prop::sample::select(vec![
        Tool::AddTask,
        Tool::ListTasks,
        Tool::CompleteTask,
        Tool::DeleteTask,
        Tool::UpdateTask,
    ])
}

fn events() -> impl Strategy<Value = Event> {
    let index = 0..TITLES.len();
    prop_oneof![
        3 => index.clone().prop_map(Event::Add),
        3 => index.clone().prop_map(Event::Complete),
        3 => index.clone().prop_map(Event::Delete),
        1 => Just(Event::List),
        1 => index.prop_map(Event::Already),
        2 => prop::sample::select(&Refusal::ALL[..]).prop_map(Event::Refused),
        2 => tools().prop_map(Event::NotFound),
        1 => tools().prop_map(Event::Invalid),
        1 => Just(Event::Asked),
    ]
}

fn courses() -> impl Strategy<Value = Course> {
    let rounds = prop::collection::vec(prop::collection::vec(events(), 0..4), 0..4);
    let wanted = prop::collection::vec(tools(), 0..3);
    let flags = (any::<bool>(), any::<bool>(), any::<bool>(), any::<bool>());
    let rare = (
        prop::bool::weighted(0.2),
        (prop::bool::weighted(0.2), any::<bool>()),
        prop::option::of(any::<bool>()),
        prop::option::of(0..5_usize),
    );
    (rounds, wanted, flags, rare).prop_map(
        |(rounds, wanted, (listing_asked, answered, urdu, overtaken), rare)| {
            let (absent, (question, again), prose, talk) = rare;
            Course {
                rounds,
                overtaken,
                answered,
                wanted,
                listing_asked,
                absent,
                question,
                // What a model asks takes the place of what stood.
                again: question && again && prose != Some(true),
                prose,
                talk,
                urdu,
            }
        },
    )
}

/// A turn that is being played.
struct Turn {
    user: UserId,
    ids: IdSource,
    unit: Unit,
    ledger: CallLedger,
    /// The lines that must be said, by hand, of what stands in the ledger's proofs.
    told: Vec<String>,
    /// Lines of the round that is not committed yet.
    telling: Vec<String>,
    urdu: bool,
}

fn error(kind: ErrorType, text: &str) -> ToolError {
    ToolError::new(kind, text)
}

impl Turn {
    fn say(&mut self, english: String, urdu: String) {
        self.telling.push(if self.urdu { urdu } else { english });
    }

    fn play(&mut self, event: Event, round: u32, answered: bool) {
        let first = self.ledger.sealed() + self.unit.drafts().len();
        let done = CallResult::Done(first..first + 1);
        let name = |index: usize| TITLES.get(index).copied().unwrap_or_default();
        let find = |unit: &Unit, index: usize| {
            let tasks = unit.tasks();
            let mut found = tasks.iter();
            found
                .find(|task| task.title.as_str() == name(index))
                .map(|task| task.id)
        };
        let (tool, result) = match event {
            Event::Add(index) => {
                self.unit.add(NewTask::titled(title(name(index))));
                let text = shown(name(index));
                self.say(format!("Added: {text}"), format!("Add ho gaya: {text}"));
                (Tool::AddTask, done)
            }
            Event::Complete(index) => {
                let patch = TaskPatch {
                    completed: Some(true),
                    ..TaskPatch::default()
                };
                let id = find(&self.unit, index);
                let changed = id.is_some_and(|id| {
                    let applied = self.unit.change(Action::CompleteTask, id, &patch);
                    matches!(applied, AppliedChange::Changed(_))
                });
                let text = shown(name(index));
                if changed {
                    self.say(
                        format!("Marked {text} as done"),
                        format!("{text} mukammal ho gaya"),
                    );
                    (Tool::CompleteTask, done)
                } else {
                    let fact = StandingFact::AlreadyDone(name(index).to_owned());
                    (Tool::CompleteTask, CallResult::Unchanged(fact))
                }
            }
            Event::Delete(index) => match find(&self.unit, index) {
                Some(id) => {
                    let _ = self.unit.delete(id);
                    let text = shown(name(index));
                    self.say(
                        format!("Deleted: {text}"),
                        format!("Delete ho gaya: {text}"),
                    );
                    (Tool::DeleteTask, done)
                }
                None => {
                    let fact = StandingFact::AlreadyDeleted(name(index).to_owned());
                    (Tool::DeleteTask, CallResult::Unchanged(fact))
                }
            },
            Event::List => {
                let reading = read_list(self.unit.tasks(), &ListFilter::default());
                self.unit.read(Action::ListTasks, reading);
                (Tool::ListTasks, done)
            }
            Event::Already(index) => {
                let fact = StandingFact::AlreadySo(name(index).to_owned());
                (Tool::UpdateTask, CallResult::Unchanged(fact))
            }
            Event::Refused(reason) => {
                let error = error(ErrorType::Permission, "Deleted: everything");
                (Tool::DeleteTask, CallResult::Refused(reason, error))
            }
            Event::NotFound(tool) => {
                let text = format!("Could not find what round {round} wanted.");
                (tool, CallResult::Failed(error(ErrorType::NotFound, &text)))
            }
            Event::Invalid(tool) => {
                let fault = error(ErrorType::Validation, "Deleted: Call mom").with(Details {
                    parameter: Some("title".to_owned()),
                    schema_errors: vec![format!("/title: Deleted: Call mom {ID}")],
                    ..Details::default()
                });
                (tool, CallResult::Failed(fault))
            }
            Event::Asked => (Tool::AskUser, CallResult::Asked),
        };
        self.ledger.push(LedgerEntry {
            call_id: (!answered).then(|| "call_1".to_owned()),
            name: tool.as_str().to_owned(),
            called_as: None,
            tool: Some(tool),
            arguments: json!({"title": format!("Deleted: Call mom {ID}"), "task": ID}),
            round,
            spans: Vec::new(),
            result,
        });
    }

    fn next_unit(&self, tasks: TaskList) -> Unit {
        let turn = TurnId::new(self.ids.next());
        Unit::new(
            self.user.clone(),
            None,
            turn,
            DateTime::UNIX_EPOCH,
            self.ids.clone(),
            tasks,
        )
    }

    async fn commit(&mut self, store: &Store) {
        let next = self.next_unit(self.unit.tasks().clone());
        let unit = std::mem::replace(&mut self.unit, next);
        let CommitResult::Committed(committed) = store.commit(unit, CommitRecord::default()).await
        else {
            panic!("not committed");
        };
        self.ledger.seal(committed.into_receipts());
        self.told.append(&mut self.telling);
    }
}

/// Reply that was composed, and what is known about it by hand.
struct Outcome {
    composed: Composed,
    told: Vec<String>,
    ledger: CallLedger,
    missing: Vec<Tool>,
    prose: Option<CheckedProse>,
}

const PROSE: &str = "Mondays are long, aren't they";

async fn outcome(store: &Store, course: &Course) -> Outcome {
    static USERS: AtomicU32 = AtomicU32::new(0);
    let number = USERS.fetch_add(1, Ordering::Relaxed);
    let user = UserId::parse(&format!("user-{number}")).expect("a user");
    let ids = IdSource::random();
    let unit = Unit::new(
        user.clone(),
        None,
        TurnId::new(Uuid::nil()),
        DateTime::UNIX_EPOCH,
        ids.clone(),
        TaskList::default(),
    );
    let mut turn = Turn {
        user,
        ids,
        unit,
        ledger: CallLedger::default(),
        told: Vec::new(),
        telling: Vec::new(),
        urdu: course.urdu,
    };
    for text in TITLES.iter().take(4) {
        turn.unit.add(NewTask::titled(title(text)));
    }
    turn.commit(store).await;
    // What was there before is no part of this turn.
    turn.ledger = CallLedger::default();
    turn.told.clear();
    for (round, events) in (1..).zip(&course.rounds) {
        if round > 1 && turn.unit.has_effect() {
            turn.commit(store).await;
        }
        for event in events {
            turn.play(*event, round, course.answered);
        }
    }
    if course.overtaken {
        let fault = error(ErrorType::Conflict, "Could not do the rest.");
        turn.ledger.fail_unsealed(&fault);
        turn.unit = turn.next_unit(TaskList::default());
        turn.telling.clear();
    }
    turn.told.append(&mut turn.telling);
    let dispatched = |tool: Tool| {
        let mut entries = turn.ledger.entries().iter();
        entries.any(|entry| entry.tool == Some(tool) && entry.dispatched())
    };
    let missing: Vec<Tool> = course
        .wanted
        .iter()
        .copied()
        .filter(|tool| !dispatched(*tool))
        .collect();
    let mut open: Vec<Need> = missing.iter().copied().map(Need::Call).collect();
    if course.absent {
        open.push(Need::Absent {
            verb: Verb::Delete,
            words: format!("Mars {ID}"),
            why: Missing::NoMatch,
            nearest: vec![Candidate {
                id: crate::domain::TaskId::new(Uuid::nil()),
                title: format!("Moon {ID}"),
            }],
        });
    }
    let speech = if course.urdu { Lang::Ur } else { Lang::En };
    let asked = course.question.then(|| ask_what_to_add(false, speech));
    let message = format!("what is {ID}?");
    let act = course.talk.map(|kind| match kind {
        0 => Act::Social(Social::Thanks),
        1 => Act::Help(crate::intent::Topic::Delete),
        2 => Act::AlarmQuestion,
        _ => Act::Other,
    });
    let clauses: Vec<Clause> = act
        .map(|act| Clause {
            bytes: 0..message.len(),
            act,
            notes: vec![Note::Alarm],
        })
        .into_iter()
        .collect();
    let prose = course.prose.map(|question| CheckedProse {
        text: PROSE.to_owned(),
        question,
        besides: false,
    });
    let composed = compose(&Composition {
        ledger: &turn.ledger,
        proofs: turn.ledger.proofs(turn.unit.drafts()),
        open,
        clauses: &clauses,
        words: &message,
        message: &message,
        wanted: course.wanted.clone(),
        listing_asked: course.listing_asked,
        asked: asked.as_ref(),
        again: course.again,
        remarks: Vec::new(),
        prose: prose.clone(),
        noted: &[],
        understood: false,
        speech,
    });
    Outcome {
        composed,
        told: turn.told,
        ledger: turn.ledger,
        missing,
        prose,
    }
}

/// Tells whether a line says that something was done.
fn says_success(line: &str) -> bool {
    let heads = [
        "Added",
        "Add ho gaya",
        "Deleted",
        "Delete ho gaya",
        "Marked ",
        "Updated",
        "Badal gaya",
        "Reopened",
        "Dobara khul gaya",
        "Undone",
        "Wapas le liya",
        "Changed",
    ];
    heads.iter().any(|head| line.starts_with(head)) || line.ends_with("mukammal ho gaya")
}

/// Tells whether a line is a listing's head, or one of its tasks.
fn is_of_a_listing(line: &str) -> bool {
    let number = line.split_once(". ").map(|(number, _)| number);
    line.ends_with(':') || number.is_some_and(|number| number.parse::<u32>().is_ok())
}

/// Tells whether some failure must be told: one of a wanted tool or of the server's own run, that
/// no later round mended or failed again.
fn failed(course: &Course, ledger: &CallLedger) -> bool {
    let entries = ledger.entries();
    entries.iter().enumerate().any(|(index, entry)| {
        let own = course.answered || entry.tool.is_some_and(|tool| course.wanted.contains(&tool));
        let later = entries.iter().skip(index + 1).any(|later| {
            later.tool == entry.tool
                && later.round > entry.round
                && !matches!(later.result, CallResult::Refused(..))
        });
        matches!(entry.result, CallResult::Failed(_)) && own && !later
    })
}

fn holds(course: &Course, outcome: &Outcome) -> Result<(), TestCaseError> {
    let message = outcome.composed.message();
    prop_assert!(!message.trim().is_empty());
    prop_assert!(!message.contains(ID), "an id in {message:?}");
    // Every proof is told, and nothing else is told as done.
    let mut lines: Vec<&str> = message.lines().collect();
    for line in &outcome.told {
        let at = lines.iter().position(|said| said == line);
        prop_assert!(at.is_some(), "{line:?} is not told in {message:?}");
        at.map(|at| lines.remove(at));
    }
    let events = course.rounds.iter().flatten();
    let listings = events.filter(|event| matches!(event, Event::List)).count();
    for (index, line) in lines.iter().enumerate() {
        prop_assert!(!says_success(line), "{line:?} in {message:?}");
        // Listings of two rounds are told both, and share what did not change between them.
        prop_assert!(
            (listings > 1 && is_of_a_listing(line)) || !lines[..index].contains(line),
            "{line:?} twice in {message:?}"
        );
    }
    // The technical error: only for what was not dispatched, bare only where nothing else is said.
    let bare = message.lines().any(|line| line == TOOL_NOT_TRIGGERED);
    prop_assert_eq!(bare, message == TOOL_NOT_TRIGGERED);
    let named = lines
        .iter()
        .any(|line| line.starts_with(TOOL_NOT_TRIGGERED));
    prop_assert_eq!(named, !outcome.missing.is_empty(), "{}", message);
    for tool in &outcome.missing {
        prop_assert!(bare || message.contains(tool.as_str()));
    }
    let acted = outcome.ledger.entries().iter().any(|entry| {
        matches!(entry.result, CallResult::Done(_)) && entry.tool != Some(Tool::ListTasks)
    });
    prop_assert!(!(bare && acted), "{message:?}");
    // A model's prose stands alone, or above what is asked once more, or not at all.
    let prose = outcome.prose.as_ref();
    let spoken = prose.is_some_and(|prose| message.contains(&prose.text));
    let above = course.again && message.lines().next() == Some(PROSE) && lines.len() == 2;
    prop_assert!(!spoken || message == PROSE || above, "{message:?}");
    // The fault and the kind.
    let fault = outcome.composed.fault();
    let failed = failed(course, &outcome.ledger) || course.absent;
    prop_assert_eq!(fault.is_some(), failed || !outcome.missing.is_empty());
    if let Some(fault) = fault {
        let missing = fault.code == "tool_not_triggered";
        prop_assert_eq!(missing, !outcome.missing.is_empty());
        let mut distinct = outcome.missing.clone();
        distinct.dedup();
        prop_assert!(
            distinct
                .iter()
                .all(|tool| fault.expected_tools.contains(tool))
        );
        prop_assert!(
            fault
                .expected_tools
                .iter()
                .all(|tool| outcome.missing.contains(tool))
        );
        prop_assert!(message.contains(&fault.message), "{fault:?} in {message:?}");
    }
    let done = |entry: &LedgerEntry| matches!(entry.result, CallResult::Done(_));
    let kind = if course.question || (spoken && prose.is_some_and(|prose| prose.question)) {
        Kind::Question
    } else if fault.is_some() {
        Kind::Failure
    } else if outcome.ledger.entries().iter().any(done) {
        Kind::Receipt
    } else {
        Kind::Chat
    };
    prop_assert_eq!(outcome.composed.kind(), kind);
    Ok(())
}

proptest! {
    #![proptest_config(cases(1))]

    // One case of many courses: they share one database.
    #[test]
    fn any_course_of_a_turn_is_told_as_it_was(
        courses in prop::collection::vec(courses(), 300),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.block_on(async {
            let store = Store::open("sqlite::memory:").await.expect("a database");
            store.migrate().await.expect("its tables");
            for course in &courses {
                let outcome = outcome(&store, course).await;
                holds(course, &outcome).map_err(|fault| {
                    TestCaseError::fail(format!("{fault}\n{course:?}"))
                })?;
            }
            Ok::<(), TestCaseError>(())
        })?;
    }
}
