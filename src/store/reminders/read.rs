//! Readings of a user's reminders.

use super::rows::ReminderRow;
use crate::domain::{Reminder, TaskId, UserId};
use crate::store::backend::{Store, StoreError};
use crate::store::query::StoreQuery;
use crate::store::sql::reminders;

/// A reminder with the task that it is of.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ListedReminder {
    /// The task.
    pub task: TaskId,
    /// Its title now.
    pub title: String,
    /// The reminder.
    pub reminder: Reminder,
}

impl Store {
    /// Reminders of all tasks that are not deleted, those of the latest time first, at most `limit`.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::Corrupt`].
    pub async fn reminders(
        &self,
        user: &UserId,
        limit: u32,
    ) -> Result<Vec<ListedReminder>, StoreError> {
        let ask = StoreQuery::of(reminders::REMINDERS, user).number(i64::from(limit));
        let rows: Vec<(TaskId, String, ReminderRow)> = self.list("reminders", &ask).await?;
        let listed = rows
            .into_iter()
            .map(|(task, title, reminder)| ListedReminder {
                task,
                title,
                reminder: reminder.into(),
            });
        Ok(listed.collect())
    }
}
