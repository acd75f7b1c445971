//! One unit, one transaction: read what it is checked against, decide, write it in one statement.
//! Where memory is enough to decide on, it is written together with others instead.
//!
//! The statement writes only if the user's ledger stands where it stood when the state was read,
//! and holds the ledger's row to its end. What was decided on a state that moved is decided
//! anew. Before the writing statement was sent (or, where the session is shared, before COMMIT
//! was), an error means that nothing is written; after it, that this is not known, unless the
//! server says so itself.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;

use sqlx::Row;
use sqlx::postgres::PgRow;
use tokio::sync::{Mutex, MutexGuard};

use super::connections::{ConnectionLoan, ConnectionPool, SessionTrust};
use super::together::{self, CommitLanes, UnitGate, UnitOutcome};
use super::{delegation, fault, sql};
use crate::domain::UserId;
use crate::store::batch::RowBatch;
use crate::store::delegation::{RunBatch, RunsState};
use crate::store::plan::{AdmissionReads, AdmissionState};
use crate::store::prepared::PreparedWrite;
use crate::store::query::StoreQuery;
use crate::store::record::{CommitRecord, CommitResult, CommittedUnit, RollbackCause};
use crate::store::snapshot_cache::{LogPosition, LogSpan, SnapshotCache};
use crate::store::unit::Unit;

/// Number of times a unit is decided anew because another process was faster.
const TRIES: usize = 64;

/// Commits of one user queue here, so that those of one process never overtake each other. Users
/// who share a queue wait for each other, and for nothing else.
pub(super) struct UserQueues(Box<[Mutex<()>]>);

/// So many that users who talk at once rarely share one.
const QUEUES: usize = 1_024;

impl Default for UserQueues {
    fn default() -> Self {
        Self((0..QUEUES).map(|_| Mutex::new(())).collect())
    }
}

impl UserQueues {
    async fn enter(&self, user: &UserId) -> Option<MutexGuard<'_, ()>> {
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(user.as_str());
        let place = usize::try_from(hash % self.0.len() as u64).ok()?;
        Some(self.0.get(place)?.lock().await)
    }
}

/// Reason why a unit was not written, or may not have been.
pub(super) enum CommitFault {
    /// A check refused it.
    Refused(RollbackCause),
    /// The ledger moved since the state was read.
    Moved,
    /// Nothing was written.
    Before(sqlx::Error),
    /// Unknown whether it was written.
    After(sqlx::Error),
}

impl CommitFault {
    /// An error of the exchange that commits.
    pub(super) fn of_commit(error: sqlx::Error) -> Self {
        if fault::undone(&error) {
            Self::Before(error)
        } else {
            Self::After(error)
        }
    }

    pub(super) const fn error(&self) -> Option<&sqlx::Error> {
        match self {
            Self::Refused(_) | Self::Moved => None,
            Self::Before(error) | Self::After(error) => Some(error),
        }
    }
}

/// Writes a unit and its record, or nothing.
pub(super) async fn commit(
    connections: &ConnectionPool,
    together: &Arc<CommitLanes>,
    queues: &UserQueues,
    active: &SnapshotCache,
    (unit, record): (Unit, CommitRecord),
) -> CommitResult {
    let _place = queues.enter(unit.user()).await;
    if connections.sessions() == SessionTrust::Own
        && let Some(ready) = PreparedWrite::of(active, &unit, &record, RowBatch::with_images())
    {
        let (before, after) = ready.span(1);
        match together.write(unit.user().clone(), ready).await {
            UnitOutcome::Written => {
                active.written(&unit, &record, before, &after);
                return CommitResult::Committed(CommittedUnit::of(unit));
            }
            UnitOutcome::Moved => active.forget(unit.user()),
            UnitOutcome::Nothing => {}
            UnitOutcome::Unknown(error) => {
                active.forget(unit.user());
                return unknown(&unit, &error);
            }
        }
    }
    for _ in 0..TRIES {
        let mut lease = match connections.take().await {
            Ok(lease) => lease,
            Err(error) => return CommitResult::RolledBack(RollbackCause::Storage(full(&error))),
        };
        let fresh = lease.fresh;
        let done = write(&mut lease, &unit, &record, active).await;
        lease.give_back(done.as_ref().err().and_then(CommitFault::error));
        match &done {
            // Whoever is answered may read it at once.
            Ok((before, after)) => active.written(&unit, &record, *before, after),
            Err(_) => active.forget(unit.user()),
        }
        match done {
            Ok(_) => return CommitResult::Committed(CommittedUnit::of(unit)),
            Err(CommitFault::Refused(cause)) => return CommitResult::RolledBack(cause),
            Err(CommitFault::Moved) => {}
            // A connection that died while it was idle, or a transaction that gave way.
            Err(CommitFault::Before(error))
                if (fault::broken(&error) && !fresh) || fault::gave_in(&error) => {}
            Err(CommitFault::Before(error)) => {
                return CommitResult::RolledBack(RollbackCause::Storage(full(&error)));
            }
            Err(CommitFault::After(error)) => return unknown(&unit, &full(&error)),
        }
    }
    CommitResult::RolledBack(RollbackCause::Storage(
        "other processes kept writing for this user".to_owned(),
    ))
}

fn unknown(unit: &Unit, error: &str) -> CommitResult {
    tracing::error!(error, attempt = %unit.attempt(), "a commit's fate is unknown");
    CommitResult::Unknown
}

async fn write(
    lease: &mut ConnectionLoan<'_>,
    unit: &Unit,
    record: &CommitRecord,
    active: &SnapshotCache,
) -> Result<LogSpan, CommitFault> {
    let apart = !unit.run_writes().is_empty() || unit.reminder_lease.is_some();
    if apart || lease.sessions() == SessionTrust::Shared {
        return write_in_one_transaction(lease, unit, record, active).await;
    }
    write_in_own_session(lease, unit, record, active).await
}

/// Two exchanges; the second is a transaction of its own.
async fn write_in_own_session(
    lease: &mut ConnectionLoan<'_>,
    unit: &Unit,
    record: &CommitRecord,
    active: &SnapshotCache,
) -> Result<LogSpan, CommitFault> {
    let row = lease.own(&question(unit, record)).await;
    let (version, state) = read(row)?;
    uphold(active, unit, record, &state)?;
    let DecidedCommit { rows, span, .. } = decide(version, state, unit, record)?;
    lease.prepare(&rows).await.map_err(CommitFault::Before)?;
    match lease.own(&rows).await.map_err(CommitFault::of_commit)? {
        Some(_) => Ok(span),
        None => Err(CommitFault::Moved),
    }
}

/// Everything in one transaction, which keeps the session while it lasts. What is written about
/// runs, or by the lease of a reminder, takes more statements than one, and so does it this way in any session.
async fn write_in_one_transaction(
    lease: &mut ConnectionLoan<'_>,
    unit: &Unit,
    record: &CommitRecord,
    active: &SnapshotCache,
) -> Result<LogSpan, CommitFault> {
    let mut wanted = AdmissionReads::default();
    wanted.add(unit, record);
    let begun = delegation::begin(lease, unit.user(), &wanted.runs).await;
    begun.map_err(CommitFault::Before)?;
    let fault = match write_inside(lease, unit, record, (&wanted, active)).await {
        Ok(span) => {
            let ended = lease.end("COMMIT").await;
            return ended.map(|()| span).map_err(CommitFault::of_commit);
        }
        Err(fault) => fault,
    };
    if !fault.error().is_some_and(fault::broken) {
        lease.end("ROLLBACK").await.map_err(CommitFault::Before)?;
    }
    Err(fault)
}

async fn write_inside(
    lease: &mut ConnectionLoan<'_>,
    unit: &Unit,
    record: &CommitRecord,
    (wanted, active): (&AdmissionReads<'_>, &SnapshotCache),
) -> Result<LogSpan, CommitFault> {
    // The reminder is held to be checked, and whoever holds it waits for no ledger.
    if unit.reminder_lease.is_some() {
        let ask = StoreQuery::of(sql::HOLD, unit.user());
        lease.shared(&ask).await.map_err(CommitFault::Before)?;
    }
    // The ledger is read before the runs: had they moved in between, it would have too.
    let row = lease.shared(&question(unit, record)).await;
    let mut runs = RunsState::default();
    if !wanted.runs.is_empty() {
        let read = delegation::state(lease, unit.user(), &wanted.runs).await;
        runs = read.map_err(CommitFault::Before)?;
    }
    let (version, mut state) = read(row)?;
    uphold(active, unit, record, &state)?;
    state.runs = runs;
    if let Some(held) = unit.reminder_lease {
        let ask = StoreQuery::of(sql::FENCE, unit.user())
            .text(held.task.to_string())
            .text(held.id.to_string());
        let row = lease.shared(&ask).await.map_err(CommitFault::Before)?;
        let fence = row.map(|row| row.try_get(0)).transpose();
        let fence: Option<i64> = fence.map_err(CommitFault::Before)?;
        let fence = fence.map(|fence| ((unit.user().clone(), held.id), fence));
        state.fences = fence.into_iter().collect();
    }
    let decided = decide(version, state, unit, record)?;
    let gate = lease
        .shared(&decided.rows)
        .await
        .map_err(CommitFault::Before)?;
    gate.ok_or(CommitFault::Moved)?;
    if !decided.runs.is_empty() {
        let written = delegation::write(lease, &decided.runs).await;
        written.map_err(CommitFault::Before)?;
    }
    Ok(decided.span)
}

pub(super) fn question(unit: &Unit, record: &CommitRecord) -> StoreQuery {
    let mut wanted = AdmissionReads::default();
    wanted.add(unit, record);
    StoreQuery::of(sql::STATE, unit.user())
        .texts(wanted.tasks.iter().map(|(_, id)| id))
        .optional(record.conversation.map(|(id, _)| id.to_string()))
        .optional(record.keyed.as_ref().map(|answer| answer.key.as_str()))
        .texts(wanted.receipts.iter().map(|(_, id)| id))
        .optional(wanted.open.first().map(|(_, turn)| turn.to_string()))
}

/// Rows to write if the ledger still stands where it stood.
struct DecidedCommit {
    rows: StoreQuery,
    runs: RunBatch,
    span: LogSpan,
}

/// The state that was read, and the ledger's version.
fn read(row: Result<Option<PgRow>, sqlx::Error>) -> Result<(i64, AdmissionState), CommitFault> {
    let row = row.and_then(|row| row.ok_or(sqlx::Error::RowNotFound));
    let row = row.map_err(CommitFault::Before)?;
    state(&row).map_err(CommitFault::Before)
}

/// Refuses what was decided on a memory that is out of date.
fn uphold(
    active: &SnapshotCache,
    unit: &Unit,
    record: &CommitRecord,
    state: &AdmissionState,
) -> Result<(), CommitFault> {
    let seq = state.head(unit.user()).seq;
    if active.upholds(unit, record, seq) {
        Ok(())
    } else {
        Err(CommitFault::Refused(RollbackCause::OutOfDate))
    }
}

/// Checks the unit against a state.
fn decide(
    version: i64,
    mut state: AdmissionState,
    unit: &Unit,
    record: &CommitRecord,
) -> Result<DecidedCommit, CommitFault> {
    let before = state.head(unit.user()).seq;
    let mut batch = RowBatch::with_images();
    state
        .admit(unit, record, &mut batch)
        .map_err(CommitFault::Refused)?;
    let rows = rows(version, unit, &batch);
    let rows =
        rows.map_err(|error| CommitFault::Refused(RollbackCause::Storage(error.to_string())))?;
    let after = LogPosition {
        head: state.head(unit.user()),
        version: version + 1,
    };
    Ok(DecidedCommit {
        rows,
        runs: batch.runs,
        span: (before, after),
    })
}

/// The version of the user's ledger, and the state.
pub(super) fn state(row: &PgRow) -> Result<(i64, AdmissionState), sqlx::Error> {
    let state = AdmissionState::read(row.try_get(1)?);
    let state = state.map_err(|error| sqlx::Error::Decode(error.into()))?;
    Ok((row.try_get(0)?, state))
}

/// Makes the query that writes a batch, if the ledger stands at `version`: a row then, else none.
pub(super) fn rows(version: i64, unit: &Unit, batch: &RowBatch) -> serde_json::Result<StoreQuery> {
    let gate = UnitGate {
        user_id: unit.user().as_str(),
        version,
        seq: None,
    };
    together::ask(&[gate], &[batch])
}

/// An error with what lies below it, on one line.
pub(super) fn full(error: &(dyn std::error::Error + 'static)) -> String {
    let below = std::iter::successors(error.source(), |error| error.source());
    below.fold(error.to_string(), |text, error| format!("{text}: {error}"))
}
