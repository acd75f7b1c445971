//! VTIMEZONE (RFC 5545 §3.6.5): offsets of a zone, for rules that count in its local time.

use std::ops::RangeInclusive;

use chrono::{DateTime, Datelike, NaiveDate, NaiveTime, Offset, TimeDelta, TimeZone, Utc};
use chrono_tz::{OffsetComponents, Tz};

use super::Lines;

/// Days that are looked through for changes of the clocks behind the last due day.
const AHEAD: TimeDelta = TimeDelta::days(10 * 366);
/// Days behind the first due day that are looked through at most.
const MOST: TimeDelta = TimeDelta::days(40 * 366);

/// A change of the clocks.
struct Onset {
    /// The moment, as the clocks showed it before.
    local: String,
    from: i32,
    to: i32,
    daylight: bool,
}

/// Writes the zone with the changes from the first due day to ten years behind the last, or to forty
/// behind the first; what was before counts as the offset of then.
pub(super) fn write(zone: Tz, due: &RangeInclusive<NaiveDate>, out: &mut Lines) {
    let [first, last] = [due.start(), due.end()].map(|day| day.and_time(NaiveTime::MIN).and_utc());
    let mut at = first - TimeDelta::days(1);
    let until = (last + AHEAD).min(first + MOST);
    let offset = seconds(zone, at);
    out.line("BEGIN:VTIMEZONE");
    out.line(&format!("TZID:{zone}"));
    let before = Onset {
        local: at
            .min(DateTime::UNIX_EPOCH)
            .format("%Y%m%dT%H%M%S")
            .to_string(),
        from: offset,
        to: offset,
        daylight: is_daylight(zone, at),
    };
    observance(&before, &[], out);
    let mut onsets = Vec::new();
    while at < until && at.year() <= 9999 {
        let next = at + TimeDelta::days(1);
        if seconds(zone, at) != seconds(zone, next) {
            onsets.push(onset(zone, at, next));
        }
        at = next;
    }
    // Changes of one kind stand together.
    while let Some(first) = onsets.first() {
        let kind = (first.from, first.to, first.daylight);
        let (alike, others): (Vec<_>, Vec<_>) = onsets
            .into_iter()
            .partition(|one| (one.from, one.to, one.daylight) == kind);
        if let [first, more @ ..] = &*alike {
            observance(first, more, out);
        }
        onsets = others;
    }
    out.line("END:VTIMEZONE");
}

fn observance(first: &Onset, more: &[Onset], out: &mut Lines) {
    let name = if first.daylight {
        "DAYLIGHT"
    } else {
        "STANDARD"
    };
    out.line(&format!("BEGIN:{name}"));
    out.line(&format!("DTSTART:{}", first.local));
    if !more.is_empty() {
        let more: Vec<&str> = more.iter().map(|one| one.local.as_str()).collect();
        out.line(&format!("RDATE:{}", more.join(",")));
    }
    out.line(&format!("TZOFFSETFROM:{}", offset(first.from)));
    out.line(&format!("TZOFFSETTO:{}", offset(first.to)));
    out.line(&format!("END:{name}"));
}

/// The change that lies between two instants, to the second.
fn onset(zone: Tz, mut before: DateTime<Utc>, mut after: DateTime<Utc>) -> Onset {
    let (from, to) = (seconds(zone, before), seconds(zone, after));
    while after - before > TimeDelta::seconds(1) {
        let half = before + TimeDelta::seconds((after - before).num_seconds() / 2);
        if seconds(zone, half) == from {
            before = half;
        } else {
            after = half;
        }
    }
    let local = after + TimeDelta::seconds(from.into());
    Onset {
        local: local.format("%Y%m%dT%H%M%S").to_string(),
        from,
        to,
        daylight: is_daylight(zone, after),
    }
}

/// Seconds east of UTC.
fn seconds(zone: Tz, at: DateTime<Utc>) -> i32 {
    let offset = zone.offset_from_utc_datetime(&at.naive_utc());
    offset.fix().local_minus_utc()
}

fn is_daylight(zone: Tz, at: DateTime<Utc>) -> bool {
    let offset = zone.offset_from_utc_datetime(&at.naive_utc());
    !offset.dst_offset().is_zero()
}

/// An offset as `+0100` (§3.3.14).
fn offset(seconds: i32) -> String {
    let sign = if seconds < 0 { '-' } else { '+' };
    let (minutes, rest) = (seconds.abs() / 60, seconds.abs() % 60);
    let text = format!("{sign}{:02}{:02}", minutes / 60, minutes % 60);
    if rest == 0 {
        text
    } else {
        format!("{text}{rest:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_one_kind_stand_together() {
        let mut out = Lines::default();
        let first = NaiveDate::from_ymd_opt(2026, 2, 9).unwrap();
        write(chrono_tz::Europe::Berlin, &(first..=first), &mut out);
        let text = out.0.replace("\r\n ", "");
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines[1], "TZID:Europe/Berlin");
        assert_eq!(text.matches("BEGIN:").count(), 4, "{text}");
        let summer = lines.iter().position(|line| *line == "BEGIN:DAYLIGHT");
        let summer = &lines[summer.unwrap()..];
        assert_eq!(summer[1], "DTSTART:20260329T020000");
        assert!(summer[2].starts_with("RDATE:20270328T020000,20280326T020000,"));
        assert_eq!(
            summer[3..6],
            ["TZOFFSETFROM:+0100", "TZOFFSETTO:+0200", "END:DAYLIGHT"]
        );
        assert!(text.contains("DTSTART:20261025T030000"), "{text}");
    }

    #[test]
    fn a_zone_without_changes_has_one_offset() {
        let mut out = Lines::default();
        let first = NaiveDate::from_ymd_opt(2026, 2, 9).unwrap();
        write(chrono_tz::Asia::Kolkata, &(first..=first), &mut out);
        assert_eq!(out.0.matches("BEGIN:").count(), 2, "{}", out.0);
        assert!(out.0.contains("TZOFFSETTO:+0530"), "{}", out.0);
    }

    #[test]
    fn it_reaches_from_the_first_due_day_to_behind_the_last() {
        let mut out = Lines::default();
        let day = |year| NaiveDate::from_ymd_opt(year, 2, 9).unwrap();
        write(
            chrono_tz::Europe::Berlin,
            &(day(2015)..=day(2030)),
            &mut out,
        );
        let text = out.0.replace("\r\n ", "");
        assert!(text.contains("DTSTART:20150329T020000"), "{text}");
        assert!(text.contains(",20390327T020000"), "{text}");
    }

    #[test]
    fn offsets() {
        assert_eq!(offset(-12_600), "-0330");
        assert_eq!(offset(-17_762), "-045602");
    }
}
