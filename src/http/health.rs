//! Health of the process: whether it lives, whether it can serve, and its figures. The model is
//! nobody's business here: a restart would not bring it back.

use actix_web::http::header::CONTENT_TYPE;
use actix_web::{HttpResponse, web};
use serde::Serialize;
use utoipa::ToSchema;

use super::api::{Api, ApiRequest, ApiResult};
use super::code::Code;
use super::openapi::errors;
use super::problem::Problem;
use crate::telemetry;

/// State of the server.
#[derive(Serialize, ToSchema)]
#[schema(as = State)]
struct HealthState {
    /// `ok` or `ready`.
    status: &'static str,
}

/// The process answers.
#[utoipa::path(get, path = "/healthz", tag = "server", responses((status = 200, body = HealthState)))]
pub async fn healthz() -> HttpResponse {
    HttpResponse::Ok().json(HealthState { status: "ok" })
}

/// Figures of this process for Prometheus; none of them tells of a user.
#[utoipa::path(
    get, path = "/metrics", tag = "server",
    responses((status = 200, body = String, content_type = EXPOSITION))
)]
pub async fn metrics(api: web::Data<Api>) -> HttpResponse {
    let text = telemetry::meters().map(|meters| {
        meters.running(api.in_flight.running());
        if api.in_flight.is_closed() {
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

/// The database answers, its migrations are current, and no shutdown has begun.
#[utoipa::path(
    get, path = "/readyz", tag = "server",
    responses((status = 200, body = HealthState), errors::NotReady)
)]
pub async fn readyz(api: ApiRequest) -> ApiResult {
    if api.in_flight.is_closed() {
        return Err(Problem::new(
            Code::ShuttingDown,
            "The server is shutting down.",
        ));
    }
    let health = api.store().health().await?;
    if !health.is_ready() {
        let detail = format!(
            "{} migrations have not been run: run `candor migrate`, or start without \
             CANDOR_MIGRATE=off.",
            health.pending_migrations
        );
        return Err(Problem::new(Code::StorageUnavailable, detail));
    }
    Ok(HttpResponse::Ok().json(HealthState { status: "ready" }))
}
