//! Questions that an agent asks the user, and the answers.
//!
//! The question stands in the receipt of the call by which it is asked, which stays open until
//! it is answered; the answer is an event of the log. The run waits in the state
//! `input_required`, under its lease: whoever works on it goes on when it has left that state.

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::data::AgentRun;
use super::listing::RunRef;
use super::run_event::{RunEvent, RunEventKind};
use super::work::{LeasedWrite, RunLease};
use super::write::{RunChange, WriteRight};
use crate::audit::EventKind;
use crate::domain::{IdSource, RunId, RunState};
use crate::store::backend::{Store, StoreError};
use crate::store::read::AuditFilter;
use crate::store::unit::Unit;

/// The tool by which an agent asks.
pub const ASK_USER: &str = "ask_user";

/// State of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AgentQuestion {
    /// Nobody has answered.
    Open,
    /// This was answered.
    Answered(String),
    /// The run goes no further.
    Over,
}

impl Store {
    /// Has a run wait for the user. Its question is in the call that is under way.
    pub async fn ask_user(
        &self,
        lease: &RunLease,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<LeasedWrite<()>, StoreError> {
        self.write_leased(lease, RunChange::Ask, now, ids).await
    }

    /// Returns the state of a run's question.
    pub async fn asked(&self, lease: &RunLease) -> Result<AgentQuestion, StoreError> {
        let run = &lease.run;
        let Some(known) = self.run(&run.user_id, RunRef::Id(run.id)).await? else {
            return Ok(AgentQuestion::Over);
        };
        match known.state {
            RunState::InputRequired => return Ok(AgentQuestion::Open),
            RunState::Running => {}
            _ => return Ok(AgentQuestion::Over),
        }
        // The question is told under the run's turn, the answer under that of whoever answered.
        let since = self.turn_events(&run.user_id, run.turn).await?;
        let begins = |event: &&crate::audit::AuditRow| {
            let told = RunEvent::read(event).map(|told| told.kind);
            matches!(told, Some(RunEventKind::ToolCall { call, .. }) if call.name == ASK_USER)
        };
        let since = since.iter().rev().find(begins).map(|event| event.seq);
        let after = AuditFilter {
            user: Some(run.user_id.clone()),
            kind: Some(EventKind::Run),
            after: since,
            ..AuditFilter::default()
        };
        let events = self.audit_events(&after).await?;
        let answers = events.iter().rev().filter_map(RunEvent::read);
        let answer = answers
            .filter(|told| told.run == run.handle)
            .find_map(|told| match told.kind {
                RunEventKind::RunAnswer { text } => Some(text.unwrap_or_default()),
                _ => None,
            });
        Ok(answer.map_or(AgentQuestion::Over, AgentQuestion::Answered))
    }

    /// Has a run go on without an answer. Lost: it was answered or ended meanwhile.
    pub async fn ask_no_more(
        &self,
        lease: &RunLease,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<LeasedWrite<()>, StoreError> {
        let goes_on = RunChange::Answer(None);
        self.write_leased(lease, goes_on, now, ids).await
    }

    /// Fills in what runs that wait for the user have asked.
    pub(super) async fn with_questions(
        &self,
        mut runs: Vec<AgentRun>,
    ) -> Result<Vec<AgentRun>, StoreError> {
        for run in &mut runs {
            if run.state == RunState::InputRequired {
                let calls = self.agent_calls(&run.user_id, run).await?;
                let open =
                    |call: &&super::AgentCall| call.ok.is_none() && call.call.name == ASK_USER;
                let asked = calls.iter().rev().find(open);
                let words = asked.and_then(|call| call.call.arguments.get("question"));
                run.question = words.and_then(Value::as_str).map(str::to_owned);
            }
        }
        Ok(runs)
    }
}

impl Unit {
    /// Answers what an agent asked; false when the run asks nothing, or is to stop.
    pub fn answer_run(&mut self, id: RunId, text: &str) -> bool {
        let known = self.delegations().run(id).cloned();
        let asks = |run: &AgentRun| run.state == RunState::InputRequired && !run.is_stopping();
        let Some(run) = known.filter(asks) else {
            return false;
        };
        let answer = RunChange::Answer(Some(text.to_owned()));
        self.write_run(run.write(WriteRight::User, answer));
        true
    }
}
