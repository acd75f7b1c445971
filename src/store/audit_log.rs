//! Reading the audit log, and checking a user's part of it.

use super::backend::{Store, StoreError};
use super::query::StoreQuery;
use super::read::AuditFilter;
use super::rows::{self, RawEvent};
use super::sql::log;
use crate::audit;
use crate::domain::{TurnId, UserId};

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
        rows::events(&self.raw_events(filter).await?)
    }

    /// Audit events of one turn of a user's, in order.
    ///
    /// # Errors
    /// As [`Store::audit_events`].
    pub async fn turn_events(
        &self,
        user: &UserId,
        turn: TurnId,
    ) -> Result<Vec<audit::AuditRow>, StoreError> {
        let filter = AuditFilter {
            user: Some(user.clone()),
            turn: Some(turn),
            ..AuditFilter::default()
        };
        self.audit_events(&filter).await
    }

    /// Returns the head of a user's log, as recorded beside it; none when nothing was ever logged.
    pub async fn audit_head(&self, user: &UserId) -> Result<Option<audit::ChainHead>, StoreError> {
        let head = self.optional(&StoreQuery::of(log::HEAD, user)).await?;
        head.map(|head| rows::whole("commits", &head)).transpose()
    }

    async fn raw_events(&self, filter: &AuditFilter) -> Result<String, StoreError> {
        let statement = match (&filter.user, filter.turn, filter.conversation) {
            (None, _, _) => log::EVENTS_OF_ALL,
            (_, Some(_), _) => log::EVENTS_OF_TURN,
            (_, None, Some(_)) => log::EVENTS_OF_CONVERSATION,
            (_, None, None) => log::EVENTS,
        };
        let mut ask = StoreQuery::new(statement)
            .optional(filter.user.as_ref().map(UserId::as_str))
            .number(filter.after.unwrap_or(i64::MIN))
            .optional(filter.kind.map(audit::EventKind::as_str))
            .limit(filter.limit);
        if statement != log::EVENTS {
            ask = ask
                .optional(filter.turn.map(|id| id.to_string()))
                .optional(filter.conversation.map(|id| id.to_string()));
        }
        self.text(&ask).await
    }

    /// Everyone who has a log, in order.
    pub async fn audit_users(&self) -> Result<Vec<UserId>, StoreError> {
        self.read("audit_events", &StoreQuery::new(log::USERS))
            .await
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
        let recorded = self.audit_head(user).await?;
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
            let events: Vec<RawEvent> =
                rows::whole("audit_events", &self.raw_events(&filter).await?)?;
            if events.is_empty() {
                // Read last, since an event commits with the head that counts it.
                let recorded = self.audit_head(user).await?;
                let recorded = recorded.map_or(0, |head| head.seq);
                if met > recorded {
                    let (seq, fault) = (recorded + 1, audit::ChainFault::Extra);
                    return Ok(Err(audit::BrokenChain { seq, fault }));
                }
                return Ok(verifier.finish());
            }
            for event in events {
                if let Err(broken) = event.parse().and_then(|row| verifier.push(&row)) {
                    return Ok(Err(broken));
                }
            }
        }
    }
}
