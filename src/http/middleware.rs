//! Steps that every request passes: its id and span, the headers of every answer, the body of every
//! problem, and one line in the log; and, behind what answers the pages of other origins, the
//! checks that need no route.

use std::time::Instant;

use actix_web::body::{BoxBody, MessageBody};
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::ConnectionType;
use actix_web::http::header::{self, HeaderMap, HeaderName, HeaderValue};
use actix_web::middleware::Next;
use actix_web::{Error, HttpMessage, HttpResponse};
use tracing::Instrument;

use super::api::Api;
use super::auth::{RateLimitStanding, metadata};
use super::code::Code;
use super::problem::Problem;
use super::request_metrics::RequestMetrics;
use super::{cors, origin, request_id, todo_backend, v1};

/// Sources that pages and answers may load: by default nothing at all.
const NOTHING: &str = "default-src 'none'; frame-ancestors 'none'";

/// Wraps the whole application.
pub async fn outer_middleware(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let api = Api::of(request.request())?.clone();
    let began = Instant::now();
    let id = request_id::of(request.headers(), &api.ids);
    let path = request.path().to_owned();
    let method = request.method().clone();
    let metrics = RequestMetrics::begin(&request, &method, &id);
    let span = tracing::info_span!("request", request_id = %id, trace_id = tracing::field::Empty);
    if let Some(trace) = metrics.span.trace_id() {
        span.record("trace_id", trace);
    }
    let answered = next.call(request).instrument(span.clone());
    let answered = metrics.span.run(answered).await?;
    let mut response = answered.map_into_boxed_body();
    if let Some(problem) = problem_of(&response) {
        metrics.problem(&problem);
        let pattern = response.request().match_pattern();
        let mut answer = if v1::is_here(&path, pattern.as_deref()) {
            v1::refuse(&problem)
        } else {
            problem.respond(&path, &id)
        };
        cors::carry(response.headers(), answer.headers_mut());
        if let Some(challenge) = answer.headers().get(header::WWW_AUTHENTICATE)
            && let Some(told) = metadata::advertised(challenge, response.request(), &api)
        {
            answer.headers_mut().insert(header::WWW_AUTHENTICATE, told);
        }
        response = response.into_response(answer);
    }
    finish(response.headers_mut(), &id);
    if api.access.limits.is_some() {
        let standing = response
            .request()
            .extensions()
            .get::<RateLimitStanding>()
            .copied();
        if let Some(standing) = standing {
            standing.tell(response.headers_mut());
        }
    }
    if api.in_flight.is_closed() {
        let head = response.response_mut().head_mut();
        head.set_connection_type(ConnectionType::Close);
    }
    let _in_span = span.entered();
    metrics.answered(&response, &method, began);
    Ok(response)
}

/// Lets a request in, or says why not.
pub async fn access_middleware(
    request: ServiceRequest,
    next: Next<impl MessageBody + 'static>,
) -> Result<ServiceResponse<BoxBody>, Error> {
    let api = Api::of(request.request())?.clone();
    let (uri, access) = (request.uri(), &api.access);
    let origins = todo_backend::origins(&api, uri.path());
    let (method, headers) = (request.method(), request.headers());
    let judged = origin::check(method, uri, headers, access.is_open(), origins);
    let judged = match judged {
        Ok(()) => access.admit(&request, api.store()).await,
        refused => refused,
    };
    match judged {
        Ok(()) => next
            .call(request)
            .await
            .map(ServiceResponse::map_into_boxed_body),
        Err(problem) => Ok(request.error_response(problem)),
    }
}

/// The problem an answer stands for. The framework's own errors have no mark: their status says it.
fn problem_of(response: &ServiceResponse<BoxBody>) -> Option<Problem> {
    let inner: &HttpResponse<BoxBody> = response.response();
    if let Some(problem) = inner.extensions().get::<Problem>() {
        return Some(problem.clone());
    }
    if let Some(problem) = inner.error().and_then(cors::refused) {
        return Some(problem);
    }
    let status = inner.status();
    let is_error = status.is_client_error() || status.is_server_error();
    let has_type = inner.headers().contains_key(header::CONTENT_TYPE);
    let own = inner.error().is_none() && has_type;
    (is_error && !own).then(|| {
        let code = Code::of_status(status.as_u16());
        Problem::new(code, format!("{}.", code.title()))
    })
}

fn finish(headers: &mut HeaderMap, id: &str) {
    cors::finish(headers);
    let mut put = |name: HeaderName, value: &'static str| {
        if !headers.contains_key(&name) {
            headers.insert(name, HeaderValue::from_static(value));
        }
    };
    put(header::X_CONTENT_TYPE_OPTIONS, "nosniff");
    put(header::REFERRER_POLICY, "no-referrer");
    put(header::CONTENT_SECURITY_POLICY, NOTHING);
    put(header::X_FRAME_OPTIONS, "DENY");
    put(
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    );
    put(header::CACHE_CONTROL, "no-store");
    // A harmless id can always be a header.
    if let Ok(id) = HeaderValue::from_str(id) {
        headers.insert(request_id::HEADER, id);
    }
}
