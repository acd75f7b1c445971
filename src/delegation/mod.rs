//! Delegation: a todo worked on by an agent, under the same law as everything else.
//!
//! A run is a row. The chat writes it in its turn's unit of work and then wakes the [`AgentRunner`],
//! which takes the row under a lease, plays the agent's part against a provider,
//! and writes what came of it. Nothing is kept here that is not in the store: a process that
//! dies loses a lease and no fact. An agent's "done" is hearsay; only its recorded result, which
//! it reports itself and which is checked against its own receipts, ends a run well.
//!
//! - [`DelegationSettings`]: what the operator allows (`candor.toml`)
//! - [`PersonaRegistry`]: who may be given work, and [`description`], what a model is told of them
//! - [`route`]: where a run goes, and why
//! - [`AgentRunner`]: works on the queue

#[cfg(feature = "delegation")]
pub mod agent;
mod describe;
mod persona;
mod port;
#[cfg(feature = "delegation")]
mod provider;
mod registry;
mod router;
#[cfg(feature = "delegation")]
mod runner;
mod service;
mod settings;

pub use describe::description;
pub use persona::{Persona, PersonaExample};
#[cfg(not(feature = "delegation"))]
pub use port::AgentRunner;
pub use port::{CancelOutcome, ProviderStatus, WaitOutcome};
#[cfg(feature = "delegation")]
pub use provider::ProviderPool;
#[cfg(feature = "acp")]
pub use provider::acp::{RelayError, relay};
pub use registry::{DEFAULT_PERSONA, PersonaRegistry};
pub use router::{RoutingRequest, RunDestination, RunRoute, route};
#[cfg(all(feature = "delegation", feature = "simulator"))]
pub use runner::PlantedInRunner;
#[cfg(feature = "delegation")]
pub use runner::{AgentRunner, RunnerServices};
pub use service::{DelegationError, DelegationService, HandoverRequest};
pub use settings::{
    DelegationSettings, EnvironmentVariables, ModelName, ProviderKind, ProviderSettings,
    RoutingModels,
};
