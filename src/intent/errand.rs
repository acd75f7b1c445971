//! Requests to agents, as values (delegation design 2.2): handing work over, asking after
//! it, stopping it, going on with it, taking it back.

use serde::{Deserialize, Serialize};

use super::reading::Target;
use crate::domain::Tool;

/// Request to agents in a clause.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum Errand {
    /// "delegate Research hotels to the researcher".
    Hand(Hand),
    /// "is the agent done with X?", "what did the researcher find?".
    Ask(About),
    /// "stop the agent on X".
    Stop(About),
    /// "continue with the researcher on X: also check prices".
    Resume {
        /// With whom, on what.
        about: About,
        /// The work to do beyond it, in the user's words.
        more: Option<String>,
    },
    /// "take X back".
    TakeBack(Target),
    /// "what have I delegated?".
    Overview,
    /// "who can you delegate to?": licenses nothing, answered from the registry.
    Who,
}

/// Work that is handed over.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Hand {
    /// The words for it as one: "Analyze logs and Check metrics".
    pub whole: Target,
    /// As several, where commas or "and" may join titles; else one, equal to `whole`.
    pub parts: Vec<Target>,
    /// The persona's id; the default one where the words name none.
    pub agent: String,
    /// The words name it.
    pub named: bool,
    /// Set when the words speak of handing over work: "give the keys to the agent" need not, and is
    /// about agents of ours only where it names a task.
    #[serde(default)]
    pub firm: bool,
    /// "in the background".
    pub background: bool,
}

/// Work that is meant, by its agent, its task or its place.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct About {
    /// The persona's id, where the words name one.
    pub agent: Option<String>,
    /// The words for the work, where there are any.
    pub what: Option<Target>,
    /// Set when the words speak of no agent: "how is Research hotels going?" is about one only
    /// where an agent has that task.
    #[serde(default)]
    pub by_task: bool,
}

impl Errand {
    /// The tool whose call it asks for; none for what is answered without one.
    pub const fn tool(&self) -> Option<Tool> {
        Some(match self {
            Self::Hand(_) | Self::Resume { .. } => Tool::Delegate,
            Self::Ask(_) => Tool::TaskOutput,
            Self::Stop(_) => Tool::CancelDelegation,
            Self::Overview => Tool::ListDelegations,
            Self::TakeBack(_) => Tool::UpdateTask,
            Self::Who => return None,
        })
    }
}

/// Agents that may be given work, as far as words can tell.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Agents {
    /// The ids of the enabled personas: `code-reviewer`.
    pub names: Vec<String>,
    /// The one for work that names none.
    pub default: String,
}

impl Agents {
    /// The persona that `words` (folded, single spaces) name, if they name one.
    pub(super) fn named_in(&self, words: &str) -> Option<&str> {
        let padded = format!(" {words} ");
        let names = self.names.iter().map(String::as_str);
        let names = names.chain((!self.default.is_empty()).then_some(self.default.as_str()));
        let mut names = names.filter(|name| {
            let spoken = name.replace(['-', '_'], " ");
            padded.contains(&format!(" {spoken} "))
        });
        let named = names.next();
        let research = self.names.iter().find(|name| *name == "researcher");
        let agent = || padded.contains(" research agent ").then_some(research);
        named.or_else(|| agent().flatten().map(String::as_str))
    }
}
