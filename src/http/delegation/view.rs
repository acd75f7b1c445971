//! Runs, sessions and calls as clients see them: handles, and of UUIDs the task's alone.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use utoipa::openapi::Object;

use crate::chat::schema;
use crate::delegation::{Persona, ProviderStatus};
use crate::domain::{AgentHandle, Priority, Review, RunHandle, RunState, TaskId, put_member};
use crate::http::openapi::shapes::delegation as shapes;
use crate::store::{AgentCall, AgentLine, AgentRun, AgentSession, RunFault, RunMetrics, RunPage};

/// A run of an agent.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Run)]
pub(in crate::http) struct RunView<'a> {
    /// Such as `run-7`.
    #[schema(value_type = String)]
    run: RunHandle,
    /// Such as `agent-abc123`.
    #[schema(value_type = String)]
    agent_id: &'a AgentHandle,
    persona: &'a str,
    provider: &'a str,
    model: &'a str,
    #[schema(value_type = Option<String>, format = Uuid)]
    task_id: Option<TaskId>,
    title: &'a str,
    round: u32,
    #[schema(schema_with = state)]
    state: RunState,
    background: bool,
    #[schema(schema_with = schema::priority)]
    priority: Priority,
    prompt: &'a str,
    expected_response: Option<&'a str>,
    description: Option<&'a str>,
    notes: Option<&'a str>,
    stopping: bool,
    tool_calls: u32,
    attempt: u32,
    /// Question to the user, while it waits for the answer.
    question: Option<&'a str>,
    /// Report: a quotation, with what was checked of it.
    #[schema(value_type = Value)]
    result: Option<Value>,
    /// Fault that it ended with.
    #[schema(value_type = Value)]
    error: Option<&'a RunFault>,
    /// Cost of the run.
    #[schema(value_type = Value)]
    metrics: Option<RunMetrics>,
    #[schema(value_type = Option<String>)]
    review: Option<Review>,
    created_at: DateTime<Utc>,
    started_at: Option<DateTime<Utc>>,
    ended_at: Option<DateTime<Utc>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<shapes::AgentCall>, required = false)]
    pub(super) calls: Option<Vec<Value>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Vec<String>, required = false)]
    pub(super) run_notes: Option<Vec<String>>,
    /// True when it was waited for, and had not ended.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = bool, required = false)]
    pub(super) timed_out: Option<bool>,
}

fn state() -> Object {
    schema::words("How far it is.", RunState::ALL.map(RunState::as_str))
}

impl<'a> From<&'a AgentRun> for RunView<'a> {
    fn from(run: &'a AgentRun) -> Self {
        let result = run.result.as_ref().map(|result| {
            let cited = result.evidence.iter().map(|number| format!("r{number}"));
            json!({
                "outcome": result.outcome,
                "text": result.text,
                "json": result.json,
                "summary": result.summary,
                "evidence": cited.collect::<Vec<_>>(),
                "verification": result.verification,
                "sha256": result.sha256,
                "created_at": result.created_at,
            })
        });
        Self {
            run: run.handle,
            agent_id: &run.agent,
            persona: &run.persona,
            provider: &run.provider,
            model: &run.model,
            task_id: run.task,
            title: &run.title,
            round: run.round,
            state: run.state,
            background: run.background,
            priority: run.priority,
            prompt: &run.prompt,
            expected_response: run.expected_response.as_deref(),
            description: run.options.description.as_deref(),
            notes: run.options.notes.as_deref(),
            stopping: run.is_stopping(),
            tool_calls: run.calls,
            attempt: run.attempt,
            question: run.question.as_deref(),
            result,
            error: run.fault.as_ref(),
            metrics: run.metrics,
            review: run.review,
            created_at: run.created_at,
            started_at: run.started_at,
            ended_at: run.ended_at,
            calls: None,
            run_notes: None,
            timed_out: None,
        }
    }
}

/// An agent's session.
#[derive(Debug, Serialize, ToSchema)]
pub(super) struct Session<'a> {
    #[schema(value_type = String)]
    agent_id: &'a AgentHandle,
    persona: &'a str,
    spec: &'a str,
    provider: &'a str,
    model: &'a str,
    #[schema(value_type = Option<String>, format = Uuid)]
    conversation_id: Option<crate::domain::ConversationId>,
    depth: u8,
    workspace_root: Option<&'a str>,
    rounds: u32,
    #[schema(value_type = Option<String>)]
    live: Option<RunHandle>,
    created_at: DateTime<Utc>,
    last_active_at: DateTime<Utc>,
    runs: Vec<RunView<'a>>,
    withheld: u64,
}

impl<'a> Session<'a> {
    /// The session of an agent with its newest runs.
    pub(super) fn of(agent: &'a AgentSession, page: &'a RunPage) -> Self {
        Self {
            agent_id: &agent.handle,
            persona: &agent.persona,
            spec: &agent.spec,
            provider: &agent.provider,
            model: &agent.model,
            conversation_id: agent.conversation,
            depth: agent.depth,
            workspace_root: agent.workspace_root.as_deref(),
            rounds: agent.rounds,
            live: agent.live,
            created_at: agent.created_at,
            last_active_at: agent.last_active_at,
            runs: page.runs.iter().map(RunView::from).collect(),
            withheld: page.withheld(),
        }
    }
}

/// A line of a transcript.
pub(super) fn line(line: &AgentLine) -> Value {
    let mut view = json!({
        "seq": line.seq,
        "run": line.run,
        "role": line.role,
        "content": line.content,
    });
    if let Some(calls) = &line.tool_calls {
        put_member(&mut view, "tool_calls", calls.clone());
    }
    if let Some(id) = &line.tool_call_id {
        put_member(&mut view, "tool_call_id", id.as_str());
    }
    view
}

/// A tool call with its arguments and its result.
pub(super) fn call(call: &AgentCall) -> Value {
    let mut view = json!(call);
    put_member(&mut view, "receipt", format!("r{}", call.number));
    view
}

/// A persona.
pub(super) fn persona(persona: &Persona) -> Value {
    json!({
        "id": persona.name,
        "description": persona.description,
        "tools": persona.tools,
        "max_turns": persona.max_turns,
        "timeout_ms": persona.timeout_ms,
        "not_for": persona.not_for,
    })
}

/// A provider as it stands.
pub(super) fn provider(provider: &ProviderStatus) -> Value {
    json!({
        "id": provider.id,
        "kind": provider.kind.as_str(),
        "models": provider.models,
        "enabled": provider.enabled,
        "healthy": provider.healthy,
        "free": provider.free,
    })
}
