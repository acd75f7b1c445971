//! `candor mcp`: one user's client over standard input and output, one message per line.

use rmcp::ServiceExt;
use rmcp::transport::stdio;

use super::server::{McpServer, McpTools};
use crate::domain::UserId;
use crate::http::Client;

/// Serves `user` until the client closes our standard input.
///
/// # Errors
/// Words for a client that never said who it is, and for a server that fails; a client that goes
/// away is no error.
pub async fn serve(tools: McpTools, user: UserId) -> Result<(), String> {
    let server = McpServer::of(tools, Client::local(user));
    let running = match server.serve(stdio()).await {
        Ok(running) => running,
        // Nobody was there.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => {
            return Err(format!(
                "the client did not begin as the protocol wants it: {error}"
            ));
        }
    };
    match running.waiting().await {
        Ok(_) => Ok(()),
        Err(error) => Err(format!("the server failed: {error}")),
    }
}
