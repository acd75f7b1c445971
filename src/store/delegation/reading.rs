//! Queries to a database about runs, and the readings made of the answers.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};

use super::data::{AgentCall, AgentLine, AgentRun, AgentSession, KnownRuns};
use super::listing::{
    CleanupReport, CompletedBy, RunPage, RunQuery, RunRef, SessionEnd, ToolCount, before,
};
use super::{rows, run_event};
use crate::audit::EventKind;
use crate::domain::{AgentHandle, IdSource, RunHandle, TaskId, TurnId, UserId};
use crate::store::backend::{Store, StoreError};
use crate::store::query::StoreQuery;
use crate::store::read::AuditFilter;
use crate::store::record::CommitRecord;
use crate::store::rows::stamp;
use crate::store::sql::runs;
use crate::store::unit::Unit;

/// Events that are read at once.
const PAGE: u32 = 500;

impl Store {
    /// Reads what a turn must know of a user's runs: one statement.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::Corrupt`].
    pub async fn delegations(&self, user: &UserId) -> Result<KnownRuns, StoreError> {
        let ask = StoreQuery::of(runs::DELEGATIONS, user);
        let mut known = rows::delegations(user, &self.text(&ask).await?)?;
        known.runs = self.with_questions(known.runs).await?;
        Ok(known)
    }

    /// One run; another user's is as if it did not exist.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::Corrupt`].
    pub async fn run(
        &self,
        user: &UserId,
        run: RunRef<'_>,
    ) -> Result<Option<AgentRun>, StoreError> {
        if let RunRef::Title(title) = run {
            return self.titled(user, title).await;
        }
        let (mut id, mut number, mut agent, mut task) = (None, -1, None, None);
        match run {
            RunRef::Id(run) => id = Some(run.to_string()),
            RunRef::Handle(handle) => number = i64::from(handle.number()),
            RunRef::Agent(handle) => agent = Some(handle.to_string()),
            RunRef::Task(run) => task = Some(run.to_string()),
            RunRef::Title(_) => {}
        }
        let ask = StoreQuery::of(runs::RUN, user)
            .optional(id)
            .number(number)
            .optional(agent)
            .optional(task);
        let mut runs = rows::runs(user, &self.text(&ask).await?)?;
        runs.truncate(1);
        Ok(self.with_questions(runs).await?.pop())
    }

    /// Titles are compared here: databases fold letters each in their own way.
    async fn titled(&self, user: &UserId, title: &str) -> Result<Option<AgentRun>, StoreError> {
        let folded = crate::domain::text::fold(title);
        let titles = self.text(&StoreQuery::of(runs::TITLES, user)).await?;
        let found = (rows::titles(&titles)?.into_iter())
            .find(|(_, title)| crate::domain::text::fold(title) == folded);
        match found {
            Some((number, _)) => {
                let handle = RunRef::Handle(RunHandle::new(number));
                Box::pin(self.run(user, handle)).await
            }
            None => Ok(None),
        }
    }

    /// Runs, newest first, a page of them; it says how many there are in all.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::Corrupt`].
    pub async fn runs(&self, user: &UserId, query: &RunQuery) -> Result<RunPage, StoreError> {
        let limit = if query.limit == 0 { 20 } else { query.limit };
        let narrowed = |of| {
            StoreQuery::of(of, user)
                .optional(query.state.map(|state| state.as_str().to_owned()))
                .optional(query.persona.clone())
                .optional(query.task.map(|id| id.to_string()))
                .optional(query.agent.as_ref().map(ToString::to_string))
        };
        let before = query.before.map_or(i64::MAX, |run| i64::from(run.number()));
        let ask = narrowed(runs::RUNS)
            .number(before)
            .number(i64::from(limit) + 1);
        let runs = rows::runs(user, &self.text(&ask).await?)?;
        let mut runs = self.with_questions(runs).await?;
        let more = runs.len() > limit as usize;
        runs.truncate(limit as usize);
        let matched = rows::count(&self.text(&narrowed(runs::MATCHED)).await?)?;
        Ok(RunPage {
            next: runs.last().filter(|_| more).map(|run| run.handle),
            runs,
            matched,
        })
    }

    /// One session; none for one that is unknown, removed or another user's.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::Corrupt`].
    pub async fn agent(
        &self,
        user: &UserId,
        handle: &AgentHandle,
    ) -> Result<Option<AgentSession>, StoreError> {
        let ask = StoreQuery::of(runs::AGENT, user).text(handle.as_str());
        rows::agent(user, &self.text(&ask).await?)
    }

    /// Lines of an agent's conversation after one of them, oldest first; 0 asks from the first.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::Corrupt`].
    pub async fn transcript(
        &self,
        user: &UserId,
        agent: &AgentHandle,
        after: u32,
        limit: u32,
    ) -> Result<Vec<AgentLine>, StoreError> {
        let ask = StoreQuery::of(runs::LINES, user)
            .text(agent.as_str())
            .number(i64::from(after))
            .number(i64::from(limit));
        rows::lines(&self.text(&ask).await?)
    }

    /// The tool calls of a run, in order, from their receipts in the log.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::Corrupt`].
    pub async fn agent_calls(
        &self,
        user: &UserId,
        run: &AgentRun,
    ) -> Result<Vec<AgentCall>, StoreError> {
        self.calls_of(user, run.turn).await
    }

    async fn calls_of(&self, user: &UserId, turn: TurnId) -> Result<Vec<AgentCall>, StoreError> {
        let filter = AuditFilter {
            user: Some(user.clone()),
            turn: Some(turn),
            kind: Some(EventKind::Run),
            ..AuditFilter::default()
        };
        let events = self.audit_events(&filter).await?;
        Ok(run_event::calls(&events))
    }

    /// The newest tool call of any agent that the model gave this id.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::Corrupt`].
    pub async fn agent_call(
        &self,
        user: &UserId,
        tool_call_id: &str,
    ) -> Result<Option<AgentCall>, StoreError> {
        let mut newest = None;
        let mut after = None;
        loop {
            let events = self.events_of_kind(user, EventKind::Run, after).await?;
            let Some(last) = events.last() else { break };
            after = Some(last.seq);
            for event in &events {
                let begun =
                    run_event::call_of(event).filter(|call| call.tool_call_id == tool_call_id);
                if let (Some(call), Some(turn)) = (begun, event.turn_id) {
                    newest = Some((turn, call.number));
                }
            }
        }
        let Some((turn, number)) = newest else {
            return Ok(None);
        };
        let calls = self.calls_of(user, turn).await?;
        Ok(calls.into_iter().find(|call| call.number == number))
    }

    async fn events_of_kind(
        &self,
        user: &UserId,
        kind: EventKind,
        after: Option<i64>,
    ) -> Result<Vec<crate::audit::AuditRow>, StoreError> {
        let filter = AuditFilter {
            user: Some(user.clone()),
            kind: Some(kind),
            after,
            limit: Some(PAGE),
            ..AuditFilter::default()
        };
        self.audit_events(&filter).await
    }

    /// Counts the calls of each tool, by the chat's model and by agents, with which faults and by
    /// which other names, over the user's log.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::Corrupt`].
    pub async fn tool_counts(
        &self,
        user: &UserId,
    ) -> Result<BTreeMap<String, ToolCount>, StoreError> {
        let mut counts = BTreeMap::new();
        for kind in [EventKind::ToolCall, EventKind::Refusal, EventKind::Run] {
            let mut after = None;
            loop {
                let events = self.events_of_kind(user, kind, after).await?;
                let Some(last) = events.last() else { break };
                after = Some(last.seq);
                for event in &events {
                    run_event::count(event, &mut counts);
                }
            }
        }
        Ok(counts)
    }

    /// By whom a task was completed; none when it is open or gone.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::Corrupt`].
    pub async fn completed_by(
        &self,
        user: &UserId,
        task: TaskId,
    ) -> Result<Option<CompletedBy>, StoreError> {
        let ask = StoreQuery::of(runs::PROVEN, user).text(task.to_string());
        rows::completed_by(&self.text(&ask).await?)
    }

    /// Removes a user's sessions whose runs have all ended, the last of them more than `max_age`
    /// ago. Of a run whose report proves a completed task the lines go, and the run stays.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn cleanup(
        &self,
        user: &UserId,
        max_age: Duration,
        now: DateTime<Utc>,
    ) -> Result<CleanupReport, StoreError> {
        let ask = StoreQuery::of(runs::CLEANUP, user).text(stamp(before(now, max_age)));
        rows::cleaned(self.change(&ask).await?.as_deref())
    }

    /// Removes a session. One that is at work is left alone, or with `force` asked to stop: ask
    /// again once it has. What proves a completed task stays, without the conversation.
    ///
    /// # Errors
    /// [`StoreError`] when it can't be asked or written.
    pub async fn delete_session(
        &self,
        user: &UserId,
        agent: &AgentHandle,
        force: bool,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<SessionEnd, StoreError> {
        let known = self.agent(user, agent).await?;
        let Some(known) = known else {
            return Ok(SessionEnd::Gone(CleanupReport::default()));
        };
        if let Some(live) = known.live {
            if !force {
                return Ok(SessionEnd::Live(live));
            }
            if !self.stop_session(user, agent, now, ids).await? {
                return Ok(SessionEnd::Stopping(live));
            }
        }
        let ask = StoreQuery::of(runs::REMOVE_SESSION, user).text(agent.as_str());
        let cleaned = rows::cleaned(self.change(&ask).await?.as_deref())?;
        Ok(SessionEnd::Gone(cleaned))
    }

    /// Asks all runs of a session to stop; true when none is left that somebody works on.
    async fn stop_session(
        &self,
        user: &UserId,
        agent: &AgentHandle,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<bool, StoreError> {
        let mut transaction = self.transact("the user's data kept changing");
        loop {
            let delegations = Arc::new(self.delegations(user).await?);
            let turn = TurnId::new(ids.next());
            let tasks = self.load(user, None, None).await?.tasks;
            let unit = Unit::new(user.clone(), None, turn, now, ids.clone(), tasks);
            let mut unit = unit.knowing(Arc::clone(&delegations));
            let live =
                (delegations.runs.iter()).filter(|run| run.agent == *agent && run.state.is_live());
            for run in live {
                unit.cancel_run(run.id, Some("its session is removed"));
            }
            let nothing = unit.run_writes().is_empty();
            if nothing || (transaction.commit(unit, CommitRecord::default()).await?).is_some() {
                break;
            }
        }
        let known = self.agent(user, agent).await?;
        Ok(known.is_none_or(|agent| agent.live.is_none()))
    }
}
