-- A rule by which the task moves to its next due date when it is done: none without such a date.
ALTER TABLE tasks ADD COLUMN repeat TEXT CHECK (repeat IS NULL OR due_date IS NOT NULL);
