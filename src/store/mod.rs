//! What is true: tasks, conversations, receipts and the audit log, committed together.
//!
//! A turn loads a [`Snapshot`], collects its changes in a [`Unit`] without touching the
//! database, and hands both unit and [`Record`] to [`Store::commit`], which writes them in
//! one transaction or not at all. Only this module can make a [`Receipt`]: `commit` does,
//! and reading back a committed row does. Backends hold all SQL; nothing above sees any.

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
mod read;
mod receipt;
mod record;
mod rows;
mod snapshot;
mod snapshot_cache;
mod soundness;
mod sqlite;
mod tree;
mod unit;

pub use backend::{Health, OpenError, Source, Store, StoreError};
pub use baseline::BaselineCommits;
pub use changes::{Change, TaskChange, Watch};
pub use copies::{CopyError, Restored};
pub use delegation::{
    ASK_USER, Agent, AgentCall, AgentLine, AgentRole, Beaten, Behalf, CallEnd, Cleaned,
    CompletedBy, DelegateFault, Delegations, Held, Lease, Leased, Metrics, NewCall, NewRun,
    NewSession, Notice, Question, RUN_BEAT, RUN_LEASE, Report, Reported, Run, RunEvent, RunFacts,
    RunFault, RunOptions, RunPage, RunQuery, RunRef, RunResult, SessionEnd, Stopping, Target,
    ToolCount, Worker,
};
pub use erasure::Erased;
pub use keys::{ApiKey, ENTROPY, NewKey, Quota, SECRET, Scope, Taken, prefix_of};
pub use open::{BEAT, CutTurn, Journal, LEASE, OpenTurn, OpenWrite};
pub use read::{AuditFilter, ConversationHead, Entry, Purged, TaskPage, TaskQuery};
pub use receipt::{Draft, Facts, Line, Logged, Reading, Receipt};
pub use record::{
    Cause, Commit, Committed, KeyedAnswer, NewMessage, QuestionWrite, Record, Role, Unknown,
};
pub use snapshot::{Conversation, Message, MessageLine, PendingQuestion, Snapshot};
pub use snapshot_cache::CacheMark;
pub use soundness::{Sound, Unsound};
pub use tree::Proven;
pub use unit::{Applied, NewTask, Patch, UndoFault, Unit, Write};
