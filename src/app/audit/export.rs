//! `candor audit export`, and reading what it wrote.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};

use super::super::cli::ExportArgs;
use super::{UNREADABLE, each_event, each_leaf, key};
use crate::audit::{PlacedEvent, read_export};
use crate::store::Store;

/// All events in the order of the tree, or one user's in the order of the chain.
pub(super) async fn write(
    store: &Store,
    arguments: &ExportArgs,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let signer = match &arguments.checkpoint {
        None => None,
        Some(_) => Some(key::signing(arguments.key.as_deref())?.context(
            "there is no key to sign a checkpoint with: make one with candor audit keygen",
        )?),
    };
    if let Some(user) = &arguments.user {
        each_event(store, user, |event| {
            let leaf_index = None;
            line(&PlacedEvent { leaf_index, event }, out)
        })
        .await?;
        return Ok(ExitCode::SUCCESS);
    }
    let head = store.audit_tree().await.context(UNREADABLE)?;
    each_leaf(store, head.size, |placed| {
        let covered = placed.leaf_index < Some(head.size);
        if covered {
            line(placed, out)?;
        }
        Ok(covered)
    })
    .await?;
    if let (Some(signer), Some(path)) = (signer, &arguments.checkpoint) {
        let note = signer.checkpoint(&head)?;
        std::fs::write(path, note)
            .with_context(|| format!("{} can't be written", path.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

fn line(placed: &PlacedEvent, out: &mut impl Write) -> Result<()> {
    serde_json::to_writer(&mut *out, placed)?;
    writeln!(out)?;
    Ok(())
}

/// Reads an export event by event.
pub(super) fn each(path: &Path, take: impl FnMut(PlacedEvent) -> Result<()>) -> Result<()> {
    let file = File::open(path);
    read_export(
        file.with_context(|| format!("{} can't be read", path.display()))?,
        take,
    )
}
