//! Assignee of a task, as a model writes it: one grammar, checked whole (D-030, D-034).
//!
//! ```text
//! assignee  = "user" | "human" | existing | new
//! existing  = "agent-" 6*12( a-z 0-9 )
//! new       = "new:" persona [ ";" modelspec ]
//! modelspec = "fast" | "smart" | ident ":" model
//! routing   = "auto" | "codex" | "gptoss" | "local_fm" | "custom:" ident
//! ```
//!
//! A fault is found here, before any row is written. Holds no registry: whether a persona or a
//! provider exists is asked elsewhere.

use std::fmt;
use std::str::FromStr;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::AgentHandle;

/// The longest specification, in characters.
const SPEC_MAX: usize = 200;
/// The longest name of a persona or provider, in characters.
const NAME_MAX: usize = 64;

/// Person or agent that is to work on a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Assignee {
    /// The user; "human" is the same (C-35).
    User,
    /// An agent that worked before, by its handle: `agent-abc123`.
    Existing(AgentHandle),
    /// A new agent.
    New(NewAgent),
}

/// A new agent: what it is, and which model it thinks with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewAgent {
    /// The persona's id.
    pub persona: String,
    /// The model; none leaves it to the defaults.
    pub model: Option<ModelSpec>,
}

/// Model that an agent thinks with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum ModelSpec {
    /// The configured cost-effective model.
    Fast,
    /// The configured model for harder work.
    Smart,
    /// A model of one provider instance.
    Exact {
        /// The instance's id.
        provider: String,
        /// The model's name there; may hold ":" and "/".
        model: String,
    },
}

/// Provider that is to run it (D-116).
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Routing {
    /// The router chooses, and says why.
    #[default]
    Auto,
    /// This one and no other.
    Named(String),
}

words! {
    /// Kind of the work (D-117).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
    #[serde(rename_all = "lowercase")]
    pub enum Work {
        /// Anything.
        Delegate = "delegate",
        /// Finding out.
        Search = "search",
        /// Carrying out.
        Run = "run",
        /// Writing.
        Generate = "generate",
    }
}

/// Reason why some words are no specification, for model and user (D-040).
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct SpecError(String);

impl FromStr for Assignee {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text.chars().count() > SPEC_MAX {
            return Err(fault(text, &format!("longer than {SPEC_MAX} characters")));
        }
        if matches!(text, "user" | "human") {
            return Ok(Self::User);
        }
        if text.starts_with(AgentHandle::PREFIX) {
            let why = "an agent's handle is \"agent-\" and 6 to 12 of a-z and 0-9";
            let handle = AgentHandle::parse(text).map_err(|_| fault(text, why));
            return handle.map(Self::Existing);
        }
        let Some(rest) = text.strip_prefix("new:") else {
            return Err(fault(text, "it does not begin with \"new:\""));
        };
        let (persona, model) = match rest.split_once(';') {
            Some((persona, model)) => (persona, Some(model)),
            None => (rest, None),
        };
        if !is_persona(persona) {
            let why = format!(
                "persona \"{persona}\" is not a lower-case letter followed by letters, digits, - or _"
            );
            return Err(fault(text, &why));
        }
        let model = model.map(str::parse).transpose();
        let model = model.map_err(|error: SpecError| fault(text, &error.to_string()))?;
        Ok(Self::New(NewAgent {
            persona: persona.to_owned(),
            model,
        }))
    }
}

impl FromStr for ModelSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "fast" => Ok(Self::Fast),
            "smart" => Ok(Self::Smart),
            _ => match text.split_once(':') {
                Some((provider, model)) if is_ident(provider) && is_model(model) => {
                    Ok(Self::Exact {
                        provider: provider.to_owned(),
                        model: model.to_owned(),
                    })
                }
                _ => Err(SpecError(format!(
                    "modelSpec \"{}\" is not fast, smart or provider:model",
                    cut(text)
                ))),
            },
        }
    }
}

impl FromStr for Routing {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "auto" => Ok(Self::Auto),
            "codex" | "gptoss" | "local_fm" => Ok(Self::Named(text.to_owned())),
            _ => match text.strip_prefix("custom:") {
                Some(id) if is_ident(id) => Ok(Self::Named(id.to_owned())),
                _ => Err(SpecError(format!(
                    "provider \"{}\" is not auto, codex, gptoss, local_fm or custom:<id>",
                    cut(text)
                ))),
            },
        }
    }
}

impl fmt::Display for Assignee {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::User => f.write_str("user"),
            Self::Existing(handle) => handle.fmt(f),
            Self::New(agent) => agent.fmt(f),
        }
    }
}

impl fmt::Display for NewAgent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "new:{}", self.persona)?;
        match &self.model {
            Some(model) => write!(f, ";{model}"),
            None => Ok(()),
        }
    }
}

impl fmt::Display for ModelSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fast => f.write_str("fast"),
            Self::Smart => f.write_str("smart"),
            Self::Exact { provider, model } => write!(f, "{provider}:{model}"),
        }
    }
}

impl fmt::Display for Routing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str("auto"),
            Self::Named(id) if matches!(id.as_str(), "codex" | "gptoss" | "local_fm") => {
                f.write_str(id)
            }
            Self::Named(id) => write!(f, "custom:{id}"),
        }
    }
}

text_form!(
    Assignee: SpecError = from_str,
    ModelSpec: SpecError = from_str,
    Routing: SpecError = from_str,
);

fn fault(given: &str, why: &str) -> SpecError {
    SpecError(format!(
        "Invalid agent specification: {}. Expected NewAgentSpec format like \"new:lace;fast\" ({why})",
        cut(given)
    ))
}

fn cut(text: &str) -> String {
    let line = text.replace(char::is_control, " ");
    line.chars().take(60).collect()
}

/// Tells whether `text` may name a persona: a lower-case letter, then letters, digits, "-" and "_".
pub fn is_persona(text: &str) -> bool {
    let inner = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_');
    text.len() <= NAME_MAX
        && text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.chars().all(inner)
}

/// Tells whether `text` may name a provider instance.
pub fn is_ident(text: &str) -> bool {
    let inner = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    text.len() <= NAME_MAX
        && text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(inner)
}

fn is_model(text: &str) -> bool {
    !text.is_empty()
        && text.trim() == text
        && !text.contains(';')
        && !text.contains(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The specifications that were run, appendix D of the design.
    const ACCEPTED: [&str; 25] = [
        "new:lace",
        "new:coding-agent",
        "new:my-custom-agent_v2",
        "new:lace;fast",
        "new:lace;smart",
        "new:lace;anthropic:claude-3-sonnet",
        "new:helper;ollama:qwen3:32b",
        "new:lace;openrouter:deepseek/deepseek-chat",
        "new:lace;lmstudio:custom-model-v1.0",
        "new:data-processor;ollama:qwen3:32b",
        "agent-abc123",
        "human",
        "user",
        "new:coding-agent;openai:gpt-4",
        "new:my-custom-agent_v2;provider:model",
        "new:lace;custom:model-name",
        "new:researcher;openai:gpt-4-turbo",
        "new:lace;ollama:llama2",
        "new:helper-agent;anthropic:claude-3-haiku",
        "new:data-analyst",
        "new:devops-assistant",
        "new:security-analyst;anthropic:claude-sonnet-4-20250514",
        "new:lace;anthropic:claude-3-5-haiku-20241022",
        "new:analyst;smart",
        "new:helper;fast",
    ];

    /// Reads those that are none, of that list; the stories send the same ones through the chat.
    fn rejected() -> Vec<String> {
        serde_json::from_str(include_str!("../../tests/delegation/bad_specs.json")).unwrap()
    }

    #[test]
    fn what_is_accepted_round_trips() {
        for text in ACCEPTED {
            let parsed: Assignee = text.parse().unwrap();
            let written = parsed.to_string();
            let expected = if text == "human" { "user" } else { text };
            assert_eq!(written, expected);
            assert_eq!(written.parse(), Ok(parsed));
        }
    }

    #[test]
    fn what_is_rejected_says_what_is_expected() {
        let all = rejected();
        assert_eq!(all.len(), 20);
        for text in &all {
            let error = text.parse::<Assignee>().unwrap_err().to_string();
            let head = format!("Invalid agent specification: {}", cut(text));
            assert!(error.starts_with(&head), "{text:?}: {error}");
            assert!(
                error.contains("Expected NewAgentSpec format like \"new:lace;fast\""),
                "{text:?}: {error}"
            );
        }
        let junk = "new:lace;junk".parse::<Assignee>().unwrap_err().to_string();
        assert!(junk.contains("modelSpec \"junk\" is not fast, smart or provider:model"));
        let long = format!("new:{}", "a".repeat(300));
        assert!(long.parse::<Assignee>().is_err());
    }

    #[test]
    fn routing_names_one_provider_or_leaves_it_open() {
        for text in ["auto", "codex", "gptoss", "local_fm", "custom:openai-dev"] {
            let routing: Routing = text.parse().unwrap();
            assert_eq!(routing.to_string(), text);
        }
        for text in ["", "openai", "custom:", "custom:a b", "Codex"] {
            assert!(text.parse::<Routing>().is_err(), "{text:?}");
        }
    }
}
