//! The API's description of itself (OpenAPI 3.1): `GET /openapi.json` and `candor openapi`.
//!
//! Each handler declares its operation (`#[utoipa::path]`) and the errors that are its own;
//! `shared` adds what operations have in common. Schemas come from the types that are read and
//! written, limits from `limits`, errors from `Code`, so that what one table says is said
//! everywhere. A test walks the router and finds any operation that is missing here.

pub(super) mod errors;
pub(super) mod limits;
pub(super) mod shapes;
mod shared;
#[cfg(test)]
mod tests;

use utoipa::OpenApi;
use utoipa::openapi::SecurityRequirement;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};

use self::shapes::v1::CompletionError;
use super::auth::metadata;
use super::{
    audit, chat, delegation, docs, events, health, page, problem, reminders, stream, tasks,
    todo_backend, transfer, v1,
};

/// Features of a server, as far as its description depends on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Served {
    /// Callers need a credential.
    pub closed: bool,
    /// The Todo-Backend contract is there.
    pub todo_backend: bool,
}

/// The description, as JSON.
///
/// # Errors
/// None in practice: it always serialises.
pub fn document(served: Served) -> serde_json::Result<String> {
    serde_json::to_string(&describe(served))
}

/// Operations and their schemas, as the handlers declare them.
#[derive(OpenApi)]
#[openapi(
    servers((url = "/")),
    tags(
        (name = "chat",
            description = "Turns of conversations: what is said comes from committed receipts."),
        (name = "tasks", description = "Tasks without words; these writes leave receipts too."),
        (name = "audit", description = "The log, and proofs from it."),
        (name = "delegation",
            description = "Tasks worked on by agents; there only where a provider is configured."),
        (name = "todo-backend",
            description = "Tasks as the Todo-Backend contract has them, where it is served."),
        (name = "v1",
            description = "The same chat as a model of OpenAI's API, for clients that know no other."),
        (name = "server", description = "The process itself; open to everybody."),
    ),
    paths(
        page::page, page::about, page::problem, health::healthz, health::readyz, health::metrics,
        docs::openapi,
        tasks::list_tasks, tasks::add_task, tasks::task, tasks::update_task, tasks::delete_task,
        reminders::reminders, transfer::export, transfer::import, events::events,
        chat::chat, chat::messages, chat::conversations, chat::undo,
        stream::chat_stream, stream::chat_resume, stream::chat_stop,
        audit::audit, audit::audit_turn, audit::audit_absence, audit::audit_consistency,
        audit::audit_receipt,
        delegation::delegate, delegation::delegations, delegation::delegation,
        delegation::cancel_delegation, delegation::answer_delegation,
        delegation::accept_delegation, delegation::reject_delegation, delegation::session,
        delegation::delete_session, delegation::transcript, delegation::tool_call,
        delegation::agents, delegation::tool_metrics, delegation::cleanup,
        v1::models, v1::model, v1::completions, v1::responses,
        metadata::protected_resource, metadata::protected_resource_tools,
    ),
    components(schemas(problem::ProblemBody, CompletionError)),
)]
struct Declared;

/// Operations of the Todo-Backend contract.
#[derive(OpenApi)]
#[openapi(paths(
    todo_backend::todos,
    todo_backend::add_todo,
    todo_backend::clear_todos,
    todo_backend::todo,
    todo_backend::change_todo,
    todo_backend::delete_todo,
))]
struct TodoBackend;

fn describe(served: Served) -> utoipa::openapi::OpenApi {
    let mut api = Declared::openapi();
    if served.todo_backend {
        api.merge(TodoBackend::openapi());
    }
    shared::complete(&mut api, served.closed);
    let components = api.components.get_or_insert_default();
    let needed = if served.closed {
        let mut bearer = Http::new(HttpAuthScheme::Bearer);
        let says = "An API key made by `candor token create`, or a token. It opens the paths of \
                    its own user; the scope read looks, write also changes.";
        bearer.description = Some(says.to_owned());
        components.add_security_scheme("bearer", SecurityScheme::Http(bearer));
        SecurityRequirement::new("bearer", Vec::<String>::new())
    } else {
        // Nothing is asked for, and that is said.
        SecurityRequirement::default()
    };
    api.security = Some(vec![needed]);
    api
}
