-- Ids are hyphenated UUIDs, instants RFC 3339 in UTC with microseconds, days YYYY-MM-DD: text, as
-- in SQLite, so that the bytes which the audit log covers are the same in every database. Text
-- is compared byte by byte (COLLATE "C") wherever its order or its identity counts, whatever
-- the locale of the database. Every key holds the user, so that no statement can reach
-- another user's rows by id.

-- One row for each user who has a log: it counts commits. Whoever commits takes this row first, so
-- that the commits of one user come one after another, in however many processes; a commit that
-- finds another number than it was decided on writes nothing.
CREATE TABLE ledgers (
    user_id TEXT   COLLATE "C" NOT NULL CHECK (char_length(user_id) BETWEEN 1 AND 128),
    version BIGINT NOT NULL CHECK (version >= 1),
    PRIMARY KEY (user_id)
);

CREATE TABLE tasks (
    user_id      TEXT   COLLATE "C" NOT NULL CHECK (char_length(user_id) BETWEEN 1 AND 128),
    id           TEXT   COLLATE "C" NOT NULL CHECK (char_length(id) = 36),
    title        TEXT   NOT NULL CHECK (char_length(title) BETWEEN 1 AND 255),
    description  TEXT   CHECK (char_length(description) <= 10000),
    status       TEXT   NOT NULL CHECK (status IN ('pending', 'completed')),
    priority     TEXT   NOT NULL CHECK (priority IN ('low', 'medium', 'high')),
    due_date     TEXT   CHECK (due_date ~ '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'),
    assignee     TEXT,
    created_at   TEXT   COLLATE "C" NOT NULL CHECK (char_length(created_at) = 27),
    updated_at   TEXT   NOT NULL CHECK (char_length(updated_at) = 27),
    completed_at TEXT   CHECK (char_length(completed_at) = 27),
    -- Deleted rows stay for thirty days, so that a deletion can be taken back.
    deleted_at   TEXT   COLLATE "C" CHECK (char_length(deleted_at) = 27),
    version      BIGINT NOT NULL CHECK (version >= 1),
    PRIMARY KEY (user_id, id),
    CHECK ((status = 'completed') = (completed_at IS NOT NULL))
);

CREATE INDEX tasks_deleted ON tasks (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE conversations (
    user_id    TEXT   COLLATE "C" NOT NULL CHECK (char_length(user_id) BETWEEN 1 AND 128),
    id         TEXT   COLLATE "C" NOT NULL CHECK (char_length(id) = 36),
    title      TEXT   NOT NULL,
    version    BIGINT NOT NULL CHECK (version >= 1),
    frame      TEXT   NOT NULL,
    created_at TEXT   NOT NULL CHECK (char_length(created_at) = 27),
    updated_at TEXT   COLLATE "C" NOT NULL CHECK (char_length(updated_at) = 27),
    PRIMARY KEY (user_id, id)
);

CREATE TABLE messages (
    user_id         TEXT COLLATE "C" NOT NULL,
    conversation_id TEXT COLLATE "C" NOT NULL,
    -- Time-ordered, so that the key's order is the order in which things were said.
    id              TEXT COLLATE "C" NOT NULL CHECK (char_length(id) = 36),
    role            TEXT NOT NULL CHECK (role IN ('user', 'assistant')),
    content         TEXT NOT NULL,
    created_at      TEXT NOT NULL CHECK (char_length(created_at) = 27),
    PRIMARY KEY (user_id, conversation_id, id),
    FOREIGN KEY (user_id, conversation_id) REFERENCES conversations (user_id, id)
);

-- What waits for an answer: at most one question per conversation.
CREATE TABLE questions (
    user_id         TEXT COLLATE "C" NOT NULL,
    conversation_id TEXT COLLATE "C" NOT NULL,
    id              TEXT NOT NULL CHECK (char_length(id) = 36),
    body            TEXT NOT NULL,
    expires_at      TEXT NOT NULL CHECK (char_length(expires_at) = 27),
    PRIMARY KEY (user_id, conversation_id),
    FOREIGN KEY (user_id, conversation_id) REFERENCES conversations (user_id, id)
);

-- One row for each commit: its turn, its span of the audit log and where the log stood after
-- it, so that a cut tail is missed. A row without a turn is an attempt that was looked up and
-- not found; it keeps that attempt from landing later.
CREATE TABLE commits (
    attempt_id      TEXT   COLLATE "C" NOT NULL CHECK (char_length(attempt_id) = 36),
    user_id         TEXT   COLLATE "C" NOT NULL CHECK (char_length(user_id) BETWEEN 1 AND 128),
    turn_id         TEXT   COLLATE "C" CHECK (char_length(turn_id) = 36),
    conversation_id TEXT   COLLATE "C" CHECK (char_length(conversation_id) = 36),
    first_seq       BIGINT CHECK (first_seq >= 1),
    last_seq        BIGINT CHECK (last_seq >= first_seq - 1),
    head_hash       TEXT   CHECK (char_length(head_hash) = 64),
    created_at      TEXT   CHECK (char_length(created_at) = 27),
    PRIMARY KEY (attempt_id, user_id),
    CHECK ((turn_id IS NULL) = (created_at IS NULL)),
    CHECK ((turn_id IS NULL) = (first_seq IS NULL)),
    CHECK ((turn_id IS NULL) = (last_seq IS NULL)),
    CHECK ((turn_id IS NULL) = (head_hash IS NULL)),
    CHECK (turn_id IS NOT NULL OR conversation_id IS NULL)
);

CREATE INDEX commits_turn ON commits (turn_id, user_id) WHERE turn_id IS NOT NULL;
CREATE INDEX commits_log ON commits (user_id, last_seq, conversation_id)
    WHERE turn_id IS NOT NULL;

CREATE TABLE receipts (
    user_id         TEXT   COLLATE "C" NOT NULL,
    -- The number of its event in the user's audit log: commit order, whatever the clock said.
    seq             BIGINT NOT NULL CHECK (seq >= 1),
    id              TEXT   COLLATE "C" NOT NULL CHECK (char_length(id) = 36),
    turn_id         TEXT   COLLATE "C" NOT NULL CHECK (char_length(turn_id) = 36),
    conversation_id TEXT   COLLATE "C" CHECK (char_length(conversation_id) = 36),
    action          TEXT   NOT NULL CHECK (action IN ('add_task', 'list_tasks', 'update_task',
                               'complete_task', 'delete_task', 'undo', 'history')),
    task_id         TEXT   CHECK (char_length(task_id) = 36),
    before          TEXT,
    after           TEXT,
    reading         TEXT,
    undoes          TEXT   COLLATE "C" CHECK (char_length(undoes) = 36),
    created_at      TEXT   NOT NULL CHECK (char_length(created_at) = 27),
    PRIMARY KEY (user_id, seq),
    UNIQUE (id, user_id),
    FOREIGN KEY (undoes, user_id) REFERENCES receipts (id, user_id),
    CHECK ((action = 'undo') = (undoes IS NOT NULL)),
    CHECK ((action IN ('list_tasks', 'history')) = (reading IS NOT NULL)),
    CHECK ((reading IS NULL) = (task_id IS NOT NULL)),
    CHECK ((reading IS NULL) = (before IS NOT NULL OR after IS NOT NULL))
);

-- A change is taken back once.
CREATE UNIQUE INDEX receipts_undoes ON receipts (undoes, user_id) WHERE undoes IS NOT NULL;

CREATE TABLE idempotency_keys (
    user_id     TEXT    COLLATE "C" NOT NULL CHECK (char_length(user_id) BETWEEN 1 AND 128),
    key         TEXT    COLLATE "C" NOT NULL,
    fingerprint TEXT    NOT NULL,
    status      INTEGER NOT NULL CHECK (status BETWEEN 100 AND 599),
    body        TEXT    NOT NULL,
    created_at  TEXT    COLLATE "C" NOT NULL CHECK (char_length(created_at) = 27),
    PRIMARY KEY (user_id, key)
);

CREATE INDEX idempotency_keys_age ON idempotency_keys (created_at);

CREATE TABLE audit_events (
    user_id    TEXT   COLLATE "C" NOT NULL CHECK (char_length(user_id) BETWEEN 1 AND 128),
    seq        BIGINT NOT NULL CHECK (seq >= 1),
    turn_id    TEXT   COLLATE "C" CHECK (char_length(turn_id) = 36),
    kind       TEXT   NOT NULL CHECK (kind IN ('turn', 'tool_call', 'receipt', 'refusal',
                             'reply', 'erasure')),
    payload    TEXT   NOT NULL,
    prev_hash  TEXT   NOT NULL CHECK (char_length(prev_hash) = 64),
    hash       TEXT   NOT NULL CHECK (char_length(hash) = 64),
    created_at TEXT   NOT NULL CHECK (char_length(created_at) = 27),
    PRIMARY KEY (user_id, seq)
);

CREATE FUNCTION refuse_to_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION '% is append-only', TG_TABLE_NAME;
END
$$;

CREATE TRIGGER audit_events_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON audit_events
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change();
CREATE TRIGGER receipts_keep BEFORE UPDATE OR DELETE OR TRUNCATE ON receipts
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change();
