//! `candor audit verify`: the log against itself, against a checkpoint, or an export alone.

use std::fs::File;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::{VerifyArgs, key, users};
use crate::audit::{Broken, Head, LogCheck, LogFault, TreeHead, Whole, stated};
use crate::domain::UserId;
use crate::store::{Placed, Store};

/// Events read at once.
const PAGE: u32 = 1_000;

/// A checkpoint file, and whether its signature was checked.
struct Kept {
    head: TreeHead,
    signed: bool,
}

impl Kept {
    fn read(arguments: &VerifyArgs) -> Result<Option<Self>> {
        let Some(path) = &arguments.checkpoint else {
            return Ok(None);
        };
        let note = std::fs::read_to_string(path);
        let note = note.with_context(|| format!("{} can't be read", path.display()))?;
        let head = match &arguments.key {
            Some(key) => key::verifying(key)?.open(&note),
            None => stated(&note),
        };
        let head = head.with_context(|| format!("{}", path.display()))?;
        Ok(Some(Self {
            head,
            signed: arguments.key.is_some(),
        }))
    }
}

/// Checks an export, with no database and no server.
pub(super) fn offline(
    export: &Path,
    arguments: &VerifyArgs,
    out: &mut impl Write,
) -> Result<ExitCode> {
    if arguments.user.is_some() && arguments.checkpoint.is_some() {
        bail!("a checkpoint covers the events of all users: verify it without --user");
    }
    let kept = Kept::read(arguments)?;
    let file = File::open(export);
    let file = file.with_context(|| format!("{} can't be read", export.display()))?;
    let mut check = LogCheck::new(kept.as_ref().map(|kept| kept.head));
    for (number, line) in (1..).zip(BufReader::new(file).lines()) {
        let line = line.with_context(|| format!("{} can't be read", export.display()))?;
        let placed: Placed = match serde_json::from_str(&line) {
            Ok(placed) => placed,
            Err(error) => {
                let words = format!("line {number} of the export is no event: {error}");
                return report(&Err(words), kept.as_ref(), arguments.json, out);
            }
        };
        let wanted = arguments.user.as_ref();
        if wanted.is_some_and(|user| *user != placed.event.user_id) {
            continue;
        }
        // Of one user alone there is no tree.
        let place = placed.leaf_index.filter(|_| wanted.is_none());
        if let Err(fault) = check.push(place, &placed.event) {
            return report(&Err(fault.to_string()), kept.as_ref(), arguments.json, out);
        }
    }
    let whole = check.finish().map_err(|fault| fault.to_string());
    report(&whole, kept.as_ref(), arguments.json, out)
}

fn report(
    whole: &Result<Whole, String>,
    kept: Option<&Kept>,
    as_json: bool,
    out: &mut impl Write,
) -> Result<ExitCode> {
    match whole {
        Ok(whole) if as_json => {
            let users: Vec<Value> = whole
                .users
                .iter()
                .map(|(user, head)| sound(user, head))
                .collect();
            let words = json!({"ok": true, "users": users, "checkpoint": kept.map(covered)});
            writeln!(out, "{words}")?;
        }
        Ok(whole) => {
            for (user, head) in &whole.users {
                line(user, head, out)?;
            }
            if let Some(kept) = kept {
                checkpoint_line(kept, out)?;
            }
        }
        Err(fault) if as_json => {
            writeln!(out, "{}", json!({"ok": false, "fault": fault}))?;
        }
        Err(fault) => writeln!(out, "BROKEN: {fault}")?,
    }
    Ok(code(whole.is_ok()))
}

/// Checks the database: each chain, and what the checkpoint covers.
pub(super) async fn online(
    store: &Store,
    arguments: &VerifyArgs,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let kept = Kept::read(arguments)?;
    let mut found = Vec::new();
    let mut intact = true;
    for user in users(store, arguments.user.as_ref()).await? {
        let checked = store.audit_verify(&user, None).await;
        let checked = checked.with_context(|| format!("the log of {user} can't be read"))?;
        intact &= checked.is_ok();
        match &checked {
            Ok(head) if arguments.json => found.push(sound(&user, head)),
            Err(broken) if arguments.json => found.push(unsound(&user, broken)),
            Ok(head) => line(&user, head, out)?,
            Err(broken) => writeln!(out, "{user}: BROKEN at {broken}")?,
        }
    }
    let mut against = None;
    if let Some(kept) = &kept {
        let fault = tree(store, kept.head).await?;
        intact &= fault.is_none();
        match &fault {
            Some(fault) if !arguments.json => writeln!(out, "checkpoint: BROKEN: {fault}")?,
            None if !arguments.json => checkpoint_line(kept, out)?,
            _ => {}
        }
        let mut words = covered(kept);
        if let Value::Object(words) = &mut words {
            words.insert("fault".to_owned(), json!(fault));
        }
        against = Some(words);
    }
    if arguments.json {
        let words = json!({"ok": intact, "users": found, "checkpoint": against});
        writeln!(out, "{words}")?;
    }
    Ok(code(intact))
}

/// Whether the events in the order of the tree are those that a checkpoint covers.
async fn tree(store: &Store, covered: TreeHead) -> Result<Option<LogFault>> {
    let mut check = LogCheck::new(Some(covered));
    let mut from = 0;
    while from < covered.size {
        let events = store.audit_log(from, PAGE).await;
        let events = events.context("the log can't be read")?;
        if events.is_empty() {
            break;
        }
        from += events.len() as u64;
        for placed in &events {
            // Chains were looked at before; here a chain that is not whole is as good as a
            // root that is not the one.
            if let Err(fault) = check.push(placed.leaf_index, &placed.event) {
                return Ok(Some(fault));
            }
        }
    }
    // Words that were erased are told of further on, beyond what is covered.
    match check.finish() {
        Err(fault @ (LogFault::Truncated { .. } | LogFault::Root { .. })) => Ok(Some(fault)),
        Ok(_) | Err(_) => Ok(None),
    }
}

fn sound(user: &UserId, head: &Head) -> Value {
    json!({"user_id": user, "events": head.seq, "head": head.hash, "broken": null})
}

fn unsound(user: &UserId, broken: &Broken) -> Value {
    let words = json!({"seq": broken.seq, "fault": broken.fault, "message": broken.to_string()});
    json!({"user_id": user, "broken": words})
}

fn line(user: &UserId, head: &Head, out: &mut impl Write) -> Result<()> {
    let (events, hash) = (head.seq, &head.hash);
    writeln!(out, "{user}: {events} events, intact, head {hash}")?;
    Ok(())
}

fn covered(kept: &Kept) -> Value {
    json!({"size": kept.head.size, "signature": if kept.signed { "valid" } else { "not checked" }})
}

fn checkpoint_line(kept: &Kept, out: &mut impl Write) -> Result<()> {
    let signature = if kept.signed {
        "signature valid"
    } else {
        "signature not checked: give --key"
    };
    let size = kept.head.size;
    writeln!(
        out,
        "checkpoint: all {size} events it covers are there and unchanged; {signature}"
    )?;
    Ok(())
}

fn code(intact: bool) -> ExitCode {
    if intact {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
