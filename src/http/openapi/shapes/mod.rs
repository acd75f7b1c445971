//! Shapes of answers that handlers put together themselves, for the description only. Tests hold
//! them against what a server answers.
#![expect(dead_code, reason = "they are described and never made")]

pub(in crate::http) mod delegation;
pub(in crate::http) mod responses;
pub(in crate::http) mod v1;

use chrono::{DateTime, Utc};
use serde_json::Value;
use utoipa::ToSchema;

use super::limits;
use crate::audit::{InclusionProof, WrittenHead};

/// A todo that is to be added.
#[derive(ToSchema)]
pub(in crate::http) struct NewTodo {
    #[schema(schema_with = limits::title)]
    title: String,
    completed: Option<bool>,
    /// Number that pages sort by.
    order: Option<i64>,
}

/// Changes of a todo.
#[derive(ToSchema)]
pub(in crate::http) struct TodoChange {
    #[schema(schema_with = limits::title, required = false)]
    title: String,
    completed: Option<bool>,
    /// Number that pages sort by.
    order: Option<i64>,
}

/// Events of the audit log, the oldest first.
#[derive(ToSchema)]
pub(in crate::http) struct Events {
    events: Vec<Event>,
}

/// An event of the audit log.
#[derive(ToSchema)]
pub(in crate::http) struct Event {
    #[schema(schema_with = limits::user)]
    user_id: String,
    /// Counts this user's events from 1, without gaps.
    #[schema(minimum = 1)]
    seq: i64,
    #[schema(value_type = Option<String>, format = Uuid)]
    turn_id: Option<String>,
    #[schema(schema_with = limits::kind)]
    kind: String,
    /// The payload as JSON.
    payload: Value,
    /// The payload as the exact text that was hashed.
    payload_text: String,
    /// The hash of the event before it, in hexadecimal.
    prev_hash: String,
    /// SHA-256 over all else, in hexadecimal.
    hash: String,
    created_at: DateTime<Utc>,
}

/// A turn computed again from its receipts.
#[derive(ToSchema)]
pub(in crate::http) struct TurnAccount {
    /// The reply says what the log bears out, no more and no less.
    holds: bool,
    #[schema(format = Uuid)]
    turn_id: String,
    #[schema(schema_with = limits::user)]
    user_id: String,
    at: DateTime<Utc>,
    /// `chat` or `rest`.
    source: Option<String>,
    /// Message of the user.
    message: Option<String>,
    /// Request that was made by REST.
    asked: Value,
    model: Option<String>,
    /// Versions of renderer, grammar and prompt.
    versions: Value,
    /// Content of each answer of the model.
    answers: Value,
    calls: Vec<AccountCall>,
    /// Sentences that the model said and nobody was shown.
    stopped: Vec<AccountStopped>,
    receipts: Vec<AccountReceipt>,
    /// The reply.
    said: Option<String>,
    kind: Option<String>,
    /// The words of the turn were erased.
    erased: bool,
    recomputed: AccountRecomputed,
    /// The reply, line by line.
    sentences: Vec<AccountSentence>,
    /// Lines that the log says should have been said and were not.
    unsaid: Vec<String>,
    proven: u64,
    unproven: u64,
    chat: u64,
    chain: AccountChain,
    /// True when the receipts that the store gives out are those of the log.
    receipts_agree: Option<bool>,
    events: Vec<Event>,
}

/// A call that a model or the server made.
#[derive(ToSchema)]
pub(in crate::http) struct AccountCall {
    seq: i64,
    name: String,
    arguments: Value,
    /// `committed`, `unchanged`, `failed`, `asked` or `refused`.
    outcome: String,
    /// Reason why it failed or was refused.
    reason: Value,
    task_ids: Vec<String>,
}

/// A sentence of the model that was not shown.
#[derive(ToSchema)]
pub(in crate::http) struct AccountStopped {
    seq: i64,
    reason: String,
    text: String,
}

/// A receipt of the turn.
#[derive(ToSchema)]
pub(in crate::http) struct AccountReceipt {
    seq: i64,
    #[schema(format = Uuid)]
    id: String,
    #[schema(schema_with = crate::chat::schema::action)]
    action: String,
    #[schema(value_type = Option<String>, format = Uuid)]
    task_id: Option<String>,
    /// Line that it licenses to say.
    line: String,
}

/// Extent to which a reply could be computed again.
#[derive(ToSchema)]
pub(in crate::http) struct AccountRecomputed {
    /// `whole`, `receipts` or `not`.
    how: String,
    /// Message that the log says should have been said.
    #[schema(value_type = String, required = false)]
    message: Option<String>,
    /// True when it is what was said.
    #[schema(value_type = bool, required = false)]
    equal: Option<bool>,
    /// Reason why it could not.
    #[schema(value_type = String, required = false)]
    why: Option<String>,
}

/// One line of a reply.
#[derive(ToSchema)]
pub(in crate::http) struct AccountSentence {
    text: String,
    /// `proven`, `unproven` or `chat`.
    verdict: String,
    /// `receipt`, `failure`, `question` or `chat`.
    kind: String,
    receipts: Vec<String>,
    events: Vec<i64>,
}

/// The links of the turn's own events.
#[derive(ToSchema)]
pub(in crate::http) struct AccountChain {
    first_seq: i64,
    last_seq: i64,
    /// The first event that is not as it was written.
    broken: Value,
}

/// Proof that the log holds a receipt.
#[derive(ToSchema)]
pub(in crate::http) struct ReceiptProof {
    #[schema(format = Uuid)]
    receipt_id: String,
    event: Event,
    proof: InclusionProof,
    /// The tree's root, in hexadecimal.
    root: String,
    /// The tree's head as a signed note, where the server has a key.
    checkpoint: Option<String>,
}

/// An event without anybody's words.
#[derive(ToSchema)]
pub(in crate::http) struct BareEvent {
    #[schema(schema_with = limits::user)]
    user_id: String,
    seq: i64,
    #[schema(value_type = Option<String>, format = Uuid)]
    turn_id: Option<String>,
    #[schema(schema_with = limits::kind)]
    kind: String,
    payload: String,
    prev_hash: String,
    hash: String,
    created_at: DateTime<Utc>,
}

/// Proof that a turn did what its receipts say and nothing else.
#[derive(ToSchema)]
pub(in crate::http) struct AbsenceProof {
    #[schema(format = Uuid)]
    turn_id: String,
    /// The turn's events with the one before and the one after, without a gap.
    events: Vec<BareEvent>,
    proof: InclusionProof,
    root: String,
    checkpoint: Option<String>,
}

/// Proof that a tree begins with an earlier one.
#[derive(ToSchema)]
pub(in crate::http) struct ConsistencyProof {
    from: WrittenHead,
    to: WrittenHead,
    /// Hashes that lead from one root to the other, in hexadecimal.
    consistency: Vec<String>,
    checkpoint: Option<String>,
}
