//! Event streams that are open in this process, by user, and whether anybody can be given a reminder.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use futures_util::future::join_all;
use parking_lot::Mutex;
use serde_json::Value;
use tokio::sync::{Notify, mpsc};
use tokio::time::timeout;

use super::webhook::Webhook;
use crate::domain::{ReminderId, UserId};
use crate::store::{ReminderReach, Store};

/// Longest time that a stream may take to take a reminder.
const TAKING: Duration = Duration::from_secs(5);
/// Reminders that may wait for one stream.
const AHEAD: usize = 16;

/// Ways in which this server can deliver reminders. Clones share them.
#[derive(Debug, Clone, Default)]
pub struct ReminderChannels {
    shared: Arc<SharedChannels>,
}

#[derive(Debug, Default)]
struct SharedChannels {
    webhook: Option<Webhook>,
    open: Mutex<OpenStreams>,
    opened: Notify,
    altered: Notify,
}

#[derive(Debug, Default)]
struct OpenStreams {
    users: HashMap<UserId, Vec<(u64, mpsc::Sender<OfferedReminder>)>>,
    /// Users whose first stream was opened or whose last was closed, and other servers may not know.
    altered: HashSet<UserId>,
    next: u64,
}

/// A reminder that is offered to a stream.
#[derive(Debug, Clone)]
pub struct OfferedReminder {
    /// The reminder.
    pub id: ReminderId,
    /// Description of it, as the webhook is told under `data`.
    pub data: Arc<Value>,
    taken: mpsc::Sender<()>,
}

impl OfferedReminder {
    /// Says that the reader has taken it.
    pub fn taken(&self) {
        // Another stream may have said so before.
        let _ = self.taken.try_send(());
    }
}

/// Open event stream of a user; closed when it is dropped.
#[derive(Debug)]
pub struct ReminderListener {
    channels: ReminderChannels,
    user: UserId,
    number: u64,
    offers: mpsc::Receiver<OfferedReminder>,
}

impl ReminderListener {
    /// The next reminder that is offered.
    pub async fn next(&mut self) -> OfferedReminder {
        match self.offers.recv().await {
            Some(offer) => offer,
            // The sender stays as long as the listener does.
            None => std::future::pending().await,
        }
    }
}

impl Drop for ReminderListener {
    fn drop(&mut self) {
        let mut open = self.channels.shared.open.lock();
        if let Some(streams) = open.users.get_mut(&self.user) {
            streams.retain(|(number, _)| *number != self.number);
            if streams.is_empty() {
                open.users.remove(&self.user);
                self.channels.alter(&mut open, &self.user);
            }
        }
    }
}

impl ReminderChannels {
    /// The event streams, and a webhook where one is configured.
    pub fn new(webhook: Option<Webhook>) -> Self {
        let shared = SharedChannels {
            webhook,
            ..SharedChannels::default()
        };
        Self {
            shared: Arc::new(shared),
        }
    }

    /// Opens a stream of a user: what is due is offered to it.
    pub fn listen(&self, user: &UserId) -> ReminderListener {
        let (sender, offers) = mpsc::channel(AHEAD);
        let mut open = self.shared.open.lock();
        open.next += 1;
        let number = open.next;
        let streams = open.users.entry(user.clone()).or_default();
        streams.push((number, sender));
        if streams.len() == 1 {
            self.alter(&mut open, user);
        }
        drop(open);
        self.shared.opened.notify_one();
        ReminderListener {
            channels: self.clone(),
            user: user.clone(),
            number,
            offers,
        }
    }

    /// Tells whether a reminder of the user could be delivered now, by this server or by another one.
    pub async fn reach(&self, user: &UserId, store: &Store) -> bool {
        if self.shared.webhook.is_some() || self.shared.open.lock().users.contains_key(user) {
            return true;
        }
        let elsewhere = store.streams_elsewhere(user).await;
        elsewhere.unwrap_or_else(|error| {
            tracing::warn!(%error, "can't look for open streams at other servers");
            // Nobody says what is not known.
            true
        })
    }

    /// Reach of this server now; reminders beyond it are left to other servers for `patience`.
    pub(super) fn within(&self, patience: TimeDelta) -> ReminderReach {
        match self.shared.webhook {
            Some(_) => ReminderReach::Everybody,
            None => ReminderReach::Users(
                self.shared.open.lock().users.keys().cloned().collect(),
                patience,
            ),
        }
    }

    pub(super) fn webhook(&self) -> Option<&Webhook> {
        self.shared.webhook.as_ref()
    }

    /// Returns once a stream was opened since the last time.
    pub(super) async fn opened(&self) {
        self.shared.opened.notified().await;
    }

    /// Notes what other servers are to know. With a webhook it is of no interest to them.
    fn alter(&self, open: &mut OpenStreams, user: &UserId) {
        if self.shared.webhook.is_none() {
            open.altered.insert(user.clone());
            self.shared.altered.notify_one();
        }
    }

    /// Notes that other servers may know nothing of these users, and of any who has a stream.
    pub(super) fn alter_all(&self, users: impl IntoIterator<Item = UserId>) {
        let mut open = self.shared.open.lock();
        let OpenStreams {
            users: all,
            altered,
            ..
        } = &mut *open;
        altered.extend(all.keys().cloned().chain(users));
    }

    /// Returns once there is something to tell other servers since the last time.
    pub(super) async fn altered(&self) {
        self.shared.altered.notified().await;
    }

    /// Takes what is to be told: users who have a stream now, and those who have none any more. None where
    /// no stream is open and none was.
    pub(super) fn take_altered(&self) -> Option<(Vec<UserId>, Vec<UserId>)> {
        let mut open = self.shared.open.lock();
        let altered = std::mem::take(&mut open.altered);
        let some = !altered.is_empty() || !open.users.is_empty();
        some.then(|| {
            altered
                .into_iter()
                .partition(|user| open.users.contains_key(user))
        })
        .filter(|_| self.shared.webhook.is_none())
    }

    /// Offers a reminder to the open streams of a user; true once one of them has taken it.
    pub(super) async fn offer(&self, user: &UserId, id: ReminderId, data: &Arc<Value>) -> bool {
        let streams: Vec<_> = match self.shared.open.lock().users.get(user) {
            Some(streams) => streams.iter().map(|(_, sender)| sender.clone()).collect(),
            None => return false,
        };
        let (taken, mut answers) = mpsc::channel(1);
        let sends = streams.into_iter().map(|stream| {
            let offer = OfferedReminder {
                id,
                data: Arc::clone(data),
                taken: taken.clone(),
            };
            // One that was closed meanwhile takes nothing.
            async move { stream.send(offer).await.is_ok() }
        });
        let mut sending = std::pin::pin!(join_all(sends));
        drop(taken);
        let mut sent = false;
        let answered = async {
            loop {
                tokio::select! {
                    _ = &mut sending, if !sent => sent = true,
                    // None where all streams were closed with what was offered to them.
                    answer = answers.recv() => return answer.is_some(),
                }
            }
        };
        timeout(TAKING, answered).await.unwrap_or(false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[tokio::test]
    async fn what_a_stream_takes_is_taken_and_what_it_drops_is_not() {
        let store = Store::open("sqlite::memory:").await.unwrap();
        let channels = ReminderChannels::default();
        let ann = UserId::parse("ann").unwrap();
        let id = ReminderId::new(uuid::Uuid::nil());
        let data = Arc::new(json!({"x": 1}));
        assert!(!channels.reach(&ann, &store).await && !channels.offer(&ann, id, &data).await);
        let mut listener = channels.listen(&ann);
        assert!(channels.reach(&ann, &store).await);
        let (taken, ()) = tokio::join!(channels.offer(&ann, id, &data), async {
            let offer = listener.next().await;
            assert_eq!(*offer.data, json!({"x": 1}));
            offer.taken();
        });
        assert!(taken);
        let (taken, ()) = tokio::join!(channels.offer(&ann, id, &data), async {
            drop(listener.next().await);
        });
        assert!(!taken);
        drop(listener);
        assert!(!channels.reach(&ann, &store).await);
    }

    #[test]
    fn other_servers_are_told_of_first_streams_and_of_last() {
        let channels = ReminderChannels::default();
        let [ann, bob] = ["ann", "bob"].map(|name| UserId::parse(name).unwrap());
        assert_eq!(channels.take_altered(), None);
        let first = channels.listen(&ann);
        assert_eq!(channels.take_altered(), Some((vec![ann.clone()], vec![])));
        let second = channels.listen(&ann);
        drop(first);
        assert_eq!(channels.take_altered(), Some((vec![], vec![])));
        drop(second);
        assert_eq!(channels.take_altered(), Some((vec![], vec![ann.clone()])));
        assert_eq!(channels.take_altered(), None);
        // Opened and closed again before anybody was told.
        drop(channels.listen(&ann));
        assert_eq!(channels.take_altered(), Some((vec![], vec![ann.clone()])));
        let _bobs = channels.listen(&bob);
        channels.take_altered();
        channels.alter_all([ann.clone()]);
        assert_eq!(channels.take_altered(), Some((vec![bob], vec![ann])));
    }
}
