//! The public keys of whoever gives out tokens (RFC 7517): read once, kept, and read again when
//! they grow old or a token names a key that is not among them. That second reason is the
//! caller's to give, so it counts at most once a minute.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jsonwebtoken::jwk::{AlgorithmParameters, EllipticCurve, Jwk, KeyOperations, PublicKeyUse};
use jsonwebtoken::{Algorithm, AlgorithmFamily, DecodingKey};
use parking_lot::RwLock;
use serde::Deserialize;
use serde_json::Value;

use super::issuer::{self, SOON};
use crate::http::auth::bearer;
use crate::http::code::Code;
use crate::http::problem::Problem;

/// Time for which keys are taken without another look: a key that was withdrawn is one no longer.
const OLD: Duration = Duration::from_secs(10 * 60);

/// Shortest interval at which an unknown key is a reason to look.
const SELDOM: Duration = Duration::from_secs(60);

/// The largest set that is read, in bytes.
const LARGEST: usize = 256 * 1024;

/// The most keys that a token without a key's name is held against.
const TRIED: usize = 8;

/// Place of the keys.
#[derive(Debug)]
pub(super) enum KeySource {
    File(PathBuf),
    Url(String),
}

/// The keys, and when they were looked for.
#[derive(Debug)]
pub(super) struct Jwks {
    place: KeySource,
    client: reqwest::Client,
    kept: RwLock<Option<CachedKeys>>,
    looks: tokio::sync::Mutex<Looks>,
}

#[derive(Debug, Clone)]
struct CachedKeys {
    keys: Arc<Vec<Key>>,
    at: Instant,
}

#[derive(Debug, Default)]
struct Looks {
    /// The last one, whatever came of it.
    last: Option<Instant>,
    /// The last one because of an unknown key.
    unknown: Option<Instant>,
}

#[derive(Debug, Clone)]
struct Key {
    id: Option<String>,
    algorithms: Vec<Algorithm>,
    key: DecodingKey,
}

impl Jwks {
    /// A file is read at once, an address when the first token comes.
    ///
    /// # Errors
    /// Words for the operator when there is no key in the file.
    pub(super) fn new(place: KeySource) -> Result<Self, String> {
        let (url, kept) = match &place {
            KeySource::File(file) => {
                let text = std::fs::read_to_string(file).map_err(|error| error.to_string())?;
                ("", Some(keys(&text)?))
            }
            KeySource::Url(url) => (url.as_str(), None),
        };
        let client = issuer::client(url)?;
        Ok(Self {
            place,
            client,
            kept: RwLock::new(kept.map(CachedKeys::new)),
            looks: tokio::sync::Mutex::default(),
        })
    }

    /// The keys that may have signed a token with this header.
    ///
    /// # Errors
    /// 401 when there is none, 503 when no keys can be had.
    pub(super) async fn find(
        &self,
        id: Option<&str>,
        algorithm: Algorithm,
    ) -> Result<Vec<DecodingKey>, Problem> {
        if algorithm.family() == AlgorithmFamily::Hmac {
            // A public key is no secret; there is nothing to look for.
            return Err(bearer::refused("it is not signed with a private key"));
        }
        let kept = self.kept();
        let fresh = kept.as_ref().is_some_and(|kept| kept.at.elapsed() < OLD);
        let mut found = kept.map(|kept| kept.of(id, algorithm));
        if !fresh || found.as_ref().is_none_or(Vec::is_empty) {
            self.look(fresh).await;
            found = self.kept().map(|kept| kept.of(id, algorithm));
        }
        match found {
            Some(keys) if keys.is_empty() => {
                Err(bearer::refused("it is signed by nobody who is known here"))
            }
            Some(keys) => Ok(keys),
            None => {
                let detail = "The keys that tokens are checked with can't be had at the moment.";
                let problem = Problem::new(Code::LoginUnavailable, detail);
                Err(problem.retry_after(Some(SOON.as_secs())))
            }
        }
    }

    /// Reads the keys again, if that was not tried too lately. One looks, the others wait for it.
    async fn look(&self, unknown: bool) {
        let before = self.kept().map(|kept| kept.at);
        let mut looks = self.looks.lock().await;
        if self.kept().map(|kept| kept.at) != before {
            // Somebody else did, while this one waited.
            return;
        }
        let (last, pause) = match (unknown, before) {
            (true, _) => (looks.unknown, SELDOM),
            (false, Some(_)) => (looks.last, SELDOM),
            (false, None) => (looks.last, SOON),
        };
        if last.is_some_and(|last| last.elapsed() < pause) {
            return;
        }
        let now = Instant::now();
        looks.last = Some(now);
        if unknown {
            looks.unknown = Some(now);
        }
        match self.read().await {
            Ok(keys) => {
                let mut kept = self.kept.write();
                *kept = Some(CachedKeys::new(keys));
            }
            Err(fault) => tracing::warn!(fault, "the keys of CANDOR_JWKS can't be read"),
        }
    }

    async fn read(&self) -> Result<Vec<Key>, String> {
        match &self.place {
            KeySource::File(file) => {
                let text = tokio::fs::read_to_string(file).await;
                keys(&text.map_err(|error| error.to_string())?)
            }
            KeySource::Url(url) => keys(&self.fetch(url).await?),
        }
    }

    async fn fetch(&self, url: &str) -> Result<String, String> {
        let asked = self.client.get(url).header("accept", "application/json");
        let answer = asked.send().await.map_err(issuer::fault)?;
        if !answer.status().is_success() {
            return Err(format!("the answer was {}", answer.status().as_u16()));
        }
        let bytes = issuer::body(answer, LARGEST).await?;
        String::from_utf8(bytes).map_err(|_| "the answer is not text".to_owned())
    }

    fn kept(&self) -> Option<CachedKeys> {
        let kept = self.kept.read();
        kept.clone()
    }
}

impl CachedKeys {
    fn new(keys: Vec<Key>) -> Self {
        Self {
            keys: Arc::new(keys),
            at: Instant::now(),
        }
    }

    fn of(&self, id: Option<&str>, algorithm: Algorithm) -> Vec<DecodingKey> {
        let fits = |key: &&Key| {
            key.algorithms.contains(&algorithm) && id.is_none_or(|id| key.id.as_deref() == Some(id))
        };
        let fitting = self.keys.iter().filter(fits).take(TRIED);
        fitting.map(|key| key.key.clone()).collect()
    }
}

/// The keys of a set that sign; what is of another kind is left out, as the standard asks.
fn keys(text: &str) -> Result<Vec<Key>, String> {
    #[derive(Deserialize)]
    struct Set {
        keys: Vec<Value>,
    }
    let set: Set = serde_json::from_str(text).map_err(|_| "it is no set of keys (RFC 7517)")?;
    let keys: Vec<Key> = set.keys.into_iter().filter_map(key).collect();
    if keys.is_empty() {
        return Err("it holds no public key that signs".to_owned());
    }
    Ok(keys)
}

/// Reads a key for what its own kind allows, and only that: a public key is never taken for a
/// secret.
fn key(value: Value) -> Option<Key> {
    let jwk: Jwk = serde_json::from_value(value).ok()?;
    let signs = match (&jwk.common.public_key_use, &jwk.common.key_operations) {
        (Some(only), _) => *only == PublicKeyUse::Signature,
        (None, Some(operations)) => operations.contains(&KeyOperations::Verify),
        (None, None) => true,
    };
    let of_kind: &[Algorithm] = match &jwk.algorithm {
        AlgorithmParameters::RSA(_) => &[
            Algorithm::RS256,
            Algorithm::RS384,
            Algorithm::RS512,
            Algorithm::PS256,
            Algorithm::PS384,
            Algorithm::PS512,
        ],
        AlgorithmParameters::EllipticCurve(curve) if curve.curve == EllipticCurve::P256 => {
            &[Algorithm::ES256]
        }
        AlgorithmParameters::EllipticCurve(curve) if curve.curve == EllipticCurve::P384 => {
            &[Algorithm::ES384]
        }
        AlgorithmParameters::OctetKeyPair(_) => &[Algorithm::EdDSA],
        _ => return None,
    };
    let algorithms: Vec<Algorithm> = match jwk.common.key_algorithm {
        None => of_kind.to_vec(),
        Some(named) => {
            let named = Algorithm::try_from(named).ok()?;
            of_kind
                .iter()
                .copied()
                .filter(|one| *one == named)
                .collect()
        }
    };
    let key = DecodingKey::from_jwk(&jwk).ok()?;
    (signs && !algorithms.is_empty()).then_some(Key {
        id: jwk.common.key_id,
        algorithms,
        key,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    /// The public half of the key of RFC 8037 §A.1.
    const X: &str = "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo";

    fn ed(id: &str) -> Value {
        json!({"kty": "OKP", "crv": "Ed25519", "x": X, "kid": id})
    }

    fn set(keys: &[Value]) -> String {
        json!({"keys": keys}).to_string()
    }

    #[test]
    fn only_what_signs_is_taken_and_only_for_what_it_signs() {
        let check = |change: Value, expect: Option<&[Algorithm]>| {
            let mut value = ed("a");
            for (name, part) in change.as_object().unwrap() {
                value[name] = part.clone();
            }
            let found = key(value).map(|key| key.algorithms);
            assert_eq!(found.as_deref(), expect, "{change}");
        };
        check(json!({}), Some(&[Algorithm::EdDSA]));
        check(
            json!({"use": "sig", "alg": "EdDSA"}),
            Some(&[Algorithm::EdDSA]),
        );
        check(json!({"use": "enc"}), None);
        check(json!({"key_ops": ["verify"]}), Some(&[Algorithm::EdDSA]));
        check(json!({"key_ops": ["encrypt"]}), None);
        check(json!({"alg": "HS256"}), None);
        check(json!({"kty": "oct", "k": "c2VjcmV0"}), None);
        assert!(keys(&set(&[json!({"kty": "oct", "k": "c2VjcmV0"})])).is_err());
        assert!(keys("{}").is_err());
        assert_eq!(
            keys(&set(&[json!({"kty": "new"}), ed("a")])).unwrap().len(),
            1
        );
    }

    #[tokio::test]
    async fn a_new_key_is_found_and_an_unknown_one_looked_for_once_a_minute() {
        let name = format!("candor-jwks-{}.json", std::process::id());
        let file = std::env::temp_dir().join(name);
        let write = |keys: &[Value]| std::fs::write(&file, set(keys)).unwrap();
        write(&[ed("a")]);
        let jwks = Jwks::new(KeySource::File(file.clone())).unwrap();
        let knows = async |id| jwks.find(Some(id), Algorithm::EdDSA).await.is_ok();
        assert!(knows("a").await);
        write(&[ed("b")]);
        assert!(knows("a").await, "it is not looked at without a reason");
        assert!(knows("b").await, "the first unknown key is a reason");
        assert!(!knows("a").await, "what was withdrawn is gone");
        write(&[ed("c")]);
        assert!(!knows("c").await, "the second one within a minute is none");
        assert!(knows("b").await);
        assert!(jwks.find(None, Algorithm::EdDSA).await.is_ok());
        assert!(jwks.find(Some("b"), Algorithm::HS256).await.is_err());
        std::fs::remove_file(&file).unwrap();
    }

    #[tokio::test]
    async fn an_address_is_asked_as_seldom_as_a_file_is_read() {
        let asked = Arc::new(std::sync::atomic::AtomicU32::new(0));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/jwks", listener.local_addr().unwrap());
        let counter = Arc::clone(&asked);
        tokio::spawn(async move {
            use tokio::io::{AsyncReadExt, AsyncWriteExt};
            while let Ok((mut stream, _)) = listener.accept().await {
                counter.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                let _ = stream.read(&mut [0; 1024]).await;
                let body = set(&[ed("a")]);
                let head = "HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length:";
                let answer = format!("{head} {}\r\n\r\n{body}", body.len());
                let _ = stream.write_all(answer.as_bytes()).await;
            }
        });
        let jwks = Jwks::new(KeySource::Url(url)).unwrap();
        let count = || asked.load(std::sync::atomic::Ordering::SeqCst);
        assert_eq!(count(), 0);
        for _ in 0..9 {
            assert!(jwks.find(Some("a"), Algorithm::EdDSA).await.is_ok());
        }
        assert_eq!(count(), 1);
        for _ in 0..9 {
            let unknown = jwks.find(Some("z"), Algorithm::EdDSA).await;
            assert_eq!(unknown.unwrap_err().code, Code::Unauthorized);
        }
        assert_eq!(count(), 2);
    }

    #[tokio::test]
    async fn without_keys_nobody_is_let_in_and_nobody_is_called_a_liar() {
        let jwks = Jwks::new(KeySource::Url("http://127.0.0.1:1/jwks".to_owned())).unwrap();
        let found = jwks.find(None, Algorithm::EdDSA).await;
        assert_eq!(found.unwrap_err().code, Code::LoginUnavailable);
        assert!(Jwks::new(KeySource::File("Cargo.toml".into())).is_err());
    }
}
