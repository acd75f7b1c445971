//! Keeps foreign web pages out.
//!
//! Without credentials, a page of any site that is open in a browser on this machine could
//! otherwise make the browser send requests here: by a plain form, or by a host name of its
//! own that resolves to a loopback address (DNS rebinding).

use std::net::IpAddr;

use actix_web::http::header::{HOST, HeaderMap, HeaderName, ORIGIN};
use actix_web::http::{Method, Uri};

use super::api::Api;
use super::code::Code;
use super::cors::Origins;
use super::problem::Problem;

const FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Judges a request; `local_only` when nobody but this machine may call, `origins` says whose pages
/// may.
///
/// # Errors
/// 403 that says which header is at fault.
pub fn check(
    method: &Method,
    uri: &Uri,
    headers: &HeaderMap,
    local_only: bool,
    origins: &Origins,
) -> Result<(), Problem> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let host = text(HOST);
    let named = [
        host,
        uri.authority().map(actix_web::http::uri::Authority::as_str),
    ];
    if local_only && named.into_iter().flatten().any(|name| !is_local(name)) {
        let detail = "This server has no login (CANDOR_AUTH=none) and answers only to this \
                      machine's own names: call it as http://127.0.0.1 or http://localhost.";
        return Err(Problem::new(Code::ForeignHost, detail));
    }
    if method.is_safe() {
        return Ok(());
    }
    own_page(headers, origins)
}

/// Judges a request of any method: what only looks opens a stream here, too.
///
/// # Errors
/// 403 when it comes from a page that may not call.
pub fn from_own_page(headers: &HeaderMap, api: &Api) -> Result<(), Problem> {
    own_page(headers, &api.access.origins)
}

fn own_page(headers: &HeaderMap, origins: &Origins) -> Result<(), Problem> {
    let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let host = text(HOST);
    let foreign = match (text(FETCH_SITE), text(ORIGIN)) {
        (_, Some(origin)) if origins.allow(origin) => false,
        (Some(site), _) => !matches!(site, "same-origin" | "none"),
        (None, Some(origin)) => {
            let authority = origin.split_once("://").map(|(_, authority)| authority);
            !matches!((authority, host), (Some(a), Some(b)) if a.eq_ignore_ascii_case(b))
        }
        // No browser: it would send one of the two.
        (None, None) => false,
    };
    if foreign {
        let detail = "Pages of other sites can't change anything here: open the page this server \
                      itself serves, or call from a program.";
        return Err(Problem::new(Code::ForeignOrigin, detail));
    }
    Ok(())
}

fn is_local(authority: &str) -> bool {
    let host = match authority.strip_prefix('[') {
        Some(v6) => v6.split(']').next().unwrap_or_default(),
        None => authority.split(':').next().unwrap_or_default(),
    };
    let name = host.trim_end_matches('.').to_ascii_lowercase();
    name == "localhost"
        || name.ends_with(".localhost")
        || host
            .parse()
            .is_ok_and(|address: IpAddr| address.is_loopback())
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;

    #[test]
    fn names_of_this_machine() {
        let check = |name: &str, expect| assert_eq!(is_local(name), expect, "{name}");
        check("localhost", true);
        check("LOCALHOST:8080", true);
        check("candor.localhost:80", true);
        check("127.0.0.1:8080", true);
        check("[::1]:8080", true);
        check("evil.example", false);
        check("localhost.evil.example", false);
        check("127.0.0.1.evil.example", false);
        check("192.168.1.2:8080", false);
        check("", false);
    }

    #[test]
    fn foreign_pages_change_nothing() {
        let check = |method: Method, pairs: &[(HeaderName, &'static str)], expect: Option<Code>| {
            let mut headers = HeaderMap::new();
            headers.insert(HOST, HeaderValue::from_static("localhost:8080"));
            for (name, value) in pairs {
                headers.insert(name.clone(), HeaderValue::from_static(value));
            }
            let listed = Origins::Listed(vec!["https://todo.example".to_owned()]);
            let judged = super::check(&method, &Uri::from_static("/"), &headers, true, &listed);
            assert_eq!(
                judged.err().map(|problem| problem.code),
                expect,
                "{method} {pairs:?}"
            );
        };
        let foreign = Some(Code::ForeignOrigin);
        check(Method::POST, &[], None);
        check(Method::POST, &[(ORIGIN, "http://localhost:8080")], None);
        check(Method::POST, &[(ORIGIN, "http://localhost:3000")], foreign);
        check(Method::POST, &[(ORIGIN, "null")], foreign);
        check(Method::DELETE, &[(ORIGIN, "https://evil.example")], foreign);
        check(Method::GET, &[(ORIGIN, "https://evil.example")], None);
        check(Method::POST, &[(FETCH_SITE, "cross-site")], foreign);
        let ours = (ORIGIN, "https://todo.example");
        check(Method::POST, &[(FETCH_SITE, "cross-site"), ours], None);
        check(Method::POST, &[(FETCH_SITE, "same-site")], foreign);
        // A development server in between rewrites Host, yet the page is its own.
        let proxied = [
            (FETCH_SITE, "same-origin"),
            (ORIGIN, "http://localhost:5173"),
        ];
        check(Method::POST, &proxied, None);
        check(
            Method::GET,
            &[(HOST, "rebound.example")],
            Some(Code::ForeignHost),
        );
    }
}
