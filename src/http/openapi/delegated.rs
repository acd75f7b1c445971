//! Operations about delegation, and the shapes of their answers. They are there in every build
//! with delegation; without a configured provider each answers 404.
#![expect(dead_code, reason = "shapes are described and never made")]

use chrono::{DateTime, Utc};
use serde_json::Value;
use utoipa::openapi::path::HttpMethod;
use utoipa::{OpenApi, ToSchema};

use super::limits::{anything, number, uuid};
use super::operation::{Good, Operation, Reach};
use super::paths::{get, operation, post, with};
use crate::domain::RunState;
use crate::http::code::Code;

/// What every one of them can answer: there is no provider, or no such run.
const GONE: &[Code] = &[Code::NotFound, Code::UnknownDelegation];

/// The operations.
pub(super) fn all() -> Vec<Operation> {
    let mut all = runs();
    all.extend(sessions());
    all.extend(views());
    all
}

fn runs() -> Vec<Operation> {
    const ONE: &str = "/api/{user_id}/delegations/{handle}";
    let states = RunState::ALL.map(RunState::as_str);
    let states = crate::chat::schema::words("Only these.", states);
    let change = |path, words| operation(post(path), words, Reach::Write(None), RUN, GONE);
    vec![
        operation(
            post("/api/{user_id}/tasks/{task_id}/delegate"),
            (
                "delegate_task",
                "Hands a task to an agent, without a model's say.",
            ),
            Reach::Write(Some("Handover")),
            Good::Json(202, "Run"),
            &[
                Code::NotFound,
                Code::BadId,
                Code::UnknownTask,
                Code::UnknownDelegation,
                Code::NotPermitted,
                Code::InvalidDelegation,
                Code::ProviderUnavailable,
            ],
        ),
        with(
            operation(
                get("/api/{user_id}/delegations"),
                ("delegations", "Runs, the newest first."),
                Reach::Read,
                Good::Json(200, "Runs"),
                &[Code::NotFound, Code::BadQuery],
            ),
            vec![
                ("state", false, states, "Only these."),
                ("persona", false, anything(), "Only of agents like this."),
                ("task", false, uuid(), "Only those on a task."),
                (
                    "agent",
                    false,
                    super::limits::agent(),
                    "Only of this session.",
                ),
                ("limit", false, number(1, Some(100)), "How long a page is."),
                (
                    "cursor",
                    false,
                    super::limits::run(),
                    "The next_cursor of a page.",
                ),
            ],
        ),
        with(
            operation(
                get(ONE),
                (
                    "delegation",
                    "A run with its calls and notes; of an agent: its newest.",
                ),
                Reach::Read,
                RUN,
                &[Code::NotFound, Code::UnknownDelegation, Code::BadQuery],
            ),
            vec![(
                "wait_ms",
                false,
                number(0, Some(i64::MAX)),
                "Answers once it has ended or this is over; more than a minute is a minute.",
            )],
        ),
        operation(
            post("/api/{user_id}/delegations/{handle}/cancel"),
            (
                "cancel_delegation",
                "Stops a run; says so only once it has stopped.",
            ),
            Reach::Write(None),
            RUN,
            &[
                Code::NotFound,
                Code::UnknownDelegation,
                Code::BadJson,
                Code::WrongMediaType,
                Code::InvalidBody,
            ],
        ),
        change(
            "/api/{user_id}/delegations/{handle}/accept",
            (
                "accept_report",
                "The report is good: under the policy accepted, the task is done.",
            ),
        ),
        change(
            "/api/{user_id}/delegations/{handle}/reject",
            ("reject_report", "The report is not what was wanted."),
        ),
    ]
}

fn sessions() -> Vec<Operation> {
    const ONE: &str = "/api/{user_id}/sessions/{agent}";
    let flag = utoipa::openapi::Object::with_type(utoipa::openapi::Type::Boolean);
    vec![
        operation(
            get(ONE),
            ("session", "An agent's session and its runs."),
            Reach::Read,
            Good::Json(200, "Session"),
            GONE,
        ),
        with(
            operation(
                (HttpMethod::Delete, ONE),
                (
                    "delete_session",
                    "Removes a session; what proves a done task stays. Twice is as good as once.",
                ),
                Reach::Write(None),
                Good::Empty(204),
                &[Code::NotFound, Code::BadQuery],
            ),
            vec![(
                "force",
                false,
                flag,
                "true: one that works is stopped first.",
            )],
        ),
        with(
            operation(
                get("/api/{user_id}/sessions/{agent}/transcript"),
                (
                    "transcript",
                    "What was said in a session, the oldest first.",
                ),
                Reach::Read,
                Good::Json(200, "Transcript"),
                &[Code::NotFound, Code::UnknownDelegation, Code::BadQuery],
            ),
            vec![
                (
                    "after",
                    false,
                    number(0, Some(i64::from(u32::MAX))),
                    "Only lines after this one.",
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

fn views() -> Vec<Operation> {
    let flag = utoipa::openapi::Object::with_type(utoipa::openapi::Type::Boolean);
    let acp = crate::chat::schema::words("How events are written.", ["acp"]);
    vec![
        operation(
            get("/api/{user_id}/tool-calls/{tool_call_id}"),
            (
                "tool_call",
                "Arguments and result of the newest tool call of that id.",
            ),
            Reach::Read,
            Good::Json(200, "InspectedCall"),
            GONE,
        ),
        with(
            operation(
                get("/api/{user_id}/events"),
                (
                    "events",
                    "Runs and tool calls as they happen; Last-Event-ID goes on where it was.",
                ),
                Reach::Read,
                Good::Media(200, "text/event-stream"),
                &[Code::NotFound, Code::BadQuery, Code::BadHeader],
            ),
            vec![
                (
                    "after",
                    false,
                    number(0, Some(i64::MAX)),
                    "Only events after this one; Last-Event-ID goes before it.",
                ),
                (
                    "view",
                    false,
                    acp,
                    "acp: as notifications of the Agent Client Protocol.",
                ),
                (
                    "follow",
                    false,
                    flag,
                    "false: ends with the last event there is.",
                ),
            ],
        ),
        operation(
            get("/api/{user_id}/agents"),
            ("agents", "Who can be given work, and who does it."),
            Reach::Read,
            Good::Json(200, "Agents"),
            &[Code::NotFound],
        ),
        operation(
            get("/api/{user_id}/metrics/tools"),
            (
                "tool_metrics",
                "How often each tool was called, with which faults and by which names.",
            ),
            Reach::Read,
            Good::Json(200, "ToolMetrics"),
            &[Code::NotFound],
        ),
        operation(
            post("/api/{user_id}/admin/cleanup"),
            (
                "cleanup",
                "Removes one's own sessions that ended longer ago.",
            ),
            Reach::Write(Some("Cleanup")),
            Good::Json(200, "Cleaned"),
            &[Code::NotFound],
        ),
    ]
}

const RUN: Good = Good::Json(200, "Run");

/// The schemas named above.
#[derive(OpenApi)]
#[openapi(components(schemas(
    Handover,
    Run,
    Runs,
    Session,
    Transcript,
    InspectedCall,
    Agents,
    ToolMetrics,
    Cleanup,
    Cleaned
)))]
pub(super) struct Schemas;

/// How a task is handed over; all of it may be left out.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
struct Handover {
    /// An agent specification such as `new:researcher;fast`.
    assign_to: Option<String>,
    /// `auto`, `codex`, `gptoss`, `local_fm` or `custom:<id>`.
    provider: Option<String>,
    /// A session (`agent-abc123`) or run (`run-7`) to go on with.
    resume: Option<String>,
    /// What is to be done; the task's title and note when nothing is said.
    #[schema(max_length = 20_000)]
    prompt: Option<String>,
    /// What the report should look like; a JSON schema is checked.
    #[schema(max_length = 20_000)]
    expected_response: Option<String>,
    #[schema(value_type = bool, required = false)]
    run_in_background: Option<bool>,
    description: Option<String>,
    /// A folder within the workspaces of `candor.toml`.
    workspace_root: Option<String>,
    #[schema(value_type = Vec<String>, max_items = 50, required = false)]
    files_include_glob: Option<Vec<String>>,
    #[schema(minimum = 1)]
    max_files: Option<u32>,
    #[schema(minimum = 1)]
    time_budget_ms: Option<u64>,
    #[schema(value_type = bool, required = false)]
    summarize: Option<bool>,
}

/// A run: one round of an agent's work.
#[derive(ToSchema)]
struct Run {
    #[schema(schema_with = super::limits::run)]
    run: String,
    #[schema(schema_with = super::limits::agent)]
    agent_id: String,
    persona: String,
    provider: String,
    model: String,
    #[schema(value_type = Option<String>, format = Uuid)]
    task_id: Option<String>,
    title: String,
    #[schema(minimum = 1)]
    round: u32,
    #[schema(schema_with = crate::chat::schema::run_state)]
    state: String,
    background: bool,
    priority: String,
    prompt: String,
    expected_response: Option<String>,
    description: Option<String>,
    /// Why this provider was taken.
    notes: Option<String>,
    /// It was asked to stop.
    stopping: bool,
    tool_calls: u32,
    /// How often somebody began to work on it.
    attempt: u32,
    /// What the agent reported; null until then.
    result: Value,
    /// Why it ended without a result.
    error: Value,
    metrics: Value,
    /// What the user said of the report.
    review: Option<String>,
    created_at: DateTime<Utc>,
    started_at: Option<DateTime<Utc>>,
    ended_at: Option<DateTime<Utc>>,
    /// Its tool calls, where one run is asked for.
    #[schema(value_type = Vec<Value>, required = false)]
    calls: Option<Vec<Value>>,
    /// What the agent noted on the way, where one run is asked for.
    #[schema(value_type = Vec<String>, required = false)]
    run_notes: Option<Vec<String>>,
    /// A wait ran out: neither a failure nor a success.
    #[schema(value_type = bool, required = false)]
    timed_out: Option<bool>,
}

/// A page of runs.
#[derive(ToSchema)]
struct Runs {
    delegations: Vec<Run>,
    /// How many match in all.
    matched: u64,
    /// How many of them are not on this page or an earlier one.
    withheld: u64,
    /// What `cursor` of the next page is; null: this is the last.
    next_cursor: Option<String>,
}

/// An agent's session.
#[derive(ToSchema)]
struct Session {
    #[schema(schema_with = super::limits::agent)]
    agent_id: String,
    persona: String,
    spec: String,
    provider: String,
    model: String,
    #[schema(value_type = Option<String>, format = Uuid)]
    conversation_id: Option<String>,
    depth: u32,
    workspace_root: Option<String>,
    rounds: u32,
    /// The run that is not over.
    live: Option<String>,
    created_at: DateTime<Utc>,
    last_active_at: DateTime<Utc>,
    /// Its newest runs.
    runs: Vec<Run>,
    withheld: u64,
}

/// What was said in a session.
#[derive(ToSchema)]
struct Transcript {
    #[schema(schema_with = super::limits::agent)]
    agent_id: String,
    messages: Vec<TranscriptLine>,
}

/// A line of a session.
#[derive(ToSchema)]
struct TranscriptLine {
    seq: u32,
    run: Option<String>,
    /// `system`, `user`, `assistant` or `tool`.
    role: String,
    content: String,
    #[schema(value_type = Value, required = false)]
    tool_calls: Option<Value>,
    #[schema(value_type = String, required = false)]
    tool_call_id: Option<String>,
}

/// A tool call with its arguments and its result.
#[derive(ToSchema)]
struct InspectedCall {
    tool_call_id: String,
    name: String,
    /// The name it was called by.
    called_as: Value,
    arguments: Value,
    /// How it ended; null while it runs.
    ok: Option<bool>,
    result: Value,
}

/// Who can be given work.
#[derive(ToSchema)]
struct Agents {
    agents: Vec<Persona>,
    /// Who gets what names nobody.
    default: String,
    providers: Vec<Provider>,
}

/// A kind of agent.
#[derive(ToSchema)]
struct Persona {
    id: String,
    description: String,
    tools: Vec<String>,
    max_turns: u32,
    timeout_ms: u64,
    not_for: Vec<String>,
}

/// A provider as it stands.
#[derive(ToSchema)]
struct Provider {
    id: String,
    kind: String,
    models: Vec<String>,
    enabled: bool,
    healthy: bool,
    /// How many more runs it takes; null: no bound.
    free: Option<u64>,
}

/// Counts by tool.
#[derive(ToSchema)]
struct ToolMetrics {
    /// By the tool's name: `calls`, `ok`, `by_error_type`, `aliases` and `suggested`.
    tools: std::collections::BTreeMap<String, Value>,
}

/// What may go.
#[derive(ToSchema)]
#[serde(deny_unknown_fields)]
struct Cleanup {
    /// Sessions whose last run ended longer ago than this.
    #[schema(minimum = 0)]
    max_age_ms: u64,
}

/// What went, and what stayed as proof.
#[derive(ToSchema)]
struct Cleaned {
    sessions: u64,
    runs: u64,
    /// Lines of conversations.
    lines: u64,
    /// Runs that stay, without their lines.
    kept: u64,
}
