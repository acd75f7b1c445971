//! The server, its credential and its models: explicit, checked once, never printed whole.
//!
//! Reads no environment; the names of variables belong to `config` on top.

use std::time::Duration;

use reqwest::Url;

use crate::domain::Secret;
use crate::llm::attempt::ServerAddress;

/// An OpenAI-compatible server and the models to ask there.
#[derive(Debug, Clone)]
pub struct OpenAiConfig {
    pub(super) provider_id: String,
    pub(super) base_url: String,
    pub(super) api_key: Secret,
    pub(super) model: String,
    pub(super) fallbacks: Vec<String>,
    pub(super) connect_within: Duration,
    pub(super) idle: Duration,
    pub(super) repeats: bool,
}

/// Reason why a configuration can't work; `Display` says what is accepted and never shows the
/// value.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OpenAiConfigError {
    /// The base URL.
    #[error(
        "the base URL must be http or https, without user, query or fragment, like http://127.0.0.1:11434/v1"
    )]
    BaseUrl,
    /// The key.
    #[error("the key must be printable ASCII on one line")]
    ApiKey,
    /// The models.
    #[error("at least one model must be named, each on one line")]
    Models,
    /// The machine's TLS.
    #[error("no TLS can be set up on this machine: are its root certificates installed?")]
    Tls,
}

impl OpenAiConfig {
    /// The server at `base_url` (as in `https://api.openai.com/v1`), called `provider_id`, and
    /// its `models`, the first with the others as fallbacks in order. An empty key is none.
    ///
    /// # Errors
    /// `OpenAiConfigError` names the part that can't be used.
    pub fn new<M: AsRef<str>>(
        provider_id: &str,
        base_url: &str,
        api_key: Option<&str>,
        models: impl IntoIterator<Item = M>,
    ) -> Result<Self, OpenAiConfigError> {
        let mut names: Vec<String> = Vec::new();
        for name in models {
            let name = name.as_ref().trim();
            if name.chars().any(char::is_control) {
                return Err(OpenAiConfigError::Models);
            }
            if !name.is_empty() && !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        let mut names = names.into_iter();
        Ok(Self {
            provider_id: provider_id.trim().to_owned(),
            base_url: parse_base_url(base_url).ok_or(OpenAiConfigError::BaseUrl)?,
            api_key: parse_key(api_key.unwrap_or_default())?,
            model: names.next().ok_or(OpenAiConfigError::Models)?,
            fallbacks: names.collect(),
            connect_within: Duration::from_secs(3),
            idle: Duration::from_secs(5),
            repeats: true,
        })
    }

    /// Sets how long a connection may take to come about (default 3 s), and how long an answer that
    /// has begun may pause (default 5 s). The wait for its first byte has no limit but the
    /// request's own: an unstreamed answer is silent while the model thinks.
    #[must_use]
    pub const fn with_limits(mut self, connect_within: Duration, idle: Duration) -> Self {
        self.connect_within = connect_within;
        self.idle = idle;
        self
    }

    /// Asks each model once: whoever asks decides what a passing fault is worth.
    #[must_use]
    pub const fn without_repeats(mut self) -> Self {
        self.repeats = false;
        self
    }

    /// The same server, asked for this model alone.
    #[must_use]
    pub fn asking(mut self, model: &str) -> Self {
        model.trim().clone_into(&mut self.model);
        self.fallbacks.clear();
        self
    }

    /// Tells whether what is said to the server can be read by nobody on the way.
    pub(super) fn is_encrypted(&self) -> bool {
        self.base_url.starts_with("https:")
    }

    /// Host and port of the server.
    pub(super) fn address(&self) -> Option<ServerAddress> {
        let url = Url::parse(&self.base_url).ok()?;
        Some(ServerAddress {
            host: url.host_str()?.to_owned(),
            port: url.port_or_known_default(),
        })
    }

    pub(super) fn has_key(&self) -> bool {
        !self.api_key.expose().is_empty()
    }
}

/// A credential that can stand in a header; async-openai panics over any other.
fn parse_key(text: &str) -> Result<Secret, OpenAiConfigError> {
    let key = text.trim();
    let fits = |byte: u8| byte.is_ascii_graphic() || byte == b' ';
    match key.bytes().all(fits) {
        true => Ok(Secret::new(key)),
        false => Err(OpenAiConfigError::ApiKey),
    }
}

/// The URL without its trailing slashes; credentials in it would end up in logs.
fn parse_base_url(text: &str) -> Option<String> {
    let url = Url::parse(text.trim()).ok()?;
    let plain = url.username().is_empty()
        && url.password().is_none()
        && url.query().is_none()
        && url.fragment().is_none();
    let usable = matches!(url.scheme(), "http" | "https") && url.has_host() && plain;
    usable.then(|| url.as_str().trim_end_matches('/').to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_url(text: &str, expect: Option<&str>) {
        let config = OpenAiConfig::new("openai", text, None, ["m"]);
        let expect = expect.map(str::to_owned).ok_or(OpenAiConfigError::BaseUrl);
        assert_eq!(config.map(|config| config.base_url), expect, "{text}");
    }

    #[test]
    fn base_urls_are_parsed() {
        check_url(
            "https://api.openai.com/v1",
            Some("https://api.openai.com/v1"),
        );
        check_url(
            " http://127.0.0.1:11434/v1/ ",
            Some("http://127.0.0.1:11434/v1"),
        );
        check_url("HTTP://LocalHost:8000", Some("http://localhost:8000"));
        for text in [
            "",
            "localhost:11434",
            "127.0.0.1",
            "ftp://host/v1",
            "file:///etc",
            "http://user:pass@host/v1",
            "http://key@host/v1",
            "https://host/v1?key=1",
            "https://host/v1#top",
        ] {
            check_url(text, None);
        }
    }

    #[test]
    fn keys_are_parsed_and_hidden() {
        let config = |key| OpenAiConfig::new("openai", "http://h/v1", key, ["m"]);
        for key in [None, Some(""), Some("  ")] {
            assert!(!config(key).unwrap().has_key());
        }
        let secret = config(Some(" sk-canary\n")).unwrap();
        assert_eq!(secret.api_key.expose(), "sk-canary");
        assert!(!format!("{secret:?}").contains("canary"));
        for key in ["sk\nx", "sk\u{7f}", "schlüssel"] {
            assert_eq!(config(Some(key)).unwrap_err(), OpenAiConfigError::ApiKey);
        }
    }

    #[test]
    fn models_keep_their_order_without_doubles() {
        let config = |models: &[&str]| OpenAiConfig::new("openai", "http://h/v1", None, models);
        let parsed = config(&[" a ", "", "b", "a", "c"]).unwrap();
        assert_eq!(parsed.model, "a");
        assert_eq!(parsed.fallbacks, ["b", "c"]);
        for models in [&[][..], &[""], &["a\nb"]] {
            assert_eq!(config(models).unwrap_err(), OpenAiConfigError::Models);
        }
    }
}
