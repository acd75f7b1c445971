//! The model port: what a model is asked, what it may answer, how it may fail.
//!
//! A model is anything that turns messages and tools into proposals. Its text is hearsay and
//! its calls are requests; nothing here decides what becomes of them.

mod answer;
mod asked;
mod attempt;
mod engine;
mod openai;

pub use answer::parse_answer;
pub use asked::ask;
pub use engine::{BuiltInEngine, ENGINE, calls as engine_calls};
pub use openai::{OpenAi, OpenAiConfig, TlsUnavailable};

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::intent::Reading;

/// One message of the conversation with a model.
#[derive(Debug, Clone, PartialEq)]
pub enum PromptMessage {
    /// Instructions; never contains text of a user, a title or a tool outside quoted data.
    System(String),
    /// The user's words.
    User(String),
    /// An earlier answer, or the model's proposal in this turn.
    Assistant {
        /// Its text.
        content: Option<String>,
        /// Its calls.
        calls: Vec<RawCall>,
    },
    /// The result of one call.
    Tool {
        /// The call's id.
        call_id: String,
        /// The envelope, as JSON text.
        content: String,
    },
}

/// A proposed call, exactly as the model sent it: the arguments may not even be JSON.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct RawCall {
    /// The model's id for it; made up by us when it sent none.
    pub id: String,
    /// The tool's name as the model wrote it.
    pub name: String,
    /// The arguments as the model wrote them.
    pub arguments: String,
}

/// A tool as a model sees it.
#[derive(Debug, Clone, PartialEq)]
pub struct ToolSpec {
    /// Its name.
    pub name: &'static str,
    /// Its purpose.
    pub description: String,
    /// Its arguments, as JSON Schema.
    pub parameters: Value,
}

/// Rule on the calls that the model may or must make.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ToolChoice {
    /// A call or none (`auto`).
    #[default]
    Auto,
    /// At least one call (`required`): the one forced try of `CANDOR_MISSING_TOOL=retry`.
    Required,
    /// No call: the closing sentence of an evaluation.
    None,
    /// A call of this tool: a sub-agent that only talked is told to report.
    Named(&'static str),
}

/// One question to a model.
#[derive(Debug, Clone)]
pub struct ModelRequest {
    /// The conversation, instructions first.
    pub prompt: Vec<PromptMessage>,
    /// The tools that it may call; the same list for every turn.
    pub tools: Arc<Vec<ToolSpec>>,
    /// The rule on its calls.
    pub choice: ToolChoice,
    /// The user's words as the grammar reads them: what the built-in engine works from.
    pub reading: Arc<Reading>,
    /// The whole answer must be there within this time.
    pub within: Duration,
}

/// A whole answer: cut, broken or empty ones are errors, never answers.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelAnswer {
    /// Its text, trimmed; `None` when there is none.
    pub text: Option<String>,
    /// The calls it proposes, in order.
    pub calls: Vec<RawCall>,
    /// The model that answered, as `instance (model)`: `openai (gpt-4)`.
    pub model: String,
    /// Reason for ending there, in the server's word and lower case: `stop`, `tool_calls`. What was
    /// cut is no answer; whether to trust a word nobody knows is the caller's to say.
    pub finish: String,
    /// Tokens of the prompt and of the answer, where the server says so.
    pub usage: Option<(u64, u64)>,
}

/// Reason why there is no answer. `Display` is for users: no address, no key, no body.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    /// No connection, or it broke off.
    #[error("the model's server can't be reached")]
    Unreachable,
    /// No whole answer in time.
    #[error("the model's server took too long to answer")]
    Timeout,
    /// The server asks us to slow down.
    #[error("the model's server is overloaded")]
    RateLimited {
        /// Seconds to wait, as the server says; capped.
        retry_after: Option<u64>,
    },
    /// The server refuses our credential.
    #[error("the model's server refuses the configured credential")]
    Unauthorized,
    /// The server has no such model.
    #[error("the model's server does not have the configured model")]
    NoSuchModel,
    /// Another status than 200.
    #[error("the model's server answered with status {0}")]
    Status(u16),
    /// A 200 that is no whole answer: cut, not JSON, no choice, no finish reason, an error inside.
    #[error("the model's server sent an unusable answer")]
    Malformed(&'static str),
    /// Nobody waits for it any more: this program is about to end.
    #[error("the server is shutting down")]
    Stopped,
    /// The caller wants no answer any more.
    #[error("you stopped it before the model had answered")]
    Cancelled,
}

impl ModelError {
    /// Its word in figures and spans.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Unreachable => "unreachable",
            Self::Timeout => "timeout",
            Self::RateLimited { .. } => "rate_limited",
            Self::Unauthorized => "unauthorized",
            Self::NoSuchModel => "no_such_model",
            Self::Status(_) => "status",
            Self::Malformed(_) => "malformed",
            Self::Stopped => "stopped",
            Self::Cancelled => "cancelled",
        }
    }

    /// Tells whether the same question may succeed a moment later.
    pub const fn is_transient(&self) -> bool {
        match self {
            Self::Unreachable | Self::Timeout | Self::RateLimited { .. } | Self::Malformed(_) => {
                true
            }
            Self::Status(status) => *status >= 500 || *status == 408,
            Self::Unauthorized | Self::NoSuchModel | Self::Stopped | Self::Cancelled => false,
        }
    }
}

/// The future of an answer.
pub type AnswerFuture<'a> =
    Pin<Box<dyn Future<Output = Result<ModelAnswer, ModelError>> + Send + 'a>>;

/// Anything that can be asked.
pub trait LanguageModel: Send + Sync + std::fmt::Debug {
    /// Returns the model's name, as `instance (model)`.
    fn name(&self) -> &str;

    /// Tells whether it understands sentences. What does not proposes what code read, and code asks
    /// about what it half read.
    fn understands(&self) -> bool {
        true
    }

    /// Tells whether it begins a span for each of its attempts; else whoever asks begins one.
    fn traces_attempts(&self) -> bool {
        false
    }

    /// Asks. Must answer or fail within `request.within`.
    fn ask<'a>(&'a self, request: &'a ModelRequest) -> AnswerFuture<'a>;
}
