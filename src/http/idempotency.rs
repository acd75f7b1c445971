//! `Idempotency-Key`: a structured string (`"…"`), or the same without its quotes.

use actix_web::HttpResponse;
use actix_web::http::StatusCode;
use actix_web::http::header::{ContentType, HeaderMap, HeaderName};
use sha2::{Digest, Sha256};
use utoipa::IntoParams;
use utoipa::openapi::Required;
use utoipa::openapi::path::{Parameter, ParameterBuilder, ParameterIn};
use uuid::{Builder, Uuid};

use super::api::ApiRequest;
use super::code::Code;
use super::openapi::limits;
use super::problem::Problem;

/// The header's name.
pub const HEADER: HeaderName = HeaderName::from_static("idempotency-key");
/// Tells that an answer was given before and is only repeated.
pub const REPLAYED: HeaderName = HeaderName::from_static("idempotency-replayed");

/// The longest key, in characters.
const LONGEST: usize = 255;

/// The header, as handlers declare it.
pub enum IdempotencyKey {}

impl IntoParams for IdempotencyKey {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let says = "Makes it safe to send the request again: the same answer, one effect.";
        let parameter = ParameterBuilder::new()
            .name("Idempotency-Key")
            .parameter_in(ParameterIn::Header)
            .required(Required::False)
            .description(Some(says))
            .schema(Some(limits::idempotency_key()));
        vec![parameter.build()]
    }
}

impl ApiRequest {
    /// The request's key, as [`of`] reads it.
    ///
    /// # Errors
    /// 400 when the header is there and can't be a key.
    pub fn key(&self) -> Result<Option<String>, Problem> {
        of(self.sent.headers())
    }
}

/// An answer as its bytes are stored: a replay must not differ by one, and is marked.
pub(super) fn stored(status: u16, body: String, replayed: bool) -> HttpResponse {
    let status = StatusCode::from_u16(status).unwrap_or_default();
    let mut response = HttpResponse::build(status);
    if replayed {
        response.insert_header((REPLAYED, "true"));
    }
    if body.is_empty() {
        return response.finish();
    }
    response.content_type(ContentType::json()).body(body)
}

/// One hash for each list of texts.
pub(super) fn hashed<'t>(texts: impl IntoIterator<Item = &'t str>) -> [u8; 32] {
    let mut hash = Sha256::new();
    for text in texts {
        hash.update((text.len() as u64).to_be_bytes());
        hash.update(text.as_bytes());
    }
    hash.finalize().into()
}

/// An id that is always the same for the same texts.
pub(super) fn hashed_id<'t>(texts: impl IntoIterator<Item = &'t str>) -> Uuid {
    let half = hashed(texts).first_chunk().copied();
    Builder::from_custom_bytes(half.unwrap_or_default()).into_uuid()
}

/// The request's key, unquoted.
///
/// # Errors
/// 400 when the header is there and can't be a key: to run without it would run twice.
fn of(headers: &HeaderMap) -> Result<Option<String>, Problem> {
    let mut given = headers.get_all(HEADER);
    let Some(value) = given.next() else {
        return Ok(None);
    };
    let key = value.to_str().ok().and_then(|text| parse(text.trim()));
    match key {
        Some(key) if given.next().is_none() => Ok(Some(key)),
        _ => Err(Problem::new(
            Code::BadHeader,
            "Idempotency-Key must be one string of 1 to 255 visible ASCII characters, such as \
             \"8e03978e-40d5-43dd-bc93-6894a57f9324\", with or without quotes.",
        )),
    }
}

fn parse(text: &str) -> Option<String> {
    let key = match text.strip_prefix('"') {
        Some(rest) => unquote(rest.strip_suffix('"')?)?,
        None => {
            // Two headers folded into one by a proxy are not one key.
            let bare = |b: u8| b.is_ascii_graphic() && !matches!(b, b'"' | b',' | b'\\');
            text.bytes().all(bare).then(|| text.to_owned())?
        }
    };
    (1..=LONGEST).contains(&key.len()).then_some(key)
}

/// The inside of a structured string (RFC 8941 §3.3.3): `\"` and `\\` are its only escapes.
fn unquote(inside: &str) -> Option<String> {
    let mut key = String::with_capacity(inside.len());
    let mut chars = inside.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => key.push(chars.next().filter(|c| matches!(c, '"' | '\\'))?),
            '"' => return None,
            ' '..='~' => key.push(c),
            _ => return None,
        }
    }
    Some(key)
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;

    #[test]
    fn quoted_and_bare() {
        let check = |text: &str, expect: Option<&str>| {
            assert_eq!(parse(text).as_deref(), expect, "{text}");
        };
        check("\"abc\"", Some("abc"));
        check("abc", Some("abc"));
        check(
            "8e03978e-40d5-43dd-bc93-6894a57f9324",
            Some("8e03978e-40d5-43dd-bc93-6894a57f9324"),
        );
        check("\"a b\"", Some("a b"));
        check(r#""a\"b\\c""#, Some(r#"a"b\c"#));
        check(r#""a\b""#, None);
        check("\"abc", None);
        check("\"", None);
        check("\"\"", None);
        check("", None);
        check("a b", None);
        check("a,b", None);
        check("abc\"", None);
        check("\"a\"b\"", None);
        check("\"a\u{7f}\"", None);
        check(&"k".repeat(255), Some(&"k".repeat(255)));
        check(&"k".repeat(256), None);
    }

    #[test]
    fn one_header_or_none() {
        let mut headers = HeaderMap::new();
        assert_eq!(of(&headers), Ok(None));
        headers.append(HEADER, HeaderValue::from_static("\"a\""));
        assert_eq!(of(&headers), Ok(Some("a".to_owned())));
        headers.append(HEADER, HeaderValue::from_static("\"a\""));
        assert_eq!(of(&headers).unwrap_err().code, Code::BadHeader);
    }
}
