//! Report of a measure: figures in the contract's order, and the rows that missed.

use std::io::{self, Write};

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::Value;

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

/// A share from 0 to 1, null without rows; a count; an object of shares.
impl Serialize for Figure {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Share { of: 0, .. } => to.serialize_none(),
            Self::Share { hits, of } => to.serialize_f64(ratio(*hits, *of)),
            Self::Count(count) => count.serialize(to),
            Self::By(parts) => to.collect_map(parts.iter().map(|(name, figure)| (name, figure))),
        }
    }
}

impl Figure {
    /// A share of `of` rows.
    pub const fn share(hits: usize, of: usize) -> Self {
        Self::Share { hits, of }
    }

    fn write(&self, name: &str, indent: usize, out: &mut impl Write) -> io::Result<()> {
        let pad = " ".repeat(indent);
        let width = 26_usize.saturating_sub(indent);
        match self {
            Self::Share { of: 0, .. } => writeln!(out, "{pad}{name:<width$} no rows"),
            Self::Share { hits, of } => {
                let percent = 100.0 * ratio(*hits, *of);
                writeln!(out, "{pad}{name:<width$} {percent:6.2} %  ({hits} of {of})")
            }
            Self::Count(count) => writeln!(out, "{pad}{name:<width$} {count:6}"),
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

/// Hits among the rows that were judged.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct HitCount {
    hits: usize,
    of: usize,
}

impl HitCount {
    /// Counts a row, and tells whether it was a hit.
    pub(super) fn count(&mut self, hit: bool) -> bool {
        self.of += 1;
        self.hits += usize::from(hit);
        hit
    }

    /// Their share.
    pub(super) const fn figure(self) -> Figure {
        Figure::share(self.hits, self.of)
    }
}

#[expect(clippy::cast_precision_loss, reason = "row counts are far below 2^52")]
fn ratio(hits: usize, of: usize) -> f64 {
    hits as f64 / of as f64
}

/// Report of a measure. As JSON: `{"suite":…,"rows":…,"metrics":{…}}`, the keys in this order.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Report {
    /// Name of the measure.
    pub suite: &'static str,
    /// Rows in the file.
    pub rows: usize,
    /// The figures, in the contract's order.
    #[serde(serialize_with = "in_order")]
    pub metrics: Vec<(&'static str, Figure)>,
    /// The rows that missed, each with what was expected and what was found.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub misses: Vec<Value>,
}

fn in_order<S: Serializer>(metrics: &[(&'static str, Figure)], to: S) -> Result<S::Ok, S::Error> {
    let mut map = to.serialize_map(Some(metrics.len()))?;
    for (name, figure) in metrics {
        map.serialize_entry(name, figure)?;
    }
    map.end()
}

impl Report {
    /// A table for people.
    pub fn write(&self, out: &mut impl Write) -> io::Result<()> {
        writeln!(out, "{} ({} rows)", self.suite, self.rows)?;
        for (name, figure) in &self.metrics {
            figure.write(name, 2, out)?;
        }
        Ok(())
    }

    /// The missed rows, as JSON lines.
    pub fn write_misses(&self, out: &mut impl Write) -> io::Result<()> {
        for miss in &self.misses {
            writeln!(out, "{miss}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_keep_their_order() {
        let by = Figure::By(vec![("list_tasks".to_owned(), Figure::share(1, 2))]);
        let report = Report {
            suite: "intents",
            rows: 3,
            metrics: vec![
                ("recall", Figure::share(1, 2)),
                ("recall_by_tool", by),
                ("false_alarm", Figure::share(0, 0)),
                ("a_count", Figure::Count(4)),
            ],
            misses: Vec::new(),
        };
        assert_eq!(
            serde_json::to_string(&report).unwrap(),
            r#"{"suite":"intents","rows":3,"metrics":{"recall":0.5,"recall_by_tool":{"list_tasks":0.5},"false_alarm":null,"a_count":4}}"#
        );
    }
}
