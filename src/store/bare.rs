//! A commit of one short row and nothing else: what no turn can take less than on this disk, or
//! this database server. Benchmarks measure it beside the turns.

use super::backend::{OpenError, StoreError};
use super::kind::Kind;
use super::postgres::BareSession;
use super::sqlite::BareFile;

/// What a bare commit holds: a turn's own rows are longer.
pub(super) const SAID: &str = "A line of a hundred letters stands for the least that anybody who is \
                               told something wants to find again.";

/// A connection that commits rows that mean nothing, each as durably as a turn.
#[derive(Debug)]
pub struct BareCommits(Backing);

#[derive(Debug)]
enum Backing {
    File(BareFile),
    Session(BareSession),
}

impl BareCommits {
    /// Opens a connection. A SQLite file must be a new one, which gets a table for the rows; a
    /// PostgreSQL database keeps nothing of them but its write-ahead log.
    ///
    /// # Errors
    /// As [`super::Store::open`].
    pub async fn open(url: &str) -> Result<Self, OpenError> {
        Ok(Self(match Kind::of(url)? {
            Kind::Sqlite => Backing::File(BareFile::open(url).await?),
            Kind::Postgres => Backing::Session(BareSession::open(url).await?),
        }))
    }

    /// Commits one row, and returns when it is on the disk.
    ///
    /// # Errors
    /// [`StoreError::Unavailable`] when the database refuses.
    pub async fn commit(&mut self) -> Result<(), StoreError> {
        match &mut self.0 {
            Backing::File(file) => file.commit().await,
            Backing::Session(session) => session.commit().await,
        }
    }

    /// Closes the connection.
    pub async fn close(self) {
        match self.0 {
            Backing::File(file) => file.close().await,
            Backing::Session(session) => session.close().await,
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
        let mut commits = BareCommits::open(&url).await.unwrap();
        for _ in 0..3 {
            commits.commit().await.unwrap();
        }
        let Backing::File(file_behind) = &mut commits.0 else {
            panic!("a file")
        };
        assert_eq!(file_behind.rows().await, 3);
        commits.close().await;
        std::fs::remove_file(&file).unwrap();
    }

    #[tokio::test]
    async fn an_address_of_no_kind_is_refused_without_its_password() {
        let error = BareCommits::open("mysql://u:secret@h/x").await.unwrap_err();
        assert!(!format!("{error} {error:?}").contains("secret"));
    }
}
