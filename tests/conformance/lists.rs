//! Tasks that come from elsewhere with their ids and times, and where lists show them.

use candor::domain::{DueTime, Priority, Reminders, Repeat, Status, Task, TaskId};
use candor::store::{CommitRecord, RollbackCause};
use chrono::{NaiveDate, TimeDelta};

use super::scene::{Ground, Scene, committed, now, refused, title};

fn task(scene: &Scene) -> Task {
    Task {
        id: TaskId::new(scene.ids.next()),
        user_id: scene.user.clone(),
        title: title("Milk"),
        description: Some("two\r\nlitres".to_owned()),
        status: Status::Completed {
            at: now() - TimeDelta::days(1),
        },
        priority: Priority::High,
        due_date: NaiveDate::from_ymd_opt(2001, 1, 1),
        due_time: DueTime::parse("17:00", "Europe/Berlin").ok(),
        repeat: Repeat::parse("FREQ=WEEKLY").ok(),
        assignee: Some("Ann".to_owned()),
        reminders: Reminders::default(),
        created_at: now() - TimeDelta::days(400),
        updated_at: now() - TimeDelta::days(2),
        version: 1,
    }
}

pub async fn a_task_from_elsewhere_is_kept_as_it_was(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let was = task(&scene);
    let done = scene
        .turn(|unit| {
            unit.bring(was.clone(), None);
        })
        .await;
    let facts = done.receipts()[0].facts();
    assert_eq!((&facts.before, facts.after.as_ref()), (&None, Some(&was)));
    assert_eq!(scene.tasks().await, std::slice::from_ref(&was));
    // Its id is taken now.
    let snapshot = scene.load().await;
    let mut unit = scene.unit(&snapshot);
    unit.bring(was.clone(), None);
    let cause = refused(scene.store.commit(unit, CommitRecord::default()).await);
    assert_eq!(cause, RollbackCause::TaskMoved(was.id));
    scene.undo().await;
    assert!(scene.tasks().await.is_empty());
    scene.verify().await;
}

pub async fn a_deleted_task_comes_back_under_its_id(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let was = task(&scene);
    scene
        .turn(|unit| {
            unit.bring(was.clone(), None);
        })
        .await;
    assert!(
        scene
            .store
            .deleted_tasks(&scene.user, &[was.id])
            .await
            .unwrap()
            .is_empty()
    );
    scene
        .turn(|unit| {
            let _ = unit.delete(was.id);
        })
        .await;
    let deleted = scene
        .store
        .deleted_tasks(&scene.user, &[was.id])
        .await
        .unwrap();
    assert_eq!(deleted.len(), 1);
    let none = scene.store.deleted_tasks(&scene.user, &[]).await.unwrap();
    assert!(none.is_empty(), "it was not asked for");
    let other = Scene::of(scene.store.clone(), "bob");
    assert!(
        other
            .store
            .deleted_tasks(&other.user, &[was.id])
            .await
            .unwrap()
            .is_empty()
    );
    let again = Task {
        title: title("Cream"),
        created_at: now(),
        ..was.clone()
    };
    let done = scene
        .turn(|unit| {
            unit.bring(again.clone(), deleted.first());
        })
        .await;
    let expect = Task {
        created_at: was.created_at,
        version: 3,
        ..again
    };
    // The receipt says what the row says.
    assert_eq!(done.receipts()[0].facts().after.as_ref(), Some(&expect));
    assert_eq!(scene.tasks().await, [expect]);
    scene.verify().await;
}

pub async fn an_order_is_one_tasks_and_goes_with_its_row(ground: &impl Ground) {
    let scene = Scene::new(ground).await;
    let (milk, eggs) = (scene.add("Milk").await, scene.add("Eggs").await);
    let (store, user) = (&scene.store, &scene.user);
    assert!(store.orders(user).await.unwrap().is_empty());
    assert!(store.put_order(user, milk, 5).await.unwrap());
    assert!(store.put_order(user, eggs, i64::MAX).await.unwrap());
    assert!(store.put_order(user, milk, i64::MIN).await.unwrap());
    let bob = Scene::of(store.clone(), "bob");
    assert!(!store.put_order(&bob.user, milk, 1).await.unwrap());
    assert!(store.orders(&bob.user).await.unwrap().is_empty());
    let orders = store.orders(user).await.unwrap();
    assert_eq!((orders[&milk], orders[&eggs]), (i64::MIN, i64::MAX));
    let snapshot = scene.load().await;
    let mut unit = scene.unit(&snapshot);
    let _ = unit.delete(milk);
    committed(store.commit(unit, CommitRecord::default()).await);
    assert!(!store.put_order(user, milk, 1).await.unwrap());
    assert_eq!(
        store
            .purge(now() + TimeDelta::days(31))
            .await
            .unwrap()
            .tasks,
        1
    );
    let orders = store.orders(user).await.unwrap();
    assert_eq!(orders.into_keys().collect::<Vec<_>>(), [eggs]);
}
