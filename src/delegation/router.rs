//! Choice of the provider and the model that an agent gets, and why (design 2.4).
//!
//! What is named explicitly is used or refused, never replaced (G-14, C-16). What is left open is
//! chosen among what can take it now, and the choice says what was passed over and for what
//! reason. Pure: the state of the providers is an argument.

use super::persona::Persona;
use super::port::ProviderStatus;
use super::settings::{ModelName, RoutingModels};
use crate::domain::{Cause, Details, ErrorType, ModelSpec, NewAgent, Routing, ToolError, Work};
use crate::guard::agent_fault;
use crate::store::{AgentSession, NewSession, SessionChoice};

/// Request of a call for a provider and a model.
#[derive(Debug, Clone, Copy)]
pub struct RoutingRequest<'a> {
    /// The model of the agent specification.
    pub model: Option<&'a ModelSpec>,
    /// The `provider` argument; none when it wasn't given.
    pub routing: Option<&'a Routing>,
    /// The persona.
    pub persona: &'a Persona,
    /// The kind of work.
    pub work: Option<Work>,
}

/// Destination of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunRoute {
    /// The provider's id.
    pub provider: String,
    /// The model's name; empty where the provider has only its own.
    pub model: String,
    /// Way in which it was chosen: `auto -> openai-dev (first healthy)`.
    pub notes: String,
}

impl RunRoute {
    /// The session of a new agent there, begun by the chat, and the way in which that was chosen.
    pub fn session(self, agent: &NewAgent, workspace_root: Option<String>) -> (NewSession, String) {
        let session = NewSession {
            persona: agent.persona.clone(),
            spec: agent.to_string(),
            provider: self.provider,
            model: self.model,
            parent: None,
            depth: 1,
            workspace_root,
        };
        (session, self.notes)
    }
}

/// Session that a run is to have, settled once and never again.
#[derive(Debug)]
pub enum RunDestination {
    /// One that begins with it, and the way in which its provider was chosen.
    New(NewSession, String),
    /// One that is there.
    Resume(Box<AgentSession>),
}

impl RunDestination {
    /// The session as a unit of work takes it.
    pub fn choice(&self) -> SessionChoice<'_> {
        match self {
            Self::New(session, _) => SessionChoice::New(session),
            Self::Resume(agent) => SessionChoice::Resume(agent),
        }
    }

    /// Way in which the provider was chosen; none where it was before.
    pub fn notes(&self) -> Option<String> {
        match self {
            Self::New(_, notes) => Some(notes.clone()),
            Self::Resume(_) => None,
        }
    }
}

/// Chooses.
///
/// # Errors
/// `validation` when the arguments contradict each other, `unavailable` when what is named can't
/// take it or nothing can.
pub fn route(
    wish: &RoutingRequest<'_>,
    models: &RoutingModels,
    providers: &[ProviderStatus],
) -> Result<RunRoute, ToolError> {
    let named = match wish.routing {
        Some(Routing::Named(id)) => Some(id.as_str()),
        Some(Routing::Auto) | None => None,
    };
    if let Some(model) = wish.model {
        let (provider, name) = exact(model, models)?;
        if let Some(other) = named.filter(|other| *other != provider) {
            return Err(contradiction(other, &provider));
        }
        return forced(&provider, Some(name), "model", providers);
    }
    if let Some(id) = named {
        return forced(id, None, "provider", providers);
    }
    if wish.routing.is_none() {
        if let Some(model) = &wish.persona.model {
            let (provider, name) = exact(model, models)?;
            return forced(&provider, Some(name), "persona", providers);
        }
        if let Some(Routing::Named(id)) = &wish.persona.provider {
            return forced(id, None, "persona", providers);
        }
    }
    automatic(wish.work, models, providers)
}

/// `fast` and `smart` as the configuration means them.
fn exact(model: &ModelSpec, models: &RoutingModels) -> Result<(String, String), ToolError> {
    let configured = |word: &str, found: &Option<ModelName>| match found {
        Some(name) => Ok((name.provider.clone(), name.model.clone())),
        None => {
            let model = word.to_owned();
            Err(agent_fault(
                ErrorType::Unavailable,
                Cause::NoModel { model },
            ))
        }
    };
    match model {
        ModelSpec::Fast => configured("fast", &models.fast),
        ModelSpec::Smart => configured("smart", &models.smart),
        ModelSpec::Exact { provider, model } => Ok((provider.clone(), model.clone())),
    }
}

/// The provider that was named, or the reason why not. Nothing takes its place.
fn forced(
    id: &str,
    model: Option<String>,
    by: &str,
    providers: &[ProviderStatus],
) -> Result<RunRoute, ToolError> {
    let refused = |why: &str| unavailable(id, why, model.as_deref(), providers);
    let provider = providers.iter().find(|provider| provider.id == id);
    let provider = provider.ok_or_else(|| refused("missing"))?;
    if let Some(why) = provider.unavailable() {
        return Err(refused(why));
    }
    if let Some(name) = &model
        && !provider.offers(name)
    {
        let lacks = Cause::ProviderLacks {
            provider: id.to_owned(),
            model: name.clone(),
            models: provider.models.clone(),
        };
        return Err(agent_fault(ErrorType::Unavailable, lacks).with(Details {
            parameter: Some("assign_to".to_owned()),
            value: Some(name.as_str().into()),
            suggestions: provider.models.clone(),
            ..Details::default()
        }));
    }
    Ok(RunRoute {
        provider: id.to_owned(),
        model: model.unwrap_or_else(|| usual(provider)),
        notes: format!("{by} -> {id} (named)"),
    })
}

/// The first that can take it, in the order that suits the work.
fn automatic(
    work: Option<Work>,
    models: &RoutingModels,
    providers: &[ProviderStatus],
) -> Result<RunRoute, ToolError> {
    let prefers = match work {
        Some(Work::Generate) => "gptoss",
        Some(Work::Run | Work::Delegate) => "codex",
        Some(Work::Search) | None => "",
    };
    // The chat's own provider is the session's default: first, unless the work prefers another.
    let session = models.session.as_ref();
    let session = session.map(|name| (name.provider.as_str(), name.model.as_str()));
    let mut order: Vec<&ProviderStatus> = providers.iter().collect();
    order.sort_by_key(|provider| {
        let own = session.is_some_and(|(id, _)| id == provider.id);
        (provider.id != prefers, !own)
    });
    let mut passed = Vec::new();
    for provider in order {
        let busy = provider.free == Some(0);
        let why = match provider.unavailable() {
            Some(why) => why,
            None if busy => "busy",
            None => {
                let suits = provider.id == prefers;
                let how = if suits {
                    "suits the work"
                } else {
                    "first healthy"
                };
                let mut notes = format!("auto -> {} ({how})", provider.id);
                if !passed.is_empty() {
                    let passed = passed.iter().map(|(id, why)| format!("{id} ({why})"));
                    let passed: Vec<String> = passed.collect();
                    notes.push_str(&format!("; passed over: {}", passed.join(", ")));
                }
                let own = session.filter(|(id, _)| *id == provider.id);
                return Ok(RunRoute {
                    provider: provider.id.clone(),
                    model: own.map_or_else(|| usual(provider), |(_, model)| model.to_owned()),
                    notes,
                });
            }
        };
        passed.push((provider.id.clone(), why.to_owned()));
    }
    // Whoever is only busy has a queue: the run waits there.
    let queue = providers.iter().find(|p| p.unavailable().is_none());
    if let Some(provider) = queue {
        return Ok(RunRoute {
            provider: provider.id.clone(),
            model: usual(provider),
            notes: format!("auto -> {} (all are busy: it waits)", provider.id),
        });
    }
    let cause = match passed.is_empty() {
        true => Cause::NoProvider,
        false => Cause::NoneAvailable { providers: passed },
    };
    Err(agent_fault(ErrorType::Unavailable, cause))
}

fn usual(provider: &ProviderStatus) -> String {
    provider.models.first().cloned().unwrap_or_default()
}

fn unavailable(
    id: &str,
    why: &str,
    model: Option<&str>,
    providers: &[ProviderStatus],
) -> ToolError {
    let usable = providers.iter().filter(|p| p.unavailable().is_none());
    let usable: Vec<String> = usable.map(|provider| provider.id.clone()).collect();
    // "custom:x" in a model specification means the instance "custom"; as a provider it is a route.
    let meant = model.filter(|_| id == "custom");
    let suggestion = meant.map(|model| format!("provider: \"custom:{model}\""));
    let cause = Cause::ProviderUnavailable {
        provider: id.to_owned(),
        why: why.to_owned(),
        available: usable.clone(),
        meant: suggestion.clone(),
    };
    agent_fault(ErrorType::Unavailable, cause).with(Details {
        parameter: Some("provider".to_owned()),
        value: Some(id.into()),
        suggestion,
        suggestions: usable,
        ..Details::default()
    })
}

fn contradiction(provider: &str, model: &str) -> ToolError {
    let text = format!(
        "provider '{provider}' contradicts assign_to, which names a model of '{model}': leave one of them out."
    );
    ToolError::new(ErrorType::Validation, text).with(Details {
        parameter: Some("provider".to_owned()),
        value: Some(provider.into()),
        ..Details::default()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::delegation::ProviderKind;

    fn provider(id: &str, models: &[&str]) -> ProviderStatus {
        ProviderStatus {
            id: id.to_owned(),
            kind: ProviderKind::OpenAiCompat,
            models: models.iter().map(|&model| model.to_owned()).collect(),
            enabled: true,
            healthy: true,
            free: None,
        }
    }

    fn configured() -> Vec<ProviderStatus> {
        vec![
            provider("openai-dev", &["gpt-4", "fast-model", "smart-model"]),
            provider("codex", &[]),
        ]
    }

    fn models() -> RoutingModels {
        RoutingModels {
            fast: Some(ModelName {
                provider: "openai-dev".to_owned(),
                model: "fast-model".to_owned(),
            }),
            smart: None,
            session: None,
        }
    }

    fn check(
        model: Option<&str>,
        routing: Option<&str>,
        work: Option<Work>,
        providers: &[ProviderStatus],
    ) -> Result<RunRoute, ToolError> {
        let persona = Persona::shipped().remove(0);
        let model = model.map(|text| text.parse::<ModelSpec>().unwrap());
        let routing = routing.map(|text| text.parse::<Routing>().unwrap());
        let wish = RoutingRequest {
            model: model.as_ref(),
            routing: routing.as_ref(),
            persona: &persona,
            work,
        };
        route(&wish, &models(), providers)
    }

    #[test]
    fn what_is_named_is_used() {
        let all = configured();
        let fast = check(Some("fast"), None, None, &all).unwrap();
        assert_eq!(
            (&*fast.provider, &*fast.model),
            ("openai-dev", "fast-model")
        );
        let exact = check(
            Some("openai-dev:gpt-4"),
            Some("custom:openai-dev"),
            None,
            &all,
        )
        .unwrap();
        assert_eq!(&*exact.model, "gpt-4");
        let codex = check(None, Some("codex"), None, &all).unwrap();
        assert_eq!((&*codex.provider, &*codex.model), ("codex", ""));
    }

    #[test]
    fn what_is_named_and_missing_is_never_replaced() {
        let mut all = configured();
        let error = check(None, Some("gptoss"), None, &all).unwrap_err();
        assert_eq!(
            error.error,
            "Provider 'gptoss' is not available: not configured. Available: openai-dev, codex."
        );
        assert_eq!(error.error_type, ErrorType::Unavailable);
        all[1].enabled = false;
        let error = check(None, Some("codex"), None, &all).unwrap_err();
        assert!(
            error.error.contains("disabled. Available: openai-dev."),
            "{error}"
        );
        all[1] = provider("codex", &[]);
        all[1].healthy = false;
        let error = check(None, Some("codex"), None, &all).unwrap_err();
        assert!(error.error.contains("unhealthy"), "{error}");
        assert!(check(Some("smart"), None, None, &all).is_err());
        let error = check(Some("openai-dev:gpt-9"), None, None, &all).unwrap_err();
        assert!(error.error.contains("has no model 'gpt-9'"), "{error}");
        let error = check(Some("custom:mine"), None, None, &all).unwrap_err();
        assert!(error.error.contains("provider: \"custom:mine\""), "{error}");
    }

    #[test]
    fn provider_and_model_must_agree() {
        let error = check(Some("openai-dev:gpt-4"), Some("codex"), None, &configured());
        assert_eq!(error.unwrap_err().error_type, ErrorType::Validation);
    }

    #[test]
    fn auto_says_what_it_passed_over_and_why() {
        let mut all = configured();
        let first = check(None, Some("auto"), None, &all).unwrap();
        assert_eq!(first.notes, "auto -> openai-dev (first healthy)");
        let run = check(None, None, Some(Work::Run), &all).unwrap();
        assert_eq!(run.notes, "auto -> codex (suits the work)");
        all[0].healthy = false;
        let second = check(None, None, None, &all).unwrap();
        assert_eq!(
            second.notes,
            "auto -> codex (first healthy); passed over: openai-dev (unhealthy)"
        );
        all[1].free = Some(0);
        let waits = check(None, None, None, &all).unwrap();
        assert_eq!(waits.notes, "auto -> codex (all are busy: it waits)");
        all[1].enabled = false;
        let none = check(None, None, None, &all).unwrap_err();
        assert_eq!(
            none.error,
            "No provider is available: openai-dev (unhealthy), codex (disabled)."
        );
    }
}
