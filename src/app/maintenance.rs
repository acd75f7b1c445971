//! `candor purge` and `candor erase`, and what a server does of them by itself.

use std::io::{self, BufRead, IsTerminal, Write};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result, bail};
use serde_json::{Value, json};

use super::cli::EraseArgs;
use crate::config::Config;
use crate::domain::{Clock, IdSource};
use crate::store::{ErasureReport, Store};

/// Interval at which a server looks for what is past its time.
const EVERY: Duration = Duration::from_secs(60 * 60);

/// Pause after a fault before it looks again.
const AGAIN: Duration = Duration::from_secs(60);

/// Keeps a store tidy until it is dropped: removes what is past its time, and finishes erasures
/// that were cut off. At once, and then every hour.
///
/// Only what must be removed is: an attempt that fails is told to the log and made again.
pub async fn keep(store: Store, clock: Clock) {
    loop {
        let pause = match tidy(&store, clock).await {
            Ok(()) => EVERY,
            Err(error) => {
                tracing::warn!(
                    error = format!("{error:#}"),
                    "what is past its time stays for now"
                );
                AGAIN
            }
        };
        tokio::time::sleep(pause).await;
    }
}

async fn tidy(store: &Store, clock: Clock) -> Result<()> {
    let now = clock.now(chrono_tz::UTC).instant;
    let purged = store.purge(now).await?;
    let finished = store.finish_erasures().await?;
    if purged.tasks + purged.keys > 0 || finished > 0 {
        let (tasks, keys) = (purged.tasks, purged.keys);
        tracing::info!(
            tasks,
            keys,
            erasures = finished,
            "removed what was past its time"
        );
    }
    Ok(())
}

/// The store, brought up to date if it is not: with a server at work, a lock is waited for only
/// where there is a reason.
pub(super) async fn current(config: &Config) -> Result<Store> {
    let store = super::existing(config).await?;
    if !store.health().await?.is_ready() {
        if !config.migrate {
            bail!("the database is older than this program: run `candor migrate` first");
        }
        store.migrate().await?;
    }
    Ok(store)
}

/// `candor purge`.
pub(super) async fn purge(
    config: &Config,
    as_json: bool,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let store = current(config).await?;
    let now = Clock::system(None).now(chrono_tz::UTC).instant;
    let purged = store.purge(now).await;
    store.close().await;
    let purged = purged.context("nothing more was removed")?;
    let (tasks, keys) = (purged.tasks, purged.keys);
    let told = json!({"ok": true, "tasks": tasks, "keys": keys});
    let tasks = count(tasks, "task", "tasks");
    let keys = count(keys, "stored answer", "stored answers");
    let words = format!(
        "Removed {tasks} that were deleted more than 30 days ago, and {keys} older than a day."
    );
    tell(as_json, &told, &words, out)
}

/// Tells what a command did, to a program or to people.
pub(super) fn tell(
    as_json: bool,
    told: &Value,
    words: &str,
    out: &mut impl Write,
) -> Result<ExitCode> {
    match as_json {
        true => writeln!(out, "{told}")?,
        false => writeln!(out, "{words}")?,
    }
    Ok(ExitCode::SUCCESS)
}

/// `candor erase`.
pub(super) async fn erase(
    config: &Config,
    arguments: &EraseArgs,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let store = current(config).await?;
    let done = confirm_and_erase(&store, arguments, out).await;
    store.close().await;
    done
}

async fn confirm_and_erase(
    store: &Store,
    arguments: &EraseArgs,
    out: &mut impl Write,
) -> Result<ExitCode> {
    let user = &arguments.user;
    let found = store.erasable(user).await?;
    if !arguments.yes && !found.is_nothing() {
        if !io::stdin().is_terminal() {
            bail!("erasing can't be taken back: say --yes where nobody can be asked");
        }
        writeln!(out, "Of {user} there are {}.", words(&found))?;
        write!(
            out,
            "Erase all of it for good? Type the user's name to go on: "
        )?;
        out.flush()?;
        let mut answer = String::new();
        io::stdin().lock().read_line(&mut answer)?;
        if answer.trim() != user.as_str() {
            bail!("that is not the name: nothing was erased");
        }
    }
    // What an earlier run left over is finished even when there is nothing new.
    let resumed = store.finish_erasures().await.context(CUT)?;
    let now = Clock::system(None).now(chrono_tz::UTC).instant;
    let erased = store.erase(user, now, &IdSource::random()).await;
    let erased = erased.context(CUT)?;
    if arguments.json {
        let line = json!({"ok": true, "user_id": user, "erased": erased, "finished": resumed});
        writeln!(out, "{line}")?;
        return Ok(ExitCode::SUCCESS);
    }
    if resumed > 0 {
        writeln!(
            out,
            "Finished {} that had been cut off.",
            count(resumed as u64, "erasure", "erasures")
        )?;
    }
    if erased.is_nothing() {
        writeln!(out, "There is nothing of {user} to erase.")?;
    } else {
        writeln!(out, "Erased of {user}: {}.", words(&erased))?;
        writeln!(
            out,
            "The log keeps hashes, kinds and times, and the name {user}. Backups keep what they hold."
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Advice to an operator when an erasure ends in the middle.
const CUT: &str = "the erasure is not finished: run the same command again, it goes on from there";

fn words(erased: &ErasureReport) -> String {
    let mut parts = vec![
        count(erased.tasks, "task", "tasks"),
        count(erased.conversations, "conversation", "conversations"),
        count(erased.messages, "line", "lines"),
        count(erased.questions, "open question", "open questions"),
        count(erased.keys, "stored answer", "stored answers"),
        format!(
            "the words of {}",
            count(erased.receipts, "receipt", "receipts")
        ),
        format!(
            "those of {}",
            count(erased.events, "audit event", "audit events")
        ),
    ];
    if erased.runs > 0 {
        parts.insert(0, count(erased.runs, "run of an agent", "runs of agents"));
    }
    let (last, first) = parts
        .split_last()
        .map_or(("", &[][..]), |(l, f)| (l.as_str(), f));
    format!("{} and {last}", first.join(", "))
}

pub(super) fn count(number: u64, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_erased_is_counted_in_words() {
        let erased = ErasureReport {
            tasks: 2,
            conversations: 1,
            messages: 4,
            receipts: 1,
            events: 7,
            ..ErasureReport::default()
        };
        assert_eq!(
            words(&erased),
            "2 tasks, 1 conversation, 4 lines, 0 open questions, 0 stored answers, \
             the words of 1 receipt and those of 7 audit events"
        );
    }
}
