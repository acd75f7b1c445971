//! Error of a failed tool call, told to the model and to the user (delegation design 2.8).

use chrono::NaiveDate;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Lang;

/// The closed list of error kinds on the wire (`errorType`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ErrorType {
    /// The arguments are wrong.
    Validation,
    /// No such task, tool or receipt.
    NotFound,
    /// The user's words do not allow it.
    Permission,
    /// Ran and failed.
    Execution,
    /// Took too long.
    Timeout,
    /// More than one task could be meant.
    Ambiguous,
    /// Somebody changed it meanwhile.
    Conflict,
    /// The database or the model can't be reached.
    Unavailable,
    /// The product can't do this.
    Unsupported,
    /// A cap was reached.
    Limit,
    /// Somebody stopped it.
    Cancelled,
    /// Cut off.
    Interrupted,
    /// A needed tool was not called.
    ToolNotTriggered,
    /// Our own fault; the cause is in the log under a reference.
    Internal,
}

/// The parts of an error a program can act on; absent ones are not sent.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Details {
    /// The argument at fault.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parameter: Option<String>,
    /// The value that was given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The rule it breaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub constraint: Option<String>,
    /// The advice on what to do instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
    /// Near misses: titles or tool names.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<String>,
    /// Every fault, each with its JSON pointer.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub schema_errors: Vec<String>,
    /// The arguments as they came, long strings cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub attempted_call: Option<Value>,
    /// The parameters that the tool takes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub valid_parameters: Vec<String>,
    /// The tool that was expected.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub expected_tool: Option<String>,
    /// `instance (model)` of the model that made the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub provider_context: Option<String>,
}

/// Reason of a failure, told to the user in the language of the reply.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Cause {
    /// No title, or a blank one.
    TitleEmpty,
    /// A title of more characters than are kept.
    TitleLong {
        /// Number of its characters.
        length: usize,
    },
    /// A title with a line break or another control character.
    TitleControl,
    /// Another title than the user's words give.
    OtherTitle,
    /// No task was named.
    NoTask,
    /// A due date that is none.
    NotADay {
        /// The value that was given.
        value: String,
    },
    /// A due date before the first allowed day.
    DayPast(DueWindow),
    /// A due date after the last allowed day.
    DayFar(DueWindow),
    /// Another day than the user's words give.
    OtherDay,
    /// Another time of day than the user's words tell.
    OtherTime,
    /// Another priority than the user's words give.
    OtherPriority,
    /// A value that is none of those of its parameter.
    NotOneOf {
        /// The parameter.
        parameter: String,
        /// The value that was given.
        value: String,
        /// Values that it takes.
        options: Vec<String>,
    },
    /// A time of day that is none.
    NoTime {
        /// The value that was given.
        value: String,
    },
    /// A rule by which no task can repeat.
    NoRepetition {
        /// The value that was given.
        value: String,
    },
    /// A rule that has ended before today.
    RepetitionPast,
    /// A reminder's time that is none.
    NoReminderTime {
        /// The value that was given.
        value: String,
    },
    /// A reminder's time that has passed.
    ReminderPast,
    /// A reminder's time that lies too far ahead.
    ReminderFar,
    /// A task has another title than the one that was shown.
    RenamedSince {
        /// Title that was shown.
        title: String,
    },
    /// A task was changed after what is to be undone.
    ChangedSince {
        /// Its title.
        title: String,
    },
    /// An agent was stopped, which can't be undone.
    AgentStopped,
    /// No persona has that name.
    NoSuchAgent {
        /// The name.
        agent: String,
        /// Names of those that there are.
        agents: Vec<String>,
    },
    /// The operator has switched that persona off.
    AgentDisabled {
        /// Its name.
        agent: String,
    },
    /// No model is configured for `fast` or `smart`.
    NoModel {
        /// The word.
        model: String,
    },
    /// There is no provider.
    NoProvider,
    /// None of the providers takes work now.
    NoneAvailable {
        /// Their names, each with the reason.
        providers: Vec<(String, String)>,
    },
    /// The provider that was named takes no work.
    ProviderUnavailable {
        /// Its name.
        provider: String,
        /// Reason for it.
        why: String,
        /// Names of those that take work.
        available: Vec<String>,
        /// The argument that was meant.
        meant: Option<String>,
    },
    /// The provider that was named has no such model.
    ProviderLacks {
        /// Its name.
        provider: String,
        /// The model.
        model: String,
        /// Models that it has.
        models: Vec<String>,
    },
    /// A whole sentence about agents or their runs.
    OfAgents {
        /// The sentence in the language of the reply.
        told: String,
    },
}

/// A day, and those that may be due dates.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct DueWindow {
    /// The day that was asked for.
    pub day: NaiveDate,
    /// The first allowed day.
    pub from: NaiveDate,
    /// The last allowed day.
    pub to: NaiveDate,
}

/// A failed tool call: one sentence, one kind, the details.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[error("{error}")]
pub struct ToolError {
    /// For people and models: what is wrong and, where possible, what to do.
    pub error: String,
    /// For programs.
    #[serde(rename = "errorType")]
    pub error_type: ErrorType,
    /// For programs, too; boxed, since an error travels in many results.
    pub details: Box<Details>,
    /// For the reply to the user; the log keeps them, the model and programs get the sentence.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub causes: Vec<Cause>,
}

impl ToolError {
    /// An error without details.
    pub fn new(error_type: ErrorType, error: impl Into<String>) -> Self {
        Self {
            error: error.into(),
            error_type,
            details: Box::default(),
            causes: Vec::new(),
        }
    }

    /// An error about agents that `say` tells: the model in English, and the user in the language of the reply.
    pub fn of_agents(error_type: ErrorType, speech: Lang, say: impl Fn(Lang) -> String) -> Self {
        let told = say(speech);
        Self::new(error_type, say(Lang::En)).because([Cause::OfAgents { told }])
    }

    /// The same error with `details`.
    #[must_use]
    pub fn with(mut self, details: Details) -> Self {
        self.details = Box::new(details);
        self
    }

    /// The same error, of which the user is told these causes.
    #[must_use]
    pub fn because(mut self, causes: impl IntoIterator<Item = Cause>) -> Self {
        self.causes.extend(causes);
        self
    }

    /// The envelope a model gets as the call's result; `ok` and `success` can't differ.
    pub fn to_wire(&self) -> Value {
        serde_json::json!({
            "ok": false,
            "success": false,
            "error": self.error,
            "errorType": self.error_type,
            "details": self.details,
        })
    }
}
