//! Statements about runs, and how they are asked of a server.
//!
//! What units change about runs is written behind the user's ledger, as everything of the user's
//! is; the runs are held as well, so that who beats meanwhile waits, and what was read stands
//! until the commit. Looking for work skips no locked rows, since a run is taken by a commit that
//! checks it: who asks for the queue's lock first is served first.

use sqlx::Row;

use super::connections::ConnectionLoan;
use super::sql;
use crate::domain::UserId;
use crate::store::delegation::{RunBatch, RunsState, RunsWanted};
use crate::store::query::StoreQuery;

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

/// Reads the state of the runs that a unit writes about, which are held from here on.
pub(super) async fn state(
    lease: &mut ConnectionLoan<'_>,
    user: &UserId,
    wanted: &RunsWanted<'_>,
) -> Result<RunsState, sqlx::Error> {
    let runs = || wanted.runs.iter().map(|(_, id)| id);
    lease
        .shared(&StoreQuery::of(HOLD_RUNS, user).texts(runs()))
        .await?;
    let keys = wanted.keys.iter().map(|(_, key)| key);
    let ask = StoreQuery::of(STATE, user).texts(runs()).texts(keys);
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
        lease.shared(&StoreQuery::new(HOLD_QUEUE)).await?;
    }
    if !wanted.is_empty() {
        lease.shared(&StoreQuery::of(sql::HOLD, user)).await?;
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
            .shared(&StoreQuery::new(statement).text(rows.as_str()))
            .await?;
    }
    Ok(())
}
