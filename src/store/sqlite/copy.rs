//! Copies of the whole database: written while others write, opened to be checked, put in the
//! place of one that nobody has open.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteLockingMode};
use sqlx::{ConnectOptions, Row, SqliteConnection};

use super::readers::ReaderPool;
use super::writer::WriteQueue;
use super::{SqliteBackend, fault, reading, sql};
use crate::store::backend::{OpenError, StoreError, close};
use crate::store::snapshot_cache::SnapshotCache;

/// Longest wait for whoever has the database open.
const PATIENCE: Duration = Duration::from_secs(1);

/// Writes all of the database, as of one moment, into an empty file. On a connection of its own:
/// writers go on meanwhile.
pub(super) async fn write(options: &SqliteConnectOptions, file: &Path) -> Result<(), StoreError> {
    let name = file.to_str().ok_or_else(|| {
        StoreError::File(format!(
            "{} is not UTF-8: name another file",
            file.display()
        ))
    })?;
    let mut connection = options.clone().connect().await?;
    let written = sqlx::query(sql::COPY)
        .bind(name)
        .execute(&mut connection)
        .await;
    close(connection).await;
    match written {
        Ok(_) => Ok(()),
        Err(error) => Err(match fault::explain(&error, file) {
            Some(words) => StoreError::File(words),
            None => error.into(),
        }),
    }
}

impl SqliteBackend {
    /// Opens a copy that is nobody else's, to check it. It stays one file.
    pub(in crate::store) async fn open_copy(file: &Path) -> Result<Self, OpenError> {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .foreign_keys(true)
            .journal_mode(SqliteJournalMode::Delete)
            .busy_timeout(super::BUSY)
            .disable_statement_logging();
        let first = options.connect().await;
        let first = first.map_err(|error| super::open_fault(&error, file))?;
        let active = Arc::<SnapshotCache>::default();
        Ok(Self {
            // Nobody works on turns here.
            _mark: None,
            readers: ReaderPool::new(reading(options.clone())),
            writer: WriteQueue::start(options.clone(), first, Arc::clone(&active), None),
            active,
            options,
        })
    }
}

/// A database file that nobody else has open, and nobody else can open while this lives.
pub(in crate::store) struct ExclusiveFile {
    connection: SqliteConnection,
    /// Commits it holds.
    pub(in crate::store) commits: i64,
}

/// State of the place where a copy is to be put.
pub(in crate::store) enum CopyTarget {
    /// A database, with nobody else at it.
    Alone(ExclusiveFile),
    /// A database that another process has open.
    Open,
    /// No database, or a damaged one.
    Damaged,
}

impl ExclusiveFile {
    /// Tries to be alone with a file that is there.
    pub(in crate::store) async fn with(file: &Path) -> Result<CopyTarget, StoreError> {
        let options = SqliteConnectOptions::new()
            .filename(file)
            .locking_mode(SqliteLockingMode::Exclusive)
            .busy_timeout(PATIENCE)
            .disable_statement_logging();
        match Self::lock(&options).await {
            Ok(alone) => Ok(CopyTarget::Alone(alone)),
            Err(error) if fault::is_busy(&error) => Ok(CopyTarget::Open),
            Err(error) if fault::is_damaged(&error) => Ok(CopyTarget::Damaged),
            Err(error) => Err(match fault::explain(&error, file) {
                Some(words) => StoreError::File(words),
                None => error.into(),
            }),
        }
    }

    async fn lock(options: &SqliteConnectOptions) -> Result<Self, sqlx::Error> {
        let mut connection = options.connect().await?;
        // In exclusive mode the lock stays after the transaction.
        sqlx::query("BEGIN EXCLUSIVE; COMMIT")
            .execute(&mut connection)
            .await?;
        let row = sqlx::query(sql::HAS_COMMITS).fetch_one(&mut connection);
        let has: i64 = row.await?.try_get(0)?;
        let commits = if has == 0 {
            0
        } else {
            let row = sqlx::query(sql::COMMITS).fetch_one(&mut connection);
            row.await?.try_get(0)?
        };
        Ok(Self {
            connection,
            commits,
        })
    }

    /// Brings everything into the one file, so that it can be moved.
    pub(in crate::store) async fn gather(&mut self) -> Result<(), StoreError> {
        sqlx::query("PRAGMA journal_mode = DELETE")
            .execute(&mut self.connection)
            .await?;
        Ok(())
    }

    pub(in crate::store) async fn leave(self) {
        close(self.connection).await;
    }
}
