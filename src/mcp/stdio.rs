//! `candor mcp`: one user's client over standard input and output, one message per line.

use rmcp::ServiceExt;
use rmcp::transport::stdio;

use super::server::{Server, Tools};
use crate::domain::UserId;
use crate::http::Client;

/// How it ended.
#[derive(Debug, thiserror::Error)]
pub enum Ended {
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
/// [`Ended`]; a client that goes away is none.
pub async fn serve(tools: Tools, user: UserId) -> Result<(), Ended> {
    let server = Server::of(tools, Client::local(user));
    let running = match server.serve(stdio()).await {
        Ok(running) => running,
        // Nobody was there.
        Err(rmcp::service::ServerInitializeError::ConnectionClosed(_)) => return Ok(()),
        Err(error) => return Err(Ended::NotBegun(error.to_string())),
    };
    let ended = running.waiting().await;
    ended
        .map(drop)
        .map_err(|error| Ended::Failed(error.to_string()))
}
