//! The numbers that lists of the Todo-Backend contract are sorted by, in their table.

use std::collections::HashMap;

use sqlx::SqliteConnection;

use super::readers::LentReader;
use crate::domain::{TaskId, UserId};
use crate::store::backend::StoreError;
use crate::store::measure;
use crate::store::orders;

/// $1 user.
const ORDERS: &str = "\
SELECT json_group_array(json_array(task_id, position)) FROM todo_backend_orders
WHERE user_id = $1";

/// $1 user, $2 task, $3 number.
const PUT: &str = "\
INSERT INTO todo_backend_orders (user_id, task_id, position)
SELECT user_id, id, $3 FROM tasks WHERE user_id = $1 AND id = $2 AND deleted_at IS NULL
ON CONFLICT (user_id, task_id) DO UPDATE SET position = excluded.position";

/// A number for a task.
pub(super) type TaskOrder = (UserId, TaskId, i64);

/// False when there is no such task.
pub(super) async fn put(
    connection: &mut SqliteConnection,
    (user, task, order): &TaskOrder,
) -> Result<bool, sqlx::Error> {
    measure::statement();
    let query = sqlx::query(PUT).bind(user.as_str()).bind(task.to_string());
    let done = query.bind(order).execute(connection).await?;
    Ok(done.rows_affected() > 0)
}

impl LentReader<'_> {
    pub(super) async fn orders(
        &mut self,
        user: &UserId,
    ) -> Result<HashMap<TaskId, i64>, StoreError> {
        let bound = sqlx::query(ORDERS).bind(user.as_str().to_owned());
        orders::rows(&self.text(bound).await?)
    }
}
