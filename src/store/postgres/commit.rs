//! One unit, one transaction: read what it is checked against, decide, write it in one statement.
//!
//! The statement writes only if the user's ledger stands where it stood when the state was read,
//! and holds the ledger's row to its end. What was decided on a state that moved is decided
//! anew. Before the writing statement was sent (or, where the session is shared, before COMMIT
//! was), an error means that nothing is written; after it, that this is not known, unless the
//! server says so itself.

use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use serde::de::DeserializeOwned;
use sqlx::Row;
use sqlx::postgres::PgRow;
use tokio::sync::{Mutex, MutexGuard};

use super::ask::Ask;
use super::connections::{Connections, Lease, Sessions};
use super::{delegation, fault, sql};
use crate::audit::Head;
use crate::domain::UserId;
use crate::store::batch::Batch;
use crate::store::delegation::{RunBatch, RunsState};
use crate::store::plan::{State, Wanted};
use crate::store::receipt::Receipt;
use crate::store::record::{Cause, Commit, Committed, Record, Unknown};
use crate::store::unit::Unit;

/// How often a unit is decided anew because another process was faster.
const TRIES: usize = 64;

/// Commits of one user queue here, so that those of one process never overtake each other. Users
/// who share a queue wait for each other, and for nothing else.
pub(super) struct Queues([Mutex<()>; 64]);

impl Default for Queues {
    fn default() -> Self {
        Self(std::array::from_fn(|_| Mutex::new(())))
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
enum Fault {
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
    fn of_commit(error: sqlx::Error) -> Self {
        if fault::undone(&error) {
            Self::Before(error)
        } else {
            Self::After(error)
        }
    }

    const fn error(&self) -> Option<&sqlx::Error> {
        match self {
            Self::Refused(_) | Self::Moved => None,
            Self::Before(error) | Self::After(error) => Some(error),
        }
    }
}

/// Writes a unit and its record, or nothing.
pub(super) async fn commit(
    connections: &Connections,
    queues: &Queues,
    unit: Unit,
    record: Record,
) -> Commit {
    let _place = queues.enter(unit.user()).await;
    for _ in 0..TRIES {
        let mut lease = match connections.take().await {
            Ok(lease) => lease,
            Err(error) => return Commit::RolledBack(Cause::Storage(full(&error))),
        };
        let fresh = lease.fresh;
        let done = write(&mut lease, &unit, &record).await;
        lease.give_back(done.as_ref().err().and_then(Fault::error));
        match done {
            Ok(()) => return committed(unit),
            Err(Fault::Refused(cause)) => return Commit::RolledBack(cause),
            Err(Fault::Moved) => {}
            // A connection that died while it was idle, or a transaction that gave way.
            Err(Fault::Before(error))
                if (fault::broken(&error) && !fresh) || fault::gave_in(&error) => {}
            Err(Fault::Before(error)) => return Commit::RolledBack(Cause::Storage(full(&error))),
            Err(Fault::After(error)) => {
                let error = full(&error);
                tracing::error!(error, attempt = %unit.attempt(), "a commit's fate is unknown");
                return Commit::Unknown(Unknown::new(unit.attempt()));
            }
        }
    }
    Commit::RolledBack(Cause::Storage(
        "other processes kept writing for this user".to_owned(),
    ))
}

fn committed(unit: Unit) -> Commit {
    let receipts = unit.into_drafts().into_iter().map(Receipt::mint).collect();
    Commit::Committed(Committed::new(receipts))
}

async fn write(lease: &mut Lease<'_>, unit: &Unit, record: &Record) -> Result<(), Fault> {
    if !unit.run_writes().is_empty() {
        return write_in_one_transaction(lease, unit, record).await;
    }
    match lease.sessions() {
        Sessions::Own => write_in_own_session(lease, unit, record).await,
        Sessions::Shared => write_in_one_transaction(lease, unit, record).await,
    }
}

/// Two exchanges; the second is a transaction of its own.
async fn write_in_own_session(
    lease: &mut Lease<'_>,
    unit: &Unit,
    record: &Record,
) -> Result<(), Fault> {
    let row = lease.own(&question(unit, record)).await;
    let (written, _) = decide(row, unit, record, RunsState::default())?;
    lease.prepare(&written).await.map_err(Fault::Before)?;
    match lease.own(&written).await.map_err(Fault::of_commit)? {
        Some(_) => Ok(()),
        None => Err(Fault::Moved),
    }
}

/// Everything in one transaction, which keeps the session while it lasts. What is written about
/// runs takes more statements than one, and so does it this way in any session.
async fn write_in_one_transaction(
    lease: &mut Lease<'_>,
    unit: &Unit,
    record: &Record,
) -> Result<(), Fault> {
    let mut wanted = Wanted::default();
    wanted.add(unit, record);
    let begun = delegation::begin(lease, unit.user(), &wanted.runs).await;
    begun.map_err(Fault::Before)?;
    let fault = match write_inside(lease, unit, record, &wanted).await {
        Ok(()) => return lease.end("COMMIT").await.map_err(Fault::of_commit),
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
    wanted: &Wanted<'_>,
) -> Result<(), Fault> {
    // The ledger is read before the runs: had they moved in between, it would have too.
    let row = lease.shared(&question(unit, record)).await;
    let mut runs = RunsState::default();
    if !wanted.runs.is_empty() {
        let read = delegation::state(lease, unit.user(), &wanted.runs).await;
        runs = read.map_err(Fault::Before)?;
    }
    let (ask, about) = decide(row, unit, record, runs)?;
    let gate = lease.shared(&ask).await.map_err(Fault::Before)?;
    gate.ok_or(Fault::Moved)?;
    if about.is_empty() {
        return Ok(());
    }
    let written = delegation::write(lease, &about).await;
    written.map_err(Fault::Before)
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

/// Checks the unit against the state that was read: what is written if that still stands.
fn decide(
    row: Result<Option<PgRow>, sqlx::Error>,
    unit: &Unit,
    record: &Record,
    runs: RunsState,
) -> Result<(Ask, RunBatch), Fault> {
    let row = row.and_then(|row| row.ok_or(sqlx::Error::RowNotFound));
    let row = row.map_err(Fault::Before)?;
    let (version, mut state) = state(&row, unit, record).map_err(Fault::Before)?;
    state.runs = runs;
    let mut batch = Batch::default();
    state
        .admit(unit, record, &mut batch)
        .map_err(Fault::Refused)?;
    let ask = rows(version, unit, &batch);
    let ask = ask.map_err(|error| Fault::Refused(Cause::Storage(error.to_string())))?;
    Ok((ask, batch.runs))
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
    // A log whose tail was cut goes on from the recorded head, so that the gap shows; a head
    // that was turned back goes on from the last event.
    let mut head = Head::genesis();
    for found in [recorded, last] {
        if found.seq > head.seq {
            head = found;
        }
    }
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

pub(super) fn rows(version: i64, unit: &Unit, batch: &Batch<'_>) -> serde_json::Result<Ask> {
    use serde_json::to_string;
    Ok(Ask::of(unit.user(), sql::WRITE)
        .number(version)
        .text(to_string(&batch.tasks)?)
        .text(to_string(&batch.commits)?)
        .text(to_string(&batch.conversations)?)
        .text(to_string(&batch.messages)?)
        .text(to_string(&batch.questions)?)
        .text(to_string(&batch.receipts)?)
        .text(to_string(&batch.keys)?)
        .text(to_string(&batch.events)?)
        .text(to_string(&batch.open_turns)?))
}

fn parse<T: DeserializeOwned>(row: &PgRow, column: usize) -> Result<T, sqlx::Error> {
    let text: &str = row.try_get(column)?;
    serde_json::from_str(text).map_err(|error| sqlx::Error::Decode(error.into()))
}

/// An error with what lies below it, on one line.
fn full(error: &(dyn std::error::Error + 'static)) -> String {
    let below = std::iter::successors(error.source(), |error| error.source());
    below.fold(error.to_string(), |text, error| format!("{text}: {error}"))
}
