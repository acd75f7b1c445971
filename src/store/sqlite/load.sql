-- Everything a turn starts from, as one row. $1 user, $2 conversation, $3 idempotency key.
SELECT
    (SELECT json_group_array(json_array(id, title, description, status, priority, due_date,
                due_time, due_zone, repeat, assignee, created_at, updated_at, completed_at, version))
        FROM tasks WHERE user_id = $1 AND deleted_at IS NULL),
    (SELECT json_array(id, version, frame)
        FROM conversations WHERE user_id = $1 AND id = $2),
    (SELECT json_group_array(json_array(id, role, content, created_at)) FROM (
        SELECT id, role, content, created_at FROM messages
        WHERE user_id = $1 AND conversation_id = $2 ORDER BY id DESC LIMIT 20)),
    (SELECT json_array(id, body, expires_at)
        FROM questions WHERE user_id = $1 AND conversation_id = $2),
    (SELECT json_array(key, fingerprint, status, body)
        FROM idempotency_keys WHERE user_id = $1 AND key = $3),
    (SELECT json_array(turn_id, conversation_id, key, owner, beats,
            lease_until - CAST(unixepoch('subsec') * 1000 AS INTEGER) BETWEEN 1 AND 5000, journal)
        FROM open_turns WHERE user_id = $1 AND (conversation_id = $2 OR key = $3)
        ORDER BY key IS NOT $3, turn_id LIMIT 1),
    (SELECT json_array(last_seq, head_hash) FROM commits
        WHERE user_id = $1 AND turn_id IS NOT NULL ORDER BY last_seq DESC LIMIT 1),
    (SELECT json_array(seq, hash) FROM audit_events
        WHERE user_id = $1 ORDER BY seq DESC LIMIT 1),
    -- Ledgers are not counted.
    '0',
    (SELECT json_group_array(json_array(task_id, json_array(id, at, zone, today, state, told)))
        FROM reminders WHERE user_id = $1)
