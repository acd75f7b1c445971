//! The registry: which personas may be given work here.
//!
//! What is disabled is invisible, and said to be disabled to whoever asks for it by name; what is
//! unknown is answered with what there is (D-192).

use std::collections::BTreeSet;

use super::persona::Persona;
use crate::domain::{Cause, Details, ErrorType, ToolError};
use crate::guard::agent_fault;

/// The persona that does what fits no other, unless the configuration names one.
pub const DEFAULT_PERSONA: &str = "lace";

/// The personas of a deployment.
#[derive(Debug, Clone, PartialEq)]
pub struct PersonaRegistry {
    personas: Vec<Persona>,
    disabled: BTreeSet<String>,
    default: String,
}

impl Default for PersonaRegistry {
    fn default() -> Self {
        Self::new(Persona::shipped())
    }
}

impl PersonaRegistry {
    /// A registry of `personas`, all enabled.
    pub fn new(personas: Vec<Persona>) -> Self {
        let mut all = personas.iter();
        let default = all.find(|persona| persona.name == DEFAULT_PERSONA);
        let default = default.or(personas.first());
        Self {
            default: default.map_or_else(String::new, |persona| persona.name.clone()),
            personas,
            disabled: BTreeSet::new(),
        }
    }

    /// The same with `name` as the default persona, if it is known.
    #[must_use]
    pub fn with_default(mut self, name: &str) -> Self {
        if self.personas.iter().any(|persona| persona.name == name) {
            name.clone_into(&mut self.default);
        }
        self
    }

    /// The same without the personas of these names.
    #[must_use]
    pub fn without<I: IntoIterator<Item = String>>(mut self, names: I) -> Self {
        self.disabled.extend(names);
        self
    }

    /// The persona for work that names none.
    pub fn default_persona(&self) -> &str {
        &self.default
    }

    /// The enabled personas, in the order they were given.
    pub fn enabled(&self) -> impl Iterator<Item = &Persona> {
        let personas = self.personas.iter();
        personas.filter(|persona| !self.disabled.contains(&persona.name))
    }

    /// The ids of the enabled personas.
    pub fn names(&self) -> Vec<String> {
        self.enabled().map(|persona| persona.name.clone()).collect()
    }

    /// The enabled persona of that id.
    ///
    /// # Errors
    /// `permission` for a disabled one, `not_found` for one that isn't there, with those that are.
    pub fn find(&self, name: &str) -> Result<&Persona, ToolError> {
        let known = self.personas.iter().find(|persona| persona.name == name);
        let agent = name.to_owned();
        let agents = self.names();
        let (kind, cause) = match known {
            Some(persona) if !self.disabled.contains(name) => return Ok(persona),
            Some(_) => (ErrorType::Permission, Cause::AgentDisabled { agent }),
            None => (ErrorType::NotFound, Cause::NoSuchAgent { agent, agents }),
        };
        Err(agent_fault(kind, cause).with(Details {
            parameter: Some("assign_to".to_owned()),
            value: Some(name.into()),
            suggestions: self.names(),
            ..Details::default()
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disabled_personas_are_told_from_unknown_ones() {
        let registry = PersonaRegistry::default().without(["code-reviewer".to_owned()]);
        assert!(registry.find("researcher").is_ok());
        let disabled = registry.find("code-reviewer").unwrap_err();
        assert_eq!(
            disabled.error,
            "Agent \"code-reviewer\" is currently disabled. Please enable it in the agent configuration."
        );
        let unknown = registry.find("chef").unwrap_err();
        assert_eq!(
            unknown.error,
            "Agent \"chef\" not found in registry. Available agents: lace, researcher, code-investigator, testing-specialist"
        );
        assert_eq!(unknown.error_type, ErrorType::NotFound);
    }

    #[test]
    fn the_default_is_a_known_persona() {
        let registry = PersonaRegistry::default();
        assert_eq!(registry.default_persona(), DEFAULT_PERSONA);
        let named = registry.clone().with_default("researcher");
        assert_eq!(named.default_persona(), "researcher");
        assert_eq!(registry.with_default("chef").default_persona(), "lace");
    }
}
