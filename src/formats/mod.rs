//! Task lists as files: iCalendar, CSV, todo.txt and JSON, both ways.
//!
//! Files of other programs are read as well, by their own layouts: see [`LAYOUTS`].
//!
//! Pure: text in, entries and refusals out; tasks in, text out. Reads no clock, holds no store
//! and makes no receipt. What one line of a file can't be is refused with its number and a reason;
//! it never spoils the lines beside it. What is there and has no place here is counted, by kind,
//! in [`LeftOut`]. What a format can't carry is said here and nowhere hidden:
//!
//! | format | carries | loses |
//! |---|---|---|
//! | JSON | everything | nothing |
//! | CSV | everything else | reminders that have ended |
//! | iCalendar (RFC 5545) | everything else | reminders that have ended, and fractions of a second |
//! | todo.txt | everything else | reminders that have ended, the hour of adding and completing; when a task was last changed |
//!
//! Written, read and written again, a list is the same bytes. A task that was imported is known
//! again by its id, by the file's own id for it, or by its words: see [`identity`].

mod csv;
mod day;
mod draft;
mod encoding;
mod entry;
mod ics;
pub mod identity;
mod json;
mod layout;
mod left_out;
mod lines;
mod others;
mod percent;
mod reading;
mod table;
mod todotxt;
mod values;

pub use day::DayOrder;
pub use encoding::{Decoded, decode};
pub use entry::{Entry, Key, Refused, When};
pub use layout::{LAYOUTS, Layout};
pub use left_out::{LeftOut, LeftOutKind};
pub use percent::decode as percent_decoded;
pub use reading::{ReadOptions, Reading, Unreadable};

use crate::domain::{Task, words};

words! {
    /// A format of task lists, by its word on the command line and in queries.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub enum Format {
        /// iCalendar: one VTODO for each task.
        Ics = "ics",
        /// Comma-separated values (RFC 4180), with a header.
        Csv = "csv",
        /// todo.txt: one line for each task.
        Todotxt = "todotxt",
        /// The API's own shape, in an array.
        Json = "json",
    }
}

impl Format {
    /// The media type that it is sent as.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Ics => "text/calendar; charset=utf-8",
            Self::Csv => "text/csv; charset=utf-8; header=present",
            Self::Todotxt => "text/plain; charset=utf-8",
            Self::Json => "application/json",
        }
    }

    /// The name of a file that holds a user's tasks.
    pub const fn file_name(self) -> &'static str {
        match self {
            Self::Ics => "tasks.ics",
            Self::Csv => "tasks.csv",
            Self::Todotxt => "todo.txt",
            Self::Json => "tasks.json",
        }
    }

    /// The format that a media type names, whatever its parameters.
    pub fn of_media_type(text: &str) -> Option<Self> {
        let essence = text.split(';').next().unwrap_or_default().trim();
        match essence.to_ascii_lowercase().as_str() {
            "text/calendar" => Some(Self::Ics),
            "text/csv" => Some(Self::Csv),
            "text/plain" => Some(Self::Todotxt),
            "application/json" => Some(Self::Json),
            _ => None,
        }
    }

    /// The format that a file's name says it has.
    pub fn of_file_name(name: &str) -> Option<Self> {
        let (_, extension) = name.rsplit_once('.')?;
        match extension.to_ascii_lowercase().as_str() {
            "ics" | "ical" | "ifb" => Some(Self::Ics),
            "csv" | "tsv" => Some(Self::Csv),
            "txt" => Some(Self::Todotxt),
            "json" => Some(Self::Json),
            _ => None,
        }
    }
}

/// Tasks as text, in the order they are handed in; `json` writes one as the API shows it, on one line.
pub fn write(format: Format, tasks: &[Task], json: fn(&Task) -> String) -> String {
    match format {
        Format::Ics => ics::write(tasks),
        Format::Csv => csv::write(tasks),
        Format::Todotxt => todotxt::write(tasks),
        Format::Json => json::write(tasks, json),
    }
}
