//! The line to the database is cut at each byte of the exchange that commits.
//!
//! Whatever the store says of a commit is held against what stands in the database, past the
//! proxy. Nothing may stand that was said not to, nothing may be missing that was said to stand,
//! and what was said to be unknown is settled by its attempt, for good.

use std::time::{Duration, Instant};

use candor::domain::{IdSource, Title, TurnId, UserId};
use candor::store::{CommitRecord, CommitResult, NewTask, RollbackCause, Store, TaskQuery, Unit};
use serde_json::json;

use crate::support::proxy::{Break, Proxy, Way};
use crate::support::server::Server;
use crate::support::server::postgres::{Database, shared};

/// A store behind the proxy, and one that sees the truth.
struct Line {
    proxy: Proxy,
    store: Store,
    truth: Store,
    user: UserId,
    ids: IdSource,
    _database: Database,
}

/// Outcomes of commits, counted.
#[derive(Debug, Default)]
struct Tally {
    committed: usize,
    refused: usize,
    landed: usize,
    lost: usize,
    broken: usize,
}

impl Line {
    async fn new(more: &str) -> Self {
        let database = Database::new();
        let proxy = Proxy::before(shared().port).await;
        let truth = Store::open(&database.url()).await.unwrap();
        truth.migrate().await.unwrap();
        let url = format!("{}{more}", database.url_at(proxy.port()));
        Self {
            store: Store::open(&url).await.unwrap(),
            proxy,
            truth,
            user: UserId::parse("me").unwrap(),
            ids: IdSource::random(),
            _database: database,
        }
    }

    fn unit(&self, title: &str) -> Unit {
        let turn = TurnId::new(self.ids.next());
        let at = chrono::DateTime::from_timestamp(1_770_544_800, 0).unwrap();
        let ids = self.ids.clone();
        let mut unit = Unit::new(
            self.user.clone(),
            None,
            turn,
            at,
            ids,
            candor::resolver::TaskList::default(),
        );
        unit.add(NewTask::titled(Title::parse(title).unwrap()));
        unit
    }

    async fn stands(&self, title: &str) -> usize {
        let all = TaskQuery::default();
        let tasks = self.truth.tasks(&self.user, &all).await.unwrap().tasks;
        tasks
            .iter()
            .filter(|task| task.title.as_str() == title)
            .count()
    }

    /// Commits over a line that breaks so, and holds what is said against what stands.
    async fn commit(&self, title: &str, mark: &[u8], plan: Break, tally: &mut Tally) {
        let unit = self.unit(title);
        let attempt = unit.attempt();
        self.proxy.arm(mark, plan);
        let end = self.store.commit(unit, CommitRecord::default()).await;
        tally.broken += usize::from(self.proxy.broken());
        self.proxy.mend();
        let expected = match end {
            CommitResult::Committed(_) => {
                tally.committed += 1;
                1
            }
            CommitResult::RolledBack(RollbackCause::Storage(_)) => {
                tally.refused += 1;
                0
            }
            CommitResult::RolledBack(cause) => panic!("{cause:?}"),
            CommitResult::Unknown => {
                let settled = self.store.attempt(&self.user, attempt).await.unwrap();
                match settled {
                    Some(proof) => {
                        assert_eq!(proof.receipts().len(), 1);
                        tally.landed += 1;
                        1
                    }
                    None => {
                        tally.lost += 1;
                        0
                    }
                }
            }
        };
        assert_eq!(self.stands(title).await, expected, "{title}: {plan:?}");
        let settled = self.truth.attempt(&self.user, attempt).await.unwrap();
        assert_eq!(settled.is_some(), expected == 1, "{title}: {plan:?}");
    }

    /// How many bytes a commit takes each way from the mark on.
    async fn measure(&self, mark: &[u8]) -> [usize; 2] {
        let title = "Measured";
        // Once to prepare the statements, once to count.
        for _ in 0..2 {
            self.proxy.arm(mark, Break::Never);
            let end = self
                .store
                .commit(self.unit(title), CommitRecord::default())
                .await;
            assert!(matches!(end, CommitResult::Committed(_)), "{end:?}");
        }
        [Way::ToServer, Way::ToClient].map(|way| self.proxy.counted(way))
    }

    async fn whole(&self) {
        let found = self.truth.audit_verify(&self.user, None).await.unwrap();
        assert!(found.is_ok(), "{found:?}");
    }
}

/// The exchange is the writing statement: cut near its ends at each byte, and in between here
/// and there.
#[tokio::test(flavor = "multi_thread")]
async fn a_commit_in_a_session_of_its_own_is_never_told_wrongly() {
    let line = Line::new("").await;
    let mut tally = Tally::default();
    let (mark, mut tried) = ("Cut me".as_bytes(), 0);
    let [asked, answered] = line.measure(b"Measured").await;
    assert!(asked > 500 && answered > 20, "{asked} {answered}");
    let places = |length: usize, all: usize| {
        (0..=length).filter(move |at| *at < 16 || length - at < all || at % 199 == 0)
    };
    for (way, length, all) in [
        (Way::ToServer, asked, 24),
        (Way::ToClient, answered, answered),
    ] {
        for after in places(length, all) {
            let title = format!("Cut me {way:?} {after}");
            let plan = Break::Cut(way, after);
            line.commit(&title, mark, plan, &mut tally).await;
            tried += 1;
        }
    }
    assert!(tally.landed > 10 && tally.lost > 10, "{tally:?}");
    // The JSON of one commit is a few bytes longer than that of another.
    assert!(
        tally.broken + 8 > tried && tried > 50,
        "{tally:?} of {tried}"
    );
    line.whole().await;
}

/// The exchange is COMMIT itself: at each byte.
#[tokio::test(flavor = "multi_thread")]
async fn a_commit_in_a_shared_session_is_never_told_wrongly() {
    let line = Line::new("?statement-cache-capacity=0").await;
    let mut tally = Tally::default();
    let mark = b"COMMIT\0";
    let [asked, answered] = line.measure(mark).await;
    assert_eq!(asked, 12, "a COMMIT");
    for (way, length) in [(Way::ToServer, asked), (Way::ToClient, answered)] {
        for after in 0..=length {
            let title = format!("Cut {way:?} {after}");
            let plan = Break::Cut(way, after);
            line.commit(&title, mark, plan, &mut tally).await;
        }
    }
    assert!(tally.landed > 10 && tally.lost > 5, "{tally:?}");
    line.whole().await;
}

/// Plants a store that takes a broken line for an answer to a commit: the check that the tests
/// above rest on catches it, both ways.
#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_guessed_would_be_caught() {
    let line = Line::new("").await;
    line.measure(b"Measured").await;
    let plans = [
        ("landed", Break::Cut(Way::ToClient, 0)),
        ("lost", Break::Cut(Way::ToServer, 1)),
    ];
    let mut stands = Vec::new();
    for (title, plan) in plans {
        line.proxy.arm(title.as_bytes(), plan);
        let end = line
            .store
            .commit(line.unit(title), CommitRecord::default())
            .await;
        assert!(matches!(end, CommitResult::Unknown), "{end:?}");
        // The server may still be at it.
        tokio::time::sleep(Duration::from_millis(300)).await;
        stands.push(line.stands(title).await);
    }
    let (always_done, never_done) = ([1, 1], [0, 0]);
    assert_ne!(stands, always_done, "\"done\" would not have been caught");
    assert_ne!(
        stands, never_done,
        "\"not done\" would not have been caught"
    );
}

/// A cut before anything was decided is no cut for the caller: it is asked again elsewhere.
#[tokio::test(flavor = "multi_thread")]
async fn a_line_that_dies_before_anything_was_decided_is_replaced() {
    let line = Line::new("").await;
    let mut tally = Tally::default();
    for number in 0..20 {
        let title = format!("Task {number}");
        line.commit(&title, b"", Break::Never, &mut tally).await;
        line.proxy.cut_all();
        let all = TaskQuery::default();
        let seen = line.store.tasks(&line.user, &all).await.unwrap();
        assert_eq!(seen.tasks.len(), number + 1);
        line.proxy.cut_all();
    }
    assert_eq!(tally.committed, 20, "{tally:?}");
    line.whole().await;
}

/// A line on which nothing moves any more is given up, and what hung on it is unknown.
#[tokio::test(flavor = "multi_thread")]
async fn a_line_that_stalls_is_given_up() {
    let line = Line::new("").await;
    let mut tally = Tally::default();
    line.measure(b"Measured").await;
    let began = Instant::now();
    for (way, number) in [(Way::ToServer, 1), (Way::ToClient, 2)] {
        let title = format!("Stall {number}");
        line.commit(&title, title.as_bytes(), Break::Stall(way, 0), &mut tally)
            .await;
    }
    assert_eq!((tally.lost, tally.landed), (1, 1), "{tally:?}");
    assert!(began.elapsed() < Duration::from_secs(40));
    line.whole().await;
}

/// Over HTTP: while nobody can look the attempt up, neither "done" nor "not done" is said, and
/// the same key asked again brings the truth.
#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_commit_is_told_as_such_and_settled_under_its_key() {
    let database = Database::new();
    let proxy = Proxy::before(shared().port).await;
    let url = database.url_at(proxy.port());
    let server = Server::start_with(&[("DATABASE_URL", &*url)]).await;
    let direct = [("/api/me/tasks", "title"), ("/api/me/chat", "message")];
    for (number, (path, field)) in direct.into_iter().cycle().take(12).enumerate() {
        let title = format!("Task {number}");
        let text = if field == "title" {
            title.clone()
        } else {
            format!("add \"{title}\"")
        };
        let (body, key) = (json!({field: text}), format!("key-{number}"));
        // The request is lost, or its answer is.
        let plan = match number % 4 {
            0 | 1 => Break::Cut(Way::ToServer, 100),
            _ => Break::Cut(Way::ToClient, 0),
        };
        // The first time that the title is written into the audit log.
        proxy.arm(b"add_task", plan);
        proxy.refuse(true);
        let reply = server.post_keyed(path, &key, body.clone()).await;
        proxy.refuse(false);
        proxy.mend();
        if reply.status < 300 {
            panic!("said to be done: {}", reply.text);
        }
        assert_eq!(
            (reply.status, reply.problem()),
            (503, "unconfirmed"),
            "{}",
            reply.text
        );
        let settled = server.post_keyed(path, &key, body.clone()).await;
        assert!(settled.status < 300, "{}", settled.text);
        assert_eq!(
            server
                .titles("me")
                .await
                .iter()
                .filter(|it| **it == title)
                .count(),
            1
        );
    }
    assert_eq!(server.titles("me").await.len(), 12);
    let url = database.url();
    let ran = crate::support::server::run(None, &[("DATABASE_URL", &url)], &["audit", "verify"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
}
