//! Meaning of an error of the driver or the server for the connection, and for the fate of what was
//! sent.

use std::io;

use sqlx::postgres::{PgDatabaseError, PgSeverity};

/// The server's own word on an error, when it gave one.
fn said(error: &sqlx::Error) -> Option<&PgDatabaseError> {
    error
        .as_database_error()
        .and_then(|fault| fault.try_downcast_ref::<PgDatabaseError>())
}

/// Tells whether the server says that the statement, and its transaction, had no effect.
///
/// Only an `ERROR` says so: a session that is ended may be ended after its commit. And only
/// one of the server's own: those of classes 08 and 57P come from poolers too, and 58 and XX
/// from a server that is not well.
pub(super) fn undone(error: &sqlx::Error) -> bool {
    let Some(fault) = said(error) else {
        return false;
    };
    let elsewhere = ["08", "57P", "58", "XX"];
    fault.severity() == PgSeverity::Error
        && !elsewhere
            .iter()
            .any(|class| fault.code().starts_with(class))
}

/// Tells whether the connection must not be used any more: it is gone, or leads to a server that
/// does not write (a primary that was demoted).
pub(super) fn broken(error: &sqlx::Error) -> bool {
    const READ_ONLY: &str = "25006";
    !undone(error) || said(error).is_some_and(|fault| fault.code() == READ_ONLY)
}

/// Tells whether two transactions were in each other's way, and this one gave in.
pub(super) fn gave_in(error: &sqlx::Error) -> bool {
    const SERIALIZATION_FAILURE: &str = "40001";
    const DEADLOCK: &str = "40P01";
    said(error).is_some_and(|fault| [SERIALIZATION_FAILURE, DEADLOCK].contains(&fault.code()))
}

/// The server did not answer in time.
pub(super) fn silence() -> sqlx::Error {
    sqlx::Error::Io(io::Error::new(
        io::ErrorKind::TimedOut,
        "the database does not answer",
    ))
}
