//! Units of different users, written in one exchange: what a statement costs is shared by all
//! who came while the one before was under way.
//!
//! Only what was worked out from memory goes this way. A unit whose user's ledger moved is left
//! out by the statement itself; should the statement fail, nothing is written, and each unit is
//! tried alone by whoever asked.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use parking_lot::Mutex;
use serde::Serialize;
use sqlx::Row;
use sqlx::postgres::PgRow;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};

use super::commit::{CommitFault, full};
use super::connections::ConnectionPool;
use super::sql;
use crate::domain::UserId;
use crate::store::batch::RowBatch;
use crate::store::prepared::PreparedWrite;
use crate::store::query::StoreQuery;

/// Exchanges under way at most. One is enough as long as the database answers: what comes
/// meanwhile gathers for the next, and the more share it the less each costs.
const LANES: usize = 4;

/// Time a unit waits before another lane is opened: the exchange that is under way may itself wait,
/// for a row that another process holds. Well above what a full exchange takes on a busy machine,
/// which more lanes would only make busier.
const PATIENCE: Duration = Duration::from_millis(250);

/// Units in one exchange at most.
const GROUP: usize = 64;

/// Outcome for one unit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum UnitOutcome {
    Written,
    /// Nothing was written: the user's ledger does not stand as it was remembered.
    Moved,
    /// Nothing was written.
    Nothing,
    /// Unknown whether it was written.
    Unknown(String),
}

struct LaneJob {
    user: UserId,
    ready: PreparedWrite,
    answer: oneshot::Sender<UnitOutcome>,
}

/// Lanes for commits, with those that wait for one.
pub(super) struct CommitLanes {
    connections: Arc<ConnectionPool>,
    waiting: Mutex<VecDeque<LaneJob>>,
    lanes: Arc<Semaphore>,
}

impl CommitLanes {
    pub(super) fn new(connections: Arc<ConnectionPool>) -> Arc<Self> {
        Arc::new(Self {
            connections,
            waiting: Mutex::default(),
            lanes: Arc::new(Semaphore::new(LANES)),
        })
    }

    /// Writes what is ready, with whatever else waits. No other unit of the user may be under way.
    pub(super) async fn write(self: &Arc<Self>, user: UserId, ready: PreparedWrite) -> UnitOutcome {
        let (answer, mut told) = oneshot::channel();
        let job = LaneJob {
            user,
            ready,
            answer,
        };
        self.waiting.lock().push_back(job);
        self.begin();
        let end = match tokio::time::timeout(PATIENCE, &mut told).await {
            Ok(end) => end,
            Err(_) => {
                if let Some(lane) = self.lane() {
                    tokio::spawn(Arc::clone(self).once(lane));
                }
                told.await
            }
        };
        end.unwrap_or_else(|_| UnitOutcome::Unknown("the exchange was broken off".to_owned()))
    }

    /// Sees to it that somebody writes.
    fn begin(self: &Arc<Self>) {
        if self.lanes.available_permits() == LANES
            && let Some(lane) = self.lane()
        {
            // Of its own, since whoever asked may be answered before the last who waits.
            tokio::spawn(Arc::clone(self).through(lane));
        }
    }

    fn lane(&self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.lanes).try_acquire_owned().ok()
    }

    /// Writes until nobody waits.
    async fn through(self: Arc<Self>, mut lane: OwnedSemaphorePermit) {
        loop {
            let jobs = self.take();
            if !jobs.is_empty() {
                self.exchange(jobs).await;
                continue;
            }
            drop(lane);
            // Whoever came while the lane was still taken did not find one.
            if self.waiting.lock().is_empty() {
                return;
            }
            match self.lane() {
                Some(again) => lane = again,
                None => return,
            }
        }
    }

    /// Writes what waits now: an impatient one's lane does not stay, or the exchanges of a busy
    /// hour would be many and small.
    async fn once(self: Arc<Self>, lane: OwnedSemaphorePermit) {
        let jobs = self.take();
        if !jobs.is_empty() {
            self.exchange(jobs).await;
        }
        drop(lane);
        // Whoever came meanwhile found a lane taken, and it may have been this one alone.
        if !self.waiting.lock().is_empty() {
            self.begin();
        }
    }

    fn take(&self) -> Vec<LaneJob> {
        let mut waiting = self.waiting.lock();
        let count = waiting.len().min(GROUP);
        waiting.drain(..count).collect()
    }

    async fn exchange(&self, jobs: Vec<LaneJob>) {
        let done = self.written(&jobs).await;
        for job in jobs {
            let end = match &done {
                Ok(users) if users.contains(job.user.as_str()) => UnitOutcome::Written,
                Ok(_) => UnitOutcome::Moved,
                Err(CommitFault::After(error)) => UnitOutcome::Unknown(full(error)),
                Err(_) => UnitOutcome::Nothing,
            };
            // Whoever asked may be gone.
            let _ = job.answer.send(end);
        }
    }

    /// The users whose unit was written.
    async fn written(&self, jobs: &[LaneJob]) -> Result<HashSet<String>, CommitFault> {
        let gates: Vec<UnitGate<'_>> = jobs.iter().map(UnitGate::of).collect();
        let batches: Vec<&RowBatch> = jobs.iter().map(|job| &job.ready.batch).collect();
        let encode =
            |error: serde_json::Error| CommitFault::Before(sqlx::Error::Encode(error.into()));
        let ask = ask(&gates, &batches).map_err(encode)?;
        let closed = |_| CommitFault::Before(sqlx::Error::PoolClosed);
        let mut lease = self.connections.take().await.map_err(closed)?;
        let prepared = lease.prepare(&ask).await.map_err(CommitFault::Before);
        let done = match prepared {
            Ok(()) => lease.all(&ask).await.map_err(CommitFault::of_commit),
            Err(fault) => Err(fault),
        };
        lease.give_back(done.as_ref().err().and_then(CommitFault::error));
        let users = done?.iter().map(passed).collect::<Result<_, _>>();
        users.map_err(CommitFault::After)
    }
}

fn passed(row: &PgRow) -> Result<String, sqlx::Error> {
    row.try_get(0)
}

/// Condition on a user, for the user's unit to be written.
#[derive(Debug, Serialize)]
pub(super) struct UnitGate<'a> {
    pub(super) user_id: &'a str,
    /// Number of times the ledger was written.
    pub(super) version: i64,
    /// The last event of the log, where it was not read but remembered.
    pub(super) seq: Option<i64>,
}

impl<'a> UnitGate<'a> {
    fn of(job: &'a LaneJob) -> Self {
        let stood = &job.ready.before;
        Self {
            user_id: job.user.as_str(),
            version: stood.version,
            seq: Some(stood.head.seq),
        }
    }
}

/// Makes the query that writes rows, of those users whose gate is open. A row for each of these.
pub(super) fn ask(gates: &[UnitGate<'_>], batches: &[&RowBatch]) -> serde_json::Result<StoreQuery> {
    let ask = StoreQuery::new(sql::WRITE).text(serde_json::to_string(gates)?);
    Ok((RowBatch::texts(batches)?.into_iter()).fold(ask, StoreQuery::text))
}
