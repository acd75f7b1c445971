//! The Merkle tree grows beside the turns: now and then, a few steps at a time.
//!
//! Whoever asks for a proof lets the tree grow as far as it must; this keeps that wait short.
//! Several processes may do it over one database: a step is appended once.

use std::time::Duration;

use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::{MissedTickBehavior, interval, sleep};

use crate::store::Store;

/// Between two looks at what was logged meanwhile.
const EVERY: Duration = Duration::from_secs(15);

/// Steps in a row, so that a long log does not keep the database busy without a pause.
const STEPS: usize = 500;

/// Between two steps: turns come first.
const PAUSE: Duration = Duration::from_millis(20);

/// The growing, until it is told to stop.
pub(super) struct TreeTask {
    stop: oneshot::Sender<()>,
    growing: JoinHandle<()>,
}

impl TreeTask {
    /// Begins, at once for what an earlier run left.
    pub(super) fn begin(store: Store) -> Self {
        Self::every(EVERY, store)
    }

    fn every(period: Duration, store: Store) -> Self {
        let (stop, mut stopped) = oneshot::channel();
        let growing = tokio::spawn(async move {
            let mut ticks = interval(period);
            ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
            loop {
                tokio::select! {
                    _ = &mut stopped => return,
                    _ = ticks.tick() => {}
                }
                // A step that has begun is let through: it is one short transaction.
                for _ in 0..STEPS {
                    match store.audit_grow().await {
                        Ok(true) => {}
                        Ok(false) => break,
                        Err(error) => {
                            tracing::warn!(%error, "the audit tree did not grow");
                            break;
                        }
                    }
                    tokio::select! {
                        _ = &mut stopped => return,
                        () = sleep(PAUSE) => {}
                    }
                }
            }
        });
        Self { stop, growing }
    }

    /// Stops after the step that is under way.
    pub(super) async fn end(self) {
        // It may have ended by itself; either way it is over then.
        let _ = self.stop.send(());
        if let Err(error) = self.growing.await {
            tracing::warn!(%error, "the audit tree's growth broke off");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use crate::domain::{IdSource, Title, TurnId, UserId};
    use crate::store::{CommitRecord, CommitResult, NewTask, Unit};

    async fn some_turns(store: &Store, turns: usize) {
        let ids = IdSource::random();
        for _ in 0..turns {
            let mut unit = Unit::new(
                UserId::parse("ann").unwrap(),
                None,
                TurnId::new(ids.next()),
                chrono::DateTime::from_timestamp(1_770_508_800, 0).unwrap(),
                ids.clone(),
                crate::resolver::TaskList::default(),
            );
            unit.add(NewTask::titled(Title::parse("milk").unwrap()));
            let committed = store.commit(unit, CommitRecord::default()).await;
            assert!(matches!(committed, CommitResult::Committed(_)));
        }
    }

    #[tokio::test]
    async fn events_enter_the_tree_without_being_asked_for_and_it_stops() {
        let store = Store::open("sqlite::memory:").await.unwrap();
        store.migrate().await.unwrap();
        some_turns(&store, 3).await;
        assert!(store.audit_log(0, 10).await.unwrap().is_empty());
        let growth = TreeTask::every(Duration::from_millis(5), store.clone());
        let grown = async |events: usize| {
            while store.audit_log(0, 10).await.unwrap().len() < events {
                sleep(Duration::from_millis(1)).await;
            }
        };
        grown(3).await;
        some_turns(&store, 2).await;
        grown(5).await;
        growth.end().await;
        some_turns(&store, 1).await;
        sleep(Duration::from_millis(30)).await;
        assert_eq!(store.audit_log(0, 10).await.unwrap().len(), 5);
        store.close().await;
    }

    #[tokio::test]
    async fn a_closed_store_does_not_keep_it_from_ending() {
        let store = Store::open("sqlite::memory:").await.unwrap();
        store.close().await;
        let growth = TreeTask::every(Duration::from_millis(1), store);
        sleep(Duration::from_millis(10)).await;
        growth.end().await;
    }
}
