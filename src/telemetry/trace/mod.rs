//! Spans, sent to an OpenTelemetry collector as OTLP over HTTP.
//!
//! They go past the program's log on purpose: what is logged can't end up in a span, and a span
//! holds nothing but the attributes that are set on it by name. While nobody collects, a span is
//! `None` and everything about it one comparison.

mod export;
pub mod names;
#[cfg(test)]
mod tests;
mod turns;

use std::borrow::Cow;
use std::collections::HashMap;
use std::future::Future;
use std::sync::OnceLock;

use futures_util::future::Either;
use opentelemetry::context::FutureExt;
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry::trace::{Status, TraceContextExt, Tracer};
use opentelemetry::{Array, Context, KeyValue, StringValue, Value};
use opentelemetry_sdk::propagation::TraceContextPropagator;
use opentelemetry_sdk::trace::SdkTracer;

pub use opentelemetry::trace::SpanKind;

pub use self::export::{SpanCollection, TraceSettings, start};

static TRACER: OnceLock<SdkTracer> = OnceLock::new();

/// A piece of work that is under way. Clones are the same span; it ends with the last of them,
/// or when it is told to.
#[derive(Debug, Clone, Default)]
pub struct TraceSpan(Option<Context>);

/// The longest id of somebody else's that is noted, in bytes.
const ID_MAX: usize = 128;

/// Tells an id from words: what stands in a span must not be what somebody said.
pub fn is_token(id: &str) -> bool {
    let letter = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:".contains(&byte);
    (1..=ID_MAX).contains(&id.len()) && id.bytes().all(letter)
}

/// Tells whether anybody collects spans.
pub fn is_on() -> bool {
    TRACER.get().is_some()
}

impl TraceSpan {
    /// Begins one inside the span that is current; its name is made only if it is needed.
    pub fn begin<N: Into<Cow<'static, str>>>(kind: SpanKind, name: impl FnOnce() -> N) -> Self {
        match TRACER.get() {
            Some(tracer) => Self::open(tracer, kind, name().into(), &Context::current()),
            None => Self(None),
        }
    }

    /// Begins one for a request, inside the caller's span if its `traceparent` is one. A header
    /// that can't be read is as if there were none: a new trace begins (W3C Trace Context).
    pub fn answering<'h, N: Into<Cow<'static, str>>>(
        header: impl Fn(&'static str) -> Option<&'h str>,
        name: impl FnOnce() -> N,
    ) -> Self {
        match TRACER.get() {
            Some(tracer) => Self::open(tracer, SpanKind::Server, name().into(), &callers(header)),
            None => Self(None),
        }
    }

    fn open(tracer: &SdkTracer, kind: SpanKind, name: Cow<'static, str>, parent: &Context) -> Self {
        let span = tracer.span_builder(name).with_kind(kind);
        let span = span.start_with_context(tracer, parent);
        Self(Some(parent.with_span(span)))
    }

    /// The span that is current, to go on under it in another task.
    pub fn current() -> Self {
        Self(is_on().then(Context::current))
    }

    /// Tells whether somebody will see it.
    pub fn is_seen(&self) -> bool {
        let seen = |context: &Context| context.span().is_recording();
        self.0.as_ref().is_some_and(seen)
    }

    /// Notes something about it, by one of [`names`].
    pub fn set(&self, name: &'static str, value: impl Into<Value>) {
        if let Some(context) = &self.0 {
            context.span().set_attribute(KeyValue::new(name, value));
        }
    }

    /// The same for a list of one word.
    pub fn set_list(&self, name: &'static str, word: &str) {
        if self.0.is_some() {
            let words: Vec<StringValue> = vec![word.to_owned().into()];
            self.set(name, Value::Array(Array::String(words)));
        }
    }

    /// Notes that it failed, and how, in a word of the program.
    pub fn fail(&self, kind: &'static str) {
        if let Some(context) = &self.0 {
            self.set(names::ERROR_TYPE, kind);
            context.span().set_status(Status::error(""));
        }
    }

    /// Ends it; what is noted afterwards is lost.
    pub fn end(&self) {
        if let Some(context) = &self.0 {
            context.span().end();
        }
    }

    /// Does `work` inside it: spans that begin there are its children. The work of a turn is large,
    /// and an `async fn` would have room for it twice: as its argument, and where it is waited for.
    pub fn run<W: Future>(&self, work: W) -> impl Future<Output = W::Output> + use<W> {
        match &self.0 {
            Some(context) => Either::Left(work.with_context(context.clone())),
            None => Either::Right(work),
        }
    }

    /// The trace it belongs to, for the log: 32 hexadecimal digits.
    pub fn trace_id(&self) -> Option<String> {
        let context = self.0.as_ref()?;
        let span = context.span();
        let known = span.span_context();
        known.is_valid().then(|| known.trace_id().to_string())
    }

    /// The headers that carry it to another process: `traceparent`, and `tracestate` if any.
    pub fn headers(&self) -> Vec<(String, String)> {
        let Some(context) = &self.0 else {
            return Vec::new();
        };
        let mut headers = HashMap::new();
        TraceContextPropagator::new().inject_context(context, &mut headers);
        headers.retain(|_, value| !value.is_empty());
        headers.into_iter().collect()
    }
}

/// The caller's span, as its headers tell; none if they don't.
fn callers<'h>(header: impl Fn(&'static str) -> Option<&'h str>) -> Context {
    let names = ["traceparent", "tracestate"];
    let told = names.into_iter().filter_map(|name| {
        let value = header(name)?;
        Some((name.to_owned(), value.to_owned()))
    });
    let told: HashMap<String, String> = told.collect();
    TraceContextPropagator::new().extract_with_context(&Context::new(), &told)
}
