//! Operations of the Todo-Backend contract on a list as a whole: clearing it, and ordering it.

use serde_json::json;

use super::{DirectWrites, PlannedAnswer, WriteError};
use crate::domain::{Action, TaskId, UserId};
use crate::store::{AppliedChange, Unit};

impl DirectWrites {
    /// Deletes every task, in one commit with a receipt for each. Agents go on with their work.
    ///
    /// # Errors
    /// [`WriteError`]; nothing was written unless it says that this is unknown.
    pub async fn clear(&self, user: &UserId) -> Result<(), WriteError> {
        let asked = json!({"action": Action::DeleteTask, "tasks": "all"});
        let delete_all = |unit: &mut Unit, _| {
            let ids: Vec<TaskId> = unit.tasks().iter().map(|task| task.id).collect();
            let deleted = ids.into_iter().map(|task| {
                let changed = matches!(unit.delete(task), AppliedChange::Changed(_));
                (task, changed)
            });
            Ok(PlannedAnswer::empty(deleted.collect()))
        };
        let writes = self.clone().stopping_agents(false);
        writes.write(user, &asked, None, delete_all).await?;
        Ok(())
    }

    /// Says in the log where a list shall show a task, then writes it down.
    ///
    /// # Errors
    /// [`WriteError::Missing`] when there is no such task, else what failed.
    pub async fn place(&self, user: &UserId, task: TaskId, order: i64) -> Result<(), WriteError> {
        let asked = json!({"action": Action::UpdateTask, "task_id": task, "order": order});
        let look = |unit: &mut Unit, _| {
            unit.task(task).ok_or(WriteError::Missing)?;
            Ok(PlannedAnswer::empty(vec![(task, false)]))
        };
        let writes = self.clone().stopping_agents(false);
        writes.write(user, &asked, None, look).await?;
        match self.store.put_order(user, task, order).await {
            Ok(true) => Ok(()),
            Ok(false) => Err(WriteError::Missing),
            Err(_) => Err(WriteError::Unconfirmed),
        }
    }
}
