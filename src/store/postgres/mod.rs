//! PostgreSQL: several processes over one database.
//!
//! A commit is one round trip, shared with others that wait: a statement that writes everything
//! if the user's rows still stand as this process remembers them. Where it remembers nothing it is
//! two: what the commit is checked against comes first. Behind a pooler that gives each transaction another session
//! (`statement-cache-capacity=0` in the address says so) nothing outlives its transaction:
//! no named statement, no setting, no lock.

mod commit;
mod connections;
mod delegation;
mod erase;
mod fault;
mod notices;
pub(in crate::store) mod sql;
mod together;

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions, Connection, Executor, PgConnection};

use self::commit::UserQueues;
use self::connections::{ConnectionPool, SessionTrust};
use self::notices::ChangeNotices;
use self::together::CommitLanes;
use super::backend::{BackendFuture, OpenError, PlainFuture, StoreBackend, StoreError};
use super::changes::ChangeHub;
use super::copies;
use super::erasure::ErasureReport;
use super::kind::DatabaseKind;
use super::migrations;
use super::query::{RowTexts, StoreQuery};
use super::record::{CommitRecord, CommitResult};
use super::snapshot_cache::SnapshotCache;
use super::unit::Unit;

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
        let ask = StoreQuery::new(sql::DURABLE);
        match store.connections().optional(&ask).await {
            Ok(Some(durable)) if durable == "off" => tracing::warn!(
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
        migrations::POSTGRES
            .run_direct(None, &mut *transaction, false)
            .await?;
        transaction
            .execute(sqlx::raw_sql(sql::END_MIGRATIONS))
            .await?;
        transaction.commit().await?;
        connection.close().await
    }
}

/// Opens a connection beside those of a store.
pub(in crate::store) async fn connection(url: &str) -> Result<PgConnection, OpenError> {
    let (options, sessions) = address(url)?;
    let opened = ConnectionPool::new(options, sessions).connect().await;
    opened.map_err(|error| OpenError::Connect(error.into()))
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

impl StoreBackend for PostgresBackend {
    fn kind(&self) -> DatabaseKind {
        DatabaseKind::Postgres
    }

    fn migrate(&self) -> BackendFuture<'_, (), OpenError> {
        Box::pin(async {
            let done = self.run_migrations().await;
            done.map_err(|error| OpenError::Migrate(error.into()))
        })
    }

    fn close(&self) -> PlainFuture<'_, ()> {
        Box::pin(async {
            self.connections().close().await;
            notices::close(&self.inner).await;
        })
    }

    fn ask<'a>(&'a self, ask: &'a StoreQuery) -> BackendFuture<'a, RowTexts> {
        Box::pin(self.connections().texts(ask))
    }

    fn change<'a>(&'a self, ask: &'a StoreQuery) -> BackendFuture<'a, Option<String>> {
        Box::pin(self.connections().change(ask))
    }

    fn cache(&self) -> &SnapshotCache {
        &self.inner.active
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
                CommitResult::Unknown
            })
        })
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

    /// Dead rows are the server's: its vacuum takes them away.
    fn scrub(&self) -> BackendFuture<'_, ()> {
        Box::pin(async { Ok(()) })
    }

    fn patience(&self) -> Duration {
        self.inner.notices.patience()
    }

    fn tell(&self, word: &str) {
        notices::tell(&self.inner, word);
    }

    fn listen(&self, hub: &Arc<ChangeHub>) {
        notices::listen(&self.inner, hub);
    }

    fn copy_to<'a>(&'a self, _: &'a Path) -> BackendFuture<'a, ()> {
        Box::pin(async { Err(StoreError::File(copies::POSTGRES.to_owned())) })
    }
}
