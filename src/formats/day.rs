//! Days and instants as files write them: ISO 8601, RFC 3339, and the numbers of a spreadsheet.
//!
//! `10/02/2026` is two days. A file tells which by its other dates, or whoever sends it says so;
//! otherwise it is refused, with both named.

use std::borrow::Cow;

use chrono::{DateTime, Month, NaiveDate, NaiveDateTime, NaiveTime};
use chrono_tz::Tz;

use super::entry::{When, cut};
use crate::domain::{parse_due_date, words};

words! {
    /// Order of the two numbers before a year, by its word on the command line and in queries.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum DayOrder {
        /// 10/02/2026 is the tenth of February.
        DayFirst = "day-first",
        /// 10/02/2026 is the second of October.
        MonthFirst = "month-first",
    }
}

impl DayOrder {
    /// The order that dates of one file show, and a date that shows it; none when they show
    /// nothing, or contradict each other.
    pub(super) fn shown_by<'a>(dates: impl Iterator<Item = &'a str>) -> Option<(Self, &'a str)> {
        let mut found: Option<(Self, &str)> = None;
        for text in dates {
            let Some(date) = Numbers::read(text) else {
                continue;
            };
            let order = match date {
                // Dots show nothing of dates that have none.
                Numbers { dotted: true, .. } => continue,
                Numbers { first: 13.., .. } => Self::DayFirst,
                Numbers { second: 13.., .. } => Self::MonthFirst,
                Numbers { .. } => continue,
            };
            if found.is_some_and(|(other, _)| other != order) {
                return None;
            }
            found = found.or(Some((order, text.trim())));
        }
        found
    }
}

/// Two numbers, a year, and what follows: `10/02/2026 14:30`.
#[derive(Debug, Clone, Copy)]
struct Numbers<'a> {
    first: u32,
    second: u32,
    year: &'a str,
    rest: &'a str,
    /// `10.02.2026`: with dots the day comes first everywhere.
    dotted: bool,
}

impl<'a> Numbers<'a> {
    fn read(text: &'a str) -> Option<Self> {
        let text = text.trim();
        let (date, rest) = text.split_once(' ').unwrap_or((text, ""));
        let sign = date.chars().find(|c| !c.is_ascii_digit())?;
        let mut parts = date.split(sign);
        let (first, second, year) = (parts.next()?, parts.next()?, parts.next()?);
        let digits = |text: &str, most: usize| {
            (1..=most).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit())
        };
        let fits = "/-.".contains(sign)
            && digits(first, 2)
            && digits(second, 2)
            && year.len() == 4
            && digits(year, 4)
            && parts.next().is_none();
        fits.then_some(Self {
            first: first.parse().ok()?,
            second: second.parse().ok()?,
            year,
            rest,
            dotted: sign == '.',
        })
    }

    /// The same with the year first, if the order is plain.
    fn year_first(self, order: Option<DayOrder>) -> Option<String> {
        let (month, day) = match order {
            _ if self.dotted || self.first == self.second => (self.second, self.first),
            _ if self.first > 12 => (self.second, self.first),
            _ if self.second > 12 => (self.first, self.second),
            Some(DayOrder::DayFirst) => (self.second, self.first),
            Some(DayOrder::MonthFirst) => (self.first, self.second),
            None => return None,
        };
        let (year, time) = (self.year, time(self.rest));
        let gap = if time.is_empty() { "" } else { " " };
        Some(format!("{year}-{month:02}-{day:02}{gap}{time}"))
    }

    /// Tells whether nothing but a given order tells the day.
    fn is_ambiguous(self) -> bool {
        self.year_first(None).is_none()
    }
}

/// A time of day with 24 hours; another one stays as it is.
fn time(text: &str) -> Cow<'_, str> {
    let twelve = |format| NaiveTime::parse_from_str(text, format).ok();
    let read = twelve("%I:%M:%S %p").or_else(|| twelve("%I:%M %p"));
    read.map_or(Cow::Borrowed(text), |time| {
        time.format("%H:%M:%S").to_string().into()
    })
}

/// The text with the year first, and with a colon in its offset.
fn iso(field: &str, text: &str, order: Option<DayOrder>) -> Result<String, String> {
    let text = text.trim();
    if let Some(date) = Numbers::read(text) {
        return date.year_first(order).ok_or_else(|| {
            let (one, two) = (date.first, date.second);
            let [month, other] = [two, one].map(month_name);
            format!(
                "{field} {} may be {one} {month} or {two} {other}: write the year first, or say \
                 whether dates are day-first or month-first",
                cut(text)
            )
        });
    }
    let (date, rest) = text.split_at_checked(10).unwrap_or((text, ""));
    let slashes = date.bytes().filter(|byte| *byte == b'/').count() == 2;
    let date = if slashes {
        date.replace('/', "-")
    } else {
        date.to_owned()
    };
    // An offset such as +0200.
    let offset = rest
        .len()
        .checked_sub(5)
        .and_then(|at| rest.split_at_checked(at));
    Ok(match offset {
        Some((time, offset)) if offset.starts_with(['+', '-']) && !offset.contains(':') => {
            let (hours, minutes) = offset.split_at(3);
            format!("{date}{time}{hours}:{minutes}")
        }
        _ => date + rest,
    })
}

fn month_name(number: u32) -> &'static str {
    let month = u8::try_from(number)
        .ok()
        .and_then(|number| Month::try_from(number).ok());
    month.map_or("?", |month| month.name())
}

/// Tells whether only a given order tells the day of this date.
pub(super) fn is_ambiguous(text: &str) -> bool {
    Numbers::read(text).is_some_and(Numbers::is_ambiguous)
}

/// A due date as a file tells it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct ToldDue {
    /// The day in the zone.
    pub day: NaiveDate,
    /// The time there, where one is told; midnight, in the zone or in UTC, is how programs write a
    /// day.
    pub time: Option<NaiveTime>,
    /// Set where the time is of no zone that the text tells.
    pub floating: bool,
}

/// Reads a due date, and the time of day that the text also tells.
pub(super) fn due(
    field: &str,
    text: &str,
    (zone, order): (Tz, Option<DayOrder>),
) -> Result<ToldDue, String> {
    let plain = iso(field, text, order)?;
    let shown = cut(text);
    let fault = || format!("{field} must be a day such as 2026-02-08, not \"{shown}\"");
    let day = parse_due_date(&plain, zone).ok_or_else(fault)?;
    let instant = DateTime::parse_from_rfc3339(&plain).ok();
    let time = match instant {
        Some(instant) if instant.to_utc().time() == NaiveTime::MIN => None,
        Some(instant) => Some(instant.with_timezone(&zone).time()),
        None => naive(&plain).map(|at| at.time()),
    };
    Ok(ToldDue {
        day,
        time: time.filter(|time| *time != NaiveTime::MIN),
        floating: instant.is_none(),
    })
}

/// Reads a time of day that stands alone: `17:00`, `17:00:00`, `5:00 PM`.
pub(super) fn time_of_day(field: &str, text: &str) -> Result<NaiveTime, String> {
    let plain = time(text.trim());
    let read = |format| NaiveTime::parse_from_str(&plain, format).ok();
    let shown = cut(text);
    read("%H:%M")
        .or_else(|| read("%H:%M:%S"))
        .ok_or_else(|| format!("{field} must be a time of day such as 17:00, not \"{shown}\""))
}

/// An instant, or a day. One without an offset is read as UTC.
pub(super) fn instant(field: &str, text: &str, order: Option<DayOrder>) -> Result<When, String> {
    let plain = iso(field, text, order)?;
    let shown = cut(text);
    let fault = || {
        format!(
            "{field} must be an instant such as 2026-02-08T09:30:00Z, or a day, not \"{shown}\""
        )
    };
    if plain.len() == 10 {
        return parse_due_date(&plain, Tz::UTC)
            .map(When::day)
            .ok_or_else(fault);
    }
    let zoned = DateTime::parse_from_rfc3339(&plain).map(|at| at.to_utc());
    let at = zoned
        .ok()
        .or_else(|| naive(&plain).map(|at| at.and_utc()))
        .ok_or_else(fault)?;
    When::exact(at).ok_or_else(fault)
}

fn naive(text: &str) -> Option<NaiveDateTime> {
    const FORMATS: [&str; 4] = [
        "%Y-%m-%dT%H:%M:%S%.f",
        "%Y-%m-%d %H:%M:%S%.f",
        "%Y-%m-%dT%H:%M",
        "%Y-%m-%d %H:%M",
    ];
    let read = |format: &str| NaiveDateTime::parse_from_str(text, format).ok();
    FORMATS.iter().find_map(|format| read(format))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_of_numbers_is_read_where_its_order_is_plain() {
        let check = |text: &str, order, expect: &str| {
            let read = due("due_date", text, (Tz::Europe__Berlin, order));
            let read = read.map_or_else(
                |fault| fault,
                |due| format!("{} {:?} {}", due.day, due.time, due.floating),
            );
            assert!(read.contains(expect), "{text}: {read}");
        };
        let (days, months) = (Some(DayOrder::DayFirst), Some(DayOrder::MonthFirst));
        check("10/02/2026", days, "2026-02-10 None");
        check("10/02/2026", months, "2026-10-02 None");
        check("10/02/2026", None, "10 February or 2 October");
        check("10-2-2026", None, "10 February or 2 October");
        check("10.02.2026", months, "2026-02-10 None");
        check("3/3/2026", None, "2026-03-03 None");
        check("25/12/2026 14:30", None, "2026-12-25 Some(14:30:00) true");
        check("12/25/2026 12:00:00 AM", None, "2026-12-25 None");
        check("12/25/2026 2:30 PM", None, "2026-12-25 Some(14:30:00) true");
        check("2026/02/10", None, "2026-02-10 None");
        check("2026-02-09T23:00:00+0000", None, "2026-02-10 None");
        check(
            "2026-02-09T23:30:00.000Z",
            None,
            "2026-02-10 Some(00:30:00) false",
        );
        check("2026-02-10T00:00:00.000Z", None, "2026-02-10 None");
        check("13/13/2026", None, "must be a day");
        check("10/02/26", days, "must be a day");
        check("tomorrow", None, "must be a day");
    }

    #[test]
    fn one_plain_date_tells_the_order_of_all_and_two_may_contradict() {
        let check = |dates: &[&str], expect| {
            let shown = DayOrder::shown_by(dates.iter().copied());
            assert_eq!(shown.map(|(order, _)| order), expect, "{dates:?}");
        };
        check(&["10/02/2026", "25/12/2026"], Some(DayOrder::DayFirst));
        check(&["10/02/2026", "12/25/2026"], Some(DayOrder::MonthFirst));
        check(&["25/12/2026", "12/25/2026"], None);
        check(&["10/02/2026", "2026-12-25", "25.12.2026"], None);
    }

    #[test]
    fn instants_of_other_programs() {
        let check = |text: &str, expect: &str| {
            let read = instant("created_at", text, None);
            let read = read.map_or_else(|fault| fault, |when| when.at.to_rfc3339());
            assert!(read.contains(expect), "{text}: {read}");
        };
        check("2026-02-08T10:00:00.5", "2026-02-08T10:00:00.500+00:00");
        check("2026-02-08 10:00:00", "2026-02-08T10:00:00+00:00");
        check("2026-02-08T10:00:00+0100", "2026-02-08T09:00:00+00:00");
        check("2026-02-08", "2026-02-08T00:00:00+00:00");
        check("now", "must be an instant");
    }
}
