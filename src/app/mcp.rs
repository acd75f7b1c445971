//! `candor mcp`: the task tools over standard input and output, on the same database.

use std::process::ExitCode;

use anyhow::Result;

use super::{ready, stop_signal};
use crate::chat::direct::DirectWrites;
use crate::config::Config;
use crate::domain::{Clock, IdSource, UserId};
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
    let (rule, zone) = (config.policy.due_rule, config.policy.default_zone);
    let clock = Clock::system(config.today).in_zone(zone);
    let ids = IdSource::random();
    let direct = DirectWrites::new(store.clone(), clock, ids.clone(), rule, zone);
    #[cfg(feature = "delegation")]
    let direct = direct.stopping_agents(config.delegation.is_some());
    let tools = McpTools::local(direct, store.clone(), ids, clock);
    let tools = tools.confirmed_by(confirming(config));
    let ended = tokio::select! {
        ended = serve(tools, user) => ended,
        () = stop_signal() => Ok(()),
    };
    store.close().await;
    ended.map_err(anyhow::Error::msg)?;
    Ok(ExitCode::SUCCESS)
}
