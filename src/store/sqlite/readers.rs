//! A few connections that only read.
//!
//! Not the driver's pool: that one asks a connection whether it is alive whenever it is
//! given back, which here costs as much as the reading itself.

use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteConnectOptions, SqliteRow};
use sqlx::{ConnectOptions, Connection, Row, Sqlite, SqliteConnection};
use tokio::sync::{Mutex, MutexGuard, Semaphore, SemaphorePermit};

use super::unavailable;
use crate::store::backend::StoreError;
use crate::store::measure;

/// Readers at once; each is a thread of its own.
const READERS: usize = 4;

/// The connections, opened when they are first needed.
pub(super) struct ReaderPool {
    options: SqliteConnectOptions,
    slots: [Mutex<Option<SqliteConnection>>; READERS],
    places: Semaphore,
}

impl ReaderPool {
    pub(super) fn new(options: SqliteConnectOptions) -> Self {
        Self {
            options,
            slots: std::array::from_fn(|_| Mutex::new(None)),
            places: Semaphore::new(READERS),
        }
    }

    /// Takes a reader, waiting for one when all are busy.
    pub(super) async fn take(&self) -> Result<LentReader<'_>, StoreError> {
        let place = self
            .places
            .acquire()
            .await
            .map_err(|_| StoreError::Closed)?;
        // There are as many places as slots, and a slot is freed before its place.
        let mut free = self.slots.iter().filter_map(|slot| slot.try_lock().ok());
        Ok(LentReader {
            slot: free.next().ok_or(StoreError::Closed)?,
            options: &self.options,
            _place: place,
        })
    }

    /// Refuses what comes after, waits for what is being read, and closes.
    pub(super) async fn close(&self) {
        self.places.close();
        for slot in &self.slots {
            let Some(connection) = slot.lock().await.take() else {
                continue;
            };
            if let Err(error) = connection.close().await {
                tracing::debug!(%error, "a reader did not close cleanly");
            }
        }
    }
}

/// A reader on loan. Its connection outlives a dropped query: the driver's thread finishes
/// that one first and takes the next.
pub(super) struct LentReader<'a> {
    slot: MutexGuard<'a, Option<SqliteConnection>>,
    options: &'a SqliteConnectOptions,
    _place: SemaphorePermit<'a>,
}

/// A query with its arguments.
pub(super) type BoundQuery = Query<'static, Sqlite, SqliteArguments>;

impl LentReader<'_> {
    /// The one row that a query gives.
    pub(super) async fn row(&mut self, query: BoundQuery) -> Result<SqliteRow, StoreError> {
        let connection = match &mut *self.slot {
            Some(connection) => connection,
            empty => empty.insert(self.options.connect().await.map_err(unavailable)?),
        };
        measure::statement();
        let row = query.fetch_one(connection).await;
        if let Err(error) = &row
            && error.as_database_error().is_none()
        {
            // The driver failed, not the statement.
            *self.slot = None;
        }
        row.map_err(unavailable)
    }

    /// The text that a query gives, if it gives one.
    pub(super) async fn optional(
        &mut self,
        query: BoundQuery,
    ) -> Result<Option<String>, StoreError> {
        self.row(query).await?.try_get(0).map_err(unavailable)
    }

    /// The text that a query always gives.
    pub(super) async fn text(&mut self, query: BoundQuery) -> Result<String, StoreError> {
        self.row(query).await?.try_get(0).map_err(unavailable)
    }
}
