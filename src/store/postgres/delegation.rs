//! Statements about runs, and how they are asked of a server.
//!
//! What units change about runs is written behind the user's ledger, as everything of the user's
//! is; the runs are held as well, so that who beats meanwhile waits, and what was read stands
//! until the commit. Looking for work skips no locked rows, since a run is taken by a commit that
//! checks it: who asks for the queue's lock first is served first.

use sqlx::Row;

use super::ask::SqlQuery as Statement;
use super::connections::{ConnectionLoan, ConnectionPool};
use super::{PostgresBackend, reminders, sql, unavailable};
use crate::domain::UserId;
use crate::store::backend::{BackendFuture, StoreError};
use crate::store::delegation::{RunBatch, RunsState, RunsWanted};
use crate::store::query::{QueryArgument, QueryBackend, QueryName, StoreQuery};

/// A run with its session and its result, as the parser reads it.
macro_rules! runs {
    ($rest:literal) => {
        concat!(
            "SELECT coalesce(json_agg(json_build_array(",
            "json_build_array(id, number, session_id, handle, persona, provider, model), ",
            "json_build_array(workspace_root, depth, conversation_id, turn_id, task_id, title, ",
            "round), ",
            "json_build_array(state, rank, queued, prompt, expected_response, background, ",
            "tool_call_id, options), ",
            "json_build_array(attempt, owner, calls, cancel_requested_at, fault, metrics, ",
            "review), ",
            "json_build_array(created_at, started_at, ended_at), ",
            "CASE WHEN outcome IS NOT NULL THEN json_build_array(outcome, result_text, ",
            "result_json, summary, evidence, verification, sha256, reported_at) END) ",
            "ORDER BY number DESC), '[]')::text FROM (",
            "SELECT r.*, s.handle, s.persona, s.provider, s.model, s.workspace_root, s.depth, ",
            "q.outcome, q.result_text, q.result_json, q.summary, q.evidence, q.verification, ",
            "q.sha256, q.created_at AS reported_at ",
            "FROM agent_runs AS r ",
            "JOIN agent_sessions AS s ON s.user_id = r.user_id AND s.id = r.session_id ",
            "LEFT JOIN agent_results AS q ON q.user_id = r.user_id AND q.run_id = r.id ",
            "WHERE r.user_id = $1::text AND ",
            $rest,
            ") AS found"
        )
    };
}

/// $1 user.
const DELEGATIONS: &str = concat!(
    "SELECT json_build_array((",
    runs!(
        "s.removed = 0 AND (r.number > (SELECT c.last - 50 \
             FROM agent_numbers AS c WHERE c.user_id = $1::text) \
         OR r.state IN ('pending', 'running', 'input_required') \
         OR r.id IN (SELECT n.run_id FROM agent_notices AS n \
             WHERE n.user_id = $1::text AND n.acknowledged_at IS NULL))"
    ),
    ")::json, (SELECT count(*) FROM agent_runs AS r JOIN agent_sessions AS s \
            ON s.user_id = r.user_id AND s.id = r.session_id \
        WHERE r.user_id = $1::text AND s.removed = 0), \
     (SELECT coalesce(json_agg(json_build_array(n.run_id, r.number, n.state, \
            r.conversation_id, n.created_at, n.acknowledged_at) \
            ORDER BY n.created_at, r.number), '[]') \
        FROM agent_notices AS n JOIN agent_runs AS r ON r.user_id = n.user_id AND r.id = n.run_id \
        WHERE n.user_id = $1::text AND n.acknowledged_at IS NULL), \
     coalesce((SELECT c.last FROM agent_numbers AS c WHERE c.user_id = $1::text), 0))::text"
);

/// $1 user, $2 run, $3 number (-1: none), $4 agent, $5 task.
const RUN: &str = runs!(
    "($2::text IS NULL OR r.id = $2::text) AND ($3::bigint < 0 OR r.number = $3::bigint) \
     AND ($4::text IS NULL OR (s.handle = $4::text AND s.removed = 0)) \
     AND ($5::text IS NULL OR r.task_id = $5::text) \
     ORDER BY r.number DESC LIMIT 1"
);

/// $1 user.
const TITLES: &str = "\
SELECT coalesce(json_agg(json_build_array(number, title) ORDER BY number DESC), '[]')::text
FROM agent_runs WHERE user_id = $1::text";

/// $1 user, $2 state, $3 persona, $4 task, $5 agent, $6 number before which, $7 limit.
const RUNS: &str = runs!(
    "s.removed = 0 AND ($2::text IS NULL OR r.state = $2::text) \
     AND ($3::text IS NULL OR s.persona = $3::text) \
     AND ($4::text IS NULL OR r.task_id = $4::text) \
     AND ($5::text IS NULL OR s.handle = $5::text) AND r.number < $6::bigint \
     ORDER BY r.number DESC LIMIT $7::bigint"
);

/// Arguments as the first five of [`RUNS`].
const MATCHED: &str = "\
SELECT count(*)::text FROM agent_runs AS r
    JOIN agent_sessions AS s ON s.user_id = r.user_id AND s.id = r.session_id
WHERE r.user_id = $1::text AND s.removed = 0 AND ($2::text IS NULL OR r.state = $2::text)
  AND ($3::text IS NULL OR s.persona = $3::text) AND ($4::text IS NULL OR r.task_id = $4::text)
  AND ($5::text IS NULL OR s.handle = $5::text)";

/// $1 user, $2 agent.
const AGENT: &str = "\
SELECT coalesce(json_agg(json_build_array(
    json_build_array(s.id, s.handle, s.persona, s.spec, s.provider, s.model),
    json_build_array(s.conversation_id, s.parent_id, s.depth, s.workspace_root),
    json_build_array(
        (SELECT coalesce(max(r.round), 0) FROM agent_runs AS r
            WHERE r.user_id = s.user_id AND r.session_id = s.id),
        (SELECT min(r.number) FROM agent_runs AS r
            WHERE r.user_id = s.user_id AND r.session_id = s.id
              AND r.state IN ('pending', 'running', 'input_required')),
        s.created_at,
        coalesce((SELECT max(coalesce(r.ended_at, r.started_at, r.created_at))
            FROM agent_runs AS r WHERE r.user_id = s.user_id AND r.session_id = s.id),
            s.created_at)))), '[]')::text
FROM agent_sessions AS s
WHERE s.user_id = $1::text AND s.handle = $2::text AND s.removed = 0";

/// $1 user, $2 agent, $3 line after which, $4 limit.
const LINES: &str = "\
SELECT coalesce(json_agg(json_build_array(seq, number, role, content, tool_calls, tool_call_id)
    ORDER BY seq), '[]')::text FROM (
    SELECT m.seq, r.number, m.role, m.content, m.tool_calls, m.tool_call_id
    FROM agent_sessions AS s
        JOIN agent_messages AS m ON m.user_id = s.user_id AND m.session_id = s.id
        JOIN agent_runs AS r ON r.user_id = m.user_id AND r.id = m.run_id
    WHERE s.user_id = $1::text AND s.handle = $2::text AND s.removed = 0 AND m.seq > $3::bigint
    ORDER BY m.seq LIMIT $4::bigint) AS found";

/// $1 user, $2 task.
const PROVEN: &str = "\
SELECT coalesce(json_agg(json_build_array(t.status, (SELECT r.number FROM agent_runs AS r
    WHERE r.user_id = t.user_id AND r.id = t.completed_run_id))), '[]')::text
FROM tasks AS t WHERE t.user_id = $1::text AND t.id = $2::text AND t.deleted_at IS NULL";

/// The operator's: what may be worked on. $1 runs of a user at once, $2 in all, $3 providers
/// that are full, $4 limit.
const WAITING: &str = "\
SELECT coalesce(json_agg(json_build_array(user_id, id) ORDER BY rank, created_at, id), '[]')::text
FROM (
    SELECT r.user_id, r.id, r.rank, r.created_at FROM agent_runs AS r
        JOIN agent_sessions AS s ON s.user_id = r.user_id AND s.id = r.session_id
    WHERE r.state = 'pending' AND r.cancel_requested_at IS NULL
      AND s.provider NOT IN (SELECT full_ones.id
        FROM json_array_elements_text($3::json) AS full_ones (id))
      AND NOT EXISTS (SELECT 1 FROM agent_runs AS o
        WHERE o.user_id = r.user_id AND o.session_id = r.session_id AND o.round < r.round
          AND o.state IN ('pending', 'running', 'input_required'))
      AND (SELECT count(*) FROM agent_runs AS o
        WHERE o.state IN ('running', 'input_required') AND o.user_id = r.user_id) < $1::bigint
      AND (SELECT count(*) FROM agent_runs AS o
        WHERE o.state IN ('running', 'input_required')) < $2::bigint
    ORDER BY r.rank, r.created_at, r.id LIMIT $4::bigint) AS found";

/// The operator's: runs that nobody works on any more. A lease that is too long was given by a
/// clock that was turned back since. $1 limit.
const EXPIRED: &str = "\
SELECT coalesce(json_agg(json_build_array(user_id, id)), '[]')::text FROM (
    SELECT user_id, id FROM agent_runs
    WHERE state IN ('running', 'input_required')
      AND lease_until - (extract(epoch FROM clock_timestamp()) * 1000)::bigint
          NOT BETWEEN 1 AND 10000
    ORDER BY lease_until LIMIT $1::bigint) AS found";

/// $1 user, $2 run, $3 owner, $4 attempt.
const BEAT: &str = "\
UPDATE agent_runs
SET lease_until = (extract(epoch FROM clock_timestamp()) * 1000)::bigint + 10000
WHERE user_id = $1::text AND id = $2::text AND owner = $3::text AND attempt = $4::bigint
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
       r.id, $5::text, $6::text, $7::text, $8::text, $9::text
FROM agent_runs AS r
WHERE r.user_id = $1::text AND r.id = $2::text AND r.owner = $3::text AND r.attempt = $4::bigint
  AND r.state IN ('running', 'input_required')
RETURNING seq::text";

/// $1 user, $2 instant before which everything must have ended.
const MARK_OLD: &str = "\
UPDATE agent_sessions AS s SET removed = 2 WHERE s.user_id = $1::text AND s.removed = 0
AND NOT EXISTS (SELECT 1 FROM agent_runs AS r
    WHERE r.user_id = s.user_id AND r.session_id = s.id
      AND (r.ended_at IS NULL OR r.ended_at >= $2::text))";

/// $1 user, $2 agent.
const MARK_ONE: &str = "\
UPDATE agent_sessions AS s SET removed = 2
WHERE s.user_id = $1::text AND s.handle = $2::text AND s.removed = 0
AND NOT EXISTS (SELECT 1 FROM agent_runs AS r
    WHERE r.user_id = s.user_id AND r.session_id = s.id AND r.ended_at IS NULL)";

/// Removes what is left of sessions that were marked, one statement after another; the first says
/// how many sessions, runs and lines go, and how many runs stay because they prove a completed
/// task. $1 user.
const REMOVE: [&str; 7] = [
    "SELECT json_build_array(
        (SELECT count(*) FROM agent_sessions AS s WHERE s.user_id = $1::text AND s.removed = 2),
        count(*) FILTER (WHERE NOT proves),
        (SELECT count(*) FROM agent_messages AS m JOIN agent_sessions AS s
            ON s.user_id = m.user_id AND s.id = m.session_id
            WHERE m.user_id = $1::text AND s.removed = 2),
        count(*) FILTER (WHERE proves))::text
     FROM (SELECT EXISTS (SELECT 1 FROM tasks AS t WHERE t.user_id = r.user_id
                AND t.completed_run_id = r.id) AS proves
        FROM agent_runs AS r JOIN agent_sessions AS s
            ON s.user_id = r.user_id AND s.id = r.session_id
        WHERE r.user_id = $1::text AND s.removed = 2) AS marked",
    "DELETE FROM agent_messages AS m USING agent_sessions AS s
     WHERE m.user_id = $1::text AND s.user_id = m.user_id AND s.id = m.session_id
       AND s.removed > 0",
    "DELETE FROM agent_notices AS n USING agent_runs AS r, agent_sessions AS s
     WHERE n.user_id = $1::text AND r.user_id = n.user_id AND r.id = n.run_id
       AND s.user_id = r.user_id AND s.id = r.session_id AND s.removed > 0",
    "DELETE FROM agent_results AS q USING agent_runs AS r, agent_sessions AS s
     WHERE q.user_id = $1::text AND r.user_id = q.user_id AND r.id = q.run_id
       AND s.user_id = r.user_id AND s.id = r.session_id AND s.removed > 0
       AND NOT EXISTS (SELECT 1 FROM tasks AS t
           WHERE t.user_id = q.user_id AND t.completed_run_id = q.run_id)",
    "DELETE FROM agent_runs AS r USING agent_sessions AS s
     WHERE r.user_id = $1::text AND s.user_id = r.user_id AND s.id = r.session_id
       AND s.removed > 0 AND NOT EXISTS (SELECT 1 FROM tasks AS t
           WHERE t.user_id = r.user_id AND t.completed_run_id = r.id)",
    "DELETE FROM agent_sessions AS s WHERE s.user_id = $1::text AND s.removed > 0
       AND NOT EXISTS (SELECT 1 FROM agent_runs AS r
           WHERE r.user_id = s.user_id AND r.session_id = s.id)",
    "UPDATE agent_sessions SET removed = 1 WHERE user_id = $1::text AND removed = 2",
];

/// Lock that makes whoever asks for work wait for whoever asked before: limits hold for all
/// processes.
const HOLD_QUEUE: &str = "SELECT 'held' FROM (SELECT pg_advisory_xact_lock(7162242086002)) AS one";

/// Holds runs until the end of the transaction. $1 user, $2 runs.
const HOLD_RUNS: &str = "\
SELECT 'held' FROM agent_runs WHERE user_id = $1::text AND id = ANY ($2::text[])
ORDER BY id FOR UPDATE";

/// Query for the state of the runs that are written about. $1 user, $2 runs, $3 keys.
const STATE: &str = "\
SELECT json_build_array(
    (SELECT coalesce(json_agg(json_build_array(r.user_id, r.id, r.state, r.owner, r.attempt,
            r.calls,
            (r.lease_until - (extract(epoch FROM clock_timestamp()) * 1000)::bigint
                BETWEEN 1 AND 10000)::int,
            (r.cancel_requested_at IS NOT NULL)::int,
            (EXISTS (SELECT 1 FROM agent_runs AS o
                WHERE o.user_id = r.user_id AND o.session_id = r.session_id AND o.round < r.round
                  AND o.state IN ('pending', 'running', 'input_required')))::int,
            (r.review IS NOT NULL)::int)), '[]')
        FROM agent_runs AS r WHERE r.user_id = $1::text AND r.id = ANY ($2::text[])),
    (SELECT coalesce(json_agg(json_build_array(r.user_id, r.idempotency_key)), '[]')
        FROM agent_runs AS r
        WHERE r.user_id = $1::text AND r.idempotency_key = ANY ($3::text[])),
    json_build_array(json_build_array($1::text,
        coalesce((SELECT c.last FROM agent_numbers AS c WHERE c.user_id = $1::text), 0),
        (SELECT count(*) FROM agent_runs AS r
            WHERE r.state IN ('running', 'input_required') AND r.user_id = $1::text))),
    (SELECT count(*) FROM agent_runs AS r WHERE r.state IN ('running', 'input_required')))::text";

/// Writes what a unit changes about runs, one statement after another: results before the runs
/// that they complete. Each takes one object of arrays of rows.
const WRITE: [&str; 7] = [
    "INSERT INTO agent_sessions (user_id, id, handle, persona, spec, provider, model,
        conversation_id, parent_id, depth, workspace_root, created_at)
     SELECT v.user_id, v.id, v.handle, v.persona, v.spec, v.provider, v.model, v.conversation_id,
        v.parent_id, v.depth, v.workspace_root, v.created_at
     FROM json_to_recordset($1::json -> 'sessions') AS v (user_id text, id text, handle text,
        persona text, spec text, provider text, model text, conversation_id text, parent_id text,
        depth bigint, workspace_root text, created_at text)",
    "INSERT INTO agent_results (user_id, run_id, outcome, result_text, result_json, summary,
        evidence, verification, sha256, created_at)
     SELECT v.user_id, v.run_id, v.outcome, v.result_text, v.result_json, v.summary, v.evidence,
        v.verification, v.sha256, v.created_at
     FROM json_to_recordset($1::json -> 'results') AS v (user_id text, run_id text, outcome text,
        result_text text, result_json text, summary text, evidence text, verification text,
        sha256 text, created_at text)",
    "UPDATE agent_runs AS r SET
        state = coalesce(v.state, r.state),
        owner = coalesce(v.owner, r.owner),
        attempt = r.attempt + v.leased,
        queued = CASE WHEN v.leased > 0 THEN 0 ELSE r.queued END,
        lease_until = CASE WHEN v.leased > 0
            THEN (extract(epoch FROM clock_timestamp()) * 1000)::bigint + 10000
            ELSE r.lease_until END,
        calls = r.calls + v.calls,
        cancel_requested_at = coalesce(r.cancel_requested_at, v.cancel_requested_at),
        fault = coalesce(v.fault, r.fault),
        metrics = coalesce(v.metrics, r.metrics),
        review = coalesce(v.review, r.review),
        started_at = coalesce(r.started_at, v.started_at),
        ended_at = coalesce(v.ended_at, r.ended_at)
     FROM json_to_recordset($1::json -> 'steps') AS v (user_id text, id text, state text,
        owner text, leased bigint, calls bigint, cancel_requested_at text, fault text,
        metrics text, review text, started_at text, ended_at text)
     WHERE r.user_id = v.user_id AND r.id = v.id",
    "INSERT INTO agent_runs (user_id, id, number, session_id, conversation_id, turn_id, task_id,
        title, round, state, rank, queued, prompt, expected_response, background, tool_call_id,
        idempotency_key, options, attempt, lease_until, calls, created_at)
     SELECT v.user_id, v.id, v.number, v.session_id, v.conversation_id, v.turn_id, v.task_id,
        v.title, v.round, 'pending', v.rank, v.queued, v.prompt, v.expected_response,
        v.background, v.tool_call_id, v.idempotency_key, v.options, 0, 0, 0, v.created_at
     FROM json_to_recordset($1::json -> 'runs') AS v (user_id text, id text, number bigint,
        session_id text, conversation_id text, turn_id text, task_id text, title text,
        round bigint, rank bigint, queued bigint, prompt text, expected_response text,
        background bigint, tool_call_id text, idempotency_key text, options text,
        created_at text)",
    "UPDATE tasks AS t SET completed_run_id = v.run_id
     FROM json_to_recordset($1::json -> 'proofs') AS v (user_id text, task_id text, run_id text)
     WHERE t.user_id = v.user_id AND t.id = v.task_id",
    "INSERT INTO agent_notices (user_id, run_id, state, created_at)
     SELECT v.user_id, v.run_id, v.state, v.created_at
     FROM json_to_recordset($1::json -> 'notices') AS v (user_id text, run_id text, state text,
        created_at text)",
    "UPDATE agent_notices AS n SET acknowledged_at = v.at
     FROM json_to_recordset($1::json -> 'told') AS v (user_id text, run_id text, at text)
     WHERE n.user_id = v.user_id AND n.run_id = v.run_id AND n.acknowledged_at IS NULL",
];

/// Query that tells whether there is a table of runs.
const HAS_RUNS: &str = "SELECT to_regclass('agent_runs')::text";

/// A run that is completed, or a task that an agent completed, without the result that proves it:
/// no release writes one.
const UNPROVEN: &str = "\
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

/// The statements of an ask: one that takes all arguments, and those that take the user alone.
const fn statements(of: QueryName) -> (&'static str, &'static [&'static str]) {
    match of {
        QueryName::Delegations => (DELEGATIONS, &[]),
        QueryName::Run => (RUN, &[]),
        QueryName::RunOfTitle => (TITLES, &[]),
        QueryName::Runs => (RUNS, &[]),
        QueryName::Matched => (MATCHED, &[]),
        QueryName::Agent => (AGENT, &[]),
        QueryName::Lines => (LINES, &[]),
        QueryName::Proven => (PROVEN, &[]),
        QueryName::Waiting => (WAITING, &[]),
        QueryName::Expired => (EXPIRED, &[]),
        QueryName::Beat => (BEAT, &[]),
        QueryName::AppendLine => (APPEND_LINE, &[]),
        QueryName::Cleanup => (MARK_OLD, &REMOVE),
        QueryName::RemoveSession => (MARK_ONE, &REMOVE),
        QueryName::Reminders => (reminders::REMINDERS, &[]),
        QueryName::LeaseReminders => (reminders::LEASE, &[]),
        QueryName::PutOffReminder => (reminders::PUT_OFF, &[]),
        QueryName::SteadyReminders => (reminders::STEADY, &[]),
    }
}

fn bound(ask: &StoreQuery, statement: &'static str) -> Statement {
    let bound = Statement::new(statement);
    ask.arguments
        .iter()
        .fold(bound, |bound, argument| match argument {
            QueryArgument::Text(text) => bound.optional(text.as_deref()),
            QueryArgument::Number(number) => bound.number(*number),
        })
}

/// Reads the state of the runs that a unit writes about, which are held from here on.
pub(super) async fn state(
    lease: &mut ConnectionLoan<'_>,
    user: &UserId,
    wanted: &RunsWanted<'_>,
) -> Result<RunsState, sqlx::Error> {
    let runs = || wanted.runs.iter().map(|(_, id)| id.to_string());
    lease
        .shared(&Statement::of(user, HOLD_RUNS).texts(runs()))
        .await?;
    let keys = wanted.keys.iter().map(|(_, key)| (*key).to_owned());
    let ask = Statement::of(user, STATE).texts(runs()).texts(keys);
    let row = lease.shared(&ask).await?.ok_or(sqlx::Error::RowNotFound)?;
    let text: &str = row.try_get(0)?;
    RunsState::read(text).map_err(|error| sqlx::Error::Decode(error.into()))
}

/// Begins a transaction; one that writes about runs holds the user's ledger before it holds any
/// run, as an erasure and a clean-up do, so that none waits for another in a circle.
pub(super) async fn begin(
    lease: &mut ConnectionLoan<'_>,
    user: &UserId,
    wanted: &RunsWanted<'_>,
) -> Result<(), sqlx::Error> {
    lease.begin().await?;
    if wanted.leases {
        lease.shared(&Statement::new(HOLD_QUEUE)).await?;
    }
    if !wanted.is_empty() {
        lease.shared(&Statement::of(user, sql::HOLD)).await?;
    }
    Ok(())
}

/// Writes what a unit changes about runs, once the rest is written.
pub(super) async fn write(
    lease: &mut ConnectionLoan<'_>,
    batch: &RunBatch,
) -> Result<(), sqlx::Error> {
    let rows = serde_json::to_string(batch);
    let rows = rows.map_err(|error| sqlx::Error::Encode(error.into()))?;
    for statement in WRITE {
        lease
            .shared(&Statement::new(statement).text(rows.as_str()))
            .await?;
    }
    Ok(())
}

impl ConnectionPool {
    /// A forged success, if there is one.
    pub(super) async fn unproven(&self) -> Result<Option<String>, StoreError> {
        let made = self.optional(&Statement::new(HAS_RUNS)).await?;
        match made {
            Some(_) => self.optional(&Statement::new(UNPROVEN)).await,
            None => Ok(None),
        }
    }

    /// Never asked twice: a line would stand there twice.
    async fn change(&self, ask: &StoreQuery) -> Result<Option<String>, StoreError> {
        let mut lease = self.take().await?;
        let done = lease.change(ask).await;
        lease.give_back(done.as_ref().err());
        done.map_err(unavailable)
    }
}

impl ConnectionLoan<'_> {
    async fn change(&mut self, ask: &StoreQuery) -> Result<Option<String>, sqlx::Error> {
        self.begin().await?;
        match self.changed(ask).await {
            Ok(text) => self.end("COMMIT").await.map(|()| text),
            Err(error) => Err(self.rolled_back(error).await),
        }
    }

    async fn changed(&mut self, ask: &StoreQuery) -> Result<Option<String>, sqlx::Error> {
        let (first, rest) = statements(ask.of);
        let user = match ask.arguments.first() {
            Some(QueryArgument::Text(Some(user))) if !rest.is_empty() => Some(user.as_str()),
            _ => None,
        };
        if let Some(user) = user {
            // No commit of the user's comes in between.
            self.shared(&Statement::new(sql::HOLD).text(user)).await?;
        }
        let mut text = None;
        if let Some(row) = self.shared(&bound(ask, first)).await? {
            text = row.try_get(0)?;
        }
        for statement in rest {
            let row = self
                .shared(&Statement::new(statement).optional(user))
                .await?;
            if let (None, Some(row)) = (&text, row) {
                text = row.try_get(0)?;
            }
        }
        Ok(text)
    }
}

impl QueryBackend for PostgresBackend {
    fn ask<'a>(&'a self, ask: &'a StoreQuery) -> BackendFuture<'a, Option<String>> {
        Box::pin(async move {
            let (statement, _) = statements(ask.of);
            self.connections().optional(&bound(ask, statement)).await
        })
    }

    fn change<'a>(&'a self, ask: &'a StoreQuery) -> BackendFuture<'a, Option<String>> {
        Box::pin(self.connections().change(ask))
    }
}
