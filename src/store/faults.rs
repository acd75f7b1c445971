//! A store that fails on purpose: every end a commit can have, and reads that break.
//!
//! For tests and the simulator only (feature `simulator`): [`CommitEnd::AckedOnly`] and
//! [`CommitEnd::AckedEarly`] give out receipts for what is not written, which no other code can
//! do. [`PlantedBug`] builds such a store into the program, so that a crash harness can show that
//! it would notice.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};

use super::backend::{
    BackendFuture, ErrorSource, OpenError, PlainFuture, ReceiptQuery, Store, StoreBackend,
    StoreError, StoreHealth, UserSeq,
};
use super::changes::{ChangeHub, CommittedChange};
use super::erasure::ErasureReport;
use super::keys::{KeyWrite, QuotaOutcome, UseQuota};
use super::open::CutTurn;
use super::paging::TaskSlice;
use super::query::{QueryBackend, StoreQuery};
use super::read::{AuditFilter, ConversationHead, PurgeReport, ReceiptEntry};
use super::receipt::{Draft, Receipt};
use super::record::{CommitRecord, CommitResult, CommittedUnit, RollbackCause, UnknownCommit};
use super::rows::RawEvent;
use super::snapshot::{StoredMessage, UserSnapshot};
use super::sqlite::SqliteBackend;
use super::unit::Unit;
use crate::audit;
use crate::domain::{
    AttemptId, ConversationId, IdSource, MessageId, ReceiptId, Task, TaskId, TurnId, UserId,
};
use crate::telemetry::QueueDepths;

/// Way in which a commit is made to end.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CommitEnd {
    /// As it would.
    Sound,
    /// Refused by the database: nothing is written, and that is said.
    Refused,
    /// Overtaken by another hand: nothing is written, and that is said.
    Overtaken,
    /// Written, but its end is reported as unknown.
    WrittenUnknown,
    /// Not written, and its end is reported as unknown.
    LostUnknown,
    /// Acknowledged and never written: the planted bug of a store that answers too early.
    AckedOnly,
    /// Acknowledged, and written afterwards: the same bug as it would look in a program that
    /// runs on.
    AckedEarly,
    /// Written without its idempotency key, which a second transaction writes down.
    KeyApart,
}

/// Decides what fails, each time it is asked.
pub trait FaultPlan: Send + Sync + fmt::Debug {
    /// Decides how the next commit ends.
    fn commit(&self) -> CommitEnd;
    /// Tells whether a look-up of a commit of unknown fate fails.
    fn settle(&self) -> bool;
    /// Tells whether a read of a turn fails: its snapshot, or the receipts it asks for.
    fn read(&self) -> bool;
}

/// A bug that is built into a program on purpose, for a harness to find.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PlantedBug {
    /// Every commit ends as [`CommitEnd::AckedEarly`].
    EarlyAnswer,
    /// Every commit ends as [`CommitEnd::KeyApart`].
    KeyApart,
    /// SQLite syncs its log when it is copied back, and not at each commit.
    NormalSync,
}

/// Every commit ends the same way, and nothing else fails.
#[derive(Debug)]
struct SameEnding(CommitEnd);

impl FaultPlan for SameEnding {
    fn commit(&self) -> CommitEnd {
        self.0
    }

    fn settle(&self) -> bool {
        false
    }

    fn read(&self) -> bool {
        false
    }
}

impl Store {
    /// Opens a database with a bug.
    ///
    /// # Errors
    /// As [`Store::open`]; [`PlantedBug::NormalSync`] is one of SQLite alone.
    pub async fn open_planted(url: &str, bug: PlantedBug) -> Result<Self, OpenError> {
        let end = match bug {
            PlantedBug::EarlyAnswer => CommitEnd::AckedEarly,
            PlantedBug::KeyApart => CommitEnd::KeyApart,
            PlantedBug::NormalSync => {
                let backend = Arc::new(SqliteBackend::open_half_synced(url).await?);
                let hub = Arc::default();
                return Ok(Self { backend, hub });
            }
        };
        Ok(Self::open(url)
            .await?
            .with_faults(Arc::new(SameEnding(end))))
    }

    /// The same store, failing as `faults` says. Reads of tasks, messages and the audit log
    /// never fail: those who judge a turn look through them.
    #[must_use]
    pub fn with_faults(&self, faults: Arc<dyn FaultPlan>) -> Self {
        Self {
            backend: Arc::new(FailingBackend {
                inner: Arc::clone(&self.backend),
                faults,
            }),
            hub: Arc::clone(&self.hub),
        }
    }
}

/// A backend with another one behind it.
struct FailingBackend {
    inner: Arc<dyn StoreBackend>,
    faults: Arc<dyn FaultPlan>,
}

/// Makes the error of a broken connection.
fn broken() -> StoreError {
    let source: ErrorSource = "broken on purpose".into();
    StoreError::Unavailable(source)
}

/// Receipts for what is not written.
fn acknowledged(drafts: Vec<Draft>) -> CommitResult {
    let receipts = drafts.into_iter().map(Receipt::mint).collect();
    CommitResult::Committed(CommittedUnit::new(receipts))
}

impl Unit {
    /// Proof as a commit gives it, for a turn that is played without a store.
    pub fn acknowledged(self) -> CommittedUnit {
        CommittedUnit::new(self.into_drafts().into_iter().map(Receipt::mint).collect())
    }
}

impl FailingBackend {
    async fn commit_key_apart(&self, unit: Unit, mut record: CommitRecord) -> CommitResult {
        let keyed = record.keyed.take();
        // A key that was claimed before is held already, and kept in its own commit.
        if keyed.is_none() || record.claimed {
            record.keyed = keyed;
            return self.inner.commit(unit, record).await;
        }
        let key = Unit::new(
            unit.user().clone(),
            None,
            unit.turn(),
            unit.now(),
            IdSource::random(),
            crate::resolver::TaskList::default(),
        );
        let ended = self.inner.commit(unit, record).await;
        if matches!(ended, CommitResult::Committed(_)) {
            let record = CommitRecord {
                keyed,
                ..CommitRecord::default()
            };
            drop(self.inner.commit(key, record).await);
        }
        ended
    }
}

impl QueryBackend for FailingBackend {
    fn ask<'a>(&'a self, ask: &'a StoreQuery) -> BackendFuture<'a, Option<String>> {
        self.inner.ask(ask)
    }

    fn change<'a>(&'a self, ask: &'a StoreQuery) -> BackendFuture<'a, Option<String>> {
        self.inner.change(ask)
    }
}

impl StoreBackend for FailingBackend {
    fn migrate(&self) -> BackendFuture<'_, (), OpenError> {
        self.inner.migrate()
    }

    fn health(&self) -> BackendFuture<'_, StoreHealth> {
        self.inner.health()
    }

    fn kind(&self) -> &'static str {
        self.inner.kind()
    }

    fn waiting(&self) -> BackendFuture<'_, QueueDepths> {
        self.inner.waiting()
    }

    fn close(&self) -> PlainFuture<'_, ()> {
        self.inner.close()
    }

    fn load<'a>(
        &'a self,
        user: &'a UserId,
        conversation: Option<ConversationId>,
        key: Option<&'a str>,
    ) -> BackendFuture<'a, UserSnapshot> {
        if self.faults.read() {
            return Box::pin(async { Err(broken()) });
        }
        self.inner.load(user, conversation, key)
    }

    fn recall(&self, user: &UserId, conversation: Option<ConversationId>) -> Option<UserSnapshot> {
        self.inner.recall(user, conversation)
    }

    fn commit(&self, unit: Unit, record: CommitRecord) -> PlainFuture<'_, CommitResult> {
        let attempt = unit.attempt();
        match self.faults.commit() {
            CommitEnd::Sound => self.inner.commit(unit, record),
            CommitEnd::Refused => Box::pin(async {
                CommitResult::RolledBack(RollbackCause::Storage("refused on purpose".to_owned()))
            }),
            CommitEnd::Overtaken => {
                Box::pin(async { CommitResult::RolledBack(RollbackCause::ConversationMoved) })
            }
            CommitEnd::LostUnknown => {
                Box::pin(async move { CommitResult::Unknown(UnknownCommit::new(attempt)) })
            }
            CommitEnd::WrittenUnknown => Box::pin(async move {
                match self.inner.commit(unit, record).await {
                    CommitResult::Committed(_) => {
                        CommitResult::Unknown(UnknownCommit::new(attempt))
                    }
                    other => other,
                }
            }),
            CommitEnd::AckedOnly => Box::pin(async { acknowledged(unit.into_drafts()) }),
            CommitEnd::AckedEarly => Box::pin(async {
                let drafts = unit.drafts().iter();
                let drafts = drafts.map(|draft| Draft::new(draft.facts().clone()));
                let early = acknowledged(drafts.collect());
                let inner = Arc::clone(&self.inner);
                // Nobody waits for it, and nobody hears how it ends.
                tokio::spawn(async move { drop(inner.commit(unit, record).await) });
                early
            }),
            CommitEnd::KeyApart => Box::pin(self.commit_key_apart(unit, record)),
        }
    }

    fn attempt<'a>(
        &'a self,
        user: &'a UserId,
        attempt: AttemptId,
    ) -> BackendFuture<'a, Option<CommittedUnit>> {
        if self.faults.settle() {
            return Box::pin(async { Err(broken()) });
        }
        self.inner.attempt(user, attempt)
    }

    fn receipts<'a>(
        &'a self,
        user: &'a UserId,
        query: ReceiptQuery,
    ) -> BackendFuture<'a, Vec<ReceiptEntry>> {
        if self.faults.read() {
            return Box::pin(async { Err(broken()) });
        }
        self.inner.receipts(user, query)
    }

    fn tasks<'a>(&'a self, user: &'a UserId, slice: &'a TaskSlice) -> BackendFuture<'a, Vec<Task>> {
        self.inner.tasks(user, slice)
    }

    fn task<'a>(&'a self, user: &'a UserId, id: TaskId) -> BackendFuture<'a, Option<Task>> {
        self.inner.task(user, id)
    }

    fn deleted_tasks<'a>(
        &'a self,
        user: &'a UserId,
        among: &'a [TaskId],
    ) -> BackendFuture<'a, Vec<Task>> {
        self.inner.deleted_tasks(user, among)
    }

    fn messages<'a>(
        &'a self,
        user: &'a UserId,
        conversation: ConversationId,
        before: Option<MessageId>,
        limit: u32,
    ) -> BackendFuture<'a, Option<Vec<StoredMessage>>> {
        self.inner.messages(user, conversation, before, limit)
    }

    fn conversations<'a>(&'a self, user: &'a UserId) -> BackendFuture<'a, Vec<ConversationHead>> {
        self.inner.conversations(user)
    }

    fn audit_events<'a>(&'a self, filter: &'a AuditFilter) -> BackendFuture<'a, Vec<RawEvent>> {
        self.inner.audit_events(filter)
    }

    fn audit_head<'a>(&'a self, user: &'a UserId) -> BackendFuture<'a, Option<audit::ChainHead>> {
        self.inner.audit_head(user)
    }

    fn audit_users(&self) -> BackendFuture<'_, Vec<UserId>> {
        self.inner.audit_users()
    }

    fn tree_grow(&self) -> BackendFuture<'_, bool> {
        self.inner.tree_grow()
    }

    fn tree_size(&self) -> BackendFuture<'_, u64> {
        self.inner.tree_size()
    }

    fn tree_nodes(&self, indexes: Vec<u64>) -> BackendFuture<'_, audit::StoredHashes> {
        self.inner.tree_nodes(indexes)
    }

    fn tree_leaf<'a>(&'a self, user: &'a UserId, seq: i64) -> BackendFuture<'a, Option<u64>> {
        self.inner.tree_leaf(user, seq)
    }

    fn tree_events(&self, from: u64, limit: u32) -> BackendFuture<'_, Vec<RawEvent>> {
        self.inner.tree_events(from, limit)
    }

    fn receipt_event<'a>(
        &'a self,
        user: &'a UserId,
        receipt: ReceiptId,
    ) -> BackendFuture<'a, Option<RawEvent>> {
        self.inner.receipt_event(user, receipt)
    }

    fn purge(&self, now: DateTime<Utc>) -> BackendFuture<'_, PurgeReport> {
        self.inner.purge(now)
    }

    fn beat<'a>(
        &'a self,
        user: &'a UserId,
        turn: TurnId,
        owner: &'a str,
        journal: Option<&'a str>,
    ) -> BackendFuture<'a, bool> {
        self.inner.beat(user, turn, owner, journal)
    }

    fn cut_turns(&self, limit: u32) -> BackendFuture<'_, Vec<CutTurn>> {
        self.inner.cut_turns(limit)
    }

    fn erasable<'a>(&'a self, user: &'a UserId) -> BackendFuture<'a, ErasureReport> {
        self.inner.erasable(user)
    }

    fn erase_rows(&self, unit: Unit) -> BackendFuture<'_, ErasureReport> {
        self.inner.erase_rows(unit)
    }

    fn erase_words<'a>(&'a self, user: &'a UserId) -> BackendFuture<'a, bool> {
        self.inner.erase_words(user)
    }

    fn erasing(&self) -> BackendFuture<'_, Vec<UserId>> {
        self.inner.erasing()
    }

    fn scrub(&self) -> BackendFuture<'_, ()> {
        self.inner.scrub()
    }

    fn changes<'a>(
        &'a self,
        user: &'a UserId,
        after: i64,
        limit: u32,
    ) -> BackendFuture<'a, Vec<CommittedChange>> {
        self.inner.changes(user, after, limit)
    }

    fn heads<'a>(&'a self, users: &'a [UserId]) -> BackendFuture<'a, Vec<UserSeq>> {
        self.inner.heads(users)
    }

    fn patience(&self) -> Duration {
        self.inner.patience()
    }

    fn tell(&self, user: &UserId) {
        self.inner.tell(user);
    }

    fn tell_of_work(&self) {
        self.inner.tell_of_work();
    }

    fn listen(&self, hub: &Arc<ChangeHub>) {
        self.inner.listen(hub);
    }

    fn integrity(&self) -> BackendFuture<'_, Option<String>> {
        self.inner.integrity()
    }

    fn copy_to<'a>(&'a self, file: &'a Path) -> BackendFuture<'a, ()> {
        self.inner.copy_to(file)
    }

    fn orders<'a>(&'a self, user: &'a UserId) -> BackendFuture<'a, HashMap<TaskId, i64>> {
        self.inner.orders(user)
    }

    fn put_order<'a>(
        &'a self,
        user: &'a UserId,
        task: TaskId,
        order: i64,
    ) -> BackendFuture<'a, bool> {
        self.inner.put_order(user, task, order)
    }

    fn keys(&self, prefix: Option<String>) -> BackendFuture<'_, String> {
        self.inner.keys(prefix)
    }

    fn secret(&self, name: &'static str) -> BackendFuture<'_, Option<String>> {
        self.inner.secret(name)
    }

    fn write_key(&self, write: KeyWrite) -> BackendFuture<'_, bool> {
        self.inner.write_key(write)
    }

    fn take<'a>(
        &'a self,
        bucket: &'a str,
        quota: UseQuota,
    ) -> BackendFuture<'a, Option<QuotaOutcome>> {
        self.inner.take(bucket, quota)
    }
}
