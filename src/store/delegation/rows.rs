//! Rows of runs, parsed and not trusted.

use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use super::data::{AgentRun, KnownRuns};
use super::listing::{CleanupReport, CompletedBy};
use crate::domain::{RunHandle, RunState};
use crate::store::backend::StoreError;
use crate::store::rows::{all, corrupt, row, whole};

/// Runs, in the order they came.
pub(super) fn runs(text: &str) -> Result<Vec<AgentRun>, StoreError> {
    all("agent_runs", text).and_then(sound)
}

/// The same runs, if each stands as one can.
fn sound(runs: Vec<AgentRun>) -> Result<Vec<AgentRun>, StoreError> {
    for run in &runs {
        let (state, ended_at) = (run.state, run.ended_at);
        let flaw = if state == RunState::Completed && run.result.is_none() {
            "it is completed without a result".into()
        } else if state.is_terminal() != ended_at.is_some() {
            format!("state {state} with ended_at {ended_at:?}").into()
        } else {
            continue;
        };
        return Err(corrupt("agent_runs", &run.id.to_string(), flaw));
    }
    Ok(runs)
}

/// Runs, number of runs, notices, number of the newest run.
#[derive(Deserialize)]
struct AllRow<'a>(
    #[serde(borrow)] Vec<&'a RawValue>,
    u64,
    #[serde(borrow)] Vec<&'a RawValue>,
    u32,
);

fn parsed<T: DeserializeOwned>(
    table: &'static str,
    rows: &[&RawValue],
) -> Result<Vec<T>, StoreError> {
    rows.iter().map(|one| row(table, one.get())).collect()
}

/// Parses what a turn must know.
pub(super) fn delegations(text: &str) -> Result<KnownRuns, StoreError> {
    let AllRow(runs, total, notices, last_run) = whole("agent_runs", text)?;
    Ok(KnownRuns {
        runs: parsed("agent_runs", &runs).and_then(sound)?,
        total,
        notices: parsed("agent_notices", &notices)?,
        last_run,
    })
}

/// By whom a task was completed: its status, and the number of the run that proves it.
pub(super) fn completed_by(text: &str) -> Result<Option<CompletedBy>, StoreError> {
    let rows: Vec<(String, Option<u32>)> = whole("tasks", text)?;
    let done = rows.into_iter().find(|(status, _)| status == "completed");
    Ok(done.map(|(_, run)| match run {
        Some(number) => CompletedBy::Agent(RunHandle::new(number)),
        None => CompletedBy::User,
    }))
}

/// Parses the counts of what was removed.
pub(super) fn cleaned(text: Option<&str>) -> Result<CleanupReport, StoreError> {
    text.map_or(Ok(CleanupReport::default()), |text| {
        whole("agent_sessions", text)
    })
}
