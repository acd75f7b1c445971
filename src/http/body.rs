//! Request bodies: bounded in size and time, JSON or the text of a file, faults told apart.

use std::future::poll_fn;
use std::pin::pin;
use std::time::Duration;

use actix_web::HttpRequest;
use actix_web::body::{BodyStream, MessageBody};
use actix_web::dev::Payload;
use actix_web::http::header::CONTENT_TYPE;
use actix_web::web::{self, Bytes, BytesMut};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::error::Category;

use super::api::ApiRequest;
use super::code::Code;
use super::problem::Problem;

/// The largest body, in bytes.
pub const LIMIT: usize = 64 * 1024;
/// Number of bytes of a larger one that are still read, so that its sender gets to see the answer.
const DRAINED: usize = 1024 * 1024;
/// Longest time that a body may take to arrive.
const PATIENCE: Duration = Duration::from_secs(10);

impl ApiRequest {
    /// Reads a JSON body.
    ///
    /// # Errors
    /// 408, 413, 415, 400 for what is not JSON, 422 for JSON that does not fit.
    pub async fn json<T: DeserializeOwned>(&mut self) -> Result<T, Problem> {
        self.json_within(LIMIT).await
    }

    /// Reads a JSON body of at most `limit` bytes.
    pub async fn json_within<T: DeserializeOwned>(&mut self, limit: usize) -> Result<T, Problem> {
        let bytes = self.bytes(limit).await?;
        require_json(&self.sent)?;
        parse(&bytes)
    }

    /// Reads a JSON body, or none at all.
    pub async fn optional_json<T: DeserializeOwned + Default>(&mut self) -> Result<T, Problem> {
        if self.sent.headers().contains_key(CONTENT_TYPE) {
            return self.json().await;
        }
        self.discard().await?;
        Ok(T::default())
    }

    /// Reads a body that has no meaning here, so that the connection can be used again.
    ///
    /// # Errors
    /// 408 and 413.
    pub async fn discard(&mut self) -> Result<(), Problem> {
        self.bytes(LIMIT).await.map(drop)
    }

    /// Reads a body as it is, of at most `limit` bytes.
    ///
    /// # Errors
    /// 408 and 413.
    pub async fn bytes(&mut self, limit: usize) -> Result<Bytes, Problem> {
        read(self.payload.take(), limit).await
    }
}

/// Reads a body as it is, for an edge that reads it by itself.
///
/// # Errors
/// 408 and 413.
pub async fn whole(payload: web::Payload) -> Result<Bytes, Problem> {
    read(payload.into_inner(), LIMIT).await
}

async fn read(payload: Payload, limit: usize) -> Result<Bytes, Problem> {
    tokio::time::timeout(PATIENCE, collect(payload, limit))
        .await
        .unwrap_or_else(|_| {
            let detail = format!("The body did not arrive within {} s.", PATIENCE.as_secs());
            Err(Problem::new(Code::BodyTimeout, detail))
        })
}

async fn collect(payload: Payload, limit: usize) -> Result<Bytes, Problem> {
    let mut body = pin!(BodyStream::new(payload));
    let mut kept = BytesMut::new();
    let mut length = 0;
    while let Some(chunk) = poll_fn(|cx| body.as_mut().poll_next(cx)).await {
        let cut = |_| Problem::new(Code::BadRequest, "The body broke off.");
        let chunk = chunk.map_err(cut)?;
        length += chunk.len();
        if length > limit.max(DRAINED) {
            break;
        }
        if length <= limit {
            kept.extend_from_slice(&chunk);
        }
    }
    if length > limit {
        let detail = format!("The body is too large: at most {limit} bytes are read.");
        return Err(Problem::new(Code::TooLarge, detail));
    }
    Ok(kept.freeze())
}

/// Only JSON is read. This also keeps out the forms of foreign pages, which can't send it.
fn require_json(request: &HttpRequest) -> Result<(), Problem> {
    let given = request
        .headers()
        .get(CONTENT_TYPE)
        .map(|value| value.to_str().unwrap_or("?"));
    if given.is_some_and(is_json) {
        return Ok(());
    }
    let detail = "Send the body as JSON, with the header Content-Type: application/json.";
    Err(Problem::new(Code::WrongMediaType, detail))
}

fn is_json(media_type: &str) -> bool {
    let essence = media_type
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase();
    let json = essence == "application/json"
        || (essence.starts_with("application/") && essence.ends_with("+json"));
    json && is_utf8(media_type)
}

/// The charset that a media type names, in lower case.
pub fn charset(media_type: &str) -> Option<String> {
    media_type.split(';').skip(1).find_map(|part| {
        let part = part.trim().to_ascii_lowercase();
        let set = part.strip_prefix("charset=")?;
        Some(set.trim_matches('"').to_owned())
    })
}

/// Tells whether a media type names no other charset.
fn is_utf8(media_type: &str) -> bool {
    charset(media_type).is_none_or(|set| matches!(&*set, "utf-8" | "utf8" | "us-ascii"))
}

fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Problem> {
    // A derived struct would also read an array of its fields in order.
    let object = bytes.trim_ascii_start().first() == Some(&b'{');
    if !object && serde_json::from_slice::<IgnoredAny>(bytes).is_ok() {
        let detail = "The body does not fit: send a JSON object.";
        return Err(Problem::new(Code::InvalidBody, detail));
    }
    serde_json::from_slice(bytes).map_err(|error| {
        let place = format!("line {}, column {}", error.line(), error.column());
        let text = error.to_string();
        let fault = text
            .rsplit_once(" at line ")
            .map_or(&*text, |(fault, _)| fault);
        match error.classify() {
            Category::Data => {
                let detail = format!("The body does not fit: {fault} ({place}).");
                Problem::new(Code::InvalidBody, detail)
            }
            Category::Eof if bytes.is_empty() => {
                Problem::new(Code::BadJson, "The body is empty: send a JSON object.")
            }
            Category::Syntax | Category::Eof | Category::Io => {
                let detail = format!("The body is not JSON: {fault} ({place}).");
                Problem::new(Code::BadJson, detail)
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn media_types() {
        let check = |text: &str, expect| assert_eq!(is_json(text), expect, "{text}");
        check("application/json", true);
        check("Application/JSON; charset=UTF-8", true);
        check("application/json;charset=\"utf-8\"", true);
        check("application/vnd.todo+json", true);
        check("application/json; charset=latin1", false);
        check("text/plain", false);
        check("application/x-www-form-urlencoded", false);
        check("multipart/form-data; boundary=x", false);
        check("", false);
    }

    #[test]
    fn faults_of_json_are_told_apart() {
        #[derive(Debug, serde::Deserialize)]
        #[serde(deny_unknown_fields)]
        #[expect(dead_code, reason = "only its shape matters")]
        struct Shape {
            title: String,
        }
        let check = |body: &str, code: Code, detail: &str| {
            let problem = parse::<Shape>(body.as_bytes()).unwrap_err();
            assert_eq!(problem.code, code, "{problem}");
            assert!(problem.detail.contains(detail), "{problem}");
        };
        check("", Code::BadJson, "The body is empty");
        check(
            "{",
            Code::BadJson,
            "EOF while parsing an object (line 1, column 1)",
        );
        check(
            "{'a':1}",
            Code::BadJson,
            "key must be a string (line 1, column 2)",
        );
        check("[]", Code::InvalidBody, "send a JSON object");
        check("[\"Read book\"]", Code::InvalidBody, "send a JSON object");
        check(" 5", Code::InvalidBody, "send a JSON object");
        check("{}", Code::InvalidBody, "missing field `title`");
        check(
            r#"{"title":5}"#,
            Code::InvalidBody,
            "invalid type: integer `5`",
        );
        check(
            r#"{"title":"a","x":1}"#,
            Code::InvalidBody,
            "unknown field `x`",
        );
        let deep = format!(r#"{{"x":{}"#, "[".repeat(60_000));
        let problem = parse::<serde_json::Value>(deep.as_bytes()).unwrap_err();
        assert!(problem.detail.contains("recursion limit"), "{problem}");
    }
}
