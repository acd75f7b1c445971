//! Reminders of a task: when each is due, and what became of it.

use chrono::{DateTime, NaiveDate, Utc};
use chrono_tz::Tz;
use serde::{Deserialize, Serialize};

use super::ReminderId;

/// So many reminders of a task are kept: the one that waits, and the latest of the others.
const KEPT: usize = 4;

words! {
    /// Course of a reminder: it waits, and then it ends in one of three ways.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum ReminderState {
        /// Not taken by anybody yet, before its time or after it.
        Waiting = "waiting",
        /// Somebody took it.
        Delivered = "delivered",
        /// Its time passed and nobody could be given it.
        Missed = "missed",
        /// Taken back, or its task was done or deleted first.
        Cancelled = "cancelled",
    }
}

/// Time to be reminded at, as the user gave it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RemindAt {
    /// The instant, exact to the second.
    pub at: DateTime<Utc>,
    /// The zone of the request, in which replies say it.
    pub zone: Tz,
    /// The day it was for the user: how far off the reminder is told from there.
    pub today: NaiveDate,
}

/// One reminder of a task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reminder {
    /// Also the id under which a webhook is told, over all tries.
    pub id: ReminderId,
    /// Its time.
    #[serde(flatten)]
    pub when: RemindAt,
    /// Its course.
    pub state: ReminderState,
    /// True once a reply told that it was missed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub told: bool,
}

impl Reminder {
    /// A reminder that waits.
    pub const fn new(id: ReminderId, when: RemindAt) -> Self {
        Self {
            id,
            when,
            state: ReminderState::Waiting,
            told: false,
        }
    }

    /// Time at which it was set, where its id tells that.
    pub fn set_at(&self) -> Option<DateTime<Utc>> {
        let (seconds, nanos) = self.id.uuid().get_timestamp()?.to_unix();
        DateTime::from_timestamp(i64::try_from(seconds).ok()?, nanos)
    }

    /// Tells whether its time is still to come, or nobody took it yet.
    pub fn is_waiting(&self) -> bool {
        self.state == ReminderState::Waiting
    }

    /// Tells whether it was missed and no reply said so.
    pub fn is_untold(&self) -> bool {
        self.state == ReminderState::Missed && !self.told
    }
}

/// The reminders of a task: of those that wait there is one at most. In the order of their times,
/// so that rows and memory agree.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Reminders(Vec<Reminder>);

impl Reminders {
    /// Puts reminders in order; of those that have ended the latest are kept.
    pub fn of(mut all: Vec<Reminder>) -> Self {
        all.sort_by_key(|one| (one.is_waiting(), one.when.at, one.id));
        let old = all.len().saturating_sub(KEPT);
        all.drain(..old);
        all.sort_by_key(|one| (one.when.at, one.id));
        Self(all)
    }

    /// Tells whether there never was one.
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// All of them, in the order of their times.
    pub fn iter(&self) -> std::slice::Iter<'_, Reminder> {
        self.0.iter()
    }

    /// The one of that id.
    pub fn get(&self, id: ReminderId) -> Option<&Reminder> {
        self.iter().find(|one| one.id == id)
    }

    /// The one that waits.
    pub fn waiting(&self) -> Option<&Reminder> {
        self.iter().find(|one| one.is_waiting())
    }

    /// Time of the one that waits.
    pub fn next(&self) -> Option<DateTime<Utc>> {
        self.waiting().map(|one| one.when.at)
    }

    /// The same with `new` in place of the one that waits.
    #[must_use]
    pub fn replaced(&self, new: Option<Reminder>) -> Self {
        let kept = self.iter().map(|one| match one.state {
            ReminderState::Waiting => Reminder {
                state: ReminderState::Cancelled,
                ..*one
            },
            _ => *one,
        });
        Self::of(kept.chain(new).collect())
    }

    /// The same without one of them.
    #[must_use]
    pub fn without(&self, id: ReminderId) -> Self {
        Self(self.iter().filter(|one| one.id != id).copied().collect())
    }

    /// The same with one of them in another state.
    #[must_use]
    pub fn with(&self, id: ReminderId, state: ReminderState, told: bool) -> Self {
        let changed = self.iter().map(|one| match one.id == id {
            true => Reminder {
                state,
                told,
                ..*one
            },
            false => *one,
        });
        Self(changed.collect())
    }

    /// Puts these reminders back in place of those that stand now. What was delivered or missed
    /// meanwhile stays so, and one whose time has passed does not wait again.
    #[must_use]
    pub fn restored(&self, standing: &Self, now: DateTime<Utc>) -> Self {
        let ended = standing.replaced(None);
        let back = self.iter().map(|old| match ended.get(old.id) {
            Some(one) if one.state != ReminderState::Cancelled => *one,
            _ if old.is_waiting() && old.when.at <= now => Reminder {
                state: ReminderState::Cancelled,
                ..*old
            },
            _ => *old,
        });
        let since = ended.iter().filter(|one| self.get(one.id).is_none());
        Self::of(back.chain(since.copied()).collect())
    }

    /// Tells whether nobody changed since what `other` says: that it was delivered meanwhile, or
    /// missed, is nobody's doing.
    pub fn say_as(&self, other: &Self) -> bool {
        let meant = |all: &Self| {
            let kept = |one: &&Reminder| one.state != ReminderState::Cancelled;
            all.iter()
                .filter(kept)
                .map(|one| one.id)
                .collect::<Vec<_>>()
        };
        meant(self) == meant(other)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn second(at: i64) -> DateTime<Utc> {
        DateTime::from_timestamp(1_770_544_800 + at, 0).unwrap()
    }

    fn reminder(id: u128, at: i64) -> Reminder {
        let when = RemindAt {
            at: second(at),
            zone: Tz::Europe__Berlin,
            today: NaiveDate::from_ymd_opt(2026, 2, 8).unwrap(),
        };
        Reminder::new(ReminderId::new(Uuid::from_u128(id)), when)
    }

    fn states(all: &Reminders) -> Vec<(u128, ReminderState)> {
        let pair = |one: &Reminder| (one.id.uuid().as_u128(), one.state);
        all.iter().map(pair).collect()
    }

    use ReminderState::{Cancelled, Delivered, Missed, Waiting};

    #[test]
    fn one_waits_at_most_and_it_is_never_dropped() {
        let mut all = Reminders::default();
        for (id, at) in [(1, 500), (2, 400), (3, 300), (4, 200), (5, 100)] {
            all = all.replaced(Some(reminder(id, at)));
        }
        let expect = [(5, Waiting), (3, Cancelled), (2, Cancelled), (1, Cancelled)];
        assert_eq!(states(&all), expect);
        assert_eq!(all.next(), Some(second(100)));
        assert_eq!(all.replaced(None).waiting(), None);
    }

    #[test]
    fn what_was_undone_waits_again_only_before_its_time() {
        let before = Reminders::default().replaced(Some(reminder(1, 100)));
        let done = before.replaced(None);
        assert_eq!(states(&before.restored(&done, second(99))), [(1, Waiting)]);
        assert_eq!(
            states(&before.restored(&done, second(100))),
            [(1, Cancelled)]
        );
        for ended in [Delivered, Missed] {
            let id = ReminderId::new(Uuid::from_u128(1));
            let standing = before.with(id, ended, false);
            let back = before.restored(&standing, second(0));
            assert_eq!(states(&back), [(1, ended)]);
            assert!(standing.say_as(&before));
        }
        assert!(!done.say_as(&before));
    }

    #[test]
    fn what_was_set_by_what_is_undone_is_cancelled() {
        let none = Reminders::default();
        let set = none.replaced(Some(reminder(1, 100)));
        assert_eq!(states(&none.restored(&set, second(0))), [(1, Cancelled)]);
        let other = set.replaced(Some(reminder(2, 50)));
        let back = set.restored(&other, second(0));
        assert_eq!(states(&back), [(2, Cancelled), (1, Waiting)]);
    }

    #[test]
    fn it_is_written_flat_and_read_back() {
        let one = reminder(1, 0);
        let written = serde_json::to_value(one).unwrap();
        let expect = serde_json::json!({
            "id": "00000000-0000-0000-0000-000000000001",
            "at": "2026-02-08T10:00:00Z",
            "zone": "Europe/Berlin",
            "today": "2026-02-08",
            "state": "waiting",
        });
        assert_eq!(written, expect);
        assert_eq!(serde_json::from_value::<Reminder>(written).unwrap(), one);
    }
}
