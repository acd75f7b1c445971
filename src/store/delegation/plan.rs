//! Decides, inside a transaction, what is written about runs: where each stands first, then
//! rows and what the log is told.

use std::collections::{HashMap, HashSet};

use serde::Deserialize;
use serde_json::{Value, json};

use super::data::{AgentCall, AgentRun};
use super::work::REPORT_MAX;
use super::write::{
    NoticeOut, ProofOut, RunBatch, RunChange, RunEnd, RunWrite, StepOut, ToldOut, WriteRight,
    cut_off,
};
use crate::audit::{AuditEvent, EventKind};
use crate::domain::{
    ErrorType, ReportOutcome, RunHandle, RunId, RunState as State, UserId, Verification,
};
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

/// Standing of a run.
#[derive(Debug, Clone)]
pub(in crate::store) struct RunStanding {
    state: State,
    owner: Option<String>,
    attempt: u32,
    calls: u32,
    /// Somebody said lately to work on it.
    alive: bool,
    stopping: bool,
    /// Another run of its session is ahead of it.
    waits: bool,
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

/// User, run, state, owner, attempt and calls; then whether somebody works on it, it is to stop,
/// it waits for another, and it was judged.
type StandingRow = (
    UserId,
    RunId,
    String,
    Option<String>,
    u32,
    u32,
    u8,
    u8,
    u8,
    u8,
);

/// One row of what is read: runs, keys, users, and how many runs are worked on in all.
#[derive(Deserialize)]
struct ReadRow(
    Vec<StandingRow>,
    Vec<(UserId, String)>,
    Vec<(UserId, u32, u32)>,
    u32,
);

impl RunState {
    /// Reads what the database gave.
    pub(in crate::store) fn read(text: &str) -> Result<Self, serde_json::Error> {
        use serde::de::Error;
        let ReadRow(runs, keys, users, in_all) = serde_json::from_str(text)?;
        let mut state = Self {
            in_all,
            keys: keys.into_iter().collect(),
            ..Self::default()
        };
        for (user, id, word, owner, attempt, calls, alive, stopping, waits, review) in runs {
            let standing = RunStanding {
                state: State::parse(&word).ok_or_else(|| Error::custom(format!("state {word}")))?,
                owner,
                attempt,
                calls,
                alive: alive != 0,
                stopping: stopping != 0,
                waits: waits != 0,
                review: review != 0,
            };
            state.runs.insert((user, id), standing);
        }
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
        if let RunChange::Begin { session, run, key } = &write.act {
            self.begin(user, run, key)?;
            if let Some(session) = session {
                batch.session(session);
            }
            batch.run(run, key).map_err(storage)?;
            events.push(delegated(run));
            return Ok(());
        }
        if write.act == RunChange::Told {
            // Somebody told it first, or the run is gone: no reason to refuse a turn.
            batch.told.push(ToldOut {
                user_id: user.as_str().to_owned(),
                run_id: write.id,
                at: stamp(unit.now()),
            });
            return Ok(());
        }
        let moved = || RollbackCause::RunMoved(write.handle);
        let place = (user.clone(), write.id);
        let standing = self.runs.get(&place).cloned().ok_or_else(moved)?;
        if !standing.is_held(&write.hold) {
            return Err(moved());
        }
        let mut next = standing.clone();
        let mut step = StepOut {
            user_id: user.as_str().to_owned(),
            id: Some(write.id),
            ..StepOut::default()
        };
        let at = stamp(unit.now());
        let tell = |payload: Value| AuditEvent {
            kind: EventKind::Run,
            payload: said_of(write, payload).into(),
        };
        match &write.act {
            RunChange::Begin { .. } => {}
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
                step.state = Some(State::Running.as_str());
                step.owner = Some(owner.clone());
                step.leased = 1;
                step.started_at = Some(at);
                events.push(tell(went(Some(State::Pending), State::Running, None)));
            }
            RunChange::Cancel { stood, reason } => {
                if standing.state != *stood || standing.stopping {
                    return Err(moved());
                }
                next.stopping = true;
                step.cancel_requested_at = Some(at.clone());
                events.push(tell(json!({"type": "cancel_requested", "reason": reason})));
                if *stood == State::Pending {
                    next.state = State::Cancelled;
                    step.state = Some(State::Cancelled.as_str());
                    step.ended_at = Some(at.clone());
                    let to = State::Cancelled;
                    events.push(tell(went(Some(*stood), to, reason.as_deref())));
                    batch.notices.push(notice(user, write.id, to, at));
                }
            }
            RunChange::End(end) => {
                let to = self.end(unit, write, &standing, end, (batch, &mut step, events))?;
                next.state = to;
            }
            RunChange::Call(call) => {
                if call.number != standing.calls + 1 {
                    return Err(moved());
                }
                next.calls += 1;
                step.calls = 1;
                events.push(tell(begun(call)));
            }
            RunChange::CallEnd(ended) => {
                if ended.call.number > standing.calls {
                    return Err(moved());
                }
                events.push(tell(ended_call(&ended.call, ended.duration_ms)));
                return Ok(());
            }
            RunChange::Ask => {
                if standing.state != State::Running {
                    return Err(moved());
                }
                next.state = State::InputRequired;
                step.state = Some(next.state.as_str());
                events.push(tell(went(Some(State::Running), next.state, None)));
            }
            RunChange::Answer(text) => {
                if standing.state != State::InputRequired || standing.stopping {
                    return Err(moved());
                }
                next.state = State::Running;
                step.state = Some(next.state.as_str());
                if let Some(text) = text {
                    events.push(tell(json!({"type": "run_answer", "text": text})));
                }
                events.push(tell(went(Some(State::InputRequired), next.state, None)));
            }
            RunChange::Note(text) => {
                events.push(tell(json!({"type": "run_note", "text": text})));
                return Ok(());
            }
            RunChange::Late(text) => {
                if standing.state.is_live() {
                    return Err(moved());
                }
                events.push(tell(json!({"type": "late_result", "text": text})));
                return Ok(());
            }
            RunChange::Review { review, proves } => {
                if standing.state != State::Completed || standing.review {
                    return Err(moved());
                }
                next.review = true;
                step.review = Some(review.as_str());
                prove(batch, user, write.id, *proves);
                let verdict = review.as_str();
                events.push(tell(json!({"type": "review", "verdict": verdict})));
            }
            RunChange::Told => return Ok(()),
        }
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
    ) -> Result<State, RollbackCause> {
        let user = unit.user();
        let moved = || RollbackCause::RunMoved(write.handle);
        let to = end.to.filter(|to| standing.state.may_become(*to));
        let to = to.ok_or_else(moved)?;
        let at = stamp(unit.now());
        let tell = |payload: Value| AuditEvent {
            kind: EventKind::Run,
            payload: said_of(write, payload).into(),
        };
        for call in &end.open {
            let mut call = call.clone();
            let fault = cut_off(to);
            call.ok = Some(false);
            call.error_type = Some(fault);
            call.result = json!({
                "ok": false, "success": false, "errorType": fault,
                "error": "the run ended while this call was under way: its outcome is unknown",
            });
            let took = (unit.now() - call.started_at).num_milliseconds();
            let took = u64::try_from(took).unwrap_or_default();
            events.push(tell(ended_call(&call, took)));
        }
        if let Some(result) = &end.result {
            let length = result.text.chars().count();
            if result.text.trim().is_empty() || length > REPORT_MAX {
                return Err(RollbackCause::Storage(
                    "a report has 1 to 32000 characters".to_owned(),
                ));
            }
            batch.result(unit, write.id, result).map_err(storage)?;
            events.push(tell(json!({
                "type": "run_result",
                "outcome": result.outcome.as_str(),
                "verification": result.verification.as_str(),
                "evidence": result.evidence,
                "text": result.text,
            })));
        }
        let sound = end.result.as_ref().is_some_and(|result| {
            result.outcome == ReportOutcome::Completed
                && result.verification != Verification::Contradicted
        });
        if (to == State::Completed) != sound || (end.proves.is_some() && !sound) {
            return Err(RollbackCause::Storage(
                "a run completes by its report alone".to_owned(),
            ));
        }
        step.state = Some(to.as_str());
        step.ended_at = Some(at.clone());
        step.fault = end
            .fault
            .as_ref()
            .map(serde_json::to_string)
            .transpose()
            .map_err(storage)?;
        step.metrics = (end.metrics.as_ref())
            .map(serde_json::to_string)
            .transpose()
            .map_err(storage)?;
        prove(batch, user, write.id, end.proves);
        batch.notices.push(notice(user, write.id, to, at));
        events.push(tell(went(Some(standing.state), to, end.reason.as_deref())));
        if standing.state != State::Pending {
            let running = self.running.entry(user.clone()).or_default();
            *running = running.saturating_sub(1);
            self.in_all = self.in_all.saturating_sub(1);
        }
        Ok(to)
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

fn storage(error: impl std::fmt::Display) -> RollbackCause {
    RollbackCause::Storage(error.to_string())
}

fn prove(batch: &mut RunBatch, user: &UserId, run: RunId, task: Option<crate::domain::TaskId>) {
    batch.proofs.extend(task.map(|task_id| ProofOut {
        user_id: user.as_str().to_owned(),
        task_id,
        run_id: run,
    }));
}

fn notice(user: &UserId, run_id: RunId, to: State, at: String) -> NoticeOut {
    NoticeOut {
        user_id: user.as_str().to_owned(),
        run_id,
        state: to.as_str(),
        created_at: at,
    }
}

/// A payload with what every event of a run says.
fn said_of(write: &RunWrite, mut payload: Value) -> Value {
    if let Value::Object(object) = &mut payload {
        object.insert("run".to_owned(), json!(write.handle));
        object.insert("agent_id".to_owned(), json!(write.agent));
    }
    payload
}

fn went(from: Option<State>, to: State, reason: Option<&str>) -> Value {
    json!({"type": "run_state", "from": from, "to": to, "reason": reason})
}

/// Makes the event of a new run: all of what was asked.
fn delegated(run: &AgentRun) -> AuditEvent {
    AuditEvent {
        kind: EventKind::Run,
        payload: json!({
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
        })
        .into(),
    }
}

fn begun(call: &AgentCall) -> Value {
    json!({
        "type": "tool_call",
        "number": call.number,
        "tool_call_id": call.tool_call_id,
        "name": call.name,
        "called_as": call.called_as,
        "arguments": call.arguments,
        "provider_context": call.provider_context,
    })
}

fn ended_call(call: &AgentCall, duration_ms: u64) -> Value {
    json!({
        "type": "tool_result",
        "number": call.number,
        "tool_call_id": call.tool_call_id,
        "name": call.name,
        "ok": call.ok,
        "error_type": call.error_type.or_else(|| {
            (call.ok != Some(true)).then_some(ErrorType::Execution)
        }),
        "answer": call.result,
        "provider_context": call.provider_context,
        "duration_ms": duration_ms,
    })
}
