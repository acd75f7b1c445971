//! Rows of reminders, parsed and not trusted, and the list of a user's.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Deserializer};

use crate::domain::{
    RemindAt, Reminder, ReminderId, ReminderState, Reminders, Task, TaskId, UserId,
};
use crate::store::backend::{Store, StoreError};
use crate::store::query::StoreQuery;
use crate::store::rows::{flag, whole};
use crate::store::sql::reminders;

/// Reminders of all tasks, put to their tasks.
pub(in crate::store) fn remind(tasks: &mut [Task], text: &str) -> Result<(), StoreError> {
    let mut rows: HashMap<TaskId, Vec<ReminderRow>> = HashMap::new();
    let pairs: Vec<(TaskId, ReminderRow)> = whole("reminders", text)?;
    for (task, row) in pairs {
        rows.entry(task).or_default().push(row);
    }
    if rows.is_empty() {
        return Ok(());
    }
    for task in tasks {
        if let Some(own) = rows.remove(&task.id) {
            task.reminders = ReminderRow::all(own);
        }
    }
    Ok(())
}

/// Id, time, zone, day on which it was set, state, and whether it was told.
#[derive(Deserialize)]
pub(in crate::store) struct ReminderRow(
    ReminderId,
    DateTime<Utc>,
    Tz,
    NaiveDate,
    ReminderState,
    #[serde(deserialize_with = "flag")] bool,
);

impl From<ReminderRow> for Reminder {
    fn from(row: ReminderRow) -> Self {
        let ReminderRow(id, at, zone, today, state, told) = row;
        Self {
            state,
            told,
            ..Self::new(id, RemindAt { at, zone, today })
        }
    }
}

impl ReminderRow {
    /// The reminders of one task.
    pub(in crate::store) fn all(rows: Vec<Self>) -> Reminders {
        Reminders::of(rows.into_iter().map(Reminder::from).collect())
    }
}

/// A reminder with the task that it is of. Its fields have the order of the columns of a reading.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct ListedReminder {
    /// The task.
    pub task: TaskId,
    /// Its title now.
    pub title: String,
    /// The reminder.
    #[serde(deserialize_with = "reminder")]
    pub reminder: Reminder,
}

fn reminder<'de, D: Deserializer<'de>>(from: D) -> Result<Reminder, D::Error> {
    ReminderRow::deserialize(from).map(Reminder::from)
}

impl Store {
    /// Reminders of all tasks that are not deleted, those of the latest time first, at most `limit`.
    pub async fn reminders(
        &self,
        user: &UserId,
        limit: u32,
    ) -> Result<Vec<ListedReminder>, StoreError> {
        let ask = StoreQuery::of(reminders::REMINDERS, user).number(i64::from(limit));
        self.list("reminders", &ask).await
    }
}
