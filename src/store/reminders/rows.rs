//! Rows of reminders, parsed and not trusted.

use std::collections::HashMap;

use chrono_tz::Tz;
use serde::Deserialize;

use crate::domain::{RemindAt, Reminder, ReminderId, ReminderState, Reminders, Task, TaskId};
use crate::store::backend::StoreError;
use crate::store::rows::{ColumnFlaw, corrupt, day, instant, whole};

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
            let read = reminders_of(&own);
            task.reminders =
                read.map_err(|reason| corrupt("reminders", &task.id.to_string(), reason))?;
        }
    }
    Ok(())
}

/// Id, time, zone, day on which it was set, state, and whether it was told.
#[derive(Deserialize)]
pub(in crate::store) struct ReminderRow(ReminderId, String, Tz, String, String, u8);

impl ReminderRow {
    pub(in crate::store) fn parse(&self) -> Result<Reminder, ColumnFlaw> {
        let Self(id, at, zone, today, state, told) = self;
        let when = RemindAt {
            at: instant(at)?,
            zone: *zone,
            today: day(today)?,
        };
        Ok(Reminder {
            state: ReminderState::parse(state).ok_or_else(|| format!("state {state}"))?,
            told: *told != 0,
            ..Reminder::new(*id, when)
        })
    }
}

/// The reminders of one task.
pub(in crate::store) fn reminders_of(rows: &[ReminderRow]) -> Result<Reminders, ColumnFlaw> {
    let parsed = rows.iter().map(ReminderRow::parse);
    Ok(Reminders::of(parsed.collect::<Result<_, _>>()?))
}
