//! Processes that start at once: one migrates, the others find it done.

use std::path::Path;

use sqlx::{Connection, PgConnection, Row};

use crate::support::server::postgres::Database;
use crate::support::server::run;

/// Processes that migrate one database at once, and how often.
const AT_ONCE: usize = 4;
const TIMES: usize = 5;

#[test]
fn processes_migrate_one_file_at_once() {
    for time in 0..TIMES {
        let name = format!("candor-migrate-{}-{time}.db", std::process::id());
        let file = std::env::temp_dir().join(name);
        all_migrate(&format!("sqlite:{}", file.display()));
        remove(&file);
    }
}

#[test]
fn processes_migrate_one_postgres_at_once() {
    for _ in 0..TIMES {
        all_migrate(&Database::new().url());
    }
}

fn all_migrate(url: &str) {
    let variables = [("DATABASE_URL", url)];
    std::thread::scope(|scope| {
        let runs: Vec<_> = (0..AT_ONCE)
            .map(|_| scope.spawn(|| run(None, &variables, &["migrate"])))
            .collect();
        for ran in runs {
            let ran = ran.join().unwrap();
            assert_eq!(ran.code, Some(0), "{ran:?}");
        }
    });
}

fn remove(file: &Path) {
    for end in ["", "-wal", "-shm", "-running"] {
        let mut name = file.as_os_str().to_owned();
        name.push(end);
        // The log and its index go when the last connection is closed.
        let _ = std::fs::remove_file(name);
    }
}

/// The release before this one still starts where a later one has migrated; an edited migration
/// stops it.
#[tokio::test]
async fn what_a_later_release_migrated_is_no_reason_to_refuse() {
    let database = Database::new();
    let url = database.url();
    let variables = [("DATABASE_URL", url.as_str())];
    assert_eq!(run(None, &variables, &["migrate"]).code, Some(0));
    let mut connection = PgConnection::connect(&url).await.unwrap();
    let later = "INSERT INTO _sqlx_migrations (version, description, success, checksum, \
                 execution_time) VALUES (9999, 'later', true, '', 0)";
    sqlx::raw_sql(later).execute(&mut connection).await.unwrap();
    let ran = run(None, &variables, &["migrate"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let edited = "UPDATE _sqlx_migrations SET checksum = 'edited' WHERE version = 1";
    sqlx::raw_sql(edited)
        .execute(&mut connection)
        .await
        .unwrap();
    assert_ne!(run(None, &variables, &["migrate"]).code, Some(0));
}

#[tokio::test]
async fn every_migration_ran_once() {
    let database = Database::new();
    all_migrate(&database.url());
    let mut connection = PgConnection::connect(&database.url()).await.unwrap();
    let count = "SELECT count(*) FROM _sqlx_migrations WHERE success";
    let row = sqlx::query(count).fetch_one(&mut connection).await.unwrap();
    let known = std::fs::read_dir("migrations/postgres").unwrap().count();
    assert_eq!(row.get::<i64, _>(0), i64::try_from(known).unwrap());
    // The file's own migrations have the same numbers.
    let names = |folder: &str| {
        let entries = std::fs::read_dir(folder).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    assert_eq!(names("migrations/postgres"), names("migrations/sqlite"));
}
