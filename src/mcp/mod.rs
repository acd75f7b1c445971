//! The Model Context Protocol: the task tools for other people's agents, over HTTP at `/mcp` and
//! over standard input and output (`candor mcp`).
//!
//! The protocol itself is the SDK's. What is ours: which tools there are and what is said of them
//! (`catalogue`), who calls (`edge`), that a deletion asks the user (`consent`), and what a call came
//! to (`answer`). Every call goes through `chat::direct`, so it leaves the receipts and the log that
//! a write by REST leaves. Holds no tool of its own, and asks no model.

mod answer;
mod catalogue;
mod consent;
mod edge;
mod server;
mod sessions;
mod stdio;

pub use consent::DeletionConfirmation;
pub use edge::beside;
pub use server::McpTools;
pub use stdio::serve;
