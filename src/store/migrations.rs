//! The migrations, compiled in.
//!
//! Not by `sqlx::migrate!`: for that macro the compiler itself needs all of sqlx, with SQLite and
//! TLS, so that a first build would compile each of them twice.

use std::sync::LazyLock;

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

use super::backend::{Store, StoreError};
use super::kind::DatabaseKind;
use super::query::StoreQuery;
use super::sql::talk;

/// The files of `migrations/`, in order: the name of each, and its text for SQLite and for PostgreSQL.
macro_rules! files {
    ($($name:literal)+) => {
        [$((
            $name,
            include_str!(concat!("../../migrations/sqlite/", $name, ".sql")),
            include_str!(concat!("../../migrations/postgres/", $name, ".sql")),
        )),+]
    };
}

const FILES: [(&str, &str, &str); 15] = files! {
    "0001_initial"
    "0002_tree"
    "0003_open_turns"
    "0004_keeping"
    "0005_delegation"
    "0006_keys"
    "0007_orders"
    "0008_secrets"
    "0009_leaves"
    "0010_blocks"
    "0011_once"
    "0012_times"
    "0013_reminders"
    "0014_repeat"
    "0015_streams"
};

/// Migrations that bring a database file up to this release.
pub(super) static SQLITE: LazyLock<Migrator> =
    LazyLock::new(|| migrator(FILES.map(|(name, sqlite, _)| (name, sqlite))));

/// Migrations that bring a database on a server up to this release. A replica of the release before
/// may still start on what this one migrated, so what it does not know is no reason to refuse.
/// Whoever runs them holds a lock that ends with the transaction.
pub(super) static POSTGRES: LazyLock<Migrator> = LazyLock::new(|| {
    let mut migrations = migrator(FILES.map(|(name, _, postgres)| (name, postgres)));
    migrations.set_locking(false).set_ignore_missing(true);
    migrations
});

/// The migrations of a kind of database.
pub(super) fn of(kind: DatabaseKind) -> &'static Migrator {
    match kind {
        DatabaseKind::Sqlite => &SQLITE,
        DatabaseKind::Postgres => &POSTGRES,
    }
}

/// Makes the migrator that sqlx runs: it knows the files again in a database by number, words and
/// checksum.
fn migrator(files: [(&str, &'static str); FILES.len()]) -> Migrator {
    let migrations = files.into_iter().filter_map(|(name, sql)| {
        let (number, words) = name.split_once('_')?;
        let (number, words) = (number.parse().ok()?, words.replace('_', " "));
        let sql = sql.into_sql_str();
        Some(Migration::new(
            number,
            words.into(),
            MigrationType::Simple,
            sql,
            false,
        ))
    });
    Migrator::with_migrations(migrations.collect())
}

impl Store {
    /// Versions of the migrations that ran.
    pub(super) async fn applied(&self) -> Result<Vec<i64>, StoreError> {
        let migrated = self.optional(&StoreQuery::new(talk::MIGRATED)).await?;
        if migrated.is_none() {
            return Ok(Vec::new());
        }
        self.read("_sqlx_migrations", &StoreQuery::new(talk::APPLIED))
            .await
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks that the list is what stands in the folder, read as sqlx reads it.
    async fn assert_complete(compiled: &Migrator, folder: &str) {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
        let files = Migrator::new(folder).await.unwrap();
        let told = |migrator: &Migrator| {
            let all = migrator.iter().map(|one| {
                let kind = one.migration_type;
                let (words, sum) = (one.description.clone(), one.checksum.clone());
                (one.version, words, kind, sum, one.no_tx)
            });
            all.collect::<Vec<_>>()
        };
        assert!(!told(&files).is_empty());
        assert_eq!(told(compiled), told(&files));
    }

    #[tokio::test]
    async fn no_file_is_left_out() {
        assert_complete(&SQLITE, "migrations/sqlite").await;
        assert_complete(&POSTGRES, "migrations/postgres").await;
    }
}
