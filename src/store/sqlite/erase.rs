//! Erasing, on the connection that writes; and what SQLite would keep of erased rows in its files.

use sqlx::{Row, SqliteConnection};

use super::{group, sql, writer};
use crate::store::backend::StoreError;
use crate::store::batch::RowBatch;
use crate::store::erasure::ErasureReport;
use crate::store::plan::AdmissionReads;
use crate::store::query::StoreQuery;
use crate::store::record::CommitRecord;
use crate::store::rows;
use crate::store::sql::log;
use crate::store::unit::Unit;

/// Checkpoints that are tried: a reader may be in the middle of something old.
const CHECKPOINTS: u32 = 50;

/// Erases the rows and tells the log. After an error the connection must be given up: its
/// transaction may be open.
pub(super) async fn rows(
    connection: &mut SqliteConnection,
    unit: &Unit,
) -> Result<ErasureReport, StoreError> {
    overwrite(connection).await?;
    let mut wanted = AdmissionReads::default();
    let record = CommitRecord::default();
    wanted.add(unit, &record);
    let mut state = group::read(connection, &wanted).await?;
    let counted = sqlx::query_scalar(log::ERASABLE.sqlite).bind(unit.user().as_str());
    let counted: String = counted.fetch_one(&mut *connection).await?;
    let erased: ErasureReport = rows::whole("erasures", &counted)?;
    if erased.is_nothing() {
        run(connection, "ROLLBACK").await?;
        return Ok(erased);
    }
    let mut batch = RowBatch::default();
    let seq = state.admit_erasure(unit, &erased, &mut batch)?;
    let write = group::bind(sql::WRITE, &[], &[&batch])?;
    write.execute(&mut *connection).await?;
    let ask = StoreQuery::of(log::ERASE, unit.user()).number(seq);
    writer::all(connection, &ask).await?;
    run(connection, "COMMIT").await?;
    Ok(erased)
}

/// Has what is deleted from here on written over.
pub(super) async fn overwrite(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    run(connection, "PRAGMA secure_delete = ON").await
}

/// Rebuilds the file, which leaves nothing in pages that are not used, and empties the log that
/// is written ahead of it.
pub(super) async fn scrub(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    run(connection, "VACUUM").await?;
    for _ in 0..CHECKPOINTS {
        let done = sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)");
        let done = done.fetch_one(&mut *connection).await;
        let busy: i64 = done?.try_get(0)?;
        if busy == 0 {
            return Ok(());
        }
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
    Err(StoreError::File(
        "the words are erased, but a reader keeps the old write-ahead log of the database in use: \
         run it again when the long read has ended"
            .to_owned(),
    ))
}

async fn run(connection: &mut SqliteConnection, statement: &'static str) -> Result<(), StoreError> {
    sqlx::query(statement).execute(connection).await?;
    Ok(())
}
