//! Comma-separated values (RFC 4180): a byte-order mark, a header, CRLF, and no cell that a
//! spreadsheet would run.
//!
//! A cell that begins like a formula is written with an apostrophe before it, which spreadsheets
//! take for "text" and reading takes away again.

use ::csv::{Terminator, WriterBuilder};

use super::draft::{self, Draft, Drafts, Field};
use super::entry::stamp;
use super::table::{Row, Table};
use super::{ReadOptions, Reading, Unreadable};
use crate::domain::{Status, Task};

/// The columns, as they are written.
const HEADER: [&str; 14] = [
    "id",
    "title",
    "description",
    "status",
    "priority",
    "due_date",
    "due_time",
    "timezone",
    "repeat",
    "assignee",
    "reminder",
    "created_at",
    "updated_at",
    "completed_at",
];

/// Without it Excel takes the file for one of Windows-1252, and garbles é.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Characters that spreadsheets begin a formula with, some of them only after an import.
const FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

pub(super) fn write(tasks: &[Task]) -> String {
    let mut writer = WriterBuilder::new()
        .terminator(Terminator::CRLF)
        .from_writer(BYTE_ORDER_MARK.as_bytes().to_vec());
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
            task.due_time
                .map(|time| time.to_string())
                .unwrap_or_default(),
            task.due_time
                .map(|time| time.zone().to_string())
                .unwrap_or_default(),
            task.repeat
                .as_ref()
                .map(ToString::to_string)
                .unwrap_or_default(),
            guarded(task.assignee.as_deref().unwrap_or_default()),
            task.reminders
                .waiting()
                .map(|reminder| stamp(reminder.when.at))
                .unwrap_or_default(),
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

/// Tells whether the first line names a column for titles and one for another field.
pub(super) fn sniff(text: &str) -> bool {
    let lines = text
        .split_inclusive('\n')
        .filter(|line| !line.trim().is_empty());
    let first: String = lines.take(2).collect();
    let table = Table::read(&first, &[], |_| {});
    table.is_ok_and(|table| {
        let fields = fields(&table);
        fields.contains(&Field::Title) && fields.iter().any(|field| *field != Field::Title)
    })
}

fn fields(table: &Table) -> Vec<Field> {
    let fields = table.header.iter().filter_map(|name| draft::field(name));
    fields.map(|(field, _)| field).collect()
}

pub(super) fn read(text: &str, options: &ReadOptions) -> Result<Reading, Unreadable> {
    let mut drafts = Drafts::default();
    let table = Table::read(text, &[], |row| drafts.list.push(draft(row)))?;
    if !fields(&table).contains(&Field::Title) {
        return Err(Unreadable(
            "the first line names no column \"title\" (nor task, name, summary, subject or content)"
                .to_owned(),
        ));
    }
    drafts.refused = table.refused;
    Ok(drafts.read(options))
}

fn draft(row: Row) -> Draft {
    let mut draft = Draft::at(row.line, []);
    let mut known = Vec::new();
    for (column, cell) in row.cells {
        match draft::field(&column) {
            Some((field, rank)) => known.push((rank, field, column, cell)),
            None if cell.trim().is_empty() => {}
            None if column.is_empty() => draft.left_out.count("columns without a name", 1),
            None => draft.left_out.count(&column, 1),
        }
    }
    known.sort_by_key(|(rank, ..)| *rank);
    for (_, field, column, cell) in known {
        draft.put(field, &column, unguarded(&cell).to_owned());
    }
    draft
}
