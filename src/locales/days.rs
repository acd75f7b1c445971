//! Days as a language writes them.

use chrono::{Datelike, NaiveDate};

use super::localized;
use crate::domain::Lang;

/// Writes a day as a sentence says it: `Mon 2026-02-09`.
///
/// ```
/// use candor::domain::Lang;
/// use candor::locales::day;
/// use chrono::NaiveDate;
///
/// let monday = NaiveDate::from_ymd_opt(2026, 2, 9).unwrap();
/// assert_eq!(day(monday, Lang::En), "Mon 2026-02-09");
/// assert_eq!(day(monday, Lang::De), "Mo, 09.02.2026");
/// ```
pub fn day(date: NaiveDate, lang: Lang) -> String {
    localized!(
        lang,
        "day",
        weekday = date.weekday().number_from_monday(),
        year = date.year().to_string(),
        month = format!("{:02}", date.month()),
        day = format!("{:02}", date.day()),
    )
}

/// Writes a day as a line of a listing does: `2026-02-09`.
pub fn listed_day(date: NaiveDate, lang: Lang) -> String {
    localized!(
        lang,
        "day-listed",
        year = date.year().to_string(),
        month = format!("{:02}", date.month()),
        day = format!("{:02}", date.day()),
    )
}
