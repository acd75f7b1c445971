//! Tokens that are signed with a private key, and a public one in a file or at an address.

use std::fs;

use jsonwebtoken::{Algorithm, EncodingKey, Header, encode, get_current_timestamp};
use serde_json::json;

use super::endpoint::{Endpoint, Says};
use super::{Server, ask, sign};

/// The key pair of RFC 8037 §A.1: the private half as PKCS #8, and the public half.
const PRIVATE: &str = "302e020100300506032b6570042204209d61b19deffd5a60ba844af492ec2cc44449c5697b3\
                       26919703bac031cae7f60";
const PUBLIC: &str = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";

fn private() -> EncodingKey {
    let digit = |at: usize| u8::from_str_radix(&PRIVATE[at..at + 2], 16).unwrap();
    let bytes: Vec<u8> = (0..PRIVATE.len()).step_by(2).map(digit).collect();
    EncodingKey::from_ed_der(&bytes)
}

fn token(kid: &str) -> String {
    let header = Header {
        kid: Some(kid.to_owned()),
        ..Header::new(Algorithm::EdDSA)
    };
    let claims = json!({
        "sub": "ann",
        "iss": "https://id.example",
        "exp": get_current_timestamp() + 600,
    });
    encode(&header, &claims, &private()).unwrap()
}

fn set(kid: &str) -> String {
    let key = json!({"kty": "OKP", "crv": "Ed25519", "use": "sig", "kid": kid, "x": PUBLIC});
    json!({"keys": [key]}).to_string()
}

/// A file that goes with the test.
struct File(std::path::PathBuf);

impl File {
    fn new(name: &str, text: &str) -> Self {
        let name = format!("candor-test-{name}-{}.json", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::write(&path, text).unwrap();
        Self(path)
    }

    fn path(&self) -> &str {
        self.0.to_str().unwrap()
    }
}

impl Drop for File {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

#[tokio::test]
async fn a_public_key_in_a_file_checks_signatures_and_is_no_secret() {
    let file = File::new("jwks", &set("one"));
    let server = Server::start_with(&[
        ("CANDOR_AUTH", "jwt"),
        ("CANDOR_JWKS", file.path()),
        ("CANDOR_JWT_ISSUER", "https://id.example"),
    ])
    .await;
    let tasks = async |token: &str| {
        let reply = ask(&server, ("GET", "/api/ann/tasks"), Some(token), None).await;
        (reply.status, reply.text)
    };
    assert_eq!(tasks(&token("one")).await.0, 200);
    // What everybody can read can't sign: the public key taken for a secret, in each of its forms.
    let claims = json!({
        "sub": "ann",
        "iss": "https://id.example",
        "exp": get_current_timestamp() + 600,
    });
    for secret in [PUBLIC, &set("one")] {
        let (status, text) = tasks(&sign(&claims, secret)).await;
        assert_eq!(status, 401, "{text}");
    }
    // Another key comes, and the old one goes.
    fs::write(&file.0, set("two")).unwrap();
    assert_eq!(tasks(&token("two")).await.0, 200);
    assert_eq!(tasks(&token("one")).await.0, 401);
}

/// The JWT plugin of Better Auth by its defaults: a key of Ed25519 with its algorithm named, tokens
/// whose issuer and audience are its base URL, whose sub is the user's id and which carry the user.
#[tokio::test]
async fn tokens_of_better_auth_are_taken_by_its_published_keys() {
    const BASE: &str = "http://localhost:3000";
    const USER: &str = "Tq5wVbnJ9mXcK2sLrYp8HdZfGa3EuN7i";
    let key = json!({"alg": "EdDSA", "crv": "Ed25519", "kty": "OKP", "kid": "k1", "x": PUBLIC});
    let keys = json!({"keys": [key]}).to_string();
    let endpoint = Endpoint::start(Says::This(200, keys)).await;
    let server = Server::start_with(&[
        ("CANDOR_AUTH", "jwt"),
        ("CANDOR_JWKS", &endpoint.url),
        ("CANDOR_JWT_ISSUER", BASE),
        ("CANDOR_JWT_AUDIENCE", BASE),
    ])
    .await;
    let now = get_current_timestamp();
    let sign = |audience: &str| {
        let claims = json!({
            "iat": now, "exp": now + 900, "sub": USER, "iss": BASE, "aud": audience,
            "id": USER, "name": "Ann", "email": "ann@example.org", "emailVerified": true,
            "createdAt": "2026-02-08T09:00:00.000Z", "image": null,
        });
        let header = Header {
            typ: None,
            kid: Some("k1".to_owned()),
            ..Header::new(Algorithm::EdDSA)
        };
        encode(&header, &claims, &private()).unwrap()
    };
    let path = format!("/api/{USER}/tasks");
    let tasks = ("GET", path.as_str());
    let reply = ask(&server, tasks, Some(&sign(BASE)), None).await;
    assert_eq!(reply.status, 200, "{}", reply.text);
    let others = ("GET", "/api/ann/tasks");
    let reply = ask(&server, others, Some(&sign(BASE)), None).await;
    assert_eq!((reply.status, reply.problem()), (403, "other_user"));
    let reply = ask(&server, tasks, Some(&sign("http://localhost:4000")), None).await;
    assert_eq!(reply.status, 401, "{}", reply.text);
}

#[tokio::test]
async fn an_address_that_does_not_answer_lets_nobody_in() {
    let server = Server::start_with(&[
        ("CANDOR_AUTH", "jwt"),
        ("CANDOR_JWKS", "http://127.0.0.1:1/jwks.json"),
    ])
    .await;
    let target = ("GET", "/api/ann/tasks");
    let reply = ask(&server, target, Some(&token("one")), None).await;
    assert_eq!((reply.status, reply.problem()), (503, "login_unavailable"));
    assert!(reply.headers.contains_key("retry-after"));
    let reply = ask(&server, target, None, None).await;
    assert_eq!(reply.status, 401);
}
