//! Now is an argument. Only a [`Clock`] at the edge reads the machine's time.

use chrono::{DateTime, NaiveDate, NaiveTime, SubsecRound, Utc};
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
}

impl Moment {
    /// The time of day it is in the zone.
    pub fn time(&self) -> NaiveTime {
        self.instant.with_timezone(&self.zone).time()
    }
}

/// Source of the time: the machine, or a pinned day for tests and demonstrations.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    pinned: Option<NaiveDate>,
    source: fn() -> DateTime<Utc>,
}

impl Clock {
    /// The machine's clock; `pinned` overrides the day (`CANDOR_TODAY`), not the instant.
    pub const fn system(pinned: Option<NaiveDate>) -> Self {
        #[expect(
            clippy::disallowed_methods,
            reason = "the one place that reads the time"
        )]
        const NOW: fn() -> DateTime<Utc> = Utc::now;
        Self {
            pinned,
            source: NOW,
        }
    }

    /// A clock that reads `source`, for simulators and tests.
    pub const fn from_source(pinned: Option<NaiveDate>, source: fn() -> DateTime<Utc>) -> Self {
        Self { pinned, source }
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
        }
    }
}
