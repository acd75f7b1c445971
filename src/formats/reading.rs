//! Readings of a file, and what the reader was told beforehand.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use chrono_tz::Tz;

use super::draft::REPETITIONS;
use super::{DayOrder, Entry, LeftOut, Refused};

/// Answers to what a file does not say itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// The zone in which an instant has its day.
    pub zone: Tz,
    /// The day on which it is read, for dates without a year.
    pub today: NaiveDate,
    /// Order of day and month in `10/02/2026`; without it the file's own dates must show it.
    pub day_order: Option<DayOrder>,
}

/// Contents of a file.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    /// Tasks, in the order of the file.
    pub entries: Vec<Entry>,
    /// Entries that could not be a task.
    pub refused: Vec<Refused>,
    /// Everything that was there and is not kept.
    pub left_out: LeftOut,
    /// Assumptions about what the file does not say, such as its encoding.
    pub assumed: BTreeSet<String>,
}

impl Reading {
    /// Takes a task in; its time is of `zone` where the file tells no zone. A rule that gives no day
    /// after the due date is left out.
    pub(super) fn push(&mut self, mut entry: Entry, zone: Tz) {
        if let (Some(rule), Some(due)) = (&entry.repeat, entry.due_date)
            && !rule.goes_on_from(due)
        {
            self.left_out.each(REPETITIONS, &rule.to_string());
            entry.repeat = None;
        }
        if entry.floating {
            self.assumed
                .insert(format!("times without a zone are of {zone}"));
        }
        self.entries.push(entry);
    }
}

/// Reason why a whole file can't be read, in words for whoever sent it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(pub String);
