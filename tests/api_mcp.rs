//! The Model Context Protocol, spoken by hand: over real HTTP in both revisions, and over pipes with
//! the real binary.

#![cfg(test)]
#![cfg(feature = "mcp")]

#[path = "support"]
mod support {
    pub mod server;
}

#[path = "api_mcp/access.rs"]
mod access;
#[path = "api_mcp/deleting.rs"]
mod deleting;
#[path = "api_mcp/documented.rs"]
mod documented;
#[path = "api_mcp/hostile.rs"]
mod hostile;
#[path = "api_mcp/piped.rs"]
mod piped;
#[path = "api_mcp/tools.rs"]
mod tools;
#[path = "api_mcp/wire.rs"]
mod wire;
