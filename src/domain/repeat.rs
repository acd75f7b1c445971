//! Repetition of a task: a rule of RFC 5545 that counts from the task's due date.

mod occurrences;
mod parts;

use std::fmt;

use chrono::{NaiveDate, Weekday};
use serde::{Deserialize, Serialize};

/// A recurrence rule (RRULE, RFC 5545 section 3.3.10) without DTSTART, of whole days: `FREQ` from
/// `DAILY` to `YEARLY`, `INTERVAL` 1 to 366, `BYMONTH`, `BYMONTHDAY`, `BYDAY`, and an end. It has
/// at least one occurrence, and one way to be written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub struct Repeat {
    every: RepeatUnit,
    interval: u16,
    months: Vec<u8>,
    month_days: Vec<i8>,
    days: Vec<RepeatDay>,
    end: Option<RepeatEnd>,
}

/// Unit that a rule counts (`FREQ`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepeatUnit {
    /// Days.
    Day,
    /// Weeks, which begin on Monday.
    Week,
    /// Months.
    Month,
    /// Years.
    Year,
}

/// Weekday of a rule (`BYDAY`): each such day, or the nth of the month or year, from its end where
/// negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RepeatDay {
    /// Position: 0 is each such day.
    pub nth: i8,
    /// The weekday.
    pub weekday: Weekday,
}

/// End of a repetition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RepeatEnd {
    /// After so many occurrences, the due date being the first (`COUNT`).
    After(u16),
    /// With the last occurrence up to this day (`UNTIL`).
    On(NaiveDate),
}

/// Largest interval.
pub const INTERVAL_MAX: u16 = 366;

impl Repeat {
    /// A rule of `interval` units without further parts: `None` where the interval is out of bounds.
    pub fn each(every: RepeatUnit, interval: u16) -> Option<Self> {
        (1..=INTERVAL_MAX).contains(&interval).then_some(Self {
            every,
            interval,
            months: Vec::new(),
            month_days: Vec::new(),
            days: Vec::new(),
            end: None,
        })
    }

    /// The same on these weekdays; `None` where such a rule can't be.
    #[must_use]
    pub fn on_weekdays(mut self, days: impl IntoIterator<Item = RepeatDay>) -> Option<Self> {
        self.days.extend(days);
        self.checked().ok()
    }

    /// The same on this day of its months, from their end where negative; `None` where such a rule
    /// can't be.
    #[must_use]
    pub fn on_month_day(mut self, day: i8) -> Option<Self> {
        self.month_days.push(day);
        self.checked().ok()
    }

    /// The same in this month, 1 to 12; `None` where such a rule can't be.
    #[must_use]
    pub fn in_month(mut self, month: u8) -> Option<Self> {
        self.months.push(month);
        self.checked().ok()
    }

    /// The same with an end.
    #[must_use]
    pub fn ending(mut self, end: RepeatEnd) -> Self {
        self.end = Some(end);
        self
    }

    /// The same without an end.
    #[must_use]
    pub fn endless(mut self) -> Self {
        self.end = None;
        self
    }

    /// Reads a rule, with or without `RRULE:` before it.
    ///
    /// ```
    /// use candor::domain::Repeat;
    /// let rule = Repeat::parse("rrule:freq=weekly;byday=FR,MO;interval=1").unwrap();
    /// assert_eq!(rule.to_string(), "FREQ=WEEKLY;BYDAY=MO,FR");
    /// assert!(Repeat::parse("FREQ=HOURLY").unwrap_err().contains("DAILY"));
    /// ```
    ///
    /// # Errors
    /// Names the part that can't be read or kept, and what is accepted.
    pub fn parse(text: &str) -> Result<Self, String> {
        parts::parse(text)
    }

    /// The unit that it counts.
    pub const fn every(&self) -> RepeatUnit {
        self.every
    }

    /// Number of units from one occurrence to the next.
    pub const fn interval(&self) -> u16 {
        self.interval
    }

    /// Its months, 1 to 12; empty for all.
    pub fn months(&self) -> &[u8] {
        &self.months
    }

    /// Its days of the month, from the end where negative; empty for none in particular.
    pub fn month_days(&self) -> &[i8] {
        &self.month_days
    }

    /// Its weekdays; empty for none in particular.
    pub fn days(&self) -> &[RepeatDay] {
        &self.days
    }

    /// Its end.
    pub const fn end(&self) -> Option<RepeatEnd> {
        self.end
    }
}

impl RepeatDay {
    /// Each such weekday.
    pub const fn each(weekday: Weekday) -> Self {
        Self { nth: 0, weekday }
    }
}

/// Writes the rule in its one form.
impl fmt::Display for Repeat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        parts::write(self, f)
    }
}

text_form!(Repeat: String = parse);
