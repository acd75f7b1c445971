//! `candor mcp`: the task tools over standard input and output, on the same database.

use std::process::ExitCode;

use anyhow::Result;

use super::{clock, direct, ready, stop_signal};
use crate::config::Config;
use crate::domain::{IdSource, UserId};
use crate::mcp::{DeletionConfirmation, McpTools, serve};

/// Confirmation of a deletion where a client can't ask.
pub(super) const fn confirming(config: &Config) -> DeletionConfirmation {
    if config.model_confirms {
        DeletionConfirmation::Model
    } else {
        DeletionConfirmation::Person
    }
}

/// Serves `user` until the client goes, or somebody asks the program to end.
pub(super) async fn stdio(config: &Config, user: UserId) -> Result<ExitCode> {
    let store = ready(config).await?;
    let ids = IdSource::random();
    let direct = direct(config, &store, ids.clone());
    #[cfg(feature = "delegation")]
    let direct = direct.stopping_agents(config.delegation.is_some());
    let tools = McpTools::local(direct, store.clone(), ids, clock(config));
    let tools = tools.confirmed_by(confirming(config));
    let ended = tokio::select! {
        ended = serve(tools, user) => ended,
        () = stop_signal() => Ok(()),
    };
    store.close().await;
    ended.map_err(anyhow::Error::msg)?;
    Ok(ExitCode::SUCCESS)
}
