//! Erasing what a user said, on request: rows go, and of the log the words alone.
//!
//! It begins with one commit: the rows that hold words are gone, and the log is told so by an
//! event of its own. Then the words of all events before that one are taken out, some at a time,
//! so that nobody waits for long. Every step is a transaction. The log verifies after each, since
//! an erasure tells of all events before it; what was cut off is finished by running it again,
//! and by every server's housekeeping.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::backend::{Store, StoreError};
use super::query::StoreQuery;
use super::sql::log;
use super::unit::Unit;
use crate::audit;
use crate::domain::{IdSource, TurnId, UserId};

/// Events whose words are taken out in one transaction.
const STEP: u32 = 500;

/// Counts of what holds words of a user.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct ErasureReport {
    /// Tasks, deleted ones too.
    pub tasks: u64,
    /// Conversations, with what they remember.
    pub conversations: u64,
    /// Lines of conversations.
    pub messages: u64,
    /// Questions that wait for an answer.
    pub questions: u64,
    /// Turns that had no reply yet.
    pub open_turns: u64,
    /// Stored answers under idempotency keys.
    pub keys: u64,
    /// Runs of agents, with their sessions, what was said in them and what they reported.
    pub runs: u64,
    /// Receipts; what they prove by hash stays provable.
    pub receipts: u64,
    /// Events of the audit log; their hashes and the chain stay.
    pub events: u64,
}

impl ErasureReport {
    /// Tells whether there is nothing.
    pub fn is_nothing(&self) -> bool {
        *self == Self::default()
    }
}

/// The rows without their words: number and payload.
///
/// # Errors
/// [`StoreError::Corrupt`] names an event that was never written so: what was tampered with must
/// be looked at first.
fn bare(user: &UserId, events: Vec<(i64, String)>) -> Result<Vec<Value>, StoreError> {
    let bare = events.into_iter().map(|(seq, payload)| {
        let payload = audit::erase(&payload).ok_or_else(|| StoreError::Corrupt {
            table: "audit_events",
            id: format!("{user} {seq}"),
            reason: "its payload is not as it was written, so its words can't be told from the \
                     rest: see `candor audit verify`"
                .to_owned(),
        })?;
        Ok(json!({ "seq": seq, "payload": payload }))
    });
    bare.collect()
}

impl Store {
    /// Counts what [`Store::erase`] would erase of a user.
    pub async fn erasable(&self, user: &UserId) -> Result<ErasureReport, StoreError> {
        self.read("erasures", &StoreQuery::of(log::ERASABLE, user))
            .await
    }

    /// Erases what a user said: tasks, conversations and stored answers go; receipts and audit
    /// events keep their ids, kinds, times and hashes, and no words. The user's name stays,
    /// since the chain covers it, and the user can go on. Nothing to erase: nothing is written.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`], or [`StoreError::Corrupt`] when an event was tampered with.
    /// What was begun is finished by asking again.
    pub async fn erase(
        &self,
        user: &UserId,
        now: DateTime<Utc>,
        ids: &IdSource,
    ) -> Result<ErasureReport, StoreError> {
        let turn = TurnId::new(ids.next());
        let tasks = crate::resolver::TaskList::default();
        let unit = Unit::new(user.clone(), None, turn, now, ids.clone(), tasks);
        let erased = self.backend().erase_rows(unit).await?;
        self.announce(user);
        self.erase_words(user).await?;
        self.backend().scrub().await?;
        Ok(erased)
    }

    /// Takes the words out of the events that an erasure under way covers. Another process may do the
    /// same: what was taken out twice is as if once.
    async fn erase_words(&self, user: &UserId) -> Result<(), StoreError> {
        loop {
            let worded = StoreQuery::of(log::WORDED, user).number(STEP);
            let worded: Vec<(i64, String)> = self.read("audit_events", &worded).await?;
            let last = worded.last().map_or(0, |(seq, _)| *seq);
            let bare = bare(user, worded)?;
            let ask = StoreQuery::of(log::BARE, user).text(serde_json::to_string(&bare)?);
            self.change(&ask.number(last)).await?;
            if bare.len() < STEP as usize {
                return Ok(());
            }
        }
    }

    /// Finishes erasures that were cut off, and says how many.
    ///
    /// # Errors
    /// As [`Store::erase`].
    pub async fn finish_erasures(&self) -> Result<usize, StoreError> {
        let ask = StoreQuery::new(log::ERASING);
        let begun: Vec<UserId> = self.read("erasures", &ask).await?;
        for user in &begun {
            self.erase_words(user).await?;
        }
        if !begun.is_empty() {
            self.backend().scrub().await?;
        }
        Ok(begun.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_event_that_was_never_written_so_is_named() {
        let user = UserId::parse("ann").unwrap();
        let error = bare(&user, vec![(7, "{\"salt\":".to_owned())]).unwrap_err();
        assert!(
            error.to_string().starts_with("audit_events ann 7"),
            "{error}"
        );
    }
}
