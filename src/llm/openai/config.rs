//! The server, its credential and its models: explicit, checked before, never printed whole.
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

/// Reason why no server can be asked: TLS can't be set up on this machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("no TLS can be set up on this machine: are its root certificates installed?")]
pub struct TlsUnavailable;

impl OpenAiConfig {
    /// The server at `base_url` (as in `https://api.openai.com/v1`), called `provider_id`, and
    /// its `models`, the first with the others as fallbacks in order. An empty key is none. All
    /// were checked when they were read: async-openai panics over a key that no header can carry.
    pub fn new<M: AsRef<str>>(
        provider_id: &str,
        base_url: &str,
        api_key: Option<&str>,
        models: impl IntoIterator<Item = M>,
    ) -> Self {
        let mut names: Vec<String> = Vec::new();
        for name in models {
            let name = name.as_ref();
            if !names.iter().any(|known| known == name) {
                names.push(name.to_owned());
            }
        }
        let mut names = names.into_iter();
        Self {
            provider_id: provider_id.to_owned(),
            base_url: base_url.to_owned(),
            api_key: Secret::new(api_key.unwrap_or_default()),
            model: names.next().unwrap_or_default(),
            fallbacks: names.collect(),
            connect_within: Duration::from_secs(3),
            idle: Duration::from_secs(5),
            repeats: true,
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_hidden() {
        let config = |key| OpenAiConfig::new("openai", "http://h/v1", key, ["m"]);
        for key in [None, Some("")] {
            assert!(!config(key).has_key());
        }
        assert!(!format!("{:?}", config(Some("sk-canary"))).contains("canary"));
    }

    #[test]
    fn models_keep_their_order_without_doubles() {
        let config = OpenAiConfig::new("openai", "http://h/v1", None, ["a", "b", "a", "c"]);
        assert_eq!(config.model, "a");
        assert_eq!(config.fallbacks, ["b", "c"]);
    }
}
