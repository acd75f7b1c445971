//! Sessions and runs as they stand in the store.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::columns;
use crate::domain::{
    AgentHandle, ConversationId, ErrorType, Lang, Priority, ReportOutcome, Review, RunHandle,
    RunId, RunState, SessionId, TaskId, TurnId, UserId, Verification, words,
};

/// One agent's conversation. Its persona, provider and model were settled when it began and are
/// never settled again. Its fields have the order of the columns of a reading.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentSession {
    /// Its key; never shown.
    pub id: SessionId,
    /// User of the session.
    pub user_id: UserId,
    /// Its name.
    pub handle: AgentHandle,
    /// Its persona.
    pub persona: String,
    /// The agent spec that it was asked for by.
    pub spec: String,
    /// Id of the provider.
    pub provider: String,
    /// The provider's model.
    pub model: String,
    /// The conversation it was started from.
    #[serde(rename = "conversation_id")]
    pub conversation: Option<ConversationId>,
    /// The session that started it, when an agent did.
    #[serde(rename = "parent_id")]
    pub parent: Option<SessionId>,
    /// 1 for a session that the chat started, one more for each agent above it; at most 3.
    pub depth: u8,
    /// The directory it may work in.
    pub workspace_root: Option<String>,
    /// Runs it had, ended or not; the next round is one more.
    pub rounds: u32,
    /// Its run that has not ended, if there is one.
    #[serde(deserialize_with = "columns::number::optional")]
    pub live: Option<RunHandle>,
    /// Time at which it began.
    #[serde(serialize_with = "columns::stamped")]
    pub created_at: DateTime<Utc>,
    /// Time at which a run of it last began or ended.
    pub last_active_at: DateTime<Utc>,
}

/// Options for the work on a run; absent means unlimited, or the provider's own.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RunOptions {
    /// `delegate`, `search`, `run` or `generate`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub intent: Option<String>,
    /// 5 to 10 words for a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Files of the workspace that are meant.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files_include_glob: Vec<String>,
    /// Number of distinct files that may be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_files: Option<u32>,
    /// Soft limit, in ms from the start.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_budget_ms: Option<u64>,
    /// A short summary is wanted as well.
    pub summarize: bool,
    /// The words said before, as a quotation, when that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub context: Option<String>,
    /// Reason for this provider (`auto -> openai-dev (first healthy)`).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub notes: Option<String>,
    /// The language of the conversation that asked for it, in which the built-in worker reports.
    pub speech: Lang,
}

/// One round of work. Its fields have the order of the columns of a reading.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AgentRun {
    /// Its key; never shown.
    pub id: RunId,
    /// User of the run.
    pub user_id: UserId,
    /// Its name.
    #[serde(rename = "number", with = "columns::number")]
    pub handle: RunHandle,
    /// Its session.
    #[serde(rename = "session_id")]
    pub session: SessionId,
    /// The name of its session.
    pub agent: AgentHandle,
    /// The session's persona.
    pub persona: String,
    /// The session's provider.
    pub provider: String,
    /// The session's model.
    pub model: String,
    /// The directory the session may work in.
    pub workspace_root: Option<String>,
    /// Depth of the session: see [`AgentSession::depth`].
    pub depth: u8,
    /// The conversation it was delegated in.
    #[serde(rename = "conversation_id")]
    pub conversation: Option<ConversationId>,
    /// The turn that everything the run does is told under.
    #[serde(rename = "turn_id")]
    pub turn: TurnId,
    /// The task it works on.
    #[serde(rename = "task_id")]
    pub task: Option<TaskId>,
    /// The task's title when it was delegated.
    pub title: String,
    /// Counts the session's runs from 1.
    pub round: u32,
    /// Its state.
    pub state: RunState,
    /// Its place in the queue.
    #[serde(rename = "rank", with = "columns::rank")]
    pub priority: Priority,
    /// Set while it waits until the session's earlier rounds have ended.
    #[serde(with = "columns::flag")]
    pub queued: bool,
    /// The work it was told to do.
    pub prompt: String,
    /// The form the answer should have; JSON schema or prose.
    pub expected_response: Option<String>,
    /// Nobody waits for it.
    #[serde(with = "columns::flag")]
    pub background: bool,
    /// The model's id of the call that delegated it.
    pub tool_call_id: String,
    /// Options for the work on it.
    #[serde(with = "columns::text")]
    pub options: RunOptions,
    /// Number of times somebody began to work on it.
    pub attempt: u32,
    /// The process that works on it, or did.
    pub owner: Option<String>,
    /// Tool calls it made so far.
    pub calls: u32,
    /// Somebody asked it to stop.
    pub cancel_requested_at: Option<DateTime<Utc>>,
    /// Reason why it ended without a result.
    #[serde(with = "columns::optional_text")]
    pub fault: Option<RunFault>,
    /// Its cost.
    #[serde(with = "columns::optional_text")]
    pub metrics: Option<RunMetrics>,
    /// The user's judgement on it.
    pub review: Option<Review>,
    /// Time at which it was delegated.
    #[serde(serialize_with = "columns::stamped")]
    pub created_at: DateTime<Utc>,
    /// Time at which somebody first worked on it.
    pub started_at: Option<DateTime<Utc>>,
    /// Time at which it ended.
    pub ended_at: Option<DateTime<Utc>>,
    /// Its report.
    pub result: Option<RunResult>,
    /// The question it asks the user, while it waits for that.
    #[serde(skip)]
    pub question: Option<String>,
}

impl AgentRun {
    /// Tells whether somebody asked it to stop and it has not ended yet.
    pub const fn is_stopping(&self) -> bool {
        self.state.is_live() && self.cancel_requested_at.is_some()
    }

    /// Returns what a receipt says of it.
    pub fn facts(&self) -> RunFacts {
        RunFacts {
            run: self.handle,
            agent: self.agent.clone(),
            persona: self.persona.clone(),
            provider: self.provider.clone(),
            model: self.model.clone(),
            round: self.round,
            state: self.state,
            background: self.background,
            verification: self.result.as_ref().map(|result| result.verification),
        }
    }
}

/// Facts of a run for a receipt: nothing that is not a handle, a setting or a state.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunFacts {
    /// The run.
    pub run: RunHandle,
    /// Agent of the session.
    pub agent: AgentHandle,
    /// The session's persona.
    pub persona: String,
    /// The session's provider.
    pub provider: String,
    /// The session's model.
    pub model: String,
    /// Counts the session's runs from 1.
    pub round: u32,
    /// Its state once this was committed.
    pub state: RunState,
    /// Nobody waits for it.
    pub background: bool,
    /// Verification of its report, when there was one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verification: Option<Verification>,
}

/// Reason why a run ended without a result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunFault {
    /// Kind of the fault.
    #[serde(rename = "errorType")]
    pub error_type: ErrorType,
    /// For people, without a stack or a key.
    pub error: String,
    /// The words the agent said instead of reporting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unreported_output: Option<String>,
}

/// Cost of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct RunMetrics {
    /// Tokens read and written, as the provider counts them; 0 when it does not say.
    pub tokens_used: u64,
    /// Tool calls made.
    pub tool_calls: u32,
    /// Answers of the model.
    pub model_calls: u32,
    /// From its start to its end, in ms.
    pub duration_ms: u64,
}

/// Report of an agent; written once and never changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunResult {
    /// Outcome of the run, by the agent's word.
    pub outcome: ReportOutcome,
    /// Its report, 1 to 32 000 characters.
    #[serde(rename = "result_text")]
    pub text: String,
    /// The report as data, when it gave one.
    #[serde(rename = "result_json", with = "columns::optional_text")]
    pub json: Option<Value>,
    /// A short form of it, when one was wanted.
    pub summary: Option<String>,
    /// The numbers of the tool calls that it cites (`r3` is 3).
    #[serde(with = "columns::text")]
    pub evidence: Vec<u32>,
    /// Verification of the report against those calls.
    pub verification: Verification,
    /// SHA-256 (hex) of the text.
    pub sha256: String,
    /// Time at which it was written.
    #[serde(serialize_with = "columns::stamped")]
    pub created_at: DateTime<Utc>,
}

words! {
    /// Speaker of a line in an agent's conversation.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum AgentRole {
        /// The system prompt.
        System = "system",
        /// Party that delegates.
        User = "user",
        /// The agent's model.
        Assistant = "assistant",
        /// A tool's result.
        Tool = "tool",
    }
}

/// One line of an agent's conversation.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct AgentLine {
    /// Counts the session's lines from 1; what is handed in is ignored.
    pub seq: u32,
    /// In which run.
    #[serde(with = "columns::number")]
    pub run: RunHandle,
    /// Its speaker.
    pub role: AgentRole,
    /// Its words; empty for an answer of tool calls alone.
    pub content: String,
    /// The tool calls of an answer, as the model sent them.
    #[serde(with = "columns::optional_text")]
    pub tool_calls: Option<Value>,
    /// The call that a tool's result answers.
    pub tool_call_id: Option<String>,
}

/// A tool call that an agent makes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NewCall {
    /// The model's id of it.
    pub tool_call_id: String,
    /// The tool.
    pub name: String,
    /// The name it was called by.
    pub called_as: String,
    /// Its arguments as they came; none after an erasure.
    #[serde(default, deserialize_with = "super::run_event::said")]
    pub arguments: Value,
    /// `instance (model)` of the model that called it.
    pub provider_context: String,
}

/// A tool call of an agent, from its receipts in the log.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AgentCall {
    /// In which run.
    pub run: RunHandle,
    /// Counts the run's calls from 1: an agent cites it as `r3`.
    pub number: u32,
    /// Call as it was made.
    #[serde(flatten)]
    pub call: NewCall,
    /// True when it succeeded; none while it runs, or when it was cut off.
    pub ok: Option<bool>,
    /// The kind of fault, when it failed.
    pub error_type: Option<ErrorType>,
    /// Its result; none while it runs, and after an erasure.
    pub result: Value,
    /// Time at which it began.
    pub started_at: DateTime<Utc>,
    /// Time at which it ended.
    pub ended_at: Option<DateTime<Utc>>,
}

impl AgentCall {
    /// A call that has begun.
    pub(super) const fn begun(
        run: RunHandle,
        number: u32,
        call: NewCall,
        started_at: DateTime<Utc>,
    ) -> Self {
        Self {
            run,
            number,
            call,
            ok: None,
            error_type: None,
            result: Value::Null,
            started_at,
            ended_at: None,
        }
    }
}

/// Notice that a run has ended, to be told to the user until a turn has told it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct RunNotice {
    /// The run; there is one notice for each.
    pub run: RunId,
    /// The name of the run.
    #[serde(with = "columns::number")]
    pub handle: RunHandle,
    /// State in which it ended.
    pub state: RunState,
    /// In which conversation it was delegated.
    pub conversation: Option<ConversationId>,
    /// Time at which it ended.
    pub created_at: DateTime<Utc>,
    /// Time at which a turn that told it was committed.
    pub acknowledged_at: Option<DateTime<Utc>>,
}

/// State of a user's runs that a turn must know, as of one moment.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct KnownRuns {
    /// All runs that have not ended and the newest fifty that have, newest first.
    pub runs: Vec<AgentRun>,
    /// Number of runs in all.
    pub total: u64,
    /// Notices that nobody has told the user yet, oldest first.
    pub notices: Vec<RunNotice>,
    /// The number of the newest run; 0 when there is none.
    pub last_run: u32,
}

impl KnownRuns {
    /// The run that works on a task, if one does.
    pub fn live(&self, task: TaskId) -> Option<&AgentRun> {
        let live = |run: &&AgentRun| run.task == Some(task) && run.state.is_live();
        self.runs.iter().find(live)
    }

    /// The newest run of a task, ended or not.
    pub fn newest(&self, task: TaskId) -> Option<&AgentRun> {
        let newest = self.runs.iter().filter(|run| run.task == Some(task));
        newest.max_by_key(|run| run.handle)
    }

    /// The run of that key.
    pub fn run(&self, id: RunId) -> Option<&AgentRun> {
        self.runs.iter().find(|run| run.id == id)
    }

    /// The run of that handle.
    pub fn handle(&self, handle: RunHandle) -> Option<&AgentRun> {
        self.runs.iter().find(|run| run.handle == handle)
    }
}
