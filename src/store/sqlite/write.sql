-- Writes the rows of one unit or of many. Each argument is a JSON array of rows as objects:
-- $1 tasks, $2 commits, $3 conversations, $4 messages, $5 questions, $6 receipts,
-- $7 idempotency keys, $8 audit events, $9 open turns. The binary form of `value` (jsonb_each) is not parsed
-- again for each column.
INSERT INTO tasks (user_id, id, title, description, status, priority, due_date, assignee,
                   created_at, updated_at, completed_at, deleted_at, version)
SELECT value ->> 'user_id', value ->> 'id', value ->> 'title', value ->> 'description',
       value ->> 'status', value ->> 'priority', value ->> 'due_date', value ->> 'assignee',
       value ->> 'created_at', value ->> 'updated_at', value ->> 'completed_at',
       value ->> 'deleted_at', value ->> 'version'
FROM jsonb_each($1) WHERE true
ON CONFLICT (user_id, id) DO UPDATE SET
    title = excluded.title, description = excluded.description, status = excluded.status,
    priority = excluded.priority, due_date = excluded.due_date, assignee = excluded.assignee,
    updated_at = excluded.updated_at, completed_at = excluded.completed_at,
    deleted_at = excluded.deleted_at, version = excluded.version;

INSERT INTO commits (attempt_id, user_id, turn_id, conversation_id, first_seq, last_seq,
                     head_hash, created_at)
SELECT value ->> 'attempt_id', value ->> 'user_id', value ->> 'turn_id',
       value ->> 'conversation_id', value ->> 'first_seq', value ->> 'last_seq',
       value ->> 'head_hash', value ->> 'created_at'
FROM jsonb_each($2);

INSERT INTO conversations (user_id, id, title, version, frame, created_at, updated_at)
SELECT value ->> 'user_id', value ->> 'id', coalesce(value ->> 'title', ''),
       value ->> 'version',
       coalesce(value ->> 'frame',
                (SELECT c.frame FROM conversations AS c
                    WHERE c.user_id = value ->> 'user_id' AND c.id = value ->> 'id'),
                '{}'),
       value ->> 'at', value ->> 'at'
FROM jsonb_each($3) WHERE true
ON CONFLICT (user_id, id) DO UPDATE SET
    version = excluded.version, frame = excluded.frame, updated_at = excluded.updated_at;

INSERT INTO messages (user_id, conversation_id, id, role, content, created_at)
SELECT value ->> 'user_id', value ->> 'conversation_id', value ->> 'id', value ->> 'role',
       value ->> 'content', value ->> 'created_at'
FROM jsonb_each($4);

DELETE FROM questions WHERE (user_id, conversation_id) IN (
    SELECT value ->> 'user_id', value ->> 'conversation_id' FROM jsonb_each($5));

INSERT INTO questions (user_id, conversation_id, id, body, expires_at)
SELECT value ->> 'user_id', value ->> 'conversation_id', value ->> 'id', value ->> 'body',
       value ->> 'expires_at'
FROM jsonb_each($5) WHERE value ->> 'id' IS NOT NULL;

INSERT INTO receipts (user_id, seq, id, turn_id, conversation_id, action, task_id, before, after,
                      reading, undoes, created_at, run)
SELECT value ->> 'user_id', value ->> 'seq', value ->> 'id', value ->> 'turn_id',
       value ->> 'conversation_id', value ->> 'action', value ->> 'task_id',
       value ->> 'before', value ->> 'after', value ->> 'reading', value ->> 'undoes',
       value ->> 'created_at', value ->> 'run'
FROM jsonb_each($6);

INSERT INTO idempotency_keys (user_id, key, fingerprint, status, body, created_at)
SELECT value ->> 'user_id', value ->> 'key', value ->> 'fingerprint', value ->> 'status',
       value ->> 'body', value ->> 'created_at'
FROM jsonb_each($7) WHERE NOT (value ->> 'claimed');

UPDATE idempotency_keys AS k
SET status = v.value ->> 'status', body = v.value ->> 'body'
FROM jsonb_each($7) AS v
WHERE v.value ->> 'claimed' AND k.user_id = v.value ->> 'user_id' AND k.key = v.value ->> 'key';

INSERT INTO audit_events (user_id, seq, turn_id, kind, payload, prev_hash, hash, created_at)
SELECT value ->> 'user_id', value ->> 'seq', value ->> 'turn_id', value ->> 'kind',
       value ->> 'payload', value ->> 'prev_hash', value ->> 'hash', value ->> 'created_at'
FROM jsonb_each($8);

INSERT INTO open_turns (user_id, turn_id, conversation_id, key, owner, beats, lease_until, journal)
SELECT value ->> 'user_id', value ->> 'turn_id', value ->> 'conversation_id', value ->> 'key',
       value ->> 'owner', 0, CAST(unixepoch('subsec') * 1000 AS INTEGER) + 5000,
       value ->> 'journal'
FROM jsonb_each($9) WHERE value ->> 'journal' IS NOT NULL
ON CONFLICT (user_id, turn_id) DO UPDATE SET
    beats = beats + 1, lease_until = excluded.lease_until, journal = excluded.journal;

DELETE FROM open_turns WHERE (user_id, turn_id) IN (
    SELECT value ->> 'user_id', value ->> 'turn_id'
    FROM jsonb_each($9) WHERE value ->> 'journal' IS NULL);
