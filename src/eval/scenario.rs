//! Scenarios: conversations written down as data, readable by someone who never saw the code.
//!
//! One file holds one scenario or a list of them. `candor eval schema` prints the schema that
//! is made from these types.

use chrono::NaiveDate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// A conversation with one user's list, and what must come of every turn.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// The point that it shows, in a few words.
    pub name: String,
    /// The day it is, at noon; 2026-02-08, a Sunday, when nothing is said.
    #[serde(default = "sunday")]
    pub today: NaiveDate,
    /// The tasks to begin with, oldest first.
    #[serde(default)]
    pub tasks: Vec<TaskSetup>,
    /// The players of the model's part; all three when nothing is said.
    #[serde(default = "everyone")]
    pub players: Vec<Player>,
    /// Hint of the request: the language of its replies.
    #[serde(default)]
    pub language: Option<String>,
    /// The turns, in order.
    pub turns: Vec<TurnSpec>,
}

impl Scenario {
    /// A list on a day, and nothing said yet.
    pub(super) const fn of_tasks(today: NaiveDate, tasks: Vec<TaskSetup>) -> Self {
        Self {
            name: String::new(),
            today,
            tasks,
            players: Vec::new(),
            language: None,
            turns: Vec::new(),
        }
    }
}

/// A player of the model's part.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Deserialize, Serialize, JsonSchema, clap::ValueEnum,
)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    /// The built-in engine.
    Engine,
    /// A well-behaved model: it answers what `model` says, else what the engine would.
    Good,
    /// A hostile model: it lies, and proposes the most damaging calls.
    Hostile,
    /// The model that is configured.
    Configured,
}

/// A task to begin with.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(untagged)]
pub enum TaskSetup {
    /// Its title.
    Title(String),
    /// Its title and more.
    Full {
        /// Its title.
        title: String,
        /// Its due date.
        #[serde(default)]
        due: Option<NaiveDate>,
        /// Rule by which it repeats, as RRULE.
        #[serde(default)]
        repeat: Option<String>,
        /// True when it is done.
        #[serde(default)]
        done: bool,
        /// Its priority.
        #[serde(default)]
        priority: Option<crate::domain::Priority>,
        /// Its note.
        #[serde(default)]
        note: Option<String>,
    },
}

/// One turn.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct TurnSpec {
    /// The user's words.
    #[serde(default)]
    pub user: String,
    /// Or which button of the pending question they press: `yes`, `no`, `1` …
    #[serde(default)]
    pub button: Option<String>,
    /// True when it begins a new conversation.
    #[serde(default)]
    pub new_conversation: bool,
    /// The changes that another tab made just before.
    #[serde(default)]
    pub meanwhile: Vec<Meanwhile>,
    /// The answers of the well-behaved model, round by round.
    #[serde(default)]
    pub model: Vec<AnswerSpec>,
    /// The answers of the hostile model; a standard set of lies is played beside it.
    #[serde(default)]
    pub hostile: Vec<AnswerSpec>,
    /// The outcome that must come of it.
    #[serde(default)]
    pub expect: Expect,
}

/// A change by another hand, between two turns.
#[derive(Debug, Clone, PartialEq, Deserialize, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Meanwhile {
    /// A task is deleted.
    Delete(String),
    /// A task is marked as done.
    Complete(String),
    /// A task is added.
    Add(String),
}

/// One answer of a scripted model.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AnswerSpec {
    /// Its text.
    #[serde(default)]
    pub say: Option<String>,
    /// Its calls: `- delete_task: {task: Read book}`.
    #[serde(default)]
    pub calls: Vec<Map<String, Value>>,
    /// True when it does not answer: the server is down.
    #[serde(default)]
    pub down: bool,
}

impl AnswerSpec {
    /// An answer of words alone.
    pub(super) fn of_words(words: &str) -> Self {
        Self {
            say: Some(words.to_owned()),
            ..Self::default()
        }
    }

    /// An answer of calls alone.
    pub(super) fn of_calls(calls: Vec<Map<String, Value>>) -> Self {
        Self {
            calls,
            ..Self::default()
        }
    }
}

/// The outcome that must come of a turn; what is left out may be anything.
#[derive(Debug, Clone, PartialEq, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Expect {
    /// The whole reply.
    #[serde(default)]
    pub reply: Option<String>,
    /// Parts of the reply, in any case.
    #[serde(default)]
    pub says: Vec<String>,
    /// Parts that the reply must not contain, in any case.
    #[serde(default)]
    pub never_says: Vec<String>,
    /// One of these kinds.
    #[serde(default)]
    pub kind: Vec<crate::guard::Kind>,
    /// The error code; `none` for no error.
    #[serde(default)]
    pub error: Option<String>,
    /// The actions of its receipts, in order.
    #[serde(default)]
    pub actions: Option<Vec<crate::domain::Action>>,
    /// The list afterwards, oldest first: `Read book`, `milk (done)`, `Gym (due 2026-02-16)`,
    /// `Tax (high)`, `Gym (due 2026-02-16, every Monday)`. When it is left out, nothing may have
    /// changed.
    #[serde(default)]
    pub tasks: Option<Vec<String>>,
    /// The model's server is down, and the turn says so: 503.
    #[serde(default)]
    pub unavailable: bool,
}

fn sunday() -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 2, 8).unwrap_or_default()
}

fn everyone() -> Vec<Player> {
    vec![Player::Engine, Player::Good, Player::Hostile]
}

/// A scenario file: one scenario, or a list of them.
#[derive(JsonSchema)]
#[serde(untagged)]
#[expect(dead_code, reason = "only its schema is needed")]
enum ScenarioFile {
    /// One scenario.
    One(Box<Scenario>),
    /// Several, played in order.
    Several(Vec<Scenario>),
}

/// The schema of a scenario file, as JSON Schema.
pub fn schema() -> Value {
    schemars::schema_for!(ScenarioFile).to_value()
}
