//! Writes without a conversation: the REST routes for tasks, and the tools that MCP offers.
//!
//! They pass the same unit of work as a chat turn does, so they leave the same receipts and
//! audit events; each write is a turn of its own. Asks no model and reads no words.

mod call;
mod import;
mod list;

pub use self::call::{CallOutcome, ConsentAnswer, ConsentBinding, ConsentChoice, DirectCall};
pub use self::import::{ImportOutcome, ImportReport, ImportStopped, TaskImport};

use chrono_tz::Tz;
use serde_json::{Map, Value, json};
use sha2::{Digest, Sha256};

use super::wire::TaskView;
use crate::audit::{AuditEvent, EventKind, canonical};
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
    /// The task.
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

/// Write that is asked for.
#[derive(Debug, Clone)]
enum TaskCommand {
    Add(TaskRequest),
    Patch(TaskId, ChangeRequest),
    Delete(TaskId),
}

/// Answer for what a unit will have done.
struct PlannedAnswer {
    status: u16,
    body: String,
    task: TaskId,
    changed: bool,
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
        self.run(user, &TaskCommand::Add(wanted), key).await
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
        self.run(user, &TaskCommand::Patch(task, change), key).await
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
        self.run(user, &TaskCommand::Delete(task), key).await
    }

    async fn run(
        &self,
        user: &UserId,
        wish: &TaskCommand,
        key: Option<&str>,
    ) -> Result<WriteAnswer, WriteError> {
        let moment = self.clock.now(self.zone);
        let asked = wish.describe();
        let keyed = key.map(|key| (key, fingerprint(&asked)));
        let mut transaction = self.store.transact(BUSY);
        loop {
            let snapshot = self.store.load(user, None, key).await?;
            if let (Some(kept), Some((_, fingerprint))) = (&snapshot.keyed, &keyed) {
                return replay(kept, fingerprint);
            }
            let mut unit = self.unit(user, moment, &snapshot);
            if self.stops_agents {
                let known = self.store.delegations(user).await?;
                unit = unit.knowing(std::sync::Arc::new(known));
            }
            let done = self.perform(wish, &mut unit, moment)?;
            let record = CommitRecord {
                events: events(&asked, moment, &done),
                keyed: keyed.as_ref().map(|(key, fingerprint)| KeyedAnswer {
                    key: (*key).to_owned(),
                    fingerprint: fingerprint.clone(),
                    status: done.status,
                    body: done.body.clone(),
                }),
                ..CommitRecord::default()
            };
            if transaction.commit(unit, record).await?.is_some() {
                return Ok(done.written());
            }
        }
    }

    fn unit(&self, user: &UserId, moment: Moment, snapshot: &UserSnapshot) -> Unit {
        let turn = TurnId::new(self.ids.next());
        let tasks = snapshot.tasks.clone();
        Unit::new(
            user.clone(),
            None,
            turn,
            moment.instant,
            self.ids.clone(),
            tasks,
        )
        .on(moment.today)
        .reminding_at(moment.remind_now)
    }

    fn perform(
        &self,
        wish: &TaskCommand,
        unit: &mut Unit,
        moment: Moment,
    ) -> Result<PlannedAnswer, WriteError> {
        match wish {
            TaskCommand::Add(TaskRequest {
                task,
                completed,
                remind,
            }) => {
                self.check_due(task.due_date, moment)?;
                if task.lacks_day() {
                    return Err(WriteError::TimeWithoutDay);
                }
                check_repeat(task.repeat.as_ref(), moment)?;
                if task.repeats_never() {
                    return Err(WriteError::RepeatNever);
                }
                let remind = remind.as_deref().map(|words| reminder_time(words, moment));
                let added = unit.add_reminding(task.clone(), remind.transpose()?);
                let added = added.facts().after.clone();
                let added = added.ok_or(WriteError::Missing)?;
                if !completed {
                    return Ok(PlannedAnswer::new(201, &added, true));
                }
                let patch = TaskPatch {
                    completed: Some(true),
                    ..TaskPatch::default()
                };
                let applied = unit.change(Action::CompleteTask, added.id, &patch);
                finish(applied, 201)
            }
            TaskCommand::Patch(id, change) => {
                let patch = &change.patch(moment)?;
                let task = unit.task(*id).ok_or(WriteError::Missing)?;
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
                finish(unit.change(patch_action(patch), *id, patch), 200)
            }
            TaskCommand::Delete(id) => match unit.delete(*id) {
                AppliedChange::Changed(_) => Ok(PlannedAnswer {
                    status: 204,
                    body: String::new(),
                    task: *id,
                    changed: true,
                }),
                AppliedChange::AlreadySo(_) | AppliedChange::Missing => Err(WriteError::Missing),
            },
        }
    }

    fn check_due(&self, day: Option<chrono::NaiveDate>, moment: Moment) -> Result<(), WriteError> {
        day.map_or(Ok(()), |day| self.due_rule.check(day, moment.today))
            .map_err(WriteError::DueDate)
    }
}

impl PlannedAnswer {
    fn new(status: u16, task: &Task, changed: bool) -> Self {
        Self {
            status,
            // Strings, numbers and dates always serialise.
            body: serde_json::to_string(&TaskView::from(task)).unwrap_or_default(),
            task: task.id,
            changed,
        }
    }

    fn written(self) -> WriteAnswer {
        WriteAnswer {
            status: self.status,
            body: self.body,
            replayed: false,
        }
    }
}

impl TaskCommand {
    /// Describes what is asked for, for the audit log and for telling two requests under one key
    /// apart.
    fn describe(&self) -> Value {
        match self {
            Self::Add(TaskRequest {
                task,
                completed,
                remind,
            }) => {
                let mut asked = json!({
                    "action": Action::AddTask,
                    "title": task.title,
                    "description": task.description,
                    "priority": task.priority,
                    "due_date": task.due_date,
                    "is_completed": completed,
                });
                // What older releases were asked for is described as they did.
                let mut put = |name: &str, value: Option<Value>| {
                    if let (Some(value), Some(asked)) = (value, asked.as_object_mut()) {
                        asked.insert(name.to_owned(), value);
                    }
                };
                put("due_time", task.due_time.map(|time| json!(time)));
                put("repeat", task.repeat.as_ref().map(|rule| json!(rule)));
                put("remind", remind.as_ref().map(|words| json!(words)));
                asked
            }
            Self::Patch(id, ChangeRequest { patch, remind }) => {
                let action = match remind {
                    Some(_) => Action::UpdateTask,
                    None => patch_action(patch),
                };
                let mut asked = Map::new();
                let mut put = |name: &str, value: Option<Value>| {
                    if let Some(value) = value {
                        asked.insert(name.to_owned(), value);
                    }
                };
                put("action", Some(json!(action)));
                put("task_id", Some(json!(id)));
                put("title", patch.title.as_ref().map(|title| json!(title)));
                put(
                    "description",
                    patch.description.as_ref().map(|text| json!(text)),
                );
                put("priority", patch.priority.map(|priority| json!(priority)));
                put("due_date", patch.due_date.map(|day| json!(day)));
                put("due_time", patch.due_time.map(|time| json!(time)));
                put("repeat", patch.repeat.as_ref().map(|rule| json!(rule)));
                put("remind", remind.as_ref().map(|words| json!(words)));
                put(
                    "is_completed",
                    patch.completed.map(|completed| json!(completed)),
                );
                put("assignee", patch.assignee.as_ref().map(|name| json!(name)));
                Value::Object(asked)
            }
            Self::Delete(id) => json!({"action": Action::DeleteTask, "task_id": id}),
        }
    }
}

impl ChangeRequest {
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
    let only_done = TaskPatch {
        completed: Some(true),
        ..TaskPatch::default()
    };
    if *patch == only_done {
        Action::CompleteTask
    } else {
        Action::UpdateTask
    }
}

fn finish(applied: AppliedChange<'_>, status: u16) -> Result<PlannedAnswer, WriteError> {
    match applied {
        AppliedChange::Changed(draft) => {
            let after = draft.facts().after.as_ref().ok_or(WriteError::Missing)?;
            Ok(PlannedAnswer::new(status, after, true))
        }
        AppliedChange::AlreadySo(task) => Ok(PlannedAnswer::new(status, &task, false)),
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

/// Returns the events for the log. The store adds one event per receipt, before the reply's.
fn events(asked: &Value, moment: Moment, done: &PlannedAnswer) -> Vec<AuditEvent> {
    let event = |kind, told: Value| AuditEvent::of(kind, &told);
    vec![
        event(
            EventKind::Turn,
            json!({
                "source": "rest",
                "asked": asked,
                "today": moment.today,
                "timezone": moment.zone.name(),
            }),
        ),
        event(
            EventKind::ToolCall,
            json!({
                "name": asked.get("action"),
                "task_id": done.task,
                "outcome": if done.changed { "committed" } else { "unchanged" },
            }),
        ),
        event(EventKind::Reply, json!({"status": done.status})),
    ]
}

/// SHA-256 (hex) of what is asked for, in canonical form.
fn fingerprint(asked: &Value) -> String {
    let hash = Sha256::digest(canonical(asked));
    hash.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{Priority, Title};

    fn new_task(title: &str) -> NewTask {
        NewTask {
            title: Title::parse(title).unwrap(),
            description: None,
            priority: Priority::Medium,
            due_date: None,
            due_time: None,
            repeat: None,
        }
    }

    #[test]
    fn what_is_asked_tells_absent_and_null_apart() {
        let id = TaskId::new(uuid::Uuid::nil());
        let check = |patch: TaskPatch, expect: Value| {
            let mut asked = TaskCommand::Patch(id, patch.into()).describe();
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
            fingerprint(
                &TaskCommand::Add(TaskRequest {
                    task: new_task(title),
                    completed,
                    remind: None,
                })
                .describe(),
            )
        };
        assert_eq!(of("milk", false), of(" milk ", false));
        assert_ne!(of("milk", false), of("eggs", false));
        assert_ne!(of("milk", false), of("milk", true));
        assert_eq!(of("milk", false).len(), 64);
    }
}
