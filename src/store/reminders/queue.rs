//! The queue of reminders that are due, and what whoever delivers one may write.
//!
//! A server takes those that are due for a while and counts each one's fence up. To end one, or to
//! put off its next try, it names that fence, and writes nothing if somebody else took the reminder
//! since. Nothing is lost with a server: what it had taken is due again when its time has run out.
//! So a reminder may be delivered twice, under one id, and never not at all.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};

use super::unit::ending;
use crate::domain::{IdSource, ReminderId, ReminderState, TaskId, TurnId, UserId};
use crate::resolver::TaskList;
use crate::store::backend::{Store, StoreError};
use crate::store::query::StoreQuery;
use crate::store::record::{CommitRecord, RollbackCause};
use crate::store::rows::whole;
use crate::store::sql::reminders;
use crate::store::transact::TransactError;
use crate::store::unit::Unit;

/// Time for which a server has a reminder to itself.
pub(in crate::store) const HELD: Duration = Duration::from_secs(25);

/// The longest time that a next try is put off.
pub const REMINDER_PAUSE: Duration = Duration::from_secs(60 * 60);

/// The right to deliver a reminder; worth nothing once somebody else took it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReminderLease {
    /// The task.
    pub task: TaskId,
    /// The reminder.
    pub id: ReminderId,
    pub(in crate::store) fence: i64,
}

/// A reminder that is due, and the right to deliver it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DueReminder {
    /// User of the task.
    pub user: UserId,
    /// The right to deliver it.
    pub lease: ReminderLease,
    /// Its time.
    pub at: DateTime<Utc>,
    /// Tries that failed.
    pub attempts: u32,
}

/// Reminders that were taken, and when there is more to do.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DueReminders {
    /// Reminders to deliver now.
    pub due: Vec<DueReminder>,
    /// Time at which the next of the others is to be looked at.
    pub next: Option<DateTime<Utc>>,
}

/// End of the delivery of a reminder.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReminderEnd {
    /// Somebody took it, by this way.
    Delivered(&'static str),
    /// Nobody could be given it.
    Missed,
    /// Its task was done before anybody was told.
    Cancelled,
}

/// Users who can be given a reminder at a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ReminderReach {
    /// Every user.
    Everybody,
    /// Users who can be given one now. Reminders of others are left to the servers that can give them,
    /// and taken here only where nobody did for so long.
    Users(Vec<UserId>, TimeDelta),
}

impl Store {
    /// Takes reminders that are due, the longest due first, at most `limit`, of those in reach.
    pub async fn lease_reminders(
        &self,
        now: DateTime<Utc>,
        (limit, reach): (u32, &ReminderReach),
        ids: &IdSource,
    ) -> Result<DueReminders, StoreError> {
        let (users, others) = match reach {
            ReminderReach::Everybody => (None, now),
            ReminderReach::Users(users, patience) => {
                let users = users.iter().map(UserId::as_str).collect::<Vec<_>>();
                (Some(serde_json::json!(users).to_string()), now - *patience)
            }
        };
        let ask = StoreQuery::new(reminders::LEASE)
            // Of this taking alone, so that what it took is found again.
            .text(ids.next().to_string())
            .number(now.timestamp_millis())
            .number((now + HELD).timestamp_millis())
            .number(i64::from(limit))
            .optional(users)
            .number(others.timestamp_millis());
        let text = self.change(&ask).await?;
        let text = text.unwrap_or_else(|| "[[], null]".to_owned());
        type Due = (UserId, TaskId, ReminderId, DateTime<Utc>, u32, i64);
        let (due, next): (Vec<Due>, Option<i64>) = whole("reminders", &text)?;
        let due = due
            .into_iter()
            .map(|(user, task, id, at, attempts, fence)| DueReminder {
                user,
                lease: ReminderLease { task, id, fence },
                at,
                attempts,
            });
        Ok(DueReminders {
            due: due.collect(),
            next: next.and_then(DateTime::from_timestamp_millis),
        })
    }

    /// Gives a reminder back until `next`; `failed` counts a try that failed. False when somebody
    /// else has it, or it has ended.
    pub async fn put_off_reminder(
        &self,
        due: &DueReminder,
        next: DateTime<Utc>,
        failed: bool,
    ) -> Result<bool, StoreError> {
        let ask = StoreQuery::of(reminders::PUT_OFF, &due.user)
            .text(due.lease.task.to_string())
            .text(due.lease.id.to_string())
            .number(due.lease.fence)
            .number(next.max(due.at).timestamp_millis())
            .number(i64::from(failed));
        Ok(self.change(&ask).await?.is_some())
    }

    /// Ends a reminder, with the event that says so. False when it waits no more, or somebody else
    /// has it.
    pub async fn end_reminder(
        &self,
        due: &DueReminder,
        end: ReminderEnd,
        (now, late): (DateTime<Utc>, TimeDelta),
        ids: &IdSource,
    ) -> Result<bool, StoreError> {
        let retried = |cause: &RollbackCause| matches!(cause, RollbackCause::TaskMoved(_));
        let mut transaction = self.transact_while("the user's data kept changing", retried);
        loop {
            let Some(task) = self.task(&due.user, due.lease.task).await? else {
                return Ok(false);
            };
            let Some(reminder) = task.reminders.get(due.lease.id).copied() else {
                return Ok(false);
            };
            let (outcome, by) = match end {
                ReminderEnd::Delivered(by) => (ReminderState::Delivered, Some(by)),
                ReminderEnd::Missed => (ReminderState::Missed, None),
                ReminderEnd::Cancelled => (ReminderState::Cancelled, None),
            };
            let attempts = (due.attempts > 0).then_some(due.attempts);
            let more = [
                ("attempts", attempts.into()),
                ("by", by.into()),
                ("late_ms", late.num_milliseconds().into()),
            ];
            let told = ending(task.id, &reminder, outcome, more);
            let (turn, tasks) = (TurnId::new(ids.next()), TaskList::from(vec![task.clone()]));
            let mut unit = Unit::new(due.user.clone(), None, turn, now, ids.clone(), tasks);
            if !unit.end_reminder(task, due.lease.id, outcome, &told) {
                return Ok(false);
            }
            unit.reminder_lease = Some(due.lease);
            match transaction.commit(unit, CommitRecord::default()).await {
                Ok(Some(_)) => return Ok(true),
                Ok(None) => {}
                Err(TransactError::RolledBack(RollbackCause::ReminderMoved)) => return Ok(false),
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Makes what was put off under a clock that has been turned back since due again.
    pub async fn steady_reminders(&self, now: DateTime<Utc>) -> Result<(), StoreError> {
        let ask = StoreQuery::new(reminders::STEADY)
            .number(now.timestamp_millis())
            .number((now + REMINDER_PAUSE + HELD).timestamp_millis());
        self.change(&ask).await.map(|_| ())
    }
}
