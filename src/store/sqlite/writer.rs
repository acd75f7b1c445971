//! The one connection that writes, and the queue before it.
//!
//! Whatever waits in the queue is committed together: one sync of the disk, or two, serves all, and
//! no unit waits for another's lock. Nobody is answered before the commit has returned.
//!
//! There is no task that waits for work: whoever queues an order while nobody writes begins to,
//! in a task of its own thread, and goes on until the queue is empty. A commit then wakes one
//! thread, the database's, and is answered by it.

use std::sync::Arc;

use parking_lot::Mutex;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, Connection, Row, SqliteConnection};
use tokio::sync::{mpsc, oneshot};

use super::checkpoint::CheckpointTask;
use super::fate::storage;
use super::group::{self, WriteJob};
use super::readers::bound;
use super::{erase, sql};
use crate::store::backend::{BackendFuture, PlainFuture, StoreError};
use crate::store::erasure::ErasureReport;
use crate::store::measure;
use crate::store::query::StoreQuery;
use crate::store::record::{CommitRecord, CommitResult, RollbackCause};
use crate::store::snapshot_cache::SnapshotCache;
use crate::store::unit::Unit;

/// Units in one group at most: more would make the first wait for too many others.
pub(super) const GROUP: usize = 64;

/// Units that may wait; a caller beyond waits for a place.
const QUEUE: usize = 1_024;

/// Work on the connection beside the commits.
type WriterWork = Box<dyn for<'w> FnOnce(&'w mut WriterTask) -> PlainFuture<'w, ()> + Send>;

/// Request to the writer.
enum WriteRequest {
    Commit(Box<WriteJob>),
    Work(WriterWork),
    Close(oneshot::Sender<()>),
}

/// The queue, and the desk before it while nobody writes.
pub(super) struct WriteQueue {
    orders: mpsc::Sender<WriteRequest>,
    free: Arc<WriterSlot>,
    active: Arc<SnapshotCache>,
}

/// The place of a desk that nobody works at.
type WriterSlot = Mutex<Option<WriterTask>>;

impl WriteQueue {
    /// A writer with the connection that `options` just opened.
    pub(super) fn start(
        options: SqliteConnectOptions,
        connection: SqliteConnection,
        active: Arc<SnapshotCache>,
        checkpoints: Option<CheckpointTask>,
    ) -> Self {
        let (orders, queue) = mpsc::channel(QUEUE);
        let desk = WriterTask {
            queue,
            options,
            active: Arc::clone(&active),
            checkpoints,
            connection: Some(connection),
            ready: false,
        };
        Self {
            orders,
            free: Arc::new(Mutex::new(Some(desk))),
            active,
        }
    }

    /// Queues an order, and begins to write if nobody does.
    async fn send(&self, order: WriteRequest) -> Result<(), StoreError> {
        let sent = self.orders.send(order).await;
        sent.map_err(|_| StoreError::Closed)?;
        if let Some(desk) = self.free.lock().take() {
            let work = WriterTurn {
                desk: Some(desk),
                free: Arc::clone(&self.free),
            };
            // Of its own, since whoever asked may be gone before it is written.
            tokio::spawn(work.through());
        }
        Ok(())
    }

    pub(super) async fn commit(&self, unit: Unit, record: CommitRecord) -> CommitResult {
        let (job, answer) = WriteJob::new(unit, record, &self.active);
        if let Err(closed) = self.send(WriteRequest::Commit(Box::new(job))).await {
            return CommitResult::RolledBack(RollbackCause::Storage(closed.to_string()));
        }
        answer.await.unwrap_or(CommitResult::Unknown)
    }

    pub(super) async fn erase_rows(&self, unit: Unit) -> Result<ErasureReport, StoreError> {
        let active = Arc::clone(&self.active);
        self.work(|connection| {
            Box::pin(async move {
                active.forget(unit.user());
                let erased = erase::rows(connection, &unit).await;
                // Again: somebody may have read meanwhile.
                active.forget(unit.user());
                erased
            })
        })
        .await
    }

    pub(super) async fn scrub(&self) -> Result<(), StoreError> {
        self.work(|connection| Box::pin(erase::scrub(connection)))
            .await
    }

    /// Runs what writes rows beside the units: the first text that it gives.
    pub(super) async fn change(&self, ask: StoreQuery) -> Result<Option<String>, StoreError> {
        self.work(|connection| Box::pin(async move { change(connection, &ask).await }))
            .await
    }

    /// Works on the connection, after what was queued before. One on which something failed may hold
    /// an open transaction, and is given up.
    async fn work<T: Send + 'static>(
        &self,
        work: impl for<'c> FnOnce(&'c mut SqliteConnection) -> BackendFuture<'c, T> + Send + 'static,
    ) -> Result<T, StoreError> {
        let (sender, answer) = oneshot::channel();
        let work: WriterWork = Box::new(|writer| {
            Box::pin(async move {
                let done = match writer.connection().await {
                    Ok(connection) => work(connection).await,
                    Err(error) => Err(error.into()),
                };
                if done.is_err() {
                    writer.discard().await;
                }
                // Whoever asked may be gone.
                let _ = sender.send(done);
            })
        });
        self.send(WriteRequest::Work(work)).await?;
        answer.await.unwrap_or(Err(StoreError::Closed))
    }

    /// Writes what is queued, refuses what comes after, and closes the connection.
    pub(super) async fn close(&self) {
        let (sender, closed) = oneshot::channel();
        if self.send(WriteRequest::Close(sender)).await.is_ok() && closed.await.is_err() {
            tracing::error!("the writer did not end cleanly");
        }
    }
}

/// Somebody at the desk.
struct WriterTurn {
    desk: Option<WriterTask>,
    free: Arc<WriterSlot>,
}

impl WriterTurn {
    /// Works until nothing is queued.
    async fn through(mut self) {
        while let Some(desk) = &mut self.desk {
            if desk.serve().await == WriterNext::Closed {
                self.desk = None;
            } else if self.left() {
                return;
            }
        }
    }

    /// Leaves the desk, unless something came meanwhile. Who queues something later finds it free.
    fn left(&mut self) -> bool {
        let mut free = self.free.lock();
        let idle = |desk: &mut WriterTask| desk.queue.is_empty();
        *free = self.desk.take_if(idle);
        self.desk.is_none()
    }
}

impl Drop for WriterTurn {
    /// Broken off in the middle: the connection's state is not known, and it goes. Whoever waits
    /// for an answer is told that its fate isn't known either.
    fn drop(&mut self) {
        if let Some(mut desk) = self.desk.take() {
            desk.connection = None;
            *self.free.lock() = Some(desk);
        }
    }
}

/// State of a desk after some orders.
#[derive(Debug, PartialEq, Eq)]
enum WriterNext {
    More,
    Closed,
}

/// Task that writes, with a connection unless it broke.
struct WriterTask {
    queue: mpsc::Receiver<WriteRequest>,
    options: SqliteConnectOptions,
    active: Arc<SnapshotCache>,
    checkpoints: Option<CheckpointTask>,
    connection: Option<SqliteConnection>,
    /// Set when the connection was told how to write.
    ready: bool,
}

impl WriterTask {
    /// Carries out what is queued, as far as one group goes.
    async fn serve(&mut self) -> WriterNext {
        let mut jobs = Vec::new();
        for _ in 0..GROUP {
            match self.queue.try_recv() {
                Ok(WriteRequest::Commit(job)) => jobs.push(*job),
                // Orders keep their turn: what was queued before is written before.
                Ok(WriteRequest::Work(work)) => {
                    self.commit(std::mem::take(&mut jobs)).await;
                    work(self).await;
                }
                Ok(WriteRequest::Close(closed)) => {
                    self.commit(jobs).await;
                    self.close().await;
                    // Whoever asked may be gone.
                    let _ = closed.send(());
                    return WriterNext::Closed;
                }
                Err(_) => break,
            }
        }
        self.commit(jobs).await;
        WriterNext::More
    }

    /// Carries out what was queued before the end, and closes the connection.
    async fn close(&mut self) {
        self.queue.close();
        let mut jobs = Vec::new();
        while let Some(order) = self.queue.recv().await {
            match order {
                WriteRequest::Commit(job) => jobs.push(*job),
                WriteRequest::Work(work) => {
                    self.commit(std::mem::take(&mut jobs)).await;
                    work(self).await;
                }
                WriteRequest::Close(_) => {}
            }
        }
        self.commit(jobs).await;
        // The last connection to close takes the log with it.
        if let Some(checkpoints) = self.checkpoints.take() {
            checkpoints.end().await;
        }
        if let Some(connection) = self.connection.take()
            && let Err(error) = connection.close().await
        {
            tracing::warn!(%error, "the writer's connection did not close cleanly");
        }
    }

    async fn connection(&mut self) -> Result<&mut SqliteConnection, sqlx::Error> {
        let connection = match &mut self.connection {
            Some(connection) => connection,
            empty => {
                self.ready = false;
                empty.insert(self.options.connect().await?)
            }
        };
        if !self.ready {
            sqlx::query(sql::SETUP).execute(&mut *connection).await?;
            self.ready = true;
        }
        Ok(connection)
    }

    async fn commit(&mut self, jobs: Vec<WriteJob>) {
        if jobs.is_empty() {
            return;
        }
        let (active, units) = (Arc::clone(&self.active), jobs.len());
        let connection = match self.connection().await {
            Ok(connection) => connection,
            Err(error) => return group::refuse(jobs, &storage(&error)),
        };
        if !group::commit(connection, jobs, &active).await {
            self.discard().await;
        }
        if let Some(checkpoints) = &mut self.checkpoints {
            checkpoints.count(units);
        }
    }

    /// Gives up a connection whose state is not known; the next order opens another.
    async fn discard(&mut self) {
        if let Some(connection) = self.connection.take()
            && let Err(error) = connection.close().await
        {
            tracing::warn!(%error, "a broken connection did not close cleanly");
        }
    }
}

/// Runs what changes rows: the first text that it gives. One statement is a transaction by itself.
async fn change(
    connection: &mut SqliteConnection,
    ask: &StoreQuery,
) -> Result<Option<String>, StoreError> {
    if ask.of.then.is_empty() && !ask.of.sqlite.trim_end().trim_end_matches(';').contains(';') {
        measure::statement();
        let rows = bound(ask).fetch_all(&mut *connection).await?;
        let first = rows.first().map(|row| row.try_get(0));
        return Ok(first.transpose()?.flatten());
    }
    // What takes several statements erases something.
    erase::overwrite(connection).await?;
    // Begin and commit.
    (0..2).for_each(|_| measure::statement());
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    let first = all(&mut transaction, ask).await?;
    transaction.commit().await?;
    Ok(first)
}

/// Runs a statement and those that follow it: the first text that they give.
pub(super) async fn all(
    connection: &mut SqliteConnection,
    ask: &StoreQuery,
) -> Result<Option<String>, StoreError> {
    let mut first = None;
    for ask in std::iter::once(ask.clone()).chain(ask.of.then.iter().map(|of| ask.then(*of))) {
        measure::statement();
        let rows = bound(&ask).fetch_all(&mut *connection).await?;
        if let (None, Some(row)) = (&first, rows.first()) {
            first = row.try_get(0)?;
        }
    }
    Ok(first)
}
