//! Writes without a conversation: the REST routes for tasks, and the tools that MCP offers.
//!
//! They pass the same unit of work as a chat turn does, so they leave the same receipts and
//! audit events; each write is a turn of its own. Asks no model and reads no words.

mod call;
mod import;
mod list;

pub use self::call::{CallOutcome, ConsentAnswer, ConsentBinding, ConsentChoice, DirectCall};
pub use self::import::{ImportOutcome, ImportReport, ImportStopped, TaskImport};

use std::sync::Arc;

use chrono_tz::Tz;
use serde_json::{Value, json};

use super::wire::TaskView;
use super::{fingerprint, unit_of};
use crate::audit::{AuditEvent, EventKind};
use crate::domain::{
    Action, Clock, IdSource, Moment, RemindAt, Repeat, Task, TaskId, TurnId, UserId,
};
use crate::store::{
    AppliedChange, CommitRecord, KeyedAnswer, NewTask, RollbackCause, Store, StoreError, TaskPatch,
    TransactError, Unit, UserSnapshot,
};
use crate::temporal::{DueFault, DueRule, RemindFault, remind_at};

/// Tells that other hands moved a task at every try.
const BUSY: &str = "the task kept being changed meanwhile";

/// Adds, changes and deletes tasks on behalf of a user, without a conversation.
#[derive(Debug, Clone)]
pub struct DirectWrites {
    store: Store,
    clock: Clock,
    ids: IdSource,
    due_rule: DueRule,
    zone: Tz,
    stops_agents: bool,
}

/// An answer, as it is kept under an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WriteAnswer {
    /// HTTP status.
    pub status: u16,
    /// The task as JSON, or nothing for a deletion.
    pub body: String,
    /// True when it was given before and is only repeated.
    pub replayed: bool,
}

/// Reason why nothing was written. Only [`WriteError::Unconfirmed`] leaves that open.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WriteError {
    /// The user has no such task.
    #[error("you have no task of this id")]
    Missing,
    /// The due date is outside the rule's window.
    #[error(transparent)]
    DueDate(DueFault),
    /// A time of day for a task that is due on no day.
    #[error("a time of day needs a due date")]
    TimeWithoutDay,
    /// A rule that gives no day from today on.
    #[error("the repetition ends before today")]
    RepeatEnded,
    /// A rule that gives no day after the due date.
    #[error("the repetition never falls after the due date")]
    RepeatNever,
    /// Words that give no time to be reminded at.
    #[error("the time of the reminder {0}")]
    Remind(RemindFault),
    /// The idempotency key answered another request.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// Other hands kept moving the task.
    #[error("the task kept being changed meanwhile")]
    Conflict,
    /// The commit's fate is unknown.
    #[error("it could not be confirmed whether this was saved")]
    Unconfirmed,
    /// The database refused or could not be reached.
    #[error("the database failed: {0}")]
    Storage(String),
}

impl From<StoreError> for WriteError {
    fn from(error: StoreError) -> Self {
        Self::Storage(error.to_string())
    }
}

impl From<TransactError> for WriteError {
    fn from(error: TransactError) -> Self {
        match error {
            TransactError::RolledBack(RollbackCause::Storage(cause)) => Self::Storage(cause),
            TransactError::RolledBack(_) | TransactError::Busy(_) => Self::Conflict,
            TransactError::Unconfirmed(_) => Self::Unconfirmed,
        }
    }
}

/// Task that is asked for.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskRequest {
    /// The task, but for its reminder.
    pub task: NewTask,
    /// True where it is done already.
    pub completed: bool,
    /// Words for the time to be reminded of it at.
    pub remind: Option<String>,
}

/// Change of a task that is asked for.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ChangeRequest {
    /// The new values, but for its reminder.
    pub patch: TaskPatch,
    /// Words for the time to be reminded of it at; `Some(None)` takes the reminder that waits back.
    pub remind: Option<Option<String>>,
}

impl From<TaskPatch> for ChangeRequest {
    fn from(patch: TaskPatch) -> Self {
        Self {
            patch,
            remind: None,
        }
    }
}

/// Answer for what a unit will have done.
struct PlannedAnswer {
    status: u16,
    body: String,
    /// Tasks that were asked for, and whether each was changed.
    tasks: Vec<(TaskId, bool)>,
}

impl DirectWrites {
    /// Writes into `store`; `zone` says which day today is.
    pub const fn new(
        store: Store,
        clock: Clock,
        ids: IdSource,
        due_rule: DueRule,
        zone: Tz,
    ) -> Self {
        Self {
            store,
            clock,
            ids,
            due_rule,
            zone,
            stops_agents: false,
        }
    }

    /// Sets whether a task that is deleted or done by hand stops the agent that works on it.
    #[must_use]
    pub const fn stopping_agents(mut self, stops: bool) -> Self {
        self.stops_agents = stops;
        self
    }

    /// The same writes for a request of another zone, in which its today is read.
    #[must_use]
    pub const fn in_zone(mut self, zone: Tz) -> Self {
        self.zone = zone;
        self
    }

    /// Adds a task: 201 and the task.
    ///
    /// # Errors
    /// [`WriteError`]; nothing was written unless it says that this is unknown.
    pub async fn add(
        &self,
        user: &UserId,
        wanted: TaskRequest,
        key: Option<&str>,
    ) -> Result<WriteAnswer, WriteError> {
        let asked = wanted.describe();
        let add = |unit: &mut Unit, moment| self.added(&wanted, unit, moment);
        self.write(user, &asked, key, add).await
    }

    /// Gives a task new values: 200 and the task, changed or as it already was.
    ///
    /// # Errors
    /// [`WriteError`]; nothing was written unless it says that this is unknown.
    pub async fn patch(
        &self,
        user: &UserId,
        task: TaskId,
        change: ChangeRequest,
        key: Option<&str>,
    ) -> Result<WriteAnswer, WriteError> {
        let asked = change.describe(task);
        let patch = |unit: &mut Unit, moment| self.patched(task, &change, unit, moment);
        self.write(user, &asked, key, patch).await
    }

    /// Deletes a task: 204.
    ///
    /// # Errors
    /// [`WriteError`]; nothing was written unless it says that this is unknown.
    pub async fn delete(
        &self,
        user: &UserId,
        task: TaskId,
        key: Option<&str>,
    ) -> Result<WriteAnswer, WriteError> {
        let asked = json!({"action": Action::DeleteTask, "task_id": task});
        let delete = |unit: &mut Unit, _| match unit.delete(task) {
            AppliedChange::Changed(_) => Ok(PlannedAnswer::empty(vec![(task, true)])),
            AppliedChange::AlreadySo(_) | AppliedChange::Missing => Err(WriteError::Missing),
        };
        self.write(user, &asked, key, delete).await
    }

    /// Commits what `decide` does in a unit of work; decided anew where other hands were faster.
    async fn write(
        &self,
        user: &UserId,
        asked: &Value,
        key: Option<&str>,
        decide: impl Fn(&mut Unit, Moment) -> Result<PlannedAnswer, WriteError>,
    ) -> Result<WriteAnswer, WriteError> {
        let moment = self.clock.now(self.zone);
        let keyed = key.map(|key| (key, fingerprint(asked)));
        let mut transaction = self.store.transact(BUSY);
        loop {
            let snapshot = self.store.load(user, None, key).await?;
            if let (Some(kept), Some((_, fingerprint))) = (&snapshot.keyed, &keyed) {
                return replay(kept, fingerprint);
            }
            let mut unit = self.unit(user, moment, &snapshot);
            if self.stops_agents {
                let known = self.store.delegations(user).await?;
                unit = unit.knowing(Arc::new(known));
            }
            let done = decide(&mut unit, moment)?;
            let calls = done.tasks.iter().map(|(task, changed)| {
                let outcome = if *changed { "committed" } else { "unchanged" };
                json!({"name": asked.get("action"), "task_id": task, "outcome": outcome})
            });
            let record = CommitRecord {
                events: account("rest", asked, moment, calls, done.status),
                keyed: keyed.as_ref().map(|(key, fingerprint)| KeyedAnswer {
                    key: (*key).to_owned(),
                    fingerprint: fingerprint.clone(),
                    status: done.status,
                    body: done.body.clone(),
                }),
                ..CommitRecord::default()
            };
            if transaction.commit(unit, record).await?.is_some() {
                return Ok(WriteAnswer {
                    status: done.status,
                    body: done.body,
                    replayed: false,
                });
            }
        }
    }

    fn unit(&self, user: &UserId, moment: Moment, snapshot: &UserSnapshot) -> Unit {
        let turn = TurnId::new(self.ids.next());
        unit_of(user, None, turn, moment, &self.ids, snapshot.tasks.clone())
    }

    fn added(
        &self,
        wanted: &TaskRequest,
        unit: &mut Unit,
        moment: Moment,
    ) -> Result<PlannedAnswer, WriteError> {
        let task = &wanted.task;
        self.check_due(task.due_date, moment)?;
        if task.lacks_day() {
            return Err(WriteError::TimeWithoutDay);
        }
        check_repeat(task.repeat.as_ref(), moment)?;
        if task.repeats_never() {
            return Err(WriteError::RepeatNever);
        }
        let remind = wanted.remind.as_deref();
        let remind = remind.map(|words| reminder_time(words, moment));
        let added = unit.add(NewTask {
            remind: remind.transpose()?,
            ..task.clone()
        });
        let added = added.facts().after.clone();
        let added = added.ok_or(WriteError::Missing)?;
        if !wanted.completed {
            return Ok(PlannedAnswer::of(201, &added, true));
        }
        finish(
            unit.change(Action::CompleteTask, added.id, &only_done()),
            201,
        )
    }

    fn patched(
        &self,
        id: TaskId,
        change: &ChangeRequest,
        unit: &mut Unit,
        moment: Moment,
    ) -> Result<PlannedAnswer, WriteError> {
        let patch = &change.patch(moment)?;
        let task = unit.task(id).ok_or(WriteError::Missing)?;
        if patch.lacks_day(task) {
            return Err(WriteError::TimeWithoutDay);
        }
        check_repeat(patch.repeat.as_ref().and_then(Option::as_ref), moment)?;
        if patch.repeats_never(task) {
            return Err(WriteError::RepeatNever);
        }
        // A date that is already there is not asked for: a form may send it along.
        let asked = patch
            .due_date
            .flatten()
            .filter(|day| Some(*day) != task.due_date);
        self.check_due(asked, moment)?;
        finish(unit.change(patch_action(patch), id, patch), 200)
    }

    fn check_due(&self, day: Option<chrono::NaiveDate>, moment: Moment) -> Result<(), WriteError> {
        day.map_or(Ok(()), |day| self.due_rule.check(day, moment.today))
            .map_err(WriteError::DueDate)
    }
}

impl PlannedAnswer {
    fn of(status: u16, task: &Task, changed: bool) -> Self {
        Self {
            status,
            // Strings, numbers and dates always serialise.
            body: serde_json::to_string(&TaskView::from(task)).unwrap_or_default(),
            tasks: vec![(task.id, changed)],
        }
    }

    /// Without a body.
    const fn empty(tasks: Vec<(TaskId, bool)>) -> Self {
        Self {
            status: 204,
            body: String::new(),
            tasks,
        }
    }
}

impl TaskRequest {
    /// Describes what is asked for, for the audit log and for telling two requests under one key
    /// apart. Requests of older releases are described as they did it.
    fn describe(&self) -> Value {
        let task = &self.task;
        described([
            ("action", Some(json!(Action::AddTask))),
            ("title", Some(json!(task.title))),
            ("description", Some(json!(task.description))),
            ("priority", Some(json!(task.priority))),
            ("due_date", Some(json!(task.due_date))),
            ("is_completed", Some(json!(self.completed))),
            ("due_time", task.due_time.map(|time| json!(time))),
            ("repeat", task.repeat.as_ref().map(|rule| json!(rule))),
            ("remind", self.remind.as_ref().map(|words| json!(words))),
        ])
    }
}

impl ChangeRequest {
    /// Describes the change of `task` as it is asked for.
    fn describe(&self, task: TaskId) -> Value {
        let Self { patch, remind } = self;
        let action = match remind {
            Some(_) => Action::UpdateTask,
            None => patch_action(patch),
        };
        described([
            ("action", Some(json!(action))),
            ("task_id", Some(json!(task))),
            ("title", patch.title.as_ref().map(|title| json!(title))),
            (
                "description",
                patch.description.as_ref().map(|text| json!(text)),
            ),
            ("priority", patch.priority.map(|priority| json!(priority))),
            ("due_date", patch.due_date.map(|day| json!(day))),
            ("due_time", patch.due_time.map(|time| json!(time))),
            ("repeat", patch.repeat.as_ref().map(|rule| json!(rule))),
            ("remind", remind.as_ref().map(|words| json!(words))),
            (
                "is_completed",
                patch.completed.map(|completed| json!(completed)),
            ),
            ("assignee", patch.assignee.as_ref().map(|name| json!(name))),
        ])
    }

    /// The new values, as the words for a reminder have them now.
    fn patch(&self, moment: Moment) -> Result<TaskPatch, WriteError> {
        let time = |words: &Option<String>| {
            let words = words.as_deref();
            words.map(|words| reminder_time(words, moment)).transpose()
        };
        Ok(TaskPatch {
            remind: self.remind.as_ref().map(time).transpose()?,
            ..self.patch.clone()
        })
    }
}

fn reminder_time(words: &str, moment: Moment) -> Result<RemindAt, WriteError> {
    let Moment { zone, today, .. } = moment;
    let at = remind_at(words, moment.remind_now, zone).map_err(WriteError::Remind)?;
    Ok(RemindAt { at, zone, today })
}

fn check_repeat(rule: Option<&Repeat>, moment: Moment) -> Result<(), WriteError> {
    match rule {
        Some(rule) if rule.first(moment.today).is_none() => Err(WriteError::RepeatEnded),
        _ => Ok(()),
    }
}

/// Marking as done and nothing else is called so; everything else is an update.
fn patch_action(patch: &TaskPatch) -> Action {
    if *patch == only_done() {
        Action::CompleteTask
    } else {
        Action::UpdateTask
    }
}

fn only_done() -> TaskPatch {
    TaskPatch {
        completed: Some(true),
        ..TaskPatch::default()
    }
}

fn finish(applied: AppliedChange<'_>, status: u16) -> Result<PlannedAnswer, WriteError> {
    match applied {
        AppliedChange::Changed(draft) => {
            let after = draft.facts().after.as_ref().ok_or(WriteError::Missing)?;
            Ok(PlannedAnswer::of(status, after, true))
        }
        AppliedChange::AlreadySo(task) => Ok(PlannedAnswer::of(status, &task, false)),
        AppliedChange::Missing => Err(WriteError::Missing),
    }
}

fn replay(kept: &KeyedAnswer, fingerprint: &str) -> Result<WriteAnswer, WriteError> {
    if kept.fingerprint != fingerprint {
        return Err(WriteError::KeyReused);
    }
    Ok(WriteAnswer {
        status: kept.status,
        body: kept.body.clone(),
        replayed: true,
    })
}

/// Members that are given, as an object.
fn described<const N: usize>(members: [(&str, Option<Value>); N]) -> Value {
    let given = members.into_iter();
    let given = given.filter_map(|(name, value)| Some((name.to_owned(), value?)));
    Value::Object(given.collect())
}

/// Account of a write for the log: what was asked, what came of each task, the status of the answer.
/// The store adds one event per receipt, before the reply's.
fn account(
    source: &str,
    asked: &Value,
    moment: Moment,
    calls: impl IntoIterator<Item = Value>,
    status: u16,
) -> Vec<AuditEvent> {
    let turn = json!({
        "source": source,
        "asked": asked,
        "today": moment.today,
        "timezone": moment.zone.name(),
    });
    let calls = calls.into_iter();
    let calls = calls.map(|call| AuditEvent::of(EventKind::ToolCall, &call));
    std::iter::once(AuditEvent::of(EventKind::Turn, &turn))
        .chain(calls)
        .chain([AuditEvent::of(EventKind::Reply, &json!({"status": status}))])
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Title;

    fn new_task(title: &str) -> NewTask {
        NewTask::titled(Title::parse(title).unwrap())
    }

    #[test]
    fn what_is_asked_tells_absent_and_null_apart() {
        let id = TaskId::new(uuid::Uuid::nil());
        let check = |patch: TaskPatch, expect: Value| {
            let mut asked = ChangeRequest::from(patch).describe(id);
            let fields = asked.as_object_mut().unwrap();
            fields.remove("task_id");
            assert_eq!(asked, expect);
        };
        check(TaskPatch::default(), json!({"action": "update_task"}));
        check(
            TaskPatch {
                due_date: Some(None),
                ..TaskPatch::default()
            },
            json!({"action": "update_task", "due_date": null}),
        );
        check(
            TaskPatch {
                completed: Some(true),
                ..TaskPatch::default()
            },
            json!({"action": "complete_task", "is_completed": true}),
        );
        check(
            TaskPatch {
                completed: Some(false),
                ..TaskPatch::default()
            },
            json!({"action": "update_task", "is_completed": false}),
        );
    }

    #[test]
    fn fingerprints_differ_with_what_is_asked() {
        let of = |title: &str, completed| {
            let asked = TaskRequest {
                task: new_task(title),
                completed,
                remind: None,
            };
            fingerprint(&asked.describe())
        };
        assert_eq!(of("milk", false), of(" milk ", false));
        assert_ne!(of("milk", false), of("eggs", false));
        assert_ne!(of("milk", false), of("milk", true));
        assert_eq!(of("milk", false).len(), 64);
    }
}
