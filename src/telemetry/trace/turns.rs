//! Runs of agents and the traces they belong to, by the turn that the run is told under.
//!
//! Known in the process that began the run, for the newest runs. One that another process takes
//! up begins a trace of its own.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};

use opentelemetry::Context;
use opentelemetry::trace::{SpanContext, TraceContextExt};

use super::{SpanSide, TRACER, TraceSpan};
use crate::domain::TurnId;

/// Turns that are remembered.
const MOST: usize = 4_096;

#[derive(Default)]
struct KnownTurns {
    of: HashMap<TurnId, SpanContext>,
    order: VecDeque<TurnId>,
}

impl KnownTurns {
    fn keep(&mut self, turn: TurnId, span: SpanContext, most: usize) {
        if self.of.insert(turn, span).is_none() {
            self.order.push_back(turn);
        }
        while self.order.len() > most {
            if let Some(oldest) = self.order.pop_front() {
                self.of.remove(&oldest);
            }
        }
    }
}

static KNOWN: Mutex<Option<KnownTurns>> = Mutex::new(None);

fn known() -> MutexGuard<'static, Option<KnownTurns>> {
    KNOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

impl TraceSpan {
    /// Remembers that what is told under `turn` began in this span.
    pub fn keeps(&self, turn: TurnId) {
        let Some(context) = self.0.as_ref().filter(|_| self.is_seen()) else {
            return;
        };
        let span = context.span().span_context().clone();
        known().get_or_insert_default().keep(turn, span, MOST);
    }

    /// Begins a span inside the one that `turn` began in, or a trace of its own.
    pub fn after(turn: TurnId, name: impl FnOnce() -> String) -> Self {
        let Some(tracer) = TRACER.get() else {
            return Self(None);
        };
        let parent = known()
            .as_ref()
            .and_then(|known| known.of.get(&turn).cloned());
        let context = match parent {
            Some(parent) => Context::new().with_remote_span_context(parent),
            None => Context::new(),
        };
        Self::open(tracer, SpanSide::Inside, name().into(), &context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_turns_are_known() {
        let mut known = KnownTurns::default();
        let turn = |number: u128| TurnId::new(uuid::Uuid::from_u128(number));
        for number in [1, 2, 2, 3, 4] {
            known.keep(turn(number), SpanContext::empty_context(), 3);
        }
        assert_eq!((known.of.len(), known.order.len()), (3, 3));
        assert!(!known.of.contains_key(&turn(1)) && known.of.contains_key(&turn(4)));
    }
}
