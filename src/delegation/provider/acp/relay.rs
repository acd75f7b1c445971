//! The program between an agent and its tools: `candor agent-tools`.
//!
//! An ACP agent starts it as an MCP server of its own. It understands nothing of what it
//! carries: it shows its token, then passes lines on in both directions until one side ends.
//! Without the token of a run that is being worked on it is shown the door.

use tokio::io::{self, AsyncWriteExt};
use tokio::net::TcpStream;

/// Reason why an agent's tools can't be reached.
#[derive(Debug, thiserror::Error)]
pub enum RelayError {
    /// Somebody started it by hand.
    #[error("agent-tools is started by an agent that works on a run, and by nobody else")]
    NoRun,
    /// The run is over, or its server is gone.
    #[error("the run's server can't be reached")]
    Unreachable(#[source] io::Error),
}

/// Carries lines between standard input and output and the run's tools, until one side ends:
/// `link` is where they are (`127.0.0.1:40123`), `token` what lets us in.
///
/// # Errors
/// [`RelayError`], in one line for the agent's log.
pub async fn relay(link: Option<&str>, token: Option<&str>) -> Result<(), RelayError> {
    let (Some(link), Some(token)) = (link, token) else {
        return Err(RelayError::NoRun);
    };
    let mut stream = TcpStream::connect(link)
        .await
        .map_err(RelayError::Unreachable)?;
    let greeting = format!("{token}\n");
    let greeted = stream.write_all(greeting.as_bytes()).await;
    greeted.map_err(RelayError::Unreachable)?;
    let (mut from_run, mut to_run) = stream.into_split();
    let (mut input, mut output) = (io::stdin(), io::stdout());
    // That one side is gone is how it ends, not a fault of it.
    tokio::select! {
        _ = io::copy(&mut input, &mut to_run) => {}
        _ = io::copy(&mut from_run, &mut output) => {}
    }
    let _ = output.flush().await;
    Ok(())
}
