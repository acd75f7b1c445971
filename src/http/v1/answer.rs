//! Answers and errors in the form of this API.

use actix_web::HttpResponse;
use actix_web::body::BoxBody;
use serde_json::{Value, json};
use uuid::Uuid;

use super::request::ParsedRequest;
use super::responses::AnswerId;
use crate::chat::ChatAnswer;
use crate::domain::put_member;
use crate::http::code::Code;
use crate::http::problem::Problem;

/// Number of bytes of text that stand for one token where nobody counted.
const TOKEN: usize = 4;

/// Text that is said, and what goes with it.
#[derive(Debug)]
pub(super) struct Completion {
    /// The turn, or a number of its own where there is none.
    id: Uuid,
    /// The line of a conversation that it is, where it is one.
    line: Option<AnswerId>,
    /// Seconds since 1970.
    pub(super) created: i64,
    pub(super) model: &'static str,
    pub(super) text: String,
    pub(super) tokens: (u64, u64),
    /// Ours, for whoever knows it.
    pub(super) candor: Value,
}

/// Facts of candor beside the text.
fn facts(reply: &Value) -> Value {
    let names = [
        "kind",
        "turn_id",
        "conversation_id",
        "action_metadata",
        "actions",
        "question",
        "error",
    ];
    let part = |name: &str| reply.get(name).cloned().unwrap_or_default();
    let facts = names.map(|name| (name.to_owned(), part(name)));
    Value::Object(facts.into_iter().collect())
}

/// The name of a completion.
fn named(id: Uuid) -> String {
    format!("chatcmpl-{}", id.simple())
}

impl Completion {
    /// The committed reply of a turn, to the letter.
    ///
    /// # Errors
    /// 500 when the stored reply can't be read.
    pub(super) fn of(answered: &ChatAnswer, asked: &ParsedRequest) -> Result<Self, Problem> {
        let reply: Value = serde_json::from_str(&answered.body).map_err(Problem::internal)?;
        let text = reply.get("assistant_message").and_then(Value::as_str);
        let text = text.ok_or_else(|| Problem::internal("a reply without a message"))?;
        let turn = reply.get("turn_id").and_then(Value::as_str);
        let turn: Uuid = turn
            .and_then(|turn| turn.parse().ok())
            .ok_or_else(|| Problem::internal("a reply without a turn"))?;
        let lines = reply.get("messages").and_then(Value::as_array);
        let last = |name: &str| lines?.last()?.get(name)?.as_str();
        let at = last("created_at").and_then(|at| chrono::DateTime::parse_from_rfc3339(at).ok());
        let conversation = reply.get("conversation_id").and_then(Value::as_str);
        let line = conversation.zip(last("id")).and_then(|(place, line)| {
            Some(AnswerId {
                conversation: place.parse().ok()?,
                line: line.parse().ok()?,
            })
        });
        Ok(Self {
            id: turn,
            line,
            created: at.map_or(0, |at| at.timestamp()),
            model: asked.model(),
            text: text.to_owned(),
            tokens: answered
                .tokens
                .unwrap_or_else(|| estimated(&asked.lines.message, text)),
            candor: facts(&reply),
        })
    }

    /// Makes an answer that is said without any turn.
    pub(super) fn aside(id: Uuid, created: i64, asked: &ParsedRequest, text: String) -> Self {
        Self {
            id,
            line: None,
            created,
            model: asked.model(),
            tokens: estimated(&asked.lines.message, &text),
            text,
            candor: facts(&json!({"kind": "background", "actions": []})),
        }
    }

    /// Its id as a response.
    pub(super) fn response_id(&self) -> String {
        format!("resp_{}", self.digits())
    }

    /// The id of its message in a response.
    pub(super) fn message_id(&self) -> String {
        format!("msg_{}", self.digits())
    }

    fn digits(&self) -> String {
        let own = || self.id.simple().to_string();
        self.line.map_or_else(own, AnswerId::digits)
    }

    /// The answer in one piece.
    pub(super) fn whole(&self) -> Value {
        json!({
            "id": named(self.id),
            "object": "chat.completion",
            "created": self.created,
            "model": self.model,
            "choices": [{
                "index": 0,
                "message": {"role": "assistant", "content": self.text, "refusal": null},
                "logprobs": null,
                "finish_reason": "stop",
            }],
            "usage": self.usage(),
            "candor": self.candor,
        })
    }

    fn usage(&self) -> Value {
        let (asked, answered) = self.tokens;
        json!({
            "prompt_tokens": asked,
            "completion_tokens": answered,
            "total_tokens": asked.saturating_add(answered),
        })
    }

    /// The chunks that follow the first one: the text line by line, then the end with our part,
    /// then the usage if it was asked for.
    pub(super) fn rest(&self, head: &ChunkHead, counted: bool) -> Vec<Value> {
        let lines = self.text.split_inclusive('\n');
        let mut chunks: Vec<Value> = lines
            .map(|line| head.chunk(&json!({"content": line}), &Value::Null))
            .collect();
        let mut end = head.chunk(&json!({}), &json!("stop"));
        put_member(&mut end, "candor", self.candor.clone());
        chunks.push(end);
        if counted {
            let mut usage = head.chunk(&json!({}), &Value::Null);
            put_member(&mut usage, "choices", json!([]));
            put_member(&mut usage, "usage", self.usage());
            chunks.push(usage);
        }
        chunks
    }

    /// Returns what every chunk of this completion has in common.
    pub(super) fn head(&self) -> ChunkHead {
        ChunkHead {
            id: named(self.id),
            created: self.created,
            model: self.model,
        }
    }
}

/// Fields that every chunk of a stream has in common.
pub(super) struct ChunkHead {
    pub(super) id: String,
    pub(super) created: i64,
    pub(super) model: &'static str,
}

impl ChunkHead {
    /// The first chunk: who speaks.
    pub(super) fn first(&self) -> Value {
        let delta = json!({"role": "assistant", "content": ""});
        self.chunk(&delta, &Value::Null)
    }

    fn chunk(&self, delta: &Value, finish: &Value) -> Value {
        json!({
            "id": self.id,
            "object": "chat.completion.chunk",
            "created": self.created,
            "model": self.model,
            "choices": [{"index": 0, "delta": delta, "logprobs": null, "finish_reason": finish}],
        })
    }
}

fn estimated(asked: &str, answered: &str) -> (u64, u64) {
    let count = |text: &str| u64::try_from(text.len().div_ceil(TOKEN)).unwrap_or(u64::MAX);
    (count(asked), count(answered))
}

/// The body of an error.
pub(super) fn fault(problem: &Problem) -> Value {
    let kind = match status(problem.code) {
        401 => "authentication_error",
        403 => "permission_error",
        429 => "rate_limit_error",
        400..=499 => "invalid_request_error",
        _ => "server_error",
    };
    json!({
        "error": {
            "message": problem.detail,
            "type": kind,
            "param": problem.param,
            "code": word(problem.code),
        }
    })
}

/// The word of a fault; of some, clients know another one.
pub(in crate::http) const fn word(code: Code) -> &'static str {
    match code {
        Code::Unauthorized => "invalid_api_key",
        Code::QuotaExceeded => "rate_limit_exceeded",
        Code::UnknownConversation => "previous_response_not_found",
        code => code.as_str(),
    }
}

/// The status of a fault: what does not fit is 400 in this API.
pub(in crate::http) const fn status(code: Code) -> u16 {
    match code {
        Code::InvalidBody | Code::InvalidMessage | Code::UnknownConversation => 400,
        code => code.status(),
    }
}

/// The answer for a problem.
pub(in crate::http) fn refuse(problem: &Problem) -> HttpResponse<BoxBody> {
    let body = fault(problem).to_string();
    problem.answer(status(problem.code), "application/json", body)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_have_the_words_that_clients_look_for() {
        let check = |code: Code, expect: (u16, &str, &str)| {
            let problem = Problem::new(code, "Because.").about("model");
            let error = &fault(&problem)["error"];
            assert_eq!(error["message"], "Because.");
            assert_eq!(error["param"], "model");
            let told = (status(problem.code), &error["type"], &error["code"]);
            assert_eq!(told, (expect.0, &json!(expect.1), &json!(expect.2)));
        };
        let invalid = "invalid_request_error";
        check(Code::BadJson, (400, invalid, "bad_json"));
        check(Code::InvalidBody, (400, invalid, "invalid_body"));
        check(Code::InvalidMessage, (400, invalid, "invalid_message"));
        check(Code::UnknownModel, (404, invalid, "model_not_found"));
        check(Code::TooLarge, (413, invalid, "too_large"));
        check(Code::KeyReused, (422, invalid, "key_reused"));
        check(Code::StillRunning, (409, invalid, "still_running"));
        let login = (401, "authentication_error", "invalid_api_key");
        check(Code::Unauthorized, login);
        check(
            Code::MissingScope,
            (403, "permission_error", "missing_scope"),
        );
        let limit = (429, "rate_limit_error", "rate_limit_exceeded");
        check(Code::QuotaExceeded, limit);
        let down = (503, "server_error", "model_unavailable");
        check(Code::ModelUnavailable, down);
        check(Code::Internal, (500, "server_error", "internal"));
    }
}
