-- Where a list of the Todo-Backend contract shows a task. Nothing else reads it.
CREATE TABLE todo_backend_orders (
    user_id  TEXT   COLLATE "C" NOT NULL,
    task_id  TEXT   COLLATE "C" NOT NULL,
    position BIGINT NOT NULL,
    PRIMARY KEY (user_id, task_id),
    FOREIGN KEY (user_id, task_id) REFERENCES tasks (user_id, id) ON DELETE CASCADE
);
