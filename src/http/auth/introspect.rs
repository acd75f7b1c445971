//! Opaque tokens, of which whoever gave them out says what they are worth (RFC 7662).
//!
//! The token goes to the endpoint and nowhere else: neither into a log nor, but for its hash, into
//! what is remembered. An endpoint that fails proves nothing, so its failure is never the caller's.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use form_urlencoded::{Serializer, byte_serialize};
use hashlink::LruCache;
use parking_lot::Mutex;
use reqwest::header::{ACCEPT, CONTENT_TYPE, HeaderValue};
use reqwest::{Body, Client, Request};
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::{Caller, bearer, issuer, jwt};
use crate::domain::Clock;
use crate::http::code::Code;
use crate::http::problem::Problem;

/// Time for which an answer is taken without asking again: a token that was taken back is none
/// after it. In seconds.
const KEPT: f64 = 30.0;

/// The most tokens that are remembered; the one that was used longest ago goes first.
const REMEMBERED: usize = 4_096;

/// The largest answer that is read, in bytes.
const LARGEST: usize = 64 * 1024;

/// Largest difference between two clocks that is allowed for, in seconds.
const LEEWAY: f64 = jwt::LEEWAY as f64;

/// The endpoint that is asked, and what it said lately.
#[derive(Debug)]
pub struct Introspection {
    client: Client,
    /// All but the body: the address, and who asks.
    template: Request,
    kept: Mutex<LruCache<TokenHash, CachedAnswer>>,
    clock: Clock,
}

type TokenHash = [u8; 32];

#[derive(Debug, Clone)]
struct CachedAnswer {
    caller: Caller,
    since: DateTime<Utc>,
    until: DateTime<Utc>,
}

/// The answer. A number or a word of another type than the standard's is a fault of the endpoint.
#[derive(Deserialize)]
struct Answer {
    active: bool,
    sub: Option<String>,
    #[serde(default)]
    scope: Value,
    exp: Option<f64>,
    nbf: Option<f64>,
}

impl Introspection {
    /// Asks at `url` as `client` with `secret`, by Basic authentication.
    ///
    /// # Errors
    /// Words for the operator when `url` is none.
    pub fn new(url: &str, client: &str, secret: &str, clock: Clock) -> Result<Self, String> {
        let http = issuer::client(url)?;
        // RFC 6749 §2.3.1: each is encoded before the two are joined.
        let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
        let template = http
            .post(url)
            .basic_auth(encoded(client), Some(encoded(secret)))
            .header(ACCEPT, HeaderValue::from_static("application/json"))
            .header(
                CONTENT_TYPE,
                HeaderValue::from_static("application/x-www-form-urlencoded"),
            )
            .build()
            .map_err(issuer::fault)?;
        Ok(Self {
            client: http,
            template,
            kept: Mutex::new(LruCache::new(REMEMBERED)),
            clock,
        })
    }

    /// Caller of the token.
    ///
    /// # Errors
    /// 401 when it is not active; 503 when the endpoint does not say so or otherwise.
    pub(super) async fn check(&self, token: &str) -> Result<Caller, Problem> {
        let hash: TokenHash = Sha256::digest(token.as_bytes()).into();
        if let Some(caller) = self.remembered(&hash) {
            return Ok(caller);
        }
        let answer = self.ask(token).await.map_err(|fault| {
            tracing::warn!(fault, "CANDOR_INTROSPECT_URL can't say what a token is");
            let detail = "Your token can't be checked at the moment: whoever gave it out does not \
                          answer. Try again shortly.";
            Problem::new(Code::LoginUnavailable, detail).retry_after(Some(issuer::SOON.as_secs()))
        })?;
        let now = self.now();
        let caller = judge(&answer, now)?;
        let kept = CachedAnswer {
            caller: caller.clone(),
            since: now,
            until: now + answer.holds(now),
        };
        self.kept.lock().insert(hash, kept);
        Ok(caller)
    }

    fn remembered(&self, hash: &TokenHash) -> Option<Caller> {
        let now = self.now();
        let mut all = self.kept.lock();
        let kept = all.get(hash)?;
        // A clock that was set back must not lengthen anything.
        if kept.since <= now && now < kept.until {
            return Some(kept.caller.clone());
        }
        all.remove(hash);
        None
    }

    /// Asks the endpoint; returns its answer, or its fault in words for the log.
    async fn ask(&self, token: &str) -> Result<Answer, String> {
        let mut request = self.template.try_clone().ok_or("it can't be asked")?;
        let mut form = Serializer::new(String::new());
        form.append_pair("token", token);
        form.append_pair("token_type_hint", "access_token");
        *request.body_mut() = Some(Body::from(form.finish()));
        let answer = self.client.execute(request).await;
        let answer = answer.map_err(issuer::fault)?;
        match answer.status().as_u16() {
            200 => {}
            401 => {
                return Err("it refuses CANDOR_INTROSPECT_CLIENT and its secret (401)".to_owned());
            }
            status => return Err(format!("the answer was {status}")),
        }
        let bytes = issuer::body(answer, LARGEST).await?;
        // What the library says of an error would quote the answer.
        serde_json::from_slice(&bytes).map_err(|_| "the answer is not one of RFC 7662".to_owned())
    }

    fn now(&self) -> DateTime<Utc> {
        self.clock.now(chrono_tz::UTC).instant
    }
}

impl Answer {
    /// Returns the time for which it is taken without asking again.
    fn holds(&self, now: DateTime<Utc>) -> TimeDelta {
        let left = self.exp.map_or(f64::INFINITY, |end| end - seconds(now));
        let kept = Duration::from_secs_f64(left.clamp(0.0, KEPT));
        TimeDelta::from_std(kept).unwrap_or_default()
    }
}

/// The caller of an active token that holds `now`.
fn judge(answer: &Answer, now: DateTime<Utc>) -> Result<Caller, Problem> {
    if !answer.active {
        return Err(bearer::refused(
            "it is not active: it has expired, was taken back or was never given out",
        ));
    }
    let now = seconds(now);
    if answer.exp.is_some_and(|end| end + LEEWAY <= now) {
        return Err(bearer::refused("it has expired"));
    }
    if answer.nbf.is_some_and(|begin| begin - LEEWAY > now) {
        return Err(bearer::refused("it is not valid yet"));
    }
    let nobodys = || bearer::refused("it has no sub, so it is nobody's");
    jwt::caller(answer.sub.as_deref().ok_or_else(nobodys)?, &answer.scope)
}

/// Seconds since 1970, as the standard counts.
fn seconds(at: DateTime<Utc>) -> f64 {
    (at - DateTime::UNIX_EPOCH).as_seconds_f64()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::store::KeyScope;

    const NOW: f64 = 1_800_000_000.0;

    fn now() -> DateTime<Utc> {
        DateTime::from_timestamp(1_800_000_000, 0).unwrap()
    }

    fn answer(change: &Value) -> Result<Answer, serde_json::Error> {
        let mut answer = json!({"active": true, "sub": "ann"});
        for (name, value) in change.as_object().unwrap() {
            answer[name] = value.clone();
        }
        serde_json::from_value(answer)
    }

    #[test]
    fn only_what_is_active_now_is_somebodys() {
        let check = |change: Value, expect: Result<KeyScope, &str>| {
            let judged = judge(&answer(&change).unwrap(), now());
            match (judged, expect) {
                (Ok(caller), Ok(scope)) => {
                    assert_eq!(caller.subject.unwrap().as_str(), "ann", "{change}");
                    assert_eq!(caller.scope, scope, "{change}");
                }
                (Err(problem), Err(words)) => {
                    assert_eq!(problem.code, Code::Unauthorized, "{change}");
                    assert!(problem.detail.contains(words), "{problem}");
                }
                (judged, _) => panic!("{change}: {judged:?}"),
            }
        };
        check(json!({}), Ok(KeyScope::Write));
        check(json!({"scope": "openid candor:read"}), Ok(KeyScope::Read));
        check(
            json!({"scope": "candor:read candor:write"}),
            Ok(KeyScope::Write),
        );
        check(json!({"scope": "candor:admin"}), Ok(KeyScope::Write));
        check(json!({"exp": NOW + 1.0, "nbf": NOW}), Ok(KeyScope::Write));
        check(json!({"exp": NOW - 60.0}), Err("it has expired"));
        check(json!({"exp": -1e300}), Err("it has expired"));
        check(json!({"exp": 1e300}), Ok(KeyScope::Write));
        check(json!({"nbf": NOW + 60.0}), Err("not valid yet"));
        check(json!({"active": false}), Err("not active"));
        check(json!({"sub": null}), Err("no sub"));
        check(json!({"sub": "a/b"}), Err("can not be a user id"));
        // What is not of the standard's form says nothing.
        for fault in [
            json!({"active": "true"}),
            json!({"active": 1}),
            json!({"active": null}),
            json!({"exp": "tomorrow"}),
            json!({"sub": 5}),
        ] {
            assert!(answer(&fault).is_err(), "{fault}");
        }
    }

    #[test]
    fn an_answer_is_kept_for_half_a_minute_and_never_past_its_end() {
        let check = |change: Value, expect: i64| {
            let held = answer(&change).unwrap().holds(now());
            assert_eq!(held, TimeDelta::seconds(expect), "{change}");
        };
        check(json!({}), 30);
        check(json!({"exp": NOW + 3_600.0}), 30);
        check(json!({"exp": NOW + 7.0}), 7);
        check(json!({"exp": NOW - 5.0}), 0);
        check(json!({"exp": 1e300}), 30);
    }

    #[test]
    fn who_asks_is_encoded_and_never_shown() {
        let clock = Clock::system(None);
        let made = Introspection::new("http://127.0.0.1:1/", "a:b", "cana/ry", clock).unwrap();
        let shown = format!("{made:?}");
        assert!(!shown.contains("Y2FuYS"), "{shown}");
        let header = &made.template.headers()["authorization"];
        // a%3Ab:cana%2Fry
        assert_eq!(header, "Basic YSUzQWI6Y2FuYSUyRnJ5");
        assert!(Introspection::new("nowhere", "a", "b", clock).is_err());
    }
}
