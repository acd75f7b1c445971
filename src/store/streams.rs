//! Event streams that are open at the servers over one database.
//!
//! A server says at whose streams it delivers, and for how long that holds: it says so again in time,
//! and of one that died nothing holds for long. A file has one server, so nothing is written of it.

use std::time::Duration;

use uuid::Uuid;

use super::backend::{Store, StoreError};
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
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn hold_streams(&self, held: &HeldStreams) -> Result<bool, StoreError> {
        self.backend().hold_streams(held).await
    }

    /// Tells whether a stream of the user is open at another server, as far as that one said so.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`].
    pub async fn streams_elsewhere(&self, user: &UserId) -> Result<bool, StoreError> {
        self.backend().streams_elsewhere(user).await
    }
}
