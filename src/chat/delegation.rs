//! Agents that a chat may give work to.

use std::sync::Arc;

use crate::delegation::{DelegationSettings, PersonaRegistry, description};
use crate::intent::{self, Agents};
use crate::llm::ToolSpec;
use crate::tools::specs_with_agents;

/// Agents as a turn decides about them.
#[derive(Debug)]
pub(super) struct DelegateAgents {
    pub(super) settings: DelegationSettings,
    pub(super) registry: PersonaRegistry,
    pub(super) names: Agents,
    specs: Arc<Vec<ToolSpec>>,
}

impl DelegateAgents {
    /// Agents of `registry`, with the operator's settings.
    pub(super) fn new(settings: DelegationSettings, registry: PersonaRegistry) -> Self {
        intent::prepare_errands();
        Self {
            names: Agents {
                names: registry.names(),
                default: registry.default_persona().to_owned(),
            },
            specs: specs_with_agents(&description(&registry)),
            settings,
            registry,
        }
    }

    /// Returns the tools that a model is offered.
    pub(super) fn specs(&self) -> Arc<Vec<ToolSpec>> {
        Arc::clone(&self.specs)
    }

    /// The persona for work that names none.
    pub(super) fn default_persona(&self) -> &str {
        &self.names.default
    }
}
