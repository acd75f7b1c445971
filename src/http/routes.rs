//! Every address and its methods. What is not here is a problem with its own words.

use actix_web::guard::{Any, Get, Head};
use actix_web::web::{self, ServiceConfig};
use actix_web::{FromRequest, Handler, HttpRequest, HttpResponse, Resource, Responder, Route};

use super::auth::metadata;
use super::code::Code;
use super::problem::Problem;
use super::{
    audit, chat, delegation, docs, events, health, page, reminders, stream, tasks, transfer, v1,
};

/// Registers all routes.
pub fn routes(config: &mut ServiceConfig) {
    config
        // Tried in this order, so turns come first.
        .service(post("/api/{user_id}/chat", chat::chat))
        .service(post("/api/{user_id}/chat/stream", stream::chat_stream))
        .service(get("/", page::page))
        .service(get("/page/{file:.*}", page::file))
        .service(get("/about", page::about))
        .service(get("/problems/{code}", page::problem))
        .service(get("/healthz", health::healthz))
        .service(get("/readyz", health::readyz))
        .service(get("/metrics", health::metrics))
        .service(get("/openapi.json", docs::openapi))
        .service(get("/docs", docs::entrance))
        .service(get("/docs/{file:.*}", docs::file))
        .service(
            at("/api/{user_id}/chat/{chat}/stream", "GET")
                .route(web::get().to(stream::chat_resume)),
        )
        .service(post("/api/{user_id}/chat/{chat}/stop", stream::chat_stop))
        .service(get("/api/{user_id}/chat/messages", chat::messages))
        .service(get(
            "/api/{user_id}/chat/conversations",
            chat::conversations,
        ))
        .service(post(
            "/api/{user_id}/receipts/{receipt_id}/undo",
            chat::undo,
        ))
        .service(
            at("/api/{user_id}/tasks", "GET, HEAD, POST")
                .route(read().to(tasks::list_tasks))
                .route(web::post().to(tasks::add_task)),
        )
        .service(
            at("/api/{user_id}/tasks/{task_id}", "GET, HEAD, PATCH, DELETE")
                .route(read().to(tasks::task))
                .route(web::patch().to(tasks::update_task))
                .route(web::delete().to(tasks::delete_task)),
        )
        .service(get("/api/{user_id}/reminders", reminders::reminders))
        .service(get("/api/{user_id}/export", transfer::export))
        .service(post("/api/{user_id}/import", transfer::import))
        .service(get("/api/{user_id}/audit", audit::audit))
        .service(get(
            "/api/{user_id}/audit/turns/{turn_id}",
            audit::audit_turn,
        ))
        .service(get(
            "/api/{user_id}/audit/turns/{turn_id}/absence",
            audit::audit_absence,
        ))
        .service(get(
            "/api/{user_id}/audit/consistency",
            audit::audit_consistency,
        ))
        .service(get(
            "/api/{user_id}/audit/receipts/{receipt_id}/proof",
            audit::audit_receipt,
        ))
        .service(get("/v1/models", v1::models))
        .service(get("/v1/models/{model}", v1::model))
        .service(post("/v1/chat/completions", v1::completions))
        .service(post("/v1/responses", v1::responses))
        .service(get(metadata::ROOT, metadata::protected_resource))
        .service(get(metadata::TOOLS, metadata::protected_resource_tools))
        .configure(delegated)
        .default_service(web::to(nowhere));
}

/// The addresses of delegation; without a provider each says that there is nothing.
fn delegated(config: &mut ServiceConfig) {
    config
        .service(post(
            "/api/{user_id}/tasks/{task_id}/delegate",
            delegation::delegate,
        ))
        .service(get("/api/{user_id}/delegations", delegation::delegations))
        .service(get(
            "/api/{user_id}/delegations/{handle}",
            delegation::delegation,
        ))
        .service(post(
            "/api/{user_id}/delegations/{handle}/cancel",
            delegation::cancel_delegation,
        ))
        .service(post(
            "/api/{user_id}/delegations/{handle}/answer",
            delegation::answer_delegation,
        ))
        .service(post(
            "/api/{user_id}/delegations/{handle}/accept",
            delegation::accept_delegation,
        ))
        .service(post(
            "/api/{user_id}/delegations/{handle}/reject",
            delegation::reject_delegation,
        ))
        .service(
            at("/api/{user_id}/sessions/{agent}", "GET, HEAD, DELETE")
                .route(read().to(delegation::session))
                .route(web::delete().to(delegation::delete_session)),
        )
        .service(get(
            "/api/{user_id}/sessions/{agent}/transcript",
            delegation::transcript,
        ))
        .service(get(
            "/api/{user_id}/tool-calls/{tool_call_id}",
            delegation::tool_call,
        ))
        .service(at("/api/{user_id}/events", "GET").route(web::get().to(events::events)))
        .service(get("/api/{user_id}/agents", delegation::agents))
        .service(get(
            "/api/{user_id}/metrics/tools",
            delegation::tool_metrics,
        ))
        .service(post("/api/{user_id}/admin/cleanup", delegation::cleanup));
}

const READ: &str = "GET, HEAD";

/// A resource that names its methods to whoever uses another.
pub(super) fn at(path: &str, methods: &'static str) -> Resource {
    web::resource(path).default_service(web::to(move |request: HttpRequest| async move {
        let detail = format!(
            "{} is not a method of this address: it has {methods}.",
            request.method().as_str().escape_debug(),
        );
        let mut problem = Problem::new(Code::MethodNotAllowed, detail);
        problem.allow = Some(methods);
        Err::<HttpResponse, _>(problem)
    }))
}

/// Resource that can be read, and nothing else.
fn get<F, A>(path: &str, handler: F) -> Resource
where
    F: Handler<A, Output: Responder + 'static>,
    A: FromRequest + 'static,
{
    at(path, READ).route(read().to(handler))
}

/// Resource that takes something, and nothing else.
fn post<F, A>(path: &str, handler: F) -> Resource
where
    F: Handler<A, Output: Responder + 'static>,
    A: FromRequest + 'static,
{
    at(path, "POST").route(web::post().to(handler))
}

/// Makes a route for what can be read, which can also be asked for without its body.
pub(super) fn read() -> Route {
    web::route().guard(Any(Get()).or(Head()))
}

pub(super) async fn nowhere() -> Result<HttpResponse, Problem> {
    let detail = "There is nothing at this address. The API lies under /api/{user_id}/ and /v1/.";
    Err(Problem::new(Code::NotFound, detail))
}
