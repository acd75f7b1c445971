//! Acts of a turn on runs: it delegates, resumes, stops and tells, in its own unit.

use std::sync::Arc;

use super::data::{AgentRun, AgentSession, KnownRuns, RunFacts, RunOptions};
use super::write::{RunChange, RunWrite, WriteRight};
use crate::domain::{
    Action, AgentHandle, ErrorType, Priority, Review, RunHandle, RunId, RunState, SessionId, Task,
    TaskId, TurnId,
};
use crate::store::receipt::Draft;
use crate::store::unit::{NewTask, TaskPatch, Unit};
use crate::telemetry::trace::TraceSpan;

/// Task that is delegated.
#[derive(Debug, Clone, PartialEq)]
pub enum DelegationTarget {
    /// One that is added by it.
    New(NewTask),
    /// One that is there.
    Existing(TaskId),
}

/// In whose session the run is.
#[derive(Debug, Clone, Copy)]
pub enum SessionChoice<'a> {
    /// One that begins with it.
    New(&'a NewSession),
    /// One that is there; it must not be at work, unless the run may wait
    /// ([`NewRun::queued`]).
    Resume(&'a AgentSession),
    /// The one of a run that this unit delegates already, after which it waits its turn.
    After(RunHandle),
}

/// A session to begin. Everything in it was checked and settled before.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewSession {
    /// Its persona.
    pub persona: String,
    /// The agent spec that it was asked for by.
    pub spec: String,
    /// Id of the provider.
    pub provider: String,
    /// The provider's model.
    pub model: String,
    /// The session that starts it, when an agent does.
    pub parent: Option<SessionId>,
    /// 1, or one more than the parent's.
    pub depth: u8,
    /// The directory it may work in.
    pub workspace_root: Option<String>,
}

/// A run to begin.
#[derive(Debug, Clone, PartialEq)]
pub struct NewRun {
    /// The work to do.
    pub prompt: String,
    /// The form the answer should have.
    pub expected_response: Option<String>,
    /// Its place in the queue.
    pub priority: Priority,
    /// Nobody waits for it.
    pub background: bool,
    /// A run in a session that is at work waits until that work has ended.
    pub queued: bool,
    /// The model's id of the call, or what stands for it.
    pub tool_call_id: String,
    /// No second run is ever begun under the same key of the same user (G-18).
    pub key: String,
    /// Options for the work on it.
    pub options: RunOptions,
}

/// Reason why nothing was delegated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum DelegateFault {
    /// There is no such task.
    #[error("there is no such task")]
    NoTask,
    /// The task is done.
    #[error("\"{title}\" is already done")]
    Done {
        /// Its title.
        title: String,
    },
    /// An agent works on the task.
    #[error("{agent} is still working on \"{title}\"")]
    Busy {
        /// The task's title.
        title: String,
        /// The agent.
        agent: AgentHandle,
        /// In which run.
        run: RunHandle,
    },
    /// The session has a run that has not ended.
    #[error("{agent} is still working ({run})")]
    AtWork {
        /// The agent.
        agent: AgentHandle,
        /// In which run.
        run: RunHandle,
    },
}

impl DelegateFault {
    /// The kind of this fault.
    pub const fn error_type(&self) -> ErrorType {
        match self {
            Self::NoTask => ErrorType::NotFound,
            Self::Done { .. } | Self::Busy { .. } | Self::AtWork { .. } => ErrorType::Conflict,
        }
    }
}

/// Outcome of asking a run to stop.
#[derive(Debug, Clone, PartialEq)]
pub enum StopOutcome {
    /// Nobody had begun to work on it: with the commit it is cancelled.
    Stopped(RunHandle),
    /// The worker is asked to stop; the run is cancelled once that has been confirmed.
    Asked(RunHandle),
    /// The run was asked before; nothing is written.
    Already(RunHandle),
    /// The run has ended, in this state; nothing is written.
    Ended(RunHandle, RunState),
    /// There is no such run.
    Missing,
}

impl Unit {
    /// The same unit, knowing the user's runs. Without them a unit changes tasks as if nobody
    /// worked on any.
    #[must_use]
    pub fn knowing(mut self, delegations: Arc<KnownRuns>) -> Self {
        self.delegations = delegations;
        self
    }

    /// The user's runs, as far as the unit knows of them.
    pub(in crate::store) fn delegations(&self) -> &KnownRuns {
        &self.delegations
    }

    /// The run that works on a task and was not stopped by this unit.
    pub fn live_run(&self, task: TaskId) -> Option<&AgentRun> {
        let run = self.delegations.live(task)?;
        (!self.is_stopped(run.id)).then_some(run)
    }

    /// The newest run of a task, ended or not.
    pub fn newest_run(&self, task: TaskId) -> Option<&AgentRun> {
        self.delegations.newest(task)
    }

    fn is_stopped(&self, run: RunId) -> bool {
        let stops = |write: &&RunWrite| {
            let stopped = RunState::Pending;
            matches!(&write.act, RunChange::Cancel { stood, .. } if *stood == stopped)
        };
        self.run_writes.iter().filter(stops).any(|w| w.id == run)
    }

    /// Delegates a task: the task if it is new, the session if it is, and a run that waits for a
    /// worker. The draft, of [`Action::Delegate`], says so with its [`RunFacts`]; several may be
    /// delegated by one unit.
    ///
    /// # Errors
    /// [`DelegateFault`]: nothing will be written of it then.
    pub fn delegate(
        &mut self,
        target: DelegationTarget,
        behalf: SessionChoice<'_>,
        new: NewRun,
    ) -> Result<&Draft, DelegateFault> {
        let (session, fresh, queued) = self.session(behalf, new.queued)?;
        let (before, after) = self.assigned(target, &session.handle)?;
        let what = (Some(after.id), after.title.as_str().to_owned());
        let facts = self.begin(session, (fresh, queued), what, new).facts();
        Ok(self.draft_of_run(Action::Delegate, before, Some(after), facts))
    }

    /// Begins a run that an agent delegates: it works on no task of the user's, and the user is
    /// told nothing of it but in the log.
    pub(in crate::store) fn delegate_within(
        &mut self,
        title: &str,
        session: &NewSession,
        new: NewRun,
    ) -> Result<AgentRun, DelegateFault> {
        let (session, fresh, queued) = self.session(SessionChoice::New(session), false)?;
        let what = (None, title.to_owned());
        Ok(self.begin(session, (fresh, queued), what, new))
    }

    fn begin(
        &mut self,
        session: AgentSession,
        (fresh, queued): (bool, bool),
        (task, title): (Option<TaskId>, String),
        new: NewRun,
    ) -> AgentRun {
        let begun: Vec<_> = (self.begun().map(|run| (run.session, run.round))).collect();
        let rounds = begun.iter().filter(|(id, _)| *id == session.id);
        let round = rounds.map(|(_, round)| *round).max();
        let round = round.unwrap_or(session.rounds) + 1;
        let number = self.delegations.last_run + u32::try_from(begun.len()).unwrap_or(u32::MAX) + 1;
        let run = AgentRun {
            id: RunId::new(self.ids.next()),
            handle: RunHandle::new(number),
            user_id: self.user().clone(),
            session: session.id,
            agent: session.handle.clone(),
            persona: session.persona.clone(),
            provider: session.provider.clone(),
            model: session.model.clone(),
            workspace_root: session.workspace_root.clone(),
            depth: session.depth,
            conversation: self.conversation(),
            turn: TurnId::new(self.ids.next()),
            task,
            title,
            round,
            state: RunState::Pending,
            priority: new.priority,
            queued,
            prompt: new.prompt,
            expected_response: new.expected_response,
            background: new.background,
            tool_call_id: new.tool_call_id,
            options: new.options,
            attempt: 0,
            owner: None,
            calls: 0,
            cancel_requested_at: None,
            fault: None,
            metrics: None,
            result: None,
            question: None,
            review: None,
            created_at: self.now(),
            started_at: None,
            ended_at: None,
        };
        TraceSpan::current().keeps(run.turn);
        let begin = RunChange::Begin {
            session: fresh.then(|| Box::new(session)),
            run: Box::new(run.clone()),
            key: new.key,
        };
        self.run_writes.push(run.write(WriteRight::User, begin));
        run
    }

    /// Runs that this unit delegates, in order.
    pub fn begun(&self) -> impl Iterator<Item = &AgentRun> {
        self.run_writes.iter().filter_map(|write| match &write.act {
            RunChange::Begin { run, .. } => Some(&**run),
            _ => None,
        })
    }

    fn session(
        &self,
        behalf: SessionChoice<'_>,
        may_wait: bool,
    ) -> Result<(AgentSession, bool, bool), DelegateFault> {
        let at_work = |agent: &AgentHandle| {
            let live = |run: &&AgentRun| {
                run.agent == *agent && run.state.is_live() && !self.is_stopped(run.id)
            };
            let known = self.delegations.runs.iter().find(live);
            known.or_else(|| self.begun().find(|run| run.agent == *agent))
        };
        match behalf {
            SessionChoice::New(new) => {
                let id = SessionId::new(self.ids.next());
                let agent = AgentSession {
                    id,
                    handle: AgentHandle::of(self.ids.next()),
                    user_id: self.user().clone(),
                    persona: new.persona.clone(),
                    spec: new.spec.clone(),
                    provider: new.provider.clone(),
                    model: new.model.clone(),
                    conversation: self.conversation(),
                    parent: new.parent,
                    depth: new.depth,
                    workspace_root: new.workspace_root.clone(),
                    rounds: 0,
                    live: None,
                    created_at: self.now(),
                    last_active_at: self.now(),
                };
                Ok((agent, true, false))
            }
            SessionChoice::Resume(agent) => {
                let busy = at_work(&agent.handle).map(|run| run.handle);
                if let (Some(run), false) = (busy, may_wait) {
                    let agent = agent.handle.clone();
                    return Err(DelegateFault::AtWork { agent, run });
                }
                Ok((agent.clone(), false, busy.is_some()))
            }
            SessionChoice::After(handle) => {
                let first = self.begun().find(|run| run.handle == handle);
                let session = first.ok_or(DelegateFault::NoTask)?.session;
                let agent = self.run_writes.iter().find_map(|write| match &write.act {
                    RunChange::Begin {
                        session: Some(agent),
                        ..
                    } if agent.id == session => Some((**agent).clone()),
                    _ => None,
                });
                let agent = agent.ok_or(DelegateFault::NoTask)?;
                Ok((agent, false, true))
            }
        }
    }

    /// The task before (none when it is new) and after it was given to the agent.
    fn assigned(
        &mut self,
        target: DelegationTarget,
        agent: &AgentHandle,
    ) -> Result<(Option<Task>, Task), DelegateFault> {
        let before = match target {
            DelegationTarget::New(new) => {
                let mut task = self.task_of(new);
                task.assignee = Some(agent.to_string());
                self.put(task.clone(), false);
                return Ok((None, task));
            }
            DelegationTarget::Existing(id) => {
                self.task(id).cloned().ok_or(DelegateFault::NoTask)?
            }
        };
        let title = || before.title.as_str().to_owned();
        if before.status.is_completed() {
            return Err(DelegateFault::Done { title: title() });
        }
        let new = self.begun().find(|run| run.task == Some(before.id));
        if let Some(run) = self.live_run(before.id).or(new) {
            return Err(DelegateFault::Busy {
                title: title(),
                agent: run.agent.clone(),
                run: run.handle,
            });
        }
        let mut after = before.clone();
        if after.assignee.as_deref() != Some(agent.as_str()) {
            after.assignee = Some(agent.to_string());
            after.updated_at = self.now();
            after.version += 1;
            self.put(after.clone(), false);
        }
        Ok((Some(before), after))
    }

    /// Asks a run to stop, or stops it if nobody works on it yet. There is a draft, of
    /// [`Action::CancelDelegation`], if the run has a task that is still there.
    pub fn cancel_run(&mut self, id: RunId, reason: Option<&str>) -> StopOutcome {
        let Some(run) = self.delegations.run(id).cloned() else {
            return StopOutcome::Missing;
        };
        let stopping = self.stop(&run, reason);
        let to = match stopping {
            StopOutcome::Stopped(_) => RunState::Cancelled,
            StopOutcome::Asked(_) => run.state,
            _ => return stopping,
        };
        let task = run.task.and_then(|task| self.task(task)).cloned();
        if let Some(task) = task {
            let mut facts = run.facts();
            facts.state = to;
            self.draft_of_run(
                Action::CancelDelegation,
                Some(task.clone()),
                Some(task),
                facts,
            );
        }
        stopping
    }

    /// The same without a draft of its own: it goes with another change.
    fn stop(&mut self, run: &AgentRun, reason: Option<&str>) -> StopOutcome {
        if run.state.is_terminal() {
            return StopOutcome::Ended(run.handle, run.state);
        }
        let asked =
            |write: &RunWrite| write.id == run.id && matches!(write.act, RunChange::Cancel { .. });
        if run.is_stopping() || self.run_writes.iter().any(asked) {
            return StopOutcome::Already(run.handle);
        }
        let cancel = RunChange::Cancel {
            stood: run.state,
            reason: reason.map(str::to_owned),
        };
        self.run_writes.push(run.write(WriteRight::User, cancel));
        if run.state == RunState::Pending {
            StopOutcome::Stopped(run.handle)
        } else {
            StopOutcome::Asked(run.handle)
        }
    }

    /// Stops what works on a task that is deleted, done by hand or taken back.
    pub(in crate::store) fn stop_work_on(&mut self, task: TaskId, reason: &str) {
        if let Some(run) = self.delegations.live(task).cloned() {
            self.stop(&run, Some(reason));
        }
    }

    /// Records that the user judged a completed run; accepting completes its task, proven by the
    /// run, with a draft of [`Action::CompleteTask`]. False when there is no such report, it was
    /// judged before, or (accepting) its task is not there any more or done already.
    pub fn review_run(&mut self, id: RunId, review: Review) -> bool {
        let Some(run) = self.delegations.run(id).cloned() else {
            return false;
        };
        if run.state != RunState::Completed || run.review.is_some() {
            return false;
        }
        let mut proves = None;
        if review == Review::Accepted {
            let open = run.task.and_then(|task| self.task(task)).cloned();
            let Some(before) = open.filter(|task| !task.status.is_completed()) else {
                return false;
            };
            proves = self.complete_by(&run, before);
        }
        let review = RunChange::Review { review, proves };
        self.run_writes.push(run.write(WriteRight::User, review));
        true
    }

    /// Marks a task as done by a run, and gives the task that is completed by that: the proof is
    /// written with the run. One that repeats moves on and stays open.
    pub(in crate::store) fn complete_by(&mut self, run: &AgentRun, before: Task) -> Option<TaskId> {
        let done = TaskPatch {
            completed: Some(true),
            ..TaskPatch::default()
        };
        let mut after = self.patched(&before, &done);
        after.updated_at = self.now();
        after.version += 1;
        self.put(after.clone(), false);
        let mut facts = run.facts();
        facts.state = RunState::Completed;
        let completed = after.status.is_completed().then_some(after.id);
        self.draft_of_run(Action::CompleteTask, Some(before), Some(after), facts);
        completed
    }

    /// Records that this turn tells the user how a run ended: its notice is not shown again.
    pub fn acknowledge(&mut self, run: RunId) {
        let mut notices = self.delegations.notices.iter();
        let told = notices.any(|notice| notice.run == run);
        if let Some(run) = self.delegations.run(run).filter(|_| told) {
            let write = run.write(WriteRight::User, RunChange::Told);
            self.run_writes.push(write);
        }
    }

    /// Records a read of runs.
    pub fn read_runs(
        &mut self,
        action: Action,
        reading: crate::store::ReadResult,
        run: Option<RunFacts>,
    ) -> &Draft {
        let mut facts = self.facts(action, None, None, None, Some(reading));
        facts.run = run;
        self.push(facts)
    }

    /// Returns its writes about runs, in order.
    pub(in crate::store) fn run_writes(&self) -> &[RunWrite] {
        &self.run_writes
    }

    /// Adds a write of whoever works on a run.
    pub(in crate::store) fn write_run(&mut self, write: RunWrite) {
        self.run_writes.push(write);
    }

    fn draft_of_run(
        &mut self,
        action: Action,
        before: Option<Task>,
        after: Option<Task>,
        run: RunFacts,
    ) -> &Draft {
        let mut facts = self.facts(action, before, after, None, None);
        facts.run = Some(run);
        self.push(facts)
    }
}
