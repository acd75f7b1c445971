//! View of a running server for an operator: figures for Prometheus, and spans for OpenTelemetry.
//!
//! Both are off until the program switches them on, and cost one comparison while they are off.
//! Nothing here holds what a user said: labels are words of the program, of its configuration
//! and of its routes. The pure parts (readers, tools, turn, guard) report nothing: what they
//! decided is counted where it takes effect, in `chat`, the store and the edges.

mod meters;
pub mod names;
mod process;
pub mod trace;

pub use meters::{Meters, OpenStream, QueueDepths, TurnEnd, known_method, meters, start};
