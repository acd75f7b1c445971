//! Event streams that are open in this process, by user, and whether anybody can be given a reminder.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono::TimeDelta;
use futures_util::future::join_all;
use serde_json::Value;
use tokio::sync::{Notify, mpsc};
use tokio::time::timeout;

use super::webhook::Webhook;
use crate::domain::{ReminderId, UserId};
use crate::store::ReminderReach;

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
}

#[derive(Debug, Default)]
struct OpenStreams {
    users: HashMap<UserId, Vec<(u64, mpsc::Sender<OfferedReminder>)>>,
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
        let mut open = self.channels.open();
        if let Some(streams) = open.users.get_mut(&self.user) {
            streams.retain(|(number, _)| *number != self.number);
            if streams.is_empty() {
                open.users.remove(&self.user);
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
        let mut open = self.open();
        open.next += 1;
        let number = open.next;
        let streams = open.users.entry(user.clone()).or_default();
        streams.push((number, sender));
        drop(open);
        self.shared.opened.notify_one();
        ReminderListener {
            channels: self.clone(),
            user: user.clone(),
            number,
            offers,
        }
    }

    /// Tells whether a reminder of the user could be delivered now.
    pub fn reach(&self, user: &UserId) -> bool {
        self.shared.webhook.is_some() || self.open().users.contains_key(user)
    }

    /// Reach of this server now; reminders beyond it are left to other servers for `patience`.
    pub(super) fn within(&self, patience: TimeDelta) -> ReminderReach {
        match self.shared.webhook {
            Some(_) => ReminderReach::Everybody,
            None => ReminderReach::Users(self.open().users.keys().cloned().collect(), patience),
        }
    }

    pub(super) fn webhook(&self) -> Option<&Webhook> {
        self.shared.webhook.as_ref()
    }

    /// Returns once a stream was opened since the last time.
    pub(super) async fn opened(&self) {
        self.shared.opened.notified().await;
    }

    /// Offers a reminder to the open streams of a user; true once one of them has taken it.
    pub(super) async fn offer(&self, user: &UserId, id: ReminderId, data: &Arc<Value>) -> bool {
        let streams: Vec<_> = match self.open().users.get(user) {
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

    fn open(&self) -> MutexGuard<'_, OpenStreams> {
        let open = self.shared.open.lock();
        open.unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[tokio::test]
    async fn what_a_stream_takes_is_taken_and_what_it_drops_is_not() {
        let channels = ReminderChannels::default();
        let ann = UserId::parse("ann").unwrap();
        let id = ReminderId::new(uuid::Uuid::nil());
        let data = Arc::new(json!({"x": 1}));
        assert!(!channels.reach(&ann) && !channels.offer(&ann, id, &data).await);
        let mut listener = channels.listen(&ann);
        assert!(channels.reach(&ann));
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
        assert!(!channels.reach(&ann));
    }
}
