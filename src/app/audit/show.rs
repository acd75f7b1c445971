//! `candor audit show`: the account of one turn, from the database or from an export alone.

use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::super::cli::ShowArgs;
use super::{UNREADABLE, export};
use crate::audit::{AuditRow, EventKind};
use crate::chat::prompt_told as told;
use crate::domain::put_member;
use crate::guard::account::{Account, Recomputed, SentenceKind, Worth, account};
use crate::store::{AuditFilter, Store};
use crate::terminal::plain;

/// Shows a turn of the database.
pub(super) async fn online(
    store: &Store,
    arguments: &ShowArgs,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let filter = AuditFilter {
        turn: Some(arguments.turn),
        ..AuditFilter::default()
    };
    let rows = store.audit_events(&filter).await.context(UNREADABLE)?;
    let mut accounts = Vec::new();
    for events in by_user(&rows) {
        let Some(found) = account(events) else {
            continue;
        };
        let kept = store.turn_receipts(&found.user_id, found.turn_id).await;
        accounts.push((found.beside(events, &kept.context(UNREADABLE)?), events));
    }
    show(&accounts, arguments, out)
}

/// Shows a turn of an export. Opens no database.
pub(super) fn offline(file: &Path, arguments: &ShowArgs, out: &mut impl Write) -> Result<ExitCode> {
    let mut rows = Vec::new();
    export::each(file, |placed| {
        if placed.event.turn_id == Some(arguments.turn) {
            rows.push(placed.event);
        }
        Ok(())
    })?;
    rows.sort_by(|a, b| (&a.user_id, a.seq).cmp(&(&b.user_id, b.seq)));
    let accounts: Vec<(Account, &[AuditRow])> = by_user(&rows)
        .filter_map(|events| Some((account(events)?, events)))
        .collect();
    show(&accounts, arguments, out)
}

fn by_user(rows: &[AuditRow]) -> impl Iterator<Item = &[AuditRow]> {
    rows.chunk_by(|a, b| a.user_id == b.user_id)
}

fn show(
    accounts: &[(Account, &[AuditRow])],
    arguments: &ShowArgs,
    out: &mut impl Write,
) -> Result<ExitCode> {
    if accounts.is_empty() {
        bail!("no event belongs to turn {}", arguments.turn);
    }
    for (account, events) in accounts {
        if arguments.json {
            let mut told = serde_json::to_value(account)?;
            put_member(&mut told, "holds", json!(account.holds()));
            put_member(&mut told, "events", json!(events));
            writeln!(out, "{told}")?;
        } else {
            tell(account, out)?;
            if arguments.prompt {
                prompt(events, out)?;
            }
            if arguments.events {
                for row in *events {
                    event(row, out)?;
                }
            }
        }
    }
    let holds = accounts.iter().all(|(account, _)| account.holds());
    Ok(super::code(holds))
}

fn tell(account: &Account, out: &mut impl Write) -> Result<()> {
    let at = account.at.format("%Y-%m-%d %H:%M:%S%.3f UTC");
    writeln!(out, "turn {} of {}, {at}", account.turn_id, account.user_id)?;
    match (&account.message, account.erased) {
        (Some(message), _) => writeln!(out, "user:  {}", plain(message))?,
        (None, true) => writeln!(out, "the words of this turn were erased")?,
        (None, false) if !account.asked.is_null() => {
            writeln!(out, "asked: {}", plain(&account.asked.to_string()))?;
        }
        (None, false) => {}
    }
    let versions: Vec<String> = account
        .versions
        .as_object()
        .into_iter()
        .flatten()
        .map(|(part, version)| format!("{part} {}", version.as_str().unwrap_or_default()))
        .collect();
    if let Some(model) = &account.model {
        writeln!(out, "model: {} ({})", plain(model), versions.join(", "))?;
    }
    for call in &account.calls {
        let arguments = call.arguments.to_string();
        let (arguments, name) = (plain(&arguments), plain(&call.name));
        write!(out, "  #{} {}: {name} {arguments}", call.seq, call.outcome)?;
        match &call.reason {
            Value::Null => writeln!(out)?,
            reason => writeln!(out, " ({})", plain(&said(reason)))?,
        }
    }
    for stopped in &account.stopped {
        let (seq, reason) = (stopped.seq, &stopped.reason);
        writeln!(
            out,
            "  #{seq} not shown ({reason}): {}",
            plain(&stopped.text)
        )?;
    }
    for receipt in &account.receipts {
        let (seq, id) = (receipt.seq, receipt.id);
        writeln!(out, "  #{seq} receipt {id}: {}", receipt.action)?;
    }
    reply(account, out)?;
    let chain = &account.chain;
    let state = match &chain.broken {
        None => "as they were written".to_owned(),
        Some(broken) => format!("BROKEN at {broken}"),
    };
    writeln!(
        out,
        "events {} to {}: {state}",
        chain.first_seq, chain.last_seq
    )?;
    if account.receipts_agree == Some(false) {
        writeln!(
            out,
            "BROKEN: the receipts in the database are not those of the log"
        )?;
    }
    Ok(())
}

/// A reason's words, where it has some.
fn said(reason: &Value) -> String {
    let words = reason.get("error").and_then(Value::as_str);
    let refusal = reason.get("refusal").and_then(Value::as_str);
    match (refusal, words) {
        (Some(refusal), Some(words)) => format!("{refusal}: {words}"),
        (None, Some(words)) => words.to_owned(),
        _ => reason.to_string(),
    }
}

fn reply(account: &Account, out: &mut impl Write) -> Result<()> {
    if account.said.is_some() {
        writeln!(out, "reply ({}):", account.kind.as_deref().unwrap_or("?"))?;
    }
    for sentence in &account.sentences {
        let worth = match sentence.verdict {
            Worth::Proven => "proven  ",
            Worth::Unproven => "UNPROVEN",
            Worth::Chat => "chat    ",
        };
        let from = match (sentence.kind, sentence.events.as_slice()) {
            (SentenceKind::Receipt, [seq, ..]) => format!("  <- receipt #{seq}"),
            (_, [seq, ..]) => format!("  <- event #{seq}"),
            (_, []) => String::new(),
        };
        writeln!(out, "  {worth}  {}{from}", plain(&sentence.text))?;
    }
    for line in &account.unsaid {
        writeln!(out, "  UNSAID    {}", plain(line))?;
    }
    let how = match &account.recomputed {
        Recomputed::Whole { equal: true, .. } => "recomputed word for word".to_owned(),
        Recomputed::Whole { message, .. } => {
            format!("RECOMPUTED OTHERWISE: {}", plain(message))
        }
        Recomputed::Receipts => "the lines of receipts recomputed".to_owned(),
        Recomputed::Not { why } => format!("not recomputed: {why}"),
    };
    let (proven, unproven, chat) = (account.proven, account.unproven, account.chat);
    let all = account.sentences.len();
    writeln!(
        out,
        "{proven} of {all} sentences proven, {unproven} unproven, {chat} that tell of nothing done; {how}"
    )?;
    Ok(())
}

/// Prints what the model was told before the conversation.
fn prompt(events: &[AuditRow], out: &mut impl Write) -> Result<()> {
    let turns = events.iter().filter(|row| row.kind == EventKind::Turn);
    for turn in turns {
        let payload: Value = serde_json::from_str(&turn.payload).unwrap_or_default();
        match told(&payload) {
            Some(text) => writeln!(out, "the model was told:\n{}", plain(&text))?,
            None => writeln!(
                out,
                "no model was asked, or what it was told can't be made again: its words were \
                 erased, or another version wrote it"
            )?,
        }
    }
    Ok(())
}

fn event(row: &AuditRow, out: &mut impl Write) -> Result<()> {
    let payload: Value = serde_json::from_str(&row.payload).unwrap_or_default();
    let payload = serde_json::to_string_pretty(&payload).unwrap_or_default();
    let at = row.created_at.format("%Y-%m-%d %H:%M:%S%.3f UTC");
    let (seq, user, kind) = (row.seq, &row.user_id, row.kind.as_str());
    writeln!(out, "#{seq} {user} {kind} {at}")?;
    writeln!(out, "{}", plain(&payload))?;
    Ok(())
}
