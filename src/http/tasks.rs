//! Tasks over HTTP (CONTRACT §3). Writes go through `chat::direct` and leave receipts.

use actix_web::http::StatusCode;
use actix_web::http::header::{CONTENT_TYPE, ContentType, HeaderValue, LOCATION};
use actix_web::{HttpRequest, HttpResponse, web};
use serde::Deserialize;
use serde_json::{Value, json};

use super::apart::apart;
use super::api::Api;
use super::code::Code;
use super::problem::Problem;
use super::task_body::{NewTaskBody, PatchBody};
use super::{body, idempotency, path};
use crate::chat::direct::{WriteAnswer, WriteError};
use crate::chat::wire::TaskView;
use crate::domain::TaskId;
use crate::store::TaskQuery;

/// The largest page.
const PAGE: u32 = 500;

/// `GET /api/{user_id}/tasks?status=&q=&limit=&cursor=`: newest first; without `limit` a plain
/// array of all, with it `{tasks, next_cursor}`.
///
/// # Errors
/// [`Problem`].
pub async fn list(request: HttpRequest, api: web::Data<Api>) -> Result<HttpResponse, Problem> {
    let user = path::user(&request)?;
    let query = task_query(path::query(&request)?)?;
    let page = api
        .store()
        .tasks(&user, &query)
        .await
        .map_err(Problem::reading)?;
    let whole = query.limit.is_none();
    let written = apart(page.tasks.len(), move || {
        let tasks: Vec<TaskView> = page.tasks.iter().map(TaskView::from).collect();
        if whole {
            return serde_json::to_string(&tasks);
        }
        serde_json::to_string(&json!({ "tasks": tasks, "next_cursor": page.next_cursor }))
    });
    let written = written.await?.map_err(Problem::internal)?;
    Ok(HttpResponse::Ok()
        .content_type(ContentType::json())
        .body(written))
}

/// `POST /api/{user_id}/tasks`: 201.
///
/// # Errors
/// [`Problem`].
pub async fn add(
    request: HttpRequest,
    payload: web::Payload,
    api: web::Data<Api>,
) -> Result<HttpResponse, Problem> {
    let user = path::user(&request)?;
    let asked: NewTaskBody = body::json(&request, payload).await?;
    let key = idempotency::of(request.headers())?;
    let zone = api.chat.zone(asked.timezone.as_deref())?;
    let (task, completed) = asked.into_task(zone)?;
    let direct = api.direct.clone().in_zone(zone);
    let written = api
        .run(async move { direct.add(&user, task, completed, key.as_deref()).await })
        .await??;
    let location = location(&request, &written);
    let mut response = respond(written);
    if let Some(location) = location {
        response.headers_mut().insert(LOCATION, location);
    }
    Ok(response)
}

/// `GET /api/{user_id}/tasks/{task_id}`.
///
/// # Errors
/// [`Problem`].
pub async fn show(request: HttpRequest, api: web::Data<Api>) -> Result<HttpResponse, Problem> {
    let user = path::user(&request)?;
    let id: TaskId = path::id(&request, "task_id")?;
    let task = api
        .store()
        .task(&user, id)
        .await
        .map_err(Problem::reading)?;
    let task = task.ok_or_else(unknown)?;
    Ok(HttpResponse::Ok().json(TaskView::from(&task)))
}

/// `PATCH /api/{user_id}/tasks/{task_id}`: three-state.
///
/// # Errors
/// [`Problem`].
pub async fn patch(
    request: HttpRequest,
    payload: web::Payload,
    api: web::Data<Api>,
) -> Result<HttpResponse, Problem> {
    let user = path::user(&request)?;
    let asked: PatchBody = body::json(&request, payload).await?;
    let id: TaskId = path::id(&request, "task_id")?;
    let key = idempotency::of(request.headers())?;
    let zone = api.chat.zone(asked.timezone.as_deref())?;
    let patch = asked.into_patch(zone)?;
    let direct = api.direct.clone().in_zone(zone);
    let written = api
        .run(async move { direct.patch(&user, id, patch, key.as_deref()).await })
        .await??;
    Ok(respond(written))
}

/// `DELETE /api/{user_id}/tasks/{task_id}`: 204.
///
/// # Errors
/// [`Problem`].
pub async fn delete(
    request: HttpRequest,
    payload: web::Payload,
    api: web::Data<Api>,
) -> Result<HttpResponse, Problem> {
    body::discard(payload).await?;
    let user = path::user(&request)?;
    let id: TaskId = path::id(&request, "task_id")?;
    let key = idempotency::of(request.headers())?;
    let direct = api.direct.clone();
    let written = api
        .run(async move { direct.delete(&user, id, key.as_deref()).await })
        .await??;
    Ok(respond(written))
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Filter {
    status: Option<String>,
    q: Option<String>,
    limit: Option<String>,
    cursor: Option<String>,
}

fn task_query(filter: Filter) -> Result<TaskQuery, Problem> {
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
    let status = StatusCode::from_u16(written.status).unwrap_or_default();
    let mut response = HttpResponse::build(status);
    if written.replayed {
        response.insert_header((idempotency::REPLAYED, HeaderValue::from_static("true")));
    }
    if written.body.is_empty() {
        return response.finish();
    }
    response.insert_header((CONTENT_TYPE, HeaderValue::from_static("application/json")));
    response.body(written.body)
}

/// Where the new task is. Read off the answer, so that a replay names the same place.
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

    #[test]
    fn filters() {
        let check =
            |filter: Filter, expect: Result<TaskQuery, &str>| match (task_query(filter), expect) {
                (Ok(query), Ok(expect)) => assert_eq!(query, expect),
                (Err(problem), Err(words)) => {
                    assert!(problem.detail.contains(words), "{problem}");
                }
                other => panic!("{other:?}"),
            };
        let text = |text: &str| Some(text.to_owned());
        check(Filter::default(), Ok(TaskQuery::default()));
        check(
            Filter {
                status: text("completed"),
                limit: text("3"),
                ..Filter::default()
            },
            Ok(TaskQuery {
                completed: Some(true),
                limit: Some(3),
                ..TaskQuery::default()
            }),
        );
        check(
            Filter {
                q: text(" "),
                ..Filter::default()
            },
            Ok(TaskQuery::default()),
        );
        check(
            Filter {
                status: text("done"),
                ..Filter::default()
            },
            Err("pending or completed"),
        );
        check(
            Filter {
                limit: text("0"),
                ..Filter::default()
            },
            Err("from 1 to 500"),
        );
        check(
            Filter {
                cursor: text("x"),
                ..Filter::default()
            },
            Err("goes with limit"),
        );
    }
}
