//! Store of what is true: tasks, conversations, receipts and the audit log, committed together.
//!
//! A turn loads a [`UserSnapshot`], collects its changes in a [`Unit`] without touching the
//! database, and hands both unit and [`CommitRecord`] to [`Store::commit`], which writes them in
//! one transaction or not at all. Only this module can make a [`Receipt`]: `commit` does,
//! and reading back a committed row does. `sql` and the backends hold all SQL; nothing above sees any.

mod audit_log;
mod backend;
mod baseline;
mod batch;
mod blocking;
mod changes;
mod copies;
mod delegation;
mod erasure;
#[cfg(feature = "simulator")]
pub mod faults;
mod keys;
mod kind;
mod measure;
mod migrations;
mod open;
mod orders;
mod paging;
mod plan;
mod postgres;
mod prepared;
mod query;
mod read;
mod receipt;
mod record;
mod reminders;
mod rows;
mod snapshot;
mod snapshot_cache;
mod soundness;
mod sql;
mod sqlite;
mod streams;
mod transact;
mod tree;
mod unit;

pub use backend::{ErrorSource, OpenError, Store, StoreError, StoreHealth};
pub use baseline::BaselineCommits;
pub use changes::ChangeWatch;
pub use copies::{CopyError, RestoreReport};
pub use delegation::{
    ASK_USER, AgentCall, AgentLine, AgentQuestion, AgentReport, AgentRole, AgentRun, AgentSession,
    CallEnd, CleanupReport, CompletedBy, DelegateFault, DelegationTarget, GivenUp,
    HeartbeatOutcome, KnownRuns, LeasedWrite, NewCall, NewRun, NewSession, RUN_BEAT,
    RecordedReport, RunEvent, RunEventKind, RunFacts, RunFault, RunLease, RunMetrics, RunNotice,
    RunOptions, RunPage, RunQuery, RunRef, RunResult, RunWorker, SessionChoice, SessionEnd,
    StopOutcome, ToolCount,
};
pub use erasure::ErasureReport;
pub use keys::{ApiKey, ENTROPY, KeyScope, NewKey, QuotaOutcome, SECRET, UseQuota, prefix_of};
pub use open::{BEAT, CutTurn, LEASE, OpenJournal, OpenTurn, OpenWrite};
pub use read::{AuditFilter, ConversationHead, PurgeReport, ReceiptEntry, TaskPage, TaskQuery};
pub use receipt::{Draft, ListedTask, Logged, ReadResult, Receipt, ReceiptFacts};
pub use record::{
    CommitRecord, CommitResult, CommittedUnit, KeyedAnswer, MessageRole, NewMessage, QuestionWrite,
    RollbackCause,
};
pub use reminders::{
    DueReminder, DueReminders, ListedReminder, REMINDER_PAUSE, ReminderEnd, ReminderLease,
    ReminderReach,
};
pub use snapshot::{ConversationState, PendingQuestion, StoredMessage, UserSnapshot};
pub use snapshot_cache::CacheMark;
pub use soundness::{SoundnessReport, UnsoundDatabase};
pub use streams::HeldStreams;
pub use transact::{NotCommitted, TransactError, Transaction};
pub use tree::ProvenReceipt;
pub use unit::{AppliedChange, NewTask, RowWrite, TaskPatch, UndoFault, Unit};
