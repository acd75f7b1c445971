//! Works on the queue: takes runs under leases, plays them, ends them, and stops in good order.
//!
//! Several processes may do this on one database: the store gives each run to one of them and
//! fences whoever was taken for dead. What a run is lives in its rows; this holds only who is
//! worked on here at the moment, so that a request to stop finds them at once.

#[cfg(feature = "acp")]
mod acp_run;
mod model_run;
mod question;
mod run_context;
mod subagent;
mod tally;

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use chrono_tz::Tz;
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep, timeout};

use super::port::{CancelOutcome, PortFuture, ProviderStatus, RunnerPort, WaitOutcome};
use super::provider::ProviderPool;
use super::registry::PersonaRegistry;
use super::settings::DelegationSettings;
use crate::domain::{Clock, IdSource, Moment, RunHandle, RunId, RunState, TurnId, UserId};
use crate::store::{
    AgentRun, CommitRecord, HeartbeatOutcome, LeaseOutcome, RUN_BEAT, RunLease, RunRef, RunWorker,
    StopOutcome, Store, StoreError, Unit,
};
use crate::telemetry::trace::{TraceSpan, names};

/// Runs that are worked on at once, by all processes together.
const MAX_RUNS: u32 = 16;
/// Interval at which the queue is looked at without being told to.
const LOOK: Duration = Duration::from_millis(500);
/// Interval at which runs are looked for whose process is gone.
const SWEEP: Duration = Duration::from_secs(2);
/// Interval at which providers that failed are asked whether they are there again.
const PROBED: Duration = Duration::from_secs(2);
/// Longest time that somebody who asks a run to stop waits for it.
const CONFIRM: Duration = Duration::from_secs(2);
/// Beats of one run are no closer than this, however often its user's data changes.
const BEAT_MIN: Duration = Duration::from_millis(200);
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
#[derive(Clone)]
pub struct AgentRunner {
    inner: Arc<RunnerParts>,
}

struct RunnerParts {
    services: RunnerServices,
    /// Name of this process among those that work on runs.
    owner: String,
    wake: Notify,
    /// Runs that are worked on here, and how to make them look whether they should stop.
    here: Mutex<HashMap<RunId, Arc<Notify>>>,
    /// Runs that those worked on here have begun themselves.
    below: Mutex<HashMap<RunId, Vec<AgentRun>>>,
    /// True once no more is begun and what runs is given up.
    closing: watch::Sender<bool>,
}

impl AgentRunner {
    /// A runner that does nothing yet.
    pub fn new(shop: RunnerServices) -> Self {
        let owner = shop.ids.next().to_string();
        Self {
            inner: Arc::new(RunnerParts {
                services: shop,
                owner,
                wake: Notify::new(),
                here: Mutex::default(),
                below: Mutex::default(),
                closing: watch::Sender::new(false),
            }),
        }
    }

    /// Begins to work: first it ends what a process left behind that is gone.
    pub fn start(&self) -> JoinHandle<()> {
        let inner = Arc::clone(&self.inner);
        tokio::spawn(async move {
            tokio::join!(Arc::clone(&inner).work(), inner.sweep(), inner.probe());
        })
    }

    /// Begins no more runs, gives up those that are worked on here, and returns once their rows
    /// say so, after `grace` at the latest; what is left then is found by the next sweep.
    pub async fn close(&self, grace: Duration) {
        self.inner.closing.send_replace(true);
        self.inner.wake.notify_one();
        let empty = async {
            while !self.inner.here().is_empty() {
                sleep(Duration::from_millis(20)).await;
            }
        };
        if timeout(grace, empty).await.is_err() {
            tracing::warn!("some runs could not be given up in time");
        }
    }
}

impl RunnerParts {
    fn here(&self) -> MutexGuard<'_, HashMap<RunId, Arc<Notify>>> {
        self.here.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn now(&self) -> Moment {
        self.services.clock.now(self.services.zone)
    }

    fn is_closing(&self) -> bool {
        *self.closing.borrow()
    }

    async fn work(self: Arc<Self>) {
        let mut sound = true;
        let mut elsewhere = self.services.store.watch_work();
        while !self.is_closing() {
            let worker = RunWorker {
                owner: self.owner.clone(),
                per_user: u32::try_from(self.services.settings.max_runs_per_user)
                    .unwrap_or(u32::MAX),
                in_all: MAX_RUNS,
                full: self.services.providers.full(),
            };
            let now = self.now().instant;
            let leased = self
                .services
                .store
                .lease_next(&worker, now, &self.services.ids)
                .await;
            match leased {
                Ok(LeaseOutcome::Run(lease)) => {
                    sound = true;
                    self.begin(*lease);
                }
                Ok(LeaseOutcome::Nothing) => {
                    sound = true;
                    tokio::select! {
                        () = self.wake.notified() => {}
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

    async fn sweep(&self) {
        let mut closing = self.closing.subscribe();
        loop {
            let now = self.now().instant;
            match self
                .services
                .store
                .interrupt_expired(now, &self.services.ids)
                .await
            {
                Ok(runs) if runs.is_empty() => {}
                Ok(runs) => {
                    let count = runs.len();
                    tracing::info!(count, "runs whose process is gone are interrupted");
                }
                Err(StoreError::Closed) => return,
                Err(error) => tracing::debug!(%error, "can't look for runs that were cut off"),
            }
            tokio::select! {
                () = sleep(SWEEP) => {}
                _ = closing.wait_for(|closing| *closing) => return,
            }
        }
    }

    async fn probe(&self) {
        let mut closing = self.closing.subscribe();
        loop {
            tokio::select! {
                () = sleep(PROBED) => {}
                _ = closing.wait_for(|closing| *closing) => return,
            }
            self.services.providers.probe().await;
        }
    }

    /// Works on a run, beside the others.
    fn begin(self: &Arc<Self>, lease: RunLease) {
        let poke = Arc::new(Notify::new());
        self.here().insert(lease.run.id, Arc::clone(&poke));
        let slot = self.services.providers.enter(&lease.run.provider);
        let inner = Arc::clone(self);
        let id = lease.run.id;
        tokio::spawn(async move {
            let leaving = RunDeparture(Arc::clone(&inner), id);
            let run = lease.run.handle;
            if let Err(error) = inner.tend(lease, &poke).await {
                tracing::warn!(%error, %run, "a run could not be written to its end");
            }
            drop((slot, leaving));
            inner.wake.notify_one();
        });
    }

    /// Plays a run while its heart beats; ends it as cancelled or interrupted when it is to stop.
    async fn tend(&self, mut lease: RunLease, poke: &Notify) -> Result<(), StoreError> {
        let heart = lease.clone();
        let span = run_span(&lease);
        let tally = tally::RunTally::new();
        let mut closing = self.closing.subscribe();
        let why = tokio::select! {
            // What happens at one time: a request to stop goes first.
            biased;
            beaten = self.beat(&heart, poke) => match beaten {
                HeartbeatOutcome::Stop => StopReason::Stop,
                HeartbeatOutcome::Alive | HeartbeatOutcome::Lost => StopReason::Lost,
            },
            _ = closing.wait_for(|closing| *closing) => StopReason::Closing,
            played = span.run(model_run::play(self, &mut lease, &tally)) => match played {
                Ok(()) => StopReason::Played,
                Err(error) => {
                    tracing::warn!(%error, run = %heart.run.handle, "a run broke off");
                    StopReason::Broken
                }
            },
        };
        self.end_below(lease.run.id).await;
        // The call in flight is gone with the future that waited for it.
        let (store, ids) = (&self.services.store, &self.services.ids);
        let mut tries = 0;
        loop {
            let now = self.now().instant;
            let ended = match why {
                StopReason::Stop => {
                    store
                        .cancel_confirmed(&lease, tally.metrics(), now, ids)
                        .await
                }
                StopReason::Closing => {
                    let reason = "outcome unknown: the server shut down while it was worked on";
                    store.interrupt_run(&lease, reason, now, ids).await
                }
                StopReason::Broken => {
                    let reason = "outcome unknown: what it did could not be written down";
                    store.interrupt_run(&lease, reason, now, ids).await
                }
                StopReason::Played | StopReason::Lost => return Ok(()),
            };
            match ended {
                Ok(_) => return Ok(()),
                Err(error) if tries == 3 => return Err(error),
                Err(_) => sleep(Duration::from_millis(100)).await,
            }
            tries += 1;
        }
    }

    /// Beats until the run is to stop or is lost. What changes in its user's data makes it look
    /// at once: a request to stop is such a change, whichever process it was made in.
    async fn beat(&self, lease: &RunLease, poke: &Notify) -> HeartbeatOutcome {
        let mut watch = self.services.store.watch(&lease.run.user_id);
        let mut last = Instant::now();
        loop {
            let soon = async {
                watch.changed().await;
                tokio::time::sleep_until(last + BEAT_MIN).await;
            };
            tokio::select! {
                () = poke.notified() => {}
                () = soon => {}
                () = tokio::time::sleep_until(last + RUN_BEAT) => {}
            }
            last = Instant::now();
            match self.services.store.heartbeat(lease).await {
                Ok(HeartbeatOutcome::Alive) => {}
                #[cfg(feature = "simulator")]
                Ok(HeartbeatOutcome::Stop)
                    if self.services.planted == Some(PlantedInRunner::Deaf) => {}
                Ok(beaten) => return beaten,
                // Its lease runs out if this goes on.
                Err(error) => tracing::debug!(%error, run = %lease.run.handle, "no beat"),
            }
        }
    }

    async fn state(&self, user: &UserId, run: &str) -> Result<Option<RunState>, StoreError> {
        let Ok(handle) = RunHandle::parse(run) else {
            return Ok(None);
        };
        let run = self
            .services
            .store
            .run(user, RunRef::Handle(handle))
            .await?;
        Ok(run.map(|run| run.state))
    }

    /// Waits until all have ended; a run that is unknown never began and counts as ended.
    async fn ended(&self, user: &UserId, runs: Vec<String>) {
        self.still(user, runs, RunState::is_terminal).await;
    }

    /// Waits until all stand where they stay for now: ended, or waiting for the user.
    async fn settled(&self, user: &UserId, runs: Vec<String>) {
        let settled = |state: RunState| state.is_terminal() || state == RunState::InputRequired;
        self.still(user, runs, settled).await;
    }

    async fn still(&self, user: &UserId, mut runs: Vec<String>, is: impl Fn(RunState) -> bool) {
        let mut watch = self.services.store.watch(user);
        loop {
            let mut live = Vec::new();
            for run in runs {
                match self.state(user, &run).await {
                    Ok(state) if state.is_none_or(&is) => {}
                    _ => live.push(run),
                }
            }
            if live.is_empty() {
                return;
            }
            runs = live;
            let _ = timeout(LOOK, watch.changed()).await;
        }
    }

    /// Writes the request to stop; what it came to.
    async fn ask_to_stop(
        &self,
        user: &UserId,
        run: &str,
        reason: Option<&str>,
    ) -> Result<StopOutcome, StoreError> {
        let Ok(handle) = RunHandle::parse(run) else {
            return Ok(StopOutcome::Missing);
        };
        let (store, ids) = (&self.services.store, &self.services.ids);
        let mut transaction = store.transact("the run kept changing");
        loop {
            let Some(known) = store.run(user, RunRef::Handle(handle)).await? else {
                return Ok(StopOutcome::Missing);
            };
            let delegations = Arc::new(store.delegations(user).await?);
            let tasks = store.load(user, None, None).await?.tasks;
            let (turn, now) = (TurnId::new(ids.next()), self.now().instant);
            let unit = Unit::new(user.clone(), None, turn, now, ids.clone(), tasks);
            let mut unit = unit.knowing(delegations);
            let stopping = unit.cancel_run(known.id, reason);
            if !matches!(stopping, StopOutcome::Stopped(_) | StopOutcome::Asked(_)) {
                return Ok(stopping);
            }
            if transaction
                .commit(unit, CommitRecord::default())
                .await?
                .is_some()
            {
                return Ok(stopping);
            }
        }
    }

    async fn cancel(&self, user: &UserId, run: &str, reason: Option<&str>) -> CancelOutcome {
        let asked = self.ask_to_stop(user, run, reason).await;
        match asked {
            Ok(StopOutcome::Missing) => return CancelOutcome::Unknown,
            Ok(StopOutcome::Stopped(_)) => return CancelOutcome::Confirmed,
            Ok(StopOutcome::Ended(_, RunState::Cancelled)) => return CancelOutcome::Confirmed,
            Ok(StopOutcome::Ended(..)) => return CancelOutcome::AlreadyEnded,
            Ok(StopOutcome::Asked(_) | StopOutcome::Already(_)) => {}
            Err(error) => {
                tracing::warn!(%error, "a request to stop could not be written");
                return CancelOutcome::Unavailable;
            }
        }
        for poke in self.here().values() {
            poke.notify_one();
        }
        let _ = timeout(CONFIRM, self.ended(user, vec![run.to_owned()])).await;
        match self.state(user, run).await {
            Ok(Some(RunState::Cancelled)) => CancelOutcome::Confirmed,
            Ok(Some(state)) if state.is_terminal() => CancelOutcome::AlreadyEnded,
            Ok(Some(_)) => CancelOutcome::Unconfirmed,
            Ok(None) => CancelOutcome::Unknown,
            Err(_) => CancelOutcome::Unavailable,
        }
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

/// Reason why a run is not played any further.
#[derive(Debug, Clone, Copy)]
enum StopReason {
    Played,
    Stop,
    Closing,
    Broken,
    Lost,
}

/// Takes a run off the list of those that are worked on here, however its work ends.
struct RunDeparture(Arc<RunnerParts>, RunId);

impl Drop for RunDeparture {
    fn drop(&mut self) {
        self.0.here().remove(&self.1);
    }
}

impl RunnerPort for AgentRunner {
    fn wake(&self, _: &UserId) {
        self.inner.wake.notify_one();
        self.inner.services.store.tell_of_work();
    }

    fn wait_for<'a>(
        &'a self,
        user: &'a UserId,
        runs: Vec<String>,
        up_to: Duration,
    ) -> PortFuture<'a, WaitOutcome> {
        Box::pin(async move {
            match timeout(up_to, self.inner.settled(user, runs)).await {
                Ok(()) => WaitOutcome::Ended,
                Err(_) => WaitOutcome::StillRunning,
            }
        })
    }

    fn cancel<'a>(
        &'a self,
        user: &'a UserId,
        run: String,
        reason: Option<String>,
    ) -> PortFuture<'a, CancelOutcome> {
        Box::pin(async move { self.inner.cancel(user, &run, reason.as_deref()).await })
    }

    fn providers(&self) -> Vec<ProviderStatus> {
        self.inner.services.providers.status()
    }
}

impl fmt::Debug for AgentRunner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Runner")
            .field("owner", &self.inner.owner)
            .finish_non_exhaustive()
    }
}
