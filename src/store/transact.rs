//! One way to commit: decide on a fresh snapshot, commit, look up what is unknown, decide anew.
//!
//! A unit is consumed by its commit and has an attempt of its own, so nothing is applied twice: a
//! commit whose answer was lost is looked up by its attempt, and only one that is known not to
//! have landed is decided again.

use super::backend::{Store, StoreError};
use super::record::{CommitRecord, CommitResult, CommittedUnit, RollbackCause};
use super::unit::Unit;

/// Number of times a unit is decided anew because something moved meanwhile.
const TRIES: usize = 64;

/// Reason why a unit is not known to be committed, once an unknown end was looked up.
#[derive(Debug)]
pub enum NotCommitted {
    /// Nothing is written.
    RolledBack(RollbackCause),
    /// The answer was lost; nothing is written, and can't be any more.
    NotLanded,
    /// The answer was lost and can't be looked up: it may or may not be written.
    Unconfirmed(StoreError),
}

/// Reason why a transaction has ended without a commit. Only [`TransactError::Unconfirmed`] leaves
/// open whether anything was written.
#[derive(Debug)]
pub enum TransactError {
    /// The transaction can't be decided anew.
    RolledBack(RollbackCause),
    /// Others were quicker every time; the words of whoever began it.
    Busy(&'static str),
    /// Its fate can't be looked up.
    Unconfirmed(StoreError),
}

impl From<TransactError> for StoreError {
    fn from(error: TransactError) -> Self {
        match error {
            TransactError::RolledBack(RollbackCause::Storage(cause)) => {
                Self::Unavailable(cause.into())
            }
            TransactError::RolledBack(cause) => Self::Unavailable(cause.into()),
            TransactError::Busy(words) => Self::Unavailable(words.into()),
            TransactError::Unconfirmed(error) => error,
        }
    }
}

/// The tries of one write. Each loads, decides and commits; the first that commits is the last.
#[derive(Debug)]
pub struct Transaction<'s> {
    store: &'s Store,
    tries: usize,
    busy: &'static str,
    is_retried: fn(&RollbackCause) -> bool,
}

impl Transaction<'_> {
    /// Tells whether nothing was tried yet.
    pub const fn is_first(&self) -> bool {
        self.tries == 0
    }

    /// Commits what was decided on a snapshot of now; none: decide on another snapshot.
    ///
    /// # Errors
    /// [`TransactError`]; then it is over.
    pub async fn commit(
        &mut self,
        unit: Unit,
        record: CommitRecord,
    ) -> Result<Option<CommittedUnit>, TransactError> {
        self.tries += 1;
        match self.store.commit_confirmed(unit, record).await {
            Ok(proof) => Ok(Some(proof)),
            Err(NotCommitted::Unconfirmed(error)) => Err(TransactError::Unconfirmed(error)),
            Err(NotCommitted::RolledBack(cause)) if !(self.is_retried)(&cause) => {
                Err(TransactError::RolledBack(cause))
            }
            Err(_) if self.tries == TRIES => Err(TransactError::Busy(self.busy)),
            Err(_) => Ok(None),
        }
    }
}

impl Store {
    /// Begins a write that is decided anew whenever something moved; `busy` says that it moved
    /// every time. A database that refuses ends it.
    pub fn transact(&self, busy: &'static str) -> Transaction<'_> {
        self.transact_while(busy, |cause| !matches!(cause, RollbackCause::Storage(_)))
    }

    /// Begins a write that only causes of which `is_retried` is true let decide anew.
    pub(in crate::store) const fn transact_while(
        &self,
        busy: &'static str,
        is_retried: fn(&RollbackCause) -> bool,
    ) -> Transaction<'_> {
        Transaction {
            store: self,
            tries: 0,
            busy,
            is_retried,
        }
    }

    /// Commits once, and looks up by its attempt what the database did not answer.
    ///
    /// # Errors
    /// [`NotCommitted`].
    pub async fn commit_confirmed(
        &self,
        unit: Unit,
        record: CommitRecord,
    ) -> Result<CommittedUnit, NotCommitted> {
        let (user, attempt) = (unit.user().clone(), unit.attempt());
        match self.commit(unit, record).await {
            CommitResult::Committed(proof) => Ok(proof),
            CommitResult::RolledBack(cause) => Err(NotCommitted::RolledBack(cause)),
            CommitResult::Unknown => match self.attempt(&user, attempt).await {
                Ok(found) => found.ok_or(NotCommitted::NotLanded),
                Err(error) => Err(NotCommitted::Unconfirmed(error)),
            },
        }
    }
}
