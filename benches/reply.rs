//! Cost of composing a reply from what came of a turn's calls, and of chaining its events.
//!
//! `cargo bench --bench reply`. To hold: a reply, and an event of the log, below 50 µs at the 99th
//! percentile however long the list is that is told of.

mod support;

use std::io;

use candor::audit::{AuditRow, ChainHead, EventKind};
use candor::domain::{
    Action, ErrorType, IdSource, Lang, Priority, Tool, ToolError, TurnId, UserId,
};
use candor::domain::{Task, TaskId, Title};
use candor::guard::{Composition, compose};
use candor::resolver::TaskList;
use candor::store::{NewTask, Unit};
use candor::tools::{ListFilter, read_list};
use candor::turn::{CallLedger, CallResult, LedgerEntry};
use chrono::DateTime;
use serde_json::json;
use support::{Times, line};
use uuid::Uuid;

const RUNS: usize = 5_000;

/// A turn's calls, and what they will have done.
struct Turn {
    unit: Unit,
    ledger: CallLedger,
}

fn main() -> io::Result<()> {
    line("µs: median and 99 %")?;
    for (what, tasks, adds, lists, fails) in [
        ("one task added", 10, 1, false, 0),
        ("ten added", 10, 10, false, 0),
        ("three could not be", 10, 0, false, 3),
        ("ten tasks listed", 10, 0, true, 0),
        ("100,000 listed", 100_000, 0, true, 0),
        ("one added, listed", 1_000, 1, true, 0),
    ] {
        let Some(mut turn) = Turn::on(tasks) else {
            continue;
        };
        (0..adds).for_each(|nth| turn.add(nth));
        (0..fails).for_each(|nth| turn.fail(nth));
        if lists {
            turn.list();
        }
        for (tongue, speech) in [("", Lang::En), (", in Urdu", Lang::Ur)] {
            let times = Times::of(RUNS, |_| turn.reply(speech));
            show(&format!("{what}{tongue}"), &times)?;
        }
    }
    chain()
}

fn show(what: &str, times: &Times) -> io::Result<()> {
    line(&format!(
        "  {what:<28} {:>8.1} {:>8.1}",
        times.at(50),
        times.at(99)
    ))
}

/// One event after another, as large as those of turns are.
fn chain() -> io::Result<()> {
    let user = UserId::parse("me").map_err(io::Error::other)?;
    for (what, bytes) in [("an event of 300 B", 300), ("an event of 6 kB", 6_000)] {
        let payload = json!({"message": "add milk", "context": "A line. ".repeat(bytes / 8)});
        let mut head = ChainHead::genesis();
        let times = Times::of(RUNS, |nth| {
            let salt = || format!("{nth:064x}");
            let turn = Some(TurnId::new(Uuid::from_u128(nth as u128)));
            let event = (&payload, salt);
            let at = DateTime::UNIX_EPOCH;
            let row = AuditRow::after(&head, user.clone(), turn, EventKind::Turn, event, at);
            head = row.head();
        });
        show(what, &times)?;
    }
    Ok(())
}

impl Turn {
    fn on(tasks: usize) -> Option<Self> {
        let user = UserId::parse("me").ok()?;
        let tasks: TaskList = (0..tasks).filter_map(|nth| task(&user, nth)).collect();
        let (turn, at) = (TurnId::new(Uuid::nil()), DateTime::UNIX_EPOCH);
        Some(Self {
            unit: Unit::new(user, None, turn, at, IdSource::random(), tasks),
            ledger: CallLedger::default(),
        })
    }

    fn entry(&mut self, tool: Tool, result: CallResult) {
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
    }

    fn add(&mut self, nth: usize) {
        let Ok(title) = Title::parse(&format!("Water plant {nth}")) else {
            return;
        };
        let first = self.unit.drafts().len();
        self.unit.add(NewTask {
            title,
            description: None,
            priority: Priority::High,
            due_date: None,
            due_time: None,
            repeat: None,
            remind: None,
        });
        self.entry(Tool::AddTask, CallResult::Done(first..first + 1));
    }

    fn fail(&mut self, nth: usize) {
        let text = format!("Could not delete \"Fly to Mars {nth}\": no task with that title.");
        let error = ToolError::new(ErrorType::NotFound, text);
        self.entry(Tool::DeleteTask, CallResult::Failed(error));
    }

    fn list(&mut self) {
        let first = self.unit.drafts().len();
        let reading = read_list(self.unit.tasks(), &ListFilter::default());
        self.unit.read(Action::ListTasks, reading);
        self.entry(Tool::ListTasks, CallResult::Done(first..first + 1));
    }

    fn reply(&self, speech: Lang) -> String {
        let composed = compose(&Composition {
            ledger: &self.ledger,
            proofs: self.ledger.proofs(self.unit.drafts()),
            open: Vec::new(),
            clauses: &[],
            words: "",
            message: "",
            wanted: vec![Tool::AddTask, Tool::DeleteTask, Tool::ListTasks],
            listing_asked: true,
            asked: None,
            again: false,
            remarks: Vec::new(),
            prose: None,
            noted: &[],
            understood: false,
            speech,
        });
        composed.message().to_owned()
    }
}

fn task(user: &UserId, nth: usize) -> Option<Task> {
    Some(Task::new(
        TaskId::new(Uuid::from_u128(nth as u128 + 1)),
        user.clone(),
        Title::parse(&format!("Errand number {nth}")).ok()?,
        DateTime::UNIX_EPOCH,
    ))
}
