//! Turns without a reply: who works on them, and which nobody works on any more.

use super::ask::SqlQuery;
use super::connections::ConnectionPool;
use super::sql;
use crate::domain::{TurnId, UserId};
use crate::store::backend::StoreError;
use crate::store::open::CutTurn;
use crate::store::rows;
use crate::telemetry::QueueDepths;

impl ConnectionPool {
    /// Says that a turn is worked on. False: it has ended. To say so twice does no harm.
    pub(super) async fn beat(
        &self,
        user: &UserId,
        turn: TurnId,
        owner: &str,
        journal: Option<&str>,
    ) -> Result<bool, StoreError> {
        let ask = SqlQuery::of(user, sql::BEAT)
            .text(turn.to_string())
            .text(owner)
            .optional(journal);
        Ok(self.row(&ask).await?.is_some())
    }

    pub(super) async fn cut_turns(&self, limit: u32) -> Result<Vec<CutTurn>, StoreError> {
        let ask = SqlQuery::new(sql::CUT_TURNS).number(limit);
        rows::cut_turns(&self.text(&ask).await?)
    }

    pub(super) async fn waiting(&self) -> Result<QueueDepths, StoreError> {
        rows::waiting(&self.text(&SqlQuery::new(sql::WAITING)).await?)
    }
}
