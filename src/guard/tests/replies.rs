//! Lines beside the receipts of a reply: remarks, failures, pleasantries, notes.

use chrono::{DateTime, NaiveDate};
use serde_json::json;
use uuid::Uuid;

use super::{task, title};
use crate::domain::{
    Action, DueTime, ErrorType, IdSource, Lang, Priority, Tool, ToolError, TurnId, UserId,
};
use crate::guard::{
    CheckedProse, Composed, Composition, Kind, Need, TOOL_NOT_TRIGGERED, ask_what_to_add, compose,
};
use crate::intent::{Act, Change, Clause, Note, Social, Target, Targets, Values, Verb};
use crate::resolver::TaskList;
use crate::store::{NewTask, Unit};
use crate::tools::{ListFilter, StandingFact, read_list};
use crate::turn::{CallLedger, CallResult, LedgerEntry, NoteKey, ServerQuestion};

/// A turn under construction.
struct Turn {
    unit: Unit,
    ledger: CallLedger,
    open: Vec<Need>,
    clauses: Vec<Clause>,
    message: String,
    asked: Option<ServerQuestion>,
    remarks: Vec<String>,
    prose: Option<CheckedProse>,
    noted: Vec<NoteKey>,
    listing_asked: bool,
}

impl Turn {
    fn new() -> Self {
        let tasks = TaskList::from(vec![task(1, "Dentist letter", false)]);
        Self {
            unit: Unit::new(
                UserId::parse("me").expect("a user"),
                None,
                TurnId::new(Uuid::nil()),
                DateTime::UNIX_EPOCH,
                IdSource::random(),
                tasks,
            ),
            ledger: CallLedger::default(),
            open: Vec::new(),
            clauses: Vec::new(),
            message: String::new(),
            asked: None,
            remarks: Vec::new(),
            prose: None,
            noted: Vec::new(),
            listing_asked: false,
        }
    }

    fn entry(mut self, tool: Tool, result: CallResult) -> Self {
        self.ledger.push(LedgerEntry {
            call_id: Some("call_1".to_owned()),
            name: tool.as_str().to_owned(),
            called_as: None,
            tool: Some(tool),
            arguments: json!({}),
            round: 1,
            spans: Vec::new(),
            result,
        });
        self
    }

    fn added(self, text: &str) -> Self {
        self.added_due(text, None)
    }

    fn added_due(mut self, text: &str, due: Option<(NaiveDate, DueTime)>) -> Self {
        let first = self.unit.drafts().len();
        self.unit.add(NewTask {
            title: title(text),
            description: None,
            priority: Priority::Medium,
            due_date: due.map(|(day, _)| day),
            due_time: due.map(|(_, time)| time),
            repeat: None,
            remind: None,
        });
        self.entry(Tool::AddTask, CallResult::Done(first..first + 1))
    }

    fn listed(mut self) -> Self {
        let first = self.unit.drafts().len();
        let reading = read_list(self.unit.tasks(), &ListFilter::default());
        self.unit.read(Action::ListTasks, reading);
        self.entry(Tool::ListTasks, CallResult::Done(first..first + 1))
    }

    fn failed(self, text: &str) -> Self {
        let error = ToolError::new(ErrorType::NotFound, text);
        self.entry(Tool::DeleteTask, CallResult::Failed(error))
    }

    fn clause(mut self, words: &str, act: Act, notes: Vec<Note>) -> Self {
        let start = self.message.len();
        self.message.push_str(words);
        self.clauses.push(Clause {
            bytes: start..self.message.len(),
            act,
            notes,
        });
        self
    }

    fn other(self, words: &str) -> Self {
        self.clause(words, Act::Other, Vec::new())
    }

    fn hello(self) -> Self {
        self.clause("hi. ", Act::Social(Social::Greeting), Vec::new())
    }

    fn missing(mut self) -> Self {
        self.open.push(Need::Call(Tool::DeleteTask));
        self
    }

    fn asks(mut self) -> Self {
        self.asked = Some(ask_what_to_add(false, Lang::En));
        self
    }

    fn says(mut self, text: &str) -> Self {
        self.prose = Some(CheckedProse {
            text: text.to_owned(),
            question: false,
            besides: false,
        });
        self
    }

    fn reply(&self) -> Composed {
        compose(&Composition {
            ledger: &self.ledger,
            proofs: self.ledger.proofs(self.unit.drafts()),
            open: self.open.clone(),
            clauses: &self.clauses,
            words: &self.message,
            message: &self.message,
            wanted: vec![Tool::DeleteTask],
            listing_asked: self.listing_asked,
            asked: self.asked.as_ref(),
            again: false,
            remarks: self.remarks.clone(),
            prose: self.prose.clone(),
            noted: &self.noted,
            understood: false,
            speech: Lang::En,
        })
    }
}

#[track_caller]
fn check(turn: &Turn, text: &str) {
    assert_eq!(turn.reply().message(), text);
}

const WEATHER: &str = "will it rain? ";
const UNANSWERED: &str = "Not answered: \"will it rain?\"";

fn question() -> String {
    ask_what_to_add(false, Lang::En).text
}

#[test]
fn a_part_that_was_not_answered_is_said_wherever_something_else_is() {
    check(
        &Turn::new().added("milk").other(WEATHER),
        &format!("Added: milk\n{UNANSWERED}"),
    );
    check(
        &Turn::new().failed("No such task.").other(WEATHER),
        &format!("No such task.\n{UNANSWERED}"),
    );
    check(
        &Turn::new().asks().other(WEATHER),
        &format!("{UNANSWERED}\n{}", question()),
    );
    let some = format!("Added: milk\n{UNANSWERED}\n{TOOL_NOT_TRIGGERED} Missing: delete_task.");
    check(&Turn::new().added("milk").missing().other(WEATHER), &some);
    // The technical error stands alone, and small talk is answered by the model's own words.
    check(&Turn::new().missing().other(WEATHER), TOOL_NOT_TRIGGERED);
    check(&Turn::new().says("Perhaps.").other(WEATHER), "Perhaps.");
    // A remark needs no answer; commas and blanks are nothing.
    check(
        &Turn::new().added("milk").other("they moved it"),
        "Added: milk",
    );
    check(&Turn::new().added("milk").other(" , ."), "Added: milk");
    check(
        &Turn::new().added("milk").other(", so, why? ,"),
        "Added: milk\nNot answered: \"so, why?\"",
    );
}

#[test]
fn a_time_that_the_clocks_skip_is_told_as_the_next_that_they_show() {
    let day = NaiveDate::from_ymd_opt(2026, 3, 29);
    let night = DueTime::parse("02:30", "Europe/Berlin").ok();
    let mut turn = Turn::new().added_due("milk", day.zip(night)).listed();
    turn.listing_asked = true;
    let reply = turn.reply();
    let told = reply.message();
    assert!(
        told.contains("Added: milk (due Sun 2026-03-29 03:00)"),
        "{told}"
    );
    assert!(
        told.contains("milk (pending, medium, due 2026-03-29 03:00)"),
        "{told}"
    );
}

#[test]
fn a_greeting_is_answered_only_where_nothing_else_is_said() {
    let hello = "Hello! What can I do for your list?";
    check(&Turn::new().hello(), hello);
    check(&Turn::new().hello().hello(), hello);
    check(&Turn::new().hello().added("milk"), "Added: milk");
    check(&Turn::new().hello().missing(), TOOL_NOT_TRIGGERED);
    check(&Turn::new().hello().asks(), &question());
    check(&Turn::new().hello().says("Good morning!"), "Good morning!");
    let mut turn = Turn::new().hello();
    turn.remarks.push("Nothing was deleted.".to_owned());
    check(&turn, "Nothing was deleted.");
    // Help is asked for, and given beside what was done.
    let help = Act::AlarmQuestion;
    let turn = Turn::new()
        .added("milk")
        .clause("will you ring me?", help, Vec::new());
    assert!(
        turn.reply()
            .message()
            .starts_with("Added: milk\nI remind you only")
    );
}

#[test]
fn a_limit_is_told_once_and_remembered() {
    let alarm = || vec![Note::Alarm];
    let key = NoteKey::from(&Note::Alarm);
    let first = Turn::new()
        .added("milk")
        .clause("at five", Act::Other, alarm());
    let reply = first.reply();
    assert!(
        reply.message().contains("No reminder"),
        "{}",
        reply.message()
    );
    assert_eq!(reply.noted(), std::slice::from_ref(&key));
    let twice = Turn::new().added("milk").clause(
        "",
        Act::Other,
        vec![Note::Alarm, Note::TimeOfDay, Note::Recurrence],
    );
    let reply = twice.reply();
    assert_eq!(reply.message().matches("No reminder").count(), 1);
    assert_eq!(reply.message().matches("No repetition").count(), 1);
    assert_eq!(reply.noted().len(), 2);
    let mut again = Turn::new().added("milk").clause("", Act::Other, alarm());
    again.noted.push(key);
    check(&again, "Added: milk");
    assert_eq!(again.reply().noted(), []);
    // What was not said is not remembered as said.
    let missing = Turn::new().missing().clause("", Act::Other, alarm());
    check(&missing, TOOL_NOT_TRIGGERED);
    assert_eq!(missing.reply().noted(), []);
}

#[test]
fn a_question_about_another_list_says_itself_that_there_is_one() {
    let list = || vec![Note::ListName("shopping".to_owned())];
    let act = || {
        Act::Change(Change {
            verb: Verb::Delete,
            targets: Targets {
                whole: Target::Missing,
                parts: vec![Target::Missing],
            },
            values: Values::default(),
            splits: Vec::new(),
        })
    };
    let turn = Turn::new().asks().clause("", act(), list());
    check(&turn, &question());
    assert_eq!(turn.reply().noted().len(), 1);
    let note = "I keep one list, without a separate \"shopping\".";
    check(
        &Turn::new().added("milk").clause("", act(), list()),
        &format!("Added: milk\n{note}"),
    );
    let other = Turn::new().asks().clause("", Act::Other, list());
    check(&other, &format!("{note}\n{}", question()));
    let alarm = Turn::new().asks().clause("", act(), vec![Note::Alarm]);
    assert!(alarm.reply().message().starts_with("No reminder"));
}

#[test]
fn a_listing_is_shown_where_it_was_asked_for_or_is_all_there_is() {
    let list = "You have 1 task:\n1. Dentist letter (pending, medium)";
    check(&Turn::new().listed(), list);
    check(&Turn::new().listed().listed(), list);
    check(&Turn::new().listed().added("milk"), "Added: milk");
    let mut both = Turn::new().listed().added("milk");
    both.listing_asked = true;
    check(&both, &format!("{list}\nAdded: milk"));
    assert_eq!(both.reply().kind(), Kind::Receipt);
}

#[test]
fn changes_are_told_each_and_facts_and_failures_once() {
    check(
        &Turn::new().added("milk").added("milk"),
        "Added: milk\nAdded: milk",
    );
    let so = || CallResult::Unchanged(StandingFact::AlreadySo("milk".to_owned()));
    let done = || CallResult::Unchanged(StandingFact::AlreadyDone("milk".to_owned()));
    let facts = Turn::new()
        .entry(Tool::UpdateTask, so())
        .entry(Tool::UpdateTask, so())
        .entry(Tool::CompleteTask, done());
    check(
        &facts,
        "\"milk\" was already so.\n\"milk\" was already done.",
    );
    assert_eq!(facts.reply().kind(), Kind::Chat);
    let failures = Turn::new()
        .failed("No such task.")
        .failed("No such task.")
        .failed("Renamed since.");
    check(&failures, "No such task.\nRenamed since.");
    let reply = failures.reply();
    assert_eq!(
        reply.fault().map(|fault| fault.code.as_str()),
        Some("not_found")
    );
    assert_eq!(reply.kind(), Kind::Failure);
}

#[test]
fn nothing_at_all_is_answered_with_what_can_be_said() {
    let reply = Turn::new().reply();
    assert_eq!(reply.message(), "I can't say anything certain about that.");
    assert_eq!((reply.kind(), reply.fault()), (Kind::Chat, None));
    let mut asking = Turn::new().says("Which colour?");
    asking.prose = asking.prose.map(|prose| CheckedProse {
        question: true,
        ..prose
    });
    assert_eq!(asking.reply().kind(), Kind::Question);
    assert_eq!(asking.added("milk").reply().kind(), Kind::Receipt);
}

#[test]
fn words_of_titles_tell_of_no_language() {
    let of = |message: &str, title: &str| {
        let reading = crate::intent::read(message, super::today(), Lang::En);
        let tasks = TaskList::from(vec![task(1, title, false)]);
        super::super::reply_language(&reading, message, None, &tasks)
    };
    assert_eq!(of("rewatched Die Hard", "Die Hard"), Lang::En);
    assert_eq!(of("move Comprar pan to friday", "Comprar pan"), Lang::En);
}

#[test]
fn letters_tell_the_language_in_which_a_conversation_begins() {
    let of = |message: &str, before: Option<Lang>, titles: &[&str]| {
        let reading = crate::intent::read(message, super::today(), Lang::En);
        let tasks = titles.iter().zip(1..);
        let tasks = tasks.map(|(title, id)| task(id, title, false));
        let tasks = TaskList::from(tasks.collect::<Vec<_>>());
        super::super::reply_language(&reading, message, before, &tasks)
    };
    for (message, titles, lang) in [
        ("Gummistiefel sind geflickt", &["Schuhe"][..], Lang::De),
        (
            "lavandino sturato finalmente",
            &["Sturare il lavandino", "Chiamare la nonna"],
            Lang::It,
        ),
        ("vélo réparé ouf", &["Réparer le vélo"], Lang::Fr),
        (
            "kamra saaf kar dia",
            &["Kamra saaf karna", "Doodh lana hai"],
            Lang::Ur,
        ),
        // What is plainly English stays English, whatever the titles are.
        (
            "fixed the bike",
            &["Réparer le vélo", "Appeler la mairie"],
            Lang::En,
        ),
        (
            "cancel",
            &["Réparer le vélo", "Appeler la mairie"],
            Lang::En,
        ),
        // Polish is not read.
        (
            "kosze stoją na zewnątrz",
            &["Wystawić kosze na śmieci"],
            Lang::En,
        ),
        ("czynsz jest już zapłacony", &[], Lang::En),
    ] {
        assert_eq!(of(message, None, titles), lang, "{message}");
    }
    // A conversation that has begun goes on in its own.
    assert_eq!(
        of("kolmas pala", Some(Lang::Es), &["Réparer le vélo"]),
        Lang::Es
    );
}
