//! A commit of one short row and nothing else: what no turn can take less than on this disk, or
//! this database server. Benchmarks measure it beside the turns.

use sqlx::{PgConnection, SqliteConnection};

use super::backend::{OpenError, StoreError, close};
use super::kind::DatabaseKind;
use super::{postgres, sqlite};

/// Line that a bare commit holds: a turn's own rows are longer.
const SAID: &str = "A line of a hundred letters stands for the least that anybody who is told \
                    something wants to find again.";

/// A connection that commits rows that mean nothing, each as durably as a turn. It is opened as a
/// store opens its own.
#[derive(Debug)]
pub struct BaselineCommits(BaselineTarget);

#[derive(Debug)]
enum BaselineTarget {
    File(SqliteConnection),
    Session(PgConnection),
}

impl BaselineCommits {
    /// Opens a connection. A SQLite file must be a new one, which gets a table for the rows; a
    /// PostgreSQL database keeps nothing of them but its write-ahead log.
    ///
    /// # Errors
    /// As [`super::Store::open`].
    pub async fn open(url: &str) -> Result<Self, OpenError> {
        Ok(Self(match DatabaseKind::of(url)? {
            DatabaseKind::Sqlite => {
                let mut file = sqlite::connection(url).await?;
                let made = sqlx::query(sqlite::sql::BARE_TABLE)
                    .execute(&mut file)
                    .await;
                made.map_err(|error| OpenError::Migrate(error.into()))?;
                BaselineTarget::File(file)
            }
            DatabaseKind::Postgres => BaselineTarget::Session(postgres::connection(url).await?),
        }))
    }

    /// Commits one row, and returns when it is on the disk.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the database refuses.
    pub async fn commit(&mut self) -> Result<(), StoreError> {
        match &mut self.0 {
            BaselineTarget::File(file) => {
                let row = sqlx::query(sqlite::sql::BARE_ROW).bind(SAID);
                row.execute(file).await.map(drop)
            }
            BaselineTarget::Session(session) => {
                let message = sqlx::query(postgres::sql::BARE_MESSAGE).bind(SAID);
                message.execute(session).await.map(drop)
            }
        }?;
        Ok(())
    }

    /// Closes the connection.
    pub async fn close(self) {
        match self.0 {
            BaselineTarget::File(file) => close(file).await,
            BaselineTarget::Session(session) => close(session).await,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn every_commit_leaves_a_row_in_the_file() {
        let name = format!(
            "candor-bare-{}.db",
            crate::domain::IdSource::random().next()
        );
        let file = std::env::temp_dir().join(name);
        let url = format!("sqlite://{}", file.display());
        let mut commits = BaselineCommits::open(&url).await.unwrap();
        for _ in 0..3 {
            commits.commit().await.unwrap();
        }
        let BaselineTarget::File(file_behind) = &mut commits.0 else {
            panic!("a file")
        };
        let count = sqlx::query_scalar("SELECT count(*) FROM bare");
        let rows: i64 = count.fetch_one(file_behind).await.unwrap();
        assert_eq!(rows, 3);
        commits.close().await;
        std::fs::remove_file(&file).unwrap();
    }

    #[tokio::test]
    async fn an_address_of_no_kind_is_refused_without_its_password() {
        let error = BaselineCommits::open("mysql://u:secret@h/x")
            .await
            .unwrap_err();
        assert!(!format!("{error} {error:?}").contains("secret"));
    }
}
