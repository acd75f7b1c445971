//! Meaning of a database file's fault to whoever runs the program: the fault and the way out.

use std::path::Path;

/// Result codes of SQLite, without their extensions.
pub(super) const BUSY: i32 = 5;
const LOCKED: i32 = 6;
pub(super) const READ_ONLY: i32 = 8;
const IO: i32 = 10;
const CORRUPT: i32 = 11;
pub(super) const FULL: i32 = 13;
const CANT_OPEN: i32 = 14;
const NOT_A_DATABASE: i32 = 26;

/// SQLite's result code, without its extension.
pub(super) fn code(error: &sqlx::Error) -> Option<i32> {
    let code = error
        .as_database_error()
        .and_then(sqlx::error::DatabaseError::code);
    let code = code.and_then(|code| code.parse::<i32>().ok());
    code.map(|code| code & 0xff)
}

/// Tells whether somebody else holds a lock, in any of the ways there are.
pub(super) fn is_busy(error: &sqlx::Error) -> bool {
    code(error) == Some(BUSY)
}

/// Tells whether the file can't be read as a database.
pub(super) fn is_damaged(error: &sqlx::Error) -> bool {
    matches!(code(error), Some(CORRUPT | NOT_A_DATABASE))
}

/// The fault and the way out, where there is more to say than the driver says.
pub(super) fn explain(error: &sqlx::Error, file: &Path) -> Option<String> {
    let name = file.display();
    let folder = match file.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let words = match code(error)? {
        BUSY | LOCKED => format!(
            "{name} is locked by another process that writes: try again when it has finished, or \
             stop it"
        ),
        READ_ONLY => format!(
            "{name} can't be written: the user that runs candor needs the right to write the file \
             and its folder, and the file system must not be mounted read-only"
        ),
        IO => format!(
            "{name} can't be read or written ({error}): is the disk full, over its quota, or \
             failing? Look into the system's log"
        ),
        CORRUPT => format!("{name} is damaged: restore a backup with `candor restore FILE`"),
        FULL => format!("no space is left for {name}: free some on its disk"),
        CANT_OPEN if file.is_dir() => format!("{name} is a folder: name a file in it"),
        CANT_OPEN if !folder.is_dir() => {
            format!(
                "{name} can't be made: there is no folder {}",
                folder.display()
            )
        }
        CANT_OPEN => format!(
            "{name} can't be opened: the user that runs candor needs the right to read and write \
             it, and to write in its folder {}, where SQLite keeps files beside it",
            folder.display()
        ),
        NOT_A_DATABASE => format!("{name} is not a SQLite database"),
        _ => return None,
    };
    Some(words)
}
