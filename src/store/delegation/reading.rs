//! Queries to a database about runs, and the readings made of the answers.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use super::data::{AgentCall, AgentLine, AgentRun, AgentSession, KnownRuns};
use super::listing::{
    CleanupReport, CompletedBy, RunPage, RunQuery, RunRef, SessionEnd, ToolCount,
};
use super::unit::StopOutcome;
use super::{rows, run_event};
use crate::audit::{AuditRow, EventKind};
use crate::domain::{AgentHandle, IdSource, RunId, TaskId, TurnId, UserId};
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
    pub async fn delegations(&self, user: &UserId) -> Result<KnownRuns, StoreError> {
        let ask = StoreQuery::of(runs::DELEGATIONS, user);
        let mut known = rows::delegations(&self.text(&ask).await?)?;
        known.runs = self.with_questions(known.runs).await?;
        Ok(known)
    }

    /// One run; another user's is as if it did not exist.
    pub async fn run(
        &self,
        user: &UserId,
        run: RunRef<'_>,
    ) -> Result<Option<AgentRun>, StoreError> {
        let (mut id, mut number, mut agent) = (None, -1, None);
        match run {
            RunRef::Id(run) => id = Some(run.to_string()),
            RunRef::Handle(handle) => number = i64::from(handle.number()),
            RunRef::Agent(handle) => agent = Some(handle.to_string()),
        }
        let ask = StoreQuery::of(runs::RUN, user)
            .optional(id)
            .number(number)
            .optional(agent);
        let runs = rows::runs(&self.text(&ask).await?)?;
        Ok(self.with_questions(runs).await?.pop())
    }

    /// Runs, newest first, a page of them; it says how many there are in all.
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
        let runs = rows::runs(&self.text(&ask).await?)?;
        let mut runs = self.with_questions(runs).await?;
        let more = runs.len() > limit as usize;
        runs.truncate(limit as usize);
        let matched = self.read("agent_runs", &narrowed(runs::MATCHED)).await?;
        Ok(RunPage {
            next: runs.last().filter(|_| more).map(|run| run.handle),
            runs,
            matched,
        })
    }

    /// One session; none for one that is unknown, removed or another user's.
    pub async fn agent(
        &self,
        user: &UserId,
        handle: &AgentHandle,
    ) -> Result<Option<AgentSession>, StoreError> {
        let ask = StoreQuery::of(runs::AGENT, user).text(handle.as_str());
        Ok(self.list("agent_sessions", &ask).await?.pop())
    }

    /// Lines of an agent's conversation after one of them, oldest first; 0 asks from the first.
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
        self.list("agent_messages", &ask).await
    }

    /// The tool calls of a run, in order, from their receipts in the log.
    pub async fn agent_calls(
        &self,
        user: &UserId,
        run: &AgentRun,
    ) -> Result<Vec<AgentCall>, StoreError> {
        Ok(run_event::calls(&self.turn_events(user, run.turn).await?))
    }

    /// The newest tool call of any agent that the model gave this id.
    pub async fn agent_call(
        &self,
        user: &UserId,
        tool_call_id: &str,
    ) -> Result<Option<AgentCall>, StoreError> {
        let mut newest = None;
        self.each_event(user, &[EventKind::Run], |event| {
            let begun =
                run_event::call_of(event).filter(|begun| begun.call.tool_call_id == tool_call_id);
            if let (Some(call), Some(turn)) = (begun, event.turn_id) {
                newest = Some((turn, call.number));
            }
        })
        .await?;
        let Some((turn, number)) = newest else {
            return Ok(None);
        };
        let calls = run_event::calls(&self.turn_events(user, turn).await?);
        Ok(calls.into_iter().find(|call| call.number == number))
    }

    /// Reads a user's events of some kinds, those of each kind from the oldest.
    pub async fn each_event(
        &self,
        user: &UserId,
        kinds: &[EventKind],
        mut read: impl FnMut(&AuditRow),
    ) -> Result<(), StoreError> {
        for kind in kinds {
            let mut filter = AuditFilter {
                user: Some(user.clone()),
                kind: Some(*kind),
                limit: Some(PAGE),
                ..AuditFilter::default()
            };
            loop {
                let events = self.audit_events(&filter).await?;
                let Some(last) = events.last() else { break };
                filter.after = Some(last.seq);
                events.iter().for_each(&mut read);
            }
        }
        Ok(())
    }

    /// Counts the calls of each tool, by the chat's model and by agents, with which faults and by
    /// which other names, over the user's log.
    pub async fn tool_counts(
        &self,
        user: &UserId,
    ) -> Result<BTreeMap<String, ToolCount>, StoreError> {
        let mut counts = BTreeMap::new();
        let kinds = [EventKind::ToolCall, EventKind::Refusal, EventKind::Run];
        self.each_event(user, &kinds, |event| run_event::count(event, &mut counts))
            .await?;
        Ok(counts)
    }

    /// By whom a task was completed; none when it is open or gone.
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
    pub async fn cleanup(
        &self,
        user: &UserId,
        max_age: Duration,
        now: DateTime<Utc>,
    ) -> Result<CleanupReport, StoreError> {
        let age = TimeDelta::from_std(max_age).unwrap_or(TimeDelta::MAX);
        let before = now.checked_sub_signed(age);
        let before = stamp(before.unwrap_or(DateTime::UNIX_EPOCH));
        let ask = StoreQuery::of(runs::CLEANUP, user).text(before);
        rows::cleaned(self.change(&ask).await?.as_deref())
    }

    /// Removes a session. One that is at work is left alone, or with `force` asked to stop: ask
    /// again once it has. What proves a completed task stays, without the conversation.
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
            let own = |run: &AgentRun| run.agent == *agent && run.state.is_live();
            let reason = Some("its session is removed");
            self.stop_runs(user, own, reason, now, ids).await?;
            let left = self.agent(user, agent).await?;
            if left.is_some_and(|agent| agent.live.is_some()) {
                return Ok(SessionEnd::Stopping(live));
            }
        }
        let ask = StoreQuery::of(runs::REMOVE_SESSION, user).text(agent.as_str());
        let cleaned = rows::cleaned(self.change(&ask).await?.as_deref())?;
        Ok(SessionEnd::Gone(cleaned))
    }

    /// Asks those of a user's runs to stop that `meant` picks; what each came to.
    pub async fn stop_runs(
        &self,
        user: &UserId,
        meant: impl Fn(&AgentRun) -> bool,
        reason: Option<&str>,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<Vec<StopOutcome>, StoreError> {
        let mut transaction = self.transact("the user's data kept changing");
        loop {
            let mut unit = self.unit_with_runs(user, now, ids).await?;
            let known: Vec<RunId> = unit
                .delegations()
                .runs
                .iter()
                .filter(|run| meant(run))
                .map(|run| run.id)
                .collect();
            let stops = known.iter().map(|run| unit.cancel_run(*run, reason));
            let stops: Vec<StopOutcome> = stops.collect();
            let nothing = unit.run_writes().is_empty();
            if nothing || (transaction.commit(unit, CommitRecord::default()).await?).is_some() {
                return Ok(stops);
            }
        }
    }

    /// A unit of work of a user, in no conversation, with their tasks and runs as they are now.
    pub async fn unit_with_runs(
        &self,
        user: &UserId,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<Unit, StoreError> {
        let delegations = Arc::new(self.delegations(user).await?);
        let tasks = self.load(user, None, None).await?.tasks;
        let turn = TurnId::new(ids.next());
        let unit = Unit::new(user.clone(), None, turn, now, ids.clone(), tasks);
        Ok(unit.knowing(delegations))
    }
}
