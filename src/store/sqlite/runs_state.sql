-- Where runs stand that are written about, as one text; asked under the write lock.
-- $1 [user, run] pairs, $2 [user, key] pairs, $3 users.
SELECT json_array(
    json((SELECT json_group_array(json_array(r.user_id, r.id, r.state, r.owner, r.attempt, r.calls,
            r.lease_until - CAST(unixepoch('subsec') * 1000 AS INTEGER) BETWEEN 1 AND 10000,
            r.cancel_requested_at IS NOT NULL,
            EXISTS (SELECT 1 FROM agent_runs AS o
                WHERE o.user_id = r.user_id AND o.session_id = r.session_id AND o.round < r.round
                  AND o.state IN ('pending', 'running', 'input_required')),
            r.review IS NOT NULL))
        FROM json_each($1) AS w CROSS JOIN agent_runs AS r
        WHERE r.user_id = w.value ->> 0 AND r.id = w.value ->> 1)),
    json((SELECT json_group_array(json_array(r.user_id, r.idempotency_key))
        FROM json_each($2) AS w CROSS JOIN agent_runs AS r
        WHERE r.user_id = w.value ->> 0 AND r.idempotency_key = w.value ->> 1)),
    json((SELECT json_group_array(json_array(w.value,
            coalesce((SELECT c.last FROM agent_numbers AS c WHERE c.user_id = w.value), 0),
            (SELECT count(*) FROM agent_runs AS r
                WHERE r.state IN ('running', 'input_required') AND r.user_id = w.value)))
        FROM json_each($3) AS w)),
    (SELECT count(*) FROM agent_runs AS r WHERE r.state IN ('running', 'input_required')))
