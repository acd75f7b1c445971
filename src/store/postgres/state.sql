-- What a unit is checked against, as one row.
-- $1 user, $2 tasks, $3 conversation, $4 idempotency key, $5 receipts, $6 open turn.
SELECT
    coalesce(l.version, 0),
    coalesce(c.last_seq, 0), coalesce(c.head_hash, ''),
    coalesce(e.seq, 0), coalesce(e.hash, ''),
    (SELECT coalesce(json_agg(json_build_array(t.id, t.version)), '[]')::text
        FROM tasks AS t WHERE t.user_id = $1::text AND t.id = ANY ($2::text[])),
    (SELECT v.version FROM conversations AS v
        WHERE v.user_id = $1::text AND v.id = $3::text),
    EXISTS (SELECT 1 FROM idempotency_keys AS k
        WHERE k.user_id = $1::text AND k.key = $4::text),
    (SELECT coalesce(json_agg(json_build_array(r.id, EXISTS (
                SELECT 1 FROM receipts AS u WHERE u.undoes = r.id AND u.user_id = r.user_id))),
            '[]')::text
        FROM receipts AS r WHERE r.user_id = $1::text AND r.id = ANY ($5::text[])),
    (SELECT o.beats FROM open_turns AS o
        WHERE o.user_id = $1::text AND o.turn_id = $6::text)
FROM (SELECT 1) AS one
LEFT JOIN ledgers AS l ON l.user_id = $1::text
LEFT JOIN LATERAL (
    SELECT h.last_seq, h.head_hash FROM commits AS h
    WHERE h.user_id = $1::text AND h.turn_id IS NOT NULL
    ORDER BY h.last_seq DESC LIMIT 1) AS c ON true
LEFT JOIN LATERAL (
    SELECT a.seq, a.hash FROM audit_events AS a
    WHERE a.user_id = $1::text ORDER BY a.seq DESC LIMIT 1) AS e ON true
