//! What a measure found: figures in the contract's order, and the rows that missed.

use std::io::{self, Write};

use serde_json::{Map, Value, json};

/// One figure.
#[derive(Debug, Clone, PartialEq)]
pub enum Figure {
    /// Hits of a number of rows.
    Share {
        /// Rows that were right.
        hits: usize,
        /// Rows that were judged.
        of: usize,
    },
    /// A plain count.
    Count(usize),
    /// Shares by name.
    By(Vec<(String, Figure)>),
}

impl Figure {
    /// A share of `of` rows.
    pub const fn share(hits: usize, of: usize) -> Self {
        Self::Share { hits, of }
    }

    fn to_json(&self) -> Value {
        match self {
            Self::Share { of: 0, .. } => Value::Null,
            Self::Share { hits, of } => json!(ratio(*hits, *of)),
            Self::Count(count) => json!(count),
            Self::By(parts) => {
                let parts = parts.iter();
                Value::Object(parts.map(|(name, f)| (name.clone(), f.to_json())).collect())
            }
        }
    }

    fn write(&self, name: &str, indent: usize, out: &mut impl Write) -> io::Result<()> {
        let pad = " ".repeat(indent);
        match self {
            Self::Share { of: 0, .. } => writeln!(out, "{pad}{name:<24} no rows"),
            Self::Share { hits, of } => {
                let percent = 100.0 * ratio(*hits, *of);
                writeln!(out, "{pad}{name:<24} {percent:6.2} %  ({hits} of {of})")
            }
            Self::Count(count) => writeln!(out, "{pad}{name:<24} {count}"),
            Self::By(parts) => {
                writeln!(out, "{pad}{name}")?;
                for (name, figure) in parts {
                    figure.write(name, indent + 2, out)?;
                }
                Ok(())
            }
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "row counts are far below 2^52")]
fn ratio(hits: usize, of: usize) -> f64 {
    hits as f64 / of as f64
}

/// What a measure found.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Which measure.
    pub suite: &'static str,
    /// Rows in the file.
    pub rows: usize,
    /// The figures, in the contract's order.
    pub metrics: Vec<(&'static str, Figure)>,
    /// The rows that missed, each with what was expected and what was found.
    pub misses: Vec<Value>,
}

impl Report {
    /// `{"suite":…,"rows":…,"metrics":{…}}`
    pub fn to_json(&self) -> Value {
        let metrics = self.metrics.iter();
        let metrics: Map<String, Value> = metrics
            .map(|(name, figure)| ((*name).to_owned(), figure.to_json()))
            .collect();
        json!({ "suite": self.suite, "rows": self.rows, "metrics": metrics })
    }

    /// A table for people.
    ///
    /// # Errors
    /// When `out` can't be written.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{} ({} rows)", self.suite, self.rows)?;
        for (name, figure) in &self.metrics {
            figure.write(name, 2, out)?;
        }
        Ok(())
    }

    /// The missed rows, as JSON lines.
    ///
    /// # Errors
    /// When `out` can't be written.
    pub fn write_misses(&self, out: &mut impl Write) -> io::Result<()> {
        for miss in &self.misses {
            writeln!(out, "{miss}")?;
        }
        Ok(())
    }
}
