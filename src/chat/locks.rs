//! One turn of a conversation at a time, and one request per idempotency key.
//!
//! Only this process is looked at: between processes the conversation's version and the key's
//! uniqueness decide, inside the transaction.

use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Weak};

use parking_lot::Mutex;
use tokio::sync::{Mutex as AsyncMutex, OwnedMutexGuard};

use crate::domain::{ConversationId, UserId};

/// Turns that run now.
#[derive(Debug, Default)]
pub(super) struct TurnLocks {
    conversations: Mutex<HashMap<ConversationId, Weak<AsyncMutex<()>>>>,
    keys: Arc<Mutex<HashSet<(UserId, String)>>>,
}

/// Holds a key until the request has ended.
#[derive(Debug)]
pub(super) struct RunningKey {
    keys: Arc<Mutex<HashSet<(UserId, String)>>>,
    key: (UserId, String),
}

impl Drop for RunningKey {
    fn drop(&mut self) {
        let mut keys = self.keys.lock();
        keys.remove(&self.key);
    }
}

impl TurnLocks {
    /// Waits until no other turn of the conversation runs here.
    pub(super) async fn conversation(&self, id: ConversationId) -> OwnedMutexGuard<()> {
        let lock = {
            let mut map = self.conversations.lock();
            if map.len() > 1024 {
                map.retain(|_, lock| lock.strong_count() > 0);
            }
            match map.get(&id).and_then(Weak::upgrade) {
                Some(lock) => lock,
                None => {
                    let lock = Arc::new(AsyncMutex::new(()));
                    map.insert(id, Arc::downgrade(&lock));
                    lock
                }
            }
        };
        lock.lock_owned().await
    }

    /// Takes a key; `None` when a request under it runs here.
    pub(super) fn key(&self, user: &UserId, key: &str) -> Option<RunningKey> {
        let entry = (user.clone(), key.to_owned());
        let mut keys = self.keys.lock();
        keys.insert(entry.clone()).then(|| RunningKey {
            keys: Arc::clone(&self.keys),
            key: entry,
        })
    }
}
