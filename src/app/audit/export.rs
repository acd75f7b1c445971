//! `candor audit export`, and reading what it wrote.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};

use super::super::cli::ExportArgs;
use super::{UNREADABLE, each_event, each_leaf, key};
use crate::audit::PlacedEvent;
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
pub(super) fn each(path: &Path, mut take: impl FnMut(PlacedEvent) -> Result<()>) -> Result<()> {
    let unreadable = || format!("{} can't be read", path.display());
    let mut file = BufReader::new(File::open(path).with_context(unreadable)?);
    let mut line = Vec::new();
    for number in 1_u64.. {
        line.clear();
        if file.read_until(b'\n', &mut line).with_context(unreadable)? == 0 {
            break;
        }
        let placed = PlacedEvent::parse(&line);
        take(placed.with_context(|| format!("line {number} of {} is no event", path.display()))?)?;
    }
    Ok(())
}
