//! What a file was read as, and what the reader was told beforehand.

use std::collections::BTreeSet;

use chrono::NaiveDate;
use chrono_tz::Tz;

use super::{DayOrder, Entry, LeftOut, Refused};

/// What a file does not say itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReadOptions {
    /// The zone in which an instant has its day.
    pub zone: Tz,
    /// The day on which it is read, for dates without a year.
    pub today: NaiveDate,
    /// Which number of `10/02/2026` is the day; without it the file's own dates must show it.
    pub day_order: Option<DayOrder>,
}

/// What a file says.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Reading {
    /// Tasks, in the order of the file.
    pub entries: Vec<Entry>,
    /// What could not be one.
    pub refused: Vec<Refused>,
    /// What was there and is not kept.
    pub left_out: LeftOut,
    /// What the file does not say and was taken for granted, such as its encoding.
    pub assumed: BTreeSet<String>,
}

/// Why a whole file can't be read, in words for whoever sent it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(pub String);
