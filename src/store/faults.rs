//! A store that fails on purpose: every end a commit can have, and reads that break.
//!
//! For tests and the simulator only (feature `simulator`): [`CommitEnd::AckedOnly`] and
//! [`CommitEnd::AckedEarly`] give out receipts for what is not written, which no other code can
//! do. [`Planted`] builds such a store into the program, so that a crash harness can show that
//! it would notice.

use std::collections::HashMap;
use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, Utc};

use super::backend::{
    Backend, Health, OpenError, ReceiptQuery, Source, Store, StoreError, UserSeq, Work,
};
use super::changes::{Change, Hub};
use super::delegation::{Ask, DelegationBackend};
use super::erasure::Erased;
use super::keys::{KeyWrite, Quota, Taken};
use super::open::CutTurn;
use super::paging::Slice;
use super::read::{AuditFilter, ConversationHead, Entry, Purged};
use super::receipt::{Draft, Receipt};
use super::record::{Cause, Commit, Committed, Record, Unknown};
use super::rows::RawEvent;
use super::snapshot::{Message, Snapshot};
use super::sqlite::Sqlite;
use super::unit::Unit;
use crate::audit;
use crate::domain::{
    AttemptId, ConversationId, IdSource, MessageId, ReceiptId, Task, TaskId, TurnId, UserId,
};
use crate::telemetry::Waiting;

/// How a commit is made to end.
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
pub trait Faults: Send + Sync + fmt::Debug {
    /// How the next commit ends.
    fn commit(&self) -> CommitEnd;
    /// Whether a look-up of a commit of unknown fate fails.
    fn settle(&self) -> bool;
    /// Whether a read of a turn fails: its snapshot, or the receipts it asks for.
    fn read(&self) -> bool;
}

/// A bug that is built into a program on purpose, for a harness to find.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Planted {
    /// Every commit ends as [`CommitEnd::AckedEarly`].
    EarlyAnswer,
    /// Every commit ends as [`CommitEnd::KeyApart`].
    KeyApart,
    /// SQLite syncs its log when it is copied back, and not at each commit.
    NormalSync,
}

/// Every commit ends the same way, and nothing else fails.
#[derive(Debug)]
struct Always(CommitEnd);

impl Faults for Always {
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
    /// As [`Store::open`]; [`Planted::NormalSync`] is one of SQLite alone.
    pub async fn open_planted(url: &str, bug: Planted) -> Result<Self, OpenError> {
        let end = match bug {
            Planted::EarlyAnswer => CommitEnd::AckedEarly,
            Planted::KeyApart => CommitEnd::KeyApart,
            Planted::NormalSync => {
                let backend = Arc::new(Sqlite::open_half_synced(url).await?);
                let hub = Arc::default();
                return Ok(Self { backend, hub });
            }
        };
        Ok(Self::open(url).await?.with_faults(Arc::new(Always(end))))
    }

    /// The same store, failing as `faults` says. Reads of tasks, messages and the audit log
    /// never fail: those who judge a turn look through them.
    #[must_use]
    pub fn with_faults(&self, faults: Arc<dyn Faults>) -> Self {
        Self {
            backend: Arc::new(Failing {
                inner: Arc::clone(&self.backend),
                faults,
            }),
            hub: Arc::clone(&self.hub),
        }
    }
}

/// A backend with another one behind it.
struct Failing {
    inner: Arc<dyn Backend>,
    faults: Arc<dyn Faults>,
}

/// What a broken connection says.
fn broken() -> StoreError {
    let source: Source = "broken on purpose".into();
    StoreError::Unavailable(source)
}

/// Receipts for what is not written.
fn acknowledged(drafts: Vec<Draft>) -> Commit {
    let receipts = drafts.into_iter().map(Receipt::mint).collect();
    Commit::Committed(Committed::new(receipts))
}

impl Failing {
    async fn commit_key_apart(&self, unit: Unit, mut record: Record) -> Commit {
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
        if matches!(ended, Commit::Committed(_)) {
            let record = Record {
                keyed,
                ..Record::default()
            };
            drop(self.inner.commit(key, record).await);
        }
        ended
    }
}

impl DelegationBackend for Failing {
    fn ask<'a>(&'a self, ask: &'a Ask) -> Work<'a, Result<Option<String>, StoreError>> {
        self.inner.ask(ask)
    }

    fn change<'a>(&'a self, ask: &'a Ask) -> Work<'a, Result<Option<String>, StoreError>> {
        self.inner.change(ask)
    }
}

impl Backend for Failing {
    fn migrate(&self) -> Work<'_, Result<(), OpenError>> {
        self.inner.migrate()
    }

    fn health(&self) -> Work<'_, Result<Health, StoreError>> {
        self.inner.health()
    }

    fn kind(&self) -> &'static str {
        self.inner.kind()
    }

    fn waiting(&self) -> Work<'_, Result<Waiting, StoreError>> {
        self.inner.waiting()
    }

    fn close(&self) -> Work<'_, ()> {
        self.inner.close()
    }

    fn load<'a>(
        &'a self,
        user: &'a UserId,
        conversation: Option<ConversationId>,
        key: Option<&'a str>,
    ) -> Work<'a, Result<Snapshot, StoreError>> {
        if self.faults.read() {
            return Box::pin(async { Err(broken()) });
        }
        self.inner.load(user, conversation, key)
    }

    fn recall(&self, user: &UserId, conversation: Option<ConversationId>) -> Option<Snapshot> {
        self.inner.recall(user, conversation)
    }

    fn commit(&self, unit: Unit, record: Record) -> Work<'_, Commit> {
        let attempt = unit.attempt();
        match self.faults.commit() {
            CommitEnd::Sound => self.inner.commit(unit, record),
            CommitEnd::Refused => Box::pin(async {
                Commit::RolledBack(Cause::Storage("refused on purpose".to_owned()))
            }),
            CommitEnd::Overtaken => {
                Box::pin(async { Commit::RolledBack(Cause::ConversationMoved) })
            }
            CommitEnd::LostUnknown => {
                Box::pin(async move { Commit::Unknown(Unknown::new(attempt)) })
            }
            CommitEnd::WrittenUnknown => Box::pin(async move {
                match self.inner.commit(unit, record).await {
                    Commit::Committed(_) => Commit::Unknown(Unknown::new(attempt)),
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
    ) -> Work<'a, Result<Option<Committed>, StoreError>> {
        if self.faults.settle() {
            return Box::pin(async { Err(broken()) });
        }
        self.inner.attempt(user, attempt)
    }

    fn receipts<'a>(
        &'a self,
        user: &'a UserId,
        query: ReceiptQuery,
    ) -> Work<'a, Result<Vec<Entry>, StoreError>> {
        if self.faults.read() {
            return Box::pin(async { Err(broken()) });
        }
        self.inner.receipts(user, query)
    }

    fn tasks<'a>(
        &'a self,
        user: &'a UserId,
        slice: &'a Slice,
    ) -> Work<'a, Result<Vec<Task>, StoreError>> {
        self.inner.tasks(user, slice)
    }

    fn task<'a>(
        &'a self,
        user: &'a UserId,
        id: TaskId,
    ) -> Work<'a, Result<Option<Task>, StoreError>> {
        self.inner.task(user, id)
    }

    fn deleted_tasks<'a>(
        &'a self,
        user: &'a UserId,
        among: &'a [TaskId],
    ) -> Work<'a, Result<Vec<Task>, StoreError>> {
        self.inner.deleted_tasks(user, among)
    }

    fn messages<'a>(
        &'a self,
        user: &'a UserId,
        conversation: ConversationId,
        before: Option<MessageId>,
        limit: u32,
    ) -> Work<'a, Result<Option<Vec<Message>>, StoreError>> {
        self.inner.messages(user, conversation, before, limit)
    }

    fn conversations<'a>(
        &'a self,
        user: &'a UserId,
    ) -> Work<'a, Result<Vec<ConversationHead>, StoreError>> {
        self.inner.conversations(user)
    }

    fn audit_events<'a>(
        &'a self,
        filter: &'a AuditFilter,
    ) -> Work<'a, Result<Vec<RawEvent>, StoreError>> {
        self.inner.audit_events(filter)
    }

    fn audit_head<'a>(
        &'a self,
        user: &'a UserId,
    ) -> Work<'a, Result<Option<audit::Head>, StoreError>> {
        self.inner.audit_head(user)
    }

    fn audit_users(&self) -> Work<'_, Result<Vec<UserId>, StoreError>> {
        self.inner.audit_users()
    }

    fn tree_grow(&self) -> Work<'_, Result<bool, StoreError>> {
        self.inner.tree_grow()
    }

    fn tree_size(&self) -> Work<'_, Result<u64, StoreError>> {
        self.inner.tree_size()
    }

    fn tree_nodes(&self, indexes: Vec<u64>) -> Work<'_, Result<audit::Stored, StoreError>> {
        self.inner.tree_nodes(indexes)
    }

    fn tree_leaf<'a>(
        &'a self,
        user: &'a UserId,
        seq: i64,
    ) -> Work<'a, Result<Option<u64>, StoreError>> {
        self.inner.tree_leaf(user, seq)
    }

    fn tree_events(&self, from: u64, limit: u32) -> Work<'_, Result<Vec<RawEvent>, StoreError>> {
        self.inner.tree_events(from, limit)
    }

    fn receipt_event<'a>(
        &'a self,
        user: &'a UserId,
        receipt: ReceiptId,
    ) -> Work<'a, Result<Option<RawEvent>, StoreError>> {
        self.inner.receipt_event(user, receipt)
    }

    fn purge(&self, now: DateTime<Utc>) -> Work<'_, Result<Purged, StoreError>> {
        self.inner.purge(now)
    }

    fn beat<'a>(
        &'a self,
        user: &'a UserId,
        turn: TurnId,
        owner: &'a str,
        journal: Option<&'a str>,
    ) -> Work<'a, Result<bool, StoreError>> {
        self.inner.beat(user, turn, owner, journal)
    }

    fn cut_turns(&self, limit: u32) -> Work<'_, Result<Vec<CutTurn>, StoreError>> {
        self.inner.cut_turns(limit)
    }

    fn erasable<'a>(&'a self, user: &'a UserId) -> Work<'a, Result<Erased, StoreError>> {
        self.inner.erasable(user)
    }

    fn erase_rows(&self, unit: Unit) -> Work<'_, Result<Erased, StoreError>> {
        self.inner.erase_rows(unit)
    }

    fn erase_words<'a>(&'a self, user: &'a UserId) -> Work<'a, Result<bool, StoreError>> {
        self.inner.erase_words(user)
    }

    fn erasing(&self) -> Work<'_, Result<Vec<UserId>, StoreError>> {
        self.inner.erasing()
    }

    fn scrub(&self) -> Work<'_, Result<(), StoreError>> {
        self.inner.scrub()
    }

    fn changes<'a>(
        &'a self,
        user: &'a UserId,
        after: i64,
        limit: u32,
    ) -> Work<'a, Result<Vec<Change>, StoreError>> {
        self.inner.changes(user, after, limit)
    }

    fn heads<'a>(&'a self, users: &'a [UserId]) -> Work<'a, Result<Vec<UserSeq>, StoreError>> {
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

    fn listen(&self, hub: &Arc<Hub>) {
        self.inner.listen(hub);
    }

    fn integrity(&self) -> Work<'_, Result<Option<String>, StoreError>> {
        self.inner.integrity()
    }

    fn copy_to<'a>(&'a self, file: &'a Path) -> Work<'a, Result<(), StoreError>> {
        self.inner.copy_to(file)
    }

    fn orders<'a>(
        &'a self,
        user: &'a UserId,
    ) -> Work<'a, Result<HashMap<TaskId, i64>, StoreError>> {
        self.inner.orders(user)
    }

    fn put_order<'a>(
        &'a self,
        user: &'a UserId,
        task: TaskId,
        order: i64,
    ) -> Work<'a, Result<bool, StoreError>> {
        self.inner.put_order(user, task, order)
    }

    fn keys(&self, prefix: Option<String>) -> Work<'_, Result<String, StoreError>> {
        self.inner.keys(prefix)
    }

    fn secret(&self, name: &'static str) -> Work<'_, Result<Option<String>, StoreError>> {
        self.inner.secret(name)
    }

    fn write_key(&self, write: KeyWrite) -> Work<'_, Result<bool, StoreError>> {
        self.inner.write_key(write)
    }

    fn take<'a>(
        &'a self,
        bucket: &'a str,
        quota: Quota,
    ) -> Work<'a, Result<Option<Taken>, StoreError>> {
        self.inner.take(bucket, quota)
    }
}
