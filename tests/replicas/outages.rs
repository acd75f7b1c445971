//! The database goes away and comes back; the service stays.

use std::time::{Duration, Instant};

use serde_json::json;
use sqlx::{Connection, PgConnection, Row};

use crate::support::server::Server;
use crate::support::server::postgres::{Database, OwnCluster};

/// How soon the service has to answer again.
const SOON: Duration = Duration::from_secs(2);

#[tokio::test(flavor = "multi_thread")]
async fn the_service_answers_again_soon_after_the_database_does() {
    let cluster = OwnCluster::start();
    let database = cluster.database();
    let url = database.url();
    let server = Server::start_with(&[("DATABASE_URL", &url)]).await;
    let mut acknowledged = Vec::new();
    for (round, mode) in ["fast", "immediate", "immediate", "fast"]
        .into_iter()
        .enumerate()
    {
        for number in 0..5 {
            let title = format!("Task {round}.{number}");
            server.add("me", json!({"title": title})).await;
            acknowledged.push(title);
        }
        cluster.stop(mode);
        let title = format!("Late {round}");
        let refused = server.post("/api/me/tasks", json!({"title": title})).await;
        assert_eq!(refused.status, 503, "{}", refused.text);
        assert_eq!(refused.problem(), "storage_unavailable");
        assert_eq!(server.get("/readyz").await.status, 503);
        assert_eq!(server.get("/healthz").await.status, 200);
        cluster.start_again();
        let began = Instant::now();
        while server
            .post("/api/me/tasks", json!({"title": title}))
            .await
            .status
            != 201
        {
            assert!(
                began.elapsed() < SOON,
                "it does not come back: {}",
                server.log()
            );
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        acknowledged.push(title);
        assert_eq!(server.get("/readyz").await.status, 200);
    }
    let mut titles = server.titles("me").await;
    titles.reverse();
    assert_eq!(titles, acknowledged);
}

/// Sessions hold to the settings that the promise needs, whatever the role prefers.
#[tokio::test]
async fn a_commit_waits_for_the_disk_whatever_the_role_prefers() {
    for more in ["", "?statement-cache-capacity=0"] {
        let database = Database::new();
        let url = format!("{}{more}", database.url());
        let server = Server::start_with(&[("DATABASE_URL", &*url)]).await;
        server.add("me", json!({"title": "first"})).await;
        let mut connection = PgConnection::connect(&database.url()).await.unwrap();
        for statement in [
            "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET synchronous_commit = off',
                 current_database()); END $$",
            "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET default_transaction_isolation =
                 ''serializable''', current_database()); END $$",
            "CREATE TABLE held (synchronous text, isolation text)",
            "CREATE FUNCTION hold() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
                 INSERT INTO held VALUES (current_setting('synchronous_commit'),
                     current_setting('transaction_isolation'));
                 RETURN NULL; END $$",
            "CREATE TRIGGER hold AFTER INSERT ON commits FOR EACH STATEMENT
                 EXECUTE FUNCTION hold()",
        ] {
            sqlx::raw_sql(statement)
                .execute(&mut connection)
                .await
                .unwrap();
        }
        let server = Server::start_with(&[("DATABASE_URL", &*url)]).await;
        server.add("me", json!({"title": "second"})).await;
        let rows = sqlx::query("SELECT DISTINCT synchronous, isolation FROM held");
        let rows = rows.fetch_all(&mut connection).await.unwrap();
        let rows: Vec<(String, String)> = rows.iter().map(|row| (row.get(0), row.get(1))).collect();
        assert_eq!(
            rows,
            [("on".to_owned(), "read committed".to_owned())],
            "{more}"
        );
    }
}
