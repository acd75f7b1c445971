//! Shapes of answers about delegation.
#![expect(dead_code, reason = "shapes are described and never made")]

use serde_json::Value;
use utoipa::ToSchema;
use utoipa::openapi::{KnownFormat, Object};

use super::super::limits::anything;
use crate::domain::RunState;

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
pub(in crate::http) struct Run {
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
pub(in crate::http) struct Delegations {
    delegations: Vec<Run>,
    /// How many match.
    matched: u64,
    /// How many of them are not here.
    withheld: u64,
    next_cursor: Option<String>,
}

/// A tool call: of an agent with its run, of the chat's model with its turn.
#[derive(ToSchema)]
pub(in crate::http) struct AgentCall {
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
pub(in crate::http) struct Session {
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
pub(in crate::http) struct Transcript {
    agent_id: String,
    messages: Vec<TranscriptLine>,
}

/// One line of a session.
#[derive(ToSchema)]
pub(in crate::http) struct TranscriptLine {
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
pub(in crate::http) struct Agents {
    agents: Vec<Value>,
    default: Option<String>,
    providers: Vec<Value>,
}

/// Tools by their names.
#[derive(ToSchema)]
pub(in crate::http) struct ToolMetrics {
    tools: Value,
}

/// What a clean-up removed, and what it kept.
#[derive(ToSchema)]
pub(in crate::http) struct Cleaned {
    sessions: u64,
    runs: u64,
    lines: u64,
    kept: u64,
}
