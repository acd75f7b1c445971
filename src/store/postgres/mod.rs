//! PostgreSQL: several processes over one database.
//!
//! A commit is one round trip, shared with others that wait: a statement that writes everything
//! if the user's rows still stand as this process remembers them. Where it remembers nothing it is
//! two: what the commit is checked against comes first. Behind a pooler that gives each transaction another session
//! (`statement-cache-capacity=0` in the address says so) nothing outlives its transaction:
//! no named statement, no setting, no lock.

mod ask;
mod baseline;
mod commit;
mod connections;
mod delegation;
mod erase;
mod fault;
mod keys;
mod migrations;
mod notices;
mod orders;
mod read;
mod recovery;
mod reminders;
mod sql;
mod together;
mod tree;

use std::collections::HashMap;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection, Executor, PgConnection};

use self::ask::SqlQuery;
pub(in crate::store) use self::baseline::BaselineSession;
use self::commit::UserQueues;
use self::connections::{ConnectionPool, SessionTrust};
use self::migrations::MIGRATIONS;
use self::notices::ChangeNotices;
use self::together::CommitLanes;
use super::backend::{
    BackendFuture, KEPT, OpenError, PURGED, PlainFuture, REMEMBERED, ReceiptQuery, StoreBackend,
    StoreError, StoreHealth, UserSeq,
};
use super::changes::{ChangeHub, CommittedChange};
use super::copies;
use super::erasure::ErasureReport;
use super::keys::{KeyWrite, QuotaOutcome, UseQuota};
use super::open::CutTurn;
use super::paging::TaskSlice;
use super::read::{AuditFilter, ConversationHead, PurgeReport, ReceiptEntry};
use super::record::{CommitRecord, CommitResult, CommittedUnit, UnknownCommit};
use super::rows::{RawEvent, stamp};
use super::snapshot::{StoredMessage, UserSnapshot};
use super::snapshot_cache::SnapshotCache;
use super::unit::Unit;
use crate::audit;
use crate::domain::{
    AttemptId, ConversationId, MessageId, ReceiptId, Task, TaskId, TurnId, UserId,
};
use crate::telemetry::QueueDepths;

/// Parameter in an address that tells of a pooler that gives each transaction another session.
const SHARED: &str = "statement-cache-capacity=0";

/// A database on a server.
pub(in crate::store) struct PostgresBackend {
    inner: Arc<PostgresParts>,
}

struct PostgresParts {
    connections: Arc<ConnectionPool>,
    together: Arc<CommitLanes>,
    queues: UserQueues,
    notices: ChangeNotices,
    active: SnapshotCache,
    /// The connection on which other processes are told, between two times.
    teller: tokio::sync::Mutex<Option<PgConnection>>,
}

impl PostgresBackend {
    /// Opens a database that is there.
    pub(in crate::store) async fn open(url: &str) -> Result<Self, OpenError> {
        let (options, sessions) = address(url)?;
        let connections = Arc::new(ConnectionPool::new(options, sessions));
        let store = Self {
            inner: Arc::new(PostgresParts {
                together: CommitLanes::new(Arc::clone(&connections)),
                connections,
                queues: UserQueues::default(),
                notices: ChangeNotices::default(),
                active: SnapshotCache::default(),
                teller: tokio::sync::Mutex::default(),
            }),
        };
        let first = store.connections().text(&SqlQuery::new(sql::DURABLE)).await;
        match first {
            Ok(durable) if durable == "off" => tracing::warn!(
                "the database server runs with fsync or full_page_writes off: a power cut can \
                 take back what was acknowledged"
            ),
            Ok(_) => {}
            Err(StoreError::Unavailable(cause)) => return Err(OpenError::Connect(cause)),
            Err(error) => return Err(OpenError::Connect(error.into())),
        }
        Ok(store)
    }

    fn connections(&self) -> &ConnectionPool {
        &self.inner.connections
    }

    /// In one transaction, with a lock that ends with it: of several processes that start at
    /// once one migrates, and a pooler may stand in between.
    async fn run_migrations(&self) -> Result<(), sqlx::Error> {
        let mut connection = self.connections().connect().await?;
        let mut transaction = connection.begin_with(sql::BEGIN_MIGRATIONS).await?;
        MIGRATIONS
            .run_direct(None, &mut *transaction, false)
            .await?;
        transaction
            .execute(sqlx::raw_sql(sql::END_MIGRATIONS))
            .await?;
        transaction.commit().await?;
        connection.close().await
    }
}

/// Reads how connections to an address are opened, and what their sessions are.
fn address(url: &str) -> Result<(PgConnectOptions, SessionTrust), OpenError> {
    let query = url.split_once('?').map_or("", |(_, query)| query);
    let sessions = if query.split('&').any(|part| part == SHARED) {
        SessionTrust::Shared
    } else {
        SessionTrust::Own
    };
    // Poolers refuse settings at the start of a session that they do not know.
    let options = PgConnectOptions::from_str(url)
        .map_err(|error| OpenError::Connect(error.into()))?
        .extra_float_digits(None)
        .disable_statement_logging();
    let options = match options.get_application_name() {
        Some(_) => options,
        None => options.application_name("candor"),
    };
    Ok((options, sessions))
}

fn unavailable(error: sqlx::Error) -> StoreError {
    StoreError::Unavailable(error.into())
}

impl StoreBackend for PostgresBackend {
    fn migrate(&self) -> BackendFuture<'_, (), OpenError> {
        Box::pin(async {
            let done = self.run_migrations().await;
            done.map_err(|error| OpenError::Migrate(error.into()))
        })
    }

    fn kind(&self) -> &'static str {
        "postgresql"
    }

    fn waiting(&self) -> BackendFuture<'_, QueueDepths> {
        Box::pin(async { self.connections().waiting().await })
    }

    fn health(&self) -> BackendFuture<'_, StoreHealth> {
        Box::pin(async {
            let applied = self.connections().migrations().await?;
            let known = MIGRATIONS.iter();
            let pending = known.filter(|known| !applied.contains(&known.version));
            Ok(StoreHealth {
                pending_migrations: pending.count(),
            })
        })
    }

    fn close(&self) -> PlainFuture<'_, ()> {
        Box::pin(async {
            self.connections().close().await;
            notices::close(&self.inner).await;
        })
    }

    fn load<'a>(
        &'a self,
        user: &'a UserId,
        conversation: Option<ConversationId>,
        key: Option<&'a str>,
    ) -> BackendFuture<'a, UserSnapshot> {
        Box::pin(async move {
            let (snapshot, stand) = self.connections().load(user, conversation, key).await?;
            self.inner.active.learn(&snapshot, stand);
            Ok(snapshot)
        })
    }

    fn recall(&self, user: &UserId, conversation: Option<ConversationId>) -> Option<UserSnapshot> {
        self.inner.active.recall(user, conversation)
    }

    /// On a task of its own: whoever asked may be gone before it is written.
    fn commit(&self, unit: Unit, record: CommitRecord) -> PlainFuture<'_, CommitResult> {
        let attempt = unit.attempt();
        let inner = Arc::clone(&self.inner);
        let written = tokio::spawn(async move {
            commit::commit(
                &inner.connections,
                &inner.together,
                &inner.queues,
                &inner.active,
                (unit, record),
            )
            .await
        });
        Box::pin(async move {
            written.await.unwrap_or_else(|error| {
                tracing::error!(%error, %attempt, "a commit's fate is unknown");
                CommitResult::Unknown(UnknownCommit::new(attempt))
            })
        })
    }

    fn attempt<'a>(
        &'a self,
        user: &'a UserId,
        attempt: AttemptId,
    ) -> BackendFuture<'a, Option<CommittedUnit>> {
        Box::pin(async move {
            let entries = self.connections().attempt(user, attempt).await?;
            let receipts =
                |entries: Vec<ReceiptEntry>| entries.into_iter().map(|entry| entry.receipt);
            Ok(entries.map(|entries| CommittedUnit::new(receipts(entries).collect())))
        })
    }

    fn receipts<'a>(
        &'a self,
        user: &'a UserId,
        query: ReceiptQuery,
    ) -> BackendFuture<'a, Vec<ReceiptEntry>> {
        Box::pin(self.connections().receipts(user, query))
    }

    fn tasks<'a>(&'a self, user: &'a UserId, slice: &'a TaskSlice) -> BackendFuture<'a, Vec<Task>> {
        Box::pin(self.connections().tasks(user, slice))
    }

    fn task<'a>(&'a self, user: &'a UserId, id: TaskId) -> BackendFuture<'a, Option<Task>> {
        Box::pin(self.connections().task(user, id))
    }

    fn deleted_tasks<'a>(
        &'a self,
        user: &'a UserId,
        among: &'a [TaskId],
    ) -> BackendFuture<'a, Vec<Task>> {
        Box::pin(self.connections().deleted_tasks(user, among))
    }

    fn messages<'a>(
        &'a self,
        user: &'a UserId,
        conversation: ConversationId,
        before: Option<MessageId>,
        limit: u32,
    ) -> BackendFuture<'a, Option<Vec<StoredMessage>>> {
        Box::pin(
            self.connections()
                .messages(user, conversation, before, limit),
        )
    }

    fn conversations<'a>(&'a self, user: &'a UserId) -> BackendFuture<'a, Vec<ConversationHead>> {
        Box::pin(self.connections().conversations(user))
    }

    fn audit_events<'a>(&'a self, filter: &'a AuditFilter) -> BackendFuture<'a, Vec<RawEvent>> {
        Box::pin(self.connections().audit_events(filter))
    }

    fn audit_head<'a>(&'a self, user: &'a UserId) -> BackendFuture<'a, Option<audit::ChainHead>> {
        Box::pin(self.connections().audit_head(user))
    }

    fn audit_users(&self) -> BackendFuture<'_, Vec<UserId>> {
        Box::pin(self.connections().audit_users())
    }

    fn tree_grow(&self) -> BackendFuture<'_, bool> {
        Box::pin(self.connections().tree_grow())
    }

    fn tree_size(&self) -> BackendFuture<'_, u64> {
        Box::pin(self.connections().tree_size())
    }

    fn tree_nodes(&self, indexes: Vec<u64>) -> BackendFuture<'_, audit::StoredHashes> {
        Box::pin(async move { self.connections().tree_nodes(&indexes).await })
    }

    fn tree_leaf<'a>(&'a self, user: &'a UserId, seq: i64) -> BackendFuture<'a, Option<u64>> {
        Box::pin(self.connections().tree_leaf(user, seq))
    }

    fn tree_events(&self, from: u64, limit: u32) -> BackendFuture<'_, Vec<RawEvent>> {
        Box::pin(self.connections().tree_events(from, limit))
    }

    fn receipt_event<'a>(
        &'a self,
        user: &'a UserId,
        receipt: ReceiptId,
    ) -> BackendFuture<'a, Option<RawEvent>> {
        Box::pin(self.connections().receipt_event(user, receipt))
    }

    fn purge(&self, now: DateTime<Utc>) -> BackendFuture<'_, PurgeReport> {
        Box::pin(async move {
            self.connections().row(&SqlQuery::new(keys::FORGET)).await?;
            let purge = |statement, age| {
                self.connections()
                    .purge(statement, stamp(now - age), PURGED)
            };
            Ok(PurgeReport {
                tasks: purge(sql::PURGE_TASKS, KEPT).await?,
                keys: purge(sql::PURGE_KEYS, REMEMBERED).await?,
            })
        })
    }

    fn beat<'a>(
        &'a self,
        user: &'a UserId,
        turn: TurnId,
        owner: &'a str,
        journal: Option<&'a str>,
    ) -> BackendFuture<'a, bool> {
        Box::pin(self.connections().beat(user, turn, owner, journal))
    }

    fn cut_turns(&self, limit: u32) -> BackendFuture<'_, Vec<CutTurn>> {
        Box::pin(self.connections().cut_turns(limit))
    }

    fn erasable<'a>(&'a self, user: &'a UserId) -> BackendFuture<'a, ErasureReport> {
        Box::pin(self.connections().erasable(user))
    }

    fn erase_rows(&self, unit: Unit) -> BackendFuture<'_, ErasureReport> {
        Box::pin(async move {
            self.inner.active.forget(unit.user());
            let erased = self.connections().erase_rows(&unit).await;
            // Again: somebody may have read meanwhile.
            self.inner.active.forget(unit.user());
            erased
        })
    }

    fn erase_words<'a>(&'a self, user: &'a UserId) -> BackendFuture<'a, bool> {
        Box::pin(self.connections().erase_words(user))
    }

    fn erasing(&self) -> BackendFuture<'_, Vec<UserId>> {
        Box::pin(self.connections().erasing())
    }

    /// Dead rows are the server's: its vacuum takes them away.
    fn scrub(&self) -> BackendFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn changes<'a>(
        &'a self,
        user: &'a UserId,
        after: i64,
        limit: u32,
    ) -> BackendFuture<'a, Vec<CommittedChange>> {
        Box::pin(self.connections().changes(user, after, limit))
    }

    fn heads<'a>(&'a self, users: &'a [UserId]) -> BackendFuture<'a, Vec<UserSeq>> {
        Box::pin(self.connections().heads(users))
    }

    fn patience(&self) -> Duration {
        self.inner.notices.patience()
    }

    fn tell(&self, user: &UserId) {
        notices::tell(&self.inner, user.as_str());
    }

    fn tell_of_work(&self) {
        notices::tell(&self.inner, notices::WORK);
    }

    fn listen(&self, hub: &Arc<ChangeHub>) {
        notices::listen(&self.inner, hub);
    }

    /// A server looks after its own structure; what no release writes is looked for.
    fn integrity(&self) -> BackendFuture<'_, Option<String>> {
        Box::pin(self.connections().unproven())
    }

    fn copy_to<'a>(&'a self, _: &'a Path) -> BackendFuture<'a, ()> {
        Box::pin(async { Err(StoreError::File(copies::POSTGRES.to_owned())) })
    }

    fn orders<'a>(&'a self, user: &'a UserId) -> BackendFuture<'a, HashMap<TaskId, i64>> {
        Box::pin(self.connections().orders(user))
    }

    fn put_order<'a>(
        &'a self,
        user: &'a UserId,
        task: TaskId,
        order: i64,
    ) -> BackendFuture<'a, bool> {
        Box::pin(self.connections().put_order(user, task, order))
    }

    fn keys(&self, prefix: Option<String>) -> BackendFuture<'_, String> {
        Box::pin(self.connections().keys(prefix))
    }

    fn secret(&self, name: &'static str) -> BackendFuture<'_, Option<String>> {
        Box::pin(self.connections().secret(name))
    }

    fn write_key(&self, write: KeyWrite) -> BackendFuture<'_, bool> {
        Box::pin(self.connections().write_key(write))
    }

    fn take<'a>(
        &'a self,
        bucket: &'a str,
        quota: UseQuota,
    ) -> BackendFuture<'a, Option<QuotaOutcome>> {
        Box::pin(async move { self.connections().take_one(bucket, quota).await.map(Some) })
    }
}
