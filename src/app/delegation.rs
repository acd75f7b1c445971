//! Wiring of delegation: from `candor.toml` to a runner that works and a desk in front of it.

use std::sync::Arc;
use std::time::Duration;

use anyhow::{Result, anyhow};
use tokio::task::JoinHandle;

use crate::chat::ChatService;
use crate::config::{Config, ConfigError};
use crate::delegation::{
    AgentRunner, DelegationService, PersonaRegistry, ProviderPool, RunnerServices,
};
use crate::domain::{Clock, IdSource, Secret};
use crate::store::Store;

/// Longest time that writing down runs that are given up at the end may take.
const GRACE: Duration = Duration::from_secs(3);

/// Worker on the queue in this process.
pub struct QueueWorker {
    /// The way to it.
    pub desk: Arc<DelegationService>,
    task: JoinHandle<()>,
}

impl QueueWorker {
    /// Sets up what is configured and begins to work; `None` where nothing is.
    ///
    /// # Errors
    /// One line for a provider that can't be set up, or a persona that is not there.
    pub fn begin(
        config: &Config,
        store: &Store,
        clock: Clock,
        ids: &IdSource,
    ) -> Result<Option<Self>> {
        let Some(delegating) = &config.delegation else {
            return Ok(None);
        };
        let settings = delegating.settings.clone();
        let key = |id: &str| delegating.keys.get(id).map(Secret::expose);
        let providers = ProviderPool::new(&settings, key);
        let providers = providers.map_err(|why| anyhow!("candor.toml: {why}"))?;
        let registry = PersonaRegistry::default().with_default(&settings.default_persona);
        if registry.default_persona() != settings.default_persona {
            let fault = format!(
                "[delegation] default_persona = {:?} is not one of {}",
                settings.default_persona,
                registry.names().join(", ")
            );
            return Err(ConfigError::new("candor.toml", fault, "one of these").into());
        }
        let zone = config.policy.default_zone;
        let runner = AgentRunner::new(RunnerServices {
            store: store.clone(),
            settings: settings.clone(),
            providers: Arc::new(providers),
            registry: registry.clone(),
            clock,
            zone,
            ids: ids.clone(),
            #[cfg(feature = "simulator")]
            planted: config.planted_in_runner,
        });
        let task = runner.start();
        let desk = Arc::new(DelegationService {
            store: store.clone(),
            runner,
            registry,
            settings,
            clock,
            zone,
            ids: ids.clone(),
        });
        Ok(Some(Self { desk, task }))
    }

    /// The same chat, whose turns can give work to agents.
    pub fn chat(&self, chat: ChatService) -> ChatService {
        let desk = &self.desk;
        let (settings, registry) = (desk.settings.clone(), desk.registry.clone());
        chat.delegating(settings, registry, desk.runner.clone())
    }

    /// Gives up what is worked on, so that its rows say so, and stops.
    pub async fn end(self) {
        self.desk.runner.close(GRACE).await;
        self.task.abort();
    }
}
