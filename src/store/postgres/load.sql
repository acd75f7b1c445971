-- Everything a turn starts from, as one row. $1 user, $2 conversation, $3 idempotency key.
SELECT
    (SELECT coalesce(json_agg(json_build_array(id, title, description, status, priority, due_date,
                due_time, due_zone, repeat, assignee, created_at, updated_at, completed_at, version)),
            '[]')::text
        FROM tasks WHERE user_id = $1::text AND deleted_at IS NULL),
    (SELECT json_build_array(id, version, frame)::text
        FROM conversations WHERE user_id = $1::text AND id = $2::text),
    (SELECT coalesce(json_agg(json_build_array(id, role, content, created_at)), '[]')::text FROM (
        SELECT id, role, content, created_at FROM messages
        WHERE user_id = $1::text AND conversation_id = $2::text
        ORDER BY id DESC LIMIT 20) AS newest),
    (SELECT json_build_array(id, body, expires_at)::text
        FROM questions WHERE user_id = $1::text AND conversation_id = $2::text),
    (SELECT json_build_array(key, fingerprint, status, body)::text
        FROM idempotency_keys WHERE user_id = $1::text AND key = $3::text),
    (SELECT json_build_array(turn_id, conversation_id, key, owner, beats,
            (lease_until - (extract(epoch FROM clock_timestamp()) * 1000)::bigint
                BETWEEN 1 AND 5000)::int, journal)::text
        FROM open_turns
        WHERE user_id = $1::text AND (conversation_id = $2::text OR key = $3::text)
        ORDER BY (key = $3::text) IS NOT TRUE, turn_id LIMIT 1),
    (SELECT json_build_array(last_seq, head_hash)::text FROM commits
        WHERE user_id = $1::text AND turn_id IS NOT NULL ORDER BY last_seq DESC LIMIT 1),
    (SELECT json_build_array(seq, hash)::text FROM audit_events
        WHERE user_id = $1::text ORDER BY seq DESC LIMIT 1),
    (SELECT version::text FROM ledgers WHERE user_id = $1::text),
    (SELECT coalesce(json_agg(json_build_array(task_id,
            json_build_array(id, at, zone, today, state, told))), '[]')::text
        FROM reminders WHERE user_id = $1::text)
