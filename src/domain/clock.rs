//! Now is an argument. Only a [`Clock`] at the edge reads the machine's time.

use chrono::{DateTime, NaiveDate, SubsecRound, TimeDelta, Utc};
use chrono_tz::Tz;

use super::first_shown;

/// One reading of the clock, handed down through a whole turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The instant, in whole microseconds: what every store can keep.
    pub instant: DateTime<Utc>,
    /// The day it is for this user: in their zone, or the pinned day.
    pub today: NaiveDate,
    /// The zone `today` was read in.
    pub zone: Tz,
    /// The instant that reminders go by: where a day is pinned, as far from `instant` as that day.
    pub remind_now: DateTime<Utc>,
}

/// Source of the time: the machine, or a pinned day for tests and demonstrations.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    pinned: Option<NaiveDate>,
    /// Distance from the time at which the program began to that time of the pinned day.
    shift: TimeDelta,
    source: fn() -> DateTime<Utc>,
}

impl Clock {
    /// The machine's clock; `pinned` overrides the day (`CANDOR_TODAY`), not the instant.
    pub fn system(pinned: Option<NaiveDate>) -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "the one place that reads the time"
        )]
        const NOW: fn() -> DateTime<Utc> = Utc::now;
        Self::from_source(pinned, NOW)
    }

    /// A clock that reads `source`, for simulators and tests.
    pub fn from_source(pinned: Option<NaiveDate>, source: fn() -> DateTime<Utc>) -> Self {
        let clock = Self {
            pinned,
            shift: TimeDelta::zero(),
            source,
        };
        clock.in_zone(Tz::UTC)
    }

    /// The same whose pinned day began with midnight in `zone`: by reminders it is then the time of
    /// day that it really is there.
    #[must_use]
    pub fn in_zone(self, zone: Tz) -> Self {
        let now = (self.source)();
        let time = now.with_timezone(&zone).time();
        let there = self
            .pinned
            .and_then(|day| first_shown(day.and_time(time), zone));
        let shift = there.map(|there| there.at - now).unwrap_or_default();
        Self { shift, ..self }
    }

    /// The instant that reminders go by. Unlike the day, it goes on past midnight where a day is
    /// pinned: what was said to come in an hour comes in an hour.
    pub fn remind_now(&self) -> DateTime<Utc> {
        (self.source)() + self.shift
    }

    /// The pinned day, if any.
    pub const fn pinned(&self) -> Option<NaiveDate> {
        self.pinned
    }

    /// The instant and, in `zone`, the day.
    pub fn now(&self, zone: Tz) -> Moment {
        let instant = (self.source)().trunc_subsecs(6);
        let today = self
            .pinned
            .unwrap_or_else(|| instant.with_timezone(&zone).date_naive());
        Moment {
            instant,
            today,
            zone,
            remind_now: instant + self.shift,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: fn() -> DateTime<Utc>, zone: Tz, expect: &str) {
        let clock = Clock::from_source(NaiveDate::from_ymd_opt(2026, 2, 8), source).in_zone(zone);
        let now = clock.remind_now().with_timezone(&zone);
        assert_eq!(now.format("%Y-%m-%dT%H:%M").to_string(), expect, "{zone}");
        assert_eq!(clock.now(zone).remind_now, clock.remind_now());
    }

    #[test]
    fn a_pinned_day_is_that_day_in_the_zone() {
        // The day after in Karachi, and the day before in New York.
        let evening = || DateTime::from_timestamp(1_795_640_400, 0).unwrap_or_default();
        check(evening, Tz::UTC, "2026-02-08T21:00");
        check(evening, Tz::Asia__Karachi, "2026-02-08T02:00");
        // In summer time, where the pinned day has none.
        let summer = || DateTime::from_timestamp(1_782_880_200, 0).unwrap_or_default();
        check(summer, Tz::America__New_York, "2026-02-08T00:30");
    }
}
