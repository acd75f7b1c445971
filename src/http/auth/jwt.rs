//! Signed tokens (RFC 7519), checked as RFC 8725 asks: the key decides which algorithms there
//! are, not the token; audience, issuer, time and subject are all looked at.

use jsonwebtoken::errors::ErrorKind;
use jsonwebtoken::{Algorithm, DecodingKey, Header, Validation, decode, decode_header};
use serde::Deserialize;
use serde_json::Value;

use super::jwks::{Jwks, KeySource};
use super::{Caller, bearer};
use crate::domain::{Secret, UserId};
use crate::http::problem::Problem;
use crate::store::KeyScope;

/// Largest difference between two clocks that is allowed for, in seconds.
pub(super) const LEEWAY: u32 = 10;

/// Scopes by which a token can say that it may do less than its user. A token can't make its
/// holder an admin: whoever gives it out might let users choose their scopes.
pub(super) const READ: &str = "candor:read";
pub(super) const WRITE: &str = "candor:write";

/// Conditions that a token must meet.
#[derive(Debug)]
pub struct Jwt {
    key: Signature,
    audience: Vec<String>,
    issuer: Option<String>,
}

/// Keys that signatures are checked with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JwtKey {
    /// `CANDOR_JWT_SECRET`: a secret that both sides know, for HS256.
    Secret(Secret),
    /// `CANDOR_JWKS`, a file of public keys.
    File(std::path::PathBuf),
    /// `CANDOR_JWKS`, an address of public keys.
    Url(String),
}

#[derive(Debug)]
enum Signature {
    Secret(DecodingKey),
    Public(Jwks),
}

#[derive(Deserialize)]
struct Claims {
    sub: String,
    #[serde(default)]
    scope: Value,
}

impl Jwt {
    /// Tokens that are signed with `key`, for one of `audience` (none: for nobody in particular),
    /// by `issuer` (none: whoever has the key).
    ///
    /// # Errors
    /// Words for the operator when the keys can't be read.
    pub fn new(
        key: &JwtKey,
        audience: Vec<String>,
        issuer: Option<String>,
    ) -> Result<Self, String> {
        let key = match key {
            JwtKey::Secret(secret) => {
                Signature::Secret(DecodingKey::from_secret(secret.expose().as_bytes()))
            }
            JwtKey::File(file) => Signature::Public(Jwks::new(KeySource::File(file.clone()))?),
            JwtKey::Url(url) => Signature::Public(Jwks::new(KeySource::Url(url.clone()))?),
        };
        Ok(Self {
            key,
            audience,
            issuer,
        })
    }

    /// The issuer whose tokens are taken, where only one's are.
    pub(super) fn issuer(&self) -> Option<&str> {
        self.issuer.as_deref()
    }

    /// Caller of the token.
    ///
    /// # Errors
    /// 401 that says what is wrong with it; 503 when the keys can't be had.
    pub(super) async fn check(&self, token: &str) -> Result<Caller, Problem> {
        let unreadable = |_| bearer::refused("it is neither an API key nor a signed token");
        let header = decode_header(token).map_err(unreadable)?;
        if header.crit.is_some() {
            return Err(bearer::refused(
                "its header asks for what is not known here",
            ));
        }
        let keys = self.keys(&header).await?;
        let validation = self.validation(header.alg);
        let mut fault = bearer::refused("it is signed by nobody who is known here");
        for key in keys {
            match decode::<Claims>(token, &key, &validation) {
                Ok(token) => return caller(&token.claims.sub, &token.claims.scope),
                Err(error) => fault = bearer::refused(why(error.kind())),
            }
        }
        Err(fault)
    }

    async fn keys(&self, header: &Header) -> Result<Vec<DecodingKey>, Problem> {
        match &self.key {
            Signature::Secret(key) if header.alg == Algorithm::HS256 => Ok(vec![key.clone()]),
            Signature::Secret(_) => Err(bearer::refused("it is not signed with HS256")),
            Signature::Public(keys) => keys.find(header.kid.as_deref(), header.alg).await,
        }
    }

    fn validation(&self, algorithm: Algorithm) -> Validation {
        let mut validation = Validation::new(algorithm);
        validation.leeway = u64::from(LEEWAY);
        validation.validate_nbf = true;
        let mut required = vec!["exp", "sub"];
        if !self.audience.is_empty() {
            required.push("aud");
            validation.set_audience(&self.audience);
        }
        if let Some(issuer) = &self.issuer {
            required.push("iss");
            validation.set_issuer(&[issuer]);
        }
        validation.set_required_spec_claims(&required);
        validation
    }
}

/// The caller whom a token names, as far as its scope goes.
///
/// # Errors
/// 401 when that can be no user.
pub(super) fn caller(subject: &str, scope: &Value) -> Result<Caller, Problem> {
    let subject =
        UserId::parse(subject).map_err(|_| bearer::refused("its sub can not be a user id"))?;
    Ok(Caller {
        subject: Some(subject),
        scope: granted(scope),
        key: None,
    })
}

/// A token that names none of our scopes may do what its user may.
fn granted(claim: &Value) -> KeyScope {
    let named = |scope: &str| match claim {
        Value::String(text) => text.split(' ').any(|word| word == scope),
        Value::Array(words) => words.iter().any(|word| word == scope),
        _ => false,
    };
    if named(READ) && !named(WRITE) {
        KeyScope::Read
    } else {
        KeyScope::Write
    }
}

fn why(fault: &ErrorKind) -> &'static str {
    match fault {
        ErrorKind::ExpiredSignature => "it has expired",
        ErrorKind::ImmatureSignature => "it is not valid yet",
        ErrorKind::InvalidAudience => "it is meant for another audience",
        ErrorKind::InvalidIssuer => "it was given out by another issuer",
        ErrorKind::MissingRequiredClaim(claim) => match claim.as_str() {
            "exp" => "it has no exp, so it would hold forever",
            "sub" => "it has no sub, so it is nobody's",
            "aud" => "it has no aud",
            _ => "it has no iss",
        },
        _ => "its signature does not hold",
    }
}

#[cfg(test)]
mod tests {
    use jsonwebtoken::{EncodingKey, encode, get_current_timestamp};
    use serde_json::json;

    use super::*;

    const SECRET: &str = "0123456789abcdef0123456789abcdef";

    fn jwt(audience: &[&str], issuer: Option<&str>) -> Jwt {
        let audience = audience.iter().map(|one| (*one).to_owned()).collect();
        let key = JwtKey::Secret(Secret::new(SECRET));
        Jwt::new(&key, audience, issuer.map(str::to_owned)).unwrap()
    }

    fn sign(algorithm: Algorithm, claims: &Value) -> String {
        let key = EncodingKey::from_secret(SECRET.as_bytes());
        encode(&Header::new(algorithm), claims, &key).unwrap()
    }

    fn claims() -> Value {
        json!({"sub": "ann", "exp": get_current_timestamp() + 600})
    }

    async fn refused(jwt: &Jwt, token: &str) -> String {
        let problem = jwt.check(token).await.unwrap_err();
        assert_eq!(problem.code.status(), 401);
        problem.detail.into()
    }

    #[tokio::test]
    async fn what_a_token_must_hold() {
        let (open, now) = (jwt(&[], None), get_current_timestamp());
        let check = async |jwt: &Jwt, change: Value, expect: Result<&str, &str>| {
            let mut claims = claims();
            for (name, value) in change.as_object().unwrap() {
                claims[name] = value.clone();
            }
            let token = sign(Algorithm::HS256, &claims);
            match expect {
                Ok(user) => {
                    let caller = jwt.check(&token).await.unwrap();
                    assert_eq!(caller.subject.unwrap().as_str(), user);
                }
                Err(words) => {
                    let detail = refused(jwt, &token).await;
                    assert!(detail.contains(words), "{claims}: {detail}");
                }
            }
        };
        check(&open, json!({}), Ok("ann")).await;
        check(&open, json!({"nbf": now - 60}), Ok("ann")).await;
        check(&open, json!({"exp": now - 60}), Err("has expired")).await;
        check(&open, json!({"exp": null}), Err("no exp")).await;
        check(&open, json!({"exp": "never"}), Err("no exp")).await;
        check(&open, json!({"nbf": now + 60}), Err("not valid yet")).await;
        check(&open, json!({"nbf": "soon"}), Err("signature")).await;
        check(&open, json!({"sub": "a/b"}), Err("user id")).await;
        check(&open, json!({"sub": ""}), Err("user id")).await;
        // A token that is meant for somebody is not taken by one who is nobody in particular.
        check(&open, json!({"aud": "todo"}), Err("another audience")).await;

        let strict = jwt(&["todo", "api"], Some("https://id.example"));
        let both = json!({"aud": "todo", "iss": "https://id.example"});
        check(&strict, both, Ok("ann")).await;
        let one_of = json!({"aud": ["x", "api"], "iss": "https://id.example"});
        check(&strict, one_of, Ok("ann")).await;
        check(&strict, json!({"iss": "https://id.example"}), Err("no aud")).await;
        let other = json!({"aud": "shop", "iss": "https://id.example"});
        check(&strict, other, Err("another audience")).await;
        check(&strict, json!({"aud": "todo"}), Err("no iss")).await;
        let other = json!({"aud": "todo", "iss": "https://evil.example"});
        check(&strict, other, Err("another issuer")).await;
    }

    #[tokio::test]
    async fn a_token_without_a_subject_is_nobodys() {
        let token = json!({"exp": get_current_timestamp() + 600});
        let jwt = jwt(&[], None);
        let token = sign(Algorithm::HS256, &token);
        assert!(jwt.check(&token).await.is_err());
    }

    #[tokio::test]
    async fn the_key_decides_the_algorithm_and_not_the_token() {
        let jwt = jwt(&[], None);
        let other = sign(Algorithm::HS512, &claims());
        assert!(
            refused(&jwt, &other)
                .await
                .contains("not signed with HS256")
        );
        let token = sign(Algorithm::HS256, &claims());
        let (_, rest) = token.split_once('.').unwrap();
        let (payload, signature) = rest.split_once('.').unwrap();
        // {"alg":"none"}, {"alg":"None","typ":"JWT"}, and one that is no header.
        for header in [
            "eyJhbGciOiJub25lIn0",
            "eyJhbGciOiJOb25lIiwidHlwIjoiSldUIn0",
            "e30",
        ] {
            for signature in ["", signature] {
                refused(&jwt, &format!("{header}.{payload}.{signature}")).await;
            }
        }
        // Another signature, none, another payload, and text that is no token at all.
        let (head, _) = token.rsplit_once('.').unwrap();
        let forged = sign(
            Algorithm::HS256,
            &json!({"sub": "bob", "exp": 9_999_999_999_u64}),
        );
        let (forged_head, _) = forged.rsplit_once('.').unwrap();
        for token in [
            format!("{head}."),
            head.to_owned(),
            format!("{head}.AAAA"),
            format!("{forged_head}.{signature}"),
            "x".to_owned(),
            "..".to_owned(),
        ] {
            refused(&jwt, &token).await;
        }
    }

    #[tokio::test]
    async fn what_must_be_understood_and_is_not_is_refused() {
        let header = Header {
            crit: Some(vec!["exp".to_owned()]),
            ..Header::new(Algorithm::HS256)
        };
        let key = EncodingKey::from_secret(SECRET.as_bytes());
        let token = encode(&header, &claims(), &key).unwrap();
        let detail = refused(&jwt(&[], None), &token).await;
        assert!(detail.contains("its header"), "{detail}");
    }

    #[test]
    fn a_token_can_say_that_it_may_only_look() {
        let check = |claim: Value, expect| assert_eq!(granted(&claim), expect, "{claim}");
        check(Value::Null, KeyScope::Write);
        check(json!("openid profile"), KeyScope::Write);
        check(json!("openid candor:read"), KeyScope::Read);
        check(json!("candor:read candor:write"), KeyScope::Write);
        check(json!(["candor:read"]), KeyScope::Read);
        check(json!("candor:admin"), KeyScope::Write);
        check(json!("candor:reader"), KeyScope::Write);
    }
}
