//! A database that can't be used is told of with its fault and the way out, in one line.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::json;
use sqlx::{Connection, SqliteConnection};

use crate::support::server::{Ran, Server};
use crate::{Folder, refused, text, well};

/// Runs the program as somebody whom the rights of files bind, also when that is root: root
/// without the capability to pass them by.
fn bound(folder: &Path, arguments: &[&str]) -> Ran {
    let mut command = Command::new("setpriv");
    if is_root() {
        command.args(["--bounding-set", "-dac_override,-dac_read_search", "--"]);
    } else {
        command.arg("--");
    }
    ran(command
        .arg(env!("CARGO_BIN_EXE_candor"))
        .args(arguments)
        .current_dir(folder))
}

fn ran(command: &mut Command) -> Ran {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let output = command
        .env_clear()
        .env("PATH", path)
        .stdin(Stdio::null())
        .output();
    let output = output.unwrap();
    Ran {
        code: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().unwrap();
    id.stdout.trim_ascii() == b"0"
}

fn rights(path: &Path, mode: u32) {
    use std::os::unix::fs::PermissionsExt;
    fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
}

/// A folder with a database that holds a task.
async fn filled() -> Folder {
    let folder = Folder::new();
    let url = format!("sqlite://{}", text(&folder.path("candor.db")));
    let mut server = Server::start_with(&[("DATABASE_URL", &*url)]).await;
    server.add("me", json!({"title": "Milk"})).await;
    server.terminate();
    assert!(server.ended().await.success());
    folder
}

#[tokio::test]
async fn a_file_that_can_not_be_written_stops_the_start() {
    let folder = filled().await;
    let file = folder.path("candor.db");
    rights(&file, 0o444);
    let serve = ["serve", "--bind", "127.0.0.1:0"];
    let ran = bound(&folder.0, &serve);
    refused(&ran, "needs the right to");
    assert!(ran.err.contains("candor.db"), "{ran:?}");
    rights(&file, 0o644);
    well(&bound(&folder.0, &["audit", "verify"]));
}

#[tokio::test]
async fn a_folder_that_can_not_be_written_stops_the_start() {
    let folder = filled().await;
    rights(&folder.0, 0o555);
    let serve = ["serve", "--bind", "127.0.0.1:0"];
    let ran = bound(&folder.0, &serve);
    rights(&folder.0, 0o755);
    refused(&ran, "needs the right to");
    let empty = Folder::new();
    rights(&empty.0, 0o555);
    let ran = bound(&empty.0, &serve);
    let copy = bound(&folder.0, &["backup", text(&empty.path("copy.db"))]);
    rights(&empty.0, 0o755);
    refused(&ran, "and to write in its folder");
    refused(&copy, "can't be made");
    assert!(empty.names().is_empty());
}

#[tokio::test]
async fn what_is_no_database_is_called_so() {
    let folder = Folder::new();
    let serve = ["serve", "--bind", "127.0.0.1:0"];
    fs::write(
        folder.path("candor.db"),
        "Dear diary, today I wrote a text file.",
    )
    .unwrap();
    refused(&folder.run(&serve), "candor.db is not a SQLite database");
    fs::remove_file(folder.path("candor.db")).unwrap();
    fs::create_dir(folder.path("candor.db")).unwrap();
    refused(
        &folder.run(&serve),
        "candor.db is a folder: name a file in it",
    );
    let nowhere = ["--database", "sqlite://no/such/candor.db", "migrate"];
    refused(&folder.run(&nowhere), "there is no folder no/such");
    // What looks after a database makes none.
    let empty = Folder::new();
    for command in [
        &["backup", "copy.db"][..],
        &["purge"],
        &["erase", "--user", "me", "--yes"],
    ] {
        refused(
            &empty.run(command),
            "there is no database candor.db: is DATABASE_URL right?",
        );
    }
    assert!(empty.names().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_lock_of_another_process_is_named_and_passes() {
    let folder = filled().await;
    let url = format!("sqlite://{}", text(&folder.path("candor.db")));
    let server = Server::start_with(&[("DATABASE_URL", &*url)]).await;
    let mut other = SqliteConnection::connect(&url).await.unwrap();
    sqlx::raw_sql("BEGIN IMMEDIATE")
        .execute(&mut other)
        .await
        .unwrap();
    let erase = ["erase", "--user", "me", "--yes"];
    let ran = folder.run(&erase);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.err.contains("lock"), "{ran:?}");
    let late = server.post("/api/me/tasks", json!({"title": "Late"})).await;
    assert_eq!((late.status, late.problem()), (503, "storage_unavailable"));
    // Reading, and a backup, need no lock.
    assert_eq!(server.titles("me").await, ["Milk"]);
    well(&folder.run(&["backup", text(&folder.path("copy.db"))]));
    sqlx::raw_sql("ROLLBACK").execute(&mut other).await.unwrap();
    other.close().await.unwrap();
    // Nothing was left half done, and it goes on without a start.
    assert_eq!(server.titles("me").await, ["Milk"]);
    server.add("me", json!({"title": "Bread"})).await;
    well(&folder.run(&erase));
    assert!(server.tasks("me").await.is_empty());
}

/// The system refuses every byte of a file beyond a limit, as a full disk does.
#[tokio::test]
async fn a_disk_that_is_full_leaves_no_backup_and_no_harm() {
    let folder = filled().await;
    let place = Folder::new();
    let copy = place.path("copy.db");
    let script = "trap '' XFSZ; ulimit -f 80; exec \"$@\"";
    let backup = ["backup", text(&copy)];
    let ran = ran(Command::new("sh")
        .args(["-c", script, "sh", env!("CARGO_BIN_EXE_candor")])
        .args(backup)
        .current_dir(&folder.0));
    refused(&ran, "no backup was made: ");
    assert!(ran.err.contains("is the disk full"), "{ran:?}");
    assert!(place.names().is_empty(), "{:?}", place.names());
    well(&folder.run(&["audit", "verify"]));
    well(&folder.run(&backup));
    assert_eq!(place.names(), ["copy.db"]);
}
