//! SQLite: one writer that commits in groups, a few readers, write-ahead log, full sync.
//!
//! A call to this driver wakes a thread, so calls are counted and not queries: a snapshot
//! is one call, and a group of commits one or two transactions, however many units are in it.

mod checkpoint;
mod copy;
mod erase;
mod fate;
mod fault;
mod group;
mod readers;
mod recovery;
pub(in crate::store) mod sql;
mod writer;

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use sqlx::sqlite::{SqliteConnectOptions, SqliteJournalMode, SqliteSynchronous};
use sqlx::{ConnectOptions, Connection, SqliteConnection};

use self::checkpoint::CheckpointTask;
pub(in crate::store) use self::copy::{CopyTarget, ExclusiveFile};
use self::readers::ReaderPool;
use self::writer::WriteQueue;
use super::backend::{BackendFuture, OpenError, PlainFuture, StoreBackend};
use super::changes::ChangeHub;
use super::erasure::ErasureReport;
use super::kind::DatabaseKind;
use super::migrations;
use super::query::{RowTexts, StoreQuery};
use super::record::{CommitRecord, CommitResult};
use super::snapshot_cache::SnapshotCache;
use super::unit::Unit;

/// Longest time a writer waits for another process to finish.
const BUSY: Duration = Duration::from_secs(5);

/// Pause between two looks at what other processes wrote.
const ELSEWHERE: Duration = Duration::from_secs(1);

/// Longest time a migration waits for another process to finish its own.
const MIGRATING: Duration = Duration::from_secs(60);

/// A database file, or one in memory.
pub(in crate::store) struct SqliteBackend {
    options: SqliteConnectOptions,
    readers: ReaderPool,
    writer: WriteQueue,
    active: Arc<SnapshotCache>,
    /// Says to other processes that this one has the file open; goes with it.
    _mark: Option<std::fs::File>,
}

impl SqliteBackend {
    /// Opens a database, creating it when missing.
    pub(in crate::store) async fn open(url: &str) -> Result<Self, OpenError> {
        if let Some(file) = file_of(url)? {
            make_private(&file);
        }
        Self::open_with(options(url)?).await
    }

    /// The same, but a commit returns before its pages are on the disk.
    #[cfg(feature = "simulator")]
    pub(in crate::store) async fn open_half_synced(url: &str) -> Result<Self, OpenError> {
        Self::open_with(options(url)?.synchronous(SqliteSynchronous::Normal)).await
    }

    async fn open_with(options: SqliteConnectOptions) -> Result<Self, OpenError> {
        let mut first = first(&options).await?;
        let mark = match on_disk(&options) {
            Some(file) => recovery::arrive(&mut first, file).await,
            None => None,
        };
        let active = Arc::<SnapshotCache>::default();
        let checkpoints = on_disk(&options).map(|_| CheckpointTask::start(options.clone()));
        Ok(Self {
            _mark: mark,
            readers: ReaderPool::new(reading(options.clone())),
            writer: WriteQueue::start(options.clone(), first, Arc::clone(&active), checkpoints),
            active,
            options,
        })
    }

    /// In one transaction that holds the write lock from its first statement on: of several
    /// processes that start at once one migrates, and the others find it done.
    async fn run_migrations(&self) -> Result<(), sqlx::Error> {
        let mut connection = connect(&self.options, MIGRATING).await?;
        let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
        migrations::SQLITE
            .run_direct(None, &mut *transaction, false)
            .await?;
        // A file that can't be written is opened all the same, for reading: found out here, and
        // not by the first user.
        sqlx::query(sql::WRITABLE)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
        connection.close().await
    }
}

/// Makes a database that is not there yet as an empty file that only its owner can read; SQLite
/// gives the files beside it the same rights. What can't be made, opening it will say.
fn make_private(file: &Path) {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let _ = options.open(file);
}

/// Opens the file. Two processes that turn a new file's log on at the same time can be in each
/// other's way without the driver waiting, so it is tried again.
async fn connect(
    options: &SqliteConnectOptions,
    patience: Duration,
) -> Result<SqliteConnection, sqlx::Error> {
    let began = Instant::now();
    let options = options.clone().busy_timeout(patience);
    loop {
        match options.connect().await {
            Err(error) if fault::is_busy(&error) && began.elapsed() < patience => {
                tokio::time::sleep(Duration::from_millis(10)).await;
            }
            done => return done,
        }
    }
}

/// Opens a connection beside those of a store.
pub(in crate::store) async fn connection(url: &str) -> Result<SqliteConnection, OpenError> {
    first(&options(url)?).await
}

async fn first(options: &SqliteConnectOptions) -> Result<SqliteConnection, OpenError> {
    let opened = connect(options, BUSY).await;
    opened.map_err(|error| open_fault(&error, options.get_filename()))
}

/// A database that can't be opened, with the fault and the way out where they are known.
fn open_fault(error: &sqlx::Error, file: &Path) -> OpenError {
    match fault::explain(error, file) {
        Some(words) => OpenError::File(words),
        None => OpenError::Connect(error.to_string().into()),
    }
}

/// The file that an address names; none for one in memory.
pub(super) fn file_of(url: &str) -> Result<Option<PathBuf>, OpenError> {
    let in_memory = url.contains(":memory:") || url.contains("mode=memory");
    let file = options(url)?.get_filename().to_owned();
    Ok((!in_memory).then_some(file))
}

fn options(url: &str) -> Result<SqliteConnectOptions, OpenError> {
    let fault = |error: sqlx::Error| OpenError::Connect(error.into());
    let options = SqliteConnectOptions::from_str(url)
        .map_err(fault)?
        .create_if_missing(true)
        .foreign_keys(true)
        .synchronous(SqliteSynchronous::Full)
        .busy_timeout(BUSY)
        .disable_statement_logging();
    if url.contains(":memory:") || url.contains("mode=memory") {
        // The file system in memory locks as a real one does; a shared cache would let
        // readers and the writer refuse each other.
        return Ok(options
            .in_memory(false)
            .shared_cache(false)
            .filename(private_name())
            .vfs("memdb"));
    }
    // A task of its own copies the log back (see `checkpoint`); the limit is for when that does
    // not come to it. The cache (KiB) must hold a group's pages, or they are written to the log
    // twice. What a refused statement would take back is kept in memory: as a file it would be
    // written as often as the log itself.
    Ok(options
        .journal_mode(SqliteJournalMode::Wal)
        .pragma("wal_autocheckpoint", "8000")
        .pragma("cache_size", "-5000")
        .pragma("temp_store", "memory"))
}

/// The database's file, unless it is in memory.
fn on_disk(options: &SqliteConnectOptions) -> Option<&Path> {
    // The names in memory lie in no directory that is there.
    let file = options.get_filename();
    file.exists().then_some(file)
}

/// Readers share the operating system's cache and need little of their own.
fn reading(options: SqliteConnectOptions) -> SqliteConnectOptions {
    options
        .pragma("query_only", "on")
        .pragma("cache_size", "-2000")
}

fn private_name() -> PathBuf {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    Path::new("/").join(format!("candor-{number}"))
}

impl StoreBackend for SqliteBackend {
    fn kind(&self) -> DatabaseKind {
        DatabaseKind::Sqlite
    }

    fn migrate(&self) -> BackendFuture<'_, (), OpenError> {
        Box::pin(async {
            let done = self.run_migrations().await;
            let file = self.options.get_filename();
            done.map_err(|error| match fault::explain(&error, file) {
                Some(words) => OpenError::File(words),
                None => OpenError::Migrate(error.into()),
            })
        })
    }

    fn close(&self) -> PlainFuture<'_, ()> {
        Box::pin(async {
            self.writer.close().await;
            self.readers.close().await;
        })
    }

    fn ask<'a>(&'a self, ask: &'a StoreQuery) -> BackendFuture<'a, RowTexts> {
        Box::pin(self.readers.ask(ask))
    }

    fn change<'a>(&'a self, ask: &'a StoreQuery) -> BackendFuture<'a, Option<String>> {
        Box::pin(self.writer.change(ask.clone()))
    }

    fn cache(&self) -> &SnapshotCache {
        &self.active
    }

    fn commit(&self, unit: Unit, record: CommitRecord) -> PlainFuture<'_, CommitResult> {
        Box::pin(self.writer.commit(unit, record))
    }

    fn erase_rows(&self, unit: Unit) -> BackendFuture<'_, ErasureReport> {
        Box::pin(self.writer.erase_rows(unit))
    }

    fn scrub(&self) -> BackendFuture<'_, ()> {
        Box::pin(self.writer.scrub())
    }

    fn patience(&self) -> Duration {
        ELSEWHERE
    }

    /// Other processes look into the file by themselves.
    fn tell(&self, _: &str) {}

    fn listen(&self, _: &Arc<ChangeHub>) {}

    fn copy_to<'a>(&'a self, file: &'a Path) -> BackendFuture<'a, ()> {
        Box::pin(copy::write(&self.options, file))
    }
}
