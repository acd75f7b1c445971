//! A task as it stands in the store.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};

use super::{DueTime, Priority, Reminders, Repeat, TaskId, Title, UserId};

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
    /// a day there is neither. A time that the clocks skip that day is the next that they show.
    pub fn set_due(
        &mut self,
        date: Option<NaiveDate>,
        time: Option<DueTime>,
        repeat: Option<Repeat>,
    ) {
        self.due_date = date;
        self.due_time = time.zip(date).map(|(time, day)| time.shown_on(day));
        self.repeat = repeat.filter(|_| date.is_some());
    }

    /// Marks it as done. A task that repeats moves to its next occurrence instead and stays open,
    /// until its rule ends.
    pub fn complete(&mut self, at: DateTime<Utc>, today: NaiveDate) {
        let next = self.repeat.as_ref().zip(self.due_date);
        match next.and_then(|(rule, due)| rule.next(due, today)) {
            Some((day, left)) => self.set_due(Some(day), self.due_time, Some(left)),
            None => self.status = Status::Completed { at },
        }
    }

    /// Returns day and time to sort by: what is due at no time of a day comes last on it, and what is
    /// due on no day after all.
    pub fn due_order(&self) -> impl Ord + use<> {
        let time = self.due_time.map(DueTime::time);
        (self.due_date.is_none(), self.due_date, time.is_none(), time)
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
