//! Delegation over HTTP (delegation design 2.12): the button, runs, sessions, the timeline.
//!
//! None of these addresses is there unless a provider is configured. Everything is looked up by
//! the user of the path; another's handle is as unknown as one that never was.

pub(in crate::http) mod body;
mod inspect;
pub(in crate::http) mod timeline;
pub(in crate::http) mod view;

use std::sync::Arc;
use std::time::Duration;

use actix_web::HttpResponse;
use actix_web::http::header::LOCATION;
use serde::Deserialize;
use serde_json::json;
use utoipa::IntoParams;

use super::api::{Api, ApiRequest, ApiResult};
use super::code::Code;
use super::idempotency::IdempotencyKey;
use super::openapi::shapes::delegation as shapes;
use super::openapi::{errors, limits};
use super::path;
use super::problem::Problem;
use crate::delegation::{CancelOutcome, DelegationError, DelegationService};
use crate::domain::{
    AgentHandle, ErrorType, Review, RunHandle, RunState, TaskId, ToolError, UserId,
};
use crate::store::{AgentRun, CleanupReport, RunEvent, RunEventKind, RunQuery, RunRef, SessionEnd};
use body::{AnswerBody, CleanupBody, HandoverBody, ReasonBody};
use view::{RunView, Session};

/// The usual page and the largest.
const PAGE: (u32, u32) = (20, 100);
/// Lines of a transcript at once.
const LINES: (u32, u32) = (200, 1_000);
/// The longest wait for a run, in milliseconds.
const WAIT_MAX: u64 = 60_000;

/// The desk, where there is one.
pub(in crate::http) fn desk(api: &Api) -> Result<&Arc<DelegationService>, Problem> {
    api.desk.as_ref().ok_or_else(|| {
        let detail =
            "Nothing can be delegated here: no [[providers]] are configured in candor.toml.";
        Problem::new(Code::NotFound, detail)
    })
}

/// Gives a task to an agent.
#[utoipa::path(
    post, path = "/api/{user_id}/tasks/{task_id}/delegate", tag = "tasks", params(IdempotencyKey),
    request_body = HandoverBody,
    responses((status = 202, body = RunView), errors::Delegation, errors::Run, errors::Task)
)]
pub async fn delegate(mut api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    let desk = desk(&api)?.clone();
    let asked: HandoverBody = api.json().await?;
    let task: TaskId = api.id("task_id")?;
    let key = api.key()?;
    let asked = asked.into_handover(key)?;
    let owner = user.clone();
    let done = api
        .run(async move { desk.hand_over(&owner, task, &asked).await })
        .await?;
    let run = done?;
    let location = format!("/api/{user}/delegations/{}", run.handle);
    Ok(HttpResponse::Accepted()
        .insert_header((LOCATION, location))
        .json(RunView::from(&run)))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct RunsQuery {
    /// Only these.
    #[param(value_type = Option<limits::OnlyState>, inline)]
    state: Option<String>,
    /// Only this persona's.
    persona: Option<String>,
    /// Only those of a task.
    #[param(value_type = Option<Uuid>)]
    task: Option<String>,
    /// Only those of an agent, such as agent-abc123.
    #[param(value_type = Option<limits::Agent>, inline)]
    agent: Option<String>,
    /// At most so many; 20 when nothing is said.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 100)]
    limit: Option<String>,
    /// The next_cursor of a page.
    #[param(value_type = Option<limits::Run>, inline)]
    cursor: Option<String>,
}

/// Runs, newest first, and how many there are besides.
#[utoipa::path(
    get, path = "/api/{user_id}/delegations", params(RunsQuery),
    responses((status = 200, body = shapes::Delegations), errors::Delegation, errors::BadQuery)
)]
pub async fn delegations(api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    desk(&api)?;
    let query: RunsQuery = api.query()?;
    let bad = |detail: &str| Problem::new(Code::BadQuery, detail);
    let state = query.state.as_deref().map(|word| {
        let words = RunState::ALL.map(RunState::as_str).join(", ");
        RunState::parse(word).ok_or_else(|| bad(&format!("state must be one of {words}.")))
    });
    let agent = query.agent.as_deref().map(|text| {
        AgentHandle::parse(text).map_err(|_| bad("agent must be a handle such as agent-abc123."))
    });
    let before = query.cursor.as_deref().map(|text| {
        RunHandle::parse(text).map_err(|_| bad("cursor must be the next_cursor of a page."))
    });
    let asked = RunQuery {
        state: state.transpose()?,
        persona: query.persona.filter(|name| !name.is_empty()),
        task: path::id_parameter("task", query.task.as_deref())?,
        agent: agent.transpose()?,
        before: before.transpose()?,
        limit: path::limit(query.limit.as_deref(), PAGE)?,
    };
    let page = api.store().runs(&user, &asked).await?;
    let runs: Vec<_> = page.runs.iter().map(RunView::from).collect();
    Ok(HttpResponse::Ok().json(json!({
        "delegations": runs,
        "matched": page.matched,
        "withheld": page.withheld(),
        "next_cursor": page.next,
    })))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct WaitQuery {
    /// Answers once it has ended, or after so long; at most 60000 are waited.
    #[param(value_type = Option<i64>, minimum = 0)]
    wait_ms: Option<u64>,
}

/// A run (of an agent: its newest), its calls and its notes.
#[utoipa::path(
    get, path = "/api/{user_id}/delegations/{handle}", params(WaitQuery),
    responses((status = 200, body = RunView), errors::Delegation, errors::BadQuery)
)]
pub async fn delegation(api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    let query: WaitQuery = api.query()?;
    let mut run = find(&api, &user).await?;
    let mut timed_out = None;
    if let Some(wait) = query.wait_ms
        && run.state.is_live()
    {
        let wait = Duration::from_millis(wait.min(WAIT_MAX));
        let waited = desk(&api)?
            .runner
            .wait_for(&user, &[run.handle], wait)
            .await;
        run = find(&api, &user).await?;
        timed_out = (waited == crate::delegation::WaitOutcome::StillRunning).then_some(true);
    }
    let store = api.store();
    let calls = store.agent_calls(&user, &run).await?;
    let events = store.turn_events(&user, run.turn).await?;
    let notes = events
        .iter()
        .filter_map(|event| match RunEvent::read(event)?.kind {
            RunEventKind::RunNote { text } => text,
            _ => None,
        });
    let mut view = RunView::from(&run);
    view.calls = Some(calls.iter().map(view::call).collect());
    view.run_notes = Some(notes.collect());
    view.timed_out = timed_out;
    Ok(HttpResponse::Ok().json(view))
}

async fn find(api: &ApiRequest, user: &UserId) -> Result<AgentRun, Problem> {
    desk(api)?;
    let text = api.part("handle");
    let unknown = || {
        let detail =
            "You have no run or agent of this handle. Handles look like run-7 and agent-abc123.";
        Problem::new(Code::UnknownDelegation, detail)
    };
    let (run, agent) = (RunHandle::parse(text), AgentHandle::parse(text));
    let meant = match (run, &agent) {
        (Ok(run), _) => RunRef::Handle(run),
        (Err(_), Ok(agent)) => RunRef::Agent(agent),
        (Err(_), Err(_)) => return Err(unknown()),
    };
    let found = api.store().run(user, meant).await;
    found?.ok_or_else(unknown)
}

/// Stops a run, and says so once it has stopped.
#[utoipa::path(
    post, path = "/api/{user_id}/delegations/{handle}/cancel", request_body = ReasonBody,
    responses((status = 200, body = RunView), errors::Delegation, errors::Run)
)]
pub async fn cancel_delegation(mut api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    let asked: ReasonBody = api.optional_json().await?;
    let run = find(&api, &user).await?;
    let runner = desk(&api)?.runner.clone();
    let owner = user.clone();
    let reason = asked.reason();
    let asked = async move { runner.cancel(&owner, run.handle, reason.as_deref()).await };
    let cancelled = api.run(asked).await?;
    let run = find(&api, &user).await?;
    match cancelled {
        CancelOutcome::Confirmed => Ok(HttpResponse::Ok().json(RunView::from(&run))),
        CancelOutcome::AlreadyEnded => {
            let detail = format!("{} had already ended: it is {}.", run.handle, run.state);
            Err(Problem::new(Code::Conflict, detail))
        }
        CancelOutcome::Unconfirmed => {
            let detail = "Cancel requested; work may still land.";
            Err(Problem::new(Code::Conflict, detail))
        }
        CancelOutcome::Unknown => Err(Problem::new(
            Code::UnknownDelegation,
            "You have no such run.",
        )),
        CancelOutcome::Unavailable => Err(Problem::unconfirmed()),
    }
}

/// Answers what the agent asked: its run goes on.
#[utoipa::path(
    post, path = "/api/{user_id}/delegations/{handle}/answer", request_body = AnswerBody,
    responses((status = 200, body = RunView), errors::Delegation, errors::Run)
)]
pub async fn answer_delegation(mut api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    let asked: AnswerBody = api.json().await?;
    let text = asked.text()?;
    let run = find(&api, &user).await?;
    let desk = desk(&api)?.clone();
    let answered = async move { desk.answer(&user, run.handle, &text).await };
    let run = api.run(answered).await??;
    Ok(HttpResponse::Ok().json(RunView::from(&run)))
}

/// The report is good: the task is done.
#[utoipa::path(
    post, path = "/api/{user_id}/delegations/{handle}/accept",
    responses((status = 200, body = RunView), errors::Delegation, errors::Run)
)]
pub async fn accept_delegation(api: ApiRequest) -> ApiResult {
    review(api, Review::Accepted).await
}

/// The report is not what was wanted.
#[utoipa::path(
    post, path = "/api/{user_id}/delegations/{handle}/reject",
    responses((status = 200, body = RunView), errors::Delegation, errors::Run)
)]
pub async fn reject_delegation(api: ApiRequest) -> ApiResult {
    review(api, Review::Rejected).await
}

async fn review(mut api: ApiRequest, review: Review) -> ApiResult {
    api.discard().await?;
    let user = api.user()?;
    let run = find(&api, &user).await?;
    let desk = desk(&api)?.clone();
    let judged = async move { desk.review(&user, run.handle, review).await };
    let run = api.run(judged).await??;
    Ok(HttpResponse::Ok().json(RunView::from(&run)))
}

async fn find_session(
    api: &ApiRequest,
    user: &UserId,
) -> Result<crate::store::AgentSession, Problem> {
    desk(api)?;
    let handle = handle(api);
    let unknown = || Problem::new(Code::UnknownDelegation, "You have no agent of this handle.");
    let agent = api.store().agent(user, &handle.ok_or_else(unknown)?).await;
    agent?.ok_or_else(unknown)
}

fn handle(api: &ApiRequest) -> Option<AgentHandle> {
    AgentHandle::parse(api.part("agent")).ok()
}

/// An agent's session and its newest runs.
#[utoipa::path(
    get, path = "/api/{user_id}/sessions/{agent}",
    responses((status = 200, body = Session), errors::Delegation)
)]
pub async fn session(api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    let agent = find_session(&api, &user).await?;
    let query = RunQuery {
        agent: Some(agent.handle.clone()),
        ..RunQuery::default()
    };
    let page = api.store().runs(&user, &query).await?;
    Ok(HttpResponse::Ok().json(Session::of(&agent, &page)))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct TranscriptQuery {
    /// Only lines after this seq.
    after: Option<u32>,
    /// At most so many; 200 when nothing is said.
    #[param(value_type = Option<i64>, minimum = 1, maximum = 1000)]
    limit: Option<String>,
}

/// Lines of a session, oldest first.
#[utoipa::path(
    get, path = "/api/{user_id}/sessions/{agent}/transcript", params(TranscriptQuery),
    responses((status = 200, body = shapes::Transcript), errors::Delegation, errors::BadQuery)
)]
pub async fn transcript(api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    let query: TranscriptQuery = api.query()?;
    let agent = find_session(&api, &user).await?;
    let limit = path::limit(query.limit.as_deref(), LINES)?;
    let after = query.after.unwrap_or_default();
    let lines = api
        .store()
        .transcript(&user, &agent.handle, after, limit)
        .await?;
    let lines: Vec<_> = lines.iter().map(view::line).collect();
    Ok(HttpResponse::Ok().json(json!({"agent_id": agent.handle, "messages": lines})))
}

#[derive(Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct DeleteQuery {
    /// Stops it first while it works.
    #[serde(default)]
    force: bool,
}

/// Removes a session; what proves a completed task stays.
#[utoipa::path(
    delete, path = "/api/{user_id}/sessions/{agent}", params(DeleteQuery),
    responses((status = 204), errors::Delegation, errors::BadQuery)
)]
pub async fn delete_session(mut api: ApiRequest) -> ApiResult {
    api.discard().await?;
    let user = api.user()?;
    let desk = desk(&api)?.clone();
    let query: DeleteQuery = api.query()?;
    let Some(agent) = handle(&api) else {
        // What can be no handle was never anybody's: this is a slip, not a repetition.
        let detail = "You have no agent of this handle.";
        return Err(Problem::new(Code::UnknownDelegation, detail));
    };
    let store = api.store().clone();
    let removing = async move {
        let remove = || store.delete_session(&user, &agent, query.force, desk.now(), &desk.ids);
        let ended = remove().await;
        if let Ok(SessionEnd::Stopping(run)) = ended {
            desk.runner.cancel(&user, run, None).await;
            return remove().await;
        }
        ended
    };
    match api.run(removing).await?? {
        SessionEnd::Gone(_) => Ok(HttpResponse::NoContent().finish()),
        SessionEnd::Live(run) => {
            let detail =
                format!("It is still working ({run}). With force=true it is stopped first.");
            Err(Problem::new(Code::Conflict, detail))
        }
        SessionEnd::Stopping(_) => {
            let detail = "Cancel requested; work may still land. Ask again once it has stopped.";
            Err(Problem::new(Code::Conflict, detail))
        }
    }
}

/// The newest tool call of an id: arguments and result.
#[utoipa::path(
    get, path = "/api/{user_id}/tool-calls/{tool_call_id}",
    responses((status = 200, body = shapes::AgentCall), errors::Delegation)
)]
pub async fn tool_call(api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    desk(&api)?;
    let id = api.part("tool_call_id");
    let store = api.store();
    let agents = store.agent_call(&user, id).await?;
    let chats = inspect::call(store, &user, id).await?;
    // Models count their calls anew each time: of those of one id the newest is meant.
    let found = match (agents, chats) {
        (Some(agents), Some((at, chats))) if at > agents.started_at => Some(chats),
        (Some(agents), _) => Some(view::call(&agents)),
        (None, chats) => chats.map(|(_, chats)| chats),
    };
    let found = found.ok_or_else(|| {
        let detail = "No tool call of this id was made for you.";
        Problem::new(Code::UnknownDelegation, detail)
    })?;
    Ok(HttpResponse::Ok().json(found))
}

/// Agents that may be given work, and the providers that do it.
#[utoipa::path(
    get, path = "/api/{user_id}/agents",
    responses((status = 200, body = shapes::Agents), errors::Delegation)
)]
pub async fn agents(api: ApiRequest) -> ApiResult {
    api.user()?;
    let desk = desk(&api)?;
    let agents: Vec<_> = desk.registry.enabled().map(view::persona).collect();
    let providers = desk.runner.providers();
    let providers: Vec<_> = providers.iter().map(view::provider).collect();
    Ok(HttpResponse::Ok().json(json!({
        "agents": agents,
        "default": desk.registry.default_persona(),
        "providers": providers,
    })))
}

/// Counts of calls of each tool, and of their faults.
#[utoipa::path(
    get, path = "/api/{user_id}/metrics/tools",
    responses((status = 200, body = shapes::ToolMetrics), errors::Delegation)
)]
pub async fn tool_metrics(api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    desk(&api)?;
    let counts = api.store().tool_counts(&user).await?;
    Ok(HttpResponse::Ok().json(json!({ "tools": counts })))
}

/// Removes sessions that ended longer ago; of this user alone.
#[utoipa::path(
    post, path = "/api/{user_id}/admin/cleanup", request_body = CleanupBody,
    responses((status = 200, body = CleanupReport), errors::Delegation)
)]
pub async fn cleanup(mut api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    let now = desk(&api)?.now();
    let asked: CleanupBody = api.json().await?;
    let age = Duration::from_millis(asked.max_age_ms);
    let store = api.store().clone();
    let cleaning = async move { store.cleanup(&user, age, now).await };
    let cleaned = api.run(cleaning).await??;
    Ok(HttpResponse::Ok().json(cleaned))
}

impl From<DelegationError> for Problem {
    fn from(error: DelegationError) -> Self {
        match error {
            DelegationError::Refused(error) => refusal(&error),
            DelegationError::Store(error) => error.into(),
            DelegationError::Unconfirmed => Self::unconfirmed(),
        }
    }
}

fn refusal(error: &ToolError) -> Problem {
    let code = match error.error_type {
        ErrorType::NotFound => Code::UnknownDelegation,
        ErrorType::Conflict => Code::Conflict,
        ErrorType::Unavailable => Code::ProviderUnavailable,
        ErrorType::Permission => Code::NotPermitted,
        ErrorType::Validation
        | ErrorType::Ambiguous
        | ErrorType::Unsupported
        | ErrorType::Limit
        | ErrorType::Execution
        | ErrorType::Timeout
        | ErrorType::Cancelled
        | ErrorType::Interrupted
        | ErrorType::ToolNotTriggered => Code::InvalidDelegation,
        ErrorType::Internal => Code::Internal,
    };
    Problem::new(code, error.error.clone())
}
