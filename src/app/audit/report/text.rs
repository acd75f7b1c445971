//! The report for a terminal.

use std::io::{self, Write};

use super::tally::{LogTally, NamedCounts};
use crate::terminal::plain;

/// Width of the names.
const NAMES: usize = 34;

pub(super) fn write(tally: &LogTally, covers: &str, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "audit report: {covers}\n")?;
    let sentences = tally.sentences;
    for (name, count) in [
        ("events", tally.events),
        ("users", tally.users as u64),
        ("turns", tally.turns),
        ("  without a reply", tally.turns_without_reply),
        ("  erased", tally.turns_erased),
        ("receipts", tally.receipts()),
        ("ghost attempts stopped", tally.ghosts()),
        ("sentences proven", sentences.proven),
        ("sentences unproven", sentences.unproven),
        ("sentences of talk", sentences.chat),
        ("invented values left out", tally.values_dropped),
        ("erasures", tally.erasures),
    ] {
        figure(name, count, out)?;
    }
    for (name, counts) in parts(tally) {
        list(name, counts, out)?;
    }
    models(tally, out)?;
    if !tally.turns_that_do_not_hold.is_empty() {
        writeln!(
            out,
            "\nturns whose reply is not what the log says (candor audit show TURN)"
        )?;
        for turn in &tally.turns_that_do_not_hold {
            writeln!(out, "  {turn}")?;
        }
    }
    Ok(())
}

/// The counts by name, each under a heading.
pub(super) fn parts(tally: &LogTally) -> [(&'static str, &NamedCounts); 9] {
    [
        ("turns by source", &tally.turns_by_source),
        ("replies by kind", &tally.replies_by_kind),
        ("receipts by action", &tally.receipts_by_action),
        ("calls by outcome", &tally.calls_by_outcome),
        ("ghost attempts stopped", &tally.ghosts_by_kind),
        ("other sentences withheld", &tally.withheld_by_reason),
        ("calls refused", &tally.refused_calls_by_reason),
        ("calls failed", &tally.failed_calls_by_type),
        ("calls that never came", &tally.missed_calls_by_tool),
    ]
}

fn list(name: &str, counts: &NamedCounts, out: &mut impl Write) -> io::Result<()> {
    if counts.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{name}")?;
    for (name, count) in counts {
        figure(&format!("  {}", plain(name)), *count, out)?;
    }
    Ok(())
}

fn figure(name: &str, count: u64, out: &mut impl Write) -> io::Result<()> {
    writeln!(out, "{name:<NAMES$} {count:>9}")
}

fn models(tally: &LogTally, out: &mut impl Write) -> io::Result<()> {
    if tally.models.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "\n{:<NAMES$} {:>9} {:>9} {:>10} {:>9} {:>9} {:>9}",
        "models by ghost rate", "turns", "ghosts", "ghost rate", "missed", "refused", "failed"
    )?;
    for (name, model) in by_rate(tally) {
        let name = format!("  {}", plain(name));
        let rate = format!("{:.1} %", 100.0 * model.ghost_rate);
        writeln!(
            out,
            "{name:<NAMES$} {:>9} {:>9} {rate:>10} {:>9} {:>9} {:>9}",
            model.turns, model.ghosts, model.missed_calls, model.refused_calls, model.failed_calls
        )?;
    }
    Ok(())
}

/// The models, those that claim most first.
pub(super) fn by_rate(tally: &LogTally) -> Vec<(&String, &super::tally::ModelTally)> {
    let mut models: Vec<_> = tally.models.iter().collect();
    models.sort_by(|(_, a), (_, b)| b.ghost_rate.total_cmp(&a.ghost_rate));
    models
}
