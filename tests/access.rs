//! Tests of who may call: every route with every kind of credential, keys on the command line,
//! signed tokens, limits and pages of other origins; over real HTTP, against the real program.

#![cfg(test)]

#[path = "support"]
mod support {
    pub mod server;
}

#[path = "access/endpoint.rs"]
mod endpoint;
#[path = "access/introspect.rs"]
mod introspect;
#[path = "access/keys.rs"]
mod keys;
#[path = "access/limits.rs"]
mod limits;
#[path = "access/matrix.rs"]
mod matrix;
#[path = "access/metadata.rs"]
mod metadata;
#[path = "access/pages.rs"]
mod pages;
#[path = "access/tokens.rs"]
mod tokens;
#[path = "access/v1.rs"]
mod v1;

use std::sync::LazyLock;

use jsonwebtoken::{Algorithm, EncodingKey, Header, encode, get_current_timestamp};
use serde_json::{Value, json};
use support::server::{Reply, Server};

/// Secret that both sides know.
const SECRET: &str = "0123456789abcdef0123456789abcdef";
/// Whom tokens are meant for.
const AUDIENCE: &str = "candor-tests";

/// A server that takes keys and signed tokens.
const BOTH: &[(&str, &str)] = &[
    ("CANDOR_TODAY", "2026-02-08"),
    ("CANDOR_AUTH", "jwt,keys"),
    ("CANDOR_JWT_SECRET", SECRET),
    ("CANDOR_JWT_AUDIENCE", AUDIENCE),
    ("CANDOR_RATE_LIMIT", "off"),
    ("CANDOR_TODO_BACKEND", "on"),
];

/// The same with somebody to delegate to, so that every route leads somewhere.
fn with_agents() -> Vec<(&'static str, &'static str)> {
    static FILE: LazyLock<String> = LazyLock::new(|| {
        let name = format!("candor-access-{}.toml", std::process::id());
        let file = std::env::temp_dir().join(name);
        std::fs::write(&file, "[[providers]]\nid = 'worker'\nkind = 'built_in'\n").unwrap();
        file.to_str().unwrap().to_owned()
    });
    let agents = [("CANDOR_CONFIG", FILE.as_str())];
    BOTH.iter().copied().chain(agents).collect()
}

/// Claims that hold for ten minutes.
fn claims(user: &str) -> Value {
    json!({"sub": user, "aud": AUDIENCE, "exp": get_current_timestamp() + 600})
}

/// A token with a signature.
fn sign(claims: &Value, secret: &str) -> String {
    let key = EncodingKey::from_secret(secret.as_bytes());
    encode(&Header::new(Algorithm::HS256), claims, &key).unwrap()
}

/// Makes a key beside a running server.
fn create(server: &Server, arguments: &[&str]) -> String {
    let arguments = [&["token", "create"], arguments].concat();
    let ran = server.run_beside(&[], &arguments);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.out.trim().to_owned()
}

/// A request with a credential, if there is one, and a JSON body, if there is one.
async fn ask(
    server: &Server,
    (method, path): (&str, &str),
    credential: Option<&str>,
    body: Option<&Value>,
) -> Reply {
    let bearer = credential.map(|credential| format!("Bearer {credential}"));
    let mut headers = Vec::new();
    if let Some(bearer) = &bearer {
        headers.push(("authorization", bearer.as_str()));
    }
    if body.is_some() {
        headers.push(("content-type", "application/json"));
    }
    let body = body.map(Value::to_string);
    server.send(method, path, &headers, body).await
}
