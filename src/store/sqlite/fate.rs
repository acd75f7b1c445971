//! Fate of a statement that ends in a commit, as far as the driver tells.
//!
//! Refused is said only of what certainly was not committed. Whatever else is not known to have
//! been committed has a fate that is not known, and is looked up.

use futures_util::TryStreamExt;
use sqlx::query::Query;
use sqlx::sqlite::SqliteArguments;
use sqlx::{Executor, Sqlite, SqliteConnection};

use super::fault;
use crate::store::measure;
use crate::store::record::RollbackCause;

/// Outcome for one unit or for a transaction.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum CommitOutcome {
    Written,
    Refused(RollbackCause),
    Unknown,
}

pub(super) fn storage(error: &sqlx::Error) -> RollbackCause {
    RollbackCause::Storage(error.to_string())
}

/// Sign of how far a query came that ends in a commit.
#[derive(Debug, Clone, Copy)]
pub(super) enum CommitProgress {
    /// One statement in an open transaction, and its commit.
    Committing,
    /// One statement that is a transaction of its own: it shows nothing before it has returned.
    Whole,
}

/// Runs a query that ends in a commit, and tells how that ended and whether the connection
/// is sound.
pub(super) async fn finish(
    connection: &mut SqliteConnection,
    query: Query<'_, Sqlite, SqliteArguments>,
    by: CommitProgress,
) -> (CommitOutcome, bool) {
    measure::statement();
    let mut statements: u32 = 0;
    let steps = (&mut *connection).fetch_many(query);
    let done = steps.try_for_each(|step| {
        statements += u32::from(step.is_left());
        std::future::ready(Ok(()))
    });
    let done = done.await;
    let marks = match by {
        CommitProgress::Committing => statements,
        CommitProgress::Whole if statements == 0 && is_refusal(&done) => 0,
        CommitProgress::Whole => statements + 1,
    };
    let end = judge(marks, &done);
    if end == CommitOutcome::Written {
        return (end, true);
    }
    match (rollback(connection).await, done) {
        // The transaction was still open, so its commit did not happen. A connection that could
        // only be opened for reading stays so, and another one may fare better.
        (RollbackOutcome::Done, Err(error)) => {
            let sound = fault::code(&error) != Some(fault::READ_ONLY);
            (CommitOutcome::Refused(storage(&error)), sound)
        }
        (RollbackOutcome::NothingOpen, _) => (end.clone(), end != CommitOutcome::Unknown),
        _ => (end, false),
    }
}

/// One of `marks` means that the commit was reached, two that it returned.
fn judge(marks: u32, done: &Result<(), sqlx::Error>) -> CommitOutcome {
    match (marks, done) {
        (2, Ok(())) => CommitOutcome::Written,
        // A statement was refused before the commit, and the database says so.
        (0, Err(error)) if error.as_database_error().is_some() || is_unsent(error) => {
            CommitOutcome::Refused(storage(error))
        }
        // The log's last page did not fit, and without that one the others do not count.
        (1, Err(error)) if fault::code(error) == Some(fault::FULL) => {
            CommitOutcome::Refused(storage(error))
        }
        // Everything else, a driver that fell silent included, may have been committed.
        (_, done) => {
            let error = done.as_ref().err();
            tracing::error!(marks, ?error, "a commit's fate is unknown");
            CommitOutcome::Unknown
        }
    }
}

/// Tells whether a statement on its own failed before its commit: a row was refused, or nothing
/// could be locked or written. Any other fault may be one of the commit.
fn is_refusal(done: &Result<(), sqlx::Error>) -> bool {
    let known = |error| fault::code(error).is_some_and(|code| REFUSALS.contains(&code));
    (done.as_ref()).is_err_and(|error| is_unsent(error) || known(error))
}

/// Tells whether the driver refused a value, and sent nothing.
const fn is_unsent(error: &sqlx::Error) -> bool {
    matches!(error, sqlx::Error::Encode(_))
}

/// The codes of what is found out before a commit begins: an error in what was said (malformed
/// JSON among them), a lock that others hold, a file that can't be written, a constraint.
const REFUSALS: [i32; 4] = [1, fault::BUSY, fault::READ_ONLY, 19];

/// Outcome of the attempt to roll back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum RollbackOutcome {
    /// A transaction was open and is undone.
    Done,
    /// None was open: some faults end it by themselves.
    NothingOpen,
    /// Unknown how it ended.
    Failed,
}

pub(super) async fn rollback(connection: &mut SqliteConnection) -> RollbackOutcome {
    let Err(error) = run(connection, "ROLLBACK").await else {
        return RollbackOutcome::Done;
    };
    let nothing = |fault: &dyn sqlx::error::DatabaseError| {
        fault.message().contains("no transaction is active")
    };
    if error.as_database_error().is_some_and(nothing) {
        RollbackOutcome::NothingOpen
    } else {
        RollbackOutcome::Failed
    }
}

async fn run(
    connection: &mut SqliteConnection,
    statement: &'static str,
) -> Result<(), sqlx::Error> {
    measure::statement();
    sqlx::query(statement).execute(connection).await.map(|_| ())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(marks: u32, done: &Result<(), sqlx::Error>, expect: fn(&CommitOutcome) -> bool) {
        let end = judge(marks, done);
        assert!(expect(&end), "{marks} {done:?}: {end:?}");
    }

    async fn refusal() -> sqlx::Error {
        use sqlx::Connection;
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        run(&mut connection, "SELECT nonsense").await.unwrap_err()
    }

    #[tokio::test]
    async fn only_a_commit_that_returned_is_written() {
        check(2, &Ok(()), |end| *end == CommitOutcome::Written);
        check(0, &Err(refusal().await), |end| {
            matches!(end, CommitOutcome::Refused(_))
        });
        // The commit was reached: an error is an error of the commit.
        check(1, &Err(refusal().await), |end| {
            *end == CommitOutcome::Unknown
        });
        check(2, &Err(refusal().await), |end| {
            *end == CommitOutcome::Unknown
        });
        // The driver fell silent or died.
        check(0, &Ok(()), |end| *end == CommitOutcome::Unknown);
        check(1, &Ok(()), |end| *end == CommitOutcome::Unknown);
        check(0, &Err(sqlx::Error::WorkerCrashed), |end| {
            *end == CommitOutcome::Unknown
        });
        check(1, &Err(sqlx::Error::WorkerCrashed), |end| {
            *end == CommitOutcome::Unknown
        });
    }

    /// A value that no driver takes.
    struct Odd;

    impl sqlx::Type<Sqlite> for Odd {
        fn type_info() -> sqlx::sqlite::SqliteTypeInfo {
            <i64 as sqlx::Type<Sqlite>>::type_info()
        }
    }

    impl sqlx::Encode<'_, Sqlite> for Odd {
        fn encode_by_ref(
            &self,
            _: &mut sqlx::sqlite::SqliteArgumentsBuffer,
        ) -> Result<sqlx::encode::IsNull, sqlx::error::BoxDynError> {
            Err("it is odd".into())
        }
    }

    #[tokio::test]
    async fn a_value_that_the_driver_refuses_sends_nothing_and_shifts_nothing() {
        use sqlx::Connection;
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        let table = "CREATE TABLE t (a INTEGER, b INTEGER)";
        run(&mut connection, table).await.unwrap();
        for marks in [CommitProgress::Whole, CommitProgress::Committing] {
            let query = sqlx::query("INSERT INTO t VALUES (?, ?)");
            let (end, sound) = finish(&mut connection, query.bind(Odd).bind(1), marks).await;
            assert!(
                matches!(&end, CommitOutcome::Refused(RollbackCause::Storage(why)) if why.contains("it is odd")),
                "{end:?}"
            );
            assert!(sound, "{marks:?}");
        }
        let rows: i64 = sqlx::query_scalar("SELECT count(*) FROM t")
            .fetch_one(&mut connection)
            .await
            .unwrap();
        assert_eq!(rows, 0);
    }

    /// Checks what a statement that is a transaction of its own shows of its fate.
    #[tokio::test]
    async fn a_statement_alone_is_refused_only_by_what_comes_before_its_commit() {
        use sqlx::Connection;
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        run(
            &mut connection,
            "CREATE TABLE t (a INTEGER CHECK (a > 0)) STRICT",
        )
        .await
        .unwrap();
        let whole = [
            ("INSERT INTO t VALUES (1)", Some(CommitOutcome::Written)),
            ("INSERT INTO t VALUES (2), (0)", None),
            ("INSERT INTO t SELECT value FROM json_each('[')", None),
        ];
        for (statement, expect) in whole {
            let (end, sound) = finish(
                &mut connection,
                sqlx::query(statement),
                CommitProgress::Whole,
            )
            .await;
            match expect {
                Some(expect) => assert_eq!(end, expect, "{statement}"),
                None => assert!(
                    matches!(end, CommitOutcome::Refused(_)),
                    "{statement}: {end:?}"
                ),
            }
            assert!(sound, "{statement}");
        }
        let rows: i64 = sqlx::query_scalar("SELECT count(*) FROM t")
            .fetch_one(&mut connection)
            .await
            .unwrap();
        assert_eq!(rows, 1);
        // Nothing is known of what the driver does not tell.
        for error in [sqlx::Error::WorkerCrashed, sqlx::Error::RowNotFound] {
            assert!(!is_refusal(&Err(error)));
        }
        assert!(!is_refusal(&Ok(())));
    }

    #[tokio::test]
    async fn a_rollback_tells_whether_a_transaction_was_open() {
        use sqlx::Connection;
        let mut connection = SqliteConnection::connect("sqlite::memory:").await.unwrap();
        assert_eq!(
            rollback(&mut connection).await,
            RollbackOutcome::NothingOpen
        );
        run(&mut connection, "BEGIN IMMEDIATE").await.unwrap();
        assert_eq!(rollback(&mut connection).await, RollbackOutcome::Done);
    }
}
