//! Writes of a unit about runs, and the rows that come of them.

use serde::Serialize;

use super::data::{AgentCall, AgentRun, AgentSession, RunFault, RunMetrics, RunResult};
use crate::domain::{
    AgentHandle, ErrorType, Review, RunHandle, RunId, RunState, SessionId, TaskId, TurnId,
};
use crate::store::rows::stamp;
use crate::store::unit::Unit;

/// One change of a run, checked where it stands inside the transaction.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::store) struct RunWrite {
    pub id: RunId,
    pub handle: RunHandle,
    pub agent: AgentHandle,
    pub hold: WriteRight,
    pub act: RunChange,
}

/// By what right a run is changed.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::store) enum WriteRight {
    /// The user's.
    User,
    /// The worker's.
    Worker { owner: String, attempt: u32 },
    /// Nobody works on it any more.
    Nobody,
}

/// Change of a run.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::store) enum RunChange {
    /// The run is delegated.
    Begin {
        session: Option<Box<AgentSession>>,
        run: Box<AgentRun>,
        key: String,
    },
    /// Somebody begins to work on it, if limits allow.
    Lease {
        owner: String,
        per_user: u32,
        in_all: u32,
    },
    /// The run is to stop; one that nobody works on yet has stopped.
    Cancel {
        stood: RunState,
        reason: Option<String>,
    },
    /// The run ends.
    End(Box<RunEnd>),
    /// A tool call begins.
    Call(Box<AgentCall>),
    /// A tool call ends.
    CallEnd(Box<CallEnded>),
    /// The agent asks the user something, by the call that is under way, and waits.
    Ask,
    /// The question it asked is answered; none when nobody did in time.
    Answer(Option<String>),
    /// The agent leaves a note.
    Note(String),
    /// A report came too late.
    Late(String),
    /// The user judges its report.
    Review {
        review: Review,
        proves: Option<TaskId>,
    },
    /// A turn told the user that it has ended.
    Told,
}

/// End of a run.
#[derive(Debug, Clone, PartialEq, Default)]
pub(in crate::store) struct RunEnd {
    pub to: Option<RunState>,
    pub reason: Option<String>,
    pub fault: Option<RunFault>,
    pub metrics: Option<RunMetrics>,
    pub result: Option<RunResult>,
    /// The task that it completes.
    pub proves: Option<TaskId>,
    /// Calls that were under way.
    pub open: Vec<AgentCall>,
}

/// End of a tool call.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::store) struct CallEnded {
    pub call: AgentCall,
    pub duration_ms: u64,
}

/// The rows of one unit or of many.
#[derive(Debug, Default, Serialize)]
pub(in crate::store) struct RunBatch {
    pub sessions: Vec<SessionOut>,
    pub runs: Vec<RunOut>,
    pub results: Vec<ResultOut>,
    pub steps: Vec<StepOut>,
    pub proofs: Vec<ProofOut>,
    pub notices: Vec<NoticeOut>,
    pub told: Vec<ToldOut>,
}

impl RunBatch {
    pub(in crate::store) fn is_empty(&self) -> bool {
        self.sessions.is_empty()
            && self.runs.is_empty()
            && self.steps.is_empty()
            && self.told.is_empty()
    }
}

#[derive(Debug, Serialize)]
pub(in crate::store) struct SessionOut {
    user_id: String,
    id: SessionId,
    handle: String,
    persona: String,
    spec: String,
    provider: String,
    model: String,
    conversation_id: Option<String>,
    parent_id: Option<SessionId>,
    depth: u8,
    workspace_root: Option<String>,
    created_at: String,
}

#[derive(Debug, Serialize)]
pub(in crate::store) struct RunOut {
    user_id: String,
    id: RunId,
    number: u32,
    session_id: SessionId,
    conversation_id: Option<String>,
    turn_id: TurnId,
    task_id: Option<TaskId>,
    title: String,
    round: u32,
    queued: u8,
    rank: u8,
    prompt: String,
    expected_response: Option<String>,
    background: u8,
    tool_call_id: String,
    idempotency_key: String,
    options: String,
    created_at: String,
}

#[derive(Debug, Serialize)]
pub(in crate::store) struct ResultOut {
    user_id: String,
    run_id: RunId,
    outcome: &'static str,
    result_text: String,
    result_json: Option<String>,
    summary: Option<String>,
    evidence: String,
    verification: &'static str,
    sha256: String,
    created_at: String,
}

/// Changes in a run's own row; absent leaves it.
#[derive(Debug, Default, Serialize)]
pub(in crate::store) struct StepOut {
    pub user_id: String,
    pub id: Option<RunId>,
    pub state: Option<&'static str>,
    pub owner: Option<String>,
    pub leased: u8,
    pub calls: u8,
    pub cancel_requested_at: Option<String>,
    pub fault: Option<String>,
    pub metrics: Option<String>,
    pub review: Option<&'static str>,
    pub started_at: Option<String>,
    pub ended_at: Option<String>,
}

#[derive(Debug, Serialize)]
pub(in crate::store) struct ProofOut {
    pub user_id: String,
    pub task_id: TaskId,
    pub run_id: RunId,
}

#[derive(Debug, Serialize)]
pub(in crate::store) struct NoticeOut {
    pub user_id: String,
    pub run_id: RunId,
    pub state: &'static str,
    pub created_at: String,
}

#[derive(Debug, Serialize)]
pub(in crate::store) struct ToldOut {
    pub user_id: String,
    pub run_id: RunId,
    pub at: String,
}

fn words<T: Serialize>(value: &T) -> serde_json::Result<String> {
    serde_json::to_string(value)
}

impl RunBatch {
    /// Adds another's rows after its own.
    pub(in crate::store) fn append(&mut self, mut other: Self) {
        self.sessions.append(&mut other.sessions);
        self.runs.append(&mut other.runs);
        self.results.append(&mut other.results);
        for step in other.steps {
            self.step(step);
        }
        self.proofs.append(&mut other.proofs);
        self.notices.append(&mut other.notices);
        self.told.append(&mut other.told);
    }

    /// Adds a change of a run's row, to that of the same row if there is one: a row is written
    /// once.
    pub(super) fn step(&mut self, new: StepOut) {
        let same = |old: &&mut StepOut| old.user_id == new.user_id && old.id == new.id;
        let Some(old) = self.steps.iter_mut().find(same) else {
            self.steps.push(new);
            return;
        };
        old.state = new.state.or(old.state);
        old.owner = new.owner.or(old.owner.take());
        old.leased += new.leased;
        old.calls += new.calls;
        old.cancel_requested_at = old.cancel_requested_at.take().or(new.cancel_requested_at);
        old.fault = new.fault.or(old.fault.take());
        old.metrics = new.metrics.or(old.metrics.take());
        old.review = new.review.or(old.review);
        old.started_at = old.started_at.take().or(new.started_at);
        old.ended_at = new.ended_at.or(old.ended_at.take());
    }

    pub(super) fn session(&mut self, agent: &AgentSession) {
        self.sessions.push(SessionOut {
            user_id: agent.user_id.as_str().to_owned(),
            id: agent.id,
            handle: agent.handle.to_string(),
            persona: agent.persona.clone(),
            spec: agent.spec.clone(),
            provider: agent.provider.clone(),
            model: agent.model.clone(),
            conversation_id: agent.conversation.map(|id| id.to_string()),
            parent_id: agent.parent,
            depth: agent.depth,
            workspace_root: agent.workspace_root.clone(),
            created_at: stamp(agent.created_at),
        });
    }

    pub(super) fn run(&mut self, run: &AgentRun, key: &str) -> serde_json::Result<()> {
        self.runs.push(RunOut {
            user_id: run.user_id.as_str().to_owned(),
            id: run.id,
            number: run.handle.number(),
            session_id: run.session,
            conversation_id: run.conversation.map(|id| id.to_string()),
            turn_id: run.turn,
            task_id: run.task,
            title: run.title.clone(),
            round: run.round,
            queued: u8::from(run.queued),
            rank: rank(run.priority),
            prompt: run.prompt.clone(),
            expected_response: run.expected_response.clone(),
            background: u8::from(run.background),
            tool_call_id: run.tool_call_id.clone(),
            idempotency_key: key.to_owned(),
            options: words(&run.options)?,
            created_at: stamp(run.created_at),
        });
        Ok(())
    }

    pub(super) fn result(
        &mut self,
        unit: &Unit,
        run: RunId,
        result: &RunResult,
    ) -> serde_json::Result<()> {
        self.results.push(ResultOut {
            user_id: unit.user().as_str().to_owned(),
            run_id: run,
            outcome: result.outcome.as_str(),
            result_text: result.text.clone(),
            result_json: result.json.as_ref().map(words).transpose()?,
            summary: result.summary.clone(),
            evidence: words(&result.evidence)?,
            verification: result.verification.as_str(),
            sha256: result.sha256.clone(),
            created_at: stamp(result.created_at),
        });
        Ok(())
    }
}

/// The place of a priority in the queue: what comes first is least.
pub(super) const fn rank(priority: crate::domain::Priority) -> u8 {
    match priority {
        crate::domain::Priority::High => 0,
        crate::domain::Priority::Medium => 1,
        crate::domain::Priority::Low => 2,
    }
}

/// Returns the kind of error of a call that was cut off.
pub(super) const fn cut_off(to: RunState) -> ErrorType {
    match to {
        RunState::Cancelled => ErrorType::Cancelled,
        _ => ErrorType::Interrupted,
    }
}
