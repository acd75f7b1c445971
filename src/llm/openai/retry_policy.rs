//! Decides what to do after a fault: ask again, ask the next model, or give up.
//!
//! Decides without I/O, clock or chance: the time that is left is an argument, and the
//! pauses are fixed, for one user's turn starts no stampede.

use std::time::Duration;

use super::fault::ExchangeFault;
use crate::llm::ModelError;

/// Largest number of repeats of one question in all; the first try of a further model is no repeat.
const RETRIES: usize = 2;
/// The pauses before the repeats.
const PAUSES: [Duration; RETRIES] = [Duration::from_millis(100), Duration::from_millis(300)];
/// The longest pause a server may ask for; beyond it the user is told to wait instead.
const PAUSE_MAX: Duration = Duration::from_secs(2);

/// The next step after a fault.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RetryStep {
    /// Ask the same model again, after this pause.
    Again(Duration),
    /// Ask the next model now.
    NextModel,
    /// Report the fault.
    GiveUp,
}

/// The patience of one question.
#[derive(Debug)]
pub(super) struct RetryPolicy {
    pauses: std::array::IntoIter<Duration, RETRIES>,
    fallbacks: usize,
}

impl RetryPolicy {
    /// Fresh patience, with so many models to fall back to.
    pub(super) fn new(fallbacks: usize) -> Self {
        Self {
            pauses: PAUSES.into_iter(),
            fallbacks,
        }
    }

    /// The same without repeats.
    pub(super) fn without_repeats(fallbacks: usize) -> Self {
        let mut patience = Self::new(fallbacks);
        patience.pauses.by_ref().for_each(drop);
        patience
    }

    /// Returns how much of the time that is `left` the next try may take: all of it, or half while
    /// there is a model to fall back to, since a silent one is as good as down.
    pub(super) fn share(&self, left: Duration) -> Duration {
        if self.fallbacks == 0 { left } else { left / 2 }
    }

    /// The step after `fault`, with so much time `left`.
    pub(super) fn after(&mut self, fault: &ExchangeFault, left: Duration) -> RetryStep {
        if left.is_zero() {
            return RetryStep::GiveUp;
        }
        match fault.error {
            // Neither missing nor down: the server asks for less, so it gets no other question.
            ModelError::RateLimited { .. } => self.again(fault, left).unwrap_or(RetryStep::GiveUp),
            ModelError::Unauthorized | ModelError::Stopped | ModelError::Cancelled => {
                RetryStep::GiveUp
            }
            ModelError::NoSuchModel => self.next_model(),
            // It has had its share of the time: another model first, if there is one.
            ModelError::Timeout if self.fallbacks > 0 => self.next_model(),
            ModelError::Timeout
            | ModelError::Unreachable
            | ModelError::Malformed(_)
            | ModelError::Status(_) => {
                if !fault.error.is_transient() {
                    return RetryStep::GiveUp;
                }
                self.again(fault, left).unwrap_or_else(|| self.next_model())
            }
        }
    }

    /// One repeat, if one is left and its pause is short enough.
    fn again(&mut self, fault: &ExchangeFault, left: Duration) -> Option<RetryStep> {
        let pause = self.pauses.next()?;
        let pause = fault.wait.unwrap_or(pause);
        (pause <= PAUSE_MAX && pause < left).then_some(RetryStep::Again(pause))
    }

    fn next_model(&mut self) -> RetryStep {
        match self.fallbacks.checked_sub(1) {
            Some(rest) => {
                self.fallbacks = rest;
                RetryStep::NextModel
            }
            None => RetryStep::GiveUp,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LEFT: Duration = Duration::from_secs(30);
    const FIRST: RetryStep = RetryStep::Again(PAUSES[0]);
    const SECOND: RetryStep = RetryStep::Again(PAUSES[1]);

    fn limited(wait: Option<u64>) -> ExchangeFault {
        ExchangeFault {
            error: ModelError::RateLimited { retry_after: wait },
            refused_schema: None,
            wait: wait.map(Duration::from_secs),
        }
    }

    fn check(fallbacks: usize, fault: impl Into<ExchangeFault>, expect: &[RetryStep]) {
        let mut patience = RetryPolicy::new(fallbacks);
        let fault = fault.into();
        let steps: Vec<_> = expect
            .iter()
            .map(|_| patience.after(&fault, LEFT))
            .collect();
        assert_eq!(steps, expect, "{fault:?}");
    }

    #[test]
    fn transient_faults_are_repeated_twice_in_all() {
        let transient = [
            ModelError::Unreachable,
            ModelError::Malformed("not JSON"),
            ModelError::Status(500),
            ModelError::Status(408),
        ];
        for error in transient {
            check(0, error.clone(), &[FIRST, SECOND, RetryStep::GiveUp]);
            let expect = [
                FIRST,
                SECOND,
                RetryStep::NextModel,
                RetryStep::NextModel,
                RetryStep::GiveUp,
            ];
            check(2, error, &expect);
        }
        check(0, ModelError::Timeout, &[FIRST, SECOND, RetryStep::GiveUp]);
    }

    #[test]
    fn without_repeats_the_next_model_is_asked_at_once() {
        let mut patience = RetryPolicy::without_repeats(1);
        let fault = ModelError::Status(500).into();
        assert_eq!(patience.after(&fault, LEFT), RetryStep::NextModel);
        assert_eq!(patience.after(&fault, LEFT), RetryStep::GiveUp);
    }

    #[test]
    fn a_missing_or_silent_model_is_left_at_once() {
        check(
            1,
            ModelError::NoSuchModel,
            &[RetryStep::NextModel, RetryStep::GiveUp],
        );
        check(1, ModelError::Timeout, &[RetryStep::NextModel, FIRST]);
    }

    #[test]
    fn what_asking_again_cannot_cure_is_reported() {
        check(1, ModelError::Unauthorized, &[RetryStep::GiveUp]);
        check(1, ModelError::Status(400), &[RetryStep::GiveUp]);
        check(1, ModelError::Status(302), &[RetryStep::GiveUp]);
    }

    #[test]
    fn a_server_that_asks_for_time_gets_it_or_is_left_alone() {
        let second = RetryStep::Again(Duration::from_secs(1));
        check(1, limited(Some(1)), &[second, second, RetryStep::GiveUp]);
        check(1, limited(None), &[FIRST, SECOND, RetryStep::GiveUp]);
        check(1, limited(Some(3)), &[RetryStep::GiveUp]);
        let down = |wait| ExchangeFault {
            error: ModelError::Status(503),
            wait: Some(Duration::from_secs(wait)),
            refused_schema: None,
        };
        check(0, down(60), &[RetryStep::GiveUp]);
        check(1, down(60), &[RetryStep::NextModel]);
    }

    #[test]
    fn no_pause_outlasts_the_deadline() {
        let left = Duration::from_millis(100);
        let mut patience = RetryPolicy::new(0);
        assert_eq!(
            patience.after(&ModelError::Unreachable.into(), left),
            RetryStep::GiveUp
        );
        let mut patience = RetryPolicy::new(1);
        assert_eq!(
            patience.after(&ModelError::NoSuchModel.into(), Duration::ZERO),
            RetryStep::GiveUp
        );
    }

    #[test]
    fn a_model_with_a_successor_gets_half_of_the_time() {
        assert_eq!(RetryPolicy::new(0).share(LEFT), LEFT);
        assert_eq!(RetryPolicy::new(2).share(LEFT), LEFT / 2);
    }
}
