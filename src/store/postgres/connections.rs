//! The connections, and how a statement is run on one of them.
//!
//! Not the driver's pool: that one asks a connection whether it is alive whenever it is given
//! back, a round trip for nothing. Here a connection that turns out to be dead before anything
//! was decided is replaced and asked again, and with it go the others that were idle: they led
//! to the same server.

use std::time::Duration;

use parking_lot::Mutex;
use sqlx::postgres::{PgArguments, PgConnectOptions, PgRow};
use sqlx::query::Query;
use sqlx::{ConnectOptions, Executor, PgConnection, Postgres, Row};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::time::timeout;

use super::{fault, sql};
use crate::store::backend::{StoreError, close};
use crate::store::measure;
use crate::store::query::{QueryArgument, RowTexts, StoreQuery};

/// Connections at once.
const PLACES: u32 = 16;

/// Longest time a caller waits for a connection to be free.
const QUEUE: Duration = Duration::from_secs(5);

/// Longest time connecting may take.
const CONNECT: Duration = Duration::from_secs(5);

/// Longest time an answer may take: longer than the server lets a statement run, so that it is the
/// network that does not answer.
const ANSWER: Duration = Duration::from_secs(12);

/// Degree to which a connection can be trusted to stay the same session.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum SessionTrust {
    /// A connection is one session: the server itself, or a pooler in session mode.
    Own,
    /// A pooler gives every transaction another session: nothing may outlive one.
    Shared,
}

/// A few connections, opened when they are first needed.
pub(super) struct ConnectionPool {
    options: PgConnectOptions,
    sessions: SessionTrust,
    idle: Mutex<Vec<PgConnection>>,
    places: Semaphore,
}

impl ConnectionPool {
    pub(super) fn new(options: PgConnectOptions, sessions: SessionTrust) -> Self {
        Self {
            options,
            sessions,
            idle: Mutex::default(),
            places: Semaphore::new(PLACES as usize),
        }
    }

    pub(super) const fn sessions(&self) -> SessionTrust {
        self.sessions
    }

    /// Returns how a connection is opened.
    pub(super) const fn options(&self) -> &PgConnectOptions {
        &self.options
    }

    /// Opens a connection and sets its session up.
    pub(super) async fn connect(&self) -> Result<PgConnection, sqlx::Error> {
        let connecting = async {
            let mut connection = self.options.connect().await?;
            if self.sessions == SessionTrust::Own {
                connection.execute(sqlx::raw_sql(sql::SESSION)).await?;
            }
            Ok(connection)
        };
        timeout(CONNECT, connecting)
            .await
            .unwrap_or_else(|_| Err(fault::silence()))
    }

    /// Takes a connection, waiting for one when all are busy.
    pub(super) async fn take(&self) -> Result<ConnectionLoan<'_>, StoreError> {
        let place = timeout(QUEUE, self.places.acquire()).await;
        let place = place.map_err(|_| sqlx::Error::PoolTimedOut)?;
        let place = place.map_err(|_| StoreError::Closed)?;
        let idle = self.idle.lock().pop();
        let fresh = idle.is_none();
        let connection = match idle {
            Some(connection) => connection,
            None => self.connect().await?,
        };
        Ok(ConnectionLoan {
            connection,
            fresh,
            home: self,
            place,
        })
    }

    /// Runs a statement that changes nothing, or that may run twice.
    pub(super) async fn row(&self, ask: &StoreQuery) -> Result<Option<PgRow>, StoreError> {
        loop {
            let mut lease = self.take().await?;
            let (row, fresh) = (lease.row(ask).await, lease.fresh);
            lease.give_back(row.as_ref().err());
            match row {
                Err(error) if fault::broken(&error) && !fresh => {}
                row => return Ok(row?),
            }
        }
    }

    /// The text that a statement gives, if it gives one.
    pub(super) async fn optional(&self, ask: &StoreQuery) -> Result<Option<String>, StoreError> {
        let row = self.row(ask).await?;
        let text = row.map(|row| row.try_get(0)).transpose();
        Ok(text?.flatten())
    }

    /// The texts of the first row that a reading gives.
    pub(super) async fn texts(&self, ask: &StoreQuery) -> Result<RowTexts, StoreError> {
        let Some(row) = self.row(ask).await? else {
            return Ok(RowTexts::new());
        };
        let texts = (0..row.len()).map(|column| row.try_get(column));
        Ok(texts.collect::<Result<_, _>>()?)
    }

    /// Runs what writes rows beside the units: the first text that it gives. Asked once only, unless
    /// it may come twice.
    pub(super) async fn change(&self, ask: &StoreQuery) -> Result<Option<String>, StoreError> {
        if ask.of.repeatable {
            return self.optional(ask).await;
        }
        let mut lease = self.take().await?;
        let done = lease.change(ask).await;
        lease.give_back(done.as_ref().err());
        Ok(done?)
    }

    /// Lets who waits already be served, refuses what comes after, and closes.
    pub(super) async fn close(&self) {
        // An error means that it is closed already.
        if let Ok(all) = self.places.acquire_many(PLACES).await {
            all.forget();
            self.places.close();
        }
        let idle = std::mem::take(&mut *self.idle.lock());
        for connection in idle {
            close(connection).await;
        }
    }
}

/// A connection on loan. Dropped without being given back, it is closed, so that nobody finds
/// somebody else's answer on it.
pub(super) struct ConnectionLoan<'a> {
    pub(super) connection: PgConnection,
    /// Set when it was opened for this loan, so it did not die of old age.
    pub(super) fresh: bool,
    home: &'a ConnectionPool,
    place: SemaphorePermit<'a>,
}

impl ConnectionLoan<'_> {
    pub(super) const fn sessions(&self) -> SessionTrust {
        self.home.sessions
    }

    /// Runs a statement in a transaction of its own: the first row it gives.
    pub(super) async fn row(&mut self, ask: &StoreQuery) -> Result<Option<PgRow>, sqlx::Error> {
        if self.sessions() == SessionTrust::Own {
            return self.own(ask).await;
        }
        self.begin().await?;
        match self.shared(ask).await {
            Ok(row) => self.end("COMMIT").await.map(|()| row),
            Err(error) => Err(self.rolled_back(error).await),
        }
    }

    /// Runs a statement that the session keeps prepared.
    pub(super) async fn own(&mut self, ask: &StoreQuery) -> Result<Option<PgRow>, sqlx::Error> {
        answer(bound(ask, true).fetch_optional(&mut self.connection)).await
    }

    /// The same: all rows it gives.
    pub(super) async fn all(&mut self, ask: &StoreQuery) -> Result<Vec<PgRow>, sqlx::Error> {
        answer(bound(ask, true).fetch_all(&mut self.connection)).await
    }

    /// Prepares a statement, so that running it is one exchange.
    pub(super) async fn prepare(&mut self, ask: &StoreQuery) -> Result<(), sqlx::Error> {
        let statement = sqlx::SqlStr::from_static(ask.of.postgres);
        answer((&mut self.connection).prepare(statement)).await?;
        Ok(())
    }

    /// Runs a statement inside a transaction, without a name.
    pub(super) async fn shared(&mut self, ask: &StoreQuery) -> Result<Option<PgRow>, sqlx::Error> {
        answer(bound(ask, false).fetch_optional(&mut self.connection)).await
    }

    pub(super) async fn begin(&mut self) -> Result<(), sqlx::Error> {
        self.end(sql::BEGIN).await
    }

    /// Changes rows in a transaction: the first text that it gives.
    async fn change(&mut self, ask: &StoreQuery) -> Result<Option<String>, sqlx::Error> {
        self.begin().await?;
        match self.changed(ask).await {
            Ok(text) => self.end("COMMIT").await.map(|()| text),
            Err(error) => Err(self.rolled_back(error).await),
        }
    }

    pub(super) async fn changed(
        &mut self,
        ask: &StoreQuery,
    ) -> Result<Option<String>, sqlx::Error> {
        if !ask.of.then.is_empty() {
            // No commit of the user's comes in between.
            self.shared(&ask.then(sql::HOLD.into())).await?;
        }
        let mut text = None;
        if let Some(row) = self.shared(ask).await? {
            text = row.try_get(0)?;
        }
        for statement in ask.of.then {
            let row = self.shared(&ask.then(*statement)).await?;
            if let (None, Some(row)) = (&text, row) {
                text = row.try_get(0)?;
            }
        }
        Ok(text)
    }

    /// Runs a statement that gives nothing.
    pub(super) async fn end(&mut self, statement: &'static str) -> Result<(), sqlx::Error> {
        answer(self.connection.execute(sqlx::raw_sql(statement))).await?;
        Ok(())
    }

    /// Rolls back because of `error`, and gives the error that tells most of the connection.
    pub(super) async fn rolled_back(&mut self, error: sqlx::Error) -> sqlx::Error {
        if fault::broken(&error) {
            return error;
        }
        self.end("ROLLBACK").await.err().unwrap_or(error)
    }

    /// Gives the connection back, unless `error` says that it is of no use any more.
    pub(super) fn give_back(self, error: Option<&sqlx::Error>) {
        let Self {
            connection,
            fresh,
            home,
            place,
        } = self;
        if !error.is_some_and(fault::broken) {
            home.idle.lock().push(connection);
        } else if !fresh {
            home.idle.lock().clear();
        }
        // Only now may the next one look for an idle connection.
        drop(place);
    }
}

async fn answer<T>(
    exchange: impl Future<Output = Result<T, sqlx::Error>>,
) -> Result<T, sqlx::Error> {
    measure::statement();
    timeout(ANSWER, exchange)
        .await
        .unwrap_or_else(|_| Err(fault::silence()))
}

/// The driver's form of a statement and its arguments. `kept`: the session keeps it prepared under a
/// name.
pub(super) fn bound(ask: &StoreQuery, kept: bool) -> Query<'_, Postgres, PgArguments> {
    let query = sqlx::query(ask.of.postgres).persistent(kept);
    (ask.arguments.iter()).fold(query, |query, argument| match argument {
        QueryArgument::Text(text) => query.bind(text.as_deref()),
        QueryArgument::Number(number) => query.bind(number),
        QueryArgument::Texts(texts) => query.bind(texts),
    })
}
