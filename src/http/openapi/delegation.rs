//! Delegation, described: its operations, and the shapes of what they answer. Without a provider
//! in `candor.toml` each of them is 404.
#![expect(dead_code, reason = "shapes are described and never made")]

use serde_json::Value;
use utoipa::openapi::path::HttpMethod;
use utoipa::openapi::schema::Type;
use utoipa::openapi::{KnownFormat, Object};
use utoipa::{OpenApi, ToSchema};

use super::limits::{agent, anything, number, run, uuid};
use super::operation::{Good, Operation, Reach};
use super::paths::{get, operation, post, with};
use crate::domain::RunState;
use crate::http::code::Code;
use crate::http::delegation::body::{AnswerBody, CleanupBody, HandoverBody, ReasonBody};

/// What every one of them can also answer.
const HERE: &[Code] = &[Code::NotFound, Code::UnknownDelegation];
const QUERY: &[Code] = &[Code::NotFound, Code::UnknownDelegation, Code::BadQuery];
const RUN: &[Code] = &[
    Code::NotFound,
    Code::UnknownDelegation,
    Code::InvalidDelegation,
    Code::NotPermitted,
    Code::ProviderUnavailable,
    Code::Conflict,
];

pub(super) fn all() -> Vec<Operation> {
    let mut all = runs();
    all.extend(sessions());
    all.extend(rest());
    all
}

fn runs() -> Vec<Operation> {
    let state = crate::chat::schema::words("Only these.", RunState::ALL.map(RunState::as_str));
    let mut cancel = operation(
        post("/api/{user_id}/delegations/{handle}/cancel"),
        (
            "cancel_delegation",
            "Stops a run, and says so once it has stopped.",
        ),
        Reach::Change(Some("ReasonBody")),
        Good::Json(200, "Run"),
        RUN,
    );
    cancel.body_optional = true;
    let review = |path, words| {
        operation(
            post(path),
            words,
            Reach::Change(None),
            Good::Json(200, "Run"),
            RUN,
        )
    };
    vec![
        operation(
            post("/api/{user_id}/tasks/{task_id}/delegate"),
            ("delegate", "Gives a task to an agent."),
            Reach::Write(Some("HandoverBody")),
            Good::Json(202, "Run"),
            &[
                Code::BadId,
                Code::NotFound,
                Code::UnknownDelegation,
                Code::UnknownTask,
                Code::InvalidDelegation,
                Code::NotPermitted,
                Code::ProviderUnavailable,
            ],
        ),
        with(
            operation(
                get("/api/{user_id}/delegations"),
                (
                    "delegations",
                    "Runs, newest first, and how many there are besides.",
                ),
                Reach::Read,
                Good::Json(200, "Delegations"),
                QUERY,
            ),
            vec![
                ("state", false, state, "Only these."),
                ("persona", false, anything(), "Only this persona's."),
                ("task", false, uuid(), "Only those of a task."),
                (
                    "agent",
                    false,
                    agent(),
                    "Only those of an agent, such as agent-abc123.",
                ),
                (
                    "limit",
                    false,
                    number(1, Some(100)),
                    "At most so many; 20 when nothing is said.",
                ),
                ("cursor", false, run(), "The next_cursor of a page."),
            ],
        ),
        with(
            operation(
                get("/api/{user_id}/delegations/{handle}"),
                (
                    "delegation",
                    "A run (of an agent: its newest), its calls and its notes.",
                ),
                Reach::Read,
                Good::Json(200, "Run"),
                QUERY,
            ),
            vec![(
                "wait_ms",
                false,
                number(0, Some(i64::MAX)),
                "Answers once it has ended, or after so long; at most 60000 are waited.",
            )],
        ),
        cancel,
        operation(
            post("/api/{user_id}/delegations/{handle}/answer"),
            (
                "answer_delegation",
                "Answers what the agent asked: its run goes on.",
            ),
            Reach::Change(Some("AnswerBody")),
            Good::Json(200, "Run"),
            RUN,
        ),
        review(
            "/api/{user_id}/delegations/{handle}/accept",
            ("accept_delegation", "The report is good: the task is done."),
        ),
        review(
            "/api/{user_id}/delegations/{handle}/reject",
            ("reject_delegation", "The report is not what was wanted."),
        ),
    ]
}

fn sessions() -> Vec<Operation> {
    const ONE: &str = "/api/{user_id}/sessions/{agent}";
    let force = Object::with_type(Type::Boolean);
    vec![
        operation(
            get(ONE),
            ("session", "An agent's session and its newest runs."),
            Reach::Read,
            Good::Json(200, "Session"),
            HERE,
        ),
        with(
            operation(
                (HttpMethod::Delete, ONE),
                (
                    "delete_session",
                    "Removes a session; what proves a completed task stays.",
                ),
                Reach::Change(None),
                Good::Empty(204),
                QUERY,
            ),
            vec![("force", false, force, "Stops it first while it works.")],
        ),
        with(
            operation(
                get("/api/{user_id}/sessions/{agent}/transcript"),
                ("transcript", "What was said in a session, oldest first."),
                Reach::Read,
                Good::Json(200, "Transcript"),
                QUERY,
            ),
            vec![
                (
                    "after",
                    false,
                    number(0, Some(i64::from(u32::MAX))),
                    "Only lines after this seq.",
                ),
                (
                    "limit",
                    false,
                    number(1, Some(1_000)),
                    "At most so many; 200 when nothing is said.",
                ),
            ],
        ),
    ]
}

fn rest() -> Vec<Operation> {
    let read = |path, words, good| operation(get(path), words, Reach::Read, good, HERE);
    vec![
        read(
            "/api/{user_id}/tool-calls/{tool_call_id}",
            (
                "tool_call",
                "The newest tool call of an id: arguments and result.",
            ),
            Good::Json(200, "AgentCall"),
        ),
        read(
            "/api/{user_id}/agents",
            (
                "agents",
                "Who may be given work, and the providers that do it.",
            ),
            Good::Json(200, "Agents"),
        ),
        read(
            "/api/{user_id}/metrics/tools",
            (
                "tool_metrics",
                "How often each tool was called, and with which faults.",
            ),
            Good::Json(200, "ToolMetrics"),
        ),
        operation(
            post("/api/{user_id}/admin/cleanup"),
            (
                "cleanup",
                "Removes sessions that ended longer ago; of this user alone.",
            ),
            Reach::Change(Some("CleanupBody")),
            Good::Json(200, "Cleaned"),
            HERE,
        ),
    ]
}

/// Every schema that has a name.
#[derive(OpenApi)]
#[openapi(components(schemas(
    HandoverBody,
    ReasonBody,
    AnswerBody,
    CleanupBody,
    Delegations,
    Session,
    Transcript,
    AgentCall,
    Agents,
    ToolMetrics,
    Cleaned
)))]
pub(super) struct Schemas;

fn state() -> Object {
    crate::chat::schema::words("How far it is.", RunState::ALL.map(RunState::as_str))
}

fn moment() -> Object {
    let mut at = anything();
    at.format = Some(utoipa::openapi::SchemaFormat::KnownFormat(
        KnownFormat::DateTime,
    ));
    at
}

/// A run of an agent.
#[derive(ToSchema)]
struct Run {
    /// Such as `run-7`.
    run: String,
    /// Such as `agent-abc123`.
    agent_id: String,
    persona: String,
    provider: String,
    model: String,
    #[schema(value_type = Option<String>, format = Uuid)]
    task_id: Option<String>,
    title: String,
    round: u32,
    #[schema(schema_with = state)]
    state: String,
    background: bool,
    #[schema(schema_with = crate::chat::schema::priority)]
    priority: String,
    prompt: String,
    expected_response: Option<String>,
    description: Option<String>,
    notes: Option<String>,
    stopping: bool,
    tool_calls: u32,
    attempt: u32,
    /// What it asks the user, while it waits for that.
    question: Option<String>,
    /// What it reported: a quotation, with what was checked of it.
    result: Value,
    /// What went wrong.
    error: Value,
    /// What it cost.
    metrics: Value,
    review: Option<String>,
    #[schema(schema_with = moment)]
    created_at: String,
    started_at: Option<String>,
    ended_at: Option<String>,
    #[schema(value_type = Vec<AgentCall>, required = false)]
    calls: Option<Vec<AgentCall>>,
    #[schema(value_type = Vec<String>, required = false)]
    run_notes: Option<Vec<String>>,
    /// It was waited for, and had not ended.
    #[schema(value_type = bool, required = false)]
    timed_out: Option<bool>,
}

/// Runs, newest first.
#[derive(ToSchema)]
struct Delegations {
    delegations: Vec<Run>,
    /// How many match.
    matched: u64,
    /// How many of them are not here.
    withheld: u64,
    next_cursor: Option<String>,
}

/// A tool call: of an agent with its run, of the chat's model with its turn.
#[derive(ToSchema)]
struct AgentCall {
    #[schema(value_type = String, required = false)]
    run: Option<String>,
    #[schema(value_type = u32, required = false)]
    number: Option<u32>,
    tool_call_id: String,
    name: String,
    called_as: Option<String>,
    arguments: Value,
    ok: Option<bool>,
    #[schema(required = false)]
    outcome: Value,
    error_type: Option<String>,
    result: Value,
    #[schema(value_type = String, required = false)]
    provider_context: Option<String>,
    #[schema(value_type = Option<String>, format = Uuid)]
    turn_id: Option<String>,
    #[schema(value_type = String, required = false)]
    started_at: Option<String>,
    ended_at: Option<String>,
    /// What an agent cites it as, such as `r3`.
    #[schema(value_type = String, required = false)]
    receipt: Option<String>,
}

/// An agent's session.
#[derive(ToSchema)]
struct Session {
    agent_id: String,
    persona: String,
    spec: String,
    provider: String,
    model: String,
    #[schema(value_type = Option<String>, format = Uuid)]
    conversation_id: Option<String>,
    depth: u8,
    workspace_root: Option<String>,
    rounds: u32,
    live: Option<String>,
    #[schema(schema_with = moment)]
    created_at: String,
    #[schema(schema_with = moment)]
    last_active_at: String,
    runs: Vec<Run>,
    withheld: u64,
}

/// What was said in a session.
#[derive(ToSchema)]
struct Transcript {
    agent_id: String,
    messages: Vec<TranscriptLine>,
}

/// One line of a session.
#[derive(ToSchema)]
struct TranscriptLine {
    seq: u32,
    run: String,
    role: String,
    content: Value,
    #[schema(required = false)]
    tool_calls: Value,
    #[schema(value_type = String, required = false)]
    tool_call_id: Option<String>,
}

/// Who may be given work.
#[derive(ToSchema)]
struct Agents {
    agents: Vec<Value>,
    default: Option<String>,
    providers: Vec<Value>,
}

/// Tools by their names.
#[derive(ToSchema)]
struct ToolMetrics {
    tools: Value,
}

/// What a clean-up removed, and what it kept.
#[derive(ToSchema)]
struct Cleaned {
    sessions: u64,
    runs: u64,
    lines: u64,
    kept: u64,
}
