//! The Todo-Backend contract (todobackend.com) under a prefix of its own, where
//! `CANDOR_TODO_BACKEND=on`: a list that its clients and its suite can drive.
//!
//! Every write goes through `chat::direct` as the other routes' do. Pages of any origin may call
//! under this prefix and no other, as the contract asks; where credentials are asked for, these
//! routes ask for them too.

use std::collections::HashMap;

use actix_web::http::StatusCode;
use actix_web::http::header::LOCATION;
use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, Scope};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::api::{Api, ApiRequest, ApiResult};
use super::code::Code;
use super::cors::Origins;
use super::openapi::{errors, limits, shapes};
use super::problem::Problem;
use super::routes::{at, nowhere, read};
use crate::chat::direct::TaskRequest;
use crate::domain::{Task, TaskId, Title, UserId};
use crate::store::{NewTask, TaskPatch};

/// Beginning of every path of the contract.
pub(super) const PREFIX: &str = "/todo-backend";

/// The list of a user under it, and one task of the list.
const LIST: &str = "/{user_id}";
const ONE: &str = "/{user_id}/{task_id}";

/// Origins of pages that may call under the prefix.
static ANYBODYS: Origins = Origins::Any;

/// Everything under the prefix.
pub(super) fn scope() -> Scope {
    web::scope(PREFIX)
        .configure(routes)
        .default_service(web::to(nowhere))
}

/// Registers the routes, without the prefix.
pub(super) fn routes(config: &mut ServiceConfig) {
    config
        .service(
            at(LIST, "GET, HEAD, POST, DELETE")
                .route(read().to(todos))
                .route(web::post().to(add_todo))
                .route(web::delete().to(clear_todos)),
        )
        .service(
            at(ONE, "GET, HEAD, PATCH, DELETE")
                .route(read().to(todo))
                .route(web::patch().to(change_todo))
                .route(web::delete().to(delete_todo)),
        );
}

/// Origins of pages that may call at `path`.
pub(super) fn origins<'a>(api: &'a Api, path: &str) -> &'a Origins {
    if api.todo_backend && is_under(path) {
        &ANYBODYS
    } else {
        &api.access.origins
    }
}

fn is_under(path: &str) -> bool {
    path.strip_prefix(PREFIX)
        .is_some_and(|rest| rest.starts_with('/'))
}

/// A task as the Todo-Backend contract has it.
#[derive(Serialize, ToSchema)]
struct Todo<'a> {
    #[schema(schema_with = limits::title)]
    title: &'a str,
    completed: bool,
    /// Number that pages sort by; null: none was given.
    order: Option<i64>,
    /// Its absolute address.
    url: String,
}

/// All todos.
#[derive(Serialize, ToSchema)]
struct Todos<'a>(Vec<Todo<'a>>);

/// Body that a client sends; what it sends back of ours beside that is passed over.
#[derive(Deserialize)]
struct TodoBody {
    title: Option<String>,
    completed: Option<bool>,
    order: Option<Value>,
}

impl TodoBody {
    fn title(&self) -> Result<Option<Title>, Problem> {
        let parsed = self.title.as_deref().map(Title::parse).transpose();
        parsed.map_err(|error| invalid(format!("{error}.")))
    }

    fn order(&self) -> Result<Option<i64>, Problem> {
        match &self.order {
            None | Some(Value::Null) => Ok(None),
            Some(order) => match order.as_i64() {
                Some(order) => Ok(Some(order)),
                None => Err(invalid("order must be a whole number.")),
            },
        }
    }
}

fn invalid(detail: impl Into<String>) -> Problem {
    Problem::new(Code::InvalidTask, detail)
}

/// All todos, the oldest first.
#[utoipa::path(
    get, path = "/todo-backend/{user_id}", tag = "todo-backend",
    responses((status = 200, body = Todos))
)]
async fn todos(api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    let tasks = api.direct.all(&user).await?;
    let orders = api.store().orders(&user).await?;
    let base = base(&api.sent, &user);
    let todos = tasks
        .iter()
        .map(|task| view(task, &orders, &base))
        .collect();
    Ok(HttpResponse::Ok().json(Todos(todos)))
}

/// Adds a todo.
#[utoipa::path(
    post, path = "/todo-backend/{user_id}", tag = "todo-backend", request_body = shapes::NewTodo,
    responses((status = 201, body = Todo), errors::InvalidTask)
)]
async fn add_todo(mut api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    let sent: TodoBody = api.json().await?;
    let order = sent.order()?;
    let task = NewTask::titled(sent.title()?.ok_or_else(|| invalid("title is missing."))?);
    let wanted = TaskRequest {
        task,
        completed: sent.completed.unwrap_or(false),
        remind: None,
    };
    let (direct, owner) = (api.direct.clone(), user.clone());
    let id = api
        .run(async move {
            let written = direct.add(&owner, wanted, None).await?;
            let added: AddedTask =
                serde_json::from_str(&written.body).map_err(Problem::internal)?;
            if let Some(order) = order {
                direct.place(&owner, added.id, order).await?;
            }
            Ok::<_, Problem>(added.id)
        })
        .await??;
    answer(StatusCode::CREATED, &api, &user, id).await
}

/// Part of the answer to a direct write that is needed.
#[derive(Deserialize)]
struct AddedTask {
    id: TaskId,
}

/// Deletes all todos; each can be brought back for 30 days.
#[utoipa::path(
    delete, path = "/todo-backend/{user_id}", tag = "todo-backend", responses((status = 204))
)]
async fn clear_todos(mut api: ApiRequest) -> ApiResult {
    api.discard().await?;
    let user = api.user()?;
    let direct = api.direct.clone();
    api.run(async move { direct.clear(&user).await }).await??;
    Ok(HttpResponse::NoContent().finish())
}

/// One todo.
#[utoipa::path(
    get, path = "/todo-backend/{user_id}/{task_id}", tag = "todo-backend",
    responses((status = 200, body = Todo), errors::Task)
)]
async fn todo(api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    let id: TaskId = api.id("task_id")?;
    answer(StatusCode::OK, &api, &user, id).await
}

/// Changes a todo: what is left out stays.
#[utoipa::path(
    patch, path = "/todo-backend/{user_id}/{task_id}", tag = "todo-backend",
    request_body = shapes::TodoChange,
    responses((status = 200, body = Todo), errors::Task, errors::InvalidTask)
)]
async fn change_todo(mut api: ApiRequest) -> ApiResult {
    let user = api.user()?;
    let sent: TodoBody = api.json().await?;
    let id: TaskId = api.id("task_id")?;
    let order = sent.order()?;
    let patch = TaskPatch {
        title: sent.title()?,
        completed: sent.completed,
        ..TaskPatch::default()
    };
    let (direct, owner) = (api.direct.clone(), user.clone());
    api.run(async move {
        if patch != TaskPatch::default() || order.is_none() {
            direct.patch(&owner, id, patch.into(), None).await?;
        }
        match order {
            Some(order) => direct.place(&owner, id, order).await,
            None => Ok(()),
        }
    })
    .await??;
    answer(StatusCode::OK, &api, &user, id).await
}

/// Deletes a todo.
#[utoipa::path(
    delete, path = "/todo-backend/{user_id}/{task_id}", tag = "todo-backend",
    responses((status = 204), errors::Task)
)]
async fn delete_todo(mut api: ApiRequest) -> ApiResult {
    api.discard().await?;
    let user = api.user()?;
    let id: TaskId = api.id("task_id")?;
    let direct = api.direct.clone();
    api.run(async move { direct.delete(&user, id, None).await })
        .await??;
    Ok(HttpResponse::NoContent().finish())
}

/// One task as it stands now.
async fn answer(status: StatusCode, api: &ApiRequest, user: &UserId, id: TaskId) -> ApiResult {
    let task = api.store().task(user, id).await?;
    let missing = || Problem::new(Code::UnknownTask, "You have no task of this id.");
    let task = task.ok_or_else(missing)?;
    let orders = api.store().orders(user).await?;
    let todo = view(&task, &orders, &base(&api.sent, user));
    let mut answer = HttpResponse::build(status);
    if status == StatusCode::CREATED {
        answer.insert_header((LOCATION, todo.url.clone()));
    }
    Ok(answer.json(todo))
}

fn view<'a>(task: &'a Task, orders: &HashMap<TaskId, i64>, base: &str) -> Todo<'a> {
    Todo {
        title: task.title.as_str(),
        completed: task.status.is_completed(),
        order: orders.get(&task.id).copied(),
        url: format!("{base}/{}", task.id),
    }
}

/// The list's absolute address, as the client reached it.
fn base(request: &HttpRequest, user: &UserId) -> String {
    let reached = request.connection_info();
    // The one sign of a user id that a path may not hold as it is.
    let user = user.as_str().replace('|', "%7C");
    format!("{}://{}{PREFIX}/{user}", reached.scheme(), reached.host())
}
