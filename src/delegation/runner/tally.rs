//! Cost of a run, counted while it goes on: a run that is cut off has cost something, too.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::store::RunMetrics;

/// The counts of one run.
#[derive(Debug)]
pub(super) struct RunTally {
    started: Instant,
    /// Time that it waited for the user, which is not the run's.
    waited: Mutex<Duration>,
    counted: Mutex<RunMetrics>,
}

impl RunTally {
    pub(super) fn new() -> Self {
        Self {
            started: Instant::now(),
            waited: Mutex::default(),
            counted: Mutex::default(),
        }
    }

    /// The time it has worked.
    pub(super) fn elapsed(&self) -> Duration {
        let waited = *self.waited.lock().unwrap_or_else(PoisonError::into_inner);
        self.started.elapsed().saturating_sub(waited)
    }

    /// Adds time that the run has waited for the user.
    pub(super) fn paused(&self, waited: Duration) {
        *self.waited.lock().unwrap_or_else(PoisonError::into_inner) += waited;
    }

    /// An answer of the model, with its tokens.
    pub(super) fn answer(&self, usage: Option<(u64, u64)>) {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        counted.model_calls += 1;
        counted.tokens_used += usage.map_or(0, |(read, written)| read + written);
    }

    /// A tool call.
    pub(super) fn call(&self) {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        counted.tool_calls += 1;
    }

    /// The counts so far.
    pub(super) fn metrics(&self) -> RunMetrics {
        let counted = *self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        let duration_ms = u64::try_from(self.elapsed().as_millis()).unwrap_or(u64::MAX);
        RunMetrics {
            duration_ms,
            ..counted
        }
    }
}
