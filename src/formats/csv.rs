//! Comma-separated values (RFC 4180): a header, CRLF, and no cell that a spreadsheet would run.
//!
//! A cell that begins like a formula is written with an apostrophe before it, which spreadsheets
//! take for "text" and reading takes away again.

use ::csv::{ReaderBuilder, StringRecord, Terminator, WriterBuilder};

use super::entry::{Raw, Refused, stamp};
use super::{Reading, Unreadable};
use crate::domain::{Status, Task};

/// The columns, as they are written.
const HEADER: [&str; 10] = [
    "id",
    "title",
    "description",
    "status",
    "priority",
    "due_date",
    "assignee",
    "created_at",
    "updated_at",
    "completed_at",
];

/// What spreadsheets begin a formula with, some of them only after an import.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

pub(super) fn write(tasks: &[Task]) -> String {
    let mut writer = WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .from_writer(Vec::new());
    let mut done = writer.write_record(HEADER);
    for task in tasks {
        let completed = match task.status {
            Status::Pending => String::new(),
            Status::Completed { at } => stamp(at),
        };
        let row = [
            task.id.to_string(),
            guarded(task.title.as_str()),
            guarded(task.description.as_deref().unwrap_or_default()),
            task.status.as_str().to_owned(),
            task.priority.as_str().to_owned(),
            task.due_date.map(|day| day.to_string()).unwrap_or_default(),
            guarded(task.assignee.as_deref().unwrap_or_default()),
            stamp(task.created_at),
            stamp(task.updated_at),
            completed,
        ];
        done = done.and_then(|()| writer.write_record(row));
    }
    // Memory takes every write, and what is written is text.
    let bytes = done.ok().and_then(|()| writer.into_inner().ok());
    String::from_utf8(bytes.unwrap_or_default()).unwrap_or_default()
}

/// The cell, with one apostrophe more if it begins like a formula, apostrophes aside.
fn guarded(cell: &str) -> String {
    if runs(cell) {
        format!("'{cell}")
    } else {
        cell.to_owned()
    }
}

/// The cell before it was guarded.
fn unguarded(cell: &str) -> &str {
    match cell.strip_prefix('\'') {
        Some(rest) if runs(rest) => rest,
        _ => cell,
    }
}

fn runs(cell: &str) -> bool {
    cell.trim_start_matches('\'').starts_with(FORMULA)
}

pub(super) fn read(text: &str) -> Result<Reading, Unreadable> {
    let mut reading = Reading::default();
    let first = text.lines().next().unwrap_or_default();
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .delimiter(delimiter(first))
        .from_reader(text.as_bytes());
    let mut records = reader.records();
    let Some(Ok(header)) = records.next() else {
        return Err(Unreadable(
            "it is empty: the first line names the columns".to_owned(),
        ));
    };
    let columns: Vec<Option<usize>> = header
        .iter()
        .map(|name| {
            let found = column(name);
            if found.is_none() && !name.trim().is_empty() && name.trim() != "user_id" {
                reading.unkept.insert(super::entry::cut(name));
            }
            found
        })
        .collect();
    if !columns.contains(&Some(1)) {
        return Err(Unreadable(
            "the first line names no column \"title\" (nor task, name, summary or content)"
                .to_owned(),
        ));
    }
    let mut lines = Lines {
        text,
        at: 0,
        line: 1,
    };
    for record in records {
        let Ok(record) = record else {
            return Err(Unreadable("its rows can't be told apart".to_owned()));
        };
        let start = record.position().map_or(0, ::csv::Position::byte);
        let line = lines.at(usize::try_from(start).unwrap_or(usize::MAX));
        if record.iter().all(|cell| cell.trim().is_empty()) {
            continue;
        }
        if record.len() > columns.len() {
            let reason = format!(
                "it has {} cells for {} columns: a cell with a comma, a quote or a line break must stand in quotes",
                record.len(),
                columns.len()
            );
            let said: Vec<&str> = record.iter().collect();
            reading
                .refused
                .push(Refused::new(line, &said.join(","), reason));
            continue;
        }
        match raw(&record, &columns).entry(line) {
            Ok(entry) => reading.entries.push(entry),
            Err(refused) => reading.refused.push(refused),
        }
    }
    Ok(reading)
}

fn raw(record: &StringRecord, columns: &[Option<usize>]) -> Raw {
    let mut raw = Raw::default();
    for (cell, column) in record.iter().zip(columns) {
        let Some(column) = column else { continue };
        let slot = match column {
            0 => &mut raw.id,
            1 => &mut raw.title,
            2 => &mut raw.description,
            3 => &mut raw.status,
            4 => &mut raw.priority,
            5 => &mut raw.due_date,
            6 => &mut raw.assignee,
            7 => &mut raw.created_at,
            8 => &mut raw.updated_at,
            _ => &mut raw.completed_at,
        };
        if slot.is_none() && !cell.is_empty() {
            *slot = Some(unguarded(cell).to_owned());
        }
    }
    raw
}

/// Where rows begin. The reader's own count is one behind when the break before has two signs.
struct Lines<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl Lines<'_> {
    /// The line of the row whose reading began at byte `start`, maybe before some breaks.
    fn at(&mut self, start: usize) -> usize {
        let rest = self.text.get(start..).unwrap_or_default();
        let breaks = rest.len() - rest.trim_start_matches(['\r', '\n']).len();
        let passed = self.text.get(self.at..start + breaks).unwrap_or_default();
        self.line += passed.matches('\n').count();
        self.at = start + breaks;
        self.line
    }
}

/// Which of ours a column is, by the names that other programs give it.
fn column(name: &str) -> Option<usize> {
    let name = name.trim().to_lowercase().replace([' ', '-'], "_");
    let known = match name.as_str() {
        "uid" | "uuid" => "id",
        "task" | "name" | "summary" | "content" => "title",
        "note" | "notes" => "description",
        "state" | "done" | "completed" | "is_completed" => "status",
        "due" | "deadline" => "due_date",
        "created" => "created_at",
        "updated" | "modified" => "updated_at",
        other => other,
    };
    HEADER.iter().position(|ours| *ours == known)
}

/// What stands between the cells of the header: some spreadsheets write semicolons or tabs.
fn delimiter(header: &str) -> u8 {
    let count = |sign: u8| header.bytes().filter(|byte| *byte == sign).count();
    let mut best = b',';
    for sign in [b';', b'\t'] {
        if count(sign) > count(best) {
            best = sign;
        }
    }
    best
}
