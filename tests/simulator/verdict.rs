//! The simulator's own judgement: what the words allowed, whether an honest turn was served, and
//! what an error may say. Sentences, receipts and metadata are judged by the hostile suite's
//! oracle. Nothing here asks the guard.

#![cfg(test)]

use candor::chat::ChatError;
use candor::domain::text::fold;
use candor::domain::{Action, Priority, Task, shown};
use candor::store::ReceiptFacts;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;

use super::oracle::text;
use super::reminders;
use super::wish::{Choice, Deed, Delay, Means, Wish, meant, one};

/// The time that the words for a while mean.
fn delay((_, minutes): Delay) -> TimeDelta {
    TimeDelta::minutes(minutes)
}

/// One row's change.
#[derive(Debug, Clone, PartialEq)]
pub enum Change {
    Added(Box<Task>),
    Gone(Box<Task>),
    Became(Box<Task>, Box<Task>),
}

/// Returns what changed between two readings.
pub fn changes(before: &[Task], after: &[Task]) -> Vec<Change> {
    let mut changes = Vec::new();
    for task in after {
        match before.iter().find(|old| old.id == task.id) {
            None => changes.push(Change::Added(Box::new(task.clone()))),
            Some(old) if !old.says_as(task) => {
                changes.push(Change::Became(
                    Box::new(old.clone()),
                    Box::new(task.clone()),
                ));
            }
            Some(_) => {}
        }
    }
    let gone = before
        .iter()
        .filter(|old| !after.iter().any(|task| task.id == old.id));
    changes.extend(gone.cloned().map(|task| Change::Gone(Box::new(task))));
    changes
}

/// The question that waits for an answer, as the user sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct Standing {
    pub id: Value,
    pub text: String,
    /// Ids and labels.
    pub options: Vec<(String, String)>,
}

impl Standing {
    /// The question of a reply.
    pub fn of(body: &Value) -> Option<Self> {
        let question = &body["question"];
        let text = question["text"].as_str()?.to_owned();
        let options = question["options"].as_array()?.iter();
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        Some(Self {
            id: question["id"].clone(),
            text,
            options: options
                .map(|option| (word(&option["id"]), word(&option["label"])))
                .collect(),
        })
    }

    /// How many numbered options there are.
    pub fn numbered(&self) -> usize {
        let options = self.options.iter();
        options
            .filter(|(id, _)| id.parse::<usize>().is_ok())
            .count()
    }

    /// Tells whether an answer to it allows this change to a row.
    fn allows(&self, choice: Choice, change: &Change) -> bool {
        let named = |task: &Task| {
            let title = shown(task.title.as_str());
            match choice {
                Choice::Number(number) if self.numbered() > 0 => self
                    .options
                    .iter()
                    .any(|(id, label)| *id == number.to_string() && label.starts_with(&title)),
                Choice::No => false,
                // Between double quotes, those of a title are single ones.
                _ => self.text.contains(&title) || self.text.contains(&title.replace('"', "'")),
            }
        };
        // A yes answers what offers a yes, or one thing alone.
        let yes = self.options.iter().any(|(id, _)| id == "yes") || self.numbered() == 1;
        if choice == Choice::Yes && !yes {
            return false;
        }
        // The last sentence of the first line: a remark may stand before it.
        let head = self.text.lines().next().unwrap_or_default();
        let asks = |words: &str| head.contains(words);
        if asks("Undo the latest change (") {
            let (Change::Added(task) | Change::Gone(task) | Change::Became(task, _)) = change;
            return named(task);
        }
        match change {
            Change::Added(task) => named(task) && (asks("Add ") || asks("Add another")),
            Change::Gone(task) => named(task) && (asks("Delete ") || asks("I delete")),
            Change::Became(old, new) => {
                let done = new.status.is_completed();
                let switched = old.status.is_completed() != done;
                let verb = match (switched, done) {
                    (true, true) => asks("Mark ") || asks("I mark as done"),
                    (true, false) => asks("Reopen ") || asks("I reopen"),
                    _ => ["Change ", "Move ", "Rename ", "I change"]
                        .iter()
                        .any(|w| asks(w)),
                };
                named(old) && verb
            }
        }
    }
}

/// Facts that the judge knows of a turn.
#[derive(Debug)]
pub struct Known<'a> {
    pub wish: &'a Wish,
    pub before: &'a [Task],
    pub after: &'a [Task],
    pub standing: Option<&'a Standing>,
    /// The message before this one got no answer.
    pub unanswered: bool,
    /// Meaning of that message, where no tool was called for it.
    pub unmet: Option<&'a Means>,
    /// The latest change of the conversation that was not taken back, as rows.
    pub undoable: Option<&'a [Change]>,
    /// The time at which the message was sent.
    pub now: DateTime<Utc>,
}

/// A change that the words did not ask for.
pub fn unlicensed(known: &Known<'_>) -> Option<String> {
    let changes = changes(known.before, known.after);
    if changes.is_empty() {
        return None;
    }
    let allowed = match &known.wish.means {
        Means::Talk(_) | Means::Nothing | Means::List => false,
        // A set that the user orders done runs where three or fewer are meant.
        Means::Set => {
            let pending = |task: &&Task| !task.status.is_completed();
            known.wish.message.contains("done")
                && known.before.iter().filter(pending).count() <= 3
                && changes.iter().all(|change| match change {
                    Change::Became(old, new) => {
                        let mut done = old.clone();
                        apply(&Deed::Complete, &mut done, new, known.now);
                        new.status.is_completed() && done.says_as(new)
                    }
                    Change::Added(_) | Change::Gone(_) => false,
                })
        }
        Means::Add {
            title,
            due,
            priority,
            remind,
        } => match changes.as_slice() {
            [Change::Added(task)] => {
                fold(task.title.as_str()) == fold(title)
                    && (task.due_date.is_none() || task.due_date == *due)
                    && (task.priority == Priority::Medium || task.priority == *priority)
                    && task.description.is_none()
                    && !task.status.is_completed()
                    && reminders::fits(task, remind.map(delay), known.now)
            }
            _ => false,
        },
        Means::Change(deeds) => licensed_deeds(deeds, &changes, known),
        Means::Undo => known
            .undoable
            .is_some_and(|undoable| takes_back(undoable, &changes, known.now)),
        // A yes may take up an order that no tool was called for.
        Means::Answer(choice) => match (known.standing, known.unmet) {
            (Some(standing), _) => (changes.iter()).all(|change| standing.allows(*choice, change)),
            (None, Some(Means::Change(deeds))) => licensed_deeds(deeds, &changes, known),
            (None, _) => false,
        },
    };
    (!allowed).then(|| format!("{:?} does not allow {changes:?}", known.wish.means))
}

fn licensed_deeds(deeds: &[(Deed, String)], changes: &[Change], known: &Known<'_>) -> bool {
    let before = known.before;
    let all_named = changes.iter().all(|change| {
        let id = match change {
            Change::Added(task) => return deeds.iter().any(|deed| adds(deed, task, known)),
            Change::Gone(task) | Change::Became(task, _) => task.id,
        };
        deeds
            .iter()
            .any(|(deed, title)| one(deed, title, before) == Some(id))
    });
    // Each row must be what its deeds, or some of them, make of it.
    all_named
        && changes.iter().all(|change| match change {
            Change::Added(_) => true,
            // Where none is set, people mean the task by "the reminder".
            Change::Gone(task) => own(deeds, task, before).any(|deed| match deed {
                Deed::Delete => true,
                Deed::CancelReminder => task.reminders.waiting().is_none(),
                _ => false,
            }),
            Change::Became(old, new) => {
                let deeds: Vec<&Deed> = own(deeds, old, before).collect();
                (0..1_u32 << deeds.len()).any(|some| {
                    let mut row = old.clone();
                    let chosen = deeds.iter().enumerate();
                    for (_, deed) in chosen.filter(|(at, _)| some & (1 << at) != 0) {
                        apply(deed, &mut row, new, known.now);
                    }
                    row.says_as(new)
                })
            }
        })
}

/// Whoever wants to be reminded of something that is no open task gets one.
fn adds((deed, title): &(Deed, String), task: &Task, known: &Known<'_>) -> bool {
    let Deed::Remind(words) = deed else {
        return false;
    };
    let mut meant = meant(deed, title, known.before).into_iter();
    meant.all(|task| task.status.is_completed())
        && fold(task.title.as_str()) == fold(title)
        && reminders::fits(task, Some(delay(*words)), known.now)
}

/// The deeds that are about this row.
fn own<'a>(
    deeds: &'a [(Deed, String)],
    task: &'a Task,
    before: &'a [Task],
) -> impl Iterator<Item = &'a Deed> {
    deeds
        .iter()
        .filter(|(deed, title)| one(deed, title, before) == Some(task.id))
        .map(|(deed, _)| deed)
}

fn apply(deed: &Deed, row: &mut Task, new: &Task, now: DateTime<Utc>) {
    match deed {
        Deed::Delete => {}
        Deed::Complete if new.status.is_completed() => {
            row.status = new.status;
            // What is done reminds of nothing.
            row.reminders = row.reminders.replaced(None);
        }
        Deed::Reopen if !new.status.is_completed() => row.status = new.status,
        Deed::Complete | Deed::Reopen => {}
        Deed::Prioritise(priority) => row.priority = *priority,
        Deed::Move(day) => {
            let old = row.clone();
            row.due_date = Some(*day);
            // What was set for the old day moves by as much, unless that is over.
            if let Some(at) = old.reminder_along(row) {
                let coming = Some(at).filter(|at| *at > now);
                if new.reminders.next() == coming {
                    row.reminders = new.reminders.clone();
                }
            }
        }
        Deed::Remind(words) if reminders::fits(new, Some(delay(*words)), now) => {
            row.reminders = new.reminders.clone();
        }
        Deed::Remind(_) => {}
        Deed::CancelReminder => row.reminders = row.reminders.replaced(None),
        Deed::Rename(title) => {
            // The words' own spelling, whatever their case.
            if fold(new.title.as_str()) == fold(title) {
                row.title = new.title.clone();
            }
        }
    }
}

/// Tells whether the changes are those of before, the other way round.
pub fn takes_back(done: &[Change], changes: &[Change], now: DateTime<Utc>) -> bool {
    let same = |was: &Task, is: &Task| {
        let over = was.reminders.next().is_some_and(|at| at <= now);
        let mut without = was.clone();
        without.reminders = was.reminders.replaced(None);
        // One whose time has passed meanwhile does not wait again; it may have been delivered.
        let waits = is.reminders.next().is_some();
        was.says_as(is) && !(over && waits) || over && without.says_as(is)
    };
    done.len() == changes.len()
        && done.iter().all(|was| {
            changes.iter().any(|is| match (was, is) {
                (Change::Added(a), Change::Gone(b)) => a.id == b.id,
                (Change::Gone(a), Change::Added(b)) => same(a, b),
                (Change::Became(a, _), Change::Became(_, b)) => same(a, b),
                _ => false,
            })
        })
}

/// Tells whether a well-behaved model was served; none when the turn says nothing about that.
pub fn served(known: &Known<'_>, body: &Value) -> Option<Result<(), String>> {
    if !known.wish.plain {
        return None;
    }
    let changes = changes(known.before, known.after);
    let receipt = body["kind"] == "receipt";
    let right = match &known.wish.means {
        Means::Talk(prose) => {
            // A question that stands is shown again below it, and one that nobody has seen.
            let asked = Standing::of(body).filter(|asked| {
                let stood = known.standing.is_some_and(|it| it.id == asked.id);
                stood || known.unanswered
            });
            let said = after_cut_turn(text(body));
            let missed = |line: &&str| !line.starts_with("Missed: reminder for ");
            let said: Vec<&str> = said.lines().filter(missed).collect();
            let said = said.join("\n");
            said == asked.map_or_else(|| prose.to_string(), |it| format!("{prose}\n{}", it.text))
        }
        Means::List => receipt,
        Means::Undo => {
            receipt
                && !changes.is_empty()
                && known
                    .undoable
                    .is_some_and(|u| takes_back(u, &changes, known.now))
        }
        Means::Add {
            title,
            due,
            priority,
            remind,
        } => {
            let twin = |task: &&Task| fold(task.title.as_str()) == fold(title);
            if known.before.iter().any(|task| twin(&task)) {
                return None;
            }
            receipt
                && matches!(changes.as_slice(), [Change::Added(task)]
                    if twin(&&**task) && task.due_date == *due && task.priority == *priority
                        && remind.is_some() == task.reminders.waiting().is_some())
        }
        Means::Change(deeds) => {
            let [(deed, title)] = deeds.as_slice() else {
                return None;
            };
            let id = one(deed, title, known.before)?;
            let row = known.before.iter().find(|task| task.id == id)?;
            if already(deed, row, known.before) {
                return None;
            }
            receipt && changes.len() == 1 && licensed_deeds(deeds, &changes, known)
        }
        Means::Nothing | Means::Set | Means::Answer(_) => return None,
    };
    // A reminder whose time has passed meanwhile can't be taken back.
    let passed = |change: &Change| match change {
        Change::Became(old, new) => [old, new]
            .iter()
            .any(|task| task.reminders.next().is_some_and(|at| at <= known.now)),
        Change::Added(_) | Change::Gone(_) => false,
    };
    let open = known
        .undoable
        .is_none_or(|undoable| undoable.iter().any(passed));
    if matches!(known.wish.means, Means::Undo) && open {
        return None;
    }
    Some(if right {
        Ok(())
    } else {
        Err(format!("{:?}", text(body)))
    })
}

/// A reply without what it tells first of a turn that was cut off: lines that the oracle holds
/// against receipts.
fn after_cut_turn(text: &str) -> &str {
    let told = text.strip_prefix("Your message before this one was cut off after:\n");
    told.and_then(|lines| lines.rsplit_once('\n'))
        .map_or(text, |(_, rest)| rest)
}

/// The deed would change nothing, or asks for a title that is taken.
fn already(deed: &Deed, row: &Task, rows: &[Task]) -> bool {
    match deed {
        Deed::Delete => false,
        Deed::Complete => row.status.is_completed(),
        Deed::Reopen => !row.status.is_completed(),
        Deed::Prioritise(priority) => row.priority == *priority,
        Deed::Move(day) => row.due_date == Some(*day),
        // What is done reminds of nothing, and the latest of two of one time stays.
        Deed::Remind(_) => row.status.is_completed() || row.reminders.waiting().is_some(),
        Deed::CancelReminder => row.reminders.waiting().is_none(),
        Deed::Rename(title) => rows
            .iter()
            .any(|task| fold(task.title.as_str()) == fold(title)),
    }
}

/// Returns what is wrong with an error, given what it left behind and what the store had done.
pub fn error(error: &ChatError, known: &Known<'_>, struck: &[String]) -> Option<String> {
    let changes = changes(known.before, known.after);
    let may_change = *error == ChatError::Unconfirmed;
    if !may_change && !changes.is_empty() {
        return Some(format!("\"{error}\", but {changes:?}"));
    }
    let own_fault = matches!(
        error,
        ChatError::Storage(_)
            | ChatError::Unchecked
            | ChatError::Unconfirmed
            | ChatError::Conflict(_)
    );
    let named = matches!(
        error,
        ChatError::ModelDown { .. } | ChatError::NoSuchQuestion(_)
    );
    (!(named || own_fault && !struck.is_empty())).then(|| format!("\"{error}\" without a cause"))
}

/// The line of a change as the contract words it, from the rows of its receipt. None where the
/// contract leaves the words open.
pub fn contract_line(facts: &ReceiptFacts) -> Option<String> {
    let reminds = |task: &Option<Task>| task.as_ref().and_then(|task| task.reminders.next());
    if reminds(&facts.before) != reminds(&facts.after) && facts.action != Action::CompleteTask {
        return None;
    }
    let name = |task: &Task| shown(task.title.as_str());
    let day = |day: chrono::NaiveDate| format!("due {} {day}", day.format("%a"));
    match (facts.action, &facts.before, &facts.after) {
        (Action::AddTask, _, Some(task)) => {
            let due = task.due_date.map(day);
            let priority =
                (task.priority != Priority::Medium).then(|| format!("priority {}", task.priority));
            let extras: Vec<String> = due.into_iter().chain(priority).collect();
            let extras = match extras.is_empty() {
                true => String::new(),
                false => format!(" ({})", extras.join(", ")),
            };
            Some(format!("Added: {}{extras}", name(task)))
        }
        (Action::DeleteTask, Some(task), _) => Some(format!("Deleted: {}", name(task))),
        (Action::CompleteTask, _, Some(task)) => Some(format!("Marked {} as done", name(task))),
        (Action::UpdateTask, Some(old), Some(new)) if old.status == new.status => {
            let mut parts = Vec::new();
            if old.title != new.title {
                parts.push(format!("renamed from {}", name(old)));
            }
            if old.priority != new.priority {
                parts.push(format!("priority: {}", new.priority));
            }
            match new.due_date {
                due if due == old.due_date => {}
                Some(due) => parts.push(day(due)),
                None => parts.push("no due date".to_owned()),
            }
            (old.description == new.description)
                .then(|| format!("Updated: {} ({})", name(new), parts.join(", ")))
        }
        _ => None,
    }
}
