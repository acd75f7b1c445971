//! Operations of a unit on reminders, beside those on their tasks.

use chrono::{DateTime, SubsecRound, Utc};
use chrono_tz::Tz;
use serde_json::{Value, json};

use crate::audit::{AuditEvent, EventKind};
use crate::domain::{RemindAt, Reminder, ReminderId, ReminderState, Reminders, Task, TaskId};
use crate::store::unit::{TaskPatch, Unit};

/// End of a reminder as the log tells it, with what there is `more` to tell. Holds nobody's words.
pub(super) fn ending<const N: usize>(
    task: TaskId,
    reminder: &Reminder,
    outcome: ReminderState,
    more: [(&str, Value); N],
) -> Value {
    let mut told = json!({
        "what": "reminder",
        "task_id": task,
        "reminder_id": reminder.id,
        "at": reminder.when.at,
        "outcome": outcome,
    });
    if let Some(members) = told.as_object_mut() {
        let more = more.into_iter().filter(|(_, value)| !value.is_null());
        members.extend(more.map(|(name, value)| (name.to_owned(), value)));
    }
    told
}

impl Unit {
    /// Reminders go by this instant instead of [`Unit::now`]: the day may be pinned.
    #[must_use]
    pub const fn reminding_at(mut self, now: DateTime<Utc>) -> Self {
        self.remind_now = now;
        self
    }

    /// Tells whether a task that it writes has a reminder that waits.
    pub(in crate::store) fn sets_reminder(&self) -> bool {
        let mut writes = self.writes().iter();
        writes.any(|write| write.task.reminders.waiting().is_some())
    }

    /// Events of the log that tell which reminders have ended.
    pub(in crate::store) fn reminder_events(&self) -> &[AuditEvent] {
        &self.reminder_events
    }

    pub(in crate::store) fn reminder(&self, when: RemindAt) -> Reminder {
        let at = when.at.trunc_subsecs(0);
        Reminder::new(ReminderId::new(self.ids.next()), RemindAt { at, ..when })
    }

    /// A task from elsewhere with a reminder at the first of these times that is to come, where it is open.
    #[must_use]
    pub fn remind_of(&self, mut task: Task, times: &[(DateTime<Utc>, Tz)]) -> Task {
        let to_come = times.iter().filter(|(at, _)| *at > self.remind_now);
        let first = to_come.min_by_key(|(at, _)| *at);
        if let Some(&(at, zone)) = first.filter(|_| !task.status.is_completed()) {
            let today = self.today();
            let reminder = self.reminder(RemindAt { at, zone, today });
            task.reminders = Reminders::of(vec![reminder]);
        }
        task
    }

    /// The reminders of a task that a patch has changed: as the patch says, else the one of the due
    /// time goes along. What is done reminds of nothing.
    pub(in crate::store) fn reminders_after(
        &self,
        before: &Task,
        after: &Task,
        patch: &TaskPatch,
    ) -> Reminders {
        let standing = &before.reminders;
        match patch.remind {
            Some(when) if before.reminds_at(when) => standing.clone(),
            Some(Some(when)) => standing.replaced(Some(self.reminder(when))),
            // Also one that has rung comes no more with the next occurrence.
            Some(None) => match before.due_reminder().filter(|one| !one.is_waiting()) {
                Some(rung) => standing.replaced(None).without(rung.id),
                None => standing.replaced(None),
            },
            None => match self
                .reminder_along(before, after)
                .or_else(|| self.reminder_led_along(before, after, patch))
            {
                Some(along) => standing.replaced(along),
                // What repeats moves on: the reminder was of the occurrence that is over.
                None if patch.completed == Some(true) && !before.status.is_completed() => {
                    standing.replaced(None)
                }
                None => standing.clone(),
            },
        }
    }

    /// The reminder that goes with a task to another time: see [`Task::due_reminder`]. `None` where
    /// it has no such reminder or keeps its time, `Some(None)` where the new one is over or is none.
    fn reminder_along(&self, before: &Task, after: &Task) -> Option<Option<Reminder>> {
        let (was, is) = (before.due_instant(), after.due_instant());
        before.due_reminder().filter(|_| was != is)?;
        if after.status.is_completed() {
            return None;
        }
        let next = is.zip(after.due_time);
        let next = next.filter(|(at, _)| *at > self.remind_now);
        Some(next.map(|(at, time)| {
            let (zone, today) = (time.zone(), self.today());
            self.reminder(RemindAt { at, zone, today })
        }))
    }

    /// The reminder that leads to the due day and moves by as much as that: see
    /// [`Task::leading_reminder`]. `Some(None)` where the new time is over.
    fn reminder_led_along(
        &self,
        before: &Task,
        after: &Task,
        patch: &TaskPatch,
    ) -> Option<Option<Reminder>> {
        let one = before.leading_reminder()?.when;
        if patch.completed == Some(true) || after.status.is_completed() {
            return None;
        }
        let at = before.reminder_along(after)?;
        if at == one.at {
            return None;
        }
        let today = self.today();
        Some((at > self.remind_now).then(|| self.reminder(RemindAt { at, today, ..one })))
    }

    /// Tells the log of the reminders that wait no more now that a task is as it is.
    pub(in crate::store) fn tell_of_cancelled(&mut self, task: &Task) {
        let state = |all: &Reminders, id| all.get(id).map(|one| one.state);
        let before = self
            .task(task.id)
            .and_then(|before| before.reminders.waiting());
        if let Some(reminder) = before.copied()
            && state(&task.reminders, reminder.id) == Some(ReminderState::Cancelled)
        {
            let told = ending(task.id, &reminder, ReminderState::Cancelled, []);
            self.tell_of_reminder(&told);
        }
    }

    fn tell_of_reminder(&mut self, told: &Value) {
        let event = AuditEvent::of(EventKind::Reminder, told);
        self.reminder_events.push(event);
    }

    /// Ends a reminder of a task that waits, and tells the log so; false when it does not wait.
    pub(super) fn end_reminder(
        &mut self,
        mut task: Task,
        id: ReminderId,
        outcome: ReminderState,
        told: &Value,
    ) -> bool {
        let waiting = task.reminders.waiting();
        if waiting.is_none_or(|waiting| waiting.id != id) {
            return false;
        }
        task.reminders = task.reminders.with(id, outcome, false);
        task.version += 1;
        self.put(task, false);
        // Of a cancelled one the row tells.
        if outcome != ReminderState::Cancelled {
            self.tell_of_reminder(told);
        }
        true
    }

    /// Missed reminders that no reply has told of: each with its task as it stands.
    pub fn untold_reminders(&self) -> Vec<(Task, Reminder)> {
        let untold = |task: &Task| {
            let missed = task.reminders.iter().find(|one| one.is_untold());
            missed.map(|one| (task.clone(), *one))
        };
        self.tasks().iter().filter_map(untold).collect()
    }

    /// Notes that the reply tells of a missed reminder.
    pub fn tell_missed(&mut self, id: TaskId, reminder: ReminderId) {
        let Some(mut task) = self.task(id).cloned() else {
            return;
        };
        task.reminders = (task.reminders).with(reminder, ReminderState::Missed, true);
        task.version += 1;
        self.put(task, false);
    }
}
