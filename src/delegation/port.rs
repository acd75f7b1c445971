//! The seam between whoever delegates (the chat, a button) and whoever works.
//!
//! Rows are the truth: a run is committed before anything here is called, and how it ended is
//! read from the store afterwards. A [`RunDispatch`] only wakes, waits and asks to stop, so a call
//! that is lost costs time and nothing else: the runner looks at the queue now and then anyway.

use std::fmt::{self, Debug, Display};
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use super::settings::ProviderKind;
use crate::domain::UserId;

/// Future that a [`RunnerPort`] answers with.
pub type PortFuture<'a, T> = Pin<Box<dyn std::future::Future<Output = T> + Send + 'a>>;

/// Outcome of waiting. Neither is a success or a failure of a run (G-08): read the rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WaitOutcome {
    /// Every run has come to an end (completed, failed, cancelled or interrupted) or waits for the
    /// user, so that waiting any longer helps nobody.
    Ended,
    /// Time ran out; at least one goes on.
    StillRunning,
}

/// Outcome of a request to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CancelOutcome {
    /// The run is `cancelled`, confirmed by whoever worked on it: nothing more will land (G-11).
    Confirmed,
    /// The run had come to its end before; that state stands.
    AlreadyEnded,
    /// The request is in its row, but nobody confirmed in time: work may still land.
    Unconfirmed,
    /// This user has no such run.
    Unknown,
    /// The database did not answer: it is not known whether the request was saved.
    Unavailable,
}

/// A provider as it stands now: what `auto` chooses among, and what an explicit choice needs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderStatus {
    /// Its name in `candor.toml`, such as `openai-dev`.
    pub id: String,
    /// Way in which it is spoken to.
    pub kind: ProviderKind,
    /// The models it offers, the first being its own choice. Empty: it chooses itself.
    pub models: Vec<String>,
    /// The operator lets it be used.
    pub enabled: bool,
    /// Its last call went well, or none was made yet.
    pub healthy: bool,
    /// Number of further runs that it takes at the moment; `None` without a bound.
    pub free: Option<usize>,
}

impl ProviderStatus {
    /// Tells why a run can't go there: `not configured` is the caller's to say. `None`: it can.
    pub const fn unavailable(&self) -> Option<&'static str> {
        if !self.enabled {
            Some("disabled")
        } else if !self.healthy {
            Some("unhealthy")
        } else {
            None
        }
    }

    /// Tells whether it offers a model of that name.
    pub fn offers(&self, model: &str) -> bool {
        self.models.is_empty() || self.models.iter().any(|known| known == model)
    }
}

/// Requests that a runner takes. Runs are named by their handles, `run-7`.
pub trait RunnerPort: Send + Sync + Debug {
    /// Rows of this user may wait: look at the queue now.
    fn wake(&self, user: &UserId);

    /// Waits until all these runs have ended, at most `up_to`.
    fn wait_for<'a>(
        &'a self,
        user: &'a UserId,
        runs: Vec<String>,
        up_to: Duration,
    ) -> PortFuture<'a, WaitOutcome>;

    /// Asks a run, and the runs it began, to stop; returns once that is confirmed, after 2 s at
    /// the latest.
    fn cancel<'a>(
        &'a self,
        user: &'a UserId,
        run: String,
        reason: Option<String>,
    ) -> PortFuture<'a, CancelOutcome>;

    /// The configured providers, in the order of `candor.toml`.
    fn providers(&self) -> Vec<ProviderStatus>;
}

/// A handle on the runner. Cheap to clone.
#[derive(Clone)]
pub struct RunDispatch(Arc<dyn RunnerPort>);

impl RunDispatch {
    /// A handle on `port`.
    pub fn new(port: impl RunnerPort + 'static) -> Self {
        Self(Arc::new(port))
    }

    /// Rows of this user may wait: look at the queue now. Call it after their commit.
    pub fn wake(&self, user: &UserId) {
        self.0.wake(user);
    }

    /// Waits until all these runs (`run-7`) have ended, at most `up_to`; how they ended is in
    /// their rows. Dropping the future stops the waiting and nothing else.
    pub async fn wait_for<R: Display>(
        &self,
        user: &UserId,
        runs: &[R],
        up_to: Duration,
    ) -> WaitOutcome {
        let runs = runs.iter().map(ToString::to_string).collect();
        self.0.wait_for(user, runs, up_to).await
    }

    /// Asks a run (`run-7`), and the runs it began, to stop: writes the request into its row,
    /// aborts the call in flight, and waits up to 2 s for the confirmation.
    pub async fn cancel<R: Display>(
        &self,
        user: &UserId,
        run: &R,
        reason: Option<&str>,
    ) -> CancelOutcome {
        let reason = reason.map(str::to_owned);
        self.0.cancel(user, run.to_string(), reason).await
    }

    /// The configured providers as they stand now, in the order of `candor.toml`.
    pub fn providers(&self) -> Vec<ProviderStatus> {
        self.0.providers()
    }
}

impl Debug for RunDispatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_keeps_a_run_from_a_provider_is_said_in_one_word() {
        let status = |enabled, healthy| ProviderStatus {
            id: "codex".to_owned(),
            kind: ProviderKind::OpenAiCompat,
            models: vec!["gpt-4".to_owned()],
            enabled,
            healthy,
            free: None,
        };
        assert_eq!(status(true, true).unavailable(), None);
        assert_eq!(status(false, false).unavailable(), Some("disabled"));
        assert_eq!(status(true, false).unavailable(), Some("unhealthy"));
        assert!(status(true, true).offers("gpt-4") && !status(true, true).offers("gpt-5"));
        let mut open = status(true, true);
        open.models.clear();
        assert!(open.offers("anything"));
    }
}
