//! The least that this driver and this server take for a durable commit.

use sqlx::{Connection, PgConnection};

use super::connections::ConnectionPool;
use super::{address, unavailable};
use crate::store::backend::{OpenError, StoreError};
use crate::store::baseline::SAID;

/// $1 what is said. It goes to the write-ahead log, with the commit, and no table keeps it.
const MESSAGE: &str = "SELECT pg_logical_emit_message(true, 'candor', $1)::text";

/// A session of its own, set up as a store sets its sessions up.
#[derive(Debug)]
pub(in crate::store) struct BaselineSession(PgConnection);

impl BaselineSession {
    pub(in crate::store) async fn open(url: &str) -> Result<Self, OpenError> {
        let (options, sessions) = address(url)?;
        let opened = ConnectionPool::new(options, sessions).connect().await;
        let connection = opened.map_err(|error| OpenError::Connect(error.into()))?;
        Ok(Self(connection))
    }

    pub(in crate::store) async fn commit(&mut self) -> Result<(), StoreError> {
        let written = sqlx::query(MESSAGE).bind(SAID).execute(&mut self.0).await;
        written.map(|_| ()).map_err(unavailable)
    }

    pub(in crate::store) async fn close(self) {
        if let Err(error) = self.0.close().await {
            tracing::debug!(%error, "a connection did not close cleanly");
        }
    }
}
