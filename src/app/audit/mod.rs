//! `candor audit`: the operator's view of the log, over all users.

mod key;
mod verify;

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde_json::{Value, json};

pub(super) use self::key::{KEY_FILE, signing};
use super::cli::{AuditCommand, ExportArgs, VerifyArgs};
use crate::audit::Row;
use crate::config::Config;
use crate::domain::{TurnId, UserId};
use crate::store::{AuditFilter, Placed, Store};
use crate::terminal::plain;

/// Events read at once.
const PAGE: u32 = 1_000;

/// Runs one of the commands, printing to `out`.
///
/// # Errors
/// When the log can't be read or the output can't be written.
pub async fn run(
    config: &Config,
    command: &AuditCommand,
    out: &mut impl Write,
) -> Result<ExitCode> {
    // What needs no database opens none.
    match command {
        AuditCommand::Keygen { name, out: file } => {
            key::generate(name, file, out)?;
            return Ok(ExitCode::SUCCESS);
        }
        AuditCommand::Verify(arguments) => {
            if let Some(export) = &arguments.export {
                return verify::offline(export, arguments, out);
            }
        }
        AuditCommand::Show { .. } | AuditCommand::Export(_) => {}
    }
    let store = super::open(config).await?;
    let ran = match command {
        AuditCommand::Verify(arguments) => verify::online(&store, arguments, out).await,
        AuditCommand::Show { turn, json } => show(&store, *turn, *json, out).await,
        AuditCommand::Export(arguments) => export(&store, arguments, out).await,
        AuditCommand::Keygen { .. } => Ok(ExitCode::SUCCESS),
    };
    store.close().await;
    ran
}

async fn show(
    store: &Store,
    turn: TurnId,
    as_json: bool,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let filter = AuditFilter {
        turn: Some(turn),
        ..AuditFilter::default()
    };
    let rows = store
        .audit_events(&filter)
        .await
        .context("the log can't be read")?;
    if as_json {
        writeln!(out, "{}", json!({"turn_id": turn, "events": rows}))?;
    } else {
        for row in &rows {
            event(row, out)?;
        }
    }
    if rows.is_empty() {
        anyhow::bail!("no event belongs to turn {turn}");
    }
    Ok(ExitCode::SUCCESS)
}

fn event(row: &Row, out: &mut impl Write) -> Result<()> {
    let payload: Value = serde_json::from_str(&row.payload).unwrap_or_default();
    let payload = serde_json::to_string_pretty(&payload).unwrap_or_default();
    let at = row.created_at.format("%Y-%m-%d %H:%M:%S%.3f UTC");
    writeln!(
        out,
        "#{} {} {} {at}",
        row.seq,
        row.user_id,
        row.kind.as_str()
    )?;
    writeln!(out, "{}", plain(&payload))?;
    Ok(())
}

/// All events in the order of the tree, or one user's in the order of the chain.
async fn export(store: &Store, arguments: &ExportArgs, out: &mut impl Write) -> Result<ExitCode> {
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
                    &Placed {
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

fn line(placed: &Placed, out: &mut impl Write) -> Result<()> {
    serde_json::to_writer(&mut *out, placed)?;
    writeln!(out)?;
    Ok(())
}

async fn users(store: &Store, user: Option<&UserId>) -> Result<Vec<UserId>> {
    match user {
        Some(user) => Ok(vec![user.clone()]),
        None => store.audit_users().await.context("the log can't be read"),
    }
}
