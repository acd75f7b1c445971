//! `candor mcp`: one user's client over standard input and output, one message per line.

use rmcp::ServiceExt;
use rmcp::transport::stdio;

use super::server::{McpServer, McpTools};
use crate::domain::UserId;
use crate::http::Client;

/// Reason why serving failed.
#[derive(Debug, thiserror::Error)]
pub enum StdioEnd {
    /// The client never said who it is.
    #[error("the client did not begin as the protocol wants it: {0}")]
    NotBegun(String),
    /// The server itself failed.
    #[error("the server failed: {0}")]
    Failed(String),
}

/// Serves `user` until the client closes our standard input.
///
/// # Errors
/// [`StdioEnd`]; a client that goes away is none.
pub async fn serve(tools: McpTools, user: UserId) -> Result<(), StdioEnd> {
    let server = McpServer::of(tools, Client::local(user));
    let running = match server.serve(stdio()).await {
        Ok(running) => running,
        // Nobody was there.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(StdioEnd::NotBegun(error.to_string())),
    };
    let ended = running.waiting().await;
    ended
        .map(drop)
        .map_err(|error| StdioEnd::Failed(error.to_string()))
}
