//! A time of day on which a task is due, with the zone that it is meant in.

use std::fmt;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, TimeDelta, TimeZone, Timelike, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

/// An hour and a minute in a zone; the day is the task's due date.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(into = "Written", try_from = "Written")]
pub struct DueTime {
    time: NaiveTime,
    zone: Tz,
}

/// The instant at which something is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DueInstant {
    /// The instant.
    pub at: DateTime<Utc>,
    /// Set where the clocks skip the time that was asked for, and the next that exists is meant.
    pub moved: bool,
}

impl DueTime {
    /// A time of day in `zone`, to the minute.
    pub fn new(time: NaiveTime, zone: Tz) -> Self {
        let whole = time.with_second(0).and_then(|time| time.with_nanosecond(0));
        Self {
            time: whole.unwrap_or(time),
            zone,
        }
    }

    /// Reads `17:00` and the name of a zone.
    ///
    /// # Errors
    /// Says which of them can't be read.
    pub fn parse(time: &str, zone: &str) -> Result<Self, String> {
        let parsed = parse_time_of_day(time).ok_or_else(|| format!("{time:?} is not HH:MM"))?;
        let zone = zone
            .parse()
            .map_err(|_| format!("{zone:?} is not a time zone"))?;
        Ok(Self::new(parsed, zone))
    }

    /// The hour and the minute.
    pub const fn time(self) -> NaiveTime {
        self.time
    }

    /// The zone.
    pub const fn zone(self) -> Tz {
        self.zone
    }

    /// The same, or where the clocks skip it on `day` the first time that they show instead.
    #[must_use]
    pub fn shown_on(self, day: NaiveDate) -> Self {
        match self.on(day) {
            Some(DueInstant { at, moved: true }) => {
                Self::new(at.with_timezone(&self.zone).time(), self.zone)
            }
            _ => self,
        }
    }

    /// The instant of this time on `day`. Of a time that the clocks show twice the first is meant;
    /// one that they skip moves forward to the first that they show.
    ///
    /// ```
    /// use candor::domain::{DueTime, parse_time_of_day};
    /// let time = DueTime::new(parse_time_of_day("02:30").unwrap(), chrono_tz::Europe::Berlin);
    /// let due = time.on("2026-03-29".parse().unwrap()).unwrap();
    /// assert_eq!((due.at.to_string().as_str(), due.moved), ("2026-03-29 01:00:00 UTC", true));
    /// ```
    ///
    /// `None` only at the end of the calendar.
    pub fn on(self, day: NaiveDate) -> Option<DueInstant> {
        first_shown(day.and_time(self.time), self.zone)
    }

    /// The last day on which this time has passed at `now`.
    pub fn last_day(self, now: DateTime<Utc>) -> NaiveDate {
        let today = now.with_timezone(&self.zone).date_naive();
        let passed = self.on(today).is_none_or(|due| due.at <= now);
        let yesterday = today.pred_opt().filter(|_| !passed);
        yesterday.unwrap_or(today)
    }
}

/// The instant at which the clocks of a zone show a time, for the first time where they do twice; of
/// one that they skip, the first minute that they show after it.
pub fn first_shown(local: NaiveDateTime, zone: Tz) -> Option<DueInstant> {
    let shown = |local: &NaiveDateTime| zone.from_local_datetime(local).earliest();
    if let Some(at) = shown(&local) {
        let at = at.to_utc();
        return Some(DueInstant { at, moved: false });
    }
    let minute = local.with_second(0)?.with_nanosecond(0)?;
    // No zone has ever skipped more than a day.
    (1..=24 * 60).find_map(|minutes| {
        let later = minute.checked_add_signed(TimeDelta::minutes(minutes))?;
        let at = shown(&later)?.to_utc();
        Some(DueInstant { at, moved: true })
    })
}

/// Writes `17:00`: the zone is said where there is a place for it.
impl fmt::Display for DueTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.time.format("%H:%M"))
    }
}

/// Reads `HH:MM` of 24 hours, two digits each. Nothing else is a time of day.
///
/// ```
/// use candor::domain::parse_time_of_day;
/// assert!(parse_time_of_day("17:00").is_some());
/// assert!(parse_time_of_day("5pm").is_none());
/// ```
pub fn parse_time_of_day(text: &str) -> Option<NaiveTime> {
    let time = NaiveTime::parse_from_str(text, "%H:%M").ok()?;
    // chrono also reads 7:5; one way to write a time is enough.
    (time.format("%H:%M").to_string() == text).then_some(time)
}

/// Writes a day and, where there is one, the time behind it: `2026-02-13 17:00`.
pub fn day_and_time(day: impl fmt::Display, time: Option<DueTime>) -> String {
    match time {
        Some(time) => format!("{day} {time}"),
        None => day.to_string(),
    }
}

/// [`DueTime`] as it is kept.
#[derive(Serialize, Deserialize)]
struct Written {
    time: String,
    zone: String,
}

impl From<DueTime> for Written {
    fn from(due: DueTime) -> Self {
        Self {
            time: due.to_string(),
            zone: due.zone.name().to_owned(),
        }
    }
}

impl TryFrom<Written> for DueTime {
    type Error = String;

    fn try_from(written: Written) -> Result<Self, String> {
        Self::parse(&written.time, &written.zone)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_instant_where_the_clocks_are_set() {
        let check = |zone: Tz, day: &str, time: &str, expect: &str, moved: bool| {
            let due = DueTime::new(parse_time_of_day(time).unwrap(), zone);
            let found = due.on(day.parse().unwrap()).unwrap();
            let at = found.at.format("%Y-%m-%dT%H:%M").to_string();
            assert_eq!((&*at, found.moved), (expect, moved), "{day} {time} {zone}");
        };
        let (berlin, new_york) = (Tz::Europe__Berlin, Tz::America__New_York);
        check(berlin, "2026-02-13", "17:00", "2026-02-13T16:00", false);
        check(new_york, "2026-02-13", "17:00", "2026-02-13T22:00", false);
        // Skipped: the first time after the gap.
        check(berlin, "2026-03-29", "01:59", "2026-03-29T00:59", false);
        check(berlin, "2026-03-29", "02:00", "2026-03-29T01:00", true);
        check(berlin, "2026-03-29", "02:59", "2026-03-29T01:00", true);
        check(berlin, "2026-03-29", "03:00", "2026-03-29T01:00", false);
        check(new_york, "2026-03-08", "02:30", "2026-03-08T07:00", true);
        // Twice: the first.
        check(berlin, "2026-10-25", "02:30", "2026-10-25T00:30", false);
        check(berlin, "2026-10-25", "03:00", "2026-10-25T02:00", false);
        check(new_york, "2026-11-01", "01:30", "2026-11-01T05:30", false);
        // A whole day that there was not.
        let apia = Tz::Pacific__Apia;
        check(apia, "2011-12-30", "17:00", "2011-12-30T10:00", true);
        let night = DueTime::new(parse_time_of_day("02:30").unwrap(), berlin);
        assert_eq!(
            night.shown_on("2026-03-29".parse().unwrap()).to_string(),
            "03:00"
        );
        assert_eq!(
            night.shown_on("2026-03-30".parse().unwrap()).to_string(),
            "02:30"
        );
    }

    #[test]
    fn a_day_is_over_once_its_time_has_passed() {
        let due = DueTime::new(parse_time_of_day("21:00").unwrap(), Tz::Europe__Berlin);
        for (now, over) in [
            ("2026-02-08T19:59:59Z", "2026-02-07"),
            ("2026-02-08T20:00:00Z", "2026-02-08"),
            // Past midnight in the zone, and not in UTC.
            ("2026-02-08T23:30:00Z", "2026-02-08"),
        ] {
            let found = due.last_day(now.parse().unwrap());
            assert_eq!(found.to_string(), over, "{now}");
        }
        // Skipped: it has passed with the minute that is meant instead.
        let night = DueTime::new(parse_time_of_day("02:30").unwrap(), Tz::Europe__Berlin);
        for (now, over) in [
            ("2026-03-29T00:59:59Z", "2026-03-28"),
            ("2026-03-29T01:00:00Z", "2026-03-29"),
        ] {
            let found = night.last_day(now.parse().unwrap());
            assert_eq!(found.to_string(), over, "{now}");
        }
    }

    #[test]
    fn one_way_to_write_a_time() {
        let read = |text: &str| parse_time_of_day(text).map(|time| time.to_string());
        assert_eq!(read("00:00").as_deref(), Some("00:00:00"));
        assert_eq!(read("23:59").as_deref(), Some("23:59:00"));
        for wrong in [
            "", "5pm", "7:05", "07:5", "24:00", "12:60", " 12:00", "12:00:00", "+1:00",
        ] {
            assert_eq!(read(wrong), None, "{wrong:?}");
        }
    }

    #[test]
    fn what_is_kept_is_read_again_and_nothing_else() {
        let due = DueTime::new(NaiveTime::from_hms_opt(17, 5, 30).unwrap(), Tz::Asia__Tokyo);
        let kept = serde_json::to_string(&due).unwrap();
        assert_eq!(kept, r#"{"time":"17:05","zone":"Asia/Tokyo"}"#);
        assert_eq!(serde_json::from_str::<DueTime>(&kept).unwrap(), due);
        for wrong in [
            r#"{"time":"25:00","zone":"UTC"}"#,
            r#"{"time":"17:00","zone":"Mars/Base"}"#,
        ] {
            assert!(serde_json::from_str::<DueTime>(wrong).is_err(), "{wrong}");
        }
    }
}
