//! The queue of runs, and what whoever works on one may write.
//!
//! A worker leases a run by one commit that checks where it stands; from then on it holds a
//! [`RunLease`], beats, and writes under it. Each write is refused as [`LeasedWrite::Lost`] once the run
//! has ended or belongs to somebody else, so that of a process that was taken for dead nothing
//! lands (G-12). A run is never leased again: what was cut off is interrupted, and resuming is
//! the user's to say (G-09).

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::data::{AgentCall, AgentLine, AgentRun};
use super::listing::RunRef;
use super::rows;
use super::work::{
    CallEnd, HeartbeatOutcome, LeaseOutcome, LeasedWrite, NewCall, RunLease, RunWorker,
};
use super::write::{CallEnded, RunChange, RunWrite, WriteRight};
use crate::domain::{IdSource, RunState, UserId};
use crate::resolver::TaskList;
use crate::store::backend::{Store, StoreError};
use crate::store::query::StoreQuery;
use crate::store::record::{CommitRecord, RollbackCause};
use crate::store::sql::runs;
use crate::store::transact::{TransactError, Transaction};
use crate::store::unit::Unit;

/// Runs that are tried when others are quicker.
const CANDIDATES: u32 = 16;

/// Outcome of a commit about a run.
pub(super) enum RunCommit {
    Yes,
    /// The run does not stand where it was thought to.
    Lost,
    /// Something else of the user's moved: to be decided anew.
    Again,
}

impl Store {
    /// Takes the next run to work on: high priority before low, then the oldest. Of several
    /// processes that ask at once each gets another one, and limits hold for all of them
    /// together.
    ///
    /// # Errors
    /// [`StoreError`] when the database can't be asked.
    pub async fn lease_next(
        &self,
        worker: &RunWorker,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<LeaseOutcome, StoreError> {
        let ask = StoreQuery::new(runs::WAITING)
            .number(i64::from(worker.per_user))
            .number(i64::from(worker.in_all))
            .texts(&worker.full)
            .number(i64::from(CANDIDATES));
        for (user, id) in rows::waiting(&self.text(&ask).await?)? {
            let Some(mut run) = self.run(&user, RunRef::Id(id)).await? else {
                continue;
            };
            let write = RunWrite {
                id,
                handle: run.handle,
                agent: run.agent.clone(),
                hold: WriteRight::User,
                act: RunChange::Lease {
                    owner: worker.owner.clone(),
                    per_user: worker.per_user,
                    in_all: worker.in_all,
                },
            };
            if let RunCommit::Yes = self.write_run(&run, write, now, ids).await? {
                run.state = RunState::Running;
                run.attempt += 1;
                run.owner = Some(worker.owner.clone());
                run.queued = false;
                run.started_at = run.started_at.or(Some(now));
                return Ok(LeaseOutcome::Run(Box::new(RunLease {
                    owner: worker.owner.clone(),
                    attempt: run.attempt,
                    run,
                })));
            }
        }
        Ok(LeaseOutcome::Nothing)
    }

    /// Says that a run is worked on, and asks whether it should be.
    ///
    /// # Errors
    /// [`StoreError`] when the database can't be asked.
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
    ///
    /// # Errors
    /// [`StoreError`] when the database can't be asked.
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
    ///
    /// # Errors
    /// [`StoreError`] when it can't be written.
    pub async fn begin_call(
        &self,
        lease: &mut RunLease,
        new: &NewCall,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<LeasedWrite<AgentCall>, StoreError> {
        let call = AgentCall {
            run: lease.run.handle,
            number: lease.run.calls + 1,
            tool_call_id: new.tool_call_id.clone(),
            name: new.name.clone(),
            called_as: new.called_as.clone(),
            arguments: new.arguments.clone(),
            ok: None,
            error_type: None,
            result: Value::Null,
            provider_context: new.provider_context.clone(),
            started_at: now,
            ended_at: None,
        };
        let write = lease.write(RunChange::Call(Box::new(call.clone())));
        let written = self.write_run(&lease.run, write, now, ids).await?;
        Ok(match written {
            RunCommit::Yes => {
                lease.run.calls += 1;
                LeasedWrite::Yes(call)
            }
            _ => LeasedWrite::Lost,
        })
    }

    /// Receipts how a tool call ended. Nothing changes that afterwards.
    ///
    /// # Errors
    /// [`StoreError`] when it can't be written.
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
        let write = lease.write(RunChange::CallEnd(Box::new(CallEnded {
            call: ended.clone(),
            duration_ms: end.duration_ms,
        })));
        let written = self.write_run(&lease.run, write, now, ids).await?;
        Ok(match written {
            RunCommit::Yes => LeasedWrite::Yes(ended),
            _ => LeasedWrite::Lost,
        })
    }

    /// Keeps a note of the agent's in the timeline.
    ///
    /// # Errors
    /// [`StoreError`] when it can't be written.
    pub async fn add_note(
        &self,
        lease: &RunLease,
        text: &str,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<LeasedWrite<()>, StoreError> {
        let write = lease.write(RunChange::Note(text.to_owned()));
        let written = self.write_run(&lease.run, write, now, ids).await?;
        Ok(held(&written, ()))
    }

    /// Commits one write of a run, under the run's own turn.
    pub(super) async fn write_run(
        &self,
        run: &AgentRun,
        write: RunWrite,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<RunCommit, StoreError> {
        let mut transaction = self.transact_run();
        loop {
            let mut unit = self.unit_of(run, TaskList::default(), now, ids);
            unit.write_run(write.clone());
            match transaction.commit_run(unit).await? {
                RunCommit::Again => {}
                end => return Ok(end),
            }
        }
    }

    /// Begins a write that is decided anew while only tasks move.
    pub(super) const fn transact_run(&self) -> Transaction<'_> {
        let moved = |cause: &RollbackCause| matches!(cause, RollbackCause::TaskMoved(_));
        self.transact_while("the user's data kept changing", moved)
    }

    pub(super) fn unit_of(
        &self,
        run: &AgentRun,
        base: TaskList,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Unit {
        let user: UserId = run.user_id.clone();
        // In no conversation: what an agent did is not what "undo" takes back.
        Unit::new(user, None, run.turn, now, ids.clone(), base)
    }
}

impl Transaction<'_> {
    pub(super) async fn commit_run(&mut self, unit: Unit) -> Result<RunCommit, StoreError> {
        match self.commit(unit, CommitRecord::default()).await {
            Ok(Some(_)) => Ok(RunCommit::Yes),
            Ok(None) => Ok(RunCommit::Again),
            Err(TransactError::RolledBack(RollbackCause::RunMoved(_))) => Ok(RunCommit::Lost),
            Err(TransactError::RolledBack(cause)) => Err(StoreError::Unavailable(cause.into())),
            Err(error) => Err(error.into()),
        }
    }
}

pub(super) fn held<T>(written: &RunCommit, value: T) -> LeasedWrite<T> {
    match written {
        RunCommit::Yes => LeasedWrite::Yes(value),
        RunCommit::Lost | RunCommit::Again => LeasedWrite::Lost,
    }
}
