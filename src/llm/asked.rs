//! Asking a model so that the operator sees it: how often, how long, how many tokens, and a span.

use std::time::{Duration, Instant};

use super::attempt::{ModelAttempt, parts};
use super::{LanguageModel, ModelAnswer, ModelError, ModelRequest};
use crate::telemetry;

/// Counts one question from here until it is answered, has failed, or is given up.
#[derive(Debug)]
struct QuestionCount {
    /// None where the model begins a span for each of its attempts.
    attempt: Option<ModelAttempt>,
    provider: String,
    model: String,
    began: Instant,
    told: bool,
}

impl QuestionCount {
    fn begin(model: &dyn LanguageModel) -> Self {
        let (provider, name) = parts(model.name());
        let alone = !model.traces_attempts();
        Self {
            attempt: alone.then(|| ModelAttempt::begin(model.name(), None)),
            provider: provider.to_owned(),
            model: name.to_owned(),
            began: Instant::now(),
            told: false,
        }
    }

    fn end(&mut self, ended: &Result<ModelAnswer, ModelError>) {
        let took = self.began.elapsed();
        self.told = true;
        if let Some(attempt) = &mut self.attempt {
            attempt.end(ended.as_ref());
        }
        match ended {
            Ok(answer) => count(parts(&answer.model), "answered", took, answer.usage),
            Err(error) => count((&self.provider, &self.model), error.word(), took, None),
        }
    }
}

impl Drop for QuestionCount {
    fn drop(&mut self) {
        if !self.told {
            // Nobody waited for the answer any more.
            self.end(&Err(ModelError::Stopped));
        }
    }
}

/// Asks `model`, and tells the operator of it. Dropping the future counts as `stopped`.
pub async fn ask(
    model: &dyn LanguageModel,
    request: &ModelRequest,
) -> Result<ModelAnswer, ModelError> {
    let mut asked = QuestionCount::begin(model);
    let ended = match &asked.attempt {
        Some(attempt) => attempt.span().run(model.ask(request)).await,
        None => model.ask(request).await,
    };
    asked.end(&ended);
    ended
}

fn count(who: (&str, &str), outcome: &str, took: Duration, usage: Option<(u64, u64)>) {
    if let Some(meters) = telemetry::meters() {
        meters.model(who, outcome, took, usage);
    }
}
