//! Writes of a unit about runs, and the rows that come of them.

use serde::Serialize;
use serde_json::Value;

use super::columns;
use super::data::{AgentCall, AgentRun, AgentSession, RunFault, RunMetrics, RunResult};
use crate::domain::{AgentHandle, Review, RunHandle, RunId, RunState, TaskId, UserId};

/// One change of a run, checked where it stands inside the transaction.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::store) struct RunWrite {
    pub id: RunId,
    pub handle: RunHandle,
    pub agent: AgentHandle,
    pub hold: WriteRight,
    pub act: RunChange,
}

impl AgentRun {
    /// A change of this run, by that right.
    pub(super) fn write(&self, hold: WriteRight, act: RunChange) -> RunWrite {
        RunWrite {
            id: self.id,
            handle: self.handle,
            agent: self.agent.clone(),
            hold,
            act,
        }
    }
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
    /// A tool call ends, after so many milliseconds.
    CallEnd(Box<AgentCall>, u64),
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
#[derive(Debug, Clone, PartialEq)]
pub(in crate::store) struct RunEnd {
    pub to: RunState,
    pub reason: Option<String>,
    pub fault: Option<RunFault>,
    pub metrics: Option<RunMetrics>,
    pub result: Option<RunResult>,
    /// The task that it completes.
    pub proves: Option<TaskId>,
    /// Calls that were under way.
    pub open: Vec<AgentCall>,
}

impl RunEnd {
    /// An end in that state, of which nothing more is known.
    pub(super) const fn of(to: RunState) -> Self {
        Self {
            to,
            reason: None,
            fault: None,
            metrics: None,
            result: None,
            proves: None,
            open: Vec::new(),
        }
    }
}

/// The rows of one unit or of many.
#[derive(Debug, Default, Serialize)]
pub(in crate::store) struct RunBatch {
    pub sessions: Vec<AgentSession>,
    pub runs: Vec<RunOut>,
    pub results: Vec<ResultOut>,
    pub steps: Vec<StepOut>,
    pub proofs: Vec<Value>,
    pub notices: Vec<Value>,
    pub told: Vec<Value>,
}

#[derive(Debug, Serialize)]
pub(in crate::store) struct RunOut {
    #[serde(flatten)]
    pub run: AgentRun,
    pub idempotency_key: String,
}

#[derive(Debug, Serialize)]
pub(in crate::store) struct ResultOut {
    pub user_id: UserId,
    pub run_id: RunId,
    #[serde(flatten)]
    pub result: RunResult,
}

/// Changes in a run's own row; absent leaves it.
#[derive(Debug, Serialize)]
pub(in crate::store) struct StepOut {
    pub user_id: UserId,
    pub id: RunId,
    pub state: Option<RunState>,
    pub owner: Option<String>,
    pub leased: u8,
    pub calls: u8,
    pub cancel_requested_at: Option<String>,
    #[serde(with = "columns::optional_text")]
    pub fault: Option<RunFault>,
    #[serde(with = "columns::optional_text")]
    pub metrics: Option<RunMetrics>,
    pub review: Option<Review>,
    pub started_at: Option<String>,
    pub ended_at: Option<String>,
}

impl RunBatch {
    pub(in crate::store) fn is_empty(&self) -> bool {
        self.sessions.is_empty()
            && self.runs.is_empty()
            && self.steps.is_empty()
            && self.told.is_empty()
    }

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
        old.metrics = new.metrics.or(old.metrics);
        old.review = new.review.or(old.review);
        old.started_at = old.started_at.take().or(new.started_at);
        old.ended_at = new.ended_at.or(old.ended_at.take());
    }
}
