//! Ends of runs: by the agent's report, by a fault, because somebody stopped them, or because
//! whoever worked on them is gone.

use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};

use super::data::{AgentCall, AgentRun, RunFault, RunResult};
use super::listing::RunRef;
use super::queue::unit_of;
use super::work::{AgentReport, GivenUp, LeasedWrite, REPORT_MAX, RecordedReport, RunLease};
use super::write::{RunChange, RunEnd, WriteRight};
use crate::domain::{
    CompletionPolicy, ErrorType, IdSource, Moment, ReportOutcome, RunId, RunState, Task, UserId,
    Verification,
};
use crate::store::backend::{Store, StoreError};
use crate::store::query::StoreQuery;
use crate::store::sql::runs;

/// Expired runs that one sweep ends.
const SWEPT: u32 = 100;

impl Store {
    /// Takes the agent's report: in one transaction it is checked against the calls it cites and
    /// kept, the run ends, the task is done where the policy says so, the log is told, and the
    /// user is to be told. A second report, a late one or another's is [`LeasedWrite::Lost`].
    pub async fn report(
        &self,
        lease: &RunLease,
        report: &AgentReport,
        policy: CompletionPolicy,
        moment: Moment,
        ids: &IdSource,
    ) -> Result<LeasedWrite<RecordedReport>, StoreError> {
        let (run, now) = (&lease.run, moment.instant);
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
        let end = |proves| RunEnd {
            to: match &fault {
                Some(_) => RunState::Failed,
                None => RunState::Completed,
            },
            reason: fault.as_ref().map(|fault| fault.error.clone()),
            fault: fault.clone(),
            metrics: Some(report.metrics),
            result: Some(result.clone()),
            proves,
            open: open(&calls),
        };
        let mut transaction = self.transact_run();
        loop {
            let open = match run.task {
                Some(task) if completes => self.task(&run.user_id, task).await?,
                _ => None,
            };
            // Of a task that was taken back the run is no proof.
            let own = |task: &Task| task.assignee.as_deref() == Some(run.agent.as_str());
            let open = open.filter(|task| !task.status.is_completed() && own(task));
            let base = open.iter().cloned().collect();
            let unit = unit_of(run, base, now, ids);
            let mut unit = unit.on(moment.today).reminding_at(moment.remind_now);
            let mut proves = None;
            if let Some(before) = open {
                let mut done = run.clone();
                done.result = Some(result.clone());
                proves = unit.complete_by(&done, before);
            }
            let task_completed = proves.is_some();
            unit.write_run(lease.write(RunChange::End(Box::new(end(proves)))));
            match transaction.commit_run(unit).await? {
                Some(LeasedWrite::Yes(())) => {
                    let run = self.run(&run.user_id, RunRef::Id(run.id)).await?;
                    return Ok(run.map_or(LeasedWrite::Lost, |run| {
                        LeasedWrite::Yes(RecordedReport {
                            run,
                            verification,
                            task_completed,
                        })
                    }));
                }
                Some(LeasedWrite::Lost) => return Ok(LeasedWrite::Lost),
                None => {}
            }
        }
    }

    /// Ends a run without a report.
    pub async fn give_up(
        &self,
        lease: &RunLease,
        why: &GivenUp,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<LeasedWrite<()>, StoreError> {
        let mut end = match why {
            GivenUp::Failed(fault, metrics) => RunEnd {
                reason: Some(fault.error.clone()),
                fault: Some(fault.clone()),
                metrics: Some(*metrics),
                ..RunEnd::of(RunState::Failed)
            },
            GivenUp::Cancelled(metrics) => RunEnd {
                metrics: Some(*metrics),
                ..RunEnd::of(RunState::Cancelled)
            },
            GivenUp::Interrupted(reason) => RunEnd {
                reason: Some((*reason).to_owned()),
                ..RunEnd::of(RunState::Interrupted)
            },
        };
        end.open = open(&self.agent_calls(&lease.run.user_id, &lease.run).await?);
        let end = RunChange::End(Box::new(end));
        self.write_leased(lease, end, now, ids).await
    }

    /// Interrupts runs whose workers are gone, of all users, and gives them as they stand then.
    /// Ask at the start and now and then; of several processes that ask one finds each.
    pub async fn interrupt_expired(
        &self,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<Vec<AgentRun>, StoreError> {
        let ask = StoreQuery::new(runs::EXPIRED).number(i64::from(SWEPT));
        let mut ended = Vec::new();
        let found: Vec<(UserId, RunId)> = self.read("agent_runs", &ask).await?;
        for (user, id) in found {
            let Some(run) = self.run(&user, RunRef::Id(id)).await? else {
                continue;
            };
            let end = RunEnd {
                reason: Some("outcome unknown: the process that worked on it is gone".to_owned()),
                open: open(&self.agent_calls(&user, &run).await?),
                ..RunEnd::of(RunState::Interrupted)
            };
            let write = run.write(WriteRight::Nobody, RunChange::End(Box::new(end)));
            if let LeasedWrite::Yes(()) = self.write_run(&run, write, now, ids).await? {
                ended.extend(self.run(&user, RunRef::Id(id)).await?);
            }
        }
        Ok(ended)
    }

    /// Tells the timeline of a report that came after the run had ended. Nothing else changes.
    /// False: the run has not ended, or is gone.
    pub async fn late_result(
        &self,
        run: &AgentRun,
        text: &str,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<bool, StoreError> {
        let late = RunChange::Late(text.chars().take(REPORT_MAX).collect());
        let write = run.write(WriteRight::User, late);
        let written = self.write_run(run, write, now, ids).await?;
        Ok(written == LeasedWrite::Yes(()))
    }
}

/// Calls that have not ended.
fn open(calls: &[AgentCall]) -> Vec<AgentCall> {
    let open = calls.iter().filter(|call| call.ok.is_none());
    open.cloned().collect()
}

/// Tells why a report does not complete its run, if it doesn't.
fn refused(outcome: ReportOutcome, verification: Verification, text: &str) -> Option<RunFault> {
    let error = match (outcome, verification) {
        (ReportOutcome::Rejected, _) => {
            // Its words, and no more than its words: a quotation.
            let first: String = text.chars().take(500).collect();
            format!("the agent could not do it: \"{}\"", first.replace('"', "'"))
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
