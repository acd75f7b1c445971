//! Input that can't be used: one line that names the file, the place, the fault and the cure.

use std::fmt::Display;
use std::path::Path;

/// A file that is not what an evaluation needs. Its `Display` is one line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{place}: {fault}")]
pub struct BadInput {
    place: String,
    fault: String,
}

impl BadInput {
    /// A fault of a whole file or folder.
    pub fn of(file: &Path, fault: impl Display) -> Self {
        Self::at(file, None, fault)
    }

    /// A fault at a line and a column, both counted from 1.
    pub(super) fn at(file: &Path, at: Option<(u64, u64)>, fault: impl Display) -> Self {
        let place = file.display();
        let place = match at {
            Some((line, column)) => format!("{place}, line {line}, column {column}"),
            None => place.to_string(),
        };
        // A parser may quote what it read, line breaks included.
        let fault = fault.to_string();
        let fault = fault.split_whitespace().collect::<Vec<_>>().join(" ");
        Self { place, fault }
    }

    /// The text of `file`; `wanted` says what would have been right.
    pub(super) fn read(file: &Path, wanted: &str) -> Result<String, Self> {
        if file.is_dir() {
            return Err(Self::of(file, format!("is a folder; wanted is {wanted}")));
        }
        std::fs::read_to_string(file)
            .map_err(|error| Self::of(file, format!("can't be read ({error}); wanted is {wanted}")))
    }
}
