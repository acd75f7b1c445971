//! The queue of runs, and what whoever works on one may write.
//!
//! A worker leases a run by one commit that checks where it stands; from then on it holds a
//! [`RunLease`], beats, and writes under it. Each write is refused as [`LeasedWrite::Lost`] once the run
//! has ended or belongs to somebody else, so that of a process that was taken for dead nothing
//! lands (G-12). A run is never leased again: what was cut off is interrupted, and resuming is
//! the user's to say (G-09).

use std::sync::Arc;

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::data::{AgentCall, AgentLine, AgentRun, NewCall};
use super::listing::RunRef;
use super::unit::{NewRun, NewSession};
use super::work::{CallEnd, HeartbeatOutcome, LeasedWrite, RunLease, RunWorker};
use super::write::{RunChange, RunWrite, WriteRight};
use crate::domain::{IdSource, RunId, RunState, UserId};
use crate::resolver::TaskList;
use crate::store::backend::{Store, StoreError};
use crate::store::query::StoreQuery;
use crate::store::record::{CommitRecord, RollbackCause};
use crate::store::sql::runs;
use crate::store::transact::{TransactError, Transaction};
use crate::store::unit::Unit;

/// Runs that are tried when others are quicker.
const CANDIDATES: u32 = 16;

impl Store {
    /// Takes the next run to work on: high priority before low, then the oldest. Of several
    /// processes that ask at once each gets another one, and limits hold for all of them
    /// together. None: there is nothing to do that they allow.
    pub async fn lease_next(
        &self,
        worker: &RunWorker,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<Option<RunLease>, StoreError> {
        let ask = StoreQuery::new(runs::WAITING)
            .number(i64::from(worker.per_user))
            .number(i64::from(worker.in_all))
            .texts(&worker.full)
            .number(i64::from(CANDIDATES));
        let found: Vec<(UserId, RunId)> = self.read("agent_runs", &ask).await?;
        for (user, id) in found {
            let Some(mut run) = self.run(&user, RunRef::Id(id)).await? else {
                continue;
            };
            let take = RunChange::Lease {
                owner: worker.owner.clone(),
                per_user: worker.per_user,
                in_all: worker.in_all,
            };
            let write = run.write(WriteRight::User, take);
            if let LeasedWrite::Yes(()) = self.write_run(&run, write, now, ids).await? {
                run.state = RunState::Running;
                run.attempt += 1;
                run.owner = Some(worker.owner.clone());
                run.queued = false;
                run.started_at = run.started_at.or(Some(now));
                return Ok(Some(RunLease {
                    owner: worker.owner.clone(),
                    attempt: run.attempt,
                    run,
                }));
            }
        }
        Ok(None)
    }

    /// Says that a run is worked on, and asks whether it should be.
    pub async fn heartbeat(&self, lease: &RunLease) -> Result<HeartbeatOutcome, StoreError> {
        let ask = StoreQuery::of(runs::BEAT, &lease.run.user_id)
            .text(lease.run.id.to_string())
            .text(lease.owner.clone())
            .number(i64::from(lease.attempt));
        let word = self.change(&ask).await?;
        Ok(match word.as_deref() {
            Some("alive") => HeartbeatOutcome::Alive,
            Some("stop") => HeartbeatOutcome::Stop,
            _ => HeartbeatOutcome::Lost,
        })
    }

    /// Keeps a line of the agent's conversation, as it is said.
    pub async fn append_message(
        &self,
        lease: &RunLease,
        line: &AgentLine,
        now: DateTime<Utc>,
    ) -> Result<LeasedWrite<u32>, StoreError> {
        let calls = line.tool_calls.as_ref().map(Value::to_string);
        let ask = StoreQuery::of(runs::APPEND_LINE, &lease.run.user_id)
            .text(lease.run.id.to_string())
            .text(lease.owner.clone())
            .number(i64::from(lease.attempt))
            .text(line.role.as_str())
            .text(line.content.clone())
            .optional(calls)
            .optional(line.tool_call_id.clone())
            .text(crate::store::rows::stamp(now));
        let seq = self.change(&ask).await?;
        let seq = seq.and_then(|seq| seq.parse().ok());
        Ok(seq.map_or(LeasedWrite::Lost, LeasedWrite::Yes))
    }

    /// Receipts that a tool call begins, before it is made. Its number is what the agent cites.
    pub async fn begin_call(
        &self,
        lease: &mut RunLease,
        new: &NewCall,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<LeasedWrite<AgentCall>, StoreError> {
        let (run, number) = (lease.run.handle, lease.run.calls + 1);
        let call = AgentCall::begun(run, number, new.clone(), now);
        let begins = RunChange::Call(Box::new(call.clone()));
        let written = self.write_leased(lease, begins, now, ids).await?;
        if let LeasedWrite::Yes(()) = written {
            lease.run.calls += 1;
        }
        Ok(written.with(call))
    }

    /// Receipts how a tool call ended. Nothing changes that afterwards.
    pub async fn end_call(
        &self,
        lease: &RunLease,
        call: &AgentCall,
        end: &CallEnd,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<LeasedWrite<AgentCall>, StoreError> {
        let ended = AgentCall {
            ok: Some(end.ok),
            error_type: end.error_type,
            result: end.result.clone(),
            ended_at: Some(now),
            ..call.clone()
        };
        let ends = RunChange::CallEnd(Box::new(ended.clone()), end.duration_ms);
        let written = self.write_leased(lease, ends, now, ids).await?;
        Ok(written.with(ended))
    }

    /// Keeps a note of the agent's in the timeline.
    pub async fn add_note(
        &self,
        lease: &RunLease,
        text: &str,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<LeasedWrite<()>, StoreError> {
        let note = RunChange::Note(text.to_owned());
        self.write_leased(lease, note, now, ids).await
    }

    /// Begins a run that whoever works under `lease` delegates; it waits for a worker like any
    /// other, works on no task, and has no more rights than `session` says.
    pub async fn delegate_within(
        &self,
        lease: &RunLease,
        title: &str,
        (session, new): (&NewSession, &NewRun),
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<AgentRun, StoreError> {
        let mut transaction = self.transact_run();
        loop {
            let known = Arc::new(self.delegations(&lease.run.user_id).await?);
            let unit = unit_of(&lease.run, TaskList::default(), now, ids);
            let mut unit = unit.knowing(known);
            let run = unit.delegate_within(title, session, new.clone());
            let run = run.map_err(|fault| StoreError::Unavailable(fault.to_string().into()))?;
            if let Some(LeasedWrite::Yes(())) = transaction.commit_run(unit).await? {
                return Ok(run);
            }
        }
    }

    /// Notes that whoever delegated a run inside its own was told of its end: the user need not
    /// be.
    pub async fn told_within(
        &self,
        run: &AgentRun,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<(), StoreError> {
        let told = run.write(WriteRight::User, RunChange::Told);
        let _ = self.write_run(run, told, now, ids).await?;
        Ok(())
    }

    /// Commits a write of whoever works on a run.
    pub(super) async fn write_leased(
        &self,
        lease: &RunLease,
        change: RunChange,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<LeasedWrite<()>, StoreError> {
        self.write_run(&lease.run, lease.write(change), now, ids)
            .await
    }

    /// Commits one write of a run, under the run's own turn.
    pub(super) async fn write_run(
        &self,
        run: &AgentRun,
        write: RunWrite,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<LeasedWrite<()>, StoreError> {
        let mut transaction = self.transact_run();
        loop {
            let mut unit = unit_of(run, TaskList::default(), now, ids);
            unit.write_run(write.clone());
            if let Some(end) = transaction.commit_run(unit).await? {
                return Ok(end);
            }
        }
    }

    /// Begins a write that is decided anew while only tasks move.
    pub(super) const fn transact_run(&self) -> Transaction<'_> {
        let moved = |cause: &RollbackCause| matches!(cause, RollbackCause::TaskMoved(_));
        self.transact_while("the user's data kept changing", moved)
    }
}

/// A unit of a run, in no conversation: what an agent did is not what "undo" takes back.
pub(super) fn unit_of(run: &AgentRun, base: TaskList, now: DateTime<Utc>, ids: &IdSource) -> Unit {
    Unit::new(run.user_id.clone(), None, run.turn, now, ids.clone(), base)
}

impl Transaction<'_> {
    /// Commits a unit of a run, unless the run does not stand where it was thought to; none:
    /// something else of the user's moved, and it is to be decided anew.
    pub(super) async fn commit_run(
        &mut self,
        unit: Unit,
    ) -> Result<Option<LeasedWrite<()>>, StoreError> {
        match self.commit(unit, CommitRecord::default()).await {
            Ok(committed) => Ok(committed.map(|_| LeasedWrite::Yes(()))),
            Err(TransactError::RolledBack(RollbackCause::RunMoved(_))) => {
                Ok(Some(LeasedWrite::Lost))
            }
            Err(TransactError::RolledBack(cause)) => Err(StoreError::Unavailable(cause.into())),
            Err(error) => Err(error.into()),
        }
    }
}
