//! Tests that what is past its time goes by itself, by the clock that was passed in.

use std::time::{Duration, Instant};

use candor::app::maintenance;
use candor::domain::{Clock, IdSource, Title, TurnId, UserId};
use candor::store::{CommitRecord, CommitResult, KeyedAnswer, NewTask, Store, Unit};
use chrono::{DateTime, TimeDelta, Utc};

use crate::{Folder, text, well};

fn then() -> DateTime<Utc> {
    DateTime::from_timestamp(1_770_544_800, 0).unwrap()
}

/// A store with a task that was deleted then, and an answer that was stored then.
async fn store(folder: &Folder) -> (Store, UserId) {
    let url = format!("sqlite://{}", text(&folder.path("candor.db")));
    let store = Store::open(&url).await.unwrap();
    store.migrate().await.unwrap();
    let (user, ids) = (UserId::parse("ann").unwrap(), IdSource::random());
    let unit = |tasks| {
        let turn = TurnId::new(ids.next());
        Unit::new(user.clone(), None, turn, then(), ids.clone(), tasks)
    };
    let mut adding = unit(candor::resolver::TaskList::default());
    adding.add(NewTask::titled(Title::parse("Milk").unwrap()));
    let keyed = Some(KeyedAnswer {
        key: "key".to_owned(),
        fingerprint: String::new(),
        status: 200,
        body: String::new(),
    });
    let record = CommitRecord {
        keyed,
        ..CommitRecord::default()
    };
    let end = store.commit(adding, record).await;
    assert!(matches!(end, CommitResult::Committed(_)), "{end:?}");
    let tasks = store.load(&user, None, None).await.unwrap().tasks;
    let id = tasks.iter().next().unwrap().id;
    let mut deleting = unit(tasks);
    let _ = deleting.delete(id);
    let end = store.commit(deleting, CommitRecord::default()).await;
    assert!(matches!(end, CommitResult::Committed(_)), "{end:?}");
    (store, user)
}

/// Returns what a purge at a time long after still finds.
async fn left(store: &Store) -> (u64, u64) {
    let purged = store.purge(then() + TimeDelta::days(1_000)).await.unwrap();
    (purged.tasks, purged.keys)
}

#[tokio::test]
async fn a_server_removes_what_is_past_its_time_by_its_clock() {
    let later: [fn() -> DateTime<Utc>; 3] = [
        || then() + TimeDelta::hours(23),
        || then() + TimeDelta::days(29),
        || then() + TimeDelta::days(31),
    ];
    for (clock, expect) in later.into_iter().zip([(1, 1), (1, 0), (0, 0)]) {
        let folder = Folder::new();
        let (store, user) = store(&folder).await;
        let clock = Clock::from_source(None, clock);
        let keeper = tokio::spawn(maintenance::keep(store.clone(), clock));
        // It ends its round by asking whether an erasure is unfinished; one shows when it did.
        let began = Instant::now();
        let expected_keys = expect.1;
        loop {
            let key = store.load(&user, None, Some("key")).await.unwrap().keyed;
            let purged = u64::from(key.is_some()) == expected_keys;
            if purged && began.elapsed() > Duration::from_millis(300) {
                break;
            }
            assert!(began.elapsed() < Duration::from_secs(30));
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        keeper.abort();
        assert_eq!(left(&store).await, expect);
        let found = store.audit_verify(&user, None).await.unwrap();
        assert!(found.is_ok(), "{found:?}");
    }
}

#[tokio::test]
async fn an_operator_removes_it_by_a_command() {
    let folder = Folder::new();
    let (store, _) = store(&folder).await;
    store.close().await;
    // The machine's clock is months after that day.
    let told = folder.run(&["purge", "--json"]);
    let told: serde_json::Value = serde_json::from_str(well(&told)).unwrap();
    assert_eq!(told, serde_json::json!({"ok": true, "tasks": 1, "keys": 1}));
    let again = folder.run(&["purge"]);
    assert!(well(&again).starts_with("Removed 0 tasks"), "{again:?}");
    well(&folder.run(&["audit", "verify"]));
}
