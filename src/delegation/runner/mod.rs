//! Works on the queue: takes runs under leases, plays them, ends them, and stops in good order.
//!
//! Several processes may do this on one database: the store gives each run to one of them and
//! fences whoever was taken for dead. What a run is lives in its rows; this holds only what is
//! worked on here at the moment.

#[cfg(feature = "acp")]
mod acp_run;
mod model_run;
mod question;
mod run_context;
mod subagent;
mod tally;

use std::sync::Arc;
use std::time::Duration;

use chrono_tz::Tz;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, sleep_until, timeout};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::port::{CancelOutcome, ProviderStatus, WaitOutcome};
use super::provider::ProviderPool;
use super::registry::PersonaRegistry;
use super::settings::DelegationSettings;
use crate::domain::{Clock, IdSource, Moment, RunHandle, RunState, UserId};
use crate::store::{
    GivenUp, HeartbeatOutcome, RUN_BEAT, RunLease, RunRef, RunWorker, StopOutcome, Store,
    StoreError,
};
use crate::telemetry::trace::{TraceSpan, names};
use tally::RunTally;

/// Runs that are worked on at once, by all processes together.
const MAX_RUNS: u32 = 16;
/// Interval at which the queue is looked at without being told to.
const LOOK: Duration = Duration::from_millis(500);
/// Interval at which runs are looked for whose process is gone, and providers that failed are asked
/// whether they are there again.
const SWEEP: Duration = Duration::from_secs(2);
/// Longest time that somebody who asks a run to stop waits for it.
const CONFIRM: Duration = Duration::from_secs(2);
/// Beats of one run are no closer than this, however often its user's data changes.
const BEAT_MIN: Duration = Duration::from_millis(200);
/// Pause before a write that failed is tried again.
const PAUSE: Duration = Duration::from_millis(100);

/// Bugs that a test plants, to see that it would be caught.
#[cfg(feature = "simulator")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlantedInRunner {
    /// Words that an agent only says are taken for its report.
    WordsCount,
    /// The end of a tool call is not written down.
    LostReceipt,
    /// A request to stop is not heard.
    Deaf,
}

/// Services that the runner works with.
#[derive(Debug)]
pub struct RunnerServices {
    /// The truth.
    pub store: Store,
    /// Settings that say what the operator allows.
    pub settings: DelegationSettings,
    /// Providers that do the work.
    pub providers: Arc<ProviderPool>,
    /// Personas that agents may be.
    pub registry: PersonaRegistry,
    /// The time.
    pub clock: Clock,
    /// The zone in which it is a day.
    pub zone: Tz,
    /// New ids.
    pub ids: IdSource,
    /// The bug that it shall have.
    #[cfg(feature = "simulator")]
    pub planted: Option<PlantedInRunner>,
}

/// Works on the queue until it is closed. Cheap to clone.
#[derive(Debug, Clone)]
pub struct AgentRunner {
    inner: Arc<RunnerParts>,
}

#[derive(Debug)]
struct RunnerParts {
    services: RunnerServices,
    /// Name of this process among those that work on runs.
    owner: String,
    wake: Notify,
    /// Runs that are worked on here.
    tasks: TaskTracker,
    /// Makes those runs look whether they should stop.
    stops: watch::Sender<()>,
    /// Cancelled once no more is begun and what runs is given up.
    closing: CancellationToken,
}

impl AgentRunner {
    /// A runner that does nothing yet.
    pub fn new(services: RunnerServices) -> Self {
        Self {
            inner: Arc::new(RunnerParts {
                owner: services.ids.next().to_string(),
                services,
                wake: Notify::new(),
                tasks: TaskTracker::new(),
                stops: watch::Sender::new(()),
                closing: CancellationToken::new(),
            }),
        }
    }

    /// Begins to work: first it ends what a process left behind that is gone.
    pub fn start(&self) -> JoinHandle<()> {
        let runner = self.clone();
        tokio::spawn(async move {
            let probe = runner.regularly(|| runner.services().providers.probe());
            tokio::join!(runner.work(), runner.regularly(|| runner.sweep()), probe);
        })
    }

    /// Begins no more runs, gives up those that are worked on here, and returns once their rows
    /// say so, after `grace` at the latest; what is left then is found by the next sweep.
    pub async fn close(&self, grace: Duration) {
        self.inner.closing.cancel();
        self.inner.wake.notify_one();
        self.inner.tasks.close();
        if timeout(grace, self.inner.tasks.wait()).await.is_err() {
            tracing::warn!("some runs could not be given up in time");
        }
    }

    /// Looks at the queue, here and in other processes. Call it after a commit that begins a run.
    pub fn wake(&self) {
        self.inner.wake.notify_one();
        self.services().store.tell_of_work();
    }

    /// Waits until all these runs stand where they stay for now (ended, or waiting for the user),
    /// at most `up_to`. Dropping the future stops the waiting and nothing else.
    pub async fn wait_for(
        &self,
        user: &UserId,
        runs: &[RunHandle],
        up_to: Duration,
    ) -> WaitOutcome {
        let settled = |state: RunState| state.is_terminal() || state == RunState::InputRequired;
        match timeout(up_to, self.still(user, runs, settled)).await {
            Ok(()) => WaitOutcome::Ended,
            Err(_) => WaitOutcome::StillRunning,
        }
    }

    /// Asks a run, and the runs it began, to stop: writes the request into its row, aborts the
    /// call in flight, and waits up to 2 s for the confirmation.
    pub async fn cancel(
        &self,
        user: &UserId,
        run: RunHandle,
        reason: Option<&str>,
    ) -> CancelOutcome {
        let RunnerServices { store, ids, .. } = self.services();
        let now = self.services().now().instant;
        let asked = store.stop_runs(user, |known| known.handle == run, reason, now, ids);
        match asked.await.map(|mut asked| asked.pop()) {
            Ok(None | Some(StopOutcome::Missing)) => return CancelOutcome::Unknown,
            Ok(Some(StopOutcome::Stopped(_) | StopOutcome::Ended(_, RunState::Cancelled))) => {
                return CancelOutcome::Confirmed;
            }
            Ok(Some(StopOutcome::Ended(..))) => return CancelOutcome::AlreadyEnded,
            Ok(Some(StopOutcome::Asked(_) | StopOutcome::Already(_))) => {}
            Err(error) => {
                tracing::warn!(%error, "a request to stop could not be written");
                return CancelOutcome::Unavailable;
            }
        }
        self.inner.stops.send_replace(());
        let _ = timeout(CONFIRM, self.ended(user, run)).await;
        match self.state(user, run).await {
            Ok(Some(RunState::Cancelled)) => CancelOutcome::Confirmed,
            Ok(Some(state)) if state.is_terminal() => CancelOutcome::AlreadyEnded,
            Ok(Some(_)) => CancelOutcome::Unconfirmed,
            Ok(None) => CancelOutcome::Unknown,
            Err(_) => CancelOutcome::Unavailable,
        }
    }

    /// The configured providers as they stand now, in the order of `candor.toml`.
    pub fn providers(&self) -> Vec<ProviderStatus> {
        self.services().providers.status()
    }

    fn services(&self) -> &RunnerServices {
        &self.inner.services
    }

    async fn work(&self) {
        let services = self.services();
        let mut sound = true;
        let mut elsewhere = services.store.watch_work();
        while !self.inner.closing.is_cancelled() {
            let worker = RunWorker {
                owner: self.inner.owner.clone(),
                per_user: u32::try_from(services.settings.max_runs_per_user).unwrap_or(u32::MAX),
                in_all: MAX_RUNS,
                full: services.providers.full(),
            };
            let now = services.now().instant;
            let leased = services.store.lease_next(&worker, now, &services.ids).await;
            match leased {
                Ok(Some(lease)) => {
                    sound = true;
                    self.begin(lease);
                }
                Ok(None) => {
                    sound = true;
                    tokio::select! {
                        () = self.inner.wake.notified() => {}
                        () = elsewhere.changed() => {}
                        () = sleep(LOOK) => {}
                    }
                }
                Err(StoreError::Closed) => return,
                Err(error) => {
                    // Said once, not each time.
                    if std::mem::take(&mut sound) {
                        tracing::warn!(%error, "can't look for runs to work on");
                    }
                    sleep(LOOK).await;
                }
            }
        }
    }

    /// Acts now and then until the runner is closed.
    async fn regularly<F: Future<Output = ()>>(&self, act: impl Fn() -> F) {
        while !self.inner.closing.is_cancelled() {
            act().await;
            let _ = timeout(SWEEP, self.inner.closing.cancelled()).await;
        }
    }

    async fn sweep(&self) {
        let RunnerServices { store, ids, .. } = self.services();
        let now = self.services().now().instant;
        match store.interrupt_expired(now, ids).await {
            Ok(runs) if runs.is_empty() => {}
            Ok(runs) => {
                let count = runs.len();
                tracing::info!(count, "runs whose process is gone are interrupted");
            }
            Err(error) => tracing::debug!(%error, "can't look for runs that were cut off"),
        }
    }

    /// Works on a run, beside the others.
    fn begin(&self, lease: RunLease) {
        let stops = self.inner.stops.subscribe();
        let slot = self.services().providers.enter(&lease.run.provider);
        let runner = self.clone();
        self.inner.tasks.spawn(async move {
            let run = lease.run.handle;
            if let Err(error) = runner.tend(lease, stops).await {
                tracing::warn!(%error, %run, "a run could not be written to its end");
            }
            drop(slot);
            runner.inner.wake.notify_one();
        });
    }

    /// Plays a run while its heart beats; ends it as cancelled or interrupted when it is to stop.
    async fn tend(
        &self,
        mut lease: RunLease,
        stops: watch::Receiver<()>,
    ) -> Result<(), StoreError> {
        let heart = lease.clone();
        let span = run_span(&lease);
        let tally = RunTally::new();
        let end = tokio::select! {
            // What happens at one time: a request to stop goes first.
            biased;
            beaten = self.beat(&heart, stops) => match beaten {
                HeartbeatOutcome::Stop => Some(GivenUp::Cancelled(tally.metrics())),
                HeartbeatOutcome::Alive | HeartbeatOutcome::Lost => None,
            },
            () = self.inner.closing.cancelled() => {
                let reason = "outcome unknown: the server shut down while it was worked on";
                Some(GivenUp::Interrupted(reason))
            }
            played = span.run(model_run::play(self, &mut lease, &tally)) => match played {
                Ok(()) => None,
                Err(error) => {
                    tracing::warn!(%error, run = %heart.run.handle, "a run broke off");
                    let reason = "outcome unknown: what it did could not be written down";
                    Some(GivenUp::Interrupted(reason))
                }
            },
        };
        self.end_below(&tally).await;
        let Some(end) = end else { return Ok(()) };
        // The call in flight is gone with the future that waited for it.
        let RunnerServices { store, ids, .. } = self.services();
        let write = || store.give_up(&lease, &end, self.services().now().instant, ids);
        retried(3, write).await.map(drop)
    }

    /// Beats until the run is to stop or is lost. What changes in its user's data makes it look
    /// at once: a request to stop is such a change, whichever process it was made in.
    async fn beat(&self, lease: &RunLease, mut stops: watch::Receiver<()>) -> HeartbeatOutcome {
        let store = &self.services().store;
        let mut watch = store.watch(&lease.run.user_id);
        let mut last = Instant::now();
        loop {
            let soon = async {
                watch.changed().await;
                sleep_until(last + BEAT_MIN).await;
            };
            tokio::select! {
                _ = stops.changed() => {}
                () = soon => {}
                () = sleep_until(last + RUN_BEAT) => {}
            }
            last = Instant::now();
            match store.heartbeat(lease).await {
                Ok(HeartbeatOutcome::Alive) => {}
                #[cfg(feature = "simulator")]
                Ok(HeartbeatOutcome::Stop)
                    if self.services().planted == Some(PlantedInRunner::Deaf) => {}
                Ok(beaten) => return beaten,
                // Its lease runs out if this goes on.
                Err(error) => tracing::debug!(%error, run = %lease.run.handle, "no beat"),
            }
        }
    }

    async fn state(&self, user: &UserId, run: RunHandle) -> Result<Option<RunState>, StoreError> {
        let run = self.services().store.run(user, RunRef::Handle(run)).await?;
        Ok(run.map(|run| run.state))
    }

    /// Waits until a run has ended; one that is unknown never began and counts as ended.
    async fn ended(&self, user: &UserId, run: RunHandle) {
        self.still(user, &[run], RunState::is_terminal).await;
    }

    async fn still(&self, user: &UserId, runs: &[RunHandle], is: impl Fn(RunState) -> bool) {
        let mut watch = self.services().store.watch(user);
        for run in runs {
            while !matches!(self.state(user, *run).await, Ok(state) if state.is_none_or(&is)) {
                let _ = timeout(LOOK, watch.changed()).await;
            }
        }
    }
}

impl RunnerServices {
    fn now(&self) -> Moment {
        self.clock.now(self.zone)
    }
}

/// Writes, so many times more where the database fails.
async fn retried<T, F>(mut times: usize, write: impl Fn() -> F) -> Result<T, StoreError>
where
    F: Future<Output = Result<T, StoreError>>,
{
    loop {
        match write().await {
            Err(error) if times > 0 => tracing::warn!(%error, "a write about a run is tried again"),
            done => return done,
        }
        times -= 1;
        sleep(PAUSE).await;
    }
}

/// The span of a run, in the trace of the turn that began it.
fn run_span(lease: &RunLease) -> TraceSpan {
    let run = &lease.run;
    let span = TraceSpan::after(run.turn, || {
        format!("{} {}", names::INVOKE_AGENT, run.persona)
    });
    if span.is_seen() {
        span.set(names::OPERATION, names::INVOKE_AGENT);
        span.set(names::AGENT_NAME, run.persona.clone());
        span.set(names::AGENT_ID, run.agent.to_string());
        span.set(names::PROVIDER, run.provider.clone());
        span.set(names::REQUEST_MODEL, run.model.clone());
    }
    span
}
