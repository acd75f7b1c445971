//! Decides, inside a transaction, what is written about runs: where each stands first, then
//! rows and what the log is told.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use serde_json::{Value, json};

use super::columns::flag;
use super::data::{AgentCall, AgentRun};
use super::run_event::{RunEvent, RunEventKind as Event};
use super::work::REPORT_MAX;
use super::write::{ResultOut, RunBatch, RunChange, RunEnd, RunOut, RunWrite, StepOut, WriteRight};
use crate::audit::{AuditEvent, EventKind};
use crate::domain::{
    ErrorType, ReportOutcome, RunHandle, RunId, RunState as State, TaskId, UserId, Verification,
};
use crate::store::plan::flaw;
use crate::store::record::RollbackCause;
use crate::store::rows::stamp;
use crate::store::unit::Unit;

/// Rows to read before writes about runs can be admitted.
#[derive(Debug, Default)]
pub(in crate::store) struct RunsWanted<'a> {
    /// Pairs of user and run.
    pub runs: Vec<(&'a str, RunId)>,
    /// Pairs of user and key under which a run is to begin.
    pub keys: Vec<(&'a str, &'a str)>,
    /// Users whose runs are counted.
    pub users: Vec<&'a str>,
    /// Somebody asks for work: limits are looked at.
    pub leases: bool,
}

impl<'a> RunsWanted<'a> {
    /// Adds what one unit is checked against.
    pub(in crate::store) fn add(&mut self, unit: &'a Unit) {
        let user = unit.user().as_str();
        for write in unit.run_writes() {
            if write.act == RunChange::Told {
                continue;
            }
            self.runs.push((user, write.id));
            match &write.act {
                RunChange::Begin { key, .. } => self.keys.push((user, key)),
                RunChange::Lease { .. } => self.leases = true,
                _ => {}
            }
        }
        let looked_at = self.runs.iter().any(|(of, _)| *of == user);
        if looked_at && !self.users.contains(&user) {
            self.users.push(user);
        }
    }

    pub(in crate::store) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }
}

/// Standing of a run. Its fields have the order of what is read.
#[derive(Debug, Clone, Deserialize)]
pub(in crate::store) struct RunStanding {
    user: UserId,
    id: RunId,
    state: State,
    owner: Option<String>,
    attempt: u32,
    calls: u32,
    /// Somebody said lately to work on it.
    #[serde(deserialize_with = "flag::deserialize")]
    alive: bool,
    #[serde(deserialize_with = "flag::deserialize")]
    stopping: bool,
    /// Another run of its session is ahead of it.
    #[serde(deserialize_with = "flag::deserialize")]
    waits: bool,
    #[serde(deserialize_with = "flag::deserialize")]
    review: bool,
}

/// State that units are checked against.
#[derive(Debug, Clone, Default)]
pub(in crate::store) struct RunState {
    runs: HashMap<(UserId, RunId), RunStanding>,
    keys: HashSet<(UserId, String)>,
    /// The number of each user's newest run.
    last: HashMap<UserId, u32>,
    /// Number of runs of each user that are worked on.
    running: HashMap<UserId, u32>,
    /// Number of those in all.
    in_all: u32,
}

/// One row of what is read: runs, keys, users, and how many runs are worked on in all.
#[derive(Deserialize)]
struct ReadRow(
    Vec<RunStanding>,
    Vec<(UserId, String)>,
    Vec<(UserId, u32, u32)>,
    u32,
);

impl RunState {
    /// Reads what the database gave.
    pub(in crate::store) fn read(text: &str) -> Result<Self, serde_json::Error> {
        let ReadRow(runs, keys, users, in_all) = serde_json::from_str(text)?;
        let mut state = Self {
            in_all,
            keys: keys.into_iter().collect(),
            ..Self::default()
        };
        let standing = |run: RunStanding| ((run.user.clone(), run.id), run);
        state.runs.extend(runs.into_iter().map(standing));
        for (user, last, running) in users {
            state.last.insert(user.clone(), last);
            state.running.insert(user, running);
        }
        Ok(state)
    }

    /// Checks the writes of a unit; gives what the log is told of them, and moves on. What is
    /// refused may leave the state moved: the caller works on a copy.
    pub(in crate::store) fn admit(
        &mut self,
        unit: &Unit,
        batch: &mut RunBatch,
    ) -> Result<Vec<AuditEvent>, RollbackCause> {
        let mut events = Vec::new();
        for write in unit.run_writes() {
            self.write(unit, write, batch, &mut events)?;
        }
        Ok(events)
    }

    fn write(
        &mut self,
        unit: &Unit,
        write: &RunWrite,
        batch: &mut RunBatch,
        events: &mut Vec<AuditEvent>,
    ) -> Result<(), RollbackCause> {
        let user = unit.user();
        let at = stamp(unit.now());
        if let RunChange::Begin { session, run, key } = &write.act {
            self.begin(user, run, key)?;
            batch.sessions.extend(session.as_deref().cloned());
            events.push(delegated(run));
            batch.runs.push(RunOut {
                run: (**run).clone(),
                idempotency_key: key.clone(),
            });
            return Ok(());
        }
        if write.act == RunChange::Told {
            // Somebody told it first, or the run is gone: no reason to refuse a turn.
            let told = json!({ "user_id": user, "run_id": write.id, "at": at });
            batch.told.push(told);
            return Ok(());
        }
        let moved = || RollbackCause::RunMoved(write.handle);
        let place = (user.clone(), write.id);
        let standing = self.runs.get(&place).cloned().ok_or_else(moved)?;
        if !standing.is_held(&write.hold) {
            return Err(moved());
        }
        let mut next = standing.clone();
        let mut step = step_of(user, write.id);
        let mut tell = |kind: Event| events.push(write.event(kind));
        match &write.act {
            RunChange::Begin { .. } | RunChange::Told => {}
            RunChange::Lease {
                owner,
                per_user,
                in_all,
            } => {
                let running = self.running.get(user).copied().unwrap_or_default();
                let free = running < *per_user && self.in_all < *in_all;
                let ready = standing.state == State::Pending && !standing.stopping;
                if !ready || standing.waits || !free {
                    return Err(moved());
                }
                self.running.insert(user.clone(), running + 1);
                self.in_all += 1;
                next.state = State::Running;
                next.owner = Some(owner.clone());
                next.attempt += 1;
                next.alive = true;
                step.owner = Some(owner.clone());
                step.leased = 1;
                step.started_at = Some(at);
                tell(went(State::Pending, State::Running, None));
            }
            RunChange::Cancel { stood, reason } => {
                if standing.state != *stood || standing.stopping {
                    return Err(moved());
                }
                next.stopping = true;
                step.cancel_requested_at = Some(at.clone());
                let reason = reason.clone();
                tell(Event::CancelRequested {
                    reason: reason.clone(),
                });
                if *stood == State::Pending {
                    next.state = State::Cancelled;
                    step.ended_at = Some(at.clone());
                    tell(went(*stood, State::Cancelled, reason));
                    batch.notices.push(notice(user, write.id, next.state, &at));
                }
            }
            RunChange::End(end) => {
                next.state = end.to;
                self.end(unit, write, &standing, end, (batch, &mut step, events))?;
            }
            RunChange::Call(call) => {
                if call.number != standing.calls + 1 {
                    return Err(moved());
                }
                next.calls += 1;
                step.calls = 1;
                tell(Event::ToolCall {
                    number: call.number,
                    call: call.call.clone(),
                });
            }
            RunChange::CallEnd(call, duration_ms) => {
                if call.number > standing.calls {
                    return Err(moved());
                }
                tell(ended_call(call, *duration_ms));
                return Ok(());
            }
            RunChange::Ask => {
                if standing.state != State::Running {
                    return Err(moved());
                }
                next.state = State::InputRequired;
                tell(went(State::Running, next.state, None));
            }
            RunChange::Answer(text) => {
                if standing.state != State::InputRequired || standing.stopping {
                    return Err(moved());
                }
                next.state = State::Running;
                if text.is_some() {
                    tell(Event::RunAnswer { text: text.clone() });
                }
                tell(went(State::InputRequired, next.state, None));
            }
            RunChange::Note(text) => {
                let text = Some(text.clone());
                tell(Event::RunNote { text });
                return Ok(());
            }
            RunChange::Late(text) => {
                if standing.state.is_live() {
                    return Err(moved());
                }
                let text = Some(text.clone());
                tell(Event::LateResult { text });
                return Ok(());
            }
            RunChange::Review { review, proves } => {
                if standing.state != State::Completed || standing.review {
                    return Err(moved());
                }
                next.review = true;
                step.review = Some(*review);
                prove(batch, user, write.id, *proves);
                tell(Event::Review { verdict: *review });
            }
        }
        step.state = Some(next.state).filter(|state| *state != standing.state);
        self.runs.insert(place, next);
        batch.step(step);
        Ok(())
    }

    fn begin(&mut self, user: &UserId, run: &AgentRun, key: &str) -> Result<(), RollbackCause> {
        if !self.keys.insert((user.clone(), key.to_owned())) {
            return Err(RollbackCause::KeyTaken);
        }
        let last = self.last.entry(user.clone()).or_default();
        if run.handle != RunHandle::new(*last + 1) {
            return Err(RollbackCause::RunMoved(run.handle));
        }
        *last += 1;
        Ok(())
    }

    fn end(
        &mut self,
        unit: &Unit,
        write: &RunWrite,
        standing: &RunStanding,
        end: &RunEnd,
        (batch, step, events): (&mut RunBatch, &mut StepOut, &mut Vec<AuditEvent>),
    ) -> Result<(), RollbackCause> {
        let (user, to) = (unit.user(), end.to);
        if !standing.state.may_become(to) {
            return Err(RollbackCause::RunMoved(write.handle));
        }
        let at = stamp(unit.now());
        let mut tell = |kind: Event| events.push(write.event(kind));
        for call in &end.open {
            let fault = match to {
                State::Cancelled => ErrorType::Cancelled,
                _ => ErrorType::Interrupted,
            };
            let cut_off = AgentCall {
                ok: Some(false),
                error_type: Some(fault),
                result: json!({
                    "ok": false, "success": false, "errorType": fault,
                    "error": "the run ended while this call was under way: its outcome is unknown",
                }),
                ..call.clone()
            };
            let took = (unit.now() - call.started_at).num_milliseconds();
            tell(ended_call(&cut_off, took.try_into().unwrap_or_default()));
        }
        if let Some(result) = &end.result {
            let length = result.text.chars().count();
            if result.text.trim().is_empty() || length > REPORT_MAX {
                return Err(flaw("a report has 1 to 32000 characters"));
            }
            batch.results.push(ResultOut {
                user_id: user.clone(),
                run_id: write.id,
                result: result.clone(),
            });
            tell(Event::RunResult {
                outcome: result.outcome,
                verification: result.verification,
                evidence: result.evidence.clone(),
                text: Some(result.text.clone()),
            });
        }
        let sound = end.result.as_ref().is_some_and(|result| {
            result.outcome == ReportOutcome::Completed
                && result.verification != Verification::Contradicted
        });
        if (to == State::Completed) != sound || (end.proves.is_some() && !sound) {
            return Err(flaw("a run completes by its report alone"));
        }
        step.ended_at = Some(at.clone());
        step.fault.clone_from(&end.fault);
        step.metrics = end.metrics;
        prove(batch, user, write.id, end.proves);
        batch.notices.push(notice(user, write.id, to, &at));
        tell(went(standing.state, to, end.reason.clone()));
        if standing.state != State::Pending {
            let running = self.running.entry(user.clone()).or_default();
            *running = running.saturating_sub(1);
            self.in_all = self.in_all.saturating_sub(1);
        }
        Ok(())
    }
}

impl RunStanding {
    fn is_held(&self, hold: &WriteRight) -> bool {
        match hold {
            WriteRight::User => true,
            WriteRight::Worker { owner, attempt } => {
                self.state.is_live()
                    && self.state != State::Pending
                    && self.owner.as_ref() == Some(owner)
                    && self.attempt == *attempt
            }
            WriteRight::Nobody => {
                self.state.is_live() && self.state != State::Pending && !self.alive
            }
        }
    }
}

impl RunWrite {
    fn event(&self, kind: Event) -> AuditEvent {
        let event = RunEvent {
            run: self.handle,
            agent_id: self.agent.clone(),
            kind,
        };
        AuditEvent::of(EventKind::Run, &event)
    }
}

/// A step that changes nothing yet.
fn step_of(user: &UserId, id: RunId) -> StepOut {
    StepOut {
        user_id: user.clone(),
        id,
        state: None,
        owner: None,
        leased: 0,
        calls: 0,
        cancel_requested_at: None,
        fault: None,
        metrics: None,
        review: None,
        started_at: None,
        ended_at: None,
    }
}

fn prove(batch: &mut RunBatch, user: &UserId, run: RunId, task: Option<TaskId>) {
    let proof = |task| json!({ "user_id": user, "task_id": task, "run_id": run });
    batch.proofs.extend(task.map(proof));
}

fn notice(user: &UserId, run: RunId, state: State, created_at: &str) -> Value {
    json!({ "user_id": user, "run_id": run, "state": state, "created_at": created_at })
}

fn went(from: State, to: State, reason: Option<String>) -> Event {
    Event::RunState {
        from: Some(from),
        to,
        reason,
    }
}

/// Makes the event of a new run: all of what was asked.
fn delegated(run: &AgentRun) -> AuditEvent {
    let asked = json!({
        "type": "run_state",
        "from": null,
        "to": run.state,
        "run": run.handle,
        "agent_id": run.agent,
        "task_id": run.task,
        "run_turn_id": run.turn,
        "persona": run.persona,
        "provider": run.provider,
        "model": run.model,
        "round": run.round,
        "background": run.background,
        "tool_call_id": run.tool_call_id,
        "prompt": {"prompt": run.prompt, "expected_response": run.expected_response,
            "title": run.title, "options": run.options},
    });
    AuditEvent::of(EventKind::Run, &asked)
}

fn ended_call(call: &AgentCall, duration_ms: u64) -> Event {
    let ok = call.ok == Some(true);
    Event::ToolResult {
        number: call.number,
        tool_call_id: call.call.tool_call_id.clone(),
        name: call.call.name.clone(),
        ok,
        error_type: call.error_type.or((!ok).then_some(ErrorType::Execution)),
        answer: call.result.clone(),
        provider_context: call.call.provider_context.clone(),
        duration_ms,
    }
}
