//! API keys: looked up by their prefix, compared as hashes, and looked up anew each time, so that
//! one that was taken back is one no longer, in every process.

use super::{Caller, bearer};
use crate::domain::Clock;
use crate::http::problem::Problem;
use crate::store::{Store, prefix_of};

/// Tells whether a credential wants to be a key.
pub(super) fn looks_like(text: &str) -> bool {
    text.starts_with("candor_")
}

/// Caller of the key.
///
/// # Errors
/// 401 when it is none, or no longer one; 503 when that can't be looked up.
pub(super) async fn check(text: &str, clock: Clock, store: &Store) -> Result<Caller, Problem> {
    let unknown = || bearer::refused("there is no such API key");
    let prefix = prefix_of(text).ok_or_else(unknown)?;
    let found = store.key(prefix).await?;
    // Only who has the whole key learns what became of it.
    let key = found.filter(|key| key.is(text)).ok_or_else(unknown)?;
    let now = clock.now(chrono_tz::UTC).instant;
    if key.revoked_at.is_some() {
        return Err(bearer::refused("this API key was revoked"));
    }
    if key.expires_at.is_some_and(|end| end <= now) {
        return Err(bearer::refused("this API key has expired"));
    }
    if Store::notes_use(&key, now) {
        let (store, prefix) = (store.clone(), key.prefix.clone());
        // Nobody waits for a note.
        tokio::spawn(async move {
            if let Err(error) = store.key_used(&prefix, now).await {
                tracing::debug!(%error, "the use of a key was not noted");
            }
        });
    }
    Ok(Caller {
        subject: key.user,
        scope: key.scope,
        key: Some(key.prefix),
    })
}
