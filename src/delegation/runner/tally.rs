//! Cost of a run, counted while it goes on: a run that is cut off has cost something, too.

use std::time::{Duration, Instant};

use parking_lot::{Mutex, MutexGuard};

use crate::store::{AgentRun, RunMetrics};

/// The counts of one run.
#[derive(Debug)]
pub(super) struct RunTally {
    started: Instant,
    counted: Mutex<RunCounts>,
}

/// Counts that change.
#[derive(Debug, Default)]
pub(super) struct RunCounts {
    metrics: RunMetrics,
    /// Time that it waited for the user, which is not the run's.
    pub waited: Duration,
    /// Runs that it has begun itself.
    pub below: Vec<AgentRun>,
}

impl RunTally {
    pub(super) fn new() -> Self {
        Self {
            started: Instant::now(),
            counted: Mutex::default(),
        }
    }

    pub(super) fn counted(&self) -> MutexGuard<'_, RunCounts> {
        self.counted.lock()
    }

    /// The time it has worked.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed().saturating_sub(self.counted().waited)
    }

    /// An answer of the model, with its tokens.
    pub(super) fn answer(&self, usage: Option<(u64, u64)>) {
        let metrics = &mut self.counted().metrics;
        metrics.model_calls += 1;
        metrics.tokens_used += usage.map_or(0, |(read, written)| read + written);
    }

    /// A tool call.
    pub(super) fn call(&self) {
        self.counted().metrics.tool_calls += 1;
    }

    /// The counts so far.
    pub(super) fn metrics(&self) -> RunMetrics {
        let duration_ms = u64::try_from(self.elapsed().as_millis()).unwrap_or(u64::MAX);
        RunMetrics {
            duration_ms,
            ..self.counted().metrics
        }
    }
}
