//! Labelled lines: one JSON object per line, blank lines left out.

use std::path::Path;

use anyhow::{Context, Result};
use serde::de::DeserializeOwned;

/// Reads every line of `file` as a `T`.
pub(super) fn read<T: DeserializeOwned>(file: &Path) -> Result<Vec<T>> {
    let text =
        std::fs::read_to_string(file).with_context(|| format!("can't read {}", file.display()))?;
    let mut rows = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() {
            continue;
        }
        let row = serde_json::from_str(line)
            .with_context(|| format!("{}, line {}", file.display(), index + 1))?;
        rows.push(row);
    }
    Ok(rows)
}
