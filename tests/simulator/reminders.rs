//! Reminders of a world: its scheduler, who listens, and what must hold of every delivery.

#![cfg(test)]

use std::collections::{HashMap, HashSet};

use candor::audit::EventKind;
use candor::domain::{Clock, IdSource, Reminder, ReminderId, ReminderState, Task, UserId, shown};
use candor::reminders::{
    PlantedInScheduler, ReminderChannels, ReminderListener, ReminderScheduler, SchedulerServices,
};
use candor::store::{AuditFilter, Store};
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;

use super::dice::Dice;
use super::forms::quotable;

/// Batches of one pass at most: each takes some, and a fault of the store may ask for the same again.
const BATCHES: usize = 40;

/// Scheduler of a world, and what its user was given.
pub struct ReminderWatch {
    user: UserId,
    clock: Clock,
    channels: ReminderChannels,
    scheduler: ReminderScheduler,
    listener: Option<ReminderListener>,
    heard: HashMap<ReminderId, usize>,
    /// Reminders that were missed, and of which no reply has told.
    untold: Vec<(ReminderId, String)>,
    seen_missed: HashSet<ReminderId>,
    /// The store failed in some pass: what was sent may come again.
    shaken: bool,
}

impl ReminderWatch {
    pub fn new(
        user: &UserId,
        store: Store,
        (clock, ids): (Clock, IdSource),
        planted: Option<PlantedInScheduler>,
    ) -> Self {
        let channels = ReminderChannels::default();
        let scheduler = ReminderScheduler::new(SchedulerServices {
            store,
            channels: channels.clone(),
            show: |_| Value::Null,
            clock,
            ids,
            planted,
        });
        Self {
            user: user.clone(),
            clock,
            channels,
            scheduler,
            listener: None,
            heard: HashMap::new(),
            untold: Vec::new(),
            seen_missed: HashSet::new(),
            shaken: false,
        }
    }

    pub fn channels(&self) -> ReminderChannels {
        self.channels.clone()
    }

    /// A page is opened, or closed, or stays as it was.
    pub fn open_or_close(&mut self, dice: &mut Dice) {
        match dice.below(6) {
            0..3 => self.listen(),
            3 => self.listener = None,
            _ => {}
        }
    }

    pub fn listen(&mut self) {
        if self.listener.is_none() {
            self.listener = Some(self.channels.listen(&self.user));
        }
    }

    /// Delivers what is due now, and says what is wrong with it. `rows` are the tasks before it.
    pub async fn deliver(&mut self, rows: &[Task]) -> Option<String> {
        let waiting: HashMap<ReminderId, DateTime<Utc>> = reminders(rows)
            .filter(|(one, _)| one.is_waiting())
            .map(|(one, _)| (one.id, one.when.at))
            .collect();
        for _ in 0..BATCHES {
            let pass = self.scheduler.deliver_due();
            let mut pass = std::pin::pin!(pass);
            let taken = loop {
                let offer = async {
                    match &mut self.listener {
                        Some(listener) => listener.next().await,
                        None => std::future::pending().await,
                    }
                };
                tokio::select! {
                    biased;
                    taken = &mut pass => break taken,
                    offer = offer => {
                        *self.heard.entry(offer.id).or_default() += 1;
                        let early = waiting.get(&offer.id).is_none_or(|at| *at > self.clock.remind_now());
                        if early {
                            return Some(format!("{:?} was told before its time, or not set", offer.data));
                        }
                        offer.taken();
                    }
                }
            };
            match taken {
                Ok(0) => break,
                Ok(_) => {}
                Err(_) => self.shaken = true,
            }
        }
        None
    }

    /// The store failed while something was delivered.
    pub fn shake(&mut self) {
        self.shaken = true;
    }

    /// Notes which reminders were missed by now.
    pub fn note_missed(&mut self, rows: &[Task]) {
        for (one, title) in reminders(rows) {
            if one.state == ReminderState::Missed && self.seen_missed.insert(one.id) {
                self.untold.push((one.id, shown(title)));
            }
        }
    }

    /// Checks that a reply tells of every reminder that was missed, of tasks that are still there. One that
    /// a fault of the store kept from it is left to the next.
    pub fn told(&mut self, reply: &str, rows: &[Task], calm: bool) -> Option<String> {
        let there = |id: &ReminderId| rows.iter().any(|task| task.reminders.get(*id).is_some());
        self.untold.retain(|(id, title)| {
            let line = format!("Missed: reminder for \"{}\" (", quotable(title));
            there(id) && !reply.contains(&line)
        });
        let silent = self.untold.first().filter(|_| calm)?;
        Some(format!(
            "the missed reminder for {:?} was not told",
            silent.1
        ))
    }

    /// Checks at the end that none is lost whose time has come.
    pub async fn judge(&self, store: &Store, rows: &[Task]) -> Option<String> {
        let delivered = delivered(store, &self.user).await;
        for (one, title) in reminders(rows) {
            let heard = self.heard.get(&one.id).copied().unwrap_or_default();
            let events = delivered.get(&one.id).copied().unwrap_or_default();
            let fault = match one.state {
                ReminderState::Waiting if one.when.at <= self.clock.remind_now() => {
                    Some("still waits")
                }
                ReminderState::Delivered if heard == 0 => Some("was told to nobody"),
                ReminderState::Delivered if events != 1 => {
                    Some("has not one event of its delivery")
                }
                ReminderState::Missed if heard > 0 && !self.shaken => Some("was told"),
                _ if heard > 1 && !self.shaken => Some("was told twice"),
                _ => None,
            };
            if let Some(fault) = fault {
                return Some(format!(
                    "the reminder for {title:?} ({:?}) {fault}",
                    one.state
                ));
            }
        }
        None
    }
}

/// Counts the deliveries of each reminder that the log tells of.
async fn delivered(store: &Store, user: &UserId) -> HashMap<ReminderId, usize> {
    let filter = AuditFilter {
        user: Some(user.clone()),
        kind: Some(EventKind::Reminder),
        ..AuditFilter::default()
    };
    let mut told = HashMap::new();
    for row in store.audit_events(&filter).await.unwrap() {
        let payload: Value = serde_json::from_str(&row.payload).unwrap();
        if payload["outcome"] == "delivered" {
            let id = serde_json::from_value(payload["reminder_id"].clone()).unwrap();
            *told.entry(id).or_default() += 1;
        }
    }
    told
}

fn reminders(rows: &[Task]) -> impl Iterator<Item = (&Reminder, &str)> {
    rows.iter().flat_map(|task| {
        let title = task.title.as_str();
        task.reminders.iter().map(move |one| (one, title))
    })
}

/// Tells whether the reminder that waits is one of so long after `now`, or none does.
pub fn fits(task: &Task, asked: Option<TimeDelta>, now: DateTime<Utc>) -> bool {
    task.reminders.waiting().is_none_or(|one| {
        let off = one.when.at - now;
        asked.is_some_and(|asked| (off - asked).abs() <= TimeDelta::seconds(2))
    })
}
