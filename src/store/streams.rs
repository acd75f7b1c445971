//! Event streams that are open at the servers over one database.
//!
//! A server says at whose streams it delivers, and for how long that holds: it says so again in time,
//! and of one that died nothing holds for long. A file has one server, so nothing is written of it.

use std::time::Duration;

use uuid::Uuid;

use super::backend::{Store, StoreError};
use super::kind::DatabaseKind;
use super::postgres::sql;
use super::query::StoreQuery;
use crate::domain::UserId;

/// Changes of a server's open streams since it told of them last.
#[derive(Debug, Clone)]
pub struct HeldStreams {
    /// The server, from its start to its end.
    pub server: Uuid,
    /// Time for which what was said holds; none ends it.
    pub period: Duration,
    /// Users who have a stream now.
    pub opened: Vec<UserId>,
    /// Users who have none any more.
    pub closed: Vec<UserId>,
}

impl Store {
    /// Tells the other servers of a server's streams: true where they knew nothing of it, so that all that
    /// are open have to be told of, as after an error. It may come twice.
    pub async fn hold_streams(&self, held: &HeldStreams) -> Result<bool, StoreError> {
        if self.backend().kind() == DatabaseKind::Sqlite {
            return Ok(false);
        }
        let period = i64::try_from(held.period.as_millis()).unwrap_or(i64::MAX);
        let ask = StoreQuery::new(sql::HOLD_STREAMS)
            .text(held.server.to_string())
            .number(period)
            .texts(&held.opened)
            .texts(&held.closed);
        Ok(self.change(&ask).await?.as_deref() == Some("new"))
    }

    /// Tells whether a stream of the user is open at another server, as far as that one said so.
    pub async fn streams_elsewhere(&self, user: &UserId) -> Result<bool, StoreError> {
        if self.backend().kind() == DatabaseKind::Sqlite {
            return Ok(false);
        }
        let ask = StoreQuery::of(sql::STREAMS_ELSEWHERE, user);
        Ok(self.optional(&ask).await?.is_some())
    }
}
