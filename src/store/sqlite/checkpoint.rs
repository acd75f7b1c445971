//! Copies what the log holds back into the database's file, beside the writer and not in its way.
//!
//! SQLite itself does it inside the commit that finds the log long, and everybody behind that
//! one waits for thousands of pages. Here it is done by a connection of its own, a little at a
//! time; the writer's own limit is far above, and finds little left to do when it is reached.

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions, SqliteConnection};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use super::sql;
use crate::store::backend::close;
use crate::store::measure;

/// Units after which the log is looked after where they come one by one: the fewer pages the disk
/// is given at once, the shorter the next commit waits for it.
const CALM: usize = 16;

/// Units after which it is looked after where they come in crowds: a page that many units touch is
/// copied once.
const BUSY: usize = 512;

/// So many units in one transaction are a crowd.
const CROWD: usize = 8;

/// The writer's hold on the task.
pub(super) struct CheckpointTask {
    units: usize,
    wake: mpsc::Sender<()>,
    task: JoinHandle<()>,
}

impl CheckpointTask {
    pub(super) fn start(options: SqliteConnectOptions) -> Self {
        let (wake, woken) = mpsc::channel(1);
        Self {
            units: 0,
            wake,
            // It reads no page by way of a cache.
            task: tokio::spawn(serve(options.pragma("cache_size", "-100"), woken)),
        }
    }

    /// So many units more were written, in one transaction.
    pub(super) fn count(&mut self, units: usize) {
        self.units += units;
        let enough = if units < CROWD { CALM } else { BUSY };
        if self.units >= enough {
            self.units = 0;
            // It is at it when it can't be woken.
            let _ = self.wake.try_send(());
        }
    }

    /// Ends the task.
    pub(super) async fn end(self) {
        drop(self.wake);
        if let Err(error) = self.task.await {
            tracing::error!(%error, "the copying of the log did not end cleanly");
        }
    }
}

async fn serve(options: SqliteConnectOptions, mut woken: mpsc::Receiver<()>) {
    let mut connection = None;
    while woken.recv().await.is_some() {
        if let Err(error) = copy(&options, &mut connection).await {
            // The writer does it then.
            tracing::debug!(%error, "the log was not copied back");
            connection = None;
        }
    }
    if let Some(connection) = connection {
        close(connection).await;
    }
}

async fn copy(
    options: &SqliteConnectOptions,
    connection: &mut Option<SqliteConnection>,
) -> Result<(), sqlx::Error> {
    let connection = match connection {
        Some(connection) => connection,
        empty => empty.insert(options.connect().await?),
    };
    measure::statement();
    sqlx::query(sql::COPY_BACK)
        .execute(connection)
        .await
        .map(|_| ())
}
