//! One attempt at an answer as a span, by the conventions for generative AI: who was asked where,
//! and what came of it. A question that is asked again has a span for each attempt.

use super::{ModelAnswer, ModelError};
use crate::telemetry::trace::{SpanKind, TraceSpan, is_token, names};

/// An attempt that is under way; one that is dropped was stopped.
#[derive(Debug)]
pub(super) struct ModelAttempt {
    span: TraceSpan,
    ended: bool,
}

/// Host and port of a model's server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct ServerAddress {
    pub(super) host: String,
    pub(super) port: Option<u16>,
}

impl ModelAttempt {
    /// Begins one to ask `name`, as `instance (model)`, at a server, if it is at one.
    pub(super) fn begin(name: &str, server: Option<&ServerAddress>) -> Self {
        let (provider, model) = parts(name);
        let span = TraceSpan::begin(SpanKind::Client, || format!("{} {model}", names::CHAT));
        span.set(names::OPERATION, names::CHAT);
        if span.is_seen() {
            span.set(names::PROVIDER, provider.to_owned());
            span.set(names::REQUEST_MODEL, model.to_owned());
            if let Some(server) = server {
                span.set(names::SERVER_ADDRESS, server.host.clone());
                if let Some(port) = server.port {
                    span.set(names::SERVER_PORT, i64::from(port));
                }
            }
        }
        Self { span, ended: false }
    }

    /// The span, for what is done inside it.
    pub(super) fn span(&self) -> TraceSpan {
        self.span.clone()
    }

    /// Notes the server's id of its answer, where it is one and no text.
    pub(super) fn answered_as(&self, id: &str) {
        if is_token(id) {
            self.span.set(names::RESPONSE_ID, id.to_owned());
        }
    }

    /// Ends it.
    pub(super) fn end(&mut self, ended: Result<&ModelAnswer, &ModelError>) {
        if std::mem::replace(&mut self.ended, true) {
            return;
        }
        match ended {
            Ok(answer) if self.span.is_seen() => {
                let (_, model) = parts(&answer.model);
                self.span.set(names::RESPONSE_MODEL, model.to_owned());
                self.span.set_list(names::FINISH_REASONS, &answer.finish);
                if let Some((input, output)) = answer.usage {
                    self.span.set(names::INPUT_TOKENS, whole(input));
                    self.span.set(names::OUTPUT_TOKENS, whole(output));
                }
            }
            Ok(_) => {}
            Err(error) => self.span.fail(error.word()),
        }
        self.span.end();
    }
}

impl Drop for ModelAttempt {
    fn drop(&mut self) {
        self.end(Err(&ModelError::Stopped));
    }
}

fn whole(tokens: u64) -> i64 {
    i64::try_from(tokens).unwrap_or(i64::MAX)
}

/// Provider and model of `instance (model)`.
pub(super) fn parts(name: &str) -> (&str, &str) {
    let split = name
        .strip_suffix(')')
        .and_then(|name| name.split_once(" ("));
    split.unwrap_or((name, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_a_provider_and_a_model() {
        assert_eq!(parts("openai (gpt-4)"), ("openai", "gpt-4"));
        assert_eq!(parts("or (a/b (free))"), ("or", "a/b (free)"));
        assert_eq!(parts("stalling"), ("stalling", "stalling"));
    }
}
