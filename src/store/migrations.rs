//! The migrations, compiled in.
//!
//! Not by `sqlx::migrate!`: for that macro the compiler itself needs all of sqlx, with SQLite and
//! TLS, so that a first build would compile each of them twice.

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migration, MigrationType, Migrator};

use super::backend::{StoreBackend, StoreError};
use super::query::StoreQuery;
use super::rows;
use super::sql::talk;

/// A file of `migrations/`: its number, the words of its name, and what stands in it.
pub(super) type MigrationFile = (i64, &'static str, &'static str);

/// Makes the migrator that sqlx runs: it knows the files again in a database by number, words and
/// checksum.
pub(super) fn migrator(files: &[MigrationFile]) -> Migrator {
    let migrations = files.iter().map(|&(number, words, sql)| {
        let sql = sql.into_sql_str();
        Migration::new(number, words.into(), MigrationType::Simple, sql, false)
    });
    Migrator::with_migrations(migrations.collect())
}

/// Versions of the migrations that ran.
pub(super) async fn applied(backend: &dyn StoreBackend) -> Result<Vec<i64>, StoreError> {
    let text = async |of| {
        let row = backend.ask(&StoreQuery::new(of)).await?;
        Ok::<_, StoreError>(row.into_iter().next().flatten())
    };
    if text(talk::MIGRATED).await?.is_none() {
        return Ok(Vec::new());
    }
    let applied = text(talk::APPLIED).await?;
    applied.map_or(Ok(Vec::new()), |applied| rows::versions(&applied))
}

/// Checks that the list is what stands in the folder, read as sqlx reads it.
#[cfg(test)]
pub(super) async fn assert_complete(compiled: &Migrator, folder: &str) {
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
