//! The queue of runs, and what whoever works on one may write.
//!
//! A worker leases a run by one commit that checks where it stands; from then on it holds a
//! [`Lease`], beats, and writes under it. Each write is refused as [`Held::Lost`] once the run
//! has ended or belongs to somebody else, so that of a process that was taken for dead nothing
//! lands (G-12). A run is never leased again: what was cut off is interrupted, and resuming is
//! the user's to say (G-09).

use chrono::{DateTime, Utc};
use serde_json::Value;

use super::data::{AgentCall, AgentLine, Run};
use super::listing::RunRef;
use super::reading::{Ask, AskOf};
use super::rows;
use super::work::{Beaten, CallEnd, Held, Lease, Leased, NewCall, Worker};
use super::write::{Act, CallEnded, Hold, RunWrite};
use crate::domain::{IdSource, RunState, UserId};
use crate::resolver::TaskList;
use crate::store::backend::{Store, StoreError};
use crate::store::record::{Cause, Commit, Record};
use crate::store::unit::Unit;

/// Runs that are tried when others are quicker.
const CANDIDATES: u32 = 16;

/// How often a write is decided anew because something else of the user's moved.
pub(super) const TRIES: usize = 64;

/// How a commit about a run ended.
pub(super) enum Written {
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
        worker: &Worker,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<Leased, StoreError> {
        let ask = Ask::new(AskOf::Waiting)
            .number(i64::from(worker.per_user))
            .number(i64::from(worker.in_all))
            .text(rows::strings(&worker.full)?)
            .number(i64::from(CANDIDATES));
        for (user, id) in rows::waiting(&self.ask(&ask).await?)? {
            let Some(mut run) = self.run(&user, RunRef::Id(id)).await? else {
                continue;
            };
            let write = RunWrite {
                id,
                handle: run.handle,
                agent: run.agent.clone(),
                hold: Hold::User,
                act: Act::Lease {
                    owner: worker.owner.clone(),
                    per_user: worker.per_user,
                    in_all: worker.in_all,
                },
            };
            if let Written::Yes = self.write_run(&run, write, now, ids).await? {
                run.state = RunState::Running;
                run.attempt += 1;
                run.owner = Some(worker.owner.clone());
                run.queued = false;
                run.started_at = run.started_at.or(Some(now));
                return Ok(Leased::Run(Box::new(Lease {
                    owner: worker.owner.clone(),
                    attempt: run.attempt,
                    run,
                })));
            }
        }
        Ok(Leased::Nothing)
    }

    /// Says that a run is worked on, and asks whether it should be.
    ///
    /// # Errors
    /// [`StoreError`] when the database can't be asked.
    pub async fn heartbeat(&self, lease: &Lease) -> Result<Beaten, StoreError> {
        let ask = Ask::of(AskOf::Beat, &lease.run.user_id)
            .text(lease.run.id.to_string())
            .text(lease.owner.clone())
            .number(i64::from(lease.attempt));
        let word = self.change(&ask).await?;
        Ok(match word.as_deref() {
            Some("alive") => Beaten::Alive,
            Some("stop") => Beaten::Stop,
            _ => Beaten::Lost,
        })
    }

    /// Keeps a line of the agent's conversation, as it is said.
    ///
    /// # Errors
    /// [`StoreError`] when the database can't be asked.
    pub async fn append_message(
        &self,
        lease: &Lease,
        line: &AgentLine,
        now: DateTime<Utc>,
    ) -> Result<Held<u32>, StoreError> {
        let calls = line.tool_calls.as_ref().map(Value::to_string);
        let ask = Ask::of(AskOf::AppendLine, &lease.run.user_id)
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
        Ok(seq.map_or(Held::Lost, Held::Yes))
    }

    /// Receipts that a tool call begins, before it is made. Its number is what the agent cites.
    ///
    /// # Errors
    /// [`StoreError`] when it can't be written.
    pub async fn begin_call(
        &self,
        lease: &mut Lease,
        new: &NewCall,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<Held<AgentCall>, StoreError> {
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
        let write = lease.write(Act::Call(Box::new(call.clone())));
        let written = self.write_run(&lease.run, write, now, ids).await?;
        Ok(match written {
            Written::Yes => {
                lease.run.calls += 1;
                Held::Yes(call)
            }
            _ => Held::Lost,
        })
    }

    /// Receipts how a tool call ended. Nothing changes that afterwards.
    ///
    /// # Errors
    /// [`StoreError`] when it can't be written.
    pub async fn end_call(
        &self,
        lease: &Lease,
        call: &AgentCall,
        end: &CallEnd,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<Held<AgentCall>, StoreError> {
        let ended = AgentCall {
            ok: Some(end.ok),
            error_type: end.error_type,
            result: end.result.clone(),
            ended_at: Some(now),
            ..call.clone()
        };
        let write = lease.write(Act::CallEnd(Box::new(CallEnded {
            call: ended.clone(),
            duration_ms: end.duration_ms,
        })));
        let written = self.write_run(&lease.run, write, now, ids).await?;
        Ok(match written {
            Written::Yes => Held::Yes(ended),
            _ => Held::Lost,
        })
    }

    /// Keeps a note of the agent's in the timeline.
    ///
    /// # Errors
    /// [`StoreError`] when it can't be written.
    pub async fn add_note(
        &self,
        lease: &Lease,
        text: &str,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<Held<()>, StoreError> {
        let write = lease.write(Act::Note(text.to_owned()));
        let written = self.write_run(&lease.run, write, now, ids).await?;
        Ok(held(&written, ()))
    }

    /// Commits one write of a run, under the run's own turn.
    pub(super) async fn write_run(
        &self,
        run: &Run,
        write: RunWrite,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<Written, StoreError> {
        for _ in 0..TRIES {
            let mut unit = self.unit_of(run, TaskList::default(), now, ids);
            unit.write_run(write.clone());
            match self.written(unit).await? {
                Written::Again => {}
                end => return Ok(end),
            }
        }
        Err(busy())
    }

    pub(super) fn unit_of(
        &self,
        run: &Run,
        base: TaskList,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Unit {
        let user: UserId = run.user_id.clone();
        // In no conversation: what an agent did is not what "undo" takes back.
        Unit::new(user, None, run.turn, now, ids.clone(), base)
    }

    pub(super) async fn written(&self, unit: Unit) -> Result<Written, StoreError> {
        let (user, attempt) = (unit.user().clone(), unit.attempt());
        match self.commit(unit, Record::default()).await {
            Commit::Committed(_) => Ok(Written::Yes),
            Commit::RolledBack(Cause::RunMoved(_)) => Ok(Written::Lost),
            Commit::RolledBack(Cause::TaskMoved(_)) => Ok(Written::Again),
            Commit::RolledBack(cause) => Err(StoreError::Unavailable(cause.into())),
            Commit::Unknown(_) => match self.attempt(&user, attempt).await? {
                Some(_) => Ok(Written::Yes),
                None => Ok(Written::Again),
            },
        }
    }
}

pub(super) fn held<T>(written: &Written, value: T) -> Held<T> {
    match written {
        Written::Yes => Held::Yes(value),
        Written::Lost | Written::Again => Held::Lost,
    }
}

pub(super) fn busy() -> StoreError {
    StoreError::Unavailable("the user's data kept changing".into())
}
