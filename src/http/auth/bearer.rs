//! `Authorization: Bearer …` (RFC 6750), and what is answered when it does not do.

use actix_web::http::header::{AUTHORIZATION, HeaderMap};

use crate::http::code::Code;
use crate::http::problem::Problem;
use crate::store::KeyScope;

/// The longest credential that is looked at, in bytes.
const LONGEST: usize = 8 * 1024;

/// The credential of a request.
///
/// # Errors
/// 401 when there is none, or something else.
pub(super) fn of(headers: &HeaderMap) -> Result<&str, Problem> {
    let mut given = headers.get_all(AUTHORIZATION);
    let first = given.next().ok_or_else(missing)?;
    if given.next().is_some() {
        return Err(refused("there are two"));
    }
    let text = first.to_str().unwrap_or_default();
    let (scheme, credential) = text.split_once(' ').unwrap_or((text, ""));
    let credential = credential.trim();
    if !scheme.eq_ignore_ascii_case("bearer") {
        return Err(missing());
    }
    if credential.is_empty() || credential.len() > LONGEST {
        return Err(refused("it is empty, or too long"));
    }
    Ok(credential)
}

/// There is no credential.
pub(super) fn missing() -> Problem {
    let detail = "Say who you are: send the header Authorization: Bearer, followed by an API key \
                  (`candor token create` makes one) or a token.";
    let mut problem = Problem::new(Code::Unauthorized, detail);
    problem.challenge = Some("Bearer realm=\"candor\"".into());
    problem
}

/// There is one, and it does not hold. The words must not repeat it.
pub(super) fn refused(why: &str) -> Problem {
    let mut problem = Problem::new(
        Code::Unauthorized,
        format!("Your credential is not accepted: {why}."),
    );
    let challenge =
        format!("Bearer realm=\"candor\", error=\"invalid_token\", error_description=\"{why}\"");
    problem.challenge = Some(challenge.into());
    problem
}

/// Returns the challenge for a caller who lacks a scope.
pub(super) fn scope(needed: KeyScope) -> String {
    format!("Bearer realm=\"candor\", error=\"insufficient_scope\", scope=\"{needed}\"")
}

#[cfg(test)]
mod tests {
    use super::*;
    use actix_web::http::header::HeaderValue;

    #[test]
    fn one_bearer_credential() {
        let check = |given: &[&'static str], expect: Result<&str, &str>| {
            let mut headers = HeaderMap::new();
            for value in given {
                headers.append(AUTHORIZATION, HeaderValue::from_static(value));
            }
            match (of(&headers), expect) {
                (Ok(found), Ok(expect)) => assert_eq!(found, expect),
                (Err(problem), Err(words)) => {
                    assert_eq!(problem.code, Code::Unauthorized);
                    assert!(problem.detail.contains(words), "{problem}");
                    let challenge = problem.challenge.unwrap();
                    assert!(challenge.starts_with("Bearer realm"), "{challenge}");
                }
                other => panic!("{given:?}: {other:?}"),
            }
        };
        check(&["Bearer abc"], Ok("abc"));
        check(&["bearer  abc "], Ok("abc"));
        check(&[], Err("Say who you are"));
        check(&["Basic YTpi"], Err("Say who you are"));
        check(&["Bearer"], Err("it is empty"));
        check(&["Bearer "], Err("it is empty"));
        check(&["Bearer a", "Bearer b"], Err("there are two"));
    }
}
