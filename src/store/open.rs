//! Turns that have changed something and have no reply yet.
//!
//! A turn that commits before its model is asked again leaves a row, which goes with the commit
//! of its reply. Whoever works on it says so every [`BEAT`]; one that has not for [`LEASE`] is
//! taken to be dead, and anybody may end the turn. The row is also the fence: each later
//! commit of the turn demands that it is still there, so that of its own process and of
//! somebody who took it for dead only one can end it.

use std::time::Duration;

use serde::Deserialize;

use super::backend::{Store, StoreError};
use super::query::StoreQuery;
use super::rows;
use super::sql::talk;
use crate::domain::{ConversationId, TurnId, UserId};

/// Time for which a process that says nothing counts as alive. The statements hold the same number.
pub const LEASE: Duration = Duration::from_millis(5_000);

/// Interval at which a process says that it is alive.
pub const BEAT: Duration = Duration::from_millis(1_000);

/// A turn that is under way, or was cut off. Its fields have the order of the columns of a reading.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct OpenTurn {
    /// The turn.
    pub turn: TurnId,
    /// Conversation of the turn.
    pub conversation: ConversationId,
    /// The idempotency key that it holds.
    pub key: Option<String>,
    /// The process that works on it.
    pub owner: String,
    /// Number of times that process has said that it does.
    pub beats: i64,
    /// Set when the process said so lately, by the clock of the database.
    #[serde(deserialize_with = "rows::flag")]
    pub alive: bool,
    /// Progress of the turn, as JSON of the layer that runs turns.
    pub journal: String,
}

/// Write of a commit to its turn's row.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum OpenWrite {
    /// Nothing: a turn of one commit has none.
    #[default]
    None,
    /// Begins it, with the first change of a turn that goes on.
    Begin(OpenJournal),
    /// Goes on: it must still be there.
    Keep(OpenJournal),
    /// Ends it: it must still be there and, for who takes it over, have been silent since.
    End {
        /// Number of times its process had said that it was alive, for another that ends it.
        beats: Option<i64>,
    },
}

/// Owner and progress of a turn.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenJournal {
    /// The process.
    pub owner: String,
    /// The idempotency key that the turn holds.
    pub key: Option<String>,
    /// Progress of the turn.
    pub text: String,
}

/// A turn that nobody works on.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CutTurn {
    /// User of the turn.
    pub user: UserId,
    /// In which conversation.
    pub conversation: ConversationId,
}

impl Store {
    /// Says that `owner` works on an open turn, and how far it came if that is new. False: the
    /// turn has ended, or is another's.
    pub async fn beat(
        &self,
        user: &UserId,
        turn: TurnId,
        owner: &str,
        journal: Option<&str>,
    ) -> Result<bool, StoreError> {
        let ask = StoreQuery::of(talk::BEAT, user)
            .text(turn.to_string())
            .text(owner)
            .optional(journal);
        Ok(self.change(&ask).await?.is_some())
    }

    /// Some turns that nobody works on, of all users; the operator's.
    pub async fn cut_turns(&self, limit: u32) -> Result<Vec<CutTurn>, StoreError> {
        let ask = StoreQuery::new(talk::CUT_TURNS).number(limit);
        self.list("open_turns", &ask).await
    }
}

#[cfg(test)]
mod tests {
    use super::LEASE;

    #[test]
    fn every_statement_about_a_lease_holds_its_length() {
        let statements = [
            ("sqlite/load.sql", include_str!("sqlite/load.sql"), 1),
            ("sqlite/write.sql", include_str!("sqlite/write.sql"), 1),
            ("sql/talk.rs", include_str!("sql/talk.rs"), 2),
            ("postgres/load.sql", include_str!("postgres/load.sql"), 1),
            ("postgres/write.sql", include_str!("postgres/write.sql"), 1),
        ];
        let length = LEASE.as_millis().to_string();
        for (file, text, times) in statements {
            assert_eq!(text.matches(&length).count(), times, "{file}");
        }
    }
}
