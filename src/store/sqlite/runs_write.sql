-- Writes what units change about runs. $10 an object of arrays of rows. It is run after the tasks
-- were written, and results before the runs that they complete.
INSERT INTO agent_sessions (user_id, id, handle, persona, spec, provider, model, conversation_id,
                            parent_id, depth, workspace_root, created_at)
SELECT value ->> 'user_id', value ->> 'id', value ->> 'handle', value ->> 'persona',
       value ->> 'spec', value ->> 'provider', value ->> 'model', value ->> 'conversation_id',
       value ->> 'parent_id', value ->> 'depth', value ->> 'workspace_root',
       value ->> 'created_at'
FROM jsonb_each($10, '$.sessions');

INSERT INTO agent_results (user_id, run_id, outcome, result_text, result_json, summary, evidence,
                           verification, sha256, created_at)
SELECT value ->> 'user_id', value ->> 'run_id', value ->> 'outcome', value ->> 'result_text',
       value ->> 'result_json', value ->> 'summary', value ->> 'evidence',
       value ->> 'verification', value ->> 'sha256', value ->> 'created_at'
FROM jsonb_each($10, '$.results');

UPDATE agent_runs AS r SET
    state = coalesce(v.value ->> 'state', r.state),
    owner = coalesce(v.value ->> 'owner', r.owner),
    attempt = r.attempt + (v.value ->> 'leased'),
    queued = CASE WHEN v.value ->> 'leased' THEN 0 ELSE r.queued END,
    lease_until = CASE WHEN v.value ->> 'leased'
        THEN CAST(unixepoch('subsec') * 1000 AS INTEGER) + 10000 ELSE r.lease_until END,
    calls = r.calls + (v.value ->> 'calls'),
    cancel_requested_at = coalesce(r.cancel_requested_at, v.value ->> 'cancel_requested_at'),
    fault = coalesce(v.value ->> 'fault', r.fault),
    metrics = coalesce(v.value ->> 'metrics', r.metrics),
    review = coalesce(v.value ->> 'review', r.review),
    started_at = coalesce(r.started_at, v.value ->> 'started_at'),
    ended_at = coalesce(v.value ->> 'ended_at', r.ended_at)
FROM jsonb_each($10, '$.steps') AS v
WHERE r.user_id = v.value ->> 'user_id' AND r.id = v.value ->> 'id';

INSERT INTO agent_runs (user_id, id, number, session_id, conversation_id, turn_id, task_id, title,
                        round, state, rank, queued, prompt, expected_response, background,
                        tool_call_id, idempotency_key, options, attempt, lease_until, calls,
                        created_at)
SELECT value ->> 'user_id', value ->> 'id', value ->> 'number', value ->> 'session_id',
       value ->> 'conversation_id', value ->> 'turn_id', value ->> 'task_id', value ->> 'title',
       value ->> 'round', 'pending', value ->> 'rank', value ->> 'queued', value ->> 'prompt',
       value ->> 'expected_response', value ->> 'background', value ->> 'tool_call_id',
       value ->> 'idempotency_key', value ->> 'options', 0, 0, 0, value ->> 'created_at'
FROM jsonb_each($10, '$.runs');

UPDATE tasks AS t SET completed_run_id = v.value ->> 'run_id'
FROM jsonb_each($10, '$.proofs') AS v
WHERE t.user_id = v.value ->> 'user_id' AND t.id = v.value ->> 'task_id';

INSERT INTO agent_notices (user_id, run_id, state, created_at)
SELECT value ->> 'user_id', value ->> 'run_id', value ->> 'state', value ->> 'created_at'
FROM jsonb_each($10, '$.notices');

UPDATE agent_notices AS n SET acknowledged_at = v.value ->> 'at'
FROM jsonb_each($10, '$.told') AS v
WHERE n.user_id = v.value ->> 'user_id' AND n.run_id = v.value ->> 'run_id'
  AND n.acknowledged_at IS NULL;
