-- When a user is to be reminded of a task. One server at a time works on a reminder: it takes the row
-- for a while (`owner`, until `next_try`) and counts `fence` up, so that whoever held it before can
-- write nothing about it any more.

-- Rows of older releases hold nothing else: they are not read again for a wider list of words.
ALTER TABLE audit_events
    DROP CONSTRAINT audit_events_kinds,
    ADD CONSTRAINT audit_events_kinds CHECK (kind IN ('turn', 'tool_call', 'receipt', 'refusal',
        'reply', 'erasure', 'run', 'reminder')) NOT VALID;

CREATE TABLE reminders (
    user_id    TEXT   COLLATE "C" NOT NULL,
    task_id    TEXT   COLLATE "C" NOT NULL,
    id         TEXT   COLLATE "C" NOT NULL CHECK (char_length(id) = 36),
    at         TEXT   COLLATE "C" NOT NULL CHECK (char_length(at) = 27),
    zone       TEXT   NOT NULL CHECK (char_length(zone) > 0),
    -- The day it was for the user when it was set.
    today      TEXT   NOT NULL CHECK (char_length(today) = 10),
    state      TEXT   NOT NULL CHECK (state IN ('waiting', 'delivered', 'missed', 'cancelled')),
    -- A reply said that it was missed.
    told       BIGINT NOT NULL CHECK (told = 0 OR (told = 1 AND state = 'missed')),
    -- The receipt that says it was set.
    receipt_id TEXT   CHECK (char_length(receipt_id) = 36),
    ended_at   TEXT   CHECK (char_length(ended_at) = 27),
    owner      TEXT   COLLATE "C",
    fence      BIGINT NOT NULL DEFAULT 0 CHECK (fence >= 0),
    attempts   BIGINT NOT NULL DEFAULT 0 CHECK (attempts >= 0),
    -- Milliseconds since 1970, in UTC; never before `at`.
    next_try   BIGINT NOT NULL,
    CHECK ((state = 'waiting') = (ended_at IS NULL)),
    PRIMARY KEY (user_id, task_id, id),
    FOREIGN KEY (user_id, task_id) REFERENCES tasks (user_id, id) ON DELETE CASCADE
);

-- What is due next is the first of these, however many wait.
CREATE INDEX reminders_due ON reminders (next_try) WHERE state = 'waiting';
