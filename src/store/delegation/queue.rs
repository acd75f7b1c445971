//! The queue of runs, and what whoever works on one may write.
//!
//! A worker leases a run by one commit that checks where it stands; from then on it holds a
//! [`Lease`], beats, and writes under it. Each write is refused as [`Held::Lost`] once the run
//! has ended or belongs to somebody else, so that of a process that was taken for dead nothing
//! lands (G-12). A run is never leased again: what was cut off is interrupted, and resuming is
//! the user's to say (G-09).

use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::data::{AgentCall, AgentLine, Metrics, Run, RunFault, RunResult};
use super::listing::RunRef;
use super::reading::{Ask, AskOf};
use super::rows;
use super::write::{Act, CallEnded, End, Hold, RunWrite};
use crate::domain::{
    CompletionPolicy, ErrorType, IdSource, ReportOutcome, RunState, UserId, Verification,
};
use crate::store::backend::{Store, StoreError};
use crate::store::record::{Cause, Commit, Record};
use crate::store::unit::Unit;

/// How long a worker that says nothing counts as alive. The statements hold the same number.
pub const RUN_LEASE: Duration = Duration::from_millis(10_000);

/// How often a worker says that it works on a run.
pub const RUN_BEAT: Duration = Duration::from_millis(2_000);

/// Runs that are tried when others are quicker.
const CANDIDATES: u32 = 16;

/// How often a write is decided anew because something else of the user's moved.
const TRIES: usize = 64;

/// Expired runs that one sweep ends.
const SWEPT: u32 = 100;

/// Who works on runs, and how many at once.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worker {
    /// The process; no two have the same.
    pub owner: String,
    /// Runs of one user that are worked on at once, by all processes.
    pub per_user: u32,
    /// Runs that are worked on at once, by all processes.
    pub in_all: u32,
    /// Providers that can take no more now: their runs wait.
    pub full: Vec<String>,
}

/// The right to work on a run; worth nothing once it was lost.
#[derive(Debug, Clone, PartialEq)]
pub struct Lease {
    /// The run as it was leased.
    pub run: Run,
    owner: String,
    attempt: u32,
}

/// What looking for work comes to.
#[derive(Debug, Clone, PartialEq)]
pub enum Leased {
    /// This is to be worked on.
    Run(Box<Lease>),
    /// There is nothing to do that limits allow.
    Nothing,
}

/// Whether a write under a lease was done.
#[derive(Debug, Clone, PartialEq)]
#[must_use = "what was lost must not go on"]
pub enum Held<T> {
    /// It is written.
    Yes(T),
    /// The run has ended or is another's; nothing is written.
    Lost,
}

/// What a beat says of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Beaten {
    /// Go on.
    Alive,
    /// Somebody asked it to stop.
    Stop,
    /// It has ended or is another's.
    Lost,
}

/// A tool call that an agent makes.
#[derive(Debug, Clone, PartialEq)]
pub struct NewCall {
    /// The model's id of it.
    pub tool_call_id: String,
    /// The tool.
    pub name: String,
    /// The name it was called by.
    pub called_as: String,
    /// Its arguments as they came.
    pub arguments: Value,
    /// `instance (model)` of the model that called it.
    pub provider_context: String,
}

/// How a tool call ended.
#[derive(Debug, Clone, PartialEq)]
pub struct CallEnd {
    /// Whether it succeeded.
    pub ok: bool,
    /// The kind of fault; there is one exactly when it did not.
    pub error_type: Option<ErrorType>,
    /// The result's envelope.
    pub result: Value,
    /// How long it took.
    pub duration_ms: u64,
}

/// What an agent reports.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// What it says of its run.
    pub outcome: ReportOutcome,
    /// Its report, 1 to 32 000 characters that are not all blank; others are refused.
    pub text: String,
    /// The report as data.
    pub json: Option<Value>,
    /// A short form of it.
    pub summary: Option<String>,
    /// The numbers of the calls it cites.
    pub evidence: Vec<u32>,
    /// What the run cost.
    pub metrics: Metrics,
}

/// What became of a report.
#[derive(Debug, Clone, PartialEq)]
pub struct Reported {
    /// The run as it stands now: completed, or failed where the agent gave up or what it cites
    /// is not so.
    pub run: Run,
    /// How the report stands against what it cites.
    pub verification: Verification,
    /// The task was marked as done by it.
    pub task_completed: bool,
}

/// The longest report, in characters.
pub(super) const REPORT_MAX: usize = 32_000;

impl Lease {
    fn write(&self, act: Act) -> RunWrite {
        RunWrite {
            id: self.run.id,
            handle: self.run.handle,
            agent: self.run.agent.clone(),
            hold: Hold::Worker {
                owner: self.owner.clone(),
                attempt: self.attempt,
            },
            act,
        }
    }
}

/// How a commit about a run ended.
enum Written {
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
            if let Written::Yes = self.write_run(&run, write, now, ids, |_| ()).await? {
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
        let written = self.write_run(&lease.run, write, now, ids, |_| ()).await?;
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
        let written = self.write_run(&lease.run, write, now, ids, |_| ()).await?;
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
        let written = self.write_run(&lease.run, write, now, ids, |_| ()).await?;
        Ok(held(written, ()))
    }

    /// Takes the agent's report: in one transaction it is checked against the calls it cites and
    /// kept, the run ends, the task is done where the policy says so, the log is told, and the
    /// user is to be told. A second report, a late one or another's is [`Held::Lost`].
    ///
    /// # Errors
    /// [`StoreError`] when it can't be written; then nothing is.
    pub async fn report(
        &self,
        lease: &Lease,
        report: &Report,
        policy: CompletionPolicy,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<Held<Reported>, StoreError> {
        let run = &lease.run;
        // Only the holder of the lease adds calls, so they stand as they are read.
        let calls = self.agent_calls(&run.user_id, run).await?;
        let cited = report.evidence.iter().map(|number| {
            let call = calls.iter().find(|call| call.number == *number);
            call.is_some_and(|call| call.ok == Some(true))
        });
        let verification = Verification::of(cited);
        let result = RunResult {
            outcome: report.outcome,
            text: report.text.clone(),
            json: report.json.clone(),
            summary: report.summary.clone(),
            evidence: report.evidence.clone(),
            verification,
            sha256: crate::audit::hex(&Sha256::digest(report.text.as_bytes())),
            created_at: now,
        };
        let fault = refused(report.outcome, verification, &report.text);
        let completes = policy.completes(report.outcome, verification);
        let end = |proves| End {
            to: Some(if fault.is_some() {
                RunState::Failed
            } else {
                RunState::Completed
            }),
            reason: fault.as_ref().map(|fault| fault.error.clone()),
            fault: fault.clone(),
            metrics: Some(report.metrics),
            result: Some(result.clone()),
            proves,
            open: open(&calls),
        };
        let mut task_completed = false;
        for _ in 0..TRIES {
            let open = match run.task {
                Some(task) if completes => self.task(&run.user_id, task).await?,
                _ => None,
            };
            let open = open.filter(|task| !task.status.is_completed());
            let base = open.iter().cloned().collect();
            let mut unit = self.unit_of(run, base, now, ids);
            let proves = open.as_ref().map(|task| task.id);
            task_completed = proves.is_some();
            if let Some(before) = open {
                let mut done = run.clone();
                done.result = Some(result.clone());
                unit.complete_by(&done, before);
            }
            unit.write_run(lease.write(Act::End(Box::new(end(proves)))));
            match self.written(unit).await? {
                Written::Yes => {
                    let run = self.run(&run.user_id, RunRef::Id(run.id)).await?;
                    return Ok(run.map_or(Held::Lost, |run| {
                        Held::Yes(Reported {
                            run,
                            verification,
                            task_completed,
                        })
                    }));
                }
                Written::Lost => return Ok(Held::Lost),
                Written::Again => {}
            }
        }
        tracing::warn!(task_completed, "a report found no quiet moment");
        Err(busy())
    }

    /// Ends a run that failed.
    ///
    /// # Errors
    /// [`StoreError`] when it can't be written.
    pub async fn fail_run(
        &self,
        lease: &Lease,
        fault: &RunFault,
        metrics: Metrics,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<Held<()>, StoreError> {
        let end = End {
            to: Some(RunState::Failed),
            reason: Some(fault.error.clone()),
            fault: Some(fault.clone()),
            metrics: Some(metrics),
            ..End::default()
        };
        self.end_run(lease, end, now, ids).await
    }

    /// Ends a run that was asked to stop, once it has (G-11).
    ///
    /// # Errors
    /// [`StoreError`] when it can't be written.
    pub async fn cancel_confirmed(
        &self,
        lease: &Lease,
        metrics: Metrics,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<Held<()>, StoreError> {
        let end = End {
            to: Some(RunState::Cancelled),
            metrics: Some(metrics),
            ..End::default()
        };
        self.end_run(lease, end, now, ids).await
    }

    /// Ends a run that its worker gives up, say because the process ends: what came of it is not
    /// known.
    ///
    /// # Errors
    /// [`StoreError`] when it can't be written.
    pub async fn interrupt_run(
        &self,
        lease: &Lease,
        reason: &str,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<Held<()>, StoreError> {
        let end = End {
            to: Some(RunState::Interrupted),
            reason: Some(reason.to_owned()),
            ..End::default()
        };
        self.end_run(lease, end, now, ids).await
    }

    async fn end_run(
        &self,
        lease: &Lease,
        mut end: End,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<Held<()>, StoreError> {
        end.open = open(&self.agent_calls(&lease.run.user_id, &lease.run).await?);
        let write = lease.write(Act::End(Box::new(end)));
        let written = self.write_run(&lease.run, write, now, ids, |_| ()).await?;
        Ok(held(written, ()))
    }

    /// Interrupts runs whose workers are gone, of all users, and gives them as they stand then.
    /// Ask at the start and now and then; of several processes that ask one finds each.
    ///
    /// # Errors
    /// [`StoreError`] when the database can't be asked.
    pub async fn interrupt_expired(
        &self,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<Vec<Run>, StoreError> {
        let ask = Ask::new(AskOf::Expired).number(i64::from(SWEPT));
        let mut ended = Vec::new();
        for (user, id) in rows::waiting(&self.ask(&ask).await?)? {
            let Some(run) = self.run(&user, RunRef::Id(id)).await? else {
                continue;
            };
            let end = End {
                to: Some(RunState::Interrupted),
                reason: Some("outcome unknown: the process that worked on it is gone".to_owned()),
                open: open(&self.agent_calls(&user, &run).await?),
                ..End::default()
            };
            let write = RunWrite {
                id,
                handle: run.handle,
                agent: run.agent.clone(),
                hold: Hold::Nobody,
                act: Act::End(Box::new(end)),
            };
            if let Written::Yes = self.write_run(&run, write, now, ids, |_| ()).await? {
                ended.extend(self.run(&user, RunRef::Id(id)).await?);
            }
        }
        Ok(ended)
    }

    /// Tells the timeline of a report that came after the run had ended. Nothing else changes.
    /// False: the run has not ended, or is gone.
    ///
    /// # Errors
    /// [`StoreError`] when it can't be written.
    pub async fn late_result(
        &self,
        run: &Run,
        text: &str,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<bool, StoreError> {
        let write = RunWrite {
            id: run.id,
            handle: run.handle,
            agent: run.agent.clone(),
            hold: Hold::User,
            act: Act::Late(text.chars().take(REPORT_MAX).collect()),
        };
        let written = self.write_run(run, write, now, ids, |_| ()).await?;
        Ok(matches!(written, Written::Yes))
    }

    /// Commits one write of a run, under the run's own turn.
    async fn write_run(
        &self,
        run: &Run,
        write: RunWrite,
        now: DateTime<Utc>,
        ids: &IdSource,
        more: impl Fn(&mut Unit),
    ) -> Result<Written, StoreError> {
        for _ in 0..TRIES {
            let mut unit = self.unit_of(run, Vec::new(), now, ids);
            more(&mut unit);
            unit.write_run(write.clone());
            match self.written(unit).await? {
                Written::Again => {}
                end => return Ok(end),
            }
        }
        Err(busy())
    }

    fn unit_of(
        &self,
        run: &Run,
        base: Vec<crate::domain::Task>,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Unit {
        let user: UserId = run.user_id.clone();
        // In no conversation: what an agent did is not what "undo" takes back.
        Unit::new(user, None, run.turn, now, ids.clone(), Arc::new(base))
    }

    async fn written(&self, unit: Unit) -> Result<Written, StoreError> {
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

fn held<T>(written: Written, value: T) -> Held<T> {
    match written {
        Written::Yes => Held::Yes(value),
        Written::Lost | Written::Again => Held::Lost,
    }
}

fn busy() -> StoreError {
    StoreError::Unavailable("the user's data kept changing".into())
}

/// Calls that have not ended.
fn open(calls: &[AgentCall]) -> Vec<AgentCall> {
    let open = calls.iter().filter(|call| call.ok.is_none());
    open.cloned().collect()
}

/// Why a report does not complete its run, if it doesn't.
fn refused(outcome: ReportOutcome, verification: Verification, text: &str) -> Option<RunFault> {
    let error = match (outcome, verification) {
        (ReportOutcome::Rejected, _) => {
            let first: String = text.chars().take(500).collect();
            format!("the agent could not do it: {first}")
        }
        (ReportOutcome::Completed, Verification::Contradicted) => {
            "the report cites a tool call that was not made or failed".to_owned()
        }
        (ReportOutcome::Completed, _) => return None,
    };
    Some(RunFault {
        error_type: ErrorType::Execution,
        error,
        unreported_output: None,
    })
}
