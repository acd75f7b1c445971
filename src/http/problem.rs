//! Problems: every error answer in the form of RFC 9457.
//!
//! Handlers return a [`Problem`]; its body is written by `middleware`, which alone knows the
//! request's path and id. A problem never quotes an inner error: causes go to the log.

use std::fmt;

use actix_web::body::BoxBody;
use actix_web::http::StatusCode;
use actix_web::http::header::{ALLOW, CONTENT_TYPE, HeaderValue, RETRY_AFTER, WWW_AUTHENTICATE};
use actix_web::{HttpResponse, ResponseError};
use serde::Serialize;
use utoipa::ToSchema;

use super::code::Code;
use crate::chat::ChatError;
use crate::domain::ConversationId;
use crate::store::StoreError;

/// The media type of problems.
pub const MEDIA_TYPE: &str = "application/problem+json";

/// The registered type of what goes over a limit.
const QUOTA_EXCEEDED: &str = "https://iana.org/assignments/http-problem-types#quota-exceeded";

/// One error answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// Kind of the problem.
    pub code: Code,
    /// The fault and the cure, in plain words.
    pub detail: Box<str>,
    /// Seconds until a retry makes sense.
    pub retry_after: Option<u64>,
    /// The methods there are, for 405.
    pub allow: Option<&'static str>,
    /// Terms that a credential must meet, for `WWW-Authenticate`.
    pub challenge: Option<Box<str>>,
    /// The limit that was reached.
    pub violated: Option<&'static str>,
    /// The conversation that a message was kept in although nobody could answer it.
    pub conversation: Option<ConversationId>,
    /// The field of the body that it is about, where the answer names one.
    pub param: Option<&'static str>,
}

impl Problem {
    /// A problem with its detail.
    pub fn new(code: Code, detail: impl Into<String>) -> Self {
        Self {
            code,
            detail: detail.into().into(),
            retry_after: None,
            allow: None,
            challenge: None,
            violated: None,
            conversation: None,
            param: None,
        }
    }

    /// The same problem, about a field of the body.
    #[must_use]
    pub const fn about(mut self, param: &'static str) -> Self {
        self.param = Some(param);
        self
    }

    /// The same problem, worth another try after `seconds`.
    #[must_use]
    pub const fn retry_after(mut self, seconds: Option<u64>) -> Self {
        self.retry_after = seconds;
        self
    }

    /// Our own fault: the cause goes to the log, where the request id finds it.
    pub fn internal(cause: impl fmt::Display) -> Self {
        tracing::error!(%cause, "internal error");
        Self::new(
            Code::Internal,
            "Something failed on our side. The log has the cause under this request_id.",
        )
    }

    /// The database failed: the cause goes to the log.
    pub fn storage(cause: impl fmt::Display) -> Self {
        tracing::error!(%cause, "the database failed");
        let detail = "The database could not answer, so nothing was changed. Try again shortly.";
        Self::new(Code::StorageUnavailable, detail).retry_after(Some(1))
    }

    /// The conversation is gone, or never was: a client that keeps ids must learn how to go on.
    pub fn no_conversation() -> Self {
        let detail = "You have no conversation of this id, or no longer. To begin a new one, send \
                      your message to POST /api/{user_id}/chat again and leave conversation_id out.";
        Self::new(Code::UnknownConversation, detail)
    }

    /// A commit's fate is unknown: neither "done" nor "failed" would be true.
    pub fn unconfirmed() -> Self {
        let detail = "It could not be confirmed whether this was saved. Look before you try \
                      again, or repeat the request with the same Idempotency-Key.";
        Self::new(Code::Unconfirmed, detail).retry_after(Some(1))
    }

    /// The answer for the request at `path` with id `request_id`.
    pub fn respond(&self, path: &str, request_id: &str) -> HttpResponse<BoxBody> {
        let body = ProblemBody {
            r#type: match self.code {
                Code::QuotaExceeded => QUOTA_EXCEEDED.to_owned(),
                code => format!("/problems/{}", code.as_str()),
            },
            title: self.code.title(),
            status: self.code.status(),
            detail: &self.detail,
            instance: path,
            code: self.code.as_str(),
            request_id,
            conversation_id: self.conversation,
            violated: self.violated.map(|policy| [policy]),
        };
        // Strings and one number always serialise.
        let body = serde_json::to_string(&body).unwrap_or_default();
        self.answer(self.code.status(), MEDIA_TYPE, body)
    }

    /// An answer with this status and body, and the headers that the problem asks for.
    pub(super) fn answer(
        &self,
        status: u16,
        media_type: &'static str,
        body: String,
    ) -> HttpResponse<BoxBody> {
        let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = HttpResponse::with_body(status, BoxBody::new(body));
        let headers = response.headers_mut();
        headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
        if let Some(seconds) = self.retry_after {
            headers.insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        let challenge = self.challenge.as_deref().map(HeaderValue::from_str);
        if let Some(Ok(challenge)) = challenge {
            headers.insert(WWW_AUTHENTICATE, challenge);
        }
        if let Some(methods) = self.allow {
            headers.insert(ALLOW, HeaderValue::from_static(methods));
        }
        response
    }
}

/// An error (RFC 9457).
#[derive(Serialize, ToSchema)]
#[schema(as = Problem)]
pub(super) struct ProblemBody<'a> {
    /// Address that explains the kind of error.
    r#type: String,
    /// The kind of error, in words.
    title: &'a str,
    /// The HTTP status.
    status: u16,
    /// The fault and the cure, in plain words.
    detail: &'a str,
    /// The path that was asked for.
    instance: &'a str,
    /// The kind of error, for programs.
    code: &'a str,
    /// Id that finds the request in the log; also in X-Request-Id.
    request_id: &'a str,
    /// The conversation that a message was kept in although nobody could answer it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = String, format = Uuid, required = false)]
    conversation_id: Option<ConversationId>,
    /// The limits that were reached.
    #[serde(rename = "violated-policies", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<String>, required = false)]
    violated: Option<[&'static str; 1]>,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code.title(), self.detail)
    }
}

impl ResponseError for Problem {
    fn status_code(&self) -> StatusCode {
        StatusCode::from_u16(self.code.status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// A marked answer without a body: `middleware` finds the mark and writes the body.
    fn error_response(&self) -> HttpResponse<BoxBody> {
        let mut response = HttpResponse::new(self.status_code());
        response.extensions_mut().insert(self.clone());
        response
    }
}

/// A reading failed.
impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Cursor => Self::new(
                Code::BadQuery,
                "cursor must be the next_cursor of a page, as it was given out.",
            ),
            StoreError::Corrupt { .. } => Self::internal(error),
            StoreError::Unavailable(ref cause) => Self::storage(format_args!("{error}: {cause}")),
            StoreError::Closed | StoreError::File(_) => Self::storage(error),
        }
    }
}

impl From<ChatError> for Problem {
    fn from(error: ChatError) -> Self {
        match error {
            ChatError::UnknownConversation => Self::no_conversation(),
            ChatError::InvalidMessage(detail) => Self::new(Code::InvalidMessage, detail),
            ChatError::InvalidTimezone(detail) => Self::new(Code::InvalidTimezone, detail),
            ChatError::NoSuchQuestion(detail) => Self::new(Code::UnknownQuestion, detail),
            ChatError::ModelDown {
                detail,
                retry_after,
                conversation,
            } => {
                let mut problem =
                    Self::new(Code::ModelUnavailable, detail).retry_after(retry_after);
                problem.conversation = Some(conversation);
                problem
            }
            ChatError::KeyReused => Self::new(
                Code::KeyReused,
                "This Idempotency-Key already answered another request. Use a new key.",
            ),
            ChatError::Running => Self::new(
                Code::StillRunning,
                "A request with this Idempotency-Key is still running. Ask again for its answer.",
            )
            .retry_after(Some(1)),
            ChatError::NotFound(detail) => Self::new(Code::UnknownReceipt, detail),
            ChatError::Conflict(detail) => Self::new(Code::Conflict, detail),
            ChatError::Storage(cause) => Self::storage(cause),
            ChatError::Unchecked => Self::internal(error),
            ChatError::Unconfirmed => Self::unconfirmed(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::body::MessageBody;

    #[test]
    fn has_the_members_of_rfc_9457_and_ours() {
        let problem = Problem::new(Code::StillRunning, "Wait.").retry_after(Some(3));
        let response = problem.respond("/api/me/chat", "r-1");
        assert_eq!(response.status(), 409);
        assert_eq!(response.headers().get(CONTENT_TYPE).unwrap(), MEDIA_TYPE);
        assert_eq!(response.headers().get(RETRY_AFTER).unwrap(), "3");
        let body = response.into_body().try_into_bytes().unwrap();
        let body: serde_json::Value = serde_json::from_slice(&body).unwrap();
        assert_eq!(
            body,
            serde_json::json!({
                "type": "/problems/still_running",
                "title": "The same request is still running",
                "status": 409,
                "detail": "Wait.",
                "instance": "/api/me/chat",
                "code": "still_running",
                "request_id": "r-1",
            })
        );
    }

    #[test]
    fn chat_errors_keep_their_words_and_hide_causes() {
        let check = |error: ChatError, status: u16, detail: &str| {
            let problem = Problem::from(error);
            assert_eq!(problem.code.status(), status, "{problem}");
            assert!(problem.detail.contains(detail), "{problem}");
            assert!(!problem.detail.contains("canary"), "{problem}");
        };
        check(ChatError::UnknownConversation, 404, "no conversation");
        check(
            ChatError::InvalidMessage("too long".into()),
            422,
            "too long",
        );
        check(ChatError::InvalidTimezone("no zone".into()), 422, "no zone");
        check(ChatError::NoSuchQuestion("gone".into()), 404, "gone");
        let conversation = ConversationId::new(uuid::Uuid::nil());
        let down = |retry_after| ChatError::ModelDown {
            detail: "down".into(),
            retry_after,
            conversation,
        };
        check(down(None), 503, "down");
        let problem = Problem::from(down(Some(7)));
        assert_eq!(
            (problem.retry_after, problem.conversation),
            (Some(7), Some(conversation))
        );
        check(ChatError::Unconfirmed, 503, "could not be confirmed");
        check(ChatError::Unchecked, 500, "failed on our side");
        check(ChatError::KeyReused, 422, "new key");
        check(ChatError::Running, 409, "still running");
        check(ChatError::NotFound("no receipt".into()), 404, "no receipt");
        check(
            ChatError::Conflict("changed since".into()),
            409,
            "changed since",
        );
        check(
            ChatError::Storage("canary".into()),
            503,
            "nothing was changed",
        );
    }
}
