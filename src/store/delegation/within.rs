//! Delegation by an agent to another one, inside a run of its own.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::data::AgentRun;
use super::queue::RunCommit;
use super::unit::{NewRun, NewSession};
use super::work::RunLease;
use super::write::{RunChange, RunWrite, WriteRight};
use crate::domain::IdSource;
use crate::resolver::TaskList;
use crate::store::backend::{Store, StoreError};

impl Store {
    /// Begins a run that whoever works under `lease` delegates; it waits for a worker like any
    /// other, works on no task, and has no more rights than `session` says.
    ///
    /// # Errors
    /// [`StoreError`] when it can't be written; then nothing is.
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
            let unit = self.unit_of(&lease.run, TaskList::default(), now, ids);
            let mut unit = unit.knowing(known);
            let run = unit.delegate_within(title, session, new.clone());
            let run = run.map_err(|fault| StoreError::Unavailable(fault.to_string().into()))?;
            if let RunCommit::Yes = transaction.commit_run(unit).await? {
                return Ok(run);
            }
        }
    }

    /// Notes that whoever delegated a run inside its own was told of its end: the user need not
    /// be.
    ///
    /// # Errors
    /// [`StoreError`] when it can't be written.
    pub async fn told_within(
        &self,
        run: &AgentRun,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<(), StoreError> {
        let write = RunWrite {
            id: run.id,
            handle: run.handle,
            agent: run.agent.clone(),
            hold: WriteRight::User,
            act: RunChange::Told,
        };
        self.write_run(run, write, now, ids).await.map(drop)
    }
}
