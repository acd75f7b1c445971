//! Access to a server: from the configuration to what the edge asks.

use anyhow::{Context, Result};

use crate::config::Config;
use crate::domain::Clock;
use crate::http::{Access, Introspection, Jwt, Limits};

/// Returns what a server asks of its callers.
pub(super) fn of(config: &Config, clock: Clock) -> Result<Access> {
    let auth = &config.auth;
    let jwt = auth.jwt.as_ref().map(|jwt| {
        let made = Jwt::new(&jwt.key, jwt.audience.clone(), jwt.issuer.clone());
        made.map_err(anyhow::Error::msg).context("CANDOR_JWKS")
    });
    let introspection = auth.introspect.as_ref().map(|endpoint| {
        let (client, secret) = (&endpoint.client, endpoint.secret.expose());
        let made = Introspection::new(&endpoint.url, client, secret, clock);
        made.map_err(anyhow::Error::msg)
            .context("CANDOR_INTROSPECT_URL")
    });
    let limits = config.rate_limit.map(|limit| {
        let limits = Limits::new(limit.turns, limit.window);
        limits.context("CANDOR_RATE_LIMIT: more turns than can be told apart")
    });
    Ok(Access {
        jwt: jwt.transpose()?,
        introspection: introspection.transpose()?,
        keys: auth.keys.then_some(clock),
        limits: limits.transpose()?,
        origins: config.cors.clone(),
        user_header: config.user_header.clone(),
    })
}
