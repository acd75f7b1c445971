//! Turns without a reply: who works on them, and which nobody works on any more.
//!
//! Several processes may open one file. Each keeps a lock on a file beside it while it runs, so
//! that one which starts and finds nobody else there knows at once that every open turn was
//! cut off; otherwise the leases tell.

use std::fs::{File, TryLockError};
use std::path::Path;

use sqlx::SqliteConnection;

use super::sql;

/// Suffix of the lock's file after the name of the database's.
const SUFFIX: &str = "-running";

/// Marks this process as one that has the database open; the mark goes with the process. Where
/// no other has it open, the turns that were left open are given up.
pub(super) async fn arrive(connection: &mut SqliteConnection, database: &Path) -> Option<File> {
    let mut name = database.as_os_str().to_owned();
    name.push(SUFFIX);
    let mut options = File::options();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = match options.open(&name) {
        Ok(file) => file,
        Err(error) => {
            tracing::debug!(%error, "no mark beside the database: leases tell who runs");
            return None;
        }
    };
    let shared = async move |file: File| {
        // Who was first holds it for a moment only: nobody waits long.
        let locked = tokio::task::spawn_blocking(move || file.lock_shared().map(|()| file)).await;
        locked.ok().and_then(Result::ok)
    };
    match file.try_lock() {
        Ok(()) => {
            // Without the table there is no such turn.
            for abandon in sql::ABANDON {
                if let Err(error) = sqlx::query(abandon).execute(&mut *connection).await {
                    tracing::debug!(%error, "nothing to give up");
                }
            }
            file.unlock().ok()?;
            shared(file).await
        }
        Err(TryLockError::WouldBlock) => shared(file).await,
        Err(TryLockError::Error(error)) => {
            tracing::debug!(%error, "no lock beside the database: leases tell who runs");
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::domain::{ConversationId, IdSource, Title, TurnId, UserId};
    use crate::store::{CommitRecord, NewTask, OpenJournal, OpenWrite, Store, Unit};

    async fn alive(store: &Store, user: &UserId, conversation: ConversationId) -> bool {
        let loaded = store.load(user, Some(conversation), None).await.unwrap();
        loaded.open.unwrap().alive
    }

    #[tokio::test]
    async fn who_starts_alone_knows_that_no_turn_is_running() {
        let directory = std::env::temp_dir().join(format!("candor-arrive-{}", std::process::id()));
        std::fs::create_dir_all(&directory).unwrap();
        let url = format!("sqlite:{}", directory.join("candor.db").display());
        let first = Store::open(&url).await.unwrap();
        first.migrate().await.unwrap();
        let (ids, user) = (IdSource::random(), UserId::parse("ann").unwrap());
        let conversation = ConversationId::new(ids.next());
        let (turn, at) = (TurnId::new(ids.next()), chrono::DateTime::UNIX_EPOCH);
        let base = crate::resolver::TaskList::default();
        let mut unit = Unit::new(user.clone(), Some(conversation), turn, at, ids, base);
        unit.add(NewTask::titled(Title::parse("Milk").unwrap()));
        let record = CommitRecord {
            open: OpenWrite::Begin(OpenJournal {
                owner: "one".to_owned(),
                key: None,
                text: "{}".to_owned(),
            }),
            ..CommitRecord::default()
        };
        let commit = first.commit(unit, record).await;
        assert!(matches!(commit, crate::store::CommitResult::Committed(_)));
        // Beside another process, its turns are left alone.
        let second = Store::open(&url).await.unwrap();
        assert!(alive(&second, &user, conversation).await);
        second.close().await;
        drop(second);
        assert!(alive(&first, &user, conversation).await);
        first.close().await;
        drop(first);
        let third = Store::open(&url).await.unwrap();
        assert!(!alive(&third, &user, conversation).await);
        assert_eq!(third.cut_turns(9).await.unwrap().len(), 1);
        third.close().await;
        std::fs::remove_dir_all(&directory).unwrap();
    }
}
