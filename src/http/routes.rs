//! Every address and its methods. What is not here is a problem with its own words.

use actix_web::guard::{Any, Get, Head};
use actix_web::web::{self, ServiceConfig};
use actix_web::{HttpRequest, HttpResponse, Resource, Route};

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
        .service(at("/api/{user_id}/chat", "POST").route(web::post().to(chat::chat)))
        .service(
            at("/api/{user_id}/chat/stream", "POST").route(web::post().to(stream::chat_stream)),
        )
        .service(at("/", READ).route(read().to(page::page)))
        .service(at("/page/{file:.*}", READ).route(read().to(page::file)))
        .service(at("/about", READ).route(read().to(page::about)))
        .service(at("/problems/{code}", READ).route(read().to(page::problem)))
        .service(at("/healthz", READ).route(read().to(health::healthz)))
        .service(at("/readyz", READ).route(read().to(health::readyz)))
        .service(at("/metrics", READ).route(read().to(health::metrics)))
        .service(at("/openapi.json", READ).route(read().to(docs::openapi)))
        .service(at("/docs", READ).route(read().to(docs::entrance)))
        .service(at("/docs/{file:.*}", READ).route(read().to(docs::file)))
        .service(
            at("/api/{user_id}/chat/{chat}/stream", "GET")
                .route(web::get().to(stream::chat_resume)),
        )
        .service(
            at("/api/{user_id}/chat/{chat}/stop", "POST").route(web::post().to(stream::chat_stop)),
        )
        .service(at("/api/{user_id}/chat/messages", READ).route(read().to(chat::messages)))
        .service(
            at("/api/{user_id}/chat/conversations", READ).route(read().to(chat::conversations)),
        )
        .service(
            at("/api/{user_id}/receipts/{receipt_id}/undo", "POST")
                .route(web::post().to(chat::undo)),
        )
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
        .service(at("/api/{user_id}/reminders", READ).route(read().to(reminders::reminders)))
        .service(at("/api/{user_id}/export", READ).route(read().to(transfer::export)))
        .service(at("/api/{user_id}/import", "POST").route(web::post().to(transfer::import)))
        .service(at("/api/{user_id}/audit", READ).route(read().to(audit::audit)))
        .service(
            at("/api/{user_id}/audit/turns/{turn_id}", READ).route(read().to(audit::audit_turn)),
        )
        .service(
            at("/api/{user_id}/audit/turns/{turn_id}/absence", READ)
                .route(read().to(audit::audit_absence)),
        )
        .service(
            at("/api/{user_id}/audit/consistency", READ).route(read().to(audit::audit_consistency)),
        )
        .service(
            at("/api/{user_id}/audit/receipts/{receipt_id}/proof", READ)
                .route(read().to(audit::audit_receipt)),
        )
        .service(at("/v1/models", READ).route(read().to(v1::models)))
        .service(at("/v1/models/{model}", READ).route(read().to(v1::model)))
        .service(at("/v1/chat/completions", "POST").route(web::post().to(v1::completions)))
        .service(at("/v1/responses", "POST").route(web::post().to(v1::responses)))
        .service(at(metadata::ROOT, READ).route(read().to(metadata::protected_resource)))
        .service(at(metadata::TOOLS, READ).route(read().to(metadata::protected_resource_tools)))
        .configure(delegated)
        .default_service(web::to(nowhere));
}

/// The addresses of delegation; without a provider each says that there is nothing.
fn delegated(config: &mut ServiceConfig) {
    let get = |path: &str| at(path, READ);
    config
        .service(
            at("/api/{user_id}/tasks/{task_id}/delegate", "POST")
                .route(web::post().to(delegation::delegate)),
        )
        .service(get("/api/{user_id}/delegations").route(read().to(delegation::delegations)))
        .service(
            get("/api/{user_id}/delegations/{handle}").route(read().to(delegation::delegation)),
        )
        .service(
            at("/api/{user_id}/delegations/{handle}/cancel", "POST")
                .route(web::post().to(delegation::cancel_delegation)),
        )
        .service(
            at("/api/{user_id}/delegations/{handle}/answer", "POST")
                .route(web::post().to(delegation::answer_delegation)),
        )
        .service(
            at("/api/{user_id}/delegations/{handle}/accept", "POST")
                .route(web::post().to(delegation::accept_delegation)),
        )
        .service(
            at("/api/{user_id}/delegations/{handle}/reject", "POST")
                .route(web::post().to(delegation::reject_delegation)),
        )
        .service(
            at("/api/{user_id}/sessions/{agent}", "GET, HEAD, DELETE")
                .route(read().to(delegation::session))
                .route(web::delete().to(delegation::delete_session)),
        )
        .service(
            get("/api/{user_id}/sessions/{agent}/transcript")
                .route(read().to(delegation::transcript)),
        )
        .service(
            get("/api/{user_id}/tool-calls/{tool_call_id}").route(read().to(delegation::tool_call)),
        )
        .service(at("/api/{user_id}/events", "GET").route(web::get().to(events::events)))
        .service(get("/api/{user_id}/agents").route(read().to(delegation::agents)))
        .service(get("/api/{user_id}/metrics/tools").route(read().to(delegation::tool_metrics)))
        .service(
            at("/api/{user_id}/admin/cleanup", "POST").route(web::post().to(delegation::cleanup)),
        );
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

/// Makes a route for what can be read, which can also be asked for without its body.
pub(super) fn read() -> Route {
    web::route().guard(Any(Get()).or(Head()))
}

pub(super) async fn nowhere() -> Result<HttpResponse, Problem> {
    let detail = "There is nothing at this address. The API lies under /api/{user_id}/ and /v1/.";
    Err(Problem::new(Code::NotFound, detail))
}
