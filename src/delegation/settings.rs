//! Settings that say what the operator allows: `candor.toml`, read and checked, without its
//! secrets' text.
//!
//! Plain values. `config` fills them in; nothing here reads a file or the environment.

use std::fmt;
use std::path::PathBuf;
use std::time::Duration;

use crate::domain::{CompletionPolicy, DelegateAuthorization, words};

/// All of `candor.toml` that bears on delegation. Without a provider there is none of it: no
/// tool is offered, no route is there, no statement is made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DelegationSettings {
    /// `[[providers]]`, in their order; never empty.
    pub providers: Vec<ProviderSettings>,
    /// The models that "fast", "smart" and no word at all mean.
    pub models: RoutingModels,
    /// `[delegation] default_persona`.
    pub default_persona: String,
    /// `[delegation] workspace_roots`: the outer bound of every file an agent sees. Absolute,
    /// without symbolic links.
    pub workspace_roots: Vec<PathBuf>,
    /// Files of the program's own, as the operator names them: database, configuration, keys. No
    /// agent sees them, wherever they lie.
    pub own_files: Vec<PathBuf>,
    /// `[delegation] completion_policy`.
    pub completion: CompletionPolicy,
    /// `[delegation] authorization`.
    pub authorization: DelegateAuthorization,
    /// `[delegation] foreground_wait_ms`: how long a turn waits for its runs before they go on
    /// in the background (C-05).
    pub foreground_wait: Duration,
    /// `[delegation] max_depth`: 1, an agent delegates nothing; at most 3.
    pub max_depth: u8,
    /// `[delegation] max_runs_per_user`: how many work at once; the others wait.
    pub max_runs_per_user: usize,
}

/// The models that "fast", "smart" and no word at all mean, as the configuration has them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct RoutingModels {
    /// `[models] fast`.
    pub fast: Option<ModelName>,
    /// `[models] smart`.
    pub smart: Option<ModelName>,
    /// The provider and model that answer the chat: what a spec without a model means. `None`
    /// while the built-in engine answers; then it means the first provider that will do.
    pub session: Option<ModelName>,
}

/// One of `[[providers]]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProviderSettings {
    /// `id`: what it is called in specs, replies and errors.
    pub id: String,
    /// `kind`.
    pub kind: ProviderKind,
    /// `base_url` of an OpenAI-compatible server.
    pub base_url: Option<String>,
    /// `command` of an ACP agent: the program and its arguments.
    pub command: Vec<String>,
    /// All that an ACP agent's program gets of the server's environment, its key aside.
    pub env: EnvironmentVariables,
    /// The environment variable that holds the key; its value is read when the provider is
    /// made and kept nowhere else.
    pub api_key_env: Option<String>,
    /// `models`, the first being the default.
    pub models: Vec<String>,
    /// `max_concurrent`: how many runs it takes at once; `None` without a bound of its own.
    pub max_concurrent: Option<usize>,
    /// `enabled`.
    pub enabled: bool,
}

/// Variables with their values, which may be secrets: only the names are ever printed.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct EnvironmentVariables(pub Vec<(String, String)>);

impl fmt::Debug for EnvironmentVariables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list()
            .entries(self.0.iter().map(|(name, _)| name))
            .finish()
    }
}

words! {
    /// Way in which a provider is spoken to.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub enum ProviderKind {
        /// `openai_compat`: chat completions over HTTP.
        OpenAiCompat = "openai_compat",
        /// `acp_stdio`: a program that speaks the Agent Client Protocol.
        AcpStdio = "acp_stdio",
        /// `built_in`: the deterministic worker of this program.
        BuiltIn = "built_in",
    }
}

/// A model of a provider: `openai-dev:gpt-4`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelName {
    /// The provider's id.
    pub provider: String,
    /// The model, as the provider calls it; may hold colons and slashes.
    pub model: String,
}

impl fmt::Display for ModelName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.provider, self.model)
    }
}
