//! A store that fails on purpose: every end a commit can have, and reads that break.
//!
//! For tests and the simulator only (feature `simulator`): [`CommitEnd::AckedOnly`] and
//! [`CommitEnd::AckedEarly`] give out receipts for what is not written, which no other code can
//! do. [`PlantedBug`] builds such a store into the program, so that a crash harness can show that
//! it would notice.

use std::fmt;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::backend::{
    BackendFuture, ErrorSource, OpenError, PlainFuture, Store, StoreBackend, StoreError,
};
use super::changes::ChangeHub;
use super::erasure::ErasureReport;
use super::kind::DatabaseKind;
use super::query::{RowTexts, StoreQuery};
use super::receipt::Receipt;
use super::record::{CommitRecord, CommitResult, CommittedUnit, RollbackCause};
use super::snapshot_cache::SnapshotCache;
use super::sql::{SqlText, talk};
use super::sqlite::SqliteBackend;
use super::unit::Unit;
use crate::domain::IdSource;

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

impl Unit {
    /// Proof as a commit gives it, for a turn that is played without a store.
    pub fn acknowledged(self) -> CommittedUnit {
        CommittedUnit::of(self)
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

/// Reads of a turn: its snapshot, and the receipts it asks for.
const READS: [SqlText; 6] = [
    talk::LOAD,
    talk::HISTORY,
    talk::HISTORY_OF_CONVERSATION,
    talk::UNDOABLE,
    talk::RECEIPT,
    talk::TURN,
];

impl StoreBackend for FailingBackend {
    fn kind(&self) -> DatabaseKind {
        self.inner.kind()
    }

    fn migrate(&self) -> BackendFuture<'_, (), OpenError> {
        self.inner.migrate()
    }

    fn close(&self) -> PlainFuture<'_, ()> {
        self.inner.close()
    }

    fn ask<'a>(&'a self, ask: &'a StoreQuery) -> BackendFuture<'a, RowTexts> {
        if READS.contains(&ask.of) && self.faults.read() {
            return Box::pin(async { Err(broken()) });
        }
        self.inner.ask(ask)
    }

    fn change<'a>(&'a self, ask: &'a StoreQuery) -> BackendFuture<'a, Option<String>> {
        if ask.of == talk::SETTLE && self.faults.settle() {
            return Box::pin(async { Err(broken()) });
        }
        self.inner.change(ask)
    }

    fn cache(&self) -> &SnapshotCache {
        self.inner.cache()
    }

    fn commit(&self, unit: Unit, record: CommitRecord) -> PlainFuture<'_, CommitResult> {
        match self.faults.commit() {
            CommitEnd::Sound => self.inner.commit(unit, record),
            CommitEnd::Refused => Box::pin(async {
                CommitResult::RolledBack(RollbackCause::Storage("refused on purpose".to_owned()))
            }),
            CommitEnd::Overtaken => {
                Box::pin(async { CommitResult::RolledBack(RollbackCause::ConversationMoved) })
            }
            CommitEnd::LostUnknown => Box::pin(async move { CommitResult::Unknown }),
            CommitEnd::WrittenUnknown => Box::pin(async move {
                match self.inner.commit(unit, record).await {
                    CommitResult::Committed(_) => CommitResult::Unknown,
                    other => other,
                }
            }),
            CommitEnd::AckedOnly => {
                Box::pin(async { CommitResult::Committed(CommittedUnit::of(unit)) })
            }
            CommitEnd::AckedEarly => Box::pin(async {
                let facts = unit.drafts().iter().map(|draft| draft.facts().clone());
                let early = CommittedUnit::new(facts.map(Receipt::from_row).collect());
                let inner = Arc::clone(&self.inner);
                // Nobody waits for it, and nobody hears how it ends.
                tokio::spawn(async move { drop(inner.commit(unit, record).await) });
                CommitResult::Committed(early)
            }),
            CommitEnd::KeyApart => Box::pin(self.commit_key_apart(unit, record)),
        }
    }

    fn erase_rows(&self, unit: Unit) -> BackendFuture<'_, ErasureReport> {
        self.inner.erase_rows(unit)
    }

    fn scrub(&self) -> BackendFuture<'_, ()> {
        self.inner.scrub()
    }

    fn patience(&self) -> Duration {
        self.inner.patience()
    }

    fn tell(&self, word: &str) {
        self.inner.tell(word);
    }

    fn listen(&self, hub: &Arc<ChangeHub>) {
        self.inner.listen(hub);
    }

    fn copy_to<'a>(&'a self, file: &'a Path) -> BackendFuture<'a, ()> {
        self.inner.copy_to(file)
    }
}
