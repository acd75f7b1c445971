//! Agents of the Agent Client Protocol: a program of the operator's, spoken to over its standard
//! input and output.
//!
//! Nothing it says is taken at its word. What it writes becomes notes of the timeline; what it
//! asks leave for is judged by the run's own bounds; and it ends well in one way, like every
//! agent: by calling `report_result`, which our own MCP server offers it. That server lives in
//! this process, one for each run. The program that the agent starts for it (`candor
//! agent-tools`) only carries its lines to us, and is let in by a token of that run alone.
//!
//! - [`AcpChannels`]: the conversation with one agent's program
//! - [`ToolLink`]: the tools it is offered, and the way its calls come in
//! - [`judge`]: what it may do that it asks leave for
//! - [`relay`]: the program between an agent and its tools

mod client;
mod link;
mod permission;
mod process;
mod relay;

pub use client::{AcpChannels, AcpCommand, AcpEvent, AcpProgram};
pub use link::{LinkCall, ToolLink};
pub use permission::judge;
pub use relay::{RelayError, relay};

/// The variable that tells the relay where its run's tools are: `127.0.0.1:40123`.
const LINK: &str = "CANDOR_RUN_LINK";
/// The variable that holds the token which lets the relay in.
const TOKEN: &str = "CANDOR_RUN_TOKEN";
/// The hidden command that is the relay.
pub const RELAY_COMMAND: &str = "agent-tools";
