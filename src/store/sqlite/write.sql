-- Writes the rows of one unit or of many. All of it is what one INSERT into a view sets off,
-- since the driver wakes its caller for every statement. Each column is a JSON array of rows as
-- objects, but `gates`, pairs of a user and the number of the log's last event as it is remembered,
-- and `runs`, an object of such arrays. What there is none of is NULL: nothing is parsed for it.
-- The binary form of `value` (jsonb_each) is not parsed again for each column.
--
-- The last trigger made is the first to run: the gates are looked at before anything is written, and
-- what is written about runs comes after their tasks. Most units have none of most kinds, and a
-- trigger that is not run costs next to nothing.
CREATE TEMP VIEW IF NOT EXISTS writing AS
SELECT NULL AS gates, NULL AS tasks, NULL AS commits, NULL AS conversations, NULL AS messages,
       NULL AS questions, NULL AS receipts, NULL AS keys, NULL AS events, NULL AS open_turns,
       NULL AS runs;

-- Results are written before the runs that they complete.
CREATE TEMP TRIGGER IF NOT EXISTS write_runs INSTEAD OF INSERT ON writing
WHEN NEW.runs IS NOT NULL BEGIN
INSERT INTO agent_sessions (user_id, id, handle, persona, spec, provider, model, conversation_id,
                            parent_id, depth, workspace_root, created_at)
SELECT value ->> 'user_id', value ->> 'id', value ->> 'handle', value ->> 'persona',
       value ->> 'spec', value ->> 'provider', value ->> 'model', value ->> 'conversation_id',
       value ->> 'parent_id', value ->> 'depth', value ->> 'workspace_root',
       value ->> 'created_at'
FROM jsonb_each(NEW.runs, '$.sessions');

INSERT INTO agent_results (user_id, run_id, outcome, result_text, result_json, summary, evidence,
                           verification, sha256, created_at)
SELECT value ->> 'user_id', value ->> 'run_id', value ->> 'outcome', value ->> 'result_text',
       value ->> 'result_json', value ->> 'summary', value ->> 'evidence',
       value ->> 'verification', value ->> 'sha256', value ->> 'created_at'
FROM jsonb_each(NEW.runs, '$.results');

UPDATE agent_runs SET
    state = coalesce(v.value ->> 'state', agent_runs.state),
    owner = coalesce(v.value ->> 'owner', agent_runs.owner),
    attempt = agent_runs.attempt + (v.value ->> 'leased'),
    queued = CASE WHEN v.value ->> 'leased' THEN 0 ELSE agent_runs.queued END,
    lease_until = CASE WHEN v.value ->> 'leased'
        THEN CAST(unixepoch('subsec') * 1000 AS INTEGER) + 10000 ELSE agent_runs.lease_until END,
    calls = agent_runs.calls + (v.value ->> 'calls'),
    cancel_requested_at =
        coalesce(agent_runs.cancel_requested_at, v.value ->> 'cancel_requested_at'),
    fault = coalesce(v.value ->> 'fault', agent_runs.fault),
    metrics = coalesce(v.value ->> 'metrics', agent_runs.metrics),
    review = coalesce(v.value ->> 'review', agent_runs.review),
    started_at = coalesce(agent_runs.started_at, v.value ->> 'started_at'),
    ended_at = coalesce(v.value ->> 'ended_at', agent_runs.ended_at)
FROM jsonb_each(NEW.runs, '$.steps') AS v
WHERE agent_runs.user_id = v.value ->> 'user_id' AND agent_runs.id = v.value ->> 'id';

INSERT INTO agent_runs (user_id, id, number, session_id, conversation_id, turn_id, task_id, title,
                        round, state, rank, queued, prompt, expected_response, background,
                        tool_call_id, idempotency_key, options, attempt, lease_until, calls,
                        created_at)
SELECT value ->> 'user_id', value ->> 'id', value ->> 'number', value ->> 'session_id',
       value ->> 'conversation_id', value ->> 'turn_id', value ->> 'task_id', value ->> 'title',
       value ->> 'round', 'pending', value ->> 'rank', value ->> 'queued', value ->> 'prompt',
       value ->> 'expected_response', value ->> 'background', value ->> 'tool_call_id',
       value ->> 'idempotency_key', value ->> 'options', 0, 0, 0, value ->> 'created_at'
FROM jsonb_each(NEW.runs, '$.runs');

UPDATE tasks SET completed_run_id = v.value ->> 'run_id'
FROM jsonb_each(NEW.runs, '$.proofs') AS v
WHERE tasks.user_id = v.value ->> 'user_id' AND tasks.id = v.value ->> 'task_id';

INSERT INTO agent_notices (user_id, run_id, state, created_at)
SELECT value ->> 'user_id', value ->> 'run_id', value ->> 'state', value ->> 'created_at'
FROM jsonb_each(NEW.runs, '$.notices');

UPDATE agent_notices SET acknowledged_at = v.value ->> 'at'
FROM jsonb_each(NEW.runs, '$.told') AS v
WHERE agent_notices.user_id = v.value ->> 'user_id'
  AND agent_notices.run_id = v.value ->> 'run_id'
  AND agent_notices.acknowledged_at IS NULL;
END;

CREATE TEMP TRIGGER IF NOT EXISTS write_open_turns INSTEAD OF INSERT ON writing
WHEN NEW.open_turns IS NOT NULL BEGIN
INSERT INTO open_turns (user_id, turn_id, conversation_id, key, owner, beats, lease_until, journal)
SELECT value ->> 'user_id', value ->> 'turn_id', value ->> 'conversation_id', value ->> 'key',
       value ->> 'owner', 0, CAST(unixepoch('subsec') * 1000 AS INTEGER) + 5000,
       value ->> 'journal'
FROM jsonb_each(NEW.open_turns) WHERE value ->> 'journal' IS NOT NULL
ON CONFLICT (user_id, turn_id) DO UPDATE SET
    beats = beats + 1, lease_until = excluded.lease_until, journal = excluded.journal;

DELETE FROM open_turns WHERE (user_id, turn_id) IN (
    SELECT value ->> 'user_id', value ->> 'turn_id'
    FROM jsonb_each(NEW.open_turns) WHERE value ->> 'journal' IS NULL);
END;

CREATE TEMP TRIGGER IF NOT EXISTS write_keys INSTEAD OF INSERT ON writing
WHEN NEW.keys IS NOT NULL BEGIN
INSERT INTO idempotency_keys (user_id, key, fingerprint, status, body, created_at)
SELECT value ->> 'user_id', value ->> 'key', value ->> 'fingerprint', value ->> 'status',
       value ->> 'body', value ->> 'created_at'
FROM jsonb_each(NEW.keys) WHERE NOT (value ->> 'claimed');

UPDATE idempotency_keys SET (status, body) = (
    SELECT value ->> 'status', value ->> 'body' FROM jsonb_each(NEW.keys)
    WHERE value ->> 'user_id' = idempotency_keys.user_id
      AND value ->> 'key' = idempotency_keys.key)
WHERE (user_id, key) IN (
    SELECT value ->> 'user_id', value ->> 'key' FROM jsonb_each(NEW.keys)
    WHERE value ->> 'claimed');
END;

CREATE TEMP TRIGGER IF NOT EXISTS write_questions INSTEAD OF INSERT ON writing
WHEN NEW.questions IS NOT NULL BEGIN
DELETE FROM questions WHERE (user_id, conversation_id) IN (
    SELECT value ->> 'user_id', value ->> 'conversation_id' FROM jsonb_each(NEW.questions));

INSERT INTO questions (user_id, conversation_id, id, body, expires_at)
SELECT value ->> 'user_id', value ->> 'conversation_id', value ->> 'id', value ->> 'body',
       value ->> 'expires_at'
FROM jsonb_each(NEW.questions) WHERE value ->> 'id' IS NOT NULL;
END;

CREATE TEMP TRIGGER IF NOT EXISTS write_records INSTEAD OF INSERT ON writing BEGIN
INSERT INTO commits (attempt_id, user_id, turn_id, conversation_id, first_seq, last_seq,
                     head_hash, created_at)
SELECT value ->> 'attempt_id', value ->> 'user_id', value ->> 'turn_id',
       value ->> 'conversation_id', value ->> 'first_seq', value ->> 'last_seq',
       value ->> 'head_hash', value ->> 'created_at'
FROM jsonb_each(NEW.commits);

INSERT INTO conversations (user_id, id, title, version, frame, created_at, updated_at)
SELECT value ->> 'user_id', value ->> 'id', coalesce(value ->> 'title', ''),
       value ->> 'version',
       coalesce(value ->> 'frame',
                (SELECT c.frame FROM conversations AS c
                    WHERE c.user_id = value ->> 'user_id' AND c.id = value ->> 'id'),
                '{}'),
       value ->> 'at', value ->> 'at'
FROM jsonb_each(NEW.conversations) WHERE true
ON CONFLICT (user_id, id) DO UPDATE SET
    version = excluded.version, frame = excluded.frame, updated_at = excluded.updated_at;

INSERT INTO messages (user_id, conversation_id, id, role, content, created_at)
SELECT value ->> 'user_id', value ->> 'conversation_id', value ->> 'id', value ->> 'role',
       value ->> 'content', value ->> 'created_at'
FROM jsonb_each(NEW.messages);

INSERT INTO receipts (user_id, seq, id, turn_id, conversation_id, action, task_id, undoes,
                      created_at, run)
SELECT value ->> 'user_id', value ->> 'seq', value ->> 'id', value ->> 'turn_id',
       value ->> 'conversation_id', value ->> 'action', value ->> 'task_id',
       value ->> 'undoes', value ->> 'created_at', value ->> 'run'
FROM jsonb_each(NEW.receipts);

INSERT INTO audit_events (user_id, seq, turn_id, kind, payload, prev_hash, hash, created_at)
SELECT value ->> 'user_id', value ->> 'seq', value ->> 'turn_id', value ->> 'kind',
       value ->> 'payload', value ->> 'prev_hash', value ->> 'hash', value ->> 'created_at'
FROM jsonb_each(NEW.events);
END;

-- A text that only quotes the word is looked through in vain, and does no harm.
CREATE TEMP TRIGGER IF NOT EXISTS write_reminders INSTEAD OF INSERT ON writing
WHEN instr(NEW.tasks, '"reminders":') BEGIN
DELETE FROM reminders WHERE (user_id, task_id) IN (
    SELECT value ->> 'user_id', value ->> 'id' FROM jsonb_each(NEW.tasks)
    WHERE value -> 'reminders' IS NOT NULL)
  AND id NOT IN (SELECT r.value ->> 'id'
                 FROM jsonb_each(NEW.tasks) AS t, jsonb_each(t.value, '$.reminders') AS r);

INSERT INTO reminders (user_id, task_id, id, at, zone, today, state, told, receipt_id, ended_at,
                       next_try)
SELECT t.value ->> 'user_id', t.value ->> 'id', r.value ->> 'id', r.value ->> 'at',
       r.value ->> 'zone', r.value ->> 'today', r.value ->> 'state', r.value ->> 'told',
       r.value ->> 'receipt_id', r.value ->> 'ended_at', r.value ->> 'next_try'
FROM jsonb_each(NEW.tasks) AS t, jsonb_each(t.value, '$.reminders') AS r WHERE true
ON CONFLICT (user_id, task_id, id) DO UPDATE SET
    state = excluded.state, told = excluded.told, owner = NULL, fence = fence + 1,
    attempts = CASE excluded.state WHEN 'waiting' THEN 0 ELSE attempts END,
    next_try = excluded.next_try,
    ended_at = CASE excluded.state WHEN 'waiting' THEN NULL
                                   ELSE coalesce(ended_at, excluded.ended_at) END
    WHERE state <> excluded.state OR told <> excluded.told;
END;

CREATE TEMP TRIGGER IF NOT EXISTS write_tasks INSTEAD OF INSERT ON writing
WHEN NEW.tasks IS NOT NULL BEGIN
INSERT INTO tasks (user_id, id, title, description, status, priority, due_date, due_time, due_zone,
                   repeat, assignee, created_at, updated_at, completed_at, deleted_at, version)
SELECT value ->> 'user_id', value ->> 'id', value ->> 'title', value ->> 'description',
       value ->> 'status', value ->> 'priority', value ->> 'due_date', value ->> 'due_time',
       value ->> 'due_zone', value ->> 'repeat', value ->> 'assignee',
       value ->> 'created_at', value ->> 'updated_at', value ->> 'completed_at',
       value ->> 'deleted_at', value ->> 'version'
FROM jsonb_each(NEW.tasks) WHERE true
ON CONFLICT (user_id, id) DO UPDATE SET
    title = excluded.title, description = excluded.description, status = excluded.status,
    priority = excluded.priority, due_date = excluded.due_date, due_time = excluded.due_time,
    due_zone = excluded.due_zone, repeat = excluded.repeat, assignee = excluded.assignee,
    updated_at = excluded.updated_at, completed_at = excluded.completed_at,
    deleted_at = excluded.deleted_at, version = excluded.version;
END;

CREATE TEMP TRIGGER IF NOT EXISTS write_where_it_stands INSTEAD OF INSERT ON writing
WHEN EXISTS (SELECT 1 FROM jsonb_each(NEW.gates) AS w WHERE w.value ->> 1 IS NOT coalesce(
    (SELECT max(e.seq) FROM audit_events AS e WHERE e.user_id = w.value ->> 0), 0)) BEGIN
SELECT RAISE(ABORT, 'another process wrote for this user');
END;
