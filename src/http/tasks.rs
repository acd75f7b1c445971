//! Tasks over HTTP (CONTRACT §3). Writes go through `chat::direct` and leave receipts.

use actix_web::http::header::{ContentType, HeaderValue, LOCATION};
use actix_web::{HttpRequest, HttpResponse};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};

use super::api::{ApiRequest, ApiResult};
use super::blocking::run_blocking;
use super::code::Code;
use super::idempotency::IdempotencyKey;
use super::openapi::{errors, limits};
use super::problem::Problem;
use super::task_body::{NewTaskBody, PatchBody};
use super::{idempotency, path};
use crate::chat::direct::{WriteAnswer, WriteError};
use crate::chat::wire::TaskView;
use crate::domain::TaskId;
use crate::store::TaskQuery;

/// The largest page.
const PAGE: u32 = 500;

/// Tasks, newest first: all, or with limit a page.
#[utoipa::path(
    get, path = "/api/{user_id}/tasks", params(TasksQuery),
    responses((status = 200, body = inline(TaskList)), errors::BadQuery)
)]
pub async fn list_tasks(api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    let query = task_query(api.query()?)?;
    let page = api.store().tasks(&user, &query).await?;
    let whole = query.limit.is_none();
    let written = run_blocking(page.tasks.len(), move || {
        let tasks = page.tasks.iter().map(TaskView::from).collect();
        let next_cursor = page.next_cursor;
        serde_json::to_string(&match whole {
            true => TaskList::All(tasks),
            false => TaskList::Page(TaskPage { tasks, next_cursor }),
        })
    });
    let written = written.await?.map_err(Problem::internal)?;
    Ok(HttpResponse::Ok()
        .content_type(ContentType::json())
        .body(written))
}

/// Adds a task.
#[utoipa::path(
    post, path = "/api/{user_id}/tasks", params(IdempotencyKey), request_body = NewTaskBody,
    responses((status = 201, body = TaskView), errors::InvalidTask, errors::Timezone)
)]
pub async fn add_task(mut api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    let asked: NewTaskBody = api.json().await?;
    let key = api.key()?;
    let zone = api.chat.zone(asked.timezone.as_deref())?;
    let wanted = asked.into_task(zone)?;
    let direct = api.direct.clone().in_zone(zone);
    let written = api
        .run(async move { direct.add(&user, wanted, key.as_deref()).await })
        .await??;
    let location = location(&api.sent, &written);
    let mut response = respond(written);
    if let Some(location) = location {
        response.headers_mut().insert(LOCATION, location);
    }
    Ok(response)
}

/// One task.
#[utoipa::path(
    get, path = "/api/{user_id}/tasks/{task_id}",
    responses((status = 200, body = TaskView), errors::Task)
)]
pub async fn task(api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    let id: TaskId = api.id("task_id")?;
    let task = api.store().task(&user, id).await?;
    let task = task.ok_or_else(unknown)?;
    Ok(HttpResponse::Ok().json(TaskView::from(&task)))
}

/// Changes a task: what is left out stays, null clears.
#[utoipa::path(
    patch, path = "/api/{user_id}/tasks/{task_id}", params(IdempotencyKey),
    request_body = PatchBody,
    responses((status = 200, body = TaskView), errors::Task, errors::InvalidTask, errors::Timezone)
)]
pub async fn update_task(mut api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    let asked: PatchBody = api.json().await?;
    let id: TaskId = api.id("task_id")?;
    let key = api.key()?;
    let zone = api.chat.zone(asked.timezone.as_deref())?;
    let change = asked.into_change(zone)?;
    let direct = api.direct.clone().in_zone(zone);
    let written = api
        .run(async move { direct.patch(&user, id, change, key.as_deref()).await })
        .await??;
    Ok(respond(written))
}

/// Deletes a task; it can be brought back for 30 days.
#[utoipa::path(
    delete, path = "/api/{user_id}/tasks/{task_id}", params(IdempotencyKey),
    responses((status = 204), errors::Task)
)]
pub async fn delete_task(mut api: ApiRequest) -> ApiResult {
    api.discard().await?;
    let user = api.user()?;
    let id: TaskId = api.id("task_id")?;
    let key = api.key()?;
    let direct = api.direct.clone();
    let written = api
        .run(async move { direct.delete(&user, id, key.as_deref()).await })
        .await??;
    Ok(respond(written))
}

#[derive(Debug, Default, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
struct TasksQuery {
    /// Only these.
    #[param(value_type = Option<limits::Status>, inline)]
    status: Option<String>,
    /// Only those whose title or note holds these words.
    q: Option<String>,
    /// Length of a page.
    #[param(value_type = Option<u32>, minimum = 1, maximum = 500)]
    limit: Option<String>,
    /// The next_cursor of a page; goes with limit.
    #[param(value_type = Option<limits::Cursor>, inline)]
    cursor: Option<String>,
}

#[derive(Serialize, ToSchema)]
#[serde(untagged)]
enum TaskList {
    All(Vec<TaskView>),
    Page(TaskPage),
}

/// A page of tasks.
#[derive(Serialize, ToSchema)]
struct TaskPage {
    tasks: Vec<TaskView>,
    /// Value of `cursor` for the next page; null: this is the last.
    next_cursor: Option<String>,
}

fn task_query(filter: TasksQuery) -> Result<TaskQuery, Problem> {
    let bad = |detail: &str| Problem::new(Code::BadQuery, detail);
    let completed = match filter.status.as_deref() {
        None => None,
        Some("pending") => Some(false),
        Some("completed") => Some(true),
        Some(_) => return Err(bad("status must be pending or completed.")),
    };
    if filter.cursor.is_some() && filter.limit.is_none() {
        return Err(bad("cursor goes with limit: say how long a page is."));
    }
    let limit = match filter.limit {
        None => None,
        Some(text) => Some(path::limit(Some(&text), (PAGE, PAGE))?),
    };
    Ok(TaskQuery {
        completed,
        q: filter.q.filter(|words| !words.trim().is_empty()),
        limit,
        cursor: filter.cursor,
    })
}

fn respond(written: WriteAnswer) -> HttpResponse {
    idempotency::stored(written.status, written.body, written.replayed)
}

/// Returns the address of the new task, read off the answer, so that a replay names the same one.
fn location(request: &HttpRequest, written: &WriteAnswer) -> Option<HeaderValue> {
    let task: Value = serde_json::from_str(&written.body).ok()?;
    let id = task.get("id")?.as_str()?;
    HeaderValue::from_str(&format!("{}/{id}", request.uri().path())).ok()
}

fn unknown() -> Problem {
    Problem::new(Code::UnknownTask, "You have no task of this id.")
}

impl From<WriteError> for Problem {
    fn from(error: WriteError) -> Self {
        match error {
            WriteError::Missing => unknown(),
            WriteError::DueDate(fault) => {
                Self::new(Code::InvalidTask, format!("due_date: {fault}."))
            }
            WriteError::TimeWithoutDay => {
                Self::new(Code::InvalidTask, "due_time needs a due_date: send both.")
            }
            WriteError::RepeatEnded => Self::new(
                Code::InvalidTask,
                "repeat ends before today: send a later UNTIL, or none.",
            ),
            WriteError::RepeatNever => Self::new(
                Code::InvalidTask,
                "repeat never falls after the due_date: send a day that the rule gives, or another rule.",
            ),
            WriteError::Remind(fault) => Self::new(Code::InvalidTask, format!("remind {fault}.")),
            WriteError::KeyReused => Self::new(
                Code::KeyReused,
                "This Idempotency-Key already answered another request. Use a new key.",
            ),
            WriteError::Conflict => Self::new(
                Code::Conflict,
                "The task kept being changed meanwhile, so nothing was written. Try again.",
            ),
            WriteError::Unconfirmed => Self::unconfirmed(),
            WriteError::Storage(cause) => Self::storage(cause),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::test::TestRequest;

    #[test]
    fn filters() {
        let check = |sent: &str, expect: Result<TaskQuery, &str>| {
            let request = TestRequest::with_uri(sent).to_http_request();
            match (task_query(path::query(&request).unwrap()), expect) {
                (Ok(query), Ok(expect)) => assert_eq!(query, expect),
                (Err(problem), Err(words)) => {
                    assert!(problem.detail.contains(words), "{problem}");
                }
                other => panic!("{other:?}"),
            }
        };
        check("/", Ok(TaskQuery::default()));
        let page = TaskQuery {
            completed: Some(true),
            limit: Some(3),
            ..TaskQuery::default()
        };
        check("/?status=completed&limit=3", Ok(page));
        check("/?q=%20", Ok(TaskQuery::default()));
        check("/?status=done", Err("pending or completed"));
        check("/?limit=0", Err("from 1 to 500"));
        check("/?cursor=x", Err("goes with limit"));
    }
}
