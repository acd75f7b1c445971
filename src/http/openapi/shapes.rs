//! Shapes of answers that handlers put together themselves, for the description only. Tests hold
//! them against what a server answers.
#![expect(dead_code, reason = "they are described and never made")]

use chrono::{DateTime, Utc};
use serde_json::Value;
use utoipa::{OpenApi, ToSchema};

use super::limits;
use crate::chat::wire::{ActionMetadata, ChatReply, ChatRequest, TaskView};
use crate::http::stream::Sent as StreamRequest;
use crate::http::task_body::{NewTaskBody, PatchBody};

/// Every schema that has a name.
#[derive(OpenApi)]
#[openapi(components(schemas(
    ChatRequest,
    ChatReply,
    Undone,
    Messages,
    Conversations,
    TaskView,
    TaskPage,
    NewTaskBody,
    PatchBody,
    ImportReport,
    Events,
    TurnAccount,
    ReceiptProof,
    AbsenceProof,
    ConsistencyProof,
    State,
    About,
    StreamRequest,
    Stopping,
    Problem
)))]
pub(super) struct Schemas;

/// Those of the Todo-Backend contract.
#[derive(OpenApi)]
#[openapi(components(schemas(Todo, Todos, NewTodo, TodoChange)))]
pub(super) struct TodoSchemas;

/// Whether there was a turn to stop.
#[derive(ToSchema)]
struct Stopping {
    stopping: bool,
}

/// An error (RFC 9457).
#[derive(ToSchema)]
struct Problem {
    /// Where the kind of error is explained.
    r#type: String,
    /// The kind of error, in words.
    title: String,
    /// The HTTP status.
    status: u16,
    /// The fault and the cure, in plain words.
    detail: String,
    /// The path that was asked for.
    instance: String,
    /// The kind of error, for programs.
    code: String,
    /// What finds the request in the log; also in X-Request-Id.
    request_id: String,
    /// The conversation that a message was kept in although nobody could answer it.
    #[schema(value_type = String, format = Uuid, required = false)]
    conversation_id: Option<String>,
    /// The limits that were reached.
    #[schema(value_type = Vec<String>, required = false)]
    #[serde(rename = "violated-policies")]
    violated_policies: Option<Vec<String>>,
}

/// The answer to the undo of a receipt.
#[derive(ToSchema)]
struct Undone {
    #[schema(format = Uuid)]
    turn_id: String,
    #[schema(schema_with = crate::chat::schema::kind)]
    kind: String,
    assistant_message: String,
    /// What was taken back.
    action_metadata: ActionMetadata,
    actions: Vec<ActionMetadata>,
}

/// A page of tasks.
#[derive(ToSchema)]
struct TaskPage {
    tasks: Vec<TaskView>,
    /// What `cursor` of the next page is; null: this is the last.
    next_cursor: Option<String>,
}

/// What became of a file.
#[derive(ToSchema)]
struct ImportReport {
    /// The layout that it was read as.
    format: String,
    /// Nothing was written: it says what would have been.
    dry_run: bool,
    /// Tasks in the file, refused ones included.
    read: u64,
    /// Tasks that were added.
    added: u64,
    /// Of them, tasks that had been deleted and are back.
    brought_back: u64,
    /// Tasks that were on the list already, and are left as they are.
    already_there: u64,
    /// Tasks that were refused.
    refused: u64,
    /// The first thousand of them, by line.
    refusals: Vec<Refusal>,
    /// Everything else that the file holds and no task keeps, by kind.
    left_out: Vec<LeftOut>,
    /// Assumptions about what the file does not say.
    assumed: Vec<String>,
}

/// One kind of what was left out of a file.
#[derive(ToSchema)]
struct LeftOut {
    /// A plural noun, such as "sections", or the field's own name.
    kind: String,
    /// Number of them.
    count: u64,
    /// The first hundred by name, where they have names.
    names: Vec<String>,
}

/// A task of a file that was refused.
#[derive(ToSchema)]
struct Refusal {
    /// Where it begins, counted from 1.
    line: u64,
    /// What it says, cut.
    text: String,
    /// Why, and what would do.
    reason: String,
}

/// A task as the Todo-Backend contract has it.
#[derive(ToSchema)]
struct Todo {
    #[schema(schema_with = limits::title)]
    title: String,
    completed: bool,
    /// What pages sort by; null: nobody said.
    order: Option<i64>,
    /// Its absolute address.
    url: String,
}

/// All todos.
#[derive(ToSchema)]
struct Todos(Vec<Todo>);

/// A todo that is to be added.
#[derive(ToSchema)]
struct NewTodo {
    #[schema(schema_with = limits::title)]
    title: String,
    #[schema(required = false)]
    completed: Option<bool>,
    /// What pages sort by.
    #[schema(required = false)]
    order: Option<i64>,
}

/// What shall be different about a todo.
#[derive(ToSchema)]
struct TodoChange {
    #[schema(schema_with = limits::title, required = false)]
    title: String,
    #[schema(required = false)]
    completed: Option<bool>,
    /// What pages sort by.
    #[schema(required = false)]
    order: Option<i64>,
}

/// A part of a conversation.
#[derive(ToSchema)]
struct Messages {
    #[schema(schema_with = crate::chat::schema::messages)]
    messages: Vec<Value>,
}

/// Conversations, the last active first.
#[derive(ToSchema)]
struct Conversations {
    conversations: Vec<Conversation>,
}

/// A conversation.
#[derive(ToSchema)]
struct Conversation {
    #[schema(format = Uuid)]
    id: String,
    /// Empty when it was given none.
    title: String,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
}

/// Events of the audit log, the oldest first.
#[derive(ToSchema)]
struct Events {
    events: Vec<Event>,
}

/// An event of the audit log.
#[derive(ToSchema)]
struct Event {
    #[schema(schema_with = limits::user)]
    user_id: String,
    /// Counts this user's events from 1, without gaps.
    #[schema(minimum = 1)]
    seq: i64,
    #[schema(value_type = Option<String>, format = Uuid)]
    turn_id: Option<String>,
    #[schema(schema_with = super::kind)]
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
struct TurnAccount {
    /// The reply says what the log bears out, no more and no less.
    holds: bool,
    #[schema(format = Uuid)]
    turn_id: String,
    #[schema(schema_with = limits::user)]
    user_id: String,
    at: DateTime<Utc>,
    /// `chat` or `rest`.
    source: Option<String>,
    /// What the user said.
    message: Option<String>,
    /// What was asked for by REST.
    asked: Value,
    model: Option<String>,
    /// Versions of renderer, grammar and prompt.
    versions: Value,
    /// What each answer of the model held.
    answers: Value,
    calls: Vec<AccountCall>,
    /// What the model said and nobody was shown.
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
    /// Whether the receipts that the store gives out are those of the log.
    receipts_agree: Option<bool>,
    events: Vec<Event>,
}

/// A call that a model or the server made.
#[derive(ToSchema)]
struct AccountCall {
    seq: i64,
    name: String,
    arguments: Value,
    /// `committed`, `unchanged`, `failed`, `asked` or `refused`.
    outcome: String,
    /// Why it failed or was refused.
    reason: Value,
    task_ids: Vec<String>,
}

/// A sentence of the model that was not shown.
#[derive(ToSchema)]
struct AccountStopped {
    seq: i64,
    reason: String,
    text: String,
}

/// A receipt of the turn.
#[derive(ToSchema)]
struct AccountReceipt {
    seq: i64,
    #[schema(format = Uuid)]
    id: String,
    #[schema(schema_with = crate::chat::schema::action)]
    action: String,
    #[schema(value_type = Option<String>, format = Uuid)]
    task_id: Option<String>,
    /// What it licenses to say.
    line: String,
}

/// How far a reply could be computed again.
#[derive(ToSchema)]
struct AccountRecomputed {
    /// `whole`, `receipts` or `not`.
    how: String,
    /// What the log says should have been said.
    #[schema(value_type = String, required = false)]
    message: Option<String>,
    /// It is what was said.
    #[schema(value_type = bool, required = false)]
    equal: Option<bool>,
    /// Why it could not.
    #[schema(value_type = String, required = false)]
    why: Option<String>,
}

/// One line of a reply.
#[derive(ToSchema)]
struct AccountSentence {
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
struct AccountChain {
    first_seq: i64,
    last_seq: i64,
    /// The first event that is not as it was written.
    broken: Value,
}

/// The place of an event in the tree over all events (RFC 6962).
#[derive(ToSchema)]
struct Inclusion {
    leaf_index: u64,
    tree_size: u64,
    /// Hashes beside the path from the leaf up, in hexadecimal.
    hashes: Vec<String>,
}

/// That the log holds a receipt.
#[derive(ToSchema)]
struct ReceiptProof {
    #[schema(format = Uuid)]
    receipt_id: String,
    event: Event,
    proof: Inclusion,
    /// The tree's root, in hexadecimal.
    root: String,
    /// The tree's head as a signed note, where the server has a key.
    checkpoint: Option<String>,
}

/// An event without anybody's words.
#[derive(ToSchema)]
struct BareEvent {
    #[schema(schema_with = limits::user)]
    user_id: String,
    seq: i64,
    #[schema(value_type = Option<String>, format = Uuid)]
    turn_id: Option<String>,
    #[schema(schema_with = super::kind)]
    kind: String,
    payload: String,
    prev_hash: String,
    hash: String,
    created_at: DateTime<Utc>,
}

/// That a turn did what its receipts say and nothing else.
#[derive(ToSchema)]
struct AbsenceProof {
    #[schema(format = Uuid)]
    turn_id: String,
    /// The turn's events with the one before and the one after, without a gap.
    events: Vec<BareEvent>,
    proof: Inclusion,
    root: String,
    checkpoint: Option<String>,
}

/// A tree's size and root.
#[derive(ToSchema)]
struct TreeHead {
    size: u64,
    root: String,
}

/// That a tree begins with an earlier one.
#[derive(ToSchema)]
struct ConsistencyProof {
    from: TreeHead,
    to: TreeHead,
    /// Hashes that lead from one root to the other, in hexadecimal.
    consistency: Vec<String>,
    checkpoint: Option<String>,
}

/// How the server is.
#[derive(ToSchema)]
struct State {
    /// `ok` or `ready`.
    status: String,
}

/// What a server is.
#[derive(ToSchema)]
struct About {
    /// `candor`.
    name: String,
    /// The version of the program.
    version: String,
    /// Callers need a credential.
    closed: bool,
    /// A provider is configured: tasks can be handed to agents.
    agents: bool,
    /// The day it is for everybody; null where the clock says it.
    #[schema(required = true)]
    today: Option<chrono::NaiveDate>,
    /// Owner of the credential; null where none was sent, none is needed, or it does not hold.
    #[schema(required = true)]
    caller: Option<Caller>,
}

/// Caller, as the credential says.
#[derive(ToSchema)]
struct Caller {
    /// The user; null for a credential that acts for everybody.
    #[schema(required = true)]
    user: Option<String>,
    /// `read`, `write` or `admin`.
    scope: String,
}
