-- Writes units of different users, in one statement: of each user whose ledger still has the
-- version that the unit was checked against, and of no other. Gives the users whose unit was
-- written. A ledger's row is locked from there to the commit: that it stands at that version
-- proves that every other row of the user's stands as it was read, since nothing of the user's is
-- written without a commit that counts. Ledgers are locked in the order of their users, so that
-- of two statements that share users one waits for the other and not each for each.
-- $1 users, each with the ledger's version and, where that was not read but remembered, the number
-- of the log's last event; the rest are JSON arrays of rows as objects: $2 tasks, $3 commits,
-- $4 conversations, $5 messages, $6 questions, $7 receipts, $8 idempotency keys, $9 audit events,
-- $10 open turns.
WITH gate AS (
    INSERT INTO ledgers AS l (user_id, version)
    SELECT v.user_id, v.version + 1
    FROM json_to_recordset($1::json) AS v (user_id text, version bigint, seq bigint)
    WHERE v.seq IS NULL OR v.seq = (
        SELECT max(a.seq) FROM audit_events AS a WHERE a.user_id = v.user_id)
    ORDER BY v.user_id COLLATE "C"
    ON CONFLICT (user_id) DO UPDATE SET version = excluded.version
        WHERE l.version = excluded.version - 1
    RETURNING l.user_id
), written_tasks AS (
    INSERT INTO tasks (user_id, id, title, description, status, priority, due_date, due_time,
                       due_zone, repeat, assignee, created_at, updated_at, completed_at, deleted_at,
                       version)
    SELECT v.user_id, v.id, v.title, v.description, v.status, v.priority, v.due_date, v.due_time,
           v.due_zone, v.repeat, v.assignee, v.created_at, v.updated_at, v.completed_at, v.deleted_at, v.version
    FROM gate AS g JOIN json_to_recordset($2::json) AS v (
        user_id text, id text, title text, description text, status text, priority text,
        due_date text, due_time text, due_zone text, repeat text, assignee text, created_at text,
        updated_at text, completed_at text, deleted_at text, version bigint)
        ON g.user_id = v.user_id
    ON CONFLICT (user_id, id) DO UPDATE SET
        title = excluded.title, description = excluded.description, status = excluded.status,
        priority = excluded.priority, due_date = excluded.due_date,
        due_time = excluded.due_time, due_zone = excluded.due_zone, repeat = excluded.repeat,
        assignee = excluded.assignee, updated_at = excluded.updated_at,
        completed_at = excluded.completed_at, deleted_at = excluded.deleted_at,
        version = excluded.version
), dropped_reminders AS (
    DELETE FROM reminders AS r
    USING gate AS g JOIN json_to_recordset($2::json) AS v (user_id text, id text, reminders json)
        ON g.user_id = v.user_id
    WHERE v.reminders IS NOT NULL AND r.user_id = v.user_id AND r.task_id = v.id
      AND NOT EXISTS (SELECT 1 FROM json_to_recordset(v.reminders) AS w (id text)
                      WHERE w.id = r.id)
), written_reminders AS (
    INSERT INTO reminders AS o (user_id, task_id, id, at, zone, today, state, told, receipt_id,
                                ended_at, next_try)
    SELECT v.user_id, v.id, r.id, r.at, r.zone, r.today, r.state, r.told, r.receipt_id,
           r.ended_at, r.next_try
    FROM gate AS g JOIN json_to_recordset($2::json) AS v (user_id text, id text, reminders json)
        ON g.user_id = v.user_id
    CROSS JOIN LATERAL json_to_recordset(v.reminders) AS r (
        id text, at text, zone text, today text, state text, told bigint, receipt_id text,
        ended_at text, next_try bigint)
    ON CONFLICT (user_id, task_id, id) DO UPDATE SET
        state = excluded.state, told = excluded.told, owner = NULL, fence = o.fence + 1,
        attempts = CASE excluded.state WHEN 'waiting' THEN 0 ELSE o.attempts END,
        next_try = excluded.next_try,
        ended_at = CASE excluded.state WHEN 'waiting' THEN NULL
                                       ELSE coalesce(o.ended_at, excluded.ended_at) END
        WHERE o.state <> excluded.state OR o.told <> excluded.told
), written_commits AS (
    INSERT INTO commits (attempt_id, user_id, turn_id, conversation_id, first_seq, last_seq,
                         head_hash, created_at)
    SELECT v.attempt_id, v.user_id, v.turn_id, v.conversation_id, v.first_seq, v.last_seq,
           v.head_hash, v.created_at
    FROM gate AS g JOIN json_to_recordset($3::json) AS v (
        attempt_id text, user_id text, turn_id text, conversation_id text, first_seq bigint,
        last_seq bigint, head_hash text, created_at text)
        ON g.user_id = v.user_id
), written_conversations AS (
    INSERT INTO conversations (user_id, id, title, version, frame, created_at, updated_at)
    SELECT v.user_id, v.id, coalesce(v.title, ''), v.version,
           coalesce(v.frame, (SELECT c.frame FROM conversations AS c
                              WHERE c.user_id = v.user_id AND c.id = v.id), '{}'),
           v.at, v.at
    FROM gate AS g JOIN json_to_recordset($4::json) AS v (
        user_id text, id text, title text, version bigint, frame text, at text)
        ON g.user_id = v.user_id
    ON CONFLICT (user_id, id) DO UPDATE SET
        version = excluded.version, frame = excluded.frame, updated_at = excluded.updated_at
), written_messages AS (
    INSERT INTO messages (user_id, conversation_id, id, role, content, created_at)
    SELECT v.user_id, v.conversation_id, v.id, v.role, v.content, v.created_at
    FROM gate AS g JOIN json_to_recordset($5::json) AS v (
        user_id text, conversation_id text, id text, role text, content text, created_at text)
        ON g.user_id = v.user_id
), closed_questions AS (
    DELETE FROM questions AS q
    USING gate AS g JOIN json_to_recordset($6::json) AS v (
        user_id text, conversation_id text, id text)
        ON g.user_id = v.user_id
    WHERE v.id IS NULL AND q.user_id = v.user_id AND q.conversation_id = v.conversation_id
), written_questions AS (
    INSERT INTO questions (user_id, conversation_id, id, body, expires_at)
    SELECT v.user_id, v.conversation_id, v.id, v.body, v.expires_at
    FROM gate AS g JOIN json_to_recordset($6::json) AS v (
        user_id text, conversation_id text, id text, body text, expires_at text)
        ON g.user_id = v.user_id
    WHERE v.id IS NOT NULL
    ON CONFLICT (user_id, conversation_id) DO UPDATE SET
        id = excluded.id, body = excluded.body, expires_at = excluded.expires_at
), written_receipts AS (
    INSERT INTO receipts (user_id, seq, id, turn_id, conversation_id, action, task_id, before,
                          after, reading, undoes, created_at, run)
    SELECT v.user_id, v.seq, v.id, v.turn_id, v.conversation_id, v.action, v.task_id, v.before,
           v.after, v.reading, v.undoes, v.created_at, v.run
    FROM gate AS g JOIN json_to_recordset($7::json) AS v (
        user_id text, seq bigint, id text, turn_id text, conversation_id text, action text,
        task_id text, before text, after text, reading text, undoes text, created_at text,
        run text)
        ON g.user_id = v.user_id
), written_keys AS (
    INSERT INTO idempotency_keys (user_id, key, fingerprint, status, body, created_at)
    SELECT v.user_id, v.key, v.fingerprint, v.status, v.body, v.created_at
    FROM gate AS g JOIN json_to_recordset($8::json) AS v (
        user_id text, key text, fingerprint text, status integer, body text, created_at text,
        claimed boolean)
        ON g.user_id = v.user_id
    WHERE NOT v.claimed
), answered_keys AS (
    UPDATE idempotency_keys AS k SET status = v.status, body = v.body
    FROM gate AS g JOIN json_to_recordset($8::json) AS v (
        user_id text, key text, status integer, body text, claimed boolean)
        ON g.user_id = v.user_id
    WHERE v.claimed AND k.user_id = v.user_id AND k.key = v.key
), written_events AS (
    INSERT INTO audit_events (user_id, seq, turn_id, kind, payload, prev_hash, hash, created_at)
    SELECT v.user_id, v.seq, v.turn_id, v.kind, v.payload, v.prev_hash, v.hash, v.created_at
    FROM gate AS g JOIN json_to_recordset($9::json) AS v (
        user_id text, seq bigint, turn_id text, kind text, payload text, prev_hash text,
        hash text, created_at text)
        ON g.user_id = v.user_id
), written_open_turns AS (
    INSERT INTO open_turns AS o (user_id, turn_id, conversation_id, key, owner, beats,
                                 lease_until, journal)
    SELECT v.user_id, v.turn_id, v.conversation_id, v.key, v.owner, 0,
           (extract(epoch FROM clock_timestamp()) * 1000)::bigint + 5000, v.journal
    FROM gate AS g JOIN json_to_recordset($10::json) AS v (
        user_id text, turn_id text, conversation_id text, key text, owner text, journal text)
        ON g.user_id = v.user_id
    WHERE v.journal IS NOT NULL
    ON CONFLICT (user_id, turn_id) DO UPDATE SET
        beats = o.beats + 1, lease_until = excluded.lease_until, journal = excluded.journal
), ended_open_turns AS (
    DELETE FROM open_turns AS o
    USING gate AS g JOIN json_to_recordset($10::json) AS v (
        user_id text, turn_id text, journal text)
        ON g.user_id = v.user_id
    WHERE v.journal IS NULL AND o.user_id = v.user_id AND o.turn_id = v.turn_id
)
SELECT user_id FROM gate
