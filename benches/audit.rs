//! Cost of verifying a log of a million events offline, with nothing but the export and a
//! checkpoint.
//!
//! `cargo bench --bench audit` writes an export of a thousand users to the temporary folder and
//! verifies it; `cargo bench --bench audit -- EVENTS FILE` keeps it
//! for `candor audit verify --export FILE`. To hold: under five seconds for a million events, and
//! under a kilobyte for one event's proof.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use candor::audit::{
    AuditRow, ChainHead, EventKind, PlacedEvent, TreeQuestion, WholeLog, verify_export,
};
use candor::domain::{TurnId, UserId};
use chrono::{DateTime, TimeDelta};
use serde_json::{Value, json};
use uuid::Uuid;

const EVENTS: u64 = 1_000_000;
const USERS: u64 = 1_000;

fn main() -> io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mut words = words.iter().filter(|word| !word.starts_with("--"));
    let events = words.next().and_then(|word| word.parse().ok());
    let events = events.unwrap_or(EVENTS);
    let kept = words.next();
    let file = std::env::temp_dir().join(format!("candor-bench-{}.jsonl", std::process::id()));
    let file = kept.map_or(file, |kept| Path::new(kept).to_owned());

    let mut out = io::stdout();
    let begun = Instant::now();
    write(events, &file)?;
    let size = file.metadata()?.len();
    writeln!(
        out,
        "export: {events} events of {USERS} users, {} MB, written in {:.1} s",
        size / 1_000_000,
        begun.elapsed().as_secs_f64()
    )?;
    let whole = verified(&file, &[])?;
    verified(&file, &[whole.tree])?;
    let proof = TreeQuestion::Inclusion {
        size: events,
        index: events / 3,
    };
    let bytes = proof.needs().len() * 32;
    writeln!(out, "proof of one event: at most {bytes} B")?;
    if kept.is_none() {
        std::fs::remove_file(file)?;
    }
    Ok(())
}

fn verified(file: &Path, checkpoints: &[candor::audit::TreeHead]) -> io::Result<WholeLog> {
    let begun = Instant::now();
    let whole = verify_export(File::open(file)?, checkpoints, None);
    let whole = whole.map_err(io::Error::other)?;
    let (size, took) = (whole.tree.size, begun.elapsed());
    writeln!(
        io::stdout(),
        "verified: {size} events in {:.2} s, {} ns each",
        took.as_secs_f64(),
        took.as_nanos() / u128::from(size.max(1))
    )?;
    Ok(whole)
}

/// Turns of four events each, users taking their turns in an order that is not theirs.
fn write(events: u64, file: &Path) -> io::Result<()> {
    let mut out = BufWriter::new(File::create(file)?);
    let mut heads: Vec<ChainHead> = (0..USERS).map(|_| ChainHead::genesis()).collect();
    let start = DateTime::UNIX_EPOCH + TimeDelta::days(20_492);
    for index in 0..events {
        let turn = index / 4;
        let user = turn * 7_919 % USERS;
        let (kind, payload) = event(index % 4, turn);
        let Some(head) = heads.get_mut(user as usize) else {
            continue;
        };
        let row = AuditRow::after(
            head,
            UserId::parse(&format!("user-{user}")).map_err(io::Error::other)?,
            Some(TurnId::new(Uuid::from_u128(u128::from(turn) + 1))),
            kind,
            (&payload, || format!("{index:064x}")),
            start + TimeDelta::milliseconds(turn as i64 * 13),
        );
        *head = row.head();
        let placed = PlacedEvent {
            leaf_index: Some(index),
            event: row,
        };
        serde_json::to_writer(&mut out, &placed)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

fn event(place: u64, turn: u64) -> (EventKind, Value) {
    let title = format!("Return the borrowed telescope number {turn}");
    let id = Uuid::from_u128(u128::from(turn) << 64);
    match place {
        0 => (
            EventKind::Turn,
            json!({
                "source": "chat",
                "conversation_id": id,
                "message": format!("please add \"{title}\" for tomorrow"),
                "answer": null,
                "today": "2026-02-08",
                "timezone": "UTC",
                "language": "en",
                "reading": {"lang": "en", "clauses": [{"bytes": {"start": 0, "end": 60}, "act": {"Add": {
                    "whole": {"title": title, "due": null, "priority": null, "description": null},
                    "parts": [], "split": false, "described": false,
                }}}]},
                "prompt": {"version": "1", "context": "A line of the prompt, quoted.\n".repeat(24)},
                "model": "openai (some-model)",
                "answers": [{"model": "openai (some-model)", "text": null, "calls": [
                    {"id": "call_1", "name": "add_task", "arguments": format!("{{\"title\":\"{title}\"}}")},
                ]}],
                "versions": {"renderer": "3", "grammar": "2", "prompt": "1"},
            }),
        ),
        1 => (
            EventKind::ToolCall,
            json!({
                "what": "call", "call_id": "call_1", "name": "add_task", "user_id": "someone",
                "arguments": {"title": title, "due_date": "2026-02-09"},
                "task_ids": [id], "outcome": "committed", "reason": null,
            }),
        ),
        2 => (
            EventKind::Receipt,
            json!({
                "id": id, "user_id": "someone", "conversation_id": id, "turn_id": id,
                "action": "add_task", "task_id": id, "before": null, "reading": null,
                "undoes": null, "at": "2026-02-08T12:00:00Z",
                "after": {"id": id, "title": title, "description": null, "priority": "medium",
                    "status": "pending", "due_date": "2026-02-09", "assignee": null, "version": 1},
            }),
        ),
        _ => (
            EventKind::Reply,
            json!({
                "message": format!("Added: {title} (due Mon 2026-02-09)"), "kind": "receipt",
                "error": null, "expected_tools": null, "dropped": [], "language": "en",
                "receipts": [id], "composed": {"speech": "en", "wanted": ["add_task"], "calls": [
                    {"call_id": "call_1", "name": "add_task", "tool": "add_task", "arguments": null,
                     "round": 1, "result": {"done": {"start": 0, "end": 1}}},
                ]},
            }),
        ),
    }
}
