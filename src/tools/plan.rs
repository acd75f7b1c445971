//! Plans: calls that were judged and resolved, ready to run. And what running one came to.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use super::NewValues;
use super::listing::{ListFilter, read_list};
use crate::domain::{
    Action, Cause, Details, DueTime, ErrorType, Priority, ReceiptId, RemindAt, Repeat, Task,
    TaskId, Title, Tool, ToolError,
};
use crate::intent::Verb;
use crate::resolver::TaskList;
use crate::store::{
    AppliedChange, ListedTask, NewTask, ReadResult, Receipt, TaskPatch, UndoFault, Unit,
};

/// Something that may be done. Stored with a pending question, so that a plain "yes" runs it
/// without a model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Plan {
    /// Add a task.
    Add(NewTask),
    /// Read tasks.
    List(ListFilter),
    /// Change one task.
    Change(ChangePlan),
    /// Take these changes back, newest first.
    Undo(Vec<ReceiptId>),
}

/// A change of one task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChangePlan {
    /// The change to make.
    pub verb: Verb,
    /// To which task.
    pub task: TaskId,
    /// Its title when this was decided, to be shown and for the words of a failure.
    pub title: String,
    /// New values, for an update and for what is completed or opened again.
    #[serde(default)]
    pub values: PlannedValues,
}

/// New values of a [`ChangePlan`]; `Some(None)` clears one.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct PlannedValues {
    /// A new title.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<Title>,
    /// A new note.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "clearable")]
    pub description: Option<Option<String>>,
    /// A new priority.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub priority: Option<Priority>,
    /// A new due date.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "clearable")]
    pub due_date: Option<Option<NaiveDate>>,
    /// A new time of the due day.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "clearable")]
    pub due_time: Option<Option<DueTime>>,
    /// A new rule by which it repeats.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "clearable")]
    pub repeat: Option<Option<Repeat>>,
    /// A new reminder.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "clearable")]
    pub remind: Option<Option<RemindAt>>,
    /// Taken back from the agent that works on it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub take_back: bool,
}

impl ChangePlan {
    /// Tells whether it does to the same task what another did: the same deed, or a value of the
    /// same kind.
    pub fn repeats(&self, other: &Self) -> bool {
        let (new, old) = (&self.values, &other.values);
        self.task == other.task
            && self.verb == other.verb
            && (self.verb != Verb::Update
                || new.title.is_some() && old.title.is_some()
                || new.description.is_some() && old.description.is_some()
                || new.priority.is_some() && old.priority.is_some()
                || new.due_date.is_some() && old.due_date.is_some()
                || new.due_time.is_some() && old.due_time.is_some()
                || new.repeat.is_some() && old.repeat.is_some()
                || new.remind.is_some() && old.remind.is_some())
    }
}

impl PlannedValues {
    /// Tells whether a value is taken away.
    pub fn clears(&self) -> bool {
        let none = [
            self.description == Some(None),
            self.due_date == Some(None),
            self.due_time == Some(None),
            self.repeat == Some(None),
            self.remind == Some(None),
            self.priority == Some(Priority::Medium),
        ];
        none.contains(&true)
    }

    /// Takes each value but the time of day from `other` where there is none.
    pub fn or(self, other: NewValues) -> Self {
        Self {
            title: self.title.or(other.title),
            description: self.description.or(other.description),
            priority: self.priority.or(other.priority),
            due_date: self.due_date.or(other.due),
            repeat: self.repeat.or(other.repeat),
            ..self
        }
    }

    /// Takes values as they were proposed, with a time of day in `zone`.
    pub fn of(values: NewValues, zone: Tz) -> Self {
        let in_zone = |time: NaiveTime| DueTime::new(time, zone);
        Self {
            title: values.title,
            description: values.description,
            priority: values.priority,
            due_date: values.due,
            due_time: values.time.map(|time| time.map(in_zone)),
            repeat: values.repeat,
            remind: values.remind,
            take_back: values.take_back,
        }
    }

    /// The time at which the waiting reminder of a task comes once it has moved with what is due.
    pub fn reminder_along(&self, task: &Task) -> Option<DateTime<Utc>> {
        let (day, time) = (self.due_date, self.due_time);
        let mut after = task.clone();
        after.set_due(
            day.unwrap_or(task.due_date),
            time.unwrap_or(task.due_time),
            None,
        );
        task.reminder_along(&after)
    }

    /// Gives the change that they make to a row.
    pub fn patch(&self) -> TaskPatch {
        TaskPatch {
            title: self.title.clone(),
            description: self.description.clone(),
            priority: self.priority,
            due_date: self.due_date,
            due_time: self.due_time,
            repeat: self.repeat.clone(),
            remind: self.remind,
            assignee: self.take_back.then_some(None),
            ..TaskPatch::default()
        }
    }
}

impl Plan {
    /// The day that it gives a task.
    pub fn due(&self) -> Option<NaiveDate> {
        match self {
            Self::Add(plan) => plan.due_date,
            Self::Change(plan) => plan.values.due_date.flatten(),
            Self::List(_) | Self::Undo(_) => None,
        }
    }

    /// The tool that a call of it would name.
    pub const fn tool(&self) -> Tool {
        match self {
            Self::Add(_) => Tool::AddTask,
            Self::List(_) => Tool::ListTasks,
            Self::Change(plan) => match plan.verb {
                Verb::Update | Verb::Reopen => Tool::UpdateTask,
                Verb::Complete => Tool::CompleteTask,
                Verb::Delete => Tool::DeleteTask,
            },
            Self::Undo(_) => Tool::Undo,
        }
    }
}

/// Something that is so already: said to the user instead of a success.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StandingFact {
    /// The task was done already.
    AlreadyDone(String),
    /// The task was open already.
    AlreadyOpen(String),
    /// The task had these values already.
    AlreadySo(String),
    /// The task is deleted already.
    AlreadyDeleted(String),
    /// There is nothing to take back.
    NothingToUndo,
    /// Only a preview of a delegation: nothing was started.
    Previewed(Vec<DelegationPreview>),
}

/// Preview of the work that a delegation would have started.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct DelegationPreview {
    /// The task.
    pub title: String,
    /// The persona.
    pub persona: String,
    /// The provider.
    pub provider: String,
    /// Its model; empty where it has only its own.
    pub model: String,
    /// Account of how the provider was chosen.
    pub notes: String,
}

/// Outcome of running a plan.
#[derive(Debug, Clone, PartialEq)]
pub enum PlanOutcome {
    /// So many drafts were added to the unit.
    Done(usize),
    /// Nothing changed.
    Unchanged(StandingFact),
    /// The plan failed.
    Failed(ToolError),
}

/// Runs `plan` in `unit`. `undoable` holds the committed receipts that an undo may name.
pub fn run(plan: &Plan, unit: &mut Unit, undoable: &[Receipt]) -> PlanOutcome {
    let before = unit.drafts().len();
    match plan {
        Plan::Add(plan) => {
            if plan.repeats_never() {
                return PlanOutcome::Failed(repeats_never());
            }
            unit.add(plan.clone());
        }
        Plan::List(filter) => {
            let tasks = unit.tasks();
            let mut reading = read_list(tasks, filter);
            if let ReadResult::Tasks { lines, .. } = &mut reading {
                for line in lines {
                    line.agent = at_work(line, tasks, unit);
                }
            }
            unit.read(Action::ListTasks, reading);
        }
        Plan::Change(plan) if is_refused(plan, unit) => {
            return PlanOutcome::Failed(repeats_never());
        }
        Plan::Change(plan) => match change(plan, unit) {
            AppliedChange::Changed(_) => {}
            AppliedChange::AlreadySo(_) => return PlanOutcome::Unchanged(already(plan)),
            AppliedChange::Missing => {
                return PlanOutcome::Unchanged(StandingFact::AlreadyDeleted(plan.title.clone()));
            }
        },
        Plan::Undo(ids) => return undo(ids, unit, undoable),
    }
    PlanOutcome::Done(unit.drafts().len() - before)
}

/// Names the agent that works on a delegated task, and the state of its run.
fn at_work(line: &ListedTask, tasks: &TaskList, unit: &Unit) -> Option<String> {
    let task = tasks.get(line.id)?;
    let agent = task.assignee.as_ref()?;
    let run = unit.newest_run(task.id)?;
    Some(format!("{agent} {}", run.state))
}

fn change<'u>(plan: &ChangePlan, unit: &'u mut Unit) -> AppliedChange<'u> {
    let (action, patch) = match plan.verb {
        Verb::Delete => return unit.delete(plan.task),
        Verb::Complete if plan.values == PlannedValues::default() => {
            (Action::CompleteTask, status(true))
        }
        Verb::Complete | Verb::Reopen => (
            Action::UpdateTask,
            TaskPatch {
                completed: Some(plan.verb == Verb::Complete),
                ..plan.values.patch()
            },
        ),
        Verb::Update => (Action::UpdateTask, plan.values.patch()),
    };
    unit.change(action, plan.task, &patch)
}

fn is_refused(plan: &ChangePlan, unit: &Unit) -> bool {
    let valued = plan.verb != Verb::Delete;
    let updated = unit.task(plan.task).filter(|_| valued);
    updated.is_some_and(|task| plan.values.patch().repeats_never(task))
}

/// A rule that gives no day after the due date.
pub fn repeats_never() -> ToolError {
    let text = "The repetition never falls after the due date.";
    ToolError::new(ErrorType::Validation, text).with(Details {
        parameter: Some("repeat".to_owned()),
        suggestion: Some("Give a due date that the rule gives, or another rule".to_owned()),
        ..Details::default()
    })
}

fn status(completed: bool) -> TaskPatch {
    TaskPatch {
        completed: Some(completed),
        ..TaskPatch::default()
    }
}

fn already(plan: &ChangePlan) -> StandingFact {
    let title = plan.title.clone();
    match plan.verb {
        Verb::Complete => StandingFact::AlreadyDone(title),
        Verb::Reopen => StandingFact::AlreadyOpen(title),
        Verb::Update => StandingFact::AlreadySo(title),
        Verb::Delete => StandingFact::AlreadyDeleted(title),
    }
}

fn undo(ids: &[ReceiptId], unit: &mut Unit, undoable: &[Receipt]) -> PlanOutcome {
    let before = unit.drafts().len();
    if ids.is_empty() {
        return PlanOutcome::Unchanged(StandingFact::NothingToUndo);
    }
    for id in ids {
        let Some(receipt) = undoable.iter().find(|receipt| receipt.facts().id == *id) else {
            return PlanOutcome::Unchanged(StandingFact::NothingToUndo);
        };
        match unit.undo(receipt) {
            Ok(_) => {}
            Err(fault) => {
                let text = format!("Could not undo: {fault}.");
                let cause = match fault {
                    UndoFault::Changed { title } => Cause::ChangedSince { title },
                    UndoFault::Stopped => Cause::AgentStopped,
                    UndoFault::NotAChange => {
                        return PlanOutcome::Unchanged(StandingFact::NothingToUndo);
                    }
                };
                let error = ToolError::new(ErrorType::Conflict, text);
                return PlanOutcome::Failed(error.because([cause]));
            }
        }
    }
    PlanOutcome::Done(unit.drafts().len() - before)
}

/// `Some(None)` is written as null, and an absent key stays `None`.
mod clearable {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    pub(super) fn serialize<T: Serialize, S: Serializer>(
        value: &Option<Option<T>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        value
            .as_ref()
            .and_then(Option::as_ref)
            .serialize(serializer)
    }

    pub(super) fn deserialize<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Option<T>>, D::Error> {
        Option::<T>::deserialize(deserializer).map(Some)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{IdSource, TurnId, UserId};

    #[test]
    fn a_rule_that_never_falls_after_the_due_date_is_refused() {
        let (ids, now) = (IdSource::random(), chrono::DateTime::UNIX_EPOCH);
        let (user, turn) = (UserId::parse("ann").unwrap(), TurnId::new(ids.next()));
        let mut unit = Unit::new(user, None, turn, now, ids, TaskList::default());
        // A Tuesday.
        let tuesday = NewTask {
            due_date: "2026-02-10".parse().ok(),
            ..NewTask::titled(Title::parse("milk").unwrap())
        };
        let mondays = Repeat::parse("FREQ=DAILY;INTERVAL=7;BYDAY=MO").ok();
        let never = NewTask {
            repeat: mondays.clone(),
            ..tuesday.clone()
        };
        let run = |plan: Plan, unit: &mut Unit| run(&plan, unit, &[]);
        let refused = |outcome: PlanOutcome| match outcome {
            PlanOutcome::Failed(error) => error.to_string().contains("never falls after"),
            _ => false,
        };
        assert!(refused(run(Plan::Add(never), &mut unit)));
        assert_eq!(run(Plan::Add(tuesday), &mut unit), PlanOutcome::Done(1));
        let task = unit.tasks().to_vec().remove(0);
        let values = PlannedValues {
            repeat: Some(mondays),
            ..PlannedValues::default()
        };
        let mut change = ChangePlan {
            verb: Verb::Update,
            task: task.id,
            title: "milk".to_owned(),
            values,
        };
        assert!(refused(run(Plan::Change(change.clone()), &mut unit)));
        // With a day of the rule's it goes on.
        change.values.due_date = Some("2026-02-09".parse().ok());
        assert_eq!(run(Plan::Change(change), &mut unit), PlanOutcome::Done(1));
    }
}
