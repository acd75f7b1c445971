-- Ids are hyphenated UUIDs, instants RFC 3339 in UTC with microseconds, days YYYY-MM-DD.
-- Every key holds the user, so that no statement can reach another user's rows by id. Where
-- a new row's id comes first in the key, rows of all users are appended to the same page:
-- what a commit costs is the number of pages it touches.

CREATE TABLE tasks (
    user_id      TEXT    NOT NULL CHECK (length(user_id) BETWEEN 1 AND 128),
    id           TEXT    NOT NULL CHECK (length(id) = 36),
    title        TEXT    NOT NULL CHECK (length(title) BETWEEN 1 AND 255),
    description  TEXT    CHECK (length(description) <= 10000),
    status       TEXT    NOT NULL CHECK (status IN ('pending', 'completed')),
    priority     TEXT    NOT NULL CHECK (priority IN ('low', 'medium', 'high')),
    due_date     TEXT    CHECK (due_date GLOB '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'),
    assignee     TEXT,
    created_at   TEXT    NOT NULL CHECK (length(created_at) = 27),
    updated_at   TEXT    NOT NULL CHECK (length(updated_at) = 27),
    completed_at TEXT    CHECK (length(completed_at) = 27),
    -- Deleted rows stay for thirty days, so that a deletion can be taken back.
    deleted_at   TEXT    CHECK (length(deleted_at) = 27),
    version      INTEGER NOT NULL CHECK (version >= 1),
    PRIMARY KEY (user_id, id),
    CHECK ((status = 'completed') = (completed_at IS NOT NULL))
) STRICT, WITHOUT ROWID;

CREATE INDEX tasks_deleted ON tasks (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE conversations (
    user_id    TEXT    NOT NULL CHECK (length(user_id) BETWEEN 1 AND 128),
    id         TEXT    NOT NULL CHECK (length(id) = 36),
    title      TEXT    NOT NULL,
    version    INTEGER NOT NULL CHECK (version >= 1),
    frame      TEXT    NOT NULL,
    created_at TEXT    NOT NULL CHECK (length(created_at) = 27),
    updated_at TEXT    NOT NULL CHECK (length(updated_at) = 27),
    PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE messages (
    user_id         TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    -- Time-ordered, so that the key's order is the order in which things were said.
    id              TEXT NOT NULL CHECK (length(id) = 36),
    role            TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
    content         TEXT NOT NULL,
    created_at      TEXT NOT NULL CHECK (length(created_at) = 27),
    PRIMARY KEY (user_id, conversation_id, id),
    FOREIGN KEY (user_id, conversation_id) REFERENCES conversations (user_id, id)
) STRICT, WITHOUT ROWID;

-- What waits for an answer: at most one question per conversation.
CREATE TABLE questions (
    user_id         TEXT NOT NULL,
    conversation_id TEXT NOT NULL,
    id              TEXT NOT NULL CHECK (length(id) = 36),
    body            TEXT NOT NULL,
    expires_at      TEXT NOT NULL CHECK (length(expires_at) = 27),
    PRIMARY KEY (user_id, conversation_id),
    FOREIGN KEY (user_id, conversation_id) REFERENCES conversations (user_id, id)
) STRICT, WITHOUT ROWID;

-- One row for each commit: its turn, its span of the audit log and where the log stood after
-- it, so that a cut tail is missed. A row without a turn is an attempt that was looked up and
-- not found; it keeps that attempt from landing later.
CREATE TABLE commits (
    attempt_id      TEXT    NOT NULL CHECK (length(attempt_id) = 36),
    user_id         TEXT    NOT NULL CHECK (length(user_id) BETWEEN 1 AND 128),
    turn_id         TEXT    CHECK (length(turn_id) = 36),
    conversation_id TEXT    CHECK (length(conversation_id) = 36),
    first_seq       INTEGER CHECK (first_seq >= 1),
    last_seq        INTEGER CHECK (last_seq >= first_seq - 1),
    head_hash       TEXT    CHECK (length(head_hash) = 64),
    created_at      TEXT    CHECK (length(created_at) = 27),
    PRIMARY KEY (attempt_id, user_id),
    CHECK ((turn_id IS NULL) = (created_at IS NULL)),
    CHECK ((turn_id IS NULL) = (first_seq IS NULL)),
    CHECK ((turn_id IS NULL) = (last_seq IS NULL)),
    CHECK ((turn_id IS NULL) = (head_hash IS NULL)),
    CHECK (turn_id IS NOT NULL OR conversation_id IS NULL)
) STRICT, WITHOUT ROWID;

CREATE INDEX commits_turn ON commits (turn_id, user_id) WHERE turn_id IS NOT NULL;
CREATE INDEX commits_log ON commits (user_id, last_seq, conversation_id)
    WHERE turn_id IS NOT NULL;

CREATE TABLE receipts (
    user_id         TEXT    NOT NULL,
    -- The number of its event in the user's audit log: commit order, whatever the clock said.
    seq             INTEGER NOT NULL CHECK (seq >= 1),
    id              TEXT    NOT NULL CHECK (length(id) = 36),
    turn_id         TEXT    NOT NULL CHECK (length(turn_id) = 36),
    conversation_id TEXT    CHECK (length(conversation_id) = 36),
    action          TEXT    NOT NULL CHECK (action IN ('add_task', 'list_tasks', 'update_task',
                                'complete_task', 'delete_task', 'undo', 'history')),
    task_id         TEXT    CHECK (length(task_id) = 36),
    before          TEXT,
    after           TEXT,
    reading         TEXT,
    undoes          TEXT    CHECK (length(undoes) = 36),
    created_at      TEXT    NOT NULL CHECK (length(created_at) = 27),
    PRIMARY KEY (user_id, seq),
    UNIQUE (id, user_id),
    FOREIGN KEY (undoes, user_id) REFERENCES receipts (id, user_id),
    CHECK ((action = 'undo') = (undoes IS NOT NULL)),
    CHECK ((action IN ('list_tasks', 'history')) = (reading IS NOT NULL)),
    CHECK ((reading IS NULL) = (task_id IS NOT NULL)),
    CHECK ((reading IS NULL) = (before IS NOT NULL OR after IS NOT NULL))
) STRICT, WITHOUT ROWID;

-- A change is taken back once.
CREATE UNIQUE INDEX receipts_undoes ON receipts (undoes, user_id) WHERE undoes IS NOT NULL;

CREATE TABLE idempotency_keys (
    user_id     TEXT    NOT NULL CHECK (length(user_id) BETWEEN 1 AND 128),
    key         TEXT    NOT NULL,
    fingerprint TEXT    NOT NULL,
    status      INTEGER NOT NULL CHECK (status BETWEEN 100 AND 599),
    body        TEXT    NOT NULL,
    created_at  TEXT    NOT NULL CHECK (length(created_at) = 27),
    PRIMARY KEY (user_id, key)
) STRICT;

CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

CREATE TABLE audit_events (
    user_id    TEXT    NOT NULL CHECK (length(user_id) BETWEEN 1 AND 128),
    seq        INTEGER NOT NULL CHECK (seq >= 1),
    turn_id    TEXT    CHECK (length(turn_id) = 36),
    kind       TEXT    NOT NULL CHECK (kind IN ('turn', 'tool_call', 'receipt', 'refusal',
                            'reply', 'erasure')),
    payload    TEXT    NOT NULL,
    prev_hash  TEXT    NOT NULL CHECK (length(prev_hash) = 64),
    hash       TEXT    NOT NULL CHECK (length(hash) = 64),
    created_at TEXT    NOT NULL CHECK (length(created_at) = 27),
    PRIMARY KEY (user_id, seq)
) STRICT;

CREATE TRIGGER audit_events_keep BEFORE UPDATE ON audit_events
BEGIN SELECT RAISE(ABORT, 'audit_events is append-only'); END;
CREATE TRIGGER audit_events_stay BEFORE DELETE ON audit_events
BEGIN SELECT RAISE(ABORT, 'audit_events is append-only'); END;
CREATE TRIGGER receipts_keep BEFORE UPDATE ON receipts
BEGIN SELECT RAISE(ABORT, 'receipts is append-only'); END;
CREATE TRIGGER receipts_stay BEFORE DELETE ON receipts
BEGIN SELECT RAISE(ABORT, 'receipts is append-only'); END;
