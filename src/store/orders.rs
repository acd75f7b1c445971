//! Place of a task in a list of the Todo-Backend contract: a number that its pages sort by.
//!
//! It says nothing about the task itself, so it is in no receipt and no reply; that it was asked
//! for is in the audit log. It goes with its task's row.

use std::collections::HashMap;

use super::backend::{Store, StoreError};
use super::query::StoreQuery;
use super::sql::talk;
use crate::domain::{TaskId, UserId};

impl Store {
    /// The numbers of those tasks that have one.
    pub async fn orders(&self, user: &UserId) -> Result<HashMap<TaskId, i64>, StoreError> {
        let ask = StoreQuery::of(talk::ORDERS, user);
        let orders: Vec<(TaskId, i64)> = self.read("todo_backend_orders", &ask).await?;
        Ok(orders.into_iter().collect())
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
