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

use serde::de::DeserializeOwned;
use sqlx::Row;
use sqlx::postgres::PgRow;
use tokio::sync::{Mutex, MutexGuard};

use super::ask::Ask;
use super::connections::{Connections, Lease, Sessions};
use super::together::{self, End, Gate, Together};
use super::{delegation, fault, sql};
use crate::audit::Head;
use crate::domain::UserId;
use crate::store::batch::{Batch, Rows};
use crate::store::delegation::{RunBatch, RunsState};
use crate::store::plan::{State, Wanted};
use crate::store::prepared::PreparedWrite;
use crate::store::receipt::Receipt;
use crate::store::record::{Cause, Commit, Committed, Record, Unknown};
use crate::store::snapshot_cache::{LogPosition, SnapshotCache};
use crate::store::unit::Unit;

/// How often a unit is decided anew because another process was faster.
const TRIES: usize = 64;

/// Commits of one user queue here, so that those of one process never overtake each other. Users
/// who share a queue wait for each other, and for nothing else.
pub(super) struct Queues(Box<[Mutex<()>]>);

/// So many that users who talk at once rarely share one.
const QUEUES: usize = 1_024;

impl Default for Queues {
    fn default() -> Self {
        Self((0..QUEUES).map(|_| Mutex::new(())).collect())
    }
}

impl Queues {
    async fn enter(&self, user: &UserId) -> Option<MutexGuard<'_, ()>> {
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(user.as_str());
        let place = usize::try_from(hash % self.0.len() as u64).ok()?;
        Some(self.0.get(place)?.lock().await)
    }
}

/// Why a unit was not written, or may not have been.
pub(super) enum Fault {
    /// A check refused it.
    Refused(Cause),
    /// The ledger moved since the state was read.
    Moved,
    /// Nothing was written.
    Before(sqlx::Error),
    /// It is not known.
    After(sqlx::Error),
}

impl Fault {
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
    connections: &Connections,
    together: &Arc<Together>,
    queues: &Queues,
    active: &SnapshotCache,
    (unit, record): (Unit, Record),
) -> Commit {
    let _place = queues.enter(unit.user()).await;
    if connections.sessions() == Sessions::Own
        && let Some(ready) = PreparedWrite::of(active, &unit, &record, Batch::with_images())
    {
        let (before, after) = ready.span(1);
        match together.write(unit.user().clone(), ready).await {
            End::Written => {
                active.written(&unit, &record, before, &after);
                return committed(unit);
            }
            End::Moved => active.forget(unit.user()),
            End::Nothing => {}
            End::Unknown(error) => {
                active.forget(unit.user());
                return unknown(&unit, &error);
            }
        }
    }
    for _ in 0..TRIES {
        let mut lease = match connections.take().await {
            Ok(lease) => lease,
            Err(error) => return Commit::RolledBack(Cause::Storage(full(&error))),
        };
        let fresh = lease.fresh;
        let done = write(&mut lease, &unit, &record, active).await;
        lease.give_back(done.as_ref().err().and_then(Fault::error));
        match &done {
            // Whoever is answered may read it at once.
            Ok((before, after)) => active.written(&unit, &record, *before, after),
            Err(_) => active.forget(unit.user()),
        }
        match done {
            Ok(_) => return committed(unit),
            Err(Fault::Refused(cause)) => return Commit::RolledBack(cause),
            Err(Fault::Moved) => {}
            // A connection that died while it was idle, or a transaction that gave way.
            Err(Fault::Before(error))
                if (fault::broken(&error) && !fresh) || fault::gave_in(&error) => {}
            Err(Fault::Before(error)) => return Commit::RolledBack(Cause::Storage(full(&error))),
            Err(Fault::After(error)) => return unknown(&unit, &full(&error)),
        }
    }
    Commit::RolledBack(Cause::Storage(
        "other processes kept writing for this user".to_owned(),
    ))
}

fn unknown(unit: &Unit, error: &str) -> Commit {
    tracing::error!(error, attempt = %unit.attempt(), "a commit's fate is unknown");
    Commit::Unknown(Unknown::new(unit.attempt()))
}

fn committed(unit: Unit) -> Commit {
    let receipts = unit.into_drafts().into_iter().map(Receipt::mint).collect();
    Commit::Committed(Committed::new(receipts))
}

/// From which event to where a commit led the log.
type Span = (i64, LogPosition);

async fn write(
    lease: &mut Lease<'_>,
    unit: &Unit,
    record: &Record,
    active: &SnapshotCache,
) -> Result<Span, Fault> {
    if !unit.run_writes().is_empty() || lease.sessions() == Sessions::Shared {
        return write_in_one_transaction(lease, unit, record, active).await;
    }
    write_in_own_session(lease, unit, record, active).await
}

/// Two exchanges; the second is a transaction of its own.
async fn write_in_own_session(
    lease: &mut Lease<'_>,
    unit: &Unit,
    record: &Record,
    active: &SnapshotCache,
) -> Result<Span, Fault> {
    let row = lease.own(&question(unit, record)).await;
    let (version, state) = read(row, unit, record)?;
    uphold(active, unit, record, &state)?;
    let Decided { rows, span, .. } = decide(version, state, unit, record)?;
    lease.prepare(&rows).await.map_err(Fault::Before)?;
    match lease.own(&rows).await.map_err(Fault::of_commit)? {
        Some(_) => Ok(span),
        None => Err(Fault::Moved),
    }
}

/// Everything in one transaction, which keeps the session while it lasts. What is written about
/// runs takes more statements than one, and so does it this way in any session.
async fn write_in_one_transaction(
    lease: &mut Lease<'_>,
    unit: &Unit,
    record: &Record,
    active: &SnapshotCache,
) -> Result<Span, Fault> {
    let mut wanted = Wanted::default();
    wanted.add(unit, record);
    let begun = delegation::begin(lease, unit.user(), &wanted.runs).await;
    begun.map_err(Fault::Before)?;
    let fault = match write_inside(lease, unit, record, (&wanted, active)).await {
        Ok(span) => {
            let ended = lease.end("COMMIT").await;
            return ended.map(|()| span).map_err(Fault::of_commit);
        }
        Err(fault) => fault,
    };
    if !fault.error().is_some_and(fault::broken) {
        lease.end("ROLLBACK").await.map_err(Fault::Before)?;
    }
    Err(fault)
}

async fn write_inside(
    lease: &mut Lease<'_>,
    unit: &Unit,
    record: &Record,
    (wanted, active): (&Wanted<'_>, &SnapshotCache),
) -> Result<Span, Fault> {
    // The ledger is read before the runs: had they moved in between, it would have too.
    let row = lease.shared(&question(unit, record)).await;
    let mut runs = RunsState::default();
    if !wanted.runs.is_empty() {
        let read = delegation::state(lease, unit.user(), &wanted.runs).await;
        runs = read.map_err(Fault::Before)?;
    }
    let (version, mut state) = read(row, unit, record)?;
    uphold(active, unit, record, &state)?;
    state.runs = runs;
    let decided = decide(version, state, unit, record)?;
    let gate = lease.shared(&decided.rows).await.map_err(Fault::Before)?;
    gate.ok_or(Fault::Moved)?;
    if !decided.runs.is_empty() {
        let written = delegation::write(lease, &decided.runs).await;
        written.map_err(Fault::Before)?;
    }
    Ok(decided.span)
}

pub(super) fn question(unit: &Unit, record: &Record) -> Ask {
    let mut wanted = Wanted::default();
    wanted.add(unit, record);
    Ask::of(unit.user(), sql::STATE)
        .texts(wanted.tasks.iter().map(|(_, id)| id.to_string()))
        .optional(record.conversation.map(|(id, _)| id.to_string()))
        .optional(record.keyed.as_ref().map(|answer| answer.key.as_str()))
        .texts(wanted.receipts.iter().map(|(_, id)| id.to_string()))
        .optional(wanted.open.first().map(|(_, turn)| turn.to_string()))
}

/// What is written if the ledger still stands where it stood.
struct Decided {
    rows: Ask,
    runs: RunBatch,
    span: Span,
}

/// The state that was read, and the ledger's version.
fn read(
    row: Result<Option<PgRow>, sqlx::Error>,
    unit: &Unit,
    record: &Record,
) -> Result<(i64, State), Fault> {
    let row = row.and_then(|row| row.ok_or(sqlx::Error::RowNotFound));
    let row = row.map_err(Fault::Before)?;
    state(&row, unit, record).map_err(Fault::Before)
}

/// Refuses what was decided on a memory that is out of date.
fn uphold(
    active: &SnapshotCache,
    unit: &Unit,
    record: &Record,
    state: &State,
) -> Result<(), Fault> {
    let seq = state.head(unit.user()).seq;
    if active.upholds(unit, record, seq) {
        Ok(())
    } else {
        Err(Fault::Refused(Cause::OutOfDate))
    }
}

/// Checks the unit against a state.
fn decide(version: i64, mut state: State, unit: &Unit, record: &Record) -> Result<Decided, Fault> {
    let before = state.head(unit.user()).seq;
    let mut batch = Batch::with_images();
    state
        .admit(unit, record, &mut batch)
        .map_err(Fault::Refused)?;
    let rows = rows(version, unit, &batch);
    let rows = rows.map_err(|error| Fault::Refused(Cause::Storage(error.to_string())))?;
    let after = LogPosition {
        head: state.head(unit.user()),
        version: version + 1,
    };
    Ok(Decided {
        rows,
        runs: batch.runs,
        span: (before, after),
    })
}

pub(super) fn state(
    row: &PgRow,
    unit: &Unit,
    record: &Record,
) -> Result<(i64, State), sqlx::Error> {
    let user = unit.user();
    let recorded = Head {
        seq: row.try_get(1)?,
        hash: row.try_get(2)?,
    };
    let last = Head {
        seq: row.try_get(3)?,
        hash: row.try_get(4)?,
    };
    let head = Head::genesis().or_further(recorded).or_further(last);
    let mut state = State::default();
    state.heads.insert(user.clone(), head);
    let tasks: Vec<(_, i64)> = parse(row, 5)?;
    state.tasks = (tasks.into_iter())
        .map(|(id, version)| ((user.clone(), id), version))
        .collect();
    if let (Some((id, _)), Some(version)) = (record.conversation, row.try_get(6)?) {
        state.conversations.insert((user.clone(), id), version);
    }
    if let (Some(answer), true) = (&record.keyed, row.try_get(7)?) {
        state.keys.insert((user.clone(), answer.key.clone()));
    }
    let receipts: Vec<(_, bool)> = parse(row, 8)?;
    state.receipts = (receipts.into_iter())
        .map(|(id, undone)| ((user.clone(), id), undone))
        .collect();
    if let Some(beats) = row.try_get(9)? {
        state.open.insert((user.clone(), unit.turn()), beats);
    }
    Ok((row.try_get(0)?, state))
}

/// What writes a batch, if the ledger stands at `version`: a row then, else none.
pub(super) fn rows(version: i64, unit: &Unit, batch: &Batch) -> serde_json::Result<Ask> {
    let gate = Gate {
        user_id: unit.user().as_str(),
        version,
        seq: None,
    };
    together::ask(&[gate], Rows::of(batch)?)
}

fn parse<T: DeserializeOwned>(row: &PgRow, column: usize) -> Result<T, sqlx::Error> {
    let text: &str = row.try_get(column)?;
    serde_json::from_str(text).map_err(|error| sqlx::Error::Decode(error.into()))
}

/// An error with what lies below it, on one line.
pub(super) fn full(error: &(dyn std::error::Error + 'static)) -> String {
    let below = std::iter::successors(error.source(), |error| error.source());
    below.fold(error.to_string(), |text, error| format!("{text}: {error}"))
}
