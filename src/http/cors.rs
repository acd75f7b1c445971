//! Pages of other origins (`CANDOR_CORS_ORIGINS`), as the Fetch standard has it.
//!
//! Credentials are a header that a page must send on purpose, never a cookie, so no answer allows
//! `credentials`, and an origin that may call may send any header.

use actix_web::HttpResponse;
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_HEADERS, ACCESS_CONTROL_ALLOW_METHODS, ACCESS_CONTROL_ALLOW_ORIGIN,
    ACCESS_CONTROL_EXPOSE_HEADERS, ACCESS_CONTROL_MAX_AGE, ACCESS_CONTROL_REQUEST_HEADERS,
    ACCESS_CONTROL_REQUEST_METHOD, HeaderMap, HeaderValue, ORIGIN, VARY,
};
use actix_web::http::{Method, StatusCode};

/// What a page may read of an answer beside its body.
const EXPOSED: &str = "Allow, Idempotency-Replayed, Location, Mcp-Session-Id, RateLimit, \
                       RateLimit-Policy, Retry-After, Server-Timing, WWW-Authenticate, X-Request-Id";

/// The methods there are.
const METHODS: &str = "GET, HEAD, POST, PUT, PATCH, DELETE";

/// How long a browser may remember what it was told, in seconds; they stop at two hours.
const REMEMBERED: &str = "7200";

/// Whose pages may call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Origins {
    /// Only those that this server itself serves.
    #[default]
    Same,
    /// Anybody's.
    Any,
    /// Those of these origins, in lower case.
    Listed(Vec<String>),
}

impl Origins {
    /// Whether a page of this origin may call although it is foreign.
    pub fn allow(&self, origin: &str) -> bool {
        match self {
            Self::Same => false,
            Self::Any => true,
            Self::Listed(origins) => origins.iter().any(|one| one.eq_ignore_ascii_case(origin)),
        }
    }

    /// The answer to a browser that asks before it lets a page call; none when it is no such
    /// question, or the page may not.
    pub fn preflight(&self, method: &Method, headers: &HeaderMap) -> Option<HttpResponse> {
        if *self == Self::Same || *method != Method::OPTIONS {
            return None;
        }
        let origin = headers.get(ORIGIN)?.to_str().ok()?;
        if !headers.contains_key(ACCESS_CONTROL_REQUEST_METHOD) || !self.allow(origin) {
            return None;
        }
        let mut response = HttpResponse::build(StatusCode::NO_CONTENT);
        response
            .insert_header((ACCESS_CONTROL_ALLOW_METHODS, METHODS))
            .insert_header((ACCESS_CONTROL_MAX_AGE, REMEMBERED));
        let asked = headers.get(ACCESS_CONTROL_REQUEST_HEADERS);
        if let Some(asked) = asked.filter(|asked| is_list(asked)) {
            response.insert_header((ACCESS_CONTROL_ALLOW_HEADERS, asked.clone()));
        }
        Some(response.finish())
    }

    /// Lets a page of `origin` read an answer, if it may.
    pub fn mark(&self, origin: Option<&HeaderValue>, answer: &mut HeaderMap) {
        match self {
            Self::Same => return,
            Self::Any => {}
            // What is answered depends on who asks: a cache must know.
            Self::Listed(_) => answer.append(VARY, HeaderValue::from_static("Origin")),
        }
        let Some(origin) = origin.filter(|origin| origin.to_str().is_ok_and(|o| self.allow(o)))
        else {
            return;
        };
        let told = match self {
            Self::Any => HeaderValue::from_static("*"),
            _ => origin.clone(),
        };
        answer.insert(ACCESS_CONTROL_ALLOW_ORIGIN, told);
        let exposed = HeaderValue::from_static(EXPOSED);
        answer.insert(ACCESS_CONTROL_EXPOSE_HEADERS, exposed);
    }
}

/// Names of headers, as a browser lists them.
fn is_list(value: &HeaderValue) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"-_, ".contains(&b);
    value.len() <= 1_024 && value.as_bytes().iter().copied().all(plain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed() -> Origins {
        Origins::Listed(vec!["http://localhost:3000".to_owned()])
    }

    fn asked(pairs: &[(&str, &'static str)]) -> HeaderMap {
        let mut headers = HeaderMap::new();
        for (name, value) in pairs {
            headers.insert(name.parse().unwrap(), HeaderValue::from_static(value));
        }
        headers
    }

    #[test]
    fn who_may_call_is_told_so_and_nobody_else_is() {
        let ours = ("origin", "http://localhost:3000");
        let method = ("access-control-request-method", "POST");
        let extra = (
            "access-control-request-headers",
            "authorization,content-type",
        );
        let answer = |origins: &Origins, pairs: &[(&str, &'static str)]| {
            origins.preflight(&Method::OPTIONS, &asked(pairs))
        };
        let told = answer(&listed(), &[ours, method, extra]).unwrap();
        assert_eq!(told.status(), 204);
        let header = |name| told.headers().get(name).unwrap();
        assert_eq!(header(ACCESS_CONTROL_ALLOW_HEADERS), extra.1);
        assert_eq!(header(ACCESS_CONTROL_ALLOW_METHODS), METHODS);
        assert!(answer(&Origins::Any, &[ours, method]).is_some());
        assert!(answer(&Origins::Same, &[ours, method]).is_none());
        assert!(answer(&listed(), &[ours]).is_none());
        assert!(answer(&listed(), &[method]).is_none());
        assert!(answer(&listed(), &[("origin", "http://localhost:3001"), method]).is_none());
        assert!(answer(&listed(), &[("origin", "null"), method]).is_none());
        let post = listed().preflight(&Method::POST, &asked(&[ours, method]));
        assert!(post.is_none());
        let split = ("access-control-request-headers", "a: b");
        let told = answer(&listed(), &[ours, method, split]).unwrap();
        assert!(!told.headers().contains_key(ACCESS_CONTROL_ALLOW_HEADERS));
    }

    #[test]
    fn answers_say_who_may_read_them() {
        let check = |origins: &Origins, origin: Option<&'static str>, expect: Option<&str>| {
            let mut headers = HeaderMap::new();
            let origin = origin.map(HeaderValue::from_static);
            origins.mark(origin.as_ref(), &mut headers);
            let told = headers.get(ACCESS_CONTROL_ALLOW_ORIGIN);
            assert_eq!(
                told.map(|told| told.to_str().unwrap()),
                expect,
                "{origin:?}"
            );
            assert_eq!(
                headers.contains_key(ACCESS_CONTROL_EXPOSE_HEADERS),
                expect.is_some()
            );
            headers.contains_key(VARY)
        };
        let ours = Some("http://localhost:3000");
        assert!(!check(&Origins::Same, ours, None));
        assert!(!check(&Origins::Any, ours, Some("*")));
        assert!(check(&listed(), ours, ours));
        assert!(check(&listed(), Some("https://evil.example"), None));
        assert!(check(&listed(), None, None));
    }
}
