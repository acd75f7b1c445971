//! Delegation over HTTP (delegation design 2.12): the button, runs, sessions, the timeline.
//!
//! None of these addresses is there unless a provider is configured. Everything is looked up by
//! the user of the path; another's handle is as unknown as one that never was.

pub(in crate::http) mod body;
mod inspect;
pub(in crate::http) mod timeline;
mod view;

use std::time::Duration;

use actix_web::http::header::LOCATION;
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use serde_json::json;

use super::api::Api;
use super::body as payloads;
use super::code::Code;
use super::problem::Problem;
use super::{idempotency, path};
use crate::delegation::{CancelOutcome, DelegationError, DelegationService};
use crate::domain::{
    AgentHandle, ErrorType, Review, RunHandle, RunState, TaskId, ToolError, UserId,
};
use crate::store::{AgentRun, AuditFilter, RunEvent, RunQuery, RunRef, SessionEnd};
use body::{AnswerBody, CleanupBody, HandoverBody, ReasonBody};
use view::{AgentView, RunView};

/// The usual page and the largest.
const PAGE: (u32, u32) = (20, 100);
/// Lines of a transcript at once.
const LINES: (u32, u32) = (200, 1_000);
/// The longest wait for a run, in milliseconds.
const WAIT_MAX: u64 = 60_000;

/// The desk, where there is one.
pub(in crate::http) fn desk(api: &Api) -> Result<&DelegationService, Problem> {
    api.desk.as_ref().ok_or_else(|| {
        let detail =
            "Nothing can be delegated here: no [[providers]] are configured in candor.toml.";
        Problem::new(Code::NotFound, detail)
    })
}

/// `POST /api/{user_id}/tasks/{task_id}/delegate`: 202 and the run.
///
/// # Errors
/// [`Problem`].
pub async fn hand_over(
    request: HttpRequest,
    payload: web::Payload,
    api: web::Data<Api>,
) -> Result<HttpResponse, Problem> {
    let user = path::user(&request)?;
    let desk = desk(&api)?.clone();
    let asked: HandoverBody = payloads::json(&request, payload).await?;
    let task: TaskId = path::id(&request, "task_id")?;
    let key = idempotency::of(request.headers())?;
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

/// `GET /api/{user_id}/delegations?state=&persona=&task=&agent=&limit=&cursor=`: newest first,
/// and how many there are besides.
///
/// # Errors
/// [`Problem`].
pub async fn list(request: HttpRequest, api: web::Data<Api>) -> Result<HttpResponse, Problem> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Query {
        state: Option<String>,
        persona: Option<String>,
        task: Option<String>,
        agent: Option<String>,
        limit: Option<String>,
        cursor: Option<String>,
    }
    let user = path::user(&request)?;
    desk(&api)?;
    let query: Query = path::query(&request)?;
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
    let page = api
        .store()
        .runs(&user, &asked)
        .await
        .map_err(Problem::reading)?;
    let runs: Vec<_> = page.runs.iter().map(RunView::from).collect();
    Ok(HttpResponse::Ok().json(json!({
        "delegations": runs,
        "matched": page.matched,
        "withheld": page.withheld(),
        "next_cursor": page.next,
    })))
}

/// `GET /api/{user_id}/delegations/{handle}?wait_ms=`: the run (of an agent: its newest), its
/// calls and its notes; with `wait_ms` once it has ended or the time is over, whichever is first.
///
/// # Errors
/// [`Problem`].
pub async fn show(request: HttpRequest, api: web::Data<Api>) -> Result<HttpResponse, Problem> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Query {
        wait_ms: Option<u64>,
    }
    let user = path::user(&request)?;
    let query: Query = path::query(&request)?;
    let mut run = find(&request, &api, &user).await?;
    let mut timed_out = None;
    if let Some(wait) = query.wait_ms
        && run.state.is_live()
    {
        let wait = Duration::from_millis(wait.min(WAIT_MAX));
        let waited = desk(&api)?
            .dispatch()
            .wait_for(&user, &[run.handle], wait)
            .await;
        run = find(&request, &api, &user).await?;
        timed_out = (waited == crate::delegation::WaitOutcome::StillRunning).then_some(true);
    }
    let store = api.store();
    let calls = store
        .agent_calls(&user, &run)
        .await
        .map_err(Problem::reading)?;
    let filter = AuditFilter {
        user: Some(user.clone()),
        turn: Some(run.turn),
        kind: Some(crate::audit::EventKind::Run),
        ..AuditFilter::default()
    };
    let events = store
        .audit_events(&filter)
        .await
        .map_err(Problem::reading)?;
    let notes = events
        .iter()
        .filter_map(|event| match RunEvent::read(event)? {
            RunEvent::RunNote { text, .. } => text,
            _ => None,
        });
    let mut view = RunView::from(&run);
    view.told = Some(view::ToldOf {
        calls: calls.iter().map(view::call).collect(),
        notes: notes.collect(),
    });
    view.timed_out = timed_out;
    Ok(HttpResponse::Ok().json(view))
}

async fn find(request: &HttpRequest, api: &Api, user: &UserId) -> Result<AgentRun, Problem> {
    desk(api)?;
    let text = request.match_info().get("handle").unwrap_or_default();
    let unknown = || {
        let detail =
            "You have no run or agent of this handle. Handles look like run-7 and agent-abc123.";
        Problem::new(Code::UnknownDelegation, detail)
    };
    let found = if let Ok(run) = RunHandle::parse(text) {
        api.store().run(user, RunRef::Handle(run)).await
    } else if let Ok(agent) = AgentHandle::parse(text) {
        api.store().run(user, RunRef::Agent(&agent)).await
    } else {
        return Err(unknown());
    };
    found.map_err(Problem::reading)?.ok_or_else(unknown)
}

/// `POST /api/{user_id}/delegations/{handle}/cancel {reason?}`: 200 and the run once it has
/// stopped; 409 when nobody confirmed that, or when it had ended otherwise.
///
/// # Errors
/// [`Problem`].
pub async fn cancel(
    request: HttpRequest,
    payload: web::Payload,
    api: web::Data<Api>,
) -> Result<HttpResponse, Problem> {
    let user = path::user(&request)?;
    let asked: ReasonBody = optional(&request, payload).await?;
    let run = find(&request, &api, &user).await?;
    let dispatch = desk(&api)?.dispatch().clone();
    let owner = user.clone();
    let reason = asked.reason();
    let asked = async move {
        dispatch
            .cancel(&owner, &run.handle, reason.as_deref())
            .await
    };
    let cancelled = api.run(asked).await?;
    let run = find(&request, &api, &user).await?;
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

/// `POST /api/{user_id}/delegations/{handle}/answer {text}`: what the agent asked is answered, and
/// its run goes on.
///
/// # Errors
/// [`Problem`]; 409 when it asks nothing.
pub async fn answer(
    request: HttpRequest,
    payload: web::Payload,
    api: web::Data<Api>,
) -> Result<HttpResponse, Problem> {
    let user = path::user(&request)?;
    let asked: AnswerBody = payloads::json(&request, payload).await?;
    let text = asked.text()?;
    let run = find(&request, &api, &user).await?;
    let desk = desk(&api)?.clone();
    let answered = async move { desk.answer(&user, run.handle, &text).await };
    let run = api.run(answered).await??;
    Ok(HttpResponse::Ok().json(RunView::from(&run)))
}

/// `POST /api/{user_id}/delegations/{handle}/accept`: the report is good, the task is done.
///
/// # Errors
/// [`Problem`].
pub async fn accept(
    request: HttpRequest,
    payload: web::Payload,
    api: web::Data<Api>,
) -> Result<HttpResponse, Problem> {
    review(&request, payload, &api, Review::Accepted).await
}

/// `POST /api/{user_id}/delegations/{handle}/reject`: the report is not what was wanted.
///
/// # Errors
/// [`Problem`].
pub async fn reject(
    request: HttpRequest,
    payload: web::Payload,
    api: web::Data<Api>,
) -> Result<HttpResponse, Problem> {
    review(&request, payload, &api, Review::Rejected).await
}

async fn review(
    request: &HttpRequest,
    payload: web::Payload,
    api: &Api,
    review: Review,
) -> Result<HttpResponse, Problem> {
    payloads::discard(payload).await?;
    let user = path::user(request)?;
    let run = find(request, api, &user).await?;
    let desk = desk(api)?.clone();
    let judged = async move { desk.review(&user, run.handle, review).await };
    let run = api.run(judged).await??;
    Ok(HttpResponse::Ok().json(RunView::from(&run)))
}

async fn session(
    request: &HttpRequest,
    api: &Api,
    user: &UserId,
) -> Result<crate::store::AgentSession, Problem> {
    desk(api)?;
    let handle = handle(request);
    let unknown = || Problem::new(Code::UnknownDelegation, "You have no agent of this handle.");
    let agent = api.store().agent(user, &handle.ok_or_else(unknown)?).await;
    agent.map_err(Problem::reading)?.ok_or_else(unknown)
}

fn handle(request: &HttpRequest) -> Option<AgentHandle> {
    let text = request.match_info().get("agent").unwrap_or_default();
    AgentHandle::parse(text).ok()
}

/// `GET /api/{user_id}/sessions/{agent}`: the session and its newest runs.
///
/// # Errors
/// [`Problem`].
pub async fn agent(request: HttpRequest, api: web::Data<Api>) -> Result<HttpResponse, Problem> {
    let user = path::user(&request)?;
    let agent = session(&request, &api, &user).await?;
    let query = RunQuery {
        agent: Some(agent.handle.clone()),
        ..RunQuery::default()
    };
    let page = api
        .store()
        .runs(&user, &query)
        .await
        .map_err(Problem::reading)?;
    let runs: Vec<_> = page.runs.iter().map(RunView::from).collect();
    let mut view = json!(AgentView::from(&agent));
    if let Some(view) = view.as_object_mut() {
        view.insert("runs".to_owned(), json!(runs));
        view.insert("withheld".to_owned(), page.withheld().into());
    }
    Ok(HttpResponse::Ok().json(view))
}

/// `GET /api/{user_id}/sessions/{agent}/transcript?after=&limit=`: what was said, oldest first.
///
/// # Errors
/// [`Problem`].
pub async fn transcript(
    request: HttpRequest,
    api: web::Data<Api>,
) -> Result<HttpResponse, Problem> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Query {
        after: Option<u32>,
        limit: Option<String>,
    }
    let user = path::user(&request)?;
    let query: Query = path::query(&request)?;
    let agent = session(&request, &api, &user).await?;
    let limit = path::limit(query.limit.as_deref(), LINES)?;
    let after = query.after.unwrap_or_default();
    let lines = api
        .store()
        .transcript(&user, &agent.handle, after, limit)
        .await;
    let lines = lines.map_err(Problem::reading)?;
    let lines: Vec<_> = lines.iter().map(view::line).collect();
    Ok(HttpResponse::Ok().json(json!({"agent_id": agent.handle, "messages": lines})))
}

/// `DELETE /api/{user_id}/sessions/{agent}?force=`: 204, also when it is gone already; 409 while
/// it works, unless `force=true`, which stops it first. What proves a completed task stays.
///
/// # Errors
/// [`Problem`].
pub async fn remove(
    request: HttpRequest,
    payload: web::Payload,
    api: web::Data<Api>,
) -> Result<HttpResponse, Problem> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Query {
        #[serde(default)]
        force: bool,
    }
    payloads::discard(payload).await?;
    let user = path::user(&request)?;
    let desk = desk(&api)?.clone();
    let query: Query = path::query(&request)?;
    let Some(agent) = handle(&request) else {
        // What can be no handle was never anybody's: this is a slip, not a repetition.
        let detail = "You have no agent of this handle.";
        return Err(Problem::new(Code::UnknownDelegation, detail));
    };
    let store = api.store().clone();
    let removing = async move {
        let mut ended = store
            .delete_session(&user, &agent, query.force, desk.now(), desk.ids())
            .await;
        if let Ok(SessionEnd::Stopping(run)) = ended {
            desk.dispatch().cancel(&user, &run, None).await;
            ended = store
                .delete_session(&user, &agent, query.force, desk.now(), desk.ids())
                .await;
        }
        ended
    };
    match api.run(removing).await?.map_err(Problem::reading)? {
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

/// `GET /api/{user_id}/tool-calls/{tool_call_id}`: the inspector: arguments and result of the
/// newest call of that id, of an agent or of the chat's model.
///
/// # Errors
/// [`Problem`].
pub async fn call(request: HttpRequest, api: web::Data<Api>) -> Result<HttpResponse, Problem> {
    let user = path::user(&request)?;
    desk(&api)?;
    let id = request.match_info().get("tool_call_id").unwrap_or_default();
    let store = api.store();
    let agents = store.agent_call(&user, id).await;
    let agents = agents.map_err(Problem::reading)?;
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

/// `GET /api/{user_id}/agents`: who may be given work, and the providers that do it.
///
/// # Errors
/// [`Problem`].
pub async fn agents(request: HttpRequest, api: web::Data<Api>) -> Result<HttpResponse, Problem> {
    path::user(&request)?;
    let desk = desk(&api)?;
    let agents: Vec<_> = desk.registry().enabled().map(view::persona).collect();
    let providers = desk.dispatch().providers();
    let providers: Vec<_> = providers.iter().map(view::provider).collect();
    Ok(HttpResponse::Ok().json(json!({
        "agents": agents,
        "default": desk.registry().default_persona(),
        "providers": providers,
    })))
}

/// `GET /api/{user_id}/metrics/tools`: how often each tool was called, with which faults, by
/// which other names, and which other tool was suggested instead (D-095).
///
/// # Errors
/// [`Problem`].
pub async fn metrics(request: HttpRequest, api: web::Data<Api>) -> Result<HttpResponse, Problem> {
    let user = path::user(&request)?;
    desk(&api)?;
    let counts = api
        .store()
        .tool_counts(&user)
        .await
        .map_err(Problem::reading)?;
    Ok(HttpResponse::Ok().json(json!({ "tools": counts })))
}

/// `POST /api/{user_id}/admin/cleanup {max_age_ms}`: removes sessions that ended longer ago, and
/// says how much went and what stayed as proof. It is the user's own data alone.
///
/// # Errors
/// [`Problem`].
pub async fn cleanup(
    request: HttpRequest,
    payload: web::Payload,
    api: web::Data<Api>,
) -> Result<HttpResponse, Problem> {
    let user = path::user(&request)?;
    let now = desk(&api)?.now();
    let asked: CleanupBody = payloads::json(&request, payload).await?;
    let age = Duration::from_millis(asked.max_age_ms);
    let store = api.store().clone();
    let cleaning = async move { store.cleanup(&user, age, now).await };
    let cleaned = api.run(cleaning).await?.map_err(Problem::reading)?;
    Ok(HttpResponse::Ok().json(cleaned))
}

/// A JSON body, or none at all.
async fn optional<T: serde::de::DeserializeOwned + Default>(
    request: &HttpRequest,
    payload: web::Payload,
) -> Result<T, Problem> {
    let headers = request.headers();
    if headers.contains_key(actix_web::http::header::CONTENT_TYPE) {
        payloads::json(request, payload).await
    } else {
        payloads::discard(payload).await?;
        Ok(T::default())
    }
}

impl From<DelegationError> for Problem {
    fn from(error: DelegationError) -> Self {
        match error {
            DelegationError::Refused(error) => refusal(&error),
            DelegationError::Store(error) => Self::reading(error),
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
