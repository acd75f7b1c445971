-- Takes the write lock, then reads what a group of units is checked against, as one text.
-- $1 users; $2 [user, task], $3 [user, conversation], $4 [user, key], $5 [user, receipt],
-- $6 [user, turn] pairs.
BEGIN IMMEDIATE;
SELECT json_array(json_array(
    json((SELECT json_group_array(json_array(c.user_id, c.last_seq, c.head_hash))
        FROM json_each($1) AS w CROSS JOIN commits AS c
        WHERE c.user_id = w.value AND c.turn_id IS NOT NULL
          AND c.last_seq = (SELECT max(l.last_seq) FROM commits AS l
                            WHERE l.user_id = w.value AND l.turn_id IS NOT NULL))),
    json((SELECT json_group_array(json_array(e.user_id, e.seq, e.hash))
        FROM json_each($1) AS w CROSS JOIN audit_events AS e
        WHERE e.user_id = w.value
          AND e.seq = (SELECT max(l.seq) FROM audit_events AS l WHERE l.user_id = w.value)))),
    json((SELECT json_group_array(json_array(t.user_id, t.id, t.version))
        FROM json_each($2) AS w CROSS JOIN tasks AS t
        WHERE t.user_id = w.value ->> 0 AND t.id = w.value ->> 1)),
    json((SELECT json_group_array(json_array(c.user_id, c.id, c.version))
        FROM json_each($3) AS w CROSS JOIN conversations AS c
        WHERE c.user_id = w.value ->> 0 AND c.id = w.value ->> 1)),
    json((SELECT json_group_array(json_array(k.user_id, k.key))
        FROM json_each($4) AS w CROSS JOIN idempotency_keys AS k
        WHERE k.user_id = w.value ->> 0 AND k.key = w.value ->> 1)),
    json((SELECT json_group_array(json_array(r.user_id, r.id, (
            SELECT count(*) FROM receipts AS u WHERE u.user_id = r.user_id AND u.undoes = r.id)))
        FROM json_each($5) AS w CROSS JOIN receipts AS r
        WHERE r.user_id = w.value ->> 0 AND r.id = w.value ->> 1)),
    json((SELECT json_group_array(json_array(o.user_id, o.turn_id, o.beats))
        FROM json_each($6) AS w CROSS JOIN open_turns AS o
        WHERE o.user_id = w.value ->> 0 AND o.turn_id = w.value ->> 1)));
