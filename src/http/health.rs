//! Whether the process lives, and whether it can serve. The model is nobody's business here:
//! a restart would not bring it back.

use actix_web::{HttpResponse, web};
use serde_json::json;

use super::api::Api;
use super::code::Code;
use super::problem::Problem;

/// `GET /healthz`: the process answers.
pub async fn alive() -> HttpResponse {
    HttpResponse::Ok().json(json!({"status": "ok"}))
}

/// `GET /readyz`: the database answers, its migrations are current, and no shutdown has begun.
///
/// # Errors
/// 503 that says which of them fails.
pub async fn ready(api: web::Data<Api>) -> Result<HttpResponse, Problem> {
    if api.gate.is_closed() {
        return Err(Problem::new(
            Code::ShuttingDown,
            "The server is shutting down.",
        ));
    }
    let health = api.store().health().await.map_err(Problem::reading)?;
    if !health.is_ready() {
        let detail = format!(
            "{} migrations have not been run: run `candor migrate`, or start without \
             CANDOR_MIGRATE=off.",
            health.pending_migrations
        );
        return Err(Problem::new(Code::StorageUnavailable, detail));
    }
    Ok(HttpResponse::Ok().json(json!({"status": "ready"})))
}
