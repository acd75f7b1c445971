//! Receiver of reminders besides the event streams.

use super::fault::ConfigError;
use super::variables::Variables;
use crate::domain::Secret;
use crate::reminders::{Webhook, WebhookError};

/// `CANDOR_WEBHOOK_URL` and `CANDOR_WEBHOOK_SECRET`, which hold.
#[derive(Debug, Clone)]
pub struct WebhookConfig {
    url: Secret,
    secret: Secret,
}

impl WebhookConfig {
    /// None where no webhook is set.
    pub(super) fn read(variables: &Variables) -> Result<Option<Self>, ConfigError> {
        const SECRET: &str =
            "whsec_ and the base64 of 24 to 64 bytes, as in the receiver's settings";
        let (url, secret) = (
            variables.text("CANDOR_WEBHOOK_URL"),
            variables.text("CANDOR_WEBHOOK_SECRET"),
        );
        let (url, secret) = match (url, secret) {
            (None, None) => return Ok(None),
            (Some(url), Some(secret)) => (url, secret),
            (Some(_), None) => {
                let fault = "it is not set, and CANDOR_WEBHOOK_URL is: nothing would be signed";
                return Err(ConfigError::new("CANDOR_WEBHOOK_SECRET", fault, SECRET));
            }
            (None, Some(_)) => {
                let fault = "it is not set, and CANDOR_WEBHOOK_SECRET is";
                return Err(ConfigError::new("CANDOR_WEBHOOK_URL", fault, ADDRESS));
            }
        };
        let config = Self {
            url: Secret::new(url),
            secret: Secret::new(secret),
        };
        match config.webhook() {
            Ok(_) => Ok(Some(config)),
            Err(WebhookError::Url(fault)) => {
                Err(ConfigError::new("CANDOR_WEBHOOK_URL", fault, ADDRESS))
            }
            Err(WebhookError::Secret(fault)) => {
                Err(ConfigError::new("CANDOR_WEBHOOK_SECRET", fault, SECRET))
            }
        }
    }

    /// The receiver.
    ///
    /// # Errors
    /// [`WebhookError`], which reading them has ruled out.
    pub fn webhook(&self) -> Result<Webhook, WebhookError> {
        Webhook::new(self.url.expose(), self.secret.expose())
    }
}

const ADDRESS: &str = "an address such as https://example.com/hooks/candor";
