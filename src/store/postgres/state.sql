-- The version of a user's ledger, and what a unit is checked against, as one text. The arrays are
-- those of SQLite's `begin.sql`.
-- $1 user, $2 tasks, $3 conversation, $4 idempotency key, $5 receipts, $6 open turn.
SELECT coalesce(l.version, 0), json_build_array(json_build_array(
    (SELECT coalesce(json_agg(json_build_array(c.user_id, c.last_seq, c.head_hash)), '[]') FROM (
        SELECT h.user_id, h.last_seq, h.head_hash FROM commits AS h
        WHERE h.user_id = $1::text AND h.turn_id IS NOT NULL
        ORDER BY h.last_seq DESC LIMIT 1) AS c),
    (SELECT coalesce(json_agg(json_build_array(e.user_id, e.seq, e.hash)), '[]') FROM (
        SELECT a.user_id, a.seq, a.hash FROM audit_events AS a
        WHERE a.user_id = $1::text ORDER BY a.seq DESC LIMIT 1) AS e)),
    (SELECT coalesce(json_agg(json_build_array(t.user_id, t.id, t.version)), '[]')
        FROM tasks AS t WHERE t.user_id = $1::text AND t.id = ANY ($2::text[])),
    (SELECT coalesce(json_agg(json_build_array(v.user_id, v.id, v.version)), '[]')
        FROM conversations AS v WHERE v.user_id = $1::text AND v.id = $3::text),
    (SELECT coalesce(json_agg(json_build_array(k.user_id, k.key)), '[]')
        FROM idempotency_keys AS k WHERE k.user_id = $1::text AND k.key = $4::text),
    (SELECT coalesce(json_agg(json_build_array(r.user_id, r.id, (
            SELECT count(*) FROM receipts AS u
            WHERE u.undoes = r.id AND u.user_id = r.user_id))), '[]')
        FROM receipts AS r WHERE r.user_id = $1::text AND r.id = ANY ($5::text[])),
    (SELECT coalesce(json_agg(json_build_array(o.user_id, o.turn_id, o.beats)), '[]')
        FROM open_turns AS o WHERE o.user_id = $1::text AND o.turn_id = $6::text))::text
FROM (SELECT 1) AS one
LEFT JOIN ledgers AS l ON l.user_id = $1::text
