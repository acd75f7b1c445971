//! Asking a model so that the operator sees it: how often, how long, how many tokens, and a span.

use std::time::{Duration, Instant};

use super::{Answer, Model, ModelError, Request};
use crate::telemetry;
use crate::telemetry::trace::{Side, Span, names};

/// Counts one question from here until it is answered, has failed, or is given up.
#[derive(Debug)]
struct Asked {
    span: Span,
    provider: String,
    model: String,
    began: Instant,
    told: bool,
}

impl Asked {
    fn begin(model: &dyn Model) -> Self {
        let (provider, name) = parts(model.name());
        let span = Span::begin(Side::Client, || format!("{} {name}", names::CHAT));
        span.set(names::OPERATION, names::CHAT);
        if span.is_seen() {
            span.set(names::PROVIDER, provider.to_owned());
            span.set(names::REQUEST_MODEL, name.to_owned());
        }
        Self {
            span,
            provider: provider.to_owned(),
            model: name.to_owned(),
            began: Instant::now(),
            told: false,
        }
    }

    fn end(&mut self, ended: &Result<Answer, ModelError>) {
        let took = self.began.elapsed();
        self.told = true;
        match ended {
            Ok(answer) => {
                let (provider, model) = parts(&answer.model);
                if self.span.is_seen() {
                    self.span.set(names::RESPONSE_MODEL, model.to_owned());
                    self.span.set_list(names::FINISH_REASONS, &answer.finish);
                    if let Some((input, output)) = answer.usage {
                        self.span.set(names::INPUT_TOKENS, whole(input));
                        self.span.set(names::OUTPUT_TOKENS, whole(output));
                    }
                }
                count((provider, model), "answered", took, answer.usage);
            }
            Err(error) => {
                self.span.fail(error.word());
                count((&self.provider, &self.model), error.word(), took, None);
            }
        }
        self.span.end();
    }
}

impl Drop for Asked {
    fn drop(&mut self) {
        if !self.told {
            // Nobody waited for the answer any more.
            self.end(&Err(ModelError::Stopped));
        }
    }
}

/// Asks `model`, and tells the operator of it. Dropping the future counts as `stopped`.
///
/// # Errors
/// Those of the model.
pub async fn ask(model: &dyn Model, request: &Request) -> Result<Answer, ModelError> {
    let mut asked = Asked::begin(model);
    let ended = asked.span.clone().run(model.ask(request)).await;
    asked.end(&ended);
    ended
}

fn count(who: (&str, &str), outcome: &str, took: Duration, usage: Option<(u64, u64)>) {
    if let Some(meters) = telemetry::meters() {
        meters.model(who, outcome, took, usage);
    }
}

fn whole(tokens: u64) -> i64 {
    i64::try_from(tokens).unwrap_or(i64::MAX)
}

/// Provider and model of `instance (model)`.
fn parts(name: &str) -> (&str, &str) {
    let split = name
        .strip_suffix(')')
        .and_then(|name| name.split_once(" ("));
    split.unwrap_or((name, name))
}

#[cfg(test)]
mod tests {
    use super::parts;

    #[test]
    fn a_name_is_a_provider_and_a_model() {
        assert_eq!(parts("openai (gpt-4)"), ("openai", "gpt-4"));
        assert_eq!(parts("or (a/b (free))"), ("or", "a/b (free)"));
        assert_eq!(parts("stalling"), ("stalling", "stalling"));
    }
}
