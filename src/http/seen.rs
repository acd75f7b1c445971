//! What the operator sees of a request: its figures, its span, and one line in the log.

use std::time::{Duration, Instant};

use actix_web::body::BoxBody;
use actix_web::dev::{ServiceRequest, ServiceResponse};
use actix_web::http::Method;

use super::problem::Problem;
use crate::telemetry;
use crate::telemetry::trace::{Span, names};

/// What supervisors ask for all day: said at debug only, and in no trace.
const PROBES: [&str; 3] = ["/healthz", "/readyz", "/metrics"];

/// What stands for the pattern of an address that is none.
const NOWHERE: &str = "(none)";

/// A request, as long as it has no answer.
pub(super) struct Seen {
    pub(super) span: Span,
}

impl Seen {
    /// It came in.
    pub(super) fn begin(request: &ServiceRequest, method: &Method, id: &str) -> Self {
        if let Some(meters) = telemetry::meters() {
            meters.request_began();
        }
        Self {
            span: span(request, method, id),
        }
    }

    /// It is answered with a problem.
    pub(super) fn problem(&self, problem: &Problem) {
        if problem.code.status() >= 500 {
            self.span.fail(problem.code.as_str());
        } else {
            self.span.set(names::ERROR_TYPE, problem.code.as_str());
        }
        if let Some(meters) = telemetry::meters() {
            meters.problem(problem.code.as_str(), problem.violated);
        }
    }

    /// It is answered.
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

/// Milliseconds with three places: a sum of floats has seventeen.
fn milliseconds(took: Duration) -> f64 {
    (took.as_secs_f64() * 1e6).round() / 1e3
}

impl Drop for Seen {
    fn drop(&mut self) {
        if let Some(meters) = telemetry::meters() {
            meters.request_left();
        }
    }
}

fn span(request: &ServiceRequest, method: &Method, id: &str) -> Span {
    if !telemetry::trace::is_on() {
        return Span::default();
    }
    let route = request.match_pattern();
    let route = route.as_deref().unwrap_or(NOWHERE);
    if PROBES.contains(&route) {
        return Span::default();
    }
    let method = telemetry::known_method(method.as_str());
    let headers = request.headers();
    let header = |name: &'static str| headers.get(name).and_then(|value| value.to_str().ok());
    let span = Span::answering(header, || format!("{method} {route}"));
    span.set(names::METHOD, method.to_owned());
    span.set(names::ROUTE, route.to_owned());
    span.set(names::REQUEST_ID, id.to_owned());
    span
}

#[cfg(test)]
mod tests {
    use super::*;

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
