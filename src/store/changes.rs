//! News that something changed, for readers that wait, in this process and in others.
//!
//! A watch only wakes; what changed is read from the store, by the number up to which a reader
//! has seen the user's log. So nothing is lost with a message that did not arrive: after a
//! connection broke, and now and then in any case, readers are woken and look for themselves.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use parking_lot::Mutex;
use tokio::sync::watch;

use super::backend::{Store, StoreBackend, StoreError};
use super::query::StoreQuery;
use super::rows;
use super::sql::log;
use crate::domain::UserId;

/// Word that is told when a run waits to be worked on: no user is called that, so whoever does not
/// know of it hears nothing.
pub(in crate::store) const WORK: &str = "*work";

/// Readers of this process that wait, by user.
#[derive(Debug, Default)]
pub(in crate::store) struct ChangeHub {
    watched: Mutex<HashMap<UserId, watch::Sender<()>>>,
    /// Readers who wait for runs to work on, whosever they are.
    work: watch::Sender<()>,
    /// True when others' commits are looked for.
    attentive: AtomicBool,
}

impl ChangeHub {
    /// Wakes whoever watches a user.
    pub(in crate::store) fn announce(&self, user: &UserId) {
        let mut watched = self.watched.lock();
        if let Some(sender) = watched.get(user)
            && sender.send(()).is_err()
        {
            watched.remove(user);
        }
    }

    /// Wakes whoever waits for runs to work on.
    pub(in crate::store) fn announce_work(&self) {
        self.work.send_replace(());
    }

    /// Wakes everybody: something may have been missed.
    pub(in crate::store) fn announce_all(&self) {
        self.announce_work();
        self.watched
            .lock()
            .retain(|_, sender| sender.send(()).is_ok());
    }

    /// Users that somebody watches.
    fn users(&self) -> Vec<UserId> {
        let mut watched = self.watched.lock();
        watched.retain(|_, sender| sender.receiver_count() > 0);
        watched.keys().cloned().collect()
    }

    fn watch(&self, user: &UserId) -> watch::Receiver<()> {
        let mut watched = self.watched.lock();
        let sender = watched.entry(user.clone());
        sender.or_insert_with(|| watch::Sender::new(())).subscribe()
    }

    /// True for the first who asks.
    fn pay_attention(&self) -> bool {
        !self.attentive.swap(true, Ordering::Relaxed)
    }
}

/// Wakes when a user's data may have changed, or when there may be work.
#[derive(Debug)]
pub struct ChangeWatch {
    receiver: watch::Receiver<()>,
    // The store's background work ends with its last reader.
    _store: Store,
}

impl ChangeWatch {
    /// Returns once there may be something new since the last return (at first: since the watch
    /// began). It may wake for nothing, and it never sleeps through a change: look first, then
    /// wait. Commits of other processes wake it within seconds, whatever connection broke.
    pub async fn changed(&mut self) {
        if self.receiver.changed().await.is_err() {
            // The sender lives as long as somebody watches.
            std::future::pending::<()>().await;
        }
    }
}

impl Store {
    /// Watches what becomes of a user's data, in this process and in others.
    pub fn watch(&self, user: &UserId) -> ChangeWatch {
        self.attend(self.hub.watch(user))
    }

    /// Watches for runs that wait to be worked on, whosever they are. It is woken by
    /// [`Store::tell_of_work`], in this process and in others that can be heard.
    pub fn watch_work(&self) -> ChangeWatch {
        self.attend(self.hub.work.subscribe())
    }

    /// Tells whoever works on runs, wherever, that one waits. It may get lost: they look for
    /// themselves now and then.
    pub fn tell_of_work(&self) {
        self.hub.announce_work();
        self.backend().tell(WORK);
    }

    fn attend(&self, receiver: watch::Receiver<()>) -> ChangeWatch {
        if self.hub.pay_attention() {
            self.backend().listen(&self.hub);
            let (hub, backend) = (Arc::downgrade(&self.hub), Arc::downgrade(&self.backend));
            tokio::spawn(look_around(hub, backend));
        }
        ChangeWatch {
            receiver,
            _store: self.clone(),
        }
    }

    /// Tells whoever watches the user, wherever.
    pub(in crate::store) fn announce(&self, user: &UserId) {
        self.hub.announce(user);
        self.backend().tell(user.as_str());
    }
}

/// Returns where the logs of these users stand.
async fn heads(
    backend: &dyn StoreBackend,
    users: &[UserId],
) -> Result<Vec<(UserId, i64)>, StoreError> {
    let ask = StoreQuery::new(log::HEADS).texts(users);
    let row = backend.ask(&ask).await?;
    row.first()
        .and_then(Option::as_deref)
        .map_or(Ok(Vec::new()), |text| rows::whole("commits", text))
}

/// Looks now and then whether another process committed something for a watched user, for as
/// long as the store is there.
async fn look_around(hub: Weak<ChangeHub>, backend: Weak<dyn StoreBackend>) {
    let mut seen: HashMap<UserId, i64> = HashMap::new();
    let mut pause = Duration::ZERO;
    loop {
        tokio::time::sleep(pause).await;
        let (Some(hub), Some(backend)) = (hub.upgrade(), backend.upgrade()) else {
            return;
        };
        pause = backend.patience();
        let users = hub.users();
        seen.retain(|user, _| users.contains(user));
        if users.is_empty() {
            continue;
        }
        match heads(&*backend, &users).await {
            Ok(heads) => {
                for (user, seq) in heads {
                    // Seen for the first time: the watch may have begun before or after it.
                    if seen.insert(user.clone(), seq) != Some(seq) {
                        hub.announce(&user);
                    }
                }
            }
            Err(StoreError::Closed) => return,
            Err(error) => tracing::debug!(%error, "what changed elsewhere can't be looked up"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(name: &str) -> UserId {
        UserId::parse(name).unwrap()
    }

    #[tokio::test]
    async fn whoever_watches_is_woken_and_nobody_else() {
        let hub = ChangeHub::default();
        let (mut ann, mut bob) = (hub.watch(&user("ann")), hub.watch(&user("bob")));
        hub.announce(&user("ann"));
        hub.announce(&user("eve"));
        assert!(ann.has_changed().unwrap() && !bob.has_changed().unwrap());
        ann.changed().await.unwrap();
        assert!(!ann.has_changed().unwrap());
        hub.announce_all();
        assert!(ann.has_changed().unwrap() && bob.has_changed().unwrap());
        bob.changed().await.unwrap();
    }

    #[test]
    fn those_who_went_away_are_forgotten() {
        let hub = ChangeHub::default();
        let gone = hub.watch(&user("ann"));
        let stays = hub.watch(&user("bob"));
        drop(gone);
        assert_eq!(hub.users(), [user("bob")]);
        hub.announce(&user("ann"));
        assert!(stays.has_changed().is_ok());
        assert!(hub.pay_attention() && !hub.pay_attention());
    }
}
