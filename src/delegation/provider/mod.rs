//! Providers that do the work: those that are configured, how they stand, and the models behind
//! them.
//!
//! A provider's health is what its last calls came to. A server that failed is passed over until
//! it answers a probe, which asks no model anything; a program that failed, for a while. There is
//! nothing to switch back on by hand. Which provider a run
//! has was settled when its session began; nothing here ever replaces one by another (G-14).

#[cfg(feature = "acp")]
pub(super) mod acp;
mod built_in;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use parking_lot::Mutex;

pub use built_in::BuiltIn;

use super::port::ProviderStatus;
use super::settings::{DelegationSettings, ProviderKind, ProviderSettings};
use crate::domain::{ErrorType, ToolError};
use crate::llm::{LanguageModel, OpenAi, OpenAiConfig};
#[cfg(feature = "acp")]
use crate::store::AgentRun;

/// Time for which a provider that failed is passed over, where nothing can be probed.
const PASSED_OVER: Duration = Duration::from_secs(20);

/// The configured providers, in their order.
#[derive(Debug)]
pub struct ProviderPool(Vec<ConfiguredProvider>);

#[derive(Debug)]
struct ConfiguredProvider {
    settings: ProviderSettings,
    /// Its server, for those that have one; the key shows itself to nobody.
    server: Option<OpenAiConfig>,
    /// Its program, for those that are one.
    #[cfg(feature = "acp")]
    program: Option<acp::AcpProgram>,
    state: Mutex<ProviderState>,
}

#[derive(Debug, Default)]
struct ProviderState {
    models: HashMap<String, Arc<dyn LanguageModel>>,
    busy: usize,
    /// Time of its last failure, unless a call went well since.
    failed: Option<Instant>,
}

/// Longest time that a probe may take.
const PROBE: Duration = Duration::from_secs(3);

impl ConfiguredProvider {
    fn healthy(&self, state: &ProviderState) -> bool {
        let over = |at: Instant| self.server.is_none() && at.elapsed() >= PASSED_OVER;
        state.failed.is_none_or(over)
    }
}

impl ProviderPool {
    /// The providers of the settings; `key` gives the key of one by its id.
    ///
    /// # Errors
    /// Words for one of a kind that this build does not speak.
    pub fn new<'k>(
        settings: &DelegationSettings,
        key: impl Fn(&str) -> Option<&'k str>,
    ) -> Result<Self, String> {
        let mut providers = Vec::new();
        for provider in &settings.providers {
            let server = match provider.kind {
                ProviderKind::OpenAiCompat => {
                    let base_url = provider.base_url.as_deref().unwrap_or_default();
                    let server = OpenAiConfig::new(
                        &provider.id,
                        base_url,
                        key(&provider.id),
                        &provider.models,
                    );
                    Some(server.without_repeats())
                }
                ProviderKind::AcpStdio if provider.enabled && !cfg!(feature = "acp") => {
                    return Err(format!(
                        "provider {}: kind acp_stdio is not in this build; set enabled = false",
                        provider.id
                    ));
                }
                ProviderKind::AcpStdio | ProviderKind::BuiltIn => None,
            };
            providers.push(ConfiguredProvider {
                settings: provider.clone(),
                server,
                #[cfg(feature = "acp")]
                program: (provider.kind == ProviderKind::AcpStdio)
                    .then(|| acp::AcpProgram::of(provider, key(&provider.id))),
                state: Mutex::default(),
            });
        }
        Ok(Self(providers))
    }

    fn find(&self, id: &str) -> Option<&ConfiguredProvider> {
        self.0.iter().find(|it| it.settings.id == id)
    }

    fn usable(&self, id: &str, model: &str) -> Result<&ConfiguredProvider, ToolError> {
        let provider = self.find(id);
        let provider = provider.ok_or_else(|| gone(id, model, "not configured"))?;
        match provider.settings.enabled {
            true => Ok(provider),
            false => Err(gone(id, model, "disabled")),
        }
    }

    /// The program that works on a run, with the name that errors and receipts call it by; none
    /// where a model is asked instead.
    ///
    /// # Errors
    /// `unavailable`: it is configured no more, or was disabled.
    #[cfg(feature = "acp")]
    pub fn program(&self, run: &AgentRun) -> Result<Option<(String, acp::AcpProgram)>, ToolError> {
        let provider = self.usable(&run.provider, &run.model)?;
        Ok(provider.program.as_ref().map(|program| {
            let model = match run.model.as_str() {
                "" => "its own model",
                model => model,
            };
            let program = acp::AcpProgram {
                model: run.model.clone(),
                ..program.clone()
            };
            (format!("{} ({model})", run.provider), program)
        }))
    }

    /// The model of a provider, as a session has settled on it.
    ///
    /// # Errors
    /// `unavailable`: it is configured no more, was disabled, or can't be set up.
    pub fn model(&self, id: &str, model: &str) -> Result<Arc<dyn LanguageModel>, ToolError> {
        let provider = self.usable(id, model)?;
        let gone = |why: &str| gone(id, model, why);
        let mut state = provider.state.lock();
        if let Some(known) = state.models.get(model) {
            return Ok(Arc::clone(known));
        }
        let made: Arc<dyn LanguageModel> = match &provider.server {
            Some(server) => {
                let made = OpenAi::new(server.clone().asking(model));
                Arc::new(made.map_err(|why| gone(&why.to_string()))?)
            }
            None => Arc::new(BuiltIn::new(id)),
        };
        state.models.insert(model.to_owned(), Arc::clone(&made));
        Ok(made)
    }

    /// Notes that a run is worked on there, until the slot is dropped.
    pub fn enter(self: &Arc<Self>, id: &str) -> ProviderSlot {
        if let Some(provider) = self.find(id) {
            provider.state.lock().busy += 1;
        }
        ProviderSlot {
            providers: Arc::clone(self),
            id: id.to_owned(),
        }
    }

    /// Notes how a call went.
    pub fn note(&self, id: &str, well: bool) {
        if let Some(provider) = self.find(id) {
            provider.state.lock().failed = (!well).then(Instant::now);
        }
    }

    /// Asks the servers that failed whether they are there again: those that are, are used again.
    pub async fn probe(&self) {
        for provider in self.0.iter().filter(|it| it.settings.enabled) {
            let failed = provider.state.lock().failed;
            let (Some(server), Some(failed)) = (&provider.server, failed) else {
                continue;
            };
            if OpenAi::is_there(server, PROBE).await {
                let mut state = provider.state.lock();
                // What failed since then counts for more.
                if state.failed == Some(failed) {
                    state.failed = None;
                    tracing::info!(provider = provider.settings.id, "it is there again");
                }
            }
        }
    }

    /// Providers that can take no more at the moment.
    pub fn full(&self) -> Vec<String> {
        let full = self.status().into_iter().filter(|it| it.free == Some(0));
        full.map(|it| it.id).collect()
    }

    /// Returns the state of each provider.
    pub fn status(&self) -> Vec<ProviderStatus> {
        let status = |provider: &ConfiguredProvider| {
            let state = provider.state.lock();
            let settings = &provider.settings;
            ProviderStatus {
                id: settings.id.clone(),
                kind: settings.kind,
                models: settings.models.clone(),
                enabled: settings.enabled,
                healthy: provider.healthy(&state),
                free: settings
                    .max_concurrent
                    .map(|max| max.saturating_sub(state.busy)),
            }
        };
        self.0.iter().map(status).collect()
    }
}

fn gone(id: &str, model: &str, why: &str) -> ToolError {
    let text = format!("Provider '{id}' is not available: {why}. Provider: {id} ({model})");
    ToolError::new(ErrorType::Unavailable, text)
}

/// A place at a provider; it is free again once this is dropped.
#[derive(Debug)]
pub struct ProviderSlot {
    providers: Arc<ProviderPool>,
    id: String,
}

impl Drop for ProviderSlot {
    fn drop(&mut self) {
        if let Some(provider) = self.providers.find(&self.id) {
            let mut state = provider.state.lock();
            state.busy = state.busy.saturating_sub(1);
        }
    }
}

#[cfg(test)]
mod tests;
