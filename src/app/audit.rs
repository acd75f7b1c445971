//! `candor audit`: the operator's view of the log, over all users.

use std::io::Write;
use std::process::ExitCode;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use super::cli::AuditCommand;
use crate::audit::Row;
use crate::domain::{TurnId, UserId};
use crate::store::{AuditFilter, Store};
use crate::terminal::plain;

/// Events read at once.
const PAGE: u32 = 1_000;

/// Runs one of the commands, printing to `out`.
///
/// # Errors
/// When the log can't be read or the output can't be written.
pub async fn run(store: &Store, command: &AuditCommand, out: &mut impl Write) -> Result<ExitCode> {
    match command {
        AuditCommand::Verify { user, json } => verify(store, user.as_ref(), *json, out).await,
        AuditCommand::Show { turn, json } => show(store, *turn, *json, out).await,
        AuditCommand::Export { user, .. } => export(store, user.as_ref(), out).await,
    }
}

async fn verify(
    store: &Store,
    user: Option<&UserId>,
    as_json: bool,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let mut found = Vec::new();
    let mut intact = true;
    for user in users(store, user).await? {
        let checked = store.audit_verify(&user, None).await;
        let checked = checked.with_context(|| format!("the log of {user} can't be read"))?;
        intact &= checked.is_ok();
        match checked {
            Ok(head) if as_json => {
                found.push(
                    json!({"user_id": user, "events": head.seq, "head": head.hash, "broken": null}),
                );
            }
            Err(broken) if as_json => {
                let words = json!({"seq": broken.seq, "fault": broken.fault, "message": broken.to_string()});
                found.push(json!({"user_id": user, "broken": words}));
            }
            Ok(head) => writeln!(
                out,
                "{user}: {} events, intact, head {}",
                head.seq, head.hash
            )?,
            Err(broken) => writeln!(out, "{user}: BROKEN at {broken}")?,
        }
    }
    if as_json {
        writeln!(out, "{}", json!({"ok": intact, "users": found}))?;
    }
    Ok(if intact {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
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

async fn export(store: &Store, user: Option<&UserId>, out: &mut impl Write) -> Result<ExitCode> {
    for user in users(store, user).await? {
        let mut after = 0;
        loop {
            let filter = AuditFilter {
                user: Some(user.clone()),
                after: Some(after),
                limit: Some(PAGE),
                ..AuditFilter::default()
            };
            let rows = store
                .audit_events(&filter)
                .await
                .context("the log can't be read")?;
            let Some(last) = rows.last() else { break };
            after = last.seq;
            for row in &rows {
                serde_json::to_writer(&mut *out, row)?;
                writeln!(out)?;
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

async fn users(store: &Store, user: Option<&UserId>) -> Result<Vec<UserId>> {
    match user {
        Some(user) => Ok(vec![user.clone()]),
        None => store.audit_users().await.context("the log can't be read"),
    }
}
