//! Two transactions at most for a group of units, one for each after a refused row, and what each of
//! them is told.
//!
//! All are written by one statement. For units of users whose rows this process remembers it is the
//! only call, and writes nothing if another process wrote since. What the others are checked against
//! is read first, and all that are admitted are written in a second call.

use std::collections::HashSet;

use sqlx::query::Query;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Sqlite, SqliteConnection};
use tokio::sync::oneshot;

use super::fate::{CommitOutcome, CommitProgress, RollbackOutcome, finish, rollback, storage};
use super::sql;
use crate::domain::UserId;
use crate::store::batch::RowBatch;
use crate::store::delegation::RunsState;
use crate::store::measure;
use crate::store::plan::{AdmissionReads, AdmissionState};
use crate::store::prepared::PreparedWrite;
use crate::store::record::{CommitRecord, CommitResult, CommittedUnit, RollbackCause};
use crate::store::snapshot_cache::{LogPosition, LogSpan, SnapshotCache};
use crate::store::unit::Unit;

/// Reason why units are refused that were to be written after one whose end left the connection in a
/// state that is not known.
const BROKEN: &str = "the connection broke";

/// A unit that waits to be written.
pub(super) struct WriteJob {
    unit: Unit,
    record: CommitRecord,
    /// Its rows, if memory was enough to work them out.
    ready: Option<PreparedWrite>,
    answer: oneshot::Sender<CommitResult>,
}

impl WriteJob {
    pub(super) fn new(
        unit: Unit,
        record: CommitRecord,
        active: &SnapshotCache,
    ) -> (Self, oneshot::Receiver<CommitResult>) {
        let (answer, receiver) = oneshot::channel();
        let job = Self {
            ready: PreparedWrite::of(active, &unit, &record, RowBatch::default()),
            unit,
            record,
            answer,
        };
        (job, receiver)
    }

    /// Tells whether its rows are worked out and still right. They are worked out anew where the same
    /// user's rows were written since.
    fn is_ready(&mut self, active: &SnapshotCache) -> bool {
        let stands = |ready: &PreparedWrite| active.stands(self.unit.user(), &ready.before);
        if !self.ready.as_ref().is_some_and(stands) {
            self.ready = PreparedWrite::of(active, &self.unit, &self.record, RowBatch::default());
        }
        self.ready.is_some()
    }

    fn gate(&self) -> Option<LogGate<'_>> {
        let seq = self.ready.as_ref()?.before.head.seq;
        Some((self.unit.user().as_str(), seq))
    }

    /// Answers, and remembers what is so now: whoever is answered may read it at once. `admitted` is
    /// what the checks said, and `end` what became of those that were admitted.
    fn tell(self, admitted: Admission, end: &CommitOutcome, active: &SnapshotCache) {
        let user = self.unit.user();
        let commit = match (admitted, end) {
            (Ok((before, after)), CommitOutcome::Written) => {
                active.written(&self.unit, &self.record, before, &after);
                CommitResult::Committed(CommittedUnit::of(self.unit))
            }
            (Ok(_), CommitOutcome::Refused(cause)) => CommitResult::RolledBack(cause.clone()),
            (Ok(_), CommitOutcome::Unknown) => {
                active.forget(user);
                CommitResult::Unknown
            }
            (Err(cause), _) => {
                if cause == RollbackCause::OutOfDate {
                    active.forget(user);
                }
                CommitResult::RolledBack(cause)
            }
        };
        // Whoever asked may be gone; what is written stays written.
        let _ = self.answer.send(commit);
    }
}

/// Tells all that nothing was written.
pub(super) fn refuse(jobs: Vec<WriteJob>, cause: &RollbackCause) {
    for job in jobs {
        // Whoever asked may be gone.
        let _ = job.answer.send(CommitResult::RolledBack(cause.clone()));
    }
}

/// Outcome of the checks of a unit: from which event to where it leads its user's log.
type Admission = Result<LogSpan, RollbackCause>;

/// Admits a unit, unless what it was decided on was out of date.
fn admit(
    state: &mut AdmissionState,
    job: &WriteJob,
    upheld: bool,
    batch: &mut RowBatch,
) -> Admission {
    if !upheld {
        return Err(RollbackCause::OutOfDate);
    }
    let user = job.unit.user();
    let before = state.head(user).seq;
    state.admit(&job.unit, &job.record, batch)?;
    Ok((before, LogPosition::of(state.head(user))))
}

/// For each job, whether what it was decided on stands as `state` was read.
fn upheld(jobs: &[WriteJob], state: &AdmissionState, active: &SnapshotCache) -> Vec<bool> {
    let held = |job: &WriteJob| {
        let seq = state.head(job.unit.user()).seq;
        active.upholds(&job.unit, &job.record, seq)
    };
    jobs.iter().map(held).collect()
}

/// Writes a group and answers every job. False means that the connection must not be used
/// any more.
pub(super) async fn commit(
    connection: &mut SqliteConnection,
    jobs: Vec<WriteJob>,
    active: &SnapshotCache,
) -> bool {
    let mut users = HashSet::with_capacity(jobs.len());
    let (mut known, mut rest) = (Vec::new(), Vec::new());
    for mut job in jobs {
        // What is ready was worked out for one unit of a user alone, and later ones come after it.
        if users.insert(job.unit.user().clone()) && job.is_ready(active) {
            known.push(job);
        } else {
            rest.push(job);
        }
    }
    if !known.is_empty() {
        match remembered(connection, &known).await {
            Some((admitted, end, sound)) => {
                tell(known, admitted, &end, active);
                if !sound {
                    refuse(rest, &RollbackCause::Storage(BROKEN.to_owned()));
                    return false;
                }
            }
            None => {
                known.append(&mut rest);
                rest = known;
            }
        }
    }
    rest.is_empty() || checked(connection, rest, active).await
}

fn tell(
    jobs: Vec<WriteJob>,
    admitted: Vec<Admission>,
    end: &CommitOutcome,
    active: &SnapshotCache,
) {
    for (job, admitted) in jobs.into_iter().zip(admitted) {
        job.tell(admitted, end, active);
    }
}

/// Writes units in one call, checked against memory. Nothing: memory is out of date, or the database
/// refused a row; nothing is written.
async fn remembered(
    connection: &mut SqliteConnection,
    jobs: &[WriteJob],
) -> Option<(Vec<Admission>, CommitOutcome, bool)> {
    let ready: Vec<&PreparedWrite> = jobs.iter().filter_map(|job| job.ready.as_ref()).collect();
    let gates: Vec<LogGate<'_>> = jobs.iter().filter_map(WriteJob::gate).collect();
    let batches: Vec<&RowBatch> = ready.iter().map(|ready| &ready.batch).collect();
    let query = bind(sql::WRITE, &gates, &batches).ok()?;
    let (end, sound) = finish(connection, query, CommitProgress::Whole).await;
    if sound && matches!(end, CommitOutcome::Refused(_)) {
        return None;
    }
    let spans = ready.into_iter().map(|ready| Ok(ready.span(0)));
    Some((spans.collect(), end, sound))
}

/// Writes units in one transaction, checked against what is read in it. Should the database refuse a
/// row, which no check foresaw, each unit is written alone, so that only the refused one falls.
async fn checked(
    connection: &mut SqliteConnection,
    jobs: Vec<WriteJob>,
    active: &SnapshotCache,
) -> bool {
    let state = match begin(connection, &jobs).await {
        Ok(state) => state,
        Err(error) => {
            refuse(jobs, &storage(&error));
            return rollback(connection).await != RollbackOutcome::Failed;
        }
    };
    if let Some((admitted, end, sound)) = together(connection, &jobs, active, state).await {
        tell(jobs, admitted, &end, active);
        return sound;
    }
    let mut jobs = jobs.into_iter();
    while let Some(job) = jobs.next() {
        if !Box::pin(checked(connection, vec![job], active)).await {
            refuse(jobs.collect(), &RollbackCause::Storage(BROKEN.to_owned()));
            return false;
        }
    }
    true
}

async fn begin(
    connection: &mut SqliteConnection,
    jobs: &[WriteJob],
) -> Result<AdmissionState, sqlx::Error> {
    let mut wanted = AdmissionReads::default();
    for job in jobs {
        wanted.add(&job.unit, &job.record);
    }
    read(connection, &wanted).await
}

/// Takes the write lock, and reads what units are checked against.
pub(super) async fn read(
    connection: &mut SqliteConnection,
    wanted: &AdmissionReads<'_>,
) -> Result<AdmissionState, sqlx::Error> {
    measure::statement();
    let state: String = sqlx::query_scalar(sql::BEGIN)
        .bind(json(&wanted.users)?)
        .bind(json(&wanted.tasks)?)
        .bind(json(&wanted.conversations)?)
        .bind(json(&wanted.keys)?)
        .bind(json(&wanted.receipts)?)
        .bind(json(&wanted.open)?)
        .fetch_one(&mut *connection)
        .await?;
    let mut state = AdmissionState::read(&state).map_err(decode)?;
    if !wanted.runs.is_empty() {
        measure::statement();
        let runs: String = sqlx::query_scalar(sql::RUNS)
            .bind(json(&wanted.runs.runs)?)
            .bind(json(&wanted.runs.keys)?)
            .bind(json(&wanted.runs.users)?)
            .fetch_one(&mut *connection)
            .await?;
        state.runs = RunsState::read(&runs).map_err(decode)?;
    }
    if !wanted.reminders.is_empty() {
        measure::statement();
        let fences: String = sqlx::query_scalar(sql::FENCES)
            .bind(json(&wanted.reminders)?)
            .fetch_one(connection)
            .await?;
        let read: Vec<(UserId, _, i64)> = serde_json::from_str(&fences).map_err(decode)?;
        state.fences = (read.into_iter())
            .map(|(user, id, fence)| ((user, id), fence))
            .collect();
    }
    Ok(state)
}

/// Writes all admitted units in one call. Nothing: the database refused a row of one of
/// several, and nothing is written.
async fn together(
    connection: &mut SqliteConnection,
    jobs: &[WriteJob],
    active: &SnapshotCache,
    mut state: AdmissionState,
) -> Option<(Vec<Admission>, CommitOutcome, bool)> {
    let upheld = upheld(jobs, &state, active);
    let mut batch = RowBatch::default();
    let admissions: Vec<Admission> = (jobs.iter().zip(upheld))
        .map(|(job, upheld)| admit(&mut state, job, upheld, &mut batch))
        .collect();
    let admitted = admissions.iter().filter(|one| one.is_ok()).count();
    if admitted == 0 {
        let sound = rollback(connection).await != RollbackOutcome::Failed;
        // There is nobody who is told of an end.
        return Some((admissions, CommitOutcome::Unknown, sound));
    }
    let (end, sound) = match bind(sql::WRITE_AND_COMMIT, &[], &[&batch]) {
        Ok(query) => finish(connection, query, CommitProgress::Committing).await,
        Err(error) => (CommitOutcome::Refused(storage(&encode(error))), false),
    };
    if admitted > 1 && sound && end != CommitOutcome::Written {
        return None;
    }
    Some((admissions, end, sound))
}

/// A user, and the number of the log's last event as it is remembered.
pub(super) type LogGate<'a> = (&'a str, i64);

/// Makes the query that writes rows, if the logs of these users stand so.
pub(super) fn bind(
    statement: &'static str,
    gates: &[LogGate<'_>],
    batches: &[&RowBatch],
) -> serde_json::Result<Query<'static, Sqlite, SqliteArguments>> {
    let gates = (!gates.is_empty()).then(|| serde_json::to_string(gates));
    let query = sqlx::query(statement).bind(gates.transpose()?);
    let texts = RowBatch::texts(batches)?.into_iter();
    // An empty list is none at all: that one is not even parsed.
    let texts = texts.map(|rows| (rows != "[]").then_some(rows));
    // What is written about runs was read first, so it stands in one batch.
    let runs = batches.iter().map(|batch| &batch.runs);
    let runs = runs.into_iter().find(|runs| !runs.is_empty());
    let runs = runs.map(serde_json::to_string).transpose()?;
    Ok(texts.fold(query, Query::bind).bind(runs))
}

fn json<T: serde::Serialize>(rows: &[T]) -> Result<String, sqlx::Error> {
    serde_json::to_string(rows).map_err(encode)
}

fn encode(error: serde_json::Error) -> sqlx::Error {
    sqlx::Error::Encode(error.into())
}

fn decode(error: serde_json::Error) -> sqlx::Error {
    sqlx::Error::Decode(error.into())
}

#[cfg(test)]
mod tests;
