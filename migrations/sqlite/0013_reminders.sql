-- When a user is to be reminded of a task. One server at a time works on a reminder: it takes the row
-- for a while (`owner`, until `next_try`) and counts `fence` up, so that whoever held it before can
-- write nothing about it any more.

-- A wider list of words in a check. No row changes by it, so the text of the table is changed in
-- place; the table that is made below tells other connections to read it anew.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(sql,
    '''erasure'', ''run''))', '''erasure'', ''run'', ''reminder''))')
WHERE type = 'table' AND name = 'audit_events';
PRAGMA writable_schema = RESET;

CREATE TABLE reminders (
    user_id    TEXT    NOT NULL,
    task_id    TEXT    NOT NULL,
    id         TEXT    NOT NULL CHECK (length(id) = 36),
    at         TEXT    NOT NULL CHECK (length(at) = 27),
    zone       TEXT    NOT NULL CHECK (length(zone) > 0),
    -- The day it was for the user when it was set.
    today      TEXT    NOT NULL CHECK (length(today) = 10),
    state      TEXT    NOT NULL CHECK (state IN ('waiting', 'delivered', 'missed', 'cancelled')),
    -- A reply said that it was missed.
    told       INTEGER NOT NULL CHECK (told = 0 OR (told = 1 AND state = 'missed')),
    -- The receipt that says it was set.
    receipt_id TEXT    CHECK (length(receipt_id) = 36),
    ended_at   TEXT    CHECK (length(ended_at) = 27),
    owner      TEXT,
    fence      INTEGER NOT NULL DEFAULT 0 CHECK (fence >= 0),
    attempts   INTEGER NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    -- Milliseconds since 1970, in UTC; never before `at`.
    next_try   INTEGER NOT NULL,
    CHECK ((state = 'waiting') = (ended_at IS NULL)),
    PRIMARY KEY (user_id, task_id, id),
    FOREIGN KEY (user_id, task_id) REFERENCES tasks (user_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- What is due next is the first of these, however many wait.
CREATE INDEX reminders_due ON reminders (next_try) WHERE state = 'waiting';
