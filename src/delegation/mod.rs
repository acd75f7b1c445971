//! Delegation: a task worked on by an agent, under the same law as everything else.
//!
//! Who may be given work ([`Registry`]), what the model that delegates is told of them
//! ([`description`]), and where a run goes ([`route`]). All state goes through the store; whoever
//! says something about a run reads its rows.

mod describe;
mod persona;
mod registry;
mod router;

pub use describe::description;
pub use persona::{Example, Persona, PersonaError};
pub use registry::{DEFAULT_PERSONA, Registry};
pub use router::{Models, ProviderState, Route, Wish, Work, route};
