//! The store's face, and what a database must be able to do behind it.
//!
//! Holds no SQL: `sql` does, and a backend that of its own way to commit. Every call but the operator's names the user whose data it
//! reads or writes; what belongs to another user is as if it did not exist.

use std::fmt;
use std::future::Future;
use std::path::Path;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use sqlx::Connection;

use super::changes::ChangeHub;
use super::erasure::ErasureReport;
use super::kind::DatabaseKind;
use super::migrations;
use super::paging::{self, TaskCursor};
use super::postgres::PostgresBackend;
use super::query::{RowTexts, StoreQuery};
use super::read::{ConversationHead, PurgeReport, ReceiptEntry, TaskPage, TaskQuery};
use super::receipt::Receipt;
use super::record::{CommitRecord, CommitResult, CommittedUnit};
use super::rows::{self, stamp};
use super::snapshot::{StoredMessage, UserSnapshot};
use super::snapshot_cache::SnapshotCache;
use super::sql::{SqlText, talk};
use super::sqlite::{self, SqliteBackend};
use super::unit::Unit;
use super::{blocking, snapshot};
use crate::domain::{
    AttemptId, ConversationId, MessageId, ReceiptId, Task, TaskId, TurnId, UserId,
};

/// Time for which a deleted task can be brought back.
const KEPT: TimeDelta = TimeDelta::days(30);

/// Time for which an idempotency key is remembered.
const REMEMBERED: TimeDelta = TimeDelta::hours(24);

/// Rows of a kind that one step of a purge removes: a turn should not wait for more.
const PURGED: u32 = 500;

/// Reason why a database can't be opened or migrated.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The address is of no kind that is known.
    #[error("\"{0}\" is not a database address: sqlite: and postgres: are accepted")]
    Url(String),
    /// The database can't be reached or created.
    #[error("the database can't be opened")]
    Connect(#[source] ErrorSource),
    /// The database's file can't be used; the words say why and what to do.
    #[error("{0}")]
    File(String),
    /// A migration failed.
    #[error("the database can't be migrated")]
    Migrate(#[source] ErrorSource),
}

/// Reason why something could not be read.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The database can't be reached, or refused.
    #[error("the database can't be read")]
    Unavailable(#[source] ErrorSource),
    /// A row holds what was never written.
    #[error("{table} {id} is corrupt: {reason}")]
    Corrupt {
        /// The table.
        table: &'static str,
        /// The row.
        id: String,
        /// Fault of the row.
        reason: String,
    },
    /// A cursor that no page gave out.
    #[error("the cursor is not one that a page gave out")]
    Cursor,
    /// The store was closed.
    #[error("the store is closed")]
    Closed,
    /// The database's file, or one beside it, can't be used; the words say why and what to do.
    #[error("{0}")]
    File(String),
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        Self::Unavailable(error.into())
    }
}

/// A value that can't be handed over as JSON, or an answer that is none.
impl From<serde_json::Error> for StoreError {
    fn from(error: serde_json::Error) -> Self {
        Self::Unavailable(error.into())
    }
}

/// Error that lies below one of the store.
pub type ErrorSource = Box<dyn std::error::Error + Send + Sync>;

/// State of the database: whether turns can be served.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StoreHealth {
    /// Migrations that this program knows and the database has not seen.
    pub pending_migrations: usize,
}

impl StoreHealth {
    /// Tells whether the database stands as this program expects it.
    pub const fn is_ready(&self) -> bool {
        self.pending_migrations == 0
    }
}

/// A future of a backend that has only one way to end.
pub(in crate::store) type PlainFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// A future of a backend.
pub(in crate::store) type BackendFuture<'a, T, E = StoreError> = PlainFuture<'a, Result<T, E>>;

/// Closes a connection. Nobody waits for how that ends.
pub(in crate::store) async fn close(connection: impl Connection) {
    if let Err(error) = connection.close().await {
        tracing::debug!(%error, "a connection did not close cleanly");
    }
}

/// Operations of a database. Its connections and its transactions are its own affair; that a unit
/// is written wholly or not at all, and checked inside the transaction, is not.
pub(in crate::store) trait StoreBackend: Send + Sync {
    fn kind(&self) -> DatabaseKind;
    fn migrate(&self) -> BackendFuture<'_, (), OpenError>;
    fn close(&self) -> PlainFuture<'_, ()>;
    /// Reads: the texts of the first row.
    fn ask<'a>(&'a self, ask: &'a StoreQuery) -> BackendFuture<'a, RowTexts>;
    /// Writes rows that no unit is checked against, in a transaction of its own: the first text, none
    /// where nothing fits.
    fn change<'a>(&'a self, ask: &'a StoreQuery) -> BackendFuture<'a, Option<String>>;
    /// Memory of users who are talking.
    fn cache(&self) -> &SnapshotCache;
    fn commit(&self, unit: Unit, record: CommitRecord) -> PlainFuture<'_, CommitResult>;

    // Erasing words, telling of changes, and copies of the whole.

    /// Erases the rows that hold words and tells the unit's user's log, in one transaction.
    fn erase_rows(&self, unit: Unit) -> BackendFuture<'_, ErasureReport>;
    /// Leaves nothing of erased rows in the database's own files, as far as that is in its hands.
    fn scrub(&self) -> BackendFuture<'_, ()>;
    /// Returns how long to wait between two looks at what other processes wrote.
    fn patience(&self) -> Duration;
    /// Tells other processes that something changed for a user, or [`WORK`](super::changes::WORK); it may
    /// get lost.
    fn tell(&self, word: &str);
    /// Begins to wake the hub's readers when other processes tell.
    fn listen(&self, hub: &Arc<ChangeHub>);
    /// Writes all of it, as of one moment, into a file that is empty.
    fn copy_to<'a>(&'a self, file: &'a Path) -> BackendFuture<'a, ()>;
}

/// The one place where what is true is kept. Cheap to clone; all clones are the same store.
///
/// Whatever reads fails with [`StoreError::Unavailable`] where the database can't be asked, and
/// with [`StoreError::Corrupt`] where a row holds what was never written; whatever writes beside a
/// commit fails with the former, and has written nothing then. A method tells of its errors where
/// there are others.
#[derive(Clone)]
pub struct Store {
    pub(in crate::store) backend: Arc<dyn StoreBackend>,
    pub(in crate::store) hub: Arc<ChangeHub>,
}

impl fmt::Debug for Store {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Store")
    }
}

impl Store {
    /// Opens a database: `sqlite://candor.db`, `sqlite:path`, `sqlite::memory:` or
    /// `postgres://user:password@host/database`. A missing file is created, a missing
    /// PostgreSQL database is not. Migrations are not run: see [`Store::migrate`].
    ///
    /// # Errors
    /// [`OpenError::Url`] for an address of another kind, [`OpenError::Connect`] when the
    /// database can't be reached.
    pub async fn open(url: &str) -> Result<Self, OpenError> {
        let backend: Arc<dyn StoreBackend> = match DatabaseKind::of(url)? {
            DatabaseKind::Sqlite => Arc::new(SqliteBackend::open(url).await?),
            DatabaseKind::Postgres => Arc::new(PostgresBackend::open(url).await?),
        };
        let hub = Arc::default();
        Ok(Self { backend, hub })
    }

    /// Opens a database that is there; nothing is made. As [`Store::open`] otherwise.
    ///
    /// # Errors
    /// [`OpenError::File`] when there is no such file, else as [`Store::open`].
    pub async fn open_existing(url: &str) -> Result<Self, OpenError> {
        if url.starts_with("sqlite:")
            && let Some(file) = sqlite::file_of(url)?
            && !file.exists()
        {
            let words = format!(
                "there is no database {}: is DATABASE_URL right?",
                file.display()
            );
            return Err(OpenError::File(words));
        }
        Self::open(url).await
    }

    /// Returns the backend behind the face.
    pub(in crate::store) fn backend(&self) -> &dyn StoreBackend {
        &*self.backend
    }

    /// Brings the tables up to what this program expects.
    ///
    /// # Errors
    /// [`OpenError::Migrate`] when a migration fails or was changed after it ran.
    pub async fn migrate(&self) -> Result<(), OpenError> {
        self.backend.migrate().await
    }

    /// Tells whether the database answers, and whether its migrations are current.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when it does not answer.
    pub async fn health(&self) -> Result<StoreHealth, StoreError> {
        let applied = self.applied().await?;
        let known = migrations::of(self.backend.kind()).iter();
        let pending = known.filter(|known| !applied.contains(&known.version));
        Ok(StoreHealth {
            pending_migrations: pending.count(),
        })
    }

    /// Writes what was handed in, refuses what comes after, and closes the database.
    pub async fn close(&self) {
        self.backend.close().await;
    }

    /// One consistent reading of what a turn starts from. A conversation of another user is
    /// as if it did not exist.
    pub async fn load(
        &self,
        user: &UserId,
        conversation: Option<ConversationId>,
        key: Option<&str>,
    ) -> Result<UserSnapshot, StoreError> {
        let ask = StoreQuery::of(talk::LOAD, user)
            .optional(conversation.map(|id| id.to_string()))
            .optional(key);
        let (snapshot, stand) = snapshot::parse(user, &self.backend.ask(&ask).await?).await?;
        self.backend.cache().learn(&snapshot, stand);
        Ok(snapshot)
    }

    /// Returns what [`Store::load`] gave and this process has written since, if it is remembered.
    /// It may be out of date where other processes write too: what is decided on it names it in
    /// [`CommitRecord::recalled`], and is not written then.
    pub fn recall(
        &self,
        user: &UserId,
        conversation: Option<ConversationId>,
    ) -> Option<UserSnapshot> {
        self.backend.cache().recall(user, conversation)
    }

    /// Writes a unit and its record in one transaction, or nothing.
    ///
    /// Inside the transaction it is checked that no task, conversation, key or receipt
    /// moved since the snapshot. The audit log is told the record's events, but the replies,
    /// then one event per receipt, then the replies. Dropping the future does not stop a
    /// commit that has begun.
    pub async fn commit(&self, unit: Unit, record: CommitRecord) -> CommitResult {
        let user = unit.user().clone();
        let reminds = unit.sets_reminder();
        let end = self.measured(self.backend.commit(unit, record)).await;
        if !matches!(end, CommitResult::RolledBack(_)) {
            self.announce(&user);
            if reminds {
                self.tell_of_work();
            }
        }
        end
    }

    /// Returns what became of a commit whose fate was unknown: its receipts, or none if nothing was
    /// written. Once this has said none, that attempt can't be written any more.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`]: it is still unknown.
    pub async fn attempt(
        &self,
        user: &UserId,
        attempt: AttemptId,
    ) -> Result<Option<CommittedUnit>, StoreError> {
        let of = |statement| StoreQuery::of(statement, user).text(attempt.to_string());
        self.change(&of(talk::SETTLE)).await?;
        if self.optional(&of(talk::SETTLED)).await?.is_none() {
            return Ok(None);
        }
        let entries = rows::entries(user, &self.text(&of(talk::ATTEMPT)).await?)?;
        let receipts = entries.into_iter().map(|entry| entry.receipt).collect();
        Ok(Some(CommittedUnit::new(receipts)))
    }

    /// The newest receipts, newest first, of one conversation or of all.
    pub async fn history(
        &self,
        user: &UserId,
        conversation: Option<ConversationId>,
        limit: u32,
    ) -> Result<Vec<ReceiptEntry>, StoreError> {
        let ask = match conversation {
            None => StoreQuery::of(talk::HISTORY, user).number(limit),
            Some(id) => StoreQuery::of(talk::HISTORY_OF_CONVERSATION, user)
                .number(limit)
                .text(id.to_string()),
        };
        rows::entries(user, &self.text(&ask).await?)
    }

    /// Returns what "undo" takes back: the changes, neither undone nor undos themselves, of the
    /// conversation's latest turn that has any; newest first.
    pub async fn latest_undoable(
        &self,
        user: &UserId,
        conversation: ConversationId,
    ) -> Result<Vec<Receipt>, StoreError> {
        let entries = self.receipts(talk::UNDOABLE, user, conversation).await?;
        Ok(entries.into_iter().map(|entry| entry.receipt).collect())
    }

    /// One receipt.
    pub async fn receipt(
        &self,
        user: &UserId,
        id: ReceiptId,
    ) -> Result<Option<ReceiptEntry>, StoreError> {
        let entries = self.receipts(talk::RECEIPT, user, id).await?;
        Ok(entries.into_iter().next())
    }

    /// All receipts of one turn, oldest first.
    pub async fn turn_receipts(
        &self,
        user: &UserId,
        turn: TurnId,
    ) -> Result<Vec<ReceiptEntry>, StoreError> {
        self.receipts(talk::TURN, user, turn).await
    }

    /// The receipts that belong to one thing of the user's.
    async fn receipts(
        &self,
        of: SqlText,
        user: &UserId,
        id: impl fmt::Display,
    ) -> Result<Vec<ReceiptEntry>, StoreError> {
        let ask = StoreQuery::of(of, user).text(id.to_string());
        rows::entries(user, &self.text(&ask).await?)
    }

    /// Tasks, newest first, all or a page of them.
    ///
    /// # Errors
    /// [`StoreError::Cursor`] for a cursor that no page gave out, [`StoreError::Unavailable`]
    /// or [`StoreError::Corrupt`].
    pub async fn tasks(&self, user: &UserId, query: &TaskQuery) -> Result<TaskPage, StoreError> {
        let before = query.cursor.as_deref().map(TaskCursor::parse).transpose()?;
        let status = |completed| if completed { "completed" } else { "pending" };
        let ask = StoreQuery::of(talk::TASKS, user)
            .optional(query.completed.map(status))
            .optional(before.map(|cursor| stamp(cursor.created_at)))
            .optional(before.map(|cursor| cursor.id.to_string()))
            .limit(paging::limit(query));
        let tasks = blocking::tasks(user, self.text(&ask).await?).await?;
        paging::page(tasks, query).await
    }

    /// One task, unless it is deleted.
    pub async fn task(&self, user: &UserId, id: TaskId) -> Result<Option<Task>, StoreError> {
        let ask = StoreQuery::of(talk::TASK, user).text(id.to_string());
        Ok(rows::tasks(user, &self.text(&ask).await?)?.pop())
    }

    /// Of these tasks, those that are deleted and can still be brought back.
    pub async fn deleted_tasks(
        &self,
        user: &UserId,
        among: &[TaskId],
    ) -> Result<Vec<Task>, StoreError> {
        let ask = StoreQuery::of(talk::DELETED_TASKS, user).texts(among);
        blocking::tasks(user, self.text(&ask).await?).await
    }

    /// The newest `limit` lines of a conversation, or of what was said before a line; oldest
    /// first. None when there is no such conversation.
    pub async fn messages(
        &self,
        user: &UserId,
        conversation: ConversationId,
        before: Option<MessageId>,
        limit: u32,
    ) -> Result<Option<Vec<StoredMessage>>, StoreError> {
        let ask = StoreQuery::of(talk::MESSAGES, user)
            .text(conversation.to_string())
            .optional(before.map(|id| id.to_string()))
            .number(limit);
        let Some(text) = self.optional(&ask).await? else {
            return Ok(None);
        };
        let mut messages: Vec<StoredMessage> = rows::all("messages", &text)?;
        messages.reverse();
        Ok(Some(messages))
    }

    /// All conversations, the one that was last active first.
    pub async fn conversations(&self, user: &UserId) -> Result<Vec<ConversationHead>, StoreError> {
        let ask = StoreQuery::of(talk::CONVERSATIONS, user);
        self.list("conversations", &ask).await
    }

    /// Removes for good what was deleted more than thirty days ago, and idempotency keys
    /// older than a day: in steps, so that no turn waits long. Of several processes over one
    /// PostgreSQL one does it, and the others find nothing to do.
    pub async fn purge(&self, now: DateTime<Utc>) -> Result<PurgeReport, StoreError> {
        let mut all = PurgeReport::default();
        loop {
            let step = PurgeReport {
                tasks: self.purge_step(talk::PURGE_TASKS, now - KEPT).await?,
                keys: self.purge_step(talk::PURGE_KEYS, now - REMEMBERED).await?,
            };
            all.tasks += step.tasks;
            all.keys += step.keys;
            if step.tasks.max(step.keys) < u64::from(PURGED) {
                return Ok(all);
            }
        }
    }

    async fn purge_step(&self, of: SqlText, before: DateTime<Utc>) -> Result<u64, StoreError> {
        let ask = StoreQuery::new(of).text(stamp(before)).number(PURGED);
        let gone = self.change(&ask).await?;
        Ok(gone.and_then(|gone| gone.parse().ok()).unwrap_or_default())
    }
}
