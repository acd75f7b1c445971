//! Now is an argument. Only a [`Clock`] at the edge reads the machine's time.

use chrono::{DateTime, NaiveDate, SubsecRound, TimeDelta, Utc};
use chrono_tz::Tz;

/// One reading of the clock, handed down through a whole turn.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Moment {
    /// The instant, in whole microseconds: what every store can keep.
    pub instant: DateTime<Utc>,
    /// The day it is for this user: in their zone, or the pinned day.
    pub today: NaiveDate,
    /// The zone `today` was read in.
    pub zone: Tz,
    /// The instant that reminders go by: where a day is pinned, so many days from `instant`.
    pub remind_now: DateTime<Utc>,
}

/// Source of the time: the machine, or a pinned day for tests and demonstrations.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    pinned: Option<NaiveDate>,
    /// Distance of the pinned day from the day on which the program began.
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
        let shift = pinned.map(|day| day - source().date_naive());
        Self {
            pinned,
            shift: shift.unwrap_or_default(),
            source,
        }
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
