//! Reason why one exchange with the server gave no answer, read from its status, headers and body.
//!
//! A body is looked at for three facts only: that the model is missing, that the account is spent,
//! and that the tools' schemas are refused. Only what is said of schemas, which are ours, goes
//! further, to the log; anything else may hold a key or the user's words.

use std::time::Duration;

use async_openai::error::OpenAIError;
use chrono::DateTime;
use reqwest::header::{DATE, HeaderMap, RETRY_AFTER};
use serde_json::Value;

use crate::llm::ModelError;

/// The longest wait that is passed on, in seconds: beyond it, it is not a matter of waiting.
const RETRY_AFTER_MAX: u64 = 3600;

/// Length of a server's words that is kept, in characters.
const SAID_MAX: usize = 300;

/// Words of servers that say, beside a status that may mean anything, that they lack the model.
const MISSING_MODEL: [&str; 8] = [
    "not found",
    "not exist",
    "not a valid model",
    "invalid model",
    "unknown model",
    "no such model",
    "unsupported model",
    "model_not_found",
];

/// One exchange without an answer.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{error}")]
pub(super) struct ExchangeFault {
    /// The error that the caller is told.
    pub error: ModelError,
    /// Time for which the server asks to be left alone.
    pub wait: Option<Duration>,
    /// The server's words, where it refuses the schemas of the tools.
    pub refused_schema: Option<String>,
}

impl From<ModelError> for ExchangeFault {
    fn from(error: ModelError) -> Self {
        Self {
            error,
            wait: None,
            refused_schema: None,
        }
    }
}

impl From<ExchangeFault> for OpenAIError {
    fn from(fault: ExchangeFault) -> Self {
        Self::Boxed(Box::new(fault))
    }
}

impl From<OpenAIError> for ExchangeFault {
    fn from(error: OpenAIError) -> Self {
        match error {
            OpenAIError::Boxed(boxed) => boxed
                .downcast::<Self>()
                .map_or_else(|_| ModelError::Unreachable.into(), |fault| *fault),
            // The transport hands up nothing but a parsed 200, so none of these has been seen.
            OpenAIError::Reqwest(_) => ModelError::Unreachable.into(),
            OpenAIError::ApiError(refused) => {
                ModelError::Status(refused.status_code.as_u16()).into()
            }
            OpenAIError::JSONDeserialize(..) | OpenAIError::StreamError(_) => {
                ModelError::Malformed("not JSON").into()
            }
            OpenAIError::InvalidArgument(_)
            | OpenAIError::FileSaveError(_)
            | OpenAIError::FileReadError(_) => ModelError::Malformed("the request").into(),
        }
    }
}

/// Reads the fault from an answer with another status than `200`.
pub(super) fn refusal(status: u16, headers: &HeaderMap, body: &[u8]) -> ExchangeFault {
    let wait = retry_after(headers);
    let error = match status {
        404 => ModelError::NoSuchModel,
        400 | 403 | 422 if lacks_model(body) => ModelError::NoSuchModel,
        401 | 403 => ModelError::Unauthorized,
        // A spent account answers 429 too; waiting does not fill it.
        429 if error_field(body, "code") == "insufficient_quota"
            || error_field(body, "type") == "insufficient_quota" =>
        {
            ModelError::Status(status)
        }
        429 => ModelError::RateLimited {
            retry_after: wait.map(whole_seconds),
        },
        _ => ModelError::Status(status),
    };
    let refused_schema = match status {
        400 | 422 => refused_schema(body),
        _ => None,
    };
    ExchangeFault {
        error,
        wait,
        refused_schema,
    }
}

/// The words by which a server refuses strict schemas; cut to one line.
fn refused_schema(body: &[u8]) -> Option<String> {
    let message = error_field(body, "message");
    let words = message.to_lowercase();
    let refused = error_field(body, "code") == "invalid_function_parameters"
        || words.contains("schema")
        || words.contains("strict");
    let line = crate::domain::shown(&message);
    refused.then(|| line.chars().take(SAID_MAX).collect())
}

/// `Retry-After` in its three spellings; a date is counted from the server's own `Date`, so
/// that no clock is read and a wrong one does no harm.
fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let text = |name: &str| headers.get(name)?.to_str().ok().map(str::trim);
    let number = |text: &str| {
        let number = text.parse::<f64>().ok()?;
        Some(number.clamp(0.0, 1e9)).filter(|number| number.is_finite())
    };
    if let Some(millis) = text("retry-after-ms").and_then(number) {
        return Some(capped(Duration::from_secs_f64(millis / 1000.0)));
    }
    let after = text(RETRY_AFTER.as_str())?;
    if let Some(seconds) = number(after) {
        return Some(capped(Duration::from_secs_f64(seconds)));
    }
    let until = DateTime::parse_from_rfc2822(after).ok()?;
    let sent = DateTime::parse_from_rfc2822(text(DATE.as_str())?).ok()?;
    Some(capped((until - sent).to_std().unwrap_or_default()))
}

fn capped(wait: Duration) -> Duration {
    wait.min(Duration::from_secs(RETRY_AFTER_MAX))
}

fn whole_seconds(wait: Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

fn lacks_model(body: &[u8]) -> bool {
    if error_field(body, "code") == "model_not_found" {
        return true;
    }
    let message = error_field(body, "message").to_lowercase();
    message.contains("model") && MISSING_MODEL.iter().any(|words| message.contains(words))
}

/// A text of the error object, wherever this server keeps it; empty when there is none.
fn error_field(body: &[u8], name: &str) -> String {
    let body: Value = serde_json::from_slice(body).unwrap_or_default();
    let error = body.get("error").unwrap_or(&body);
    let field = match error {
        Value::String(message) if name == "message" => Some(message.as_str()),
        _ => error.get(name).and_then(Value::as_str),
    };
    field.unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use reqwest::header::{HeaderName, HeaderValue};
    use serde_json::json;

    use super::*;

    fn headers(pairs: &[(&'static str, &'static str)]) -> HeaderMap {
        pairs
            .iter()
            .map(|(name, value)| {
                (
                    HeaderName::from_static(name),
                    HeaderValue::from_static(value),
                )
            })
            .collect()
    }

    fn check(status: u16, body: &Value, expect: ModelError) {
        let fault = refusal(status, &HeaderMap::new(), body.to_string().as_bytes());
        assert_eq!(fault, ExchangeFault::from(expect), "{status} {body}");
    }

    #[test]
    fn statuses_mean_what_they_say() {
        let limited = ModelError::RateLimited { retry_after: None };
        check(401, &json!({}), ModelError::Unauthorized);
        check(403, &json!(null), ModelError::Unauthorized);
        check(404, &json!("nothing here"), ModelError::NoSuchModel);
        check(
            429,
            &json!({"error": {"code": "rate_limit_exceeded"}}),
            limited,
        );
        for status in [204, 301, 400, 402, 408, 413, 500, 503, 529] {
            check(status, &json!({}), ModelError::Status(status));
        }
    }

    #[test]
    fn a_missing_model_is_told_from_a_bad_request() {
        let missing = [
            json!({"error": {"message": "x", "code": "model_not_found"}}),
            json!({"error": {"message": "The model `m` does not exist"}}),
            json!({"error": "model 'm' not found, try pulling it first"}),
            json!({"message": "m is not a valid model ID"}),
            json!({"error": {"message": "Model Not Exist", "code": 400}}),
        ];
        for body in missing {
            check(400, &body, ModelError::NoSuchModel);
            check(422, &body, ModelError::NoSuchModel);
        }
        let other = json!({"error": {"message": "messages must not be empty"}});
        check(400, &other, ModelError::Status(400));
        let tool = json!({"error": {"message": "tool_choice: function not found"}});
        check(400, &tool, ModelError::Status(400));
    }

    #[test]
    fn only_words_about_schemas_are_kept() {
        let kept = |status, body: Value| {
            let body = body.to_string();
            refusal(status, &HeaderMap::new(), body.as_bytes()).refused_schema
        };
        let said = "Invalid schema for function 'add_task': 'minLength' is not permitted.";
        let refused = json!({"error": {"message": said, "code": "invalid_function_parameters"}});
        assert_eq!(kept(400, refused.clone()).as_deref(), Some(said));
        assert_eq!(kept(500, refused), None);
        let unknown = json!({"error": {"message": "Unknown parameter: strict\n"}});
        assert!(kept(422, unknown).is_some_and(|said| !said.contains('\n')));
        assert_eq!(
            kept(400, json!({"error": {"message": "delete milk"}})),
            None
        );
        let long = json!({"error": {"message": "schema ".repeat(1000)}});
        assert_eq!(kept(400, long).unwrap().chars().count(), SAID_MAX);
    }

    #[test]
    fn a_spent_account_is_no_rate_limit() {
        let body = json!({"error": {"type": "insufficient_quota", "message": "no money"}});
        check(429, &body, ModelError::Status(429));
        assert!(!ModelError::Status(429).is_transient());
    }

    #[test]
    fn waits_are_read_in_every_spelling() {
        let check = |pairs: &[(&'static str, &'static str)], expect: Option<u128>| {
            let wait = retry_after(&headers(pairs)).map(|wait| wait.as_millis());
            assert_eq!(wait, expect, "{pairs:?}");
        };
        for (text, expect) in [
            ("7", Some(7_000)),
            (" 0 ", Some(0)),
            ("1.5", Some(1_500)),
            ("-3", Some(0)),
            ("99999999999", Some(3_600_000)),
            ("inf", Some(3_600_000)),
            ("NaN", None),
            ("soon", None),
        ] {
            check(&[("retry-after", text)], expect);
        }
        check(&[], None);
        check(
            &[("retry-after-ms", "250"), ("retry-after", "9")],
            Some(250),
        );
        let date = ("date", "Sun, 08 Feb 2026 12:00:00 GMT");
        let later = ("retry-after", "Sun, 08 Feb 2026 12:00:30 GMT");
        let earlier = ("retry-after", "Sun, 08 Feb 2026 11:00:00 GMT");
        check(&[later, date], Some(30_000));
        check(&[earlier, date], Some(0));
        check(&[later], None);
        let fault = refusal(429, &headers(&[("retry-after", "1.2")]), b"");
        let limited = ModelError::RateLimited {
            retry_after: Some(2),
        };
        assert_eq!(fault.error, limited);
    }
}
