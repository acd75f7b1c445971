//! Runs of agents and the traces they belong to, by the turn that the run is told under.
//!
//! Known in the process that began the run, for the newest runs. One that another process takes
//! up begins a trace of its own.

use std::sync::LazyLock;

use hashlink::LruCache;
use opentelemetry::Context;
use opentelemetry::trace::{SpanContext, TraceContextExt};
use parking_lot::Mutex;

use super::{SpanKind, TRACER, TraceSpan};
use crate::domain::TurnId;

/// Turns that are remembered.
const MOST: usize = 4_096;

static KNOWN: LazyLock<Mutex<LruCache<TurnId, SpanContext>>> =
    LazyLock::new(|| Mutex::new(LruCache::new(MOST)));

impl TraceSpan {
    /// Remembers that what is told under `turn` began in this span.
    pub fn keeps(&self, turn: TurnId) {
        let Some(context) = self.0.as_ref().filter(|_| self.is_seen()) else {
            return;
        };
        let span = context.span().span_context().clone();
        KNOWN.lock().insert(turn, span);
    }

    /// Begins a span inside the one that `turn` began in, or a trace of its own.
    pub fn after(turn: TurnId, name: impl FnOnce() -> String) -> Self {
        let Some(tracer) = TRACER.get() else {
            return Self(None);
        };
        let parent = KNOWN.lock().get(&turn).cloned();
        let context = match parent {
            Some(parent) => Context::new().with_remote_span_context(parent),
            None => Context::new(),
        };
        Self::open(tracer, SpanKind::Internal, name().into(), &context)
    }
}
