//! The least that this driver and this disk take for a durable commit.

use sqlx::{Connection, SqliteConnection};

use super::{BUSY, connect, open_fault, options, unavailable};
use crate::store::backend::{OpenError, StoreError};
use crate::store::baseline::SAID;

const TABLE: &str = "CREATE TABLE bare (number INTEGER PRIMARY KEY, said TEXT NOT NULL)";

/// $1 what is said.
const ROW: &str = "INSERT INTO bare (said) VALUES ($1)";

/// A file of its own, opened as a store opens its file.
#[derive(Debug)]
pub(in crate::store) struct BaselineFile(SqliteConnection);

impl BaselineFile {
    pub(in crate::store) async fn open(url: &str) -> Result<Self, OpenError> {
        let options = options(url)?;
        let opened = connect(&options, BUSY).await;
        let mut connection = opened.map_err(|error| open_fault(&error, options.get_filename()))?;
        let made = sqlx::query(TABLE).execute(&mut connection).await;
        made.map_err(|error| OpenError::Migrate(error.into()))?;
        Ok(Self(connection))
    }

    pub(in crate::store) async fn commit(&mut self) -> Result<(), StoreError> {
        let written = sqlx::query(ROW).bind(SAID).execute(&mut self.0).await;
        written.map(|_| ()).map_err(unavailable)
    }

    pub(in crate::store) async fn close(self) {
        if let Err(error) = self.0.close().await {
            tracing::debug!(%error, "a connection did not close cleanly");
        }
    }

    #[cfg(test)]
    pub(in crate::store) async fn rows(&mut self) -> i64 {
        let count = sqlx::query_scalar("SELECT count(*) FROM bare");
        count.fetch_one(&mut self.0).await.unwrap()
    }
}
