//! A unit of work: changes collected in memory, written by one commit.
//!
//! Pure: it reads a snapshot and an id source, and touches no database. Its drafts are
//! what the reply is rendered from; they become receipts when the unit commits.

use std::sync::Arc;

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::delegation::{KnownRuns, RunWrite};
use super::receipt::{Draft, ReadResult, Receipt, ReceiptFacts};
use super::reminders::ReminderLease;
use crate::audit::{AuditEvent, hex};
use crate::domain::{
    Action, AttemptId, ConversationId, DueTime, IdSource, Priority, ReceiptId, RemindAt, Reminders,
    Repeat, Status, Task, TaskId, Title, TurnId, UserId,
};
use crate::resolver::TaskList;

/// A task to add.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NewTask {
    /// Its title.
    pub title: Title,
    /// A note.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Its urgency.
    #[serde(default)]
    pub priority: Priority,
    /// Day on which it is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_date: Option<NaiveDate>,
    /// Time of that day; dropped where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_time: Option<DueTime>,
    /// Rule by which it repeats; gives the due date where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<Repeat>,
    /// Time to be reminded at.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remind: Option<RemindAt>,
}

impl NewTask {
    /// Makes a task of a title and nothing else.
    pub fn titled(title: Title) -> Self {
        Self {
            title,
            description: None,
            priority: Priority::default(),
            due_date: None,
            due_time: None,
            repeat: None,
            remind: None,
        }
    }

    /// Tells whether it has a time of day and no due date.
    pub const fn lacks_day(&self) -> bool {
        self.due_time.is_some() && self.due_date.is_none() && self.repeat.is_none()
    }

    /// Tells whether its rule would never give another day after its due date.
    pub fn repeats_never(&self) -> bool {
        let due = self.repeat.as_ref().zip(self.due_date);
        due.is_some_and(|(rule, due)| !rule.goes_on_from(due))
    }
}

/// New values: `None` leaves a value, `Some(None)` clears it.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct TaskPatch {
    /// A new title.
    pub title: Option<Title>,
    /// A new note, or none.
    pub description: Option<Option<String>>,
    /// A new priority.
    pub priority: Option<Priority>,
    /// A new due date, or none.
    pub due_date: Option<Option<NaiveDate>>,
    /// A new time of the due day, or none. It stays when the day moves, and goes with the day.
    pub due_time: Option<Option<DueTime>>,
    /// A new rule by which it repeats, or none. It goes with the day, and gives one where there is
    /// none.
    pub repeat: Option<Option<Repeat>>,
    /// Done (`true`) or open.
    pub completed: Option<bool>,
    /// Agent that works on it, or nobody.
    pub assignee: Option<Option<String>>,
    /// A new reminder in place of the one that waits, or none.
    pub remind: Option<Option<RemindAt>>,
}

/// Outcome of a change of one task, before the commit.
#[derive(Debug, PartialEq)]
#[must_use = "a write that changed nothing is not a success"]
pub enum AppliedChange<'a> {
    /// The task will be changed.
    Changed(&'a Draft),
    /// The task already was so; nothing is written and no receipt will exist.
    AlreadySo(Box<Task>),
    /// There is no such task.
    Missing,
}

/// Reason why an undo can't be done.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UndoFault {
    /// The task was changed since by another hand.
    #[error("\"{title}\" was changed since")]
    Changed {
        /// The task's title, as the undone change left it.
        title: String,
    },
    /// Not a change.
    #[error("there is nothing to take back")]
    NotAChange,
    /// An agent was stopped; it can only be resumed, in a new run.
    #[error("a stopped agent does not go on by itself: it can be resumed")]
    Stopped,
}

/// One row to write. `version` is the row's new version; the row must stand at `version - 1`,
/// and must not exist when that is 0.
#[derive(Debug, Clone, PartialEq)]
pub struct RowWrite {
    /// The row after the change.
    pub task: Task,
    /// The row is deleted (softly) by it.
    pub deleted: bool,
}

/// Changes of one turn that commit together.
#[derive(Debug)]
pub struct Unit {
    user: UserId,
    conversation: Option<ConversationId>,
    turn: TurnId,
    attempt: AttemptId,
    now: DateTime<Utc>,
    today: NaiveDate,
    pub(in crate::store) remind_now: DateTime<Utc>,
    pub(in crate::store) ids: IdSource,
    tasks: TaskList,
    pub(in crate::store) delegations: Arc<KnownRuns>,
    pub(in crate::store) run_writes: Vec<RunWrite>,
    writes: Vec<RowWrite>,
    undone: Vec<(ReceiptId, ReceiptId)>,
    pub(in crate::store) reminder_events: Vec<AuditEvent>,
    /// The right by which it ends a reminder.
    pub(in crate::store) reminder_lease: Option<ReminderLease>,
    drafts: Vec<Draft>,
}

impl Unit {
    /// An empty unit of `turn`, over the tasks of a snapshot. Its day is that of `now` in UTC: see
    /// [`Unit::on`].
    pub fn new(
        user: UserId,
        conversation: Option<ConversationId>,
        turn: TurnId,
        now: DateTime<Utc>,
        ids: IdSource,
        tasks: TaskList,
    ) -> Self {
        let attempt = AttemptId::new(ids.next());
        Self {
            user,
            conversation,
            turn,
            attempt,
            now,
            today: now.date_naive(),
            remind_now: now,
            ids,
            tasks,
            delegations: Arc::default(),
            run_writes: Vec::new(),
            writes: Vec::new(),
            undone: Vec::new(),
            reminder_events: Vec::new(),
            reminder_lease: None,
            drafts: Vec::new(),
        }
    }

    /// The same on the user's own day, from which repetitions go on.
    #[must_use]
    pub const fn on(mut self, today: NaiveDate) -> Self {
        self.today = today;
        self
    }

    /// The first of its turn: its attempt has the turn's own id, by which it is then found without
    /// an index of turns. To be said of one unit of a turn at most, and of none of a turn that is
    /// taken up again.
    #[must_use]
    pub const fn opening(mut self) -> Self {
        self.attempt = AttemptId::new(self.turn.uuid());
        self
    }

    /// User of the data.
    pub const fn user(&self) -> &UserId {
        &self.user
    }

    /// Because of which turn.
    pub const fn turn(&self) -> TurnId {
        self.turn
    }

    /// A salt for one event of the log: enough chance in it that no guess can be tried out.
    pub(in crate::store) fn salt(&self) -> String {
        // Each id has 74 bits of chance beside its time; 96 of the 148 are kept, which nobody tries
        // out for a title.
        let mut all = Sha256::new();
        all.update(self.ids.next().as_bytes());
        all.update(self.ids.next().as_bytes());
        hex(all.finalize().get(..12).unwrap_or_default())
    }

    /// The key by which an unknown commit is looked up.
    pub const fn attempt(&self) -> AttemptId {
        self.attempt
    }

    /// In which conversation.
    pub const fn conversation(&self) -> Option<ConversationId> {
        self.conversation
    }

    /// Returns the time, as the turn's clock read it.
    pub const fn now(&self) -> DateTime<Utc> {
        self.now
    }

    /// Returns the day it is for the user.
    pub const fn today(&self) -> NaiveDate {
        self.today
    }

    /// Returns the drafts of its receipts, in order.
    pub fn drafts(&self) -> &[Draft] {
        &self.drafts
    }

    /// The rows to write, in order.
    pub fn writes(&self) -> &[RowWrite] {
        &self.writes
    }

    /// Pairs of (receipt taken back, receipt of the undo).
    pub fn undone(&self) -> &[(ReceiptId, ReceiptId)] {
        &self.undone
    }

    /// Tells whether a task or a run will be changed.
    pub fn has_effect(&self) -> bool {
        !self.writes.is_empty() || !self.run_writes.is_empty()
    }

    /// The tasks as this unit leaves them, oldest first. A copy costs next to nothing.
    pub const fn tasks(&self) -> &TaskList {
        &self.tasks
    }

    /// The task of that id as this unit leaves it.
    pub fn task(&self, id: TaskId) -> Option<&Task> {
        self.tasks.get(id)
    }

    /// Adds a task, with the reminder of it.
    pub fn add(&mut self, new: NewTask) -> &Draft {
        let remind = new.remind;
        let mut task = self.task_of(new);
        task.reminders =
            Reminders::of(remind.map(|when| self.reminder(when)).into_iter().collect());
        self.put(task.clone(), false);
        self.draft(Action::AddTask, None, Some(task), None)
    }

    pub(in crate::store) fn task_of(&self, new: NewTask) -> Task {
        let id = TaskId::new(self.ids.next());
        let mut task = Task {
            description: new.description,
            priority: new.priority,
            ..Task::new(id, self.user.clone(), new.title, self.now)
        };
        let first = |rule: &Repeat| rule.first(self.today);
        let due_date = new.due_date.or_else(|| new.repeat.as_ref().and_then(first));
        task.set_due(due_date, new.due_time, new.repeat);
        task
    }

    /// Puts a task in as it was elsewhere, with its id, its state and its times; where a deleted
    /// row of that id is left, `over` it, which says when the task was made.
    pub fn bring(&mut self, mut task: Task, over: Option<&Task>) -> &Draft {
        task.user_id = self.user.clone();
        task.version = over.map_or(1, |deleted| deleted.version + 1);
        task.created_at = over.map_or(task.created_at, |deleted| deleted.created_at);
        self.put(task.clone(), false);
        self.draft(Action::AddTask, None, Some(task), None)
    }

    /// Gives a task new values; `action` says how the change is called (update or complete).
    /// Whoever works on a task that is marked as done, or taken back, is asked to stop: see
    /// [`Unit::live_run`] for whether that should be asked first.
    pub fn change(&mut self, action: Action, id: TaskId, patch: &TaskPatch) -> AppliedChange<'_> {
        let Some(before) = self.task(id).cloned() else {
            return AppliedChange::Missing;
        };
        let mut after = self.patched(&before, patch);
        if after == before {
            return AppliedChange::AlreadySo(Box::new(before));
        }
        after.updated_at = self.now;
        after.version += 1;
        self.put(after.clone(), false);
        let done = patch.completed == Some(true);
        if done || after.status.is_completed() {
            self.stop_work_on(id, "the task was marked as done by hand");
        } else if before.assignee.is_some() && after.assignee.is_none() {
            self.stop_work_on(id, "the task was taken back");
        }
        // A task that repeats has one occurrence less, whatever else was changed.
        let moved_on = done && !before.status.is_completed() && !after.status.is_completed();
        let action = if moved_on {
            Action::CompleteTask
        } else {
            action
        };
        AppliedChange::Changed(self.draft(action, Some(before), Some(after), None))
    }

    /// The task with new values, and with the reminders that it has then.
    pub(in crate::store) fn patched(&self, before: &Task, patch: &TaskPatch) -> Task {
        let mut after = before.clone();
        patch.apply(&mut after, self.now, (self.today, self.remind_now));
        after.reminders = self.reminders_after(before, &after, patch);
        after
    }

    /// Deletes a task, softly: it can be undone for thirty days. Whoever works on it is asked to
    /// stop.
    pub fn delete(&mut self, id: TaskId) -> AppliedChange<'_> {
        let Some(before) = self.task(id).cloned() else {
            return AppliedChange::Missing;
        };
        let mut row = before.clone();
        row.updated_at = self.now;
        row.version += 1;
        row.reminders = row.reminders.replaced(None);
        self.put(row, true);
        self.stop_work_on(id, "the task was deleted");
        AppliedChange::Changed(self.draft(Action::DeleteTask, Some(before), None, None))
    }

    /// Takes back one committed change. Call it for the newest first. Of a delegation the task is
    /// put back as it was, and whoever works on it is asked to stop.
    ///
    /// # Errors
    /// [`UndoFault::Changed`] when the task was changed since by another hand,
    /// [`UndoFault::NotAChange`] for a read and for another user's receipt,
    /// [`UndoFault::Stopped`] when an agent was stopped by it.
    pub fn undo(&mut self, receipt: &Receipt) -> Result<&Draft, UndoFault> {
        let facts = receipt.facts();
        if !facts.action.is_change() || facts.user_id != self.user {
            return Err(UndoFault::NotAChange);
        }
        if facts.action == Action::CancelDelegation {
            return Err(UndoFault::Stopped);
        }
        let fault = || UndoFault::Changed {
            title: facts.title().unwrap_or_default().to_owned(),
        };
        let standing = |left: &Task| {
            let row = self.task(left.id).filter(|row| row.says_as(left));
            row.cloned().ok_or_else(fault)
        };
        let (before, mut row, stays) = match (&facts.before, &facts.after) {
            // Added, or brought back by an earlier undo: take it off the list again.
            (None, Some(left)) => {
                let mut row = standing(left)?;
                let before = row.clone();
                row.version += 1;
                row.reminders = row.reminders.replaced(None);
                (Some(before), row, false)
            }
            // Changed: put the old values back.
            (Some(old), Some(left)) => {
                let (before, mut row) = (standing(left)?, old.clone());
                row.version = before.version + 1;
                row.reminders = old.reminders.restored(&before.reminders, self.remind_now);
                (Some(before), row, true)
            }
            // Deleted: put the row back. The deleted row stands one version above the image;
            // the commit checks that.
            (Some(old), None) => {
                if self.task(old.id).is_some() {
                    return Err(fault());
                }
                let (mut row, none) = (old.clone(), Reminders::default());
                row.version = old.version + 2;
                row.reminders = old.reminders.restored(&none, self.remind_now);
                (None, row, true)
            }
            (None, None) => return Err(UndoFault::NotAChange),
        };
        row.updated_at = self.now;
        self.put(row.clone(), !stays);
        let after = stays.then_some(row);
        let taken_back = facts.id;
        if let (Action::Delegate, Some(task)) = (facts.action, facts.task_id) {
            self.stop_work_on(task, "the delegation was undone");
        }
        let draft = self.draft(Action::Undo, before, after, Some(taken_back));
        let by = draft.facts().id;
        self.undone.push((taken_back, by));
        self.drafts.last().ok_or(UndoFault::NotAChange)
    }

    /// Records a read.
    pub fn read(&mut self, action: Action, reading: ReadResult) -> &Draft {
        let facts = self.facts(action, None, None, None, Some(reading));
        self.push(facts)
    }

    pub(in crate::store) fn put(&mut self, task: Task, deleted: bool) {
        self.tell_of_cancelled(&task);
        let write = RowWrite { task, deleted };
        if deleted {
            self.tasks.remove(write.task.id);
        } else {
            self.tasks.put(write.task.clone());
        }
        self.writes.push(write);
    }

    fn draft(
        &mut self,
        action: Action,
        before: Option<Task>,
        after: Option<Task>,
        undoes: Option<ReceiptId>,
    ) -> &Draft {
        let facts = self.facts(action, before, after, undoes, None);
        self.push(facts)
    }

    pub(in crate::store) fn push(&mut self, facts: ReceiptFacts) -> &Draft {
        let index = self.drafts.len();
        self.drafts.push(Draft::new(facts));
        #[expect(clippy::indexing_slicing, reason = "pushed on the line above")]
        &self.drafts[index]
    }

    pub(in crate::store) fn facts(
        &self,
        action: Action,
        before: Option<Task>,
        after: Option<Task>,
        undoes: Option<ReceiptId>,
        reading: Option<ReadResult>,
    ) -> ReceiptFacts {
        ReceiptFacts {
            id: ReceiptId::new(self.ids.next()),
            user_id: self.user.clone(),
            conversation_id: self.conversation,
            turn_id: self.turn,
            action,
            task_id: after.as_ref().or(before.as_ref()).map(|row| row.id),
            before,
            after,
            reading,
            run: None,
            undoes,
            at: self.now,
        }
    }

    /// Gives up the drafts, for the commit to mint from.
    pub(in crate::store) fn into_drafts(self) -> Vec<Draft> {
        self.drafts
    }
}

impl TaskPatch {
    /// Tells whether it sets a time of day on which the task would have no due date.
    pub fn lacks_day(&self, task: &Task) -> bool {
        let date = self.due_date.unwrap_or(task.due_date);
        let first = self.repeat.as_ref().is_some_and(Option::is_some);
        self.due_time.flatten().is_some() && date.is_none() && !first
    }

    /// Tells whether it gives the task a day or a rule after which the rule would never give another.
    pub fn repeats_never(&self, task: &Task) -> bool {
        let date = self.due_date.unwrap_or(task.due_date);
        let rule = self.repeat.as_ref().unwrap_or(&task.repeat);
        let changed = date != task.due_date || *rule != task.repeat;
        let due = rule.as_ref().zip(date).filter(|_| changed);
        due.is_some_and(|(rule, due)| !rule.goes_on_from(due))
    }

    /// Tells whether a task has all its values already.
    pub fn is_so(&self, task: &Task) -> bool {
        let mut after = task.clone();
        let then = task.updated_at;
        self.apply(&mut after, then, (then.date_naive(), then));
        after == *task && self.remind.is_none_or(|remind| task.reminds_at(remind))
    }

    /// `today` and `remind_now` say which occurrences of what repeats are over.
    fn apply(
        &self,
        task: &mut Task,
        now: DateTime<Utc>,
        (today, remind_now): (NaiveDate, DateTime<Utc>),
    ) {
        if let Some(title) = &self.title {
            task.title = title.clone();
        }
        if let Some(description) = &self.description {
            task.description.clone_from(description);
        }
        if let Some(priority) = self.priority {
            task.priority = priority;
        }
        let repeat = self.repeat.clone().unwrap_or_else(|| task.repeat.clone());
        let first = self
            .repeat
            .as_ref()
            .and_then(|new| new.as_ref()?.first(today));
        task.set_due(
            self.due_date.unwrap_or(task.due_date).or(first),
            self.due_time.unwrap_or(task.due_time),
            repeat,
        );
        if let Some(assignee) = &self.assignee {
            task.assignee.clone_from(assignee);
        }
        match (self.completed, task.status) {
            (Some(true), Status::Pending) => task.complete(now, today, remind_now),
            (Some(false), Status::Completed { .. }) => task.status = Status::Pending,
            _ => {}
        }
    }
}
