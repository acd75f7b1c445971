//! Statements about runs of agents, but for those that write them with their units.

use super::SqlText;

/// Runs with their sessions and results, newest first, in the order of the parser; between what
/// else is read with them.
macro_rules! runs {
    ([$($before:tt)*] [$($which:tt)+] [$($after:tt)*]) => {
        sql!(
            $($before)*
            (list "id, user_id, number, session_id, handle, persona, provider, model, \
                workspace_root, depth, conversation_id, turn_id, task_id, title, round, state, \
                rank, queued, prompt, expected_response, background, tool_call_id, options, \
                attempt, owner, calls, cancel_requested_at, fault, metrics, review, created_at, \
                started_at, ended_at, "
                json "(CASE WHEN outcome IS NOT NULL THEN " array "(outcome, result_text, \
                    result_json, summary, evidence, verification, sha256, reported_at) END)")
            "SELECT r.*, s.handle, s.persona, s.provider, s.model, s.workspace_root, s.depth, \
                q.outcome, q.result_text, q.result_json, q.summary, q.evidence, q.verification, \
                q.sha256, q.created_at AS reported_at \
             FROM agent_runs AS r \
                JOIN agent_sessions AS s ON s.user_id = r.user_id AND s.id = r.session_id \
                LEFT JOIN agent_results AS q ON q.user_id = r.user_id AND q.run_id = r.id \
             WHERE r.user_id = $1 AND "
            $($which)+
            end
            $($after)*
        )
    };
    ($which:literal) => { runs!([] [$which] []) };
}

/// Removes what is left of sessions that were marked. The first statement says how many sessions, runs
/// and lines go, and how many runs stay because they prove a completed task.
const REMOVE: &[SqlText] = &[
    sql!(
        "SELECT " array "((SELECT count(*) FROM agent_sessions AS s \
                WHERE s.user_id = $1 AND s.removed = 2), \
            (SELECT count(*) FROM agent_runs AS r WHERE r.user_id = $1 AND r.session_id IN "
        (marked "= 2") " AND r.id NOT IN " (proving) "), \
            (SELECT count(*) FROM agent_messages AS m WHERE m.user_id = $1 AND m.session_id IN "
        (marked "= 2") "), \
            (SELECT count(*) FROM agent_runs AS r WHERE r.user_id = $1 AND r.session_id IN "
        (marked "= 2") " AND r.id IN " (proving) "))" text
    ),
    sql!("DELETE FROM agent_messages WHERE user_id = $1 AND session_id IN " (marked "> 0")),
    sql!(
        "DELETE FROM agent_notices WHERE user_id = $1 AND run_id IN (\
            SELECT r.id FROM agent_runs AS r WHERE r.user_id = $1 AND r.session_id IN "
        (marked "> 0") ")"
    ),
    sql!(
        "DELETE FROM agent_results WHERE user_id = $1 AND run_id IN (\
            SELECT r.id FROM agent_runs AS r WHERE r.user_id = $1 AND r.session_id IN "
        (marked "> 0") ") AND run_id NOT IN " (proving)
    ),
    sql!(
        "DELETE FROM agent_runs WHERE user_id = $1 AND session_id IN " (marked "> 0")
        " AND id NOT IN " (proving)
    ),
    sql!(
        "DELETE FROM agent_sessions WHERE user_id = $1 AND removed > 0 AND id NOT IN (\
            SELECT r.session_id FROM agent_runs AS r WHERE r.user_id = $1)"
    ),
    sql!("UPDATE agent_sessions SET removed = 1 WHERE user_id = $1 AND removed = 2"),
];

statements! {
    /// Runs, and what else a turn must know of them. $1 user.
    DELEGATIONS = runs!(
        ["SELECT " array "(" json "(("]
        ["s.removed = 0 AND (r.number > (SELECT c.last - 50 \
                 FROM agent_numbers AS c WHERE c.user_id = $1) \
             OR r.state IN ('pending', 'running', 'input_required') \
             OR r.id IN (SELECT n.run_id FROM agent_notices AS n \
                 WHERE n.user_id = $1 AND n.acknowledged_at IS NULL)) \
         ORDER BY r.number DESC"]
        [")" parsed "), (SELECT count(*) FROM agent_runs AS r JOIN agent_sessions AS s \
                ON s.user_id = r.user_id AND s.id = r.session_id \
            WHERE r.user_id = $1 AND s.removed = 0), "
        (ordered "n.run_id, r.number, n.state, r.conversation_id, n.created_at, \
                n.acknowledged_at",
            "n.created_at, r.number",
            "agent_notices AS n \
                JOIN agent_runs AS r ON r.user_id = n.user_id AND r.id = n.run_id \
            WHERE n.user_id = $1 AND n.acknowledged_at IS NULL")
        ", coalesce((SELECT c.last FROM agent_numbers AS c WHERE c.user_id = $1), 0))" text]
    );

    /// $1 user, $2 run, $3 number (-1: none), $4 agent.
    RUN = runs!(
        "($2 IS NULL OR r.id = $2) AND ($3 < 0 OR r.number = $3) \
         AND ($4 IS NULL OR (s.handle = $4 AND s.removed = 0)) \
         ORDER BY r.number DESC LIMIT 1"
    );

    /// $1 user, $2 state, $3 persona, $4 task, $5 agent, $6 number before which, $7 limit.
    RUNS = runs!(
        "s.removed = 0 AND ($2 IS NULL OR r.state = $2) AND ($3 IS NULL OR s.persona = $3) \
         AND ($4 IS NULL OR r.task_id = $4) AND ($5 IS NULL OR s.handle = $5) AND r.number < $6 \
         ORDER BY r.number DESC LIMIT $7"
    );

    /// Arguments as the first five of [`RUNS`].
    MATCHED = sql!(
        "SELECT CAST(count(*) AS TEXT) FROM agent_runs AS r \
            JOIN agent_sessions AS s ON s.user_id = r.user_id AND s.id = r.session_id \
         WHERE r.user_id = $1 AND s.removed = 0 AND ($2 IS NULL OR r.state = $2) \
           AND ($3 IS NULL OR s.persona = $3) AND ($4 IS NULL OR r.task_id = $4) \
           AND ($5 IS NULL OR s.handle = $5)"
    );

    /// $1 user, $2 agent.
    AGENT = sql!(
        (list "id, user_id, handle, persona, spec, provider, model, conversation_id, parent_id, \
            depth, workspace_root, rounds, live, created_at, used_at")
        "SELECT s.*, \
            (SELECT coalesce(max(r.round), 0) FROM agent_runs AS r \
                WHERE r.user_id = s.user_id AND r.session_id = s.id) AS rounds, \
            (SELECT min(r.number) FROM agent_runs AS r \
                WHERE r.user_id = s.user_id AND r.session_id = s.id \
                  AND r.state IN ('pending', 'running', 'input_required')) AS live, \
            coalesce((SELECT max(coalesce(r.ended_at, r.started_at, r.created_at)) \
                FROM agent_runs AS r WHERE r.user_id = s.user_id AND r.session_id = s.id), \
                s.created_at) AS used_at \
         FROM agent_sessions AS s WHERE s.user_id = $1 AND s.handle = $2 AND s.removed = 0"
        end
    );

    /// $1 user, $2 agent, $3 line after which, $4 limit.
    LINES = sql!(
        (list "seq, number, role, content, tool_calls, tool_call_id")
        "SELECT m.seq, r.number, m.role, m.content, m.tool_calls, m.tool_call_id \
         FROM agent_sessions AS s \
            JOIN agent_messages AS m ON m.user_id = s.user_id AND m.session_id = s.id \
            JOIN agent_runs AS r ON r.user_id = m.user_id AND r.id = m.run_id \
         WHERE s.user_id = $1 AND s.handle = $2 AND s.removed = 0 AND m.seq > $3 \
         ORDER BY m.seq LIMIT $4"
        end
    );

    /// $1 user, $2 task.
    PROVEN = sql!(
        (list "status, number")
        "SELECT t.status, (SELECT r.number FROM agent_runs AS r \
            WHERE r.user_id = t.user_id AND r.id = t.completed_run_id) AS number \
         FROM tasks AS t WHERE t.user_id = $1 AND t.id = $2 AND t.deleted_at IS NULL"
        end
    );

    /// The operator's: what may be worked on. $1 runs of a user at once, $2 in all, $3 providers
    /// that are full, $4 limit.
    WAITING = sql!(
        (list "user_id, id")
        "SELECT r.user_id, r.id FROM agent_runs AS r \
            JOIN agent_sessions AS s ON s.user_id = r.user_id AND s.id = r.session_id \
         WHERE r.state = 'pending' AND r.cancel_requested_at IS NULL \
           AND s.provider NOT IN (SELECT w.value FROM " (each "$3") ") \
           AND NOT EXISTS (SELECT 1 FROM agent_runs AS o \
             WHERE o.user_id = r.user_id AND o.session_id = r.session_id AND o.round < r.round \
               AND o.state IN ('pending', 'running', 'input_required')) \
           AND (SELECT count(*) FROM agent_runs AS o \
             WHERE o.state IN ('running', 'input_required') AND o.user_id = r.user_id) < $1 \
           AND (SELECT count(*) FROM agent_runs AS o \
             WHERE o.state IN ('running', 'input_required')) < $2 \
         ORDER BY r.rank, r.created_at, r.id LIMIT $4"
        end
    );

    /// The operator's: runs that nobody works on any more. A lease that is too long was given by a
    /// clock that was turned back since. $1 limit.
    EXPIRED = sql!(
        (list "user_id, id")
        "SELECT user_id, id FROM agent_runs \
         WHERE state IN ('running', 'input_required') \
           AND lease_until - " now " NOT BETWEEN 1 AND 10000 \
         ORDER BY lease_until LIMIT $1"
        end
    );

    /// $1 user, $2 run, $3 owner, $4 attempt.
    BEAT = sql!(
        "UPDATE agent_runs SET lease_until = " now " + 10000 \
         WHERE user_id = $1 AND id = $2 AND owner = $3 AND attempt = $4 \
           AND state IN ('running', 'input_required') \
         RETURNING CASE WHEN cancel_requested_at IS NULL THEN 'alive' ELSE 'stop' END"
    );

    /// $1 user, $2 run, $3 owner, $4 attempt, $5 role, $6 content, $7 tool calls, $8 tool call,
    /// $9 instant.
    APPEND_LINE = sql!(
        "INSERT INTO agent_messages (user_id, session_id, seq, run_id, role, content, tool_calls, \
                                     tool_call_id, created_at) \
         SELECT r.user_id, r.session_id, \
                (SELECT coalesce(max(m.seq), 0) + 1 FROM agent_messages AS m \
                    WHERE m.user_id = r.user_id AND m.session_id = r.session_id), \
                r.id, $5, $6, $7, $8, $9 \
         FROM agent_runs AS r \
         WHERE r.user_id = $1 AND r.id = $2 AND r.owner = $3 AND r.attempt = $4 \
           AND r.state IN ('running', 'input_required') \
         RETURNING CAST(seq AS TEXT)"
    );

    /// $1 user, $2 instant before which everything must have ended.
    CLEANUP = sql!(
        "UPDATE agent_sessions SET removed = 2 WHERE user_id = $1 AND removed = 0 \
         AND NOT EXISTS (SELECT 1 FROM agent_runs AS r \
            WHERE r.user_id = agent_sessions.user_id AND r.session_id = agent_sessions.id \
              AND (r.ended_at IS NULL OR r.ended_at >= $2))"
    ).then(REMOVE);

    /// $1 user, $2 agent.
    REMOVE_SESSION = sql!(
        "UPDATE agent_sessions SET removed = 2 \
         WHERE user_id = $1 AND handle = $2 AND removed = 0 \
         AND NOT EXISTS (SELECT 1 FROM agent_runs AS r \
            WHERE r.user_id = agent_sessions.user_id AND r.session_id = agent_sessions.id \
              AND r.ended_at IS NULL)"
    ).then(REMOVE);

    /// Query that tells whether there is a table of runs: a copy that an earlier release made has none.
    HAS_RUNS = SqlText::of(
        "SELECT name FROM sqlite_schema WHERE name = 'agent_runs'",
        "SELECT to_regclass('agent_runs')::text",
    );

    /// A run that is completed, or a task that an agent completed, without the result that proves it:
    /// no release writes one.
    UNPROVEN = sql!(
        "SELECT 'run-' || r.number || ' of ' || r.user_id || ' is completed without a result' \
         FROM agent_runs AS r WHERE r.state = 'completed' AND NOT EXISTS (\
            SELECT 1 FROM agent_results AS q WHERE q.user_id = r.user_id AND q.run_id = r.id \
              AND q.outcome = 'completed' AND q.verification <> 'contradicted') \
         UNION ALL \
         SELECT 'a task of ' || t.user_id || ' is done by an agent without a result' \
         FROM tasks AS t WHERE t.completed_run_id IS NOT NULL AND NOT EXISTS (\
            SELECT 1 FROM agent_runs AS r WHERE r.user_id = t.user_id \
              AND r.id = t.completed_run_id AND r.task_id = t.id AND r.state = 'completed') \
         LIMIT 1"
    );
}
