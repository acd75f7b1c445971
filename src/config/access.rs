//! Rules on who may call, from where and how often: `CANDOR_AUTH` and what goes with it.
//!
//! A credential that can't be checked stops the start: nothing that would have to keep somebody
//! out is ever ignored.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::time::Duration;

use actix_web::http::header::{self, HeaderName};

use super::fault::ConfigError;
use super::parse;
use super::variables::Variables;
use crate::domain::Secret;
use crate::http::{JwtKey, Origins};

/// The shortest secret of signed tokens, in bytes: as long as the signature (RFC 7518 §3.2).
const SECRET: usize = 32;

/// Ways for callers to prove who they are. Without any they do not, and everybody who reaches the
/// port is whoever the path says.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AuthConfig {
    /// Signed tokens are taken.
    pub jwt: Option<JwtConfig>,
    /// Opaque tokens are taken.
    pub introspect: Option<IntrospectionConfig>,
    /// Keys made by `candor token` are taken.
    pub keys: bool,
}

impl AuthConfig {
    /// Tells whether nobody proves anything.
    pub const fn is_none(&self) -> bool {
        self.jwt.is_none() && self.introspect.is_none() && !self.keys
    }
}

/// Conditions that a signed token must meet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JwtConfig {
    /// Signed by whom.
    pub key: JwtKey,
    /// `CANDOR_JWT_AUDIENCE`: one of these must stand in `aud`; none: there must be no `aud`.
    pub audience: Vec<String>,
    /// `CANDOR_JWT_ISSUER`: what `iss` must be.
    pub issuer: Option<String>,
}

/// The server that says what an opaque token is worth (RFC 7662).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IntrospectionConfig {
    /// `CANDOR_INTROSPECT_URL`: the endpoint.
    pub url: String,
    /// `CANDOR_INTROSPECT_CLIENT`: as whom it is asked.
    pub client: String,
    /// `CANDOR_INTROSPECT_SECRET`: what proves that.
    pub secret: Secret,
}

/// `CANDOR_RATE_LIMIT`: so many turns in such a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RateLimit {
    /// Turns.
    pub turns: NonZeroU32,
    /// The time in which they may be had.
    pub window: Duration,
}

/// Reads `CANDOR_AUTH`, `CANDOR_JWT_*` where it says `jwt`, and `CANDOR_INTROSPECT_*` where it says
/// `introspect`.
pub fn auth(variables: &Variables) -> Result<AuthConfig, ConfigError> {
    const NAME: &str = "CANDOR_AUTH";
    const ACCEPTED: &str =
        "none, jwt, introspect, keys, or one of jwt and introspect with keys, such as jwt,keys";
    let Some(value) = variables.text(NAME).filter(|value| *value != "none") else {
        return Ok(AuthConfig::default());
    };
    let mut auth = AuthConfig::default();
    for word in value.split(',').map(str::trim) {
        match word {
            "jwt" => auth.jwt = Some(jwt(variables)?),
            "introspect" => auth.introspect = Some(introspect(variables)?),
            "keys" => auth.keys = true,
            _ => {
                let fault = "is not one of its words";
                return Err(ConfigError::quoting(NAME, value, fault, ACCEPTED));
            }
        }
    }
    if auth.jwt.is_some() && auth.introspect.is_some() {
        let fault = "names two judges of the same tokens";
        return Err(ConfigError::quoting(NAME, value, fault, ACCEPTED));
    }
    Ok(auth)
}

fn introspect(variables: &Variables) -> Result<IntrospectionConfig, ConfigError> {
    const URL: &str = "CANDOR_INTROSPECT_URL";
    const ACCEPTED: &str = "an address that begins with https:// (http:// on this machine)";
    let needed = |name: &'static str, accepted: &'static str| {
        let fault = "is not set, and CANDOR_AUTH is introspect";
        let missing = || ConfigError::new(name, fault, accepted);
        variables.text(name).ok_or_else(missing)
    };
    let url = needed(URL, ACCEPTED)?;
    // The value is not quoted: an address may hold a secret.
    let fault = |fault: &str| Err(ConfigError::new(URL, fault, ACCEPTED));
    match UrlSafety::of(url) {
        UrlSafety::Protected | UrlSafety::Local => {}
        UrlSafety::Exposed => {
            return fault("is not protected on its way: whoever is in between could read tokens");
        }
        UrlSafety::NotUrl => return fault("is not an address that can be asked"),
    }
    if authority(url).contains('@') {
        return fault(
            "holds a name or password; CANDOR_INTROSPECT_CLIENT and CANDOR_INTROSPECT_SECRET say \
             who asks",
        );
    }
    let accepted = "what the endpoint knows candor by, a client's id and secret";
    let client = needed("CANDOR_INTROSPECT_CLIENT", accepted)?;
    let secret = needed("CANDOR_INTROSPECT_SECRET", accepted)?;
    Ok(IntrospectionConfig {
        url: url.to_owned(),
        client: client.to_owned(),
        secret: Secret::new(secret),
    })
}

/// An address, by who can read along.
enum UrlSafety {
    /// Nobody.
    Protected,
    /// Nobody but this machine.
    Local,
    /// Everybody in between.
    Exposed,
    /// No address that can be asked.
    NotUrl,
}

impl UrlSafety {
    fn of(url: &str) -> Self {
        if authority(url).is_empty() {
            Self::NotUrl
        } else if url.starts_with("https://") {
            Self::Protected
        } else if !url.starts_with("http://") {
            Self::NotUrl
        } else if parse::is_local_name(authority(url)) {
            Self::Local
        } else {
            Self::Exposed
        }
    }
}

/// The host of an address, with its port.
fn authority(url: &str) -> &str {
    let rest = url.split_once("://").map_or("", |(_, rest)| rest);
    rest.split(['/', '?', '#']).next().unwrap_or_default()
}

/// Reads `CANDOR_USER_HEADER`.
pub fn user_header(variables: &Variables) -> Result<Option<HeaderName>, ConfigError> {
    let accepted = "the name of a header such as X-OpenWebUI-User-Id";
    variables.read(
        "CANDOR_USER_HEADER",
        "can't name a user",
        accepted,
        |value| {
            let name = HeaderName::from_bytes(value.as_bytes()).ok();
            // What a request says of itself names no user.
            let own = [header::AUTHORIZATION, header::HOST, header::ORIGIN];
            name.filter(|name| !own.contains(name))
        },
    )
}

fn jwt(variables: &Variables) -> Result<JwtConfig, ConfigError> {
    const SECRET_NAME: &str = "CANDOR_JWT_SECRET";
    const KEYS_NAME: &str = "CANDOR_JWKS";
    let key = match (variables.text(SECRET_NAME), variables.text(KEYS_NAME)) {
        (Some(secret), None) if secret.len() < SECRET => {
            return Err(ConfigError::new(
                SECRET_NAME,
                format!("is {} bytes long, which can be guessed", secret.len()),
                "32 bytes or more, such as the output of `openssl rand -hex 32`",
            ));
        }
        (Some(secret), None) => JwtKey::Secret(Secret::new(secret)),
        (None, Some(place)) => jwks(KEYS_NAME, place)?,
        (Some(_), Some(_)) => {
            let fault = "is set beside CANDOR_JWT_SECRET, and tokens have one kind of signature";
            return Err(ConfigError::new(KEYS_NAME, fault, "one of the two"));
        }
        (None, None) => {
            return Err(ConfigError::new(
                "CANDOR_AUTH",
                "jwt has nothing to check signatures with",
                "jwt together with CANDOR_JWT_SECRET (HS256) or CANDOR_JWKS (public keys)",
            ));
        }
    };
    let audience = variables.list("CANDOR_JWT_AUDIENCE");
    Ok(JwtConfig {
        key,
        audience: audience.map(str::to_owned).collect(),
        issuer: variables.text("CANDOR_JWT_ISSUER").map(str::to_owned),
    })
}

/// A file that is there, or an address that nobody on the way can answer for.
fn jwks(name: &'static str, place: &str) -> Result<JwtKey, ConfigError> {
    const ACCEPTED: &str = "the path of a file, or an address that begins with https:// (http:// \
                            on this machine)";
    let fault = |fault| Err(ConfigError::quoting(name, place, fault, ACCEPTED));
    match UrlSafety::of(place) {
        UrlSafety::Protected | UrlSafety::Local => return Ok(JwtKey::Url(place.to_owned())),
        UrlSafety::Exposed => {
            return fault("is not protected on its way: whoever is in between could make tokens");
        }
        UrlSafety::NotUrl if place.contains("://") => {
            return fault("is not an address that can be asked");
        }
        UrlSafety::NotUrl => {}
    }
    if !Path::new(place).is_file() {
        return fault("is not there");
    }
    Ok(JwtKey::File(PathBuf::from(place)))
}

/// Reads `CANDOR_RATE_LIMIT`.
pub fn rate_limit(
    variables: &Variables,
    auth: &AuthConfig,
) -> Result<Option<RateLimit>, ConfigError> {
    let accepted = "off, or turns per s, m or h such as 60/m (at most 1000000)";
    let limit = variables.read(
        "CANDOR_RATE_LIMIT",
        "is not a limit",
        accepted,
        |value| match value {
            "off" => Some(None),
            value => RateLimit::parse(value).map(Some),
        },
    );
    let usual = || RateLimit::parse("60/m").filter(|_| !auth.is_none());
    Ok(limit?.unwrap_or_else(usual))
}

impl RateLimit {
    fn parse(text: &str) -> Option<Self> {
        let (turns, per) = text.split_once('/')?;
        let seconds = match per {
            "s" => 1,
            "m" => 60,
            "h" => 3_600,
            _ => return None,
        };
        let turns: NonZeroU32 = turns.parse().ok()?;
        let window = Duration::from_secs(seconds);
        (turns.get() <= 1_000_000).then_some(Self { turns, window })
    }
}

/// Reads `CANDOR_CORS_ORIGINS`.
pub fn cors(variables: &Variables) -> Result<Origins, ConfigError> {
    const NAME: &str = "CANDOR_CORS_ORIGINS";
    let origins = match variables.text(NAME) {
        None => return Ok(Origins::Same),
        Some("*") => return Ok(Origins::Any),
        Some(value) => value.split(','),
    };
    let origins: Vec<String> = origins
        .map(|text| text.trim().to_ascii_lowercase())
        .collect();
    let is_origin = |text: &&String| {
        let host = text.strip_prefix("https://");
        let host = host.or_else(|| text.strip_prefix("http://"));
        let plain = |b: u8| b.is_ascii_alphanumeric() || b"-.:[]".contains(&b);
        host.is_some_and(|host| !host.is_empty() && host.bytes().all(plain))
    };
    match origins.iter().find(|text| !is_origin(text)) {
        Some(wrong) => Err(ConfigError::quoting(
            NAME,
            wrong,
            "is not an origin",
            "*, or a comma list such as https://todo.example,http://localhost:3000",
        )),
        None => Ok(Origins::Listed(origins)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LONG: &str = "canary-canary-canary-canary-canary";

    fn line(pairs: &[(&str, &str)]) -> String {
        let variables = Variables::from_pairs(pairs.iter().copied());
        let read = auth(&variables)
            .and_then(|auth| rate_limit(&variables, &auth).map(drop))
            .and_then(|()| cors(&variables).map(drop))
            .and_then(|()| user_header(&variables).map(drop));
        let line = read.map_or_else(|error| error.to_string(), |()| "ok".to_owned());
        assert!(!line.contains("canary"), "{line}");
        line
    }

    #[test]
    fn values() {
        let check = |pairs: &[(&str, &str)], expect: &str| {
            let line = line(pairs);
            assert!(line.contains(expect), "{pairs:?}: {line}");
        };
        check(&[("CANDOR_AUTH", "none")], "ok");
        check(&[("CANDOR_AUTH", "keys")], "ok");
        let secret = ("CANDOR_JWT_SECRET", LONG);
        check(&[("CANDOR_AUTH", "jwt"), secret], "ok");
        check(&[("CANDOR_AUTH", "jwt, keys"), secret], "ok");
        let keys = ("CANDOR_JWKS", "https://id.example/jwks.json");
        check(&[("CANDOR_AUTH", "jwt"), keys], "ok");
        check(
            &[("CANDOR_AUTH", "jwt"), keys, secret],
            "CANDOR_JWKS: is set beside",
        );
        check(&[("CANDOR_AUTH", "jwt")], "nothing to check signatures");
        check(
            &[("CANDOR_AUTH", "jwt"), ("CANDOR_JWT_SECRET", "canary")],
            "CANDOR_JWT_SECRET: is 6 bytes long, which can be guessed; accepted: 32 bytes",
        );
        let place = |place| [("CANDOR_AUTH", "jwt"), ("CANDOR_JWKS", place)];
        check(&place("http://127.0.0.1:9/jwks"), "ok");
        check(&place("http://id.example/jwks"), "is not protected");
        check(&place("http://localhost.example/x"), "is not protected");
        check(&place("ftp://id.example/jwks"), "is not an address");
        check(&place("/no/such/jwks.json"), "is not there");
        check(&place("Cargo.toml"), "ok");
        let url = |url| {
            [
                ("CANDOR_AUTH", "introspect"),
                ("CANDOR_INTROSPECT_URL", url),
                ("CANDOR_INTROSPECT_CLIENT", "candor"),
                ("CANDOR_INTROSPECT_SECRET", "canary"),
            ]
        };
        let good = url("https://id.example/introspect");
        check(&good, "ok");
        check(&url("http://[::1]:9/introspect"), "ok");
        check(&url("http://id.example/x"), "could read tokens");
        check(&url("http://id.example/?canary"), "could read tokens");
        check(&url("https://me:canary@id.example/"), "a name or password");
        check(&url("https:///x"), "is not an address");
        check(&url("id.example"), "is not an address");
        check(&good[..1], "CANDOR_INTROSPECT_URL: is not set");
        check(&good[..2], "CANDOR_INTROSPECT_CLIENT: is not set");
        check(&good[..3], "CANDOR_INTROSPECT_SECRET: is not set");
        let with = |auth| [&[("CANDOR_AUTH", auth), secret], &good[1..]].concat();
        check(&with("introspect,keys"), "ok");
        check(&with("introspect,jwt"), "two judges of the same tokens");
        for (name, expect) in [
            ("X-OpenWebUI-User-Id", "ok"),
            ("x user", "can't name a user"),
            ("Authorization", "can't name a user"),
        ] {
            check(&[("CANDOR_USER_HEADER", name)], expect);
        }
        check(
            &[("CANDOR_AUTH", "basic")],
            "accepted: none, jwt, introspect, keys",
        );
        check(&[("CANDOR_AUTH", "none,jwt")], "is not one of its words");
        for limit in ["off", "60/m", "1/s", "1000/h"] {
            check(&[("CANDOR_RATE_LIMIT", limit)], "ok");
        }
        for limit in ["60", "0/m", "-1/m", "60/d", "60/min", "1000001/s", "on"] {
            check(&[("CANDOR_RATE_LIMIT", limit)], "is not a limit");
        }
        check(&[("CANDOR_CORS_ORIGINS", "*")], "ok");
        let two = "https://a.example, http://localhost:3000";
        check(&[("CANDOR_CORS_ORIGINS", two)], "ok");
        for origin in ["a.example", "https://a.example/x", "*,https://a.example"] {
            check(&[("CANDOR_CORS_ORIGINS", origin)], "is not an origin");
        }
    }

    #[test]
    fn a_limit_comes_with_credentials() {
        let limit = |pairs: &[(&str, &str)]| {
            let variables = Variables::from_pairs(pairs.iter().copied());
            let auth = auth(&variables).unwrap();
            let limit = rate_limit(&variables, &auth).unwrap();
            limit.map(|limit| (limit.turns.get(), limit.window.as_secs()))
        };
        assert_eq!(limit(&[]), None);
        assert_eq!(limit(&[("CANDOR_AUTH", "keys")]), Some((60, 60)));
        let off = [("CANDOR_AUTH", "keys"), ("CANDOR_RATE_LIMIT", "off")];
        assert_eq!(limit(&off), None);
        assert_eq!(limit(&[("CANDOR_RATE_LIMIT", "5/s")]), Some((5, 1)));
    }
}
