//! Backups made while turns go on, and put back only when they are whole.

use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde_json::{Value, json};
use sqlx::{Connection, SqliteConnection};

use crate::support::server::Server;
use crate::support::server::postgres::Database;
use crate::{Folder, refused, text, well};

const SQLITE: &[(&str, &str)] = &[("DATABASE_URL", "sqlite://candor.db")];

/// A backup with a few tasks in it.
async fn small(folder: &Folder) -> std::path::PathBuf {
    of_titles(folder, &["Milk", "Bread"]).await
}

async fn of_titles(folder: &Folder, titles: &[&str]) -> std::path::PathBuf {
    let server = Server::start_with(SQLITE).await;
    for title in titles {
        server.add("me", json!({"title": title})).await;
    }
    let file = folder.path("small.db");
    well(&server.run_beside(SQLITE, &["backup", text(&file)]));
    file
}

/// Changes one byte of a file, so that it looks like what `words` become.
fn tamper(file: &Path, words: &str, with: &str) {
    assert_eq!(words.len(), with.len());
    let bytes = fs::read(file).unwrap();
    let at = |start: usize| bytes[start..].starts_with(words.as_bytes());
    let places: Vec<usize> = (0..bytes.len()).filter(|start| at(*start)).collect();
    assert!(!places.is_empty(), "{words} is not in {}", file.display());
    let mut changed = bytes.clone();
    for place in places {
        changed[place..place + with.len()].copy_from_slice(with.as_bytes());
    }
    fs::write(file, changed).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn whatever_was_acknowledged_before_the_backup_is_in_it() {
    let server = Arc::new(Server::start_with(SQLITE).await);
    let stop = Arc::new(AtomicBool::new(false));
    let mut writers = Vec::new();
    for name in ["u1", "u2", "u3", "u4"] {
        let (server, stop) = (Arc::clone(&server), Arc::clone(&stop));
        writers.push(tokio::spawn(async move {
            let mut number = 0;
            while !stop.load(Ordering::Relaxed) {
                number += 1;
                server
                    .add(name, json!({"title": format!("Task {number}")}))
                    .await;
            }
        }));
    }
    let folder = Folder::new();
    let mut made = Vec::new();
    for round in 0..3 {
        let before = server
            .add("ann", json!({"title": format!("Before {round}")}))
            .await;
        let mut acknowledged = Vec::new();
        for name in ["u1", "u2", "u3", "u4", "ann"] {
            acknowledged.push((name, server.tasks(name).await));
        }
        let file = folder.path(&format!("backup-{round}.db"));
        let beside = Arc::clone(&server);
        let name = text(&file).to_owned();
        let ran = tokio::task::spawn_blocking(move || {
            beside.run_beside(SQLITE, &["backup", "--json", &name])
        });
        let ran = ran.await.unwrap();
        let told: Value = serde_json::from_str(well(&ran)).unwrap();
        assert_eq!(told["holds"]["users"], 5);
        assert_eq!(told["holds"]["events"], told["holds"]["tree_size"]);
        assert!(before["id"].is_string());
        made.push((file, acknowledged));
    }
    stop.store(true, Ordering::Relaxed);
    for writer in writers {
        writer.await.unwrap();
    }
    // One file each, and nothing else.
    assert_eq!(
        folder.names(),
        ["backup-0.db", "backup-1.db", "backup-2.db"]
    );

    for (file, acknowledged) in made {
        let place = Folder::new();
        let out = place.run(&["restore", text(&file)]);
        assert!(well(&out).contains("5 users"), "{out:?}");
        well(&place.run(&["audit", "verify"]));
        let url = format!("sqlite://{}", text(&place.path("candor.db")));
        let restored = Server::start_with(&[("DATABASE_URL", &*url)]).await;
        for (name, tasks) in acknowledged {
            let there = restored.tasks(name).await;
            for task in tasks {
                assert!(there.contains(&task), "{name} lacks {task}");
            }
        }
        // It is a database like any other.
        restored.add("ann", json!({"title": "After"})).await;
        let log = restored.get("/api/ann/audit?kind=receipt&limit=1000").await;
        let last = log.body["events"].as_array().unwrap().last().cloned();
        assert!(last.unwrap().to_string().contains("After"));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_is_never_written_over() {
    let folder = Folder::new();
    let file = small(&folder).await;
    let before = fs::read(&file).unwrap();
    well(&folder.run(&["migrate"]));
    let ran = folder.run(&["backup", text(&file)]);
    refused(&ran, "is there already: a backup is never written over");
    assert_eq!(fs::read(&file).unwrap(), before);
    let nowhere = folder.path("no/such/folder.db");
    refused(&folder.run(&["backup", text(&nowhere)]), "can't be made");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // What people said is for its owner's eyes.
        let mode = fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_broken_backup_is_refused_and_its_fault_named() {
    let check = |make: fn(&Path), words: &'static str| async move {
        let folder = Folder::new();
        // Enough events for a hash of the tree that is stored.
        let titles = ["Milk", "Bread", "Eggs", "Tea", "Salt", "Rice", "Oil", "Jam"];
        let file = of_titles(&folder, &titles).await;
        make(&file);
        let place = Folder::new();
        well(&place.run(&["migrate"]));
        let before = place.names();
        refused(&place.run(&["restore", text(&file)]), words);
        assert_eq!(place.names(), before, "{words}");
        assert!(well(&place.run(&["audit", "export"])).is_empty());
    };
    // The words of an event, which its hash covers.
    let words: fn(&Path) = |file| tamper(file, "Bread", "Broad");
    check(words, "the log of me: event").await;
    let tree: fn(&Path) = |file| {
        let file = format!("sqlite://{}", text(file));
        let statement = "DROP TRIGGER audit_nodes_keep; \
            UPDATE audit_nodes SET hash = (SELECT hash FROM audit_events WHERE rowid = 1)";
        sql(&file, statement);
    };
    check(tree, "the tree").await;
    let cut: fn(&Path) = |file| {
        let bytes = fs::read(file).unwrap();
        fs::write(file, &bytes[..bytes.len() / 2]).unwrap();
    };
    check(cut, "can't be restored: ").await;
    let other: fn(&Path) = |file| fs::write(file, "a letter to a friend\n").unwrap();
    check(other, "is not a SQLite database").await;
    let strange: fn(&Path) = |file| {
        fs::remove_file(file).unwrap();
        sql(
            &format!("sqlite://{}?mode=rwc", text(file)),
            "CREATE TABLE t (x)",
        );
    };
    check(strange, "it holds no tables of candor").await;
    let newer: fn(&Path) = |file| {
        let statement = "INSERT INTO _sqlx_migrations VALUES \
            (9999, 'later', '2030-01-01', TRUE, x'00', 1)";
        sql(&format!("sqlite://{}", text(file)), statement);
    };
    check(newer, "it was written by a newer version of candor").await;
    let gone: fn(&Path) = |file| fs::remove_file(file).unwrap();
    check(gone, "can't be read").await;
    let live: fn(&Path) = |file| fs::write(format!("{}-wal", file.display()), "x").unwrap();
    check(live, "has a write-ahead log beside it").await;
}

/// Runs statements on a file, as somebody with the file could.
fn sql(url: &str, statements: &'static str) {
    let url = url.to_owned();
    let run = move || {
        let runtime = tokio::runtime::Runtime::new().unwrap();
        runtime.block_on(async {
            let mut connection = SqliteConnection::connect(&url).await.unwrap();
            let done = sqlx::raw_sql(statements).execute(&mut connection).await;
            done.unwrap();
            connection.close().await.unwrap();
        });
    };
    // Its caller runs on a runtime already.
    std::thread::spawn(run).join().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_database_in_use_is_not_touched() {
    let folder = Folder::new();
    let file = small(&folder).await;
    let server = Server::start_with(SQLITE).await;
    server.add("me", json!({"title": "Mine"})).await;
    let restore = ["restore", "--replace", text(&file)];
    let ran = server.run_beside(SQLITE, &restore);
    refused(&ran, "is open in another process: stop the server");
    assert_eq!(server.titles("me").await, ["Mine"]);
    server.add("me", json!({"title": "Still"})).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_replaced_is_kept_beside() {
    let folder = Folder::new();
    let file = small(&folder).await;
    let mut server = Server::start_with(SQLITE).await;
    server.add("me", json!({"title": "Mine"})).await;
    server.terminate();
    assert!(server.ended().await.success());
    let bare = server.run_beside(SQLITE, &["restore", text(&file)]);
    refused(&bare, "holds data already: with --replace");
    let ran = server.run_beside(SQLITE, &["restore", "--replace", text(&file)]);
    assert!(well(&ran).contains("candor.db.replaced"), "{ran:?}");
    well(&server.run_beside(SQLITE, &["audit", "verify"]));
    let kept = format!(
        "sqlite://{}",
        text(&server.directory().join("candor.db.replaced"))
    );
    let old = Server::start_with(&[("DATABASE_URL", &*kept)]).await;
    assert_eq!(old.titles("me").await, ["Mine"]);
    server.crash_and_restart().await;
    assert_eq!(server.titles("me").await, ["Bread", "Milk"]);
    let itself = server.run_beside(SQLITE, &["restore", "candor.db"]);
    refused(&itself, "is the database itself");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_damaged_database_is_replaced_and_kept() {
    let folder = Folder::new();
    let file = small(&folder).await;
    let place = Folder::new();
    fs::write(
        place.path("candor.db"),
        "not a database, yet somebody's bytes",
    )
    .unwrap();
    let ran = place.run(&["restore", text(&file)]);
    refused(&ran, "is damaged, or no database: with --replace");
    well(&place.run(&["restore", "--replace", text(&file)]));
    assert_eq!(place.names(), ["candor.db", "candor.db.replaced"]);
    well(&place.run(&["audit", "verify"]));
    // A log that a database left behind is not played into the next one.
    let place = Folder::new();
    fs::write(place.path("candor.db-wal"), "old pages").unwrap();
    well(&place.run(&["restore", text(&file)]));
    assert!(!place.names().contains(&"candor.db-wal".to_owned()));
    well(&place.run(&["audit", "verify"]));
}

/// PostgreSQL's own tools do it, and what they restore verifies.
#[tokio::test(flavor = "multi_thread")]
async fn postgresql_is_left_to_its_own_tools() {
    let database = Database::new();
    let url = database.url();
    let server = Server::start_with(&[("DATABASE_URL", &*url)]).await;
    for title in ["Milk", "Bread"] {
        server.add("me", json!({"title": title})).await;
    }
    let folder = Folder::new();
    let file = folder.path("candor.dump");
    let on = [("DATABASE_URL", &*url)];
    for command in ["backup", "restore"] {
        refused(&server.run_beside(&on, &[command, text(&file)]), "pg_dump");
    }
    assert!(folder.names().is_empty());

    let tool = |name: &str, arguments: &[&str]| {
        let ran = std::process::Command::new(name).args(arguments).output();
        let ran = ran.unwrap();
        assert!(ran.status.success(), "{ran:?}");
    };
    let into = format!("--file={}", text(&file));
    tool("pg_dump", &["--format=custom", &into, &url]);
    let elsewhere = Database::new();
    let into = format!("--dbname={}", elsewhere.url());
    tool("pg_restore", &[&into, text(&file)]);
    let there = elsewhere.url();
    let on = [("DATABASE_URL", &*there)];
    well(&folder_run(&folder, &on, &["audit", "verify"]));
    let restored = Server::start_with(&on).await;
    assert_eq!(restored.titles("me").await, ["Bread", "Milk"]);
    restored.add("me", json!({"title": "After"})).await;
    well(&restored.run_beside(&on, &["audit", "verify"]));
}

fn folder_run(
    folder: &Folder,
    variables: &[(&str, &str)],
    arguments: &[&str],
) -> crate::support::server::Ran {
    crate::support::server::run(Some(&folder.0), variables, arguments)
}

#[cfg(unix)]
#[tokio::test]
async fn what_people_wrote_is_readable_by_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let server = Server::start_with(SQLITE).await;
    server.add("me", json!({"title": "Milk"})).await;
    let folder = server.directory();
    well(&server.run_beside(SQLITE, &["backup", text(&folder.join("copy.db"))]));
    well(&server.run_beside(SQLITE, &["audit", "keygen"]));
    for name in [
        "candor.db",
        "candor.db-wal",
        "candor.db-shm",
        "candor.db-running",
        "copy.db",
        "candor-audit.key",
    ] {
        let rights = fs::metadata(folder.join(name)).unwrap().permissions();
        assert_eq!(rights.mode() & 0o777, 0o600, "{name}");
    }
}
