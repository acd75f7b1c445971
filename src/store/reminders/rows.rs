//! Rows of reminders, parsed and not trusted.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use serde::Deserialize;

use crate::domain::{RemindAt, Reminder, ReminderId, ReminderState, Reminders, Task, TaskId};
use crate::store::backend::StoreError;
use crate::store::rows::{flag, whole};

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
