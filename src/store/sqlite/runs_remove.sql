-- Removes what is left of sessions that were marked. Its row says how many sessions, runs and
-- lines go, and how many runs stay because they prove a completed task. $1 user.
SELECT json_array(
    (SELECT count(*) FROM agent_sessions AS s WHERE s.user_id = $1 AND s.removed = 2),
    (SELECT count(*) FROM agent_runs AS r WHERE r.user_id = $1
        AND r.session_id IN (SELECT id FROM agent_sessions WHERE user_id = $1 AND removed = 2)
        AND r.id NOT IN (SELECT completed_run_id FROM tasks
            WHERE user_id = $1 AND completed_run_id IS NOT NULL)),
    (SELECT count(*) FROM agent_messages AS m WHERE m.user_id = $1
        AND m.session_id IN (SELECT id FROM agent_sessions WHERE user_id = $1 AND removed = 2)),
    (SELECT count(*) FROM agent_runs AS r WHERE r.user_id = $1
        AND r.session_id IN (SELECT id FROM agent_sessions WHERE user_id = $1 AND removed = 2)
        AND r.id IN (SELECT completed_run_id FROM tasks
            WHERE user_id = $1 AND completed_run_id IS NOT NULL)));
DELETE FROM agent_messages WHERE user_id = $1
    AND session_id IN (SELECT id FROM agent_sessions WHERE user_id = $1 AND removed > 0);
DELETE FROM agent_notices WHERE user_id = $1 AND run_id IN (SELECT id FROM agent_runs
    WHERE user_id = $1
      AND session_id IN (SELECT id FROM agent_sessions WHERE user_id = $1 AND removed > 0));
DELETE FROM agent_results WHERE user_id = $1
    AND run_id IN (SELECT id FROM agent_runs WHERE user_id = $1
        AND session_id IN (SELECT id FROM agent_sessions WHERE user_id = $1 AND removed > 0))
    AND run_id NOT IN (SELECT completed_run_id FROM tasks
        WHERE user_id = $1 AND completed_run_id IS NOT NULL);
DELETE FROM agent_runs WHERE user_id = $1
    AND session_id IN (SELECT id FROM agent_sessions WHERE user_id = $1 AND removed > 0)
    AND id NOT IN (SELECT completed_run_id FROM tasks
        WHERE user_id = $1 AND completed_run_id IS NOT NULL);
DELETE FROM agent_sessions WHERE user_id = $1 AND removed > 0
    AND id NOT IN (SELECT session_id FROM agent_runs WHERE user_id = $1);
UPDATE agent_sessions SET removed = 1 WHERE user_id = $1 AND removed = 2;
