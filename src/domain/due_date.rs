//! A due date as clients write it: a day, or a timestamp of which the day is meant.

use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime};
use chrono_tz::Tz;

/// Timestamps without an offset: they are in the zone of whoever sends them.
const LOCAL: [&str; 4] = [
    "%Y-%m-%dT%H:%M",
    "%Y-%m-%dT%H:%M:%S%.f",
    "%Y-%m-%d %H:%M",
    "%Y-%m-%d %H:%M:%S%.f",
];

/// Reads a day of the years 1 to 9999 from `2026-12-01`, or from a timestamp (RFC 3339) such as
/// `2026-12-01T00:00:00.000Z`, whose day is the one in `zone`. Nothing else is a due date.
///
/// ```
/// use candor::domain::parse_due_date;
/// let karachi = chrono_tz::Asia::Karachi;
/// let day = parse_due_date("2026-11-30T19:00:00.000Z", karachi).unwrap();
/// assert_eq!(day.to_string(), "2026-12-01");
/// ```
pub fn parse_due_date(text: &str, zone: Tz) -> Option<NaiveDate> {
    let (date, time) = text.split_at_checked(10)?;
    let day = NaiveDate::parse_from_str(date, "%Y-%m-%d").ok();
    // chrono also reads 2026-2-8; one way to write a day is enough.
    let day = day.filter(|day| day.to_string() == date)?;
    let day = if time.is_empty() {
        day
    } else if let Ok(instant) = DateTime::parse_from_rfc3339(text) {
        instant.with_timezone(&zone).date_naive()
    } else {
        let local = |format: &&str| NaiveDateTime::parse_from_str(text, format).is_ok();
        LOCAL.iter().any(local).then_some(day)?
    };
    (1..=9999).contains(&day.year()).then_some(day)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_timestamp_is_its_day_in_the_zone() {
        let check = |text: &str, zone: Tz, expect: &str| {
            let read = parse_due_date(text, zone).map(|day| day.to_string());
            assert_eq!(read.unwrap_or_default(), expect, "{text:?} in {zone}");
        };
        let (utc, karachi, new_york) = (Tz::UTC, Tz::Asia__Karachi, Tz::America__New_York);
        check("2026-12-01", new_york, "2026-12-01");
        check("2026-12-01T00:00:00.000Z", utc, "2026-12-01");
        check("2026-12-01T00:00:00.000Z", karachi, "2026-12-01");
        check("2026-12-01T00:00:00.000Z", new_york, "2026-11-30");
        check("2026-11-30T19:00:00Z", karachi, "2026-12-01");
        check("2026-12-01T23:30:00-05:00", utc, "2026-12-02");
        check("2026-12-01t00:00:00z", utc, "2026-12-01");
        // Without an offset the day stands there.
        for local in [
            "2026-12-01T23:59",
            "2026-12-01T23:59:59",
            "2026-12-01 23:59:59.999",
        ] {
            check(local, new_york, "2026-12-01");
        }
        for wrong in [
            "",
            "2026-12-1",
            "2026-02-30",
            "2026-12-01T",
            "2026-12-01Z",
            "2026-12-01T25:00:00Z",
            "2026-02-30T00:00:00Z",
            "2026-12-01T00:00:00Z tomorrow",
            "tomorrow, or else",
            "+2026-12-01",
            "0000-01-01",
            "ümlautümlaut",
        ] {
            check(wrong, utc, "");
        }
        check("9999-12-31T23:59:59Z", karachi, "");
    }
}
