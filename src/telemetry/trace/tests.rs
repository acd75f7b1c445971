//! Reading of a caller's headers, and the cost of a span that nobody collects.

use opentelemetry::trace::TraceContextExt;

use super::{SpanKind, TraceSpan, callers, is_token};

#[test]
fn a_bad_traceparent_is_none() {
    let check = |header: &str, expect: Option<&str>| {
        let context = callers(|name| (name == "traceparent").then_some(header));
        let span = context.span();
        let trace = span.span_context();
        let trace = trace.is_valid().then(|| trace.trace_id().to_string());
        assert_eq!(trace.as_deref(), expect, "{header}");
    };
    let trace = "4bf92f3577b34da6a3ce929d0e0e4736";
    check(&format!("00-{trace}-00f067aa0ba902b7-01"), Some(trace));
    check(&format!("00-{trace}-00f067aa0ba902b7-00"), Some(trace));
    check(&format!("00-{trace}-0000000000000000-01"), None);
    check(
        "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
        None,
    );
    check(&format!("ff-{trace}-00f067aa0ba902b7-01"), None);
    check(&format!("00-{trace}-00f067aa0ba902b7"), None);
    check(
        &format!("00-{}-00f067aa0ba902b7-01", trace.to_uppercase()),
        None,
    );
    check(&format!("00-{trace}-00f067aa0ba902b7-01-more"), None);
    check("", None);
    check("00-\u{e9}-00f067aa0ba902b7-01", None);
}

#[test]
fn an_id_is_no_text() {
    assert!(is_token("chatcmpl-AbC_123") && is_token("call_1"));
    for text in ["", "delete milk", "é", "a\n", &"x".repeat(129)] {
        assert!(!is_token(text), "{text}");
    }
}

#[tokio::test]
async fn a_span_that_nobody_collects_is_nothing() {
    let span = TraceSpan::begin(SpanKind::Internal, || -> String { unreachable!() });
    span.set("x", "y");
    assert!(!span.is_seen() && span.headers().is_empty() && span.trace_id().is_none());
    assert_eq!(span.run(async { 7 }).await, 7);
}
