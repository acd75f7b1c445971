//! Imports that a failing store breaks off: how far they came is told, and they go on from there.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex};

use candor::chat::direct::{
    DirectWrites, ImportOutcome, ImportReport, ImportStopped, TaskImport, WriteError,
};
use candor::chat::wire::task_file as write;
use candor::domain::{Clock, IdSource, UserId};
use candor::formats::{Format, Layout};
use candor::store::Store;
use candor::store::faults::{CommitEnd, FaultPlan};
use candor::temporal::DueRule;

use crate::lists::{options, thousand, user};

/// Commits end as written here, in order, and well after that; look-ups fail where that is said.
#[derive(Debug)]
struct Script {
    ends: Mutex<VecDeque<CommitEnd>>,
    blind: bool,
}

impl FaultPlan for Script {
    fn commit(&self) -> CommitEnd {
        let next = self.ends.lock().unwrap().pop_front();
        next.unwrap_or(CommitEnd::Sound)
    }

    fn settle(&self) -> bool {
        self.blind
    }

    fn read(&self) -> bool {
        false
    }
}

async fn open() -> Store {
    let store = Store::open("sqlite::memory:").await.unwrap();
    store.migrate().await.unwrap();
    store
}

fn direct(store: &Store, ends: &[CommitEnd], blind: bool) -> DirectWrites {
    let ends = Mutex::new(ends.iter().copied().collect());
    let store = store.with_faults(Arc::new(Script { ends, blind }));
    let (clock, ids) = (Clock::system(None), IdSource::random());
    DirectWrites::new(store, clock, ids, DueRule::Rolling, chrono_tz::UTC)
}

fn list() -> TaskImport {
    let text = write(Format::Json, &thousand());
    let layout = Layout::of(Format::Json, &text);
    TaskImport::read(layout, &text.into(), &options()).unwrap()
}

async fn import(direct: &DirectWrites, key: Option<&str>) -> Result<ImportReport, ImportStopped> {
    match direct.import(&user(), &list(), key, |_| {}).await? {
        ImportOutcome::Done(report) => Ok(report),
        ImportOutcome::Before(written) => panic!("{written:?}"),
    }
}

/// Tasks on the list, and receipts for them.
async fn standing(store: &Store, user: &UserId) -> (usize, usize) {
    let tasks = store.load(user, None, None).await.unwrap().tasks;
    let receipts = store.history(user, None, 10_000).await.unwrap();
    (tasks.len(), receipts.len())
}

#[tokio::test]
async fn what_breaks_off_tells_how_far_it_came_and_goes_on_from_there() {
    let store = open().await;
    let failing = direct(
        &store,
        &[CommitEnd::Sound, CommitEnd::Sound, CommitEnd::Refused],
        false,
    );
    let stopped = import(&failing, Some("key")).await.unwrap_err();
    assert!(
        matches!(stopped.cause, WriteError::Storage(_)),
        "{stopped:?}"
    );
    assert_eq!(
        (stopped.report.added, stopped.report.already_there),
        (200, 0)
    );
    assert_eq!(standing(&store, &user()).await, (200, 200));
    // Nothing was kept under the key, so that it may be sent again.
    let report = import(&failing, Some("key")).await.unwrap();
    assert_eq!((report.added, report.already_there), (800, 200));
    assert_eq!(standing(&store, &user()).await, (1_000, 1_000));
    let again = failing.import(&user(), &list(), Some("key"), |_| {}).await;
    let Ok(ImportOutcome::Before(written)) = again else {
        panic!("{again:?}");
    };
    assert_eq!(written.body, report.body());
    assert!(store.audit_verify(&user(), None).await.unwrap().is_ok());
}

#[tokio::test]
async fn a_commit_of_unknown_fate_is_looked_up_and_never_doubled() {
    let store = open().await;
    let ends = [
        CommitEnd::WrittenUnknown,
        CommitEnd::LostUnknown,
        CommitEnd::Overtaken,
        CommitEnd::Sound,
    ];
    let report = import(&direct(&store, &ends, false), None).await.unwrap();
    assert_eq!((report.added, report.already_there), (1_000, 0));
    assert_eq!(standing(&store, &user()).await, (1_000, 1_000));
    // What can't be looked up is said to be unknown; the next import finds out.
    let store = open().await;
    let ends = [CommitEnd::Sound, CommitEnd::WrittenUnknown];
    let stopped = import(&direct(&store, &ends, true), None)
        .await
        .unwrap_err();
    assert_eq!(stopped.cause, WriteError::Unconfirmed);
    assert_eq!(stopped.report.added, 100);
    let report = import(&direct(&store, &[], false), None).await.unwrap();
    assert_eq!((report.added, report.already_there), (800, 200));
    assert_eq!(standing(&store, &user()).await, (1_000, 1_000));
}

#[tokio::test]
async fn a_store_that_answers_too_early_would_be_found() {
    // The planted fault: it acknowledges what it never writes.
    let store = open().await;
    let ends = [CommitEnd::Sound, CommitEnd::AckedOnly];
    let report = import(&direct(&store, &ends, false), None).await.unwrap();
    assert_eq!(report.added, 1_000);
    assert_ne!(standing(&store, &user()).await, (1_000, 1_000));
}

#[tokio::test]
async fn two_imports_of_one_file_at_once_double_nothing() {
    let store = open().await;
    let (one, two) = (direct(&store, &[], false), direct(&store, &[], false));
    let (one, two) = tokio::join!(import(&one, None), import(&two, None));
    let (one, two) = (one.unwrap(), two.unwrap());
    assert_eq!(one.added + two.added, 1_000);
    assert_eq!(one.already_there + two.already_there, 1_000);
    assert_eq!(standing(&store, &user()).await, (1_000, 1_000));
}
