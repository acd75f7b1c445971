//! One transaction for a group of units, and what each of them is told.
//!
//! Where this process remembers how the users' rows stand, the group is one call, which writes
//! nothing if another process wrote since. Else what it is checked against is read first, and
//! all admitted units are written in a second call. Should the database refuse a row of them,
//! which no precondition foresaw, the group begins anew with a savepoint for each unit, so that
//! only the refused one falls.

use std::collections::HashSet;

use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Row, Sqlite, SqliteConnection};
use tokio::sync::oneshot;

use super::fate::{CommitOutcome, CommitProgress, RollbackOutcome, finish, rollback, run, storage};
use super::{delegation, sql, values};
use crate::audit::Head;
use crate::domain::{AttemptId, UserId};
use crate::store::batch::{Batch, Rows};
use crate::store::delegation::RunsState;
use crate::store::measure;
use crate::store::plan::{State, Wanted};
use crate::store::prepared::PreparedWrite;
use crate::store::receipt::Receipt;
use crate::store::record::{Cause, Commit, Committed, Record, Unknown};
use crate::store::snapshot_cache::{LogPosition, SnapshotCache};
use crate::store::unit::Unit;

/// A unit that waits to be written.
pub(super) struct Job {
    unit: Unit,
    record: Record,
    /// Its rows, if memory was enough to work them out.
    ready: Option<PreparedWrite>,
    answer: oneshot::Sender<Commit>,
}

impl Job {
    pub(super) fn new(
        unit: Unit,
        record: Record,
        active: &SnapshotCache,
    ) -> (Self, oneshot::Receiver<Commit>) {
        let (answer, receiver) = oneshot::channel();
        let job = Self {
            ready: PreparedWrite::of(active, &unit, &record, Batch::default()),
            unit,
            record,
            answer,
        };
        (job, receiver)
    }

    /// Whether its rows are worked out and still right. They are worked out anew where the same
    /// user's rows were written since.
    fn is_ready(&mut self, active: &SnapshotCache) -> bool {
        let stands = |ready: &PreparedWrite| active.stands(self.unit.user(), &ready.before);
        if !self.ready.as_ref().is_some_and(stands) {
            self.ready = PreparedWrite::of(active, &self.unit, &self.record, Batch::default());
        }
        self.ready.is_some()
    }

    /// Answers, and remembers what is so now: whoever is answered may read it at once.
    fn tell(self, settled: Settled, active: &SnapshotCache) {
        let Settled { end, span } = settled;
        match (&end, span) {
            (CommitOutcome::Written, Some((before, after))) => {
                active.written(&self.unit, &self.record, before, &after);
            }
            (CommitOutcome::Refused(Cause::OutOfDate) | CommitOutcome::Unknown, _) => {
                active.forget(self.unit.user());
            }
            _ => {}
        }
        let commit = match end {
            CommitOutcome::Written => {
                let drafts = self.unit.into_drafts();
                let receipts = drafts.into_iter().map(Receipt::mint).collect();
                Commit::Committed(Committed::new(receipts))
            }
            CommitOutcome::Refused(cause) => Commit::RolledBack(cause),
            CommitOutcome::Unknown => unknown(self.unit.attempt()),
        };
        // Whoever asked may be gone; what is written stays written.
        let _ = self.answer.send(commit);
    }
}

pub(super) const fn unknown(attempt: AttemptId) -> Commit {
    Commit::Unknown(Unknown::new(attempt))
}

/// Tells all that nothing was written.
pub(super) fn refuse(jobs: Vec<Job>, error: &sqlx::Error) {
    for job in jobs {
        // Whoever asked may be gone.
        let _ = job.answer.send(Commit::RolledBack(storage(error)));
    }
}

/// How it ended for one unit, and from which event to where it led its user's log.
#[derive(Debug, Clone)]
struct Settled {
    end: CommitOutcome,
    span: Option<(i64, LogPosition)>,
}

impl From<CommitOutcome> for Settled {
    fn from(end: CommitOutcome) -> Self {
        Self { end, span: None }
    }
}

/// Admits a unit, unless what it was decided on was out of date.
fn admit(state: &mut State, job: &Job, upheld: bool, batch: &mut Batch) -> Settled {
    if !upheld {
        return CommitOutcome::Refused(Cause::OutOfDate).into();
    }
    let user = job.unit.user();
    let before = state.head(user).seq;
    match state.admit(&job.unit, &job.record, batch) {
        Ok(()) => {
            let head = state.head(user);
            let after = LogPosition::of(head);
            Settled {
                end: CommitOutcome::Written,
                span: Some((before, after)),
            }
        }
        Err(cause) => CommitOutcome::Refused(cause).into(),
    }
}

/// For each job, whether what it was decided on stands as `state` was read.
fn upheld(jobs: &[Job], state: &State, active: &SnapshotCache) -> Vec<bool> {
    let held = |job: &Job| {
        let seq = state.head(job.unit.user()).seq;
        active.upholds(&job.unit, &job.record, seq)
    };
    jobs.iter().map(held).collect()
}

/// Writes a group and answers every job. False means that the connection must not be used
/// any more.
pub(super) async fn commit(
    connection: &mut SqliteConnection,
    mut jobs: Vec<Job>,
    active: &SnapshotCache,
) -> bool {
    if let Some((ends, sound)) = at_once(connection, &mut jobs, active).await {
        tell(jobs, ends, active);
        return sound;
    }
    let state = match begin(connection, &jobs).await {
        Ok(state) => state,
        Err(error) => {
            refuse(jobs, &error);
            return rollback(connection).await != RollbackOutcome::Failed;
        }
    };
    let upheld = upheld(&jobs, &state, active);
    let (ends, sound) = match together(connection, &jobs, &upheld, state).await {
        Some(done) => done,
        None => apart(connection, &jobs, active).await,
    };
    tell(jobs, ends, active);
    sound
}

fn tell(jobs: Vec<Job>, ends: Vec<Settled>, active: &SnapshotCache) {
    for (job, end) in jobs.into_iter().zip(ends) {
        job.tell(end, active);
    }
}

/// Writes a group in one call, checked against memory. Nothing: memory lacks something or is out
/// of date, a check refused a unit, or the database a row; nothing is written.
async fn at_once(
    connection: &mut SqliteConnection,
    jobs: &mut [Job],
    active: &SnapshotCache,
) -> Option<(Vec<Settled>, bool)> {
    let mut users = HashSet::with_capacity(jobs.len());
    for job in &mut *jobs {
        // What is ready was worked out for one unit alone.
        if !users.insert(job.unit.user().clone()) || !job.is_ready(active) {
            return None;
        }
    }
    let mut units: Vec<&mut PreparedWrite> = (jobs.iter_mut())
        .filter_map(|job| job.ready.as_mut())
        .collect();
    let values = values::query(&mut units);
    let ready = || jobs.iter().filter_map(|job| job.ready.as_ref());
    let query = match values {
        Some(query) => query,
        None => {
            let heads = jobs.iter().zip(ready());
            let heads: Vec<(&str, i64)> = heads
                .map(|(job, ready)| (job.unit.user().as_str(), ready.before.head.seq))
                .collect();
            let batches: Vec<&Batch> = ready().map(|ready| &ready.batch).collect();
            let rows = Rows::of_all(&batches).ok()?;
            bind(sql::WRITE_AT_ONCE, rows, Some(json(&heads).ok()?))
        }
    };
    let (end, sound) = finish(connection, query, CommitProgress::Whole).await;
    if sound && matches!(end, CommitOutcome::Refused(_)) {
        return None;
    }
    let settled = |ready: &PreparedWrite| Settled {
        end: end.clone(),
        span: Some(ready.span(0)),
    };
    Some((ready().map(settled).collect(), sound))
}

async fn begin(connection: &mut SqliteConnection, jobs: &[Job]) -> Result<State, sqlx::Error> {
    let mut wanted = Wanted::default();
    for job in jobs {
        wanted.add(&job.unit, &job.record);
    }
    read(connection, &wanted).await
}

/// Takes the write lock, and reads what units are checked against.
pub(super) async fn read(
    connection: &mut SqliteConnection,
    wanted: &Wanted<'_>,
) -> Result<State, sqlx::Error> {
    measure::statement();
    let row = sqlx::query(sql::BEGIN)
        .bind(json(&wanted.users)?)
        .bind(json(&wanted.tasks)?)
        .bind(json(&wanted.conversations)?)
        .bind(json(&wanted.keys)?)
        .bind(json(&wanted.receipts)?)
        .bind(json(&wanted.open)?)
        .fetch_one(&mut *connection)
        .await?;
    let mut state = state(&row)?;
    if !wanted.runs.is_empty() {
        measure::statement();
        let runs: String = sqlx::query_scalar(delegation::STATE)
            .bind(json(&wanted.runs.runs)?)
            .bind(json(&wanted.runs.keys)?)
            .bind(json(&wanted.runs.users)?)
            .fetch_one(connection)
            .await?;
        let read = RunsState::read(&runs);
        state.runs = read.map_err(|error| sqlx::Error::Decode(error.into()))?;
    }
    Ok(state)
}

fn state(row: &SqliteRow) -> Result<State, sqlx::Error> {
    let recorded: Vec<(UserId, i64, String)> = parse(row, 0)?;
    let last: Vec<(UserId, i64, String)> = parse(row, 1)?;
    let mut state = State::default();
    for (user, seq, hash) in recorded.into_iter().chain(last) {
        let found = Head { seq, hash };
        let known = state.heads.remove(&user).unwrap_or_else(Head::genesis);
        state.heads.insert(user, known.or_further(found));
    }
    let tasks: Vec<(UserId, _, i64)> = parse(row, 2)?;
    state.tasks = (tasks.into_iter())
        .map(|(user, id, version)| ((user, id), version))
        .collect();
    let conversations: Vec<(UserId, _, i64)> = parse(row, 3)?;
    state.conversations = (conversations.into_iter())
        .map(|(user, id, version)| ((user, id), version))
        .collect();
    state.keys = parse(row, 4)?;
    let receipts: Vec<(UserId, _, i64)> = parse(row, 5)?;
    state.receipts = (receipts.into_iter())
        .map(|(user, id, undos)| ((user, id), undos > 0))
        .collect();
    let open: Vec<(UserId, _, i64)> = parse(row, 6)?;
    state.open = (open.into_iter())
        .map(|(user, turn, beats)| ((user, turn), beats))
        .collect();
    Ok(state)
}

/// Writes all admitted units in one call. Nothing: the database refused a row of one of
/// several, and nothing is written.
async fn together(
    connection: &mut SqliteConnection,
    jobs: &[Job],
    upheld: &[bool],
    mut state: State,
) -> Option<(Vec<Settled>, bool)> {
    let mut batch = Batch::default();
    let ends: Vec<Settled> = (jobs.iter().zip(upheld))
        .map(|(job, upheld)| admit(&mut state, job, *upheld, &mut batch))
        .collect();
    let written = |settled: &&Settled| settled.end == CommitOutcome::Written;
    let admitted = ends.iter().filter(written).count();
    if admitted == 0 {
        let sound = rollback(connection).await != RollbackOutcome::Failed;
        return Some((ends, sound));
    }
    let (statement, marks) = if batch.runs.is_empty() {
        (sql::WRITE_AND_COMMIT, CommitProgress::Statements)
    } else {
        (sql::WRITE_RUNS_AND_COMMIT, CommitProgress::Rows)
    };
    let (end, sound) = match bind_batch(statement, &batch) {
        Ok(query) => finish(connection, query, marks).await,
        Err(error) => (CommitOutcome::Refused(storage(&encode(error))), false),
    };
    if admitted > 1 && sound && end != CommitOutcome::Written {
        return None;
    }
    Some((settle(ends, &end), sound))
}

/// Writes the units one after another, each with its savepoint, in one transaction.
async fn apart(
    connection: &mut SqliteConnection,
    jobs: &[Job],
    active: &SnapshotCache,
) -> (Vec<Settled>, bool) {
    let all = |end: CommitOutcome| vec![Settled::from(end); jobs.len()];
    let mut state = match begin(connection, jobs).await {
        Ok(state) => state,
        Err(error) => return (all(CommitOutcome::Refused(storage(&error))), false),
    };
    let upheld = upheld(jobs, &state, active);
    let mut ends = Vec::with_capacity(jobs.len());
    for (job, upheld) in jobs.iter().zip(upheld) {
        let mut batch = Batch::default();
        let mut next = state.clone();
        let settled = admit(&mut next, job, upheld, &mut batch);
        if settled.end != CommitOutcome::Written {
            ends.push(settled);
            continue;
        }
        let statement = if batch.runs.is_empty() {
            sql::WRITE_APART
        } else {
            sql::WRITE_RUNS_APART
        };
        measure::statement();
        let written = match bind_batch(statement, &batch) {
            Ok(query) => query.execute(&mut *connection).await.map(|_| ()),
            Err(error) => Err(encode(error)),
        };
        let Err(error) = written else {
            state = next;
            ends.push(settled);
            continue;
        };
        ends.push(CommitOutcome::Refused(storage(&error)).into());
        if run(connection, sql::TAKE_BACK).await.is_err() {
            // The whole transaction is gone, or its state is not known; nothing is committed.
            return (all(CommitOutcome::Refused(storage(&error))), false);
        }
    }
    let (end, sound) = finish(connection, sqlx::query(sql::COMMIT), CommitProgress::Rows).await;
    (settle(ends, &end), sound)
}

/// What each admitted unit is told once the transaction has ended so.
fn settle(ends: Vec<Settled>, end: &CommitOutcome) -> Vec<Settled> {
    ends.into_iter()
        .map(|own| match own.end {
            CommitOutcome::Written => Settled {
                end: end.clone(),
                span: own.span,
            },
            refused => refused.into(),
        })
        .collect()
}

pub(super) fn bind(
    statement: &'static str,
    rows: Rows,
    heads: Option<String>,
) -> Query<'static, Sqlite, SqliteArguments> {
    let texts = rows.into_texts().into_iter();
    // An empty list is none at all: that one is not even parsed.
    let texts = texts.map(|rows| (rows != "[]").then_some(rows));
    texts.fold(sqlx::query(statement), Query::bind).bind(heads)
}

/// [`bind`], with what is written about runs where that is anything.
fn bind_batch(
    statement: &'static str,
    batch: &Batch,
) -> serde_json::Result<Query<'static, Sqlite, SqliteArguments>> {
    let query = bind(statement, Rows::of(batch)?, None);
    if batch.runs.is_empty() {
        return Ok(query);
    }
    Ok(query.bind(serde_json::to_string(&batch.runs)?))
}

fn json<T: serde::Serialize>(rows: &[T]) -> Result<String, sqlx::Error> {
    serde_json::to_string(rows).map_err(encode)
}

fn encode(error: serde_json::Error) -> sqlx::Error {
    sqlx::Error::Encode(error.into())
}

fn parse<T: serde::de::DeserializeOwned>(row: &SqliteRow, column: usize) -> Result<T, sqlx::Error> {
    let text: &str = row.try_get(column)?;
    serde_json::from_str(text).map_err(|error| sqlx::Error::Decode(error.into()))
}
