//! Rows of runs, parsed and not trusted.

use serde::Deserialize;
use serde_json::Value;

use super::data::{AgentLine, AgentRole, AgentRun, AgentSession, KnownRuns, RunNotice, RunResult};
use super::listing::{CleanupReport, CompletedBy};
use crate::domain::{
    AgentHandle, Priority, ReportOutcome, Review, RunHandle, RunId, RunState, UserId, Verification,
};
use crate::store::backend::StoreError;
use crate::store::rows::{ColumnFlaw, corrupt, each, id, instant, json, optional, whole};

/// Id, number, session, agent, persona, provider, model.
type KeyColumns = (String, u32, String, String, String, String, String);

/// Workspace, depth, conversation, turn, task, title, round.
type PlaceColumns = (
    Option<String>,
    u8,
    Option<String>,
    String,
    Option<String>,
    String,
    u32,
);

/// State, rank, queued, prompt, expected response, background, tool call, options.
type WorkColumns = (String, u8, u8, String, Option<String>, u8, String, String);

/// Attempt, owner, calls, when it was to stop, fault, metrics, review.
type RunColumns = (
    u32,
    Option<String>,
    u32,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
);

/// Times at which it was delegated, begun, ended.
type TimeColumns = (String, Option<String>, Option<String>);

/// One run with its session and its result.
#[derive(Deserialize)]
struct RunRow(
    KeyColumns,
    PlaceColumns,
    WorkColumns,
    RunColumns,
    TimeColumns,
    Option<ResultRow>,
);

#[derive(Deserialize)]
struct ResultRow(
    String,
    String,
    Option<String>,
    Option<String>,
    String,
    String,
    String,
    String,
);

impl ResultRow {
    fn parse(&self) -> Result<RunResult, ColumnFlaw> {
        Ok(RunResult {
            outcome: ReportOutcome::parse(&self.0).ok_or_else(|| format!("outcome {}", self.0))?,
            text: self.1.clone(),
            json: self
                .2
                .as_deref()
                .map(|text| json::<Value>("result_json", text))
                .transpose()?,
            summary: self.3.clone(),
            evidence: json("evidence", &self.4)?,
            verification: Verification::parse(&self.5)
                .ok_or_else(|| format!("verification {}", self.5))?,
            sha256: self.6.clone(),
            created_at: instant(&self.7)?,
        })
    }
}

impl RunRow {
    fn parse(&self, user: &UserId) -> Result<AgentRun, StoreError> {
        self.run(user)
            .map_err(|reason| corrupt("agent_runs", &self.0.0, reason))
    }

    fn run(&self, user: &UserId) -> Result<AgentRun, ColumnFlaw> {
        let Self(key, place, work, course, times, result) = self;
        let (run_id, number, session, agent, persona, provider, model) = key;
        let (workspace_root, depth, conversation, turn, task, title, round) = place;
        let (state, rank, queued, prompt, expected, background, call, options) = work;
        let (attempt, owner, calls, cancel, fault, metrics, review) = course;
        let (created_at, started_at, ended_at) = times;
        let state = RunState::parse(state).ok_or_else(|| format!("state {state}"))?;
        let result = result.as_ref().map(ResultRow::parse).transpose()?;
        if state == RunState::Completed && result.is_none() {
            return Err("it is completed without a result".into());
        }
        let at = |text: &Option<String>| text.as_deref().map(instant).transpose();
        let ended_at = at(ended_at)?;
        if state.is_terminal() != ended_at.is_some() {
            return Err(format!("state {state} with ended_at {ended_at:?}").into());
        }
        Ok(AgentRun {
            id: id(run_id)?,
            handle: RunHandle::new(*number),
            user_id: user.clone(),
            session: id(session)?,
            agent: AgentHandle::parse(agent).map_err(|error| error.to_string())?,
            persona: persona.clone(),
            provider: provider.clone(),
            model: model.clone(),
            workspace_root: workspace_root.clone(),
            depth: *depth,
            conversation: optional(conversation.as_ref())?,
            turn: id(turn)?,
            task: optional(task.as_ref())?,
            title: title.clone(),
            round: *round,
            state,
            priority: match rank {
                0 => Priority::High,
                1 => Priority::Medium,
                2 => Priority::Low,
                rank => return Err(format!("rank {rank}").into()),
            },
            queued: *queued != 0,
            prompt: prompt.clone(),
            expected_response: expected.clone(),
            background: *background != 0,
            tool_call_id: call.clone(),
            options: json("options", options)?,
            attempt: *attempt,
            owner: owner.clone(),
            calls: *calls,
            cancel_requested_at: at(cancel)?,
            fault: fault
                .as_deref()
                .map(|text| json("fault", text))
                .transpose()?,
            metrics: metrics
                .as_deref()
                .map(|text| json("metrics", text))
                .transpose()?,
            result,
            question: None,
            review: match review.as_deref() {
                Some(word) => Some(Review::parse(word).ok_or_else(|| format!("review {word}"))?),
                None => None,
            },
            created_at: instant(created_at)?,
            started_at: at(started_at)?,
            ended_at,
        })
    }
}

/// Runs, in the order they came.
pub(super) fn runs(user: &UserId, text: &str) -> Result<Vec<AgentRun>, StoreError> {
    each("agent_runs", text, |row: RunRow| row.parse(user))
}

#[derive(Deserialize)]
struct NoticeRow(String, u32, String, Option<String>, String, Option<String>);

impl NoticeRow {
    fn parse(&self) -> Result<RunNotice, ColumnFlaw> {
        Ok(RunNotice {
            run: id(&self.0)?,
            handle: RunHandle::new(self.1),
            state: RunState::parse(&self.2).ok_or_else(|| format!("state {}", self.2))?,
            conversation: optional(self.3.as_ref())?,
            created_at: instant(&self.4)?,
            acknowledged_at: self.5.as_deref().map(instant).transpose()?,
        })
    }
}

#[derive(Deserialize)]
struct AllRow(Vec<RunRow>, u64, Vec<NoticeRow>, u32);

/// Parses what a turn must know.
pub(super) fn delegations(user: &UserId, text: &str) -> Result<KnownRuns, StoreError> {
    let AllRow(runs, total, notices, last_run) = whole("agent_runs", text)?;
    let notices = notices.iter().map(|row| {
        row.parse()
            .map_err(|reason| corrupt("agent_notices", &row.0, reason))
    });
    Ok(KnownRuns {
        runs: runs
            .iter()
            .map(|row| row.parse(user))
            .collect::<Result<_, _>>()?,
        total,
        notices: notices.collect::<Result<_, _>>()?,
        last_run,
    })
}

#[derive(Deserialize)]
struct AgentRow(
    (String, String, String, String, String, String),
    (Option<String>, Option<String>, u8, Option<String>),
    (u32, Option<u32>, String, String),
);

impl AgentRow {
    fn parse(&self, user: &UserId) -> Result<AgentSession, ColumnFlaw> {
        let Self(key, place, course) = self;
        let (session, handle, persona, spec, provider, model) = key;
        let (conversation, parent, depth, workspace_root) = place;
        let (rounds, live, created_at, last_active_at) = course;
        Ok(AgentSession {
            id: id(session)?,
            handle: AgentHandle::parse(handle).map_err(|error| error.to_string())?,
            user_id: user.clone(),
            persona: persona.clone(),
            spec: spec.clone(),
            provider: provider.clone(),
            model: model.clone(),
            conversation: optional(conversation.as_ref())?,
            parent: optional(parent.as_ref())?,
            depth: *depth,
            workspace_root: workspace_root.clone(),
            rounds: *rounds,
            live: live.map(RunHandle::new),
            created_at: instant(created_at)?,
            last_active_at: instant(last_active_at)?,
        })
    }
}

/// A session, if there is one.
pub(super) fn agent(user: &UserId, text: &str) -> Result<Option<AgentSession>, StoreError> {
    let rows = each("agent_sessions", text, |row: AgentRow| {
        row.parse(user)
            .map_err(|reason| corrupt("agent_sessions", &row.0.0, reason))
    })?;
    Ok(rows.into_iter().next())
}

#[derive(Deserialize)]
struct LineRow(u32, u32, String, String, Option<String>, Option<String>);

/// Lines of an agent's conversation, in the order they came.
pub(super) fn lines(text: &str) -> Result<Vec<AgentLine>, StoreError> {
    each("agent_messages", text, |row: LineRow| {
        let parse = || {
            Ok(AgentLine {
                seq: row.0,
                run: RunHandle::new(row.1),
                role: AgentRole::parse(&row.2).ok_or_else(|| format!("role {}", row.2))?,
                content: row.3.clone(),
                tool_calls: row
                    .4
                    .as_deref()
                    .map(|text| json("tool_calls", text))
                    .transpose()?,
                tool_call_id: row.5.clone(),
            })
        };
        parse().map_err(|reason: ColumnFlaw| corrupt("agent_messages", &row.0.to_string(), reason))
    })
}

/// Users and runs of theirs.
pub(super) fn waiting(text: &str) -> Result<Vec<(UserId, RunId)>, StoreError> {
    whole("agent_runs", text)
}

/// Numbers of runs and the titles they were delegated under.
pub(super) fn titles(text: &str) -> Result<Vec<(u32, String)>, StoreError> {
    whole("agent_runs", text)
}

/// Parses the number of runs.
pub(super) fn count(text: &str) -> Result<u64, StoreError> {
    whole("agent_runs", text)
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
    let Some(text) = text else {
        return Ok(CleanupReport::default());
    };
    let (sessions, runs, lines, kept) = whole("agent_sessions", text)?;
    Ok(CleanupReport {
        sessions,
        runs,
        lines,
        kept,
    })
}
