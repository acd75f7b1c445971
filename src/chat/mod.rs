//! The chat service: drives one turn from the user's words to a committed reply.
//!
//! The machine of a turn decides: it lets `guard` judge what a model proposes, runs what was
//! allowed in a unit of work, and has effect, receipts, reply and audit committed together. Its
//! driver carries out what it asks for. Nothing is said here: every sentence comes from `guard`.

mod delegation;
pub mod direct;
mod driver;
mod guard_port;
mod input;
mod locks;
mod machine;
mod progress;
mod prompt;
mod recover;
pub mod schema;
mod service;
mod standing;
mod undelivered;
mod undo;
pub mod wire;

pub use guard_port::{GuardPort, StandardGuard};
pub use machine::{TurnTiming, receipt_of};
pub use progress::{ProgressEvent, ProgressReader, TurnProgress};
pub use prompt::{
    PROMPT_VERSION, PromptContext, PromptInput, build as build_prompt, told as prompt_told,
};
pub use service::{ChatService, RequestOptions};
pub use standing::PendingChoice;

use std::time::Duration;

use chrono_tz::Tz;
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::audit::{canonical, hex};
use crate::domain::{ConversationId, IdSource, Lang, Moment, TurnId, UserId};
use crate::guard::CheckedReply;
use crate::llm::PromptMessage;
use crate::resolver::TaskList;
use crate::store::{StoreError, Unit};
use crate::temporal::DueRule;
pub use crate::turn::MissingTool;

/// Behaviour when the model's server is down (`CANDOR_MODEL_DOWN`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ModelDown {
    /// Say so: 503.
    #[default]
    Reject,
    /// The built-in engine answers meanwhile, marked.
    Engine,
}

/// Rules by which turns are run.
#[derive(Debug, Clone)]
pub struct TurnPolicy {
    /// The zone when a request names none.
    pub default_zone: Tz,
    /// Days that may be due dates.
    pub due_rule: DueRule,
    /// The language of replies where a request gives no hint; none: the message's.
    pub reply_language: Option<Lang>,
    /// Behaviour when a needed tool was not called.
    pub missing_tool: MissingTool,
    /// Behaviour when the model's server is down.
    pub model_down: ModelDown,
    /// True when what the engine reads with certainty skips the model.
    pub fast_path: bool,
    /// Time for one whole answer of the model.
    pub model_timeout: Duration,
}

/// The answer to a request: the exact bytes that were committed.
#[derive(Debug, Clone, PartialEq)]
pub struct ChatAnswer {
    /// HTTP status.
    pub status: u16,
    /// The body.
    pub body: String,
    /// Parts of the time that was spent, for `Server-Timing`.
    pub latency: TurnTiming,
    /// True when it was stored earlier, under the same key.
    pub replayed: bool,
    /// Messages that the model was given in this turn, results of its calls included; empty when it
    /// was not asked. An evaluation goes on from here; nothing of it is shown.
    pub told: Vec<PromptMessage>,
    /// Tokens that the model's server counted in this turn, of prompts and of answers; none
    /// where nobody counted.
    pub tokens: Option<(u64, u64)>,
}

impl ChatAnswer {
    pub(crate) fn new(reply: &CheckedReply, latency: TurnTiming) -> Self {
        Self {
            status: reply.status(),
            body: reply.body().to_owned(),
            latency,
            replayed: reply.replayed(),
            told: Vec::new(),
            tokens: None,
        }
    }
}

/// Reason why there is no answer. Nothing was changed, unless [`ChatError::Unconfirmed`] says that
/// this is unknown. `Display` is for users.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ChatError {
    /// The user has no such conversation.
    #[error("you have no conversation of this id")]
    UnknownConversation,
    /// The message is empty or too long.
    #[error("{0}")]
    InvalidMessage(String),
    /// The time zone is unknown.
    #[error("{0}")]
    InvalidTimezone(String),
    /// The answer is to a question that is not pending.
    #[error("{0}")]
    NoSuchQuestion(String),
    /// The model's server gave no answer. The message was kept.
    #[error("{detail}")]
    ModelDown {
        /// In plain words.
        detail: String,
        /// Seconds to wait, where the server says so.
        retry_after: Option<u64>,
        /// The conversation the message was kept in.
        conversation: ConversationId,
    },
    /// The idempotency key was used for another request.
    #[error("the idempotency key was used for another request")]
    KeyReused,
    /// A request under this key is still running.
    #[error("a request under this idempotency key is still running")]
    Running,
    /// No such receipt.
    #[error("{0}")]
    NotFound(String),
    /// The change can't be taken back.
    #[error("{0}")]
    Conflict(String),
    /// The database refused or can't be reached; nothing was changed.
    #[error("the database can't be reached, nothing was changed")]
    Storage(String),
    /// The guard broke; nothing was changed.
    #[error("the reply could not be checked, nothing was changed")]
    Unchecked,
    /// The fate of the commit is unknown.
    #[error("it could not be confirmed whether this was saved")]
    Unconfirmed,
}

impl ChatError {
    /// Its word in spans.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::UnknownConversation => "unknown_conversation",
            Self::InvalidMessage(_) => "invalid_message",
            Self::InvalidTimezone(_) => "invalid_timezone",
            Self::NoSuchQuestion(_) => "unknown_question",
            Self::ModelDown { .. } => "model_unavailable",
            Self::KeyReused => "key_reused",
            Self::Running => "still_running",
            Self::NotFound(_) => "not_found",
            Self::Conflict(_) => "conflict",
            Self::Storage(_) => "storage_unavailable",
            Self::Unchecked => "unchecked",
            Self::Unconfirmed => "unconfirmed",
        }
    }
}

impl From<StoreError> for ChatError {
    fn from(error: StoreError) -> Self {
        Self::Storage(error.to_string())
    }
}

/// A unit of work of a turn, over these tasks.
fn unit_of(
    user: &UserId,
    conversation: Option<ConversationId>,
    turn: TurnId,
    moment: Moment,
    ids: &IdSource,
    tasks: TaskList,
) -> Unit {
    let at = moment.instant;
    Unit::new(user.clone(), conversation, turn, at, ids.clone(), tasks)
        .on(moment.today)
        .reminding_at(moment.remind_now)
}

/// SHA-256 (hex) of what is asked for, whatever the order of its keys.
fn fingerprint(asked: &Value) -> String {
    hex(&Sha256::digest(canonical(asked)))
}
