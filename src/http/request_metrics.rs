//! Records of a request for the operator: its figures, its span, and one line in the log.

use std::cell::Cell;
use std::time::{Duration, Instant};

use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;

use super::problem::Problem;
use crate::telemetry;
use crate::telemetry::trace::{TraceSpan, is_token, names};

/// Addresses that supervisors ask for all day: said at debug only, and in no trace.
const PROBES: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// Pattern given for an address that is none.
const NOWHERE: &str = "(none)";

/// Figures of a request, as long as it has no answer.
pub(super) struct RequestMetrics {
    pub(super) span: TraceSpan,
    /// The kind of its error stands in the span.
    explained: Cell<bool>,
}

impl RequestMetrics {
    /// Begins the figures of a request that came in.
    pub(super) fn begin(request: &ServiceRequest, method: &Method, id: &str) -> Self {
        if let Some(meters) = telemetry::meters() {
            meters.request_began();
        }
        Self {
            span: span(request, method, id),
            explained: Cell::new(false),
        }
    }

    /// Records that the request is answered with a problem.
    pub(super) fn problem(&self, problem: &Problem) {
        self.explained.set(true);
        if problem.code.status() >= 500 {
            self.span.fail(problem.code.as_str());
        } else {
            self.span.set(names::ERROR_TYPE, problem.code.as_str());
        }
        if let Some(meters) = telemetry::meters() {
            meters.problem(problem.code.as_str(), problem.violated);
        }
    }

    /// Records that the request is answered.
    pub(super) fn answered(
        &self,
        response: &ServiceResponse<BoxBody>,
        method: &Method,
        began: Instant,
    ) {
        // The route's pattern, not the path: a path names users and tasks, and is the caller's
        // text.
        let route = response.request().match_pattern();
        let route = route.as_deref().unwrap_or(NOWHERE);
        let status = response.status().as_u16();
        let took = began.elapsed();
        if let Some(meters) = telemetry::meters() {
            meters.request(method.as_str(), route, status, took);
        }
        if status >= 500 && !self.explained.replace(true) {
            // An answer that is no problem of ours: the protocol's of /mcp, or of a health check.
            self.span.fail(kind(status));
        }
        self.span.set(names::STATUS, i64::from(status));
        self.span.end();
        let ms = milliseconds(took);
        if PROBES.contains(&route) {
            tracing::debug!(%method, route, status, ms, "answered");
        } else {
            tracing::info!(%method, route, status, ms, "answered");
        }
    }
}

/// The kind of an error of which nothing but the status is known.
const fn kind(status: u16) -> &'static str {
    match status {
        500 => "500",
        502 => "502",
        503 => "503",
        504 => "504",
        _ => "_OTHER",
    }
}

/// Milliseconds with three places: a sum of floats has seventeen.
fn milliseconds(took: Duration) -> f64 {
    (took.as_secs_f64() * 1e6).round() / 1e3
}

impl Drop for RequestMetrics {
    fn drop(&mut self) {
        if let Some(meters) = telemetry::meters() {
            meters.request_left();
        }
    }
}

fn span(request: &ServiceRequest, method: &Method, id: &str) -> TraceSpan {
    if !telemetry::trace::is_on() {
        return TraceSpan::default();
    }
    let route = request.match_pattern();
    let route = route.as_deref().unwrap_or(NOWHERE);
    if PROBES.contains(&route) {
        return TraceSpan::default();
    }
    let method = telemetry::known_method(method.as_str());
    let headers = request.headers();
    let header = |name: &'static str| headers.get(name).and_then(|value| value.to_str().ok());
    let span = TraceSpan::answering(header, || format!("{method} {route}"));
    span.set(names::METHOD, method.to_owned());
    span.set(names::ROUTE, route.to_owned());
    if span.is_seen() {
        let connection = request.connection_info();
        span.set(names::PATH, scrubbed(request.path(), route));
        if matches!(connection.scheme(), "http" | "https") {
            span.set(names::SCHEME, connection.scheme().to_owned());
        }
        let (host, port) = server(connection.host());
        if is_token(host) {
            span.set(names::SERVER_ADDRESS, host.to_owned());
        }
        if let Some(port) = port {
            span.set(names::SERVER_PORT, i64::from(port));
        }
    }
    span.set(names::REQUEST_ID, id.to_owned());
    span
}

/// A path as a span may hold it: what a route's pattern leaves open is the caller's text, and
/// stays only where it is a UUID that is no user's.
fn scrubbed(path: &str, route: &str) -> String {
    const REDACTED: &str = "REDACTED";
    const USER: &str = "{user_id}";
    if route == NOWHERE {
        return format!("/{REDACTED}");
    }
    let known = route.split('/').zip(path.split('/')).map(|(own, sent)| {
        let open = own.starts_with('{');
        let harmless = !open || (own != USER && uuid::Uuid::try_parse(sent).is_ok());
        if harmless { sent } else { REDACTED }
    });
    known.collect::<Vec<_>>().join("/")
}

/// Name and port of a host.
fn server(host: &str) -> (&str, Option<u16>) {
    if let Some((name, port)) = host.rsplit_once(':')
        && let Ok(port) = port.parse()
    {
        return (
            name.trim_start_matches('[').trim_end_matches(']'),
            Some(port),
        );
    }
    (host.trim_start_matches('[').trim_end_matches(']'), None)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_keeps_what_names_nobody() {
        let id = "0198a3f0-0000-7000-8000-000000000001";
        let check = |path: &str, route: &str, expect: &str| {
            assert_eq!(scrubbed(path, route), expect, "{path}");
        };
        check("/v1/models", "/v1/models", "/v1/models");
        check("/api/ann/chat", "/api/{user_id}/chat", "/api/REDACTED/chat");
        let (task, route) = (
            format!("/api/ann/tasks/{id}"),
            "/api/{user_id}/tasks/{task_id}",
        );
        check(&task, route, &format!("/api/REDACTED/tasks/{id}"));
        let named = format!("/api/{id}/chat");
        check(&named, "/api/{user_id}/chat", "/api/REDACTED/chat");
        check("/docs/a/b.js", "/docs/{file:.*}", "/docs/REDACTED");
        check("/delete milk", NOWHERE, "/REDACTED");
    }

    #[test]
    fn a_fault_without_a_problem_is_of_its_status() {
        let kinds = [500, 501, 503].map(kind);
        assert_eq!(kinds, ["500", "_OTHER", "503"]);
    }

    #[test]
    fn a_host_is_a_name_and_a_port() {
        assert_eq!(server("127.0.0.1:8080"), ("127.0.0.1", Some(8080)));
        assert_eq!(server("todo.example"), ("todo.example", None));
        assert_eq!(server("[::1]:80"), ("::1", Some(80)));
        assert_eq!(server("[::1]"), ("::1", None));
    }

    #[test]
    fn milliseconds_have_three_places() {
        let check = |nanos, expect: &str| {
            assert_eq!(
                milliseconds(Duration::from_nanos(nanos)).to_string(),
                expect
            );
        };
        check(126_097, "0.126");
        check(1_500_000, "1.5");
        check(2_000_000_400, "2000");
    }
}
