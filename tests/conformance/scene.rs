//! Helpers that the suite's functions share: a fresh store, a user, and short ways to commit.

use std::future::Future;

use candor::audit::{AuditEvent, EventKind};
use candor::domain::{
    ConversationId, IdSource, MessageId, Moment, Task, TaskId, Title, TurnId, UserId,
};
use candor::store::{
    AuditFilter, CommitRecord, CommitResult, CommittedUnit, MessageRole, NewMessage, NewTask,
    RollbackCause, Store, TaskPatch, TaskQuery, Unit, UserSnapshot,
};
use chrono::{DateTime, NaiveDate, Utc};
use serde_json::json;

/// A database to build on, and two ways round the store.
pub trait Ground: Sync {
    /// The address of a database that is this ground's alone; always the same one.
    fn url(&self) -> String;

    /// Runs statements with every protection of the schema taken away.
    fn tamper(&self, statements: &'static str) -> impl Future<Output = ()> + Send;

    /// Runs statements with the schema's protection in place.
    fn honest(&self, statements: &'static str) -> impl Future<Output = Result<(), String>> + Send;
}

/// 2026-02-08T10:00:00.123456Z.
pub fn now() -> DateTime<Utc> {
    DateTime::from_timestamp(1_770_544_800, 123_456_000).unwrap()
}

/// The same with its day, in UTC.
pub fn moment() -> Moment {
    Moment {
        instant: now(),
        today: now().date_naive(),
        zone: "UTC".parse().unwrap(),
        remind_now: now(),
    }
}

/// An opened and migrated store.
pub async fn open(ground: &impl Ground) -> Store {
    let store = Store::open(&ground.url()).await.unwrap();
    store.migrate().await.unwrap();
    store
}

pub fn title(text: &str) -> Title {
    Title::parse(text).unwrap()
}

pub fn new_task(text: &str) -> NewTask {
    NewTask::titled(title(text))
}

pub fn done() -> TaskPatch {
    TaskPatch {
        completed: Some(true),
        ..TaskPatch::default()
    }
}

pub fn renamed(text: &str) -> TaskPatch {
    TaskPatch {
        title: Some(title(text)),
        ..TaskPatch::default()
    }
}

/// One user in one conversation.
#[derive(Clone)]
pub struct Scene {
    pub store: Store,
    pub user: UserId,
    pub conversation: ConversationId,
    pub ids: IdSource,
}

impl Scene {
    pub async fn new(ground: &impl Ground) -> Self {
        Self::of(open(ground).await, "ann")
    }

    pub fn of(store: Store, name: &str) -> Self {
        let ids = IdSource::random();
        Self {
            store,
            user: UserId::parse(name).unwrap(),
            conversation: ConversationId::new(ids.next()),
            ids,
        }
    }

    /// The same user in another conversation.
    pub fn elsewhere(&self) -> Self {
        let conversation = ConversationId::new(self.ids.next());
        Self {
            conversation,
            ..self.clone()
        }
    }

    pub async fn load(&self) -> UserSnapshot {
        let conversation = Some(self.conversation);
        self.store
            .load(&self.user, conversation, None)
            .await
            .unwrap()
    }

    pub fn unit(&self, snapshot: &UserSnapshot) -> Unit {
        Unit::new(
            self.user.clone(),
            Some(self.conversation),
            TurnId::new(self.ids.next()),
            now(),
            self.ids.clone(),
            snapshot.tasks.clone(),
        )
    }

    /// Returns what a turn records: two lines and three events.
    pub fn record(&self, snapshot: &UserSnapshot) -> CommitRecord {
        let version = snapshot.conversation.as_ref().map_or(0, |c| c.version);
        CommitRecord {
            conversation: Some((self.conversation, version)),
            title: Some("about milk".to_owned()),
            messages: vec![
                self.line(MessageRole::User, "buy milk"),
                self.line(MessageRole::Assistant, "…"),
            ],
            events: vec![
                event(EventKind::Turn, "buy milk"),
                event(EventKind::Reply, "Added: milk"),
                event(EventKind::ToolCall, "add_task"),
            ],
            ..CommitRecord::default()
        }
    }

    pub fn line(&self, role: MessageRole, content: &str) -> NewMessage {
        NewMessage {
            id: MessageId::new(self.ids.next()),
            role,
            content: content.to_owned(),
        }
    }

    /// Loads, lets `act` fill a unit, and commits it.
    pub async fn turn(&self, act: impl FnOnce(&mut Unit)) -> CommittedUnit {
        let snapshot = self.load().await;
        let mut unit = self.unit(&snapshot);
        act(&mut unit);
        committed(self.store.commit(unit, self.record(&snapshot)).await)
    }

    /// The same on a day of the user's own.
    pub async fn turn_on(&self, today: NaiveDate, act: impl FnOnce(&mut Unit)) -> CommittedUnit {
        let snapshot = self.load().await;
        let then = now() + (today - now().date_naive());
        let mut unit = self.unit(&snapshot).on(today).reminding_at(then);
        act(&mut unit);
        committed(self.store.commit(unit, self.record(&snapshot)).await)
    }

    pub async fn add(&self, text: &str) -> TaskId {
        let committed = self
            .turn(|unit| {
                unit.add(new_task(text));
            })
            .await;
        committed.receipts()[0].facts().task_id.unwrap()
    }

    /// Undoes as the word "undo" does.
    pub async fn undo(&self) -> CommittedUnit {
        let receipts = self
            .store
            .latest_undoable(&self.user, self.conversation)
            .await
            .unwrap();
        self.turn(|unit| {
            for receipt in &receipts {
                unit.undo(receipt).unwrap();
            }
        })
        .await
    }

    pub async fn tasks(&self) -> Vec<Task> {
        let all = TaskQuery::default();
        self.store.tasks(&self.user, &all).await.unwrap().tasks
    }

    /// Titles, newest first.
    pub async fn titles(&self) -> Vec<String> {
        let tasks = self.tasks().await;
        tasks.iter().map(|task| task.title.to_string()).collect()
    }

    pub async fn task(&self, id: TaskId) -> Option<Task> {
        self.store.task(&self.user, id).await.unwrap()
    }

    /// Everything this user's rows say, for comparing before with after.
    pub async fn picture(&self) -> String {
        let (store, user) = (&self.store, &self.user);
        let filter = AuditFilter {
            user: Some(user.clone()),
            ..AuditFilter::default()
        };
        format!(
            "{:?} {:?} {:?} {:?} {:?}",
            self.load().await,
            store.history(user, None, 1_000).await.unwrap(),
            store.conversations(user).await.unwrap(),
            store
                .messages(user, self.conversation, None, 1_000)
                .await
                .unwrap(),
            store.audit_events(&filter).await.unwrap(),
        )
    }

    /// The log must be whole.
    pub async fn verify(&self) {
        let found = self.store.audit_verify(&self.user, None).await.unwrap();
        assert!(found.is_ok(), "{found:?}");
    }
}

pub fn event(kind: EventKind, text: &str) -> AuditEvent {
    AuditEvent {
        kind,
        payload: json!({"text": text, "n": 1.5}),
    }
}

#[track_caller]
pub fn committed(commit: CommitResult) -> CommittedUnit {
    match commit {
        CommitResult::Committed(committed) => committed,
        other => panic!("not committed: {other:?}"),
    }
}

#[track_caller]
pub fn refused(commit: CommitResult) -> RollbackCause {
    match commit {
        CommitResult::RolledBack(cause) => cause,
        other => panic!("not refused: {other:?}"),
    }
}
