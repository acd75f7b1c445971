//! News that processes tell each other: that something changed for a user, or that a run waits to
//! be worked on, by LISTEN and NOTIFY.
//!
//! Told after the commit, on a connection of its own, several users at once: a NOTIFY inside a
//! commit would make all commits of the database wait for each other. So it may get lost, with
//! the process or the connection; listeners look for themselves now and then, and whenever they
//! had to connect anew. Behind a pooler that gives each transaction another session nobody can
//! listen, and they look more often.

use std::collections::BTreeSet;
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;
use sqlx::PgConnection;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPoolOptions};
use tokio::time::{sleep, timeout};

use super::connections::{SessionTrust, bound};
use super::{PostgresParts, sql};
use crate::domain::UserId;
use crate::store::backend;
use crate::store::changes::{ChangeHub, WORK};
use crate::store::query::StoreQuery;

/// Channel on which processes tell and listen.
const CHANNEL: &str = "candor_changes";

/// Time for which news are gathered, so that a busy process tells some at once.
const GATHER: Duration = Duration::from_millis(10);

/// Longest time telling may take.
const PATIENCE: Duration = Duration::from_secs(5);

/// Pause before it is tried again to listen.
const AGAIN: Duration = Duration::from_secs(1);

/// Interval at which a process that hears the others looks for itself.
const HEARING: Duration = Duration::from_secs(5);

/// Interval at which a process that can't hear them looks.
const DEAF: Duration = Duration::from_secs(1);

/// News that a process has to tell, and whether it hears what others tell.
#[derive(Default)]
pub(super) struct ChangeNotices {
    /// News to tell, a user or a word of its own, while somebody is about to tell.
    pending: Mutex<Option<BTreeSet<String>>>,
    /// True when others are heard.
    hearing: std::sync::atomic::AtomicBool,
}

impl ChangeNotices {
    /// Adds it; true when nobody is about to tell.
    fn add(&self, word: &str) -> bool {
        let mut pending = self.pending.lock();
        let begin = pending.is_none();
        let users = pending.get_or_insert_default();
        users.insert(word.to_owned());
        begin
    }

    /// Takes what there is to tell; with nothing left the telling ends.
    fn take(&self) -> BTreeSet<String> {
        let mut pending = self.pending.lock();
        let users = pending.as_mut().map(std::mem::take).unwrap_or_default();
        if users.is_empty() {
            *pending = None;
        }
        users
    }

    pub(super) fn patience(&self) -> Duration {
        if self.hearing.load(std::sync::atomic::Ordering::Relaxed) {
            HEARING
        } else {
            DEAF
        }
    }

    fn hears(&self, hears: bool) {
        let order = std::sync::atomic::Ordering::Relaxed;
        self.hearing.store(hears, order);
    }
}

/// Tells the other processes, soon.
pub(super) fn tell(inner: &Arc<PostgresParts>, word: &str) {
    if inner.notices.add(word) {
        let inner = Arc::clone(inner);
        tokio::spawn(async move { telling(&inner).await });
    }
}

async fn telling(inner: &PostgresParts) {
    let mut connection = None;
    loop {
        sleep(GATHER).await;
        let users = inner.notices.take();
        if users.is_empty() {
            break;
        }
        let told = timeout(PATIENCE, send(inner, &mut connection, users)).await;
        if !matches!(told, Ok(Ok(()))) {
            tracing::debug!("other processes were not told of a change; they look by themselves");
            connection = None;
        }
    }
    *inner.teller.lock().await = connection;
}

async fn send(
    inner: &PostgresParts,
    connection: &mut Option<PgConnection>,
    users: BTreeSet<String>,
) -> Result<(), sqlx::Error> {
    if connection.is_none() {
        *connection = inner.teller.lock().await.take();
    }
    let connection = match connection {
        Some(connection) => connection,
        empty => empty.insert(inner.connections.connect().await?),
    };
    let ask = StoreQuery::new(sql::NOTIFY).texts(users);
    bound(&ask, false).fetch_optional(connection).await?;
    Ok(())
}

/// Wakes the hub's readers when others tell, for as long as there are any.
pub(super) fn listen(inner: &Arc<PostgresParts>, hub: &Arc<ChangeHub>) {
    if inner.connections.sessions() == SessionTrust::Shared {
        return;
    }
    let options = inner.connections.options().clone();
    let (inner, hub) = (Arc::downgrade(inner), Arc::downgrade(hub));
    tokio::spawn(async move {
        while let Err(error) = hear(&options, &inner, &hub).await {
            tracing::debug!(%error, "other processes can't be heard");
            if let Some(inner) = inner.upgrade() {
                inner.notices.hears(false);
            }
            sleep(AGAIN).await;
        }
    });
}

/// Hears until the connection breaks. Ends well when the store is gone.
async fn hear(
    options: &PgConnectOptions,
    inner: &Weak<PostgresParts>,
    hub: &Weak<ChangeHub>,
) -> Result<(), sqlx::Error> {
    if inner.strong_count() == 0 {
        return Ok(());
    }
    let pool = PgPoolOptions::new()
        .max_connections(1)
        .acquire_timeout(PATIENCE)
        .max_lifetime(None)
        .idle_timeout(None)
        .connect_lazy_with(options.clone());
    let mut listener = PgListener::connect_with(&pool).await?;
    listener.ignore_pool_close_event(true);
    listener.eager_reconnect(false);
    listener.listen(CHANNEL).await?;
    // What was told before is not told again.
    let Some(()) = wake(inner, hub, ChangeHub::announce_all) else {
        return Ok(());
    };
    loop {
        let heard = match timeout(HEARING, listener.try_recv()).await {
            Ok(heard) => heard?.ok_or(sqlx::Error::PoolClosed)?,
            // Nothing was told: is there still anybody to wake?
            Err(_) if inner.strong_count() == 0 => return Ok(()),
            Err(_) => continue,
        };
        let word = heard.payload();
        let woken = wake(inner, hub, |hub| match UserId::parse(word) {
            _ if word == WORK => hub.announce_work(),
            Ok(user) => hub.announce(&user),
            Err(_) => {}
        });
        if woken.is_none() {
            return Ok(());
        }
    }
}

/// None when there is nobody left to wake.
fn wake(
    inner: &Weak<PostgresParts>,
    hub: &Weak<ChangeHub>,
    how: impl FnOnce(&ChangeHub),
) -> Option<()> {
    inner.upgrade()?.notices.hears(true);
    how(&*hub.upgrade()?);
    Some(())
}

/// Closes the connection that tells.
pub(super) async fn close(inner: &PostgresParts) {
    if let Some(connection) = inner.teller.lock().await.take() {
        backend::close(connection).await;
    }
}
