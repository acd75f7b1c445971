//! A task as it stands in the store.

use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::{
    DueTime, Priority, RemindAt, Reminder, ReminderState, Reminders, Repeat, TaskId, Title, UserId,
    first_shown,
};

/// Open or done; what is done says when.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", tag = "status")]
pub enum Status {
    /// Still to do.
    Pending,
    /// Done.
    Completed {
        /// Time at which it was marked as done.
        at: DateTime<Utc>,
    },
}

impl Status {
    /// Tells whether the task is done.
    pub const fn is_completed(self) -> bool {
        matches!(self, Self::Completed { .. })
    }

    /// The word on the wire, in prompts and in replies.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Completed { .. } => "completed",
        }
    }
}

/// A task of one user. Deleted tasks are not `Task`s: every reading behaves as if they were gone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Task {
    /// Never shown in a reply, a prompt or a log line at info.
    pub id: TaskId,
    /// The owner.
    pub user_id: UserId,
    /// One line, 1..255 characters.
    pub title: Title,
    /// Free text, at most 10 000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Open or done.
    #[serde(flatten)]
    pub status: Status,
    /// Medium unless somebody said otherwise.
    pub priority: Priority,
    /// Day on which it is due.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_date: Option<NaiveDate>,
    /// Time of that day; none without a day: see [`Task::set_due`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub due_time: Option<DueTime>,
    /// Rule by which it moves to its next due date when it is done; none without a date.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeat: Option<Repeat>,
    /// Agent that works on it, when it was delegated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub assignee: Option<String>,
    /// Reminders of it, those that have ended among them.
    #[serde(default, skip_serializing_if = "Reminders::is_empty")]
    pub reminders: Reminders,
    /// Time of its addition.
    pub created_at: DateTime<Utc>,
    /// Time of its last change.
    pub updated_at: DateTime<Utc>,
    /// Counts changes from 1; a write names the version it was decided on.
    pub version: i64,
}

impl Task {
    /// A task as it is added: pending, of medium priority, of no day.
    pub fn new(id: TaskId, user_id: UserId, title: Title, at: DateTime<Utc>) -> Self {
        Self {
            id,
            user_id,
            title,
            description: None,
            status: Status::Pending,
            priority: Priority::Medium,
            due_date: None,
            due_time: None,
            repeat: None,
            assignee: None,
            reminders: Reminders::default(),
            created_at: at,
            updated_at: at,
            version: 1,
        }
    }

    /// Sets the day and the time of day on which it is due, and the rule by which it repeats: without
    /// a day there is neither. A time that the clocks skip that day stays as it was asked for, since
    /// another day may have it: see [`Task::shown_time`].
    pub fn set_due(
        &mut self,
        date: Option<NaiveDate>,
        time: Option<DueTime>,
        repeat: Option<Repeat>,
    ) {
        self.due_date = date;
        self.due_time = time.filter(|_| date.is_some());
        self.repeat = repeat.filter(|_| date.is_some());
    }

    /// The time of the due day as it is shown: one that the clocks skip that day moves forward.
    pub fn shown_time(&self) -> Option<DueTime> {
        let (time, day) = self.due_time.zip(self.due_date)?;
        Some(time.shown_on(day))
    }

    /// The instant at which it is due, where it is at a time of day.
    pub fn due_instant(&self) -> Option<DateTime<Utc>> {
        Some(self.due_time?.on(self.due_date?)?.at)
    }

    /// The reminder of the very time at which it is due, which goes with it to another: one that
    /// waits or, where the task repeats, one that has rung.
    pub fn due_reminder(&self) -> Option<&Reminder> {
        let due = self.due_instant()?;
        let kept = |one: &&Reminder| match one.state {
            ReminderState::Waiting => true,
            ReminderState::Delivered | ReminderState::Missed => self.repeat.is_some(),
            ReminderState::Cancelled => false,
        };
        let mut reminders = self.reminders.iter();
        reminders.rfind(|one| one.when.at == due && kept(one))
    }

    /// The reminder that waits from a week before the due day on, until it is due: it was set for that
    /// day, and moves as it does.
    pub fn leading_reminder(&self) -> Option<&Reminder> {
        const LONGEST: i64 = 7;
        let (one, day) = self.reminders.waiting().zip(self.due_date)?;
        let local = one.when.at.with_timezone(&one.when.zone).date_naive();
        let early = (day - local).num_days();
        let over = self.due_instant().is_some_and(|due| one.when.at > due);
        ((0..=LONGEST).contains(&early) && !over).then_some(one)
    }

    /// The time at which [`Self::leading_reminder`] comes once this task is due as `after` is: moved by as
    /// much, by the clock it shows; between two zones by the time that lies between.
    pub fn reminder_along(&self, after: &Self) -> Option<DateTime<Utc>> {
        let one = self.leading_reminder()?.when;
        let (was, is) = (self.due_date?, after.due_date?);
        let by_clock = |moved: TimeDelta| {
            let local = one.at.with_timezone(&one.zone).naive_local();
            Some(first_shown(local + moved, one.zone)?.at)
        };
        match self.due_time.zip(after.due_time) {
            Some((old, new)) if old.zone() != new.zone() => {
                Some(one.at + (after.due_instant()? - self.due_instant()?))
            }
            Some((old, new)) => by_clock(is.and_time(new.time()) - was.and_time(old.time())),
            None => by_clock(is - was),
        }
    }

    /// Tells whether it was done after a reminder of it was set: one of what was done before is meant.
    pub fn is_done_since(&self, reminder: &Reminder) -> bool {
        let Status::Completed { at } = self.status else {
            return false;
        };
        reminder.set_at().is_none_or(|set| set < at)
    }

    /// Tells whether it reminds at that very time, or of nothing any more.
    pub fn reminds_at(&self, when: Option<RemindAt>) -> bool {
        let waiting = self.reminders.next();
        match when {
            Some(when) => waiting == Some(when.at),
            None => waiting.is_none() && self.due_reminder().is_none(),
        }
    }

    /// Marks it as done. A task that repeats moves to its next occurrence instead and stays open,
    /// until its rule ends. An occurrence is over with its day, and one of a time of day once that
    /// has passed at `now`, by the clock that reminders go by.
    pub fn complete(&mut self, at: DateTime<Utc>, today: NaiveDate, now: DateTime<Utc>) {
        let over = self.due_time.map_or(today, |time| time.last_day(now));
        let next = self.repeat.as_ref().zip(self.due_date);
        match next.and_then(|(rule, due)| rule.next(due, over)) {
            Some((day, left)) => self.set_due(Some(day), self.due_time, Some(left)),
            None => self.status = Status::Completed { at },
        }
    }

    /// Tells whether it says what `other` says, however often it was changed and changed back: what
    /// an undo must find untouched.
    pub fn says_as(&self, other: &Self) -> bool {
        self.id == other.id
            && self.title == other.title
            && self.description == other.description
            && self.status == other.status
            && self.priority == other.priority
            && self.due_date == other.due_date
            && self.due_time == other.due_time
            && self.repeat == other.repeat
            && self.assignee == other.assignee
            && self.reminders.say_as(&other.reminders)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use uuid::Uuid;

    fn daily(due: &str, time: &str) -> Task {
        let (user, title) = (UserId::parse("ann"), Title::parse("Water the plants"));
        let added = instant("2026-01-01T00:00:00Z");
        let id = TaskId::new(Uuid::nil());
        let mut task = Task::new(id, user.unwrap(), title.unwrap(), added);
        task.set_due(
            due.parse().ok(),
            DueTime::parse(time, "Europe/Berlin").ok(),
            Repeat::parse("FREQ=DAILY").ok(),
        );
        task
    }

    fn instant(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    #[test]
    fn a_done_task_means_the_reminders_that_were_set_on_it_since() {
        let made = "2026-02-08T10:00:00Z";
        let seconds = u64::try_from(instant(made).timestamp()).unwrap();
        let stamp = uuid::Timestamp::from_unix(uuid::NoContext, seconds, 0);
        let when = crate::domain::RemindAt {
            at: instant("2026-02-08T17:00:00Z"),
            zone: chrono_tz::UTC,
            today: instant(made).date_naive(),
        };
        let of = |id| Reminder::new(crate::domain::ReminderId::new(id), when);
        let (set, unknown) = (of(Uuid::new_v7(stamp)), of(Uuid::nil()));
        let mut task = daily("2026-02-08", "17:00");
        assert!(!task.is_done_since(&set));
        for (done, since) in [("2026-02-08T10:00:01Z", true), (made, false)] {
            task.status = Status::Completed { at: instant(done) };
            assert_eq!(task.is_done_since(&set), since, "{done}");
            assert!(task.is_done_since(&unknown), "{done}");
        }
    }

    #[test]
    fn an_occurrence_is_over_once_its_time_has_passed() {
        for (done, next) in [
            // Half past midnight: this evening's is still to come.
            ("2026-02-08T23:30:00Z", "2026-02-09"),
            ("2026-02-09T19:59:00Z", "2026-02-09"),
            ("2026-02-09T20:00:00Z", "2026-02-10"),
            // Before its time: the next after it.
            ("2026-02-08T10:00:00Z", "2026-02-09"),
        ] {
            let mut task = daily("2026-02-08", "21:00");
            let today = instant(done).date_naive();
            task.complete(instant(done), today, instant(done));
            assert_eq!(task.due_date.unwrap().to_string(), next, "{done}");
        }
    }

    #[test]
    fn a_time_that_the_clocks_skip_once_comes_back_the_day_after() {
        let mut task = daily("2026-03-28", "02:30");
        let mut told = Vec::new();
        for done in ["2026-03-28T12:00:00Z", "2026-03-29T12:00:00Z"] {
            task.complete(instant(done), instant(done).date_naive(), instant(done));
            told.push(format!(
                "{} {} {}",
                task.due_date.unwrap(),
                task.shown_time().unwrap(),
                task.due_instant().unwrap().format("%H:%M")
            ));
        }
        assert_eq!(told, ["2026-03-29 03:00 01:00", "2026-03-30 02:30 00:30"]);
    }
}
