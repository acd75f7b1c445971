//! Rows of CSV by the names of their columns, with the lines where they begin.
//!
//! Reads commas, semicolons and tabs, and Excel's `sep=;` before the header.

use std::rc::Rc;

use ::csv::{Position, ReaderBuilder};

use super::Unreadable;
use super::draft::Draft;
use super::entry::Refused;
use super::lines::LineIndex;

/// Lines among which a header is looked for: some programs write a preamble.
const PREAMBLE: usize = 20;

/// Everything that a file of rows holds beside them.
#[derive(Debug, Default)]
pub(super) struct Table {
    /// Names of the columns; rows share them, as one may be as long as the file.
    pub header: Vec<Rc<str>>,
    /// Rows that fit no columns.
    pub refused: Vec<Refused>,
}

/// The cells of a row that hold something, by the names of their columns.
#[derive(Debug)]
pub(super) struct Row {
    pub line: usize,
    pub cells: Vec<(Rc<str>, String)>,
}

impl Row {
    /// Takes the cell of a column out; none when it is empty.
    pub(super) fn take(&mut self, name: &str) -> Option<String> {
        let place = self
            .cells
            .iter()
            .position(|(column, _)| **column == *name)?;
        Some(self.cells.remove(place).1)
    }

    /// Counts what was not taken, but for columns that say nothing of the task and for values
    /// that any task has.
    pub(super) fn leave(self, draft: &mut Draft, silent: &[&str], usual: &[&str]) {
        for (column, value) in self.cells {
            let mut usual = usual.iter().chain(&[""]);
            let usual = usual.any(|usual| value.trim().eq_ignore_ascii_case(usual));
            if !usual && !silent.contains(&&*column) {
                draft.left_out.count(&column, 1);
            }
        }
    }
}

/// Tells whether one of the first lines names all these columns.
pub(super) fn has_header(text: &str, columns: &[&str]) -> bool {
    header_at(text, columns).is_some()
}

/// The byte at which the header with these columns begins.
fn header_at(text: &str, columns: &[&str]) -> Option<usize> {
    let mut at = 0;
    for line in text.split_inclusive('\n').take(PREAMBLE) {
        let cells = cells(line);
        if columns
            .iter()
            .all(|column| cells.iter().any(|cell| cell == column))
        {
            return Some(at);
        }
        at += line.len();
    }
    None
}

fn cells(line: &str) -> Vec<String> {
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .delimiter(delimiter(line))
        .from_reader(line.as_bytes());
    let first = reader.records().next().and_then(Result::ok);
    let cells = first.iter().flatten().map(|cell| cell.trim().to_owned());
    cells.collect()
}

impl Table {
    /// Hands over the rows after the header that names these columns, or after the first line.
    pub(super) fn read(
        text: &str,
        columns: &[&str],
        mut each: impl FnMut(Row),
    ) -> Result<Self, Unreadable> {
        let told = sep(text);
        let first = told.map_or(0, |(_, length)| length);
        let start = header_at(text, columns).unwrap_or(first).max(first);
        let body = text.get(start..).unwrap_or_default();
        let body = body.trim_start_matches(['\r', '\n']);
        let start = text.len() - body.len();
        let header = body.lines().next().unwrap_or_default();
        let sign = told.map_or_else(|| delimiter(header), |(sign, _)| sign);
        let mut table = Self::default();
        let mut reader = ReaderBuilder::new()
            .has_headers(false)
            .flexible(true)
            .delimiter(sign)
            .from_reader(body.as_bytes());
        let mut records = reader.records();
        let Some(Ok(header)) = records.next() else {
            return Err(Unreadable(
                "it is empty: the first line names the columns".to_owned(),
            ));
        };
        table.header = header.iter().map(|cell| cell.trim().into()).collect();
        let lines = LineIndex::new(text);
        for record in records {
            let Ok(record) = record else {
                return Err(Unreadable("its rows can't be told apart".to_owned()));
            };
            // Breaks before a row count as its beginning.
            let at = record.position().map_or(0, Position::byte);
            let at = start + usize::try_from(at).unwrap_or(usize::MAX);
            let rest = text.get(at..).unwrap_or_default();
            let breaks = rest.len() - rest.trim_start_matches(['\r', '\n']).len();
            let cells: Vec<&str> = record.iter().collect();
            table.row(&cells, lines.at(at + breaks)).map(&mut each);
        }
        Ok(table)
    }

    /// The row of these cells; none when they are empty, or too many.
    fn row(&mut self, cells: &[&str], line: usize) -> Option<Row> {
        let columns = self.header.len();
        let last = cells.iter().rposition(|cell| !cell.trim().is_empty())?;
        if last >= columns {
            let reason = format!(
                "it has {} cells for {columns} columns: a cell with a comma, a quote or a line \
                 break must stand in quotes",
                cells.len(),
            );
            let refused = Refused::new(line, &cells.join(","), reason);
            self.refused.push(refused);
            return None;
        }
        let cells = self
            .header
            .iter()
            .zip(cells)
            .filter(|(_, cell)| !cell.is_empty());
        let cells = cells.map(|(name, cell)| (Rc::clone(name), (*cell).to_owned()));
        let cells = cells.collect();
        Some(Row { line, cells })
    }
}

/// The sign that Excel's first line `sep=;` names, and the length of that line.
fn sep(text: &str) -> Option<(u8, usize)> {
    let line = text.split_inclusive('\n').next()?;
    let plain = line.trim_end_matches(['\r', '\n']).trim_matches('"');
    let (name, sign) = plain.split_once('=')?;
    let fits = name.eq_ignore_ascii_case("sep") && sign.len() == 1;
    let sign = sign.bytes().next().filter(|_| fits)?;
    Some((sign, line.len()))
}

/// The separator of the header: some spreadsheets write semicolons or tabs.
pub(super) fn delimiter(header: &str) -> u8 {
    let count = |sign: u8| header.bytes().filter(|byte| *byte == sign).count();
    let mut best = b',';
    for sign in [b';', b'\t'] {
        if count(sign) > count(best) {
            best = sign;
        }
    }
    best
}
