//! Operations of the Todo-Backend contract on a list as a whole: clearing it, and ordering it.

use serde_json::{Value, json};

use super::{BUSY, DirectWrites, WriteError};
use crate::audit::{AuditEvent, EventKind};
use crate::domain::{Action, Moment, TaskId, UserId};
use crate::store::{AppliedChange, CommitRecord, Unit};

/// Outcome for a task of the list, as the log will be told.
struct LoggedTask {
    task: TaskId,
    outcome: &'static str,
}

impl DirectWrites {
    /// Deletes every task, in one commit with a receipt for each; gives how many there were.
    ///
    /// # Errors
    /// [`WriteError`]; nothing was written unless it says that this is unknown.
    pub async fn clear(&self, user: &UserId) -> Result<usize, WriteError> {
        let asked = json!({"action": Action::DeleteTask, "tasks": "all"});
        self.settle(user, &asked, Action::DeleteTask, |unit| {
            let ids: Vec<TaskId> = unit.tasks().iter().map(|task| task.id).collect();
            let deleted = ids.into_iter().map(|task| {
                let outcome = match unit.delete(task) {
                    AppliedChange::Changed(_) => "committed",
                    AppliedChange::AlreadySo(_) | AppliedChange::Missing => "unchanged",
                };
                LoggedTask { task, outcome }
            });
            Ok(deleted.collect())
        })
        .await
    }

    /// Says in the log where a list shall show a task, then writes it down.
    ///
    /// # Errors
    /// [`WriteError::Missing`] when there is no such task, else what failed.
    pub async fn place(&self, user: &UserId, task: TaskId, order: i64) -> Result<(), WriteError> {
        let asked = json!({"action": Action::UpdateTask, "task_id": task, "order": order});
        self.settle(user, &asked, Action::UpdateTask, |unit| {
            unit.task(task).ok_or(WriteError::Missing)?;
            let outcome = "unchanged";
            Ok(vec![LoggedTask { task, outcome }])
        })
        .await?;
        let placed = self.store.put_order(user, task, order).await;
        match placed {
            Ok(true) => Ok(()),
            Ok(false) => Err(WriteError::Missing),
            Err(_) => Err(WriteError::Unconfirmed),
        }
    }

    async fn settle(
        &self,
        user: &UserId,
        asked: &Value,
        action: Action,
        work: impl Fn(&mut Unit) -> Result<Vec<LoggedTask>, WriteError>,
    ) -> Result<usize, WriteError> {
        let moment = self.clock.now(self.zone);
        let mut transaction = self.store.transact(BUSY);
        loop {
            let snapshot = self.store.load(user, None, None).await?;
            let mut unit = self.unit(user, moment, &snapshot);
            let told = work(&mut unit)?;
            let record = CommitRecord {
                events: events(asked, action, moment, &told),
                ..CommitRecord::default()
            };
            if transaction.commit(unit, record).await?.is_some() {
                return Ok(told.len());
            }
        }
    }
}

fn events(asked: &Value, action: Action, moment: Moment, told: &[LoggedTask]) -> Vec<AuditEvent> {
    let event = |kind, told: Value| AuditEvent::of(kind, &told);
    let mut events = vec![event(
        EventKind::Turn,
        json!({
            "source": "rest",
            "asked": asked,
            "today": moment.today,
            "timezone": moment.zone.name(),
        }),
    )];
    events.extend(told.iter().map(|told| {
        let call = json!({"name": action, "task_id": told.task, "outcome": told.outcome});
        event(EventKind::ToolCall, call)
    }));
    events.push(event(EventKind::Reply, json!({"status": 204})));
    events
}
