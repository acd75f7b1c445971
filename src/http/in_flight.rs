//! Runs work to its end, counts it, and lets nothing new in once the program shuts down.
//!
//! A turn whose client went away has no connection that the web server would wait for; it
//! still holds its ticket, and the shutdown waits for that.

use tokio_util::task::TaskTracker;
use tokio_util::task::task_tracker::TaskTrackerToken;
use tracing::Instrument;

use crate::telemetry::trace::TraceSpan;

/// Work that runs. Clones share it.
#[derive(Debug, Clone, Default)]
pub struct InFlight(TaskTracker);

/// Reason why there is no result.
#[derive(Debug, thiserror::Error)]
pub enum NotRun {
    /// The gate is closed.
    #[error("nothing new is let in")]
    Closed,
    /// The work panicked.
    #[error("the work died")]
    Died(#[source] tokio::task::JoinError),
}

impl InFlight {
    /// Runs `work` to its end even when nobody waits for it any more: a turn whose client has
    /// gone away must not stop halfway.
    ///
    /// # Errors
    /// [`NotRun::Closed`] once the gate is closed, [`NotRun::Died`] when `work` panics.
    pub async fn run<T: Send + 'static>(
        &self,
        work: impl Future<Output = T> + Send + 'static,
    ) -> Result<T, NotRun> {
        let ticket = self.enter().ok_or(NotRun::Closed)?;
        let work = async move {
            let done = work.await;
            drop(ticket);
            done
        };
        let span = TraceSpan::current();
        let work = async move { span.run(work).await };
        let running = tokio::spawn(work.in_current_span());
        running.await.map_err(NotRun::Died)
    }

    /// A ticket, held while something runs; none once the gate is closed.
    pub fn enter(&self) -> Option<TaskTrackerToken> {
        // Counted before the gate is looked at: whoever closes it sees this one running.
        let ticket = self.0.token();
        (!self.is_closed()).then_some(ticket)
    }

    /// Lets nothing in any more.
    pub fn close(&self) {
        self.0.close();
    }

    /// Tells whether the gate is closed.
    pub fn is_closed(&self) -> bool {
        self.0.is_closed()
    }

    /// Number of tickets that are held.
    pub fn running(&self) -> usize {
        self.0.len()
    }

    /// Waits until the gate is closed and no ticket is held.
    pub async fn idle(&self) {
        self.0.wait().await;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[tokio::test]
    async fn waits_for_tickets_and_lets_nobody_in_once_closed() {
        let gate = InFlight::default();
        let ticket = gate.enter().unwrap();
        gate.close();
        assert!(gate.enter().is_none());
        assert_eq!(gate.running(), 1);
        let waiting = gate.clone();
        let idle = tokio::spawn(async move { waiting.idle().await });
        tokio::time::sleep(Duration::from_millis(5)).await;
        assert!(!idle.is_finished());
        drop(ticket);
        tokio::time::timeout(Duration::from_secs(5), idle)
            .await
            .unwrap()
            .unwrap();
    }

    #[tokio::test]
    async fn work_goes_on_when_nobody_waits_for_it() {
        let gate = InFlight::default();
        let (begin, may_begin) = tokio::sync::oneshot::channel::<()>();
        let (done, is_done) = tokio::sync::oneshot::channel();
        let work = gate.run(async move {
            may_begin.await.ok();
            done.send("saved").ok();
        });
        // The client goes away while the work runs.
        assert!(
            tokio::time::timeout(Duration::from_millis(5), work)
                .await
                .is_err()
        );
        assert_eq!(gate.running(), 1);
        begin.send(()).unwrap();
        assert_eq!(is_done.await, Ok("saved"));
        gate.close();
        tokio::time::timeout(Duration::from_secs(5), gate.idle())
            .await
            .unwrap();
    }

    #[tokio::test]
    async fn a_panic_stays_inside_and_gives_its_ticket_back() {
        let gate = InFlight::default();
        let died = gate.run(async { panic!("planted") }).await;
        assert!(matches!(died, Err::<(), _>(NotRun::Died(_))));
        assert_eq!(gate.running(), 0);
        gate.close();
        assert!(matches!(gate.run(async {}).await, Err(NotRun::Closed)));
    }
}
