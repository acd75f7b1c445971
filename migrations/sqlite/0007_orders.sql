-- Where a list of the Todo-Backend contract shows a task. Nothing else reads it.
CREATE TABLE todo_backend_orders (
    user_id  TEXT    NOT NULL,
    task_id  TEXT    NOT NULL,
    position INTEGER NOT NULL,
    PRIMARY KEY (user_id, task_id),
    FOREIGN KEY (user_id, task_id) REFERENCES tasks (user_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
