//! Processes that start at once: one migrates, the others find it done.

use std::path::Path;

use candor::audit::is_stored;
use sqlx::{Connection, PgConnection, Row, SqliteConnection};

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

/// Hashes of a tree of a release that stored each of them.
const ALL: i64 = 3_000;

const WITH_ALL: &str = "INSERT INTO audit_nodes (node_index, hash)
    WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 2999)
    SELECT i, '0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef' FROM n";

const LEFT: &str = "SELECT node_index FROM audit_nodes ORDER BY node_index";

#[tokio::test]
async fn of_a_tree_the_blocks_stay_and_what_stands_above_them() {
    let blocks = |folder: &str| {
        let file = format!("migrations/{folder}/0010_blocks.sql");
        // The driver takes static text alone, in tests as well.
        let text: &'static str = Box::leak(std::fs::read_to_string(file).unwrap().into());
        text
    };
    let stored: Vec<i64> = (0..ALL).filter(|i| is_stored(i.unsigned_abs())).collect();
    assert!(stored.len() > 180);

    let database = Database::new();
    all_migrate(&database.url());
    let mut postgres = PgConnection::connect(&database.url()).await.unwrap();
    sqlx::raw_sql(WITH_ALL)
        .execute(&mut postgres)
        .await
        .unwrap();
    let run = sqlx::raw_sql(blocks("postgres"));
    run.execute(&mut postgres).await.unwrap();
    let left: Vec<i64> = sqlx::query_scalar(LEFT)
        .fetch_all(&mut postgres)
        .await
        .unwrap();
    assert_eq!(left, stored);

    let name = format!("candor-migrate-{}-blocks.db", std::process::id());
    let file = std::env::temp_dir().join(name);
    let url = format!("sqlite:{}", file.display());
    all_migrate(&url);
    let mut sqlite = SqliteConnection::connect(&url).await.unwrap();
    sqlx::raw_sql(WITH_ALL).execute(&mut sqlite).await.unwrap();
    let run = sqlx::raw_sql(blocks("sqlite"));
    run.execute(&mut sqlite).await.unwrap();
    let left: Vec<i64> = sqlx::query_scalar(LEFT)
        .fetch_all(&mut sqlite)
        .await
        .unwrap();
    assert_eq!(left, stored);
    // What stays is as safe from a deletion as before.
    for refused in [
        "DELETE FROM audit_nodes",
        "UPDATE audit_nodes SET hash = ''",
    ] {
        let run = sqlx::raw_sql(refused);
        assert!(run.execute(&mut postgres).await.is_err(), "{refused}");
        let run = sqlx::raw_sql(refused);
        assert!(run.execute(&mut sqlite).await.is_err(), "{refused}");
    }
    sqlite.close().await.unwrap();
    remove(&file);
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
