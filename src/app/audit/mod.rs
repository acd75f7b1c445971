//! `candor audit`: the operator's view of the log, over all users.

mod export;
mod key;
pub(super) mod report;
mod show;
mod verify;

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use anyhow::{Context, Result};

pub(super) use self::key::{KEY_FILE, signing};
use super::cli::AuditCommand;
use crate::audit::{AuditRow, PlacedEvent};
use crate::config::Config;
use crate::domain::UserId;
use crate::store::{AuditFilter, Store};

/// Events read at once.
const PAGE: u32 = 1_000;

/// Words for a log that the database does not give.
const UNREADABLE: &str = "the log can't be read";

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
            if let Some(proof) = &arguments.proof {
                return verify::proof(proof, arguments, out);
            }
            if let Some(export) = &arguments.export {
                return verify::offline(export, arguments, out);
            }
        }
        AuditCommand::Show(arguments) => {
            if let Some(export) = &arguments.export {
                return show::offline(export, arguments, out);
            }
        }
        AuditCommand::Report(arguments) => {
            if arguments.export.is_some() {
                return report::offline(arguments, out);
            }
        }
        AuditCommand::Export(_) => {}
    }
    let store = super::open(config).await?;
    let ran = match command {
        AuditCommand::Verify(arguments) => verify::online(&store, arguments, out).await,
        AuditCommand::Show(arguments) => show::online(&store, arguments, out).await,
        AuditCommand::Report(arguments) => report::online(&store, arguments, out).await,
        AuditCommand::Export(arguments) => export::write(&store, arguments, out).await,
        AuditCommand::Keygen { .. } => Ok(ExitCode::SUCCESS),
    };
    store.close().await;
    ran
}

/// Reads the events of a user, the oldest first.
async fn each_event(
    store: &Store,
    user: &UserId,
    mut take: impl FnMut(AuditRow) -> Result<()>,
) -> Result<()> {
    let mut filter = AuditFilter {
        user: Some(user.clone()),
        after: Some(0),
        limit: Some(PAGE),
        ..AuditFilter::default()
    };
    loop {
        let rows = store.audit_events(&filter).await.context(UNREADABLE)?;
        let Some(last) = rows.last() else {
            return Ok(());
        };
        filter.after = Some(last.seq);
        tell_progress(last.seq.unsigned_abs());
        rows.into_iter().try_for_each(&mut take)?;
    }
}

/// Tells a person who waits at a terminal how many events have been read so far.
fn tell_progress(read: u64) {
    let mut terminal = io::stderr();
    if terminal.is_terminal() && read.is_multiple_of(u64::from(PAGE) * 20) {
        // The next line is written over it; a terminal that is gone misses nothing.
        let _ = write!(terminal, "{read} events read\x1b[K\r");
    }
}

/// Reads the events in the order of the tree, up to its `size`, or until `take` says that it has
/// enough.
async fn each_leaf(
    store: &Store,
    size: u64,
    mut take: impl FnMut(&PlacedEvent) -> Result<bool>,
) -> Result<()> {
    let mut from = 0;
    while from < size {
        let events = store.audit_log(from, PAGE).await.context(UNREADABLE)?;
        if events.is_empty() {
            break;
        }
        from += events.len() as u64;
        tell_progress(from);
        for placed in &events {
            if !take(placed)? {
                return Ok(());
            }
        }
    }
    Ok(())
}

async fn users(store: &Store, user: Option<&UserId>) -> Result<Vec<UserId>> {
    match user {
        Some(user) => Ok(vec![user.clone()]),
        None => store.audit_users().await.context(UNREADABLE),
    }
}

fn code(intact: bool) -> ExitCode {
    if intact {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
