//! `X-Request-Id`: taken from the caller when it is harmless, made up otherwise.

use actix_web::http::header::{HeaderMap, HeaderName};

use crate::domain::IdSource;

/// The header's name.
pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The longest id that is taken over, in bytes.
const LONGEST: usize = 128;

/// The id of a request: the caller's, if it can stand in a log line as it is.
pub fn of(headers: &HeaderMap, ids: &IdSource) -> String {
    let given = headers.get(HEADER).and_then(|value| value.to_str().ok());
    match given.filter(|id| is_harmless(id)) {
        Some(id) => id.to_owned(),
        None => ids.next().to_string(),
    }
}

fn is_harmless(id: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"._:-".contains(&b);
    !id.is_empty() && id.len() <= LONGEST && id.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;

    #[test]
    fn takes_over_what_is_harmless() {
        let check = |given: Option<&'static str>, kept: bool| {
            let mut headers = HeaderMap::new();
            if let Some(given) = given {
                headers.insert(HEADER, HeaderValue::from_static(given));
            }
            let id = of(&headers, &IdSource::random());
            assert_eq!(Some(id.as_str()) == given, kept, "{given:?}");
            assert!(is_harmless(&id));
        };
        check(None, false);
        check(Some("req-1:a.b_C"), true);
        check(Some(""), false);
        check(Some("a b"), false);
        check(Some("a\tb"), false);
        check(Some("{\"x\":1}"), false);
    }
}
