//! Shapes of answers about delegation.
#![expect(dead_code, reason = "shapes are described and never made")]

use serde_json::Value;
use utoipa::ToSchema;

use crate::http::delegation::view::RunView;

/// Runs, newest first.
#[derive(ToSchema)]
pub(in crate::http) struct Delegations {
    delegations: Vec<RunView<'static>>,
    /// Number of runs that match.
    matched: u64,
    /// Number of them that are not here.
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
    /// Handle that an agent cites it by, such as `r3`.
    #[schema(value_type = String, required = false)]
    receipt: Option<String>,
}

/// Lines of a session.
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

/// Agents that may be given work.
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
