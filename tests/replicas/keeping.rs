//! Tests of what processes over one database leave to one of them, and what they tell each other.

use std::time::{Duration, Instant};

use candor::domain::{IdSource, Title, TurnId, UserId};
use candor::store::{ChangeWatch, CommitRecord, CommitResult, NewTask, Store, Unit};
use chrono::{DateTime, TimeDelta, Utc};
use sqlx::{Connection, PgConnection};

use crate::support::server::postgres::Database;

/// How long a wake may take before the test fails.
const PATIENCE: Duration = Duration::from_secs(30);

fn then() -> DateTime<Utc> {
    DateTime::from_timestamp(1_770_544_800, 0).unwrap()
}

async fn open(url: &str) -> Store {
    let store = Store::open(url).await.unwrap();
    store.migrate().await.unwrap();
    store
}

/// Adds a task and deletes it, then.
async fn deleted(store: &Store, user: &UserId) {
    let ids = IdSource::random();
    let unit = |tasks| {
        let turn = TurnId::new(ids.next());
        Unit::new(user.clone(), None, turn, then(), ids.clone(), tasks)
    };
    let mut adding = unit(candor::resolver::TaskList::default());
    adding.add(NewTask::titled(Title::parse("Milk").unwrap()));
    let end = store.commit(adding, CommitRecord::default()).await;
    assert!(matches!(end, CommitResult::Committed(_)), "{end:?}");
    let tasks = store.load(user, None, None).await.unwrap().tasks;
    let id = tasks.iter().next().unwrap().id;
    let mut deleting = unit(tasks);
    let _ = deleting.delete(id);
    let end = store.commit(deleting, CommitRecord::default()).await;
    assert!(matches!(end, CommitResult::Committed(_)), "{end:?}");
}

#[tokio::test]
async fn one_process_purges_at_a_time() {
    for more in ["", "?statement-cache-capacity=0"] {
        let database = Database::new();
        let store = open(&format!("{}{more}", database.url())).await;
        let user = UserId::parse("ann").unwrap();
        deleted(&store, &user).await;
        let later = then() + TimeDelta::days(31);
        let mut other = PgConnection::connect(&database.url()).await.unwrap();
        let hold = "BEGIN; SELECT pg_advisory_xact_lock(7162242086004)";
        sqlx::raw_sql(hold).execute(&mut other).await.unwrap();
        assert_eq!(store.purge(later).await.unwrap().tasks, 0);
        sqlx::raw_sql("COMMIT").execute(&mut other).await.unwrap();
        assert_eq!(store.purge(later).await.unwrap().tasks, 1);
        let found = store.audit_verify(&user, None).await.unwrap();
        assert!(found.is_ok(), "{found:?}");
    }
}

/// Tells what no commit tells, so that nobody finds it by looking, until the watch wakes.
async fn told_until_woken(watch: &mut ChangeWatch, other: &mut PgConnection) {
    let began = Instant::now();
    loop {
        let tell = "SELECT pg_notify('candor_changes', 'ann')";
        sqlx::raw_sql(tell).execute(&mut *other).await.unwrap();
        let soon = Duration::from_millis(200);
        if tokio::time::timeout(soon, watch.changed()).await.is_ok() {
            return;
        }
        assert!(began.elapsed() < PATIENCE, "it does not hear");
    }
}

/// Lets pass what wakes a watch at its beginning and whenever a connection is made anew.
async fn settle(watch: &mut ChangeWatch) {
    let quiet = Duration::from_millis(2_500);
    while tokio::time::timeout(quiet, watch.changed()).await.is_ok() {}
}

#[tokio::test]
async fn listening_survives_the_loss_of_its_connection() {
    let database = Database::new();
    let store = open(&database.url()).await;
    let user = UserId::parse("ann").unwrap();
    let mut other = PgConnection::connect(&database.url()).await.unwrap();
    let mut watch = store.watch(&user);
    for round in 0..3 {
        settle(&mut watch).await;
        told_until_woken(&mut watch, &mut other).await;
        let cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity \
             WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE 'LISTEN%'";
        let ended = sqlx::query(cut).fetch_all(&mut other).await.unwrap();
        assert_eq!(ended.len(), 1, "round {round}: who listens?");
        // Whoever may have missed something is woken to look for himself.
        let woken = tokio::time::timeout(PATIENCE, watch.changed()).await;
        woken.expect("it was not woken after the connection broke");
    }
    store.close().await;
}

#[tokio::test]
async fn a_run_that_waits_wakes_the_workers_of_every_process() {
    let database = Database::new();
    let (one, other) = (open(&database.url()).await, open(&database.url()).await);
    let mut work = other.watch_work();
    let mut watch = other.watch(&UserId::parse("ann").unwrap());
    settle(&mut work).await;
    settle(&mut watch).await;
    one.tell_of_work();
    let woken = tokio::time::timeout(PATIENCE, work.changed()).await;
    woken.expect("whoever works in the other process was not woken");
    // Nobody's data changed by it, and nobody is told so.
    let quiet = tokio::time::timeout(Duration::from_millis(300), watch.changed()).await;
    assert!(quiet.is_err());
    one.close().await;
    other.close().await;
}

#[tokio::test]
async fn nobody_listens_who_does_not_watch() {
    let database = Database::new();
    let store = open(&database.url()).await;
    deleted(&store, &UserId::parse("ann").unwrap()).await;
    let mut other = PgConnection::connect(&database.url()).await.unwrap();
    let listening = "SELECT pid FROM pg_stat_activity \
         WHERE datname = current_database() AND query LIKE 'LISTEN%'";
    let found = sqlx::query(listening).fetch_all(&mut other).await.unwrap();
    assert_eq!(found.len(), 0);
}
