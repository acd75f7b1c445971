//! Statements about runs, and the connections of a file that they are asked on.

use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Row, Sqlite as Driver, SqliteConnection};

use super::{SqliteBackend, reminders, unavailable};
use crate::store::backend::{BackendFuture, StoreError};
use crate::store::measure;
use crate::store::query::{QueryArgument, QueryBackend, QueryName, StoreQuery};

/// Query for the state of the runs that a group of units writes about.
pub(super) const STATE: &str = include_str!("runs_state.sql");

/// A run with its session and its result, as the parser reads it.
macro_rules! runs {
    ($rest:literal) => {
        concat!(
            "SELECT json_group_array(json_array(",
            "json_array(id, number, session_id, handle, persona, provider, model), ",
            "json_array(workspace_root, depth, conversation_id, turn_id, task_id, title, round), ",
            "json_array(state, rank, queued, prompt, expected_response, background, ",
            "tool_call_id, options), ",
            "json_array(attempt, owner, calls, cancel_requested_at, fault, metrics, review), ",
            "json_array(created_at, started_at, ended_at), ",
            "json(CASE WHEN outcome IS NOT NULL THEN json_array(outcome, result_text, ",
            "result_json, summary, evidence, verification, sha256, reported_at) END))) FROM (",
            "SELECT r.*, s.handle, s.persona, s.provider, s.model, s.workspace_root, s.depth, ",
            "q.outcome, q.result_text, q.result_json, q.summary, q.evidence, q.verification, ",
            "q.sha256, q.created_at AS reported_at ",
            "FROM agent_runs AS r ",
            "JOIN agent_sessions AS s ON s.user_id = r.user_id AND s.id = r.session_id ",
            "LEFT JOIN agent_results AS q ON q.user_id = r.user_id AND q.run_id = r.id ",
            "WHERE r.user_id = $1 AND ",
            $rest,
            ")"
        )
    };
}

/// $1 user.
const DELEGATIONS: &str = concat!(
    "SELECT json_array(json((",
    runs!(
        "s.removed = 0 AND (r.number > (SELECT c.last - 50 \
             FROM agent_numbers AS c WHERE c.user_id = $1) \
         OR r.state IN ('pending', 'running', 'input_required') \
         OR r.id IN (SELECT n.run_id FROM agent_notices AS n \
             WHERE n.user_id = $1 AND n.acknowledged_at IS NULL)) \
         ORDER BY r.number DESC"
    ),
    ")), (SELECT count(*) FROM agent_runs AS r JOIN agent_sessions AS s \
            ON s.user_id = r.user_id AND s.id = r.session_id \
        WHERE r.user_id = $1 AND s.removed = 0), \
     json((SELECT json_group_array(json_array(n.run_id, r.number, n.state, r.conversation_id, \
            n.created_at, n.acknowledged_at) ORDER BY n.created_at, r.number) \
        FROM agent_notices AS n JOIN agent_runs AS r ON r.user_id = n.user_id AND r.id = n.run_id \
        WHERE n.user_id = $1 AND n.acknowledged_at IS NULL)), \
     coalesce((SELECT c.last FROM agent_numbers AS c WHERE c.user_id = $1), 0))"
);

/// $1 user, $2 run, $3 number (-1: none), $4 agent, $5 task.
const RUN: &str = runs!(
    "($2 IS NULL OR r.id = $2) AND ($3 < 0 OR r.number = $3) \
     AND ($4 IS NULL OR (s.handle = $4 AND s.removed = 0)) AND ($5 IS NULL OR r.task_id = $5) \
     ORDER BY r.number DESC LIMIT 1"
);

/// $1 user.
const TITLES: &str = "\
SELECT json_group_array(json_array(number, title)) FROM (
    SELECT number, title FROM agent_runs WHERE user_id = $1 ORDER BY number DESC)";

/// $1 user, $2 state, $3 persona, $4 task, $5 agent, $6 number before which, $7 limit.
const RUNS: &str = runs!(
    "s.removed = 0 AND ($2 IS NULL OR r.state = $2) AND ($3 IS NULL OR s.persona = $3) \
     AND ($4 IS NULL OR r.task_id = $4) AND ($5 IS NULL OR s.handle = $5) AND r.number < $6 \
     ORDER BY r.number DESC LIMIT $7"
);

/// Arguments as the first five of [`RUNS`].
const MATCHED: &str = "\
SELECT CAST(count(*) AS TEXT) FROM agent_runs AS r
    JOIN agent_sessions AS s ON s.user_id = r.user_id AND s.id = r.session_id
WHERE r.user_id = $1 AND s.removed = 0 AND ($2 IS NULL OR r.state = $2)
  AND ($3 IS NULL OR s.persona = $3) AND ($4 IS NULL OR r.task_id = $4)
  AND ($5 IS NULL OR s.handle = $5)";

/// $1 user, $2 agent.
const AGENT: &str = "\
SELECT json_group_array(json_array(
    json_array(s.id, s.handle, s.persona, s.spec, s.provider, s.model),
    json_array(s.conversation_id, s.parent_id, s.depth, s.workspace_root),
    json_array(
        (SELECT coalesce(max(r.round), 0) FROM agent_runs AS r
            WHERE r.user_id = s.user_id AND r.session_id = s.id),
        (SELECT min(r.number) FROM agent_runs AS r
            WHERE r.user_id = s.user_id AND r.session_id = s.id
              AND r.state IN ('pending', 'running', 'input_required')),
        s.created_at,
        coalesce((SELECT max(coalesce(r.ended_at, r.started_at, r.created_at))
            FROM agent_runs AS r WHERE r.user_id = s.user_id AND r.session_id = s.id),
            s.created_at))))
FROM agent_sessions AS s WHERE s.user_id = $1 AND s.handle = $2 AND s.removed = 0";

/// $1 user, $2 agent, $3 line after which, $4 limit.
const LINES: &str = "\
SELECT json_group_array(json_array(seq, number, role, content, tool_calls, tool_call_id)) FROM (
    SELECT m.seq, r.number, m.role, m.content, m.tool_calls, m.tool_call_id
    FROM agent_sessions AS s
        JOIN agent_messages AS m ON m.user_id = s.user_id AND m.session_id = s.id
        JOIN agent_runs AS r ON r.user_id = m.user_id AND r.id = m.run_id
    WHERE s.user_id = $1 AND s.handle = $2 AND s.removed = 0 AND m.seq > $3
    ORDER BY m.seq LIMIT $4)";

/// $1 user, $2 task.
const PROVEN: &str = "\
SELECT json_group_array(json_array(t.status, (SELECT r.number FROM agent_runs AS r
    WHERE r.user_id = t.user_id AND r.id = t.completed_run_id)))
FROM tasks AS t WHERE t.user_id = $1 AND t.id = $2 AND t.deleted_at IS NULL";

/// The operator's: what may be worked on. $1 runs of a user at once, $2 in all, $3 providers
/// that are full, $4 limit.
const WAITING: &str = "\
SELECT json_group_array(json_array(user_id, id)) FROM (
    SELECT r.user_id, r.id FROM agent_runs AS r
        JOIN agent_sessions AS s ON s.user_id = r.user_id AND s.id = r.session_id
    WHERE r.state = 'pending' AND r.cancel_requested_at IS NULL
      AND s.provider NOT IN (SELECT value FROM json_each($3))
      AND NOT EXISTS (SELECT 1 FROM agent_runs AS o
        WHERE o.user_id = r.user_id AND o.session_id = r.session_id AND o.round < r.round
          AND o.state IN ('pending', 'running', 'input_required'))
      AND (SELECT count(*) FROM agent_runs AS o
        WHERE o.state IN ('running', 'input_required') AND o.user_id = r.user_id) < $1
      AND (SELECT count(*) FROM agent_runs AS o
        WHERE o.state IN ('running', 'input_required')) < $2
    ORDER BY r.rank, r.created_at, r.id LIMIT $4)";

/// The operator's: runs that nobody works on any more. A lease that is too long was given by a
/// clock that was turned back since. $1 limit.
const EXPIRED: &str = "\
SELECT json_group_array(json_array(user_id, id)) FROM (
    SELECT user_id, id FROM agent_runs
    WHERE state IN ('running', 'input_required')
      AND lease_until - CAST(unixepoch('subsec') * 1000 AS INTEGER) NOT BETWEEN 1 AND 10000
    ORDER BY lease_until LIMIT $1)";

/// $1 user, $2 run, $3 owner, $4 attempt.
const BEAT: &str = "\
UPDATE agent_runs SET lease_until = CAST(unixepoch('subsec') * 1000 AS INTEGER) + 10000
WHERE user_id = $1 AND id = $2 AND owner = $3 AND attempt = $4
  AND state IN ('running', 'input_required')
RETURNING CASE WHEN cancel_requested_at IS NULL THEN 'alive' ELSE 'stop' END";

/// $1 user, $2 run, $3 owner, $4 attempt, $5 role, $6 content, $7 tool calls, $8 tool call,
/// $9 instant.
const APPEND_LINE: &str = "\
INSERT INTO agent_messages (user_id, session_id, seq, run_id, role, content, tool_calls,
                            tool_call_id, created_at)
SELECT r.user_id, r.session_id,
       (SELECT coalesce(max(m.seq), 0) + 1 FROM agent_messages AS m
           WHERE m.user_id = r.user_id AND m.session_id = r.session_id),
       r.id, $5, $6, $7, $8, $9
FROM agent_runs AS r
WHERE r.user_id = $1 AND r.id = $2 AND r.owner = $3 AND r.attempt = $4
  AND r.state IN ('running', 'input_required')
RETURNING CAST(seq AS TEXT)";

/// $1 user, $2 instant before which everything must have ended.
const CLEANUP: &str = concat!(
    "UPDATE agent_sessions AS s SET removed = 2 WHERE s.user_id = $1 AND s.removed = 0 \
     AND NOT EXISTS (SELECT 1 FROM agent_runs AS r \
        WHERE r.user_id = s.user_id AND r.session_id = s.id \
          AND (r.ended_at IS NULL OR r.ended_at >= $2));",
    include_str!("runs_remove.sql")
);

/// $1 user, $2 agent.
const REMOVE_SESSION: &str = concat!(
    "UPDATE agent_sessions AS s SET removed = 2 \
     WHERE s.user_id = $1 AND s.handle = $2 AND s.removed = 0 \
     AND NOT EXISTS (SELECT 1 FROM agent_runs AS r \
        WHERE r.user_id = s.user_id AND r.session_id = s.id AND r.ended_at IS NULL);",
    include_str!("runs_remove.sql")
);

/// Nobody works on any run: their processes are gone.
pub(super) const ABANDON: &str = "\
UPDATE agent_runs SET lease_until = 0
WHERE state IN ('running', 'input_required') AND lease_until <> 0";

/// Query that tells whether there is a table of runs.
pub(super) const HAS_RUNS: &str = "SELECT name FROM sqlite_schema WHERE name = 'agent_runs'";

/// A run that is completed, or a task that an agent completed, without the result that proves it:
/// no release writes one.
pub(super) const UNPROVEN: &str = "\
SELECT 'run-' || r.number || ' of ' || r.user_id || ' is completed without a result'
FROM agent_runs AS r WHERE r.state = 'completed' AND NOT EXISTS (
    SELECT 1 FROM agent_results AS q WHERE q.user_id = r.user_id AND q.run_id = r.id
      AND q.outcome = 'completed' AND q.verification <> 'contradicted')
UNION ALL
SELECT 'a task of ' || t.user_id || ' is done by an agent without a result'
FROM tasks AS t WHERE t.completed_run_id IS NOT NULL AND NOT EXISTS (
    SELECT 1 FROM agent_runs AS r WHERE r.user_id = t.user_id AND r.id = t.completed_run_id
      AND r.task_id = t.id AND r.state = 'completed')
LIMIT 1";

const fn statement(of: QueryName) -> &'static str {
    match of {
        QueryName::Delegations => DELEGATIONS,
        QueryName::Run => RUN,
        QueryName::RunOfTitle => TITLES,
        QueryName::Runs => RUNS,
        QueryName::Matched => MATCHED,
        QueryName::Agent => AGENT,
        QueryName::Lines => LINES,
        QueryName::Proven => PROVEN,
        QueryName::Waiting => WAITING,
        QueryName::Expired => EXPIRED,
        QueryName::Beat => BEAT,
        QueryName::AppendLine => APPEND_LINE,
        QueryName::Cleanup => CLEANUP,
        QueryName::RemoveSession => REMOVE_SESSION,
        QueryName::Reminders => reminders::REMINDERS,
        QueryName::LeaseReminders => reminders::LEASE,
        QueryName::PutOffReminder => reminders::PUT_OFF,
        QueryName::SteadyReminders => reminders::STEADY,
    }
}

fn bound(ask: &StoreQuery) -> sqlx::query::Query<'static, Driver, SqliteArguments> {
    let query = sqlx::query(statement(ask.of));
    ask.arguments
        .iter()
        .fold(query, |query, argument| match argument {
            QueryArgument::Text(text) => query.bind(text.clone()),
            QueryArgument::Number(number) => query.bind(*number),
        })
}

/// Runs what changes rows, in a transaction: the first text that it gives.
pub(super) async fn change(
    connection: &mut SqliteConnection,
    ask: &StoreQuery,
) -> Result<Option<String>, StoreError> {
    use sqlx::Connection;
    // Begin, the change, commit.
    (0..3).for_each(|_| measure::statement());
    let transaction = connection.begin_with("BEGIN IMMEDIATE").await;
    let mut transaction = transaction.map_err(unavailable)?;
    let rows: Vec<SqliteRow> = bound(ask)
        .fetch_all(&mut *transaction)
        .await
        .map_err(unavailable)?;
    transaction.commit().await.map_err(unavailable)?;
    let first = rows.first().map(|row| row.try_get(0)).transpose();
    Ok(first.map_err(unavailable)?.flatten())
}

impl QueryBackend for SqliteBackend {
    fn ask<'a>(&'a self, ask: &'a StoreQuery) -> BackendFuture<'a, Option<String>> {
        Box::pin(async move {
            let mut reader = self.readers.take().await?;
            reader.optional(bound(ask)).await
        })
    }

    fn change<'a>(&'a self, ask: &'a StoreQuery) -> BackendFuture<'a, Option<String>> {
        Box::pin(self.writer.change(ask.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::super::sql::tests::scans;
    use super::*;
    use sqlx::Connection;

    #[tokio::test]
    async fn no_statement_reads_all_runs() {
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        super::super::MIGRATIONS.run(&mut connection).await.unwrap();
        let asked = [
            QueryName::Delegations,
            QueryName::Run,
            QueryName::RunOfTitle,
            QueryName::Runs,
            QueryName::Matched,
            QueryName::Agent,
            QueryName::Lines,
            QueryName::Proven,
            QueryName::Waiting,
            QueryName::Expired,
            QueryName::Beat,
            QueryName::AppendLine,
            QueryName::Cleanup,
            QueryName::RemoveSession,
            QueryName::Reminders,
            QueryName::LeaseReminders,
            QueryName::PutOffReminder,
            QueryName::SteadyReminders,
        ];
        let texts = asked
            .map(statement)
            .into_iter()
            .chain([STATE, ABANDON, reminders::FENCES]);
        let bare = texts.map(|text| {
            let lines = text
                .lines()
                .filter(|line| !line.trim_start().starts_with("--"));
            lines.collect::<Vec<_>>().join("\n")
        });
        for text in bare.collect::<Vec<_>>() {
            for statement in text.split(';').filter(|one| !one.trim().is_empty()) {
                check(&mut connection, statement).await;
            }
        }
    }

    async fn check(connection: &mut SqliteConnection, statement: &str) {
        let mut found = scans(connection, statement).await;
        // These hold the runs and reminders that have not ended, of all users, and no others.
        let live = [
            "INDEX agent_runs_waiting",
            "INDEX agent_runs_running",
            // In the order of their times, and not further than the first that fits.
            "INDEX reminders_due",
        ];
        found.retain(|step| !live.iter().any(|index| step.contains(index)));
        assert!(found.is_empty(), "{statement}: {found:?}");
    }
}
