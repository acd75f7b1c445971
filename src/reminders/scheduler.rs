//! The scheduler: finds what is due, delivers it, and sleeps until there is more to do.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
#[cfg(feature = "simulator")]
use futures_util::future::join_all;
use parking_lot::Mutex;
use serde_json::{Value, json};
use tokio::sync::{Notify, Semaphore, watch};
use tokio::task::{JoinHandle, JoinSet};
use tokio::time::{Instant, sleep, timeout};

use super::channels::ReminderChannels;
use super::teller::StreamTeller;
use super::webhook::WebhookOutcome;
use crate::domain::{Clock, IdSource, Reminder, ReminderId, Task};
use crate::store::{DueReminder, REMINDER_PAUSE, ReminderEnd, Store, StoreError};
use crate::telemetry::meters;

/// Reminders that are under way at once.
const AT_ONCE: usize = 256;
/// Reminders whose delivery begins together.
const BATCH: usize = 16;
/// Time from one full batch to the next: 320 in a second, so that turns go on meanwhile.
const PACE: Duration = Duration::from_millis(50);
/// Messages to the webhook that wait for its answer at once.
const SENDING: usize = 32;
/// Longest time that a message waits for the others.
const QUEUED: Duration = Duration::from_secs(8);
/// Longest sleep: what another server set, or a clock that was put forward, is seen after that.
const LOOK: Duration = Duration::from_secs(5);
/// Pause after the database could not be asked.
pub(super) const TROUBLE: Duration = Duration::from_secs(1);
/// Time for which somebody is waited for who could be given what is due, here or at another server: long
/// enough for a page to connect again.
const GRACE: TimeDelta = TimeDelta::seconds(15);
/// Interval at which it is looked whether somebody came.
const AGAIN: TimeDelta = TimeDelta::seconds(3);
/// Time for which a webhook that fails is tried.
const TRIED: TimeDelta = TimeDelta::hours(24);
/// Longest first pause before a next try, in milliseconds; the others double.
const FIRST: i64 = 1_500;
/// A clock that goes this far back, against the time that has passed, was turned back.
const BACK: TimeDelta = TimeDelta::seconds(2);
/// Time that what is under way has when the server stops. What is cut off is tried again.
pub(super) const STOPPING: Duration = Duration::from_secs(3);

/// Bugs that a test plants, to see that it would be caught.
#[cfg(feature = "simulator")]
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PlantedInScheduler {
    /// A reminder is marked as delivered before it is sent.
    MarkedFirst,
}

/// Services that the scheduler works with.
#[derive(Debug)]
pub struct SchedulerServices {
    /// The truth.
    pub store: Store,
    /// Ways to deliver.
    pub channels: ReminderChannels,
    /// Shows a task to readers.
    pub show: fn(&Task) -> Value,
    /// The time.
    pub clock: Clock,
    /// New ids, and the chance in pauses.
    pub ids: IdSource,
    /// The bug that it shall have.
    #[cfg(feature = "simulator")]
    pub planted: Option<PlantedInScheduler>,
}

/// Delivers the reminders of all users, as one of any number of servers on a database.
#[derive(Debug)]
pub struct ReminderScheduler {
    services: SchedulerServices,
    sending: Semaphore,
    /// Reminders that an open stream has read, and the webhook has yet to take.
    read: Mutex<HashSet<ReminderId>>,
    /// Something was put off: there may be less to sleep.
    put_off: Notify,
    /// Time at which it began: what was due before is late because nobody was there.
    began: DateTime<Utc>,
}

/// A scheduler that runs.
#[derive(Debug)]
pub struct RunningScheduler {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
    telling: JoinHandle<()>,
}

impl RunningScheduler {
    /// Takes nothing more, lets what is under way end, and stops.
    pub async fn end(self) {
        self.stop.send_replace(true);
        for ended in <[_; 2]>::from(tokio::join!(self.task, self.telling)) {
            if let Err(error) = ended {
                tracing::warn!(%error, "the scheduler of reminders did not end cleanly");
            }
        }
    }
}

/// End of one try.
enum Tried {
    Taken(&'static str),
    /// Nobody was there; the time until which somebody may come.
    Nobody,
    /// The webhook did not take it.
    Failed,
    /// The webhook has so much to take that this one could not be sent.
    Waits,
    /// The webhook wants no more of it.
    Gone,
}

impl ReminderScheduler {
    /// A scheduler that has not begun.
    pub fn new(services: SchedulerServices) -> Self {
        Self {
            began: services.clock.remind_now(),
            services,
            sending: Semaphore::new(SENDING),
            read: Mutex::default(),
            put_off: Notify::new(),
        }
    }

    /// Begins to deliver.
    pub fn start(services: SchedulerServices) -> RunningScheduler {
        let (stop, stopped) = watch::channel(false);
        let teller = StreamTeller {
            store: services.store.clone(),
            channels: services.channels.clone(),
            server: services.ids.next(),
        };
        let telling = tokio::spawn(teller.run(stopped.clone()));
        let task = tokio::spawn(Arc::new(Self::new(services)).run(stopped));
        RunningScheduler {
            stop,
            task,
            telling,
        }
    }

    /// Delivers a batch of what is due, and says how many there were; for worlds with a clock of their own.
    ///
    /// # Errors
    /// [`StoreError`] when the database can't be asked.
    #[cfg(feature = "simulator")]
    pub async fn deliver_due(&self) -> Result<usize, StoreError> {
        let (due, _) = self.take(BATCH, false).await?;
        let count = due.len();
        join_all(due.into_iter().map(|one| self.deliver(one))).await;
        Ok(count)
    }

    async fn run(self: Arc<Self>, mut stopped: watch::Receiver<bool>) {
        let Self { services, .. } = &*self;
        let mut news = services.store.watch_work();
        let mut busy = JoinSet::new();
        let mut sound = true;
        let (mut began, mut clock) = (Instant::now(), self.now());
        let mut turned_back = true;
        while !*stopped.borrow() {
            while busy.try_join_next().is_some() {}
            let room = BATCH.min(AT_ONCE - busy.len());
            let taken = self.take(room, turned_back).await;
            let mut paced = false;
            let pause = match taken {
                Ok((due, pause)) => {
                    sound = true;
                    turned_back = false;
                    paced = due.len() == BATCH;
                    for one in due {
                        let scheduler = Arc::clone(&self);
                        busy.spawn(async move { scheduler.deliver(one).await });
                    }
                    if paced { PACE } else { pause }
                }
                Err(error) => {
                    if sound {
                        tracing::warn!(%error, "can't look for reminders that are due");
                    }
                    sound = false;
                    TROUBLE
                }
            };
            let full = busy.len() >= AT_ONCE;
            tokio::select! {
                () = sleep(pause) => {}
                () = news.changed(), if !paced => {}
                () = services.channels.opened(), if !paced => {}
                () = self.put_off.notified(), if !paced => {}
                _ = busy.join_next(), if full && !paced => {}
                _ = stopped.changed() => {}
            }
            // The wall clock says what is due, and may be set; how long one waits goes by the other.
            let passed = TimeDelta::from_std(began.elapsed()).unwrap_or_default();
            turned_back |= self.now() - clock < passed - BACK;
            (began, clock) = (Instant::now(), self.now());
        }
        let ending = async { while busy.join_next().await.is_some() {} };
        if timeout(STOPPING, ending).await.is_err() {
            busy.shutdown().await;
        }
    }

    /// Takes what is due, as much as there is room for, and says how long to sleep then.
    async fn take(
        &self,
        room: usize,
        turned_back: bool,
    ) -> Result<(Vec<DueReminder>, Duration), StoreError> {
        let SchedulerServices { store, ids, .. } = &self.services;
        let now = self.now();
        if turned_back {
            store.steady_reminders(now).await?;
        }
        if room == 0 {
            return Ok((Vec::new(), LOOK));
        }
        let limit = u32::try_from(room).unwrap_or(u32::MAX);
        let reach = self.services.channels.within(GRACE);
        let found = store.lease_reminders(now, (limit, &reach), ids).await?;
        let off = found.next.map(|next| next - self.now());
        let off = off.map(|off| off.to_std().unwrap_or_default());
        Ok((found.due, off.unwrap_or(LOOK).min(LOOK)))
    }

    /// One try. A fault of the database leaves the reminder to whoever takes it next.
    async fn deliver(&self, due: DueReminder) {
        if let Err(error) = self.attempt(&due).await {
            tracing::warn!(%error, "a reminder could not be dealt with; it is tried again");
        }
    }

    async fn attempt(&self, due: &DueReminder) -> Result<(), StoreError> {
        let SchedulerServices { store, show, .. } = &self.services;
        let task = store.task(&due.user, due.lease.task).await?;
        let found = task.and_then(|task| {
            let reminder = task.reminders.get(due.lease.id).copied();
            Some((reminder.filter(Reminder::is_waiting)?, task))
        });
        // Cancelled since it was taken.
        let Some((reminder, task)) = found else {
            self.read.lock().remove(&due.lease.id);
            return Ok(());
        };
        if task.is_done_since(&reminder) {
            return self.end(due, ReminderEnd::Cancelled).await;
        }
        #[cfg(feature = "simulator")]
        if self.services.planted == Some(PlantedInScheduler::MarkedFirst) {
            self.end(due, ReminderEnd::Delivered("webhook")).await?;
        }
        let late = (self.now() - due.at).max(TimeDelta::zero());
        let data = describe(&task, &show(&task), &reminder, late.num_milliseconds());
        match self.send(due, Arc::new(data)).await {
            Tried::Taken(by) => self.end(due, ReminderEnd::Delivered(by)).await,
            Tried::Gone => self.end(due, ReminderEnd::Missed).await,
            Tried::Nobody => {
                let until = due.at.max(self.began) + GRACE;
                let now = self.now();
                if now >= until {
                    return self.end(due, ReminderEnd::Missed).await;
                }
                self.put_off(due, until.min(now + AGAIN), false).await
            }
            Tried::Waits => self.put_off(due, self.now() + AGAIN, false).await,
            Tried::Failed => {
                let now = self.now();
                if now - due.at.max(self.began) >= TRIED {
                    let end = match self.was_read(due.lease.id) {
                        true => ReminderEnd::Delivered("events"),
                        false => ReminderEnd::Missed,
                    };
                    return self.end(due, end).await;
                }
                let next = now + pause(due.attempts, self.services.ids.next().as_u128());
                self.put_off(due, next, true).await
            }
        }
    }

    async fn put_off(
        &self,
        due: &DueReminder,
        next: DateTime<Utc>,
        failed: bool,
    ) -> Result<(), StoreError> {
        let SchedulerServices { store, .. } = &self.services;
        store.put_off_reminder(due, next, failed).await?;
        self.put_off.notify_one();
        Ok(())
    }

    /// Offers a reminder to the open streams, until one has read it, and to the webhook, at once. Where
    /// there is a webhook, it is tried until that has taken it.
    async fn send(&self, due: &DueReminder, data: Arc<Value>) -> Tried {
        let (channels, id) = (&self.services.channels, due.lease.id);
        let streams = async { self.was_read(id) || channels.offer(&due.user, id, &data).await };
        let (streams, webhook) = tokio::join!(streams, self.post(due, &data));
        if streams && webhook.is_some() {
            self.read.lock().insert(id);
        }
        match webhook {
            Some(WebhookOutcome::Taken) => Tried::Taken("webhook"),
            None | Some(WebhookOutcome::Gone) if streams => Tried::Taken("events"),
            Some(WebhookOutcome::Gone) => {
                tracing::warn!("CANDOR_WEBHOOK_URL answers 410: a reminder is not tried again");
                Tried::Gone
            }
            Some(WebhookOutcome::Failed(why)) => {
                tracing::warn!(why, attempts = due.attempts, "a reminder was not taken");
                if let Some(meters) = meters() {
                    meters.reminder_failed();
                }
                Tried::Failed
            }
            Some(WebhookOutcome::Busy) => Tried::Waits,
            None => Tried::Nobody,
        }
    }

    fn was_read(&self, id: ReminderId) -> bool {
        self.read.lock().contains(&id)
    }

    /// One message to the webhook, where there is one.
    async fn post(&self, due: &DueReminder, data: &Value) -> Option<WebhookOutcome> {
        let webhook = self.services.channels.webhook()?;
        let place = timeout(QUEUED, self.sending.acquire()).await;
        let Ok(Ok(_place)) = place else {
            return Some(WebhookOutcome::Busy);
        };
        let body = json!({ "type": "reminder", "timestamp": due.at, "data": data });
        let now = self.services.clock.now(chrono_tz::UTC).instant;
        Some(webhook.send(due.lease.id, now, &body.to_string()).await)
    }

    async fn end(&self, due: &DueReminder, end: ReminderEnd) -> Result<(), StoreError> {
        let SchedulerServices {
            store, ids, clock, ..
        } = &self.services;
        let now = clock.now(chrono_tz::UTC).instant;
        let late = (self.now() - due.at).max(TimeDelta::zero());
        let ended = store.end_reminder(due, end, (now, late), ids).await?;
        self.read.lock().remove(&due.lease.id);
        if let Some(meters) = meters().filter(|_| ended) {
            let late = late.to_std().unwrap_or_default();
            match end {
                ReminderEnd::Delivered(by) => meters.reminder_delivered(by, late),
                ReminderEnd::Missed => meters.reminder_missed(),
                ReminderEnd::Cancelled => {}
            }
        }
        Ok(())
    }

    fn now(&self) -> DateTime<Utc> {
        self.services.clock.remind_now()
    }
}

/// Describes a reminder to whoever is given it: `task` is the task as it is shown.
pub fn describe(of: &Task, task: &Value, reminder: &Reminder, late_ms: i64) -> Value {
    json!({
        "user_id": of.user_id,
        "task": task,
        "reminder": {
            "id": reminder.id,
            "at": reminder.when.at,
            "state": reminder.state,
            "late_ms": late_ms,
        },
    })
}

/// Pause before the next try, after so many that failed: it doubles from at most one and a half
/// seconds to at most an hour, and a part of it is left to chance.
fn pause(failed: u32, chance: u128) -> TimeDelta {
    let longest = FIRST.saturating_mul(1 << failed.min(20));
    let longest = longest.min(i64::try_from(REMINDER_PAUSE.as_millis()).unwrap_or(i64::MAX));
    let part = i64::try_from(chance % 1_000).unwrap_or_default();
    TimeDelta::milliseconds(longest / 2 + longest / 2 * part / 1_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::{
        RemindAt, ReminderId, ReminderState, Reminders, Status, TaskId, Title, TurnId, UserId,
    };
    use crate::reminders::ReminderListener;
    use crate::store::{CommitRecord, CommitResult, NewTask, Unit};

    /// A store with so many reminders of one user that are due, and what delivers them to a listener.
    async fn due(count: usize) -> (SchedulerServices, ReminderListener) {
        let store = Store::open("sqlite::memory:").await.unwrap();
        store.migrate().await.unwrap();
        let (clock, ids) = (Clock::system(None), IdSource::random());
        let user = UserId::parse("ann").unwrap();
        let now = clock.remind_now();
        let turn = TurnId::new(ids.next());
        let mut unit = Unit::new(
            user.clone(),
            None,
            turn,
            now,
            ids.clone(),
            Vec::new().into(),
        );
        for number in 0..count {
            let remind = RemindAt {
                at: now,
                zone: chrono_tz::UTC,
                today: now.date_naive(),
            };
            unit.add(NewTask {
                remind: Some(remind),
                ..NewTask::titled(Title::parse(&format!("task {number}")).unwrap())
            });
        }
        let written = store.commit(unit, CommitRecord::default()).await;
        assert!(matches!(written, CommitResult::Committed(_)));
        let channels = ReminderChannels::default();
        let listener = channels.listen(&user);
        let services = SchedulerServices {
            store,
            channels,
            show: |_| Value::Null,
            clock,
            ids,
            planted: None,
        };
        (services, listener)
    }

    /// Tells how each reminder of the user stands.
    async fn states(store: &Store) -> Vec<ReminderState> {
        let user = UserId::parse("ann").unwrap();
        let listed = store.reminders(&user, 1_000).await.unwrap();
        listed.iter().map(|one| one.reminder.state).collect()
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn a_thousand_that_are_due_at_once_are_all_delivered_and_leave_room_for_turns() {
        let (services, mut listener) = due(1_000).await;
        let store = services.store.clone();
        let began = Instant::now();
        let running = ReminderScheduler::start(services);
        for _ in 0..1_000 {
            listener.next().await.taken();
        }
        // However fast the machine: a batch comes a pace after the one before it.
        assert!(began.elapsed() >= PACE * (1_000 / 16 - 1));
        running.end().await;
        assert_eq!(states(&store).await, [ReminderState::Delivered; 1_000]);
    }

    #[tokio::test]
    async fn a_batch_holds_sixteen() {
        let (services, mut listener) = due(40).await;
        let store = services.store.clone();
        let scheduler = ReminderScheduler::new(services);
        let taking = async {
            loop {
                listener.next().await.taken();
            }
        };
        let delivering = async {
            let mut counts = Vec::new();
            for _ in 0..4 {
                counts.push(scheduler.deliver_due().await.unwrap());
            }
            counts
        };
        tokio::select! {
            counts = delivering => assert_eq!(counts, [16, 16, 8, 0]),
            () = taking => unreachable!("it takes for ever"),
        }
        assert_eq!(states(&store).await, [ReminderState::Delivered; 40]);
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn what_was_done_meanwhile_is_cancelled_and_told_to_nobody() {
        let store = Store::open("sqlite::memory:").await.unwrap();
        store.migrate().await.unwrap();
        let (clock, ids) = (Clock::system(None), IdSource::random());
        let user = UserId::parse("ann").unwrap();
        let now = clock.remind_now();
        let when = RemindAt {
            at: now,
            zone: chrono_tz::UTC,
            today: now.date_naive(),
        };
        let title = Title::parse("milk").unwrap();
        let mut task = Task::new(TaskId::new(ids.next()), user.clone(), title, now);
        let reminder = Reminder::new(ReminderId::new(ids.next()), when);
        task.reminders = Reminders::of(vec![reminder]);
        let at = now + TimeDelta::minutes(1);
        task.status = Status::Completed { at };
        let (turn, none) = (TurnId::new(ids.next()), Vec::new().into());
        let mut unit = Unit::new(user.clone(), None, turn, now, ids.clone(), none);
        unit.bring(task, None);
        let written = store.commit(unit, CommitRecord::default()).await;
        assert!(matches!(written, CommitResult::Committed(_)));
        let channels = ReminderChannels::default();
        // Whoever listens would be waited for, and takes nothing.
        let _listener = channels.listen(&user);
        let running = ReminderScheduler::start(SchedulerServices {
            store: store.clone(),
            channels,
            show: |_| Value::Null,
            clock,
            ids,
            planted: None,
        });
        let began = Instant::now();
        let ended = loop {
            let ended = store.reminders(&user, 1).await.unwrap()[0].reminder.state;
            if ended != ReminderState::Waiting || began.elapsed() > Duration::from_secs(20) {
                break ended;
            }
            sleep(Duration::from_millis(20)).await;
        };
        running.end().await;
        assert_eq!(ended, ReminderState::Cancelled);
    }

    #[test]
    fn pauses_double_and_have_bounds() {
        let bounds = |failed| [0, 999].map(|chance| pause(failed, chance).num_milliseconds());
        assert_eq!(bounds(0), [750, 1_499]);
        assert_eq!(bounds(1), [1_500, 2_998]);
        let hour = 60 * 60 * 1_000;
        for failed in [12, 40, u32::MAX] {
            let [short, long] = bounds(failed);
            assert!(short == hour / 2 && long < hour, "{short} {long}");
        }
    }
}
