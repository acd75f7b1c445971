-- Work that agents do. A session is one agent's conversation, a run one round of work in it, and
-- a result what the agent itself reported of a run. No run is completed, and no task done by an
-- agent, without that row: the triggers below see to it, whoever writes.

-- Wider lists of words in three checks. Rows that are there satisfied the narrower ones.
DO $$
DECLARE found record;
BEGIN
    FOR found IN
        SELECT conrelid::regclass AS place, conname FROM pg_constraint
        WHERE contype = 'c'
          AND ((conrelid = 'receipts'::regclass
                AND pg_get_constraintdef(oid) LIKE '%list_tasks%')
            OR (conrelid = 'audit_events'::regclass
                AND pg_get_constraintdef(oid) LIKE '%erasure%'))
    LOOP
        EXECUTE format('ALTER TABLE %s DROP CONSTRAINT %I', found.place, found.conname);
    END LOOP;
END
$$;
ALTER TABLE receipts
    ADD CONSTRAINT receipts_actions CHECK (action IN ('add_task', 'list_tasks', 'update_task',
        'complete_task', 'delete_task', 'undo', 'history', 'delegate', 'cancel_delegation',
        'task_output', 'list_delegations')) NOT VALID,
    ADD CONSTRAINT receipts_readings CHECK ((action IN ('list_tasks', 'history', 'task_output',
        'list_delegations')) = (reading IS NOT NULL)) NOT VALID;
ALTER TABLE audit_events
    ADD CONSTRAINT audit_events_kinds CHECK (kind IN ('turn', 'tool_call', 'receipt', 'refusal',
        'reply', 'erasure', 'run')) NOT VALID;

-- What a receipt says of a run, as JSON: handles, settings and a state, and no words.
ALTER TABLE receipts ADD COLUMN run TEXT;

-- The run by which an agent completed the task; null when the user did. A release that does not
-- know of it leaves it alone, and reopening a task clears it whoever does.
ALTER TABLE tasks ADD COLUMN completed_run_id TEXT COLLATE "C"
    CHECK (char_length(completed_run_id) = 36);

CREATE TABLE agent_sessions (
    user_id         TEXT COLLATE "C" NOT NULL CHECK (char_length(user_id) BETWEEN 1 AND 128),
    id              TEXT COLLATE "C" NOT NULL CHECK (char_length(id) = 36),
    handle          TEXT COLLATE "C" NOT NULL CHECK (handle ~ '^agent-[a-z0-9]+$'),
    persona         TEXT NOT NULL CHECK (char_length(persona) > 0),
    spec            TEXT NOT NULL,
    provider        TEXT NOT NULL CHECK (char_length(provider) > 0),
    model           TEXT NOT NULL,
    conversation_id TEXT COLLATE "C" CHECK (char_length(conversation_id) = 36),
    parent_id       TEXT COLLATE "C" CHECK (char_length(parent_id) = 36),
    depth           BIGINT NOT NULL CHECK (depth BETWEEN 1 AND 3),
    workspace_root  TEXT,
    -- 1: its conversation is gone, and what is left of it proves a completed task.
    -- 2: it is being removed.
    removed         BIGINT NOT NULL DEFAULT 0 CHECK (removed BETWEEN 0 AND 2),
    created_at      TEXT COLLATE "C" NOT NULL CHECK (char_length(created_at) = 27),
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, handle)
);

-- The number of each user's newest run, which outlives the run: none is given twice.
CREATE TABLE agent_numbers (
    user_id TEXT COLLATE "C" NOT NULL CHECK (char_length(user_id) BETWEEN 1 AND 128),
    last    BIGINT NOT NULL CHECK (last >= 1),
    PRIMARY KEY (user_id)
);

CREATE TABLE agent_runs (
    user_id             TEXT COLLATE "C" NOT NULL,
    id                  TEXT COLLATE "C" NOT NULL CHECK (char_length(id) = 36),
    -- What people call it: run-7.
    number              BIGINT NOT NULL CHECK (number >= 1),
    session_id          TEXT COLLATE "C" NOT NULL,
    conversation_id     TEXT COLLATE "C" CHECK (char_length(conversation_id) = 36),
    -- The turn that what it does is told under.
    turn_id             TEXT COLLATE "C" NOT NULL CHECK (char_length(turn_id) = 36),
    task_id             TEXT COLLATE "C" CHECK (char_length(task_id) = 36),
    title               TEXT NOT NULL,
    round               BIGINT NOT NULL CHECK (round >= 1),
    state               TEXT COLLATE "C" NOT NULL CHECK (state IN ('pending', 'running',
                            'input_required', 'completed', 'failed', 'cancelled', 'interrupted')),
    -- 0 comes first.
    rank                BIGINT NOT NULL CHECK (rank BETWEEN 0 AND 2),
    -- 1: it waits until the earlier rounds of its session have ended.
    queued              BIGINT NOT NULL CHECK (queued IN (0, 1)),
    prompt              TEXT NOT NULL CHECK (char_length(btrim(prompt)) > 0),
    expected_response   TEXT CHECK (char_length(btrim(expected_response)) > 0),
    background          BIGINT NOT NULL CHECK (background IN (0, 1)),
    tool_call_id        TEXT NOT NULL,
    idempotency_key     TEXT COLLATE "C" NOT NULL,
    options             TEXT NOT NULL,
    -- Who works on it, and until when that counts: milliseconds since 1970 by the clock of the
    -- database. Each time somebody begins to, the attempt is one more, and with the owner it is
    -- the fence of whatever is written.
    owner               TEXT,
    attempt             BIGINT NOT NULL CHECK (attempt >= 0),
    lease_until         BIGINT NOT NULL,
    calls               BIGINT NOT NULL CHECK (calls >= 0),
    cancel_requested_at TEXT CHECK (char_length(cancel_requested_at) = 27),
    fault               TEXT,
    metrics             TEXT,
    review              TEXT CHECK (review IN ('accepted', 'rejected')),
    created_at          TEXT COLLATE "C" NOT NULL CHECK (char_length(created_at) = 27),
    started_at          TEXT COLLATE "C" CHECK (char_length(started_at) = 27),
    ended_at            TEXT COLLATE "C" CHECK (char_length(ended_at) = 27),
    PRIMARY KEY (user_id, id),
    UNIQUE (user_id, number),
    UNIQUE (user_id, session_id, round),
    UNIQUE (user_id, idempotency_key),
    FOREIGN KEY (user_id, session_id) REFERENCES agent_sessions (user_id, id),
    CHECK ((state IN ('completed', 'failed', 'cancelled', 'interrupted')) = (ended_at IS NOT NULL)),
    CHECK (state NOT IN ('running', 'input_required', 'completed') OR owner IS NOT NULL),
    CHECK (review IS NULL OR state = 'completed')
);

CREATE UNIQUE INDEX agent_runs_one_per_session ON agent_runs (user_id, session_id)
    WHERE state IN ('pending', 'running', 'input_required') AND queued = 0;
CREATE UNIQUE INDEX agent_runs_one_per_task ON agent_runs (user_id, task_id)
    WHERE state IN ('pending', 'running', 'input_required');
CREATE INDEX agent_runs_waiting ON agent_runs (rank, created_at, id) WHERE state = 'pending';
CREATE INDEX agent_runs_running ON agent_runs (lease_until)
    WHERE state IN ('running', 'input_required');
CREATE INDEX agent_runs_task ON agent_runs (user_id, task_id, number);

CREATE TABLE agent_results (
    user_id      TEXT COLLATE "C" NOT NULL,
    run_id       TEXT COLLATE "C" NOT NULL,
    outcome      TEXT NOT NULL CHECK (outcome IN ('completed', 'rejected')),
    result_text  TEXT NOT NULL CHECK (char_length(result_text) <= 32000
                                      AND result_text ~ '\S'),
    result_json  TEXT,
    summary      TEXT,
    evidence     TEXT NOT NULL,
    verification TEXT NOT NULL CHECK (verification IN ('verified', 'unverified', 'contradicted')),
    sha256       TEXT NOT NULL CHECK (char_length(sha256) = 64),
    created_at   TEXT COLLATE "C" NOT NULL CHECK (char_length(created_at) = 27),
    PRIMARY KEY (user_id, run_id),
    FOREIGN KEY (user_id, run_id) REFERENCES agent_runs (user_id, id)
);

CREATE TABLE agent_messages (
    user_id      TEXT COLLATE "C" NOT NULL,
    session_id   TEXT COLLATE "C" NOT NULL,
    seq          BIGINT NOT NULL CHECK (seq >= 1),
    run_id       TEXT COLLATE "C" NOT NULL,
    role         TEXT NOT NULL CHECK (role IN ('system', 'user', 'assistant', 'tool')),
    content      TEXT NOT NULL,
    tool_calls   TEXT,
    tool_call_id TEXT,
    created_at   TEXT COLLATE "C" NOT NULL CHECK (char_length(created_at) = 27),
    PRIMARY KEY (user_id, session_id, seq),
    FOREIGN KEY (user_id, session_id) REFERENCES agent_sessions (user_id, id)
);

-- That a run has ended, until a turn has told the user so.
CREATE TABLE agent_notices (
    user_id         TEXT COLLATE "C" NOT NULL,
    run_id          TEXT COLLATE "C" NOT NULL,
    state           TEXT COLLATE "C" NOT NULL CHECK (state IN ('completed', 'failed',
                        'cancelled', 'interrupted')),
    created_at      TEXT COLLATE "C" NOT NULL CHECK (char_length(created_at) = 27),
    acknowledged_at TEXT COLLATE "C" CHECK (char_length(acknowledged_at) = 27),
    PRIMARY KEY (user_id, run_id),
    FOREIGN KEY (user_id, run_id) REFERENCES agent_runs (user_id, id)
);

CREATE INDEX agent_notices_pending ON agent_notices (user_id, created_at)
    WHERE acknowledged_at IS NULL;

-- What a session was settled on never changes.
CREATE FUNCTION agent_sessions_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF to_jsonb(NEW) - 'removed' <> to_jsonb(OLD) - 'removed' THEN
        RAISE EXCEPTION 'what a session was settled on never changes';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER agent_sessions_keep BEFORE UPDATE ON agent_sessions
    FOR EACH ROW EXECUTE FUNCTION agent_sessions_keep();

CREATE FUNCTION agent_runs_begin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.state <> 'pending' OR NEW.attempt <> 0 THEN
        RAISE EXCEPTION 'a run begins as pending';
    END IF;
    INSERT INTO agent_numbers AS n (user_id, last) VALUES (NEW.user_id, NEW.number)
    ON CONFLICT (user_id) DO UPDATE SET last = greatest(n.last, excluded.last);
    RETURN NEW;
END
$$;
CREATE TRIGGER agent_runs_begin BEFORE INSERT ON agent_runs
    FOR EACH ROW EXECUTE FUNCTION agent_runs_begin();

CREATE FUNCTION agent_runs_keep() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    course CONSTANT text[] := ARRAY['state', 'queued', 'rank', 'background', 'owner', 'attempt',
        'lease_until', 'calls', 'cancel_requested_at', 'fault', 'metrics', 'review',
        'started_at', 'ended_at'];
    ended CONSTANT text[] := ARRAY['completed', 'failed', 'cancelled', 'interrupted'];
BEGIN
    IF to_jsonb(NEW) - course <> to_jsonb(OLD) - course
        OR NEW.attempt < OLD.attempt OR NEW.calls < OLD.calls THEN
        RAISE EXCEPTION 'what a run was told to do never changes';
    END IF;
    IF OLD.state = ANY (ended) THEN
        IF to_jsonb(NEW) - 'review' - 'lease_until' <> to_jsonb(OLD) - 'review' - 'lease_until'
            OR (OLD.review IS NOT NULL AND NEW.review IS DISTINCT FROM OLD.review) THEN
            RAISE EXCEPTION 'a run that has ended never changes';
        END IF;
        RETURN NEW;
    END IF;
    IF NEW.state <> OLD.state AND NOT (CASE OLD.state
            WHEN 'pending' THEN NEW.state IN ('running', 'cancelled', 'failed')
            WHEN 'running' THEN NEW.state <> 'pending'
            ELSE NEW.state IN ('running', 'failed', 'cancelled', 'interrupted') END) THEN
        RAISE EXCEPTION 'a run can not go there from here';
    END IF;
    IF NEW.state = 'completed' AND NOT EXISTS (
        SELECT 1 FROM agent_results AS r WHERE r.user_id = NEW.user_id AND r.run_id = NEW.id
          AND r.outcome = 'completed' AND r.verification <> 'contradicted') THEN
        RAISE EXCEPTION 'a run is completed by its result alone';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER agent_runs_keep BEFORE UPDATE ON agent_runs
    FOR EACH ROW EXECUTE FUNCTION agent_runs_keep();

CREATE FUNCTION agent_runs_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM erasures AS e WHERE e.user_id = OLD.user_id)
        AND (NOT EXISTS (SELECT 1 FROM agent_sessions AS s
                WHERE s.user_id = OLD.user_id AND s.id = OLD.session_id AND s.removed > 0)
            OR OLD.state NOT IN ('completed', 'failed', 'cancelled', 'interrupted')
            OR EXISTS (SELECT 1 FROM tasks AS t
                WHERE t.user_id = OLD.user_id AND t.completed_run_id = OLD.id)) THEN
        RAISE EXCEPTION 'agent_runs is kept';
    END IF;
    RETURN OLD;
END
$$;
CREATE TRIGGER agent_runs_stay BEFORE DELETE ON agent_runs
    FOR EACH ROW EXECUTE FUNCTION agent_runs_stay();
CREATE TRIGGER agent_runs_whole BEFORE TRUNCATE ON agent_runs
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change();

CREATE FUNCTION agent_results_begin() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM agent_runs AS r
        WHERE r.user_id = NEW.user_id AND r.id = NEW.run_id AND r.state = 'running') THEN
        RAISE EXCEPTION 'a result is of a run that is worked on';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER agent_results_begin BEFORE INSERT ON agent_results
    FOR EACH ROW EXECUTE FUNCTION agent_results_begin();
CREATE TRIGGER agent_results_keep BEFORE UPDATE OR TRUNCATE ON agent_results
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_to_change();

CREATE FUNCTION agent_results_stay() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT 1 FROM erasures AS e WHERE e.user_id = OLD.user_id)
        AND (NOT EXISTS (SELECT 1 FROM agent_runs AS r JOIN agent_sessions AS s
                    ON s.user_id = r.user_id AND s.id = r.session_id
                WHERE r.user_id = OLD.user_id AND r.id = OLD.run_id AND s.removed > 0)
            OR EXISTS (SELECT 1 FROM tasks AS t
                WHERE t.user_id = OLD.user_id AND t.completed_run_id = OLD.run_id)) THEN
        RAISE EXCEPTION 'agent_results is append-only';
    END IF;
    RETURN OLD;
END
$$;
CREATE TRIGGER agent_results_stay BEFORE DELETE ON agent_results
    FOR EACH ROW EXECUTE FUNCTION agent_results_stay();

CREATE FUNCTION tasks_done_by_agent() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        RAISE EXCEPTION 'a task is not added as done by an agent';
    END IF;
    IF NEW.status = 'pending'
        AND NEW.completed_run_id IS NOT DISTINCT FROM OLD.completed_run_id THEN
        -- It is reopened: nobody did it any more.
        NEW.completed_run_id := NULL;
        RETURN NEW;
    END IF;
    IF NEW.status <> 'completed' OR NOT EXISTS (
        SELECT 1 FROM agent_runs AS a JOIN agent_results AS r
            ON r.user_id = a.user_id AND r.run_id = a.id
        WHERE a.user_id = NEW.user_id AND a.id = NEW.completed_run_id
          AND a.task_id = NEW.id AND a.state = 'completed'
          AND r.outcome = 'completed' AND r.verification <> 'contradicted') THEN
        RAISE EXCEPTION 'a task is done by an agent by its result alone';
    END IF;
    RETURN NEW;
END
$$;
CREATE TRIGGER tasks_done_by_agent BEFORE INSERT OR UPDATE ON tasks
    FOR EACH ROW WHEN (NEW.completed_run_id IS NOT NULL)
    EXECUTE FUNCTION tasks_done_by_agent();

CREATE INDEX tasks_proven ON tasks (user_id, completed_run_id) WHERE completed_run_id IS NOT NULL;
