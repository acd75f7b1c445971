//! Place of a task in a list of the Todo-Backend contract: a number that its pages sort by.
//!
//! It says nothing about the task itself, so it is in no receipt and no reply; that it was asked
//! for is in the audit log. It goes with its task's row.

use std::collections::HashMap;

use super::backend::{Store, StoreError};
use super::query::StoreQuery;
use super::sql::talk;
use crate::domain::{TaskId, UserId};

/// A task and its number, as the statements give them.
fn rows(text: &str) -> Result<HashMap<TaskId, i64>, StoreError> {
    let rows: Result<Vec<(TaskId, i64)>, _> = serde_json::from_str(text);
    let rows = rows.map_err(|error| StoreError::Corrupt {
        table: "todo_backend_orders",
        id: "(some)".to_owned(),
        reason: error.to_string(),
    })?;
    Ok(rows.into_iter().collect())
}

impl Store {
    /// The numbers of those tasks that have one.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::Corrupt`].
    pub async fn orders(&self, user: &UserId) -> Result<HashMap<TaskId, i64>, StoreError> {
        rows(&self.text(&StoreQuery::of(talk::ORDERS, user)).await?)
    }

    /// Gives a task its number; false when there is no such task.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]: it may be written or not.
    pub async fn put_order(
        &self,
        user: &UserId,
        task: TaskId,
        order: i64,
    ) -> Result<bool, StoreError> {
        let ask = StoreQuery::of(talk::PUT_ORDER, user)
            .text(task.to_string())
            .number(order);
        Ok(self.change(&ask).await?.is_some())
    }
}
