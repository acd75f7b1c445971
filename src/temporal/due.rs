//! The due-date rule: which days a task may be due on (FR-007, `CANDOR_DUE_DATES`).

use chrono::{Datelike, Months, NaiveDate};
use serde::{Deserialize, Serialize};

use crate::domain::{Cause, Details, DueWindow, ErrorType, ToolError};

/// Rule for how far ahead a due date may lie; the past is never allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum DueRule {
    /// From today to 31 December of this year: the feature's rule, exact when today is pinned.
    Year,
    /// From today to three years ahead: on a live clock 31 December must not forbid tomorrow.
    Rolling,
}

/// Reason why a day can't be a due date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DueFault {
    /// Before today.
    #[error("{date} is in the past: due dates run from {today} to {last}")]
    Past {
        /// The day that was asked for.
        date: NaiveDate,
        /// The first allowed day.
        today: NaiveDate,
        /// The last allowed day.
        last: NaiveDate,
    },
    /// After the last allowed day.
    #[error("{date} is too far ahead: due dates run from {today} to {last}")]
    Beyond {
        /// The day that was asked for.
        date: NaiveDate,
        /// The first allowed day.
        today: NaiveDate,
        /// The last allowed day.
        last: NaiveDate,
    },
}

impl From<DueFault> for Cause {
    fn from(fault: DueFault) -> Self {
        let window = |day, from, to| DueWindow { day, from, to };
        match fault {
            DueFault::Past { date, today, last } => Self::DayPast(window(date, today, last)),
            DueFault::Beyond { date, today, last } => Self::DayFar(window(date, today, last)),
        }
    }
}

impl From<DueFault> for ToolError {
    fn from(fault: DueFault) -> Self {
        let (DueFault::Past { date, .. } | DueFault::Beyond { date, .. }) = fault;
        let details = Details {
            parameter: Some("due_date".to_owned()),
            value: Some(date.to_string().into()),
            constraint: Some(fault.to_string()),
            ..Details::default()
        };
        Self::new(ErrorType::Validation, fault.to_string())
            .with(details)
            .because([fault.into()])
    }
}

impl DueRule {
    /// `year` or `rolling`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Year => "year",
            Self::Rolling => "rolling",
        }
    }

    /// The last day that may be a due date.
    pub fn last(self, today: NaiveDate) -> NaiveDate {
        let last = match self {
            Self::Year => NaiveDate::from_ymd_opt(today.year(), 12, 31),
            Self::Rolling => today.checked_add_months(Months::new(36)),
        };
        last.unwrap_or(NaiveDate::MAX)
    }

    /// Judges `date`.
    ///
    /// # Errors
    /// [`DueFault`] names the day and the window.
    ///
    /// ```
    /// use candor::temporal::DueRule;
    /// use chrono::NaiveDate;
    /// let day = |y, m, d| NaiveDate::from_ymd_opt(y, m, d).unwrap();
    /// let today = day(2026, 2, 8);
    /// assert!(DueRule::Year.check(day(2026, 2, 8), today).is_ok());
    /// assert!(DueRule::Year.check(day(2025, 12, 31), today).is_err());
    /// assert!(DueRule::Year.check(day(2027, 1, 1), today).is_err());
    /// assert!(DueRule::Rolling.check(day(2027, 1, 1), today).is_ok());
    /// ```
    pub fn check(self, date: NaiveDate, today: NaiveDate) -> Result<(), DueFault> {
        let last = self.last(today);
        if date < today {
            return Err(DueFault::Past { date, today, last });
        }
        if date > last {
            return Err(DueFault::Beyond { date, today, last });
        }
        Ok(())
    }
}
