//! `candor audit verify`: the log against itself and against checkpoints, an export alone, or a
//! proof that was handed out.

use std::fs::File;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::super::cli::VerifyArgs;
use super::{code, each_leaf, key, users};
use crate::audit::{
    BrokenChain, ChainHead, ExportFault, LogCheck, LogFault, ProofFindings, StretchFindings,
    TreeHead, TreeProof, WholeLog, stated, verify_export,
};
use crate::domain::{UserId, put_member};
use crate::store::Store;

/// Reads the checkpoints that are named, and checks their signatures where a key is given.
fn checkpoints(arguments: &VerifyArgs) -> Result<Vec<TreeHead>> {
    if arguments.key.is_some() && arguments.checkpoint.is_empty() && arguments.proof.is_none() {
        bail!("--key says who signed a checkpoint: give --checkpoint or --proof as well");
    }
    let known = arguments.key.as_deref().map(key::verifying).transpose()?;
    let read = arguments.checkpoint.iter().map(|path| {
        let note = std::fs::read_to_string(path);
        let note = note.with_context(|| format!("{} can't be read", path.display()))?;
        let head = match &known {
            Some(key) => key.open(&note),
            None => stated(&note),
        };
        head.with_context(|| format!("{}", path.display()))
    });
    read.collect()
}

/// Checks an export, with no database and no server.
pub(super) fn offline(
    export: &Path,
    arguments: &VerifyArgs,
    out: &mut impl Write,
) -> Result<ExitCode> {
    if arguments.user.is_some() && !arguments.checkpoint.is_empty() {
        bail!("a checkpoint covers the events of all users: verify it without --user");
    }
    let kept = checkpoints(arguments)?;
    let file = File::open(export);
    let file = file.with_context(|| format!("{} can't be read", export.display()))?;
    match verify_export(file, &kept, arguments.user.as_ref()) {
        Err(ExportFault::Io(error)) => {
            Err(error).with_context(|| format!("{} can't be read", export.display()))
        }
        whole => {
            let whole = whole.map_err(|fault| fault.to_string());
            report(&whole, &kept, arguments, out)
        }
    }
}

fn report(
    whole: &Result<WholeLog, String>,
    kept: &[TreeHead],
    arguments: &VerifyArgs,
    out: &mut impl Write,
) -> Result<ExitCode> {
    match whole {
        Ok(whole) if arguments.json => {
            let users: Vec<Value> = whole
                .users
                .iter()
                .map(|(user, head)| sound(user, head))
                .collect();
            let checkpoints: Vec<Value> =
                kept.iter().map(|head| covered(head, arguments)).collect();
            let words = json!({
                "ok": true,
                "users": users,
                "checkpoint": checkpoints.last(),
                "checkpoints": checkpoints,
            });
            writeln!(out, "{words}")?;
        }
        Ok(whole) => {
            for (user, head) in &whole.users {
                line(user, head, out)?;
            }
            for head in kept {
                checkpoint_line(head, arguments, out)?;
            }
        }
        Err(fault) if arguments.json => {
            writeln!(out, "{}", json!({"ok": false, "fault": fault}))?;
        }
        Err(fault) => writeln!(out, "BROKEN: {fault}")?,
    }
    Ok(code(whole.is_ok()))
}

/// Checks a proof that a server gave out. Opens no database and asks no server.
pub(super) fn proof(path: &Path, arguments: &VerifyArgs, out: &mut impl Write) -> Result<ExitCode> {
    let kept = checkpoints(arguments)?;
    let known = arguments.key.as_deref().map(key::verifying).transpose()?;
    let text = std::fs::read_to_string(path);
    let text = text.with_context(|| format!("{} can't be read", path.display()))?;
    let proved = TreeProof::parse(&text).and_then(|proof| proof.check(known.as_ref(), &kept));
    match &proved {
        Ok(proved) if arguments.json => {
            let proved = serde_json::to_value(proved)?;
            writeln!(out, "{}", json!({"ok": true, "proved": proved}))?;
        }
        Ok(ProofFindings::Turn(shown)) => turn(shown, out)?,
        Ok(ProofFindings::Event {
            event,
            leaf_index,
            tree_size,
        }) => writeln!(
            out,
            "event {} of {} ({}) is number {leaf_index} of the {tree_size} events in the tree",
            event.seq,
            event.user_id,
            event.kind.as_str()
        )?,
        Ok(ProofFindings::Consistency { from, to }) => writeln!(
            out,
            "the tree of {to} events begins with the {from} events of the earlier one: none of \
             them was changed or removed"
        )?,
        Err(fault) if arguments.json => {
            writeln!(out, "{}", json!({"ok": false, "fault": fault.to_string()}))?;
        }
        Err(fault) => writeln!(out, "BROKEN: {fault}")?,
    }
    Ok(code(proved.is_ok()))
}

fn turn(shown: &StretchFindings, out: &mut impl Write) -> Result<()> {
    let (turn, user) = (shown.turn_id, &shown.user_id);
    let (first, last) = (shown.first_seq, shown.last_seq);
    writeln!(
        out,
        "turn {turn} of {user}: events {first} to {last}, none missing"
    )?;
    for receipt in &shown.receipts {
        let (seq, action, id) = (receipt.seq, receipt.action, receipt.id);
        writeln!(out, "  #{seq} {action} (receipt {id})")?;
    }
    if !shown.listed {
        writeln!(
            out,
            "  the reply does not list its receipts: rounds before event {first} are not ruled out"
        )?;
    }
    if shown.log_ended {
        writeln!(out, "  the log ended with this turn")?;
    }
    let removed = shown.receipts.iter().filter(|receipt| receipt.removed);
    match removed.count() {
        0 => writeln!(out, "nothing was deleted in this turn")?,
        1 => writeln!(out, "one task was taken off the list in this turn")?,
        many => writeln!(out, "{many} tasks were taken off the list in this turn")?,
    }
    Ok(())
}

/// Checks the database: each chain, and what the checkpoints cover.
pub(super) async fn online(
    store: &Store,
    arguments: &VerifyArgs,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let kept = checkpoints(arguments)?;
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
    let mut against = Vec::new();
    for head in &kept {
        let fault = tree(store, *head).await?;
        intact &= fault.is_none();
        match &fault {
            Some(fault) if !arguments.json => writeln!(out, "checkpoint: BROKEN: {fault}")?,
            None if !arguments.json => checkpoint_line(head, arguments, out)?,
            _ => {}
        }
        let mut words = covered(head, arguments);
        put_member(&mut words, "fault", json!(fault));
        against.push(words);
    }
    if arguments.json {
        let words = json!({
            "ok": intact,
            "users": found,
            "checkpoint": against.last(),
            "checkpoints": against,
        });
        writeln!(out, "{words}")?;
    }
    Ok(code(intact))
}

/// Checks that the events in the order of the tree are those that a checkpoint covers.
async fn tree(store: &Store, covered: TreeHead) -> Result<Option<LogFault>> {
    let mut check = LogCheck::new(Some(covered));
    let mut found = None;
    // Chains were looked at before; here a chain that is not whole is as good as a root that is
    // not the one.
    each_leaf(store, covered.size, |placed| {
        found = check.push(placed.leaf_index, &placed.event).err();
        Ok(found.is_none())
    })
    .await?;
    if found.is_some() {
        return Ok(found);
    }
    // Words that were erased are told of further on, beyond what is covered.
    match check.finish() {
        Err(fault @ (LogFault::Truncated { .. } | LogFault::Root { .. })) => Ok(Some(fault)),
        Ok(_) | Err(_) => Ok(None),
    }
}

fn sound(user: &UserId, head: &ChainHead) -> Value {
    json!({"user_id": user, "events": head.seq, "head": head.hash, "broken": null})
}

fn unsound(user: &UserId, broken: &BrokenChain) -> Value {
    let words = json!({"seq": broken.seq, "fault": broken.fault, "message": broken.to_string()});
    json!({"user_id": user, "broken": words})
}

fn line(user: &UserId, head: &ChainHead, out: &mut impl Write) -> Result<()> {
    let (events, hash) = (head.seq, &head.hash);
    writeln!(out, "{user}: {events} events, intact, head {hash}")?;
    Ok(())
}

fn covered(head: &TreeHead, arguments: &VerifyArgs) -> Value {
    let signature = match arguments.key {
        Some(_) => "valid",
        None => "not checked",
    };
    json!({"size": head.size, "signature": signature})
}

fn checkpoint_line(head: &TreeHead, arguments: &VerifyArgs, out: &mut impl Write) -> Result<()> {
    let signature = match arguments.key {
        Some(_) => "signature valid",
        None => "signature not checked: give --key",
    };
    let size = head.size;
    writeln!(
        out,
        "checkpoint: all {size} events it covers are there and unchanged; {signature}"
    )?;
    Ok(())
}
