//! Shapes of the chat API (CONTRACT §2), as they stand on the wire.

use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::schema;
use crate::domain::{
    Action, AgentHandle, ConversationId, Priority, QuestionId, ReceiptId, Reminder, ReminderId,
    ReminderState, RunHandle, RunState, Task, TaskId, TurnId, UserId, Verification,
};
use crate::formats::{self, Format};
use crate::store::StoredMessage;

/// `POST /api/{user_id}/chat`.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ChatRequest {
    /// 1..5000 characters; may be left out when `answer` is given.
    #[serde(default)]
    #[schema(min_length = 1, max_length = 5000, pattern = r"^[^\u0000]*$")]
    pub message: Option<String>,
    /// Goes on with this conversation; none begins one.
    #[serde(default)]
    #[schema(value_type = Option<String>, format = Uuid)]
    pub conversation_id: Option<ConversationId>,
    /// The answer to a pending question, by a button.
    #[serde(default)]
    pub answer: Option<AnswerChoice>,
    /// Language of the reply, such as `de` or `pt-BR`; an unknown one is none, and the words tell it.
    #[serde(default)]
    #[schema(schema_with = super::schema::language_hint, required = false)]
    pub language_hint: Option<String>,
    /// IANA zone that "today" is read in.
    #[serde(default)]
    #[schema(example = "Asia/Karachi")]
    pub timezone: Option<String>,
}

/// A choice among a question's options.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerChoice {
    /// The question's id.
    #[schema(value_type = String, format = Uuid)]
    pub id: QuestionId,
    /// The option's id.
    pub value: String,
}

pub use crate::guard::Kind;

/// The answer to a chat request.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ChatReply {
    /// The conversation.
    #[schema(value_type = String, format = Uuid)]
    pub conversation_id: ConversationId,
    /// This turn.
    #[schema(value_type = String, format = Uuid)]
    pub turn_id: TurnId,
    /// Kind of the reply.
    #[schema(schema_with = schema::kind)]
    pub kind: Kind,
    /// The reply. Never contains a UUID.
    pub assistant_message: String,
    /// Every dispatched call, in order.
    pub tool_calls: Vec<ToolCall>,
    /// The last receipt of the turn, or null.
    pub action_metadata: Option<ActionMetadata>,
    /// Every receipt of the turn, in order.
    pub actions: Vec<ActionMetadata>,
    /// Question that waits for an answer.
    pub question: Option<QuestionView>,
    /// Fault of the turn; may stand beside receipts.
    pub error: Option<ChatFault>,
    /// The newest 20 messages, oldest first.
    #[schema(schema_with = schema::messages)]
    pub messages: Vec<StoredMessage>,
    /// Facts about how it was made.
    pub execution_metadata: ExecutionMetadata,
}

/// The answer to the undo of a receipt.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct Undone {
    /// This turn.
    #[schema(value_type = String, format = Uuid)]
    pub turn_id: TurnId,
    /// Kind of the reply.
    #[schema(schema_with = schema::kind)]
    pub kind: Kind,
    /// The reply.
    pub assistant_message: String,
    /// Change that was taken back.
    #[schema(value_type = ActionMetadata)]
    pub action_metadata: Option<ActionMetadata>,
    /// Every receipt of the turn, in order.
    pub actions: Vec<ActionMetadata>,
}

/// A dispatched call.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ToolCall {
    /// The model's id for it.
    pub id: String,
    /// The tool.
    pub name: String,
    /// Its arguments, as the model wrote them.
    pub arguments: Value,
    /// False: it ran and failed.
    pub success: bool,
}

/// One receipt, for a frontend (FR-004).
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ActionMetadata {
    /// Action that happened.
    #[schema(schema_with = schema::action)]
    pub action: Action,
    /// Always true: without a receipt there is no metadata.
    pub success: bool,
    /// The task; null for a read.
    #[schema(value_type = Option<String>, format = Uuid)]
    pub task_id: Option<TaskId>,
    /// Its title; null for a read.
    pub task_title: Option<String>,
    /// The sentence rendered from the receipt.
    pub message: String,
    /// The receipt.
    #[schema(value_type = String, format = Uuid)]
    pub receipt_id: ReceiptId,
    /// The row after; null when gone and for a read.
    pub task: Option<TaskView>,
    /// Run that it is about, when it is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delegation: Option<DelegationView>,
}

/// A run, as a receipt tells of it.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct DelegationView {
    /// Agent of the session: `agent-abc123`.
    #[schema(value_type = String, pattern = "^agent-[a-z0-9]{6,12}$")]
    pub agent_id: AgentHandle,
    /// Handle of the run: `run-7`.
    #[schema(value_type = String, pattern = "^run-[1-9][0-9]*$")]
    pub run: RunHandle,
    /// State of the run once this was committed.
    #[schema(schema_with = schema::run_state)]
    pub state: RunState,
    /// The session's provider.
    pub provider: String,
    /// The session's model.
    pub model: String,
    /// Standing of its report, when there was one.
    #[schema(schema_with = schema::verification)]
    pub verification: Option<Verification>,
}

/// A pending question.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct QuestionView {
    /// Its id, for `answer`.
    #[schema(value_type = String, format = Uuid)]
    pub id: QuestionId,
    /// Text of the question.
    pub text: String,
    /// Options that may be chosen.
    pub options: Vec<QuestionOption>,
    /// After this it is as if it had never been asked.
    pub expires_at: DateTime<Utc>,
}

/// One choice.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct QuestionOption {
    /// For `answer.value`: `yes`, `no`, `1`, `2` …
    pub id: String,
    /// To be shown.
    pub label: String,
}

/// Fault in a turn that was answered with 200.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ChatFault {
    /// `tool_not_triggered`, `not_found`, `validation` …
    pub code: String,
    /// In plain words.
    pub message: String,
    /// The tools that should have been called.
    pub expected_tools: Vec<String>,
    /// More, for programs.
    pub details: Value,
}

/// Facts about how a reply was made.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct ExecutionMetadata {
    /// `instance (model)`; `candor (engine)` for the built-in engine, `candor (rules)` when no model was asked.
    pub model: String,
    /// Number of times that a model was asked.
    pub model_calls: u32,
    /// Calls that ran.
    pub tool_calls_executed: u32,
    /// Calls that were refused.
    pub tool_calls_rejected: u32,
    /// Values the model made up and that were left out: `add_task.priority`.
    pub dropped: Vec<String>,
    /// Milliseconds.
    pub latency_ms: TurnLatency,
}

/// Milliseconds of a turn.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, ToSchema)]
pub struct TurnLatency {
    /// From the request to the reply.
    pub total: f64,
    /// Of that, waiting for the model.
    pub model: f64,
}

/// A task as REST and chat show it (CONTRACT §3).
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct TaskView {
    /// The task's id.
    #[schema(value_type = String, format = Uuid)]
    pub id: TaskId,
    /// The owner.
    #[schema(value_type = String)]
    pub user_id: UserId,
    /// One line.
    pub title: String,
    /// A note.
    pub description: Option<String>,
    /// `pending` or `completed`.
    #[schema(schema_with = schema::status)]
    pub status: &'static str,
    /// The same as a boolean.
    pub is_completed: bool,
    /// `low`, `medium` or `high`.
    #[schema(schema_with = schema::priority)]
    pub priority: Priority,
    /// `YYYY-MM-DD`.
    pub due_date: Option<NaiveDate>,
    /// Time of that day, `HH:MM` of 24 hours.
    #[schema(pattern = "^([01][0-9]|2[0-3]):[0-5][0-9]$", example = "17:00")]
    pub due_time: Option<String>,
    /// The zone in which that time is meant, by its IANA name; null without a time.
    pub timezone: Option<&'static str>,
    /// Rule by which it moves to its next due date when it is done: an RRULE (RFC 5545) without
    /// DTSTART.
    #[schema(example = "FREQ=WEEKLY;BYDAY=MO")]
    pub repeat: Option<String>,
    /// Reminders of it, in the order of their times.
    pub reminders: Vec<ReminderView>,
    /// Assignee that works on it.
    pub assignee: Option<String>,
    /// Time of its addition.
    pub created_at: DateTime<Utc>,
    /// Time of its last change.
    pub updated_at: DateTime<Utc>,
    /// Time of its completion.
    pub completed_at: Option<DateTime<Utc>>,
}

/// A reminder of a task.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, ToSchema)]
pub struct ReminderView {
    /// The reminder's id.
    #[schema(value_type = String, format = Uuid)]
    pub id: ReminderId,
    /// Its time, exact to the second.
    pub at: DateTime<Utc>,
    /// `waiting`, `delivered`, `missed` or `cancelled`.
    #[schema(schema_with = schema::reminder_state)]
    pub state: ReminderState,
}

impl From<&Reminder> for ReminderView {
    fn from(reminder: &Reminder) -> Self {
        Self {
            id: reminder.id,
            at: reminder.when.at,
            state: reminder.state,
        }
    }
}

/// A user's tasks as a file of that format, in the order they are handed in.
pub fn task_file(format: Format, tasks: &[Task]) -> String {
    formats::write(format, tasks, |task| {
        // A time that the clocks skip stays what was asked for.
        let due_time = task.due_time.map(|time| time.to_string());
        let view = TaskView {
            due_time,
            ..TaskView::from(task)
        };
        // Strings always serialise.
        serde_json::to_string(&view).unwrap_or_default()
    })
}

impl From<&Task> for TaskView {
    fn from(task: &Task) -> Self {
        let completed_at = match task.status {
            crate::domain::Status::Pending => None,
            crate::domain::Status::Completed { at } => Some(at),
        };
        Self {
            id: task.id,
            user_id: task.user_id.clone(),
            title: task.title.as_str().to_owned(),
            description: task.description.clone(),
            status: task.status.as_str(),
            is_completed: task.status.is_completed(),
            priority: task.priority,
            due_date: task.due_date,
            due_time: task.shown_time().map(|time| time.to_string()),
            timezone: task.due_time.map(|time| time.zone().name()),
            repeat: task.repeat.as_ref().map(ToString::to_string),
            reminders: task.reminders.iter().map(ReminderView::from).collect(),
            assignee: task.assignee.clone(),
            created_at: task.created_at,
            updated_at: task.updated_at,
            completed_at,
        }
    }
}
