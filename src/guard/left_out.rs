//! Values of a proposal that the words do not support: what is done without them says so.

use super::compose::Composition;
use super::phrases::quoted;
use crate::domain::text::fold;
use crate::domain::{DueTime, Priority, Task};
use crate::intent::Verb;
use crate::locales::localized;
use crate::resolver::TaskList;
use crate::tools::{AddProposal, ChangePlan, NewTask, NewValues, Plan, Proposal};
use crate::turn::{LeftOut, ValueKind};

/// The values that a proposal has and its plan does not, but for those that the task has already.
pub fn left_out(proposal: &Proposal, plan: &Plan, tasks: &TaskList) -> Vec<LeftOut> {
    let mut left = match (proposal, plan) {
        (Proposal::Add(add), Plan::Add(plan)) => of_addition(add, plan),
        (Proposal::Change { values, .. }, Plan::Change(plan)) => {
            let task = tasks.iter().find(|task| task.id == plan.task);
            task.map_or_else(Vec::new, |task| of_change(values, plan, task))
        }
        _ => Vec::new(),
    };
    let written = writes(plan);
    left.retain(|value| !written.contains(value));
    left
}

/// The values that a plan writes: what was left out of the same task before is left out no more.
pub fn writes(plan: &Plan) -> Vec<LeftOut> {
    match plan {
        Plan::Add(plan) => there(
            plan.title.as_str(),
            [
                (ValueKind::Note, plan.description.is_some()),
                (ValueKind::Day, plan.due_date.is_some()),
                (ValueKind::Time, plan.due_time.is_some()),
                (ValueKind::Repetition, plan.repeat.is_some()),
                (ValueKind::Reminder, plan.remind.is_some()),
            ],
        ),
        Plan::Change(ChangePlan {
            title,
            verb,
            values,
            ..
        }) => there(
            title,
            [
                (ValueKind::Title, values.title.is_some()),
                (ValueKind::Note, values.description.is_some()),
                (ValueKind::Priority, values.priority.is_some()),
                (ValueKind::Day, values.due_date.is_some()),
                (ValueKind::Time, values.due_time.is_some()),
                (ValueKind::Repetition, values.repeat.is_some()),
                (ValueKind::Reminder, values.remind.is_some()),
                (ValueKind::Status, *verb != Verb::Update),
            ],
        ),
        _ => Vec::new(),
    }
}

/// The values of a task that are there.
fn there<const N: usize>(title: &str, values: [(ValueKind, bool); N]) -> Vec<LeftOut> {
    let there = values.into_iter().filter(|(_, there)| *there);
    let named = there.map(|(value, _)| LeftOut {
        value,
        title: title.to_owned(),
    });
    named.collect()
}

/// The values that a new task is to have.
fn of_addition(add: &AddProposal, plan: &NewTask) -> Vec<LeftOut> {
    // A model fills in "medium", which every task is.
    let level = |level: Priority| level != plan.priority && level != Priority::Medium;
    there(
        plan.title.as_str(),
        [
            (ValueKind::Note, add.description.is_some()),
            (ValueKind::Priority, add.priority.is_some_and(level)),
            (ValueKind::Day, add.due.is_some()),
            (ValueKind::Time, add.time.is_some()),
            (ValueKind::Repetition, add.repeat.is_some()),
            (ValueKind::Reminder, add.remind.is_some()),
        ],
    )
}

/// The values that a task is to have and has not.
fn of_change(values: &NewValues, plan: &ChangePlan, task: &Task) -> Vec<LeftOut> {
    let title = values.title.as_ref().map(|title| fold(title.as_str()));
    let title = title.filter(|new| *new != fold(task.title.as_str()));
    let note = (values.description.as_ref()).map(|note| note.as_deref().unwrap_or_default());
    let note = note.filter(|new| *new != task.description.as_deref().unwrap_or_default());
    let other = |level: Priority| level != Priority::Medium && level != task.priority;
    // What is done may be gone from its day: a repetition moves on.
    let moves = plan.verb == Verb::Complete && task.repeat.is_some();
    let day = values.due.filter(|day| !moves && *day != task.due_date);
    let time = values
        .time
        .filter(|new| *new != task.due_time.map(DueTime::time));
    let repeat = values.repeat.as_ref().filter(|rule| **rule != task.repeat);
    let remind = values.remind.map(|when| when.map(|when| when.at));
    let known = [task.reminders.next(), plan.values.reminder_along(task)];
    let remind = remind.filter(|new| !known.contains(new));
    let done = task.status.is_completed();
    there(
        &plan.title,
        [
            (ValueKind::Title, title.is_some()),
            (ValueKind::Note, note.is_some()),
            (ValueKind::Priority, values.priority.is_some_and(other)),
            (ValueKind::Day, day.is_some()),
            (ValueKind::Time, time.is_some()),
            (ValueKind::Repetition, repeat.is_some()),
            (ValueKind::Reminder, remind.is_some()),
            (
                ValueKind::Status,
                values.completed.is_some_and(|new| new != done),
            ),
        ],
    )
}

/// The one line for what was left out: the values, and the tasks of which all of them were.
pub(super) fn left_out_line(from: &Composition<'_>) -> Option<String> {
    let speech = from.speech;
    let mut of: Vec<(String, Vec<ValueKind>)> = Vec::new();
    for left in &from.ledger.left_out {
        let title = quoted(&left.title);
        match of.iter_mut().find(|(known, _)| *known == title) {
            Some((_, kinds)) if kinds.contains(&left.value) => {}
            Some((_, kinds)) => kinds.push(left.value),
            None => of.push((title, vec![left.value])),
        }
    }
    let mut told: Vec<(Vec<ValueKind>, Vec<String>)> = Vec::new();
    for (title, kinds) in of {
        match told.iter_mut().find(|(known, _)| *known == kinds) {
            Some((_, titles)) => titles.push(title),
            None => told.push((kinds, vec![title])),
        }
    }
    let value = |kind: &ValueKind| localized!(speech, "left-out-value", value = kind.as_str());
    let values = told.into_iter().map(|(kinds, titles)| {
        let kinds: Vec<String> = kinds.iter().map(value).collect();
        format!("{} ({})", kinds.join(", "), titles.join(", "))
    });
    let values: Vec<String> = values.collect();
    (!values.is_empty()).then(|| localized!(speech, "left-out", values = values.join(", ")))
}
