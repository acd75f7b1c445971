//! Labelled lines: one JSON object per line, blank lines left out.

use std::path::Path;

use serde::de::DeserializeOwned;

use super::input::BadInput;

/// A row of labelled lines. Other keys, such as a source, may stand beside its own, but in rows of
/// turns, where a misspelt one would go unnoticed.
pub(super) trait Labelled: DeserializeOwned {
    /// The shape of a line.
    const SHAPE: &'static str;

    /// Finds what is wrong with the row although every key is there.
    fn fault(&self) -> Option<String> {
        None
    }
}

/// Reads every line of `file` as a `T`.
pub(super) fn read<T: Labelled>(file: &Path) -> Result<Vec<T>, BadInput> {
    let wanted = format!("a file of JSON lines, each {}", T::SHAPE);
    let text = BadInput::read(file, &wanted)?;
    let mut rows: Vec<T> = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let number = u64::try_from(index + 1).unwrap_or(u64::MAX);
        let bad = |column: usize, fault: &str| {
            let column = u64::try_from(column).unwrap_or(u64::MAX);
            let fault = format!("{fault}; a line is {}", T::SHAPE);
            BadInput::at(file, Some((number, column.max(1))), fault)
        };
        let row: T = serde_json::from_str(line).map_err(|error| {
            let words = error.to_string();
            // The parser counts lines within the one line that it was given.
            let words = words.split(" at line ").next().unwrap_or_default();
            bad(error.column(), words)
        })?;
        if let Some(fault) = row.fault() {
            return Err(bad(1, &fault));
        }
        rows.push(row);
    }
    if rows.is_empty() {
        return Err(BadInput::of(file, format!("is empty; wanted is {wanted}")));
    }
    Ok(rows)
}
