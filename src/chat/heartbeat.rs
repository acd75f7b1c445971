//! Says, while a turn is open, that somebody works on it.

use tokio::task::JoinHandle;

use crate::domain::{TurnId, UserId};
use crate::store::{BEAT, Store};

/// Beats until it is dropped.
#[derive(Debug)]
pub(super) struct LeaseHeartbeat(JoinHandle<()>);

impl LeaseHeartbeat {
    /// Begins to beat for a turn.
    pub(super) fn start(store: Store, user: UserId, turn: TurnId, owner: String) -> Self {
        Self(tokio::spawn(async move {
            loop {
                tokio::time::sleep(BEAT).await;
                match store.beat(&user, turn, &owner, None).await {
                    // Whoever ended it is found at the turn's next commit.
                    Ok(false) => return,
                    Ok(true) => {}
                    Err(error) => tracing::warn!(%error, %turn, "a turn could not be kept alive"),
                }
            }
        }))
    }
}

impl Drop for LeaseHeartbeat {
    fn drop(&mut self) {
        self.0.abort();
    }
}
