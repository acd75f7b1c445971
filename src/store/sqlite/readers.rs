//! A few connections that only read.
//!
//! Not the driver's pool: that one asks a connection whether it is alive whenever it is
//! given back, which here costs as much as the reading itself.

use sqlx::query::Query;
use sqlx::sqlite::{SqliteArguments, SqliteConnectOptions};
use sqlx::{ConnectOptions, Row, Sqlite, SqliteConnection};
use tokio::sync::{Mutex, Semaphore};

use crate::store::backend::{StoreError, close};
use crate::store::measure;
use crate::store::query::{QueryArgument, RowTexts, StoreQuery};

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

    /// Reads, on whatever reader is free: the texts of the first row. A connection outlives a dropped
    /// query: the driver's thread finishes that one first and takes the next.
    pub(super) async fn ask(&self, ask: &StoreQuery) -> Result<RowTexts, StoreError> {
        let place = self.places.acquire().await;
        let _place = place.map_err(|_| StoreError::Closed)?;
        // There are as many places as slots, and a slot is freed before its place.
        let mut free = self.slots.iter().filter_map(|slot| slot.try_lock().ok());
        let mut slot = free.next().ok_or(StoreError::Closed)?;
        let connection = match &mut *slot {
            Some(connection) => connection,
            empty => empty.insert(self.options.connect().await?),
        };
        measure::statement();
        let row = bound(ask).fetch_optional(connection).await;
        if let Err(error) = &row
            && error.as_database_error().is_none()
        {
            // The driver failed, not the statement.
            *slot = None;
        }
        let Some(row) = row? else {
            return Ok(RowTexts::new());
        };
        let texts = (0..row.len()).map(|column| row.try_get(column));
        Ok(texts.collect::<Result<_, _>>()?)
    }

    /// Refuses what comes after, waits for what is being read, and closes.
    pub(super) async fn close(&self) {
        self.places.close();
        for slot in &self.slots {
            if let Some(connection) = slot.lock().await.take() {
                close(connection).await;
            }
        }
    }
}

/// The driver's form of a statement and its arguments.
pub(super) fn bound(ask: &StoreQuery) -> Query<'static, Sqlite, SqliteArguments> {
    let arguments = ask.arguments.iter();
    arguments.fold(
        sqlx::query(ask.of.sqlite),
        |query, argument| match argument {
            QueryArgument::Text(text) => query.bind(text.clone()),
            QueryArgument::Number(number) => query.bind(*number),
            QueryArgument::Texts(texts) => query.bind(serde_json::json!(texts).to_string()),
        },
    )
}
