//! Driver of a turn: polls its machine, carries out the effect that it asks for, hands the answer
//! in, and polls again. Decides nothing.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};

use tokio::sync::OwnedSemaphorePermit;
use tokio::task::JoinHandle;
use tokio::time::timeout;
use tracing::Instrument;

use super::input::TurnInput;
use super::machine::effects::{
    CommitReply, Effect, EffectRequest, Effects, ModelReply, ModelRole, Waited,
};
use super::recover::TakeoverWatch;
use super::service::TurnServices;
use super::{ChatAnswer, ChatError};
use crate::delegation::{AgentRunner, WaitOutcome};
use crate::domain::{TurnId, UserId};
use crate::llm::{self, LanguageModel, ModelRequest};
use crate::store::{BEAT, RunRef, Store};

/// Carries out what the machine of one request asks for.
pub(super) struct TurnDriver<'s> {
    services: &'s TurnServices,
    input: &'s TurnInput,
    effects: Effects,
    /// Keeps the row of the turn alive, where it has one.
    heartbeat: Option<LeaseHeartbeat>,
    /// Place among the turns that end without an answer.
    place: Option<OwnedSemaphorePermit>,
    /// Observations of a turn that stands in the way.
    watch: TakeoverWatch,
}

impl<'s> TurnDriver<'s> {
    /// Serves the request of `input`.
    pub(super) fn new(services: &'s TurnServices, input: &'s TurnInput) -> Self {
        Self {
            services,
            input,
            effects: Effects::default(),
            heartbeat: None,
            place: None,
            watch: TakeoverWatch::default(),
        }
    }

    /// The line on which its machine asks.
    pub(super) fn effects(&self) -> Effects {
        self.effects.clone()
    }

    /// Drives a machine to its end.
    pub(super) async fn drive<E: From<ChatError>>(
        mut self,
        mut machine: Pin<&mut impl Future<Output = Result<ChatAnswer, E>>>,
    ) -> Result<ChatAnswer, E> {
        loop {
            let polled = machine
                .as_mut()
                .poll(&mut Context::from_waker(Waker::noop()));
            if let Poll::Ready(ended) = polled {
                return ended;
            }
            // Nothing else wakes a machine: one that waits and asks for nothing would wait for ever.
            let asked = self.effects.take().ok_or(ChatError::Unconfirmed)?;
            let EffectRequest { effect, span, log } = asked;
            span.run(self.carry_out(effect)).instrument(log).await;
        }
    }

    async fn carry_out(&mut self, effect: Effect) {
        let (services, user) = (self.services, &self.input.user);
        let store = &services.store;
        match effect {
            Effect::RecallSnapshot(conversation, answer) => {
                answer.give(store.recall(user, conversation));
            }
            Effect::LoadSnapshot(conversation, key, answer) => {
                answer.give(store.load(user, conversation, key.as_deref()).await);
            }
            Effect::AttendTurn(open, answer) => {
                // An attempt that ended holds nothing while the next one waits.
                (self.place, self.heartbeat) = (None, None);
                answer.give(services.attend(self.input, &open, &mut self.watch).await);
            }
            Effect::ReadHistory(conversation, most, answer) => {
                answer.give(store.history(user, conversation, most).await);
            }
            Effect::ReadTurn(turn, answer) => answer.give(store.turn_receipts(user, turn).await),
            Effect::ReadReceipt(id, answer) => answer.give(store.receipt(user, id).await),
            Effect::ReadUndoable(answer) => {
                let conversation = self.input.conversation;
                answer.give(store.latest_undoable(user, conversation).await);
            }
            Effect::ReadRuns(answer) => answer.give(store.delegations(user).await),
            Effect::ReadRun(run, answer) => {
                answer.give(store.run(user, RunRef::Handle(run)).await);
            }
            Effect::ListRuns(query, answer) => answer.give(store.runs(user, &query).await),
            Effect::ReadAgent(agent, answer) => answer.give(store.agent(user, &agent).await),
            Effect::AskModel(role, request, patience, answer) => {
                answer.give(self.ask_model(role, &request, patience).await);
            }
            Effect::TakePlace(within, answer) => {
                let place = Arc::clone(&services.ending).acquire_owned();
                let place = timeout(within, place).await;
                self.place = place.ok().and_then(Result::ok);
                answer.give(());
            }
            Effect::Commit(written, answer) => {
                self.place = None;
                let (unit, record) = *written;
                let began = Instant::now();
                let end = store.commit_confirmed(unit, record).await;
                let took = began.elapsed();
                answer.give(CommitReply { end, took });
            }
            Effect::KeepJournal(turn, journal, answer) => {
                let owner = &services.rules.owner;
                answer.give(store.beat(user, turn, owner, Some(&journal)).await);
            }
            Effect::KeepAlive(turn, answer) => {
                let (store, owner) = (store.clone(), services.rules.owner.clone());
                let heartbeat = LeaseHeartbeat::start(store, user.clone(), turn, owner);
                self.heartbeat = Some(heartbeat);
                answer.give(());
            }
            Effect::WakeWorkers(answer) => {
                if let Some(runner) = &services.runner {
                    runner.wake();
                }
                answer.give(());
            }
            Effect::CancelRun(run, reason, answer) => {
                if let Some(runner) = &services.runner {
                    let cancelling = runner.cancel(user, run, reason.as_deref());
                    self.wait(cancelling).await;
                }
                answer.give(());
            }
            Effect::AwaitRuns(runs, up_to, answer) => answer.give(match &services.runner {
                Some(runner) => self.wait(runner.wait_for(user, &runs, up_to)).await,
                None => Waited::Done(WaitOutcome::StillRunning),
            }),
            Effect::ReadProviders(answer) => {
                let runner = services.runner.as_ref();
                answer.give(runner.map(AgentRunner::providers).unwrap_or_default());
            }
            Effect::ResolvePath(path, answer) => answer.give(std::fs::canonicalize(path).ok()),
            Effect::CheckReach(answer) => {
                answer.give(match &services.reminders {
                    Some(channels) => channels.reach(user, store).await,
                    None => false,
                });
            }
        }
    }

    async fn ask_model(
        &self,
        role: ModelRole,
        request: &ModelRequest,
        patience: Duration,
    ) -> ModelReply {
        let model: &dyn LanguageModel = match role {
            ModelRole::Configured => self.services.model.as_ref(),
            ModelRole::Engine => &self.services.engine,
        };
        let asked = Instant::now();
        let within = timeout(patience, llm::ask(model, request));
        let end = match self.wait(within).await {
            Waited::Done(answer) => answer.map_or(Waited::Late, Waited::Done),
            Waited::Late => Waited::Late,
            Waited::Ending => Waited::Ending,
            Waited::Stopped => Waited::Stopped,
        };
        let took = asked.elapsed();
        ModelReply { end, took }
    }

    /// Waits, unless the program is about to end or the user wants it stopped.
    async fn wait<T>(&self, waiting: impl Future<Output = T>) -> Waited<T> {
        let mut hurry = self.services.hurry.subscribe();
        let stopped = async {
            match &self.input.course {
                Some(course) => course.until_stopped().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            biased;
            done = waiting => Waited::Done(done),
            // An error means that the service is gone, and this turn with it.
            _ = hurry.wait_for(|hurry| *hurry) => Waited::Ending,
            () = stopped => Waited::Stopped,
        }
    }
}

/// Says, while a turn is open, that somebody works on it; until it is dropped.
#[derive(Debug)]
struct LeaseHeartbeat(JoinHandle<()>);

impl LeaseHeartbeat {
    /// Begins to beat for a turn.
    fn start(store: Store, user: UserId, turn: TurnId, owner: String) -> Self {
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
