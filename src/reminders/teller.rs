//! The teller: other servers over the database are told whose streams are open here.

use std::time::Duration;

use tokio::sync::watch;
use tokio::time::{sleep, timeout};
use uuid::Uuid;

use super::channels::ReminderChannels;
use super::scheduler::{STOPPING, TROUBLE};
use crate::domain::UserId;
use crate::store::{HeldStreams, Store, StoreError};

/// Interval at which it is said again.
const AGAIN: Duration = Duration::from_secs(5);
/// Time for which it holds: of a server that died, nobody is told for longer.
const HOLDS: Duration = Duration::from_secs(15);

/// Tells of the open streams of this server.
pub(super) struct StreamTeller {
    pub(super) store: Store,
    pub(super) channels: ReminderChannels,
    /// The server, from its start to its end.
    pub(super) server: Uuid,
}

impl StreamTeller {
    /// Tells, in one statement each, of what was opened and closed while the last was under way, and again
    /// in time; takes all back when the server stops.
    pub(super) async fn run(self, mut stopped: watch::Receiver<bool>) {
        let (mut sound, mut known) = (true, false);
        let mut pause = AGAIN;
        while !*stopped.borrow() {
            tokio::select! {
                () = self.channels.altered(), if sound => {}
                () = sleep(pause) => {}
                _ = stopped.changed() => continue,
            }
            let Some((opened, closed)) = self.channels.take_altered() else {
                continue;
            };
            pause = AGAIN;
            match self.tell(HOLDS, opened, closed.clone()).await {
                Ok(new) => {
                    if new && known {
                        // It was silent for too long: what it had said is gone.
                        self.channels.alter_all([]);
                        pause = Duration::ZERO;
                    }
                    sound = true;
                }
                Err(error) => {
                    if sound {
                        tracing::warn!(%error, "other servers are not told of open streams");
                    }
                    self.channels.alter_all(closed);
                    (sound, pause) = (false, TROUBLE);
                }
            }
            known = true;
        }
        if known {
            let over = self.tell(Duration::ZERO, Vec::new(), Vec::new());
            if !matches!(timeout(STOPPING, over).await, Ok(Ok(_))) {
                tracing::debug!("other servers hear by themselves that no stream is open here");
            }
        }
    }

    async fn tell(
        &self,
        period: Duration,
        opened: Vec<UserId>,
        closed: Vec<UserId>,
    ) -> Result<bool, StoreError> {
        let held = HeldStreams {
            server: self.server,
            period,
            opened,
            closed,
        };
        self.store.hold_streams(&held).await
    }
}
