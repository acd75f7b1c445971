//! The operator's webhook, signed as Standard Webhooks says.

use std::time::Duration;

use chrono::{DateTime, Utc};
use reqwest::header::CONTENT_TYPE;
use reqwest::{StatusCode, Url, redirect, retry};

use super::address::GuardedResolver;
use crate::domain::ReminderId;

/// Longest time that a receiver may take to answer.
const ANSWER: Duration = Duration::from_secs(10);
/// Longest time that connecting may take.
const CONNECT: Duration = Duration::from_secs(5);
/// Shortest secret, in bytes, as Standard Webhooks asks for.
const SECRET: std::ops::RangeInclusive<usize> = 24..=64;

/// Reason why a webhook can't be set up, in words for the operator.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WebhookError {
    /// The address is none.
    #[error("{0}")]
    Url(String),
    /// The secret is none.
    #[error("{0}")]
    Secret(String),
}

/// Answer of the receiver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum WebhookOutcome {
    /// Taken.
    Taken,
    /// 410: no more of this is wanted.
    Gone,
    /// Not asked, since it has so many others to answer.
    Busy,
    /// Not taken; the words are for the log.
    Failed(String),
}

/// Receiver of reminders.
pub struct Webhook {
    http: reqwest::Client,
    url: Url,
    key: standardwebhooks::Webhook,
}

impl std::fmt::Debug for Webhook {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // The path of an address may be a secret, too.
        f.write_str("Webhook")
    }
}

impl Webhook {
    /// A receiver at `url`, which is told under `secret` (`whsec_` and base64). No connection is made
    /// yet.
    ///
    /// # Errors
    /// [`WebhookError`].
    pub fn new(url: &str, secret: &str) -> Result<Self, WebhookError> {
        let fault = |text: &str| WebhookError::Url(text.to_owned());
        let url = Url::parse(url).map_err(|error| WebhookError::Url(error.to_string()))?;
        if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
            return Err(fault("it is no http or https address"));
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(fault("it holds a user or a password"));
        }
        let encoded = secret.strip_prefix("whsec_");
        let encoded = encoded.ok_or_else(|| fault_of("it does not begin with whsec_"))?;
        let key = standardwebhooks::Webhook::new(encoded);
        let key = key.map_err(|_| fault_of("what follows whsec_ is no base64"))?;
        let length = encoded.trim_end_matches('=').len() * 3 / 4;
        if !SECRET.contains(&length) {
            return Err(fault_of("it does not have 24 to 64 bytes"));
        }
        let http = reqwest::Client::builder()
            .user_agent(concat!("candor/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT)
            .timeout(ANSWER)
            .dns_resolver(std::sync::Arc::new(GuardedResolver::default()))
            .redirect(redirect::Policy::none())
            .retry(retry::never())
            .build();
        let http = http.map_err(|error| WebhookError::Url(error.to_string()))?;
        Ok(Self { http, url, key })
    }

    /// Sends a message once; `now` is the machine's time.
    pub(super) async fn send(
        &self,
        id: ReminderId,
        now: DateTime<Utc>,
        body: &str,
    ) -> WebhookOutcome {
        let (id, at) = (id.to_string(), now.timestamp());
        let signed = match self.key.sign(&id, at, body.as_bytes()) {
            Ok(signed) => signed,
            Err(error) => return WebhookOutcome::Failed(error.to_string()),
        };
        let request = self.http.post(self.url.clone());
        let request = request
            .header(standardwebhooks::HEADER_WEBHOOK_ID, id)
            .header(standardwebhooks::HEADER_WEBHOOK_TIMESTAMP, at)
            .header(standardwebhooks::HEADER_WEBHOOK_SIGNATURE, signed)
            .header(CONTENT_TYPE, "application/json")
            .body(body.to_owned());
        match request.send().await {
            Ok(answer) if answer.status().is_success() => WebhookOutcome::Taken,
            Ok(answer) if answer.status() == StatusCode::GONE => WebhookOutcome::Gone,
            Ok(answer) => WebhookOutcome::Failed(format!("it answered {}", answer.status())),
            Err(error) => WebhookOutcome::Failed(told(&error.without_url())),
        }
    }
}

fn fault_of(text: &str) -> WebhookError {
    WebhookError::Secret(text.to_owned())
}

/// An error with what lies below it, on one line.
fn told(error: &(dyn std::error::Error + 'static)) -> String {
    let below = std::iter::successors(error.source(), |error| error.source());
    below.fold(error.to_string(), |text, error| format!("{text}: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

    #[test]
    fn what_can_not_be_a_receiver_is_refused() {
        let check = |url: &str, secret: &str, words: &str| {
            let fault = Webhook::new(url, secret).unwrap_err().to_string();
            assert!(fault.contains(words), "{fault}");
        };
        assert!(Webhook::new("http://127.0.0.1:9/x", SECRET).is_ok());
        check("ftp://example.com", SECRET, "no http");
        check("example.com/hook", SECRET, "relative URL");
        check("https://me:pw@example.com", SECRET, "a password");
        check("https://example.com", "secret", "whsec_");
        check("https://example.com", "whsec_???", "base64");
        check("https://example.com", "whsec_c2hvcnQ=", "24 to 64");
    }
}
