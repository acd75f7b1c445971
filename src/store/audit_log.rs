//! Reading the audit log, and checking a user's part of it.

use super::backend::{Store, StoreError};
use super::read::AuditFilter;
use crate::audit;
use crate::domain::UserId;

/// Events read at once while a log is verified.
const VERIFY_PAGE: u32 = 1_000;

impl Store {
    /// Audit events, in the order of their users and numbers.
    ///
    /// # Errors
    /// [`StoreError::Corrupt`] when a column holds what was never written, or
    /// [`StoreError::Unavailable`].
    pub async fn audit_events(
        &self,
        filter: &AuditFilter,
    ) -> Result<Vec<audit::AuditRow>, StoreError> {
        let raw = self.backend().audit_events(filter).await?;
        raw.into_iter()
            .map(|event| event.parse().map_err(StoreError::from))
            .collect()
    }

    /// Returns the head of a user's log, as recorded beside it; none when nothing was ever logged.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::Corrupt`].
    pub async fn audit_head(&self, user: &UserId) -> Result<Option<audit::ChainHead>, StoreError> {
        self.backend().audit_head(user).await
    }

    /// Everyone who has a log, in order.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] or [`StoreError::Corrupt`].
    pub async fn audit_users(&self) -> Result<Vec<UserId>, StoreError> {
        self.backend().audit_users().await
    }

    /// Checks a user's whole log against itself, against the head recorded beside it, and
    /// against a `checkpoint` kept elsewhere. The inner result is the finding.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the log can't be read.
    pub async fn audit_verify(
        &self,
        user: &UserId,
        checkpoint: Option<&audit::ChainHead>,
    ) -> Result<Result<audit::ChainHead, audit::BrokenChain>, StoreError> {
        // The head is read first: events written meanwhile only make the log longer.
        let recorded = self.backend().audit_head(user).await?;
        let expected = recorded.into_iter().chain(checkpoint.cloned());
        let mut verifier = audit::ChainVerifier::new(expected);
        loop {
            let met = verifier.head().seq;
            let filter = AuditFilter {
                user: Some(user.clone()),
                after: (met > 0).then_some(met),
                limit: Some(VERIFY_PAGE),
                ..AuditFilter::default()
            };
            let events = self.backend().audit_events(&filter).await?;
            if events.is_empty() {
                // Read last, since an event commits with the head that counts it.
                let recorded = self.backend().audit_head(user).await?;
                let recorded = recorded.map_or(0, |head| head.seq);
                if met > recorded {
                    let (seq, fault) = (recorded + 1, audit::ChainFault::Extra);
                    return Ok(Err(audit::BrokenChain { seq, fault }));
                }
                return Ok(verifier.finish());
            }
            for event in events {
                let checked = event.parse().map_err(audit::BrokenChain::from);
                if let Err(broken) = checked.and_then(|row| verifier.push(&row)) {
                    return Ok(Err(broken));
                }
            }
        }
    }
}
