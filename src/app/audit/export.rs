//! `candor audit export`, and reading what it wrote.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result};

use super::super::cli::ExportArgs;
use super::{PAGE, key};
use crate::audit::PlacedEvent;
use crate::store::{AuditFilter, Store};

/// All events in the order of the tree, or one user's in the order of the chain.
pub(super) async fn write(
    store: &Store,
    arguments: &ExportArgs,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let unreadable = "the log can't be read";
    let signer = match &arguments.checkpoint {
        None => None,
        Some(_) => Some(key::signing(arguments.key.as_deref())?.context(
            "there is no key to sign a checkpoint with: make one with candor audit keygen",
        )?),
    };
    if let Some(user) = &arguments.user {
        let mut after = 0;
        loop {
            let filter = AuditFilter {
                user: Some(user.clone()),
                after: Some(after),
                limit: Some(PAGE),
                ..AuditFilter::default()
            };
            let rows = store.audit_events(&filter).await.context(unreadable)?;
            let Some(last) = rows.last() else { break };
            after = last.seq;
            for event in rows {
                line(
                    &PlacedEvent {
                        leaf_index: None,
                        event,
                    },
                    out,
                )?;
            }
        }
        return Ok(ExitCode::SUCCESS);
    }
    let head = store.audit_tree().await.context(unreadable)?;
    let mut from = 0;
    while from < head.size {
        let events = store.audit_log(from, PAGE).await.context(unreadable)?;
        if events.is_empty() {
            break;
        }
        for placed in events
            .iter()
            .take_while(|placed| placed.leaf_index < Some(head.size))
        {
            line(placed, out)?;
        }
        from += events.len() as u64;
    }
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
