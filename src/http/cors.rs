//! Pages of other origins (`CANDOR_CORS_ORIGINS`), as the Fetch standard has it; answered by
//! actix-cors.
//!
//! A credential is a header that a page must send on purpose, never a cookie. Clients that ask for
//! `credentials` all the same get them allowed where their origin is listed by name, never where
//! anybody's page may call.

use actix_cors::{Cors, CorsError};
use actix_web::Error;
use actix_web::http::Method;
use actix_web::http::header::{
    ACCESS_CONTROL_ALLOW_CREDENTIALS, ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS,
    HeaderMap, VARY,
};
use actix_web::middleware::Condition;

use super::code::Code;
use super::problem::Problem;

/// Headers that a page may read of an answer beside its body.
const EXPOSED: [&str; 10] = [
    "Allow",
    "Idempotency-Replayed",
    "Location",
    "Mcp-Session-Id",
    "RateLimit",
    "RateLimit-Policy",
    "Retry-After",
    "Server-Timing",
    "WWW-Authenticate",
    "X-Request-Id",
];

/// The methods there are.
const METHODS: [Method; 6] = [
    Method::GET,
    Method::HEAD,
    Method::POST,
    Method::PUT,
    Method::PATCH,
    Method::DELETE,
];

/// Time that a browser may remember what it was told, in seconds; they stop at two hours.
const REMEMBERED: usize = 7_200;

/// Origins of pages that may call.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Origins {
    /// Only those that this server itself serves.
    #[default]
    Same,
    /// Anybody's.
    Any,
    /// Pages of these origins, in lower case.
    Listed(Vec<String>),
}

impl Origins {
    /// Checks whether a page of this origin may call although it is foreign.
    pub fn allow(&self, origin: &str) -> bool {
        match self {
            Self::Same => false,
            Self::Any => true,
            Self::Listed(origins) => origins.iter().any(|one| one.eq_ignore_ascii_case(origin)),
        }
    }

    /// The middleware that answers a browser's preflight and marks what its page may read.
    pub(super) fn cors(&self) -> Condition<Cors> {
        let cors = Cors::default()
            .allowed_methods(METHODS)
            .allow_any_header()
            .expose_headers(EXPOSED)
            .max_age(REMEMBERED)
            // A page of this server itself sends its origin too and is on no list.
            .block_on_origin_mismatch(false);
        let cors = match self {
            Self::Same => cors,
            Self::Any => cors.allow_any_origin().send_wildcard(),
            Self::Listed(origins) => origins
                .iter()
                .fold(cors, |cors, origin| cors.allowed_origin(origin))
                .supports_credentials(),
        };
        Condition::new(*self != Self::Same, cors)
    }
}

/// The problem that a refused preflight stands for.
pub(super) fn refused(error: &Error) -> Option<Problem> {
    let fault = error.as_error::<CorsError>()?;
    Some(match fault {
        CorsError::OriginNotAllowed => Problem::new(
            Code::ForeignOrigin,
            "Pages of this origin may not call here: CANDOR_CORS_ORIGINS lists those that may.",
        ),
        other => Problem::new(Code::BadRequest, format!("{other}.")),
    })
}

/// Takes over into `answer` what a page is told by the headers of what `answer` stands for.
pub(super) fn carry(from: &HeaderMap, answer: &mut HeaderMap) {
    let told = [
        ACCESS_CONTROL_ALLOW_ORIGIN,
        ACCESS_CONTROL_ALLOW_CREDENTIALS,
        ACCESS_CONTROL_EXPOSE_HEADERS,
        VARY,
    ];
    for name in told {
        if let Some(value) = from.get(&name) {
            answer.insert(name, value.clone());
        }
    }
}

/// Leaves nothing that speaks to a page in an answer that no page may read.
pub(super) fn finish(headers: &mut HeaderMap) {
    if !headers.contains_key(ACCESS_CONTROL_ALLOW_ORIGIN) {
        headers.remove(ACCESS_CONTROL_ALLOW_CREDENTIALS);
        headers.remove(ACCESS_CONTROL_EXPOSE_HEADERS);
    }
}
