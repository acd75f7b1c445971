//! Reminders as the store keeps them: what a unit makes of them, and the queue of those that are due.
//!
//! A reminder is written with its task, under the task's version: whoever ends one has seen the task
//! as it stands. What is done to deliver it meanwhile goes by a lease, which is no change of the
//! task.

mod queue;
mod rows;
mod unit;

pub use queue::{
    DueReminder, DueReminders, REMINDER_PAUSE, ReminderEnd, ReminderLease, ReminderReach,
};
pub use rows::ListedReminder;

pub(in crate::store) use rows::{ReminderRow, remind};
