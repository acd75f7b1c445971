//! Whether the process lives, whether it can serve, and its figures. The model is nobody's
//! business here: a restart would not bring it back.

use actix_web::http::header::CONTENT_TYPE;
use actix_web::{HttpResponse, web};
use serde_json::json;

use super::api::Api;
use super::code::Code;
use super::problem::Problem;
use crate::telemetry;

/// `GET /healthz`: the process answers.
pub async fn alive() -> HttpResponse {
    HttpResponse::Ok().json(json!({"status": "ok"}))
}

/// `GET /metrics`: figures for Prometheus, none of which tells of a user. The text is empty in a
/// process that does not count.
pub async fn figures(api: web::Data<Api>) -> HttpResponse {
    let text = telemetry::meters().map(|meters| {
        meters.running(api.gate.running());
        if api.gate.is_closed() {
            meters.ready(false);
        }
        meters.render()
    });
    HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, EXPOSITION))
        .body(text.unwrap_or_default())
}

/// The form of Prometheus' text.
pub const EXPOSITION: &str = "text/plain; version=0.0.4; charset=utf-8";

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
