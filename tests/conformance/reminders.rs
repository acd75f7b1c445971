//! Reminders: written with their tasks, taken by one server at a time, ended once.

use candor::audit::EventKind;
use candor::domain::{
    Action, CompletionPolicy, DueTime, Moment, RemindAt, Reminder, ReminderState, Repeat, Review,
    TaskId, UserId,
};
use candor::store::{
    AuditFilter, DelegationTarget, DueReminder, LeasedWrite, NewTask, ReminderEnd, ReminderReach,
    SessionChoice, TaskPatch,
};
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};

use super::delegation::{new_run, report, session};
use super::scene::{Ground, Scene, done, moment, new_task, now, renamed};

const HOUR: TimeDelta = TimeDelta::hours(1);

fn at(off: TimeDelta) -> RemindAt {
    RemindAt {
        at: now() + off,
        zone: "Europe/Berlin".parse().unwrap(),
        today: NaiveDate::from_ymd_opt(2026, 2, 8).unwrap(),
    }
}

fn remind(when: Option<RemindAt>) -> TaskPatch {
    TaskPatch {
        remind: Some(when),
        ..TaskPatch::default()
    }
}

pub async fn add(scene: &Scene, title: &str, off: TimeDelta) -> TaskId {
    let made = scene
        .turn(|unit| {
            unit.add(NewTask {
                remind: Some(at(off)),
                ..new_task(title)
            });
        })
        .await;
    made.receipts()[0].facts().task_id.unwrap()
}

async fn states(scene: &Scene, id: TaskId) -> Vec<ReminderState> {
    let read = scene.store.task(&scene.user, id).await.unwrap().unwrap();
    let loaded = scene.load().await.task(id).cloned().unwrap();
    assert_eq!(read, loaded, "each reading says the same");
    let fresh = candor::store::UserSnapshot {
        ..scene.store.load(&scene.user, None, None).await.unwrap()
    };
    assert_eq!(fresh.task(id), Some(&read));
    read.reminders.iter().map(|one| one.state).collect()
}

pub async fn due(scene: &Scene, off: TimeDelta) -> Vec<DueReminder> {
    let taken =
        scene
            .store
            .lease_reminders(now() + off, (10, &ReminderReach::Everybody), &scene.ids);
    taken.await.unwrap().due
}

async fn told(scene: &Scene) -> Vec<String> {
    let filter = AuditFilter {
        user: Some(scene.user.clone()),
        kind: Some(EventKind::Reminder),
        ..AuditFilter::default()
    };
    let events = scene.store.audit_events(&filter).await.unwrap();
    let outcome = |payload: &str| {
        let payload: serde_json::Value = serde_json::from_str(payload).unwrap();
        payload["outcome"].as_str().unwrap().to_owned()
    };
    events.iter().map(|event| outcome(&event.payload)).collect()
}

pub async fn end(scene: &Scene, due: &DueReminder, end: ReminderEnd, off: TimeDelta) -> bool {
    let moment: (DateTime<Utc>, TimeDelta) = (now() + off, now() + off - due.at);
    let ended = scene.store.end_reminder(due, end, moment, &scene.ids);
    ended.await.unwrap()
}

pub async fn a_reminder_is_set_moved_and_taken_back_with_its_task(ground: &impl Ground) {
    use ReminderState::{Cancelled, Waiting};
    let scene = Scene::new(ground).await;
    let id = add(&scene, "Milk", HOUR).await;
    assert_eq!(states(&scene, id).await, [Waiting]);
    let first: Reminder = *scene
        .load()
        .await
        .task(id)
        .unwrap()
        .reminders
        .waiting()
        .unwrap();
    assert_eq!(
        first.when.at.timestamp_subsec_nanos(),
        0,
        "exact to the second"
    );
    scene
        .turn(|unit| {
            let _ = unit.change(Action::UpdateTask, id, &remind(Some(at(HOUR * 2))));
        })
        .await;
    assert_eq!(states(&scene, id).await, [Cancelled, Waiting]);
    scene.undo().await;
    assert_eq!(states(&scene, id).await, [Waiting, Cancelled]);
    scene
        .turn(|unit| {
            let _ = unit.change(Action::CompleteTask, id, &done());
        })
        .await;
    assert_eq!(states(&scene, id).await, [Cancelled, Cancelled]);
    scene.undo().await;
    scene
        .turn(|unit| {
            let _ = unit.delete(id);
        })
        .await;
    assert!(due(&scene, HOUR * 3).await.is_empty());
    scene.undo().await;
    assert_eq!(states(&scene, id).await, [Waiting, Cancelled]);
    scene
        .turn(|unit| {
            let _ = unit.change(Action::UpdateTask, id, &remind(None));
        })
        .await;
    assert_eq!(states(&scene, id).await, [Cancelled, Cancelled]);
    let listed = scene.store.reminders(&scene.user, 10).await.unwrap();
    let listed: Vec<_> = listed
        .iter()
        .map(|one| (one.title.as_str(), one.task))
        .collect();
    assert_eq!(listed, [("Milk", id), ("Milk", id)]);
    // What repeats moves on when it is done: it is open still, and reminds of the next day nobody.
    let daily = TaskPatch {
        repeat: Some(Some(candor::domain::Repeat::parse("FREQ=DAILY").unwrap())),
        ..remind(Some(at(HOUR * 2)))
    };
    scene
        .turn(|unit| {
            let _ = unit.change(Action::UpdateTask, id, &daily);
        })
        .await;
    assert!(states(&scene, id).await.contains(&Waiting));
    scene
        .turn(|unit| {
            let _ = unit.change(Action::CompleteTask, id, &done());
        })
        .await;
    let task = scene.load().await.task(id).unwrap().clone();
    assert!(!task.status.is_completed() && task.repeat.is_some());
    assert!(!states(&scene, id).await.contains(&Waiting));
    assert_eq!(told(&scene).await, ["cancelled"; 6]);
    scene.verify().await;
}

pub async fn an_undone_addition_reminds_of_nothing(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    add(&scene, "Milk", HOUR).await;
    scene.undo().await;
    assert!(due(&scene, HOUR * 2).await.is_empty());
    assert_eq!(told(&scene).await, ["cancelled"]);
    scene.verify().await;
}

pub async fn a_due_reminder_is_taken_by_one_and_ended_once(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let id = add(&scene, "Milk", HOUR).await;
    let second = TimeDelta::seconds(1);
    // 10:00:00.123 and an hour: the reminder is exact to the second, and not before it.
    let early = scene.store.lease_reminders(
        now() + HOUR - second,
        (10, &ReminderReach::Everybody),
        &scene.ids,
    );
    let early = early.await.unwrap();
    assert!(early.due.is_empty());
    assert_eq!(
        early.next,
        Some(at(HOUR).at - TimeDelta::microseconds(123_456))
    );
    let (first, second) = tokio::join!(due(&scene, HOUR), due(&scene, HOUR));
    let taken = [first, second].concat();
    assert_eq!(taken.len(), 1, "{taken:?}");
    let stale = &taken[0];
    assert!(due(&scene, HOUR + TimeDelta::seconds(24)).await.is_empty());
    // Whoever held it was slow: another takes it, and it writes nothing any more.
    let minutes = HOUR + TimeDelta::minutes(2);
    let taken = due(&scene, minutes).await;
    assert_eq!(taken.len(), 1);
    assert!(!end(&scene, stale, ReminderEnd::Missed, minutes).await);
    let late = now() + minutes + HOUR;
    assert!(
        !scene
            .store
            .put_off_reminder(stale, late, true)
            .await
            .unwrap()
    );
    let soon = now() + minutes;
    assert!(
        scene
            .store
            .put_off_reminder(&taken[0], soon, true)
            .await
            .unwrap()
    );
    let again = due(&scene, minutes).await;
    assert_eq!(again[0].attempts, 1);
    assert!(
        end(
            &scene,
            &again[0],
            ReminderEnd::Delivered("webhook"),
            minutes
        )
        .await
    );
    assert!(!end(&scene, &again[0], ReminderEnd::Missed, minutes).await);
    assert!(due(&scene, HOUR * 3).await.is_empty());
    assert_eq!(states(&scene, id).await, [ReminderState::Delivered]);
    assert_eq!(told(&scene).await, ["delivered"]);
    // Nobody changed the task by it: what was done before is still taken back.
    scene.undo().await;
    scene.verify().await;
}

/// A server that can give a reminder to nobody leaves it to those that can, for a while.
pub async fn a_reminder_is_left_to_the_server_that_can_give_it(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    add(&scene, "Milk", HOUR).await;
    let patience = TimeDelta::seconds(15);
    let lease = async |users: &[&UserId], off: TimeDelta| {
        let users = users.iter().map(|user| (*user).clone()).collect();
        let reach = ReminderReach::Users(users, patience);
        let taken = scene
            .store
            .lease_reminders(now() + off, (10, &reach), &scene.ids);
        taken.await.unwrap()
    };
    let fraction = TimeDelta::microseconds(123_456);
    let early = lease(&[], HOUR - patience).await;
    assert_eq!(
        (early.due.len(), early.next),
        (0, Some(now() + HOUR - fraction))
    );
    let left = lease(&[], HOUR).await;
    let next = Some(now() + HOUR + patience - fraction);
    assert_eq!((left.due.len(), left.next), (0, next));
    let other = UserId::parse("somebody-else").unwrap();
    assert!(lease(&[&other], HOUR).await.due.is_empty());
    assert_eq!(lease(&[&other, &scene.user], HOUR).await.due.len(), 1);
    // Whoever took it is gone, and nobody can be given it anywhere: then it is everybody's.
    let later = HOUR + TimeDelta::seconds(30);
    assert!(lease(&[], later).await.due.is_empty());
    assert_eq!(lease(&[], later + patience).await.due.len(), 1);
}

pub async fn what_was_delivered_meanwhile_does_not_wait_again(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let id = add(&scene, "Milk", TimeDelta::zero()).await;
    scene
        .turn(|unit| {
            let _ = unit.change(Action::UpdateTask, id, &renamed("Oat milk"));
        })
        .await;
    let taken = due(&scene, HOUR).await;
    assert!(end(&scene, &taken[0], ReminderEnd::Missed, HOUR).await);
    assert_eq!(states(&scene, id).await, [ReminderState::Missed]);
    scene.undo().await;
    assert_eq!(states(&scene, id).await, [ReminderState::Missed]);
    let untold = |snapshot| scene.unit(&snapshot).untold_reminders().len();
    assert_eq!(untold(scene.load().await), 1);
    scene
        .turn(|unit| {
            for (task, reminder) in unit.untold_reminders() {
                unit.tell_missed(task.id, reminder.id);
            }
        })
        .await;
    assert_eq!(untold(scene.load().await), 0);
    assert_eq!(untold(scene.elsewhere().load().await), 0);
    scene.verify().await;
}

pub async fn a_clock_that_was_turned_back_holds_nothing_up(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let id = add(&scene, "Milk", HOUR).await;
    let year = TimeDelta::days(365);
    let taken = due(&scene, year).await;
    let next = now() + year + HOUR;
    assert!(
        scene
            .store
            .put_off_reminder(&taken[0], next, true)
            .await
            .unwrap()
    );
    assert!(due(&scene, HOUR * 2).await.is_empty());
    scene.store.steady_reminders(now()).await.unwrap();
    assert!(
        due(&scene, TimeDelta::zero()).await.is_empty(),
        "never before its time"
    );
    let taken = due(&scene, HOUR).await;
    assert!(end(&scene, &taken[0], ReminderEnd::Delivered("events"), HOUR).await);
    assert_eq!(states(&scene, id).await, [ReminderState::Delivered]);
}

/// Due today at this time of UTC, each day where it repeats, with a reminder of that time.
async fn due_at(scene: &Scene, hour: u32, repeats: bool) -> TaskId {
    let new = NewTask {
        due_date: Some(now().date_naive()),
        due_time: Some(time(hour, "UTC")),
        repeat: repeats.then(|| Repeat::parse("FREQ=DAILY").unwrap()),
        remind: Some(at_hour(hour)),
        ..new_task("Milk")
    };
    let made = scene
        .turn(|unit| {
            unit.add(new);
        })
        .await;
    made.receipts()[0].facts().task_id.unwrap()
}

fn time(hour: u32, zone: &str) -> DueTime {
    DueTime::parse(&format!("{hour:02}:00"), zone).unwrap()
}

/// Today at this time of UTC.
fn at_hour(hour: u32) -> RemindAt {
    let then = now().date_naive().and_hms_opt(hour, 0, 0).unwrap();
    RemindAt {
        at: then.and_utc(),
        ..at(TimeDelta::zero())
    }
}

fn moved(hour: u32, zone: &str) -> TaskPatch {
    TaskPatch {
        due_time: Some(Some(time(hour, zone))),
        ..TaskPatch::default()
    }
}

/// Changes a task, and gives the reminder that waits then.
async fn changed(scene: &Scene, id: TaskId, patch: &TaskPatch) -> Option<RemindAt> {
    scene
        .turn(|unit| {
            let _ = unit.change(Action::UpdateTask, id, patch);
        })
        .await;
    waits(scene, id).await
}

async fn waits(scene: &Scene, id: TaskId) -> Option<RemindAt> {
    let task = scene.task(id).await.unwrap();
    task.reminders.waiting().map(|one| one.when)
}

pub async fn one_that_was_taken_back_does_not_come_with_the_next_occurrence(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let id = due_at(&scene, 17, true).await;
    let day = TimeDelta::days(1);
    let next = changed(&scene, id, &done()).await.unwrap();
    assert_eq!(next.at, at_hour(17).at + day);
    assert_eq!(changed(&scene, id, &remind(None)).await, None);
    assert_eq!(changed(&scene, id, &done()).await, None);
    // One that was set again is.
    let again = RemindAt {
        at: at_hour(17).at + day * 2,
        ..next
    };
    changed(&scene, id, &remind(Some(again))).await;
    let next = changed(&scene, id, &done()).await.unwrap();
    assert_eq!(next.at, again.at + day);
    // Also where it has rung: then the next is what is not wanted.
    let taken = due(&scene, day * 9).await;
    assert!(end(&scene, &taken[0], ReminderEnd::Delivered("events"), day * 9).await);
    assert!(!remind(None).is_so(&scene.task(id).await.unwrap()));
    assert_eq!(changed(&scene, id, &remind(None)).await, None);
    assert!(remind(None).is_so(&scene.task(id).await.unwrap()));
    assert_eq!(changed(&scene, id, &done()).await, None);
    scene.undo().await;
    scene.undo().await;
    assert!(changed(&scene, id, &done()).await.is_some());
    scene.verify().await;
}

pub async fn a_reminder_that_is_asked_for_is_kept_where_the_task_moves(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let id = due_at(&scene, 17, false).await;
    let patch = TaskPatch {
        remind: Some(Some(at_hour(17))),
        ..moved(18, "UTC")
    };
    let kept = changed(&scene, id, &patch).await;
    assert_eq!(kept.map(|when| when.at), Some(at_hour(17).at));
    assert_eq!(states(&scene, id).await, [ReminderState::Waiting]);
    // None is asked for where one has rung that would go along.
    let id = due_at(&scene, 11, true).await;
    let taken = due(&scene, HOUR * 2).await;
    assert!(end(&scene, &taken[0], ReminderEnd::Delivered("events"), HOUR).await);
    let patch = TaskPatch {
        remind: Some(None),
        ..moved(18, "UTC")
    };
    assert_eq!(changed(&scene, id, &patch).await, None);
    scene.verify().await;
}

pub async fn one_that_goes_along_is_told_in_the_zone_of_the_new_time(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let id = due_at(&scene, 17, false).await;
    let along = changed(&scene, id, &moved(21, "Asia/Karachi")).await;
    let along = along.unwrap();
    assert_eq!(
        (along.zone.name(), along.at),
        ("Asia/Karachi", at_hour(16).at)
    );
}

pub async fn a_done_task_keeps_what_is_set_on_it(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let id = add(&scene, "Milk", HOUR).await;
    assert_eq!(changed(&scene, id, &done()).await, None);
    let set = changed(&scene, id, &remind(Some(at(HOUR)))).await;
    assert!(set.is_some());
    assert_eq!(changed(&scene, id, &renamed("Oat milk")).await, set);
    assert_eq!(changed(&scene, id, &done()).await, set);
    scene.verify().await;
}

pub async fn what_an_agent_has_done_reminds_of_nothing(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let delegate = async |id: TaskId, key: &str| {
        let target = DelegationTarget::Existing(id);
        let (new, session) = (new_run(key), session());
        scene
            .with_runs(|unit| {
                let begun = unit.delegate(target, SessionChoice::New(&session), new);
                begun.unwrap();
            })
            .await;
        scene.lease().await
    };
    // By its report, and by the user's word on it.
    let once = due_at(&scene, 17, false).await;
    let lease = delegate(once, "one").await;
    let reported = scene.report(&lease, &report("Done")).await;
    assert!(matches!(reported, LeasedWrite::Yes(done) if done.task_completed));
    assert_eq!(states(&scene, once).await, [ReminderState::Cancelled]);
    let judged = due_at(&scene, 17, false).await;
    let lease = delegate(judged, "two").await;
    let (policy, said) = (CompletionPolicy::Accepted, report("Done"));
    let reported = scene
        .store
        .report(&lease, &said, policy, moment(), &scene.ids);
    let LeasedWrite::Yes(done) = reported.await.unwrap() else {
        panic!("the lease was lost");
    };
    let review = |unit: &mut candor::store::Unit| unit.review_run(done.run.id, Review::Accepted);
    assert!(scene.with_runs(review).await.1);
    assert_eq!(states(&scene, judged).await, [ReminderState::Cancelled]);
    // What repeats goes on from the user's day, and its reminder goes along.
    let daily = due_at(&scene, 17, true).await;
    let untimed = TaskPatch {
        due_time: Some(None),
        ..TaskPatch::default()
    };
    let tomorrow = Moment {
        today: now().date_naive().succ_opt().unwrap(),
        ..moment()
    };
    let policy = CompletionPolicy::Reported;
    let lease = delegate(daily, "three").await;
    let reported = scene.report(&lease, &said).await;
    assert!(matches!(reported, LeasedWrite::Yes(_)));
    let along = waits(&scene, daily).await.unwrap();
    assert_eq!(along.at, at_hour(17).at + TimeDelta::days(1));
    let id = due_at(&scene, 17, true).await;
    changed(&scene, id, &untimed).await;
    let lease = delegate(id, "four").await;
    let reported = scene
        .store
        .report(&lease, &said, policy, tomorrow, &scene.ids);
    assert!(matches!(reported.await, Ok(LeasedWrite::Yes(_))));
    let due = scene.task(id).await.unwrap().due_date;
    assert_eq!(due, tomorrow.today.succ_opt());
    scene.verify().await;
}
