-- Work that agents do. A session is one agent's conversation, a run one round of work in it, and
-- a result what the agent itself reported of a run. No run is completed, and no task done by an
-- agent, without that row: the triggers below see to it, whoever writes.

-- Wider lists of words in two checks. No row changes by it, so the text of the tables is changed
-- in place; the tables that are made below tell other connections to read it anew.
PRAGMA writable_schema = ON;
UPDATE sqlite_schema SET sql = replace(replace(sql,
    '''undo'', ''history''))',
    '''undo'', ''history'', ''delegate'', ''cancel_delegation'', ''task_output'', '
        || '''list_delegations''))'),
    '(''list_tasks'', ''history'')',
    '(''list_tasks'', ''history'', ''task_output'', ''list_delegations'')')
WHERE type = 'table' AND name = 'receipts';
UPDATE sqlite_schema SET sql = replace(sql,
    '''reply'', ''erasure''))', '''reply'', ''erasure'', ''run''))')
WHERE type = 'table' AND name = 'audit_events';
PRAGMA writable_schema = RESET;

-- What a receipt says of a run, as JSON: handles, settings and a state, and no words.
ALTER TABLE receipts ADD COLUMN run TEXT;

-- The run by which an agent completed the task; null when the user did. A release that does not
-- know of it leaves it alone, and reopening a task clears it whoever does.
ALTER TABLE tasks ADD COLUMN completed_run_id TEXT CHECK (length(completed_run_id) = 36);

CREATE TABLE agent_sessions (
    user_id         TEXT    NOT NULL CHECK (length(user_id) BETWEEN 1 AND 128),
    id              TEXT    NOT NULL CHECK (length(id) = 36),
    handle          TEXT    NOT NULL CHECK (handle GLOB 'agent-[a-z0-9]*'),
    persona         TEXT    NOT NULL CHECK (length(persona) > 0),
    spec            TEXT    NOT NULL,
    provider        TEXT    NOT NULL CHECK (length(provider) > 0),
    model           TEXT    NOT NULL,
    conversation_id TEXT    CHECK (length(conversation_id) = 36),
    parent_id       TEXT    CHECK (length(parent_id) = 36),
    depth           INTEGER NOT NULL CHECK (depth BETWEEN 1 AND 3),
    workspace_root  TEXT,
    -- 1: its conversation is gone, and what is left of it proves a completed task.
    -- 2: it is being removed.
    removed         INTEGER NOT NULL DEFAULT 0 CHECK (removed BETWEEN 0 AND 2),
    created_at      TEXT    NOT NULL CHECK (length(created_at) = 27),
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, handle)
) STRICT, WITHOUT ROWID;

-- The number of each user's newest run, which outlives the run: none is given twice.
CREATE TABLE agent_numbers (
    user_id TEXT    NOT NULL CHECK (length(user_id) BETWEEN 1 AND 128),
    last    INTEGER NOT NULL CHECK (last >= 1),
    PRIMARY KEY (user_id)
) STRICT, WITHOUT ROWID;

CREATE TABLE agent_runs (
    user_id             TEXT    NOT NULL,
    id                  TEXT    NOT NULL CHECK (length(id) = 36),
    -- What people call it: run-7.
    number              INTEGER NOT NULL CHECK (number >= 1),
    session_id          TEXT    NOT NULL,
    conversation_id     TEXT    CHECK (length(conversation_id) = 36),
    -- The turn that what it does is told under.
    turn_id             TEXT    NOT NULL CHECK (length(turn_id) = 36),
    task_id             TEXT    CHECK (length(task_id) = 36),
    title               TEXT    NOT NULL,
    round               INTEGER NOT NULL CHECK (round >= 1),
    state               TEXT    NOT NULL CHECK (state IN ('pending', 'running', 'input_required',
                                    'completed', 'failed', 'cancelled', 'interrupted')),
    -- 0 comes first.
    rank                INTEGER NOT NULL CHECK (rank BETWEEN 0 AND 2),
    -- 1: it waits until the earlier rounds of its session have ended.
    queued              INTEGER NOT NULL CHECK (queued IN (0, 1)),
    prompt              TEXT    NOT NULL CHECK (length(trim(prompt)) > 0),
    expected_response   TEXT    CHECK (length(trim(expected_response)) > 0),
    background          INTEGER NOT NULL CHECK (background IN (0, 1)),
    tool_call_id        TEXT    NOT NULL,
    idempotency_key     TEXT    NOT NULL,
    options             TEXT    NOT NULL,
    -- Who works on it, and until when that counts: milliseconds since 1970 by the clock of the
    -- database. Each time somebody begins to, the attempt is one more, and with the owner it is
    -- the fence of whatever is written.
    owner               TEXT,
    attempt             INTEGER NOT NULL CHECK (attempt >= 0),
    lease_until         INTEGER NOT NULL,
    calls               INTEGER NOT NULL CHECK (calls >= 0),
    cancel_requested_at TEXT    CHECK (length(cancel_requested_at) = 27),
    fault               TEXT,
    metrics             TEXT,
    review              TEXT    CHECK (review IN ('accepted', 'rejected')),
    created_at          TEXT    NOT NULL CHECK (length(created_at) = 27),
    started_at          TEXT    CHECK (length(started_at) = 27),
    ended_at            TEXT    CHECK (length(ended_at) = 27),
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, number),
    UNIQUE (user_id, session_id, round),
    UNIQUE (user_id, idempotency_key),
    FOREIGN KEY (user_id, session_id) REFERENCES agent_sessions (user_id, id),
    CHECK ((state IN ('completed', 'failed', 'cancelled', 'interrupted')) = (ended_at IS NOT NULL)),
    CHECK (state NOT IN ('running', 'input_required', 'completed') OR owner IS NOT NULL),
    CHECK (review IS NULL OR state = 'completed')
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX agent_runs_one_per_session ON agent_runs (user_id, session_id)
    WHERE state IN ('pending', 'running', 'input_required') AND queued = 0;
CREATE UNIQUE INDEX agent_runs_one_per_task ON agent_runs (user_id, task_id)
    WHERE state IN ('pending', 'running', 'input_required');
CREATE INDEX agent_runs_waiting ON agent_runs (rank, created_at, id) WHERE state = 'pending';
CREATE INDEX agent_runs_running ON agent_runs (lease_until)
    WHERE state IN ('running', 'input_required');
CREATE INDEX agent_runs_task ON agent_runs (user_id, task_id, number);

CREATE TABLE agent_results (
    user_id      TEXT NOT NULL,
    run_id       TEXT NOT NULL,
    outcome      TEXT NOT NULL CHECK (outcome IN ('completed', 'rejected')),
    result_text  TEXT NOT NULL CHECK (length(result_text) <= 32000
                                      AND length(trim(result_text, ' ' || char(9, 10, 13))) > 0),
    result_json  TEXT,
    summary      TEXT,
    evidence     TEXT NOT NULL,
    verification TEXT NOT NULL CHECK (verification IN ('verified', 'unverified', 'contradicted')),
    sha256       TEXT NOT NULL CHECK (length(sha256) = 64),
    created_at   TEXT NOT NULL CHECK (length(created_at) = 27),
    PRIMARY KEY (user_id, run_id),
    FOREIGN KEY (user_id, run_id) REFERENCES agent_runs (user_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE agent_messages (
    user_id      TEXT    NOT NULL,
    session_id   TEXT    NOT NULL,
    seq          INTEGER NOT NULL CHECK (seq >= 1),
    run_id       TEXT    NOT NULL,
    role         TEXT    NOT NULL CHECK (role IN ('system', 'user', 'assistant', 'tool')),
    content      TEXT    NOT NULL,
    tool_calls   TEXT,
    tool_call_id TEXT,
    created_at   TEXT    NOT NULL CHECK (length(created_at) = 27),
    PRIMARY KEY (user_id, session_id, seq),
    FOREIGN KEY (user_id, session_id) REFERENCES agent_sessions (user_id, id)
) STRICT, WITHOUT ROWID;

-- That a run has ended, until a turn has told the user so.
CREATE TABLE agent_notices (
    user_id         TEXT NOT NULL,
    run_id          TEXT NOT NULL,
    state           TEXT NOT NULL CHECK (state IN ('completed', 'failed', 'cancelled',
                                'interrupted')),
    created_at      TEXT NOT NULL CHECK (length(created_at) = 27),
    acknowledged_at TEXT CHECK (length(acknowledged_at) = 27),
    PRIMARY KEY (user_id, run_id),
    FOREIGN KEY (user_id, run_id) REFERENCES agent_runs (user_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX agent_notices_pending ON agent_notices (user_id, created_at)
    WHERE acknowledged_at IS NULL;

-- What a session was settled on never changes.
CREATE TRIGGER agent_sessions_keep BEFORE UPDATE ON agent_sessions
WHEN (NEW.user_id IS OLD.user_id AND NEW.id IS OLD.id AND NEW.handle IS OLD.handle
    AND NEW.persona IS OLD.persona AND NEW.spec IS OLD.spec AND NEW.provider IS OLD.provider
    AND NEW.model IS OLD.model AND NEW.conversation_id IS OLD.conversation_id
    AND NEW.parent_id IS OLD.parent_id AND NEW.depth IS OLD.depth
    AND NEW.workspace_root IS OLD.workspace_root AND NEW.created_at IS OLD.created_at
) IS NOT TRUE
BEGIN SELECT RAISE(ABORT, 'what a session was settled on never changes'); END;

CREATE TRIGGER agent_runs_begin BEFORE INSERT ON agent_runs
WHEN NEW.state <> 'pending' OR NEW.attempt <> 0
BEGIN SELECT RAISE(ABORT, 'a run begins as pending'); END;

CREATE TRIGGER agent_runs_count AFTER INSERT ON agent_runs
BEGIN
    INSERT INTO agent_numbers (user_id, last) VALUES (NEW.user_id, NEW.number)
    ON CONFLICT (user_id) DO UPDATE SET last = max(last, excluded.last);
END;

CREATE TRIGGER agent_runs_keep BEFORE UPDATE ON agent_runs
WHEN (NEW.user_id IS OLD.user_id AND NEW.id IS OLD.id AND NEW.number IS OLD.number
    AND NEW.session_id IS OLD.session_id AND NEW.conversation_id IS OLD.conversation_id
    AND NEW.turn_id IS OLD.turn_id AND NEW.task_id IS OLD.task_id AND NEW.title IS OLD.title
    AND NEW.round IS OLD.round AND NEW.prompt IS OLD.prompt
    AND NEW.expected_response IS OLD.expected_response
    AND NEW.tool_call_id IS OLD.tool_call_id AND NEW.idempotency_key IS OLD.idempotency_key
    AND NEW.options IS OLD.options AND NEW.created_at IS OLD.created_at
    AND NEW.attempt >= OLD.attempt AND NEW.calls >= OLD.calls
) IS NOT TRUE
BEGIN SELECT RAISE(ABORT, 'what a run was told to do never changes'); END;

CREATE TRIGGER agent_runs_ended BEFORE UPDATE ON agent_runs
WHEN OLD.state IN ('completed', 'failed', 'cancelled', 'interrupted')
    AND (NEW.state IS OLD.state AND NEW.ended_at IS OLD.ended_at AND NEW.owner IS OLD.owner
        AND NEW.attempt IS OLD.attempt AND NEW.calls IS OLD.calls AND NEW.fault IS OLD.fault
        AND NEW.metrics IS OLD.metrics AND NEW.started_at IS OLD.started_at
        AND NEW.cancel_requested_at IS OLD.cancel_requested_at
        AND (NEW.review IS OLD.review OR OLD.review IS NULL)
    ) IS NOT TRUE
BEGIN SELECT RAISE(ABORT, 'a run that has ended never changes'); END;

CREATE TRIGGER agent_runs_step BEFORE UPDATE OF state ON agent_runs
WHEN NEW.state <> OLD.state
    AND OLD.state NOT IN ('completed', 'failed', 'cancelled', 'interrupted')
    AND NOT CASE OLD.state
        WHEN 'pending' THEN NEW.state IN ('running', 'cancelled', 'failed')
        WHEN 'running' THEN NEW.state <> 'pending'
        ELSE NEW.state IN ('running', 'failed', 'cancelled', 'interrupted') END
BEGIN SELECT RAISE(ABORT, 'a run can not go there from here'); END;

CREATE TRIGGER agent_runs_completed BEFORE UPDATE OF state ON agent_runs
WHEN NEW.state = 'completed' AND OLD.state <> 'completed' AND NOT EXISTS (
    SELECT 1 FROM agent_results AS r WHERE r.user_id = NEW.user_id AND r.run_id = NEW.id
      AND r.outcome = 'completed' AND r.verification <> 'contradicted')
BEGIN SELECT RAISE(ABORT, 'a run is completed by its result alone'); END;

CREATE TRIGGER agent_runs_stay BEFORE DELETE ON agent_runs
WHEN NOT EXISTS (SELECT 1 FROM erasures AS e WHERE e.user_id = OLD.user_id)
    AND (NOT EXISTS (SELECT 1 FROM agent_sessions AS s
            WHERE s.user_id = OLD.user_id AND s.id = OLD.session_id AND s.removed > 0)
        OR OLD.state NOT IN ('completed', 'failed', 'cancelled', 'interrupted')
        OR EXISTS (SELECT 1 FROM tasks AS t
            WHERE t.user_id = OLD.user_id AND t.completed_run_id = OLD.id))
BEGIN SELECT RAISE(ABORT, 'agent_runs is kept'); END;

CREATE TRIGGER agent_results_begin BEFORE INSERT ON agent_results
WHEN NOT EXISTS (SELECT 1 FROM agent_runs AS r
    WHERE r.user_id = NEW.user_id AND r.id = NEW.run_id AND r.state = 'running')
BEGIN SELECT RAISE(ABORT, 'a result is of a run that is worked on'); END;

CREATE TRIGGER agent_results_keep BEFORE UPDATE ON agent_results
BEGIN SELECT RAISE(ABORT, 'agent_results is append-only'); END;

CREATE TRIGGER agent_results_stay BEFORE DELETE ON agent_results
WHEN NOT EXISTS (SELECT 1 FROM erasures AS e WHERE e.user_id = OLD.user_id)
    AND (NOT EXISTS (SELECT 1 FROM agent_runs AS r JOIN agent_sessions AS s
                ON s.user_id = r.user_id AND s.id = r.session_id
            WHERE r.user_id = OLD.user_id AND r.id = OLD.run_id AND s.removed > 0)
        OR EXISTS (SELECT 1 FROM tasks AS t
            WHERE t.user_id = OLD.user_id AND t.completed_run_id = OLD.run_id))
BEGIN SELECT RAISE(ABORT, 'agent_results is append-only'); END;

CREATE TRIGGER tasks_added BEFORE INSERT ON tasks
WHEN NEW.completed_run_id IS NOT NULL
BEGIN SELECT RAISE(ABORT, 'a task is not added as done by an agent'); END;

CREATE TRIGGER tasks_done_by_agent BEFORE UPDATE ON tasks
WHEN NEW.completed_run_id IS NOT NULL
    AND ((NEW.completed_run_id IS NOT OLD.completed_run_id AND NEW.status <> 'completed')
        OR NOT EXISTS (
            SELECT 1 FROM agent_runs AS a JOIN agent_results AS r
                ON r.user_id = a.user_id AND r.run_id = a.id
            WHERE a.user_id = NEW.user_id AND a.id = NEW.completed_run_id
              AND a.task_id = NEW.id AND a.state = 'completed'
              AND r.outcome = 'completed' AND r.verification <> 'contradicted'))
BEGIN SELECT RAISE(ABORT, 'a task is done by an agent by its result alone'); END;

CREATE TRIGGER tasks_reopened AFTER UPDATE ON tasks
WHEN NEW.status = 'pending' AND NEW.completed_run_id IS NOT NULL
BEGIN
    UPDATE tasks SET completed_run_id = NULL WHERE user_id = NEW.user_id AND id = NEW.id;
END;

CREATE INDEX tasks_proven ON tasks (user_id, completed_run_id) WHERE completed_run_id IS NOT NULL;

DROP TRIGGER receipts_keep;
CREATE TRIGGER receipts_keep BEFORE UPDATE ON receipts
WHEN (NEW.user_id IS OLD.user_id AND NEW.seq IS OLD.seq AND NEW.id IS OLD.id
    AND NEW.turn_id IS OLD.turn_id AND NEW.conversation_id IS OLD.conversation_id
    AND NEW.action IS OLD.action AND NEW.task_id IS OLD.task_id AND NEW.undoes IS OLD.undoes
    AND NEW.created_at IS OLD.created_at AND NEW.run IS OLD.run AND NEW.erased = 1
    AND NEW."before" IS CASE WHEN OLD."before" IS NOT NULL THEN '{}' END
    AND NEW."after" IS CASE WHEN OLD."after" IS NOT NULL THEN '{}' END
    AND NEW.reading IS CASE WHEN OLD.reading IS NOT NULL THEN '{}' END
    AND EXISTS (SELECT 1 FROM erasures AS e WHERE e.user_id = OLD.user_id AND OLD.seq < e.seq)
) IS NOT TRUE
BEGIN SELECT RAISE(ABORT, 'receipts is append-only'); END;
