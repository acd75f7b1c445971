//! Adding, changing, completing and deleting, and the receipts of each.

use candor::domain::{Action, DueTime, Priority, Repeat, Status};
use candor::store::{AppliedChange, NewTask, ReadResult, TaskPatch, TaskQuery};
use chrono::NaiveDate;
use serde_json::json;

use super::scene::{Ground, Scene, committed, done, new_task, now, renamed, title};

pub async fn a_task_is_added_changed_completed_and_deleted(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let whole = NewTask {
        title: title("Buy milk"),
        description: Some("two litres".to_owned()),
        priority: Priority::High,
        due_date: NaiveDate::from_ymd_opt(2026, 2, 9),
        due_time: DueTime::parse("17:00", "Europe/Berlin").ok(),
        repeat: Repeat::parse("FREQ=MONTHLY").ok(),
        remind: None,
    };
    let added = scene
        .turn(|unit| {
            unit.add(whole.clone());
        })
        .await;
    let facts = added.receipts()[0].facts();
    assert_eq!(facts.action, Action::AddTask);
    assert_eq!(facts.at, now());
    let task = facts.after.clone().unwrap();
    assert_eq!(scene.task(task.id).await, Some(task.clone()));
    assert_eq!(
        scene.load().await.tasks.to_vec(),
        std::slice::from_ref(&task)
    );
    assert_eq!(
        (task.title, task.description),
        (whole.title, whole.description)
    );
    assert_eq!(
        (task.priority, task.due_date, task.due_time, task.repeat),
        (whole.priority, whole.due_date, whole.due_time, whole.repeat)
    );

    let patch = TaskPatch {
        title: Some(title("Buy oat milk")),
        description: Some(None),
        priority: Some(Priority::Low),
        due_date: Some(None),
        due_time: None,
        repeat: None,
        completed: None,
        assignee: Some(Some("bob".to_owned())),
        remind: None,
    };
    let changed = scene
        .turn(|unit| {
            let applied = unit.change(Action::UpdateTask, task.id, &patch);
            assert!(matches!(applied, AppliedChange::Changed(_)));
        })
        .await;
    let facts = changed.receipts()[0].facts();
    assert_eq!(facts.before.as_ref().map(|row| row.version), Some(1));
    assert_eq!(scene.task(task.id).await, facts.after);

    scene
        .turn(|unit| {
            let _ = unit.change(Action::CompleteTask, task.id, &done());
        })
        .await;
    let row = scene.task(task.id).await.unwrap();
    assert_eq!(row.status, Status::Completed { at: now() });
    assert_eq!(row.version, 3);
    assert_eq!(row.assignee.as_deref(), Some("bob"));

    let deleted = scene
        .turn(|unit| {
            let _ = unit.delete(task.id);
        })
        .await;
    assert_eq!(deleted.receipts()[0].facts().before, Some(row));
    assert_eq!(scene.task(task.id).await, None);

    // What is read back is what was minted.
    let entries = scene.store.history(&scene.user, None, 10).await.unwrap();
    let actions: Vec<_> = entries
        .iter()
        .map(|entry| entry.receipt.facts().action)
        .collect();
    use Action::{AddTask, CompleteTask, DeleteTask, UpdateTask};
    assert_eq!(actions, [DeleteTask, CompleteTask, UpdateTask, AddTask]);
    assert_eq!(entries[0].receipt, deleted.receipts()[0]);
    assert_eq!(entries[2].receipt, changed.receipts()[0]);
    assert_eq!(entries[3].receipt, added.receipts()[0]);
    assert!(entries.iter().all(|entry| entry.undone_by.is_none()));
    scene.verify().await;
}

pub async fn a_time_stays_with_its_day_and_comes_back_with_it(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let id = scene.add("Call the plumber").await;
    let due = |day| NaiveDate::from_ymd_opt(2026, 2, day);
    let time = DueTime::parse("17:00", "Europe/Berlin").ok();
    let set = |due_date, due_time| TaskPatch {
        due_date,
        due_time,
        ..TaskPatch::default()
    };
    for (patch, expect) in [
        // No day, no time of it.
        (set(None, Some(time)), None),
        (set(Some(due(13)), Some(time)), due(13).zip(time)),
        (set(Some(due(14)), None), due(14).zip(time)),
        (set(Some(None), Some(time)), None),
    ] {
        scene
            .turn(|unit| {
                let _ = unit.change(Action::UpdateTask, id, &patch);
            })
            .await;
        let row = scene.task(id).await.unwrap();
        assert_eq!(row.due_date.zip(row.due_time), expect, "{patch:?}");
        assert_eq!(row.due_time.is_some(), expect.is_some(), "{patch:?}");
    }
    for expect in [due(14).zip(time), due(13).zip(time), None] {
        scene.undo().await;
        let row = scene.task(id).await.unwrap();
        assert_eq!(row.due_date.zip(row.due_time), expect);
    }
    scene.verify().await;
}

pub async fn several_writes_of_one_task_in_a_unit_are_one(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let old = scene.add("Old").await;
    let turn = scene
        .turn(|unit| {
            let new = unit.add(new_task("New")).facts().task_id.unwrap();
            let _ = unit.change(Action::UpdateTask, new, &renamed("Newer"));
            let _ = unit.change(Action::CompleteTask, new, &done());
            let _ = unit.change(Action::UpdateTask, old, &renamed("Older"));
            let _ = unit.delete(old);
        })
        .await;
    assert_eq!(turn.receipts().len(), 5);
    let tasks = scene.tasks().await;
    assert_eq!(tasks.len(), 1);
    assert_eq!(tasks[0].title.as_str(), "Newer");
    assert_eq!(tasks[0].version, 3);
    let id = turn.receipts()[0].facts().turn_id;
    let entries = scene.store.turn_receipts(&scene.user, id).await.unwrap();
    let read: Vec<_> = entries.iter().map(|entry| &entry.receipt).collect();
    assert_eq!(read, turn.receipts().iter().collect::<Vec<_>>());
    scene.verify().await;
}

pub async fn a_read_leaves_a_receipt_and_changes_nothing(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    scene.add("Milk").await;
    let before = scene.tasks().await;
    let reading = ReadResult::Tasks {
        question: json!({"status": "pending"}),
        lines: before.iter().map(Into::into).collect(),
        matched: 1,
        total: 1,
    };
    let read = scene
        .turn(|unit| {
            unit.read(Action::ListTasks, reading.clone());
        })
        .await;
    let id = read.receipts()[0].facts().id;
    let entry = scene.store.receipt(&scene.user, id).await.unwrap().unwrap();
    assert_eq!(entry.receipt, read.receipts()[0]);
    assert_eq!(entry.receipt.facts().reading, Some(reading));
    assert_eq!(scene.tasks().await, before);
}

pub async fn odd_text_comes_back_as_it_was(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    for text in [
        "O'Brien\"; DROP TABLE tasks; --",
        "back\\slash \\u0041 {\"a\":[1]} %_",
        "日本語 🍎 e\u{301} \u{200b} ß",
        "$1 ?1 :a @b",
    ] {
        let task = NewTask {
            description: Some(format!("{text}\r\n\t\u{8}\n")),
            ..new_task(text)
        };
        let turn = scene
            .turn(|unit| {
                unit.add(task.clone());
            })
            .await;
        let row = turn.receipts()[0].facts().after.clone().unwrap();
        assert_eq!(row.title, task.title);
        assert_eq!(scene.task(row.id).await, Some(row.clone()));
        let entry = scene
            .store
            .receipt(&scene.user, turn.receipts()[0].facts().id)
            .await;
        assert_eq!(entry.unwrap().unwrap().receipt.facts().after, Some(row));
    }
    scene.verify().await;
}

pub async fn a_deleted_task_is_gone_from_every_reading(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let id = scene.add("Milk").await;
    scene
        .turn(|unit| {
            let _ = unit.delete(id);
        })
        .await;
    let snapshot = scene.load().await;
    assert!(snapshot.tasks.is_empty());
    assert_eq!(scene.task(id).await, None);
    for completed in [None, Some(true), Some(false)] {
        let query = TaskQuery {
            completed,
            ..TaskQuery::default()
        };
        let page = scene.store.tasks(&scene.user, &query).await.unwrap();
        assert!(page.tasks.is_empty());
    }
    let mut unit = scene.unit(&snapshot);
    assert_eq!(unit.delete(id), AppliedChange::Missing);
    assert!(!unit.has_effect());
    // A unit without effect still commits what was said.
    let record = scene.record(&snapshot);
    assert!(
        committed(scene.store.commit(unit, record).await)
            .receipts()
            .is_empty()
    );
}

pub async fn a_repetition_moves_on_ends_and_comes_back(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let day = |day| NaiveDate::from_ymd_opt(2026, 2, day).unwrap();
    let rule = |text: &str| Repeat::parse(text).ok();
    let weekly = rule("FREQ=WEEKLY;BYDAY=MO");
    let time = DueTime::parse("07:30", "Asia/Karachi").ok();
    // A rule without a day: the first from today on, a Sunday.
    let added = scene
        .turn_on(day(8), |unit| {
            unit.add(NewTask {
                repeat: weekly.clone(),
                due_time: time,
                ..new_task("Take out the trash")
            });
        })
        .await;
    let row = added.receipts()[0].facts().after.clone().unwrap();
    let id = row.id;
    assert_eq!((row.due_date, row.due_time), (Some(day(9)), time));
    assert_eq!(scene.task(id).await, Some(row));
    let complete = async |today| {
        let change = scene.turn_on(today, |unit| {
            let _ = unit.change(Action::CompleteTask, id, &done());
        });
        let facts = change.await.receipts()[0].facts().clone();
        assert_eq!(facts.action, Action::CompleteTask);
        assert_eq!(scene.task(id).await, facts.after);
        facts.after.unwrap()
    };
    let row = complete(day(9)).await;
    assert_eq!((row.status, row.due_date), (Status::Pending, Some(day(16))));
    assert_eq!((row.due_time, &row.repeat), (time, &weekly));
    // A week late, and then taken back.
    let row = complete(day(24)).await;
    assert_eq!(row.due_date, NaiveDate::from_ymd_opt(2026, 3, 2));
    let last = scene.store.history(&scene.user, None, 1).await.unwrap();
    scene
        .turn(|unit| {
            unit.undo(&last[0].receipt).unwrap();
        })
        .await;
    let row = scene.task(id).await.unwrap();
    assert_eq!((row.due_date, &row.repeat), (Some(day(16)), &weekly));
    // The last one completes it.
    let counted = TaskPatch {
        repeat: Some(rule("FREQ=WEEKLY;COUNT=2")),
        ..TaskPatch::default()
    };
    scene
        .turn(|unit| {
            let _ = unit.change(Action::UpdateTask, id, &counted);
        })
        .await;
    let row = complete(day(16)).await;
    assert_eq!(row.repeat, rule("FREQ=WEEKLY;COUNT=1"));
    assert!(complete(day(23)).await.status.is_completed());
    // Without a day there is no rule.
    let bare = TaskPatch {
        due_date: Some(None),
        ..TaskPatch::default()
    };
    scene
        .turn(|unit| {
            let _ = unit.change(Action::UpdateTask, id, &bare);
        })
        .await;
    assert_eq!(scene.task(id).await.unwrap().repeat, None);
    scene.verify().await;
}
