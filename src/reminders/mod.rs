//! Delivery of reminders: the scheduler of this server, the event streams that are open here, and
//! the operator's webhook.
//!
//! A reminder is delivered at least once, and never before its time. What is sent is marked as
//! delivered afterwards, in one transaction with its audit event: a server that dies in between
//! leaves it to be sent again, under the same id. Who may mark it is fenced by the store. Holds no
//! time of its own but to wait: what is due goes by the wall clock, in UTC.

mod address;
mod channels;
mod scheduler;
mod teller;
mod webhook;

pub use channels::{OfferedReminder, ReminderChannels, ReminderListener};
#[cfg(feature = "simulator")]
pub use scheduler::PlantedInScheduler;
pub use scheduler::{ReminderScheduler, RunningScheduler, SchedulerServices, describe};
pub use webhook::{Webhook, WebhookError};
