//! The numbers that lists of the Todo-Backend contract are sorted by, in their table.

use std::collections::HashMap;

use super::ask::SqlQuery;
use super::connections::ConnectionPool;
use crate::domain::{TaskId, UserId};
use crate::store::backend::StoreError;
use crate::store::orders;

/// $1 user.
const ORDERS: &str = "\
SELECT coalesce(json_agg(json_build_array(task_id, position)), '[]')::text
FROM todo_backend_orders WHERE user_id = $1::text";

/// $1 user, $2 task, $3 number. May run twice.
const PUT: &str = "\
INSERT INTO todo_backend_orders (user_id, task_id, position)
SELECT user_id, id, $3::bigint FROM tasks
WHERE user_id = $1::text AND id = $2::text AND deleted_at IS NULL
ON CONFLICT (user_id, task_id) DO UPDATE SET position = excluded.position
RETURNING 1";

impl ConnectionPool {
    pub(super) async fn orders(&self, user: &UserId) -> Result<HashMap<TaskId, i64>, StoreError> {
        orders::rows(&self.text(&SqlQuery::of(user, ORDERS)).await?)
    }

    /// False when there is no such task.
    pub(super) async fn put_order(
        &self,
        user: &UserId,
        task: TaskId,
        order: i64,
    ) -> Result<bool, StoreError> {
        let ask = SqlQuery::of(user, PUT).text(task.to_string()).number(order);
        Ok(self.row(&ask).await?.is_some())
    }
}
