//! The seam between whoever delegates (the chat, a button) and whoever works.
//!
//! Rows are the truth: a run is committed before a runner is told of it, and how it ended is read
//! from the store afterwards. A runner only wakes, waits and asks to stop, so a call that is lost
//! costs time and nothing else: the queue is looked at now and then anyway.

use super::settings::ProviderKind;

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

/// The runner of a build without one.
#[cfg(not(feature = "delegation"))]
#[derive(Debug, Clone, Copy)]
pub struct AgentRunner(std::convert::Infallible);

#[cfg(not(feature = "delegation"))]
mod none {
    use std::time::Duration;

    use super::{AgentRunner, CancelOutcome, ProviderStatus, WaitOutcome};
    use crate::domain::{RunHandle, UserId};

    impl AgentRunner {
        /// Wakes nobody.
        pub fn wake(&self) {
            match self.0 {}
        }

        /// Waits for nobody.
        pub async fn wait_for(&self, _: &UserId, _: &[RunHandle], _: Duration) -> WaitOutcome {
            match self.0 {}
        }

        /// Stops nobody.
        pub async fn cancel(&self, _: &UserId, _: RunHandle, _: Option<&str>) -> CancelOutcome {
            match self.0 {}
        }

        /// Asks nobody.
        pub fn providers(&self) -> Vec<ProviderStatus> {
            match self.0 {}
        }
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
